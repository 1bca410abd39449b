#include "base/line.h"

#include <stdbool.h>
#include <string.h>

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
           (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

enum oro_character oro_character_at(const char *at, const char *end, size_t *length, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*at;
    size_t count = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    *length = 1;
    *code = first;
    if (count == 1)
        return is_control(first) ? ORO_CHARACTER_CONTROL : ORO_CHARACTER_SHOWN;
    if (first < 0xc2 || first > 0xf4)
        return ORO_CHARACTER_WRONG;
    uint32_t number = first & (0x7fu >> count);
    for (size_t i = 1; i < count; i++) {
        if (at + i == end)
            return ORO_CHARACTER_CUT;
        if (((unsigned char)at[i] & 0xc0) != 0x80)
            return ORO_CHARACTER_WRONG;
        number = number << 6 | ((unsigned char)at[i] & 0x3fu);
    }
    if (number < least[count] || number > 0x10ffff || (number >= 0xd800 && number < 0xe000))
        return ORO_CHARACTER_WRONG; /* longer than necessary, beyond Unicode, or a surrogate */
    *length = count;
    *code = number;
    return is_control(number) ? ORO_CHARACTER_CONTROL : ORO_CHARACTER_SHOWN;
}

const char *oro_one_line(const char *text, size_t length, char *out, size_t size)
{
    const char *end = text + length;
    size_t used = 0, room = size - 1 - strlen("...");
    while (text < end) {
        size_t count;
        uint32_t code;
        enum oro_character what = oro_character_at(text, end, &count, &code);
        if (used + count > room) {
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        if (what == ORO_CHARACTER_SHOWN) {
            memcpy(out + used, text, count);
            used += count;
        } else {
            out[used++] = what == ORO_CHARACTER_CONTROL ? ' ' : '?';
        }
        text += count;
    }
    out[used] = 0;
    return out;
}
