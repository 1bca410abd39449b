// Flow routing, shared by every kernel that moves water or sediment downhill (Schott 2024, eq. 1 and 2; Holmgren 1994).
// Needs the slots `height` and `base` (the height at the start) and the literals params.flow_exponent and params.borders.
//
// The weight of the way from q to p is drop^P / (sum of drop^P over q's lower neighbours). Seen from both ends the
// numerator is the same; what a cell must know of its neighbours is (carried / sum), which the work group shares. The
// cell size cancels out.
//
// A group of TILE x GROUP_ROWS invocations handles a tile of TILE x TILE cells; each invocation handles a strip of
// STRIP cells below each other, whose heights and ways it keeps in registers, and at most one cell of the ring around
// the tile. Heights are read once into shared memory, with two rings around the tile, because what a neighbour gives
// depends on its neighbours in turn.
//
// With several iterations a dispatch (lib/iterations.glsl, lib/iterations_water.glsl) the rings are part of the tile, and
// invocations change their strips from one iteration to the next.
#include "lib/across.glsl"
#include "lib/border.glsl"

#ifdef TIMES
#define MANY_ITERATIONS 1
#include "lib/iterations.glsl"
const int ONE_TILE = 32; // side of the tiles of a dispatch with one iteration
const int PATCH = TILE_COLUMNS, PATCH_START = TILE_START, PATCH_CELLS = TILE_CAPACITY;
const int RING = TILE_COLUMNS, RING_START = TILE_START, RING_CELLS = TILE_CAPACITY;
#else
#define MANY_ITERATIONS 0
const int TILE = int(gl_WorkGroupSize.x);
const int GROUP_ROWS = int(gl_WorkGroupSize.y);
const int STRIP = TILE / GROUP_ROWS;
const int ONE_TILE = TILE;
const int RING = TILE + 2;  // the tile with one ring
const int PATCH = TILE + 4; // the tile with two
const int PATCH_START = 2 * PATCH + 2, PATCH_CELLS = PATCH * PATCH;
const int RING_START = RING + 1, RING_CELLS = RING * RING;

ivec2 tile_corner()
{
    return oro_group() * TILE;
}

// The first cell of the invocation's strip, in the tile.
ivec2 strip_start()
{
    return ivec2(gl_LocalInvocationID.x, int(gl_LocalInvocationID.y) * STRIP);
}

// Cell j of the strip, in the grid.
ivec2 strip_cell(int j)
{
    return tile_corner() + strip_start() + ivec2(0, j);
}
#endif

const int INVOCATIONS = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y);

shared float patch_height[PATCH_CELLS];
shared float ring_share[RING_CELLS * (1 + MANY_ITERATIONS)];

// Where cells of the tile are in these. One and the same form of the sum everywhere: with others beside it, a driver keeps
// what it has read in registers, and deposition takes a third longer.
#if MANY_ITERATIONS
int patch_index(ivec2 at)
{
    return PATCH_START + at.y * PATCH + at.x;
}

int ring_index(ivec2 at)
{
    return RING_START + at.y * RING + at.x;
}
#else
int patch_index(ivec2 at)
{
    return (at.y + 2) * PATCH + at.x + 2;
}

int ring_index(ivec2 at)
{
    return (at.y + 1) * RING + at.x + 1;
}
#endif

// The cell inside that is the mirror image of one outside, for walls: what flows along a wall and slantwise into it comes
// back from the image, and nothing is lost. Carried matter has to be mirrored as well as heights.
ivec2 mirrored(ivec2 q)
{
    ivec2 last = grid.size - 1, edge = clamp(q, ivec2(0), last);
    return clamp(2 * edge - q - sign(edge - q), ivec2(0), last);
}

#ifndef OUTSIDE_RISES // defined by kernels in which the ground beyond an open border rises with the border
#define OUTSIDE_RISES false
#endif

// Outside the grid the ground goes on from where it was at the start (slot `base`). With walls, it is mirrored there.
#ifdef HELD_BORDERS // borders that keep their height need no ground beyond
#define HELD 1
#else
#define HELD 0
float open_ground(ivec2 q, float edge_height)
{
    ivec2 edge = clamp(q, ivec2(0), grid.size - 1), inwards = sign(edge - q);
    float at_edge = base[oro_index(edge)];
    float next = base[oro_index(clamp(edge + inwards, ivec2(0), grid.size - 1))];
    float second = base[oro_index(clamp(edge + 2 * inwards, ivec2(0), grid.size - 1))];
    float beyond = ground_beyond(at_edge, next, second);
    return OUTSIDE_RISES ? beyond + (edge_height - at_edge) : beyond;
}

