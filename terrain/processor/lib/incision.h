/* Stream power for the node stream_power (Schott 2023, eq. 1): gles_shaders/lib/incision.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_INCISION_H
#define ORO_TERRAIN_PROCESSOR_LIB_INCISION_H

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct oro_incision {
    struct oro_map mask, uplift, erodibility, hillslope;
    struct oro_map correction; /* uplift that constraints add */
    float least;               /* the ground rises at least so fast */
    float n, m, slope_limit;   /* metres a metre */
    float pull;                /* of the neighbours, where a square metre a year creeps */
};

struct oro_incision oro_incision_of(struct oro_run *run);

/* The maps over the cells of a row of a tile, row by row from its first with the same scratch. */
struct oro_incision_row {
    const float *mask, *uplift, *erodibility, *hillslope, *correction;
    float least;
};
struct oro_incision_scratch {
    float mask[ORO_TILE_WIDTH], uplift[ORO_TILE_WIDTH], erodibility[ORO_TILE_WIDTH];
    float hillslope[ORO_TILE_WIDTH], correction[ORO_TILE_WIDTH];
};
struct oro_incision_row oro_incision_row(const struct oro_incision *law, const struct oro_tile *tile, int y,
                                         struct oro_incision_scratch *scratch);

/* How fast the ground rises at cell x of the row, with what constraints add. */
ORO_INLINE float oro_lift(const struct oro_incision_row *row, int x)
{
    return row->mask[x] * oro_max(row->uplift[x] + row->correction[x], row->least);
}

/* How much 1 m/m of slope carves, in metres a year; `area` in m^2. */
ORO_INLINE float oro_strength(const struct oro_incision *law, const struct oro_incision_row *row, int x,
                              float area)
{
    return row->mask[x] * row->erodibility[x] * oro_exp2(law->m * oro_log2(oro_max(area * 1e-6F, 1e-30F)));
}

/* Metres a year. */
ORO_INLINE float oro_incise(const struct oro_incision *law, float strength, float slope)
{
    float carved = strength * oro_power(slope, law->n);
    return slope > 0 ? carved : 0;
}

/* The slope at which what is carved equals `rise`. */
ORO_INLINE float oro_balanced_slope(const struct oro_incision *law, float strength, float rise)
{
    float least = 1e-37F;
    float slope = oro_exp2((oro_log2(oro_max(rise, least)) - oro_log2(oro_max(strength, least))) / law->n);
    return rise > 0 ? slope : 0;
}

#endif
