// What travels along the drainage tree, within a tile: sums by pointer doubling in shared memory, a work group for each
// tile. At first (ENTER 0) for the tile alone: what leaves it is added to the slots where it comes into the next, and slots
// learn where their ways come into the next tile. At last (ENTER 1) with what comes in, for the result of every cell. Ways
// to the outlets, and the highest that lies on them, come the other way, without a sum: levels (HIGHEST 1), or steps where
// every cell of the way counts one (HIGHEST 2). LOWEST 2: at last, the ground carved down to the lowest step.
#include "lib/grade.glsl"
#include "lib/tiles.glsl"

const int ROUNDS = 10; // no way in a tile is longer than 2^10 cells

// Where a cell's way has been followed to: the place in the tile; whether it ends there, in an outlet or because it goes on
// to another tile; and its length in the bits above (WAY 2: in cells).
const uint PLACE = 1023u, ENDED = 1024u;
const int LENGTH_BIT = 11;
shared uint link[TILE * TILE];
shared uint going[ROUNDS];
#if LOWEST
shared int low[TILE * TILE];
#endif
#if GRADE
shared int least[TILE * TILE], way_limit[TILE * TILE];
#endif
#if HIGHEST == 1
#define HEIGHT uint
#else
#define HEIGHT int
#endif
#if HIGHEST
shared HEIGHT high_of_way[TILE * TILE];
#endif
#if CELLS || RAIN
shared uint sum[TILE * TILE];
#endif
#if RAIN
shared uint high[TILE * TILE];
#endif

uint step_length(ivec2 from, ivec2 to)
{
#if WAY == 1
    return all(notEqual(from, to)) ? WAY_ACROSS : WAY_STRAIGHT;
#else
    return 1u;
#endif
}

uint first_link(int j)
{
    ivec2 p = corner() + own(j);
    uint here = uint(place(j));
    if (!oro_inside(p))
        return here | ENDED;
    uint cell = cell_number(p), to = next[cell];
    ivec2 q = place_of(to), at = q - corner();
    return to == cell || !in_tile(at) ? here | ENDED : uint(place_in_tile(at)) | step_length(p, q) << LENGTH_BIT;
}

#if HIGHEST
HEIGHT height_at(ivec2 p)
{
#if HIGHEST == 1
    return level_of(z[oro_index(p)]);
#else
    return -step_of(-z[oro_index(p)]); // the lowest step that is not below
#endif
}

// The higher of what lies here and of what lies `way_length` cells on.
HEIGHT higher(HEIGHT here, HEIGHT there, uint way_length)
{
#if HIGHEST == 1
    return max(here, there);
#else
    return max(here, there + int(way_length));
#endif
}
#endif

#if RAIN
void add_rain(int at, uint low_part, uint high_part)
{
    uint before = atomicAdd(sum[at], low_part), carry = high_part + (before + low_part < before ? 1u : 0u);
    if (carry != 0u)
        atomicAdd(high[at], carry);
}
#endif

// What a cell has of its own and, where ways come in, from other tiles.
void put_own(int j)
{
    ivec2 p = corner() + own(j);
    int at = place(j);
    bool inside = oro_inside(p), rim = inside && on_rim(own(j));
#if LOWEST
    low[at] = inside ? step_of(z[oro_index(p)]) : 0x7fffffff;
#if ENTER
    if (rim)
        low[at] = min(low[at], lowest[slot_of(p)]);
#endif
#endif
#if GRADE
    bool ended = (link[at] & ENDED) != 0u;
    least[at] = inside ? grades[cell_number(p)] : GRADE_NONE;
    way_limit[at] = ended ? GRADE_NONE : limit[cell_number(p)];
#if ENTER
    if (rim && grade[slot_of(p)] != GRADE_COMES)
        least[at] = min(least[at], grade[slot_of(p)]);
#endif
#endif
#if HIGHEST
    high_of_way[at] = inside ? height_at(p) : HEIGHT(0);
#endif
#if CELLS
    sum[at] = 1u;
#if ENTER
    if (rim)
        sum[at] += cells[slot_of(p)];
#endif
#endif
#if RAIN // in fixed point and 64 bits, so that the sum is exact
    sum[at] = inside ? uint(floor(clamp(rain_at(p), 0.0, 1000.0) * 1048576.0 + 0.5)) : 0u;
    high[at] = 0u;
#if ENTER
    if (rim)
        add_rain(at, rain_low[slot_of(p)], rain_high[slot_of(p)]);
#endif
#endif
}

