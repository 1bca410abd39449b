/* What inputs have, and changing it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/canvas/canvas.h"
#include "editor/inspector/fields.h"
#include "editor/panels/panels.h"
#include "graph/document/variable.h"
#include "graph/type/literal.h"

/* ---- Values of expressions ---- */

void ed_variables_forget(struct ed_inspector *inspector)
{
    oro_variables_destroy(inspector->variables);
    inspector->variables = NULL;
    inspector->variables_of = NULL;
    for (int i = 0; i < ED_VALUES_MAX; i++)
        inspector->values[i].known = false;
}

static struct oro_variables *variables_now(const struct ed_app *app, struct oro_error *err)
{
    struct ed_inspector *inspector = app->inspector;
    const struct oro_document *shown = ed_project_shown(app->project);
    uint64_t revision = ed_project_revision(app->project);
    if (inspector->variables && inspector->variables_of == shown && inspector->revision == revision)
        return inspector->variables;
    ed_variables_forget(inspector);
    inspector->variables_of = shown;
    inspector->revision = revision;
    inspector->variables =
        oro_variables_of(shown, ed_project_root(app->project), ed_project_registry(app->project), err);
    return inspector->variables;
}

static bool evaluate(const struct ed_app *app, const char *expr, double *value, char *why, size_t size)
{
    struct oro_error err = {0};
    struct oro_variables *variables = variables_now(app, &err);
    bool ok = variables && oro_variables_evaluate(variables, expr, value, &err);
    snprintf(why, size, "%s", ok ? "" : err.text);
    return ok;
}

