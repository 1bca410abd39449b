// Routing within a tile: steepest receivers, then the joining of basins as far as the tile alone can tell. A basin that does
// not touch the tile's rim has its lowest saddle in the tile: it is joined to the basin across, its way down from there is
// turned round, and so on in rounds (as terrain/hydrology/basins.c does). What is left are groups of cells whose way leads
// to the same end, which is a pit, or a cell from which they leave the tile; or to an outlet. A group is known by the least
// slot of its cells, which all of it has, and rim[] leads from there to the slot where its way enters the next tile, or to
// itself if it has a pit. flags[pass.flag]: a height is not a number;
// then: there is an outlet; then: a pit is left; then: there is a flat.
// With FLATS, across[] has the directions of the cells of flats (flow/routing_flats_choose.comp).
// With RING, of a part of a terrain: cells whose receivers lie beyond it count as pits, and exits[] has the direction that they
// go in.
#ifdef RING
#include "lib/patch.glsl"
#endif
#include "lib/outlets.glsl"
#include "lib/steps.glsl"
#include "lib/tiles.glsl"

const int WIDE = TILE + 2;     // with the cells around
const int ENDING_ROUNDS = 5;   // each makes links reach five times as far; no way is longer than 2^10 cells
const int JOINING_ROUNDS = 10; // each leaves at most half of the basins
const int PIT = 4;             // among directions: 3 * (y + 1) + x + 1

// Labels of cells: the place where their way ends, and whether that basin waits for other tiles.
const uint PLACE = 1023u, FIXED = 1024u, ARRIVED = 2048u | FIXED;

shared float height[WIDE * WIDE];
shared int direction[TILE * TILE];
shared uint label[TILE * TILE];
// Of every basin, at the place where it ends: its lowest saddle, and the label of what it joins.
shared uint low_level[TILE * TILE], low_number[TILE * TILE], link[TILE * TILE];
shared uint rim_to[RIM], rim_end[RIM];
shared bool going[ENDING_ROUNDS + JOINING_ROUNDS + 1];

// The pairs of own cells with a neighbour, a bit each, that may still be saddles.
uint pairs;

float height_at(ivec2 at)
{
    return height[(at.y + 1) * WIDE + at.x + 1];
}

ivec2 step_to(int towards)
{
    return ivec2(towards % 3, towards / 3) - 1;
}

int towards(ivec2 step)
{
    return 3 * (step.y + 1) + step.x + 1;
}

ivec2 at_place(uint at)
{
    return ivec2(at % uint(TILE), at / uint(TILE));
}

// ---- Receivers ----

float ground_height(ivec2 p)
{
    if (oro_inside(p))
        return plain_height(z[oro_index(p)]);
#ifdef RING
    if (uint(p.x + 1) < uint(grid.size.x + 2) && uint(p.y + 1) < uint(grid.size.y + 2))
        return plain_height(ring[ring_index(p)]);
#endif
    return uintBitsToFloat(0x7f800000u);
}

void load()
{
    int size = int(gl_WorkGroupSize.x) * ROWS;
    for (int i = int(gl_LocalInvocationIndex); i < WIDE * WIDE; i += size) {
        ivec2 p = corner() + ivec2(i % WIDE, i / WIDE) - 1;
        height[i] = ground_height(p);
    }
    for (int j = 0; j < STRIP; j++) {
        low_level[place(j)] = NONE;
        low_number[place(j)] = NONE;
    }
    if (int(gl_LocalInvocationIndex) < RIM) {
        rim_to[gl_LocalInvocationIndex] = NONE;
        rim_end[gl_LocalInvocationIndex] = NONE;
    }
    if (int(gl_LocalInvocationIndex) < going.length())
        going[gl_LocalInvocationIndex] = false;
}

int steepest(ivec2 at)
{
    float here = height_at(at), most = 0.0;
    int chosen = PIT;
    for (int k = 0; k < 9; k++) {
        if (k == PIT)
            continue;
        ivec2 d = step_to(k);
        float drop = here - height_at(at + d);
        float slope = drop < 1.17549435e-38 ? 0.0 : d.x != 0 && d.y != 0 ? drop * 0.70710678 : drop;
        if (slope > most) {
            most = slope;
            chosen = k;
        }
    }
    return chosen;
}

