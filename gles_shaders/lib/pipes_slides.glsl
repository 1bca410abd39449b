// Slides: ground above the talus angle moves to lower neighbours, in pipes as water does (Jako 2011, eq. 17 and 18).

float talus_tangent(ivec2 q, float softness)
{
    return (1.0 - softness) * params.talus_hardness + guarded(talus_bias_at(q));
}

// Eq. 17 and 18: half of the greatest drop slides, to all neighbours below the talus angle, in proportion to their drops.
vec2 ground_sliding(int i, ivec2 q, float softness)
{
    const float most = 0.2; // of the drop: eight neighbours may give to one cell
    float greatest = 0.0, talus = talus_tangent(q, softness) * pass.drop;
    vec2 sums = vec2(0.0);
    for (int k = 0; k < 8; k += 4) {
        vec4 drops = vec4(ivec4(ground[i]) - ivec4(ground[i + NEIGHBOURS[k]], ground[i + NEIGHBOURS[k + 1]],
                                                   ground[i + NEIGHBOURS[k + 2]], ground[i + NEIGHBOURS[k + 3]]));
        vec4 counted = mix(vec4(0.0), drops, greaterThan(drops, vec4(k == 0 ? talus : DIAGONAL * talus)));
        greatest = max(greatest, max(max(drops.x, drops.z), max(drops.y, drops.w)));
        sums += vec2(counted.x + counted.z, counted.y + counted.w);
    }
    float sum = sums.x + sums.y;
    float share = min(pass.slides * guarded(slide_rate_at(q)) * softness, most);
    return vec2(sum > 0.0 ? 0.5 * share * greatest / sum : 0.0, talus);
}

// How much slides from a cell to a neighbour, positive or negative.
int slid(int i, int to, float distance)
{
    int drop = ground[i] - ground[to];
    int giver = drop > 0 ? i : to;
#if HAS_MASK == 1
    float share = SLIDING(giver) * min(strength[i], strength[to]);
#else
    float share = SLIDING(giver) * params.mask;
#endif
    return abs(float(drop)) > STABLE(giver) * distance ? int(float(drop) * share) : 0;
}

int slid_away(int i)
{
    int lost = slid(i, i + EAST, 1.0) + slid(i, i + SOUTH, 1.0) + slid(i, i - EAST, 1.0) + slid(i, i - SOUTH, 1.0);
    for (int k = 4; k < 8; k++)
        lost += slid(i, i + NEIGHBOURS[k], DIAGONAL);
    return lost;
}
