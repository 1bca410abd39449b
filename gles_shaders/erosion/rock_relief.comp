// Amplitude of the detail that a block should have, and the slope around it (docs/realism.md). In real elevation data the
// root mean square of what lies below the resolution is nearly that of the narrowest forms that are still seen; it is more
// where these do not get much weaker from the next wider forms to them.
const int REACH = 5;
const float DEVIATION = 2.0;
const float SHARE = 0.665;    // of the narrowest forms, for a doubling of the resolution
const float SHARE_MADE = 1.2; // of forms that were made so: weaker than those of real ground
const float TYPICAL = 0.51;   // strength of the narrowest forms relative to the next wider ones
const float TREND = 1.5;      // how far the ratio of both continues
const float LEAST = 0.05;     // of the fall over a block: ground may be smooth because somebody drew it so

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec3 sum = vec3(0.0);
    float total = 0.0;
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            ivec2 q = p + ivec2(x, y);
            if (!oro_inside(q))
                continue;
            float weight = exp(float(x * x + y * y) / (-2.0 * DEVIATION * DEVIATION));
            sum += weight * forms[oro_index(q)].xyz;
            total += weight;
        }
    sum /= total;
    float small = sqrt(sum.x), form = sqrt(sum.y), fall = sum.z;
    float trend = params.made ? 1.0 : clamp(small / max(TYPICAL * form, 1e-6), 0.5, 1.6);
    float expected = max(small * pow(trend, TREND), LEAST * fall);
    relief[oro_index(p)] = vec2((params.made ? SHARE_MADE : SHARE) * expected, fall / grid.cell);
}
