#include "editor/ui/search.h"

#include <string.h>

#include <strings.h>

bool ed_text_holds(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; text && *text; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return length == 0;
}
