// The drainage tree by tiles of TILE x TILE cells. What goes on within a tile does so in shared memory
// (flow/routing_tile.comp, flow/routing_forest.comp, flow/drainage_tree_tile.comp); what goes on from tile to tile needs the
// cells of their rims alone, where ways come in. Those have slots, RIM for each tile, and kernels over slots have an
// invocation for each.
#include "lib/routing.glsl"

const int TILE = 32;
const int RIM = 4 * TILE;
const uint STAYS = 0u; // the level of a component that is not joined to others, as what they are is not all known: below that of
                      // any saddle
const int HOPS = 3; // from slot to slot in a round over rims, which makes pointers reach four times as far

bool on_rim(ivec2 at) // in the tile
{
    return any(equal(at, ivec2(0))) || any(equal(at, ivec2(TILE - 1)));
}

// The slot of a cell on a rim, among those of its tile, and of the whole world's.
uint slot_in_tile(ivec2 at)
{
    int side = at.y == 0 ? 0 : at.y == TILE - 1 ? 1 : at.x == 0 ? 2 : 3;
    return uint(side * TILE + (side < 2 ? at.x : at.y));
}

uint first_slot(ivec2 tile)
{
    return uint((tile.y * ((grid.size.x + TILE - 1) / TILE) + tile.x) * RIM);
}

uint slot_of(ivec2 p)
{
    ivec2 tile = p / TILE;
    return first_slot(tile) + slot_in_tile(p - tile * TILE);
}

// The slot of an invocation, where each has one, and its cell. Some have none: theirs is outside of the world.
uint own_slot()
{
    ivec2 p = oro_cell();
    return first_slot(ivec2(0, p.y)) + uint(p.x);
}

ivec2 own_slot_place()
{
    ivec2 p = oro_cell(), tile = ivec2(p.x / RIM, p.y);
    int side = p.x % RIM / TILE, along = p.x % TILE;
    if (side >= 2 && (along == 0 || along == TILE - 1))
        return ivec2(-1);
    int across = side % 2 * (TILE - 1);
    return tile * TILE + (side < 2 ? ivec2(along, across) : ivec2(across, along));
}

// Kernels within a tile have a work group for each, and STRIP cells for each invocation.
const int ROWS = int(gl_WorkGroupSize.y);
const int STRIP = TILE / ROWS;

ivec2 corner()
{
    return oro_group() * TILE;
}

// Cell j of the invocation, in the tile.
ivec2 own(int j)
{
    return ivec2(gl_LocalInvocationID.xy) + ivec2(0, j * ROWS);
}

int place_in_tile(ivec2 at)
{
    return at.y * TILE + at.x;
}

int place(int j)
{
    return place_in_tile(own(j));
}

bool in_tile(ivec2 at)
{
    return all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, ivec2(TILE)));
}
