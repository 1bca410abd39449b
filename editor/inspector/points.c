/* The point field: x and y in metres. */
#include <stdio.h>
#include <string.h>

#include "editor/inspector/fields.h"
#include "graph/literal.h"

/* Reads both numbers of a point as they are written. */
static bool read_point(const char *text, double at[2])
{
    char x[40], y[40];
    return sscanf(text, " %39s %39s", x, y) == 2 && oro_parse_number(x, &at[0]) &&
           oro_parse_number(y, &at[1]);
}

/* `b` is the input with its axis behind: "centre x". */
static void commit(struct ed_app *app, const char *a, const char *b, const char *text)
{
    char name[128], before[200], point[2 * ORO_NUMBER_SIZE + 2], numbers[2][ORO_NUMBER_SIZE];
    struct oro_error err = {0};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(b, " "), b);
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(app->project), a);
    const struct oro_node_type *type = node ? ed_type_of(app, node) : NULL;
    const struct oro_input *input = type ? oro_type_input(type, name) : NULL;
    double at[2], value = 0;
    if (!input || !ed_input_text(app, node, input, before, sizeof before) || !read_point(before, at))
        return;
    if (!text || !ed_number_parse(text, input->unit, &value, &err)) {
        ed_refuse(app, a, b, text, err.text);
        return;
    }
    ed_unrefuse(app, a, b);
    at[b[strlen(b) - 1] == 'y'] = value;
    snprintf(point, sizeof point, "%s %s", oro_format_number(at[0], numbers[0]),
             oro_format_number(at[1], numbers[1]));
    ed_act_set(app, a, name, point);
}

void ed_field_point(const struct ed_field *field)
{
    static const char *const axes[2] = {"x", "y"};
    const struct oro_world *world = oro_document_world(ed_project_root(field->app->project));
    double at[2] = {0, 0};
    float gap = 4 * ui_scale(), width = (field->width + 2 * ed_margin_side() - gap) / 2;
    read_point(field->text, at);
    bool metres = field->input->unit == ORO_METRE;
    for (int i = 0; i < 2; i++) {
        char key[128], name[300];
        double extent = i ? world->extent * world->aspect : world->extent;
        snprintf(key, sizeof key, "%.100s %s", field->input->name, axes[i]);
        snprintf(name, sizeof name, "input:%s.%s.%s", field->node->id, field->input->name, axes[i]);
        struct ed_number number = {.name = name,
                                   .a = field->node->id,
                                   .b = key,
                                   .value = at[i],
                                   .prefix = axes[i],
                                   .range = {.high = metres ? extent : 0, .unit = field->input->unit},
                                   .commit = commit,
                                   .width = width};
        if (i)
            ui_same_line(gap);
        ed_number_draw(field->app, &number);
    }
    for (int i = 0; i < 2; i++) {
        char key[128];
        snprintf(key, sizeof key, "%.100s %s", field->input->name, axes[i]);
        ed_refused_draw(field->app, field->node->id, key);
    }
}
