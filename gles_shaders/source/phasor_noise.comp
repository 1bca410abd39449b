/* Phasor noise: a profile over the phase of the field (Tricard 2019; Grenier 2023, eq. 6 to 8). */
#define GABOR_BLOCKS
#include "lib/gabor_noise.glsl"
#include "lib/phasor_profile.glsl"

/* Height over the phase, which goes from -pi to pi with a wave. */
float profile_height(float phase)
{
    float aside = abs(phase) / PHASOR_PI;
    switch (params.profile) {
    case PROFILE_TRIANGLE:
        return 1.0 - 2.0 * aside;
    case PROFILE_SAWTOOTH:
        return phase / PHASOR_PI;
    case PROFILE_SQUARE:
        return aside < 0.5 ? 1.0 : -1.0;
    case PROFILE_ROUNDED:
        return phasor_rounded(1.0 - aside, -1.0).x;
    case PROFILE_DRAWN:
        return profile_curve(0.5 + 0.5 * phase / PHASOR_PI);
    default:
        return cos(phase);
    }
}

void main()
{
    ivec2 p = oro_cell();
    if (gabor_skips(p))
        return;
    vec2 value = gabor_level_in_block(0, int(pass.each), p).value;
#if GABOR_MIXED
    if (!oro_inside(p))
        return;
#endif
    float size = length(value);
    float phase = size > 1e-9 ? atan(value.y, value.x) : 0.0;
    float certain = phasor_certain(size, vec2(0.0)).x;
    set_field(p, gabor_height(p, certain * pass.scale * (profile_height(phase) - pass.mean)));
    set_phase(p, degrees(phase));
}
