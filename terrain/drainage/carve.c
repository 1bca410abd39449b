/*
 * K of drain.h without an order of the cells. Where a receiver is lower than its cell by a step or more,
 * nothing is carved unless the cell itself was lowered. So ways are walked down from the other cells alone,
 * each as far as it lowers the ground. Cells only become lower, and what lowers a cell goes on from there:
 * however the walks of several processors come to a cell, the end is the same.
 */
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/drain.h"
#include "terrain/drainage/routing_private.h"
#include "terrain/drainage/steps.h"

struct carving {
    const struct oro_ground *ground;
    struct oro_strips strips;
    struct oro_offsets offsets;
    uint8_t *direction;
    uint32_t *label;
    _Atomic uint32_t *out; /* bits of heights */
    atomic_bool too_deep;
};

static void start_strips(void *user, size_t first, size_t end)
{
    struct carving *c = user;
    size_t cell = oro_strip_first(c->strips, first), count = oro_strip_end(c->strips, end - 1) - cell;
    memcpy((void *)(c->out + cell), c->ground->z + cell, count * sizeof *c->out);
    memset(c->label + cell, 0, count * sizeof *c->label);
}

static float height_of(uint32_t bits)
{
    float height;
    memcpy(&height, &bits, sizeof height);
    return height;
}

static uint32_t bits_of(float height)
{
    uint32_t bits;
    memcpy(&bits, &height, sizeof bits);
    return bits;
}

/* Lowers a cell to a step. Returns false if it is as low. */
static bool lower_to(struct carving *c, size_t cell, int32_t step)
{
    uint32_t old = atomic_load_explicit(&c->out[cell], memory_order_relaxed),
             low = bits_of(oro_step_height(step));
    do
        if (oro_step_of(height_of(old)) <= step)
            return false;
    while (!atomic_compare_exchange_weak_explicit(&c->out[cell], &old, low, memory_order_relaxed,
                                                  memory_order_relaxed));
    return true;
}

static void lower_way(struct carving *c, size_t cell)
{
    int32_t step = oro_step_of(height_of(atomic_load_explicit(&c->out[cell], memory_order_relaxed)));
    for (;;) {
        ptrdiff_t offset = c->offsets.to[c->direction[cell]];
        cell += (size_t)offset;
        if (!offset || !lower_to(c, cell, step - 1))
            return;
        step--;
        if (step < ORO_STEPS_LOWEST) {
            atomic_store(&c->too_deep, true);
            return;
        }
    }
}

/* Whether a height is lower than another by a step or more; false where that is close. */
static inline bool clearly_lower(float low, float high)
{
    return high - low > 2.0F / 1048576;
}

static void carve_strips(void *user, size_t first, size_t end)
{
    struct carving *c = user;
    const float *z = c->ground->z;
    for (size_t strip = first; strip < end; strip++) {
        size_t last = oro_strip_end(c->strips, strip);
        for (size_t i = oro_strip_first(c->strips, strip); i < last; i++)
            if (!clearly_lower(z[i + (size_t)c->offsets.to[c->direction[i]]], z[i]))
                lower_way(c, i);
    }
}

/* Finds out what is wrong with ground that is too deep. */
static bool complain(const struct oro_ground *ground, float *out, struct oro_error *err)
{
    struct oro_routing routing;
    if (!oro_route(ground, &routing, err))
        return false;
    bool carved = oro_breach(ground, &routing, &(struct oro_breaching){0}, out, err);
    oro_routing_free(&routing);
    return carved;
}

static bool make_room(struct oro_carving_scratch *scratch, const struct oro_ground *ground,
                      struct oro_error *err)
{
    size_t cells = (size_t)ground->width * (size_t)ground->height;
    if (!scratch->direction)
        scratch->direction = oro_alloc(cells, sizeof *scratch->direction);
    if (!scratch->label)
        scratch->label = oro_alloc(cells, sizeof *scratch->label);
    return (scratch->direction && scratch->label) || oro_no_memory(ground, err);
}

bool oro_carve(const struct oro_ground *ground, struct oro_carving_scratch *scratch, float *out,
               struct oro_error *err)
{
    if (!oro_ground_check(ground, err) || !make_room(scratch, ground, err))
        return false;
    struct carving c = {.ground = ground,
                        .strips = oro_strips_of(ground->width, ground->height),
                        .offsets = oro_offsets_of(ground->width),
                        .direction = scratch->direction,
                        .label = scratch->label,
                        .out = (_Atomic uint32_t *)(void *)out};
    size_t pits;
    if (!oro_strips_run(c.strips, ground, start_strips, &c, err) ||
        !oro_find_ways(ground, false, c.direction, c.label, &pits, err) ||
        !oro_strips_run(c.strips, ground, carve_strips, &c, err))
        return false;
    return !atomic_load(&c.too_deep) || complain(ground, out, err);
}

void oro_carving_scratch_free(struct oro_carving_scratch *scratch)
{
    oro_free(scratch->direction);
    oro_free(scratch->label);
    *scratch = (struct oro_carving_scratch){0};
}
