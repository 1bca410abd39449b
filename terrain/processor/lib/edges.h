/* Cells beyond the edge of the source, for nodes with a choice `edge`: gles_shaders/lib/edges.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_EDGES_H
#define ORO_TERRAIN_PROCESSOR_LIB_EDGES_H

#include "terrain/processor/lib/bicubic.h"

/* Words of the input `edge`, of which nodes may have more. */
enum oro_edge { ORO_EDGE_CLAMP, ORO_EDGE_REPEAT, ORO_EDGE_MIRROR };

/* The remainder, 0 to n - 1. */
ORO_INLINE int oro_wrapped(int i, int n)
{
    int rest = i % n;
    return rest < 0 ? rest + n : rest;
}

/* The cell of an axis with `n` of them that stands for cell i. */
ORO_INLINE int oro_within_edges(enum oro_edge edge, int i, int n)
{
    if (i >= 0 && i < n)
        return i;
    if (edge == ORO_EDGE_REPEAT)
        return oro_wrapped(i, n);
    if (edge == ORO_EDGE_MIRROR) {
        int rest = oro_wrapped(i, 2 * n);
        return rest < n ? rest : 2 * n - 1 - rest;
    }
    return i < 0 ? 0 : n - 1;
}

/* A raster that goes on beyond its edges. */
struct oro_edged {
    const float *values;
    int width, height;
    enum oro_edge edge;
};

ORO_INLINE float oro_edged_at(const struct oro_edged *raster, int x, int y)
{
    size_t row = (size_t)oro_within_edges(raster->edge, y, raster->height);
    return raster
        ->values[row * (size_t)raster->width + (size_t)oro_within_edges(raster->edge, x, raster->width)];
}

/* The surface through its cells at a place away from cell (x, y). Sums are relative to the nearest cell:
 * large numbers lose no precision. */
ORO_INLINE float oro_edged_surface(const struct oro_edged *raster, int x, int y, float away_x, float away_y)
{
    struct oro_taps across = oro_catmull_rom_taps(away_x), down = oro_catmull_rom_taps(away_y);
    float cells[4][4], sums[4] = {0}, middle, change = 0;
    bool inside = x + across.first >= 0 && x + across.first + 4 <= raster->width;
    for (int j = 0; j < 4; j++) {
        int row = oro_within_edges(raster->edge, y + down.first + j, raster->height);
        const float *values = raster->values + (size_t)row * (size_t)raster->width;
        for (int i = 0; !inside && i < 4; i++)
            cells[j][i] = values[oro_within_edges(raster->edge, x + across.first + i, raster->width)];
        if (inside)
            memcpy(cells[j], values + x + across.first, sizeof cells[j]);
    }
    middle = cells[1][1];
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            sums[i] += down.weight[j] * (cells[j][i] - middle);
    for (int i = 0; i < 4; i++)
        change += across.weight[i] * sums[i];
    return middle + change;
}

#endif
