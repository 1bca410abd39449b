#include <math.h>

#include "terrain/processor/lib/hash.h"
#include "terrain/processor/lib/terrain.h"

struct start {
    struct oro_map terrain, moisture;
    const float *elevation, *start; /* start: NULL: the heights to keep to */
    float *constraint, *relief, *height;
    uint32_t *gorge, *flags;
    float roughness, sea_level, cell;
    uint32_t seed;
    int width;
};

static bool is_finite(float x)
{
    return (oro_bits(x) & 0x7f800000) != 0x7f800000;
}

static void begin_cell(const struct start *k, int x, int y, struct oro_slope slope)
{
    const float hills = 0.1F; /* slope of ground that counts as hills */
    size_t i = (size_t)y * (size_t)k->width + (size_t)x;
    float noise = (oro_hash_unit(oro_hash_cell(x, y, k->seed)) - 0.5F) * k->roughness * k->cell;
    float moisture = oro_min(oro_map_at(&k->moisture, x, y), 1), kept = k->elevation[i];
    float steepness = sqrtf(slope.east * slope.east + slope.south * slope.south);
    if (kept > k->sea_level)
        kept += noise * moisture;
    k->constraint[i] = kept;
    k->relief[i] = kept > k->sea_level ? oro_min(steepness / hills, 1) * moisture : 0;
    k->height[i] = k->start ? k->start[i] : kept;
    k->gorge[i] = 0;
}

static void begin(const void *user, const struct oro_tile *tile)
{
    const struct start *k = user;
    struct oro_terrain_rows rows;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        oro_terrain_rows(&k->terrain, tile, y, &rows);
        for (int x = 0; x < tile->width; x++)
            begin_cell(k, tile->x + x, y, oro_gradient_at(&rows, x, k->cell));
    }
}

ORO_PROCESSOR(erosion, constraint_erosion_start)
{
    struct start k = {.terrain = oro_run_map(run, "terrain"),
                      .moisture = oro_run_map(run, "moisture"),
                      .elevation = oro_run_buffer(run, "terrain"),
                      .start = oro_run_optional(run, "start"),
                      .constraint = oro_run_buffer(run, "constraint"),
                      .relief = oro_run_buffer(run, "relief"),
                      .height = oro_run_buffer(run, "height"),
                      .gorge = oro_run_buffer(run, "gorge"),
                      .flags = oro_run_buffer(run, "flags"),
                      .roughness = oro_run_float(run, "roughness"),
                      .sea_level = oro_run_float(run, "sea_level"),
                      .cell = run->grid.cell,
                      .seed = oro_hash_number((uint32_t)oro_run_int(run, "seed")),
                      .width = run->grid.width};
    if (!oro_run_ready(run))
        return;
    oro_run_tiles(run, begin, &k);
    size_t cells = (size_t)run->grid.width * (size_t)run->grid.height;
    for (size_t i = 0; i < cells; i++)
        if (!is_finite(k.elevation[i]) || !is_finite(k.height[i]))
            k.flags[0] = 1;
}
