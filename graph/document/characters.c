/* Text in XML: which characters it may hold, and how it is escaped. */
#include <string.h>

#include "graph/document/document_private.h"

/* Decodes one UTF-8 character; returns its length, or 0 when it is malformed, overlong or a surrogate. */
static size_t decode(const unsigned char *s, unsigned long *code)
{
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (length == 0)
        return 0;
    unsigned long value = length == 1 ? s[0] : s[0] & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (s[i] & 0x3FU);
    }
    *code = value;
    return value >= least[length] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF) ? length : 0;
}

bool oro_xml_allows(const char *text)
{
    if (strlen(text) > ORO_DOCUMENT_TEXT_MAX)
        return false;
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        unsigned long code = 0;
        size_t length = decode(s, &code);
        bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
        if (length == 0 || control || code == 0xFFFE || code == 0xFFFF)
            return false;
        s += length;
    }
    return true;
}

void oro_xml_escape(struct oro_text *out, const char *text)
{
    static const char special[] = "&<>\"\t\n\r";
    static const char *const escaped[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#9;", "&#10;", "&#13;"};
    while (*text) {
        size_t plain = strcspn(text, special);
        oro_text_add_bytes(out, text, plain);
        text += plain;
        if (*text)
            oro_text_add(out, escaped[strchr(special, *text++) - special]);
    }
}
