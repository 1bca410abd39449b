/* The variables of the shown graph. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/inspector/fields.h"
#include "graph/document/variable.h"

static const struct oro_doc_variable *find(const struct ed_app *app, const char *name)
{
    return oro_document_find_variable(ed_project_shown(app->project), name);
}

static void set(struct ed_app *app, const struct oro_doc_variable *variable, const char *step)
{
    struct oro_error err = {0};
    struct oro_document *doc = ed_edit_begin(app->project, step, &err);
    if (!ed_edit_end(app->project, doc && oro_edit_variable(doc, variable, &err), &err))
        ed_failed(app, &err);
}

/* ---- Actions ---- on the variable `a` */

static enum oro_unit unit_of(const struct oro_doc_variable *variable)
{
    enum oro_unit unit = ORO_NO_UNIT;
    if (variable->unit)
        oro_unit_parse(variable->unit, &unit);
    return unit;
}

/* A number, or else an expression. */
static void act_value(struct ed_app *app, const char *a, const char *b, const char *text)
{
    const struct oro_doc_variable *now = find(app, a);
    struct oro_error err = {0};
    char number[ORO_NUMBER_SIZE];
    double value;
    if (!now || !text)
        return;
    struct oro_doc_variable variable = *now;
    variable.value = variable.expr = NULL;
    const char *expr = text + strspn(text, " =");
    if (!*expr) {
        ed_refuse(app, a, b, text, "write a number, or an expression such as 2 * relief");
        return;
    }
    if (ed_number_parse(text, unit_of(now), &value, &err)) {
        oro_format_number(value, number);
        variable.value = number;
    } else {
        variable.expr = (char *)expr; /* is copied */
    }
    ed_unrefuse(app, a, b);
    set(app, &variable, "Change a variable");
}

static void act_label(struct ed_app *app, const char *a, const char *b, const char *text)
{
    (void)b;
    const struct oro_doc_variable *now = find(app, a);
    char label[300];
    if (!now)
        return;
    struct oro_doc_variable variable = *now;
    snprintf(label, sizeof label, "%s", text ? text : "");
    variable.label = label[0] ? label : NULL;
    set(app, &variable, "Label a variable");
}

static void act_unit(struct ed_app *app, const char *a, const char *b, const char *text)
{
    (void)b;
    const struct oro_doc_variable *now = find(app, a);
    char unit[20];
    if (!now)
        return;
    struct oro_doc_variable variable = *now;
    snprintf(unit, sizeof unit, "%s", text ? text : "");
    variable.unit = unit[0] ? unit : NULL;
    set(app, &variable, "Change a variable's unit");
}

static void act_add(struct ed_app *app, const char *a, const char *b, const char *text)
{
    (void)b;
    (void)text;
    char name[100], one[] = "1";
    struct oro_error err = {0};
    snprintf(name, sizeof name, "%.90s", a[0] ? a : "variable");
    for (int i = 2; !a[0] && find(app, name); i++)
        snprintf(name, sizeof name, "variable%d", i);
    if (!oro_is_variable_name(name))
        oro_fail(&err, ORO_E_USAGE,
                 "'%s' can be no name of a variable: letters, digits and '_', no word of expressions", name);
    else if (find(app, name))
        oro_fail(&err, ORO_E_USAGE, "there is a variable '%s' already", name);
    if (err.text[0]) {
        ed_refuse(app, "variables", "add", name, err.text);
        return;
    }
    struct oro_doc_variable variable = {.name = name, .value = one};
    app->inspector->new_variable[0] = '\0';
    ed_unrefuse(app, "variables", "add");
    set(app, &variable, "Add a variable");
}

static void act_remove(struct ed_app *app, const char *a, const char *b, const char *text)
{
    (void)b;
    (void)text;
    struct oro_error err = {0};
    struct oro_document *doc = ed_edit_begin(app->project, "Remove a variable", &err);
    if (!ed_edit_end(app->project, doc && oro_edit_remove_variable(doc, a, &err), &err))
        ed_failed(app, &err);
}

/* ---- Renaming: expressions and the interface follow ---- */

struct renaming {
    const char *from, *to;
};

