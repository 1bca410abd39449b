/* Texts of scripts as others may show them: one line, valid UTF-8, no control characters, bounded. */
#ifndef ORO_LUA_SANDBOX_LINE_H
#define ORO_LUA_SANDBOX_LINE_H

#include <stddef.h>

/* Writes what fits of `text` to `out` (`size` > 8) and returns it. Control characters become blanks, bytes
 * that are no UTF-8 become '?'; a text that is cut ends with "...". */
const char *oro_one_line(const char *text, size_t length, char *out, size_t size);

#endif
