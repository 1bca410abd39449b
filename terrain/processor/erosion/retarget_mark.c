/* Marks the places that get their height back. */
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum how { NONE, RIDGES, PEAKS, FIELD };

struct mark {
    struct oro_run_grid grid;
    struct oro_map ridge_area;
    const float *value;
    float *fixed;
    bool add;
    enum how how;
};

ORO_INLINE void mark_row(const struct mark *k, const struct oro_tile *tile, int y, enum how how)
{
    float scratch[ORO_TILE_WIDTH], two_cells = 2 * k->grid.cell * k->grid.cell;
    const float *area = oro_map_row(&k->ridge_area, tile->x, y, tile->width, scratch);
    size_t at = (size_t)y * (size_t)k->grid.width + (size_t)tile->x;
    const float *value = k->value + at;
    float *fixed = k->fixed + at;
    const int keeps = k->add, first = (int)at;
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        int was = keeps & (fixed[x] > 0.5F), is = 0;
        if (how == RIDGES)
            is = value[x] < (area[x] > 0 ? area[x] : two_cells);
        if (how == PEAKS)
            is = oro_bits(value[x]) == first + x;
        if (how == FIELD)
            is = value[x] > 0.5F;
        fixed[x] = was | is ? 1 : 0;
    }
}

static ORO_CLONES void mark(const void *user, const struct oro_tile *tile)
{
    const struct mark *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        switch (k->how) {
        case RIDGES:
            mark_row(k, tile, y, RIDGES);
            break;
        case PEAKS:
            mark_row(k, tile, y, PEAKS);
            break;
        case FIELD:
            mark_row(k, tile, y, FIELD);
            break;
        default:
            mark_row(k, tile, y, NONE);
        }
}

static enum how how_of(const struct oro_run *run)
{
    return oro_run_defined(run, "RIDGES") == 1  ? RIDGES
           : oro_run_defined(run, "PEAKS") == 1 ? PEAKS
           : oro_run_defined(run, "FIELD") == 1 ? FIELD
                                                : NONE;
}

ORO_PROCESSOR(erosion, retarget_mark)
{
    struct mark k = {.grid = run->grid,
                     .ridge_area = oro_run_map(run, "ridge_area"),
                     .value = oro_run_buffer(run, "value"),
                     .fixed = oro_run_buffer(run, "fixed_out"),
                     .add = oro_run_number(run, "add") > 0,
                     .how = how_of(run)};
    if (oro_run_ready(run))
        oro_run_tiles(run, mark, &k);
}
