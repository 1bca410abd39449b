/* To show what lies inside a graph that is used as a node, it is made an output of that graph, level by level
 * outwards, on the live thread's own copy. Results and their keys stay the same, because they depend on what
 * is computed and not on how many outputs a graph has. */
#include <stdio.h>
#include <string.h>

#include "editor/live/live_private.h"
#include "graph/derived/assets.h"
#include "graph/reuse/reuse.h"

struct nesting {
    const struct ed_request *request;
    const struct oro_registry *registry;
    struct oro_document *doc;
    struct ed_wanted *items;
    size_t count;
    struct oro_arena *arena;
    struct oro_error *err; /* the first that went wrong */
    const char **groups;   /* by level: the name of the group that was entered */
};

/* The graph at a level: 0 is the root. */
static const struct oro_document *graph_at(const struct nesting *nesting, size_t level)
{
    const struct oro_doc_group *group =
        level ? oro_document_find_group(nesting->doc, nesting->groups[level - 1]) : NULL;
    return level == 0 ? nesting->doc : group ? group->body : NULL;
}

static bool fail_item(const struct nesting *nesting, struct ed_wanted *item, const struct oro_error *err)
{
    item->target.node = NULL;
    item->failed = true;
    item->problem = oro_arena_text(nesting->arena, err->text);
    if (!nesting->err->code)
        *nesting->err = *err;
    return false;
}

/* ---- Finding the graph ---- */

/* The name of the group that a node stands for. A graph of a file becomes a group, so that it can be changed.
 */
static const char *group_of(struct nesting *nesting, const char *href, struct oro_error *err)
{
    bool is_file = href[0] != '#';
    const char *name = is_file ? NULL : oro_arena_text(nesting->arena, href + 1);
    for (int i = 1; is_file && (i == 1 || (name && oro_document_find_group(nesting->doc, name))); i++)
        name = oro_arena_textf(nesting->arena, "entered-%d", i);
    if (!name)
        oro_fail(err, ORO_E_MEMORY, "no memory to look into '%s'", href);
    return name && (!is_file || oro_reuse_embed(nesting->doc, href, name, nesting->registry, err)) ? name
                                                                                                   : NULL;
}

static bool enter(struct nesting *nesting, size_t level, struct oro_error *err)
{
    const struct oro_document *graph = graph_at(nesting, level);
    const char *id = nesting->request->entered[level];
    const struct oro_doc_node *node = graph ? oro_document_find(graph, id) : NULL;
    if (!node || !oro_node_is_graph(node) || !node->href)
        return oro_fail(err, ORO_E_DOCUMENT, "there is no graph '%s' to look into", id);
    nesting->groups[level] = group_of(nesting, node->href, err);
    if (!nesting->groups[level])
        return false;
    return graph_at(nesting, level + 1) ||
           oro_fail(err, ORO_E_DOCUMENT, "there is no group '%s'", nesting->groups[level]);
}

static bool name_is_free(const struct nesting *nesting, const char *name)
{
    for (size_t level = 1; level <= nesting->request->depth; level++) {
        const struct oro_document *graph = graph_at(nesting, level);
        for (size_t i = 0; i < oro_document_port_count(graph); i++)
            if (strcmp(oro_document_port(graph, i)->name, name) == 0)
                return false;
    }
    return true;
}

/* "probe-1", "probe-2", ...: `*number` is the one that was given last. */
static const char *free_name(const struct nesting *nesting, unsigned *number)
{
    const char *name;
    do
        name = oro_arena_textf(nesting->arena, "probe-%u", ++*number);
    while (name && !name_is_free(nesting, name));
    return name;
}

/* ---- Adding outputs ---- */

static bool add_outputs(struct nesting *nesting, size_t level, const char *const *names)
{
    bool innermost = level == nesting->request->depth, ok = true;
    struct oro_error err = {0};
    struct oro_document *body = oro_document_clone(graph_at(nesting, level));
    for (size_t i = 0; body && ok && i < nesting->count; i++) {
        const struct ed_want *want = nesting->items[i].want;
        char *node = (char *)(innermost ? want->node : nesting->request->entered[level]);
        char *socket = (char *)(innermost ? want->output : names[i]);
        struct oro_doc_port port = {
            .is_output = true, .name = (char *)names[i], .node = node, .socket = socket};
        if (nesting->items[i].target.node)
            ok = oro_edit_add_port(body, &port, &err);
    }
    if (!body)
        ok = oro_fail(&err, ORO_E_MEMORY, "no memory to look into '%s'", nesting->request->prefix);
    ok = ok && oro_edit_group(nesting->doc, nesting->groups[level - 1], body, &err);
    oro_document_destroy(body);
    for (size_t i = 0; !ok && i < nesting->count; i++)
        fail_item(nesting, &nesting->items[i], &err);
    return ok;
}

static bool come_out(struct nesting *nesting)
{
    unsigned number = 0;
    bool ok = true;
    const char **names = oro_arena_alloc(nesting->arena, nesting->count + 1, sizeof *names);
    for (size_t i = 0; names && i < nesting->count; i++)
        if (!(names[i] = free_name(nesting, &number)))
            names = NULL;
    if (!names)
        return oro_fail(nesting->err, ORO_E_MEMORY, "no memory to look into '%s'", nesting->request->prefix);
    for (size_t level = nesting->request->depth; ok && level > 0; level--)
        ok = add_outputs(nesting, level, names);
    for (size_t i = 0; ok && i < nesting->count; i++)
        if (nesting->items[i].target.node)
            nesting->items[i].target = (struct oro_target){nesting->request->entered[0], names[i]};
    return ok;
}

/* ---- Items ---- */

/* An output that does not exist must not make the graph's interface invalid for all others. */
static bool check_item(struct nesting *nesting, struct ed_wanted *item, const struct oro_document *graph)
{
    struct oro_error err = {0};
    const struct ed_want *want = item->want;
    const struct oro_doc_node *node = oro_document_find(graph, want->node);
    const struct oro_node_type *type = node ? oro_type_of(nesting->registry, nesting->doc, node, &err) : NULL;
    if (type && oro_type_output(type, want->output))
        return true;
    if (!node)
        oro_fail(&err, ORO_E_DOCUMENT, "there is no node '%s'", want->node);
    else if (type)
        oro_fail(&err, ORO_E_DOCUMENT, "node '%s' has no output '%s'", want->node, want->output);
    oro_error_place(&err, NULL, 0, item->id);
    return fail_item(nesting, item, &err);
}

bool ed_nested_outputs(const struct ed_request *request, const struct oro_registry *registry,
                       struct oro_document *doc, struct ed_wanted *items, size_t count,
                       struct oro_arena *arena, struct oro_error *err)
{
    struct nesting nesting = {.request = request,
                              .registry = registry,
                              .doc = doc,
                              .items = items,
                              .count = count,
                              .arena = arena,
                              .err = err,
                              .groups = oro_arena_alloc(arena, request->depth + 1, sizeof *nesting.groups)};
    *err = (struct oro_error){0};
    if (!nesting.groups)
        return oro_fail(err, ORO_E_MEMORY, "no memory to look into '%s'", request->prefix);
    for (size_t level = 0; level < request->depth; level++)
        if (!enter(&nesting, level, err)) {
            oro_error_place(err, NULL, 0, request->entered[level]);
            return false;
        }
    for (size_t i = 0; i < count; i++) {
        items[i].target = (struct oro_target){items[i].want->node, items[i].want->output};
        check_item(&nesting, &items[i], graph_at(&nesting, request->depth));
    }
    return request->depth == 0 || come_out(&nesting);
}
