#include "editor/project/history.h"

#include <string.h>

#include "base/memory.h"

static const size_t foreign_bytes_max = (size_t)256 << 20;

static void forget_step(struct ed_history *history, struct ed_history_step *step)
{
    if (!step->doc) {
        history->bytes -= step->foreign.bytes;
        if (step->foreign.forget)
            step->foreign.forget(step->foreign.user);
    }
    oro_free(step->name);
    *step = (struct ed_history_step){0};
}

void ed_history_forget_undone(struct ed_history *history)
{
    while (history->count > history->done)
        forget_step(history, &history->steps[--history->count]);
}

static void forget_oldest(struct ed_history *history)
{
    history->base_state = history->steps[0].state;
    forget_step(history, &history->steps[0]);
    history->count--;
    history->done--;
    memmove(history->steps, history->steps + 1, history->count * sizeof history->steps[0]);
    history->steps[history->count] = (struct ed_history_step){0};
    if (history->count > 0)
        history->steps[0].joined = false;
    if (history->gesture_steps > history->count)
        history->gesture_steps = history->count;
}

/* Makes room for a step, which becomes the last. */
static struct ed_history_step *push(struct ed_history *history)
{
    if (history->count == ED_HISTORY_STEPS)
        forget_oldest(history);
    struct ed_history_step *step = &history->steps[history->count++];
    history->done = history->count;
    step->joined = history->gesture && history->gesture_steps > 0;
    step->state = ++history->last_state;
    if (history->gesture)
        history->gesture_steps++;
    return step;
}

uint64_t ed_history_state(const struct ed_history *history)
{
    return history->done > 0 ? history->steps[history->done - 1].state : history->base_state;
}

void ed_history_edited(struct ed_history *history, struct oro_document *doc, const char *name)
{
    ed_history_forget_undone(history);
    struct ed_history_step *last = history->count > 0 ? &history->steps[history->count - 1] : NULL;
    bool goes_on = history->gesture && history->gesture_steps > 0 && last && last->doc == doc;
    if (goes_on && oro_document_join(doc, NULL)) {
        last->state = ++history->last_state;
        return;
    }
    struct ed_history_step *step = push(history);
    step->doc = doc;
    /* A step without a name is better than an edit that cannot be undone. */
    step->name = oro_copy_text(history->gesture && history->gesture_name ? history->gesture_name : name);
}

bool ed_history_add(struct ed_history *history, const struct ed_foreign_step *step, struct oro_error *err)
{
    char *name = oro_copy_text(step->name ? step->name : "");
    if (!name) {
        if (step->forget)
            step->forget(step->user);
        return oro_fail(err, ORO_E_MEMORY, "no memory for a step of the history");
    }
    ed_history_forget_undone(history);
    struct ed_history_step *added = push(history);
    added->name = name;
    added->foreign = *step;
    added->foreign.name = NULL;
    history->bytes += step->bytes;
    while (history->bytes > foreign_bytes_max && history->count > 1)
        forget_oldest(history);
    return true;
}

static bool apply(struct ed_history_step *step, bool undo, struct oro_error *err)
{
    if (step->doc)
        return undo ? oro_document_undo(step->doc, err) : oro_document_redo(step->doc, err);
    return step->foreign.apply(step->foreign.user, undo, err);
}

bool ed_history_undo(struct ed_history *history, struct oro_error *err)
{
    if (history->done == 0)
        return oro_fail(err, ORO_E_USAGE, "nothing to undo");
    bool more = true;
    while (more) {
        struct ed_history_step *step = &history->steps[history->done - 1];
        if (!apply(step, true, err))
            return false;
        history->done--;
        more = step->joined && history->done > 0;
    }
    return true;
}

bool ed_history_redo(struct ed_history *history, struct oro_error *err)
{
    if (history->done == history->count)
        return oro_fail(err, ORO_E_USAGE, "nothing to redo");
    do {
        if (!apply(&history->steps[history->done], false, err))
            return false;
        history->done++;
    } while (history->done < history->count && history->steps[history->done].joined);
    return true;
}

void ed_history_clear(struct ed_history *history)
{
    while (history->count > 0)
        forget_step(history, &history->steps[--history->count]);
    history->done = 0;
    history->gesture = false;
    history->gesture_steps = 0;
    oro_free(history->gesture_name);
    history->gesture_name = NULL;
    history->base_state = ++history->last_state;
}

const char *ed_history_name(const struct ed_history *history, bool undo)
{
    size_t first = history->done;
    if (undo ? first == 0 : first == history->count)
        return NULL;
    if (undo)
        first--;
    while (undo && first > 0 && history->steps[first].joined)
        first--;
    const char *name = history->steps[first].name;
    return name ? name : "";
}

size_t ed_history_count(const struct ed_history *history, size_t *done)
{
    size_t count = 0;
    *done = 0;
    for (size_t i = 0; i < history->count; i++) {
        count += !history->steps[i].joined;
        *done += !history->steps[i].joined && i < history->done;
    }
    return count;
}

const char *ed_history_step_name(const struct ed_history *history, size_t step)
{
    for (size_t i = 0; i < history->count; i++)
        if (!history->steps[i].joined && step-- == 0)
            return history->steps[i].name ? history->steps[i].name : "";
    return "";
}
