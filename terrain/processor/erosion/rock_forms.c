/* How strong the forms of two widths are around every block, and its fall
 * (gles_shaders/erosion/rock_forms.comp). */
#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { REACH = 4, SPAN = 2 * REACH + 1, WIDTH = ORO_TILE_WIDTH, COLUMNS = WIDTH + 2 * REACH };

struct forms {
    int width, height;
    const float *means;
    float narrow[SPAN][SPAN], wide[SPAN][SPAN]; /* weights, which add up to 1 */
    float *out;
};

ORO_INLINE float mean_at(const struct forms *k, int x, int y)
{
    return k->means[(size_t)oro_within(y, k->height) * (size_t)k->width + (size_t)oro_within(x, k->width)];
}

/* Beyond the border the ground goes on as its image turned about the border's block. */
ORO_INLINE float mean_beyond(const struct forms *k, int x, int y)
{
    int edge_x = oro_within(x, k->width), edge_y = oro_within(y, k->height);
    float h = mean_at(k, edge_x, edge_y);
    return edge_x == x && edge_y == y ? h : 2 * h - mean_at(k, 2 * edge_x - x, 2 * edge_y - y);
}

ORO_INLINE void look_around(const struct forms *k, int width, float rows[SPAN][COLUMNS], float *restrict out)
{
    const float *here = rows[REACH];
    float narrow[WIDTH] = {0}, wide[WIDTH] = {0};
    for (int j = 0; j < SPAN; j++)
        for (int i = 0; i < SPAN; i++) {
            const float *there = rows[j] + i;
            float n = k->narrow[j][i], w = k->wide[j][i];
#pragma omp simd
            for (int x = 0; x < width; x++) {
                float h = there[x] - here[x + REACH];
                narrow[x] += n * h;
                wide[x] += w * h;
            }
        }
    for (int x = 0; x < width; x++) {
        float form = narrow[x] - wide[x];
        float east = here[x + REACH + 1] - here[x + REACH - 1];
        float south = rows[REACH + 1][x + REACH] - rows[REACH - 1][x + REACH];
        out[4 * x] = narrow[x] * narrow[x];
        out[4 * x + 1] = form * form;
        out[4 * x + 2] = 0.5F * sqrtf(east * east + south * south);
        out[4 * x + 3] = 0;
    }
}

static ORO_CLONES void find(const void *user, const struct oro_tile *tile)
{
    const struct forms *k = user;
    float rows[SPAN][COLUMNS];
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        for (int j = 0; j < SPAN; j++)
            for (int i = 0; i < tile->width + 2 * REACH; i++)
                rows[j][i] = mean_beyond(k, tile->x + i - REACH, y + j - REACH);
        look_around(k, tile->width, rows, k->out + 4 * ((size_t)y * (size_t)k->width + (size_t)tile->x));
    }
}

/* Gaussian weights of a standard deviation. */
static void weigh(float deviation, float weights[SPAN][SPAN])
{
    float total = 0;
    for (int j = 0; j < SPAN; j++)
        for (int i = 0; i < SPAN; i++) {
            float away = (float)((j - REACH) * (j - REACH) + (i - REACH) * (i - REACH));
            weights[j][i] = oro_exp2(away / (-2 * deviation * deviation) * 1.44269504F);
            total += weights[j][i];
        }
    for (int i = 0; i < SPAN * SPAN; i++)
        weights[i / SPAN][i % SPAN] /= total;
}

ORO_PROCESSOR(erosion, rock_forms)
{
    struct forms k = {.width = run->grid.width,
                      .height = run->grid.height,
                      .means = oro_run_buffer(run, "means"),
                      .out = oro_run_buffer(run, "forms")};
    weigh(0.53F, k.narrow);
    weigh(1.06F, k.wide);
    if (oro_run_ready(run))
        oro_run_tiles(run, find, &k);
}
