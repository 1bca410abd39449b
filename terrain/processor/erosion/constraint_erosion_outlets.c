#include "terrain/processor/run.h"

/* Words of the input `borders`. */
enum { OUTFLOW, WALLS };

struct outlets {
    const float *height, *drained;
    float *outlets;
    float trickle, sea_level;
    int width, rows;
    bool open, again;
};

static bool is_lowest(const struct outlets *k, int x, int y)
{
    float own = k->height[(size_t)y * (size_t)k->width + (size_t)x];
    for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < k->rows; v++)
        for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < k->width; u++)
            if (k->height[(size_t)v * (size_t)k->width + (size_t)u] < own)
                return false;
    return true;
}

static void find(const void *user, const struct oro_tile *tile)
{
    const struct outlets *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++) {
            size_t i = (size_t)y * (size_t)k->width + (size_t)x;
            bool border = x == 0 || y == 0 || x == k->width - 1 || y == k->rows - 1;
            bool dry = k->drained[i] <= k->trickle;
            bool hollow = k->again ? k->outlets[i] > 0.5F : is_lowest(k, x, y);
            bool leaves = k->height[i] <= k->sea_level || (border && k->open);
            k->outlets[i] = leaves || (dry && hollow) ? 1 : 0;
        }
}

ORO_PROCESSOR(erosion, constraint_erosion_outlets)
{
    struct outlets k = {.height = oro_run_buffer(run, "height"),
                        .drained = oro_run_buffer(run, "drained"),
                        .outlets = oro_run_buffer(run, "outlets"),
                        .trickle = oro_run_number(run, "trickle"),
                        .sea_level = oro_run_float(run, "sea_level"),
                        .width = run->grid.width,
                        .rows = run->grid.height,
                        .open = oro_run_int(run, "borders") == OUTFLOW,
                        .again = oro_run_defined(run, "AGAIN") == 1};
    if (oro_run_ready(run))
        oro_run_tiles(run, find, &k);
}
