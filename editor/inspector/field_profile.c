/* The profile field: a curve of points. A click adds one, dragging moves it, a double click or Del removes
 * it. */
#include <math.h>
#include <stdio.h>

#include "editor/inspector/curves.h"
#include "editor/inspector/fields.h"

/* The range that is shown: 0..1 (for y, the soft range), widened to hold all points. */
struct view {
    struct ui_rect plot;
    float x_low, x_high, y_low, y_high;
};

static struct ui_vec pixel_of(const struct view *view, float x, float y)
{
    struct ui_rect plot = view->plot;
    return (struct ui_vec){plot.x + (x - view->x_low) / (view->x_high - view->x_low) * plot.w,
                           plot.y + plot.h - (y - view->y_low) / (view->y_high - view->y_low) * plot.h};
}

static void place_at(const struct view *view, struct ui_vec at, float *x, float *y)
{
    float right = (at.x - view->plot.x) / view->plot.w;
    float up = (view->plot.y + view->plot.h - at.y) / view->plot.h;
    right = right < 0 ? 0 : right > 1 ? 1 : right;
    up = up < 0 ? 0 : up > 1 ? 1 : up;
    *x = view->x_low + right * (view->x_high - view->x_low);
    *y = view->y_low + up * (view->y_high - view->y_low);
}

static void range_of(const struct ed_field *field, const struct oro_profile *profile, struct view *view)
{
    const struct oro_input *input = field->input;
    bool soft = input->soft_max > input->soft_min;
    view->x_low = 0;
    view->x_high = 1;
    view->y_low = soft ? (float)input->soft_min : 0;
    view->y_high = soft ? (float)input->soft_max : 1;
    for (int i = 0; i < profile->count; i++) {
        view->x_low = fminf(view->x_low, profile->x[i]);
        view->x_high = fmaxf(view->x_high, profile->x[i]);
        view->y_low = fminf(view->y_low, profile->y[i]);
        view->y_high = fmaxf(view->y_high, profile->y[i]);
    }
}

static void set(const struct ed_field *field, const struct oro_profile *profile)
{
    struct oro_text text = {0};
    ed_profile_write(profile, &text);
    ed_part_set(field, &text);
}

/* ---- Drawing ---- */

static void paint_grid(const struct view *view)
{
    struct ui_draw *draw = ui_draw_here();
    ui_rect_fill(draw, view->plot, ed_frame_colour(false), 4 * ui_scale());
    for (int i = 1; i < 4; i++) {
        float x = view->plot.x + view->plot.w * (float)i / 4, y = view->plot.y + view->plot.h * (float)i / 4;
        uint32_t colour = ui_faded(ui_colour(UI_MUTED), i == 2 ? 0.28f : 0.15f);
        ui_line(draw, (struct ui_vec){x, view->plot.y}, (struct ui_vec){x, view->plot.y + view->plot.h},
                colour, 1);
        ui_line(draw, (struct ui_vec){view->plot.x, y}, (struct ui_vec){view->plot.x + view->plot.w, y},
                colour, 1);
    }
}

/* The curve, continued level to both sides, with its area faintly filled. No place is given twice, because
 * lines taper there. */
static void paint_curve(const struct view *view, const struct oro_profile *profile)
{
    struct ui_draw *draw = ui_draw_here();
    struct ui_vec line[ORO_PROFILE_MAX + 2];
    int n = 0;
    if (profile->count == 0)
        return;
    if (profile->x[0] > view->x_low)
        line[n++] = pixel_of(view, view->x_low, profile->y[0]);
    for (int i = 0; i < profile->count; i++)
        line[n++] = pixel_of(view, profile->x[i], profile->y[i]);
    if (profile->x[profile->count - 1] < view->x_high)
        line[n++] = pixel_of(view, view->x_high, profile->y[profile->count - 1]);
    float base = pixel_of(view, 0, view->y_low).y;
    for (int i = 1; i < n; i++) {
        struct ui_vec corners[4] = {line[i - 1], line[i], {line[i].x, base}, {line[i - 1].x, base}};
        if (line[i].x > line[i - 1].x)
            ui_convex_fill(draw, corners, 4, ui_faded(ui_colour(UI_ACCENT), 0.14f));
    }
    ui_polyline(draw, line, n, ui_colour(UI_ACCENT), 2 * ui_scale(), false);
}

