/* Inputs that are linked, or have to be. */
#include <stdio.h>
#include <string.h>

#include "editor/inspector/fields.h"

static void draw_linked(const struct ed_field *field)
{
    const struct oro_doc_input *entry = field->entry;
    struct ui_vec at = ui_cursor();
    float side = ui_widget_height();
    struct ui_rect rect = {at.x, at.y, field->width, side};
    char text[300], name[300];
    snprintf(text, sizeof text, "%s.%s", entry->from_node, entry->from_output);
    snprintf(name, sizeof name, "link:%s.%s", field->node->id, field->input->name);
    ui_name("%s", name);
    if (ui_area(name, rect.w, rect.h))
        ed_later(field->session, &(struct ed_change){.act = ed_act_show, .id = entry->from_node});
    bool hovered = ui_item_hovered();
    ui_tooltip("Linked: from %s\nClick to go there", text);
    struct ui_draw *draw = ui_draw_here();
    ui_rect_fill(draw, rect, ui_faded(ui_colour(UI_ACCENT), hovered ? 0.3f : 0.16f), 4 * ui_scale());
    ui_icon(draw, UI_ICON_LINK, (struct ui_rect){rect.x, rect.y, side, side}, ui_colour(UI_ACCENT));
    at.x += side + 2 * ui_scale();
    at.y += (side - ui_line_height()) / 2;
    ed_text_cut(draw, at, rect.w - side - 10 * ui_scale(), ui_colour(hovered ? UI_TEXT : UI_SELECTED), text);
    ui_same_line(4 * ui_scale() + ed_margin_side());
    snprintf(name, sizeof name, "unlink:%s.%s", field->node->id, field->input->name);
    if (ed_margin_button(name, UI_ICON_CLOSE, false, false, "Remove the link"))
        ed_field_later(field, ed_act_unlink, NULL);
}

void ed_field_link(const struct ed_field *field)
{
    if (field->entry && field->entry->from_node) {
        draw_linked(field);
        return;
    }
    bool required = oro_input_required(field->input);
    struct ui_vec at = ui_cursor();
    float side = ui_widget_height();
    struct ui_rect rect = {at.x, at.y, field->width, side};
    char name[300];
    snprintf(name, sizeof name, "link:%s.%s", field->node->id, field->input->name);
    ui_name("%s", name);
    if (ui_area(name, rect.w, rect.h))
        ed_field_later(field, ed_act_link, NULL);
    bool hovered = ui_item_hovered();
    ui_tooltip("Not linked%s\nClick to add a node that gives %s", required ? ": required" : "",
               oro_type_phrase(field->input->type));
    uint32_t colour = ui_colour(required ? UI_WARNING : UI_MUTED);
    ui_rect_line(ui_draw_here(), rect, ui_faded(colour, hovered ? 0.9f : 0.45f), 4 * ui_scale(), 1);
    at.x += 8 * ui_scale();
    at.y += (side - ui_line_height()) / 2;
    ed_text_cut(ui_draw_here(), at, rect.w - 10 * ui_scale(), colour,
                required ? "not linked: required" : "not linked");
}
