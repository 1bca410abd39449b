#include "graph/document/diff.h"

#include <string.h>

#include "base/text.h"
#include "graph/document/diff_parts.h"

/* The comparison of two graphs: of documents, or of groups of the same name. */
struct comparing {
    const struct oro_document *before, *after;
    struct oro_arena *arena;
    const char *group;
    struct oro_difference *items; /* grown with oro_reserve, copied to the arena at the end */
    size_t count, capacity;
    /* Nodes that were renamed, by their index in `before`: their new ids; NULL: not renamed. */
    const char **renamed;
    bool failed;
};

const char *oro_difference_kind_name(enum oro_difference_kind kind)
{
    static const char *const names[ORO_DIFFERENCE_KINDS] = {"added", "removed", "changed", "renamed",
                                                            "moved"};
    return names[kind];
}

const char *oro_difference_of_name(enum oro_difference_of of)
{
    static const char *const names[ORO_DIFFERENCES_OF] = {"about", "world", "variable", "input", "output",
                                                          "node",  "frame", "build",    "group"};
    return names[of];
}

static void add(struct comparing *c, struct oro_difference difference)
{
    void *items = c->items;
    if (c->failed || !oro_reserve(&items, &c->capacity, c->count + 1, sizeof *c->items)) {
        c->failed = true;
        return;
    }
    c->items = items;
    difference.group = c->group;
    c->items[c->count++] = difference;
}

/* ---- Parts of one thing */

static bool is_place(const struct oro_doc_part *part)
{
    return part->kind == ORO_PART_PLACE;
}

static bool parts_same(const struct oro_doc_part *a, const struct oro_doc_part *b)
{
    return a && b && strcmp(a->value, b->value) == 0;
}

/* `there`: one of the two, of which one may be NULL. */
static void add_part(struct comparing *c, enum oro_difference_of of, const char *name,
                     const struct oro_doc_part *there, const struct oro_doc_part *before,
                     const struct oro_doc_part *after)
{
    enum oro_difference_kind kind = !before ? ORO_ADDED : !after ? ORO_REMOVED : ORO_CHANGED;
    struct oro_difference difference = {
        kind, of, NULL, name, there->name, before ? before->value : NULL, after ? after->value : NULL};
    if (is_place(there)) {
        difference.kind = ORO_MOVED;
        difference.part = "";
    }
    add(c, difference);
}

static void compare_parts(struct comparing *c, enum oro_difference_of of, const char *name,
                          const struct oro_doc_parts *before, const struct oro_doc_parts *after)
{
    c->failed |= before->failed || after->failed;
    for (size_t i = 0; i < before->count; i++) {
        const struct oro_doc_part *other = oro_parts_find(after, &before->items[i]);
        if (!parts_same(&before->items[i], other))
            add_part(c, of, name, &before->items[i], &before->items[i], other);
    }
    for (size_t i = 0; i < after->count; i++)
        if (!oro_parts_find(before, &after->items[i]))
            add_part(c, of, name, &after->items[i], NULL, &after->items[i]);
}

/* ---- Nodes */

static const char *renamed_to(const struct comparing *c, const char *id)
{
    size_t index = oro_document_find_index(c->before, id);
    return index != SIZE_MAX && c->renamed[index] ? c->renamed[index] : id;
}

/* Parts of a node of `before`, with the ids that nodes have in `after`. */
static void parts_before(const struct comparing *c, const struct oro_doc_node *node,
                         struct oro_doc_parts *parts)
{
    oro_parts_of_node(c->arena, node, parts);
    for (size_t i = 0; i < node->input_count; i++) {
        const struct oro_doc_input *input = &node->inputs[i];
        const char *id = input->from_node ? renamed_to(c, input->from_node) : NULL;
        if (id && id != input->from_node)
            oro_parts_link(c->arena, parts, input->name, id, input->from_output);
    }
}

static bool equal_but_id(struct comparing *c, const struct oro_doc_node *a, const struct oro_doc_node *b)
{
    struct oro_doc_parts of_a, of_b;
    if (strcmp(a->type, b->type) != 0 || a->input_count != b->input_count || a->x != b->x || a->y != b->y)
        return false;
    parts_before(c, a, &of_a);
    oro_parts_of_node(c->arena, b, &of_b);
    c->failed |= of_a.failed || of_b.failed;
    bool same = of_a.count == of_b.count;
    for (size_t i = 0; same && i < of_a.count; i++)
        same = parts_same(&of_a.items[i], oro_parts_find(&of_b, &of_a.items[i]));
    return same;
}

/* A rename is looked for along the document, in which links mostly lead back: so what a node is linked to has
 * been found to be renamed before the node itself is looked at. */