static const char *renamed(void *user, const char *name, size_t length)
{
    const struct renaming *renaming = user;
    bool same = strlen(renaming->from) == length && strncmp(renaming->from, name, length) == 0;
    return same ? renaming->to : NULL;
}

static bool rename_in_nodes(struct oro_document *doc, struct renaming *renaming, struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < oro_document_node_count(doc); i++)
        for (size_t k = 0; ok && k < oro_document_node(doc, i)->input_count; k++) {
            const struct oro_doc_node *node = oro_document_node(doc, i);
            if (!node->inputs[k].expr)
                continue;
            char *expr = oro_expression_rewrite(node->inputs[k].expr, renamed, renaming);
            ok = expr && (strcmp(expr, node->inputs[k].expr) == 0 ||
                          oro_edit_set_expression(doc, node->id, node->inputs[k].name, expr, err));
            oro_free(expr);
        }
    return ok;
}

static bool rename_in_variables(struct oro_document *doc, struct renaming *renaming, struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < oro_document_variable_count(doc); i++) {
        struct oro_doc_variable variable = *oro_document_variable(doc, i);
        char *expr = variable.expr ? oro_expression_rewrite(variable.expr, renamed, renaming) : NULL;
        if (variable.expr)
            ok = expr && (strcmp(expr, variable.expr) == 0 ||
                          (variable.expr = expr, oro_edit_variable(doc, &variable, err)));
        oro_free(expr);
    }
    return ok;
}

static bool rename_in_ports(struct oro_document *doc, const struct renaming *renaming, struct oro_error *err)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (!port->is_output && !port->node[0] && strcmp(port->socket, renaming->from) == 0)
            return oro_fail(err, ORO_E_USAGE,
                            "the interface input '%s' leads to this variable: remove it first", port->name);
    }
    return true;
}

static bool rename_all(struct oro_document *doc, struct renaming *renaming, struct oro_error *err)
{
    const struct oro_doc_variable *now = oro_document_find_variable(doc, renaming->from);
    char to[128];
    if (!now)
        return oro_fail(err, ORO_E_USAGE, "there is no variable '%s'", renaming->from);
    snprintf(to, sizeof to, "%s", renaming->to);
    struct oro_doc_variable variable = *now;
    variable.name = to;
    return rename_in_ports(doc, renaming, err) && oro_edit_variable(doc, &variable, err) &&
           rename_in_nodes(doc, renaming, err) && rename_in_variables(doc, renaming, err) &&
           oro_edit_remove_variable(doc, renaming->from, err);
}

static void act_rename(struct ed_app *app, const char *a, const char *b, const char *text)
{
    struct oro_error err = {0};
    struct renaming renaming = {a, text};
    bool ok = false;
    if (!oro_is_variable_name(text))
        oro_fail(&err, ORO_E_USAGE, "'%.60s' can be no name of a variable", text);
    else if (find(app, text))
        oro_fail(&err, ORO_E_USAGE, "there is a variable '%.60s' already", text);
    else {
        struct oro_document *doc = ed_edit_begin(app->project, "Rename a variable", &err);
        ok = ed_edit_end(app->project, doc && rename_all(doc, &renaming, &err), &err);
    }
    if (ok)
        ed_unrefuse(app, a, b);
    else
        ed_refuse(app, a, b, text, err.text);
}

/* ---- Drawing ---- */

static void draw_unit(struct ed_app *app, const struct oro_doc_variable *variable, float width)
{
    ui_item_width(width);
    ui_name("variable:%s.unit", variable->name);
    if (!ui_combo_begin("##unit", variable->unit ? variable->unit : "–"))
        return;
    if (ui_selectable("no unit", !variable->unit, 0))
        ed_later(app, act_unit, variable->name, NULL, "");
    for (int i = 1; i < ORO_UNIT_COUNT; i++) {
        const char *unit = oro_unit_name((enum oro_unit)i);
        bool on = variable->unit && strcmp(variable->unit, unit) == 0;
        if (ui_selectable(unit, on, 0))
            ed_later(app, act_unit, variable->name, NULL, unit);
    }
    ui_combo_end();
}

