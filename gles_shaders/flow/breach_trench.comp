// How deep a cell lies below the lower of two opposite neighbours, along the worst of the four directions: a trench one
// cell wide. What it was before the change does not count.

float depth_between(float here, float one, float other)
{
    return min(one, other) - here;
}

float deepest(float here, float around[8])
{
    float most = depth_between(here, around[0], around[7]);
    for (int k = 1; k < 4; k++)
        most = max(most, depth_between(here, around[k], around[7 - k]));
    return max(most, 0.0);
}

void main()
{
    ivec2 p = oro_cell();
    if (!oro_inside(p))
        return;
    int i = oro_index(p);
    bool border = any(equal(p, ivec2(0))) || any(equal(p, grid.size - 1));
    trench[i] = 0.0;
    if (border || after[i] == before[i])
        return;
    float was[8], now[8];
    for (int k = 0; k < 8; k++) {
        int at = k < 4 ? k : k + 1;
        ivec2 q = p + ivec2(at % 3, at / 3) - 1;
        was[k] = before[oro_index(q)];
        now[k] = after[oro_index(q)];
    }
    trench[i] = max(deepest(after[i], now) - deepest(before[i], was), 0.0);
}