float outside_height(ivec2 q)
{
    if (params.borders == BORDERS_WALLS)
        return height[oro_index(mirrored(q))];
    return open_ground(q, OUTSIDE_RISES ? height[oro_index(clamp(q, ivec2(0), grid.size - 1))] : 0.0);
}
#endif

// The cell whose value stands for that of a cell outside, if any does.
ivec2 stand_in(ivec2 q)
{
    return params.borders == BORDERS_WALLS || HELD == 1 ? mirrored(q) : clamp(q, ivec2(0), grid.size - 1);
}

// With several iterations, invocations read all that they read before they look at any of it: those that ask of each cell
// whether it is inside wait for memory several times. With one, that takes too many registers.
#define READS_AHEAD MANY_ITERATIONS

#if MANY_ITERATIONS
const int LOADED = TILE_CELLS, LOADED_COLUMNS = TILE_COLUMNS, LOADED_START = TILE_START;
ivec2 loaded_corner()
{
    return tile_corner();
}
#else
const int LOADED = PATCH_CELLS, LOADED_COLUMNS = PATCH, LOADED_START = 0;
ivec2 loaded_corner()
{
    return tile_corner() - 2;
}
#endif
const int LOADED_EACH = (LOADED + INVOCATIONS - 1) / INVOCATIONS;

// Cell number k of those that the invocation loads, of LOADED.
int loaded(int k)
{
    return int(gl_LocalInvocationIndex) + k * INVOCATIONS;
}

ivec2 loaded_cell(int i)
{
#if READS_AHEAD
    i = min(i, LOADED - 1);
#endif
    return loaded_corner() + ivec2(i % LOADED_COLUMNS, i / LOADED_COLUMNS);
}

// Whether all that the group loads lies inside. So it is in nearly all groups, which saves asking for each cell.
bool inner_tile()
{
    return oro_inside(loaded_corner()) && oro_inside(loaded_cell(LOADED - 1));
}

float height_near(ivec2 q)
{
#if HELD
    return height[oro_index(stand_in(q))];
#else
    return oro_inside(q) ? height[oro_index(q)] : outside_height(q);
#endif
}

#if READS_AHEAD
void load_heights()
{
    float values[LOADED_EACH];
    for (int k = 0; k < LOADED_EACH; k++)
        values[k] = height[oro_index(stand_in(loaded_cell(loaded(k))))];
    for (int k = 0; k < LOADED_EACH; k++)
        if (loaded(k) < LOADED)
            patch_height[LOADED_START + loaded(k)] = values[k];
#if !HELD
    if (!inner_tile() && params.borders != BORDERS_WALLS)
        for (int i = loaded(0); i < LOADED; i += INVOCATIONS)
            if (!oro_inside(loaded_cell(i)))
                patch_height[LOADED_START + i] = outside_height(loaded_cell(i));
#endif
    barrier();
}
#else
void load_heights()
{
    if (inner_tile()) {
        int first = oro_index(loaded_corner());
        for (int k = 0; k < LOADED_EACH; k++) {
            int i = loaded(k);
            if (i < LOADED)
                patch_height[LOADED_START + i] = height[first + i / LOADED_COLUMNS * grid.oro_width + i % LOADED_COLUMNS];
        }
    } else
        for (int i = loaded(0); i < LOADED; i += INVOCATIONS)
            patch_height[LOADED_START + i] = height_near(loaded_cell(i));
    barrier();
}
#endif

#ifndef FOURTH_POWER // defined by kernels whose exponent is known to be 4
#define FOURTH_POWER 0
#endif

// drop^P with the sign of the drop: positive on the way out. A drop of nothing gives next to nothing, because log2(0)
// is not defined; NO_WAY tells the two apart.
const float NO_WAY = 1e-36;

float way(float drop)
{
#if FOURTH_POWER
    float size = drop * drop * drop * drop;
#else
    float size = exp2(params.flow_exponent * log2(max(abs(drop), 1e-37)));
#endif
    return uintBitsToFloat(floatBitsToUint(size) | (floatBitsToUint(drop) & 0x80000000u));
}

// Whether what a cell carries stays there: in a pit, or where drops are so small that their powers vanish. The bound keeps
// (carried / sum) * way finite.
bool stays(float carried, float out_sum)
{
    return !(out_sum > NO_WAY) || carried > 1e36 * out_sum;
}

// Carried per unit of way.
float share(float carried, float out_sum)
{
    return stays(carried, out_sum) ? 0.0 : carried / out_sum;
}

// The ways of a cell to and from its neighbours E, SE, S, SW, W, NW, N, NE.
struct flow {
    float ways[8];
    float out_sum; // sum of drop^P over the ways that lead out; at most NO_WAY in a pit
#if MANY_ITERATIONS
    float ring_sum; // the same as out_sum_at() would add it up
#endif
};

