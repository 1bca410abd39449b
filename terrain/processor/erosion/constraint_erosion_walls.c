#include <stdatomic.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct walls {
    const float *height, *before;
    float *after;
    float least, steepness, fade, sea_level; /* metres; metres a cell; cells; metres */
    int width, rows;
    atomic_uint *changed;
};

/* The height to which `there`, which is lowered, lets the ground `away` cells from it stand. */
static float offer(const struct walls *k, size_t i, size_t there, float away)
{
    float foot = oro_max(k->before[there], k->sea_level), was = oro_max(k->height[there], k->sea_level);
    float depth = (was - foot) * oro_exp(-away / k->fade);
    float h = oro_max(foot + oro_max(k->steepness * away, k->height[i] - was), k->height[i] - depth);
    return depth > k->least && h > foot ? h : k->before[i];
}

static float lowered(const struct walls *k, int x, int y)
{
    size_t i = (size_t)y * (size_t)k->width + (size_t)x;
    float lowest = k->before[i];
    for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < k->rows; v++)
        for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < k->width; u++) {
            size_t there = (size_t)v * (size_t)k->width + (size_t)u;
            float away = u != x && v != y ? 1.41421356F : 1;
            if (there != i && k->before[there] < k->height[there])
                lowest = oro_min(lowest, offer(k, i, there, away));
        }
    return lowest;
}

static void widen(const void *user, const struct oro_tile *tile)
{
    const struct walls *k = user;
    bool changed = false;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            size_t i = (size_t)y * (size_t)k->width + (size_t)x;
            float h = k->before[i], lowest = lowered(k, x, y);
            bool lower = h - lowest > k->least;
            k->after[i] = lower ? lowest : h;
            changed = changed || lower;
        }
    if (changed)
        atomic_store(k->changed, 1);
}

ORO_PROCESSOR(erosion, constraint_erosion_walls)
{
    const float least = 0.1F, reference_cells = 4, cells = 8; /* as in the kernel */
    float cell = run->grid.cell, even = reference_cells * oro_run_float(run, "reference_cell") / cell;
    atomic_uint changed = 0;
    struct walls k = {.height = oro_run_buffer(run, "height"),
                      .before = oro_run_buffer(run, "before"),
                      .after = oro_run_buffer(run, "after"),
                      .least = least * cell,
                      .steepness = oro_tangent(oro_radians(oro_run_float(run, "gorge_walls"))) * cell,
                      .fade = oro_run_int(run, "iterations") > 0 ? oro_min(even, cells) : even,
                      .sea_level = oro_run_float(run, "sea_level"),
                      .width = run->grid.width,
                      .rows = run->grid.height,
                      .changed = &changed};
    uint32_t *flags = oro_run_buffer(run, "flags");
    if (!oro_run_ready(run))
        return;
    oro_run_tiles(run, widen, &k);
    if (atomic_load(&changed))
        flags[0] = 1;
}
