#include "terrain/processor/lib/bicubic.h"
#include "terrain/processor/lib/terrain.h"

enum method { CATMULL_ROM, B_SPLINE, BILINEAR };

struct upsample {
    struct oro_map terrain;
    enum method method;
    float scale_x, scale_y; /* cells of the terrain in one */
    struct oro_setter out;
};

static struct oro_taps taps_at(const struct upsample *k, int cell, float scale)
{
    float place = ((float)cell + 0.5F) * scale - 0.5F;
    return k->method == CATMULL_ROM ? oro_catmull_rom_taps(place)
           : k->method == B_SPLINE  ? oro_b_spline_taps(place)
                                    : oro_bilinear_taps(place);
}

static ORO_CLONES void upsample(const void *user, const struct oro_tile *tile)
{
    const struct upsample *k = user;
    struct oro_taps_row taps = {0};
    float samples[4][ORO_TAPS_COLUMNS], out[ORO_TILE_WIDTH];
    for (int x = 0; x < tile->width; x++)
        oro_taps_put(&taps, x, taps_at(k, tile->x + x, k->scale_x));
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        struct oro_taps down = taps_at(k, y, k->scale_y);
        for (int i = 0; i < 4; i++)
            oro_terrain_row(&k->terrain, taps.start, down.first + i, taps.count, samples[i]);
        oro_surface_row(&taps, &down, tile->width, samples, out);
        oro_set_row(&k->out, tile->x, y, tile->width, out);
    }
}

ORO_PROCESSOR(resolution, upsample)
{
    struct upsample k = {.terrain = oro_run_map(run, "terrain"),
                         .method = (enum method)oro_run_int(run, "method"),
                         .scale_x = (float)run->source.width / (float)run->grid.width,
                         .scale_y = (float)run->source.height / (float)run->grid.height,
                         .out = oro_run_setter(run, "terrain")};
    if (oro_run_ready(run))
        oro_run_tiles(run, upsample, &k);
}
