/* Heights between the centres of cells. Places are in cells: the centre of cell i is i. */
const float HOLE = -1e37; /* below: no number */

uniform sampler2D ground, means;
uniform ivec2 size;    /* cells */
uniform int mean_last; /* the coarsest level of means; 0: there are none */

/* The mean of 2^level x 2^level cells, held at the border. */
float height_at(ivec2 at, int level)
{
    if (level == 0)
        return texelFetch(ground, clamp(at, ivec2(0), size - 1), 0).r;
    return texelFetch(means, clamp(at, ivec2(0), (size - 1) >> level), level - 1).r;
}

vec2 to_level(vec2 at, int level)
{
    return (at + 0.5) * exp2(-float(level)) - 0.5;
}

/* Bilinear; HOLE next to a hole, where `else_value` is given instead. */
float height_between(vec2 at, int level, float else_value)
{
    vec2 u = to_level(at, level), f = fract(u);
    ivec2 i = ivec2(floor(u));
    vec4 c = vec4(height_at(i, level), height_at(i + ivec2(1, 0), level), height_at(i + ivec2(0, 1), level),
                  height_at(i + 1, level));
    if (min(min(c.x, c.y), min(c.z, c.w)) < HOLE)
        return else_value;
    return mix(mix(c.x, c.y, f.x), mix(c.z, c.w, f.x), f.y);
}
