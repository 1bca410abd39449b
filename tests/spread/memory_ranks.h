/* Ranks within one process, for tests: a thread each, and messages that are copied in memory. */
#ifndef ORO_TESTS_SPREAD_MEMORY_RANKS_H
#define ORO_TESTS_SPREAD_MEMORY_RANKS_H

#include "graph/type/ranks.h"

/* Calls `body` on `count` threads with a rank each, and returns when all are done. */
void with_ranks(int count, void (*body)(void *user, struct oro_ranks *ranks), void *user);

#endif
