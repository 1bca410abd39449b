#include "editor/ui/code.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_clipboard.h>
#include <SDL2/SDL_keyboard.h>
#include <SDL2/SDL_scancode.h>
#include <SDL2/SDL_stdinc.h>

#include "editor/ui/describe.h"

/* Where all is, in this frame. */
struct sheet {
    struct ui_code *code;
    struct ui_code_view *view;
    const struct ui_code_options *options;
    struct ui_draw *draw;
    struct ui_rect seen;        /* of the window */
    float left, top, line, pad; /* of the text; height of a line */
    size_t first, last;         /* lines that can be seen; last is excluded */
};

/* ---- Places ---- */

static float x_of(const struct sheet *s, size_t at)
{
    const struct ui_code *code = s->code;
    size_t line = ui_code_line_of(code, at);
    return s->left + ui_text_width(UI_MONO, code->text + code->lines[line], code->text + at);
}

static float y_of(const struct sheet *s, size_t line)
{
    return s->top + (float)line * s->line;
}

static size_t at_x(const struct ui_code *code, size_t line, float x)
{
    const char *begin = code->text + code->lines[line], *end = code->text + ui_code_line_end(code, line);
    return (size_t)(ui_text_at(UI_MONO, begin, end, x) - code->text);
}

static size_t at_pointer(const struct sheet *s)
{
    float row = floorf((ui_mouse().y - s->top) / s->line);
    size_t last = s->code->line_count - 1, line = row < 0 ? 0 : row > (float)last ? last : (size_t)row;
    return at_x(s->code, line, ui_mouse().x - s->left);
}

/* ---- Keys ---- */

static void move_lines(struct sheet *s, long by, bool select)
{
    struct ui_code *code = s->code;
    long line = (long)ui_code_line_of(code, code->cursor) + by, last = (long)code->line_count - 1;
    float x = code->wanted_x >= 0 ? code->wanted_x : x_of(s, code->cursor) - s->left;
    size_t at = line < 0 ? 0 : line > last ? code->length : at_x(code, (size_t)line, x);
    ui_code_put(code, at, select);
    code->wanted_x = x;
}

static bool move_by_key(struct sheet *s)
{
    static const struct {
        int key;
        enum ui_code_move move, with_ctrl;
    } moves[] = {{SDL_SCANCODE_LEFT, UI_CODE_LEFT, UI_CODE_WORD_LEFT},
                 {SDL_SCANCODE_RIGHT, UI_CODE_RIGHT, UI_CODE_WORD_RIGHT},
                 {SDL_SCANCODE_HOME, UI_CODE_LINE_START, UI_CODE_START},
                 {SDL_SCANCODE_END, UI_CODE_LINE_END, UI_CODE_END}};
    bool any = false;
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
        if (ui_key_repeated(moves[i].key)) {
            ui_code_move(s->code, ui_ctrl() ? moves[i].with_ctrl : moves[i].move, ui_shift());
            any = true;
        }
    long page = (long)(s->seen.h / s->line) - 1;
    long by = ui_key_repeated(SDL_SCANCODE_DOWN) - ui_key_repeated(SDL_SCANCODE_UP) +
              page * (ui_key_repeated(SDL_SCANCODE_PAGEDOWN) - ui_key_repeated(SDL_SCANCODE_PAGEUP));
    if (by)
        move_lines(s, by, ui_shift());
    return any || by;
}

/* Whether the key that has that letter was pressed with Ctrl. */
static bool ctrl_key(char letter)
{
    return ui_ctrl() && !ui_alt() && ui_key_repeated((int)SDL_GetScancodeFromKey(letter));
}

static void copy(const struct ui_code *code)
{
    size_t from, count = ui_code_selected(code, &from);
    char kept = code->text[from + count];
    if (count == 0)
        return;
    code->text[from + count] = '\0';
    SDL_SetClipboardText(code->text + from);
    code->text[from + count] = kept;
}

/* Line breaks of other systems become ours. */
static bool paste(struct ui_code *code)
{
    char *text = SDL_GetClipboardText();
    size_t length = 0;
    for (const char *at = text; text && *at; at++)
        if (*at != '\r')
            text[length++] = *at;
    bool ok = text && length > 0 && ui_code_insert(code, text, length);
    SDL_free(text);
    return ok;
}

