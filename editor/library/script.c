/* What scripts say about themselves, found and written without running them. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "editor/library/library.h"

static const char tags[] = "-- tags:", about[] = "-- about:";

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* ---- Reading ---- */

static void take_line(const char *line, const char *head, char *out, size_t size)
{
    line += strlen(head);
    line += strspn(line, " \t");
    snprintf(out, size, "%.*s", (int)strcspn(line, "\r\n"), line);
}

/* The text after `key =`, where that is a plain string in quotes or [[ ]]. */
static void take_entry(const char *text, const char *key, char *out, size_t size)
{
    size_t length = strlen(key);
    for (const char *at = text; (at = strstr(at, key)) != NULL; at += length) {
        if ((at > text && oro_in_word(at[-1])) || oro_in_word(at[length]))
            continue;
        const char *value = at + length + strspn(at + length, " \t");
        if (*value != '=' || value[1] == '=')
            continue;
        value += 1 + strspn(value + 1, " \t\r\n");
        bool brackets = begins(value, "[[");
        if (!brackets && *value != '"' && *value != '\'')
            return;
        const char *from = value + (brackets ? 2 : 1);
        const char *to = brackets ? strstr(from, "]]") : strchr(from, *value);
        if (to)
            snprintf(out, size, "%.*s", (int)(to - from < 4096 ? to - from : 4096), from);
        return;
    }
}

void ed_script_about(const char *text, struct ed_script_about *script)
{
    *script = (struct ed_script_about){0};
    for (const char *line = text; begins(line, "--") && *line; line = next_line(line)) {
        if (begins(line, tags))
            take_line(line, tags, script->words, sizeof script->words);
        else if (begins(line, about))
            take_line(line, about, script->doc, sizeof script->doc);
    }
    /* Entries of the table itself stand before those of its inputs, as a rule. */
    char head[8192];
    const char *inputs = strstr(text, "inputs");
    size_t length = inputs ? (size_t)(inputs - text) : strlen(text);
    snprintf(head, sizeof head, "%.*s", (int)(length < sizeof head ? length : sizeof head - 1), text);
    take_entry(head, "id", script->id, sizeof script->id);
    take_entry(head, "category", script->category, sizeof script->category);
    if (!script->doc[0])
        take_entry(head, "doc", script->doc, sizeof script->doc);
}

/* ---- Writing ---- */

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
    struct ed_script_about now;
    bool ok = true;
    text += strspn(text, "\r\n"); /* of a script within a document */
    add_line(&out, tags, words);
    add_line(&out, about, doc);
    while (begins(text, tags) || begins(text, about))
        text = next_line(text);
    ed_script_about(text, &now);
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