// A round: every cell adds its sum from before to the cell that its link from before led to, or learns the highest from
// there on.
void follow(int round)
{
    uint links[STRIP], further[STRIP];
#if LOWEST
    int lows[STRIP];
#endif
#if CELLS || RAIN
    uint sums[STRIP], highs[STRIP];
#endif
#if HIGHEST
    HEIGHT ways[STRIP];
#endif
#if GRADE
    int leasts[STRIP], limits[STRIP], further_limits[STRIP];
#endif
    for (int j = 0; j < STRIP; j++) {
        links[j] = link[place(j)];
        further[j] = link[links[j] & PLACE];
#if LOWEST
        lows[j] = low[place(j)] - (1 << round);
#endif
#if CELLS || RAIN
        sums[j] = sum[place(j)];
#endif
#if RAIN
        highs[j] = high[place(j)];
#endif
#if GRADE
        leasts[j] = least[place(j)];
        limits[j] = way_limit[place(j)];
        further_limits[j] = way_limit[links[j] & PLACE];
#endif
#if HIGHEST
        ways[j] = higher(high_of_way[place(j)], high_of_way[links[j] & PLACE], links[j] >> LENGTH_BIT);
#endif
    }
    barrier();
    for (int j = 0; j < STRIP; j++) {
        if ((links[j] & ENDED) != 0u)
            continue;
        int to = int(links[j] & PLACE);
#if LOWEST
        if (lows[j] < low[to])
            atomicMin(low[to], lows[j]);
#endif
#if CELLS
        atomicAdd(sum[to], sums[j]);
#endif
#if RAIN
        add_rain(to, sums[j], highs[j]);
#endif
#if GRADE
        if (leasts[j] <= limits[j] && leasts[j] < least[to])
            atomicMin(least[to], leasts[j]);
        way_limit[place(j)] = min(limits[j], further_limits[j]);
#endif
#if HIGHEST
        high_of_way[place(j)] = ways[j];
#endif
        link[place(j)] = further[j] + (links[j] >> LENGTH_BIT << LENGTH_BIT);
        if ((further[j] & ENDED) == 0u)
            going[round] = 1u;
    }
    barrier();
}

#if ENTER
void give(int j)
{
    ivec2 p = corner() + own(j);
    uint cell = cell_number(p);
#if LOWEST == 2
    carved[cell] = carved_height(low[place(j)], z[cell]);
    if (low[place(j)] < STEPS_LOWEST)
        flags[int(pass.flag)] = 1u;
#elif LOWEST
    lowest_of[cell] = low[place(j)];
#endif
#if CELLS
    cells_of[cell] = sum[place(j)];
#endif
#if RAIN
    low_of[cell] = sum[place(j)];
    high_of[cell] = high[place(j)];
#endif
#if WAY
    uint end = link[place(j)] & PLACE;
    ivec2 last = corner() + ivec2(int(end) % TILE, int(end) / TILE);
    uint last_cell = cell_number(last), to = next[last_cell], way_length = link[place(j)] >> LENGTH_BIT;
    ivec2 q = place_of(to);
    way_of[cell] = way_length + (to == last_cell ? 0u : step_length(last, q) + way[slot_of(q)]);
    root_of[cell] = to == last_cell ? to : root[slot_of(q)];
#endif
#if GRADE
    grades[cell] = least[place(j)];
#endif
#if HIGHEST
    uint end = link[place(j)] & PLACE;
    ivec2 last = corner() + ivec2(int(end) % TILE, int(end) / TILE), q = place_of(next[cell_number(last)]);
    HEIGHT way = high_of_way[place(j)];
    highest_of[cell] = q == last ? way : higher(way, highest[slot_of(q)], (link[place(j)] >> LENGTH_BIT) + 1u);
#endif
}
#else
// Writes what a cell's way leads to, if other tiles have to know.
void give(int j)
{
    ivec2 p = corner() + own(j);
    uint followed = link[place(j)], end = followed & PLACE;
    ivec2 last = corner() + ivec2(int(end) % TILE, int(end) / TILE);
    uint last_cell = cell_number(last), to = next[last_cell], way_length = followed >> LENGTH_BIT;
    bool arrives = to == last_cell; // at an outlet
    ivec2 q = place_of(to);
    if (on_rim(own(j))) {
        uint slot = slot_of(p);
        pointer[slot] = arrives ? NONE : slot_of(q);
#if LOWEST || HIGHEST == 2
        ahead[slot] = way_length + 1u;
#endif
#if GRADE
        most[slot] = min(way_limit[place(j)], limit[last_cell]);
#endif
#if HIGHEST
        highest[slot] = high_of_way[place(j)];
#endif
#if WAY
        way[slot] = way_length + (arrives ? 0u : step_length(last, q));
        root[slot] = last_cell;
#endif
    }
    if (int(end) != place(j) || arrives)
        return;
#if LOWEST
    atomicMin(lowest[slot_of(q)], low[place(j)] - 1);
#endif
#if GRADE
    atomicMin(grade[slot_of(q)], least[place(j)] <= limit[last_cell] ? min(least[place(j)], GRADE_COMES) : GRADE_COMES);
#endif
#if CELLS
    atomicAdd(cells[slot_of(q)], sum[place(j)]);
#endif
#if RAIN
    uint slot = slot_of(q), before = atomicAdd(rain_low[slot], sum[place(j)]);
    atomicAdd(rain_high[slot], high[place(j)] + (before + sum[place(j)] < before ? 1u : 0u));
#endif
}
#endif

void main()
{
    for (int j = 0; j < STRIP; j++) {
        link[place(j)] = first_link(j);
        put_own(j);
    }
    if (int(gl_LocalInvocationIndex) < ROUNDS)
        going[gl_LocalInvocationIndex] = 0u;
    barrier();
    bool more = true;
    for (int round = 0; round < ROUNDS && more; round++) {
        follow(round);
        more = going[round] != 0u;
    }
    for (int j = 0; j < STRIP; j++)
        if (oro_inside(corner() + own(j)))
            give(j);
}
