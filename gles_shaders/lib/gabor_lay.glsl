/* Lays the kernels of Gabor noise: for kernels run by oro_gabor_lay (nodes/lib/gabor_lattice.h), one invocation for
 * each lattice cell. They have the constants `lowest`, `limit` and `carried`: what frequencies may be. */
#include "lib/hash.glsl"

/* A kernel before it has a direction. */
struct gabor_seedling {
    int index;   /* among all kernels */
    vec2 centre; /* cells of the raster, from the centre of the first */
    vec2 jitter; /* place within its lattice cell */
    uint random;
};

/* False: there is none for this invocation. */
bool gabor_seed(gabor_lattice lattice, out gabor_seedling kernel)
{
    ivec2 cell = oro_cell();
    if (cell.x >= lattice.size.x || cell.y >= lattice.size.y)
        return false;
    kernel.index = lattice.first + cell.y * lattice.size.x + cell.x;
    kernel.random = hash(lattice.corner + cell, lattice.seed);
    kernel.jitter = hash_point(kernel.random);
    kernel.centre = gabor_raster_place(lattice, cell - GABOR_MARGIN, kernel.jitter);
    return true;
}

#if HAS_FREQUENCY
/* The frequency of a kernel for which a map has `asked`, at a level `times` as high; 0: none. Comparisons are false for
 * what is not a number. */
float gabor_frequency(float asked, float times)
{
    float frequency = asked >= pass.lowest ? min(asked, pass.limit) * times : 0.0;
    return frequency <= pass.carried ? frequency : 0.0;
}
#endif

/* Weight of a kernel by its frequency, relative to the lattice's lowest. Lattices half an octave apart take turns;
 * squared weights times the kernels' numbers and areas add up to the same for every frequency. */
float gabor_share(float ratio)
{
#if GABOR_MIXED
    float octave = log2(ratio);
    return octave > 0.0 && octave < 1.0 ? ratio * sin(0.5 * GABOR_TURN * octave) : 0.0;
#else
    return 1.0;
#endif
}

/* Waves whose crests run along `along`, of whatever length; none where it is zero. `frequency` in 1/m, of no effect
 * where all of the lattice's kernels have the same; none if it is 0. */
void gabor_put(gabor_lattice lattice, gabor_seedling kernel, vec2 along, float frequency)
{
    float size = length(along);
#if GABOR_MIXED
    float ratio = frequency / lattice.pitch;
#else
    const float ratio = 1.0;
#endif
    /* Comparisons are false for what is not a number. */
    bool there = size > 1e-20 && size < 1e20 && frequency > 0.0;
    vec2 wave = there ? ratio * lattice.wave / size * vec2(-along.y, along.x) : vec2(lattice.wave, 0.0);
    places[kernel.index] = vec4(kernel.jitter, wave);
    float phase = GABOR_TURN * hash_unit(hash(kernel.random ^ 0x5bd1e995u));
    phases[kernel.index] = vec2(phase, there ? pass.share * gabor_share(ratio) : 0.0);
}
