/* Directions of the kernels: along the slope of the smoothed terrain, which guides them, and of the levels of ravines before
 * (Grenier 2023, eq. 9, 11 and 12). */
#include "lib/phasor.glsl"
#include "lib/gabor_lay.glsl"

/* The slope of the ravines of the first levels, in metres per metre; the amplitude counts as constant. */
vec2 slope_of_ravines(vec2 place, int levels, float relief)
{
    vec3 amplitude = vec3(relief, 0.0, 0.0), detail = vec3(0.0);
    for (int level = 0; level < levels; level++) {
        gabor_field field = gabor_level(level, int(pass.each), ivec2(floor(place)), fract(place));
        phasor_add(phasor_transfer(field, 0.0), amplitude, detail);
    }
    return detail.yz / grid.cell;
}

void main()
{
    gabor_lattice lattice = gabor_lattice_at(int(pass.lattice));
    gabor_seedling kernel;
    if (!gabor_seed(lattice, kernel))
        return;
    vec4 guide = gabor_guide(lattice, kernel);
    vec2 along = guide.xy;
    if (dot(along, along) > 0.0)
        along += slope_of_ravines(kernel.centre, int(pass.level), guide.w);
    gabor_put(lattice, kernel, along, guide.z);
}
