/* Colours of values, by the same rule as ed_map_scale_at. */
uniform sampler2D palettes;
uniform float palette_row;
uniform vec2 range;
uniform float zero_at;
uniform int logarithm;

float scale_at(float value)
{
    if (zero_at > 0.0) {
        if (value < 0.0)
            return max(zero_at * (1.0 - value / min(range.x, -1e-30)), 0.0);
        float from = max(range.x, 0.0);
        return clamp(zero_at + (1.0 - zero_at) * (value - from) / max(range.y - from, 1e-30), zero_at, 1.0);
    }
    if (logarithm != 0)
        return clamp(log(max(value, range.x) / range.x) / max(log(range.y / range.x), 1e-6), 0.0, 1.0);
    return clamp((value - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
}

vec3 palette_colour(float at)
{
    return texture(palettes, vec2((at * 255.0 + 0.5) / 256.0, palette_row)).rgb;
}
