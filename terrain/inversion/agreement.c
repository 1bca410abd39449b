/* How well one terrain agrees with another. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "terrain/inversion/inversion.h"

enum { REACH_MAX = 96 }; /* cells: three deviations of 32 */

struct blur {
    const struct oro_balance_grid *grid;
    const float *from;
    float *to;
    float weight[REACH_MAX + 1];
    int reach, across, down; /* step of the line that is blurred along */
};

static int within(int x, int count)
{
    return x < 0 ? 0 : x >= count ? count - 1 : x;
}

static void blur_rows(void *user, size_t first, size_t end)
{
    const struct blur *b = user;
    int width = b->grid->width, height = b->grid->height;
    for (size_t y = first; y < end; y++)
        for (int x = 0; x < width; x++) {
            size_t at = y * (size_t)width + (size_t)x;
            float middle = b->from[at], sum = 0;
            for (int i = -b->reach; i <= b->reach; i++) {
                int column = within(x + i * b->across, width), row = within((int)y + i * b->down, height);
                sum += b->weight[i < 0 ? -i : i] *
                       (b->from[(size_t)row * (size_t)width + (size_t)column] - middle);
            }
            b->to[at] = middle + sum;
        }
}

static void find_weights(struct blur *b, double deviation)
{
    double sum = 0;
    b->reach = (int)fmin(ceil(3 * deviation), REACH_MAX);
    for (int i = -b->reach; i <= b->reach; i++)
        sum += exp(-i * i / (2 * deviation * deviation));
    for (int i = 0; i <= b->reach; i++)
        b->weight[i] = (float)(exp(-i * i / (2 * deviation * deviation)) / sum);
}

bool oro_inversion_blur(const struct oro_balance_grid *grid, const float *field, double deviation, float *out,
                        struct oro_error *err)
{
    size_t cells = (size_t)grid->width * (size_t)grid->height;
    struct blur blur = {.grid = grid, .from = field, .across = 1};
    if (!(deviation > 0.05)) {
        memmove(out, field, cells * sizeof *out);
        return true;
    }
    float *between = oro_alloc(cells, sizeof *between);
    if (!between)
        return oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells);
    find_weights(&blur, deviation);
    blur.to = between;
    oro_parallel((size_t)grid->height, 16, blur_rows, &blur);
    blur = (struct blur){.grid = grid, .from = between, .to = out, .reach = blur.reach, .down = 1};
    find_weights(&blur, deviation);
    oro_parallel((size_t)grid->height, 16, blur_rows, &blur);
    oro_free(between);
    return true;
}

static double mean_of(const float *field, size_t cells)
{
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += (double)field[i];
    return sum / (double)cells;
}

/* The highest; or, with `sign` -1, the lowest. */
static double extreme_of(const float *field, size_t cells, float sign)
{
    float most = sign * field[0];
    for (size_t i = 1; i < cells; i++)
        most = sign * field[i] > most ? sign * field[i] : most;
    return (double)(sign * most);
}

static double correlation_of(const float *a, const float *b, size_t cells)
{
    double mean_a = mean_of(a, cells), mean_b = mean_of(b, cells), both = 0, one = 0, other = 0;
    for (size_t i = 0; i < cells; i++) {
        double x = (double)a[i] - mean_a, y = (double)b[i] - mean_b;
        both += x * y;
        one += x * x;
        other += y * y;
    }
    return one > 0 && other > 0 ? both / sqrt(one * other) : 0;
}

bool oro_agree(const struct oro_balance_grid *grid, const float *height, const float *terrain,
               struct oro_agreement *out, struct oro_error *err)
{
    size_t cells = (size_t)grid->width * (size_t)grid->height;
    float *smooth = oro_alloc(cells, sizeof *smooth);
    if (!smooth)
        return oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells);
    bool ok = oro_inversion_blur(grid, terrain, 2, smooth, err);
    *out = (struct oro_agreement){
        .mean = {mean_of(height, cells), mean_of(terrain, cells)},
        .highest = {extreme_of(height, cells, 1), extreme_of(terrain, cells, 1)},
        .lowest = extreme_of(terrain, cells, -1),
        .correlation = ok ? correlation_of(height, smooth, cells) : 0,
    };
    oro_free(smooth);
    return ok;
}
