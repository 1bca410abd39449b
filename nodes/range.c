#include "nodes/range.h"

#include <math.h>

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