static void draw_value(struct ed_app *app, const struct oro_doc_variable *variable, float width)
{
    char name[200], text[ED_NUMBER_TEXT], why[300];
    double value = 0;
    snprintf(name, sizeof name, "variable:%.120s", variable->name);
    if (!variable->expr) {
        struct ed_number number = {.name = name,
                                   .a = variable->name,
                                   .b = "variable",
                                   .range = {.unit = unit_of(variable)},
                                   .commit = act_value,
                                   .width = width};
        oro_parse_number(variable->value ? variable->value : "0", &number.value);
        ed_number_draw(app, &number);
        return;
    }
    struct ed_text_field field = {.name = name,
                                  .a = variable->name,
                                  .b = "variable",
                                  .text = variable->expr,
                                  .commit = act_value,
                                  .width = width,
                                  .mono = true};
    ed_text_draw(app, &field);
    bool ok = ed_expression_value(app, variable->name, &value, why, sizeof why);
    ui_tooltip("%s%s", ok ? "= " : "", ok ? ed_number_text(value, unit_of(variable), text) : why);
    if (!ok)
        ui_rect_line(ui_draw_here(), ui_item_rect(), ui_colour(UI_BAD), 4 * ui_scale(), 1);
}

static void draw_variable(struct ed_app *app, const struct oro_doc_variable *variable)
{
    float s = ui_scale(), gap = 4 * s, all = ui_content().w, unit = 62 * s, close = ui_widget_height();
    float name_width = (all - unit - close - 3 * gap) * 0.42f, value_width = all - unit - close - 3 * gap;
    char name[200];
    value_width -= name_width;
    snprintf(name, sizeof name, "variable:%.120s.name", variable->name);
    struct ed_text_field field = {.name = name,
                                  .a = variable->name,
                                  .b = "name",
                                  .text = variable->name,
                                  .commit = act_rename,
                                  .width = name_width,
                                  .mono = true};
    ed_text_draw(app, &field);
    if (variable->doc || variable->label)
        ui_tooltip("%s", variable->doc ? variable->doc : variable->label);
    ui_same_line(gap);
    draw_value(app, variable, value_width);
    ui_same_line(gap);
    draw_unit(app, variable, unit);
    ui_same_line(gap);
    ui_name("variable:%s.remove", variable->name);
    if (ui_icon_button("##remove", UI_ICON_CLOSE, false, "Remove this variable"))
        ed_later(app, act_remove, variable->name, NULL, NULL);
    snprintf(name, sizeof name, "variable:%.120s.label", variable->name);
    struct ed_text_field label = {.name = name,
                                  .a = variable->name,
                                  .b = "label",
                                  .text = variable->label ? variable->label : "",
                                  .hint = "label",
                                  .commit = act_label,
                                  .width = name_width + value_width + unit + 2 * gap};
    if (variable->label || ed_text_is_open(app, variable->name, "label"))
        ed_text_draw(app, &label);
    ed_refused_draw(app, variable->name, "variable");
    ed_refused_draw(app, variable->name, "name");
}

static void draw_adder(struct ed_app *app)
{
    struct ed_inspector *inspector = app->inspector;
    float gap = 4 * ui_scale(), all = ui_content().w, button = 60 * ui_scale();
    ui_name("variable:new");
    ui_item_width(all - button - gap);
    bool enter = ui_input("##new", "name of a new variable", inspector->new_variable,
                          sizeof inspector->new_variable, UI_ENTER);
    ui_same_line(gap);
    ui_name("variable:add");
    if (ui_button("Add", button, 0) || enter)
        ed_later(app, act_add, inspector->new_variable, NULL, NULL);
    ed_refused_draw(app, "variables", "add");
}

void ed_inspect_variables(struct ed_app *app)
{
    const struct oro_document *doc = ed_project_shown(app->project);
    char key[200];
    ui_name("section:Variables");
    if (!ui_header("Variables", true))
        return;
    for (size_t i = 0; i < oro_document_variable_count(doc); i++) {
        const struct oro_doc_variable *variable = oro_document_variable(doc, i);
        ui_id_push(variable->name);
        draw_variable(app, variable);
        ui_id_pop();
        snprintf(key, sizeof key, "value:variable:%.120s", variable->name);
        ed_describe_state(key, "%s%s", variable->expr ? "=" : "",
                          variable->expr    ? variable->expr
                          : variable->value ? variable->value
                                            : "");
    }
    draw_adder(app);
}
