/* Sums over rows, by all processors. */
#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/realism/realism_private.h"

/* Strips of rows depend on their number alone and have sums of their own, which are added up in their order:
 * so the result does not depend on the number of processors. */
enum { STRIPS = 64 };

struct adding {
    const struct oro_realism_rows *rows;
    double *sums;
};

static void add_strips(void *user, size_t first, size_t end)
{
    const struct adding *a = user;
    size_t from = a->rows->from, count = a->rows->to - from;
    for (size_t strip = first; strip < end; strip++)
        for (size_t y = count * strip / STRIPS; y < count * (strip + 1) / STRIPS; y++)
            a->rows->add(a->rows->user, from + y, a->sums + strip * a->rows->sums);
}

bool oro_realism_add_rows(const struct oro_realism_rows *rows, double *sums)
{
    struct adding a = {rows, oro_alloc(STRIPS * rows->sums, sizeof *sums)};
    if (!a.sums)
        return false;
    oro_parallel(STRIPS, 1, add_strips, &a);
    for (size_t i = 0; i < STRIPS * rows->sums; i++)
        sums[i % rows->sums] += a.sums[i];
    oro_free(a.sums);
    return true;
}
