/*
 * The processes that evaluate one plan together, each with a device of its own: ranks. All of them run the
 * same steps in the same order, so that each knows what the others send. devices/spread/ goes through this
 * to reach tiles that another rank keeps; devices/spread/alone.c is the case of one process, devices/mpi/
 * that of many.
 *
 * All functions but `stop` are collective: every rank calls them, in the same order. A failure of the
 * transport itself is ORO_E_RANKS, and nothing can be sent any more.
 *
 * A rank on which something fails leaves the work where it is, and calls `agree` with false. The others may
 * be anywhere then, and need not know: whatever they call next fails with that rank's error. A failure is
 * final: every later call fails with it at once, on every rank, so that none waits for another that has left.
 * What may fail without ending the work is no failure: oro_ranks_all tells of it.
 */
#ifndef ORO_GRAPH_TYPE_RANKS_H
#define ORO_GRAPH_TYPE_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Bytes to or from another rank. Both sides name the messages between them in the same order and with the
 * same sizes. */
struct oro_message {
    int rank; /* the other one; never one's own */
    void *data;
    size_t bytes; /* any number: implementations cut what is too large for them */
};

struct oro_ranks;

struct oro_ranks_ops {
    void (*destroy)(struct oro_ranks *ranks);
    /* Sends and receives all of them, and returns when the memory of both may be used again. */
    bool (*exchange)(struct oro_ranks *ranks, const struct oro_message *send, size_t send_count,
                     const struct oro_message *receive, size_t receive_count, struct oro_error *err);
    /* Brings the bytes of every rank to rank 0, which gets them in order of the ranks in memory made with
     * oro_alloc, and their sizes in `sizes` (one for each rank). Others get NULL. */
    bool (*gather)(struct oro_ranks *ranks, const void *data, size_t bytes, void **all, size_t *sizes,
                   struct oro_error *err);
    /* The way back: rank 0 has `bytes` for each rank, one after another, in `all`. Everyone gets its own in
     * memory made with oro_alloc. */
    bool (*scatter)(struct oro_ranks *ranks, const void *all, const size_t *sizes, void **data, size_t *bytes,
                    struct oro_error *err);
    /* Everyone gets the bytes of rank `from`. */
    bool (*broadcast)(struct oro_ranks *ranks, int from, void *data, size_t bytes, struct oro_error *err);
    /* Element by element, over all ranks: sums modulo 2^64, or the greatest. The order plays no part. */
    bool (*sum)(struct oro_ranks *ranks, uint64_t *values, size_t count, struct oro_error *err);
    bool (*greatest)(struct oro_ranks *ranks, uint64_t *values, size_t count, struct oro_error *err);
    /* What failed on one rank has failed on all of them: `ok` says how it went here, with the reason in
     * `err`. False on every rank if it was false on any; `err` is then the error of the first such rank, with
     * its number and host in the text, unless there is only one or all say the same. */
    bool (*agree)(struct oro_ranks *ranks, bool ok, struct oro_error *err);
    /* Not collective: whether another rank waits in `agree` with a failure, so that there is no use in going
     * on. Only from the thread that calls the others. A failure of this rank that comes of it, such as
     * ORO_E_CANCELLED, is then not the one that is reported. NULL: never. */
    bool (*stop)(struct oro_ranks *ranks);
};

struct oro_ranks {
    const struct oro_ranks_ops *ops;
    int rank, count;
    int local_rank, local_count;        /* the same, among those of this host; both 0: nobody has asked */
    const char *host;                   /* its name; NULL: unknown */
    uint64_t bytes_sent, messages_sent; /* so far, by this rank */
    double seconds;                     /* spent in these functions, waiting included */
};

/* The functions below take NULL for `ranks`: one process alone. */

/* Whether this is rank 0, which alone prints, and writes files and the cache. */
bool oro_ranks_first(const struct oro_ranks *ranks);
/* For a decision that hangs on the clock or on what only rank 0 can see: what rank 0 has for `here`, on every
 * rank. False where the ranks have failed. */
bool oro_ranks_decide(struct oro_ranks *ranks, bool here);
/* The same for a number. Unchanged where the ranks have failed. */
int oro_ranks_told(struct oro_ranks *ranks, int here);
/* Whether `here` is true on every rank, without failing where it is not. False where the ranks have failed.
 */
bool oro_ranks_all(struct oro_ranks *ranks, bool here);
/* The least of all. Unchanged where the ranks have failed. */
uint64_t oro_ranks_least(struct oro_ranks *ranks, uint64_t value);
bool oro_ranks_agree(struct oro_ranks *ranks, bool ok, struct oro_error *err);
/* Fails with `code` on every rank where `text` is not the same on all of them, naming two that differ, their
 * hosts and texts; `what` says what should be the same. */
bool oro_ranks_same(struct oro_ranks *ranks, const char *what, const char *text, enum oro_code code,
                    struct oro_error *err);

#endif