static void find_renamed(struct comparing *c)
{
    size_t count = oro_document_node_count(c->before), others = oro_document_node_count(c->after);
    bool *taken = oro_arena_alloc(c->arena, others + 1, sizeof *taken);
    c->renamed = oro_arena_alloc(c->arena, count + 1, sizeof *c->renamed);
    c->failed |= !taken || !c->renamed;
    for (size_t i = 0; !c->failed && i < count; i++) {
        const struct oro_doc_node *gone = oro_document_node(c->before, i);
        if (oro_document_find(c->after, gone->id))
            continue;
        for (size_t k = 0; k < others && !c->renamed[i]; k++) {
            const struct oro_doc_node *come = oro_document_node(c->after, k);
            if (!taken[k] && !oro_document_find(c->before, come->id) && equal_but_id(c, gone, come)) {
                c->renamed[i] = come->id;
                taken[k] = true;
                add(c, (struct oro_difference){ORO_RENAMED, ORO_OF_NODE, NULL, come->id, "", gone->id,
                                               come->id});
            }
        }
    }
}

static bool is_renamed(const struct comparing *c, const char *id)
{
    for (size_t i = 0; i < oro_document_node_count(c->before); i++)
        if (c->renamed[i] && strcmp(c->renamed[i], id) == 0)
            return true;
    return false;
}

static const char *type_of(const struct oro_doc_node *node)
{
    return node->href ? node->href : node->type;
}

static void compare_nodes(struct comparing *c)
{
    struct oro_doc_parts before, after;
    find_renamed(c);
    for (size_t i = 0; !c->failed && i < oro_document_node_count(c->before); i++) {
        const struct oro_doc_node *node = oro_document_node(c->before, i);
        const struct oro_doc_node *other = oro_document_find(c->after, node->id);
        if (other) {
            parts_before(c, node, &before);
            oro_parts_of_node(c->arena, other, &after);
            compare_parts(c, ORO_OF_NODE, node->id, &before, &after);
        } else if (!c->renamed[i]) {
            add(c,
                (struct oro_difference){ORO_REMOVED, ORO_OF_NODE, NULL, node->id, "", type_of(node), NULL});
        }
    }
    for (size_t i = 0; !c->failed && i < oro_document_node_count(c->after); i++) {
        const struct oro_doc_node *node = oro_document_node(c->after, i);
        if (!oro_document_find(c->before, node->id) && !is_renamed(c, node->id))
            add(c, (struct oro_difference){ORO_ADDED, ORO_OF_NODE, NULL, node->id, "", NULL, type_of(node)});
    }
}

/* ---- Things with names: variables, entries of the interface, frames */

struct named {
    const char *name;
    struct oro_doc_parts parts;
};
struct nameds {
    struct named *items;
    size_t count;
};

static const struct named *find(const struct nameds *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

static void compare_named(struct comparing *c, enum oro_difference_of of, const struct nameds *before,
                          const struct nameds *after)
{
    for (size_t i = 0; i < before->count; i++) {
        const struct named *item = &before->items[i], *other = find(after, item->name);
        if (other)
            compare_parts(c, of, item->name, &item->parts, &other->parts);
        else
            add(c, (struct oro_difference){ORO_REMOVED, of, NULL, item->name, "", NULL, NULL});
    }
    for (size_t i = 0; i < after->count; i++)
        if (!find(before, after->items[i].name))
            add(c, (struct oro_difference){ORO_ADDED, of, NULL, after->items[i].name, "", NULL, NULL});
}

static struct named *next_named(struct comparing *c, struct nameds *list, const char *name)
{
    struct named *item = &list->items[list->count++];
    *item = (struct named){.name = name};
    c->failed |= !name;
    item->name = name ? name : "";
    return item;
}

static struct nameds make_named(struct comparing *c, size_t most)
{
    struct nameds list = {.items = oro_arena_alloc(c->arena, most + 1, sizeof *list.items)};
    c->failed |= !list.items;
    return list;
}

static struct nameds variables_of(struct comparing *c, const struct oro_document *doc)
{
    size_t count = oro_document_variable_count(doc);
    struct nameds list = make_named(c, count);
    for (size_t i = 0; !c->failed && i < count; i++) {
        const struct oro_doc_variable *variable = oro_document_variable(doc, i);
        oro_parts_of_variable(c->arena, variable, &next_named(c, &list, variable->name)->parts);
    }
    return list;
}

static struct nameds builds_of(struct comparing *c, const struct oro_document *doc)
{
    size_t count = oro_document_build_count(doc);
    struct nameds list = make_named(c, count);
    for (size_t i = 0; !c->failed && i < count; i++) {
        const struct oro_doc_build *build = oro_document_build(doc, i);
        oro_parts_of_build(c->arena, build, &next_named(c, &list, build->name)->parts);
    }
    return list;
}

/* Entries of one name are one input that leads to several places. */
static struct nameds ports_of(struct comparing *c, const struct oro_document *doc, bool outputs)
{
    size_t count = oro_document_port_count(doc);
    struct nameds list = make_named(c, count);
    for (size_t i = 0; !c->failed && i < count; i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output != outputs)
            continue;
        struct named *item = (struct named *)find(&list, port->name);
        if (item)
            oro_parts_add_place(c->arena, port, &item->parts);
        else
            oro_parts_of_port(c->arena, port, &next_named(c, &list, port->name)->parts);
    }
    return list;
}

