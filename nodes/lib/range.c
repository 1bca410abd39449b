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

bool oro_field_range(struct oro_eval *eval, const char *input, size_t cells, float range[2])
{
    const float *values = oro_eval_input_host(eval, input);
    if (!values)
        return false;
    oro_range(values, cells, range);
    size_t bad = 0;
    while (bad < cells && isfinite(values[bad]))
        bad++;
    if (bad == cells && isfinite(range[1] - range[0]))
        return true;
    return oro_eval_fail(
        eval, ORO_E_EVALUATE,
        "the values of '%s' are too large for numbers of 32 bits: nodes before this one make "
        "more of them than these can hold",
        input);
}

bool oro_largest(struct oro_eval *eval, struct oro_buffer *values, float *largest)
{
    enum { BLOCK = 1024, ROW = 4096 };
    size_t cells = oro_grid_cells(oro_eval_grid(eval)), blocks = (cells + BLOCK - 1) / BLOCK;
    struct oro_buffer *partial = oro_eval_buffer(eval, blocks);
    struct oro_dispatch dispatch = {
        .kernel = "lib/largest.comp",
        .slots = {{"values", values}, {"largest", partial, ORO_WRITE}},
        .grid = {.width = ROW, .height = (int)((blocks + ROW - 1) / ROW), .cell = 1},
        .source = *oro_eval_grid(eval)};
    float *host = oro_alloc(blocks, sizeof *host);
    if (!host)
        return oro_eval_fail(eval, ORO_E_MEMORY, "no memory for the largest of %zu values", cells);
    bool ok =
        oro_eval_dispatch(eval, &dispatch) && oro_eval_download(eval, partial, host, blocks * sizeof *host);
    *largest = 0;
    for (size_t i = 0; ok && i < blocks; i++)
        *largest = fmaxf(*largest, host[i]);
    oro_free(host);
    return ok;
}

/* Summed in blocks on the device, each in a fixed order; the blocks are summed here. */
bool oro_sum(struct oro_eval *eval, struct oro_buffer *buffer, size_t cells, double *sum)
{
    enum { BLOCK = 256, ROW = 4096 };
    size_t blocks = (cells + BLOCK - 1) / BLOCK, rows = (blocks + ROW - 1) / ROW;
    struct oro_buffer *partial = oro_eval_buffer(eval, blocks);
    struct oro_dispatch dispatch = {
        .kernel = "lib/sum.comp",
        .slots = {{"values", buffer}, {"sums", partial, ORO_WRITE}},
        .grid = {.width = ROW, .height = (int)rows, .cell = 1},
        .constants = {{"cells_high", (float)(cells / 65536)}, {"cells_low", (float)(cells % 65536)}}};
    float *host = oro_alloc(blocks, sizeof *host);
    if (!host)
        return oro_eval_fail(eval, ORO_E_MEMORY, "no memory for a sum");
    bool ok =
        oro_eval_dispatch(eval, &dispatch) && oro_eval_download(eval, partial, host, blocks * sizeof *host);
    *sum = 0;
    for (size_t i = 0; ok && i < blocks; i++)
        *sum += (double)host[i];
    oro_free(host);
    return ok;
}

bool oro_difference(struct oro_eval *eval, struct oro_buffer *before, struct oro_buffer *after,
                    struct oro_buffer *removed)
{
    return oro_eval_dispatch(
        eval, &(struct oro_dispatch){
                  .kernel = "lib/difference.comp",
                  .slots = {{"before", before}, {"after", after}, {"removed", removed, ORO_WRITE}}});
}
