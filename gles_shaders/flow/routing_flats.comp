// A field of flats (FIELD: walls, ways to what is open, sinks of what is closed, ways to these as well): every cell is lowered
// by its neighbours, within a tile until nothing changes there. The flag stays up until nothing changes anywhere. Others may
// lower cells beyond the tile meanwhile: then theirs is up.
#include "lib/flats.glsl"
#include "lib/steps.glsl"
#include "lib/tiles.glsl"

#define WALL 0
#define OPEN 1
#define SINK 2
#define WAY 3

const int WIDE = TILE + 2; // with the cells around
const int ROUNDS = 256;

shared float height[WIDE * WIDE];
shared uint value[WIDE * WIDE];
shared bool going[ROUNDS + 1];

uint cost[STRIP];
bool flat_cell[STRIP];

int wide_place(ivec2 at)
{
    return (at.y + 1) * WIDE + at.x + 1;
}

// Of cells that are no flats: what flats get from them.
uint value_at(ivec2 p)
{
    uint cell = cell_number(p);
#if FIELD == WALL
    return walls[cell] == 0u ? NONE : walls[cell];
#elif FIELD == SINK
    return sinks[cell];
#else
    return ways[cell];
#endif
}

void load()
{
    int size = int(gl_WorkGroupSize.x) * ROWS;
    for (int i = int(gl_LocalInvocationIndex); i < WIDE * WIDE; i += size) {
        ivec2 p = corner() + ivec2(i % WIDE, i / WIDE) - 1;
        bool inside = oro_inside(p);
        height[i] = inside ? plain_height(z[oro_index(p)]) : uintBitsToFloat(0x7f800000u);
        value[i] = inside ? value_at(p) : NONE;
    }
    for (int i = int(gl_LocalInvocationIndex); i <= ROUNDS; i += size)
        going[i] = false;
}

// What own cells have of themselves.
void start_own(int j)
{
    ivec2 p = corner() + own(j);
    cost[j] = 0u;
    flat_cell[j] = oro_inside(p) && walls[cell_number(p)] != 0u;
    if (!flat_cell[j])
        return;
    uint wall = walls[cell_number(p)];
    cost[j] = cost_at(p, wall);
#if FIELD == SINK
    flat_cell[j] = ways[cell_number(p)] == NONE;
    if (flat_cell[j] && value[wide_place(own(j))] == NONE) {
        value[wide_place(own(j))] = key_at(p, wall);
        going[ROUNDS] = true;
    }
#elif FIELD == WAY
    if (value[wide_place(own(j))] == NONE && sinks[cell_number(p)] == key_at(p, wall)) {
        value[wide_place(own(j))] = 0u;
        going[ROUNDS] = true;
    }
#endif
}

uint by_neighbour(int j, ivec2 d)
{
    int here = wide_place(own(j)), there = wide_place(own(j) + d);
    uint with = value[there];
    if (height[there] != height[here] || with == NONE)
        return NONE;
#if FIELD == WALL
    return with + 1u;
#elif FIELD == SINK
    return with;
#else
    return way_by(with, d, cost[j]);
#endif
}

void lower(int j, int round)
{
    int here = wide_place(own(j));
    uint least = value[here];
    for (int k = 0; k < 9; k++)
        if (k != 4)
            least = min(least, by_neighbour(j, ivec2(k % 3, k / 3) - 1));
    if (least >= value[here])
        return;
    value[here] = least;
    going[round] = true;
    going[ROUNDS] = true;
}

void give(int j)
{
    uint cell = cell_number(corner() + own(j));
#if FIELD == WALL
    walls[cell] = value[wide_place(own(j))];
#elif FIELD == SINK
    sinks[cell] = value[wide_place(own(j))];
#else
    ways[cell] = value[wide_place(own(j))];
#endif
}

void main()
{
    load();
    barrier();
    for (int j = 0; j < STRIP; j++)
        start_own(j);
    barrier();
    bool more = true;
    for (int round = 0; round < ROUNDS && more; round++) {
        for (int j = 0; j < STRIP; j++)
            if (flat_cell[j])
                lower(j, round);
        barrier();
        more = going[round];
    }
    if (!going[ROUNDS])
        return;
    for (int j = 0; j < STRIP; j++)
        if (flat_cell[j])
            give(j);
    if (gl_LocalInvocationIndex == 0u)
        flags[int(pass.flag)] = 1u;
}
