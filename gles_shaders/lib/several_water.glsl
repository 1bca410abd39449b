// The state of a tile while several iterations change it: heights are in patch_height, and the water that cells carry is in
// the first half of ring_share, where their shares take its place in the course of an iteration. Cells outside the grid
// have what lib/flow.glsl and lib/water.glsl say. All invocations of the group must come to load_state() and
// mirror_state().

void load_state()
{
    for (int i = int(gl_LocalInvocationIndex); i < TILE_CELLS; i += INVOCATIONS)
        ring_share[TILE_START + i] = drained(tile_cell(i));
    load_heights();
}

void put_both_shares(flow flows[STRIP])
{
    for (int j = 0; j < STRIP; j++) {
        int i = ring_index(strip_start() + ivec2(0, j));
        float carried = ring_share[i];
        ring_share[i] = share(carried, flows[j].out_sum);
        ring_share[i + RING_CELLS] = share(carried, flows[j].ring_sum);
    }
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
        if (oro_inside(strip_cell(j)))
            ring_share[ring_index(strip_start() + ivec2(0, j))] = water[j];
}

// Gives cells behind walls what their images have come to.
void mirror_state()
{
    ivec2 corner = tile_corner(), last = ivec2(TILE_COLUMNS, TILE_CELLS / TILE_COLUMNS) - 1;
    if (params.borders != BORDERS_WALLS || (oro_inside(corner) && oro_inside(corner + last)))
        return;
    for (int i = int(gl_LocalInvocationIndex); i < TILE_CELLS; i += INVOCATIONS) {
        ivec2 q = tile_cell(i);
        int image = tile_index(clamp(mirrored(q) - corner, ivec2(0), last)); // those beyond the tile do not matter
        if (!oro_inside(q)) {
            patch_height[TILE_START + i] = patch_height[image];
            ring_share[TILE_START + i] = ring_share[image];
        }
    }
    barrier();
}
