// Level ground (terrain/drainage/flats.h has the rules): fields over the cells of flats. walls[] is 0 where a cell is no flat.
#include "lib/hash.glsl"
#include "lib/routing.glsl"

const uint COST_LEAST = 2u, COST_CHANCE = 8u, WALL_REACH = 12u, WALL_MOST = 255u;
const uint FLAT_LONGEST = 0x7fffffffu;

uint chance_at(ivec2 p)
{
    return hash(uint(p.x) + hash(uint(p.y)));
}

uint cost_at(ivec2 p, uint wall)
{
    return COST_LEAST + (chance_at(p) >> 24u) % COST_CHANCE + WALL_REACH - min(wall, WALL_REACH);
}

uint key_at(ivec2 p, uint wall)
{
    return (WALL_MOST - min(wall, WALL_MOST)) << 24u | (chance_at(p) & 0xffffffu);
}

// The way of a cell by a neighbour in the direction d that has a way.
uint way_by(uint there, ivec2 d, uint cost)
{
    return there > FLAT_LONGEST ? NONE : there + (d.x != 0 && d.y != 0 ? 7u : 5u) * cost;
}
