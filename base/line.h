/* Makes texts of others fit to be shown: valid UTF-8, nothing that a terminal obeys, limited length. */
#ifndef ORO_BASE_LINE_H
#define ORO_BASE_LINE_H

#include <stddef.h>
#include <stdint.h>

enum oro_character {
    ORO_CHARACTER_SHOWN,
    /* Terminals obey it, or it changes the order of what is shown: C0, DEL, C1 (U+0080 to U+009F), line and
     * paragraph separators, marks, embeddings, overrides and isolates of direction. */
    ORO_CHARACTER_CONTROL,
    ORO_CHARACTER_WRONG, /* a byte that is not UTF-8 */
    ORO_CHARACTER_CUT,   /* UTF-8 that goes on behind the end */
};

/* The character at `at`, before `end`: its length in bytes and its number. */
enum oro_character oro_character_at(const char *at, const char *end, size_t *length, uint32_t *code);

/* Writes as much of `text` as fits to `out` (`size` > 8) and returns `out`. Control characters become blanks,
 * bytes that are not UTF-8 become '?'; a text that was cut ends with "...". */
const char *oro_one_line(const char *text, size_t length, char *out, size_t size);

#endif
