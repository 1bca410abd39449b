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

static void blur_rows(void *user, size_t first, size_t end)
{
    const struct blur *b = user;
    int width = b->grid->width, height = b->grid->height;
    for (size_t y = first; y < end; y++)
        for (int x = 0; x < width; x++) {
            size_t at = y * (size_t)width + (size_t)x;
            float middle = b->from[at], sum = 0;
            for (int i = -b->reach; i <= b->reach; i++) {
                int column = oro_balance_index(x + i * b->across, width),
                    row = oro_balance_index((int)y + i * b->down, height);
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
    if (!(deviation > 0.05)) {
        memmove(out, field, cells * sizeof *out);
        return true;
    }
    float *between = oro_alloc(cells, sizeof *between);
    if (!between)
        return oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells);
    struct blur rows = {.grid = grid, .from = field, .to = between, .across = 1};
    find_weights(&rows, deviation);
    oro_parallel((size_t)grid->height, 16, blur_rows, &rows);
    struct blur columns = rows;
    columns.from = between;
    columns.to = out;
    columns.across = 0;
    columns.down = 1;
    oro_parallel((size_t)grid->height, 16, blur_rows, &columns);
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

static float highest_of(const float *field, size_t cells)
{
    float highest = field[0];
    for (size_t i = 1; i < cells; i++)
        highest = field[i] > highest ? field[i] : highest;
    return highest;
}

static float lowest_of(const float *field, size_t cells)
{
    float lowest = field[0];
    for (size_t i = 1; i < cells; i++)
        lowest = field[i] < lowest ? field[i] : lowest;
    return lowest;
}

bool oro_model_make(const struct oro_balance_grid *grid, const float *terrain, struct oro_model *model,
                    struct oro_error *err)
{
    size_t cells = (size_t)grid->width * (size_t)grid->height;
    *model = (struct oro_model){.cells = cells, .smooth = oro_alloc(cells, sizeof *model->smooth)};
    if (!model->smooth)
        return oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", cells);
    if (!oro_inversion_blur(grid, terrain, 2, model->smooth, err)) {
        oro_model_free(model);
        return false;
    }
    model->mean = mean_of(terrain, cells);
    model->mean_smooth = mean_of(model->smooth, cells);
    model->highest = (double)highest_of(terrain, cells);
    model->lowest = (double)lowest_of(terrain, cells);
    return true;
}

void oro_model_free(struct oro_model *model)
{
    oro_free(model->smooth);
    model->smooth = NULL;
}

static double correlation_with(const struct oro_model *model, const float *height, double mean)
{
    double both = 0, one = 0, other = 0;
    for (size_t i = 0; i < model->cells; i++) {
        double x = (double)height[i] - mean, y = (double)model->smooth[i] - model->mean_smooth;
        both += x * y;
        one += x * x;
        other += y * y;
    }
    return one > 0 && other > 0 ? both / sqrt(one * other) : 0;
}

struct oro_agreement oro_model_compare(const struct oro_model *model, const float *height)
{
    double mean = mean_of(height, model->cells);
    return (struct oro_agreement){
        .mean = {mean, model->mean},
        .highest = {(double)highest_of(height, model->cells), model->highest},
        .lowest = model->lowest,
        .correlation = correlation_with(model, height, mean),
    };
}

bool oro_agree(const struct oro_balance_grid *grid, const float *height, const float *terrain,
               struct oro_agreement *out, struct oro_error *err)
{
    struct oro_model model;
    if (!oro_model_make(grid, terrain, &model, err))
        return false;
    *out = oro_model_compare(&model, height);
    oro_model_free(&model);
    return true;
}
