/* The gradient field: a bar with stops. A click on the bar adds one, dragging moves it, and out of the bar it
 * is removed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/inspector/curves.h"
#include "editor/inspector/fields.h"
#include "graph/literal.h"

/* What part of the line is seen: 0..1, and all stops. */
struct view {
    struct ui_rect bar;
    float low, high;
};

static float x_of(const struct view *view, float position)
{
    return view->bar.x + (position - view->low) / (view->high - view->low) * view->bar.w;
}

static float position_at(const struct view *view, float x)
{
    return view->low + (x - view->bar.x) / view->bar.w * (view->high - view->low);
}

static void set(const struct ed_field *field, const struct oro_gradient *gradient)
{
    struct oro_text text = {0};
    ed_gradient_write(gradient, &text);
    if (!text.failed)
        ed_later(field->app, ed_act_set, field->node->id, field->input->name, text.data);
    oro_text_free(&text);
}

/* ---- Drawing ---- */

static void paint_bar(const struct view *view, const struct oro_gradient *gradient)
{
    struct ui_draw *draw = ui_draw_here();
    float step = 3 * ui_scale();
    for (int i = 0; (float)i * step < view->bar.w; i++) {
        float rgba[4];
        struct ui_rect slice = {view->bar.x + (float)i * step, view->bar.y, step, view->bar.h};
        if (slice.x + slice.w > view->bar.x + view->bar.w)
            slice.w = view->bar.x + view->bar.w - slice.x;
        ed_gradient_at(gradient, position_at(view, slice.x + slice.w / 2), rgba);
        ui_rect_fill(draw, slice, ed_packed(rgba, 1), 0);
    }
    ui_rect_line(draw, view->bar, ui_colour(UI_BORDER), 2 * ui_scale(), 1);
}

static void paint_stop(const struct view *view, const struct oro_gradient *gradient, int stop, bool on,
                       bool away)
{
    struct ui_draw *draw = ui_draw_here();
    float s = ui_scale(), x = x_of(view, gradient->position[stop]), y = view->bar.y + view->bar.h;
    float half = (on ? 6 : 5) * s, alpha = away ? 0.3f : 1;
    struct ui_rect box = {x - half, y + 3 * s, 2 * half, 2 * half};
    uint32_t edge = ui_faded(ui_colour(on ? UI_SELECTED : UI_MUTED), alpha);
    ui_triangle_fill(draw, (struct ui_vec){x, y - 3 * s}, (struct ui_vec){x - half, y + 4 * s},
                     (struct ui_vec){x + half, y + 4 * s}, edge);
    ui_rect_fill(draw, box, ed_packed(gradient->colour[stop], alpha), 2 * s);
    ui_rect_line(draw, box, edge, 2 * s, on ? 2 * s : 1.2f * s);
}

