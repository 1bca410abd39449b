#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { REACH = 4, WIDTH = 2 * REACH + 1 };

struct factor {
    struct oro_map amplitude;
    int width, height, side;
    const float *energy;
    float least, most, window[WIDTH]; /* a Gaussian */
    float *out;
};

static float factor_at(const struct factor *k, int x, int y)
{
    float sum = 0, total = 0;
    for (int j = -REACH; j <= REACH; j++)
        for (int i = -REACH; i <= REACH; i++) {
            if (x + i < 0 || y + j < 0 || x + i >= k->width || y + j >= k->height)
                continue;
            float weight = k->window[j + REACH] * k->window[i + REACH];
            sum += weight * k->energy[(size_t)(y + j) * (size_t)k->width + (size_t)(x + i)];
            total += weight;
        }
    float wanted = oro_map_at(&k->amplitude, x * k->side + k->side / 2, y * k->side + k->side / 2);
    return oro_clamp(wanted / oro_max(sqrtf(sum / total), 1e-6F), k->least, k->most);
}

static void find(const void *user, const struct oro_tile *tile)
{
    const struct factor *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++)
            k->out[(size_t)y * (size_t)k->width + (size_t)x] = factor_at(k, x, y);
}

ORO_PROCESSOR(erosion, limit_detail_factor)
{
    const float deviation = 1.5F;
    struct factor k = {.amplitude = oro_run_map(run, "amplitude"),
                       .width = run->grid.width,
                       .height = run->grid.height,
                       .side = (int)oro_run_number(run, "side"),
                       .energy = oro_run_buffer(run, "energy"),
                       .least = oro_run_float(run, "least"),
                       .most = oro_run_float(run, "most"),
                       .out = oro_run_buffer(run, "factors")};
    for (int i = -REACH; i <= REACH; i++)
        k.window[i + REACH] = oro_exp((float)(i * i) / (-2 * deviation * deviation));
    if (oro_run_ready(run))
        oro_run_tiles(run, find, &k);
}
