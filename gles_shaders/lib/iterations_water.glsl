// The state of a tile while several iterations change it: heights are in patch_height, and the water that cells carry is in
// the first half of ring_share, where their shares take its place in the course of an iteration. Cells outside the grid
// have what lib/flow.glsl and lib/water.glsl say. All invocations of the group must come to load_state() and
// renew_outside().

#ifdef SEDIMENT // defined by kernels that carry sediment, too
shared float tile_sediment[2 * TILE_CAPACITY], tile_source[TILE_CAPACITY];
#endif

void load_state()
{
    float values[LOADED_EACH];
    for (int k = 0; k < LOADED_EACH; k++)
        values[k] = drained(loaded_cell(loaded(k)));
    for (int k = 0; k < LOADED_EACH; k++)
        if (loaded(k) < LOADED)
            ring_share[TILE_START + loaded(k)] = values[k];
    load_heights();
}

// Shares of what the strip's cells carry, into both halves of ring_share.
void put_both_shares(flow flows[STRIP], float carried[STRIP])
{
    for (int j = 0; j < STRIP; j++) {
        int i = ring_index(strip_start() + ivec2(0, j));
        ring_share[i] = share(carried[j], flows[j].out_sum);
        ring_share[i + RING_CELLS] = share(carried[j], flows[j].ring_sum);
    }
}

void put_water_shares(flow flows[STRIP])
{
    float water[STRIP];
    for (int j = 0; j < STRIP; j++)
        water[j] = ring_share[ring_index(strip_start() + ivec2(0, j))];
    put_both_shares(flows, water);
}

void put_heights(float heights[STRIP])
{
    for (int j = 0; j < STRIP; j++)
        if (oro_inside(strip_cell(j)))
            patch_height[patch_index(strip_start() + ivec2(0, j))] = heights[j];
}

void put_water(float water[STRIP])
{
    for (int j = 0; j < STRIP; j++)
        ring_share[ring_index(strip_start() + ivec2(0, j))] = oro_inside(strip_cell(j)) ? water[j] : 0.0;
}

void mirror_carried(int from, int to)
{
    ring_share[to] = ring_share[from];
#ifdef SEDIMENT
    tile_sediment[to] = tile_sediment[from];
#endif
}

// Gives cells outside the grid what those inside have come to.
void renew_outside()
{
    ivec2 corner = tile_corner(), last = ivec2(TILE_COLUMNS, TILE_CELLS / TILE_COLUMNS) - 1;
    bool walls = params.borders == BORDERS_WALLS;
    if (!(walls || HELD == 1 || OUTSIDE_RISES) || (oro_inside(corner) && oro_inside(corner + last)))
        return;
    for (int i = int(gl_LocalInvocationIndex); i < TILE_CELLS; i += INVOCATIONS) {
        ivec2 q = tile_cell(i), source = stand_in(q);
        int from = tile_index(clamp(source - corner, ivec2(0), last)); // those beyond the tile do not matter
        if (oro_inside(q))
            continue;
#if HELD
        patch_height[TILE_START + i] = patch_height[from];
#else
        patch_height[TILE_START + i] = walls ? patch_height[from] : open_ground(q, patch_height[from]);
#endif
        if (walls)
            mirror_carried(from, TILE_START + i);
    }
    barrier();
}
