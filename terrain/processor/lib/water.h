/* One step of drainage over a tile (Schott 2024, eq. 2): gles_shaders/lib/water.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_WATER_H
#define ORO_TERRAIN_PROCESSOR_LIB_WATER_H

#include "terrain/processor/lib/flow.h"

struct oro_water {
    struct oro_flow flow;
    struct oro_map rain;
    const float *area;
};

ORO_INLINE struct oro_water oro_water_of(struct oro_run *run)
{
    return (struct oro_water){oro_flow_of(run), oro_run_map(run, "rain"), oro_run_buffer(run, "area")};
}

/* The new areas of one row, in m^2; `share` is what is carried per unit of way. */
ORO_INLINE void oro_water_row(const struct oro_water *water, const struct oro_tile *tile, int y,
                              const struct oro_flow_tile *t, oro_flow_array share, float *collected)
{
    float scratch[ORO_TILE_WIDTH];
    const float *rain = oro_map_row(&water->rain, tile->x, tile->y + y, tile->width, scratch);
    float cell_area = water->flow.grid.cell * water->flow.grid.cell;
    oro_flow_collect_row(tile->width, y + 2, t, share, collected);
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        collected[x] += cell_area * rain[x];
}

/* Ways and shares of the water. */
ORO_INLINE void oro_water_prepare(const struct oro_water *water, const struct oro_tile *tile,
                                  struct oro_flow_tile *t, oro_flow_array share)
{
    oro_flow_prepare(&water->flow, tile, t);
    oro_flow_carried(&water->flow, tile, water->area, share);
    oro_flow_shares(tile, t, share);
}

#endif
