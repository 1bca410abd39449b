/*
 * Copies in compiled uplift trees: the frames of gles_shaders/lib/uplift.glsl, for the points of a row. A
 * frame looks up some points in the content with its first copies; those that lie in a copy begin another
 * frame, at the points where it comes from.
 */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_UPLIFT_COPIES_H
#define ORO_TERRAIN_PROCESSOR_LIB_UPLIFT_COPIES_H

#include <stdatomic.h>

#include "base/memory.h"
#include "terrain/processor/lib/uplift.h"

#define ORO_UPLIFT_MOST 1e18F
#define ORO_UPLIFT_FAR 1e8F

/* Words of a PASTE's header, and of a copy in it; the most copies. */
enum { ORO_COPIES_HEADER = 10, ORO_COPY_WORDS = 16, ORO_COPIES_MOST = 4096 };
enum { ORO_COPIES_BLENDED, ORO_COPIES_ADDED, ORO_COPIES_GREATER, ORO_COPIES_CUT };

struct oro_copies_frame {
    bool whole; /* not of a copy */
    int width;
    struct oro_uplift_points p;
    float value[ORO_TILE_WIDTH],
        weight[ORO_TILE_WIDTH];          /* below the copy that is looked up, and the copy's */
    int first[ORO_TILE_WIDTH];           /* copies below are hidden */
    int lanes, lane[ORO_TILE_WIDTH];     /* points that are looked up */
    uint32_t next, limit;                /* copies */
    uint64_t near[ORO_COPIES_MOST / 64]; /* those with a bin that a point lies in */
};

ORO_INLINE const uint32_t *oro_copy_words(const uint32_t *header, uint32_t copy)
{
    return header + ORO_COPIES_HEADER + copy * (size_t)ORO_COPY_WORDS;
}

/* ---- Values ---- */

/* Eq. 9; where only one is defined, the other counts as 0. */
ORO_INLINE float oro_uplift_blended(float a, float b, float weight)
{
    float mixed = oro_mix(oro_max(a, 0), oro_max(b, 0), weight), between = oro_max(a, b) < 0 ? -1 : mixed;
    float upper = weight >= 1 ? b : between;
    return weight <= 0 ? a : upper;
}

ORO_INLINE float oro_copies_put_one(uint32_t method, float below, float copied, float weight)
{
    float sum = oro_max(below, 0) + weight * copied, most = oro_max(below, weight * copied);
    float more = oro_min(method == ORO_COPIES_ADDED ? sum : most, ORO_UPLIFT_MOST);
    float over = copied < 0 ? below : more;
    return method == ORO_COPIES_BLENDED ? oro_uplift_blended(below, copied, weight) : over;
}

/* The values of a copy that was looked up go to the frame that asked for it. */
ORO_INLINE void oro_copies_put(const uint32_t *header, struct oro_copies_frame *f,
                               const struct oro_copies_frame *copy)
{
    uint32_t method = oro_copy_words(header, f->next - 1)[12];
    for (int i = 0; i < f->lanes; i++) {
        int x = f->lane[i];
        f->value[x] = oro_copies_put_one(method, f->value[x], copy->value[i], f->weight[x]);
    }
}

/* ---- Weights ---- */

ORO_INLINE float oro_region_risen(float share)
{
    float t = oro_min(share, 1);
    return t * t * (3 - 2 * t);
}

ORO_INLINE void oro_region_ellipse(const uint32_t *at, const float *x, const float *y, int count,
                                   float *weight)
{
    float cx = oro_uplift_float(at), cy = oro_uplift_float(at + 1), rx = oro_uplift_float(at + 2);
    float ry = oro_uplift_float(at + 3), feather = oro_uplift_float(at + 4);
#pragma omp simd
    for (int i = 0; i < count; i++) {
        float dx = (x[i] - cx) / rx, dy = (y[i] - cy) / ry, within = 1 - sqrtf(dx * dx + dy * dy);
        float rising = oro_region_risen(within / oro_max(feather, 1e-37F)),
              inner = within < feather ? rising : 1;
        weight[i] = within <= 0 ? 0 : inner;
    }
}

