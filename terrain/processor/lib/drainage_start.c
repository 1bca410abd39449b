#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct start {
    struct oro_run_grid grid;
    struct oro_map rain;
    const float *given; /* or NULL */
    float *area;
};

ORO_INLINE void start_row(const struct start *k, const struct oro_tile *tile, int y)
{
    float scratch[ORO_TILE_WIDTH], cell_area = k->grid.cell * k->grid.cell;
    const float *rain = oro_map_row(&k->rain, tile->x, y, tile->width, scratch);
    size_t at = (size_t)y * (size_t)k->grid.width + (size_t)tile->x;
    float *area = k->area + at;
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        area[x] = cell_area * rain[x];
    if (!k->given)
        return;
    const float *given = k->given + at;
#pragma omp simd
    for (int x = 0; x < tile->width; x++)
        area[x] = oro_max(area[x], given[x]);
}

static ORO_CLONES void start(const void *user, const struct oro_tile *tile)
{
    for (int y = tile->y; y < tile->y + tile->height; y++)
        start_row(user, tile, y);
}

ORO_PROCESSOR(lib, drainage_start)
{
    struct start k = {.grid = run->grid,
                      .rain = oro_run_map(run, "rain"),
                      .given = oro_run_optional(run, "drainage"),
                      .area = oro_run_buffer(run, "area_out")};
    if (oro_run_ready(run))
        oro_run_tiles(run, start, &k);
}
