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
    struct oro_pass pass = {.kernel = "lib/largest.comp",
                            .slots = {{"values", ORO_READ}, {"largest", ORO_WRITE}},
                            .grid = {.width = ROW, .height = (int)((blocks + ROW - 1) / ROW), .cell = 1},
                            .source = *oro_eval_grid(eval)};
    struct oro_buffer *buffers[] = {values, oro_eval_buffer(eval, blocks)};
    float *host = oro_alloc(blocks, sizeof *host);
    if (!host)
        return oro_eval_fail(eval, ORO_E_MEMORY, "no memory for the largest of %zu values", cells);
    bool ok = oro_eval_run(eval, &pass, buffers) &&
              oro_eval_download(eval, buffers[1], host, blocks * sizeof *host);
    *largest = 0;
    for (size_t i = 0; ok && i < blocks; i++)
        *largest = fmaxf(*largest, host[i]);
    oro_free(host);
    return ok;
}
