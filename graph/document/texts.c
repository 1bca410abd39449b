/* The texts of inputs and interface defaults, in the document and in its history. */
#include <string.h>

#include "base/memory.h"
#include "graph/document/document_private.h"

struct visitor {
    void (*see)(void *user, char **text); /* NULL: all items count as changed */
    void *user;
};

static void visit_document(const struct oro_document *doc, const struct visitor *visitor);

static void visit_text(char **text, const struct visitor *visitor)
{
    if (*text && visitor->see)
        visitor->see(visitor->user, text);
}

static void visit_item(struct oro_item *item, const struct visitor *visitor)
{
    if (item && !visitor->see)
        oro_item_changed(item);
    if (item && item->kind == ORO_ITEM_NODE)
        for (size_t i = 0; i < item->node.input_count; i++)
            visit_text(&item->node.inputs[i].value, visitor);
    if (item && item->kind == ORO_ITEM_INTERFACE)
        for (size_t i = 0; i < item->ports.count; i++)
            visit_text(&item->ports.items[i].texts[ORO_PORT_DEFAULT], visitor);
    if (item && item->kind == ORO_ITEM_GROUP)
        visit_document(item->group.body, visitor);
}

/* Visits the items in the document, then those that its undo steps keep. */
static void visit_document(const struct oro_document *doc, const struct visitor *visitor)
{
    for (size_t i = 0; i < doc->item_count; i++)
        visit_item(doc->items[i], visitor);
    for (size_t i = 0; i < doc->step_count; i++)
        for (size_t k = 0; k < doc->steps[i]->count; k++) {
            const struct oro_change *change = &doc->steps[i]->changes[k];
            visit_item(i < doc->done ? change->before : change->after, visitor);
        }
}

/* ---- Seeing them ---- */

struct seeing {
    void (*see)(void *user, const char *text);
    void *user;
};

static void see_text(void *user, char **text)
{
    const struct seeing *seeing = user;
    seeing->see(seeing->user, *text);
}

void oro_document_each_text(const struct oro_document *doc, void (*see)(void *user, const char *text),
                            void *user)
{
    struct seeing seeing = {see, user};
    visit_document(doc, &(struct visitor){see_text, &seeing});
}

/* ---- Replacing them ---- */

struct replacement {
    char **place, *text;
};
struct replacing {
    const char *const *from, *const *to;
    size_t pairs;
    struct replacement *items;
    size_t count, capacity;
    bool failed;
};

static void prepare(void *user, char **text)
{
    struct replacing *all = user;
    size_t pair = 0;
    while (pair < all->pairs && strcmp(all->from[pair], *text) != 0)
        pair++;
    if (pair == all->pairs || all->failed)
        return;
    void *items = all->items;
    char *copy = oro_copy_text(all->to[pair]);
    all->failed = !copy || !oro_reserve(&items, &all->capacity, all->count + 1, sizeof *all->items);
    all->items = items;
    if (all->failed)
        oro_free(copy);
    else
        all->items[all->count++] = (struct replacement){text, copy};
}

static void put(const struct replacing *all)
{
    for (size_t i = 0; i < all->count; i++) {
        char *before = *all->items[i].place;
        *all->items[i].place = all->items[i].text;
        all->items[i].text = before;
    }
}

bool oro_document_replace_texts(struct oro_document *doc, const char *const *from, const char *const *to,
                                size_t count, struct oro_error *err)
{
    struct replacing all = {.from = from, .to = to, .pairs = count};
    for (size_t i = 0; i < count; i++)
        if (!oro_edit_need_text(to[i], err))
            return false;
    if (doc->open)
        return oro_fail(err, ORO_E_USAGE, "an edit is still open");
    visit_document(doc, &(struct visitor){prepare, &all});
    if (!all.failed && all.count > 0) {
        put(&all);
        visit_document(doc, &(struct visitor){.see = NULL});
        doc->revision++;
        for (size_t i = 0; i < doc->group_count; i++)
            doc->groups[i]->group.body->revision++;
    }
    for (size_t i = 0; i < all.count; i++)
        oro_free(all.items[i].text); /* those that were replaced; after a failure, the new ones */
    oro_free(all.items);
    return !all.failed || oro_fail(err, ORO_E_MEMORY, "no memory to change the document");
}
