/* Carving along the back links of a priority flood: Barnes, Lehman, Mulla 2014. */
#include <stdatomic.h>

#include "base/heap.h"
#include "terrain/drainage/drain_private.h"
#include "terrain/drainage/grade.h"
#include "terrain/drainage/grade_private.h"
#include "terrain/drainage/routing_private.h"
#include "terrain/drainage/steps.h"

/* What is known of a cell besides the direction of its back link. */
enum { DIRECTION = 15, PIT = 16, MET = 32, CARVED = 64 };

struct flood {
    const struct oro_ground *ground;
    struct oro_strips strips;
    struct oro_offsets offsets;
    uint8_t *back;           /* the direction, PIT, MET, CARVED */
    uint32_t *met;           /* cells, in the order in which they were met */
    uint32_t count;          /* of them */
    struct oro_heap waiting; /* cells: level in the upper half, place in `met` in the lower */
    int32_t *step;           /* K of drain.h */
    float *out;
};

static size_t back_from(const struct flood *f, size_t cell)
{
    return cell + (size_t)f->offsets.to[f->back[cell] & DIRECTION];
}

static bool meet(struct flood *f, size_t cell, uint8_t direction)
{
    if (!oro_heap_put(&f->waiting, (uint64_t)oro_level_of(f->ground->z[cell]) << 32 | f->count))
        return false;
    f->back[cell] = (uint8_t)((f->back[cell] & PIT) | MET | direction);
    f->met[f->count++] = (uint32_t)cell;
    return true;
}

/* ---- The flood ---- */

static void find_pits(void *user, size_t first, size_t end)
{
    const struct flood *f = user;
    for (size_t strip = first; strip < end; strip++) {
        size_t last = oro_strip_end(f->strips, strip);
        oro_steepest_strip(f->ground, f->strips, strip, f->back);
        for (size_t i = oro_strip_first(f->strips, strip); i < last; i++)
            f->back[i] = f->back[i] == ORO_TO_PIT ? PIT : f->back[i] == ORO_TO_OUTLET ? ORO_TO_OUTLET : 0;
    }
}

static bool meet_neighbours(struct flood *f, size_t cell)
{
    size_t x = cell % f->strips.width;
    for (uint8_t k = 0; k < 8; k++) {
        if (!oro_has_neighbour(f->strips, cell, x, k))
            continue;
        size_t there = cell + (size_t)f->offsets.to[k];
        if (!(f->back[there] & MET) && !meet(f, there, (uint8_t)(7 - k)))
            return false;
    }
    return true;
}

static bool flood(struct flood *f, struct oro_error *err)
{
    if (!oro_strips_run(f->strips, f->ground, find_pits, f, err))
        return false;
    for (size_t i = 0; i < f->strips.cells; i++)
        if (f->back[i] == ORO_TO_OUTLET && !meet(f, i, ORO_TO_OUTLET))
            return oro_no_memory(f->ground, err);
    for (size_t turn = 0; f->waiting.count; turn++) {
        if (oro_ground_stops(f->ground, turn * 8, err))
            return false;
        if (!meet_neighbours(f, f->met[(uint32_t)oro_heap_take(&f->waiting)]))
            return oro_no_memory(f->ground, err);
    }
    return true;
}

/* ---- Carving ---- */

static void own_steps(void *user, size_t first, size_t end)
{
    const struct flood *f = user;
    size_t last = oro_strip_end(f->strips, end - 1);
    for (size_t i = oro_strip_first(f->strips, first); i < last; i++)
        f->step[i] = oro_step_of(f->ground->z[i]);
}

/* Returns the lowest step that was needed. */
static int32_t carve_ways(const struct flood *f)
{
    int32_t lowest = 0;
    for (size_t i = f->count; i-- > 0;) {
        size_t cell = f->met[i], next = back_from(f, cell);
        int32_t below = f->step[cell] - 1;
        if (next == cell || !(f->back[cell] & (PIT | CARVED)) || f->step[next] <= below)
            continue;
        f->step[next] = below;
        f->back[next] |= CARVED;
        lowest = below < lowest ? below : lowest;
    }
    return lowest;
}

