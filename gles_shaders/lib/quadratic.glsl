/* The second half of a quadratic fit, along the columns (nodes/mask/quadratic.h), and curvatures of the fitted surface. */
#include "lib/parabola.glsl"

struct quadratic {
    float level; /* of the plane fitted alone: ground above it stands out of its surroundings */
    vec2 slope;  /* metres per metre, to the east and to the south */
    vec3 bend;   /* second derivatives, per metre: east east, east south, south south */
};

quadratic quadratic_at(ivec2 p)
{
    parabola line = parabola_around(p.y, grid.size.y);
    float here = row_value_at(p);
    vec3 values = vec3(0.0), slopes = vec3(0.0);
    float bends = 0.0;
    for (int i = line.first; i <= line.last; i++) {
        ivec2 q = p + ivec2(0, i * int(pass.stride));
        float weight = sample_weight(i);
        vec3 basis = weight * polynomials(line, i);
        values += (row_value_at(q) - here) * basis;
        slopes += row_slope_at(q) * vec3(basis.xy, 0.0);
        bends += row_bend_at(q) * weight;
    }
    vec3 along = fitted(line, values), across = fitted(line, slopes);
    return quadratic(here + along.x, vec2(across.x, along.y), vec3(bends / line.norms.x, across.y, along.z));
}

/*
 * Curvatures in 1/m, above 0 where the ground is convex. With slopes p, q and second derivatives r, s, t (Evans 1972;
 * Minar 2020):
 *
 *     profile  -(p^2 r + 2 p q s + q^2 t) / ((p^2 + q^2) (1 + p^2 + q^2)^(3/2))    along the line of steepest fall
 *     plan     -(q^2 r - 2 p q s + p^2 t) / (p^2 + q^2)^(3/2)                      of the contour line on the map
 *     mean     -((1 + q^2) r - 2 p q s + (1 + p^2) t) / (2 (1 + p^2 + q^2)^(3/2)) of any two directions at right angles
 *
 * Level ground has neither a line of steepest fall nor a contour: both are 0 there.
 */

float mean_curvature(quadratic f)
{
    float p = f.slope.x, q = f.slope.y, steep = 1.0 + dot(f.slope, f.slope);
    float bent = (1.0 + q * q) * f.bend.x - 2.0 * p * q * f.bend.y + (1.0 + p * p) * f.bend.z;
    return -0.5 * bent / (steep * sqrt(steep));
}

/* The second derivative in a direction. */
float bend_along(quadratic f, vec2 d)
{
    return d.x * d.x * f.bend.x + 2.0 * d.x * d.y * f.bend.y + d.y * d.y * f.bend.z;
}

float profile_curvature(quadratic f)
{
    float tangent = length(f.slope), steep = 1.0 + tangent * tangent;
    return tangent > 0.0 ? -bend_along(f, f.slope / tangent) / (steep * sqrt(steep)) : 0.0;
}

/* Around summits and in flat places contours bend without limit: no more than a circle of one cell, here. */
float plan_curvature(quadratic f)
{
    float tangent = length(f.slope), limit = 1.0 / grid.cell;
    vec2 along = tangent > 0.0 ? vec2(-f.slope.y, f.slope.x) / tangent : vec2(0.0);
    float bent = -bend_along(f, along);
    return abs(bent) < limit * tangent ? bent / tangent : limit * sign(bent) * (tangent > 0.0 ? 1.0 : 0.0);
}

/* How much the ground turns over a distance of `radius` metres: from -1 in hollows, over 0 on even ground, to 1 on
 * ridges. */
float bulge(quadratic f, float radius, float contrast)
{
    float bend = contrast * mean_curvature(f) * max(radius, grid.cell);
    return bend * inversesqrt(1.0 + bend * bend);
}
