#include "graph/reuse/merge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "graph/reuse/merge_private.h"

/* ---- Conflicts ---- */

static const char *group_of(const struct oro_element *element)
{
    for (; element; element = element->parent)
        if (oro_element_is(element->parent, "group"))
            return element->parent->name;
    return NULL;
}

void oro_merge_conflict(struct oro_merger *merger, const struct oro_element *owner, const char *part,
                        const char *format, ...)
{
    char text[2048];
    void *items = merger->conflicts->items;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!oro_reserve(&items, &merger->capacity, merger->conflicts->count + 1,
                     sizeof *merger->conflicts->items)) {
        merger->words.failed = true;
        return;
    }
    merger->conflicts->items = items;
    struct oro_conflict *added = &merger->conflicts->items[merger->conflicts->count++];
    *added = (struct oro_conflict){.group = group_of(owner),
                                   .element = oro_element_word(owner),
                                   .name = owner->name,
                                   .part = part,
                                   .text = oro_arena_text(merger->words.arena, text)};
    merger->words.failed = merger->words.failed || !added->text;
}

void oro_conflicts_free(struct oro_conflicts *conflicts)
{
    oro_free(conflicts->items);
    oro_arena_destroy(conflicts->arena);
    *conflicts = (struct oro_conflicts){0};
}

void oro_conflict_line(const struct oro_conflict *conflict, struct oro_text *out)
{
    if (conflict->group)
        oro_text_addf(out, "group %s: ", conflict->group);
    oro_text_add(out, conflict->element);
    if (*conflict->name) {
        oro_text_add(out, " ");
        oro_add_quoted(out, conflict->name);
    }
    if (conflict->part)
        oro_text_addf(out, ": %s", conflict->part);
    oro_text_addf(out, ": %s", conflict->text);
}

/* ---- Attributes ---- */

/* One element in its three versions; what is not there is empty. */
struct three {
    const struct oro_element *owner; /* what conflicts are told of: it, or the node whose input it is */
    const struct oro_element *base, *ours, *theirs;
};

static void tell_slot(struct oro_merger *merger, const struct three *three, const char *slot)
{
    const struct oro_element *owner = three->owner, *parent = owner == three->ours ? NULL : owner;
    const char *base = oro_describe_slot(&merger->words, three->base, parent, slot);
    const char *ours = oro_describe_slot(&merger->words, three->ours, parent, slot);
    const char *theirs = oro_describe_slot(&merger->words, three->theirs, parent, slot);
    const char *part = oro_part_name(&merger->words, owner, three->ours, slot);
    if (base && ours && theirs)
        oro_merge_conflict(merger, owner, part, "%.500s -> %.500s, theirs %.500s; ours is kept", base, ours,
                           theirs);
}

/* A declaration that one side dropped may be what the other has begun to use. */
static bool is_declaration(const struct oro_attribute *attribute)
{
    return attribute && strncmp(attribute->name, "xmlns", 5) == 0;
}

static const struct oro_attribute *choose(struct oro_merger *merger, const struct three *three,
                                          const char *slot)
{
    const struct oro_attribute *base = oro_element_slot(three->base, slot);
    const struct oro_attribute *ours = oro_element_slot(three->ours, slot);
    const struct oro_attribute *theirs = oro_element_slot(three->theirs, slot);
    if (!ours && (is_declaration(theirs) || strcmp(slot, "name") == 0)) /* what it is called stays */
        return theirs;
    if (oro_attribute_same(three->ours, ours, theirs) || oro_attribute_same(three->ours, base, theirs) ||
        (!theirs && (is_declaration(ours) || strcmp(slot, "name") == 0)))
        return ours;
    if (oro_attribute_same(three->ours, base, ours))
        return theirs;
    if (!oro_attribute_is_place(three->ours, slot))
        tell_slot(merger, three, slot);
    return ours;
}

static void merge_attributes(struct oro_merger *merger, const struct three *three, struct oro_element *merged)
{
    const struct oro_element *const sides[] = {three->ours, three->theirs};
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < sides[side]->attribute_count; i++) {
            const char *slot = sides[side]->attributes[i].slot;
            if (side == 1 && oro_element_slot(three->ours, slot))
                continue;
            const struct oro_attribute *chosen = choose(merger, three, slot);
            if (chosen)
                merged->attributes[merged->attribute_count++] = *chosen;
        }
    }
}

/* ---- Children ---- */

static struct oro_element *merge(struct oro_merger *merger, const struct three *three);

static const struct oro_element *empty_like(struct oro_merger *merger, const struct oro_element *element)
{
    struct oro_element *empty = oro_element_create(element, 0, 0, merger->words.arena);
    if (!empty || !oro_element_index(empty, merger->words.arena)) {
        merger->words.failed = true;
        return NULL;
    }
    empty->parent = element->parent;
    return empty;
}

