// The state of a tile while several iterations change it: heights are in patch_height, and the water that cells carry is in
// the first half of ring_share, where their shares take its place in the course of an iteration. Cells outside the grid
// have what lib/flow.glsl and lib/water.glsl say. All invocations of the group must come to
// load_state() and mirror_state().

int ring_index(ivec2 at)
{
    return (at.y + 1) * RING + at.x + 1;
}

int patch_index(ivec2 at)
{
    return (at.y + HALO) * PATCH + at.x + HALO;
}

void load_state()
{
    for (int i = int(gl_LocalInvocationIndex); i < TILE * TILE; i += INVOCATIONS) {
        ivec2 at = ivec2(i % TILE, i / TILE);
        ring_share[ring_index(at)] = drained(tile_corner() + at);
    }
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

void put_state(float heights[STRIP], float water[STRIP])
{
    for (int j = 0; j < STRIP; j++) {
        ivec2 at = strip_start() + ivec2(0, j);
        if (oro_inside(tile_corner() + at)) {
            patch_height[patch_index(at)] = heights[j];
            ring_share[ring_index(at)] = water[j];
        }
    }
}

// Gives cells behind walls what their images have come to.
void mirror_state()
{
    ivec2 corner = tile_corner();
    if (params.borders != BORDERS_WALLS || (oro_inside(corner) && oro_inside(corner + TILE - 1)))
        return;
    for (int i = int(gl_LocalInvocationIndex); i < TILE * TILE; i += INVOCATIONS) {
        ivec2 at = ivec2(i % TILE, i / TILE);
        ivec2 image = clamp(mirrored(corner + at) - corner, ivec2(0), ivec2(TILE - 1)); // beyond the tile: of no effect
        if (!oro_inside(corner + at)) {
            patch_height[patch_index(at)] = patch_height[patch_index(image)];
            ring_share[ring_index(at)] = ring_share[ring_index(image)];
        }
    }
    barrier();
}
