// Thermal erosion (Schott 2024, 4.3, made conservative): where the slope between two cells exceeds the
// critical one, matter moves from the higher to the lower. What one gives is what the other gets, because both compute the
// same number from the same heights, in whole steps of pass.least: that is the spacing of floats at the largest height, so
// that no addition is rounded. An invocation handles STRIP cells below each other.

struct ground {
    float height;
    float stable; // half of the largest stable step to a straight neighbour: the steps of two cells add up
    float mask;
};

#ifndef TIMES
ground ground_at(ivec2 q)
{
    int i = oro_index(q);
    return ground(height[i], 0.5 * grid.cell * critical[i], HAS_MASK == 1 ? mask_at(q) : 1.0);
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
    return ground(tile_height[i], 0.5 * grid.cell * tile_critical[i], tile_mask[i]);
#else
    return ground(tile_height[i], 0.5 * grid.cell * tile_critical[i], 1.0);
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

// x rounded to a whole number, for |x| < 2^22, plus ROUNDER's bits. It is read off the bits of a sum, which no compiler
// may simplify.
const float ROUNDER = 12582912.0; // 1.5 * 2^23: floats of this size are whole numbers
int whole(float x)
{
    return floatBitsToInt(x + ROUNDER);
}

// What comes to a cell from a neighbour, in steps of pass.least; negative when it goes there. `share` of the excess moves,
// a tenth: eight such moves cannot overshoot. At most `limit` of the excess counts.
int moved(ground here, ground there, float distance, float limit, float share)
{
    float rise = there.height - here.height, stable = (here.stable + there.stable) * distance;
    float excess = clamp(rise - clamp(rise, -stable, stable), -limit, limit);
    return whole(share * (HAS_MASK == 1 ? excess * min(here.mask, there.mask) : excess));
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
    const float straight = 1.0, across = 1.41421356;
    float limit = pass.limit * (10.0 * params.amount * params.reference_cell * params.reference_cell);
    float share = pass.share * 0.1 * (HAS_MASK == 1 ? 1.0 : params.mask) / pass.least;
    for (int j = 1; j <= STRIP; j++) {
        ground here = centre[j];
        int gained = moved(here, west[j], straight, limit, share) + moved(here, east[j], straight, limit, share) +
                     moved(here, centre[j - 1], straight, limit, share) +
                     moved(here, centre[j + 1], straight, limit, share) +
                     moved(here, west[j - 1], across, limit, share) + moved(here, east[j - 1], across, limit, share) +
                     moved(here, west[j + 1], across, limit, share) + moved(here, east[j + 1], across, limit, share);
        heights[j - 1] = here.height + pass.least * float(gained - 8 * floatBitsToInt(ROUNDER));
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
