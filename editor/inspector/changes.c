/* Changes that widgets ask for, kept until everything is drawn; and what was typed and refused. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/inspector/fields.h"

/* ---- The queue ---- */

void ed_change_lost(struct ed_session *session)
{
    struct oro_error err = {0};
    oro_fail(&err, ORO_E_MEMORY, "no memory for this change");
    ed_failed(session, &err);
}

void ed_later(struct ed_session *session, const struct ed_change *change)
{
    struct ed_inspector *inspector = session->inspector;
    struct ed_queued queued = {.act = change->act, .text = oro_copy_text(change->text)};
    void *items = inspector->queue;
    bool room = oro_reserve(&items, &inspector->queue_capacity, inspector->queued + 1, sizeof queued);
    inspector->queue = items;
    if (!room || (change->text && !queued.text)) { /* rather do nothing than set the default */
        oro_free(queued.text);
        ed_change_lost(session);
        return;
    }
    snprintf(queued.id, sizeof queued.id, "%s", change->id ? change->id : "");
    snprintf(queued.part, sizeof queued.part, "%s", change->part ? change->part : "");
    snprintf(queued.output, sizeof queued.output, "%s", change->output ? change->output : "");
    inspector->queue[inspector->queued++] = queued;
}

void ed_later_run(struct ed_session *session)
{
    struct ed_inspector *inspector = session->inspector;
    if (inspector->queued)
        ed_wake(session);
    for (size_t i = 0; i < inspector->queued; i++) {
        struct ed_queued queued = inspector->queue[i]; /* a copy: the queue may grow meanwhile */
        queued.act(session,
                   &(struct ed_change){
                       .id = queued.id, .part = queued.part, .text = queued.text, .output = queued.output});
        oro_free(queued.text);
    }
    inspector->queued = 0;
}

void ed_act_begin(struct ed_session *session, const struct ed_change *change)
{
    ed_gesture_begin(session->project, change->text ? change->text : "Change");
    session->inspector->gesture = true;
}

void ed_act_end(struct ed_session *session, const struct ed_change *change)
{
    (void)change;
    ed_gesture_end(session->project);
    session->inspector->gesture = false;
}

void ed_act_cancel(struct ed_session *session, const struct ed_change *change)
{
    (void)change;
    ed_gesture_cancel(session->project);
    session->inspector->gesture = false;
}

/* ---- What was refused ---- */

static struct ed_refused *find_refused(const struct ed_session *session, const char *id, const char *part)
{
    for (int i = 0; i < ED_REFUSED_MAX; i++) {
        struct ed_refused *refused = &session->inspector->refused[i];
        if (refused->why[0] && strcmp(refused->id, id) == 0 && strcmp(refused->part, part) == 0)
            return refused;
    }
    return NULL;
}

void ed_refuse(struct ed_session *session, const struct ed_change *change, const char *why)
{
    struct ed_inspector *inspector = session->inspector;
    struct ed_refused *refused = find_refused(session, change->id, change->part);
    if (!refused) {
        refused = &inspector->refused[inspector->refused_next];
        inspector->refused_next = (inspector->refused_next + 1) % ED_REFUSED_MAX;
    }
    snprintf(refused->id, sizeof refused->id, "%s", change->id);
    snprintf(refused->part, sizeof refused->part, "%s", change->part);
    snprintf(refused->text, sizeof refused->text, "%s", change->text ? change->text : "");
    snprintf(refused->why, sizeof refused->why, "%s", why);
}

const char *ed_refused_text(const struct ed_session *session, const char *id, const char *part)
{
    const struct ed_refused *refused = find_refused(session, id, part);
    return refused ? refused->text : NULL;
}

void ed_unrefuse(struct ed_session *session, const char *id, const char *part)
{
    struct ed_refused *refused = find_refused(session, id, part);
    if (refused)
        *refused = (struct ed_refused){0};
}

void ed_refused_forget(struct ed_inspector *inspector)
{
    memset(inspector->refused, 0, sizeof inspector->refused);
}

void ed_reason_draw(const char *why)
{
    struct ui_rect left = ui_content();
    struct ui_vec size = ui_text_extent(UI_SMALL, 0, why, left.w);
    struct ui_vec at = {left.x, left.y};
    ui_draw_text_wrapped(ui_draw_here(), UI_SMALL, 0, at, ui_colour(UI_BAD), why, left.w);
    ui_dummy(left.w, size.y + 2 * ui_scale());
}

void ed_refused_draw(struct ed_session *session, const char *id, const char *part)
{
    const struct ed_refused *refused = find_refused(session, id, part);
    char key[300];
    if (!refused)
        return;
    ed_reason_draw(refused->why);
    snprintf(key, sizeof key, "refused:%s.%s", id, part);
    ed_describe_state(key, "%s", refused->why);
}
