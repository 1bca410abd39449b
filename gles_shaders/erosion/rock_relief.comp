// Amplitude of the detail that a block should have, and the slope around it (docs/realism.md). In real elevation data the
// root mean square of what lies below the resolution is nearly that of the narrowest forms that are still seen, of those
// around, and half as much of those at the place itself; it is more where slopes are steep, and where the narrowest forms
// are not much weaker than the next wider ones.
const int REACH = 5;
const float DEVIATION = 2.0, NEAR_DEVIATION = 1.0;
const float SHARE = 0.60;     // for a doubling of the resolution
const float SHARE_MADE = 0.8; // of forms that were made so: weaker than those of real ground
const float HOLLOW = 0.3;    // what one typical depth below the surroundings halves it by, and height doubles it
const float STEEP = 0.35;      // power of the fall over a block; powers of all three add up to 1
const float NEAR = 0.6;       // power of the narrowest forms at the place
const float TYPICAL = 0.51;   // strength of the narrowest forms relative to the next wider ones
const float TREND = 1.0;      // how far the ratio of both continues
const float LEAST = 0.05;     // of the fall over a block: ground may be smooth because somebody drew it so

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    vec3 sum = vec3(0.0), near = vec3(0.0);
    float total = 0.0, near_total = 0.0;
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            ivec2 q = p + ivec2(x, y);
            if (!oro_inside(q))
                continue;
            float away = float(x * x + y * y);
            float weight = exp(away / (-2.0 * DEVIATION * DEVIATION));
            float near_weight = exp(away / (-2.0 * NEAR_DEVIATION * NEAR_DEVIATION));
            sum += weight * forms[oro_index(q)].xyz;
            near += near_weight * forms[oro_index(q)].xyz;
            total += weight;
            near_total += near_weight;
        }
    sum /= total;
    near /= near_total;
    float small = sqrt(sum.x), form = sqrt(sum.y), fall = sum.z;
    float trend = params.made ? 1.0 : clamp(small / max(TYPICAL * form, 1e-6), 0.5, 1.6);
    float here = exp2(0.5 * NEAR * log2(max(near.x, 1e-30)) + (1.0 - NEAR - STEEP) * log2(max(small, 1e-15)) +
                      STEEP * log2(max(near.z, 1e-15)));
    float below = clamp(1.3 * forms[oro_index(p)].w / max(small + form, 1e-6), -1.5, 2.0);
    float expected = max(here * pow(trend, TREND), LEAST * near.z) * exp2(-HOLLOW * below);
    relief[oro_index(p)] = vec2((params.made ? SHARE_MADE : SHARE) * expected, fall / grid.cell);
}
