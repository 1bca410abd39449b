/* The variables of the shown graph. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/inspector/fields.h"
#include "graph/document/variable.h"

static const struct oro_doc_variable *find(const struct ed_session *session, const char *name)
{
    return oro_document_find_variable(ed_project_shown(session->project), name);
}

static void set(struct ed_session *session, const struct oro_doc_variable *variable, const char *step)
{
    struct oro_error err = {0};
    struct oro_document *doc = ed_edit_begin(session->project, step, &err);
    ed_tell(session, ed_edit_end(session->project, doc && oro_edit_variable(doc, variable, &err), &err),
            &err);
}

/* ---- Actions ---- on the variable `id` */

static enum oro_unit unit_of(const struct oro_doc_variable *variable)
{
    enum oro_unit unit = ORO_NO_UNIT;
    if (variable->unit)
        oro_unit_parse(variable->unit, &unit);
    return unit;
}

/* A number, or else an expression. */
static void act_value(struct ed_session *session, const struct ed_change *change)
{
    const struct oro_doc_variable *now = find(session, change->id);
    struct oro_error err = {0};
    char number[ORO_NUMBER_SIZE];
    double value;
    if (!now || !change->text)
        return;
    struct oro_doc_variable variable = *now;
    variable.value = variable.expr = NULL;
    const char *expr = change->text + strspn(change->text, " =");
    if (!*expr) {
        ed_refuse(session, change, "write a number, or an expression such as 2 * relief");
        return;
    }
    if (ed_number_parse(change->text, unit_of(now), &value, &err)) {
        oro_format_number(value, number);
        variable.value = number;
    } else {
        variable.expr = (char *)expr; /* is copied */
    }
    ed_unrefuse(session, change->id, change->part);
    set(session, &variable, "Change a variable");
}

static void act_label(struct ed_session *session, const struct ed_change *change)
{
    const struct oro_doc_variable *now = find(session, change->id);
    char label[300];
    if (!now)
        return;
    struct oro_doc_variable variable = *now;
    snprintf(label, sizeof label, "%s", change->text ? change->text : "");
    variable.label = label[0] ? label : NULL;
    set(session, &variable, "Label a variable");
}

static void act_unit(struct ed_session *session, const struct ed_change *change)
{
    const struct oro_doc_variable *now = find(session, change->id);
    char unit[20];
    if (!now)
        return;
    struct oro_doc_variable variable = *now;
    snprintf(unit, sizeof unit, "%s", change->text ? change->text : "");
    variable.unit = unit[0] ? unit : NULL;
    set(session, &variable, "Change a variable's unit");
}

static void act_add(struct ed_session *session, const struct ed_change *change)
{
    char name[100], one[] = "1";
    struct oro_error err = {0};
    snprintf(name, sizeof name, "%.90s", change->id[0] ? change->id : "variable");
    for (int i = 2; !change->id[0] && find(session, name); i++)
        snprintf(name, sizeof name, "variable%d", i);
    if (!oro_is_variable_name(name))
        oro_fail(&err, ORO_E_USAGE,
                 "'%s' can be no name of a variable: letters, digits and '_', no word of expressions", name);
    else if (find(session, name))
        oro_fail(&err, ORO_E_USAGE, "there is a variable '%s' already", name);
    if (err.text[0]) {
        ed_refuse(session, &(struct ed_change){.id = "variables", .part = "add", .text = name}, err.text);
        return;
    }
    struct oro_doc_variable variable = {.name = name, .value = one};
    session->inspector->new_variable[0] = '\0';
    ed_unrefuse(session, "variables", "add");
    set(session, &variable, "Add a variable");
}

