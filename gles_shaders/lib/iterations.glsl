// Several iterations in one dispatch, for small grids, where a dispatch takes longer than what it computes. A group handles
// a tile: the cells that it writes, COLUMNS x ROWS, and around them as many as TIMES iterations reach, REACH each. From one
// iteration to the next there are fewer cells around those that are written for which it matters what they come to, and
// around these GIVERS rings of cells whose neighbours have to know what they give. The group's invocations can be spread
// over them anew each time, a strip of STRIP cells below each other for each. nodes/lib/simulation.c chooses the numbers,
// and makes as many invocations as the first iteration has strips.
const int AROUND = REACH * (TIMES - 1) + GIVERS + 1;
const ivec2 MARGIN = ivec2(AROUND, (AROUND + STRIP - 1) / STRIP * STRIP); // so that strips are aligned with the grid
const int TILE_COLUMNS = COLUMNS + 2 * MARGIN.x;
const int TILE_CELLS = TILE_COLUMNS * (ROWS + 2 * MARGIN.y);

// Arrays of a tile have room for the row above, and for that below: strips that are wider than what matters look there.
const int TILE_START = TILE_COLUMNS + 1;
const int TILE_CAPACITY = TILE_CELLS + 2 * TILE_START;

ivec2 strip_at; // of this invocation, in the tile
bool has_strip;

ivec2 tile_corner()
{
    return oro_group() * ivec2(COLUMNS, ROWS) - MARGIN;
}

// Cell `i` of TILE_CELLS, in the grid.
ivec2 tile_cell(int i)
{
    return tile_corner() + ivec2(i % TILE_COLUMNS, i / TILE_COLUMNS);
}

int tile_index(ivec2 at)
{
    return TILE_START + at.y * TILE_COLUMNS + at.x;
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
    int beyond = REACH * (left - 1) + GIVERS, strips_beyond = (beyond + STRIP - 1) / STRIP;
    int columns = COLUMNS + 2 * beyond, strips = ROWS / STRIP + 2 * strips_beyond, i = int(gl_LocalInvocationIndex);
    int row = int((float(i) + 0.5) / float(columns));
    strip_at = MARGIN + ivec2(i - row * columns - beyond, (row - strips_beyond) * STRIP);
    has_strip = row < strips;
}

// Whether a cell, in the grid, is one that the group writes.
bool is_written(ivec2 p)
{
    ivec2 at = p - tile_corner() - MARGIN;
    return all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, ivec2(COLUMNS, ROWS))) && oro_inside(p);
}
