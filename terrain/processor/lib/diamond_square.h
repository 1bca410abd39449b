/* Midpoint displacement: gles_shaders/lib/diamond_square.glsl, a row of vertices at a time. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_DIAMOND_SQUARE_H
#define ORO_TERRAIN_PROCESSOR_LIB_DIAMOND_SQUARE_H

#include <math.h>

#include "terrain/processor/lib/hash.h"
#include "terrain/processor/run.h"

/* A row of vertices has room for those of a tile's cells, which may be half a cell apart. */
enum { ORO_VERTICES = 2 * ORO_TILE_WIDTH + 8 };

struct oro_squares {
    const float *coarse; /* vertices of the level before, `stride` in a row */
    int stride, level, first[2], from_corner[2];
    float diamond, square; /* displacements in both steps */
    bool uniform;
    uint32_t seed;
};

ORO_INLINE struct oro_squares oro_squares_of(struct oro_run *run)
{
    const int32_t(*levels)[4] = oro_run_buffer(run, "levels");
    struct oro_squares k = {.coarse = oro_run_buffer(run, "coarse"),
                            .stride = run->source.width,
                            .level = (int)oro_run_number(run, "level"),
                            .diamond = oro_run_number(run, "diamond"),
                            .square = oro_run_number(run, "square"),
                            .uniform = oro_run_int(run, "distribution") == 1,
                            .seed = (uint32_t)oro_run_int(run, "seed")};
    k.seed = oro_hash_number(k.seed + (uint32_t)k.level);
    for (int axis = 0; levels && axis < 2; axis++) {
        k.first[axis] = levels[k.level][axis];
        k.from_corner[axis] = levels[k.level][2 + axis];
    }
    return k;
}

/* A random number of mean 0 and variance 1 for a vertex. */
ORO_INLINE float oro_deviate(const struct oro_squares *k, int x, int y)
{
    uint32_t h = oro_hash_cell((int32_t)((uint32_t)x + (uint32_t)k->first[0]),
                               (int32_t)((uint32_t)y + (uint32_t)k->first[1]), k->seed);
    float u = oro_hash_unit(h), even = 3.46410162F * (u - 0.5F);
    float angle = 6.28318530718F * oro_hash_unit(oro_hash_number(h));
    float squared = oro_max(-2 * 0.693147181F * oro_log2(1 - u), 0);
    return k->uniform ? even : sqrtf(squared) * oro_sincos(angle).cosine;
}

/* The middles of squares of the level before, by their north-west corners: `count` of row y, from column x
 * on. */
ORO_INLINE void oro_square_middles(const struct oro_squares *k, int x, int y, int count,
                                   float *restrict middles)
{
    const float *north = k->coarse + (ptrdiff_t)y * k->stride + x, *south = north + k->stride;
    int first_x = 2 * x + 1 - k->from_corner[0], row = 2 * y + 1 - k->from_corner[1];
#pragma omp simd
    for (int i = 0; i < count; i++) {
        float corners = north[i] + north[i + 1] + south[i] + south[i + 1];
        middles[i] = 0.25F * corners + k->diamond * oro_deviate(k, first_x + 2 * i, row);
    }
}

/* What vertices are displaced by in the square step. */
ORO_INLINE void oro_square_steps(const struct oro_squares *k, int x, int y, int step, int count,
                                 float *restrict out)
{
#pragma omp simd
    for (int i = 0; i < count; i++)
        out[i] = k->square * oro_deviate(k, x + step * i, y);
}

/* The vertices of row y, `count` from column x on. Those in even columns, counted from a corner of the level
 * before, lie below one, or on it; those in odd columns between two. */
ORO_INLINE void oro_vertex_row(const struct oro_squares *k, int x, int y, int count, float *restrict out)
{
    float middles[2][ORO_VERTICES], steps[ORO_VERTICES];
    if (k->level == 0) {
        oro_square_steps(k, x, y, 1, count, out);
        return;
    }
    int column = x + k->from_corner[0], row = (y + k->from_corner[1]) >> 1,
        odd_row = (y + k->from_corner[1]) & 1;
    int odd = column & 1, first = column >> 1, last = (column + count - 1) >> 1;
    int left = odd ? first : first - 1, squares = last - left + 1;
    int moved = odd_row ? odd : 1 - odd; /* the first vertex that the square step makes */
    const float *coarse = k->coarse + (ptrdiff_t)row * k->stride;
    if (moved < count)
        oro_square_steps(k, x + moved, y, 2, (count - moved + 1) / 2, steps);
    if (odd_row || count > 1 || odd)
        oro_square_middles(k, left, row, squares, middles[0]);
    if (!odd_row && (count > 1 || odd))
        oro_square_middles(k, left, row - 1, squares, middles[1]);
    for (int i = 0; i < count; i++) {
        int corner = (column + i) >> 1, m = corner - left, beside = (column + i) & 1;
        if (beside == odd_row) {
            out[i] = beside ? middles[0][m] : coarse[corner];
            continue;
        }
        float ends = coarse[corner] + coarse[corner + (beside ? 1 : k->stride)];
        float sides = middles[0][m] + (beside ? middles[1][m] : middles[0][m - 1]);
        out[i] = 0.25F * (ends + sides) + steps[(i - moved) / 2];
    }
}

#endif
