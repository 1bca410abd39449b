#include "editor/live/mask.h"

#include <string.h>

bool ed_is_layer_name(const char *file)
{
    size_t length = file ? strlen(file) : 0;
    return length > 4 && strstr(file, ".layers/") && strcmp(file + length - 4, ".png") == 0;
}

bool ed_is_painted_mask(const char *type, const char *file, double low, double high)
{
    return type && strcmp(type, "import") == 0 && low == 0 && high == 1 && ed_is_layer_name(file);
}
