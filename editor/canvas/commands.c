/* What menus and keys do on the canvas. */
#include <stdio.h>
#include <string.h>

#include <SDL2/SDL.h>

#include "base/memory.h"
#include "editor/canvas/state.h"

/* What an operation says goes to the user. Nothing chosen: nothing is done. */
static void told(struct ed_app *app, bool ok, const struct oro_error *err)
{
    if (!ok)
        ed_failed(app, err);
}

static void choose_all(struct ed_app *app, const struct ed_names *names)
{
    ed_select(app, NULL, false);
    for (size_t i = 0; i < names->count; i++)
        ed_select(app, names->items[i], true);
}

bool ed_canvas_has_chosen(const struct ed_app *app)
{
    return app->selection.count > 0 || app->canvas->frame_chosen != ED_NO_INDEX;
}

/* ---- What is seen ---- */

void ed_canvas_frame_selected(struct ed_app *app)
{
    struct ed_canvas *canvas = app->canvas;
    struct ed_area box = ed_no_area;
    if (!app->selection.count) {
        ed_canvas_frame_all(app);
        return;
    }
    for (size_t i = 0; ed_canvas_refresh(app) && i < app->selection.count; i++) {
        size_t item = ed_canvas_item(app, app->selection.items[i]);
        if (item == ED_NO_INDEX)
            continue;
        struct ed_area one = ed_item_box(&canvas->model.items[item]);
        ed_area_add(&box, one.x0, one.y0);
        ed_area_add(&box, one.x1, one.y1);
    }
    ed_canvas_fit(app, &box);
}

void ed_canvas_frame_all(struct ed_app *app)
{
    if (ed_canvas_refresh(app))
        ed_canvas_fit(app, &app->canvas->model.bounds);
}

/* ---- The clipboard ---- */

static bool copy(struct ed_app *app)
{
    struct oro_error err;
    if (!app->selection.count)
        return false;
    char *text = ed_copy(app->project, &app->selection, &err);
    bool ok = text && (SDL_SetClipboardText(text) == 0 ||
                       oro_fail(&err, ORO_E_WRITE, "the clipboard cannot be written: %s", SDL_GetError()));
    oro_free(text);
    told(app, ok, &err);
    return ok;
}

void ed_canvas_copy(struct ed_app *app)
{
    copy(app);
}

void ed_canvas_cut(struct ed_app *app)
{
    if (copy(app))
        ed_canvas_delete(app);
}

void ed_canvas_paste(struct ed_app *app)
{
    struct oro_error err;
    struct ed_names added = {0};
    char *text = SDL_GetClipboardText();
    double x, y;
    ed_canvas_place(app, &x, &y);
    if (text && text[0]) {
        bool ok = ed_paste(app->project, text, x, y, false, &added, &err);
        told(app, ok, &err);
        if (ok)
            choose_all(app, &added);
        if (ok && !app->viewed[0])
            ed_look_first(app);
    }
    ed_names_free(&added);
    SDL_free(text);
}

void ed_canvas_duplicate(struct ed_app *app)
{
    struct ed_canvas *canvas = app->canvas;
    struct oro_error err;
    struct ed_names added = {0};
    if (!app->selection.count || canvas->drag.kind != ED_DRAG_NOTHING)
        return;
    ed_gesture_begin(app->project, "duplicate");
    if (!ed_duplicate(app->project, &app->selection, 0, 0, &added, &err)) {
        ed_gesture_cancel(app->project);
        ed_failed(app, &err);
    } else {
        choose_all(app, &added);
        ed_lens_from(&canvas->camera, ui_mouse(), &canvas->drag.x, &canvas->drag.y);
        ed_move_begin(app, ED_DRAG_HANG);
    }
    ed_names_free(&added);
}

/* ---- Nodes ---- */

static void delete_frame(struct ed_app *app)
{
    struct oro_error err;
    size_t frame = app->canvas->frame_chosen;
    struct oro_document *doc = ed_edit_begin(app->project, "remove frame", &err);
    if (!doc || !ed_edit_end(app->project, oro_edit_remove_frame(doc, frame, &err), &err))
        ed_failed(app, &err);
    app->canvas->frame_chosen = ED_NO_INDEX;
}

static void remove_chosen(struct ed_app *app, bool heal)
{
    struct oro_error err;
    if (app->selection.count)
        told(app, ed_delete(app->project, &app->selection, heal, &err), &err);
    else if (app->canvas->frame_chosen != ED_NO_INDEX)
        delete_frame(app);
}

