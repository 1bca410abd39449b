// One explicit step (Schott 2023, eq. 2 and 5, section 7.2): the water moves one cell on, the ground rises and is carved.
//
// The length of the step adapts to pits, and to unstable cells: those that would be carved or smoothed further than
// their neighbours allow. Three short lists take turns: `last` is that of the step before, `now` is written (all groups
// count), `next` is cleared.
//
// What a step counts is known only when the whole grid has done it. Several steps in one dispatch therefore take for
// granted that none of them but the last is too long, as is nearly always so, and each has its own counts. The next
// dispatch looks whether that was right. If not, it leaves all as it is: its output still has the state from which that
// dispatch began, and the one after it does again those steps whose lengths were right.
#define HELD_BORDERS 1
#include "lib/water.glsl"
#include "lib/outlets.glsl"
#include "lib/routing.glsl"
#include "lib/incision.glsl"

const int UNSTABLE = 0, PITS = 1, STEP = 2, YEARS = 3, PITS_BEFORE = 4, LIMIT = 5;
const uint A_FEW = 4u;
const float LEAST_SLOPE = 0.01; // of ground that sinks; what fills up is flatter, and must not sink back

// What is known of a step when it is over.
struct account {
    uint unstable, pits, pits_before;
    float step, years, limit;
};

account account_of_last()
{
    return account(last[UNSTABLE], last[PITS], last[PITS_BEFORE], uintBitsToFloat(last[STEP]),
                   uintBitsToFloat(last[YEARS]), uintBitsToFloat(last[LIMIT]));
}

// Whether a step was too long: there are clearly more pits (the paper), or a few cells were unstable, from which pits
// would come if they were not held back.
bool was_too_long(account a)
{
    return a.unstable > A_FEW || a.pits > a.pits_before + max(a.pits_before / 32u, A_FEW);
}

// The paper: 1 % longer, or a quarter shorter. Close to the length that was too long the last time, it grows more
// slowly: ground that is shaken all the time does not come to rest.
float choose_step(account a)
{
    float factor = was_too_long(a) ? 0.75 : a.limit > 0.0 && a.step > 0.8 * a.limit ? 1.0002 : 1.01;
    return clamp(a.step * factor, 1e-6, pass.longest);
}

// The step after another, but for what it will count.
account following(account a)
{
    float step = choose_step(a);
    return account(0u, 0u, a.pits, step, a.years + step, was_too_long(a) ? a.step : a.limit);
}

bool keeps_books()
{
    return gl_LocalInvocationIndex == 0u && oro_group() == ivec2(0);
}

void keep_books(account a)
{
    now[STEP] = floatBitsToUint(a.step);
    now[YEARS] = floatBitsToUint(a.years);
    now[PITS_BEFORE] = a.pits_before;
    now[LIMIT] = floatBitsToUint(a.limit);
    next[UNSTABLE] = 0u;
    next[PITS] = 0u;
}

#if CREEP
// As creep_around, in cell j of the strip.
struct creep {
    float pull, mean;
};

creep creep_at(ivec2 p, int j, float area)
{
    int at = patch_index(strip_start() + ivec2(0, j));
    float h = patch_height[at], sum = 0.0, drops = 0.0;
    for (int k = 0; k < 9; k++) {
        ivec2 d = ivec2(k % 3, k / 3) - 1;
        float drop = patch_height[at + d.y * PATCH + d.x] - h;
        float fast = haste(drop, grid.cell * (d.x * d.y != 0 ? 1.41421356 : 1.0));
        sum += k != 4 ? fast : 0.0;
        drops += k != 4 ? fast * drop : 0.0;
    }
    return creep(pull(p) * 0.125 * sum * (drops > 0.0 ? soil_kept(p, area) : 1.0), h + drops / sum);
}
#endif

// The height after the step. `unstable`: the ground allowed less than the whole of it.
float stepped(ivec2 p, int j, ground g, float area, float step, out bool unstable)
{
    float power = params.m * channel_area(p, area) + params.n * log2(g.drop) + pass.scale, room = g.height - g.receiver;
    float carved = step * mask_at(p) * erodibility_at(p) * exp2(min(power, 120.0)), crept = 0.0;
    unstable = max(params.n, 1.0) * carved > 0.7 * room;
#if CREEP
    creep soil = creep_at(p, j, area);
    float pulled = step * soil.pull;
    unstable = unstable || pulled > 0.9;
    crept = min(pulled, 0.9) * (soil.mean - g.height);
#endif
    float lifted = step * lift(p);
    carved = max(carved, g.drop + lifted - pass.steepest); // with the lift: the slope in balance has no step in it
#if CORRECTED // ground that sinks comes to rest on its receiver
    float sunk = min(max(-lifted, 0.0), 0.9 * max(room - LEAST_SLOPE * grid.cell, 0.0));
    return g.height + max(lifted, 0.0) + crept - max(min(carved, 0.9 * room), sunk);
#else
    return g.height + lifted + crept - min(carved, 0.9 * room);
#endif
}

// How far a pit fills beyond its lowest neighbour. Where constraints hold the ground back but not its rim, basins come
// about that would else deepen for ever.
float filled(ivec2 p)
{
#if CORRECTED
    return correction[oro_index(p)] < 0.0 ? LEAST_SLOPE * grid.cell : 0.0;
#else
    return 0.0;
#endif
}

