/* Where the simulation starts. */
#include "terrain/processor/lib/hash.h"
#include "terrain/processor/lib/outlets.h"

enum { LEVEL, TERRAIN }; /* words of the input `base` */

struct begin {
    struct oro_run_grid grid;
    struct oro_outlets outlets;
    struct oro_map mask, base_level;
    const float *terrain, *ground;
    float *height;
    float roughness; /* metres */
    uint32_t seed;
    int base;
};

struct scratch {
    float mask[ORO_TILE_WIDTH], level[ORO_TILE_WIDTH], sea[ORO_TILE_WIDTH];
};

ORO_INLINE void begin_row(const struct begin *k, const struct oro_tile *tile, int y)
{
    struct scratch scratch;
    const float *mask = oro_map_row(&k->mask, tile->x, y, tile->width, scratch.mask);
    const float *level = oro_map_row(&k->base_level, tile->x, y, tile->width, scratch.level);
    const float *sea = oro_map_row(&k->outlets.sea, tile->x, y, tile->width, scratch.sea);
    size_t at = (size_t)y * (size_t)k->grid.width + (size_t)tile->x;
    const float *terrain = k->terrain + at, *ground = k->ground + at;
    float *height = k->height + at;
    const int terrain_is_base = k->base == TERRAIN;
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        int outlet = oro_is_outlet(&k->outlets, tile->x + x, y, sea[x]);
        int kept = (outlet & terrain_is_base) | !(mask[x] > 0);
        float h = terrain[x], unevenness = oro_hash_unit(oro_hash_cell(tile->x + x, y, k->seed));
        /* What is no height is left to be complained of. */
        int drowned = (h < level[x]) & (h > -1e30F) & !terrain_is_base;
        float uneven = (drowned ? level[x] : h) + mask[x] * k->roughness * unevenness;
        float started = outlet ? level[x] : uneven;
        height[x] = kept ? ground[x] : started;
    }
}

static ORO_CLONES void begin(const void *user, const struct oro_tile *tile)
{
    for (int y = tile->y; y < tile->y + tile->height; y++)
        begin_row(user, tile, y);
}

ORO_PROCESSOR(erosion, stream_power_begin)
{
    struct begin k = {.grid = run->grid,
                      .outlets = oro_outlets_of(run),
                      .mask = oro_run_map(run, "mask"),
                      .base_level = oro_run_map(run, "base_level"),
                      .terrain = oro_run_buffer(run, "terrain"),
                      .ground = oro_run_buffer(run, "ground"),
                      .height = oro_run_buffer(run, "height"),
                      .roughness = oro_run_float(run, "roughness") * run->grid.cell,
                      .seed = (uint32_t)oro_run_int(run, "seed"),
                      .base = oro_run_int(run, "base")};
    if (oro_run_ready(run))
        oro_run_tiles(run, begin, &k);
}
