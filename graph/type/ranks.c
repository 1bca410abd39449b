/* What all ranks do together, in terms of struct oro_ranks_ops. */
#include "graph/type/ranks.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

bool oro_ranks_first(const struct oro_ranks *ranks)
{
    return !ranks || ranks->rank == 0;
}

bool oro_ranks_decide(struct oro_ranks *ranks, bool here)
{
    unsigned char decision = here;
    if (!ranks)
        return here;
    return ranks->ops->broadcast(ranks, 0, &decision, 1, NULL) && decision;
}

int oro_ranks_told(struct oro_ranks *ranks, int here)
{
    int told = here;
    return ranks && ranks->ops->broadcast(ranks, 0, &told, sizeof told, NULL) ? told : here;
}

bool oro_ranks_all(struct oro_ranks *ranks, bool here)
{
    uint64_t not_here = !here;
    if (!ranks)
        return here;
    return ranks->ops->greatest(ranks, &not_here, 1, NULL) && !not_here;
}

uint64_t oro_ranks_least(struct oro_ranks *ranks, uint64_t value)
{
    uint64_t most = ~value;
    if (!ranks || !ranks->ops->greatest(ranks, &most, 1, NULL))
        return value;
    return ~most;
}

bool oro_ranks_agree(struct oro_ranks *ranks, bool ok, struct oro_error *err)
{
    return ranks ? ranks->ops->agree(ranks, ok, err) : ok;
}

/* What rank 0 compares. */
struct claim {
    char host[64];
    char text[448];
};

/* The first claim that differs from that of rank 0; 0: there is none. */
static int differing(const struct claim *claims, int count)
{
    for (int i = 1; i < count; i++)
        if (strcmp(claims[i].text, claims[0].text) != 0)
            return i;
    return 0;
}

bool oro_ranks_same(struct oro_ranks *ranks, const char *what, const char *text, enum oro_code code,
                    struct oro_error *err)
{
    struct claim own = {0}, two[2] = {{{0}, {0}}, {{0}, {0}}};
    uint64_t other = 0;
    void *all = NULL;
    if (!ranks || ranks->count == 1)
        return true;
    size_t *sizes = oro_alloc((size_t)ranks->count, sizeof *sizes);
    snprintf(own.host, sizeof own.host, "%s", ranks->host ? ranks->host : "an unknown host");
    snprintf(own.text, sizeof own.text, "%s", text);
    bool ok = ranks->ops->agree(ranks, sizes || oro_fail(err, ORO_E_MEMORY, "no memory for ranks"), err) &&
              ranks->ops->gather(ranks, &own, sizeof own, &all, sizes, err);
    if (ok && all) {
        const struct claim *claims = all;
        other = (uint64_t)differing(claims, ranks->count);
        two[0] = claims[0];
        two[1] = claims[other];
    }
    ok = ok && ranks->ops->broadcast(ranks, 0, &other, sizeof other, err) &&
         ranks->ops->broadcast(ranks, 0, two, sizeof two, err);
    oro_free(all);
    oro_free(sizes);
    if (ok && other)
        return oro_fail(err, code,
                        "the ranks do not have the same %s: rank 0 on %s has '%s', rank %d on %s '%s'", what,
                        two[0].host, two[0].text, (int)other, two[1].host, two[1].text);
    return ok;
}
