/* Undo steps: carrying out changes, undoing them, and keeping the most recent steps. */
#include <string.h>

#include "base/memory.h"
#include "graph/document/document_private.h"

/* Puts `to` in the place of `from`, in the list of items only; what is derived from it is updated
 * afterwards. */
static void swap_item(struct oro_document *doc, size_t place, const struct oro_item *from,
                      struct oro_item *to)
{
    struct oro_item **at = &doc->items[place];
    size_t behind = doc->item_count - place;
    if (!from) {
        memmove(at + 1, at, behind * sizeof *at);
        doc->item_count++;
    } else if (!to) {
        memmove(at, at + 1, (behind - 1) * sizeof *at);
        doc->item_count--;
    }
    if (to)
        *at = to;
}

static bool keeps_structure(const struct oro_change *change)
{
    const struct oro_item *before = change->before, *after = change->after;
    return before && after && (before->kind != ORO_ITEM_NODE || strcmp(before->node.id, after->node.id) == 0);
}

/* Appended and replaced items update what is derived at once, since many nodes may be added one by one. After
 * any other change, everything derived is rebuilt. */
static void carry_out(struct oro_document *doc, const struct oro_change *changes, size_t count, bool forward)
{
    bool stale = false;
    for (size_t i = 0; i < count; i++) {
        const struct oro_change *change = &changes[forward ? i : count - 1 - i];
        struct oro_item *from = forward ? change->before : change->after;
        struct oro_item *to = forward ? change->after : change->before;
        if (!stale && !from && to && change->place == doc->item_count) {
            oro_document_append(doc, to);
            continue;
        }
        swap_item(doc, change->place, from, to);
        stale = stale || !keeps_structure(change);
        if (!stale)
            oro_document_replaced(doc, from, to);
    }
    if (stale)
        oro_document_rebuild(doc);
    doc->revision++;
}

/* Frees a step with the items that are not in the document: those from before the step if it is done,
 * otherwise those from after it. */
static void free_step(struct oro_undo_step *step, bool done)
{
    if (!step)
        return;
    for (size_t i = 0; i < step->count; i++)
        oro_item_destroy(done ? step->changes[i].before : step->changes[i].after);
    oro_free(step->changes);
    oro_free(step->begins);
    oro_free(step->name);
    oro_free(step);
}

static struct oro_undo_step *new_step(const char *name)
{
    struct oro_undo_step *step = oro_alloc(1, sizeof *step);
    if (step && oro_set_text(&step->name, name))
        return step;
    oro_free(step);
    return NULL;
}

static bool reserve_changes(struct oro_undo_step *step, size_t more)
{
    void *changes = step->changes;
    if (!oro_reserve(&changes, &step->capacity, step->count + more, sizeof *step->changes))
        return false;
    step->changes = changes;
    return true;
}

static void forget_undone(struct oro_document *doc)
{
    while (doc->step_count > doc->done)
        free_step(doc->steps[--doc->step_count], false);
}

/* Undone steps are dropped only here, because an open step may still be cancelled. */
static void push(struct oro_document *doc, struct oro_undo_step *step)
{
    forget_undone(doc);
    if (doc->step_count == ORO_UNDO_STEPS) {
        free_step(doc->steps[0], true);
        memmove(doc->steps, doc->steps + 1, (ORO_UNDO_STEPS - 1) * sizeof doc->steps[0]);
        doc->step_count--;
    }
    doc->steps[doc->step_count++] = step;
    doc->done = doc->step_count;
}

bool oro_undo_commit(struct oro_document *doc, const char *name, const struct oro_change *changes,
                     size_t count, struct oro_error *err)
{
    struct oro_undo_step *step = doc->open ? doc->open : new_step(name);
    if (!step || !reserve_changes(step, count) || !oro_document_reserve(doc, count)) {
        if (step != doc->open)
            free_step(step, true);
        return oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
    }
    memcpy(step->changes + step->count, changes, count * sizeof *changes);
    step->count += count;
    carry_out(doc, changes, count, true);
    if (step != doc->open)
        push(doc, step);
    return true;
}

/* ---- Joining ---- */

static bool only_replaces(const struct oro_undo_step *step)
{
    bool only = true;
    for (size_t i = 0; i < step->count && only; i++)
        only = step->changes[i].before && step->changes[i].after;
    return only;
}

/* If both steps only replace items, places do not change, and the item between two replacements is no longer
 * needed. Takes over the change if it succeeds. */
