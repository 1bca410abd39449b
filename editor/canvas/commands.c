/* What menus and keys do on the canvas. */
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL.h>

#include "base/memory.h"
#include "editor/canvas/canvas.h"
#include "editor/canvas/gestures.h"
#include "editor/canvas/over.h"
#include "graph/derived/assets.h"

static void choose_all(struct ed_session *session, const struct ed_names *names)
{
    ed_select(session, NULL, false);
    for (size_t i = 0; i < names->count; i++)
        ed_select(session, names->items[i], true);
}

bool ed_canvas_has_chosen(const struct ed_session *session)
{
    return session->selection.count > 0 || session->canvas->frame_chosen != ED_NO_INDEX;
}

/* ---- What is seen ---- */

void ed_canvas_frame_selected(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_area box = ed_no_area;
    if (!session->selection.count) {
        ed_canvas_frame_all(session);
        return;
    }
    for (size_t i = 0; ed_canvas_refresh(session) && i < session->selection.count; i++) {
        size_t item = ed_canvas_item(session, session->selection.items[i]);
        if (item == ED_NO_INDEX)
            continue;
        struct ed_area one = ed_item_box(&canvas->model.items[item]);
        ed_area_add(&box, one.x0, one.y0);
        ed_area_add(&box, one.x1, one.y1);
    }
    ed_canvas_fit(session, &box);
}

void ed_canvas_frame_all(struct ed_session *session)
{
    if (ed_canvas_refresh(session))
        ed_canvas_fit(session, &session->canvas->model.bounds);
}

/* ---- The clipboard ---- */

static bool copy(struct ed_session *session)
{
    struct oro_error err;
    if (!session->selection.count)
        return false;
    char *text = ed_copy(session->project, &session->selection, &err);
    bool ok = text && (SDL_SetClipboardText(text) == 0 ||
                       oro_fail(&err, ORO_E_WRITE, "the clipboard cannot be written: %s", SDL_GetError()));
    oro_free(text);
    ed_tell(session, ok, &err);
    return ok;
}

void ed_canvas_copy(struct ed_session *session)
{
    copy(session);
}

void ed_canvas_cut(struct ed_session *session)
{
    if (copy(session))
        ed_canvas_delete(session);
}

void ed_canvas_paste(struct ed_session *session)
{
    struct oro_error err;
    struct ed_names added = {0};
    char *text = SDL_GetClipboardText();
    double x, y;
    ed_canvas_place(session, &x, &y);
    if (text && text[0]) {
        bool ok = ed_paste(session->project, text, x, y, false, &added, &err);
        ed_tell(session, ok, &err);
        if (ok)
            choose_all(session, &added);
        if (ok && !session->viewed[0])
            ed_look_first(session);
    }
    ed_names_free(&added);
    SDL_free(text);
}

void ed_canvas_duplicate(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct oro_error err;
    struct ed_names added = {0};
    if (!session->selection.count || canvas->drag.kind != ED_DRAG_NOTHING)
        return;
    ed_gesture_begin(session->project, "duplicate");
    if (!ed_duplicate(session->project, &session->selection, 0, 0, &added, &err)) {
        ed_gesture_cancel(session->project);
        ed_failed(session, &err);
    } else {
        choose_all(session, &added);
        ed_lens_from(&canvas->camera, ui_mouse(), &canvas->drag.x, &canvas->drag.y);
        ed_canvas_hang(session);
    }
    ed_names_free(&added);
}

/* ---- Nodes ---- */

static void delete_frame(struct ed_session *session)
{
    struct oro_error err;
    size_t frame = session->canvas->frame_chosen;
    struct oro_document *doc = ed_edit_begin(session->project, "remove frame", &err);
    if (!doc || !ed_edit_end(session->project, oro_edit_remove_frame(doc, frame, &err), &err))
        ed_failed(session, &err);
    session->canvas->frame_chosen = ED_NO_INDEX;
}

static void remove_chosen(struct ed_session *session, bool heal)
{
    struct oro_error err;
    if (session->selection.count)
        ed_tell(session, ed_delete(session->project, &session->selection, heal, &err), &err);
    else if (session->canvas->frame_chosen != ED_NO_INDEX)
        delete_frame(session);
}

