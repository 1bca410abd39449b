/* The gradient field: a bar with stops. A click on the bar adds one, dragging moves it; dragging it off the
 * bar, a right click or Del removes it. */
#include <math.h>
#include <stdio.h>

#include "editor/inspector/curves.h"
#include "editor/inspector/fields.h"

/* The range that is shown: 0..1, widened to hold all stops. */
struct view {
    struct ui_rect bar;
    float low, high;
    enum ed_gradient_blend blend;
};

/* If the node has a choice of blending, that counts. */
static enum ed_gradient_blend blend_of(const struct ed_field *field)
{
    char text[32];
    const struct oro_input *choice = oro_type_input(field->type, "interpolation");
    if (!choice || !ed_input_text(field->node, choice, text, sizeof text))
        return ED_GRADIENT_LINEAR;
    return ed_gradient_blend_of(text);
}

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
    ed_part_set(field, &text);
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
        ed_gradient_at(gradient, view->blend, position_at(view, slice.x + slice.w / 2), rgba);
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

static void remove_stop(const struct ed_field *field, struct oro_gradient *gradient, int stop)
{
    if (!ed_gradient_remove(gradient, stop))
        return;
    set(field, gradient);
    ed_part_choose(field, -1);
}

static void press(const struct ed_field *field, const struct view *view, struct oro_gradient *gradient)
{
    int stop = stop_under(view, gradient);
    bool fresh = stop < 0 && ui_mouse().y < view->bar.y + view->bar.h;
    if (fresh)
        stop = ed_gradient_add(gradient, view->blend, position_at(view, ui_mouse().x));
    if (stop < 0)
        return;
    ed_part_press(field, stop, fresh);
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
    int stop = field->session->inspector->drag.index;
    bool follows = ed_part_follows(field), away = is_away(view);
    if (follows && !away) {
        ed_gradient_move(gradient, stop, position_at(view, ui_mouse().x));
        set(field, gradient);
    } else if (follows && !ui_mouse_down(0)) {
        remove_stop(field, gradient, stop);
    }
    ed_part_release(field);
}

static void respond(const struct ed_field *field, const struct view *view, struct oro_gradient *gradient,
                    bool hovered)
{
    int under = hovered ? stop_under(view, gradient) : -1, on = ed_part_chosen(field, gradient->count);
    if (ui_item_began() && ui_mouse_pressed(0))
        press(field, view, gradient);
    else if (ed_part_dragged(field))
        drag_on(field, view, gradient);
    else if (hovered) {
        ui_pointer(under >= 0 ? UI_SIZE_X : UI_CROSS);
        remove_stop(field, gradient, ed_part_removed(field, under, on));
    }
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
    bool hovered = ui_item_hovered(), dragged = ed_part_dragged(field);
    paint_bar(view, gradient);
    int on = dragged ? field->session->inspector->drag.index : ed_part_chosen(field, gradient->count);
    for (int i = 0; i < gradient->count; i++)
        paint_stop(view, gradient, i, i == on, dragged && i == on && is_away(view));
    respond(field, view, gradient, hovered);
}

/* ---- Below the bar: buttons that change the whole gradient, and the chosen stop ---- */

static void commit_position(struct ed_session *session, const struct ed_change *change)
{
    struct ed_part_typed typed;
    struct oro_gradient gradient = {0};
    struct oro_text literal = {0};
    if (!ed_part_typed(session, change, &typed))
        return;
    ed_part_read(typed.input, typed.text, &gradient);
    ed_gradient_put(&gradient, session->inspector->selected, (float)typed.value);
    ed_gradient_write(&gradient, &literal);
    ed_part_commit(session, change->id, &typed, &literal);
}

static void draw_chosen(const struct ed_field *field, const struct view *view, struct oro_gradient *gradient,
                        int stop, float room)
{
    char name[300];
    float swatch = 34 * ui_scale(), gap = 4 * ui_scale();
    bool removable = gradient->count > 1;
    struct ed_range range = {.low = (double)view->low, .high = (double)view->high};
    snprintf(name, sizeof name, "stop:%s.%s", field->node->id, field->input->name);
    if (ed_swatch(field, name, gradient->colour[stop], swatch, ui_widget_height()))
        set(field, gradient);
    ui_same_line(gap);
    room -= swatch + gap + (removable ? ui_widget_height() + gap : 0);
    ed_part_number(field, "at", ed_decimal(gradient->position[stop]), &range, commit_position, room);
    if (removable && ed_part_remove_button(field, "Remove this stop"))
        remove_stop(field, gradient, stop);
    ed_part_refused(field, "at");
}

static void draw_tools(const struct ed_field *field, const struct view *view, struct oro_gradient *gradient)
{
    int stop = ed_part_chosen(field, gradient->count);
    float left = ui_cursor().x, gap = 10 * ui_scale();
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
    struct ui_rect last = ui_item_rect();
    ui_tooltip("Equal distances between all stops");
    if (stop < 0)
        return;
    float room = left + field->all - last.x - last.w - gap;
    bool beside = room > 130 * ui_scale();
    if (beside)
        ui_same_line(gap);
    draw_chosen(field, view, gradient, stop, beside ? room : field->all);
}

void ed_field_gradient(const struct ed_field *field)
{
    struct oro_gradient gradient = {0};
    struct view view = {.blend = blend_of(field)};
    ed_part_read(field->input, field->text, &gradient);
    draw_bar(field, &view, &gradient);
    draw_tools(field, &view, &gradient);
}
