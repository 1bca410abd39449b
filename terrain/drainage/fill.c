/* Filling along the drainage tree. */
#include <stdatomic.h>

#include "base/memory.h"
#include "terrain/drainage/drain.h"
#include "terrain/drainage/drainage_tree_private.h"
#include "terrain/drainage/steps.h"

struct filling {
    const float *z;
    float *out;
    int32_t *highest;       /* K of drain.h */
    atomic_size_t too_high; /* the first cell that would be too high, plus 1 */
};

/* ---- Level: what has been filled below is the flood level there ---- */

static void fill_level(void *user, const struct oro_drainage_tree_part *part)
{
    const struct filling *f = user;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        float own = f->z[cell], below = next == cell ? oro_height(own) : oro_height(f->out[next]);
        f->out[cell] = below > oro_height(own) ? below : own;
    }
}

/* ---- Sloped ---- */

static void raise_way(void *user, const struct oro_drainage_tree_part *part)
{
    const struct filling *f = user;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        int32_t own = oro_step_above(f->z[cell]);
        f->highest[cell] = next != cell && f->highest[next] >= own ? f->highest[next] + 1 : own;
    }
}

static void check_height(void *user, size_t first, size_t end)
{
    struct filling *f = user;
    int32_t most = 0;
    for (size_t i = first; i < end; i++)
        most = f->highest[i] > most ? f->highest[i] : most;
    if (most <= -ORO_STEPS_LOWEST)
        return;
    while (f->highest[first] <= -ORO_STEPS_LOWEST)
        first++;
    size_t known = atomic_load(&f->too_high);
    while ((!known || known > first + 1) && !atomic_compare_exchange_weak(&f->too_high, &known, first + 1))
        continue;
}

static void raise(void *user, size_t first, size_t end)
{
    const struct filling *f = user;
    for (size_t i = first; i < end; i++)
        f->out[i] = f->highest[i] > oro_step_above(f->z[i]) ? oro_step_height(f->highest[i]) : f->z[i];
}

static bool fail_too_high(const struct oro_ground *ground, size_t cell, struct oro_error *err)
{
    return oro_fail(err, ORO_E_EVALUATE,
                    "the way out of cell %zu, %zu is too high to be filled: there are no higher numbers left "
                    "for slopes down to it",
                    cell % (size_t)ground->width, cell / (size_t)ground->width);
}

static bool fill_sloped(const struct oro_ground *ground, const struct oro_routing *routing,
                        struct filling *filling, struct oro_error *err)
{
    struct oro_drainage_tree_work work = {.part = raise_way, .user = filling};
    filling->highest = oro_alloc((size_t)ground->width * (size_t)ground->height, sizeof *filling->highest);
    if (!filling->highest)
        return oro_no_memory(ground, err);
    bool ok = oro_drainage_tree_up(routing, ground, &work, err) &&
              oro_drainage_tree_cells(routing, ground, check_height, filling, err);
    size_t too_high = atomic_load(&filling->too_high);
    if (ok && too_high)
        ok = fail_too_high(ground, too_high - 1, err);
    ok = ok && oro_drainage_tree_cells(routing, NULL, raise, filling, err);
    oro_free(filling->highest);
    return ok;
}

bool oro_fill(const struct oro_ground *ground, const struct oro_routing *routing, bool sloped, float *out,
              struct oro_error *err)
{
    struct filling filling = {.z = ground->z, .out = out};
    struct oro_drainage_tree_work work = {.part = fill_level, .user = &filling};
    if (sloped)
        return fill_sloped(ground, routing, &filling, err);
    return !oro_ground_stops(ground, 0, err) && oro_drainage_tree_up(routing, NULL, &work, err);
}