bool ed_expression_value(const struct ed_app *app, const char *expr, double *value, char *why, size_t size)
{
    unsigned hash = 5381;
    for (const char *c = expr; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    struct ed_value *kept = &app->inspector->values[hash % ED_VALUES_MAX];
    variables_now(app, NULL); /* forgets what is old */
    if (strlen(expr) >= ED_EXPRESSION_MAX)
        return evaluate(app, expr, value, why, size);
    if (!kept->known || strcmp(kept->expr, expr) != 0) {
        snprintf(kept->expr, sizeof kept->expr, "%s", expr);
        kept->ok = evaluate(app, expr, &kept->value, kept->why, sizeof kept->why);
        kept->known = true;
    }
    *value = kept->value;
    snprintf(why, size, "%s", kept->why);
    return kept->ok;
}

/* ---- What there is ---- */

bool ed_field_has(const struct oro_doc_input *entry)
{
    return entry && (entry->value || entry->expr || entry->from_node);
}

bool ed_input_text(const struct ed_app *app, const struct oro_doc_node *node, const struct oro_input *input,
                   char *text, size_t size)
{
    (void)app;
    const struct oro_doc_input *entry = oro_doc_node_input(node, input->name);
    if (size)
        text[0] = '\0';
    if (entry && (entry->from_node || entry->expr))
        return false;
    if (entry && entry->value) {
        snprintf(text, size, "%s", entry->value);
        return true;
    }
    char *standard = oro_literal_default(input);
    snprintf(text, size, "%s", standard ? standard : "");
    oro_free(standard);
    return true;
}

static double held(const struct oro_input *input, double value)
{
    if (input->type == ORO_INT)
        value = round(value);
    if (input->min != 0 || input->max != 0)
        value = fmin(fmax(value, input->min), input->max);
    return value;
}

bool ed_input_number(const struct ed_app *app, const struct oro_doc_node *node, const struct oro_input *input,
                     double *number)
{
    const struct oro_doc_input *entry = oro_doc_node_input(node, input->name);
    char why[8];
    if (entry && entry->from_node)
        return false;
    if (entry && entry->expr) {
        if (!ed_expression_value(app, entry->expr, number, why, sizeof why))
            return false;
        *number = held(input, *number);
        return true;
    }
    if (entry && entry->value && oro_parse_number(entry->value, number))
        return true;
    *number = input->value;
    return true;
}

/* ---- Changing ---- */

static const struct oro_input *find_input(const struct ed_app *app, const char *node, const char *name)
{
    const struct oro_doc_node *found = oro_document_find(ed_project_shown(app->project), node);
    const struct oro_node_type *type = found ? ed_type_of(app, found) : NULL;
    return type ? oro_type_input(type, name) : NULL;
}

static bool set_one(struct ed_app *app, const char *node, const char *input, const char *value, bool expr,
                    struct oro_error *err)
{
    char name[300];
    snprintf(name, sizeof name, "Change %s", input);
    struct oro_document *doc = ed_edit_begin(app->project, name, err);
    bool ok = doc && (expr ? oro_edit_set_expression(doc, node, input, value, err)
                           : oro_edit_set(doc, node, input, value, err));
    return ed_edit_end(app->project, ok, err);
}

/* `value` is as documents hold it; NULL: the default. */
static bool set_stored(struct ed_app *app, const char *node, const char *input, const char *value)
{
    struct oro_error err = {0};
    bool ok = set_one(app, node, input, value, false, &err);
    if (!ok)
        ed_failed(app, &err);
    return ok;
}

bool ed_set_input(struct ed_app *app, const char *node, const char *input, const char *value)
{
    const struct oro_input *known = value ? find_input(app, node, input) : NULL;
    char *stored = NULL;
    bool read = known && oro_literal_store(known, value, &stored, NULL);
    bool ok = set_stored(app, node, input, read ? stored : value);
    oro_free(stored);
    return ok;
}

typedef bool set_fn(struct ed_app *app, const char *node, const char *input, const char *value);

/* On one node; with Alt held, on all that are chosen and of its type, as one step. */
static bool set_chosen(struct ed_app *app, const char *node, const char *input, const char *value,
                       set_fn *set)
{
    const struct oro_document *doc = ed_project_shown(app->project);
    const struct oro_doc_node *one = oro_document_find(doc, node);
    if (!ui_alt() || !one || app->selection.count < 2)
        return set(app, node, input, value);
    char name[300];
    const struct oro_node_type *type = ed_type_of(app, one);
    bool alone = !app->inspector->gesture;
    snprintf(name, sizeof name, "Change %s", input);
    if (alone)
        ed_gesture_begin(app->project, name);
    bool ok = set(app, node, input, value);
    for (size_t i = 0; ok && i < app->selection.count; i++) {
        const char *id = app->selection.items[i];
        const struct oro_doc_node *other = oro_document_find(ed_project_shown(app->project), id);
        if (other && strcmp(id, node) != 0 && ed_type_of(app, other) == type)
            ok = set(app, id, input, value);
    }
    if (alone)
        ed_gesture_end(app->project);
    return ok;
}

static bool set_expression(struct ed_app *app, const char *node, const char *input, const char *value)
{
    struct oro_error err = {0};
    bool ok = set_one(app, node, input, value, true, &err);
    if (!ok)
        ed_failed(app, &err);
    return ok;
}

/* `typed` is shown again where the value is refused. */
static void set_value(struct ed_app *app, const char *a, const char *b, const char *typed, const char *value)
{
    const struct oro_input *input = value ? find_input(app, a, b) : NULL;
    struct oro_error err = {0};
    char *stored = NULL;
    if (input && !oro_literal_store(input, value, &stored, &err)) {
        ed_refuse(app, a, b, typed, err.text);
        return;
    }
    ed_unrefuse(app, a, b);
    set_chosen(app, a, b, input ? stored : value, set_stored);
    oro_free(stored);
}

void ed_act_set(struct ed_app *app, const char *a, const char *b, const char *text)
{
    set_value(app, a, b, text, text);
}

void ed_act_expression(struct ed_app *app, const char *a, const char *b, const char *text)
{
    while (text && *text == ' ')
        text++;
    if (text && *text == '=')
        text++;
    if (!text || !*text) {
        ed_act_set(app, a, b, NULL);
        return;
    }
    ed_unrefuse(app, a, b);
    set_chosen(app, a, b, text, set_expression);
}

void ed_act_typed(struct ed_app *app, const char *a, const char *b, const char *text)
{
    const struct oro_input *input = find_input(app, a, b);
    struct oro_error err = {0};
    char number[ORO_NUMBER_SIZE];
    double value;
    if (text && text[strspn(text, " ")] == '=')
        ed_act_expression(app, a, b, text);
    else if (!input || !text || !text[strspn(text, " ")])
        ed_act_set(app, a, b, NULL);
    else if (!ed_number_parse(text, input->unit, &value, &err))
        ed_refuse(app, a, b, text, err.text);
    else
        set_value(app, a, b, text, oro_format_number(value, number));
}

void ed_act_expose(struct ed_app *app, const char *a, const char *b, const char *text)
{
    struct oro_error err = {0};
    if (!ed_expose(app->project, a, b, text != NULL, &err))
        ed_failed(app, &err);
}

void ed_act_unlink(struct ed_app *app, const char *a, const char *b, const char *text)
{
    (void)text;
    struct oro_error err = {0};
    struct ed_end end = {a, b};
    if (!ed_unlink(app->project, &end, 1, &err))
        ed_failed(app, &err);
}

void ed_act_link(struct ed_app *app, const char *a, const char *b, const char *text)
{
    (void)text;
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(app->project), a);
    struct ed_end end = {a, b};
    if (node)
        ed_add_open(app, ui_mouse(), node->x - 220, node->y, NULL, &end);
}

void ed_act_show(struct ed_app *app, const char *a, const char *b, const char *text)
{
    (void)b;
    (void)text;
    ed_canvas_show(app, a);
}