// The flows of the invocation's strip.
void strip_flows(out flow flows[STRIP])
{
    float west[STRIP + 2], centre[STRIP + 2], east[STRIP + 2];
    int at = patch_index(strip_start() - ivec2(0, 1));
    for (int j = 0; j < STRIP + 2; j++) {
        west[j] = patch_height[at + j * PATCH - 1];
        centre[j] = patch_height[at + j * PATCH];
        east[j] = patch_height[at + j * PATCH + 1];
    }
    float diagonal = across_weight();
    for (int j = 0; j < STRIP; j++) {
        float h = centre[j + 1];
        flow f;
        f.ways[0] = way(h - east[j + 1]);
        f.ways[1] = way(h - east[j + 2]) * diagonal;
        f.ways[2] = way(h - centre[j + 2]);
        f.ways[3] = way(h - west[j + 2]) * diagonal;
        f.ways[4] = way(h - west[j + 1]);
        f.ways[5] = way(h - west[j]) * diagonal;
        f.ways[6] = j > 0 ? -flows[max(j - 1, 0)].ways[2] : way(h - centre[j]);
        f.ways[7] = way(h - east[j]) * diagonal;
        f.out_sum = 0.0;
        for (int k = 0; k < 8; k++)
            f.out_sum += max(f.ways[k], 0.0);
#if MANY_ITERATIONS
        float straight = max(f.ways[4], 0.0) + max(f.ways[6], 0.0);
        straight += max(f.ways[0], 0.0) + max(f.ways[2], 0.0);
        float across = max(way(h - west[j]), 0.0) + max(way(h - east[j]), 0.0);
        across += max(way(h - west[j + 2]), 0.0) + max(way(h - east[j + 2]), 0.0);
        f.ring_sum = straight + across * across_weight();
#endif
        flows[j] = f;
    }
}

// The ground around a cell of the strip. Read when it is needed: kept all along, it would fill the registers.
struct ground {
    float height;
    float drop;     // the steepest slope down, as a drop per cell width; 0 in a pit
    float receiver; // height of the neighbour there
    float lowest;   // height of the lowest neighbour
    float straight; // height of the lowest of E, S, W, N
    float across;   // height of the lowest of the others
    float rise;     // the steepest slope up, as a rise per cell width; negative on a summit
    float above;    // height of the lowest higher neighbour; huge where there is none
    float mean;     // height of the neighbours on average
};

float lowest(vec4 four)
{
    return min(min(four.x, four.y), min(four.z, four.w));
}

ground ground_at(int j)
{
    int at = patch_index(strip_start() + ivec2(0, j));
    vec4 straight = vec4(patch_height[at + 1], patch_height[at - 1], patch_height[at + PATCH], patch_height[at - PATCH]);
    vec4 across = vec4(patch_height[at + PATCH + 1], patch_height[at + PATCH - 1], patch_height[at - PATCH + 1],
                       patch_height[at - PATCH - 1]);
    ground g;
    g.height = patch_height[at];
    float low = lowest(straight), low_across = lowest(across);
    float drop = g.height - low, drop_across = 0.70710678 * (g.height - low_across);
    g.drop = max(max(drop, drop_across), 0.0);
    g.receiver = drop >= drop_across ? low : low_across;
    g.lowest = min(low, low_across);
    g.straight = low;
    g.across = low_across;
    g.rise = max(-lowest(-straight) - g.height, 0.70710678 * (-lowest(-across) - g.height));
    vec4 here = vec4(g.height), huge = vec4(3e38);
    g.above = min(lowest(mix(huge, straight, greaterThan(straight, here))),
                  lowest(mix(huge, across, greaterThan(across, here))));
    g.mean = g.height + 0.125 * (dot(straight - here, vec4(1.0)) + dot(across - here, vec4(1.0)));
    return g;
}

// The slope down as a drop per cell width, along the sum of all drops: on a plane the slope itself, whichever way it faces;
// on a crest what its two sides leave of each other; in a furrow of one cell about half the slope, whether the furrow runs
// along a row or slantwise. So the grid does not choose which furrows grow.
float drop_downhill(int j)
{
    const float STRAIGHT = 0.57, ACROSS = 0.215; // STRAIGHT + 2 ACROSS = 1; fitted to furrows on planes of all azimuths
    int at = patch_index(strip_start() + ivec2(0, j));
    vec4 here = vec4(patch_height[at]); // E, W, S, N, and SE, SW, NE, NW
    vec4 straight = max(here - vec4(patch_height[at + 1], patch_height[at - 1], patch_height[at + PATCH],
                                    patch_height[at - PATCH]), 0.0);
    vec4 across = max(here - vec4(patch_height[at + PATCH + 1], patch_height[at + PATCH - 1],
                                  patch_height[at - PATCH + 1], patch_height[at - PATCH - 1]), 0.0);
    float east = STRAIGHT * (straight.x - straight.y) + ACROSS * ((across.x - across.y) + (across.z - across.w));
    float south = STRAIGHT * (straight.z - straight.w) + ACROSS * ((across.x - across.z) + (across.y - across.w));
    return sqrt(east * east + south * south);
}

