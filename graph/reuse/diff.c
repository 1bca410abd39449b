#include "graph/reuse/diff.h"

#include <string.h>

#include "graph/file/elements_private.h"

struct differ {
    struct oro_words words;
    struct oro_differences *found;
    size_t capacity;
    const char *group; /* where the walk is */
};

/* ---- The list ---- */

static struct oro_difference *add(struct differ *differ, enum oro_difference_kind kind,
                                  const struct oro_element *element, const char *part)
{
    void *items = differ->found->items;
    if (differ->words.failed ||
        !oro_reserve(&items, &differ->capacity, differ->found->count + 1, sizeof *differ->found->items)) {
        differ->words.failed = true;
        return NULL;
    }
    differ->found->items = items;
    struct oro_difference *added = &differ->found->items[differ->found->count++];
    *added = (struct oro_difference){.kind = kind,
                                     .group = differ->group,
                                     .element = oro_element_word(element),
                                     .name = element->name,
                                     .part = part};
    return added;
}

/* ---- Walking ---- `owner` is what differences are told of: an input's are those of its node. */

static void compare(struct differ *differ, const struct oro_element *owner, const struct oro_element *a,
                    const struct oro_element *b);

static void compare_slot(struct differ *differ, const struct oro_element *owner, const struct oro_element *a,
                         const struct oro_element *b, const char *slot)
{
    if (oro_attribute_same(a, oro_element_slot(a, slot), oro_element_slot(b, slot)))
        return;
    const struct oro_element *parent = owner == b ? NULL : owner;
    const char *before = oro_describe_slot(&differ->words, a, parent, slot),
               *after = oro_describe_slot(&differ->words, b, parent, slot);
    struct oro_difference *added =
        add(differ, ORO_DIFFERENCE_CHANGED, owner, oro_part_name(&differ->words, owner, b, slot));
    if (added) {
        added->before = before;
        added->after = after;
    }
}

/* What it is called is no attribute that could differ. */
static bool is_compared(const struct oro_element *owner, const struct oro_element *element, const char *name)
{
    return !oro_attribute_is_place(element, name) && (owner == element || strcmp(name, "name") != 0);
}

static void compare_attributes(struct differ *differ, const struct oro_element *owner,
                               const struct oro_element *a, const struct oro_element *b)
{
    for (size_t i = 0; i < b->attribute_count; i++)
        if (is_compared(owner, b, b->attributes[i].name))
            compare_slot(differ, owner, a, b, b->attributes[i].slot);
    for (size_t i = 0; i < a->attribute_count; i++)
        if (is_compared(owner, b, a->attributes[i].name) && !oro_element_slot(b, a->attributes[i].slot))
            compare_slot(differ, owner, a, b, a->attributes[i].slot);
}

static const char *place_text(struct differ *differ, const struct oro_element *element)
{
    static const char *const names[] = {"x", "y", "width", "height"};
    struct oro_text out = {0};
    for (size_t i = 0; i < (oro_element_is(element, "frame") ? 4 : 2); i++) {
        const char *text = oro_element_text(element, names[i]);
        oro_text_addf(&out, "%s%s", i ? " " : "", text ? text : "0");
    }
    if (oro_element_text(element, "collapsed"))
        oro_text_add(&out, " collapsed");
    return oro_keep_words(&differ->words, &out);
}

static void compare_place(struct differ *differ, const struct oro_element *a, const struct oro_element *b)
{
    const char *before = place_text(differ, a), *after = place_text(differ, b);
    if (differ->words.failed || strcmp(before, after) == 0)
        return;
    struct oro_difference *added = add(differ, ORO_DIFFERENCE_MOVED, b, NULL);
    if (added) {
        added->before = before;
        added->after = after;
    }
}

/* Something that only one of the versions has. `holder` NULL: it stands by itself. */
static void tell_whole(struct differ *differ, const struct oro_element *owner,
                       const struct oro_element *holder, const struct oro_element *element, bool is_new)
{
    const char *text = oro_describe_element(&differ->words, element), *part = NULL;
    const char *word = oro_element_word(element);
    if (holder)
        part =
            strcmp(owner->tag, holder->tag) == 0 ? word : oro_part_name(&differ->words, owner, holder, word);
    struct oro_difference *added =
        add(differ, is_new ? ORO_DIFFERENCE_ADDED : ORO_DIFFERENCE_REMOVED, holder ? owner : element, part);
    if (!added)
        return;
    if (!holder)
        added->element = word;
    *(is_new ? &added->after : &added->before) = text;
}

static void tell_lonely(struct differ *differ, const struct oro_element *owner,
                        const struct oro_element *holder, const struct oro_element *element, bool is_new)
{
    if (!oro_element_always_there(holder, element)) {
        tell_whole(differ, owner, oro_element_is_list(holder) ? NULL : holder, element, is_new);
        return;
    }
    struct oro_element *empty = oro_element_create(element, 0, 0, differ->found->arena);
    if (empty && oro_element_index(empty, differ->found->arena))
        compare(differ, owner, is_new ? empty : element, is_new ? element : empty);
    else
        differ->words.failed = true;
}

