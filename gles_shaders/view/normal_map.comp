/* Normals as colours. */

/* `gradient` is an input of this node; the function of that name is called uphill_of here. */
#define gradient uphill_of
#include "lib/terrain.glsl"
#undef gradient

/* Walls beyond this are upright; squares of steeper ones would leave the range of floats. */
const float STEEPEST = 1e9;

/* The gradient in metres per metre, x east and y south: what is linked to `gradient`, else from the cells around. */
vec2 uphill(ivec2 p)
{
    if (HAS_GRADIENT != 0)
        return gradient_at(p);
    return uphill_of(p);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 slope = clamp(uphill(p) * params.strength, -STEEPEST, STEEPEST);
    /* A normal leans downhill. Uphill to the south is downhill to the north. */
    float north = params.convention == CONVENTION_DIRECTX ? -slope.y : slope.y;
    vec3 normal = vec3(-slope.x, north, 1.0) / sqrt(slope.x * slope.x + slope.y * slope.y + 1.0);
    set_normal(p, vec4(params.values == VALUES_COLOUR ? 0.5 * normal + 0.5 : normal, 1.0));
}
