/* Steps. Heights above the beds' datum are counted in steps: step k is from border(k) to border(k + 1). */
#include "lib/noise_layers.glsl"

const int OCTAVES = 5;

/* A number of step k alone, 0..1. */
float of_step(float k, uint which)
{
    return hash_unit(hash(uint(int(k)) + hash(params.seed + which)));
}

/* Steps that differ are at least a tenth as high as those that do not. */
float border(float k)
{
    return k + (1.0 - params.uniformity) * 0.9 * (of_step(k, 1u) - 0.5);
}

/* How far the beds lie above level ones, in metres. Tilted beds turn about the world's north-west corner, where all of
 * them are level ones. */
float datum(ivec2 p)
{
    float angle = radians(params.direction), rough = roughness_at(p);
    float along = dot(oro_position(p), vec2(sin(angle), -cos(angle)));
    float bend = rough == 0.0 ? 0.0 : rough * layered_fbm(0, 1, OCTAVES, 0.5, vec2(p) + 0.5, hash(params.seed));
    return bend - tan(radians(params.tilt)) * along;
}

/* From 0..1 to 0..1: level at both ends, steepest at the riser, where two powers meet. A power of 1 changes nothing, an
 * infinite one makes a cliff. */
float sharpened(float t, float sharpness, float riser)
{
    if (sharpness <= 0.0)
        return t;
    if (sharpness >= 1.0)
        return t < riser || t == 0.0 ? 0.0 : 1.0;
    float power = 1.0 / (1.0 - sharpness);
    return t < riser ? riser * pow(t / riser, power) : 1.0 - (1.0 - riser) * pow((1.0 - t) / max(1.0 - riser, 1e-6), power);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    float h = terrain_at(p);
    float height = params.method == METHOD_COUNT ? pass.spacing : spacing_at(p);
    float u = height > 0.0 ? clamp((h - pass.low - datum(p)) / height, -1e8, 1e8) : 0.0;
    float k = floor(u);
    if (u < border(k))
        k -= 1.0;
    else if (u >= border(k + 1.0))
        k += 1.0;
    float bottom = border(k), size = border(k + 1.0) - bottom;
    float t = clamp((u - bottom) / size, 0.0, 1.0);
    float bent = profile_profile(sharpened(t, sharpness_at(p), riser_at(p)));
    set_terrain(p, h + height * size * (bent - t)); /* what is not bent keeps its bits */
    set_step(p, t);
    set_layer(p, of_step(k, 2u));
}
