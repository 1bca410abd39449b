/* The point field: x and y in metres. */
#include <stdio.h>
#include <string.h>

#include "editor/inspector/fields.h"
#include "editor/session/world.h"
#include "graph/type/literal.h"

/* Reads both numbers of a point as they are written. */
static bool read_point(const char *text, double at[2])
{
    char x[40], y[40];
    return sscanf(text, " %39s %39s", x, y) == 2 && oro_parse_number(x, &at[0]) &&
           oro_parse_number(y, &at[1]);
}

static void commit(struct ed_session *session, const struct ed_change *change)
{
    struct ed_part_typed typed;
    char point[2 * ORO_NUMBER_SIZE + 2], numbers[2][ORO_NUMBER_SIZE];
    double at[2];
    if (!ed_part_typed(session, change, &typed) || !read_point(typed.text, at))
        return;
    at[typed.axis == 'y'] = typed.value;
    snprintf(point, sizeof point, "%s %s", oro_format_number(at[0], numbers[0]),
             oro_format_number(at[1], numbers[1]));
    ed_act_set(session, &(struct ed_change){.id = change->id, .part = typed.name, .text = point});
}

void ed_field_point(const struct ed_field *field)
{
    const struct oro_world world = ed_world(field->session);
    bool metres = field->input->unit == ORO_METRE;
    double at[2] = {0, 0};
    float gap = 4 * ui_scale(), width = (field->width + 2 * ed_margin_side() - gap) / 2;
    struct ed_range x = {.high = metres ? world.extent : 0, .unit = field->input->unit}, y = x;
    y.high *= world.aspect;
    read_point(field->text, at);
    ed_part_number(field, "x", at[0], &x, commit, width);
    ui_same_line(gap);
    ed_part_number(field, "y", at[1], &y, commit, width);
    ed_part_refused(field, "x");
    ed_part_refused(field, "y");
}
