// Saddles between basins within a tile: of all those, the tile's minimum spanning forest alone, of which the world's spanning
// tree can only take a part (any other saddle is the highest of a ring). Boruvka's rounds over the groups of
// routing_tile.comp, each with its basin: candidate[] has the numbers of these saddles, at any of the tile's slots. Also
// makes the slots ready for the rounds over the world. flags: [pass.pits] there is something to do; [pass.unfinished] but
// the slots do not lead to their basins yet; [pass.flag] the rounds after this are to leave everything as it is; [pass.flag + 1] or have something to do.
#include "lib/steps.glsl"
#include "lib/tiles.glsl"

const int ROUNDS = 8; // each halves the number of basins, the outside among them
const uint OUTSIDE = uint(RIM);

shared float height[TILE * TILE];
// Of cells: the group that names the component, a slot in the tile, or OUTSIDE.
shared uint component_at[TILE * TILE];
// Of groups: the basin, and the group that names the component. Of the latter: its lowest saddle, and what it joins.
shared uint basin_of[RIM], component_of[RIM + 1], low_level[RIM + 1], low_number[RIM + 1], link[RIM + 1];
shared uint first_group, chosen[RIM], chosen_count;
shared bool several, going[ROUNDS];

uint group[STRIP]; // of own cells: a slot in the tile, or OUTSIDE
uint pairs;        // of own cells with a neighbour: a bit each

void load_slots()
{
    int i = int(gl_LocalInvocationIndex);
    uint slot = first_slot(oro_group()) + uint(i);
    if (i == 0) {
        chosen_count = 0u;
        several = false;
    }
    if (i < ROUNDS)
        going[i] = false;
    if (i >= RIM)
        return;
    chosen[i] = NONE;
    basin_of[i] = rim[slot];
    component_of[i] = uint(i);
    component[slot] = rim[slot];
    level[slot] = NONE;
    number[slot] = NONE;
    exit_to[slot] = NONE;
}

void load_cells()
{
    for (int j = 0; j < STRIP; j++) {
        ivec2 p = corner() + own(j);
        uint slot = oro_inside(p) ? basin[cell_number(p)] : NONE;
        group[j] = slot == NONE ? OUTSIDE : slot - first_slot(oro_group());
    }
    if (gl_LocalInvocationIndex == 0u)
        first_group = group[0];
}

uint basin_in_tile(uint of_group)
{
    return of_group == OUTSIDE ? NONE : basin_of[of_group];
}

void look_for_several()
{
    uint first = basin_in_tile(first_group);
    for (int j = 0; j < STRIP; j++)
        if (oro_inside(corner() + own(j)) && basin_in_tile(group[j]) != first)
            several = true;
}

void load_heights()
{
    pairs = 0u;
    for (int j = 0; j < STRIP; j++) {
        ivec2 p = corner() + own(j);
        height[place(j)] = oro_inside(p) ? z[oro_index(p)] : 0.0;
        for (int k = 0; k < 4; k++) {
            ivec2 at = own(j) + SADDLE_STEPS[k];
            if (oro_inside(p) && in_tile(at) && oro_inside(corner() + at))
                pairs |= 1u << (4 * j + k);
        }
    }
}

// The groups of a basin are a component from the start, named by the least of them. Invocations share in the search.
void name_components()
{
    uint own = gl_LocalInvocationIndex % uint(RIM), size = gl_WorkGroupSize.x * gl_WorkGroupSize.y;
    for (uint other = gl_LocalInvocationIndex / uint(RIM); other < own; other += size / uint(RIM))
        if (basin_of[other] == basin_of[own]) {
            atomicMin(component_of[own], other);
            break;
        }
}

void clear_lowest()
{
    uint own = gl_LocalInvocationIndex;
    if (own <= OUTSIDE) {
        low_level[own] = NONE;
        low_number[own] = NONE;
    }
}

void place_components()
{
    if (gl_LocalInvocationIndex == 0u)
        component_of[OUTSIDE] = OUTSIDE;
    for (int j = 0; j < STRIP; j++)
        component_at[place(j)] = basin_in_tile(group[j]) == NONE ? OUTSIDE : component_of[group[j]];
}

void find_saddles(bool numbers, int round)
{
    for (int j = 0; j < STRIP; j++) {
        int at = place(j);
        uint a = component_at[at];
        for (int k = 0; k < 4; k++) {
            int i = 4 * j + k, beside = at + place_in_tile(SADDLE_STEPS[k]);
            if ((pairs >> i & 1u) == 0u)
                continue;
            uint b = component_at[beside];
            if (a == b) {
                pairs &= ~(1u << i);
                continue;
            }
            going[round] = true;
            uint higher = level_of(max(height[at], height[beside])), saddle = uint(4 * at + k);
            if (!numbers) {
                if (higher < low_level[a])
                    atomicMin(low_level[a], higher);
                if (higher < low_level[b])
                    atomicMin(low_level[b], higher);
            } else {
                if (higher == low_level[a] && saddle < low_number[a])
                    atomicMin(low_number[a], saddle);
                if (higher == low_level[b] && saddle < low_number[b])
                    atomicMin(low_number[b], saddle);
            }
        }
    }
}

// In the world's numbers.
uint saddle_of_world(uint saddle)
{
    ivec2 at = ivec2(saddle >> 2 & uint(TILE - 1), saddle / uint(4 * TILE));
    return 4u * cell_number(corner() + at) + (saddle & 3u);
}

void choose(uint own)
{
    uint saddle = low_number[own];
    link[own] = own;
    if (saddle == NONE)
        return;
    int at = int(saddle >> 2), beside = at + place_in_tile(SADDLE_STEPS[saddle & 3u]);
    uint a = component_at[at], other = a == own ? component_at[beside] : a;
    if (low_number[other] == saddle && own < other)
        return;
    link[own] = other;
    chosen[atomicAdd(chosen_count, 1u)] = saddle_of_world(saddle);
}

void climb(uint own)
{
    uint to = link[own];
    for (int i = 0; i < RIM && link[to] != to; i++)
        to = link[to];
    link[own] = to;
}

void span()
{
    uint own = gl_LocalInvocationIndex;
    for (int round = 0; round < ROUNDS; round++) {
        find_saddles(false, round);
        barrier();
        if (!going[round])
            break;
        find_saddles(true, round);
        barrier();
        if (own <= OUTSIDE)
            choose(own);
        barrier();
        if (own <= OUTSIDE)
            climb(own);
        barrier();
        for (int j = 0; j < STRIP; j++)
            component_at[place(j)] = link[component_at[place(j)]];
        clear_lowest();
        barrier();
    }
}

void main()
{
    if (flags[int(pass.pits)] == 0u || flags[int(pass.unfinished)] != 0u) {
        flags[int(pass.flag)] = 1u;
        return;
    }
    flags[int(pass.flag) + 1] = 1u;
    load_slots();
    load_cells();
    barrier();
    look_for_several();
    barrier();
    if (several) {
        load_heights();
        clear_lowest();
        name_components();
        barrier();
        place_components();
        barrier();
        span();
    }
    if (int(gl_LocalInvocationIndex) < RIM)
        candidate[first_slot(oro_group()) + gl_LocalInvocationIndex] = chosen[gl_LocalInvocationIndex];
}
