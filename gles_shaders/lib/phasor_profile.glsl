/* How phasor noise makes heights of phases (Grenier 2023, eq. 6 and 7). For nodes with the inputs `epsilon` and `c`. */
const float PHASOR_PI = 3.14159265359;

/* Eq. 6: a triangle, rounded at the bottom. `x` from the bottom (0) to the crest (1), which changes by `change`: the
 * value, and what it changes by. */
vec2 phasor_rounded(float x, float change)
{
    float root = sqrt(params.epsilon), steep = 1.0 + 2.0 * root;
    float y = sqrt(steep * x * x + params.epsilon);
    return vec2(y - root, change * steep * x / max(y, 1e-6));
}

/* Eq. 7: how far the phase counts, 0 where the field is 0, with its gradient. `size`: |G|, which has the gradient
 * `growth`. */
vec3 phasor_certain(float size, vec2 growth)
{
    float reach = params.c * size;
    return vec3(2.0 / PHASOR_PI * atan(reach), 2.0 / PHASOR_PI * params.c / (1.0 + reach * reach) * growth);
}