// Whether no cell of the tile can be held in its place. So it is in nearly all tiles, which saves asking for each cell.
bool is_free_tile()
{
#if HAS_SEA || HAS_MASK
    return false;
#else
#if MANY_ITERATIONS
    ivec2 corner = tile_corner(), size = ivec2(TILE_COLUMNS, TILE_CELLS / TILE_COLUMNS);
#else
    ivec2 corner = tile_corner(), size = ivec2(TILE);
#endif
    return all(greaterThan(corner, ivec2(0))) && all(lessThan(corner + size, grid.size)) && !(params.sea > 0.5) &&
           params.mask > 0.0;
#endif
}

struct counts {
    uint unstable, pits;
};

void count(int step, counts some)
{
    if (some.unstable > 0u)
        atomicAdd(now[step + UNSTABLE], some.unstable);
    if (some.pits > 0u)
        atomicAdd(now[step + PITS], some.pits);
}

// The height of a cell of the strip after a step in which `water` has come to it. `free`: as of is_free_tile.
float height_after(bool free, int j, float water, float step, inout counts some)
{
    ivec2 p = strip_cell(j);
    ground g = ground_at(j);
    if (!free && (is_outlet(p) || !(mask_at(p) > 0.0)))
        return g.height;
    // A pit fills with sediment up to where it spills. It rises with the ground as well.
    bool pit = !(g.drop > 0.0), unstable = false;
    float after = pit ? max(g.lowest + filled(p), g.height + step * lift(p)) : stepped(p, j, g, water, step, unstable);
    some.pits += pit ? 1u : 0u;
    some.unstable += unstable ? 1u : 0u;
    return after;
}

#if !MANY_ITERATIONS
void main()
{
    account books = following(account_of_last());
    flow flows[STRIP];
    float collected[STRIP];
    collect_water(flows, collected);
    bool free = is_free_tile();
    counts some = counts(0u, 0u);
    for (int j = 0; j < STRIP; j++) {
        ivec2 p = strip_cell(j);
        if (!free && !oro_inside(p))
            continue;
        height_out[oro_index(p)] = height_after(free, j, collected[j], books.step, some);
        area_out[oro_index(p)] = collected[j];
    }
    count(0, some);
    if (keeps_books())
        keep_books(books);
}
#else
// Words of the lists besides: the account is that of the dispatch's first step.
const int BEFORE = 8;  // steps that were done before this dispatch
const int COUNT = 9;   // steps of this dispatch
const int REPEAT = 10; // steps that the next one has to do again
const int MORE = 11;   // UNSTABLE and PITS of the second step and so on

int counts_of(int step)
{
    return step == 0 ? 0 : MORE + 2 * (step - 1);
}

// What a dispatch has to do.
struct task {
    account books; // of its first step
    uint before, count, repeat;
};

// Goes through what the dispatch before has found.
task find_task()
{
    account a = account_of_last();
    if (last[REPEAT] > 0u)
        return task(a, last[BEFORE], last[REPEAT], 0u);
    for (uint step = 1u; step < last[COUNT]; step++) {
        if (was_too_long(a)) // and it has done others after it
            return task(a, last[BEFORE], 0u, step);
        a = following(a);
        a.unstable = last[counts_of(int(step)) + UNSTABLE];
        a.pits = last[counts_of(int(step)) + PITS];
    }
    // Where one step was too long, the next may well be, too.
    return task(following(a), last[BEFORE] + last[COUNT], was_too_long(a) ? 1u : uint(pass.times), 0u);
}

void keep_task(task t)
{
    if (t.repeat > 0u) // the first step's account stays
        t.books = account_of_last();
    keep_books(t.books);
    now[BEFORE] = t.before;
    now[COUNT] = t.count;
    now[REPEAT] = t.repeat;
    for (int i = counts_of(1); i < counts_of(TIMES); i++)
        next[i] = 0u;
}

void main()
{
    flow flows[STRIP];
    float collected[STRIP], heights[STRIP];
    task t = find_task();
    if (keeps_books())
        keep_task(t);
    if (t.repeat > 0u)
        return;
    load_state();
    bool free = is_free_tile();
    account books = t.books;
    books.unstable = books.pits = 0u;
    for (int left = int(t.count); left > 0; left--) {
        counts some = counts(0u, 0u);
        choose_strip(left);
        if (has_strip) {
            strip_flows(flows);
            put_water_shares(flows);
        }
        barrier();
        if (has_strip) {
            strip_collect(flows, collected);
            add_rain(collected);
            for (int j = 0; j < STRIP; j++) {
                counts of_cell = counts(0u, 0u);
                heights[j] = free || oro_inside(strip_cell(j)) ? height_after(free, j, collected[j], books.step, of_cell) : 0.0;
                if (is_written(strip_cell(j))) {
                    some.unstable += of_cell.unstable;
                    some.pits += of_cell.pits;
                }
            }
        }
        count(counts_of(int(t.count) - left), some);
        if (left == 1)
            break;
        books = following(books);
        barrier();
        if (has_strip) {
            put_heights(heights);
            put_water(collected);
        }
        barrier();
        renew_outside();
    }
    for (int j = 0; j < STRIP; j++) {
        ivec2 p = strip_cell(j);
        if (has_strip && is_written(p)) {
            height_out[oro_index(p)] = heights[j];
            area_out[oro_index(p)] = collected[j];
        }
    }
}
#endif