void ed_canvas_delete(struct ed_app *app)
{
    remove_chosen(app, false);
}

void ed_canvas_dissolve(struct ed_app *app)
{
    remove_chosen(app, true);
}

void ed_canvas_mute(struct ed_app *app)
{
    struct oro_error err;
    if (app->selection.count)
        told(app, ed_mute(app->project, &app->selection, &err), &err);
}

void ed_canvas_collapse(struct ed_app *app)
{
    struct oro_error err;
    if (app->selection.count)
        told(app, ed_collapse(app->project, &app->selection, &err), &err);
}

void ed_canvas_rename(struct ed_app *app)
{
    const struct oro_doc_node *node = ed_selected_node(app);
    if (!ed_canvas_refresh(app))
        return;
    if (node)
        ed_text_edit_open(app, node->id, ED_NO_INDEX);
    else if (app->canvas->frame_chosen != ED_NO_INDEX)
        ed_text_edit_open(app, "", app->canvas->frame_chosen);
}

/* ---- Groups ---- */

void ed_canvas_group(struct ed_app *app)
{
    struct oro_error err;
    char id[128];
    if (!app->selection.count)
        return;
    bool ok = ed_group(app->project, &app->selection, "group", id, &err);
    told(app, ok, &err);
    if (ok)
        ed_select(app, id, false);
}

void ed_canvas_ungroup(struct ed_app *app)
{
    struct oro_error err;
    struct ed_names added = {0};
    const struct oro_doc_node *node = ed_selected_node(app);
    if (!node)
        return;
    char id[128];
    snprintf(id, sizeof id, "%s", node->id);
    bool ok = ed_ungroup(app->project, id, &added, &err);
    told(app, ok, &err);
    if (ok)
        choose_all(app, &added);
    ed_names_free(&added);
}

void ed_canvas_enter(struct ed_app *app)
{
    const struct oro_doc_node *node = ed_selected_node(app);
    bool group = node && node->href && node->href[0] == '#';
    if (!group) {
        ed_canvas_leave(app);
        return;
    }
    char id[128];
    snprintf(id, sizeof id, "%s", node->id);
    ed_canvas_enter_node(app, id);
}

struct ed_seen *ed_canvas_seen(struct ed_app *app, size_t depth)
{
    return depth < ED_SEEN_MAX ? &app->canvas->seen[depth] : NULL;
}

void ed_canvas_leave_to(struct ed_app *app, size_t depth)
{
    const struct ed_seen *seen = ed_canvas_seen(app, depth);
    char id[128];
    snprintf(id, sizeof id, "%s", ed_project_way(app->project, depth));
    ed_project_leave(app->project, depth);
    ed_select(app, id, false);
    app->viewed[0] = app->viewed_output[0] = '\0';
    if (seen && seen->node[0])
        ed_look_at(app, seen->node, seen->output);
    if (!app->viewed[0])
        ed_look_at(app, id, NULL);
}

void ed_canvas_leave(struct ed_app *app)
{
    size_t depth = ed_project_depth(app->project);
    if (depth)
        ed_canvas_leave_to(app, depth - 1);
}

/* ---- Places ---- */

void ed_canvas_tidy(struct ed_app *app)
{
    struct oro_error err;
    struct ed_sizes sizes = ed_canvas_sizes(app);
    static const struct ed_names none;
    bool all = app->selection.count < 2; /* there is nothing to arrange about one node */
    told(app, ed_tidy(app->project, all ? &none : &app->selection, &sizes, &err), &err);
    if (all)
        ed_canvas_frame_all(app);
}

void ed_canvas_align(struct ed_app *app, enum ed_align how)
{
    struct oro_error err;
    struct ed_sizes sizes = ed_canvas_sizes(app);
    if (app->selection.count > 1)
        told(app, ed_align(app->project, &app->selection, how, &sizes, &err), &err);
}

void ed_canvas_add_frame(struct ed_app *app)
{
    struct oro_error err;
    struct ed_sizes sizes = ed_canvas_sizes(app);
    if (!app->selection.count)
        return;
    bool ok = ed_frame(app->project, &app->selection, "Frame", &sizes, &err);
    told(app, ok, &err);
    if (!ok || !ed_canvas_refresh(app) || !app->canvas->model.frame_count)
        return;
    app->canvas->frame_chosen = app->canvas->model.frame_count - 1;
    ed_text_edit_open(app, "", app->canvas->frame_chosen);
}
