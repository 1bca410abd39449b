/* What scripts say about themselves, written into their texts. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "editor/library/library.h"
#include "graph/derived/script_about.h"

static void add_line(struct oro_text *out, const char *head, const char *text)
{
    if (!text || !*text)
        return;
    oro_text_add(out, head);
    oro_text_add(out, " ");
    for (const char *c = text; *c; c++)
        oro_text_add_bytes(out, *c == '\n' || *c == '\r' ? " " : c, 1);
    oro_text_add(out, "\n");
}

/* Adds a text, with an id at the head of the table that it returns. False: it returns none. */
static bool add_with_id(struct oro_text *out, const char *text, const char *id)
{
    const char *table = strstr(text, "return");
    table = table ? table + strlen("return") : NULL;
    table = table ? table + strspn(table, " \t\r\n") : NULL;
    if (!table || *table != '{')
        return false;
    oro_text_add_bytes(out, text, (size_t)(table + 1 - text));
    oro_text_addf(out, " id = \"%s\",%s", id, table + 1);
    return true;
}

char *ed_library_script(const char *text, const char *id, const char *words, const char *doc,
                        struct oro_error *err)
{
    struct oro_text out = {0};
    struct oro_script_about now;
    bool ok = true;
    text += strspn(text, "\r\n"); /* of a script within a document */
    add_line(&out, ORO_SCRIPT_TAGS, words);
    add_line(&out, ORO_SCRIPT_DOC, doc);
    text = oro_script_behind_about(text);
    oro_script_about(text, &now);
    if (!id || now.id[0])
        oro_text_add(&out, text);
    else
        ok = add_with_id(&out, text, id) ||
             oro_fail(err, ORO_E_USAGE, "the script returns no table that could be given a name");
    if (ok && out.failed)
        ok = oro_fail(err, ORO_E_MEMORY, "no memory for a script");
    if (!ok)
        oro_text_free(&out);
    return out.data;
}