ORO_INLINE void oro_region_polygon(const struct oro_uplift_arrays *tree, const uint32_t *at, const float *x,
                                   const float *y, int count, float *weight)
{
    float nearest[ORO_TILE_WIDTH], feather = oro_uplift_float(at + 2);
    int32_t inside[ORO_TILE_WIDTH];
    for (int i = 0; i < count; i++) {
        nearest[i] = 1e30F;
        inside[i] = 0;
    }
    for (uint32_t k = 0; k < at[1]; k++) {
        const float *e = tree->primitives + 4 * ((size_t)at[0] + k);
        float ax = e[0], ay = e[1], by = e[3], dx = e[2] - ax, dy = by - ay,
              l = oro_max(dx * dx + dy * dy, 1e-30F);
#pragma omp simd
        for (int i = 0; i < count; i++) {
            float u = x[i] - ax, v = y[i] - ay, t = oro_clamp((u * dx + v * dy) / l, 0, 1);
            int32_t crosses = ((ay > y[i]) != (by > y[i])) & (x[i] < ax + v / dy * dx);
            inside[i] ^= crosses;
            u -= t * dx;
            v -= t * dy;
            nearest[i] = oro_min(nearest[i], u * u + v * v);
        }
    }
#pragma omp simd
    for (int i = 0; i < count; i++) {
        float distance = sqrtf(nearest[i]), rising = oro_region_risen(distance / oro_max(feather, 1e-37F));
        float inner = distance < feather ? rising : 1;
        weight[i] = inside[i] ? inner : 0;
    }
}

ORO_INLINE void oro_region_mask(const struct oro_uplift_arrays *tree, const uint32_t *at, const float *x,
                                const float *y, int count, float *weight)
{
    float cx = oro_uplift_float(at + 3), cy = oro_uplift_float(at + 4), cell = oro_uplift_float(at + 5);
    for (int i = 0; i < count; i++) {
        float u = (x[i] - cx) / cell, v = (y[i] - cy) / cell;
        bool outside = u < 0 || v < 0 || u > (float)at[1] || v > (float)at[2];
        weight[i] =
            outside ? 0 : oro_uplift_cell(tree->rasters + at[0], (int32_t)at[1], (int32_t)at[2], u, v);
    }
}

/* Operands of AFFINE. */
ORO_INLINE void oro_uplift_affine_row(const uint32_t *at, int width, const struct oro_uplift_points *p,
                                      struct oro_uplift_points *q)
{
    float number[8];
    for (int i = 0; i < 8; i++)
        number[i] = oro_uplift_float(at + i);
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float dx = p->x[x] - number[0], dy = p->y[x] - number[1];
        q->x[x] = number[6] + (number[2] * dx + number[3] * dy);
        q->y[x] = number[7] + (number[4] * dx + number[5] * dy);
    }
}

/* Weights of a copy at all points, and where they come from. False: all are 0. */
ORO_INLINE bool oro_copies_weigh(const struct oro_uplift_arrays *tree, const uint32_t *copy,
                                 const struct oro_copies_frame *f, struct oro_uplift_points *q, float *weight)
{
    float left = oro_uplift_float(copy + 8), top = oro_uplift_float(copy + 9);
    float right = oro_uplift_float(copy + 10), bottom = oro_uplift_float(copy + 11);
    int32_t inside[ORO_TILE_WIDTH];
    oro_uplift_affine_row(copy, f->width, &f->p, q);
#pragma omp simd
    for (int x = 0; x < f->width; x++) {
        q->x[x] = oro_clamp(q->x[x], -ORO_UPLIFT_FAR, ORO_UPLIFT_FAR);
        q->y[x] = oro_clamp(q->y[x], -ORO_UPLIFT_FAR, ORO_UPLIFT_FAR);
        inside[x] = (q->x[x] >= left) & (q->y[x] >= top) & (q->x[x] <= right) & (q->y[x] <= bottom);
        weight[x] = 0;
    }
    int first = 0, end = f->width;
    while (first < end && !inside[first])
        first++;
    while (end > first && !inside[end - 1])
        end--;
    if (first == end)
        return false;
    const uint32_t *region = tree->code + copy[15];
    if (copy[14] == 0)
        oro_region_ellipse(region, q->x + first, q->y + first, end - first, weight + first);
    else if (copy[14] == 1)
        oro_region_polygon(tree, region, q->x + first, q->y + first, end - first, weight + first);
    else
        oro_region_mask(tree, region, q->x + first, q->y + first, end - first, weight + first);
    for (int x = first; x < end; x++)
        weight[x] = inside[x] ? weight[x] : 0;
    return true;
}

/* ---- Frames ---- */

