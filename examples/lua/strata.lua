-- Beds of rock, some hard and some soft, laid bare by erosion.
return {
  id = "strata",
  category = "filter",
  doc = "Wears a terrain back along beds of rock: hard beds stand out as cliffs, soft ones lie back as slopes and "
    .. "benches. The beds vary in thickness, dip and bend, and are fixed to the world.",
  inputs = {
    { name = "terrain", type = "field", unit = "m", doc = "Elevation to wear" },
    { name = "thickness", type = "float", default = 60, min = 0.1, max = 10000, soft_min = 5, soft_max = 300, unit = "m",
      group = "Beds", doc = "Of a bed, on average" },
    { name = "variation", type = "float", default = 0.8, min = 0, max = 1, group = "Beds",
      doc = "How much beds differ in thickness: 0 for all alike" },
    { name = "laminae", type = "float", default = 0.3, min = 0, max = 1, group = "Beds",
      doc = "How far thin layers within the beds stand out" },
    { name = "dip", type = "float", default = 3, min = 0, max = 60, soft_max = 20, unit = "deg", group = "Lie",
      doc = "How steeply the beds go down" },
    { name = "direction", type = "float", default = 120, min = -360, max = 360, soft_min = 0, unit = "deg", group = "Lie",
      doc = "Compass direction in which they go down: 0 north, 90 east" },
    { name = "folding", type = "float", default = 40, min = 0, max = 10000, soft_max = 500, unit = "m", group = "Lie",
      doc = "How far beds rise and sink in folds" },
    { name = "feature", label = "Fold size", type = "float", default = 3000, min = 1, max = 1e6, soft_min = 200, soft_max = 20000,
      unit = "m", group = "Lie", doc = "From one fold to the next" },
    { name = "strength", type = "float", map = true, default = 0.85, min = 0, max = 1, doc = "0 leaves the terrain as it is" },
    { name = "seed", type = "seed" },
    { name = "mask", type = "mask" },
  },
  outputs = {
    { name = "terrain", type = "field", unit = "m", like = "terrain" },
    { name = "hardness", type = "field", like = "terrain", doc = "Of the bed at the surface, 0 soft to 1 hard, for erosion" },
    { name = "bed", type = "field", like = "terrain", doc = "A number for each bed, 0 to 1, for colours" },
  },
  kernel = [[
#include "lib/noise.glsl"

float of_bed(float k, uint which)
{
    return hash_unit(hash(uint(int(k)) + hash(params.seed + which)));
}

/* Where bed k begins, counted in beds of the average thickness. */
float bottom_of(float k)
{
    return k + params.variation * 0.9 * (of_bed(k, 1u) - 0.5);
}

/* Every second bed is hard, more or less. */
float hardness_of(float k)
{
    float chance = of_bed(k, 2u);
    return mod(k, 2.0) < 0.5 ? 0.35 * chance : 1.0 - 0.45 * chance;
}

/* How far the beds lie above where they would lie level, in metres. */
float lie(vec2 place)
{
    float angle = radians(params.direction);
    float along = dot(place, vec2(sin(angle), -cos(angle)));
    return params.folding * gradient_fbm(place / params.feature, 4, params.seed) - tan(radians(params.dip)) * along;
}

/* From 0..1 to 0..1. A hard bed is a cliff above a bench that the soft one below it leaves. */
float worn(float t, float hardness)
{
    return mix(t, smoothstep(0.35, 0.65, t), hardness) + (1.0 - hardness) * 0.25 * t * (t - 1.0);
}

void cell(ivec2 p)
{
    float h = terrain_at(p), level = lie(oro_position(p));
    float u = (h - level) / params.thickness, k = floor(u);
    if (u < bottom_of(k))
        k -= 1.0;
    else if (u >= bottom_of(k + 1.0))
        k += 1.0;
    float bottom = bottom_of(k), height = bottom_of(k + 1.0) - bottom;
    float hard = hardness_of(k), t = (u - bottom) / height;
    float thin = t * 5.0, lamina = (floor(thin) + smoothstep(0.3, 0.7, fract(thin))) / 5.0;
    float bent = worn(mix(t, lamina, params.laminae), hard);
    set_terrain(p, h + strength_at(p) * params.thickness * height * (bent - t));
    set_hardness(p, hard);
    set_bed(p, of_bed(k, 3u));
}
]],
}
