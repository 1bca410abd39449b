/* The ranks of one process: nothing is sent, and its own errors are everyone's. */
#include "devices/spread/alone.h"

#include <string.h>

#include "base/memory.h"

static void destroy(struct oro_ranks *ranks)
{
    oro_free(ranks);
}

static bool exchange(struct oro_ranks *ranks, const struct oro_message *send, size_t send_count,
                     const struct oro_message *receive, size_t receive_count, struct oro_error *err)
{
    (void)ranks, (void)send, (void)receive;
    return (send_count == 0 && receive_count == 0) ||
           oro_fail(err, ORO_E_RANKS, "a message to another process, but there is only one");
}

static void *copy_of(const void *data, size_t bytes, struct oro_error *err)
{
    void *copy = oro_alloc(bytes ? bytes : 1, 1);
    if (!copy)
        oro_fail(err, ORO_E_MEMORY, "no memory for %zu bytes", bytes);
    else if (bytes)
        memcpy(copy, data, bytes);
    return copy;
}

static bool gather(struct oro_ranks *ranks, const void *data, size_t bytes, void **all, size_t *sizes,
                   struct oro_error *err)
{
    (void)ranks;
    *all = copy_of(data, bytes, err);
    sizes[0] = bytes;
    return *all;
}

static bool scatter(struct oro_ranks *ranks, const void *all, const size_t *sizes, void **data, size_t *bytes,
                    struct oro_error *err)
{
    (void)ranks;
    *data = copy_of(all, sizes[0], err);
    *bytes = sizes[0];
    return *data;
}

static bool broadcast(struct oro_ranks *ranks, int from, void *data, size_t bytes, struct oro_error *err)
{
    (void)ranks, (void)from, (void)data, (void)bytes, (void)err;
    return true;
}

static bool combine(struct oro_ranks *ranks, uint64_t *values, size_t count, struct oro_error *err)
{
    (void)ranks, (void)values, (void)count, (void)err;
    return true;
}

static bool agree(struct oro_ranks *ranks, bool ok, struct oro_error *err)
{
    (void)ranks, (void)err;
    return ok;
}

static const struct oro_ranks_ops ops = {.destroy = destroy,
                                         .exchange = exchange,
                                         .gather = gather,
                                         .scatter = scatter,
                                         .broadcast = broadcast,
                                         .sum = combine,
                                         .greatest = combine,
                                         .agree = agree};

struct oro_ranks *oro_ranks_alone(struct oro_error *err)
{
    struct oro_ranks *ranks = oro_alloc(1, sizeof *ranks);
    if (!ranks) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a device");
        return NULL;
    }
    ranks->ops = &ops;
    ranks->count = 1;
    return ranks;
}