/* An input's entry that says nothing any more goes. */
static bool says_nothing(const struct oro_element *holder, const struct oro_element *element)
{
    return oro_element_is(holder, "node") && oro_element_is(element, "in") && element->child_count == 0 &&
           (element->attribute_count == 0 ||
            (element->attribute_count == 1 && strcmp(element->attributes[0].name, "name") == 0));
}

static struct oro_element *merge_parts(struct oro_merger *merger, const struct three *holder,
                                       const struct oro_element *base, const struct oro_element *ours,
                                       const struct oro_element *theirs)
{
    const struct oro_element *any = ours ? ours : theirs;
    struct three child = {.base = base ? base : empty_like(merger, any),
                          .ours = ours ? ours : empty_like(merger, any),
                          .theirs = theirs ? theirs : empty_like(merger, any)};
    if (merger->words.failed)
        return NULL;
    child.owner = oro_element_is_list(holder->ours) ? child.ours : holder->owner;
    struct oro_element *merged = merge(merger, &child);
    return merged && says_nothing(holder->ours, merged) && !(ours && theirs) ? NULL : merged;
}

/* Conflicts over something that is there or not as a whole. `text` has a place for what a side has made of
 * it. */
static void tell_whole(struct oro_merger *merger, const struct three *holder,
                       const struct oro_element *element, const char *text)
{
    const char *what = oro_describe_element(&merger->words, element);
    bool list = oro_element_is_list(holder->ours);
    if (what)
        oro_merge_conflict(merger, list ? element : holder->owner,
                           list ? NULL : oro_part_name(&merger->words, holder->owner, element, "comment"),
                           "%s (%.900s)", text, what);
}

/* What becomes of a child that we have. NULL: it goes. */
static struct oro_element *merge_ours(struct oro_merger *merger, const struct three *holder,
                                      struct oro_element *ours)
{
    const struct oro_element *base = oro_element_child(holder->base, ours->key);
    struct oro_element *theirs = oro_element_child(holder->theirs, ours->key);
    ours->added = !base;
    if ((base && theirs) || oro_element_always_there(holder->ours, ours))
        return merge_parts(merger, holder, base, ours, theirs);
    if (theirs && !oro_element_same(ours, theirs))
        tell_whole(merger, holder, theirs, "both sides added it; ours is kept, theirs is not");
    if (!base || theirs)
        return ours;
    if (oro_element_same(base, ours))
        return NULL;
    tell_whole(merger, holder, ours, "changed here, removed there; ours is kept");
    return ours;
}

/* What becomes of a child that only they have. */
static struct oro_element *merge_theirs(struct oro_merger *merger, const struct three *holder,
                                        struct oro_element *theirs)
{
    const struct oro_element *base = oro_element_child(holder->base, theirs->key);
    if (!base)
        return theirs;
    if (oro_element_always_there(holder->ours, theirs))
        return merge_parts(merger, holder, base, NULL, theirs);
    if (!oro_element_same(base, theirs))
        tell_whole(merger, holder, theirs, "removed here, changed there; it stays removed");
    return NULL;
}

static void insert_behind(struct oro_element **first, struct oro_element *before, struct oro_element *element)
{
    /* Behind what we added there, too. */
    while (before && before->next && before->next->added)
        before = before->next;
    struct oro_element **link = before ? &before->next : first;
    element->next = *link;
    *link = element;
}

static void merge_children(struct oro_merger *merger, const struct three *three, struct oro_element *merged)
{
    struct oro_element *first = NULL, **link = &first, *last = NULL;
    for (size_t i = 0; i < three->ours->child_count && !merger->words.failed; i++) {
        struct oro_element *ours = three->ours->children[i], *child = merge_ours(merger, three, ours);
        struct oro_element *theirs = oro_element_child(three->theirs, ours->key);
        if (theirs)
            theirs->twin = child;
        if (!child)
            continue;
        child->added = ours->added;
        child->next = NULL;
        *link = child;
        link = &child->next;
    }
    for (size_t i = 0; i < three->theirs->child_count && !merger->words.failed; i++) {
        struct oro_element *theirs = three->theirs->children[i], *child = theirs->twin;
        if (!oro_element_child(three->ours, theirs->key)) {
            child = merge_theirs(merger, three, theirs);
            if (child) {
                child->added = false;
                insert_behind(&first, last, child);
            }
        }
        last = child ? child : last;
    }
    for (; first; first = first->next) {
        first->parent = merged;
        merged->children[merged->child_count++] = first;
    }
}

/* The format limits how deep elements lie. */
static struct oro_element *merge(struct oro_merger *merger, const struct three *three)
{
    const struct oro_element *ours = three->ours, *theirs = three->theirs;
    struct oro_element *merged =
        oro_element_create(ours, ours->attribute_count + theirs->attribute_count,
                           ours->child_count + theirs->child_count, merger->words.arena);
    if (!merged) {
        merger->words.failed = true;
        return NULL;
    }
    merge_attributes(merger, three, merged);
    merge_children(merger, three, merged);
    if (!oro_element_index(merged, merger->words.arena))
        merger->words.failed = true;
    return merger->words.failed ? NULL : merged;
}

