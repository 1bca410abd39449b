// Deposition (Schott 2024, 4.4, with a budget): in an iteration, sediment is created by stream power from what erosion
// took at the cell, moves one cell on with the water, and settles where there is more of it than the stream can carry.
// Sediment is kept as metres on its cell.
#define OUTSIDE_RISES (PLAINS == 1)
#define PHYSICAL_TIME (params.iterations == 0)
#define SEDIMENT 1
#include "lib/water.glsl"
#include "lib/stream_power.glsl"

float suspended(ivec2 q)
{
#if READS_AHEAD
    float value = sediment_in[oro_index(stand_in(q))];
    return oro_inside(q) || params.borders == BORDERS_WALLS ? value : 0.0;
#else
    if (oro_inside(q))
        return sediment_in[oro_index(q)];
    return params.borders == BORDERS_WALLS ? sediment_in[oro_index(mirrored(q))] : 0.0;
#endif
}

#if !MANY_ITERATIONS
cargo read_sediment()
{
    cargo load;
    for (int j = 0; j < STRIP; j++)
        load.own[j] = suspended(strip_cell(j));
    load.ring = has_ring_cell() ? suspended(ring_place()) : 0.0;
    return load;
}
#endif

// How much of `depth` (>= 0) can be added to a height without rounding: the ground gets exactly what the stream loses.
// That is a whole number of spacings between floats, 2^-23 of their power of two; spacing and inverse are made of its
// exponent.
float addable(float depth, float h)
{
    uint power = floatBitsToUint(max(max(abs(h), h + depth), 1e-20)) & 0x7f800000u;
    return floor(depth * uintBitsToFloat((277u << 23) - power)) * uintBitsToFloat(power - (23u << 23));
}

// The steepest way down from a cell of the tile or its ring, as a drop per cell width; at most 0 in a pit.
float steepest_at(ivec2 at)
{
    int here = patch_index(at);
    float low = lowest(vec4(patch_height[here + 1], patch_height[here - 1], patch_height[here + PATCH],
                            patch_height[here - PATCH]));
    float low_across = lowest(vec4(patch_height[here + PATCH + 1], patch_height[here + PATCH - 1],
                                   patch_height[here - PATCH + 1], patch_height[here - PATCH - 1]));
    return max(patch_height[here] - low, 0.70710678 * (patch_height[here] - low_across));
}

#if MANY_ITERATIONS
shared float tile_steepest[TILE_CAPACITY];
#define STEEPEST tile_steepest
#else
#define STEEPEST ring_share // once nobody reads the shares any more
#endif

// Puts the steepest way out of every cell into STEEPEST.
void put_steepest()
{
    for (int j = 0; j < STRIP; j++) {
        ivec2 at = strip_start() + ivec2(0, j);
        STEEPEST[ring_index(at)] = steepest_at(at);
    }
#if !MANY_ITERATIONS
    if (has_ring_cell()) {
        ivec2 at = ring_cell(int(gl_LocalInvocationIndex)) - 1;
        STEEPEST[ring_index(at)] = steepest_at(at);
    }
#endif
}

// What those of four neighbours that give leave to rise; `rises` are their heights above the cell, `falls` the same per cell
// width, `steepest` the steepest ways down from them.
float room_left(vec4 rises, vec4 falls, vec4 steepest, float least)
{
    bvec4 gives = greaterThan(falls, max(0.99999 * steepest, vec4(0.0)));
    return lowest(mix(vec4(3e38), rises - max(vec4(least), 0.001 * rises), gives));
}

// How far a cell of the strip may rise below the neighbours whose steepest way down leads to it. The least drop stays on
// that way, so that none of them becomes a pit, whatever settles around it in the same iteration.
float room_below_givers(int j, float least)
{
    ivec2 cell = strip_start() + ivec2(0, j);
    int p = patch_index(cell), r = ring_index(cell);
    vec4 here = vec4(patch_height[p]);
    vec4 straight = vec4(patch_height[p + 1], patch_height[p - 1], patch_height[p + PATCH], patch_height[p - PATCH]) - here;
    vec4 across = vec4(patch_height[p + PATCH + 1], patch_height[p + PATCH - 1], patch_height[p - PATCH + 1],
                       patch_height[p - PATCH - 1]) - here;
    float room = min(room_left(straight, straight,
                               vec4(STEEPEST[r + 1], STEEPEST[r - 1], STEEPEST[r + RING], STEEPEST[r - RING]), least),
                     room_left(across, 0.70710678 * across,
                               vec4(STEEPEST[r + RING + 1], STEEPEST[r + RING - 1], STEEPEST[r - RING + 1],
                                    STEEPEST[r - RING - 1]),
                               1.41421356 * least));
    return max(room, 0.0);
}

