/* What is done with the graph that a node uses. */
#include <stdio.h>

#include "editor/canvas/canvas.h"
#include "editor/canvas/state.h"
#include "editor/library/library.h"
#include "editor/project/opened.h"
#include "editor/session/inputs.h"
#include "graph/derived/assets.h"

/* The chosen node if it uses a graph. */
static const struct oro_doc_node *chosen(const struct ed_session *session)
{
    const struct oro_doc_node *node = ed_selected_node(session);
    return node && oro_node_is_graph(node) && node->href ? node : NULL;
}

bool ed_canvas_has_graph(const struct ed_session *session)
{
    return chosen(session);
}

bool ed_canvas_has_file(const struct ed_session *session)
{
    const struct oro_doc_node *node = chosen(session);
    return node && node->href[0] != '#';
}

void ed_canvas_embed(struct ed_session *session)
{
    const struct oro_doc_node *node = chosen(session);
    struct oro_error err;
    if (node)
        ed_tell(session, ed_embed(session->project, node->id, &err), &err);
}

void ed_canvas_make_unique(struct ed_session *session)
{
    const struct oro_doc_node *node = chosen(session);
    struct oro_error err;
    if (node)
        ed_tell(session, ed_make_unique(session->project, node->id, &err), &err);
}

void ed_canvas_update_graph(struct ed_session *session)
{
    const struct oro_doc_node *node = chosen(session);
    struct oro_graph graph;
    struct oro_error err;
    if (!node)
        return;
    bool ok = oro_graph_find(&session->registry, ed_project_root(session->project), node, &graph, &err);
    if (ok && node->href[0] != '#')
        ok = ed_project_update_file(session->project, oro_document_path(graph.doc), &err);
    ed_tell(session, ok, &err);
    ed_live_touch(session->live);
}

/* ---- Files that have moved ---- */

/* As documents name it: a file of a library as every document does. */
static char *name_of(struct ed_session *session, const char *path)
{
    char *library = ed_library_href(path);
    return library ? library : ed_file_named(session, "", path);
}

static void located(struct ed_session *session, const char *path, void *user)
{
    struct ed_canvas *canvas = session->canvas;
    struct oro_error err;
    (void)user;
    char *to = path ? name_of(session, path) : NULL;
    if (to)
        ed_tell(session, ed_locate(session->project, canvas->locating, to, &err), &err);
    oro_free(to);
    ed_wake(session);
}

void ed_canvas_locate(struct ed_session *session)
{
    static const char *const extensions[] = {".oro", NULL};
    const struct oro_doc_node *node = chosen(session);
    if (!node || node->href[0] == '#')
        return;
    snprintf(session->canvas->locating, sizeof session->canvas->locating, "%s", node->href);
    session->services->choose_file(session, &(struct ed_file_question){.title = "Where is this graph?",
                                                                       .extensions = extensions,
                                                                       .done = located});
}
