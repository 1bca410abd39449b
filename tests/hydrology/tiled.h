/* Rasters in memory as sources and sinks of tiles. */
#ifndef ORO_TESTS_HYDROLOGY_TILED_H
#define ORO_TESTS_HYDROLOGY_TILED_H

#include "terrain/drainage/tiled.h"
#include "tests/hydrology/terrains.h"

struct raster {
    int width;
    float *values;
};

static inline bool load_window(void *user, const struct oro_tiled_block *window, float *out,
                               struct oro_error *err)
{
    const struct raster *raster = user;
    (void)err;
    for (int y = 0; y < window->height; y++)
        for (int x = 0; x < window->width; x++)
            *out++ =
                raster->values[(size_t)(window->y + y) * (size_t)raster->width + (size_t)(window->x + x)];
    return true;
}

static inline bool store_tile(void *user, const struct oro_tiled_block *tile, const float *values,
                              struct oro_error *err)
{
    const struct raster *raster = user;
    (void)err;
    for (int y = 0; y < tile->height; y++)
        for (int x = 0; x < tile->width; x++)
            raster->values[(size_t)(tile->y + y) * (size_t)raster->width + (size_t)(tile->x + x)] = *values++;
    return true;
}

struct directions {
    int width;
    uint32_t *receiver;
};

static inline bool store_receivers(void *user, const struct oro_tiled_block *tile, const uint8_t *directions,
                                   struct oro_error *err)
{
    static const int across[] = {-1, 0, 1, -1, 1, -1, 0, 1, 0}, down[] = {-1, -1, -1, 0, 0, 1, 1, 1, 0};
    const struct directions *d = user;
    (void)err;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++, directions++) {
            assert_true(*directions <= 8);
            d->receiver[y * d->width + x] =
                (uint32_t)((y + down[*directions]) * d->width + x + across[*directions]);
        }
    return true;
}

#endif
