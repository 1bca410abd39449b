/* How the ranks of one host share its graphics cards. */
#ifndef ORO_CLI_ENGINE_SHARE_H
#define ORO_CLI_ENGINE_SHARE_H

#include "graph/type/ranks.h"

struct cli_share {
    int cards;  /* 0: there are none, or a device was asked for */
    int number; /* this rank's card, one of the numbers that were given */
    int ranks;  /* on one device, at most */
};

/* The first rank of a host takes its first card, the second the next, and so on, around. `cards`: the numbers
 * of all that the host has. */
struct cli_share cli_share_of(const struct oro_ranks *ranks, const int *cards, int count);

#endif
