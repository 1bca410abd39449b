/* A row of the inspector: mark, label, widget, buttons. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/inspector/fields.h"
#include "graph/type/literal.h"

#define LABEL_SHARE 0.36f

static float gutter(void)
{
    return 14 * ui_scale();
}

float ed_margin_side(void)
{
    return ui_widget_height() - 3 * ui_scale();
}

void ed_text_cut(struct ui_draw *draw, struct ui_vec at, float width, uint32_t colour, const char *text)
{
    struct ui_rect line = {at.x, at.y, width, ui_font_size(UI_NORMAL)};
    ui_draw_text_in(draw, UI_NORMAL, 0, line, 0, colour, text);
}

/* In as many lines as it takes, the first in line with the widget. Leaves the cursor where the widget goes,
 * and gives the room for that. `height` receives that of the label. */
static float draw_label(const char *label, bool strong, float right, float *height)
{
    struct ui_rect all = ui_content();
    float start = gutter(), width = (all.w - start - right) * LABEL_SHARE, wrap = width - 8 * ui_scale();
    float above = (ui_widget_height() - ui_line_height()) / 2;
    struct ui_vec at = {all.x + start, all.y + above};
    ui_draw_text_wrapped(ui_draw_here(), UI_NORMAL, 0, at, ui_colour(strong ? UI_TEXT : UI_MUTED), label,
                         wrap);
    *height = 2 * above + ui_text_extent(UI_NORMAL, 0, label, wrap).y;
    ui_cursor_set((struct ui_vec){all.x + start + width, all.y});
    return all.w - start - width - right;
}

float ed_label_draw(const char *label, bool strong)
{
    float height;
    return draw_label(label, strong, 0, &height);
}

bool ed_margin_button(const char *name, int icon, bool on, bool faint, const char *tooltip)
{
    struct ui_vec at = ui_cursor();
    float side = ed_margin_side();
    struct ui_rect rect = {at.x, at.y + 1.5f * ui_scale(), side, side};
    ui_name("%s", name);
    bool pressed = ui_area(name, side, ui_widget_height());
    bool hovered = ui_item_hovered();
    if (hovered)
        ui_rect_fill(ui_draw_here(), rect, ui_colour(UI_HOVERED), 4 * ui_scale());
    uint32_t colour = ui_colour(on ? UI_ACCENT : hovered ? UI_TEXT : UI_MUTED);
    ui_icon(ui_draw_here(), icon, rect, on || hovered || !faint ? colour : ui_faded(colour, 0.35f));
    if (tooltip)
        ui_tooltip("%s", tooltip);
    return pressed && !ui_mouse_released(1);
}

/* ---- The mark at the left: a dot where the value is not the default; a click resets it ---- */

static bool is_changed(const struct ed_field *field)
{
    if (!field->entry || field->entry->from_node)
        return false;
    if (field->entry->expr)
        return true;
    return field->entry->value && !oro_literal_is_default(field->input, field->entry->value);
}

static void draw_mark(const struct ed_field *field, struct ui_rect all)
{
    float side = gutter();
    char name[300];
    struct ui_rect rect = {all.x - 2 * ui_scale(), all.y, side, ui_widget_height()};
    if (!is_changed(field) && !ed_refused_text(field->session, field->node->id, field->input->name))
        return;
    ui_cursor_set((struct ui_vec){rect.x, rect.y});
    snprintf(name, sizeof name, "reset:%s.%s", field->node->id, field->input->name);
    ui_name("%s", name);
    if (ui_area(name, rect.w, rect.h))
        ed_field_later(field, ed_act_set, NULL);
    ui_tooltip("Back to the default");
    struct ui_vec middle = {rect.x + rect.w / 2, rect.y + rect.h / 2};
    if (ui_item_hovered())
        ui_icon(ui_draw_here(), UI_ICON_RESET, rect, ui_colour(UI_TEXT));
    else
        ui_circle_fill(ui_draw_here(), middle, 3 * ui_scale(), ui_colour(UI_ACCENT));
}

/* ---- Buttons at the right ---- */

static bool takes_expression(const struct oro_input *input)
{
    return input->type == ORO_FLOAT || input->type == ORO_INT;
}

static void toggle_expression(const struct ed_field *field)
{
    const char *id = field->node->id, *name = field->input->name;
    char number[ORO_NUMBER_SIZE], why[8];
    double value;
    if (field->entry && field->entry->expr) {
        bool ok = ed_expression_value(field->session, field->entry->expr, &value, why, sizeof why) &&
                  ed_input_number(field->session, field->node, field->input, &value);
        ed_field_later(field, ed_act_set, ok ? oro_format_number(value, number) : NULL);
        return;
    }
    if (!ed_input_number(field->session, field->node, field->input, &value))
        return;
    oro_format_number(value, number);
    ed_field_later(field, ed_act_expression, number);
    ed_text_open(field->session, id, name, number, ed_act_expression);
}

