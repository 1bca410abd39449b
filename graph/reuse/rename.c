/* Nodes that have another id but the same content: they were renamed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/file/elements_private.h"

/* Pairs of nodes that are looked at in one scope: enough for any edit by hand; two documents of many nodes
 * that have nothing in common are given up. */
enum { TRIES_MAX = 4000000 };

/* The nodes of a document, or of a group, that only one of two versions has. Their twin is what each is in
 * the other one. */
struct scope {
    const struct oro_element *own, *other; /* what holds the nodes */
    struct oro_element **nodes;
    size_t count;
};

static bool find_lonely(struct scope *scope, struct oro_arena *arena)
{
    scope->nodes = oro_arena_alloc(arena, scope->own->child_count + 1, sizeof *scope->nodes);
    if (!scope->nodes)
        return false;
    for (size_t i = 0; i < scope->own->child_count; i++) {
        struct oro_element *child = scope->own->children[i];
        child->twin = NULL;
        if (oro_element_is(child, "node") && *child->name && !oro_element_child(scope->other, child->key))
            scope->nodes[scope->count++] = child;
    }
    return true;
}

/* The node that a link leads to, where the other version has none of its id. */
static const struct oro_element *lonely_target(const struct oro_element *own, const struct oro_element *other,
                                               const char *link)
{
    char key[256];
    size_t length = oro_link_node_length(link);
    if (length == 0 || length > 200)
        return NULL;
    memcpy(key, "node ", 5);
    memcpy(key + 5, link, length);
    key[5 + length] = '\0';
    const struct oro_element *node = oro_element_child(own, key);
    return node && !oro_element_child(other, key) ? node : NULL;
}

/* ---- Likeness ---- */

/* Links to nodes that may have been renamed count as equal if they lead to outputs of one name. */
static bool like_attribute(const struct scope *a, const struct oro_element *element,
                           const struct oro_attribute *x, const struct oro_attribute *y)
{
    if (oro_attribute_same(element, x, y))
        return true;
    if (!x || !y || strcmp(x->name, "from") != 0 || strcmp(y->name, "from") != 0)
        return false;
    const struct oro_element *here = lonely_target(a->own, a->other, x->text);
    const struct oro_element *there = lonely_target(a->other, a->own, y->text);
    return here && there && strcmp(strchr(x->text, '.'), strchr(y->text, '.')) == 0 &&
           (here->twin ? here->twin == there : !there->twin);
}

static bool like_attributes(const struct scope *a, const struct oro_element *x, const struct oro_element *y)
{
    for (size_t i = 0; i < x->attribute_count; i++) {
        const struct oro_attribute *attribute = &x->attributes[i];
        bool id = oro_element_is(x, "node") && strcmp(attribute->name, "id") == 0;
        if (!id && !oro_attribute_is_place(x, attribute->name) &&
            !like_attribute(a, x, attribute, oro_element_slot(y, attribute->slot)))
            return false;
    }
    for (size_t i = 0; i < y->attribute_count; i++)
        if (!oro_attribute_is_place(y, y->attributes[i].name) && !oro_element_slot(x, y->attributes[i].slot))
            return false;
    return true;
}

static bool is_like(const struct scope *a, const struct oro_element *x, const struct oro_element *y)
{
    if (x->child_count != y->child_count || !like_attributes(a, x, y))
        return false;
    for (size_t i = 0; i < x->child_count; i++)
        if (strcmp(x->sorted[i]->key, y->sorted[i]->key) != 0 || !is_like(a, x->sorted[i], y->sorted[i]))
            return false;
    return true;
}

/* Each with the next in order that is like it: nodes mostly keep their order. */
static void pair_up(const struct scope *a, const struct scope *b)
{
    size_t next = 0, tries = 0;
    for (size_t i = 0; i < a->count; i++) {
        struct oro_element *node = a->nodes[i];
        bool paired = node->twin;
        for (size_t j = 0; !paired && j < b->count && tries < TRIES_MAX; j++, tries++) {
            size_t at = (next + j) % b->count;
            struct oro_element *other = b->nodes[at];
            if (other->twin || !is_like(a, node, other))
                continue;
            node->twin = other;
            other->twin = node;
            next = at + 1;
            paired = true;
        }
    }
}

/* Whether links to renamed nodes lead to what those have become. */
static bool agrees(const struct scope *a, const struct oro_element *x, const struct oro_element *y)
{
    for (size_t i = 0; i < x->child_count; i++) {
        const struct oro_element *target =
            lonely_target(a->own, a->other, oro_element_text(x->sorted[i], "from"));
        if (target && target->twin != lonely_target(a->other, a->own, oro_element_text(y->sorted[i], "from")))
            return false;
    }
    return true;
}

static void drop_disagreeing(const struct scope *a)
{
    for (bool dropped = true; dropped;) {
        dropped = false;
        for (size_t i = 0; i < a->count; i++) {
            struct oro_element *node = a->nodes[i];
            if (!node->twin || agrees(a, node, node->twin))
                continue;
            node->twin->twin = NULL;
            node->twin = NULL;
            dropped = true;
        }
    }
}

/* ---- The list ---- */

static int by_name(const void *a, const void *b)
{
    const struct oro_renaming *x = a, *y = b;
    int order = strcmp(x->group, y->group);
    return order ? order : strcmp(x->from, y->from);
}

