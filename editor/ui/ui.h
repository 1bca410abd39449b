/*
 * Dear ImGui behind a C interface: the only way in which the rest of the editor draws and asks for input.
 * Functions do what ImGui's of the same name do: see its documentation. Sizes and places are in pixels of the
 * window, from its upper left corner. Labels may end in "##id" to tell equal ones apart.
 *
 * Every widget that is drawn is also written into the description of the window (editor/ui/describe.h): as
 * "button:Save", "input:Name", ... or under the name that ui_name gave it.
 *
 * Threads: the window's, between ui_frame_begin and ui_frame_end.
 */
#ifndef ED_UI_UI_H
#define ED_UI_UI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

union SDL_Event;
struct SDL_Window;

/* ---- The window ---- */

enum { UI_MORE_FONTS = 4 };
struct ui_font_file {
    const char *path;
    int face; /* of a collection, such as *.ttc */
};
struct ui_options {
    float scale;      /* of all sizes: 1 for usual screens, 2 for fine ones */
    bool light;       /* theme */
    const char *font; /* files; NULL: ImGui's own, small and ugly */
    const char *bold, *mono;
    struct ui_font_file
        more[UI_MORE_FONTS]; /* fallbacks, in this order, for letters that those lack; NULL: none */
};
bool ui_open(struct SDL_Window *window, void *gl_context, const struct ui_options *options,
             struct oro_error *err);
void ui_close(void);
/* Another scale or theme, between frames. */
bool ui_restyle(const struct ui_options *options, struct oro_error *err);
void ui_event(const union SDL_Event *event);
void ui_frame_begin(void);
/* Draws the frame into the current framebuffer. */
void ui_frame_end(void);
/* Whether a text field has the keyboard. */
bool ui_typing(void);
/* Takes the keyboard away from the field, which keeps what was typed into it. */
void ui_typing_end(void);
/* Whether a field was promised the keyboard (ui_focus_next) but does not have it yet, so that typing should
 * wait. */
bool ui_focusing(void);
float ui_scale(void);
float ui_frame_rate(void);
float ui_delta(void); /* seconds since the last frame */

/* ---- Colours and fonts ---- */

struct ui_vec {
    float x, y;
};
struct ui_rect {
    float x, y, w, h;
};
static inline bool ui_inside(struct ui_rect rect, struct ui_vec at)
{
    return at.x >= rect.x && at.y >= rect.y && at.x < rect.x + rect.w && at.y < rect.y + rect.h;
}

/* 8 bits each, red lowest. */
static inline uint32_t ui_rgba(unsigned red, unsigned green, unsigned blue, unsigned alpha)
{
    return (uint32_t)(red | green << 8 | blue << 16 | alpha << 24);
}
static inline uint32_t ui_faded(uint32_t colour, float alpha)
{
    return (colour & 0xffffffu) | (uint32_t)((float)(colour >> 24) * alpha) << 24;
}
/* From `a` to `b`. */
static inline uint32_t ui_mix(uint32_t a, uint32_t b, float t)
{
    uint32_t out = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        float from = (float)(a >> shift & 0xff), to = (float)(b >> shift & 0xff);
        out |= (uint32_t)(from + (to - from) * t + 0.5f) << shift;
    }
    return out;
}

/* A colour of the theme. */
enum ui_colour {
    UI_BACKGROUND, /* behind everything: the canvas */
    UI_GRID,
    UI_PANEL,
    UI_RAISED, /* widgets on panels, nodes */
    UI_HOVERED,
    UI_BORDER,
    UI_TEXT,
    UI_MUTED, /* text of less weight */
    UI_ACCENT,
    UI_SELECTED, /* outlines of what is selected */
    UI_GOOD,
    UI_WARNING,
    UI_BAD,
    UI_SHADOW,
    UI_COLOURS,
};
uint32_t ui_colour(enum ui_colour colour);
bool ui_is_light(void);

enum ui_font { UI_NORMAL, UI_BOLD, UI_SMALL, UI_LARGE, UI_TITLE, UI_MONO, UI_FONTS };
void ui_font_push(enum ui_font font);
void ui_font_pop(void);
float ui_font_size(enum ui_font font); /* height of a line, pixels */

/* Fonts are made with the Latin and Greek letters of European languages; others are added once a text has
 * them. True: a text since the last call had some: fonts must be rebuilt (ui_restyle). */