static void draw_buttons(const struct ed_field *field, struct ui_rect all, bool near)
{
    const char *id = field->node->id, *name = field->input->name;
    bool linked = field->entry && field->entry->from_node, expr = field->entry && field->entry->expr;
    float side = ed_margin_side(), x = all.x + all.w - side;
    char button[300];
    if (oro_input_linkable(field->input) && !linked) {
        ui_cursor_set((struct ui_vec){x, all.y});
        snprintf(button, sizeof button, "link:%s.%s.button", id, name);
        if (ed_margin_button(button, UI_ICON_LINK, false, !near,
                             "Link a new node to this input; a right click offers those that are there"))
            ed_field_later(field, ed_act_link, NULL);
    }
    x -= side;
    if (takes_expression(field->input) && !linked) {
        ui_cursor_set((struct ui_vec){x, all.y});
        snprintf(button, sizeof button, "fx:%s.%s", id, name);
        if (ed_margin_button(button, UI_ICON_EXPRESSION, expr, !near,
                             expr ? "Back to a plain number" : "Make it an expression: relief * 2"))
            toggle_expression(field);
    }
}

/* ---- The row ---- */

/* Curves and long texts take the whole width, under their label. */
static bool is_wide(const struct oro_input *input)
{
    return input->type == ORO_PROFILE || input->type == ORO_GRADIENT || input->type == ORO_NETWORK;
}

static void describe(const struct ed_field *field)
{
    char key[200];
    if (!ed_describing())
        return;
    snprintf(key, sizeof key, "value:%.100s", field->input->name);
    const struct oro_doc_input *entry = field->entry;
    if (entry && entry->from_node)
        ed_describe_state(key, "from %s.%s", entry->from_node, entry->from_output);
    else
        ed_describe_state(key, "%s%s", entry && entry->expr ? "=" : "",
                          entry && entry->expr ? entry->expr : field->text);
}

static void draw_widget(const struct ed_field *field)
{
    const struct oro_doc_input *entry = field->entry;
    if (entry && entry->from_node)
        ed_field_link(field);
    else if (entry && entry->expr)
        ed_field_expression(field);
    else if (oro_input_has_literal(field->input))
        ed_field_draw(field);
    else
        ed_field_link(field);
}

static void draw_row(struct ed_field *field)
{
    struct ui_rect all = ui_content();
    const struct oro_input *input = field->input;
    char label[100];
    float buttons = 2 * ed_margin_side() + 4 * ui_scale(), label_height;
    bool near = ui_window_hovered() && ui_mouse().y >= all.y && ui_mouse().y < all.y + ui_widget_height();
    draw_mark(field, all);
    ui_cursor_set((struct ui_vec){all.x, all.y});
    ed_pretty_name(input->label ? input->label : input->name, label, sizeof label);
    field->width = draw_label(label, is_changed(field), buttons, &label_height);
    label_height = label_height > ui_widget_height() ? label_height : ui_widget_height();
    field->indent = ui_cursor().x - all.x;
    field->all = all.w - gutter();
    struct ui_vec widget = ui_cursor();
    draw_buttons(field, all, near);
    bool linked = field->entry && field->entry->from_node;
    if (is_wide(input) && !linked)
        ui_cursor_set((struct ui_vec){all.x + gutter(), all.y + label_height + 3 * ui_scale()});
    else
        ui_cursor_set(widget);
    ui_group_begin();
    draw_widget(field);
    ed_refused_draw(field->session, field->node->id, input->name);
    ui_group_end();
    struct ui_rect drawn = ui_item_rect();
    float bottom = drawn.y + drawn.h > all.y + label_height ? drawn.y + drawn.h : all.y + label_height;
    ui_cursor_set((struct ui_vec){all.x, all.y});
    ui_dummy(all.w, bottom - all.y);
    /* The buttons at the right have tooltips of their own. */
    struct ui_rect told = {all.x + gutter(), all.y, all.w - gutter() - buttons, bottom - all.y};
    if (ui_window_hovered() && !ui_typing() && ui_inside(told, ui_mouse()))
        ed_row_tooltip(field);
    else if (field->session->inspector->hovered == input)
        field->session->inspector->hovered = NULL;
}

void ed_row_draw(struct ed_session *session, const struct oro_node_type *type,
                 const struct oro_doc_node *node, const struct oro_input *input)
{
    struct ed_field field = {.session = session, .type = type, .node = node, .input = input};
    field.entry = oro_doc_node_input(node, input->name);
    char *standard = field.entry && field.entry->value ? NULL : oro_literal_default(input);
    field.text = field.entry && field.entry->value ? field.entry->value : standard ? standard : "";
    struct ui_vec top = ui_cursor();
    float width = ui_content().w;
    ui_id_push(input->name);
    describe(&field);
    draw_row(&field);
    struct ui_rect row = {top.x, top.y, width, ui_cursor().y - top.y};
    bool taken = session->inspector->menu_taken == session->frame;
    if (ui_mouse_pressed(1) && !taken && ui_window_hovered() && ui_inside(row, ui_mouse()))
        ui_popup_open("##context");
    ed_inspect_menu(&field);
    ui_id_pop();
    oro_free(standard);
}
