/* Graphs and scripts as they are kept: with all that they need, and what they say about themselves. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "editor/library/library.h"
#include "graph/derived/assets.h"
#include "graph/derived/paths.h"
#include "graph/document/variable.h"
#include "graph/file/xml.h"
#include "graph/reuse/reuse.h"

static const char group_name[] = "kept";

static bool no_memory(struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory for what is to be kept");
}

/* ---- What it needs ---- */

/* A graph on its way into the library. */
struct moving {
    struct oro_document *doc; /* with the path that it comes from */
    const char *to;           /* a path that it could have there */
    const struct oro_registry *registry;
    struct oro_error *err;
    char away[PATH_MAX]; /* href of a graph that the library has not; "": none */
};

/* Whether a name leads to the same file from both places. */
static bool is_common(const struct moving *moving, const char *name)
{
    char *here = NULL, *there = NULL;
    bool common = oro_resolve_path(oro_document_path(moving->doc), name, true, &here, NULL) &&
                  oro_resolve_path(moving->to, name, true, &there, NULL) && access(here, R_OK) == 0 &&
                  oro_path_same(here, there);
    oro_free(here);
    oro_free(there);
    return common;
}

static bool files_are_common(const struct moving *moving, const struct oro_doc_node *node)
{
    const struct oro_node_type *type =
        oro_type_at(moving->registry, oro_document_path(moving->doc), node, NULL);
    for (size_t i = 0; type && !type->sink && i < node->input_count; i++) {
        const struct oro_input *input = oro_type_input(type, node->inputs[i].name);
        const char *value = node->inputs[i].value;
        if (input && input->type == ORO_FILE && value && *value && !is_common(moving, value))
            return oro_fail(moving->err, ORO_E_USAGE,
                            "node '%.100s' reads '%.200s', which other documents would not find: link what "
                            "it gives from outside, or put the file into a library first",
                            node->id, value);
    }
    return true;
}

/* Looks at all nodes; false: `err` is filled, or `away` is. */
static bool is_at_home(struct moving *moving, const struct oro_document *body)
{
    for (size_t i = 0; i < oro_document_node_count(body); i++) {
        const struct oro_doc_node *node = oro_document_node(body, i);
        if (!oro_node_is_graph(node)) {
            if (!files_are_common(moving, node))
                return false;
        } else if (node->href && node->href[0] != '#' && !is_common(moving, node->href)) {
            snprintf(moving->away, sizeof moving->away, "%s", node->href);
            return false;
        }
    }
    return true;
}

static bool all_at_home(struct moving *moving)
{
    moving->away[0] = '\0';
    bool home = is_at_home(moving, moving->doc);
    for (size_t i = 0; home && i < oro_document_group_count(moving->doc); i++)
        home = is_at_home(moving, oro_document_group(moving->doc, i)->body);
    return home;
}

/* Takes a graph in as a group with a free name. */
static bool take_in(struct moving *moving)
{
    char stem[64], name[80];
    const char *slash = strrchr(moving->away, '/'), *file = slash ? slash + 1 : moving->away;
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(file, "."), file);
    for (char *c = stem; *c; c++)
        *c = oro_in_word(*c) || *c == '-' ? *c : '_';
    snprintf(name, sizeof name, "%s%s", oro_is_identifier(stem) ? "" : "graph_", stem);
    for (int i = 2; oro_document_find_group(moving->doc, name); i++)
        snprintf(name, sizeof name, "graph_%.40s%d", stem, i);
    return oro_reuse_embed(moving->doc, moving->away, name, moving->registry, moving->err);
}

/* Makes a document independent of the place that it comes from. */
static bool make_portable(struct oro_document *doc, const struct oro_registry *registry,
                          struct oro_error *err)
{
    char *own = oro_own_library();
    struct oro_text to = {0};
    bool ok = own || oro_fail(err, ORO_E_WRITE, "there is no place for a library: set XDG_DATA_HOME or HOME");
    oro_text_addf(&to, "%s/new.oro", own ? own : "");
    ok = ok && (!to.failed || no_memory(err));
    struct moving moving = {.doc = doc, .to = to.data, .registry = registry, .err = err};
    bool home = false;
    for (int i = 0; ok && !home && i < ORO_ASSETS_MAX; i++) {
        home = all_at_home(&moving);
        ok = home || (moving.away[0] && take_in(&moving));
    }
    ok = ok && oro_reuse_scripts_stay(doc, oro_document_path(doc), to.data, registry, err);
    oro_text_free(&to);
    oro_free(own);
    return ok;
}

/* ---- The text ---- */

static bool gives_something(const struct oro_document *doc)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++)
        if (oro_document_port(doc, i)->is_output)
            return true;
    return false;
}

/* Its folder, and not the document, says in which category it is kept. */
static bool describe(struct oro_document *doc, const struct oro_doc_about *about, struct oro_error *err)
{
    struct oro_doc_about whole = *about;
    whole.category = NULL;
    return oro_edit_about(doc, &whole, err);
}

