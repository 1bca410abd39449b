/* Guides kernels of Gabor noise by what lies where they are: for the first dispatch of oro_gabor_lay
 * (nodes/lib/gabor_lattice.h). It has the constants `lowest`, `limit` and `carried`: what frequencies may be. */
#include "lib/gabor_seed.glsl"

/* The frequency of a kernel for which a map has `asked`, at a level `times` as high; 0: none. Comparisons are false for
 * what is not a number. */
float gabor_frequency(float asked, float times)
{
    float frequency = asked >= pass.lowest ? min(asked, pass.limit) * times : 0.0;
    return frequency <= pass.carried ? frequency : 0.0;
}
