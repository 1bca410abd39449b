/* Carving along the drainage tree. */
#include <stdatomic.h>
#include <stdio.h>

#include "base/memory.h"
#include "terrain/drainage/drain_private.h"
#include "terrain/drainage/drainage_tree_private.h"
#include "terrain/drainage/grade.h"
#include "terrain/drainage/grade_private.h"
#include "terrain/drainage/steps.h"

struct carving {
    const float *z;
    float *out;
    /* K of drain.h. It cannot overflow: no terrain has as many cells as there are steps left below. */
    int32_t *lowest;
    atomic_bool too_deep;
};

static void own_steps(void *user, size_t first, size_t end)
{
    const struct carving *c = user;
    for (size_t i = first; i < end; i++)
        c->lowest[i] = oro_step_of(c->z[i]);
}

static void lower_receivers(void *user, const struct oro_drainage_tree_part *part)
{
    int32_t *lowest = ((const struct carving *)user)->lowest;
    for (size_t i = part->count; i-- > 0;) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        int32_t below = lowest[cell] - 1;
        if (next != cell && below < lowest[next])
            lowest[next] = below;
    }
}

static void check_depth(void *user, size_t first, size_t end)
{
    struct carving *c = user;
    int32_t least = 0;
    for (size_t i = first; i < end; i++)
        least = c->lowest[i] < least ? c->lowest[i] : least;
    if (least < ORO_STEPS_LOWEST)
        atomic_store(&c->too_deep, true);
}

static void carve(void *user, size_t first, size_t end)
{
    const struct carving *c = user;
    for (size_t i = first; i < end; i++)
        c->out[i] = c->lowest[i] < oro_step_of(c->z[i]) ? oro_step_height(c->lowest[i]) : c->z[i];
}

/* Distances to the outlets, in the room of `lowest`. */
static void measure_ways(void *user, const struct oro_drainage_tree_part *part)
{
    int32_t *distance = ((const struct carving *)user)->lowest;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        distance[cell] = next == cell ? 0 : distance[next] + 1;
    }
}

/* Finds the cell that has to be raised to the highest level. */
static bool fail_too_deep(struct carving *c, const struct oro_ground *ground,
                          const struct oro_routing *routing, struct oro_error *err)
{
    struct oro_drainage_tree_work work = {.part = measure_ways, .user = c};
    size_t cells = (size_t)ground->width * (size_t)ground->height, deepest = 0, count = 0;
    int32_t most = INT32_MIN;
    oro_drainage_tree_up(routing, NULL, &work, NULL);
    for (size_t i = 0; i < cells; i++) {
        int32_t missing = ORO_STEPS_LOWEST + c->lowest[i] - oro_step_of(c->z[i]);
        count += missing > 0;
        deepest = missing > most ? i : deepest;
        most = missing > most ? missing : most;
    }
    return oro_too_deep(ground, deepest, (int64_t)ORO_STEPS_LOWEST + c->lowest[deepest], count - 1, err);
}

bool oro_too_deep_at(size_t x, size_t y, float z, int64_t step, size_t others, struct oro_error *err)
{
    char more[64] = "";
    if (others)
        snprintf(more, sizeof more, "; %zu more %s too deep as well", others,
                 others == 1 ? "cell is" : "cells are");
    return oro_fail(err, ORO_E_EVALUATE,
                    "cell %zu, %zu is too deep to be drained: at %.9g m there are no lower numbers left for "
                    "its way out; it takes at least %.9g m%s",
                    x, y, (double)z, (double)oro_step_height((int32_t)step), more);
}

bool oro_too_deep(const struct oro_ground *ground, size_t cell, int64_t step, size_t others,
                  struct oro_error *err)
{
    size_t width = (size_t)ground->width;
    return oro_too_deep_at(cell % width, cell / width, ground->z[cell], step, others, err);
}

static bool lower_by_gradient(struct carving *c, const struct oro_ground *ground,
                              const struct oro_routing *routing, const struct oro_breaching *how,
                              struct oro_error *err)
{
    struct oro_grading grading;
    struct oro_drainage_tree_work measure = {.part = oro_grading_measure, .user = &grading};
    struct oro_drainage_tree_work descend = {
        .cells = oro_grading_clear, .part = oro_grading_descend, .user = &grading};
    struct oro_drainage_tree_work lower = {.part = lower_receivers, .user = c};
    bool ok = oro_grading_begin(&grading, ground, how->fall, c->lowest, err) &&
              oro_drainage_tree_up(routing, ground, &measure, err) &&
              oro_drainage_tree_down(routing, ground, &descend, err) &&
              oro_drainage_tree_cells(routing, ground, oro_grading_lower, &grading, err) &&
              oro_drainage_tree_down(routing, ground, &lower, err);
    if (ok && how->gentle)
        *how->gentle = atomic_load(&grading.gentle);
    oro_grading_end(&grading);
    return ok;
}

static bool breach(struct carving *c, const struct oro_ground *ground, const struct oro_routing *routing,
                   const struct oro_breaching *how, struct oro_error *err)
{
    struct oro_drainage_tree_work work = {.cells = own_steps, .part = lower_receivers, .user = c};
    if (!oro_drainage_tree_down(routing, ground, &work, err) ||
        !oro_drainage_tree_cells(routing, ground, check_depth, c, err))
        return false;
    if (atomic_load(&c->too_deep))
        return fail_too_deep(c, ground, routing, err);
    return (how->fall < ORO_GRADE_LEAST || lower_by_gradient(c, ground, routing, how, err)) &&
           oro_drainage_tree_cells(routing, NULL, carve, c, err);
}

bool oro_breach(const struct oro_ground *ground, const struct oro_routing *routing,
                const struct oro_breaching *how, float *out, struct oro_error *err)
{
    if (how->gentle)
        *how->gentle = 0;
    if (how->method == ORO_BREACH_FLOOD)
        return oro_breach_flood(ground, how, out, err);
    struct carving carving = {.z = ground->z, .out = out};
    carving.lowest = oro_alloc((size_t)ground->width * (size_t)ground->height, sizeof *carving.lowest);
    bool ok = carving.lowest ? breach(&carving, ground, routing, how, err) : oro_no_memory(ground, err);
    oro_free(carving.lowest);
    return ok;
}
