/* The <about> of a document, without reading all of it: for lists of many. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "editor/panels/assets.h"

static const struct {
    const char *entity;
    char c;
} entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};

/* The character that an entity stands for, and the entity's length; 0: unknown entity. */
static size_t entity(const char *at, char *c)
{
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
        if (strncmp(at, entities[i].entity, strlen(entities[i].entity)) == 0) {
            *c = entities[i].c;
            return strlen(entities[i].entity);
        }
    if (at[1] != '#')
        return 0;
    char *end;
    long code = strtol(at + 2, &end, 10);
    *c = code == 10 || code == 13 || code == 9 ? ' ' : (char)code;
    return *end == ';' && code > 0 && code < 128 ? (size_t)(end - at) + 1 : 0;
}

static void attribute(const char *element, const char *end, const char *name, char *out, size_t size)
{
    size_t length = strlen(name), used = 0;
    const char *at = element;
    out[0] = '\0';
    while ((at = strstr(at, name)) != NULL && at < end) {
        if (at[-1] <= ' ' && at[length] == '=' && (at[length + 1] == '"' || at[length + 1] == '\''))
            break;
        at++;
    }
    if (!at || at >= end)
        return;
    char quote = at[length + 1];
    for (at += length + 2; at < end && *at != quote && used + 1 < size;) {
        char c = *at;
        size_t step = c == '&' ? entity(at, &c) : 0;
        out[used++] = c;
        at += step ? step : 1;
    }
    out[used] = '\0';
}

/* The end of the element that begins at a place: its '>' outside quotes. */
static const char *element_end(const char *at)
{
    char quote = '\0';
    for (; *at; at++) {
        if (quote)
            quote = *at == quote ? '\0' : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == '>')
            break;
    }
    return at;
}

bool ed_about_read(const char *path, struct ed_about *about)
{
    static char text[65536]; /* static: one thread */
    *about = (struct ed_about){0};
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) /* a pipe would wait for a writer */
        return false;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    if (!strstr(text, "<orograph"))
        return false;
    const char *element = strstr(text, "<about");
    if (element) {
        const char *end = element_end(element);
        attribute(element, end, "title", about->title, sizeof about->title);
        attribute(element, end, "category", about->category, sizeof about->category);
        attribute(element, end, "words", about->words, sizeof about->words);
        attribute(element, end, "doc", about->doc, sizeof about->doc);
    }
    const char *interface = strstr(text, "<interface");
    about->is_node = interface && strstr(interface, "<out ");
    return true;
}
