/* Directions and frequencies of the kernels of noise over the world: those of the cell that a kernel's centre is in.
 * nodes/source/gabor_noise.h has the inputs. */
#include "lib/gabor_guides.glsl"

vec2 turned(vec2 v, float angle)
{
    float c = cos(angle), s = sin(angle);
    return vec2(c * v.x - s * v.y, s * v.x + c * v.y);
}

void main()
{
    gabor_lattice lattice = gabor_lattice_at(int(pass.lattice));
    gabor_seedling kernel;
    if (!gabor_seed(lattice, kernel))
        return;
    ivec2 nearest = ivec2(floor(kernel.centre + 0.5));
    vec2 along = vec2(0.0, -1.0); /* north */
    if (HAS_ORIENTATION != 0)
        along = orientation_at(nearest);
    float astray = params.spread * (2.0 * hash_unit(hash(kernel.random ^ 0x2545f491u)) - 1.0);
    along = turned(along, radians(angle_at(nearest) + astray));
    float pitch = lattice.pitch;
    if (HAS_FREQUENCY != 0)
        pitch = gabor_frequency(frequency_unclamped(nearest), 1.0);
    guides_out[oro_index(oro_cell())] = vec4(along, pitch, 0.0);
}