static void paint_points(const struct view *view, const struct oro_profile *profile, int on, int under)
{
    struct ui_draw *draw = ui_draw_here();
    float s = ui_scale();
    for (int i = 0; i < profile->count; i++) {
        struct ui_vec at = pixel_of(view, profile->x[i], profile->y[i]);
        ui_circle_fill(draw, at, (i == under ? 6 : 4.5f) * s, ui_colour(UI_PANEL));
        ui_circle_fill(draw, at, (i == under ? 4.5f : 3) * s, ui_colour(i == on ? UI_TEXT : UI_ACCENT));
        if (i == on)
            ui_circle_line(draw, at, 6 * s, ui_colour(UI_SELECTED), 1.5f * s);
    }
}

static int point_under(const struct view *view, const struct oro_profile *profile)
{
    int best = -1;
    float nearest = 9 * ui_scale();
    for (int i = 0; i < profile->count; i++) {
        struct ui_vec at = pixel_of(view, profile->x[i], profile->y[i]);
        float distance = hypotf(at.x - ui_mouse().x, at.y - ui_mouse().y);
        if (distance < nearest) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

/* ---- Mouse ---- */

static void remove_point(const struct ed_field *field, struct oro_profile *profile, int point)
{
    if (!ed_profile_remove(profile, point))
        return;
    set(field, profile);
    ed_part_choose(field, -1);
}

static void press(const struct ed_field *field, const struct view *view, struct oro_profile *profile)
{
    int point = point_under(view, profile);
    bool fresh = point < 0;
    float x, y;
    place_at(view, ui_mouse(), &x, &y);
    if (fresh)
        point = ed_profile_add(profile, x, y);
    if (point < 0)
        return;
    ed_part_press(field, point, fresh);
    if (fresh) {
        ed_profile_move(profile, point, x, y);
        set(field, profile);
    }
}

static void drag_on(const struct ed_field *field, const struct view *view, struct oro_profile *profile)
{
    float x, y;
    if (ed_part_follows(field)) {
        place_at(view, ui_mouse(), &x, &y);
        if (ui_ctrl()) { /* snaps to the grid */
            float dx = (view->x_high - view->x_low) / 20, dy = (view->y_high - view->y_low) / 20;
            x = roundf(x / dx) * dx;
            y = roundf(y / dy) * dy;
        }
        ed_profile_move(profile, field->session->inspector->drag.index, x, y);
        set(field, profile);
    }
    ed_part_release(field);
}

static void respond(const struct ed_field *field, const struct view *view, struct oro_profile *profile,
                    bool hovered, int under)
{
    const struct ed_value_drag *drag = &field->session->inspector->drag;
    int on = ed_part_chosen(field, profile->count);
    bool just_made = drag->fresh && drag->index == under; /* by the first click of two */
    if (hovered)
        ui_pointer(under >= 0 ? UI_MOVE : UI_CROSS);
    if (hovered && under >= 0 && ui_mouse_double(0) && !just_made)
        remove_point(field, profile, under);
    else if (ui_item_began() && ui_mouse_pressed(0))
        press(field, view, profile);
    else if (ed_part_dragged(field))
        drag_on(field, view, profile);
    else if (hovered)
        remove_point(field, profile, ed_part_removed(field, under, on));
}

static void draw_plot(const struct ed_field *field, struct view *view, struct oro_profile *profile)
{
    float s = ui_scale();
    ui_name("input:%s.%s", field->node->id, field->input->name);
    ui_area("##plot", field->all, 140 * s);
    struct ui_rect area = ui_item_rect();
    view->plot = (struct ui_rect){area.x + 6 * s, area.y + 4 * s, area.w - 12 * s, area.h - 8 * s};
    range_of(field, profile, view);
    bool hovered = ui_item_hovered();
    int under = hovered ? point_under(view, profile) : -1;
    paint_grid(view);
    paint_curve(view, profile);
    paint_points(view, profile, ed_part_chosen(field, profile->count), under);
    respond(field, view, profile, hovered, under);
}

/* ---- Below the plot ---- */

/* Returns where its button ends. */
static float draw_shapes(const struct ed_field *field, struct oro_profile *profile)
{
    ui_name("shapes:%s.%s", field->node->id, field->input->name);
    if (ui_button("Shapes", 0, 0))
        ui_popup_open("##shapes");
    struct ui_rect button = ui_item_rect();
    if (!ui_popup_begin("##shapes"))
        return button.x + button.w;
    for (int i = 0; i < ED_PROFILE_SHAPES; i++)
        if (ui_menu_item(ed_profile_shape_name((enum ed_profile_shape)i), NULL, false, true)) {
            ed_profile_make(profile, (enum ed_profile_shape)i);
            set(field, profile);
            ed_part_choose(field, -1);
        }
    ui_separator();
    if (ui_menu_item("Invert", NULL, false, true)) {
        ed_profile_invert(profile);
        set(field, profile);
    }
    if (ui_menu_item("Mirror", NULL, false, true)) {
        ed_profile_mirror(profile);
        set(field, profile);
    }
    ui_popup_end();
    return button.x + button.w;
}

static void commit_place(struct ed_session *session, const struct ed_change *change)
{
    struct ed_part_typed typed;
    struct oro_profile profile = {0};
    struct oro_text literal = {0};
    int on = session->inspector->selected;
    if (!ed_part_typed(session, change, &typed))
        return;
    ed_part_read(typed.input, typed.text, &profile);
    if (on < 0 || on >= profile.count)
        return;
    bool is_y = typed.axis == 'y';
    ed_profile_put(&profile, on, is_y ? profile.x[on] : (float)typed.value,
                   is_y ? (float)typed.value : profile.y[on]);
    ed_profile_write(&profile, &literal);
    ed_part_commit(session, change->id, &typed, &literal);
}

static void draw_chosen(const struct ed_field *field, const struct view *view, struct oro_profile *profile,
                        int on, float room)
{
    struct ed_range x = {.low = (double)view->x_low, .high = (double)view->x_high};
    struct ed_range y = {
        .low = (double)view->y_low, .high = (double)view->y_high, .unit = field->input->unit};
    bool removable = profile->count > 1;
    float gap = 4 * ui_scale(), width = (room - gap - (removable ? ui_widget_height() + gap : 0)) / 2;
    ed_part_number(field, "x", ed_decimal(profile->x[on]), &x, commit_place, width);
    ui_same_line(gap);
    ed_part_number(field, "y", ed_decimal(profile->y[on]), &y, commit_place, width);
    if (removable && ed_part_remove_button(field, "Remove this point"))
        remove_point(field, profile, on);
    ed_part_refused(field, "x");
    ed_part_refused(field, "y");
}

/* Shows where the pointer is, or how many points there are. */
static void draw_place(const struct ed_field *field, const struct view *view,
                       const struct oro_profile *profile)
{
    char x[ED_NUMBER_TEXT], y[ED_NUMBER_TEXT];
    float px, py;
    ui_align_text();
    if (!ui_inside(view->plot, ui_mouse())) {
        ui_text_coloured(ui_colour(UI_MUTED), "%d point%s", profile->count, profile->count == 1 ? "" : "s");
        return;
    }
    place_at(view, ui_mouse(), &px, &py);
    py = ed_profile_at(profile, px);
    ui_text_coloured(ui_colour(UI_MUTED), "%s: %s",
                     ed_number_text(round((double)px * 1e4) / 1e4, ORO_NO_UNIT, x),
                     ed_number_text(round((double)py * 1e4) / 1e4, field->input->unit, y));
}

void ed_field_profile(const struct ed_field *field)
{
    struct oro_profile profile = {0};
    struct view view;
    ed_part_read(field->input, field->text, &profile);
    draw_plot(field, &view, &profile);
    float left = ui_cursor().x, gap = 10 * ui_scale();
    float room = left + field->all - draw_shapes(field, &profile) - gap;
    int on = ed_part_chosen(field, profile.count);
    bool beside = on < 0 || room > 160 * ui_scale();
    if (beside)
        ui_same_line(gap);
    if (on >= 0)
        draw_chosen(field, &view, &profile, on, beside ? room : field->all);
    else
        draw_place(field, &view, &profile);
}
