#include "lua/sandbox/line.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool is_tail(const char *at, const char *end)
{
    return at < end && ((unsigned char)*at & 0xc0) == 0x80;
}

/* The number of bytes of the character at `at`; 0: it is not UTF-8, a surrogate, or longer than necessary. */
static size_t character_length(const char *at, const char *end)
{
    unsigned char first = (unsigned char)*at;
    if (first < 0x80)
        return 1;
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    uint32_t code = first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (!is_tail(at + i, end))
            return 0;
        code = code << 6 | ((unsigned char)at[i] & 0x3fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < least[length] || code > 0x10ffff || surrogate ? 0 : length;
}

/* Whether it is a control character. Those of the second half of Latin-1, two bytes in UTF-8, count as well:
 * terminals obey them. */
static bool is_control(const char *at, size_t length)
{
    unsigned char first = (unsigned char)at[0];
    if (length == 2)
        return first == 0xc2 && (unsigned char)at[1] < 0xa0;
    return length == 1 && (first < 0x20 || first == 0x7f);
}

const char *oro_one_line(const char *text, size_t length, char *out, size_t size)
{
    const char *end = text + length;
    size_t used = 0, room = size - 1 - strlen("...");
    while (text < end) {
        size_t count = character_length(text, end);
        if (used + (count ? count : 1) > room) {
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        if (!count || is_control(text, count)) {
            out[used++] = count ? ' ' : '?';
        } else {
            memcpy(out + used, text, count);
            used += count;
        }
        text += count ? count : 1;
    }
    out[used] = 0;
    return out;
}
