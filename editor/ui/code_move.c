/* The cursor in a text, brackets, searching. */
#include <ctype.h>
#include <string.h>

#include "editor/ui/code_text.h"

static bool inside_letter(const struct ui_code *code, size_t at)
{
    return at < code->length && ((unsigned char)code->text[at] & 0xc0) == 0x80;
}

static size_t before(const struct ui_code *code, size_t at)
{
    while (at > 0 && inside_letter(code, --at))
        ;
    return at;
}

static size_t behind(const struct ui_code *code, size_t at)
{
    if (at < code->length)
        at++;
    while (inside_letter(code, at))
        at++;
    return at;
}

static bool is_word(const struct ui_code *code, size_t at)
{
    unsigned char c = (unsigned char)code->text[at];
    return isalnum(c) || c == '_' || c >= 0x80;
}

void ui_code_put(struct ui_code *code, size_t at, bool select)
{
    at = at < code->length ? at : code->length;
    while (at > 0 && inside_letter(code, at))
        at--;
    code->cursor = at;
    if (!select)
        code->anchor = at;
}

static size_t word_left(const struct ui_code *code, size_t at)
{
    while (at > 0 && !is_word(code, at - 1))
        at--;
    while (at > 0 && is_word(code, at - 1))
        at--;
    return at;
}

static size_t word_right(const struct ui_code *code, size_t at)
{
    while (at < code->length && !is_word(code, at))
        at++;
    while (at < code->length && is_word(code, at))
        at++;
    return at;
}

static size_t line_start(const struct ui_code *code, size_t at)
{
    size_t start = code->lines[ui_code_line_of(code, at)], text = start;
    while (code->text[text] == ' ' || code->text[text] == '\t')
        text++;
    return at == text ? start : text;
}

static size_t moved(const struct ui_code *code, enum ui_code_move move, size_t at)
{
    switch (move) {
    case UI_CODE_LEFT:
        return before(code, at);
    case UI_CODE_RIGHT:
        return behind(code, at);
    case UI_CODE_WORD_LEFT:
        return word_left(code, at);
    case UI_CODE_WORD_RIGHT:
        return word_right(code, at);
    case UI_CODE_LINE_START:
        return line_start(code, at);
    case UI_CODE_LINE_END:
        return ui_code_line_end(code, ui_code_line_of(code, at));
    case UI_CODE_START:
        return 0;
    case UI_CODE_END:
        break;
    }
    return code->length;
}

void ui_code_move(struct ui_code *code, enum ui_code_move move, bool select)
{
    size_t from, count = ui_code_selected(code, &from);
    size_t at = moved(code, move, code->cursor);
    if (count > 0 && !select && (move == UI_CODE_LEFT || move == UI_CODE_RIGHT))
        at = move == UI_CODE_LEFT ? from : from + count;
    code->wanted_x = -1;
    ui_code_put(code, at, select);
}

void ui_code_select_word(struct ui_code *code)
{
    size_t from = code->cursor, to = from;
    while (from > 0 && is_word(code, from - 1))
        from--;
    while (to < code->length && is_word(code, to))
        to++;
    code->anchor = from;
    ui_code_put(code, to, true);
}

/* ---- Brackets ---- */

enum { DEPTH_MAX = 1024 };

static char partner(char c)
{
    static const char pairs[] = "()[]{}";
    const char *at = strchr(pairs, c);
    return !c || !at ? '\0' : pairs[(at - pairs) ^ 1];
}

/* Goes through the pieces of all lines, since brackets in comments and texts do not count; those of GLSL
 * count like others. */
static bool find_partner(const struct ui_code *code, size_t own, size_t *other)
{
    size_t open[DEPTH_MAX];
    size_t depth = 0;
    for (size_t line = 0; line < code->line_count; line++) {
        struct ui_code_state state = code->states[line];
        const char *at = code->text + code->lines[line], *end = code->text + ui_code_line_end(code, line);
        while (at < end) {
            enum ui_token token;
            size_t length = ui_code_token(at, end, NULL, &state, &token), here = (size_t)(at - code->text);
            at += length;
            if (token != UI_TOKEN_BRACKET)
                continue;
            if (strchr("([{", code->text[here])) {
                if (depth == DEPTH_MAX)
                    return false;
                open[depth++] = here;
                continue;
            }
            bool fits = depth > 0 && code->text[open[depth - 1]] == partner(code->text[here]);
            size_t first = depth > 0 ? open[--depth] : here;
            if (here != own && first != own)
                continue;
            *other = here == own ? first : here;
            return fits;
        }
    }
    return false;
}

bool ui_code_bracket(const struct ui_code *code, size_t *own, size_t *other)
{
    *own = code->cursor;
    if (code->cursor >= code->length || !partner(code->text[code->cursor]))
        *own = code->cursor > 0 ? code->cursor - 1 : 0;
    return *own < code->length && partner(code->text[*own]) && find_partner(code, *own, other);
}

/* ---- Searching ---- */

static bool is_at(const struct ui_code *code, size_t at, const char *what, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)code->text[at + i]) != tolower((unsigned char)what[i]))
            return false;
    return true;
}

bool ui_code_find(struct ui_code *code, const char *what, bool forwards)
{
    size_t length = strlen(what), from, selected = ui_code_selected(code, &from);
    if (length == 0 || length > code->length)
        return false;
    size_t places = code->length - length + 1, at = from + (forwards && selected > 0);
    for (size_t i = 0; i < places; i++) {
        size_t here = forwards ? (at + i) % places : (at + places - 1 - i) % places;
        if (!is_at(code, here, what, length))
            continue;
        code->anchor = here;
        ui_code_put(code, here + length, true);
        return true;
    }
    return false;
}