// Ground that sediment builds gets steeper on the way down by no more than twice this at a cell: without it, loads that
// are caught in a basin would leave heaps on its floor.
const float MOST_BEND = 0.01;

// What does not depend on the cell.
struct plain_law {
    float least;   // the least drop per cell width
    float unit;    // log2 of what a stream of power 1 can carry
    float inverse; // 1 / slope exponent
};

plain_law make_plain_law()
{
    plain_law plain;
    plain.least = tan(radians(params.least_slope)) * grid.cell;
    plain.unit = log2(max(params.capacity, 1e-6) * params.reference_cell / grid.cell);
    plain.inverse = 1.0 / max(params.slope_exponent, 1e-3);
    return plain;
}

// Plains, cones and fans: what the stream cannot carry settles, until the ground is as steep as the stream needs it to
// carry its load on. An iteration lasts as long as water takes to cross a cell: on smaller cells less is taken up in it,
// and less can be carried past, so that the same world builds the same ground at every resolution. In a pit all settles,
// until it runs over.
float settled_on_plain(power_law law, plain_law plain, int j, ground g, float water, float transported)
{
    if (g.drop <= 0.0)
        return min(transported, g.lowest - g.height + plain.least);
    float can_carry = area_part(law, water) + plain.unit, load = log2(max(transported, 1e-37));
    float graded = exp2(clamp((load - can_carry) * plain.inverse, -100.0, 100.0));
    if (graded <= g.drop) // the stream could carry more
        return 0.0;
    float steep = min(graded, law.steepest);
    float to_grade = min(g.straight + steep, g.across + 1.41421356 * steep) - g.height;
    float to_bend = 0.5 * (g.rise - g.drop) + MOST_BEND * grid.cell;
    float surplus = transported - exp2(min(params.slope_exponent * log2(g.drop) + can_carry, load));
    float settled = min(min(pass.settling * surplus, to_grade), to_bend);
    return settled > 0.0 ? min(settled, room_below_givers(j, plain.least)) : 0.0;
}

// Sediment settles in hollows and levels them: the ground comes half way to the mean of its neighbours, and stays below
// the lowest that drains into the cell, so that water keeps its ways. In a pit all settles, until it runs over.
float settled_in_hollow(ground g, float transported, float carried, float least)
{
    float room = g.above < 1e38 ? g.above - g.height : 0.0;
    float hollow = 0.5 * max(min(g.mean - g.height, room - least), 0.0);
    float surplus = transported - carried;
    return g.drop <= 0.0 ? min(transported, room + least)
                         : min(clamp(pass.settling * surplus, 0.0, transported), hollow);
}

struct outcome {
    float height, sediment, source;
};

// `transported` is the sediment that has come to the cell or stayed there, `source` what can be taken up.
outcome settle(power_law law, plain_law plain, int j, float water, float transported, float source)
{
    ground g = ground_at(j);
    float effect = mask_at(strip_cell(j)), strength = stream_power(law, g.drop, water), created, settled;
#if PLAINS
    created = pass.creation * (params.creation * strength * grid.cell / params.reference_cell);
    settled = settled_on_plain(law, plain, j, g, water, transported);
#else // stream power gives depths on a reference cell
    float on_reference = strength / pass.spread;
    created = pass.hollows * params.creation * on_reference;
    settled = settled_in_hollow(g, transported, on_reference, plain.least);
#endif
    created = min(created, source) * effect;
    settled = addable(settled * effect, g.height);
    return outcome(g.height + settled, created + transported - settled, source - created);
}

void write_outcome(int j, float water, outcome after)
{
    int i = oro_index(strip_cell(j));
    height_out[i] = after.height;
    area_out[i] = water;
    sediment_out[i] = after.sediment;
    source_left_out[i] = after.source;
}

// Of the sediment of the strip's cells, leaves what does not move on.
void keep_back(flow flows[STRIP], inout float sediment[STRIP])
{
    for (int j = 0; j < STRIP; j++)
        sediment[j] = stays(sediment[j], flows[j].out_sum) ? sediment[j] : 0.0;
}

#if !MANY_ITERATIONS
void main()
{
    flow flows[STRIP];
    float collected[STRIP], came[STRIP], source[STRIP];
    cargo water = read_water(), sediment = read_sediment();
    for (int j = 0; j < STRIP; j++)
        source[j] = oro_inside(strip_cell(j)) ? source_left[oro_index(strip_cell(j))] : 0.0;
    load_heights();
    strip_flows(flows);
    float ring_sum = ring_out_sum();
    put_shares(flows, water, ring_sum);
    strip_collect(flows, collected);
    add_rain(collected);
    barrier();
    put_shares(flows, sediment, ring_sum);
    keep_back(flows, sediment.own);
    strip_collect(flows, came);
    power_law law = make_power_law();
    plain_law plain = make_plain_law();
#if PLAINS
    barrier();
    put_steepest();
    barrier();
#endif
    for (int j = 0; j < STRIP; j++)
        if (oro_inside(strip_cell(j)))
            write_outcome(j, collected[j], settle(law, plain, j, collected[j], came[j] + sediment.own[j], source[j]));
}
#else
// Water and sediment move together: shares of both are put and collected at once. One by one that is faster on small
// grids and slower on large ones, where registers count.
vec2 shares_at(int i)
{
    return vec2(ring_share[i], tile_sediment[i]);
}

