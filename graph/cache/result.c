#include "graph/cache/result.h"

void oro_result_release(struct oro_result *result)
{
    for (int i = 0; i < result->value_count; i++)
        oro_value_release(result->values[i]);
    *result = (struct oro_result){0};
}