bool is_level(ivec2 at)
{
    bool level = false;
    for (int k = 0; k < 9; k++)
        level = level || (k != PIT && height_at(at + step_to(k)) == height_at(at));
    return level;
}

void choose_receiver(int j)
{
    ivec2 at = own(j), p = corner() + at;
    uint to = ARRIVED;
    int chosen = PIT;
    if (oro_inside(p)) {
        if ((floatBitsToUint(height_at(at)) & 0x7f800000u) == 0x7f800000u)
            flags[int(pass.flag)] = 1u;
        if (is_outlet(p)) {
            flags[int(pass.flag) + 1] = 1u;
#ifdef RING
            if (on_edge(p))
                exits[edge_index(p)] = NO_EXIT;
#endif
        } else {
            chosen = steepest(at);
#ifdef FLATS
            if (chosen == PIT)
                chosen = int(across[cell_number(p)]);
#else
            if (chosen == PIT && is_level(at))
                flags[int(pass.flag) + 3] = 1u;
#endif
#ifdef RING
            bool leaves = !oro_inside(p + step_to(chosen));
            if (on_edge(p))
                exits[edge_index(p)] = leaves ? uint(chosen - (chosen > PIT ? 1 : 0)) : NO_EXIT;
            chosen = leaves ? PIT : chosen;
#endif
            ivec2 q = at + step_to(chosen);
            to = uint(in_tile(q) ? place_in_tile(q) : place(j));
        }
    }
    direction[place(j)] = chosen;
    label[place(j)] = to;
}

// Labels go to where those lead that they lead to, in place, as in routing_jump.comp.
void find_ends()
{
    bool more = true;
    for (int round = 0; round < ENDING_ROUNDS && more; round++) {
        for (int j = 0; j < STRIP; j++) {
            uint to = label[place(j)];
            for (int k = 0; k < 4 && to != ARRIVED; k++)
                to = label[to];
            label[place(j)] = to;
            if (to != ARRIVED && label[to] != to)
                going[round] = true;
        }
        barrier();
        more = going[round];
    }
}

// ---- Basins ----

// Fixes the basins that touch the rim; also those that leave the tile do.
void fix_basins()
{
    for (int j = 0; j < STRIP; j++)
        if (on_rim(own(j)) && label[place(j)] != ARRIVED)
            link[label[place(j)]] = FIXED;
    barrier();
    for (int j = 0; j < STRIP; j++) {
        uint to = label[place(j)];
        if (to != ARRIVED && link[to] == FIXED)
            label[place(j)] = to | FIXED;
        else if (to != ARRIVED)
            going[ENDING_ROUNDS] = true;
    }
}

void find_pairs()
{
    pairs = 0u;
    for (int i = 0; i < 4 * STRIP; i++) {
        ivec2 at = own(i / 4) + SADDLE_STEPS[i % 4];
        if (oro_inside(corner() + own(i / 4)) && in_tile(at) && oro_inside(corner() + at))
            pairs |= 1u << i;
    }
}

void offer_level(uint to, uint level)
{
    if ((to & FIXED) == 0u && level < low_level[to])
        atomicMin(low_level[to], level);
}

void offer_number(uint to, uint level, uint number)
{
    if ((to & FIXED) == 0u && level == low_level[to] && number < low_number[to])
        atomicMin(low_number[to], number);
}

// Finds the lowest saddle of every basin that is not fixed: first its level, then its number, here 4 * place + direction.
void find_saddles(bool numbers)
{
    for (int i = 0; i < 4 * STRIP; i++) {
        if ((pairs >> i & 1u) == 0u)
            continue;
        ivec2 at = own(i / 4), beside = at + SADDLE_STEPS[i % 4];
        uint a = label[place_in_tile(at)], b = label[place_in_tile(beside)];
        if (a == b || (a & b & FIXED) != 0u) {
            pairs &= ~(1u << i);
            continue;
        }
        uint level = level_of(max(height_at(at), height_at(beside))), number = uint(4 * place_in_tile(at) + i % 4);
        if (numbers) {
            offer_number(a, level, number);
            offer_number(b, level, number);
        } else {
            offer_level(a, level);
            offer_level(b, level);
        }
    }
}

