/* Gabor noise: the real part of the field (Lagae 2009; Grenier 2023, eq. 13). */
#define GABOR_BLOCKS
#include "lib/gabor_noise.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (gabor_skips(p))
        return;
    gabor_field field = gabor_level_in_block(0, int(pass.each), p);
#if GABOR_MIXED
    if (!oro_inside(p))
        return;
#endif
    set_field(p, gabor_height(p, pass.scale * field.value.x));
}
