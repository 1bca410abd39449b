-- Lava that has cracked as it cooled.
return {
  id = "basalt_columns",
  category = "filter",
  doc = "Breaks ground into columns of six sides, more or less, with flat tops at heights of their own and cracks between "
    .. "them, as lava does where it cools slowly.",
  inputs = {
    { name = "terrain", type = "field", unit = "m", doc = "Ground that the columns follow" },
    { name = "size", type = "float", default = 3, min = 0.01, max = 1e5, soft_min = 0.3, soft_max = 50, unit = "m",
      doc = "Width of a column" },
    { name = "jitter", type = "float", default = 0.25, min = 0, max = 1, doc = "How irregular they are: 0 for a honeycomb" },
    { name = "steps", type = "float", map = true, default = 1.2, min = 0, max = 1e4, soft_max = 20, unit = "m",
      doc = "How much they differ in height" },
    { name = "terrace", type = "float", default = 2, min = 0, max = 1e4, soft_max = 20, unit = "m",
      doc = "Columns break off at heights that are so far apart: 0 for any height" },
    { name = "cracks", type = "float", default = 0.08, min = 0, max = 0.5,
      doc = "Width of the cracks, as a share of the size" },
    { name = "depth", type = "float", default = 1, min = 0, max = 1e4, soft_max = 20, unit = "m", doc = "Of the cracks" },
    { name = "seed", type = "seed" },
    { name = "mask", type = "mask" },
  },
  outputs = {
    { name = "terrain", type = "field", unit = "m", like = "terrain" },
    { name = "column", type = "field", like = "terrain", doc = "A number for each column, 0 to 1" },
    { name = "cracks", type = "field", like = "terrain", doc = "1 in the cracks" },
  },
  kernel = [[
#include "lib/hash.glsl"

/* Middle of a column, in sizes: rows of a honeycomb lie closer, and every second one half a column aside. */
vec2 middle_of(ivec2 column)
{
    vec2 even = vec2(float(column.x) + 0.5 * float(column.y & 1), float(column.y) * 0.8660254);
    return even + params.jitter * 0.8 * (hash_point(hash(column, params.seed)) - 0.5);
}

/* Ground in the middle of a column, which its whole top follows. */
float top_of(ivec2 column)
{
    vec2 place = middle_of(column) * params.size;
    ivec2 there = ivec2(floor((place - grid.origin) / grid.cell));
    float own = hash_unit(hash(column, params.seed + 1u)) - 0.5;
    float top = terrain_at(there) + steps_at(there) * own;
    return params.terrace > 0.0 ? round(top / params.terrace) * params.terrace + 0.15 * params.terrace * own : top;
}

void cell(ivec2 p)
{
    vec2 at = oro_position(p) / params.size;
    int row = int(floor(at.y / 0.8660254 + 0.5)), start = int(floor(at.x));
    ivec2 own = ivec2(start, row);
    float first = 1e9;
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) {
            ivec2 column = ivec2(start + x, row + y);
            float d = distance(at, middle_of(column));
            if (d < first) {
                first = d;
                own = column;
            }
        }
    /* How far it is to the nearest border between two columns. */
    float border = 1e9;
    vec2 here = middle_of(own);
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) {
            vec2 there = middle_of(own + ivec2(x, y));
            float apart = distance(here, there);
            if (apart > 1e-4)
                border = min(border, dot(there - here, 0.5 * (here + there) - at) / apart);
        }
    float crack = 1.0 - smoothstep(0.0, max(params.cracks, 1e-6), border);
    float column = hash_unit(hash(own, params.seed + 2u));
    set_terrain(p, top_of(own) - params.depth * crack * crack);
    set_column(p, column);
    set_cracks(p, crack);
}
]],
}
