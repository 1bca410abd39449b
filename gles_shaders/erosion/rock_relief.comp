// Amplitude of the detail that a block should have, and the slope around it (docs/realism.md). In real elevation data the
// root mean square of what lies below the resolution goes with the narrowest forms that are still seen at the place, and is
// more where slopes are steep, where these forms are not much weaker around than the next wider ones, and on crests; valley
// floors have less.
const int REACH = 5;
const float AROUND = 2.0, NEAR = 0.75; // standard deviations: what counts as around a block, and as its place
const float SHARE = 0.69;             // for a doubling of the resolution
const float SHARE_MADE = 0.71;        // of forms that were made so
const float STEEP = 0.31;             // power of the fall over a block, where that of the narrowest forms is 1 - STEEP
const float TYPICAL = 0.51;           // strength of the narrowest forms relative to the next wider ones
const float TREND = 1.0;              // how far the ratio of both continues
const float HOLLOW = 0.41;            // octaves less for each typical depth below the surroundings
const float LEAST = 0.05;             // of the fall over a block: ground may be smooth because somebody drew it so

float power(float base, float exponent)
{
    return exp2(exponent * log2(max(base, 1e-15)));
}

// In typical depths, where forms of the place are `size` high.
float depth_below(ivec2 p, float size)
{
    return clamp(1.3 * forms[oro_index(p)].w / max(size, 1e-6), -1.5, 2.0);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec3 around = vec3(0.0);
    vec2 near = vec2(0.0);
    float total = 0.0, near_total = 0.0;
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            ivec2 q = p + ivec2(x, y);
            if (!oro_inside(q))
                continue;
            float squared = float(x * x + y * y);
            float weight = exp(squared / (-2.0 * AROUND * AROUND)), near_weight = exp(squared / (-2.0 * NEAR * NEAR));
            vec3 here = forms[oro_index(q)].xyz;
            around += weight * here;
            near += near_weight * here.xz;
            total += weight;
            near_total += near_weight;
        }
    around /= total;
    near /= near_total;
    float small = sqrt(around.x), form = sqrt(around.y);
    float trend = params.made ? 1.0 : clamp(small / max(TYPICAL * form, 1e-6), 0.5, 1.6);
    float expected = power(near.x, 0.5 * (1.0 - STEEP)) * power(near.y, STEEP) * power(trend, TREND);
    expected = max(expected, LEAST * near.y) * exp2(-HOLLOW * depth_below(p, small + form));
    relief[oro_index(p)] = vec2((params.made ? SHARE_MADE : SHARE) * expected, around.z / grid.cell);
}
