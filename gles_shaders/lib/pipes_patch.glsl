// What a group shares while it steps a tile of cells (hydraulic_erosion.comp): the patch, which is the tile with the rings of
// cells around it that TIMES iterations reach. What neighbours have to agree on is worked out once per pipe, and once per cell
// that gives, so that both get the same number.
//
// An invocation keeps a cell of its own, in the tile or, where there are several iterations, so many rings around it as the
// following ones reach. Some have a cell of the two rings beyond, too, for the first iteration.
#ifndef TIMES
#define TIMES 1
const int COLUMNS = int(gl_WorkGroupSize.x), ROWS = int(gl_WorkGroupSize.y);
#endif
#if TIMES == 1
#define ITERATIONS 1
#else
#define ITERATIONS int(pass.times)
#endif
const int BEYOND = 2, OWN = 2 * (TIMES - 1), MARGIN = OWN + BEYOND;
const int OWN_COLUMNS = COLUMNS + 2 * OWN, OWN_ROWS = ROWS + 2 * OWN;
const int EAST = 1, SOUTH = COLUMNS + 2 * MARGIN; // to the neighbour in the patch
const int PATCH_ROWS = ROWS + 2 * MARGIN, PATCH = SOUTH * PATCH_ROWS;
const int FIRST_RING = 2 * (OWN_COLUMNS + OWN_ROWS) + 4; // cells of the first ring beyond those that are kept
const int RINGS = PATCH - OWN_COLUMNS * OWN_ROWS;        // and of both
const int OUTSIDE = 3 << 29; // beyond all counts: ground of cells outside: nothing slides there; their surface where nothing flows

// How many groups a multiprocessor runs at a time depends on the size of this. So what is no longer needed gives its place to
// what comes next: the surface to what slides, and that to what flows.
shared int ground[PATCH];        // elevation
shared float pipe[PIPES][PATCH]; // flux to E, S, SE, SW before the giving cell sets its bounds
shared int places[PATCH];
shared float others[PATCH];
#if HAS_MASK == 1
shared float strength[PATCH]; // of the mask
#endif

// First: the surface of the water, somewhat ahead of time.
#define SURFACE(i) places[i]
// Second: the share of a cell's ground that slides at a time; the drop per cell width that is stable.
#define SLIDING(i) intBitsToFloat(places[i])
#define STABLE(i) others[i]
// Third: what becomes of the fluxes out of a cell; the share of its water that is sediment.
#define LEFT(i) intBitsToFloat(places[i])
#define LOAD(i) others[i]

ivec2 patch_corner() // in the grid
{
    return oro_group() * ivec2(COLUMNS, ROWS) - MARGIN;
}

int patch_index(ivec2 at)
{
    return at.y * SOUTH + at.x;
}

// Where in the patch the invocation's own cell is.
ivec2 own_place()
{
    int i = int(gl_LocalInvocationIndex);
    return ivec2(i % OWN_COLUMNS, i / OWN_COLUMNS) + BEYOND;
}

// The same for cell `i` of the rings beyond, the inner ring first.
ivec2 place_beyond(int i)
{
    int ring = i < FIRST_RING ? 1 : 2, columns = OWN_COLUMNS + 2 * ring;
    i -= i < FIRST_RING ? 0 : FIRST_RING;
    ivec2 at = i < columns ? ivec2(i, 0) : ivec2(i - columns, OWN_ROWS + 2 * ring - 1);
    if (i >= 2 * columns)
        at = ivec2((i & 1) * (columns - 1), (i >> 1) - columns + 1);
    return at + BEYOND - ring;
}
