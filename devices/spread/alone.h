/* The ranks of one process: itself. */
#ifndef ORO_DEVICES_SPREAD_ALONE_H
#define ORO_DEVICES_SPREAD_ALONE_H

#include "graph/type/ranks.h"

/* NULL: there is no memory. Destroy with ranks->ops->destroy. */
struct oro_ranks *oro_ranks_alone(struct oro_error *err);

#endif
