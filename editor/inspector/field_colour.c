/* Colours: a swatch with a picker, and the text beside it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/inspector/curves.h"
#include "editor/inspector/fields.h"
#include "graph/type/literal.h"

uint32_t ed_packed(const float rgba[4], float alpha)
{
    unsigned byte[4];
    for (int i = 0; i < 4; i++)
        byte[i] = (unsigned)(fminf(fmaxf(rgba[i], 0), 1) * 255 + 0.5f);
    return ui_rgba(byte[0], byte[1], byte[2], (unsigned)((float)byte[3] * alpha));
}

static void paint_swatch(struct ui_rect rect, const float rgba[4], bool hovered)
{
    struct ui_draw *draw = ui_draw_here();
    float rounding = 4 * ui_scale();
    ui_rect_fill(draw, rect, ed_packed(rgba, 1), rounding);
    if (rgba[3] < 1) { /* the colour without its alpha, beside that with it */
        struct ui_rect half = {rect.x, rect.y, rect.w / 2, rect.h};
        ui_rect_fill(draw, half, ed_packed(rgba, 1) | 0xff000000u, rounding);
    }
    ui_rect_line(draw, rect, ui_colour(hovered ? UI_TEXT : UI_BORDER), rounding, 1);
}

bool ed_swatch(const struct ed_field *field, const char *name, float rgba[4], float width, float height)
{
    char what[300];
    bool changed = false;
    ui_name("%s", name);
    if (ui_area("##swatch", width, height))
        ui_popup_open("##picker");
    paint_swatch(ui_item_rect(), rgba, ui_item_hovered());
    if (!ui_popup_begin("##picker"))
        return false;
    snprintf(what, sizeof what, "Change %s", field->input->name);
    ui_name("picker:%s", name);
    ui_item_width(220 * ui_scale());
    changed = ui_colour_picker("##colour", rgba, true);
    if (ui_item_began())
        ed_field_later(field, ed_act_begin, what);
    if (ui_item_ended())
        ed_field_later(field, ed_act_end, NULL);
    ui_popup_end();
    return changed;
}

void ed_field_colour(const struct ed_field *field)
{
    struct oro_input alone = *field->input;
    float rgba[4] = {0, 0, 0, 1};
    char name[300], colour[10];
    float swatch = 34 * ui_scale(), gap = 4 * ui_scale();
    alone.offset = 0;
    oro_literal_parse(&alone, field->text, rgba, NULL);
    snprintf(name, sizeof name, "swatch:%s.%s", field->node->id, field->input->name);
    if (ed_swatch(field, name, rgba, swatch, ui_widget_height())) {
        ed_colour_write(rgba, colour);
        ed_field_later(field, ed_act_set, colour);
    }
    ui_same_line(gap);
    snprintf(name, sizeof name, "input:%s.%s", field->node->id, field->input->name);
    struct ed_text_field text = {.name = name,
                                 .id = field->node->id,
                                 .part = field->input->name,
                                 .text = field->text,
                                 .hint = "#rrggbb",
                                 .commit = ed_act_set,
                                 .width = field->width - swatch - gap,
                                 .mono = true};
    ed_text_draw(field->session, &text);
}
