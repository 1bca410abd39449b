/*
 * A compiled uplift tree over the cells of a row: gles_shaders/lib/uplift.glsl, which says what the program
 * and its instructions are. `at` are an instruction's operands; values are negative where they are undefined.
 */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_UPLIFT_H
#define ORO_TERRAIN_PROCESSOR_LIB_UPLIFT_H

#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct oro_uplift_arrays {
    const uint32_t *code, *bins;
    const float *primitives, *rasters; /* primitives: vectors of four */
};

struct oro_uplift_points {
    float x[ORO_TILE_WIDTH], y[ORO_TILE_WIDTH];
};

ORO_INLINE float oro_uplift_float(const uint32_t *at)
{
    return oro_of_bits((int32_t)*at);
}

/* ---- Groups of segments ---- */

struct oro_uplift_nearness {
    float along, share; /* 0..1 along the segment; of the radius */
};
ORO_INLINE struct oro_uplift_nearness oro_uplift_near(const float *record, float px, float py)
{
    float dx = record[2] - record[0], dy = record[3] - record[1], l = dx * dx + dy * dy;
    float projected = oro_clamp(((px - record[0]) * dx + (py - record[1]) * dy) / oro_max(l, 1e-37F), 0, 1);
    float t = l > 0 ? projected : 0, x = px - (record[0] + t * dx), y = py - (record[1] + t * dy);
    return (struct oro_uplift_nearness){t, sqrtf(x * x + y * y) / oro_mix(record[4], record[5], t)};
}

/* Eq. 6. */
ORO_INLINE float oro_uplift_range(const float *record, float x, float y)
{
    struct oro_uplift_nearness n = oro_uplift_near(record, x, y);
    float fall = 1 - n.share * n.share, value = oro_mix(record[6], record[7], n.along) * fall * fall * fall;
    return n.share < 1 ? value : -1;
}

ORO_INLINE float oro_uplift_valley(const float *record, const float *profile, float x, float y)
{
    enum { LAST = 32 };
    struct oro_uplift_nearness n = oro_uplift_near(record, x, y);
    float share = oro_min(n.share, 1) * LAST;
    int32_t i = (int32_t)share < LAST - 1 ? (int32_t)share : LAST - 1;
    float height = oro_mix(profile[i], profile[i + 1], share - (float)i);
    float value = oro_mix(record[6], record[7], n.along) * height;
    return n.share < 1 ? value : -1;
}

/* The lower of those that are defined. */
ORO_INLINE float oro_uplift_lowest(float a, float b)
{
    float both = oro_min(a, b), defined = b < 0 ? a : both;
    return a < 0 ? b : defined;
}

/* A point of a curve: its share of the crest, to the power of 17 / 6. */
ORO_INLINE float oro_uplift_curve(const float *record, float px, float py)
{
    float x = (px - record[0]) / record[2], y = (py - record[1]) / record[2];
    float fall = oro_max(1 - (x * x + y * y), 0), second = fall * fall, fourth = second * second;
    return record[3] * fourth * fourth;
}

/* A group: first record, first bin, columns, rows, corner, bins per metre; of valleys, the profile. */
struct oro_uplift_group {
    const float *records, *profile; /* profile: NULL for ranges */
    const uint32_t *starts, *indices;
    float columns, rows, corner_x, corner_y, per_metre;
};
ORO_INLINE struct oro_uplift_group oro_uplift_group_of(const struct oro_uplift_arrays *tree,
                                                       const uint32_t *at, bool valleys)
{
    const uint32_t *starts = tree->bins + at[1];
    return (struct oro_uplift_group){.records = tree->primitives + 4 * (size_t)at[0],
                                     .profile = valleys ? tree->primitives + 4 * (size_t)at[7] : NULL,
                                     .starts = starts,
                                     .indices = starts + (size_t)at[2] * at[3] + 1,
                                     .columns = (float)at[2],
                                     .rows = (float)at[3],
                                     .corner_x = oro_uplift_float(at + 4),
                                     .corner_y = oro_uplift_float(at + 5),
                                     .per_metre = oro_uplift_float(at + 6)};
}

