#include "editor/ui/prose.h"

const char *ed_summary(const char *doc, char *out, size_t size)
{
    size_t used = 0;
    const char *c = doc ? doc : "";
    for (; *c && used + 1 < size; c++) {
        if (*c == '`' || *c == '*')
            continue;
        out[used++] = *c == '\n' ? ' ' : *c;
        if ((*c == '.' || *c == '!') && (c[1] == ' ' || c[1] == '\n') && used > 12)
            break;
    }
    if (((unsigned char)*c & 0xc0) == 0x80) { /* it was cut within a character */
        while (used > 0 && ((unsigned char)out[used - 1] & 0xc0) == 0x80)
            used--;
        used -= used > 0;
    }
    out[used] = '\0';
    return out;
}
