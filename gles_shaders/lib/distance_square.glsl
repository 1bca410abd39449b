/*
 * Squares of distances in cells, up to those across the largest grids (ORO_GRID_MAX): 35 bits, in two words with the
 * lower one first.
 */

uvec2 distance_square(ivec2 away)
{
    uvec2 high, low;
    umulExtended(uvec2(abs(away)), uvec2(abs(away)), high, low);
    uint carry, sum = uaddCarry(low.x, low.y, carry);
    return uvec2(sum, high.x + high.y + carry);
}

bool is_nearer(uvec2 a, uvec2 b)
{
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

/* Rounded once: both parts are exact. */
float distance_square_value(uvec2 square)
{
    return float(square.y << 16u | square.x >> 16u) * 65536.0 + float(square.x & 0xffffu);
}
