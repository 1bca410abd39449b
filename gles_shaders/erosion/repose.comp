// The tangent of the angle of repose: a map, varied by noise.
#include "lib/noise.glsl"

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float varied = repose_at(p);
    if (params.repose_variation > 0.0)
        varied += params.repose_variation * gradient_noise(oro_position(p) / params.variation_size, params.seed);
    critical[oro_index(p)] = tan(radians(clamp(varied, 0.0, 89.0)));
}
