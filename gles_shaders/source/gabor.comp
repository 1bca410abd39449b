/* Gabor noise: the real part of the field (Lagae 2009; Grenier 2023, eq. 13). */
#define GABOR_BLOCKS
#include "lib/gabor_noise.glsl"

void main()
{
    ivec2 p = oro_cell();
    gabor_field field = gabor_level(0, int(pass.each), p, vec2(0.0));
    if (!oro_inside(p))
        return;
    set_field(p, gabor_height(p, pass.scale * field.value.x));
}
