// What a group shares while it steps a tile of cells (hydraulic_erosion.comp): the patch, which is the tile with two rings.
// What neighbours have to agree on is worked out once per pipe, and once per cell that gives, so that both get the same number.

const int COLUMNS = int(gl_WorkGroupSize.x), ROWS = int(gl_WorkGroupSize.y);
const int GROUP = COLUMNS * ROWS;
const int EAST = 1, SOUTH = COLUMNS + 4; // to the neighbour in the patch: the tile with two rings
const int PATCH = SOUTH * (ROWS + 4);
const int OUTSIDE = 3 << 29; // beyond all counts: ground of cells outside: nothing slides there; their surface where nothing flows
const float DIAGONAL = 1.41421356;

shared int ground[PATCH];        // elevation
shared int surface[PATCH];       // of the water, somewhat ahead of time
shared float pipe[PIPES][PATCH]; // flux to E, S, SE, SW before the giving cell sets its bounds
shared vec2 giving[PATCH];       // what becomes of the fluxes out of a cell; share of its water that is sediment
shared vec2 sliding[PATCH];      // what slides out of a cell per step of drop; least drop at which it does
#if HAS_MASK == 1
shared float strength[PATCH]; // of the mask
#endif

const int NEIGHBOURS[8] = int[8](EAST, SOUTH, -EAST, -SOUTH, SOUTH + EAST, SOUTH - EAST, -SOUTH - EAST, -SOUTH + EAST);