static void act_remove(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct oro_document *doc = ed_edit_begin(session->project, "Remove a variable", &err);
    ed_tell(session,
            ed_edit_end(session->project, doc && oro_edit_remove_variable(doc, change->id, &err), &err),
            &err);
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

static bool rename_in_world(struct oro_document *doc, struct renaming *renaming, struct oro_error *err)
{
    bool ok = true;
    for (int i = 0; ok && i < ORO_WORLD_NUMBERS; i++) {
        struct oro_world world = *oro_document_world(doc);
        char *expr = world.exprs[i] ? oro_expression_rewrite(world.exprs[i], renamed, renaming) : NULL;
        ok = !world.exprs[i] || (expr && (world.exprs[i] = expr, oro_edit_world(doc, &world, err)));
        oro_free(expr);
    }
    for (size_t i = 0; ok && i < oro_document_build_count(doc); i++) {
        struct oro_doc_build build = *oro_document_build(doc, i);
        bool follows = build.resolution && build.resolution[0] == '=';
        char *expr = follows ? oro_expression_rewrite(build.resolution, renamed, renaming) : NULL;
        ok = !follows || (expr && (build.resolution = expr, oro_edit_build(doc, &build, err)));
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
           rename_in_world(doc, renaming, err) && oro_edit_remove_variable(doc, renaming->from, err);
}

static void act_rename(struct ed_session *session, const struct ed_change *change)
{
    struct oro_error err = {0};
    struct renaming renaming = {change->id, change->text};
    bool ok = false;
    if (!oro_is_variable_name(change->text))
        oro_fail(&err, ORO_E_USAGE, "'%.60s' can be no name of a variable", change->text);
    else if (find(session, change->text))
        oro_fail(&err, ORO_E_USAGE, "there is a variable '%.60s' already", change->text);
    else {
        struct oro_document *doc = ed_edit_begin(session->project, "Rename a variable", &err);
        ok = ed_edit_end(session->project, doc && rename_all(doc, &renaming, &err), &err);
    }
    if (ok)
        ed_unrefuse(session, change->id, change->part);
    else
        ed_refuse(session, change, err.text);
}

/* ---- Drawing ---- */

static void draw_unit(struct ed_session *session, const struct oro_doc_variable *variable, float width)
{
    ui_item_width(width);
    ui_name("variable:%s.unit", variable->name);
    if (!ui_combo_begin("##unit", variable->unit ? variable->unit : "–"))
        return;
    if (ui_selectable("no unit", !variable->unit, 0))
        ed_later(session, &(struct ed_change){.act = act_unit, .id = variable->name, .text = ""});
    for (int i = 1; i < ORO_UNIT_COUNT; i++) {
        const char *unit = oro_unit_name((enum oro_unit)i);
        bool on = variable->unit && strcmp(variable->unit, unit) == 0;
        if (ui_selectable(unit, on, 0))
            ed_later(session, &(struct ed_change){.act = act_unit, .id = variable->name, .text = unit});
    }
    ui_combo_end();
}

static void draw_value(struct ed_session *session, const struct oro_doc_variable *variable, float width)
{
    char name[200], text[ED_NUMBER_TEXT], why[300];
    double value = 0;
    snprintf(name, sizeof name, "variable:%.120s", variable->name);
    if (!variable->expr) {
        struct ed_number number = {.name = name,
                                   .id = variable->name,
                                   .part = "variable",
                                   .range = {.unit = unit_of(variable)},
                                   .commit = act_value,
                                   .width = width};
        oro_parse_number(variable->value ? variable->value : "0", &number.value);
        ed_number_draw(session, &number);
        return;
    }
    struct ed_text_field field = {.name = name,
                                  .id = variable->name,
                                  .part = "variable",
                                  .text = variable->expr,
                                  .commit = act_value,
                                  .width = width,
                                  .mono = true};
    ed_text_draw(session, &field);
    bool ok = ed_expression_value(session, variable->name, &value, why, sizeof why);
    ui_tooltip("%s%s", ok ? "= " : "", ok ? ed_number_text(value, unit_of(variable), text) : why);
    if (!ok)
        ui_rect_line(ui_draw_here(), ui_item_rect(), ui_colour(UI_BAD), 4 * ui_scale(), 1);
}

static void draw_variable(struct ed_session *session, const struct oro_doc_variable *variable)
{
    float s = ui_scale(), gap = 4 * s, all = ui_content().w, unit = 62 * s, close = ui_widget_height();
    float name_width = (all - unit - close - 3 * gap) * 0.42f, value_width = all - unit - close - 3 * gap;
    char name[200];
    value_width -= name_width;
    snprintf(name, sizeof name, "variable:%.120s.name", variable->name);
    struct ed_text_field field = {.name = name,
                                  .id = variable->name,
                                  .part = "name",
                                  .text = variable->name,
                                  .commit = act_rename,
                                  .width = name_width,
                                  .mono = true};
    ed_text_draw(session, &field);
    if (variable->doc || variable->label)
        ui_tooltip("%s", variable->doc ? variable->doc : variable->label);
    ui_same_line(gap);
    draw_value(session, variable, value_width);
    ui_same_line(gap);
    draw_unit(session, variable, unit);
    ui_same_line(gap);
    ui_name("variable:%s.remove", variable->name);
    if (ui_icon_button("##remove", UI_ICON_CLOSE, false, "Remove this variable"))
        ed_later(session, &(struct ed_change){.act = act_remove, .id = variable->name});
    snprintf(name, sizeof name, "variable:%.120s.label", variable->name);
    struct ed_text_field label = {.name = name,
                                  .id = variable->name,
                                  .part = "label",
                                  .text = variable->label ? variable->label : "",
                                  .hint = "label",
                                  .commit = act_label,
                                  .width = name_width + value_width + unit + 2 * gap};
    if (variable->label || ed_text_is_open(session, variable->name, "label"))
        ed_text_draw(session, &label);
    ed_refused_draw(session, variable->name, "variable");
    ed_refused_draw(session, variable->name, "name");
}

static void draw_adder(struct ed_session *session)
{
    struct ed_inspector *inspector = session->inspector;
    float gap = 4 * ui_scale(), all = ui_content().w, button = 60 * ui_scale();
    ui_name("variable:new");
    ui_item_width(all - button - gap);
    bool enter = ui_input("##new", "name of a new variable", inspector->new_variable,
                          sizeof inspector->new_variable, UI_ENTER);
    ui_same_line(gap);
    ui_name("variable:add");
    if (ui_button("Add", button, 0) || enter)
        ed_later(session, &(struct ed_change){.act = act_add, .id = inspector->new_variable});
    ed_refused_draw(session, "variables", "add");
}

void ed_inspect_variables(struct ed_session *session)
{
    const struct oro_document *doc = ed_project_shown(session->project);
    char key[200];
    ui_name("section:Variables");
    if (!ui_header("Variables", true))
        return;
    for (size_t i = 0; i < oro_document_variable_count(doc); i++) {
        const struct oro_doc_variable *variable = oro_document_variable(doc, i);
        ui_id_push(variable->name);
        draw_variable(session, variable);
        ui_id_pop();
        snprintf(key, sizeof key, "value:variable:%.120s", variable->name);
        ed_describe_state(key, "%s%s", variable->expr ? "=" : "",
                          variable->expr    ? variable->expr
                          : variable->value ? variable->value
                                            : "");
    }
    draw_adder(session);
}
