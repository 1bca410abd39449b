// One explicit step (Schott 2023, eq. 2 and 5, section 7.2): the water moves one cell on, the ground rises and is carved.
//
// The length of the step adapts to pits, and to unstable cells: those that would be carved or smoothed further than
// their neighbours allow. Three short lists take turns: `last` is that of the step before, `now` is written (all groups
// count), `next` is cleared.
#define HELD_BORDERS 1
#include "lib/water.glsl"
#include "lib/outlets.glsl"
#include "lib/routing.glsl"
#include "lib/incision.glsl"

const int UNSTABLE = 0, PITS = 1, STEP = 2, YEARS = 3, PITS_BEFORE = 4, LIMIT = 5;
const uint A_FEW = 4u;

// Whether the step before was too long: there are clearly more pits (the paper), or a few cells were unstable, from
// which pits would come if they were not held back.
bool was_too_long()
{
    uint pits = last[PITS], before = last[PITS_BEFORE];
    return last[UNSTABLE] > A_FEW || pits > before + max(before / 32u, A_FEW);
}

// The paper: 1 % longer, or a quarter shorter. Close to the length that was too long the last time, it grows more
// slowly: ground that is shaken all the time does not come to rest.
float choose_step()
{
    float before = uintBitsToFloat(last[STEP]), limit = uintBitsToFloat(last[LIMIT]);
    float factor = was_too_long() ? 0.75 : limit > 0.0 && before > 0.8 * limit ? 1.0002 : 1.01;
    return clamp(before * factor, 1e-6, pass.longest);
}

void keep_books(float step)
{
    now[STEP] = floatBitsToUint(step);
    now[YEARS] = floatBitsToUint(uintBitsToFloat(last[YEARS]) + step);
    now[PITS_BEFORE] = last[PITS];
    now[LIMIT] = was_too_long() ? last[STEP] : last[LIMIT];
    next[UNSTABLE] = 0u;
    next[PITS] = 0u;
}

// The height after the step. `unstable`: the ground allowed less than the whole of it.
float stepped(ivec2 p, ground g, float area, float step, out bool unstable)
{
    float power = params.m * log2(max(area, 1e-30)) + params.n * log2(g.drop) + pass.scale, room = g.height - g.receiver;
    float carved = step * mask_at(p) * erodibility_at(p) * exp2(min(power, 120.0)), crept = 0.0;
    unstable = max(params.n, 1.0) * carved > 0.7 * room;
#if CREEP
    float pulled = step * pull(p);
    unstable = unstable || pulled > 0.9;
    crept = min(pulled, 0.9) * (g.mean - g.height);
#endif
    float lifted = step * lift(p);
    carved = max(carved, g.drop + lifted - pass.steepest); // with the lift: the slope in balance has no step in it
    return g.height + lifted + crept - min(carved, 0.9 * room);
}

// Whether no cell of the tile can be held in its place. So it is in nearly all tiles, which saves asking for each cell.
bool is_free_tile()
{
#if HAS_SEA || HAS_MASK
    return false;
#else
    ivec2 corner = tile_corner();
    return all(greaterThan(corner, ivec2(0))) && all(lessThan(corner + TILE, grid.size)) && !(params.sea > 0.5) &&
           params.mask > 0.0;
#endif
}

void main()
{
    float step = choose_step();
    flow flows[STRIP];
    float collected[STRIP];
    collect_water(flows, collected);
    bool free = is_free_tile();
    uint unstable = 0u, pits = 0u;
    for (int j = 0; j < STRIP; j++) {
        ivec2 p = strip_cell(j);
        if (!free && !oro_inside(p))
            continue;
        ground g = ground_at(j);
        bool cell_unstable = false;
        float after = g.height;
        if (free || (!is_outlet(p) && mask_at(p) > 0.0)) {
            // A pit fills with sediment up to where it spills. It rises with the ground as well.
            bool pit = !(g.drop > 0.0);
            after = pit ? max(g.lowest, g.height + step * lift(p))
                        : stepped(p, g, collected[j], step, cell_unstable);
            pits += pit ? 1u : 0u;
            unstable += cell_unstable ? 1u : 0u;
        }
        height_out[oro_index(p)] = after;
        area_out[oro_index(p)] = collected[j];
    }
    if (unstable > 0u)
        atomicAdd(now[UNSTABLE], unstable);
    if (pits > 0u)
        atomicAdd(now[PITS], pits);
    if (gl_LocalInvocationIndex == 0u && oro_group() == ivec2(0))
        keep_books(step);
}
