/* The number field: a bar that is dragged, or typed into after a click. Not one of ImGui's, so that a click
 * changes nothing, steps are round, and a typed number may have a unit or be an expression. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/inspector/fields.h"

uint32_t ed_frame_colour(bool hovered)
{
    if (hovered)
        return ui_colour(UI_HOVERED);
    return ui_is_light() ? ui_faded(ui_colour(UI_BORDER), 0.35f) : ui_colour(UI_BACKGROUND);
}

static bool is_dragged(const struct ed_inspector *inspector, const struct ed_number *number)
{
    const struct ed_value_drag *drag = &inspector->drag;
    return drag->pressed && strcmp(drag->id, number->id) == 0 && strcmp(drag->part, number->part) == 0;
}

static void press(struct ed_inspector *inspector, const struct ed_number *number)
{
    struct ed_value_drag *drag = &inspector->drag;
    *drag = (struct ed_value_drag){.pressed = true, .from = number->value};
    snprintf(drag->id, sizeof drag->id, "%s", number->id);
    snprintf(drag->part, sizeof drag->part, "%s", number->part);
}

static double moved_value(const struct ed_number *number, struct ed_value_drag *drag, float width)
{
    const struct ed_range *range = &number->range;
    float pixels = ui_mouse_moved().x * (ui_shift() ? 0.1f : 1);
    drag->share += pixels / width;
    if (range->high > range->low)
        return ed_range_move(range, drag->from, (double)drag->share, false, ui_ctrl());
    double value = ed_number_nudge(drag->from, (double)(drag->share * width), range->whole, ui_shift());
    if (range->min == 0 && range->max == 0)
        return value;
    return fmin(fmax(value, range->min), range->max);
}

static void open_field(struct ed_session *session, const struct ed_number *number)
{
    char text[ED_NUMBER_TEXT];
    const char *refused = ed_refused_text(session, number->id, number->part);
    snprintf(text, sizeof text, "%s%s", oro_format_number(number->value, (char[ORO_NUMBER_SIZE]){0}),
             ed_unit_suffix(number->range.unit));
    ed_text_open(session, number->id, number->part, refused ? refused : text, number->commit);
}

static void drag_on(struct ed_session *session, const struct ed_number *number, float width)
{
    struct ed_value_drag *drag = &session->inspector->drag;
    char text[ORO_NUMBER_SIZE], name[300];
    bool began = drag->moved;
    if (!ed_drag_moves(drag))
        return;
    if (!began) {
        snprintf(name, sizeof name, "Change %s", number->part);
        ed_later(session, &(struct ed_change){.act = ed_act_begin, .text = name});
        ed_unrefuse(session, number->id, number->part);
    }
    ui_pointer(UI_SIZE_X);
    double value = moved_value(number, drag, width);
    if (value != number->value)
        ed_later(session, &(struct ed_change){.act = number->commit,
                                              .id = number->id,
                                              .part = number->part,
                                              .text = oro_format_number(value, text)});
}

/* Handles mouse and keys; call it after the field's area. */
static void respond(struct ed_session *session, const struct ed_number *number, float width)
{
    struct ed_value_drag *drag = &session->inspector->drag;
    if (ui_item_began() && ui_mouse_pressed(0))
        press(session->inspector, number);
    if (!is_dragged(session->inspector, number))
        return;
    if (drag->moved && ui_key_pressed(SDL_SCANCODE_ESCAPE)) {
        ed_later(session, &(struct ed_change){.act = ed_act_cancel});
        drag->pressed = false;
        return;
    }
    drag_on(session, number, width);
    if (ui_mouse_down(0))
        return;
    drag->pressed = false;
    if (drag->moved)
        ed_later(session, &(struct ed_change){.act = ed_act_end});
    else if (ui_item_hovered())
        open_field(session, number);
}

