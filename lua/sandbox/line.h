/* Makes texts of scripts fit to be shown: one line, valid UTF-8, no control characters, limited length. */
#ifndef ORO_LUA_SANDBOX_LINE_H
#define ORO_LUA_SANDBOX_LINE_H

#include <stddef.h>

/* Writes as much of `text` as fits to `out` (`size` > 8) and returns `out`. Control characters become blanks,
 * bytes that are not UTF-8 become '?'; a text that was cut ends with "...". */
const char *oro_one_line(const char *text, size_t length, char *out, size_t size);

#endif
