#include <stdio.h>
#include <string.h>

#include "editor/app/app.h"
#include "graph/derived/assets.h"

void ed_select(struct ed_app *app, const char *node, bool add)
{
    if (!add)
        ed_names_clear(&app->selection);
    if (!node)
        return;
    ed_names_remove(&app->selection, node); /* so that it becomes the last */
    ed_names_add(&app->selection, node);
}

void ed_select_all(struct ed_app *app)
{
    const struct oro_document *doc = ed_project_shown(app->project);
    ed_names_clear(&app->selection);
    for (size_t i = 0; i < oro_document_node_count(doc); i++)
        ed_names_add(&app->selection, oro_document_node(doc, i)->id);
}

bool ed_selected(const struct ed_app *app, const char *node)
{
    return ed_names_have(&app->selection, node);
}

const struct oro_doc_node *ed_selected_node(const struct ed_app *app)
{
    if (app->selection.count == 0)
        return NULL;
    return oro_document_find(ed_project_shown(app->project), app->selection.items[app->selection.count - 1]);
}

/* Views do not go dark because a node was deleted or undone: another one is shown until it comes back. */
static void follow_viewed(struct ed_app *app, const struct oro_document *doc)
{
    char node[128], output[128];
    if (app->lost.node[0] && strcmp(app->viewed, app->lost.instead) != 0)
        app->lost.node[0] = '\0'; /* the user looks elsewhere */
    if (app->lost.node[0] && oro_document_find(doc, app->lost.node)) {
        snprintf(node, sizeof node, "%s", app->lost.node);
        snprintf(output, sizeof output, "%s", app->lost.output);
        app->lost.node[0] = '\0';
        ed_look_at(app, node, output);
        return;
    }
    if (!app->viewed[0] || oro_document_find(doc, app->viewed))
        return;
    if (!app->lost.node[0]) {
        snprintf(app->lost.node, sizeof app->lost.node, "%s", app->viewed);
        snprintf(app->lost.output, sizeof app->lost.output, "%s", app->viewed_output);
    }
    app->viewed[0] = app->viewed_output[0] = '\0';
    ed_look_first(app);
    snprintf(app->lost.instead, sizeof app->lost.instead, "%s", app->viewed);
}

void ed_selection_check(struct ed_app *app)
{
    const struct oro_document *doc = ed_project_shown(app->project);
    for (size_t i = app->selection.count; i-- > 0;)
        if (!oro_document_find(doc, app->selection.items[i])) {
            char name[128];
            snprintf(name, sizeof name, "%s", app->selection.items[i]);
            ed_names_remove(&app->selection, name);
        }
    follow_viewed(app, doc);
}

const struct oro_node_type *ed_type_of(const struct ed_app *app, const struct oro_doc_node *node)
{
    return oro_type_of(&app->registry, ed_project_root(app->project), node, NULL);
}

static bool can_be_shown(enum oro_type type)
{
    return oro_is_raster(type) || type == ORO_UPLIFT || type == ORO_NETWORK || type == ORO_ANY;
}

static const struct oro_output *first_shown(const struct oro_output *output)
{
    while (output && output->name && !can_be_shown(output->type))
        output++;
    return output && output->name ? output : NULL;
}

const struct oro_output *ed_output_shown(const struct oro_node_type *type)
{
    return first_shown(type ? type->outputs : NULL);
}

void ed_look_at(struct ed_app *app, const char *id, const char *output)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(app->project), id);
    const struct oro_node_type *type = node ? ed_type_of(app, node) : NULL;
    const struct oro_output *shown =
        type && output ? first_shown(oro_type_output(type, output)) : ed_output_shown(type);
    if (!shown)
        return;
    snprintf(app->viewed, sizeof app->viewed, "%s", id);
    snprintf(app->viewed_output, sizeof app->viewed_output, "%s", shown->name);
}

static bool is_linked(const struct oro_doc_node *node)
{
    for (size_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].from_node)
            return true;
    return false;
}

void ed_look_first(struct ed_app *app)
{
    const struct oro_document *doc = ed_project_shown(app->project);
    app->viewed[0] = app->viewed_output[0] = '\0';
    for (size_t i = 0; i < oro_document_port_count(doc) && !app->viewed[0]; i++)
        if (oro_document_port(doc, i)->is_output)
            ed_look_at(app, oro_document_port(doc, i)->node, oro_document_port(doc, i)->socket);
    for (int lone = 0; lone < 2; lone++)
        for (size_t i = oro_document_node_count(doc); i-- > 0 && !app->viewed[0];)
            if (lone || is_linked(oro_document_node(doc, i)))
                ed_look_at(app, oro_document_node(doc, i)->id, NULL);
}