/* The bar begins at 0 if that is inside the range, else at the range's lower end. */
static void paint_share(const struct ed_range *range, double value, struct ui_rect rect, bool hovered)
{
    float rounding = 4 * ui_scale(), share = (float)ed_range_share(range, value);
    float zero = range->low < 0 && range->high > 0 ? (float)ed_range_share(range, 0) : 0;
    float from = fminf(zero, share) * rect.w, to = fmaxf(zero, share) * rect.w;
    struct ui_rect full = {rect.x + from, rect.y, to - from, rect.h};
    uint32_t tint = ui_faded(ui_colour(UI_ACCENT), hovered ? 0.62f : ui_is_light() ? 0.38f : 0.48f);
    if (full.w > 1)
        ui_rect_fill(ui_draw_here(), full, tint,
                     zero > 0                ? 0
                     : full.w > 2 * rounding ? rounding
                                             : full.w / 2);
    else if (zero > 0) /* at 0: a mark */
        ui_rect_fill(ui_draw_here(), (struct ui_rect){full.x - 1, rect.y, 2, rect.h}, tint, 0);
}

static void paint(const struct ed_session *session, const struct ed_number *number, struct ui_rect rect,
                  bool hovered)
{
    struct ui_draw *draw = ui_draw_here();
    const struct ed_range *range = &number->range;
    const char *refused = ed_refused_text(session, number->id, number->part);
    float rounding = 4 * ui_scale(), pad = 8 * ui_scale();
    char text[ED_NUMBER_TEXT];
    ui_rect_fill(draw, rect, ed_frame_colour(hovered), rounding);
    if (range->high > range->low && !refused && !number->fixed)
        paint_share(range, number->value, rect, hovered);
    if (refused)
        ui_rect_line(draw, rect, ui_colour(UI_BAD), rounding, 1);
    const char *shown = refused ? refused : ed_number_text(number->value, range->unit, text);
    ui_clip_push(draw, rect);
    float left = rect.x + 4 * ui_scale(), y = rect.y + (rect.h - ui_font_size(UI_NORMAL)) / 2;
    if (number->prefix) {
        struct ui_vec at = {rect.x + pad, y};
        ui_draw_text(draw, UI_NORMAL, 0, at, ui_colour(UI_MUTED), number->prefix, NULL);
        left = at.x + ui_text_extent(UI_NORMAL, 0, number->prefix, 0).x + pad / 2;
    }
    struct ui_vec size = ui_text_extent(UI_NORMAL, 0, shown, 0);
    float x = fmaxf(rect.x + (rect.w - size.x) / 2, left);
    struct ui_rect line = {x, rect.y, rect.x + rect.w - x, rect.h};
    ui_draw_text_in(draw, UI_NORMAL, 0, line, 0,
                    ui_colour(refused         ? UI_BAD
                              : number->fixed ? UI_MUTED
                                              : UI_TEXT),
                    shown);
    ui_clip_pop(draw);
}

void ed_number_draw(struct ed_session *session, const struct ed_number *number)
{
    if (!number->fixed && ed_text_is_open(session, number->id, number->part)) {
        struct ed_text_field field = {.name = number->name,
                                      .id = number->id,
                                      .part = number->part,
                                      .text = "",
                                      .commit = number->commit,
                                      .width = number->width,
                                      .number = true};
        ed_text_draw(session, &field);
        return;
    }
    struct ui_vec at = ui_cursor();
    struct ui_rect rect = {at.x, at.y, number->width, ui_widget_height()};
    ui_id_push(number->id);
    ui_id_push(number->part);
    ui_name("%s", number->name);
    ui_area("##number", rect.w, rect.h);
    if (session->inspector->open_next && !number->fixed) {
        session->inspector->open_next = false;
        open_field(session, number);
    }
    bool hovered = !number->fixed && (ui_item_hovered() || is_dragged(session->inspector, number));
    if (hovered)
        ui_pointer(UI_SIZE_X);
    paint(session, number, rect, hovered);
    if (!number->fixed)
        respond(session, number, rect.w);
    ui_id_pop();
    ui_id_pop();
}