void ed_canvas_delete(struct ed_session *session)
{
    remove_chosen(session, false);
}

void ed_canvas_dissolve(struct ed_session *session)
{
    remove_chosen(session, true);
}

void ed_canvas_mute(struct ed_session *session)
{
    struct oro_error err;
    if (session->selection.count)
        ed_tell(session, ed_mute(session->project, &session->selection, &err), &err);
}

void ed_canvas_collapse(struct ed_session *session)
{
    struct oro_error err;
    if (session->selection.count)
        ed_tell(session, ed_collapse(session->project, &session->selection, &err), &err);
}

void ed_canvas_rename(struct ed_session *session)
{
    const struct oro_doc_node *node = ed_selected_node(session);
    if (!ed_canvas_refresh(session))
        return;
    if (node)
        ed_text_edit_open(session, node->id, ED_NO_INDEX);
    else if (session->canvas->frame_chosen != ED_NO_INDEX)
        ed_text_edit_open(session, "", session->canvas->frame_chosen);
}

/* ---- Groups ---- */

void ed_canvas_group(struct ed_session *session)
{
    struct oro_error err;
    char id[128];
    if (!session->selection.count)
        return;
    bool ok = ed_group(session->project, &session->selection, "group", id, &err);
    ed_tell(session, ok, &err);
    if (ok)
        ed_select(session, id, false);
}

void ed_canvas_ungroup(struct ed_session *session)
{
    struct oro_error err;
    struct ed_names added = {0};
    const struct oro_doc_node *node = ed_selected_node(session);
    if (!node)
        return;
    char id[128];
    snprintf(id, sizeof id, "%s", node->id);
    bool ok = ed_ungroup(session->project, id, &added, &err);
    ed_tell(session, ok, &err);
    if (ok)
        choose_all(session, &added);
    ed_names_free(&added);
}

void ed_canvas_enter(struct ed_session *session)
{
    const struct oro_doc_node *node = ed_selected_node(session);
    if (!node || !oro_node_is_graph(node)) {
        ed_canvas_leave(session);
        return;
    }
    char id[128];
    snprintf(id, sizeof id, "%s", node->id);
    ed_canvas_enter_node(session, id);
}

void ed_canvas_leave_to(struct ed_session *session, size_t depth)
{
    const struct ed_seen *seen = ed_canvas_seen(session, depth);
    char id[128];
    snprintf(id, sizeof id, "%s", ed_project_entered(session->project, depth));
    ed_project_leave(session->project, depth);
    ed_select(session, id, false);
    session->viewed[0] = session->viewed_output[0] = '\0';
    if (seen && seen->node[0])
        ed_look_at(session, seen->node, seen->output);
    if (!session->viewed[0])
        ed_look_at(session, id, NULL);
}

void ed_canvas_leave(struct ed_session *session)
{
    size_t depth = ed_project_depth(session->project);
    if (depth)
        ed_canvas_leave_to(session, depth - 1);
}

/* ---- Places ---- */

void ed_canvas_tidy(struct ed_session *session)
{
    struct oro_error err;
    struct ed_sizes sizes = ed_canvas_sizes(session);
    static const struct ed_names none;
    bool all = session->selection.count < 2; /* a single node has nothing to be arranged with */
    ed_tell(session, ed_tidy(session->project, all ? &none : &session->selection, &sizes, &err), &err);
    if (all)
        ed_canvas_frame_all(session);
}

void ed_canvas_align(struct ed_session *session, enum ed_align how)
{
    struct oro_error err;
    struct ed_sizes sizes = ed_canvas_sizes(session);
    if (session->selection.count > 1)
        ed_tell(session, ed_align(session->project, &session->selection, how, &sizes, &err), &err);
}

void ed_canvas_add_frame(struct ed_session *session)
{
    struct oro_error err;
    struct ed_sizes sizes = ed_canvas_sizes(session);
    if (!session->selection.count)
        return;
    bool ok = ed_frame(session->project, &session->selection, "Frame", &sizes, &err);
    ed_tell(session, ok, &err);
    if (!ok || !ed_canvas_refresh(session) || !session->canvas->model.frame_count)
        return;
    session->canvas->frame_chosen = session->canvas->model.frame_count - 1;
    ed_text_edit_open(session, "", session->canvas->frame_chosen);
}