/* The bins of the points; -1: none. */
ORO_INLINE void oro_uplift_bins(const struct oro_uplift_group *group, const struct oro_uplift_points *p,
                                int width, int32_t *bins)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float column = (p->x[x] - group->corner_x) * group->per_metre;
        float row = (p->y[x] - group->corner_y) * group->per_metre;
        int inside = (column >= 0) & (row >= 0) & (column < group->columns) & (row < group->rows);
        int32_t i = (int32_t)(inside ? column : 0), j = (int32_t)(inside ? row : 0);
        int32_t bin = j * (int32_t)group->columns + i;
        bins[x] = inside ? bin : -1;
    }
}

/* What the primitives of a bin make of the points `first` to `end`. */
ORO_INLINE void oro_uplift_fill(const struct oro_uplift_group *group, uint32_t bin,
                                const struct oro_uplift_points *p, int first, int end, bool valleys,
                                float *value)
{
    for (uint32_t k = group->starts[bin]; k < group->starts[bin + 1]; k++) {
        const float *record = group->records + 8 * (size_t)group->indices[k], *profile = group->profile;
#pragma omp simd
        for (int x = first; x < end; x++) {
            if (valleys)
                value[x] = oro_uplift_lowest(value[x], oro_uplift_valley(record, profile, p->x[x], p->y[x]));
            else
                value[x] = oro_max(value[x], oro_uplift_range(record, p->x[x], p->y[x]));
        }
    }
}

ORO_INLINE void oro_uplift_group_row(const struct oro_uplift_arrays *tree, const uint32_t *at,
                                     const struct oro_uplift_points *p, int width, bool valleys, float *value)
{
    int32_t bins[ORO_TILE_WIDTH];
    struct oro_uplift_group group = oro_uplift_group_of(tree, at, valleys);
    oro_uplift_bins(&group, p, width, bins);
    for (int x = 0; x < width; x++)
        value[x] = -1;
    for (int first = 0, end; first < width; first = end) {
        for (end = first + 1; end < width && bins[end] == bins[first];)
            end++;
        if (bins[first] >= 0)
            oro_uplift_fill(&group, (uint32_t)bins[first], p, first, end, valleys, value);
    }
}

/* Curves: the sum of what their points give, and its root. */
ORO_INLINE void oro_uplift_curves_row(const struct oro_uplift_arrays *tree, const uint32_t *at,
                                      const struct oro_uplift_points *p, int width, float *value)
{
    int32_t bins[ORO_TILE_WIDTH];
    struct oro_uplift_group group = oro_uplift_group_of(tree, at, false);
    const float uplift = oro_uplift_float(at + 7);
    oro_uplift_bins(&group, p, width, bins);
    for (int x = 0; x < width; x++)
        value[x] = 0;
    for (int first = 0, end; first < width; first = end) {
        for (end = first + 1; end < width && bins[end] == bins[first];)
            end++;
        if (bins[first] < 0)
            continue;
        for (uint32_t k = group.starts[bins[first]]; k < group.starts[bins[first] + 1]; k++) {
            const float *record = group.records + 4 * (size_t)group.indices[k];
#pragma omp simd
            for (int x = first; x < end; x++)
                value[x] += oro_uplift_curve(record, p->x[x], p->y[x]);
        }
    }
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float crest = uplift * oro_power(value[x], 6.0F / 17);
        value[x] = value[x] > 0 ? crest : -1;
    }
}

/* ---- Other leaves ---- */

/* Bilinear between the centres of cells; u and v in cells from the corner. */
ORO_INLINE float oro_uplift_cell(const float *values, int32_t columns, int32_t rows, float u, float v)
{
    float x = oro_clamp(u - 0.5F, 0, (float)(columns - 1)), y = oro_clamp(v - 0.5F, 0, (float)(rows - 1));
    int32_t i = (int32_t)x, j = (int32_t)y, next = i + 1 < columns ? 1 : 0;
    const float *upper = values + (size_t)j * (size_t)columns + i;
    const float *lower = j + 1 < rows ? upper + columns : upper;
    float s = x - (float)i, t = y - (float)j;
    return oro_mix(oro_mix(upper[0], upper[next], s), oro_mix(lower[0], lower[next], s), t);
}

ORO_INLINE void oro_uplift_raster_row(const struct oro_uplift_arrays *tree, const uint32_t *at,
                                      const struct oro_uplift_points *p, int width, float *value)
{
    float cell = oro_uplift_float(at + 3);
    for (int x = 0; x < width; x++)
        value[x] = oro_uplift_cell(tree->rasters + at[0], (int32_t)at[1], (int32_t)at[2], p->x[x] / cell,
                                   p->y[x] / cell);
}

#endif
