// A part of a terrain that is drained by parts (nodes/flow/drainage_patch.h): `grid` is that of the part.

const uint NO_EXIT = 8u;

const int NORTH = 1, EAST = 2, SOUTH = 4, WEST = 8;

// Whether a cell lies along one of these sides of the part.
bool on_side(ivec2 p, int sides)
{
    return ((sides & NORTH) != 0 && p.y == 0) || ((sides & EAST) != 0 && p.x == grid.size.x - 1) ||
           ((sides & SOUTH) != 0 && p.y == grid.size.y - 1) || ((sides & WEST) != 0 && p.x == 0);
}

bool on_edge(ivec2 p)
{
    return on_side(p, NORTH | EAST | SOUTH | WEST);
}

// The place of a cell at the edge in lists of such cells: the northern and the southern row, then the columns.
int edge_index(ivec2 p)
{
    return p.y == 0                 ? p.x
           : p.y == grid.size.y - 1 ? grid.size.x + p.x
           : p.x == 0               ? 2 * grid.size.x + p.y
                                    : 2 * grid.size.x + grid.size.y + p.y;
}

// The place of a cell around the part in the list of those: the row to the north and the one to the south, with their
// corners, then the columns.
int ring_index(ivec2 p)
{
    int row = grid.size.x + 2;
    return p.y < 0              ? p.x + 1
           : p.y >= grid.size.y ? row + p.x + 1
           : p.x < 0            ? 2 * row + p.y
                                : 2 * row + grid.size.y + p.y;
}
