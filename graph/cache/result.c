#include "graph/cache/result.h"

void oro_result_release(struct oro_result *result)
{
    for (int i = 0; i < result->value_count; i++)
        oro_value_release(result->values[i]);
    *result = (struct oro_result){0};
}

uint64_t oro_result_bytes(const struct oro_result *result)
{
    uint64_t bytes = 0;
    for (int i = 0; i < result->value_count; i++)
        bytes += oro_value_bytes(result->values[i]);
    return bytes;
}

const char *oro_result_said(const struct oro_result *result)
{
    return result->value_count > 0 && result->values[0] ? result->values[0]->said : NULL;
}
