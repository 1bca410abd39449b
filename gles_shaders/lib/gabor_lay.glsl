/* Lays the kernels of Gabor noise: for the second dispatch of oro_gabor_lay (nodes/lib/gabor_lattice.h). */
#include "lib/gabor_seed.glsl"

/* What the first has written for a kernel. */
vec4 gabor_guide(gabor_lattice lattice, gabor_seedling kernel)
{
    return guides[kernel.index - lattice.first];
}

/* Weight of a kernel by its frequency, relative to the lattice's lowest. Lattices half an octave apart take turns;
 * squared weights times the kernels' numbers and areas add up to the same for every frequency. */
float gabor_share(float ratio)
{
#if GABOR_MIXED
    float octave = log2(ratio);
    return octave > 0.0 && octave < 1.0 ? ratio * sin(0.5 * GABOR_CIRCLE * octave) : 0.0;
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
    float phase = GABOR_CIRCLE * hash_unit(hash(kernel.random ^ 0x5bd1e995u));
    phases[kernel.index] = vec2(phase, there ? pass.share * gabor_share(ratio) : 0.0);
}
