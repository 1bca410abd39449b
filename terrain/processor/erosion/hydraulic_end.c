/* What a state of hydraulic erosion looks like in metres and seconds. */
#include "terrain/processor/lib/pipes.h"

struct end {
    struct oro_run_grid grid;
    const int32_t *cells, *bed;
    const float *flux, *terrain;
    int pipes;
    float metre, speed, discharge;
    float *water, *sediment, *deposited, *eroded, *hardness, *velocity, *speed_out, *flux_out;
};

/* Flux out of a cell, or of one just outside, as flux_from of gles_shaders/lib/pipes.glsl has it. */
static float stored(const struct end *k, int x, int y, int pipe)
{
    bool inside = x >= 0 && x < k->grid.width && y >= 0 && y < k->grid.height;
    size_t at = inside ? (size_t)y * (size_t)k->grid.width + (size_t)x : 0;
    return inside ? k->flux[(size_t)k->pipes * at + (size_t)pipe] : 0;
}

static float stored_east(const struct end *k, int x, int y)
{
    int last = k->grid.width - 1;
    if (x != -1 && x != last)
        return stored(k, x, y, 0);
    return last > 0 ? stored(k, x < 0 ? x + 1 : x - 1, y, 0) : 0;
}

static float stored_south(const struct end *k, int x, int y)
{
    int last = k->grid.height - 1;
    if (y != -1 && y != last)
        return stored(k, x, y, 1);
    return last > 0 ? stored(k, x, y < 0 ? y + 1 : y - 1, 1) : 0;
}

static struct oro_through through_cell(const struct end *k, int x, int y)
{
    struct oro_fluxes out_of = {.east = stored_east(k, x, y), .south = stored_south(k, x, y)};
    struct oro_fluxes into = {.east = stored_east(k, x - 1, y), .south = stored_south(k, x, y - 1)};
    if (k->pipes == 4) {
        out_of.south_east = stored(k, x, y, 2);
        out_of.south_west = stored(k, x, y, 3);
        into.south_east = stored(k, x - 1, y - 1, 2);
        into.south_west = stored(k, x + 1, y - 1, 3);
    }
    return oro_through(out_of, into);
}

static void describe(const struct end *k, int x, int y)
{
    size_t i = (size_t)y * (size_t)k->grid.width + (size_t)x;
    const int32_t *cell = k->cells + ORO_CELL_WORDS * i;
    struct oro_through flow = through_cell(k, x, y);
    k->water[i] = (float)cell[ORO_WATER] / k->metre;
    k->sediment[i] = (float)cell[ORO_SEDIMENT] / k->metre;
    k->deposited[i] = (float)(cell[ORO_GROUND] - k->bed[i]) / k->metre;
    k->eroded[i] = (float)(oro_elevation_steps(k->terrain[i], k->metre) - k->bed[i]) / k->metre;
    k->hardness[i] = 1 - oro_of_bits(cell[ORO_SOFTNESS]);
    /* Water gets no farther than a cell in a step; where it has just run off, little is left to divide by. */
    float depth = oro_max(oro_max((float)cell[ORO_WATER], oro_length(flow.x, flow.y)), 1);
    float velocity[2] = {flow.x * (k->speed / depth), flow.y * (k->speed / depth)};
    memcpy(k->velocity + 2 * i, velocity, sizeof velocity);
    k->speed_out[i] = oro_length(velocity[0], velocity[1]);
    k->flux_out[2 * i] = flow.x * k->discharge;
    k->flux_out[2 * i + 1] = flow.y * k->discharge;
}

static void describe_tile(const void *user, const struct oro_tile *tile)
{
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++)
            describe(user, x, y);
}

ORO_PROCESSOR(erosion, hydraulic_end)
{
    struct end k = {
        .grid = run->grid,
        .cells = oro_run_buffer(run, "cells"),
        .bed = oro_run_buffer(run, "bed"),
        .flux = oro_run_buffer(run, "pipes"),
        .terrain = oro_run_buffer(run, "terrain"),
        .pipes = oro_run_defined(run, "PIPES"),
        .metre = oro_run_number(run, "metre"),
        .speed = oro_run_number(run, "speed") * sqrtf(oro_run_float(run, "reference_cell")),
        .water = oro_run_buffer(run, "water_out"),
        .sediment = oro_run_buffer(run, "sediment_out"),
        .deposited = oro_run_buffer(run, "deposited_out"),
        .eroded = oro_run_buffer(run, "eroded_out"),
        .hardness = oro_run_buffer(run, "hardness_out"),
        .velocity = oro_run_buffer(run, "velocity_out"),
        .speed_out = oro_run_buffer(run, "speed_out"),
        .flux_out = oro_run_buffer(run, "flux_out"),
    };
    k.discharge = k.speed * run->grid.cell / k.metre;
    if (oro_run_ready(run))
        oro_run_tiles(run, describe_tile, &k);
}