static bool change_by_ctrl(struct ui_code *code)
{
    if (ctrl_key('z'))
        return ui_shift() ? ui_code_redo(code) : ui_code_undo(code);
    if (ctrl_key('y'))
        return ui_code_redo(code);
    if (ctrl_key('v'))
        return paste(code);
    if (ctrl_key('/'))
        return ui_code_comment(code);
    if (ctrl_key('x')) {
        copy(code);
        return ui_code_insert(code, "", 0);
    }
    return false;
}

static bool change_by_key(struct ui_code *code)
{
    bool changed = change_by_ctrl(code);
    const char *typed = ui_typed();
    if (typed[0])
        changed = ui_code_typed(code, typed) || changed;
    if (!ui_ctrl() && (ui_key_repeated(SDL_SCANCODE_RETURN) || ui_key_repeated(SDL_SCANCODE_KP_ENTER)))
        changed = ui_code_newline(code) || changed;
    if (!ui_ctrl() && ui_key_repeated(SDL_SCANCODE_TAB))
        changed = ui_code_indent(code, ui_shift()) || changed;
    if (ui_key_repeated(SDL_SCANCODE_BACKSPACE))
        changed = ui_code_delete(code, false, ui_ctrl()) || changed;
    if (ui_key_repeated(SDL_SCANCODE_DELETE))
        changed = ui_code_delete(code, true, ui_ctrl()) || changed;
    return changed;
}

static void open_search(struct sheet *s)
{
    size_t from, count = ui_code_selected(s->code, &from);
    if (count > 0 && count < sizeof s->view->find && !memchr(s->code->text + from, '\n', count))
        snprintf(s->view->find, sizeof s->view->find, "%.*s", (int)count, s->code->text + from);
    s->view->finding = s->view->find_asked = true;
    s->view->not_found = false;
}

static int take_keys(struct sheet *s)
{
    struct ui_code *code = s->code;
    int events = 0;
    bool moved = move_by_key(s);
    if (ctrl_key('c'))
        copy(code);
    if (ctrl_key('a')) {
        ui_code_put(code, 0, false);
        ui_code_put(code, code->length, true);
    }
    if (!s->options->read_only && change_by_key(code)) {
        events |= UI_CODE_CHANGED;
        moved = true;
    }
    if (ui_ctrl() && (ui_key_pressed(SDL_SCANCODE_RETURN) || ui_key_pressed(SDL_SCANCODE_KP_ENTER)))
        events |= UI_CODE_APPLY;
    if (ctrl_key('f'))
        open_search(s);
    if (ui_key_pressed(SDL_SCANCODE_ESCAPE))
        ui_typing_end();
    s->view->follow = s->view->follow || moved;
    return events;
}

/* ---- Mouse ---- */

static void take_mouse(struct sheet *s, bool hovered)
{
    struct ui_code *code = s->code;
    if (hovered && ui_mouse_double(0))
        ui_code_select_word(code);
    else if (hovered && ui_mouse_pressed(0)) {
        ui_code_put(code, at_pointer(s), ui_shift());
        code->wanted_x = -1;
        s->view->dragging = true;
    } else if (s->view->dragging && ui_mouse_down(0)) {
        size_t at = at_pointer(s);
        s->view->follow = s->view->follow || at != code->cursor;
        ui_code_put(code, at, true);
    }
    if (!ui_mouse_down(0))
        s->view->dragging = false;
}

/* ---- Scrolling ---- */

static void follow_cursor(struct sheet *s)
{
    struct ui_code_view *view = s->view;
    if (!view->follow)
        return;
    view->follow = false;
    float y = (float)ui_code_line_of(s->code, s->code->cursor) * s->line, scroll = ui_scroll_y();
    if (y < scroll)
        ui_scroll_to(y);
    else if (y + 2 * s->line > scroll + s->seen.h)
        ui_scroll_to(y + 2 * s->line - s->seen.h);
    float x = x_of(s, s->code->cursor) - s->left, room = s->seen.x + s->seen.w - s->left - view->scroll_x;
    if (x < view->scroll_x)
        view->scroll_x = fmaxf(x - room / 4, 0);
    else if (x + s->line > view->scroll_x + room)
        view->scroll_x = x + room / 4 - room;
}

/* ---- Drawing ---- */

