#include <stdio.h>
#include <string.h>

#include "editor/session/session.h"
#include "graph/derived/assets.h"

void ed_select(struct ed_session *session, const char *node, bool add)
{
    if (!add)
        ed_names_clear(&session->selection);
    if (!node)
        return;
    ed_names_remove(&session->selection, node); /* removed first, so that it becomes the last */
    ed_names_add(&session->selection, node);
}

void ed_select_all(struct ed_session *session)
{
    const struct oro_document *doc = ed_project_shown(session->project);
    ed_names_clear(&session->selection);
    for (size_t i = 0; i < oro_document_node_count(doc); i++)
        ed_names_add(&session->selection, oro_document_node(doc, i)->id);
}

bool ed_selected(const struct ed_session *session, const char *node)
{
    return ed_names_have(&session->selection, node);
}

const struct oro_doc_node *ed_selected_node(const struct ed_session *session)
{
    if (session->selection.count == 0)
        return NULL;
    return oro_document_find(ed_project_shown(session->project),
                             session->selection.items[session->selection.count - 1]);
}

/* So that views do not go blank because a node was deleted or undone, another node is shown until it comes
 * back. */
static void follow_viewed(struct ed_session *session, const struct oro_document *doc)
{
    char node[128], output[128];
    if (session->lost.node[0] && strcmp(session->viewed, session->lost.instead) != 0)
        session->lost.node[0] = '\0'; /* the user has chosen to look elsewhere */
    if (session->lost.node[0] && oro_document_find(doc, session->lost.node)) {
        snprintf(node, sizeof node, "%s", session->lost.node);
        snprintf(output, sizeof output, "%s", session->lost.output);
        session->lost.node[0] = '\0';
        ed_look_at(session, node, output);
        return;
    }
    if (!session->viewed[0] || oro_document_find(doc, session->viewed))
        return;
    if (!session->lost.node[0]) {
        snprintf(session->lost.node, sizeof session->lost.node, "%s", session->viewed);
        snprintf(session->lost.output, sizeof session->lost.output, "%s", session->viewed_output);
    }
    session->viewed[0] = session->viewed_output[0] = '\0';
    ed_look_first(session);
    snprintf(session->lost.instead, sizeof session->lost.instead, "%s", session->viewed);
}

void ed_selection_check(struct ed_session *session)
{
    const struct oro_document *doc = ed_project_shown(session->project);
    for (size_t i = session->selection.count; i-- > 0;)
        if (!oro_document_find(doc, session->selection.items[i])) {
            char name[128];
            snprintf(name, sizeof name, "%s", session->selection.items[i]);
            ed_names_remove(&session->selection, name);
        }
    follow_viewed(session, doc);
}

const struct oro_node_type *ed_type_of(const struct ed_session *session, const struct oro_doc_node *node)
{
    return oro_type_of(&session->registry, ed_project_root(session->project), node, NULL);
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

void ed_look_at(struct ed_session *session, const char *id, const char *output)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(session->project), id);
    const struct oro_node_type *type = node ? ed_type_of(session, node) : NULL;
    const struct oro_output *shown =
        type && output ? first_shown(oro_type_output(type, output)) : ed_output_shown(type);
    if (!shown)
        return;
    snprintf(session->viewed, sizeof session->viewed, "%s", id);
    snprintf(session->viewed_output, sizeof session->viewed_output, "%s", shown->name);
}

static bool is_linked(const struct oro_doc_node *node)
{
    for (size_t i = 0; i < node->input_count; i++)
        if (node->inputs[i].from_node)
            return true;
    return false;
}

void ed_look_first(struct ed_session *session)
{
    const struct oro_document *doc = ed_project_shown(session->project);
    session->viewed[0] = session->viewed_output[0] = '\0';
    for (size_t i = 0; i < oro_document_port_count(doc) && !session->viewed[0]; i++)
        if (oro_document_port(doc, i)->is_output)
            ed_look_at(session, oro_document_port(doc, i)->node, oro_document_port(doc, i)->socket);
    for (int lone = 0; lone < 2; lone++)
        for (size_t i = oro_document_node_count(doc); i-- > 0 && !session->viewed[0];)
            if (lone || is_linked(oro_document_node(doc, i)))
                ed_look_at(session, oro_document_node(doc, i)->id, NULL);
}
