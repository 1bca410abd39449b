/* One sweep in a level, then what is still wrong, summed up for the cells of the next level. */
#include "terrain/processor/lib/multigrid.h"

struct down {
    struct oro_multigrid level;
    const float *values;
    float *swept, *coarse_given;
};

ORO_INLINE void load(const struct down *k, const struct oro_tile *tile, struct oro_multigrid_tile *t)
{
    struct oro_tile inside = oro_multigrid_inside(&k->level, tile);
    size_t width = (size_t)k->level.grid.width, bytes = (size_t)inside.width * sizeof(float);
    oro_multigrid_equations(&k->level, tile, t);
    for (int y = inside.y; y < inside.y + inside.height; y++) {
        float *e = oro_multigrid_at(tile, t->e, inside.x, y);
        if (k->level.start == ORO_FROM_NOTHING)
            memset(e, 0, bytes);
        else
            memcpy(e, k->values + (size_t)y * width + inside.x, bytes);
    }
}

/* Row y of the tile; beyond the grid nothing is wrong. */
ORO_INLINE void find_residuals(const struct down *k, const struct oro_tile *tile, int y,
                               const struct oro_multigrid_tile *t, float *left)
{
    int row = y + ORO_MULTIGRID_HALO;
    float north = tile->y + y > 0 ? k->level.along : 0;
    float south = tile->y + y < k->level.grid.height - 1 ? k->level.along : 0;
#pragma omp simd
    for (int x = 8; x < 8 + ORO_TILE_WIDTH; x++) {
        float residual = oro_multigrid_residual(t, row, x, north, south);
        left[x - 8] = t->gain[row][x] > 0 ? residual : 0;
    }
}

/* The last half sweep has left black cells with rounding errors where there should be nothing. They count:
 * summed up over a large raster they would be seen. */
ORO_INLINE void sum_up(const struct down *k, const struct oro_tile *tile, const struct oro_multigrid_tile *t)
{
    float upper[ORO_TILE_WIDTH], lower[ORO_TILE_WIDTH];
    for (int y = 0; y < tile->height; y += 2) {
        float *given =
            k->coarse_given + (size_t)((tile->y + y) / 2) * (size_t)k->level.source.width + tile->x / 2;
        find_residuals(k, tile, y, t, upper);
        find_residuals(k, tile, y + 1, t, lower);
#pragma omp simd
        for (int x = 0; x < (tile->width + 1) / 2; x++)
            given[x] = (upper[2 * x] + upper[2 * x + 1]) + (lower[2 * x] + lower[2 * x + 1]);
    }
}

static ORO_CLONES void go_down(const void *user, const struct oro_tile *tile)
{
    const struct down *k = user;
    struct oro_multigrid_tile t;
    load(k, tile, &t);
    oro_multigrid_sweep(&k->level, tile, 0, 2, &t);
    oro_multigrid_sweep(&k->level, tile, 1, 1, &t);
    for (int y = tile->y; y < tile->y + tile->height; y++)
        memcpy(k->swept + (size_t)y * (size_t)k->level.grid.width + tile->x,
               oro_multigrid_at(tile, t.e, tile->x, y), (size_t)tile->width * sizeof(float));
    sum_up(k, tile, &t);
}

ORO_PROCESSOR(erosion, retarget_down)
{
    struct down k = {oro_multigrid_of(run), oro_run_buffer(run, "values"), oro_run_buffer(run, "swept"),
                     oro_run_buffer(run, "coarse_given")};
    if (oro_run_ready(run))
        oro_run_tiles(run, go_down, &k);
}