/* What only `a` has comes behind what it follows there. */
static void compare_children(struct differ *differ, const struct oro_element *owner,
                             const struct oro_element *a, const struct oro_element *b)
{
    size_t i = 0;
    for (size_t j = 0; j <= b->child_count && !differ->words.failed; j++) {
        const struct oro_element *child = j < b->child_count ? b->children[j] : NULL;
        const struct oro_element *there = child ? oro_element_child(a, child->key) : NULL;
        size_t end = !child ? a->child_count : there ? there->place : 0;
        for (; i < end; i++)
            if (!oro_element_child(b, a->children[i]->key))
                tell_lonely(differ, owner, a, a->children[i], false);
        if (there)
            compare(differ, owner, there, child);
        else if (child)
            tell_lonely(differ, owner, b, child, true);
    }
}

/* The format limits how deep elements lie. */
static void compare(struct differ *differ, const struct oro_element *owner, const struct oro_element *a,
                    const struct oro_element *b)
{
    const char *group = differ->group;
    if (!owner || oro_element_is_list(owner))
        owner = b;
    compare_attributes(differ, owner, a, b);
    if (oro_element_is(b, "node") || oro_element_is(b, "frame"))
        compare_place(differ, a, b);
    if (oro_element_is(b, "group"))
        differ->group = b->name;
    compare_children(differ, owner, a, b);
    differ->group = group;
}

/* ---- Documents ---- */

static void tell_renamings(struct differ *differ, const struct oro_renamings *renamings)
{
    const struct oro_element node = {.tag = "node"};
    for (size_t i = 0; i < renamings->count; i++) {
        const struct oro_renaming *renaming = &renamings->items[i];
        struct oro_difference *added = add(differ, ORO_DIFFERENCE_RENAMED, &node, NULL);
        if (!added)
            return;
        added->group = *renaming->group ? renaming->group + strlen("group ") : NULL;
        added->name = added->before = renaming->from;
        added->after = renaming->to;
    }
}

bool oro_diff(const struct oro_document *before, const struct oro_document *after,
              const struct oro_registry *registry, struct oro_differences *differences, struct oro_error *err)
{
    struct oro_renamings renamings;
    struct differ differ = {.words = {.registry = registry}, .found = differences};
    *differences = (struct oro_differences){.arena = oro_arena_create()};
    if (!differences->arena)
        return oro_fail(err, ORO_E_MEMORY, "no memory to compare documents");
    struct oro_element *a = oro_elements_read(before, registry, differences->arena, err);
    struct oro_element *b = a ? oro_elements_read(after, registry, differences->arena, err) : NULL;
    bool ok = b;
    if (ok && oro_find_renamings(a, b, differences->arena, &renamings) &&
        oro_rename_all(a, &renamings, differences->arena)) {
        differ.words.arena = differences->arena;
        tell_renamings(&differ, &renamings);
        compare(&differ, NULL, a, b);
        ok = !differ.words.failed || oro_fail(err, ORO_E_MEMORY, "no memory to compare documents");
    } else if (ok) {
        ok = oro_fail(err, ORO_E_MEMORY, "no memory to compare documents");
    }
    if (!ok)
        oro_differences_free(differences);
    return ok;
}

void oro_differences_free(struct oro_differences *differences)
{
    oro_free(differences->items);
    oro_arena_destroy(differences->arena);
    *differences = (struct oro_differences){0};
}

size_t oro_differences_count(const struct oro_differences *differences)
{
    size_t count = 0;
    for (size_t i = 0; i < differences->count; i++)
        count += differences->items[i].kind != ORO_DIFFERENCE_MOVED;
    return count;
}

const char *oro_difference_name(enum oro_difference_kind kind)
{
    static const char *const names[] = {"added", "removed", "changed", "renamed", "moved"};
    return names[kind];
}

/* ---- Lines ---- */

enum { SHOWN_MAX = 200 }; /* bytes of a text */

static void add_shown(struct oro_text *out, const char *text)
{
    size_t length = strlen(text);
    if (length <= SHOWN_MAX) {
        oro_text_add(out, text);
        return;
    }
    length = SHOWN_MAX;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) /* not within a character */
        length--;
    oro_text_add_bytes(out, text, length);
    oro_text_add(out, "...");
}

void oro_difference_line(const struct oro_difference *difference, struct oro_text *out)
{
    if (difference->group)
        oro_text_addf(out, "group %s: ", difference->group);
    oro_text_add(out, difference->element);
    if (*difference->name) {
        oro_text_add(out, " ");
        oro_add_quoted(out, difference->name);
    }
    if (difference->part)
        oro_text_addf(out, ": %s", difference->part);
    if (difference->kind == ORO_DIFFERENCE_RENAMED) {
        oro_text_addf(out, ": renamed to %s", difference->after);
        return;
    }
    if (difference->kind != ORO_DIFFERENCE_CHANGED)
        oro_text_addf(out, ": %s", oro_difference_name(difference->kind));
    const char *first = difference->before ? difference->before : difference->after;
    if (first && *first) {
        oro_text_add(out, ": ");
        add_shown(out, first);
    }
    if (difference->before && difference->after) {
        oro_text_add(out, " -> ");
        add_shown(out, difference->after);
    }
}
