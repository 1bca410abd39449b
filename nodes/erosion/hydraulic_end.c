/* What a state of hydraulic erosion looks like in metres, and its balance. */
#include "base/memory.h"
#include "nodes/erosion/hydraulic.h"
#include "nodes/lib/range.h"

static const char *const no_maps[] = {NULL};

struct oro_buffer *oro_hydraulic_picture(struct oro_eval *e, struct oro_simulation *s)
{
    struct oro_hydraulic *r = s->user;
    if (!r->picture) {
        r->picture = oro_eval_field(e);
        r->look = (struct oro_dispatch){
            .kernel = "erosion/hydraulic_terrain.comp",
            .slots = {{"cells", NULL, ORO_READ, "ivec4"},
                      {"terrain", r->terrain},
                      {"terrain_out", r->picture, ORO_WRITE}},
            .reach = ORO_REACH_CELL,
            .defines = r->defines,
            .maps = no_maps,
        };
        oro_hydraulic_constants(r->params, &r->scale, &r->look);
    }
    oro_bind(&r->look, "cells", s->state[ORO_HYDRAULIC_CELLS].now);
    return oro_eval_dispatch(e, &r->look) ? r->picture : NULL;
}

enum { WATER, SEDIMENT, DEPOSITED, ERODED, HARDNESS, SPEED, VELOCITY, FLUX, RESULTS };

static const char *const names[RESULTS] = {"water",    "sediment", "deposited", "eroded",
                                           "hardness", "speed",    "velocity",  "flux"};

/* All outputs but the terrain, in buffers of their own. */
static bool describe(struct oro_hydraulic *r, struct oro_buffer *results[RESULTS])
{
    struct oro_simulation *s = &r->simulation;
    for (int i = 0; i < RESULTS; i++)
        results[i] = oro_eval_raster(r->eval, i < VELOCITY ? ORO_FIELD : ORO_VECTOR, oro_eval_grid(r->eval));
    struct oro_dispatch end = {
        .kernel = "erosion/hydraulic_end.comp",
        .slots = {{"cells", s->state[ORO_HYDRAULIC_CELLS].now, ORO_READ, "ivec4"},
                  {"pipes", s->state[ORO_HYDRAULIC_PIPES].now, ORO_READ, r->pipes_element},
                  {"bed", s->own[ORO_HYDRAULIC_BED], ORO_READ, "int"},
                  {"terrain", r->terrain},
                  {"water_out", results[WATER], ORO_WRITE},
                  {"sediment_out", results[SEDIMENT], ORO_WRITE},
                  {"deposited_out", results[DEPOSITED], ORO_WRITE},
                  {"eroded_out", results[ERODED], ORO_WRITE},
                  {"hardness_out", results[HARDNESS], ORO_WRITE},
                  {"speed_out", results[SPEED], ORO_WRITE},
                  {"velocity_out", results[VELOCITY], ORO_WRITE, "vec2"},
                  {"flux_out", results[FLUX], ORO_WRITE, "vec2"}},
        .reach = 1,
        .defines = r->defines,
        .maps = no_maps,
    };
    oro_hydraulic_constants(r->params, &r->scale, &end);
    return oro_eval_dispatch(r->eval, &end);
}

/* ---- Balance ---- */

/* Sums of the raster `gone`, of every block of 32 x 32 cells. */
static struct oro_buffer *sum_blocks(struct oro_hydraulic *r, size_t *entries)
{
    const struct oro_grid *grid = oro_eval_grid(r->eval);
    const int side = 32;
    struct oro_grid blocks = {(grid->width - 1) / side + 1, (grid->height - 1) / side + 1, side * grid->cell,
                              0, 0};
    struct oro_buffer *sums = oro_eval_raster(r->eval, ORO_IMAGE, &blocks);
    struct oro_dispatch sum = {.kernel = "erosion/hydraulic_gone.comp",
                               .slots = {{"gone", r->simulation.own[ORO_HYDRAULIC_GONE], ORO_READ, "ivec4"},
                                         {"sums", sums, ORO_WRITE, "ivec4"}},
                               .maps = no_maps};
    oro_dispatch_source(&sum, &blocks, grid, NULL, ORO_REACH_CELL);
    *entries = oro_grid_cells(&blocks);
    return oro_eval_dispatch(r->eval, &sum) ? sums : NULL;
}

