/*
 * Claims: processes that share a cache's folder tell each other what they compute, so that only one of them
 * does, and the others wait for its result. A claim is a file KEY.claim beside the results, which holds the
 * host and the process; a thread of the claimant touches it every few seconds. It is stale once it has not
 * been touched for a while, or when its process on this host is gone; then one of those that wait takes it
 * over. All of this saves work, and nothing hangs on it: where no claim can be made, everyone computes.
 */
#ifndef ORO_GRAPH_CACHE_CLAIM_H
#define ORO_GRAPH_CACHE_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct oro_claim;

/* What is known of the claim of another, while one waits for it: zeroed at first. */
struct oro_claim_watch {
    uint64_t inode;
    int64_t seconds, nanoseconds; /* when it was touched */
    double since;                 /* that it is so, as oro_now */
    bool taken_over;              /* it was stale, and is ours now */
    char owner[96];               /* "process 12 on node3" */
};

enum oro_claimed {
    ORO_CLAIM_NONE,   /* there is no claim, and none can be made: compute */
    ORO_CLAIM_OURS,   /* compute, and end the claim afterwards */
    ORO_CLAIM_OTHERS, /* look for the result, wait a moment and ask again */
};

/* `folder`: of the cache. */
enum oro_claimed oro_claim_take(const char *folder, struct oro_hash key, struct oro_claim_watch *watch,
                                struct oro_claim **claim);
/* `done`: the result is in the cache, if it is to be there at all. Else one of those that wait goes on. NULL
 * is allowed. */
void oro_claim_end(struct oro_claim *claim, bool done);

#endif
