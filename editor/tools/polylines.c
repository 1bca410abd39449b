#include "editor/tools/polylines.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static const char blanks[] = " \t\r\n";

static bool push(struct ed_polylines *lines, const struct ed_vertex *vertex)
{
    if (!oro_reserve((void **)&lines->items, &lines->capacity, lines->count + 1, sizeof *lines->items))
        return false;
    lines->items[lines->count++] = *vertex;
    return true;
}

/* One number at `*at`, which moves on. False: there is none. */
static bool take_number(const char **at, double *number)
{
    char text[48];
    *at += strspn(*at, blanks);
    size_t length = strcspn(*at, " \t\r\n,;");
    if (length == 0 || length >= sizeof text)
        return false;
    memcpy(text, *at, length);
    text[length] = '\0';
    *at += length;
    return oro_parse_number(text, number);
}

bool ed_polylines_parse(const char *text, struct ed_polylines *lines)
{
    int line = 0;
    *lines = (struct ed_polylines){0};
    for (const char *at = text ? text : "";;) {
        struct ed_vertex vertex = {.line = line};
        at += strspn(at, blanks);
        while (vertex.count < 4 && *at && *at != ',' && *at != ';') {
            if (!take_number(&at, &vertex.numbers[vertex.count])) {
                ed_polylines_free(lines);
                return false;
            }
            vertex.count++;
            at += strspn(at, blanks);
        }
        bool wrong = vertex.count == 1 || (*at && *at != ',' && *at != ';');
        if (wrong || (vertex.count >= 2 && !push(lines, &vertex))) {
            ed_polylines_free(lines);
            return false;
        }
        if (!*at)
            return true;
        line += *at == ';';
        at++;
    }
}

char *ed_polylines_format(const struct ed_polylines *lines)
{
    struct oro_text text = {0};
    char number[ORO_NUMBER_SIZE];
    oro_text_add(&text, "");
    for (size_t i = 0; i < lines->count; i++) {
        const struct ed_vertex *vertex = &lines->items[i];
        if (i)
            oro_text_add(&text, vertex->line == lines->items[i - 1].line ? ", " : "; ");
        for (int k = 0; k < vertex->count; k++) {
            oro_text_add(&text, k ? " " : "");
            oro_text_add(&text, oro_format_number(vertex->numbers[k], number));
        }
    }
    char *out = text.failed ? NULL : oro_copy_text(text.data ? text.data : "");
    oro_text_free(&text);
    return out;
}

bool ed_polylines_goes_on(const struct ed_polylines *lines, size_t at)
{
    return at + 1 < lines->count && lines->items[at + 1].line == lines->items[at].line;
}

bool ed_polylines_insert(struct ed_polylines *lines, size_t before, double x, double y)
{
    if (lines->count == 0 || before == 0)
        return lines->count == 0 && ed_polylines_add_line(lines, x, y);
    struct ed_vertex vertex = lines->items[before - 1];
    /* Between two points, elevation and width are halfway, too. */
    if (ed_polylines_goes_on(lines, before - 1) && lines->items[before].count == vertex.count)
        for (int k = 2; k < vertex.count; k++)
            vertex.numbers[k] = (vertex.numbers[k] + lines->items[before].numbers[k]) / 2;
    vertex.numbers[0] = x;
    vertex.numbers[1] = y;
    if (!push(lines, &vertex))
        return false;
    memmove(&lines->items[before + 1], &lines->items[before],
            (lines->count - 1 - before) * sizeof *lines->items);
    lines->items[before] = vertex;
    return true;
}

bool ed_polylines_add_line(struct ed_polylines *lines, double x, double y)
{
    struct ed_vertex vertex = {.numbers = {x, y}, .count = 2};
    if (lines->count)
        vertex.line = lines->items[lines->count - 1].line + 1;
    return push(lines, &vertex);
}

void ed_polylines_remove(struct ed_polylines *lines, size_t at)
{
    if (at >= lines->count)
        return;
    lines->count--;
    memmove(&lines->items[at], &lines->items[at + 1], (lines->count - at) * sizeof *lines->items);
}

void ed_polylines_free(struct ed_polylines *lines)
{
    oro_free(lines->items);
    *lines = (struct ed_polylines){0};
}