/* What has left over the border, in steps of depth of a cell. */
static bool sum_gone(struct oro_hydraulic *r, double *water, double *sediment)
{
    size_t entries;
    struct oro_buffer *left = sum_blocks(r, &entries);
    uint32_t(*blocks)[4] = left ? oro_hydraulic_fetch(r->eval, left, entries * sizeof *blocks) : NULL;
    if (!blocks)
        return false;
    int64_t sums[2] = {0, 0};
    for (size_t i = 0; i < entries; i++)
        for (int k = 0; k < 2; k++)
            sums[k] += (int64_t)((uint64_t)blocks[i][2 * k + 1] << 32 | blocks[i][2 * k]);
    oro_free(blocks);
    *water = (double)sums[0];
    *sediment = (double)sums[1];
    return true;
}

/* Reports, as volumes, what became of the water and of the ground that it took. The water's depth includes
 * the sediment, which is counted separately. */
static bool report(struct oro_hydraulic *r, struct oro_buffer *const *results)
{
    size_t cells = oro_grid_cells(oro_eval_grid(r->eval));
    double sums[4], gone[2], cell = oro_eval_grid(r->eval)->cell, area = cell * cell,
                             step = r->scale.step * area;
    float deepest;
    if (!oro_largest(r->eval, results[WATER], &deepest))
        return false;
    if ((double)deepest >= oro_hydraulic_deepest(&r->scale))
        oro_note(
            oro_eval_log(r->eval), ORO_WARNING,
            "water stands %g m deep, the most that steps of %.3g m can count: no more rain falls there, and "
            "`water_evaporated` has what was refused. A larger 'reference_cell' makes larger steps",
            (double)deepest, r->scale.step);
    for (int i = WATER; i <= ERODED; i++)
        if (!oro_sum(r->eval, results[i], cells, &sums[i]))
            return false;
    if (!sum_gone(r, &gone[WATER], &gone[SEDIMENT]))
        return false;
    double within = r->params->exchange ? 1 : 0;
    double fallen = r->fallen * r->pace.iterations * step;
    double gained = (sums[WATER] - r->water - within * (sums[SEDIMENT] - r->sediment)) * area;
    double left = (gone[WATER] - within * gone[SEDIMENT]) * step;
    oro_eval_figure(r->eval, "water_fallen", fallen, "m3");
    oro_eval_figure(r->eval, "water_gained", gained, "m3");
    oro_eval_figure(r->eval, "water_left_over_border", left, "m3");
    oro_eval_figure(r->eval, "water_evaporated", fallen - gained - left, "m3");
    oro_eval_figure(r->eval, "ground_lost", (sums[ERODED] - sums[DEPOSITED]) * area, "m3");
    oro_eval_figure(r->eval, "sediment_gained", (sums[SEDIMENT] - r->sediment) * area, "m3");
    oro_eval_figure(r->eval, "sediment_left_over_border", gone[SEDIMENT] * step, "m3");
    oro_eval_figure(r->eval, "time_step", r->scale.time_step, "s");
    oro_eval_figure(r->eval, "time_simulated", r->scale.time_step * r->pace.iterations, "s");
    return true;
}

bool oro_hydraulic_end(struct oro_hydraulic *r)
{
    struct oro_buffer *results[RESULTS], *terrain;
    if (!describe(r, results) || !report(r, results) ||
        !(terrain = oro_hydraulic_picture(r->eval, &r->simulation)))
        return false;
    for (int i = 0; i < RESULTS; i++)
        if (!oro_eval_give(r->eval, names[i], results[i]))
            return false;
    return oro_eval_give(r->eval, "terrain", terrain);
}
