/* Adding nodes: anywhere, at the end of a link, into the middle of one. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"
#include "editor/project/script_templates.h"
#include "graph/derived/scripts.h"

/* ---- New nodes ---- */

/* The text that a new node's id is made from: "library/alpine_range.oro", "#rock" or "noise". */
static char *id_for(const struct oro_document *doc, const char *type, const char *href)
{
    const char *slash = href ? strrchr(href, '/') : NULL;
    const char *base = !href ? type : slash ? slash + 1 : href[0] == '#' ? href + 1 : href;
    const char *dot = href ? strrchr(base, '.') : NULL;
    char stem[128];
    snprintf(stem, sizeof stem, "%.*s", dot && dot > base ? (int)(dot - base) : 120, base);
    return ed_free_id(doc, stem);
}

static bool version_of_graph(const struct ed_project *project, const char *href, int *version,
                             struct oro_error *err)
{
    struct oro_graph graph;
    const struct oro_doc_node node = {.id = (char *)"", .type = (char *)ORO_GRAPH_TYPE, .href = (char *)href};
    if (!oro_graph_find(project->registry, project->shown_root, &node, &graph, err))
        return false;
    *version = oro_document_interface_version(graph.doc);
    return true;
}

static bool version_of(const struct ed_project *project, const char *type, const char *href, int *version,
                       struct oro_error *err)
{
    *version = 1;
    if (strcmp(type, ORO_GRAPH_TYPE) == 0)
        return href ? version_of_graph(project, href, version, err)
                    : oro_fail(err, ORO_E_USAGE, "a graph needs a file or group");
    if (strcmp(type, ORO_INLINE_TYPE) == 0)
        return true;
    const struct oro_node_type *found =
        oro_type_named(project->registry, oro_document_path(project->shown_root), type, err);
    if (found)
        *version = found->version;
    return found;
}

/* Adds a node in an open edit; its type is given as for ed_add_node. */
static bool add_with_defaults(const struct ed_project *project, struct oro_document *doc, const char *type,
                              const char *href, double x, double y, char id[128], struct oro_error *err)
{
    int version;
    bool is_graph = strcmp(type, ORO_GRAPH_TYPE) == 0;
    if (!version_of(project, type, is_graph ? href : NULL, &version, err))
        return false;
    char *own = id_for(doc, type, is_graph ? href : NULL);
    if (!own)
        return ed_no_memory(err);
    snprintf(id, 128, "%s", own);
    oro_free(own);
    return oro_edit_add_node(doc, id, type, version, x, y, err) &&
           (!is_graph || oro_edit_href(doc, id, href, version, err)) &&
           (strcmp(type, ORO_INLINE_TYPE) != 0 || oro_edit_script(doc, id, ed_script_templates[0].text, err));
}

/* ---- With links ---- */

static bool link_from(const struct ed_project *project, struct oro_document *doc, const struct ed_end *from,
                      const char *id, bool by_name, struct oro_error *err)
{
    enum oro_type type = ed_gives(project, doc, from);
    const char *output = by_name ? from->socket : NULL;
    const char *input = type == ORO_NONE ? NULL : ed_input_for(project, doc, id, type, output);
    if (!input)
        return oro_fail(err, ORO_E_USAGE, "nothing of '%.100s' takes '%.100s' of '%.100s'", id, from->socket,
                        from->node);
    struct ed_end_text text = {0};
    const struct ed_end to = ed_keep_end(&text, &(struct ed_end){id, input});
    return ed_connect(project, doc, from, &to, err);
}

static bool link_to(const struct ed_project *project, struct oro_document *doc, const char *id,
                    const struct ed_end *to, struct oro_error *err)
{
    const char *output = ed_output_for(project, doc, id, to);
    if (!output)
        return oro_fail(err, ORO_E_USAGE, "'%.100s' of '%.100s' takes nothing of '%.100s'", to->socket,
                        to->node, id);
    struct ed_end_text text = {0};
    const struct ed_end from = ed_keep_end(&text, &(struct ed_end){id, output});
    return ed_connect(project, doc, &from, to, err);
}

bool ed_add_node(struct ed_project *project, const char *type, const char *href, double x, double y,
                 const struct ed_end *from, const struct ed_end *to, char id[128], struct oro_error *err)
{
    char name[160], added[128];
    struct ed_end_text texts[2];
    struct ed_end own_from = {0}, own_to = {0};
    if (from)
        own_from = ed_keep_end(&texts[0], from);
    if (to)
        own_to = ed_keep_end(&texts[1], to);
    snprintf(name, sizeof name, "Add %.120s", href && *href ? href : type);
    struct oro_document *doc = ed_edit_begin(project, name, err);
    if (!doc)
        return false;
    bool ok = add_with_defaults(project, doc, type, href, x, y, added, err) &&
              (!from || link_from(project, doc, &own_from, added, true, err)) &&
              (!to || link_to(project, doc, added, &own_to, err));
    ok = ed_edit_end(project, ok, err);
    if (ok && id)
        snprintf(id, 128, "%s", added);
    return ok;
}

/* ---- Into a link ---- */

/* The output that an input is linked to. */
static bool source_of(const struct oro_document *doc, const struct ed_end *input, struct ed_end_text *text,
                      struct ed_end *from, struct oro_error *err)
{
    const struct oro_doc_node *node = oro_document_find(doc, input->node);
    const struct oro_doc_input *entry = node ? oro_doc_node_input(node, input->socket) : NULL;
    if (!entry || !entry->from_node)
        return oro_fail(err, ORO_E_USAGE, "there is no link to '%.100s' of '%.100s'", input->socket,
                        input->node);
    *from = ed_keep_end(text, &(struct ed_end){entry->from_node, entry->from_output});
    return true;
}

static bool put_between(const struct ed_project *project, struct oro_document *doc, const char *node,
                        const struct ed_end *input, struct oro_error *err)
{
    struct ed_end_text texts[2];
    struct ed_end from;
    const struct ed_end to = ed_keep_end(&texts[0], input);
    return source_of(doc, &to, &texts[1], &from, err) && link_from(project, doc, &from, node, false, err) &&
           link_to(project, doc, node, &to, err);
}

bool ed_insert_on_link(struct ed_project *project, const char *node, const struct ed_end *input,
                       struct oro_error *err)
{
    char name[160], own[128];
    snprintf(name, sizeof name, "Insert %.128s", node);
    snprintf(own, sizeof own, "%s", node);
    struct oro_document *doc = ed_edit_begin(project, name, err);
    return doc && ed_edit_end(project, put_between(project, doc, own, input, err), err);
}

bool ed_add_reroute(struct ed_project *project, const struct ed_end *input, double x, double y, char id[128],
                    struct oro_error *err)
{
    char added[128];
    struct ed_end_text text = {0};
    const struct ed_end own = ed_keep_end(&text, input);
    struct oro_document *doc = ed_edit_begin(project, "Add reroute", err);
    if (!doc)
        return false;
    bool ok = add_with_defaults(project, doc, "reroute", NULL, x, y, added, err) &&
              put_between(project, doc, added, &own, err);
    ok = ed_edit_end(project, ok, err);
    if (ok && id)
        snprintf(id, 128, "%s", added);
    return ok;
}