static int stop_under(const struct view *view, const struct oro_gradient *gradient)
{
    int best = -1;
    float nearest = 8 * ui_scale();
    for (int i = 0; i < gradient->count; i++) {
        float distance = fabsf(x_of(view, gradient->position[i]) - ui_mouse().x);
        if (distance < nearest) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

/* ---- Mouse ---- */

static void press(const struct ed_field *field, const struct view *view, struct oro_gradient *gradient)
{
    struct ed_drag *drag = &field->app->inspector->drag;
    char name[300];
    int stop = stop_under(view, gradient);
    bool fresh = stop < 0 && ui_mouse().y < view->bar.y + view->bar.h;
    if (fresh)
        stop = ed_gradient_add(gradient, position_at(view, ui_mouse().x));
    if (stop < 0)
        return;
    ed_part_choose(field, stop);
    *drag = (struct ed_drag){.pressed = true, .part = stop};
    snprintf(drag->a, sizeof drag->a, "%s", field->node->id);
    snprintf(drag->b, sizeof drag->b, "%s", field->input->name);
    snprintf(name, sizeof name, "Change %s", field->input->name);
    ed_later(field->app, ed_act_begin, drag->a, drag->b, name);
    if (fresh)
        set(field, gradient);
}

static bool is_away(const struct view *view)
{
    float y = ui_mouse().y;
    return y > view->bar.y + view->bar.h + 46 * ui_scale() || y < view->bar.y - 34 * ui_scale();
}

static void drag_on(const struct ed_field *field, const struct view *view, struct oro_gradient *gradient)
{
    struct ed_drag *drag = &field->app->inspector->drag;
    if (ui_mouse_down(0)) {
        if (ui_mouse_dragging(0))
            drag->moved = true;
        if (drag->moved && !is_away(view)) {
            ed_gradient_move(gradient, drag->part, position_at(view, ui_mouse().x));
            set(field, gradient);
        }
        return;
    }
    if (drag->moved && is_away(view) && ed_gradient_remove(gradient, drag->part)) {
        set(field, gradient);
        ed_part_choose(field, -1);
    }
    drag->pressed = false;
    ed_later(field->app, ed_act_end, drag->a, drag->b, NULL);
}

static void draw_bar(const struct ed_field *field, struct view *view, struct oro_gradient *gradient)
{
    float s = ui_scale();
    ui_name("input:%s.%s", field->node->id, field->input->name);
    ui_area("##bar", field->all, 42 * s);
    struct ui_rect area = ui_item_rect();
    view->bar = (struct ui_rect){area.x + 7 * s, area.y + 2 * s, area.w - 14 * s, 22 * s};
    view->low = fminf(0, gradient->count ? gradient->position[0] : 0);
    view->high = fmaxf(1, gradient->count ? gradient->position[gradient->count - 1] : 1);
    bool hovered = ui_item_hovered();
    paint_bar(view, gradient);
    bool dragged = ed_part_dragged(field);
    int on = dragged ? field->app->inspector->drag.part : ed_part_chosen(field, gradient->count);
    for (int i = 0; i < gradient->count; i++)
        paint_stop(view, gradient, i, i == on, dragged && i == on && is_away(view));
    if (hovered && !dragged)
        ui_pointer(stop_under(view, gradient) >= 0 ? UI_SIZE_X : UI_CROSS);
    if (ui_item_began() && ui_mouse_pressed(0))
        press(field, view, gradient);
    else if (dragged)
        drag_on(field, view, gradient);
    else if (hovered && ui_mouse_pressed(1) && stop_under(view, gradient) >= 0) {
        if (ed_gradient_remove(gradient, stop_under(view, gradient)))
            set(field, gradient);
    } else if (hovered && on >= 0 && ui_key_pressed(SDL_SCANCODE_DELETE) && !ui_typing()) {
        if (ed_gradient_remove(gradient, on))
            set(field, gradient);
    }
}

/* ---- Below the bar: the stop that is chosen, and what changes all ---- */

static void draw_chosen(const struct ed_field *field, struct oro_gradient *gradient, int stop)
{
    char name[300], text[ED_NUMBER_TEXT];
    float *rgba = gradient->colour[stop];
    snprintf(name, sizeof name, "stop:%s.%s", field->node->id, field->input->name);
    if (ed_swatch(field->app, name, field->node->id, field->input->name, rgba, 40 * ui_scale(),
                  ui_widget_height()))
        set(field, gradient);
    ui_same_line(6 * ui_scale());
    ui_align_text();
    ui_text_coloured(ui_colour(UI_MUTED), "at %s",
                     ed_number_text((double)gradient->position[stop], ORO_NO_UNIT, text));
    ui_same_line(10 * ui_scale());
}

static void draw_tools(const struct ed_field *field, struct oro_gradient *gradient)
{
    int stop = ed_part_chosen(field, gradient->count);
    if (stop >= 0)
        draw_chosen(field, gradient, stop);
    ui_name("reverse:%s.%s", field->node->id, field->input->name);
    if (ui_button("Reverse", 0, 0)) {
        ed_gradient_reverse(gradient);
        set(field, gradient);
    }
    ui_same_line(4 * ui_scale());
    ui_name("spread:%s.%s", field->node->id, field->input->name);
    if (ui_button("Spread", 0, 0)) {
        ed_gradient_spread(gradient);
        set(field, gradient);
    }
    ui_tooltip("Equal distances between all stops");
    if (stop < 0 || gradient->count < 2)
        return;
    ui_same_line(4 * ui_scale());
    ui_name("remove:%s.%s", field->node->id, field->input->name);
    if (ui_icon_button("##remove", UI_ICON_CLOSE, false, "Remove this stop") &&
        ed_gradient_remove(gradient, stop)) {
        set(field, gradient);
        ed_part_choose(field, -1);
    }
}

void ed_field_gradient(const struct ed_field *field)
{
    struct oro_input alone = *field->input;
    struct oro_gradient gradient = {0};
    struct view view;
    alone.offset = 0;
    oro_literal_parse(&alone, field->text, &gradient, NULL);
    draw_bar(field, &view, &gradient);
    draw_tools(field, &gradient);
}
