// One iteration of thermal erosion (Schott 2024, 4.3, made conservative): where the slope between two cells exceeds the
// critical one, matter moves from the higher to the lower. What one gives is exactly what the other gets, because both
// compute the same number from the same heights. An invocation handles a strip of cells below each other.

const int STRIP = 4;

struct ground {
    float height, critical, mask;
};

// Outside the grid nothing is given or taken: the cell there is as high as the border.
ground ground_at(ivec2 q)
{
    q = clamp(q, ivec2(0), grid.size - 1);
    return ground(height[oro_index(q)], critical[oro_index(q)], mask_at(q));
}

// What comes to a cell from a neighbour, in metres; negative when it goes there. At most `limit` moves, and at most a
// tenth of the excess: eight such moves cannot overshoot.
float moved(ground here, ground there, float distance, float limit)
{
    float rise = there.height - here.height;
    float excess = max(abs(rise) - 0.5 * (here.critical + there.critical) * distance, 0.0);
    return sign(rise) * min(limit, 0.1 * excess) * min(here.mask, there.mask);
}

void main()
{
    ivec2 p = ivec2(1, STRIP) * oro_cell();
    if (!oro_inside(p))
        return;
    float limit = params.amount * params.reference_cell * params.reference_cell;
    float straight = grid.cell, across = 1.41421356 * grid.cell;
    ground west = ground_at(p + ivec2(-1, -1)), north = ground_at(p + ivec2(0, -1)), east = ground_at(p + ivec2(1, -1));
    ground left = ground_at(p + ivec2(-1, 0)), here = ground_at(p), right = ground_at(p + ivec2(1, 0));
    for (int j = 0; j < STRIP && p.y < grid.size.y; j++, p.y++) {
        ground low_west = ground_at(p + ivec2(-1, 1)), low = ground_at(p + ivec2(0, 1)),
               low_east = ground_at(p + ivec2(1, 1));
        float gained = moved(here, left, straight, limit) + moved(here, right, straight, limit) +
                       moved(here, north, straight, limit) + moved(here, low, straight, limit) +
                       moved(here, west, across, limit) + moved(here, east, across, limit) +
                       moved(here, low_west, across, limit) + moved(here, low_east, across, limit);
        height_out[oro_index(p)] = here.height + gained;
        west = left, north = here, east = right;
        left = low_west, here = low, right = low_east;
    }
}