// As strip_collect, for water and sediment at once. The shares of sediment are where it was.
void collect_both(flow flows[STRIP], out float water[STRIP], out float sediment[STRIP])
{
    vec2 west[STRIP + 2], centre[STRIP + 2], east[STRIP + 2];
    int at = ring_index(strip_start() - ivec2(0, 1));
    ivec2 in_tile = strip_cell(0) & (ONE_TILE - 1);
    int to_west = from_next_tile(in_tile.x == 0), to_east = from_next_tile(in_tile.x == ONE_TILE - 1);
    for (int j = 0; j < STRIP + 2; j++) {
        int over = from_other_row(in_tile.y, j);
        west[j] = shares_at(at + j * RING - 1 + max(to_west, over));
        centre[j] = shares_at(at + j * RING + over);
        east[j] = shares_at(at + j * RING + 1 + max(to_east, over));
    }
    for (int j = 0; j < STRIP; j++) {
        flow f = flows[j];
        vec2 came = max(-f.ways[0], 0.0) * east[j + 1] + max(-f.ways[1], 0.0) * east[j + 2] +
                    max(-f.ways[2], 0.0) * centre[j + 2] + max(-f.ways[3], 0.0) * west[j + 2] +
                    max(-f.ways[4], 0.0) * west[j + 1] + max(-f.ways[5], 0.0) * west[j] +
                    max(-f.ways[6], 0.0) * centre[j] + max(-f.ways[7], 0.0) * east[j];
        water[j] = came.x;
        sediment[j] = came.y;
    }
}

void load_sediment()
{
    float sediments[LOADED_EACH], sources[LOADED_EACH];
    for (int k = 0; k < LOADED_EACH; k++) {
        sediments[k] = suspended(loaded_cell(loaded(k)));
        sources[k] = source_left[oro_index(stand_in(loaded_cell(loaded(k))))];
    }
    for (int k = 0; k < LOADED_EACH; k++)
        if (loaded(k) < LOADED) {
            tile_sediment[TILE_START + loaded(k)] = sediments[k];
            tile_source[TILE_START + loaded(k)] = sources[k];
        }
}

void put_outcomes(outcome after[STRIP])
{
    for (int j = 0; j < STRIP; j++) {
        int i = tile_index(strip_start() + ivec2(0, j));
        if (oro_inside(strip_cell(j))) {
            patch_height[i] = after[j].height;
            tile_sediment[i] = after[j].sediment;
            tile_source[i] = after[j].source;
        }
    }
}

// Leaves the sediment in `sediment`, and its shares in its place.
void put_sediment_shares(flow flows[STRIP], out float sediment[STRIP])
{
    for (int j = 0; j < STRIP; j++) {
        int i = tile_index(strip_start() + ivec2(0, j));
        sediment[j] = tile_sediment[i];
        tile_sediment[i] = share(sediment[j], flows[j].out_sum);
        tile_sediment[i + RING_CELLS] = share(sediment[j], flows[j].ring_sum);
    }
}

void main()
{
    flow flows[STRIP];
    float collected[STRIP], came[STRIP], sediment[STRIP];
    outcome after[STRIP];
    power_law law = make_power_law();
    plain_law plain = make_plain_law();
    load_sediment();
    load_state();
    for (int left = int(pass.times); left > 0; left--) {
        choose_strip(left);
        if (has_strip) {
            strip_flows(flows);
            put_water_shares(flows);
            put_sediment_shares(flows, sediment);
#if PLAINS
            put_steepest();
#endif
        }
        barrier();
        if (has_strip) {
            collect_both(flows, collected, came);
            add_rain(collected);
            keep_back(flows, sediment);
        }
        if (has_strip)
            for (int j = 0; j < STRIP; j++)
                after[j] = settle(law, plain, j, collected[j], came[j] + sediment[j],
                                  tile_source[tile_index(strip_start() + ivec2(0, j))]);
        if (left == 1)
            break;
        barrier();
        if (has_strip) {
            put_outcomes(after);
            put_water(collected);
        }
        barrier();
        renew_outside();
    }
    for (int j = 0; j < STRIP; j++)
        if (has_strip && is_written(strip_cell(j)))
            write_outcome(j, collected[j], after[j]);
}
#endif