static bool absorb(struct oro_undo_step *step, size_t hint, const struct oro_change *change)
{
    for (size_t k = 0; k < step->count; k++) {
        struct oro_change *old = &step->changes[(hint + k) % step->count];
        if (old->after != change->before)
            continue;
        oro_item_destroy(old->after);
        old->after = change->after;
        return true;
    }
    return false;
}

bool oro_document_join(struct oro_document *doc, struct oro_error *err)
{
    if (doc->open || doc->done < 2 || doc->done != doc->step_count)
        return oro_fail(err, ORO_E_USAGE, "there are no two steps to join");
    struct oro_undo_step *first = doc->steps[doc->done - 2], *second = doc->steps[doc->done - 1];
    if (!reserve_changes(first, second->count))
        return oro_fail(err, ORO_E_MEMORY, "no memory to join two steps");
    bool simple = only_replaces(first) && only_replaces(second);
    for (size_t i = 0; i < second->count; i++)
        if (!simple || !absorb(first, i, &second->changes[i]))
            first->changes[first->count++] = second->changes[i];
    second->count = 0;
    free_step(second, true);
    doc->done = --doc->step_count;
    return true;
}

void oro_undo_free(struct oro_document *doc)
{
    forget_undone(doc);
    while (doc->step_count > 0)
        free_step(doc->steps[--doc->step_count], true);
    doc->done = 0;
    free_step(doc->open, true);
    doc->open = NULL;
}

bool oro_edit_begin(struct oro_document *doc, const char *name, struct oro_error *err)
{
    struct oro_undo_step *step = doc->open ? doc->open : new_step(name);
    void *begins = step ? step->begins : NULL;
    if (!step || !oro_reserve(&begins, &step->begin_capacity, (size_t)doc->depth + 1, sizeof *step->begins)) {
        if (step != doc->open)
            free_step(step, true);
        return oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
    }
    step->begins = begins;
    step->begins[doc->depth++] = step->count;
    doc->open = step;
    return true;
}

bool oro_edit_end(struct oro_document *doc, struct oro_error *err)
{
    if (doc->depth == 0)
        return oro_fail(err, ORO_E_USAGE, "no edit has begun");
    if (--doc->depth > 0)
        return true;
    struct oro_undo_step *step = doc->open;
    doc->open = NULL;
    if (step->count > 0)
        push(doc, step);
    else
        free_step(step, true);
    return true;
}

bool oro_edit_cancel(struct oro_document *doc, struct oro_error *err)
{
    if (doc->depth == 0)
        return oro_fail(err, ORO_E_USAGE, "no edit has begun");
    struct oro_undo_step *step = doc->open;
    size_t kept = step->begins[--doc->depth];
    if (step->count > kept)
        carry_out(doc, step->changes + kept, step->count - kept, false);
    while (step->count > kept)
        oro_item_destroy(step->changes[--step->count].after);
    if (doc->depth == 0) {
        free_step(step, false);
        doc->open = NULL;
    }
    return true;
}

bool oro_document_can_undo(const struct oro_document *doc, const char **name)
{
    bool can = !doc->open && doc->done > 0;
    if (name)
        *name = can ? doc->steps[doc->done - 1]->name : NULL;
    return can;
}

bool oro_document_can_redo(const struct oro_document *doc, const char **name)
{
    bool can = !doc->open && doc->done < doc->step_count;
    if (name)
        *name = can ? doc->steps[doc->done]->name : NULL;
    return can;
}

bool oro_document_undo(struct oro_document *doc, struct oro_error *err)
{
    if (!oro_document_can_undo(doc, NULL))
        return oro_fail(err, ORO_E_USAGE, doc->open ? "an edit is still open" : "nothing to undo");
    const struct oro_undo_step *step = doc->steps[--doc->done];
    carry_out(doc, step->changes, step->count, false);
    return true;
}

bool oro_document_redo(struct oro_document *doc, struct oro_error *err)
{
    if (!oro_document_can_redo(doc, NULL))
        return oro_fail(err, ORO_E_USAGE, doc->open ? "an edit is still open" : "nothing to redo");
    const struct oro_undo_step *step = doc->steps[doc->done++];
    carry_out(doc, step->changes, step->count, true);
    return true;
}

void oro_document_exchange(struct oro_document *doc, struct oro_document *other)
{
    enum {
        FIRST = offsetof(struct oro_document, other),
        SIZE = offsetof(struct oro_document, stand_ins) - FIRST,
    };
    unsigned char kept[SIZE];
    memcpy(kept, (unsigned char *)doc + FIRST, SIZE);
    memcpy((unsigned char *)doc + FIRST, (unsigned char *)other + FIRST, SIZE);
    memcpy((unsigned char *)other + FIRST, kept, SIZE);
    doc->revision++;
    other->revision++;
}
