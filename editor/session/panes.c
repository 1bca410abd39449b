#include "editor/session/panes.h"

#include <stdio.h>
#include <string.h>

bool ed_part_shown(const struct ed_session *session, enum ed_pane_part part)
{
    return session->arranged.parts[part].w > 0;
}

enum ed_pane_part ed_part_active(const struct ed_session *session)
{
    if (ed_part_shown(session, session->keys_in))
        return session->keys_in;
    for (enum ed_pane_part part = ED_PART_NONE; part < ED_PARTS; part++)
        if (ui_inside(session->arranged.parts[part], ui_mouse()))
            return part;
    if (ed_part_shown(session, session->pressed))
        return session->pressed;
    return ed_workspace_next(&session->workspace, &session->arranged, ED_PART_NONE, false);
}

void ed_part_show(struct ed_session *session, enum ed_pane_part part)
{
    bool in_a_pane = !ed_workspace_add(&session->workspace, part);
    bool shown = ed_part_shown(session, part);
    if (!shown)
        session->maximised = ED_PART_NONE;
    if (in_a_pane && !shown && !session->maximised) {
        /* There may be no room for its pane: then it gets all. */
        struct ed_arrangement all;
        ed_workspace_arrange(&session->workspace, session->panes_in, ui_scale(), &all);
        session->maximised = all.parts[part].w > 0 ? ED_PART_NONE : part;
    }
}

void ed_part_toggle(struct ed_session *session, enum ed_pane_part part)
{
    if (!ed_part_shown(session, part))
        ed_part_show(session, part);
    else if (session->maximised == part)
        session->maximised = ED_PART_NONE;
    else
        ed_workspace_close(&session->workspace, part);
}

/* ---- Commands */

void ed_panes_maximise(struct ed_session *session)
{
    session->maximised = session->maximised ? ED_PART_NONE : ed_part_active(session);
}

static void split(struct ed_session *session, enum ed_split how)
{
    enum ed_pane_part part = ed_part_active(session), other = ed_workspace_unused(&session->workspace);
    if (!part || !other)
        return;
    session->maximised = ED_PART_NONE;
    ed_workspace_split(&session->workspace, part, how, other, false);
}

void ed_panes_split_across(struct ed_session *session)
{
    split(session, ED_ACROSS);
}

void ed_panes_split_down(struct ed_session *session)
{
    split(session, ED_DOWN);
}

void ed_panes_swap(struct ed_session *session)
{
    enum ed_pane_part part = ed_part_active(session);
    enum ed_pane_part other = ed_workspace_next(&session->workspace, &session->arranged, part, false);
    if (part != other)
        ed_workspace_swap(&session->workspace, part, other);
}

void ed_panes_close(struct ed_session *session)
{
    enum ed_pane_part part = ed_part_active(session);
    session->maximised = ED_PART_NONE;
    ed_workspace_close(&session->workspace, part);
}

static void step(struct ed_session *session, bool back)
{
    enum ed_pane_part part = ed_part_active(session);
    session->keys_in = ed_workspace_next(&session->workspace, &session->arranged, part, back);
    session->keys_moved = true;
}

void ed_panes_next(struct ed_session *session)
{
    step(session, false);
}

void ed_panes_previous(struct ed_session *session)
{
    step(session, true);
}

bool ed_panes_maximised(const struct ed_session *session)
{
    return session->maximised;
}

bool ed_panes_any(const struct ed_session *session)
{
    return ed_part_active(session);
}

bool ed_panes_several(const struct ed_session *session)
{
    return ed_panes_any(session) && session->workspace.count > 1;
}

/* The last of the views that have a pane; ED_PART_NONE: there is one at most. */
static enum ed_pane_part last_of_several(const struct ed_session *session)
{
    int count = 0;
    enum ed_pane_part last = ED_PART_NONE;
    for (enum ed_pane_part part = ED_PART_VIEW; part < ED_PARTS; part++)
        if (ed_workspace_has(&session->workspace, part)) {
            last = part;
            count++;
        }
    return count > 1 ? last : ED_PART_NONE;
}

void ed_panes_split_views(struct ed_session *session)
{
    enum ed_pane_part part = last_of_several(session);
    if (part)
        ed_workspace_close(&session->workspace, part);
    for (part = part ? ED_PARTS : ED_PART_VIEW; part < ED_PARTS; part++)
        if (ed_workspace_add(&session->workspace, part) && last_of_several(session))
            break;
    session->maximised = ED_PART_NONE;
}

bool ed_panes_views_are_split(const struct ed_session *session)
{
    return last_of_several(session);
}

/* ---- Layouts */

bool ed_layout_use(struct ed_session *session, const char *name)
{
    const struct ed_layout *layout = ed_layout_find(&session->settings.layouts, name);
    if (!layout || !ed_workspace_read(&session->workspace, layout->text))
        return false;
    session->maximised = session->keys_in = ED_PART_NONE;
    snprintf(session->settings.layout.name, sizeof session->settings.layout.name, "%s", layout->name);
    return true;
}

bool ed_layout_save(struct ed_session *session, const char *name, struct oro_error *err)
{
    char text[ED_WORKSPACE_TEXT];
    ed_workspace_write(&session->workspace, text);
    if (!ed_layout_keep(&session->settings.layouts, name, text, err))
        return false;
    if (name != session->settings.layout.name)
        snprintf(session->settings.layout.name, sizeof session->settings.layout.name, "%s", name);
    ed_layout_remember(session);
    return ed_settings_save(&session->settings, NULL, err);
}

void ed_layout_save_present(struct ed_session *session)
{
    struct oro_error err = {0};
    ed_tell(session, ed_layout_save(session, session->settings.layout.name, &err), &err);
}

void ed_layout_reset(struct ed_session *session)
{
    if (!ed_layout_use(session, session->settings.layout.name))
        ed_layout_use(session, ed_layout_at(&session->settings.layouts, 0)->name);
}

bool ed_layout_changed(const struct ed_session *session)
{
    const struct ed_layout *layout =
        ed_layout_find(&session->settings.layouts, session->settings.layout.name);
    char text[ED_WORKSPACE_TEXT];
    ed_workspace_write(&session->workspace, text);
    return !layout || strcmp(layout->text, text) != 0;
}

void ed_layout_begin(struct ed_session *session)
{
    if (!ed_workspace_read(&session->workspace, session->settings.layout.text))
        ed_layout_reset(session);
}

void ed_layout_remember(struct ed_session *session)
{
    ed_workspace_write(&session->workspace, session->settings.layout.text);
}