/* Marks the copies in the bins that points lie in. */
ORO_INLINE void oro_copies_find(const struct oro_uplift_arrays *tree, const uint32_t *header,
                                struct oro_copies_frame *f)
{
    struct oro_uplift_group grid = {.columns = (float)header[5],
                                    .rows = (float)header[6],
                                    .corner_x = oro_uplift_float(header + 7),
                                    .corner_y = oro_uplift_float(header + 8),
                                    .per_metre = oro_uplift_float(header + 9)};
    const uint32_t *starts = tree->bins + header[4], *indices = starts + (size_t)header[5] * header[6] + 1;
    int32_t bins[ORO_TILE_WIDTH];
    oro_uplift_bins(&grid, &f->p, f->width, bins);
    memset(f->near, 0, (header[3] + 63) / 64 * sizeof f->near[0]);
    for (int x = 0; x < f->width; x++) {
        if (bins[x] < 0 || (x > 0 && bins[x] == bins[x - 1]))
            continue;
        for (uint32_t k = starts[bins[x]]; k < starts[bins[x] + 1] && indices[k] < f->limit; k++)
            f->near[indices[k] / 64] |= (uint64_t)1 << (indices[k] % 64);
    }
}

ORO_INLINE bool oro_copies_is_near(const struct oro_copies_frame *f, uint32_t copy)
{
    return (f->near[copy / 64] >> (copy % 64)) & 1;
}

/* Finds, for each point, the topmost copy that hides all below it. */
ORO_INLINE void oro_copies_hide(const struct oro_uplift_arrays *tree, const uint32_t *header,
                                struct oro_copies_frame *f)
{
    struct oro_uplift_points q;
    float weight[ORO_TILE_WIDTH];
    for (int x = 0; x < f->width; x++)
        f->first[x] = -1;
    int open = f->width;
    for (uint32_t i = f->limit; i-- > 0 && open > 0;) {
        const uint32_t *copy = oro_copy_words(header, i);
        bool hides = copy[12] == ORO_COPIES_BLENDED || copy[12] == ORO_COPIES_CUT;
        if (!oro_copies_is_near(f, i) || !hides || !oro_copies_weigh(tree, copy, f, &q, weight))
            continue;
        for (int x = 0; x < f->width; x++)
            if (weight[x] >= 1 && f->first[x] < 0) {
                f->first[x] = (int)i;
                open--;
            }
    }
}

/* Begins to look up the frame's points among its first `limit` copies; `lane` are those that need the
 * content. */
ORO_INLINE void oro_copies_begin(const struct oro_uplift_arrays *tree, const uint32_t *header,
                                 struct oro_copies_frame *f, uint32_t limit)
{
    f->next = 0;
    f->limit = limit;
    f->lanes = 0;
    oro_copies_find(tree, header, f);
    oro_copies_hide(tree, header, f);
    for (int x = 0; x < f->width; x++) {
        f->value[x] = -1;
        if (f->first[x] < 0)
            f->lane[f->lanes++] = x;
    }
}

/* Goes on to the next copy that has weight at a point, and gives `source` these points, where they come from.
 * False: there is none. */
ORO_INLINE bool oro_copies_next(const struct oro_uplift_arrays *tree, const uint32_t *header,
                                struct oro_copies_frame *f, struct oro_copies_frame *source, uint32_t *limit)
{
    struct oro_uplift_points q;
    while (f->next < f->limit) {
        uint32_t i = f->next++;
        const uint32_t *copy = oro_copy_words(header, i);
        if (!oro_copies_is_near(f, i) || !oro_copies_weigh(tree, copy, f, &q, f->weight))
            continue;
        f->lanes = 0;
        for (int x = 0; x < f->width; x++)
            if (f->weight[x] > 0 && f->first[x] <= (int)i)
                f->lane[f->lanes++] = x;
        for (int k = 0; k < f->lanes && copy[12] == ORO_COPIES_CUT; k++) {
            int x = f->lane[k];
            f->value[x] = oro_uplift_blended(f->value[x], -1, f->weight[x]);
        }
        if (copy[12] == ORO_COPIES_CUT || f->lanes == 0)
            continue;
        for (int k = 0; k < f->lanes; k++) {
            source->p.x[k] = q.x[f->lane[k]];
            source->p.y[k] = q.y[f->lane[k]];
        }
        source->width = f->lanes;
        source->whole = false;
        *limit = copy[13];
        return true;
    }
    return false;
}

#endif
