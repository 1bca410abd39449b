/* Removes the comments of a kernel. Compilers and other readers may disagree about where a comment is, so
 * nothing that looks like one is left for them. */
#include <string.h>

#include "base/text.h"
#include "lua/glsl/glsl_private.h"

/* The end of a comment that begins at `at`; `at` itself if there is none. */
static const char *after_comment(const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] != '/' || at[1] != '*')
        return at;
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

static bool check_byte(struct oro_glsl *g, const char *at, int line)
{
    unsigned char byte = (unsigned char)*at;
    if (byte == '\\')
        return oro_glsl_refuse(g, line, "a backslash has no place in a kernel");
    if (byte >= 0x7f)
        return oro_glsl_refuse(g, line, "outside of comments kernels are plain ASCII");
    if (byte < 0x20 && byte != '\n' && byte != '\t')
        return oro_glsl_refuse(g, line, "a character of code %d has no place in a kernel", byte);
    return true;
}

/* Replaces a comment by blanks, and keeps its line ends. */
static char *blank(char *to, const char *from, const char *end, int *line)
{
    *to++ = ' ';
    for (; from < end; from++)
        if (*from == '\n') {
            *to++ = '\n';
            ++*line;
        }
    return to;
}

bool oro_glsl_clean(struct oro_glsl *g, const char *text)
{
    int line = 1;
    if (strlen(text) > ORO_GLSL_BYTES_MAX)
        return oro_glsl_refuse(g, 1, "a kernel is longer than %d bytes", ORO_GLSL_BYTES_MAX);
    char *to = g->text = oro_arena_alloc(g->arena, strlen(text) + 1, 1);
    if (!to)
        return oro_glsl_no_memory(g);
    while (*text) {
        const char *end = after_comment(text);
        if (text[0] == '/' && text[1] == '*' && !*end && (end - text < 4 || end[-1] != '/' || end[-2] != '*'))
            return oro_glsl_refuse(g, line, "a comment does not end");
        if (end > text) {
            to = blank(to, text, end, &line);
            text = end;
            continue;
        }
        if (text[0] == '\r' && text[1] == '\n')
            text++;
        if (!check_byte(g, text, line))
            return false;
        line += *text == '\n';
        *to++ = *text++;
    }
    return true;
}

bool oro_glsl_has_word(const char *text, const char *name)
{
    size_t length = strlen(name);
    while (*text) {
        const char *end = after_comment(text);
        size_t word = 0;
        if (end > text) {
            text = end;
            continue;
        }
        while (oro_in_word(text[word]))
            word++;
        if (word && word == length && strncmp(text, name, length) == 0)
            return true;
        text += word ? word : 1;
    }
    return false;
}

/* The first character that is no blank. */
static const char *skip(const char *at)
{
    return at + strspn(at, " \t\n");
}

int oro_glsl_finds_member(const char *text, const char *object, const char *member)
{
    size_t first = strlen(object), second = strlen(member);
    int line = 1;
    for (const char *at = text; *at;) {
        size_t word = 0;
        line += *at == '\n';
        while (oro_in_word(at[word]))
            word++;
        const char *dot = skip(at + word), *name = *dot == '.' ? skip(dot + 1) : dot;
        if (word == first && strncmp(at, object, first) == 0 && *dot == '.' &&
            strncmp(name, member, second) == 0 && !oro_in_word(name[second]))
            return line;
        at += word ? word : 1;
    }
    return 0;
}
