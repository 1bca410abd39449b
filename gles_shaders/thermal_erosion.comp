// One iteration of thermal erosion (Schott 2024, 4.3, made conservative): where the slope between two cells exceeds the
// critical one, matter moves from the higher to the lower. What one gives is exactly what the other gets, because both
// compute the same number from the same heights. An invocation handles STRIP cells below each other.

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
    float stable = 0.5 * (here.critical + there.critical) * distance;
    float excess = rise - clamp(rise, -stable, stable);
    return clamp(0.1 * excess, -limit, limit) * min(here.mask, there.mask);
}

void main()
{
    ivec2 p = ivec2(1, STRIP) * oro_cell();
    if (!oro_inside(p))
        return;
    ground west[STRIP + 2], centre[STRIP + 2], east[STRIP + 2];
    for (int j = 0; j < STRIP + 2; j++) {
        west[j] = ground_at(p + ivec2(-1, j - 1));
        centre[j] = ground_at(p + ivec2(0, j - 1));
        east[j] = ground_at(p + ivec2(1, j - 1));
    }
    float limit = params.amount * params.reference_cell * params.reference_cell;
    float straight = grid.cell, across = 1.41421356 * grid.cell;
    for (int j = 1; j <= STRIP; j++) {
        ground here = centre[j];
        float gained = moved(here, west[j], straight, limit) + moved(here, east[j], straight, limit) +
                       moved(here, centre[j - 1], straight, limit) + moved(here, centre[j + 1], straight, limit) +
                       moved(here, west[j - 1], across, limit) + moved(here, east[j - 1], across, limit) +
                       moved(here, west[j + 1], across, limit) + moved(here, east[j + 1], across, limit);
        ivec2 q = p + ivec2(0, j - 1);
        if (q.y < grid.size.y)
            height_out[oro_index(q)] = here.height + gained;
    }
}
