#include "lua/sandbox/library_private.h"

const struct oro_library_entry oro_library_utf8[] = {
    {.name = "char"},
    {.name = "charpattern"},
    {.name = "codepoint", .price = ORO_LIBRARY_RANGE},
    {.name = "codes", .price = ORO_LIBRARY_TEXTS},
    {.name = "len", .price = ORO_LIBRARY_TEXTS},
    {.name = "offset", .price = ORO_LIBRARY_COUNT},
    {0},
};