static uint32_t colour_of(enum ui_token token)
{
    switch (token) {
    case UI_TOKEN_COMMENT:
        return ui_colour(UI_MUTED);
    case UI_TOKEN_TEXT:
        return ui_colour(UI_GOOD);
    case UI_TOKEN_NUMBER:
        return ui_colour(UI_WARNING);
    case UI_TOKEN_KEYWORD:
        return ui_colour(UI_SELECTED);
    case UI_TOKEN_LIBRARY:
        return ui_mix(ui_colour(UI_ACCENT), ui_colour(UI_GOOD), 0.5f);
    case UI_TOKEN_BRACKET:
        return ui_mix(ui_colour(UI_TEXT), ui_colour(UI_ACCENT), 0.35f);
    case UI_TOKEN_PLAIN:
        break;
    }
    return ui_colour(UI_TEXT);
}

static void draw_line(const struct sheet *s, size_t line)
{
    const struct ui_code *code = s->code;
    const char *at = code->text + code->lines[line], *end = code->text + ui_code_line_end(code, line);
    struct ui_code_state state = code->states[line];
    float x = s->left, right = s->seen.x + s->seen.w;
    while (at < end && x < right) {
        enum ui_token token;
        size_t length = ui_code_token(at, end, s->options->library, &state, &token);
        float width = ui_text_width(UI_MONO, at, at + length);
        if (x + width > s->seen.x)
            ui_draw_text(s->draw, UI_MONO, 0, (struct ui_vec){x, y_of(s, line)}, colour_of(token), at,
                         at + length);
        x += width;
        at += length;
    }
}

static void draw_selection(const struct sheet *s)
{
    const struct ui_code *code = s->code;
    size_t from, count = ui_code_selected(code, &from), to = from + count;
    for (size_t line = s->first; line < s->last && count > 0; line++) {
        size_t begin = code->lines[line], end = ui_code_line_end(code, line);
        if (to <= begin || from > end)
            continue;
        float x = x_of(s, from > begin ? from : begin);
        float right = to > end ? x_of(s, end) + s->line / 3 : x_of(s, to);
        ui_rect_fill(s->draw, (struct ui_rect){x, y_of(s, line), right - x, s->line},
                     ui_faded(ui_colour(UI_ACCENT), 0.35f), 0);
    }
}

static void draw_bracket(const struct sheet *s, size_t at)
{
    float x = x_of(s, at), right = x_of(s, at + 1);
    ui_rect_line(s->draw, (struct ui_rect){x, y_of(s, ui_code_line_of(s->code, at)), right - x, s->line},
                 ui_faded(ui_colour(UI_SELECTED), 0.8f), 2, 1);
}

static void draw_brackets(const struct sheet *s)
{
    struct ui_code_view *view = s->view;
    if (view->bracket_of != s->code->revision || view->bracket_at != s->code->cursor) {
        view->has_bracket = ui_code_bracket(s->code, &view->own, &view->other);
        view->bracket_of = s->code->revision;
        view->bracket_at = s->code->cursor;
    }
    if (!view->has_bracket)
        return;
    draw_bracket(s, view->own);
    draw_bracket(s, view->other);
}

static void draw_number(const struct sheet *s, size_t line, float right, bool current)
{
    char text[24];
    bool wrong = s->options->wrong_line == line + 1;
    struct ui_rect box = {s->seen.x, y_of(s, line), right - s->seen.x, s->line};
    snprintf(text, sizeof text, "%zu", line + 1);
    ui_draw_text_in(s->draw, UI_MONO, 0, (struct ui_rect){box.x, box.y, box.w - s->pad, box.h}, 1,
                    ui_colour(wrong     ? UI_BAD
                              : current ? UI_TEXT
                                        : UI_MUTED),
                    text);
    if (!wrong)
        return;
    ui_circle_fill(s->draw, (struct ui_vec){box.x + s->pad, box.y + box.h / 2}, s->line * 0.22f,
                   ui_colour(UI_BAD));
    ed_describe_item("script:wrong", box.x, box.y, box.w, box.h, true);
    struct ui_rect whole = {box.x, box.y, s->seen.w, box.h};
    if (s->options->wrong && ui_inside(whole, ui_mouse()) && ui_inside(s->seen, ui_mouse()) &&
        ui_window_hovered()) {
        ui_tooltip_begin();
        ui_text_coloured(ui_colour(UI_BAD), "%s", s->options->wrong);
        ui_tooltip_end();
    }
}

