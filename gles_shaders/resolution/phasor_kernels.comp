/* Directions of the kernels: along the slope of the smoothed terrain, and of the levels of ravines before (Grenier
 * 2023, eq. 9, 11 and 12). `slope` and `full`, the amplitude before the mask, are on the coarse grid. */
#include "lib/phasor.glsl"
#include "lib/gabor_lay.glsl"

vec2 slope_between(vec2 place)
{
    vec2 whole = floor(place), t = place - whole;
    ivec2 q = ivec2(whole);
    return mix(mix(slope_at(q), slope_at(q + ivec2(1, 0)), t.x),
               mix(slope_at(q + ivec2(0, 1)), slope_at(q + ivec2(1, 1)), t.x), t.y);
}

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
    vec2 place = (kernel.centre + 0.5) * (vec2(source.size) / vec2(grid.size)) - 0.5;
    ivec2 nearest = ivec2(floor(place + 0.5));
    vec2 along = slope_between(place);
    float pitch = lattice.pitch;
#if HAS_FREQUENCY
    pitch = gabor_frequency(frequency[oro_source_index(nearest)], pow(params.ratio, pass.level));
#endif
    if (dot(along, along) > 0.0)
        along += slope_of_ravines(kernel.centre, int(pass.level), full_at(nearest));
    gabor_put(lattice, kernel, along, pitch);
}
