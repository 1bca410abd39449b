-- Blocks of land that have risen one by one.
return {
  id = "voronoi_plateaus",
  category = "generator",
  doc = "Plateaus of different heights that meet in cliffs: the cells of points that are strewn at random, with edges "
    .. "that weather has eaten into, and slopes of rubble at their feet.",
  inputs = {
    { name = "size", type = "float", default = 2500, min = 1, max = 1e6, soft_min = 200, soft_max = 20000, unit = "m",
      group = "Shape", doc = "From one plateau to the next" },
    { name = "jitter", type = "float", default = 0.9, min = 0, max = 1, group = "Shape",
      doc = "How irregular they are: 0 for squares" },
    { name = "low", label = "Lowest", type = "float", default = 100, min = -1e5, max = 1e5, soft_min = -1000, soft_max = 4000,
      unit = "m", group = "Shape", doc = "Elevation of the lowest" },
    { name = "high", label = "Highest", type = "float", default = 900, min = -1e5, max = 1e5, soft_min = -1000, soft_max = 4000,
      unit = "m", group = "Shape", doc = "Elevation of the highest" },
    { name = "levels", type = "int", default = 5, min = 1, max = 100, group = "Shape",
      doc = "How many different heights there are" },
    { name = "edge", type = "profile", default = "0 0, 0.35 0.12, 0.45 0.55, 0.55 0.92, 0.75 0.98, 1 1", group = "Edges",
      doc = "From the foot of a cliff (0) to its top (1): height over distance" },
    { name = "width", type = "float", map = true, default = 0.22, min = 0.01, max = 1, group = "Edges",
      doc = "Of the edges, as a share of the size" },
    { name = "raggedness", type = "float", default = 0.5, min = 0, max = 1, group = "Edges",
      doc = "How far weather has eaten into them" },
    { name = "roughness", type = "float", default = 12, min = 0, max = 10000, soft_max = 200, unit = "m", group = "Edges",
      doc = "Height of the hummocks on the plateaus" },
    { name = "seed", type = "seed" },
  },
  outputs = {
    { name = "terrain", type = "field", unit = "m" },
    { name = "edges", type = "field", doc = "1 where two plateaus meet, 0 on them" },
    { name = "plateau", type = "field", doc = "A number for each plateau, 0 to 1" },
  },
  kernel = [[
#include "lib/noise.glsl"

float height_of(float chance)
{
    float steps = float(params.levels);
    return mix(params.low, params.high, steps > 1.0 ? min(floor(chance * steps), steps - 1.0) / (steps - 1.0) : 0.5);
}

vec2 point_in(ivec2 square)
{
    return vec2(square) + 0.5 + params.jitter * (hash_point(hash(square, params.seed)) - 0.5);
}

float chance_of(ivec2 square)
{
    return hash_unit(hash(square, params.seed + 1u));
}

/* The square whose point is the nearest. */
ivec2 nearest(vec2 at)
{
    ivec2 home = ivec2(floor(at)), best = home;
    float least = 1e9;
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) {
            vec2 away = point_in(home + ivec2(x, y)) - at;
            if (dot(away, away) < least) {
                least = dot(away, away);
                best = home + ivec2(x, y);
            }
        }
    return best;
}

void cell(ivec2 p)
{
    vec2 at = oro_position(p) / params.size;
    vec2 bend = vec2(gradient_fbm(at * 3.0, 6, params.seed + 2u), gradient_fbm(at * 3.0 + 57.0, 6, params.seed + 3u));
    at += 0.22 * params.raggedness * bend;
    ivec2 own = nearest(at);
    vec2 here = point_in(own);
    float own_height = height_of(chance_of(own)), h = own_height, edge = 0.0, width = width_at(p);
    for (int y = -2; y <= 2; y++)
        for (int x = -2; x <= 2; x++) {
            ivec2 other = own + ivec2(x, y);
            vec2 there = point_in(other);
            float apart = distance(here, there);
            if (other == own || apart < 1e-4)
                continue;
            /* How far it is to the line on which both are as near. */
            float border = dot(there - here, 0.5 * (here + there) - at) / apart;
            float t = clamp(0.5 + border / width, 0.5, 1.0), drop = height_of(chance_of(other));
            if (border < 0.5 * width)
                h = drop < own_height ? min(h, mix(drop, own_height, profile_edge(t)))
                                      : max(h, mix(own_height, drop, profile_edge(1.0 - t)));
            edge = max(edge, drop == own_height ? 0.0 : 1.0 - smoothstep(0.0, 0.5 * width, border));
        }
    h += params.roughness * gradient_fbm(oro_position(p) / params.size * 6.0, 6, params.seed + 4u);
    set_terrain(p, h);
    set_edges(p, edge);
    set_plateau(p, chance_of(own));
}
]],
}
