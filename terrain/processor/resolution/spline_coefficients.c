#include "terrain/processor/lib/spline.h"
#include "terrain/processor/vector.h"

enum { REACH = 13 };

struct spline {
    struct oro_map terrain;
    int east, south, width;
    float *coefficients;
};

/* The cells of a row, and those that lie 1 to REACH cells before and after them along the axis. */
struct lines {
    const float *middle, *before[REACH], *after[REACH];
};

ORO_INLINE void filter_row(const struct lines *lines, int width, float *out)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float middle = lines->middle[x], change = 0, weight = 1.73205081F;
        for (int i = 0; i < REACH; i++) {
            weight *= -0.26794919F;
            change += weight * ((lines->before[i][x] - middle) + (lines->after[i][x] - middle));
        }
        out[x] = middle + change;
    }
}

static ORO_CLONES void filter(const void *user, const struct oro_tile *tile)
{
    const struct spline *k = user;
    float scratch[2 * REACH + 1][ORO_TILE_WIDTH];
    struct lines lines;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        lines.middle = oro_map_row(&k->terrain, tile->x, y, tile->width, scratch[0]);
        for (int i = 1; i <= REACH; i++) {
            int east = i * k->east, south = i * k->south;
            lines.before[i - 1] =
                oro_turned_row(&k->terrain, tile->x - east, y - south, tile->width, scratch[2 * i - 1]);
            lines.after[i - 1] =
                oro_turned_row(&k->terrain, tile->x + east, y + south, tile->width, scratch[2 * i]);
        }
        filter_row(&lines, tile->width, k->coefficients + (size_t)y * (size_t)k->width + tile->x);
    }
}

ORO_PROCESSOR(resolution, spline_coefficients)
{
    struct spline k = {.terrain = oro_run_map(run, "terrain"),
                       .east = (int)oro_run_number(run, "east"),
                       .south = (int)oro_run_number(run, "south"),
                       .width = run->grid.width,
                       .coefficients = oro_run_buffer(run, "coefficients")};
    if (oro_run_ready(run))
        oro_run_tiles(run, filter, &k);
}
