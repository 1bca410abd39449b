/*
 * Ravines from Gabor noise (Grenier 2023). For kernels of a node with the inputs `epsilon`, `c`, `profile`, `curve`,
 * `lambda` (nodes/resolution/phasor.c), with `mean`, that of the profile, among the constants. Values come with their
 * gradient, as vec3: value, derivative east, derivative south.
 */
#include "lib/gabor.glsl"
#include "lib/phasor_profile.glsl"

/* Product of two values with gradient. */
vec3 phasor_times(vec3 a, vec3 b)
{
    return vec3(a.x * b.x, a.yz * b.x + a.x * b.yz);
}

/* Cross-section of a ravine over the phase: 0 in the bottom, 1 on the crest, at +-pi; with its derivative. */
vec2 phasor_profile(float phase)
{
    float x = abs(phase) / PHASOR_PI, side = (phase < 0.0 ? -1.0 : 1.0) / PHASOR_PI;
    if (params.profile == PROFILE_DRAWN) {
        int n = int(params.curve[0].z);
        for (int i = 1; i < n; i++) {
            vec2 a = params.curve[i - 1].xy, b = params.curve[i].xy;
            if (x >= a.x && x < b.x)
                return vec2(mix(a.y, b.y, (x - a.x) / (b.x - a.x)), side * (b.y - a.y) / (b.x - a.x));
        }
        return vec2(profile_curve(x), 0.0);
    }
    return phasor_rounded(x, side);
}

/* What the field says about a place. */
struct phasor_look {
    vec3 height; /* H of eq. 8: 0 in bottoms, 1 on crests; its mean where ravines part and join */
    vec3 crest;  /* eq. 10: 0 on the lower slopes, 1 on crests. Fades where there is no phase */
};

/* Gradients are per cell, as the field's are. Where the field is 0 and all phases meet, the surface is a steep cone,
 * far smaller than a cell: the slope at `nearest` cells from its tip stands for what is nearer. */
phasor_look phasor_transfer(gabor_field field, float nearest)
{
    float size = length(field.value);
    phasor_look look = phasor_look(vec3(pass.mean, 0.0, 0.0), vec3(0.0));
    if (!(size > 1e-9))
        return look;
    vec2 unit = field.value / size;
    float aside = max(size, nearest * length(vec4(field.east, field.south)));
    float phase = atan(unit.y, unit.x);
    vec2 ahead = vec2(-unit.y, unit.x);
    vec2 growth = vec2(dot(unit, field.east), dot(unit, field.south));           /* gradient of |G| */
    vec2 advance = vec2(dot(ahead, field.east), dot(ahead, field.south)) / aside; /* and of the phase */
    vec3 certain = vec3(phasor_certain(size, growth).x, phasor_certain(aside, growth).yz);
    vec2 profile = phasor_profile(phase);
    look.height += phasor_times(certain, vec3(profile.x - pass.mean, profile.y * advance));
    float t = clamp((abs(phase) - 0.25 * PHASOR_PI) / (0.5 * PHASOR_PI), 0.0, 1.0);
    float steep = 6.0 * t * (1.0 - t) / (0.5 * PHASOR_PI) * (phase < 0.0 ? -1.0 : 1.0);
    look.crest = phasor_times(certain, vec3(t * t * (3.0 - 2.0 * t), steep * advance));
    return look;
}

/* Adds a level of ravines, `amplitude` deep, to the detail, and leaves the amplitude of the next: eq. 1, 2 and 16.
 * Their mean is taken off, so that no volume is added; the next level still vanishes in the bottoms of this. */
void phasor_add(phasor_look look, inout vec3 amplitude, inout vec3 detail)
{
    detail += phasor_times(amplitude, look.height - vec3(pass.mean, 0.0, 0.0));
    amplitude = params.lambda * phasor_times(amplitude, look.height);
}