bool ui_letters_asked(void);
/* All letters that were asked for, code points up to 0xffff. `readable`: only those that can be shown now. */
const uint32_t *ui_letters(size_t *count, size_t *readable);

/* ---- Windows and places ---- */

enum { /* flags of windows and children */
       UI_NO_SCROLL = 1,
       UI_BORDERED = 2,
       UI_NO_PADDING = 4,
       UI_ALWAYS_ON_TOP = 8, /* comes to the front whenever it appears */
       UI_POPUP = 16,        /* a panel that looks like a popup */
};
/* A panel with a fixed place. Call the end function whatever begin returns. */
bool ui_panel_begin(const char *id, struct ui_rect rect, int flags);
void ui_panel_end(void);
/* Arrow keys, Enter and Space are for the widgets of the panel with this id; NULL: no longer. They are so for
 * open menus and lists anyway. */
void ui_walk(const char *panel);
bool ui_walking(void);
/* A window with a title, that can be moved and sized; `open` may be NULL, else Escape closes it, too.
 * `width`, `height`: at first. */
bool ui_window_begin(const char *title, bool *open, float width, float height, int flags);
void ui_window_end(void);
bool ui_child_begin(const char *id, float width, float height, int flags); /* 0: what is left */
void ui_child_end(void);

struct ui_vec ui_window_size(void); /* of the whole program's window */
struct ui_rect ui_content(void);    /* what is left of the current window, from the cursor */
struct ui_vec ui_cursor(void);      /* where the next widget goes, pixels of the window */
void ui_cursor_set(struct ui_vec at);
void ui_same_line(float gap); /* negative: usual */
void ui_spacing(void);
void ui_separator(void);
void ui_dummy(float width, float height);
void ui_item_width(float width); /* of the next widget; negative: up to so far from the right */
void ui_align_text(void);        /* the next text is in line with widgets */
void ui_group_begin(void);
void ui_group_end(void);
void ui_disabled_begin(bool disabled);
void ui_disabled_end(void);
void ui_id_push(const char *id);
void ui_id_push_index(int index);
void ui_id_pop(void);
float ui_scroll_y(void);
void ui_scroll_to(float y);
void ui_scroll_here(void);
float ui_line_height(void);   /* of text */
float ui_widget_height(void); /* of a widget */
void ui_focus_next(void);     /* the next widget gets the keyboard */

/* ---- Widgets ---- True: pressed or changed. */

/* Names the next widget in the description, instead of by its label. */
void ui_name(const char *format, ...) ORO_PRINTF(1, 2);

void ui_text(const char *format, ...) ORO_PRINTF(1, 2);
void ui_text_wrapped(const char *text);
void ui_text_coloured(uint32_t colour, const char *format, ...) ORO_PRINTF(2, 3);
void ui_text_wrapped_coloured(uint32_t colour, const char *text);
bool ui_button(const char *label, float width, float height);        /* 0: as large as its label */
bool ui_button_strong(const char *label, float width, float height); /* the one to press */
bool ui_small_button(const char *label);
/* A flat square; `on`: shown as pressed. Tells where it is, and the colour of what is to be drawn in it. */
bool ui_square_button(const char *id, bool on, const char *tooltip, struct ui_rect *rect, uint32_t *colour);
bool ui_link(const char *label);
bool ui_selectable(const char *label, bool selected, float height); /* all of the line */
bool ui_checkbox(const char *label, bool *on);
bool ui_radio(const char *label, bool on);
bool ui_combo_begin(const char *label, const char *shown);
void ui_combo_end(void);
bool ui_combo(const char *label, int *index, const char *const *items, int count);
enum { UI_LOGARITHMIC = 1, UI_WHOLE = 2, UI_CLAMP = 4 };
/* `format` is of a double, such as "%.3g m". Ctrl+click types a number. */
bool ui_slider(const char *label, double *value, double low, double high, const char *format, int flags);
bool ui_drag(const char *label, double *value, double speed, double low, double high, const char *format,
             int flags);
enum {
    UI_ENTER = 1 /* true only at Enter */,
    UI_SELECT_ALL = 2,
    UI_READ_ONLY = 4,
    UI_TAB = 8,
};
bool ui_input(const char *label, const char *hint, char *text, size_t size, int flags);
/* The same; `complete` may change the text when Tab is pressed in it. */
bool ui_input_completed(const char *label, const char *hint, char *text, size_t size, int flags,
                        void (*complete)(char *text, size_t size, void *user), void *user);
