/* Text in XML: which characters it may hold, and how it is escaped. */
#include <string.h>

#include "graph/document/document_private.h"

bool oro_xml_allows(const char *text)
{
    if (strlen(text) > ORO_DOCUMENT_TEXT_MAX)
        return false;
    for (const char *s = text; *s;) {
        uint32_t code = 0;
        size_t length = oro_decode(s, &code);
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