static bool add_scope(const struct oro_element *before, const struct oro_element *after, const char *group,
                      struct oro_arena *arena, struct oro_renamings *found)
{
    struct scope a = {.own = before, .other = after}, b = {.own = after, .other = before};
    if (!find_lonely(&a, arena) || !find_lonely(&b, arena))
        return false;
    /* Twice: nodes that stand before what they are linked to may at first be taken for another of their kind.
     */
    for (int pass = 0; pass < 2; pass++) {
        pair_up(&a, &b);
        drop_disagreeing(&a);
    }
    size_t wanted = found->count + a.count;
    struct oro_renaming *items = oro_arena_alloc(arena, wanted + 1, sizeof *items);
    if (!items)
        return false;
    for (size_t i = 0; i < found->count; i++)
        items[i] = found->items[i];
    found->items = items;
    for (size_t i = 0; i < a.count; i++)
        if (a.nodes[i]->twin)
            found->items[found->count++] =
                (struct oro_renaming){group, a.nodes[i]->name, a.nodes[i]->twin->name};
    return true;
}

static const struct oro_element *document_of(const struct oro_element *root)
{
    return oro_element_child(root, "orograph ");
}

bool oro_find_renamings(const struct oro_element *before, const struct oro_element *after,
                        struct oro_arena *arena, struct oro_renamings *found)
{
    const struct oro_element *a = document_of(before), *b = document_of(after);
    *found = (struct oro_renamings){0};
    if (!add_scope(a, b, "", arena, found))
        return false;
    for (size_t i = 0; i < a->child_count; i++) {
        const struct oro_element *group = a->children[i], *other = oro_element_child(b, group->key);
        if (oro_element_is(group, "group") && other && !add_scope(group, other, group->key, arena, found))
            return false;
    }
    return true;
}

/* ---- Carrying out ---- */

static const struct oro_element *scope_of(const struct oro_element *root, const char *group)
{
    return *group ? oro_element_child(document_of(root), group) : document_of(root);
}

static bool has_node(const struct oro_element *scope, const char *id)
{
    char key[256];
    snprintf(key, sizeof key, "node %.200s", id);
    return oro_element_child(scope, key);
}

void oro_keep_possible(struct oro_renamings *renamings, const struct oro_element *root)
{
    size_t kept = 0;
    for (size_t i = 0; i < renamings->count; i++)
        if (!has_node(scope_of(root, renamings->items[i].group), renamings->items[i].to))
            renamings->items[kept++] = renamings->items[i];
    renamings->count = kept;
}

static const char *new_id(const struct oro_renamings *renamings, const char *group, const char *id,
                          size_t length)
{
    char name[256];
    if (length == 0 || length >= sizeof name || renamings->count == 0)
        return NULL;
    memcpy(name, id, length);
    name[length] = '\0';
    const struct oro_renaming wanted = {.group = group, .from = name};
    const struct oro_renaming *found =
        bsearch(&wanted, renamings->items, renamings->count, sizeof *renamings->items, by_name);
    return found ? found->to : NULL;
}

/* Links of a node's inputs ("from") and of the interface ("to", "from"). */
static bool rename_links(struct oro_element *holder, const struct oro_renamings *renamings, const char *group,
                         struct oro_arena *arena)
{
    for (size_t i = 0; i < holder->child_count; i++) {
        struct oro_element *child = holder->children[i];
        for (size_t j = 0; *child->tag && j < child->attribute_count; j++) {
            struct oro_attribute *attribute = &child->attributes[j];
            if (strcmp(attribute->name, "from") != 0 && strcmp(attribute->name, "to") != 0)
                continue;
            size_t length = oro_link_node_length(attribute->text);
            const char *id = new_id(renamings, group, attribute->text, length);
            if (id)
                attribute->text = oro_arena_textf(arena, "%s%s", id, attribute->text + length);
            if (!attribute->text)
                return false;
        }
    }
    return true;
}

static bool rename_node(struct oro_element *node, const char *id, struct oro_arena *arena)
{
    for (size_t i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attributes[i].name, "id") == 0)
            node->attributes[i].text = id;
    node->name = id;
    node->key = oro_arena_textf(arena, "node %s", id);
    return node->key;
}

static bool rename_scope(struct oro_element *scope, const struct oro_renamings *renamings, const char *group,
                         struct oro_arena *arena)
{
    for (size_t i = 0; i < scope->child_count; i++) {
        struct oro_element *child = scope->children[i];
        bool node = oro_element_is(child, "node");
        const char *id = node ? new_id(renamings, group, child->name, strlen(child->name)) : NULL;
        if (id && !rename_node(child, id, arena))
            return false;
        if ((node || oro_element_is(child, "interface")) && !rename_links(child, renamings, group, arena))
            return false;
        if (oro_element_is(child, "group") && !rename_scope(child, renamings, child->key, arena))
            return false;
    }
    return oro_element_index(scope, arena);
}

bool oro_rename_all(struct oro_element *root, struct oro_renamings *renamings, struct oro_arena *arena)
{
    if (renamings->count == 0)
        return true;
    qsort(renamings->items, renamings->count, sizeof *renamings->items, by_name); /* for new_id */
    return rename_scope(oro_element_child(root, "orograph "), renamings, "", arena);
}