bool ui_input_area(const char *label, char *text, size_t size, float width, float height, int flags);
/* A place for custom drawing that takes the keyboard like a text field, once it is clicked or
 * ui_text_area_focus was called before it, until something else is. True: it has the keyboard. */
bool ui_text_area(const char *id, float width, float height);
void ui_text_area_focus(void);
bool ui_in_text_area(void); /* whether such a place has the keyboard */
const char *ui_typed(void); /* letters of this frame, for whoever has it; valid until the next call */
bool ui_colour_picker(const char *label, float rgba[4], bool alpha);        /* the picker itself, large */
void ui_progress(float share, float width, float height, const char *text); /* negative share: unknown */
/* A place for custom drawing that takes the mouse (all buttons) like a button. */
bool ui_area(const char *id, float width, float height);
bool ui_header(const char *label, bool open_at_first); /* a part that folds */
bool ui_tabs_begin(const char *id);
bool ui_tab_begin(const char *label, bool *open);
void ui_tab_end(void);
void ui_tabs_end(void);

enum { UI_TABLE_ROWS = 1, UI_TABLE_LINES = 2 };
bool ui_table_begin(const char *id, int columns, int flags);
void ui_table_column(const char *label, float width); /* 0: stretches */
void ui_table_headers(void);
void ui_table_row(void);
void ui_table_next(void);
void ui_table_end(void);

/* ---- Menus and popups ---- */

bool ui_menu_bar_begin(void); /* at the top of the program's window */
void ui_menu_bar_end(void);
float ui_bar_height(void); /* of the menu bar, within it */
bool ui_menu_begin(const char *label, bool enabled);
/* A menu of the bar. `letter`: its first letter is underlined. `open`: it was opened by key, and is walked.
 */
bool ui_bar_menu_begin(const char *label, bool letter, bool open);
/* After all menus of the bar: 1 or -1 if an arrow key leads from the open one to its neighbour; else 0. */
int ui_bar_step(void);
void ui_menu_end(void);
bool ui_menu_item(const char *label, const char *keys, bool selected, bool enabled);
void ui_popup_open(const char *id);
bool ui_popup_begin(const char *id);
bool ui_modal_begin(const char *title, bool *open, float width);
void ui_popup_end(void); /* of both */
void ui_popup_close(void);
bool ui_popup_is_open(const char *id);
/* Whether a popup, menu, list or dialog is open, or was when this frame began: then Escape is for the last of
 * them, and closes it unless it is a dialog. */
bool ui_any_popup(void);
void ui_tooltip_begin(void);
void ui_tooltip_end(void);
/* For the last widget, after the pointer has rested on it. */
void ui_tooltip(const char *format, ...) ORO_PRINTF(1, 2);

/* ---- The last widget ---- */

bool ui_item_hovered(void);
bool ui_item_active(void);     /* held, or typed into */
bool ui_item_began(void);      /* became active */
bool ui_item_ended(void);      /* is no longer active */
bool ui_item_ended_edit(void); /* likewise, and was changed */
bool ui_item_clicked(int button);
struct ui_rect ui_item_rect(void);

/* ---- Mouse and keys ---- buttons: 0 left, 1 right, 2 middle. */

struct ui_vec ui_mouse(void);
struct ui_vec ui_mouse_moved(void); /* since the last frame */
/* All places that the pointer was at since the last frame while the left button was held, in order. */
struct ui_place {
    struct ui_vec at;
    float pressure; /* 0..1, of a pen or finger; 1 for a mouse */
    unsigned time;  /* milliseconds, from anywhere */
};
const struct ui_place *ui_mouse_path(int *count);
float ui_mouse_pressure(void); /* now */
bool ui_mouse_down(int button);
bool ui_mouse_pressed(int button);
bool ui_mouse_double(int button);
bool ui_mouse_released(int button);
struct ui_vec ui_mouse_pressed_at(int button);
bool ui_mouse_dragging(int button); /* moved by some pixels since it was pressed */
float ui_wheel(void);
bool ui_ctrl(void);
bool ui_shift(void);
bool ui_alt(void);
/* Keys are SDL_SCANCODE_... While a dialog is open, they reach only what is drawn within the topmost one. */
bool ui_key_down(int scancode);
bool ui_key_pressed(int scancode);  /* not repeated */
bool ui_key_repeated(int scancode); /* also while it is held */
/* The press of this frame was for something else: nothing that is drawn sees it. */
void ui_key_take(int scancode);
/* Enter and Escape as answers to the dialog or popup that is drawn: only to the one that was opened last, not
 * by the press that opened it, and once. */
