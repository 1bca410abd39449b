#include "nodes/lib/range.h"

#include <math.h>

#include "base/memory.h"

void oro_range(const float *values, size_t cells, float range[2])
{
    range[0] = range[1] = cells ? values[0] : 0;
    for (size_t i = 1; i < cells; i++) {
        range[0] = values[i] < range[0] ? values[i] : range[0];
        range[1] = values[i] > range[1] ? values[i] : range[1];
    }
}

/* What a kernel writes for a block, and what it reads. */
struct reduction {
    const char *kernel, *result;
    bool pairs, of_vectors;
};

/* Of every block of 32 x 32 cells of a raster over `grid`, the numbers that a kernel writes for it: on the
 * host, to be freed with oro_free. NULL: failed. */
static float *reduce(struct oro_eval *eval, const struct reduction *how, struct oro_buffer *values,
                     const struct oro_grid *grid, size_t *blocks)
{
    enum { SIDE = 32, GROUP = 8 };
    struct oro_grid coarse = {.width = (grid->width - 1) / SIDE + 1,
                              .height = (grid->height - 1) / SIDE + 1,
                              .cell = SIDE * grid->cell,
                              .x = grid->x,
                              .y = grid->y};
    struct oro_buffer *partial = oro_eval_raster(eval, how->pairs ? ORO_VECTOR : ORO_FIELD, &coarse);
    struct oro_dispatch dispatch = {.kernel = how->kernel,
                                    .slots = {{"values", values, ORO_READ, how->of_vectors ? "vec2" : NULL},
                                              {how->result, partial, ORO_WRITE, how->pairs ? "vec2" : NULL}},
                                    .defines =
                                        how->of_vectors ? "#define VECTORS 1\n" : "#define VECTORS 0\n",
                                    .group_columns = GROUP,
                                    .group_rows = GROUP,
                                    .maps = (const char *const[]){NULL}};
    oro_dispatch_source(&dispatch, &coarse, grid, NULL, ORO_REACH_CELL);
    *blocks = oro_grid_cells(&coarse);
    size_t bytes = *blocks * sizeof(float) * (how->pairs ? 2 : 1);
    float *host = oro_alloc(bytes, 1);
    if (!host)
        oro_eval_fail(eval, ORO_E_MEMORY, "no memory for the figures of a raster");
    if (host && oro_eval_dispatch(eval, &dispatch) && oro_eval_download(eval, partial, host, bytes))
        return host;
    oro_free(host);
    return NULL;
}

bool oro_field_range(struct oro_eval *eval, const char *input, float range[2])
{
    size_t blocks;
    float *ranges =
        reduce(eval, &(struct reduction){.kernel = "lib/range.comp", .result = "range", .pairs = true},
               oro_eval_input(eval, input), oro_eval_grid(eval), &blocks);
    if (!ranges)
        return false;
    range[0] = ranges[0];
    range[1] = ranges[1];
    bool is_finite = true;
    for (size_t i = 0; i < blocks; i++) {
        is_finite = is_finite && ranges[2 * i] <= ranges[2 * i + 1];
        range[0] = fminf(range[0], ranges[2 * i]);
        range[1] = fmaxf(range[1], ranges[2 * i + 1]);
    }
    oro_free(ranges);
    return (is_finite && isfinite(range[1] - range[0])) ||
           oro_eval_fail(eval, ORO_E_EVALUATE,
                         "the values of '%s' are too large for numbers of 32 bits: nodes before this one "
                         "make more of them than these can hold",
                         input);
}

static bool find_largest(struct oro_eval *eval, struct oro_buffer *values, bool of_vectors, float *largest)
{
    size_t blocks;
    float *all = reduce(
        eval,
        &(struct reduction){.kernel = "lib/largest.comp", .result = "largest", .of_vectors = of_vectors},
        values, oro_eval_grid(eval), &blocks);
    *largest = 0;
    for (size_t i = 0; all && i < blocks; i++)
        *largest = fmaxf(*largest, all[i]);
    oro_free(all);
    return all;
}

bool oro_largest(struct oro_eval *eval, struct oro_buffer *values, float *largest)
{
    return find_largest(eval, values, false, largest);
}

bool oro_largest_component(struct oro_eval *eval, struct oro_buffer *vectors, float *largest)
{
    return find_largest(eval, vectors, true, largest);
}

/* Summed in blocks on the device, each in a fixed order; the blocks are summed here. */
bool oro_sum_over(struct oro_eval *eval, struct oro_buffer *values, const struct oro_grid *grid, double *sum)
{
    size_t blocks;
    float *sums =
        reduce(eval, &(struct reduction){.kernel = "lib/sum.comp", .result = "sums"}, values, grid, &blocks);
    *sum = 0;
    for (size_t i = 0; sums && i < blocks; i++)
        *sum += (double)sums[i];
    oro_free(sums);
    return sums;
}

bool oro_sum(struct oro_eval *eval, struct oro_buffer *values, size_t cells, double *sum)
{
    const struct oro_grid *grid = oro_eval_grid(eval), row = {.width = (int)cells, .height = 1, .cell = 1};
    return oro_sum_over(eval, values, cells == oro_grid_cells(grid) ? grid : &row, sum);
}

bool oro_difference(struct oro_eval *eval, struct oro_buffer *before, struct oro_buffer *after,
                    struct oro_buffer *removed)
{
    return oro_eval_dispatch(
        eval, &(struct oro_dispatch){
                  .kernel = "lib/difference.comp",
                  .slots = {{"before", before}, {"after", after}, {"removed", removed, ORO_WRITE}},
                  .reach = ORO_REACH_CELL});
}
