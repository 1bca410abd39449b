/* Selects cells by a number between two ends, or by the direction in which the ground falls. */
#include "lib/number.glsl"
#include "lib/terrain.glsl"

/* 1 up to an edge, 0 from `softness` beyond it. */
float faded(float beyond, float softness)
{
    return softness > 0.0 ? 1.0 - smoothstep(0.0, softness, beyond) : beyond > 0.0 ? 0.0 : 1.0;
}

float in_range(ivec2 p)
{
    float value = measured_at(p);
    if (!is_number(value))
        return 0.0;
    return faded(low_at(p) - value, softness_low_at(p)) * faded(value - high_at(p), softness_high_at(p));
}

/* The two ends may meet on the other side of the circle: the nearer one counts. */
float in_directions(ivec2 p)
{
    vec2 uphill = gradient(p);
    if (!is_number(dot(uphill, uphill)) || uphill == vec2(0.0))
        return 0.0;
    float clockwise = mod(degrees(atan(-uphill.x, uphill.y)) - direction_at(p), 360.0);
    float half_width = 0.5 * width_at(p);
    return max(faded(clockwise - half_width, softness_high_at(p)),
               faded(360.0 - clockwise - half_width, softness_low_at(p)));
}

float blended(float old, float chosen)
{
    switch (params.blend) {
    case BLEND_MULTIPLY:
        return old * chosen;
    case BLEND_ADD:
        return old + chosen;
    case BLEND_SUBTRACT:
        return old - chosen;
    case BLEND_MAX:
        return max(old, chosen);
    case BLEND_MIN:
        return min(old, chosen);
    default:
        return chosen;
    }
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float chosen = params.method == METHOD_ASPECT ? in_directions(p) : in_range(p);
    chosen = params.invert ? 1.0 - chosen : chosen;
    if (HAS_MASK != 0)
        chosen = blended(is_number(mask_at(p)) ? mask_at(p) : 0.0, chosen);
    set_mask(p, clamp(chosen, 0.0, 1.0));
}
