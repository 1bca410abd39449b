/* Switches and choices. */
#include <stdio.h>
#include <string.h>

#include "editor/inspector/fields.h"

void ed_field_bool(const struct ed_field *field)
{
    bool on = strcmp(field->text, "true") == 0;
    ui_name("input:%s.%s", field->node->id, field->input->name);
    if (ui_checkbox("##on", &on))
        ed_field_later(field, ed_act_set, on ? "true" : "false");
}

static void choose(const struct ed_field *field, const char *word)
{
    if (strcmp(word, field->text) != 0)
        ed_field_later(field, ed_act_set, word);
}

/* Up to three short words stand side by side. */
static int segments(const struct ed_field *field)
{
    float widest = 0;
    int count = 0;
    char word[80];
    for (; field->input->choices[count]; count++) {
        ed_pretty_name(field->input->choices[count], word, sizeof word);
        struct ui_vec size = ui_text_extent(UI_NORMAL, 0, word, 0);
        widest = size.x > widest ? size.x : widest;
    }
    bool fits = count >= 2 && count <= 3 && (widest + 10 * ui_scale()) * (float)count <= field->width;
    return fits ? count : 0;
}

static void draw_segment(const struct ed_field *field, const char *choice, struct ui_rect rect)
{
    char word[80];
    bool on = strcmp(choice, field->text) == 0;
    ed_pretty_name(choice, word, sizeof word);
    ui_cursor_set((struct ui_vec){rect.x, rect.y});
    ui_name("choice:%s.%s:%s", field->node->id, field->input->name, choice);
    if (ui_area(choice, rect.w, rect.h))
        choose(field, choice);
    bool hovered = ui_item_hovered();
    uint32_t fill = on        ? ui_faded(ui_colour(UI_ACCENT), 0.55f)
                    : hovered ? ui_colour(UI_HOVERED)
                              : ui_colour(UI_RAISED);
    ui_rect_fill(ui_draw_here(), rect, fill, 4 * ui_scale());
    struct ui_vec size = ui_text_extent(UI_NORMAL, 0, word, 0);
    struct ui_vec at = {rect.x + (rect.w - size.x) / 2, rect.y + (rect.h - size.y) / 2};
    ui_draw_text(ui_draw_here(), UI_NORMAL, 0, at, ui_colour(on ? UI_TEXT : UI_MUTED), word, NULL);
}

static void draw_segments(const struct ed_field *field, int count)
{
    struct ui_vec at = ui_cursor();
    char name[300];
    float gap = 2 * ui_scale(), width = (field->width - gap * (float)(count - 1)) / (float)count;
    snprintf(name, sizeof name, "input:%s.%s", field->node->id, field->input->name);
    ed_describe_item(name, at.x, at.y, field->width, ui_widget_height(), true);
    for (int i = 0; i < count; i++) {
        struct ui_rect rect = {at.x + (float)i * (width + gap), at.y, width, ui_widget_height()};
        draw_segment(field, field->input->choices[i], rect);
    }
}

static void draw_list(const struct ed_field *field)
{
    char word[80];
    ed_pretty_name(field->text, word, sizeof word);
    ui_name("input:%s.%s", field->node->id, field->input->name);
    ui_item_width(field->width);
    if (!ui_combo_begin("##choice", word))
        return;
    for (int i = 0; field->input->choices[i]; i++) {
        const char *choice = field->input->choices[i];
        char label[200];
        ed_pretty_name(choice, word, sizeof word);
        snprintf(label, sizeof label, "%s##%s", word, choice);
        ui_name("choice:%s.%s:%s", field->node->id, field->input->name, choice);
        if (ui_selectable(label, strcmp(choice, field->text) == 0, 0))
            choose(field, choice);
    }
    ui_combo_end();
}

void ed_field_choice(const struct ed_field *field)
{
    int count = segments(field);
    if (count)
        draw_segments(field, count);
    else
        draw_list(field);
}
