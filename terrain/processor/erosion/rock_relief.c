/* Amplitude of the detail that a block should have, and the slope around it
 * (gles_shaders/erosion/rock_relief.comp). */
#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { REACH = 5, SPAN = 2 * REACH + 1, WIDTH = ORO_TILE_WIDTH, COLUMNS = WIDTH + 2 * REACH };

struct relief {
    struct oro_run_grid grid;
    bool made;
    const float *forms;
    float weights[SPAN]; /* along one axis */
    float *out;
};

/* Weighted sums along a row: of the three numbers of the blocks that are inside the grid, and of the weights.
 */
struct sums {
    float small[WIDTH], form[WIDTH], fall[WIDTH], weight[WIDTH];
};

ORO_INLINE void add_row(const struct relief *k, const struct oro_tile *tile, int y, float weight,
                        struct sums *sums)
{
    float small[COLUMNS], form[COLUMNS], fall[COLUMNS], inside[COLUMNS];
    for (int i = 0; i < tile->width + 2 * REACH; i++) {
        int x = tile->x + i - REACH;
        bool there = x >= 0 && x < k->grid.width;
        const float *block = k->forms + 4 * ((size_t)y * (size_t)k->grid.width + (size_t)(there ? x : 0));
        small[i] = there ? block[0] : 0;
        form[i] = there ? block[1] : 0;
        fall[i] = there ? block[2] : 0;
        inside[i] = there;
    }
    for (int i = 0; i < SPAN; i++) {
        float w = weight * k->weights[i];
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            sums->small[x] += w * small[x + i];
            sums->form[x] += w * form[x + i];
            sums->fall[x] += w * fall[x + i];
            sums->weight[x] += w * inside[x + i];
        }
    }
}

ORO_INLINE void expect(const struct relief *k, int width, const struct sums *sums, float *restrict out)
{
    const float typical = 0.51F, trend_strength = 1.5F, least = 0.05F;
    float share = k->made ? 1.2F : 0.665F, cell = k->grid.cell;
    bool made = k->made;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float small = sqrtf(sums->small[x] / sums->weight[x]), form = sqrtf(sums->form[x] / sums->weight[x]);
        float fall = sums->fall[x] / sums->weight[x];
        float trend = oro_clamp(small / oro_max(typical * form, 1e-6F), 0.5F, 1.6F);
        float expected = small * (made ? 1 : oro_power(trend, trend_strength));
        out[2 * x] = share * oro_max(expected, least * fall);
        out[2 * x + 1] = fall / cell;
    }
}

static ORO_CLONES void look_around(const void *user, const struct oro_tile *tile)
{
    const struct relief *k = user;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        struct sums sums = {0};
        for (int j = 0; j < SPAN; j++)
            if (y + j - REACH >= 0 && y + j - REACH < k->grid.height)
                add_row(k, tile, y + j - REACH, k->weights[j], &sums);
        expect(k, tile->width, &sums, k->out + 2 * ((size_t)y * (size_t)k->grid.width + (size_t)tile->x));
    }
}

ORO_PROCESSOR(erosion, rock_relief)
{
    struct relief k = {.grid = run->grid,
                       .made = oro_run_flag(run, "made"),
                       .forms = oro_run_buffer(run, "forms"),
                       .out = oro_run_buffer(run, "relief")};
    for (int i = 0; i < SPAN; i++)
        k.weights[i] = oro_exp2((float)((i - REACH) * (i - REACH)) / -8 * 1.44269504F); /* deviation 2 */
    if (oro_run_ready(run))
        oro_run_tiles(run, look_around, &k);
}
