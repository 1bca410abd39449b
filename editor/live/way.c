/* What lies inside of a graph that is a node is made an output of that graph, level by level outwards: on the
 * live thread's own copy. Results and their keys are the same, for they depend on what is computed, and not
 * on how many outputs a graph has. */
#include <stdio.h>
#include <string.h>

#include "editor/live/live_private.h"
#include "graph/derived/assets.h"
#include "graph/reuse/reuse.h"

struct way {
    const struct ed_work *work;
    const struct oro_registry *registry;
    struct oro_document *doc;
    struct ed_item *items;
    size_t count;
    struct oro_arena *arena;
    struct oro_error *err; /* the first that went wrong */
    const char **groups;   /* by level: the name of the group that was entered */
};

/* The graph at a level: 0 is the root. */
static const struct oro_document *graph_at(const struct way *way, size_t level)
{
    const struct oro_doc_group *group =
        level ? oro_document_find_group(way->doc, way->groups[level - 1]) : NULL;
    return level == 0 ? way->doc : group ? group->body : NULL;
}

static bool fail_item(const struct way *way, struct ed_item *item, const struct oro_error *err)
{
    item->target.node = NULL;
    item->failed = true;
    item->problem = oro_arena_text(way->arena, err->text);
    if (!way->err->code)
        *way->err = *err;
    return false;
}

/* ---- Going in ---- */

/* A graph of a file becomes a group, so that it can be changed. */
static const char *embed(struct way *way, const char *href, struct oro_error *err)
{
    for (int i = 1;; i++) {
        const char *name = oro_arena_textf(way->arena, "entered-%d", i);
        if (!name || !oro_document_find_group(way->doc, name))
            return name && oro_reuse_embed(way->doc, href, name, way->registry, err) ? name : NULL;
    }
}

static bool enter(struct way *way, size_t level, struct oro_error *err)
{
    const struct oro_document *graph = graph_at(way, level);
    const char *id = way->work->way[level];
    const struct oro_doc_node *node = graph ? oro_document_find(graph, id) : NULL;
    if (!node || !oro_node_is_graph(node) || !node->href)
        return oro_fail(err, ORO_E_DOCUMENT, "there is no graph '%s' to look into", id);
    way->groups[level] =
        node->href[0] == '#' ? oro_arena_text(way->arena, node->href + 1) : embed(way, node->href, err);
    if (!way->groups[level])
        return err->code || oro_fail(err, ORO_E_MEMORY, "no memory to look into '%s'", id);
    return graph_at(way, level + 1) ||
           oro_fail(err, ORO_E_DOCUMENT, "there is no group '%s'", way->groups[level]);
}

static bool name_is_free(const struct way *way, const char *name)
{
    for (size_t level = 1; level <= way->work->depth; level++) {
        const struct oro_document *graph = graph_at(way, level);
        for (size_t i = 0; i < oro_document_port_count(graph); i++)
            if (strcmp(oro_document_port(graph, i)->name, name) == 0)
                return false;
    }
    return true;
}

/* "probe-1", "probe-2", ...: `*number` is the one that was given last. */
static const char *free_name(const struct way *way, unsigned *number)
{
    const char *name;
    do
        name = oro_arena_textf(way->arena, "probe-%u", ++*number);
    while (name && !name_is_free(way, name));
    return name;
}

/* ---- Coming out ---- */

static bool add_outputs(struct way *way, size_t level, const char *const *names)
{
    bool innermost = level == way->work->depth, ok = true;
    struct oro_error err = {0};
    struct oro_document *body = oro_document_clone(graph_at(way, level));
    for (size_t i = 0; body && ok && i < way->count; i++) {
        const struct ed_want *want = way->items[i].want;
        char *node = (char *)(innermost ? want->node : way->work->way[level]);
        char *socket = (char *)(innermost ? want->output : names[i]);
        struct oro_doc_port port = {
            .is_output = true, .name = (char *)names[i], .node = node, .socket = socket};
        if (way->items[i].target.node)
            ok = oro_edit_add_port(body, &port, &err);
    }
    if (!body)
        ok = oro_fail(&err, ORO_E_MEMORY, "no memory to look into '%s'", way->work->prefix);
    ok = ok && oro_edit_group(way->doc, way->groups[level - 1], body, &err);
    oro_document_destroy(body);
    for (size_t i = 0; !ok && i < way->count; i++)
        fail_item(way, &way->items[i], &err);
    return ok;
}

static bool come_out(struct way *way)
{
    unsigned number = 0;
    bool ok = true;
    const char **names = oro_arena_alloc(way->arena, way->count + 1, sizeof *names);
    for (size_t i = 0; names && i < way->count; i++)
        if (!(names[i] = free_name(way, &number)))
            names = NULL;
    if (!names)
        return oro_fail(way->err, ORO_E_MEMORY, "no memory to look into '%s'", way->work->prefix);
    for (size_t level = way->work->depth; ok && level > 0; level--)
        ok = add_outputs(way, level, names);
    for (size_t i = 0; ok && i < way->count; i++)
        if (way->items[i].target.node)
            way->items[i].target = (struct oro_target){way->work->way[0], names[i]};
    return ok;
}

/* ---- Items ---- */

/* What is not there must not spoil the interface of a graph for all others. */
static bool check_item(struct way *way, struct ed_item *item, const struct oro_document *graph)
{
    struct oro_error err = {0};
    const struct ed_want *want = item->want;
    const struct oro_doc_node *node = oro_document_find(graph, want->node);
    const struct oro_node_type *type = node ? oro_type_of(way->registry, way->doc, node, &err) : NULL;
    if (type && oro_type_output(type, want->output))
        return true;
    if (!node)
        oro_fail(&err, ORO_E_DOCUMENT, "there is no node '%s'", want->node);
    else if (type)
        oro_fail(&err, ORO_E_DOCUMENT, "node '%s' has no output '%s'", want->node, want->output);
    oro_error_place(&err, NULL, 0, item->id);
    return fail_item(way, item, &err);
}

bool ed_way_open(const struct ed_work *work, const struct oro_registry *registry, struct oro_document *doc,
                 struct ed_item *items, size_t count, struct oro_arena *arena, struct oro_error *err)
{
    struct way way = {.work = work,
                      .registry = registry,
                      .doc = doc,
                      .items = items,
                      .count = count,
                      .arena = arena,
                      .err = err,
                      .groups = oro_arena_alloc(arena, work->depth + 1, sizeof *way.groups)};
    *err = (struct oro_error){0};
    if (!way.groups)
        return oro_fail(err, ORO_E_MEMORY, "no memory to look into '%s'", work->prefix);
    for (size_t level = 0; level < work->depth; level++)
        if (!enter(&way, level, err)) {
            oro_error_place(err, NULL, 0, work->way[level]);
            return false;
        }
    for (size_t i = 0; i < count; i++) {
        items[i].target = (struct oro_target){items[i].want->node, items[i].want->output};
        check_item(&way, &items[i], graph_at(&way, work->depth));
    }
    return work->depth == 0 || come_out(&way);
}
