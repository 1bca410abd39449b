/* Cubic B-splines over a raster, for passes that read `terrain`: their coefficients. */
#include "lib/bicubic.glsl"

/* Beyond an edge coefficients, and the values they are made from, go on as turned about the edge's own: so a surface
 * ends that has no curvature there, and it passes through the edge's values. */
float terrain_turned_east(ivec2 p)
{
    int x = clamp(p.x, 0, source.size.x - 1);
    float edge = terrain_at(ivec2(x, p.y));
    return x == p.x ? edge : 2.0 * edge - terrain_at(ivec2(2 * x - p.x, p.y));
}

float terrain_turned(ivec2 p)
{
    int y = clamp(p.y, 0, source.size.y - 1);
    float edge = terrain_turned_east(ivec2(p.x, y));
    return y == p.y ? edge : 2.0 * edge - terrain_turned_east(ivec2(p.x, 2 * y - p.y));
}

/* The spline in four by four cells, and its derivatives per cell; a place is given by its distance (0..1) from the
 * second cell towards the third. */
struct spline {
    vec4 wx, wy, dx, dy;
};

spline spline_at(vec2 t)
{
    return spline(b_spline(t.x), b_spline(t.y), b_spline_slope(t.x), b_spline_slope(t.y));
}

/* Value, derivative east, derivative south. */
vec3 spline_sum(spline b, vec4 rows[4])
{
    vec3 sum = vec3(0.0);
    for (int j = 0; j < 4; j++) {
        float across = dot(b.wx, rows[j]);
        sum += vec3(b.wy[j] * across, b.wy[j] * dot(b.dx, rows[j]), b.dy[j] * across);
    }
    return sum;
}
