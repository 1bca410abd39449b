/*
 * Integer hashes for procedural patterns: one step of a linear congruential generator and the output permutation
 * RXS-M-XS of the PCG family (O'Neill 2014). Equal on every device: integers only.
 */
uint hash(uint x)
{
    uint state = x * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

uint hash(ivec2 cell, uint seed)
{
    return hash(uint(cell.x) + hash(uint(cell.y) + hash(seed)));
}

/* A hash as a number in [0, 1). */
float hash_unit(uint h)
{
    return float(h >> 8u) * (1.0 / 16777216.0);
}

/* A hash as a point of the unit square. */
vec2 hash_point(uint h)
{
    return vec2(float(h & 0xffffu), float(h >> 16u)) * (1.0 / 65536.0);
}
