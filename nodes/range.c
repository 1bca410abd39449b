#include "nodes/range.h"

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
    return true;
}
