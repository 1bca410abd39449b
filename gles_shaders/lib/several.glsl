// Several iterations in one dispatch, for small grids, where a dispatch takes longer than what it computes. A group handles
// a tile that is wider than what it writes, SIDE cells a side, by what TIMES iterations reach, REACH cells each. Around the
// cells that are written, the cells that an iteration has to compute get fewer from one to the next. The group's invocations
// are spread over them anew each time, a strip of STRIP cells below each other for each. nodes/lib/simulation.c chooses
// the numbers, and makes as many invocations as the first iteration has strips.
const int MARGIN = (REACH * TIMES - 1 + STRIP - 1) / STRIP * STRIP; // so that strips are aligned with the grid
const int TILE = SIDE + 2 * MARGIN;

ivec2 strip_at; // of this invocation, in the tile
bool has_strip;

ivec2 tile_corner()
{
    return oro_group() * SIDE - MARGIN;
}

// The first cell of the invocation's strip, in the tile.
ivec2 strip_start()
{
    return strip_at;
}

// Cell j of the strip, in the grid.
ivec2 strip_cell(int j)
{
    return tile_corner() + strip_start() + ivec2(0, j);
}

// Gives the invocation its strip for an iteration that is followed by `left` - 1 others, if there is one for it.
void choose_strip(int left)
{
    int beyond = REACH * left - 1, beyond_rows = (beyond + STRIP - 1) / STRIP;
    int columns = SIDE + 2 * beyond, rows = SIDE / STRIP + 2 * beyond_rows, i = int(gl_LocalInvocationIndex);
    int row = int((float(i) + 0.5) / float(columns));
    strip_at = MARGIN + ivec2(i - row * columns - beyond, (row - beyond_rows) * STRIP);
    has_strip = row < rows;
}

// Whether a cell, in the grid, is one that the group writes.
bool is_written(ivec2 p)
{
    ivec2 at = p - oro_group() * SIDE;
    return all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, ivec2(SIDE))) && oro_inside(p);
}
