// The drainage tree by tiles of TILE x TILE cells. What travels along the tree goes through each tile in shared memory
// (flow/drainage_tree_tile.comp), and from tile to tile by pointer doubling over the cells of their rims alone, where ways
// come in (flow/drainage_tree_rim_*.comp). Those have slots, RIM for each tile.
#include "lib/routing.glsl"

const int TILE = 32;
const int RIM = 4 * TILE;

bool on_rim(ivec2 at) // in the tile
{
    return any(equal(at, ivec2(0))) || any(equal(at, ivec2(TILE - 1)));
}

// The slot of a cell on a rim.
uint slot_of(ivec2 p)
{
    ivec2 tile = p / TILE, at = p - tile * TILE;
    int columns = (grid.size.x + TILE - 1) / TILE;
    int side = at.y == 0 ? 0 : at.y == TILE - 1 ? 1 : at.x == 0 ? 2 : 3;
    return uint((tile.y * columns + tile.x) * RIM + side * TILE + (side < 2 ? at.x : at.y));
}

// The slot of an invocation, where each has one.
uint own_slot()
{
    ivec2 p = oro_cell();
    return uint(p.y * ((grid.size.x + TILE - 1) / TILE) * RIM + p.x);
}