// Turns the way down to the basin's pit round, and sends the cell `at` to one beside it.
void turn(ivec2 at, int to)
{
    for (int i = 0; i < TILE * TILE; i++) {
        int before = direction[place_in_tile(at)];
        direction[place_in_tile(at)] = to;
        if (before == PIT)
            return;
        at += step_to(before);
        to = 8 - before;
    }
}

// Chooses what a basin joins; of two that choose the same saddle, the lower place stays.
void join(uint basin)
{
    uint number = low_number[basin];
    link[basin] = basin;
    if (number == NONE)
        return;
    ivec2 a = at_place(number >> 2), b = a + SADDLE_STEPS[number & 3u];
    bool from_a = label[place_in_tile(a)] == basin;
    uint other = label[place_in_tile(from_a ? b : a)];
    if ((other & FIXED) == 0u && low_number[other] == number && basin < other)
        return;
    link[basin] = other;
    if (from_a)
        turn(a, towards(b - a));
    else
        turn(b, towards(a - b));
}

void climb(uint basin)
{
    uint to = link[basin];
    for (int i = 0; i < TILE * TILE && (to & FIXED) == 0u && link[to] != to; i++)
        to = link[to];
    link[basin] = to;
}

bool is_basin(int j)
{
    return label[place(j)] == uint(place(j));
}

void join_basins()
{
    bool more = going[ENDING_ROUNDS];
    for (int round = ENDING_ROUNDS + 1; round <= ENDING_ROUNDS + JOINING_ROUNDS && more; round++) {
        find_saddles(false);
        barrier();
        find_saddles(true);
        barrier();
        for (int j = 0; j < STRIP; j++)
            if (is_basin(j))
                join(uint(place(j)));
        barrier();
        for (int j = 0; j < STRIP; j++)
            if (is_basin(j))
                climb(uint(place(j)));
        barrier();
        for (int j = 0; j < STRIP; j++) {
            uint to = label[place(j)];
            if ((to & FIXED) == 0u)
                label[place(j)] = to = link[to];
            if ((to & FIXED) == 0u)
                going[round] = true;
            low_level[place(j)] = NONE;
            low_number[place(j)] = NONE;
        }
        barrier();
        more = going[round];
    }
}

// ---- Results ----

// The least slot of a group's cells; low_number[] has it where the group ends.
uint slot_of_group(uint group)
{
    return low_number[group & PLACE];
}

void name_group(int j)
{
    uint group = label[place(j)];
    if (group != ARRIVED && on_rim(own(j)))
        atomicMin(low_number[group & PLACE], slot_in_tile(own(j)));
}

void give(int j)
{
    ivec2 at = own(j), p = corner() + at, q = p + step_to(direction[place(j)]);
    uint group = label[place(j)], slot = slot_of_group(group), first = first_slot(oro_group()), cell = cell_number(p);
    next[cell] = cell_number(q);
    basin[cell] = group == ARRIVED || slot == NONE ? NONE : first + slot;
    if (group == ARRIVED || slot == NONE)
        return;
    if (on_rim(at) && slot_in_tile(at) != slot)
        rim_to[slot_in_tile(at)] = first + slot;
    if ((group & PLACE) != uint(place(j)))
        return;
    bool pit = direction[place(j)] == PIT;
    rim_to[slot] = pit ? first + slot : slot_of(q);
    rim_end[slot] = cell;
    if (pit)
        flags[int(pass.flag) + 2] = 1u;
}

void main()
{
    load();
    barrier();
    for (int j = 0; j < STRIP; j++)
        choose_receiver(j);
    barrier();
    find_ends();
    for (int j = 0; j < STRIP; j++)
        link[place(j)] = 0u;
    barrier();
    fix_basins();
    find_pairs();
    barrier();
    join_basins();
    for (int j = 0; j < STRIP; j++)
        name_group(j);
    barrier();
    for (int j = 0; j < STRIP; j++)
        if (oro_inside(corner() + own(j)))
            give(j);
    barrier();
    if (int(gl_LocalInvocationIndex) < RIM) {
        uint slot = first_slot(oro_group()) + gl_LocalInvocationIndex;
        rim[slot] = rim_to[gl_LocalInvocationIndex];
        end[slot] = rim_end[gl_LocalInvocationIndex];
    }
}
