-- A map in colours.
return {
  id = "elevation_ramp",
  category = "view",
  doc = "Paints a terrain as maps do: colours by elevation, a sea, contour lines, and a little light.",
  inputs = {
    { name = "terrain", type = "field", unit = "m", doc = "Elevation to show" },
    { name = "colours", type = "gradient", default = "0 #3f6b45, 0.25 #9aa860, 0.5 #d9c38a, 0.75 #a8785a, 1 #f4f2ee",
      doc = "From the lowest ground (0) to the highest (1)" },
    { name = "low", type = "float", default = 0, min = -1e5, max = 1e5, soft_min = -1000, soft_max = 4000, unit = "m",
      doc = "Elevation of the first colour" },
    { name = "high", type = "float", default = 2000, min = -1e5, max = 1e5, soft_min = 100, soft_max = 8000, unit = "m",
      doc = "Elevation of the last" },
    { name = "sea", type = "bool", default = true, group = "Sea", doc = "Whether there is one below elevation 0" },
    { name = "sea_colour", type = "colour", default = "#4a7a9a", group = "Sea", doc = "Of shallow water; deep water is darker" },
    { name = "contours", type = "float", default = 100, min = 0, max = 1e4, soft_max = 500, unit = "m", group = "Lines",
      doc = "From one contour line to the next: 0 for none" },
    { name = "light", type = "choice", choices = { "north_west", "slope", "none" }, group = "Light",
      doc = "north_west: as if lit from there. slope: the steeper, the darker. none: colours alone" },
    { name = "shading", type = "float", default = 0.8, min = 0, max = 1, group = "Light", doc = "Strength of that" },
  },
  outputs = {
    { name = "image", type = "image", like = "terrain", doc = "The map" },
  },
  kernel = [[
#include "lib/terrain.glsl"

vec3 land(float h)
{
    float at = gradient_colours((h - params.low) / max(params.high - params.low, 1e-3));
    int stop = int(floor(at));
    return mix(stop_colours(stop).rgb, stop_colours(stop + 1).rgb, fract(at));
}

float light(vec2 slope)
{
    if (params.light == LIGHT_NORTH_WEST)
        return 0.35 + 0.92 * dot(normalize(vec3(-slope, 1.0)), vec3(-0.5, -0.5, 0.7071));
    return params.light == LIGHT_SLOPE ? 1.1 - 0.9 * length(slope) / (1.0 + length(slope)) : 1.0;
}

/* 1 on a line that is about a cell wide, whatever the slope; every fifth is twice as strong. */
float contour(float h, vec2 slope)
{
    float lines = h / params.contours, apart = length(slope) * grid.cell / params.contours;
    float away = abs(lines - round(lines)) / max(apart, 1e-6);
    float bold = mod(round(lines), 5.0) < 0.5 ? 1.0 : 0.5;
    return apart > 0.35 ? 0.0 : bold * (1.0 - smoothstep(0.3, 0.9, away));
}

void cell(ivec2 p)
{
    float h = terrain_at(p);
    vec2 slope = gradient(p);
    bool wet = params.sea && h < 0.0;
    vec3 colour = wet ? params.sea_colour.rgb * mix(0.55, 1.0, exp(h / 250.0)) : land(h);
    colour *= mix(1.0, clamp(light(slope), 0.0, 1.3), wet ? 0.25 * params.shading : params.shading);
    if (params.contours > 0.0)
        colour *= 1.0 - 0.35 * contour(h, slope);
    set_image(p, vec4(min(colour, vec3(1.0)), 1.0));
}
]],
}