bool ui_answered_yes(void);
bool ui_answered_no(void);
bool ui_window_hovered(void); /* the current window or child, and no popup over it */
bool ui_window_focused(void);
enum ui_pointer { UI_ARROW, UI_HAND, UI_MOVE, UI_SIZE_X, UI_SIZE_Y, UI_CROSS, UI_NO };
void ui_pointer(enum ui_pointer pointer); /* in this frame */

/* ---- Drawing ---- */

struct ui_draw;                      /* a list of what is drawn, valid in this frame */
struct ui_draw *ui_draw_here(void);  /* behind the widgets that follow in the current window */
struct ui_draw *ui_draw_above(void); /* over all windows */
/* A list drawn into a picture instead of the window. End it in the same frame, which frees it: `part` of the
 * window goes into the framebuffer, `scale` times as fine, with row 0 at the top. */
struct ui_draw *ui_picture_begin(void);
void ui_picture_end(struct ui_draw *draw, unsigned framebuffer, struct ui_rect part, float scale);
void ui_clip_push(struct ui_draw *draw, struct ui_rect rect);
void ui_clip_pop(struct ui_draw *draw);
void ui_line(struct ui_draw *draw, struct ui_vec a, struct ui_vec b, uint32_t colour, float width);
void ui_rect_fill(struct ui_draw *draw, struct ui_rect rect, uint32_t colour, float rounding);
/* Only the upper corners rounded. */
void ui_rect_fill_top(struct ui_draw *draw, struct ui_rect rect, uint32_t colour, float rounding);
void ui_rect_line(struct ui_draw *draw, struct ui_rect rect, uint32_t colour, float rounding, float width);
/* Upper to lower colour. */
void ui_rect_shade(struct ui_draw *draw, struct ui_rect rect, uint32_t upper, uint32_t lower);
void ui_circle_fill(struct ui_draw *draw, struct ui_vec centre, float radius, uint32_t colour);
void ui_circle_line(struct ui_draw *draw, struct ui_vec centre, float radius, uint32_t colour, float width);
void ui_triangle_fill(struct ui_draw *draw, struct ui_vec a, struct ui_vec b, struct ui_vec c,
                      uint32_t colour);
void ui_convex_fill(struct ui_draw *draw, const struct ui_vec *points, int count, uint32_t colour);
void ui_polyline(struct ui_draw *draw, const struct ui_vec *points, int count, uint32_t colour, float width,
                 bool closed);
/* `size` in pixels: any; 0: the font's own. `end` NULL: to the end. */
void ui_draw_text(struct ui_draw *draw, enum ui_font font, float size, struct ui_vec at, uint32_t colour,
                  const char *text, const char *end);
struct ui_vec ui_text_extent(enum ui_font font, float size, const char *text, float wrap); /* wrap 0: none */
float ui_text_width(enum ui_font font, const char *text, const char *end);
/* The letter nearest to `x` from the beginning of a line. */
const char *ui_text_at(enum ui_font font, const char *text, const char *end, float x);
void ui_draw_text_wrapped(struct ui_draw *draw, enum ui_font font, float size, struct ui_vec at,
                          uint32_t colour, const char *text, float wrap);
/* One line within `rect`, vertically centred; a text that does not fit ends with "…". `align`: 0 left, 0.5
 * middle, 1 right. Returns its width. */
float ui_draw_text_in(struct ui_draw *draw, enum ui_font font, float size, struct ui_rect rect, float align,
                      uint32_t colour, const char *text);
void ui_draw_image(struct ui_draw *draw, unsigned texture, struct ui_rect rect, bool upside_down);
/* A part of a texture, whose sides are 0..1, tinted. */
void ui_draw_image_part(struct ui_draw *draw, unsigned texture, struct ui_rect rect, struct ui_rect part,
                        uint32_t tint, float rounding);

#ifdef __cplusplus
}
#endif

#endif
