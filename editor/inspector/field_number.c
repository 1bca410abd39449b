/* Numbers, whole numbers, seeds. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "editor/inspector/fields.h"

static void number_of(const struct ed_field *field, const char *name, struct ed_number *number)
{
    *number = (struct ed_number){.name = name,
                                 .id = field->node->id,
                                 .part = field->input->name,
                                 .range = ed_range_of(field->input),
                                 .commit = ed_act_typed,
                                 .width = field->width};
    if (!oro_parse_number(field->text, &number->value))
        number->value = field->input->value;
}

/* ---- A die, for another seed ---- */

static void draw_die(struct ui_rect rect, uint32_t colour)
{
    static const float dots[5][2] = {{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}};
    struct ui_draw *draw = ui_draw_here();
    float s = ui_scale(), side = rect.h * 0.6f;
    struct ui_rect box = {rect.x + (rect.w - side) / 2, rect.y + (rect.h - side) / 2, side, side};
    ui_rect_line(draw, box, colour, 3 * s, 1.3f * s);
    for (int i = 0; i < 5; i++) {
        struct ui_vec at = {box.x + side * (0.5f + 0.24f * dots[i][0]),
                            box.y + side * (0.5f + 0.24f * dots[i][1])};
        ui_circle_fill(draw, at, 1.3f * s, colour);
    }
}

static int another_seed(double seed, const struct ed_range *range)
{
    int top = range->high > range->low && range->high >= 1 ? (int)fmin(range->high, 1e6) : 1000;
    unsigned mixed = (unsigned)(uint64_t)(oro_now() * 1e6) * 2654435761u;
    int next = (int)((mixed >> 4) % ((unsigned)top + 1));
    return (double)next == seed ? (next + 1) % top : next;
}

static void seed_button(const struct ed_field *field, const struct ed_number *number)
{
    char name[300], text[ORO_NUMBER_SIZE];
    float side = ui_widget_height();
    snprintf(name, sizeof name, "dice:%s.%s", number->id, number->part);
    ui_same_line(4 * ui_scale());
    ui_name("%s", name);
    bool pressed = ui_area(name, side, side);
    bool hovered = ui_item_hovered();
    ui_rect_fill(ui_draw_here(), ui_item_rect(), hovered ? ui_colour(UI_HOVERED) : ui_colour(UI_RAISED),
                 4 * ui_scale());
    draw_die(ui_item_rect(), ui_colour(hovered ? UI_TEXT : UI_MUTED));
    ui_tooltip("Another seed");
    if (pressed)
        ed_field_later(field, ed_act_set,
                       oro_format_number(another_seed(number->value, &number->range), text));
}

void ed_field_number(const struct ed_field *field)
{
    struct ed_number number;
    char name[300];
    snprintf(name, sizeof name, "input:%s.%s", field->node->id, field->input->name);
    number_of(field, name, &number);
    enum oro_role role = field->input->role;
    if (role == ORO_ROLE_SEED || role == ORO_ROLE_VARIANT || role == ORO_ROLE_GRAPH_SEED) {
        number.width -= ui_widget_height() + 4 * ui_scale();
        ed_number_draw(field->session, &number);
        seed_button(field, &number);
        return;
    }
    ed_number_draw(field->session, &number);
}

/* ---- Expressions ---- */

static void draw_result(const struct ed_field *field)
{
    char why[300], text[ED_NUMBER_TEXT], line[400];
    double value = 0;
    bool ok = ed_expression_value(field->session, field->entry->expr, &value, why, sizeof why);
    double held = value;
    if (ok)
        ed_input_number(field->session, field->node, field->input, &held);
    if (ok)
        snprintf(line, sizeof line, "= %s%s", ed_number_text(held, field->input->unit, text),
                 held < value - 1 || held > value + 1 ? " (at its limit)" : "");
    else
        snprintf(line, sizeof line, "%s", why);
    ui_font_push(UI_SMALL);
    struct ui_vec at = ui_cursor();
    struct ui_vec size = ui_text_extent(UI_SMALL, 0, line, field->width);
    ui_draw_text_wrapped(ui_draw_here(), UI_SMALL, 0, at, ui_colour(ok ? UI_GOOD : UI_BAD), line,
                         field->width);
    ui_dummy(field->width, size.y);
    ui_font_pop();
}

void ed_field_expression(const struct ed_field *field)
{
    char name[300];
    snprintf(name, sizeof name, "input:%s.%s", field->node->id, field->input->name);
    struct ed_text_field text = {.name = name,
                                 .id = field->node->id,
                                 .part = field->input->name,
                                 .text = field->entry->expr,
                                 .hint = "relief * 2",
                                 .commit = ed_act_expression,
                                 .width = field->width,
                                 .mono = true};
    ed_text_draw(field->session, &text);
    struct ui_rect rect = ui_item_rect();
    rect.w = 3 * ui_scale();
    ui_rect_fill(ui_draw_here(), rect, ui_colour(UI_ACCENT), 1);
    draw_result(field);
}