bool oro_merge_insert(struct oro_merger *merger, struct oro_element *list, struct oro_element *element,
                      const struct oro_element *like)
{
    const struct oro_element *before = NULL;
    for (size_t i = element->place; i-- > 0 && !before;)
        before = oro_element_child(list, like->children[i]->key);
    size_t at = before ? before->place + 1 : 0, count = list->child_count;
    struct oro_element **children = oro_arena_alloc(merger->words.arena, count + 1, sizeof *children);
    if (!children)
        return false;
    for (size_t i = 0; i < count; i++)
        children[i + (i >= at)] = list->children[i];
    children[at] = element;
    list->children = children;
    list->child_count++;
    element->parent = list;
    return oro_element_index(list, merger->words.arena);
}

/* ---- Names ---- */

/* Both sides gave a node another id: ours holds. */
static bool undo_second_names(struct oro_merger *merger, const struct oro_renamings *first,
                              struct oro_renamings *second, struct oro_element *theirs)
{
    struct oro_renamings back = {
        .items = oro_arena_alloc(merger->words.arena, second->count + 1, sizeof *back.items)};
    size_t kept = 0;
    if (!back.items)
        return false;
    for (size_t i = 0; i < second->count; i++) {
        const struct oro_renaming *renaming = &second->items[i], *found = NULL;
        for (size_t j = 0; j < first->count && !found; j++)
            if (strcmp(first->items[j].to, renaming->from) == 0 &&
                strcmp(first->items[j].group, renaming->group) == 0)
                found = &first->items[j];
        if (!found) {
            second->items[kept++] = *renaming;
            continue;
        }
        const char *group = *found->group ? found->group + strlen("group ") : NULL;
        struct oro_element scope = {.tag = group ? "group" : "orograph", .name = group};
        const struct oro_element node = {.tag = "node", .name = found->from, .parent = &scope};
        oro_merge_conflict(merger, &node, NULL, "renamed to %s here, to %s there; ours is kept", found->to,
                           renaming->to);
        back.items[back.count++] = (struct oro_renaming){renaming->group, renaming->to, renaming->from};
    }
    second->count = kept;
    return oro_rename_all(theirs, &back, merger->words.arena);
}

/* Brings renamings of either side into the other versions, so that nodes are found again under their new ids.
 */
static bool rename_alike(struct oro_merger *merger, struct oro_element *base, struct oro_element *ours,
                         struct oro_element *theirs)
{
    struct oro_renamings here, there;
    struct oro_arena *arena = merger->words.arena;
    if (!oro_find_renamings(base, ours, arena, &here))
        return false;
    oro_keep_possible(&here, theirs);
    if (!oro_rename_all(base, &here, arena) || !oro_rename_all(theirs, &here, arena) ||
        !oro_find_renamings(base, theirs, arena, &there) || !undo_second_names(merger, &here, &there, theirs))
        return false;
    oro_keep_possible(&there, ours);
    return oro_rename_all(base, &there, arena) && oro_rename_all(ours, &there, arena);
}

/* ---- Documents ---- */

struct oro_document *oro_merge(const struct oro_document *base, const struct oro_document *ours,
                               const struct oro_document *theirs, const struct oro_registry *registry,
                               struct oro_conflicts *conflicts, struct oro_error *err)
{
    struct oro_merger merger = {.words = {.registry = registry}, .conflicts = conflicts};
    const struct oro_document *const docs[] = {base, ours, theirs};
    struct oro_element *roots[3] = {NULL}, *merged = NULL;
    *conflicts = (struct oro_conflicts){.arena = oro_arena_create()};
    merger.words.arena = conflicts->arena;
    bool ok = merger.words.arena || oro_fail(err, ORO_E_MEMORY, "no memory to merge");
    for (size_t i = 0; i < 3 && ok; i++) {
        roots[i] = oro_elements_read(docs[i], registry, merger.words.arena, err);
        ok = roots[i];
    }
    if (ok && rename_alike(&merger, roots[0], roots[1], roots[2])) {
        const struct three all = {.owner = roots[1], .base = roots[0], .ours = roots[1], .theirs = roots[2]};
        merged = merge(&merger, &all);
    }
    struct oro_document *doc = NULL;
    if (merged && oro_merge_restore(&merger, merged, roots[1], roots[2]))
        doc = oro_merge_finish(&merger, merged, roots[1], roots[2], ours, theirs, err);
    else if (ok)
        oro_fail(err, ORO_E_MEMORY, "no memory to merge");
    if (!doc)
        oro_conflicts_free(conflicts);
    return doc;
}