/* Takes over the document. */
static char *text_of(struct oro_document *doc, const struct oro_doc_about *about,
                     const struct oro_registry *registry, struct oro_error *err)
{
    char *text = NULL;
    size_t size;
    bool ok = doc && (gives_something(doc) ||
                      oro_fail(err, ORO_E_USAGE, "it gives nothing: none of its nodes has an output"));
    ok = ok && make_portable(doc, registry, err) && describe(doc, about, err);
    if (ok && !oro_document_format(doc, registry, &text, &size, err))
        text = NULL;
    oro_document_destroy(doc);
    return text;
}

/* A copy of a graph that has the groups of `root`. */
static struct oro_document *copy_of(const struct oro_document *root, const struct oro_document *shown,
                                    const struct oro_registry *registry, struct oro_error *err)
{
    struct oro_world world;
    struct oro_document *doc = oro_document_clone(shown);
    bool ok = doc && oro_document_set_path(doc, oro_document_path(root));
    if (!ok)
        no_memory(err);
    if (ok && shown != root) {
        ok = oro_world_evaluate(root, registry, NULL, 0, &world, err) && oro_edit_world(doc, &world, err);
        for (size_t i = 0; ok && i < oro_document_group_count(root); i++)
            ok = oro_edit_group(doc, oro_document_group(root, i)->name, oro_document_group(root, i)->body,
                                err);
    }
    if (ok)
        return doc;
    oro_document_destroy(doc);
    return NULL;
}

/* Takes over the document. */
static char *group_text(struct oro_document *doc, const char *group, const struct oro_doc_about *about,
                        const struct oro_registry *registry, struct oro_error *err)
{
    struct oro_document *file = oro_reuse_file_of(doc, group, "", registry, err);
    bool ok = file && (oro_document_set_path(file, oro_document_path(doc)) || no_memory(err));
    oro_document_destroy(doc);
    if (ok)
        return text_of(file, about, registry, err);
    oro_document_destroy(file);
    return NULL;
}

static bool writes_files(const struct oro_document *doc, const char *id, const struct oro_registry *registry)
{
    const struct oro_doc_node *node = oro_document_find(doc, id);
    const struct oro_node_type *type = node ? oro_type_of(registry, doc, node, NULL) : NULL;
    return type && type->sink;
}

/* Takes over the document. */
static char *text_of_nodes(struct oro_document *doc, const char *const *nodes, size_t count,
                           const struct oro_doc_about *about, const struct oro_registry *registry,
                           struct oro_error *err)
{
    char name[80];
    snprintf(name, sizeof name, "%s", group_name);
    for (int i = 2; oro_document_find_group(doc, name); i++)
        snprintf(name, sizeof name, "%s_%d", group_name, i);
    if (oro_reuse_group(doc, nodes, count, name, registry, err))
        return group_text(doc, name, about, registry, err);
    oro_document_destroy(doc);
    return NULL;
}

char *ed_library_nodes(const struct oro_document *root, const struct oro_document *shown,
                       const char *const *nodes, size_t count, const struct oro_doc_about *about,
                       const struct oro_registry *registry, struct oro_error *err)
{
    struct oro_document *doc = copy_of(root, shown, registry, err);
    const char **kept = doc ? oro_alloc(count + 1, sizeof *kept) : NULL;
    char *text = NULL;
    size_t left = 0;
    for (size_t i = 0; kept && i < count; i++)
        if (!writes_files(doc, nodes[i], registry))
            kept[left++] = nodes[i];
    if (kept)
        text = text_of_nodes(doc, kept, left, about, registry, err);
    else if (doc)
        no_memory(err);
    if (!kept)
        oro_document_destroy(doc);
    oro_free(kept);
    return text;
}

/* A document whose interface gives nothing. */
static char *all_nodes(const struct oro_document *root, const struct oro_doc_about *about,
                       const struct oro_registry *registry, struct oro_error *err)
{
    size_t count = oro_document_node_count(root);
    const char **nodes = oro_alloc(count + 1, sizeof *nodes);
    for (size_t i = 0; nodes && i < count; i++)
        nodes[i] = oro_document_node(root, i)->id;
    char *text = nodes ? ed_library_nodes(root, root, nodes, count, about, registry, err) : NULL;
    if (!nodes)
        no_memory(err);
    oro_free(nodes);
    return text;
}

char *ed_library_graph(const struct oro_document *root, const char *group, const struct oro_doc_about *about,
                       const struct oro_registry *registry, struct oro_error *err)
{
    if (!group && !gives_something(root))
        return all_nodes(root, about, registry, err);
    struct oro_document *doc = copy_of(root, root, registry, err);
    if (!doc)
        return NULL;
    return group ? group_text(doc, group, about, registry, err) : text_of(doc, about, registry, err);
}
