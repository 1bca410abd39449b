/* Stream power for the node stream_power (Schott 2023, eq. 1): gles_shaders/lib/incision.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_INCISION_H
#define ORO_TERRAIN_PROCESSOR_LIB_INCISION_H

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct oro_incision {
    struct oro_map mask, uplift, erodibility, hillslope;
    struct oro_map correction; /* uplift that constraints add */
    float least;               /* the ground rises at least so fast */
    struct oro_map rain;
    float n, m, slope_limit; /* metres a metre */
    float pull;              /* of the neighbours, where a square metre a year creeps */
    float cell, head;        /* metres; square metres */
    float came;              /* how much of the mean area is that of what flows in */
};

struct oro_incision oro_incision_of(struct oro_run *run);

/* The maps over the cells of a row of a tile, row by row from its first with the same scratch. */
struct oro_incision_row {
    const float *mask, *uplift, *erodibility, *hillslope, *correction, *rain;
    float least;
};
struct oro_incision_scratch {
    float mask[ORO_TILE_WIDTH], uplift[ORO_TILE_WIDTH], erodibility[ORO_TILE_WIDTH];
    float hillslope[ORO_TILE_WIDTH], correction[ORO_TILE_WIDTH], rain[ORO_TILE_WIDTH];
};
struct oro_incision_row oro_incision_row(const struct oro_incision *law, const struct oro_tile *tile, int y,
                                         struct oro_incision_scratch *scratch);

/* How fast the ground rises at cell x of the row, with what constraints add. */
ORO_INLINE float oro_lift(const struct oro_incision_row *row, int x)
{
    return row->mask[x] * oro_max(row->uplift[x] + row->correction[x], row->least);
}

/* What drains into a cell from others. */
ORO_INLINE float oro_inflow(const struct oro_incision *law, const struct oro_incision_row *row, int x,
                            float area)
{
    return area * oro_max(1 - law->cell * law->cell * row->rain[x] / oro_max(area, 1e-30F), 0);
}

/* log2 of the area that carves, in km^2: the kernel says why. `inflow`, `head`: m^2. */
ORO_INLINE float oro_log_of_area(float area, float inflow, float head, float came)
{
    float gathered = oro_log2(oro_max((area + head) * 1e-6F, 1e-30F));
    return gathered + came * (oro_log2(oro_max((inflow + head) * 1e-6F, 1e-30F)) - gathered);
}

ORO_INLINE float oro_channel_area(const struct oro_incision *law, const struct oro_incision_row *row, int x,
                                  float area)
{
    return oro_log_of_area(area, oro_inflow(law, row, x, area), law->head * row->rain[x], law->came);
}

/* How much 1 m/m of slope carves, in metres a year; `area` in m^2. */
ORO_INLINE float oro_strength(const struct oro_incision *law, const struct oro_incision_row *row, int x,
                              float area)
{
    return row->mask[x] * row->erodibility[x] * oro_exp2(law->m * oro_channel_area(law, row, x, area));
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

/* How much faster soil creeps on a slope than on nearly level ground, `run` metres away. */
ORO_INLINE float oro_haste(const struct oro_incision *law, float drop, float run)
{
    float share = oro_min(oro_abs(drop) / (run * law->slope_limit), 0.9F);
    return 1 / (1 - share * share);
}

/* Of the soil that gathers in a hollow, the share that stays. */
ORO_INLINE float oro_soil_kept(const struct oro_incision *law, const struct oro_incision_row *row, int x,
                               float area)
{
    float balance = oro_log2(oro_max(row->hillslope[x], 1e-30F)) -
                    oro_log2(oro_max(row->erodibility[x], 1e-30F)) + 19.931569F * law->m;
    float hillslope = 0.15F * oro_exp2(oro_min(balance / (2 * law->m + 1), 60));
    return hillslope / (hillslope + oro_inflow(law, row, x, area) / law->cell);
}

/* dh/dt is pull * (mean - h). */
struct oro_creep {
    float pull, mean;
};

/* Of cell x, with rows of heights that begin one cell to the left of the row's first. */
ORO_INLINE struct oro_creep oro_creep_at(const struct oro_incision *law, const struct oro_incision_row *row,
                                         int x, float area, const float *above, const float *here,
                                         const float *below)
{
    float h = here[x + 1], across = law->cell * 1.41421356F, sum = 0, drops = 0;
    const float drop[8] = {above[x + 1] - h, below[x + 1] - h, here[x] - h,  here[x + 2] - h,
                           above[x] - h,     above[x + 2] - h, below[x] - h, below[x + 2] - h};
    for (int k = 0; k < 8; k++) {
        float haste = oro_haste(law, drop[k], k < 4 ? law->cell : across);
        sum += haste;
        drops += haste * drop[k];
    }
    float kept = oro_soil_kept(law, row, x, area);
    float pull = row->mask[x] * row->hillslope[x] * law->pull * 0.125F * sum;
    return (struct oro_creep){pull * (drops > 0 ? kept : 1), h + drops / sum};
}

#endif
