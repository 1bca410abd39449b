/* What becomes of Gabor noise's field: gles_shaders/lib/gabor_noise.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_GABOR_NOISE_H
#define ORO_TERRAIN_PROCESSOR_LIB_GABOR_NOISE_H

#include "terrain/processor/lib/gabor.h"

struct oro_gabor_noise {
    struct oro_gabor gabor;
    int each;
    float scale, offset;
    struct oro_map amplitude;
    struct oro_run_grid source;
    const float *orientation; /* NULL: none is linked */
    struct oro_setter field;
};

ORO_INLINE struct oro_gabor_noise oro_gabor_noise_of(struct oro_run *run)
{
    return (struct oro_gabor_noise){
        .gabor = oro_gabor_of(run),
        .each = (int)oro_run_number(run, "each"),
        .scale = oro_run_number(run, "scale"),
        .offset = oro_run_float(run, "offset"),
        .amplitude = oro_run_map(run, "amplitude"),
        .source = run->source,
        .orientation = oro_run_linked(run, "orientation") ? oro_run_buffer(run, "orientation") : NULL,
        .field = oro_run_setter(run, "field"),
    };
}

/* Sets a row of the field; `height` is that of the waves. What is not a number counts as an amplitude of 0.
 */
ORO_INLINE void oro_gabor_noise_set(const struct oro_gabor_noise *k, const struct oro_tile *tile, int y,
                                    float *height)
{
    float amplitude[ORO_TILE_WIDTH];
    for (int x = 0; x < tile->width; x++) {
        size_t index = oro_source_index(&k->source, tile->x + x, y);
        amplitude[x] = oro_map_at(&k->amplitude, tile->x + x, y);
        if (k->amplitude.values && isnan(k->amplitude.values[index]))
            amplitude[x] = 0;
        if (k->orientation) {
            const float *way = k->orientation + 2 * index;
            float size = sqrtf(way[0] * way[0] + way[1] * way[1]);
            amplitude[x] *= size > 0 ? oro_min(size, 1) : 0;
        }
    }
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        height[x] = k->offset + amplitude[x] * oro_clamp(height[x], -1, 1);
    oro_set_row(&k->field, tile->x, y, tile->width, height);
}

#endif
