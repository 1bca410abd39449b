/* Lays the kernels of Gabor noise over a lattice: gles_shaders/lib/gabor_seed.glsl, gabor_guides.glsl,
 * gabor_lay.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_GABOR_LAY_H
#define ORO_TERRAIN_PROCESSOR_LIB_GABOR_LAY_H

#include "terrain/processor/lib/gabor.h"

/* What guides a kernel: a direction, a frequency, and what else the node's own kernels agree on. */
enum { ORO_GABOR_ALONG_X, ORO_GABOR_ALONG_Y, ORO_GABOR_PITCH, ORO_GABOR_GUIDED_BY, ORO_GABOR_GUIDE_WORDS };

/* ---- Where the kernels lie ---- */

struct oro_gabor_seedling {
    size_t cell; /* of the lattice */
    uint32_t random;
    float centre_x, centre_y; /* cells of the raster, from the centre of the first */
    float jitter_x, jitter_y;
};

ORO_INLINE struct oro_gabor_seedling oro_gabor_seed(const struct oro_gabor_lattice *l, int x, int y)
{
    struct oro_gabor_seedling kernel = {.cell = (size_t)y * (size_t)l->size[0] + (size_t)x};
    kernel.random = oro_hash_cell((int32_t)((uint32_t)l->corner[0] + (uint32_t)x),
                                  (int32_t)((uint32_t)l->corner[1] + (uint32_t)y), l->seed);
    kernel.jitter_x = oro_hash_point_x(kernel.random);
    kernel.jitter_y = oro_hash_point_y(kernel.random);
    float start_x = oro_hash_unit(l->start[0]), start_y = oro_hash_unit(l->start[1]);
    kernel.centre_x = ((float)(x - ORO_GABOR_MARGIN) + (kernel.jitter_x - start_x)) * l->spacing;
    kernel.centre_y = ((float)(y - ORO_GABOR_MARGIN) + (kernel.jitter_y - start_y)) * l->spacing;
    return kernel;
}

/* ---- What guides them ---- */

struct oro_gabor_guides {
    struct oro_gabor_lattice lattice;
    float lowest, limit, carried;
    struct oro_run_grid source;
    const float *frequency; /* NULL: no map is linked */
    float *out;
};

ORO_INLINE struct oro_gabor_guides oro_gabor_guides_of(struct oro_run *run)
{
    struct oro_gabor_guides guides = {.lowest = oro_run_number(run, "lowest"),
                                      .limit = oro_run_number(run, "limit"),
                                      .carried = oro_run_number(run, "carried"),
                                      .source = run->source,
                                      .frequency = oro_run_map(run, "frequency").values,
                                      .out = oro_run_buffer(run, "guides_out")};
    const struct oro_gabor_lattice *lattices = oro_run_buffer(run, "lattices");
    int number = (int)oro_run_number(run, "lattice");
    if (oro_run_ready(run))
        guides.lattice = lattices[number];
    return guides;
}

/* The frequency of a kernel at a level `times` as high as the map says; 0: none. */
ORO_INLINE float oro_gabor_frequency(const struct oro_gabor_guides *k, size_t cell, float times)
{
    if (!k->frequency)
        return k->lattice.pitch;
    float asked = k->frequency[cell];
    float frequency = asked >= k->lowest ? oro_min(asked, k->limit) * times : 0;
    return frequency <= k->carried ? frequency : 0;
}

/* ---- Laying them ---- */

struct oro_gabor_lay {
    struct oro_gabor_kernels gabor;
    struct oro_gabor_lattice lattice;
    float share;
    const float *guides;
};

ORO_INLINE struct oro_gabor_lay oro_gabor_lay_of(struct oro_run *run)
{
    struct oro_gabor_lay lay = {.gabor = oro_gabor_of(run),
                                .share = oro_run_number(run, "share"),
                                .guides = oro_run_buffer(run, "guides")};
    int number = (int)oro_run_number(run, "lattice");
    if (oro_run_ready(run))
        lay.lattice = lay.gabor.lattices[number];
    return lay;
}

ORO_INLINE const float *oro_gabor_guide(const struct oro_gabor_lay *k,
                                        const struct oro_gabor_seedling *kernel)
{
    return k->guides + ORO_GABOR_GUIDE_WORDS * kernel->cell;
}

/* Weight of a kernel by its frequency, relative to the lattice's lowest. */
ORO_INLINE float oro_gabor_share(const struct oro_gabor_lay *k, float ratio)
{
    if (!k->gabor.mixed)
        return 1;
    float octave = ratio > 0 ? oro_log2(ratio) : -1;
    return octave > 0 && octave < 1 ? ratio * oro_sincos(0.5F * ORO_GABOR_TURN * octave).sine : 0;
}

/* Waves whose crests run along a direction; none where it is zero or there is no frequency. */
ORO_INLINE void oro_gabor_put(const struct oro_gabor_lay *k, const struct oro_gabor_seedling *kernel,
                              float along_x, float along_y, float frequency)
{
    float size = sqrtf(along_x * along_x + along_y * along_y), wave = k->lattice.wave;
    float ratio = k->gabor.mixed ? frequency / k->lattice.pitch : 1;
    bool there = size > 1e-20F && size < 1e20F && frequency > 0;
    size_t index = (size_t)k->lattice.first + kernel->cell;
    float *place = k->gabor.places + 4 * index, *phase = k->gabor.phases + 2 * index;
    place[0] = kernel->jitter_x;
    place[1] = kernel->jitter_y;
    place[2] = there ? ratio * wave / size * -along_y : wave;
    place[3] = there ? ratio * wave / size * along_x : 0;
    phase[0] = ORO_GABOR_TURN * oro_hash_unit(oro_hash_number(kernel->random ^ 0x5bd1e995u));
    phase[1] = there ? k->share * oro_gabor_share(k, ratio) : 0;
}

#endif