/* Frames may have equal titles: then they are told apart by their order. */
static struct nameds frames_of(struct comparing *c, const struct oro_document *doc)
{
    size_t count = oro_document_frame_count(doc);
    struct nameds list = make_named(c, count);
    for (size_t i = 0; !c->failed && i < count; i++) {
        const struct oro_doc_frame *frame = oro_document_frame(doc, i);
        const char *title = frame->title ? frame->title : "", *name = title;
        for (int n = 2; name && find(&list, name) && !c->failed; n++)
            name = oro_arena_textf(c->arena, "%s (%d)", title, n);
        oro_parts_of_frame(c->arena, frame, &next_named(c, &list, name)->parts);
    }
    return list;
}

/* ---- Graphs */

static void compare_graphs(struct comparing *c)
{
    struct oro_doc_parts before, after;
    oro_parts_of_about(c->arena, c->before, &before);
    oro_parts_of_about(c->arena, c->after, &after);
    compare_parts(c, ORO_OF_ABOUT, "", &before, &after);
    oro_parts_of_world(c->arena, oro_document_world(c->before), &before);
    oro_parts_of_world(c->arena, oro_document_world(c->after), &after);
    compare_parts(c, ORO_OF_WORLD, "", &before, &after);
    struct nameds a = variables_of(c, c->before), b = variables_of(c, c->after);
    compare_named(c, ORO_OF_VARIABLE, &a, &b);
    for (int outputs = 0; outputs < 2; outputs++) {
        a = ports_of(c, c->before, outputs);
        b = ports_of(c, c->after, outputs);
        compare_named(c, outputs ? ORO_OF_OUTPUT : ORO_OF_INPUT, &a, &b);
    }
    if (!c->failed)
        compare_nodes(c);
    a = frames_of(c, c->before);
    b = frames_of(c, c->after);
    compare_named(c, ORO_OF_FRAME, &a, &b);
    a = builds_of(c, c->before);
    b = builds_of(c, c->after);
    compare_named(c, ORO_OF_BUILD, &a, &b);
}

static void compare_groups(struct comparing *c, const struct oro_document *before,
                           const struct oro_document *after)
{
    for (size_t i = 0; !c->failed && i < oro_document_group_count(before); i++) {
        const struct oro_doc_group *group = oro_document_group(before, i);
        const struct oro_doc_group *other = oro_document_find_group(after, group->name);
        c->group = group->name;
        c->before = group->body;
        c->after = other ? other->body : NULL;
        if (other)
            compare_graphs(c);
        else
            add(c, (struct oro_difference){ORO_REMOVED, ORO_OF_GROUP, NULL, group->name, "", NULL, NULL});
    }
    for (size_t i = 0; !c->failed && i < oro_document_group_count(after); i++) {
        const struct oro_doc_group *group = oro_document_group(after, i);
        c->group = group->name;
        if (!oro_document_find_group(before, group->name))
            add(c, (struct oro_difference){ORO_ADDED, ORO_OF_GROUP, NULL, group->name, "", NULL, NULL});
    }
}

/* The texts are those of the documents, which may go before the arena does. */
static bool take_over(struct comparing *c, struct oro_differences *differences)
{
    differences->items = oro_arena_alloc(c->arena, c->count + 1, sizeof *differences->items);
    for (size_t i = 0; differences->items && i < c->count; i++) {
        struct oro_difference *to = &differences->items[i];
        *to = c->items[i];
        to->group = oro_arena_text(c->arena, to->group);
        to->name = oro_arena_text(c->arena, to->name);
        to->part = oro_arena_text(c->arena, to->part);
        to->before = to->before ? oro_arena_text(c->arena, to->before) : NULL;
        to->after = to->after ? oro_arena_text(c->arena, to->after) : NULL;
        c->failed |= !to->group || !to->name || !to->part || (c->items[i].before && !to->before) ||
                     (c->items[i].after && !to->after);
    }
    differences->count = c->failed || !differences->items ? 0 : c->count;
    return differences->items && !c->failed;
}

bool oro_document_diff(const struct oro_document *before, const struct oro_document *after,
                       struct oro_arena *arena, struct oro_differences *differences, struct oro_error *err)
{
    struct comparing c = {.before = before, .after = after, .arena = arena, .group = ""};
    *differences = (struct oro_differences){0};
    compare_graphs(&c);
    compare_groups(&c, before, after);
    bool ok = !c.failed && take_over(&c, differences);
    oro_free(c.items);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory to compare two documents");
}
