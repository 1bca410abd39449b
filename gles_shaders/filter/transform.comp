/* Looks up each cell where it comes from: at p + A p + b of the source, in cells. A and b are those of the way back less
 * the identity, so that ground which stays where it is keeps its bits. */
#include "lib/bicubic.glsl"
#include "lib/edges.glsl"

float source_at(ivec2 q)
{
    return ground[oro_source_index(within_edges(q))];
}

/* Relative to the nearest cell: sums of large numbers lose precision. */
float smooth_at(ivec2 q, vec2 t)
{
    vec4 wx = catmull_rom(t.x), wy = catmull_rom(t.y);
    float middle = source_at(q), change = 0.0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            change += wy[j] * wx[i] * (source_at(q + ivec2(i - 1, j - 1)) - middle);
    return middle + change;
}

float linear_at(ivec2 q, vec2 t)
{
    vec2 north = vec2(source_at(q), source_at(q + ivec2(1, 0)));
    vec2 south = vec2(source_at(q + ivec2(0, 1)), source_at(q + ivec2(1, 1)));
    return mix(mix(north.x, north.y, t.x), mix(south.x, south.y, t.x), t.y);
}

/* The ground where `p`, and a part of a cell from there, comes from; `outside` where nothing is. */
float ground_at(ivec2 p, vec2 part, float outside)
{
    vec2 from = vec2(p) + part;
    vec2 away = vec2(pass.xx * from.x + pass.xy * from.y, pass.yx * from.x + pass.yy * from.y) +
                vec2(pass.x, pass.y) + part;
    vec2 whole = floor(away), place = vec2(p) + away;
    bool inside = all(greaterThanEqual(place, vec2(-0.5))) && all(lessThanEqual(place, vec2(source.size) - 0.5));
    if (params.edge == EDGE_CONSTANT && !inside)
        return outside;
    ivec2 q = p + ivec2(clamp(whole, vec2(-1e8), vec2(1e8)));
    vec2 t = away - whole;
    return (pass.samples < 3.0 ? smooth_at(q, t) : linear_at(q, t)) * vertical_at(p) + raise_at(p);
}

/* Where cells of the source are smaller, the mean over what the cell covers. */
void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int n = int(pass.samples);
    float outside = outside_at(p), first = ground_at(p, vec2(0.5 / float(n) - 0.5), outside), sum = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            sum += ground_at(p, (vec2(i, j) + 0.5) / float(n) - 0.5, outside) - first;
    float h = first + sum / float(n * n), mask = mask_at(p);
    terrain_out[oro_index(p)] = mask == 1.0 ? h : mix(terrain_at(p), h, mask); /* mix alone may round */
}
