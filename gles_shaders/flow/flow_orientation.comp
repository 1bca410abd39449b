/* The way down, of length 1, or less where the ground is nearly level; and its bearing. */
#include "lib/terrain.glsl"

/* A lesser slope counts as level; a greater one is none, as its square leaves the range of floats. */
const float SLOPE_MIN = 1e-30, SLOPE_MAX = 1e18;

/* Compares bits, which are larger still for infinity and NaN, because a compiler may turn comparisons of floats
 * round. */
bool is_slope(vec2 g)
{
    return all(lessThan(floatBitsToUint(g) & 0x7fffffffu, uvec2(floatBitsToUint(SLOPE_MAX))));
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec2 g = gradient(p), direction = vec2(0.0);
    float larger = max(abs(g.x), abs(g.y)), limit = tan(radians(params.least_slope)), bearing = 0.0;
    if (is_slope(g) && larger > SLOPE_MIN) {
        vec2 down = -normalize(g / larger); /* the square of a gentle slope may vanish */
        float tangent = larger * length(g / larger);
        direction = limit > 0.0 ? smoothstep(0.0, 1.0, tangent / limit) * down : down;
    }
    if (direction != vec2(0.0)) {
        bearing = degrees(atan(direction.x, -direction.y));
        bearing += bearing < 0.0 ? 360.0 : 0.0;
    }
    set_direction(p, direction);
    set_angle(p, bearing >= 360.0 ? 0.0 : bearing);
}