static void draw_text(const struct sheet *s, float numbers)
{
    size_t current = ui_code_line_of(s->code, s->code->cursor);
    for (size_t line = s->first; line < s->last; line++) {
        struct ui_rect row = {s->seen.x, y_of(s, line), s->seen.w, s->line};
        if (s->options->wrong_line == line + 1)
            ui_rect_fill(s->draw, row, ui_faded(ui_colour(UI_BAD), 0.18f), 0);
        else if (line == current && s->view->active)
            ui_rect_fill(s->draw, row, ui_faded(ui_colour(UI_MUTED), 0.12f), 0);
    }
    float edge = s->seen.x + numbers;
    ui_clip_push(s->draw, (struct ui_rect){edge, s->seen.y, s->seen.w - numbers, s->seen.h});
    draw_selection(s);
    for (size_t line = s->first; line < s->last; line++)
        draw_line(s, line);
    draw_brackets(s);
    if (s->view->active)
        ui_rect_fill(
            s->draw,
            (struct ui_rect){x_of(s, s->code->cursor) - 1, y_of(s, current), 2 * ui_scale(), s->line},
            ui_colour(UI_TEXT), 0);
    ui_clip_pop(s->draw);
    for (size_t line = s->first; line < s->last; line++)
        draw_number(s, line, edge, line == current);
}

/* ---- Search ---- */

/* True: it has the keyboard, or will. */
static bool draw_search(struct ui_code *code, struct ui_code_view *view,
                        const struct ui_code_options *options)
{
    bool asked = view->find_asked;
    if (!view->finding)
        return false;
    if (asked)
        ui_focus_next();
    view->find_asked = false;
    ui_name("%s:find", options->name);
    ui_item_width(options->width * 0.6f);
    bool enter = ui_input("##find", "Find: Enter, Shift+Enter", view->find, sizeof view->find,
                          UI_ENTER | UI_SELECT_ALL);
    bool active = ui_item_active();
    if (enter) {
        view->not_found = !ui_code_find(code, view->find, !ui_shift());
        view->follow = view->find_asked = true; /* the field keeps the keyboard */
    }
    ui_same_line(-1);
    ui_align_text();
    ui_text_coloured(ui_colour(view->not_found ? UI_WARNING : UI_MUTED), "%s",
                     view->not_found ? "not found" : "Esc closes");
    if (!active && ui_key_pressed(SDL_SCANCODE_ESCAPE)) {
        view->finding = false;
        ui_key_take(SDL_SCANCODE_ESCAPE); /* the text keeps the keyboard */
        ui_text_area_focus();
        return true;
    }
    return active || enter || asked;
}

int ui_code_draw(struct ui_code *code, struct ui_code_view *view, const struct ui_code_options *options)
{
    struct sheet s = {.code = code, .view = view, .options = options, .pad = 6 * ui_scale()};
    char digits[24];
    int events = 0;
    bool searching = draw_search(code, view, options), was_active = view->active;
    s.line = ui_font_size(UI_MONO) + 2 * ui_scale();
    if (ui_child_begin(options->name, options->width, options->height, UI_NO_PADDING)) {
        struct ui_vec at = ui_cursor();
        s.draw = ui_draw_here();
        s.seen = (struct ui_rect){at.x, at.y + ui_scroll_y(), ui_content().w, options->height};
        ui_rect_fill(s.draw, s.seen, ui_colour(UI_BACKGROUND), 4 * ui_scale());
        snprintf(digits, sizeof digits, "%zu", code->line_count);
        float numbers = ui_text_width(UI_MONO, digits, digits + strlen(digits)) + 3.5f * s.pad;
        float tall = fmaxf((float)(code->line_count + 1) * s.line, options->height);
        s.left = at.x + numbers + s.pad - view->scroll_x;
        s.top = at.y + s.pad / 2;
        ui_name("%s", options->name);
        bool active = ui_text_area("##code", s.seen.w, tall);
        take_mouse(&s, ui_item_hovered() && ui_inside(s.seen, ui_mouse()));
        if (active)
            events |= take_keys(&s);
        view->active = active || searching;
        follow_cursor(&s);
        s.left = at.x + numbers + s.pad - view->scroll_x;
        float scrolled = ui_scroll_y() / s.line;
        s.first = scrolled > 1 ? (size_t)scrolled - 1 : 0;
        s.last = s.first + (size_t)(options->height / s.line) + 3;
        s.last = s.last < code->line_count ? s.last : code->line_count;
        s.first = s.first < s.last ? s.first : s.last;
        draw_text(&s, numbers);
    }
    ui_child_end();
    return events | (was_active && !view->active ? UI_CODE_LEFT_IT : 0);
}
