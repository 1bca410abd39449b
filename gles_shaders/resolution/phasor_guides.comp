/* What guides the kernels of ravines, where they are: the slope of the smoothed terrain, the frequency, and the amplitude
 * before the mask (Grenier 2023, eq. 9). `slope` and `full`, that amplitude, are on the coarse grid. */
#include "lib/gabor_guides.glsl"

vec2 slope_between(vec2 place)
{
    vec2 whole = floor(place), t = place - whole;
    ivec2 q = ivec2(whole);
    return mix(mix(slope_at(q), slope_at(q + ivec2(1, 0)), t.x),
               mix(slope_at(q + ivec2(0, 1)), slope_at(q + ivec2(1, 1)), t.x), t.y);
}

void main()
{
    gabor_lattice lattice = gabor_lattice_at(int(pass.lattice));
    gabor_seedling kernel;
    if (!gabor_seed(lattice, kernel))
        return;
    vec2 place = (kernel.centre + 0.5) * vec2(pass.coarser_x, pass.coarser_y) - 0.5;
    ivec2 nearest = ivec2(floor(place + 0.5));
    float pitch = lattice.pitch;
    if (HAS_FREQUENCY != 0)
        pitch = gabor_frequency(frequency_unclamped(nearest), pow(params.ratio, pass.level));
    guides_out[oro_index(oro_cell())] = vec4(slope_between(place), pitch, full_at(nearest));
}
