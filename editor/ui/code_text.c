/* The text, its lines, and what changes it. */
#include "editor/ui/code_text.h"

#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { INDENT = 2, CHANGES_MAX = 10000 };

/* One replacement; both texts are owned. */
struct ui_code_change {
    size_t at, cursor, anchor; /* as they were before */
    char *removed, *inserted;
    bool typed; /* a letter, that goes with those before */
};

/* ---- Lines ---- */

static bool find_lines(struct ui_code *code)
{
    size_t count = 1;
    for (const char *at = code->text; (at = memchr(at, '\n', code->length - (size_t)(at - code->text))); at++)
        count++;
    if (!oro_reserve((void **)&code->lines, &code->line_capacity, count, sizeof *code->lines) ||
        !oro_reserve((void **)&code->states, &code->state_capacity, count, sizeof *code->states))
        return false;
    struct ui_code_state state = {0};
    code->line_count = 0;
    for (size_t at = 0;;) {
        code->states[code->line_count] = state;
        code->lines[code->line_count++] = at;
        const char *end = memchr(code->text + at, '\n', code->length - at);
        if (!end)
            return true;
        ui_code_line(code->text + at, end, &state);
        at = (size_t)(end - code->text) + 1;
    }
}

size_t ui_code_line_of(const struct ui_code *code, size_t at)
{
    size_t low = 0, high = code->line_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (code->lines[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t ui_code_line_end(const struct ui_code *code, size_t line)
{
    return line + 1 < code->line_count ? code->lines[line + 1] - 1 : code->length;
}

/* ---- Beginning and end ---- */

static void free_change(struct ui_code_change *change)
{
    oro_free(change->removed);
    oro_free(change->inserted);
}

static void forget(struct ui_code *code, size_t from)
{
    while (code->change_count > from)
        free_change(&code->changes[--code->change_count]);
}

bool ui_code_set(struct ui_code *code, const char *text)
{
    size_t length = strlen(text);
    if (length >= UI_CODE_BYTES || !oro_reserve((void **)&code->text, &code->capacity, UI_CODE_BYTES, 1))
        return false;
    forget(code, 0);
    memcpy(code->text, text, length + 1);
    code->length = length;
    code->cursor = code->anchor = code->done = 0;
    code->wanted_x = -1;
    code->revision++;
    return find_lines(code);
}

void ui_code_free(struct ui_code *code)
{
    forget(code, 0);
    oro_free(code->changes);
    oro_free(code->text);
    oro_free(code->lines);
    oro_free(code->states);
    *code = (struct ui_code){0};
}

/* ---- Changes ---- */

static char *copied(const char *text, size_t length)
{
    char *copy = oro_alloc(length + 1, 1);
    if (copy && length > 0)
        memcpy(copy, text, length);
    return copy;
}

static bool splice(struct ui_code *code, size_t at, size_t remove, const char *insert, size_t length)
{
    if (code->length - remove + length >= UI_CODE_BYTES)
        return false;
    memmove(code->text + at + length, code->text + at + remove, code->length - at - remove + 1);
    if (length > 0)
        memcpy(code->text + at, insert, length);
    code->length += length - remove;
    code->wanted_x = -1;
    code->revision++;
    return find_lines(code);
}

/* Letters typed one behind the other are undone as one word. */
static bool joins(const struct ui_code *code, size_t at, size_t remove, const char *insert, size_t length)
{
    const struct ui_code_change *last = code->done > 0 ? &code->changes[code->done - 1] : NULL;
    return last && last->typed && remove == 0 && length > 0 && !isspace((unsigned char)insert[0]) &&
           code->done == code->change_count && last->at + strlen(last->inserted) == at;
}

static bool join(struct ui_code *code, const char *insert, size_t length)
{
    struct ui_code_change *last = &code->changes[code->done - 1];
    size_t had = strlen(last->inserted);
    char *both = copied(last->inserted, had + length);
    if (!both)
        return false;
    memcpy(both + had, insert, length);
    oro_free(last->inserted);
    last->inserted = both;
    return true;
}

static bool note(struct ui_code *code, size_t at, size_t remove, const char *insert, size_t length,
                 bool typed)
{
    if (code->change_count > code->done)
        forget(code, code->done);
    if (typed && joins(code, at, remove, insert, length))
        return join(code, insert, length);
    if (code->done == CHANGES_MAX) {
        free_change(&code->changes[0]);
        memmove(code->changes, code->changes + 1, --code->change_count * sizeof *code->changes);
        code->done--;
    }
    if (!oro_reserve((void **)&code->changes, &code->change_capacity, code->done + 1, sizeof *code->changes))
        return false;
    struct ui_code_change change = {.at = at,
                                    .cursor = code->cursor,
                                    .anchor = code->anchor,
                                    .removed = copied(code->text + at, remove),
                                    .inserted = copied(insert, length),
                                    .typed = typed};
    if (!change.removed || !change.inserted) {
        free_change(&change);
        return false;
    }
    code->changes[code->done++] = change;
    code->change_count = code->done;
    return true;
}

static bool replace(struct ui_code *code, size_t at, size_t remove, const char *insert, size_t length,
                    bool typed)
{
    if (!code->text || code->length - remove + length >= UI_CODE_BYTES ||
        !note(code, at, remove, insert, length, typed) || !splice(code, at, remove, insert, length))
        return false;
    code->cursor = code->anchor = at + length;
    return true;
}

size_t ui_code_selected(const struct ui_code *code, size_t *from)
{
    bool back = code->cursor < code->anchor;
    *from = back ? code->cursor : code->anchor;
    return back ? code->anchor - code->cursor : code->cursor - code->anchor;
}

bool ui_code_insert(struct ui_code *code, const char *text, size_t length)
{
    size_t from, count = ui_code_selected(code, &from);
    return replace(code, from, count, text, length, false);
}

bool ui_code_undo(struct ui_code *code)
{
    if (code->done == 0)
        return false;
    const struct ui_code_change *change = &code->changes[code->done - 1];
    if (!splice(code, change->at, strlen(change->inserted), change->removed, strlen(change->removed)))
        return false;
    code->cursor = change->cursor;
    code->anchor = change->anchor;
    code->done--;
    return true;
}

bool ui_code_redo(struct ui_code *code)
{
    if (code->done == code->change_count)
        return false;
    const struct ui_code_change *change = &code->changes[code->done];
    if (!splice(code, change->at, strlen(change->removed), change->inserted, strlen(change->inserted)))
        return false;
    code->cursor = code->anchor = change->at + strlen(change->inserted);
    code->done++;
    return true;
}

/* ---- Indentation ---- */

static size_t blanks_of(const struct ui_code *code, size_t line)
{
    size_t at = code->lines[line], count = 0;
    while (code->text[at + count] == ' ' || code->text[at + count] == '\t')
        count++;
    return count;
}

static bool ends_with_word(const char *text, size_t length, const char *word)
{
    size_t own = strlen(word);
    return length >= own && memcmp(text + length - own, word, own) == 0 &&
           (length == own ||
            !(isalnum((unsigned char)text[length - own - 1]) || text[length - own - 1] == '_'));
}

/* Whether a function begins in the line and does not end in it. */
static bool begins_function(const char *text, size_t length)
{
    bool open = false;
    for (size_t i = 1; i <= length; i++) {
        open = open || ends_with_word(text, i, "function");
        open = open && !ends_with_word(text, i, "end");
    }
    return open;
}

/* Whether what is in front of the cursor opens a block. */
static bool opens(const char *text, size_t length)
{
    static const char *const words[] = {"then", "do", "else", "repeat"};
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    if (length > 0 && strchr("{([", text[length - 1]))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (ends_with_word(text, length, words[i]))
            return true;
    return length > 0 && text[length - 1] == ')' && begins_function(text, length);
}

bool ui_code_newline(struct ui_code *code)
{
    char text[256] = "\n";
    size_t from;
    ui_code_selected(code, &from);
    size_t row = ui_code_line_of(code, from), start = code->lines[row], blanks = blanks_of(code, row);
    blanks = blanks < from - start ? blanks : from - start;
    blanks = blanks < sizeof text - 8 ? blanks : sizeof text - 8;
    memcpy(text + 1, code->text + start, blanks);
    size_t more = opens(code->text + start, from - start) ? INDENT : 0;
    memset(text + 1 + blanks, ' ', more);
    return ui_code_insert(code, text, 1 + blanks + more);
}

/* Whether the line consists of a closing word or bracket alone, which belongs further left. */
static bool closes(const struct ui_code *code, size_t line)
{
    static const char *const words[] = {"end", "else", "elseif", "until", "}", ")", "})"};
    size_t at = code->lines[line] + blanks_of(code, line), length = ui_code_line_end(code, line) - at;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (length == strlen(words[i]) && memcmp(code->text + at, words[i], length) == 0)
            return true;
    return false;
}

bool ui_code_typed(struct ui_code *code, const char *text)
{
    size_t from, count = ui_code_selected(code, &from);
    if (!replace(code, from, count, text, strlen(text), true))
        return false;
    size_t line = ui_code_line_of(code, code->cursor), blanks = blanks_of(code, line);
    if (code->cursor != ui_code_line_end(code, line) || blanks < INDENT || !closes(code, line) || line == 0)
        return true;
    size_t above = line;
    while (above > 0 &&
           blanks_of(code, above - 1) == ui_code_line_end(code, above - 1) - code->lines[above - 1])
        above--;                                            /* empty lines */
    if (above == 0 || blanks_of(code, above - 1) != blanks) /* it was put there by hand */
        return true;
    size_t cursor = code->cursor - INDENT;
    bool ok = !opens(code->text + code->lines[above - 1],
                     ui_code_line_end(code, above - 1) - code->lines[above - 1]) &&
              replace(code, code->lines[line], INDENT, "", 0, false);
    if (ok)
        code->cursor = code->anchor = cursor;
    return true;
}

/* Puts each selected line through `change`, which writes what comes in place of the line's beginning: its
 * first
 * `*drop` bytes. All is one step. */
static bool change_lines(struct ui_code *code,
                         void (*change)(const char *line, size_t length, bool on, size_t *drop, char put[8]),
                         bool on)
{
    struct oro_text text = {0};
    size_t from, count = ui_code_selected(code, &from);
    size_t first = ui_code_line_of(code, from), last = ui_code_line_of(code, from + count);
    if (last > first && code->lines[last] == from + count)
        last--; /* none of it is selected */
    size_t begin = code->lines[first], end = ui_code_line_end(code, last);
    oro_text_add(&text, "");
    for (size_t line = first; line <= last; line++) {
        char put[8] = "";
        size_t drop = 0, length = ui_code_line_end(code, line) - code->lines[line];
        change(code->text + code->lines[line], length, on, &drop, put);
        oro_text_add(&text, put);
        oro_text_add_bytes(&text, code->text + code->lines[line] + drop, length - drop);
        oro_text_add(&text, line < last ? "\n" : "");
    }
    bool ok = !text.failed && replace(code, begin, end - begin, text.data, text.length, false);
    if (ok) {
        code->anchor = begin;
        code->cursor = begin + text.length;
    }
    oro_text_free(&text);
    return ok;
}

static void indent_line(const char *line, size_t length, bool out, size_t *drop, char put[8])
{
    if (out && length > 0 && line[0] == '\t')
        *drop = 1;
    while (out && *drop < INDENT && *drop < length && line[*drop] == ' ')
        ++*drop;
    if (!out && length > 0)
        memset(put, ' ', INDENT);
}

bool ui_code_indent(struct ui_code *code, bool out)
{
    size_t from, count = ui_code_selected(code, &from), row = ui_code_line_of(code, from);
    if (count == 0 && !out)
        return ui_code_insert(code, "        ", INDENT - (from - code->lines[row]) % INDENT);
    size_t at = code->cursor, had = code->length;
    bool ok = change_lines(code, indent_line, out);
    if (ok && count == 0) { /* the cursor stays where it is in its line */
        size_t gone = had - code->length;
        code->cursor = code->anchor = at >= code->lines[row] + gone ? at - gone : code->lines[row];
    }
    return ok;
}

static void comment_line(const char *line, size_t length, bool on, size_t *drop, char put[8])
{
    if (on)
        memcpy(put, "-- ", 4);
    else
        *drop = length >= 3 && memcmp(line, "-- ", 3) == 0  ? 3
                : length >= 2 && memcmp(line, "--", 2) == 0 ? 2
                                                            : 0;
}

bool ui_code_comment(struct ui_code *code)
{
    size_t from;
    ui_code_selected(code, &from);
    size_t at = code->lines[ui_code_line_of(code, from)];
    return change_lines(code, comment_line, strncmp(code->text + at, "--", 2) != 0);
}

/* ---- Deleting ---- */

bool ui_code_delete(struct ui_code *code, bool forwards, bool word)
{
    size_t from, count = ui_code_selected(code, &from);
    if (count == 0) {
        size_t at = code->cursor;
        ui_code_move(code,
                     forwards ? (word ? UI_CODE_WORD_RIGHT : UI_CODE_RIGHT)
                              : (word ? UI_CODE_WORD_LEFT : UI_CODE_LEFT),
                     true);
        count = ui_code_selected(code, &from);
        code->anchor = at;
    }
    return count > 0 && replace(code, from, count, "", 0, false);
}
