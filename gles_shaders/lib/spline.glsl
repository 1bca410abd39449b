/* Cubic B-splines over a raster, for kernels that read their coefficients from `terrain`. */
#include "lib/bicubic.glsl"

/* Beyond an edge coefficients, and the values they are made from, go on as turned about the edge's own: so a surface
 * ends that has no curvature there, and it passes through the edge's values. Where a raster is so narrow that this leads
 * beyond the other edge, it goes on from there. */
float terrain_turned_east(ivec2 p)
{
    int last = source.size.x - 1;
    float sum = 0.0, side = 1.0;
    for (int i = 0; i < 32 && last > 0 && (p.x < 0 || p.x > last); i++) {
        int x = clamp(p.x, 0, last);
        sum += 2.0 * side * terrain_at(ivec2(x, p.y));
        side = -side;
        p.x = 2 * x - p.x;
    }
    return sum + side * terrain_at(p);
}

float terrain_turned(ivec2 p)
{
    int last = source.size.y - 1;
    float sum = 0.0, side = 1.0;
    for (int i = 0; i < 32 && last > 0 && (p.y < 0 || p.y > last); i++) {
        int y = clamp(p.y, 0, last);
        sum += 2.0 * side * terrain_turned_east(ivec2(p.x, y));
        side = -side;
        p.y = 2 * y - p.y;
    }
    return sum + side * terrain_turned_east(p);
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
