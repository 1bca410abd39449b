/* A reader of Lua that understands little, and takes anything for what it is not. */
#include "graph/derived/script_about.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

const char *oro_script_behind_about(const char *text)
{
    while (begins(text, ORO_SCRIPT_TAGS) || begins(text, ORO_SCRIPT_DOC))
        text = next_line(text);
    return text;
}

/* ---- Texts ---- */

/* A text that is put together in a place of its own. */
struct taken {
    char *out;
    size_t size, used;
};

/* Adds what can be shown of some bytes: whole characters, and blanks for what would order a terminal about.
 */
static void add(struct taken *taken, const char *text, size_t length)
{
    for (size_t at = 0, step; at < length; at += step) {
        uint32_t code = 0;
        step = oro_decode(text + at, &code);
        if (step == 0 || step > length - at) {
            step = 1;
            continue;
        }
        bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
        if (taken->used + step >= taken->size)
            return;
        memcpy(taken->out + taken->used, control ? "  " : text + at, step);
        taken->used += step;
    }
    taken->out[taken->used] = '\0';
}

/* The end of a string in quotes or [[ ]], before what closes it; NULL where none begins, or none ends. */
static const char *string_end(const char *at)
{
    if (begins(at, "[["))
        return strstr(at + 2, "]]");
    char quote = *at;
    if (quote != '"' && quote != '\'')
        return NULL;
    for (at++; *at && *at != quote && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return *at == quote ? at : NULL;
}

/* What is behind a string. */
static const char *behind(const char *end)
{
    return end + (*end == ']' ? 2 : 1);
}

/* Adds the text of a string, whose escapes stand for the character behind the backslash. */
static void add_string(struct taken *taken, const char *from, const char *end)
{
    bool plain = *from == '[';
    for (from += plain ? 2 : 1; from < end;) {
        size_t length = plain ? (size_t)(end - from) : strcspn(from, "\\");
        length = length < (size_t)(end - from) ? length : (size_t)(end - from);
        add(taken, from, length);
        from += length + 1;
    }
}

/* The strings of an entry, with ".." between them. */
static void take_strings(const char *at, char *out, size_t size)
{
    struct taken taken = {out, size, 0};
    const char *end;
    for (; (end = string_end(at)) != NULL; at += 2 + strspn(at + 2, " \t\r\n")) {
        add_string(&taken, at, end);
        at = behind(end) + strspn(behind(end), " \t\r\n");
        if (!begins(at, ".."))
            break;
    }
}

/* What follows comments and strings at a place, or the place itself; the end of the text where one of them
 * has none. */
static const char *behind_text(const char *at)
{
    bool comment = begins(at, "--");
    if (comment && !begins(at, "--[["))
        return at + strcspn(at, "\n");
    at += comment ? 2 : 0;
    if (*at != '"' && *at != '\'' && !begins(at, "[["))
        return at;
    const char *end = string_end(at);
    return end ? behind(end) : at + strlen(at);
}

/* An entry of a table that is within no other. */
static void take_entry(const char *text, const char *key, char *out, size_t size)
{
    int depth = 0;
    for (const char *at = text, *next; *at; at = next) {
        next = behind_text(at);
        if (next != at)
            continue;
        depth += (*at == '{') - (*at == '}');
        while (oro_in_word(*next))
            next++;
        size_t length = (size_t)(next - at);
        const char *value = next + strspn(next, " \t\r\n");
        if (depth == 1 && length == strlen(key) && strncmp(at, key, length) == 0 && value[0] == '=' &&
            value[1] != '=') {
            take_strings(value + 1 + strspn(value + 1, " \t\r\n"), out, size);
            return;
        }
        next += length == 0;
    }
}

/* From where the table begins that the script returns, where that can be told. */
static const char *table_of(const char *text)
{
    const char *table = text;
    for (const char *line = text; *line; line = next_line(line))
        if (begins(line, "return") && line[6 + strspn(line + 6, " \t\r\n")] == '{')
            table = line;
    return table;
}

/* The rest of a line of comment. */
static void take_line(const char *line, char *out, size_t size)
{
    struct taken taken = {out, size, 0};
    line += strspn(line, "-[ \t");
    add(&taken, line, strcspn(line, "\r\n"));
}

void oro_script_about(const char *text, struct oro_script_about *about)
{
    char remark[sizeof about->doc] = "";
    *about = (struct oro_script_about){0};
    for (const char *line = text; begins(line, "--"); line = next_line(line)) {
        if (begins(line, ORO_SCRIPT_TAGS))
            take_line(line + strlen(ORO_SCRIPT_TAGS), about->words, sizeof about->words);
        else if (begins(line, ORO_SCRIPT_DOC))
            take_line(line + strlen(ORO_SCRIPT_DOC), about->doc, sizeof about->doc);
        else if (!remark[0])
            take_line(line, remark, sizeof remark);
    }
    const char *table = table_of(text);
    take_entry(table, "id", about->id, sizeof about->id);
    take_entry(table, "category", about->category, sizeof about->category);
    if (!about->words[0])
        take_entry(table, "words", about->words, sizeof about->words);
    if (!about->doc[0])
        take_entry(table, "doc", about->doc, sizeof about->doc);
    if (!about->doc[0])
        snprintf(about->doc, sizeof about->doc, "%s", remark);
}

bool oro_script_about_read(const char *path, struct oro_script_about *about, struct oro_error *err)
{
    enum { BYTES_MAX = 1 << 20 };
    void *text = NULL;
    size_t size;
    *about = (struct oro_script_about){0};
    bool read = oro_file_read(path, BYTES_MAX, &text, &size, err);
    if (read)
        oro_script_about(text, about);
    oro_free(text);
    return read;
}
