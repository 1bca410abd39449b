-- Sand that the wind has piled up.
return {
  id = "dunes",
  category = "generator",
  doc = "Dunes across the wind: a gentle slope that the wind blows up, a crest, and behind it a slip face at the angle "
    .. "at which sand comes to rest, whatever the size and the course of the dune.",
  inputs = {
    { name = "terrain", type = "field", unit = "m", optional = true, doc = "Ground to lie on; level without one" },
    { name = "spacing", type = "float", default = 180, min = 1, max = 1e5, soft_min = 20, soft_max = 2000, unit = "m",
      group = "Dunes", doc = "From crest to crest" },
    { name = "height", type = "float", map = true, default = 22, min = 0, max = 5000, soft_max = 200, unit = "m", group = "Dunes",
      doc = "Of the highest: link a map of how much sand there is, and bare ground shows where it is 0" },
    { name = "wind", type = "float", default = 250, min = -360, max = 360, soft_min = 0, unit = "deg", group = "Wind",
      doc = "Compass direction that the wind comes from: 270 is the west" },
    { name = "sinuosity", type = "float", default = 0.6, min = 0, max = 1, group = "Dunes",
      doc = "How far crests wind: 0 for straight ones, 1 for crescents" },
    { name = "variety", type = "float", default = 0.7, min = 0, max = 1, group = "Dunes", doc = "How much heights differ" },
    { name = "repose", label = "Slip face", type = "float", default = 33, min = 10, max = 60, unit = "deg", group = "Dunes",
      doc = "Steepness of the lee side: dry sand has 33 degrees" },
    { name = "ripples", type = "float", default = 0.25, min = 0, max = 1, group = "Dunes",
      doc = "Small dunes on the backs of the large ones" },
    { name = "seed", type = "seed" },
    { name = "mask", type = "mask" },
  },
  outputs = {
    { name = "terrain", type = "field", unit = "m", like = "terrain" },
    { name = "slip", type = "field", like = "terrain", doc = "1 on slip faces" },
  },
  kernel = [[
#include "lib/noise.glsl"

/* Dunes at a place, x along the wind and y across it: height, and whether it is a slip face. */
vec2 dunes(vec2 at, float spacing, float height, uint seed)
{
    if (height <= 0.0)
        return vec2(0.0);
    /* Crests wind by noise, and its derivative tells how much closer together that brings them. */
    vec2 broad = vec2(0.35, 0.28) / spacing, fine = 2.3 * broad;
    vec3 a = gradient_noise_slope(ivec2(0), at * broad, seed), b = gradient_noise_slope(ivec2(0), at * fine, seed + 1u);
    float wind = params.sinuosity * 1.1, phase = at.x / spacing + wind * (a.x + 0.3 * b.x);
    vec2 change = vec2(1.0 / spacing, 0.0) + wind * (a.yz * broad + 0.3 * b.yz * fine);
    float low = gradient_noise(at / spacing * vec2(0.4, 0.55) + 31.7, seed + 2u);
    float top = height * mix(1.0, smoothstep(-0.75, 0.55, low), params.variety);
    /* The part of the way to the next crest that the slip face takes. */
    float face = min(top * length(change) / tan(radians(params.repose)), 0.6);
    float t = fract(phase);
    if (t > 1.0 - face)
        return vec2(top * (1.0 - t) / max(face, 1e-6), smoothstep(0.02, 0.1, top / height));
    float u = t / (1.0 - face);
    return vec2(top * u * mix(u * (2.0 - u), 1.0, 0.15), 0.0);
}

void cell(ivec2 p)
{
    float angle = radians(params.wind);
    vec2 towards = vec2(-sin(angle), cos(angle)), place = oro_position(p);
    vec2 at = vec2(dot(place, towards), dot(place, vec2(-towards.y, towards.x)));
    vec2 large = dunes(at, params.spacing, height_at(p), params.seed);
    vec2 small = dunes(at, params.spacing / 6.3, height_at(p) / 9.0, params.seed + 7u);
#if HAS_TERRAIN
    float ground = terrain_at(p);
#else
    float ground = 0.0;
#endif
    set_terrain(p, ground + large.x + params.ripples * (1.0 - large.y) * small.x);
    set_slip(p, large.y);
}
]],
}