static void write_heights(void *user, size_t first, size_t end)
{
    const struct flood *f = user;
    size_t last = oro_strip_end(f->strips, end - 1);
    for (size_t i = oro_strip_first(f->strips, first); i < last; i++)
        f->out[i] = f->back[i] & CARVED ? oro_step_height(f->step[i]) : f->ground->z[i];
}

/* The lowest step from which a way could be carved, N(p) = 1 + min(step(n), N(n)) for the next cell n, since
 * the way may end in lower ground; in the room of the steps. */
static bool fail_too_deep(const struct flood *f, struct oro_error *err)
{
    const float *z = f->ground->z;
    size_t deepest = 0, count = 0;
    int32_t most = INT32_MIN;
    for (size_t i = 0; i < f->count; i++) {
        size_t cell = f->met[i], next = back_from(f, cell);
        int32_t ground = oro_step_of(z[next]), way = f->step[next];
        f->step[cell] = next == cell ? ORO_STEPS_LOWEST : 1 + (ground < way ? ground : way);
    }
    for (size_t i = 0; i < f->strips.cells; i++) {
        int32_t missing = f->back[i] & PIT ? f->step[i] - oro_step_of(z[i]) : 0;
        count += missing > 0;
        deepest = missing > most ? i : deepest;
        most = missing > most ? missing : most;
    }
    return oro_too_deep(f->ground, deepest, f->step[deepest], count - 1, err);
}

/* The tree of the back links has an order of its own, so one thread goes along all of it. */
static bool grade(struct flood *f, const struct oro_breaching *how, uint32_t *back, struct oro_error *err)
{
    struct oro_grading grading;
    struct oro_drainage_tree_part all = {.receiver = back, .order = f->met, .count = f->count};
    bool ok = oro_grading_begin(&grading, f->ground, how->fall, f->step, err);
    for (size_t i = 0; ok && i < f->strips.cells; i++)
        back[i] = (uint32_t)back_from(f, i);
    if (ok) {
        oro_grading_measure(&grading, &all);
        oro_grading_clear(&grading, 0, f->strips.cells);
        oro_grading_descend(&grading, &all);
        oro_grading_lower(&grading, 0, f->strips.cells);
    }
    if (ok && how->gentle)
        *how->gentle = atomic_load(&grading.gentle);
    oro_grading_end(&grading);
    return ok;
}

static bool lower_by_gradient(struct flood *f, const struct oro_breaching *how, struct oro_error *err)
{
    uint32_t *back = oro_alloc(f->strips.cells, sizeof *back);
    bool ok = back ? grade(f, how, back, err) : oro_no_memory(f->ground, err);
    oro_free(back);
    for (size_t i = 0; ok && i < f->strips.cells; i++)
        if (f->step[i] < oro_step_of(f->ground->z[i]))
            f->back[i] |= CARVED;
    if (ok)
        carve_ways(f);
    return ok && !oro_ground_stops(f->ground, 0, err);
}

static bool breach(struct flood *f, const struct oro_breaching *how, struct oro_error *err)
{
    if (!flood(f, err) || !oro_strips_run(f->strips, f->ground, own_steps, f, err))
        return false;
    if (carve_ways(f) < ORO_STEPS_LOWEST)
        return fail_too_deep(f, err);
    return (how->fall < ORO_GRADE_LEAST || lower_by_gradient(f, how, err)) &&
           oro_strips_run(f->strips, NULL, write_heights, f, err);
}

bool oro_breach_flood(const struct oro_ground *ground, const struct oro_breaching *how, float *out,
                      struct oro_error *err)
{
    struct flood f = {.ground = ground,
                      .strips = oro_strips_of(ground->width, ground->height),
                      .offsets = oro_offsets_of(ground->width),
                      .out = out};
    f.back = oro_alloc(f.strips.cells, sizeof *f.back);
    f.met = oro_alloc(f.strips.cells, sizeof *f.met);
    f.step = oro_alloc(f.strips.cells, sizeof *f.step);
    bool ok = f.back && f.met && f.step ? breach(&f, how, err) : oro_no_memory(ground, err);
    oro_free(f.back);
    oro_free(f.met);
    oro_free(f.step);
    oro_free(f.waiting.keys);
    return ok;
}
