#include "terrain/processor/lib/air.h"

struct moisture {
    struct oro_map terrain, shadow;
    const float *mean, *way;
    float sea_level, scale_height, height, reach, coast, lift, least;
    int width;
    struct oro_setter moisture, humidity, rain;
};

static ORO_CLONES void find(const void *user, const struct oro_tile *tile)
{
    const float steep = 0.1F;
    const struct moisture *k = user;
    float scratch[2][ORO_TILE_WIDTH], moisture[ORO_TILE_WIDTH], humidity[ORO_TILE_WIDTH],
        rain[ORO_TILE_WIDTH];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        size_t at = (size_t)y * (size_t)k->width + (size_t)tile->x;
        const float *terrain = oro_map_row(&k->terrain, tile->x, y, tile->width, scratch[0]);
        /* NaN counts as the low end of its range, which is no shadow. */
        const float *shadow = oro_map_row(&k->shadow, tile->x, y, tile->width, scratch[1]);
        const float *air = k->mean + 2 * at, *way = k->way + at;
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float most = oro_capacity(oro_above_sea(terrain[x], k->sea_level), k->scale_height);
            float water = air[2 * x], lifted = air[2 * x + 1];
            humidity[x] = water < most ? water / most : 1;
            rain[x] = 1 - oro_exp(-lifted / steep);
            float of_air = oro_mix(1, humidity[x], shadow[x]) * oro_mix(1, most, k->height);
            float of_way = oro_mix(1, oro_exp(-way[x] / k->reach), k->coast);
            moisture[x] = oro_mix(k->least, 1, of_way * oro_mix(of_air, rain[x], k->lift));
        }
        oro_set_row(&k->moisture, tile->x, y, tile->width, moisture);
        oro_set_row(&k->humidity, tile->x, y, tile->width, humidity);
        oro_set_row(&k->rain, tile->x, y, tile->width, rain);
    }
}

ORO_PROCESSOR(mask, moisture)
{
    struct moisture k = {.terrain = oro_run_map(run, "terrain"),
                         .shadow = oro_run_map(run, "rain_shadow"),
                         .mean = oro_run_buffer(run, "mean"),
                         .way = oro_run_buffer(run, "way"),
                         .sea_level = oro_run_float(run, "sea_level"),
                         .scale_height = oro_run_float(run, "scale_height"),
                         .height = oro_run_float(run, "height"),
                         .reach = oro_run_float(run, "reach"),
                         .coast = oro_run_number(run, "coast"),
                         .lift = oro_run_float(run, "lift"),
                         .least = oro_run_float(run, "least"),
                         .width = run->grid.width,
                         .moisture = oro_run_setter(run, "moisture"),
                         .humidity = oro_run_setter(run, "humidity"),
                         .rain = oro_run_setter(run, "rain")};
    if (oro_run_ready(run))
        oro_run_tiles(run, find, &k);
}
