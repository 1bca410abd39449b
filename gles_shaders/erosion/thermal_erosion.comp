// Thermal erosion (Schott 2024, 4.3, made conservative and alike in all directions): where the slope at a corner between four
// cells exceeds the critical one, matter moves from the higher to the lower of them. What one gives is what the other gets,
// because both compute the same number from the same heights, in whole steps of pass.least: that is the spacing of floats
// at the largest height, so that no addition is rounded. An invocation handles STRIP cells below each other.
#include "lib/corner.glsl"

struct ground {
    float height;
    float steepest; // slope that is stable
    float mask;
};

#ifndef TIMES
ground ground_at(ivec2 q)
{
    int i = oro_index(q);
    return ground(height[i], critical[i], HAS_MASK == 1 ? mask_at(q) : 1.0);
}
#else // several iterations a dispatch
#include "lib/iterations.glsl"
shared float tile_height[TILE_CAPACITY], tile_critical[TILE_CAPACITY];
#if HAS_MASK
shared float tile_mask[TILE_CAPACITY];
#endif

ground ground_at(ivec2 q)
{
    int i = tile_index(q - tile_corner());
#if HAS_MASK
    return ground(tile_height[i], tile_critical[i], tile_mask[i]);
#else
    return ground(tile_height[i], tile_critical[i], 1.0);
#endif
}

void load_ground()
{
    for (int i = int(gl_LocalInvocationIndex); i < TILE_CELLS; i += int(gl_WorkGroupSize.x)) {
        ivec2 q = tile_cell(i);
        if (!oro_inside(q))
            continue;
        tile_height[TILE_START + i] = height[oro_index(q)];
        tile_critical[TILE_START + i] = critical[oro_index(q)];
#if HAS_MASK
        tile_mask[TILE_START + i] = mask_at(q);
#endif
    }
    barrier();
}
#endif

// x rounded to a whole number, at most 2^22, plus ROUNDER's bits. It is read off the bits of a sum, which no compiler
// may simplify.
const float ROUNDER = 12582912.0; // 1.5 * 2^23: floats of this size are whole numbers
int whole(float x)
{
    return floatBitsToInt(clamp(x, -4194304.0, 4194304.0) + ROUNDER);
}

// What of a drop moves to a straight neighbour and to a slanting one, where all of the slope is too steep: four to one is
// the same in all directions. All eight together are at most 1, so nothing rises above what was higher.
const float STRAIGHT = 0.2, ACROSS = 0.05;

// By which part the slope at a corner is too steep, times `share`. At most `limit` of the excess counts.
float too_steep(ground nw, ground ne, ground sw, ground se, float limit, float share)
{
    float drop = corner_drop(ne.height - nw.height, se.height - sw.height, sw.height - nw.height, se.height - ne.height);
    float stable = product(0.25 * grid.cell * ((nw.steepest + ne.steepest) + (sw.steepest + se.steepest)));
    float moving = share * clamp(drop - stable, 0.0, limit) / drop;
    return product(HAS_MASK == 1 ? moving * min(min(nw.mask, ne.mask), min(sw.mask, se.mask)) : moving);
}

// What comes to a cell from a neighbour, in steps of pass.least; negative when it goes there. `part` of the difference moves.
int moved(float part, ground here, ground there)
{
    return whole(part * (there.height - here.height));
}

// The heights after an iteration, of the strip that begins at p.
void slide(ivec2 p, out float heights[STRIP])
{
    ground west[STRIP + 2], centre[STRIP + 2], east[STRIP + 2];
    // At the border the ground is mirrored: nothing is given or taken over it.
    int to_west = p.x > 0 ? -1 : 0, to_east = p.x < grid.size.x - 1 ? 1 : 0;
    for (int j = 0; j < STRIP + 2; j++) {
        ivec2 q = ivec2(p.x, clamp(p.y + j - 1, 0, grid.size.y - 1));
        west[j] = ground_at(q + ivec2(to_west, 0));
        centre[j] = ground_at(q);
        east[j] = ground_at(q + ivec2(to_east, 0));
    }
    float limit = pass.limit * (10.0 * params.amount * params.reference_cell * params.reference_cell);
    float share = pass.share * (HAS_MASK == 1 ? 1.0 : params.mask) / pass.least;
    float nw = too_steep(west[0], centre[0], west[1], centre[1], limit, share);
    float ne = too_steep(centre[0], east[0], centre[1], east[1], limit, share);
    for (int j = 1; j <= STRIP; j++) {
        ground here = centre[j];
        float sw = too_steep(west[j], here, west[j + 1], centre[j + 1], limit, share);
        float se = too_steep(here, east[j], centre[j + 1], east[j + 1], limit, share);
        const float HALF = 0.5 * STRAIGHT; // of each of the two corners beside a straight way
        int gained = moved(HALF * (nw + sw), here, west[j]) + moved(HALF * (ne + se), here, east[j]) +
                     moved(HALF * (nw + ne), here, centre[j - 1]) + moved(HALF * (sw + se), here, centre[j + 1]) +
                     moved(ACROSS * nw, here, west[j - 1]) + moved(ACROSS * ne, here, east[j - 1]) +
                     moved(ACROSS * sw, here, west[j + 1]) + moved(ACROSS * se, here, east[j + 1]);
        heights[j - 1] = here.height + pass.least * float(gained - 8 * floatBitsToInt(ROUNDER));
        nw = sw;
        ne = se;
    }
}

#ifndef TIMES
void main()
{
    ivec2 p = ivec2(1, STRIP) * oro_cell();
    if (!oro_inside(p))
        return;
    float heights[STRIP];
    slide(p, heights);
    for (int j = 0; j < STRIP; j++)
        if (p.y + j < grid.size.y)
            height_out[oro_index(p + ivec2(0, j))] = heights[j];
}
#else
void main()
{
    float heights[STRIP];
    load_ground();
    for (int left = int(pass.times); left > 0; left--) {
        choose_strip(left);
        if (has_strip)
            slide(strip_cell(0), heights);
        if (left == 1)
            break;
        barrier();
        for (int j = 0; j < STRIP; j++)
            if (has_strip && oro_inside(strip_cell(j)))
                tile_height[tile_index(strip_start() + ivec2(0, j))] = heights[j];
        barrier();
    }
    for (int j = 0; j < STRIP; j++)
        if (has_strip && is_written(strip_cell(j)))
            height_out[oro_index(strip_cell(j))] = heights[j];
}
#endif
