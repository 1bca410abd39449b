-- A ground that has been hit for a long time.
return {
  id = "crater_field",
  category = "filter",
  doc = "Impact craters of all sizes, strewn over a terrain: bowls with raised rims and blankets of ejecta. Small ones "
    .. "are more frequent than large ones, by a power law; old ones are worn.",
  inputs = {
    { name = "terrain", type = "field", unit = "m", doc = "Ground that is hit" },
    { name = "largest", type = "float", default = 3000, min = 1, max = 1e6, soft_min = 100, soft_max = 20000, unit = "m",
      group = "Craters", doc = "Diameter of the largest craters" },
    { name = "sizes", type = "int", default = 6, min = 1, max = 12, group = "Craters",
      doc = "How many times the diameter is halved, from the largest to the smallest" },
    { name = "density", type = "float", map = true, default = 0.35, min = 0, max = 1, group = "Craters",
      doc = "Share of the ground that craters of one size take up" },
    { name = "depth", type = "float", default = 0.16, min = 0, max = 0.5, group = "Craters",
      doc = "Of fresh craters, as a share of the diameter" },
    { name = "rim", type = "float", default = 0.045, min = 0, max = 0.3, group = "Craters",
      doc = "Height of fresh rims, as a share of the diameter" },
    { name = "wear", type = "float", default = 0.7, min = 0, max = 1, group = "Craters",
      doc = "How far the oldest craters have been worn away" },
    { name = "seed", type = "seed" },
    { name = "mask", type = "mask" },
  },
  outputs = {
    { name = "terrain", type = "field", unit = "m", like = "terrain" },
    { name = "ejecta", type = "field", like = "terrain", doc = "Fresh rock around young craters, 0 to 1" },
  },
  kernel = [[
#include "lib/noise.glsl"

/* Height of a crater of diameter 1, r radii from its centre: a bowl, a rim, and what was thrown out. */
float profile_of(float r, float worn)
{
    float bowl = (params.depth + params.rim) * (r * r * (2.0 - r) - 1.0) + params.rim;
    float sharp = r < 1.0 ? bowl : params.rim / (r * r * r);
    return (1.0 - worn) * sharp * (1.0 - smoothstep(1.5, 2.4, r));
}

/* Rays of ejecta: streaks that point away from the centre. */
float rays(vec2 away, float r, uint seed)
{
    float streak = gradient_fbm(4.0 * normalize(away + 1e-6) + hash_point(seed) * 99.0, 3, seed);
    float reach = 1.0 - smoothstep(0.9, max(1.7 + 1.8 * streak, 1.0), r);
    return reach * smoothstep(0.6, 1.0, r) * (1.0 - smoothstep(1.6, 2.5, r));
}

/* One crater may begin in every square of a lattice whose squares are two diameters wide. */
void strike(ivec2 square, vec2 at, float diameter, float density, uint seed, inout float h, inout float fresh)
{
    uint dice = hash(square, seed);
    if (hash_unit(dice) >= density)
        return;
    vec2 middle = vec2(square) + 0.15 + 0.7 * hash_point(hash(dice + 1u));
    float size = diameter * mix(0.5, 1.0, hash_unit(hash(dice + 2u)));
    float age = hash_unit(hash(dice + 3u));
    vec2 away = (at - middle) * 2.0 * diameter;
    float ragged = gradient_fbm(4.0 * at + 3.0 * away / size, 4, dice);
    float r = 2.0 * length(away) / (size * (1.0 + 0.2 * ragged));
    if (r >= 2.6)
        return;
    h += size * profile_of(max(r, 1e-3), params.wear * age);
    fresh = max(fresh, smoothstep(0.3, 0.0, age) * rays(away, r, dice));
}

void cell(ivec2 p)
{
    float diameter = params.largest, density = density_at(p), h = terrain_at(p), fresh = 0.0;
    for (int level = 0; level < params.sizes; level++) {
        vec2 at = oro_position(p) / (2.0 * diameter);
        ivec2 square = ivec2(floor(at));
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++)
                strike(square + ivec2(x, y), at, diameter, density, hash(params.seed + uint(level)), h, fresh);
        diameter *= 0.5;
    }
    set_terrain(p, h);
    set_ejecta(p, fresh);
}
]],
}
