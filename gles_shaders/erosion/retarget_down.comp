// One sweep in a level, then what is still wrong, summed up for the cells of the next level; in TILES left for
// retarget_sum.comp to do, since the next level is cut into other tiles.
#include "lib/multigrid.glsl"

float first_value(ivec2 p, bool fixed_cell)
{
    return int(pass.start) == FROM_NOTHING ? 0.0 : values[oro_index(p)];
}

void write_values(int colour)
{
    for (int slot = 0; slot < SLOTS; slot++) {
        ivec2 at = patch_cell(colour, slot), p = place_of(at);
        if (in_patch(at) && in_tile(at) && oro_inside(p))
            swept[oro_index(p)] = patch_e[index_of(at)];
    }
}

void find_residuals(int colour, cells c, out float left[SLOTS])
{
    for (int slot = 0; slot < SLOTS; slot++)
        left[slot] = c.gain[slot] > 0.0 ? residual(c, slot, patch_cell(colour, slot)) : 0.0;
}

#if TILES
void write_residuals(int colour, float left[SLOTS])
{
    for (int slot = 0; slot < SLOTS; slot++) {
        ivec2 at = patch_cell(colour, slot), p = place_of(at);
        if (in_patch(at) && in_tile(at) && oro_inside(p))
            wrong[oro_index(p)] = left[slot];
    }
}
#else
void put_residuals(int colour, float left[SLOTS])
{
    for (int slot = 0; slot < SLOTS; slot++) {
        ivec2 at = patch_cell(colour, slot);
        if (in_patch(at))
            patch_e[index_of(at)] = left[slot];
    }
}

// One invocation a coarse cell. Tiles begin at even places.
void sum_up()
{
    int i = int(gl_LocalInvocationIndex);
    ivec2 q = ivec2(i % (TILE / 2), i / (TILE / 2)), p = tile_corner() / 2 + q;
    if (all(lessThan(p, source.size))) {
        int at = index_of(2 * q + HALO);
        coarse_given[oro_source_cell(p)] =
            (patch_e[at] + patch_e[at + 1]) + (patch_e[at + PATCH] + patch_e[at + PATCH + 1]);
    }
}
#endif

// The last half sweep has left black cells with rounding errors where there should be nothing. They count: summed up
// over a large raster they would be seen.
void main()
{
    float left_red[SLOTS], left_black[SLOTS];
    cells red = load_cells(0), black = load_cells(1);
    barrier();
    sweep(0, red);
    sweep(1, black);
    write_values(0);
    write_values(1);
    find_residuals(0, red, left_red);
    find_residuals(1, black, left_black);
#if TILES
    write_residuals(0, left_red);
    write_residuals(1, left_black);
#else
    barrier();
    put_residuals(0, left_red);
    put_residuals(1, left_black);
    barrier();
    sum_up();
#endif
}