#if !MANY_ITERATIONS
// The sum alone, for a cell of the ring, in coordinates of the patch.
float out_sum_at(ivec2 at)
{
    int here = at.y * PATCH + at.x;
    float h = patch_height[here], straight = 0.0, across = 0.0;
    for (int k = -1; k <= 1; k += 2) {
        straight += max(way(h - patch_height[here + k]), 0.0) + max(way(h - patch_height[here + k * PATCH]), 0.0);
        across += max(way(h - patch_height[here + k * PATCH - 1]), 0.0) +
                  max(way(h - patch_height[here + k * PATCH + 1]), 0.0);
    }
    return straight + across * across_weight();
}

// Cells of the ring around the tile: number `i` of RING_PLACES, in coordinates of the ring (0 .. TILE + 1).
const int RING_PLACES = 4 * (TILE + 1);
ivec2 ring_cell(int i)
{
    int side = i / (TILE + 1), along = i % (TILE + 1), last = TILE + 1;
    return side == 0   ? ivec2(along, 0)
           : side == 1 ? ivec2(last, along)
           : side == 2 ? ivec2(last - along, last)
                       : ivec2(0, last - along);
}

// What cells carry, read for the whole ring: the strip's own cells and at most one cell of the ring each. Read it before
// load_heights(), so that the two do not wait for each other.
struct cargo {
    float own[STRIP];
    float ring;
};

bool has_ring_cell()
{
    return int(gl_LocalInvocationIndex) < RING_PLACES;
}

// The invocation's ring cell, in the grid.
ivec2 ring_place()
{
    return tile_corner() + ring_cell(int(gl_LocalInvocationIndex)) - 1;
}

// Puts every cell's share into ring_share. All invocations of the group must come here.
void put_shares(flow flows[STRIP], cargo carried, float ring_out_sum)
{
    ivec2 start = strip_start();
    for (int j = 0; j < STRIP; j++)
        ring_share[(start.y + j + 1) * RING + start.x + 1] = share(carried.own[j], flows[j].out_sum);
    if (has_ring_cell()) {
        ivec2 at = ring_cell(int(gl_LocalInvocationIndex));
        ring_share[at.y * RING + at.x] = share(carried.ring, ring_out_sum);
    }
    barrier();
}

float ring_out_sum()
{
    return has_ring_cell() ? out_sum_at(ring_cell(int(gl_LocalInvocationIndex)) + 1) : 0.0;
}
#endif

// What a cell gives is added up in one order for neighbours in its tile, and in another for those in the next. The
// difference is one of rounding; for results not to depend on the number of iterations a dispatch, ring_share has both
// where there are several: first the one, then the other.
int from_next_tile(bool crosses)
{
    return MANY_ITERATIONS == 1 && crosses ? RING_CELLS : 0;
}

// The same for row j of those that a strip looks at: the first and the last are not its own. `first` is its first row.
int from_other_row(int first, int j)
{
    return j == 0 || j == STRIP + 1 ? from_next_tile(first + j == 0 || first + j == ONE_TILE + 1) : 0;
}

// What comes in over the ways of the strip's cells, from ring_share.
void strip_collect(flow flows[STRIP], out float came[STRIP])
{
    float west[STRIP + 2], centre[STRIP + 2], east[STRIP + 2];
    int at = ring_index(strip_start() - ivec2(0, 1));
    ivec2 in_tile = strip_cell(0) & (ONE_TILE - 1);
    int to_west = from_next_tile(in_tile.x == 0), to_east = from_next_tile(in_tile.x == ONE_TILE - 1);
    for (int j = 0; j < STRIP + 2; j++) {
        int over = from_other_row(in_tile.y, j);
        west[j] = ring_share[at + j * RING - 1 + max(to_west, over)];
        centre[j] = ring_share[at + j * RING + over];
        east[j] = ring_share[at + j * RING + 1 + max(to_east, over)];
    }
    for (int j = 0; j < STRIP; j++) {
        flow f = flows[j];
        came[j] = max(-f.ways[0], 0.0) * east[j + 1] + max(-f.ways[1], 0.0) * east[j + 2] +
                  max(-f.ways[2], 0.0) * centre[j + 2] + max(-f.ways[3], 0.0) * west[j + 2] +
                  max(-f.ways[4], 0.0) * west[j + 1] + max(-f.ways[5], 0.0) * west[j] +
                  max(-f.ways[6], 0.0) * centre[j] + max(-f.ways[7], 0.0) * east[j];
    }
}
