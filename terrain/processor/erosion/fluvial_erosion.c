/* One iteration of fluvial erosion: the water moves one cell on, and carves (Schott 2024, eq. 2 and 5). */
#include <math.h>

#include "terrain/processor/lib/stream_power.h"
#include "terrain/processor/lib/water.h"

struct fluvial {
    struct oro_water water;
    struct oro_power_law law;
    struct oro_map erodibility, hardness, mask, depth;
    float unit; /* the paper's unit of length is a cell */
    float own, sheet, head, channel, beside;
    bool limited;
    float *height_out, *area_out;
};

/* What a row of the tile needs besides the ground. */
struct row {
    float erodibility[ORO_TILE_WIDTH], hardness[ORO_TILE_WIDTH], mask[ORO_TILE_WIDTH], depth[ORO_TILE_WIDTH];
    float rain[ORO_TILE_WIDTH];
};

/* The kernel explains the law. */
ORO_INLINE float carving(const struct fluvial *k, float drop, float area)
{
    float steepness = oro_max(drop / k->water.flow.grid.cell, 1e-4F), sheet = area * k->sheet;
    float head = oro_min(k->head / sqrtf(steepness), k->law.largest);
    float carved = oro_stream_power(&k->law, drop, oro_min(sheet, head));
    float stream = oro_stream_power(&k->law, drop, area - k->beside * head);
    return sheet > head ? carved + k->channel * (stream - carved) : carved;
}

ORO_INLINE void carve_row(const struct fluvial *k, const struct oro_tile *tile, int y, const float *height,
                          const float *area, float *out, bool channels)
{
    struct row scratch;
    const float *erodibility = oro_map_row(&k->erodibility, tile->x, y, tile->width, scratch.erodibility);
    const float *hardness = oro_map_row(&k->hardness, tile->x, y, tile->width, scratch.hardness);
    const float *mask = oro_map_row(&k->mask, tile->x, y, tile->width, scratch.mask);
    const float *most = oro_map_row(&k->depth, tile->x, y, tile->width, scratch.depth);
    const float *rain = oro_map_row(&k->water.rain, tile->x, y, tile->width, scratch.rain);
    const float *base = k->water.flow.base + (size_t)y * (size_t)k->water.flow.grid.width + tile->x;
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        struct oro_flow_ground g = oro_ground_at(height + x);
        float strength = k->unit * erodibility[x] * (1 - hardness[x]) * mask[x];
        float drop = oro_drop_downhill(height + x);
        float due = strength * (channels ? carving(k, drop, area[x] - k->own * rain[x])
                                         : oro_stream_power(&k->law, drop, area[x]));
        float carved = oro_yielded(due, drop);
        float allowed = oro_max(g.height - (base[x] - most[x]), 0);
        carved = k->limited & (most[x] > 0) ? oro_min(carved, allowed) : carved;
        /* A tenth of the drop stays, and a cell that rounding would bring down to its receiver stays: no pit
         * is made. */
        float lowered = g.height - oro_min(carved, 0.9F * (g.height - g.receiver));
        out[x] = lowered > g.receiver ? lowered : g.height;
    }
}

static ORO_CLONES void erode(const void *user, const struct oro_tile *tile)
{
    const struct fluvial *k = user;
    struct oro_flow_tile t;
    oro_flow_array share;
    oro_water_prepare(&k->water, tile, &t, share);
    for (int y = 0; y < tile->height; y++) {
        size_t at = (size_t)(tile->y + y) * (size_t)k->water.flow.grid.width + (size_t)tile->x;
        oro_water_row(&k->water, tile, y, &t, share, k->area_out + at);
        const float *height = &t.height[y + 2][8];
        if (k->channel > 0)
            carve_row(k, tile, tile->y + y, height, k->area_out + at, k->height_out + at, true);
        else
            carve_row(k, tile, tile->y + y, height, k->area_out + at, k->height_out + at, false);
    }
}

ORO_PROCESSOR(erosion, fluvial_erosion)
{
    struct fluvial k = {.water = oro_water_of(run),
                        .law = oro_power_law_of(run),
                        .erodibility = oro_run_map(run, "erodibility"),
                        .hardness = oro_run_map(run, "hardness"),
                        .mask = oro_run_map(run, "mask"),
                        .depth = oro_run_map(run, "depth"),
                        .unit = oro_run_number(run, "strength") * oro_run_float(run, "reference_cell"),
                        .own = oro_run_number(run, "own"),
                        .sheet = oro_run_number(run, "sheet"),
                        .head = oro_run_number(run, "head"),
                        .channel = oro_run_number(run, "channel"),
                        .beside = oro_run_number(run, "beside"),
                        .limited = oro_run_defined(run, "LIMITED") == 1,
                        .height_out = oro_run_buffer(run, "height_out"),
                        .area_out = oro_run_buffer(run, "area_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, erode, &k);
}
