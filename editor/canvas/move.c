/* Moving nodes and frames, and choosing with a box. A move changes only the model until the button is
 * released: then it becomes one step of the history. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/canvas/canvas.h"
#include "editor/canvas/gestures.h"

/* ---- Nodes and frames ---- */

static bool within(const struct ed_area *box, const struct ed_item *item)
{
    return ed_area_holds(box, item->x + (double)item->w / 2, item->y + (double)item->h / 2);
}

/* A frame takes along what it holds. */
static void mark_frame(struct ed_canvas *canvas, size_t frame)
{
    const struct ed_model *model = &canvas->model;
    const struct ed_area *box = &model->frames[frame].box;
    canvas->frame_moves[frame] = 1;
    for (size_t i = 0; i < model->count; i++)
        canvas->moving[i] |= within(box, &model->items[i]);
    for (size_t i = 0; i < model->frame_count; i++) {
        const struct ed_area *other = &model->frames[i].box;
        if (ed_area_covers(box, other))
            canvas->frame_moves[i] = 1;
    }
}

/* A frame is moved too if all its nodes are, so that what was chosen together stays together. */
static void mark_full_frames(struct ed_canvas *canvas)
{
    const struct ed_model *model = &canvas->model;
    for (size_t f = 0; f < model->frame_count; f++) {
        size_t inside = 0, moving = 0;
        for (size_t i = 0; i < model->count; i++)
            if (within(&model->frames[f].box, &model->items[i])) {
                inside++;
                moving += canvas->moving[i];
            }
        if (inside > 1 && inside == moving)
            canvas->frame_moves[f] = 1;
    }
}

void ed_move_begin(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_drag *drag = &canvas->drag;
    drag->kind = ED_DRAG_NODES;
    drag->dx = drag->dy = 0;
    drag->onto = drag->main = ED_NO_INDEX;
    if (!ed_canvas_refresh_flags(session))
        return;
    drag->kind = ED_DRAG_NODES;
    memset(canvas->moving, 0, canvas->model.count);
    memset(canvas->frame_moves, 0, canvas->model.frame_count);
    if (drag->at.kind == ED_HIT_FRAME) {
        mark_frame(canvas, drag->at.index);
        return;
    }
    memcpy(canvas->moving, canvas->chosen, canvas->model.count);
    if (drag->at.index < canvas->model.count) {
        canvas->moving[drag->at.index] = 1; /* even if a Ctrl+click has just unchosen it */
        drag->main = drag->at.index;
        ed_select(session, canvas->model.items[drag->main].id, true);
        mark_full_frames(canvas);
    }
}

static void shift(struct ed_canvas *canvas, double dx, double dy)
{
    for (size_t i = 0; i < canvas->model.count; i++)
        if (canvas->moving[i]) {
            canvas->model.items[i].x += dx;
            canvas->model.items[i].y += dy;
        }
    for (size_t i = 0; i < canvas->model.frame_count; i++)
        if (canvas->frame_moves[i]) {
            canvas->model.frames[i].box.x0 += dx;
            canvas->model.frames[i].box.x1 += dx;
            canvas->model.frames[i].box.y0 += dy;
            canvas->model.frames[i].box.y1 += dy;
        }
    canvas->drag.dx += dx;
    canvas->drag.dy += dy;
}

/* The corner that snaps to the grid: that of the node or frame that is held, else of any. */
static bool corner(const struct ed_canvas *canvas, double *x, double *y)
{
    const struct ed_model *model = &canvas->model;
    const struct ed_drag *drag = &canvas->drag;
    size_t i = drag->main;
    if (drag->at.kind == ED_HIT_FRAME && drag->at.index < model->frame_count) {
        *x = model->frames[drag->at.index].box.x0;
        *y = model->frames[drag->at.index].box.y0;
        return true;
    }
    for (size_t k = 0; i == ED_NO_INDEX && k < model->count; k++)
        if (canvas->moving[k])
            i = k;
    if (i == ED_NO_INDEX)
        return false;
    *x = model->items[i].x;
    *y = model->items[i].y;
    return true;
}

/* The single node that moves, if it has no links yet: only such a node can be put on a link. */
static size_t single(const struct ed_canvas *canvas)
{
    size_t found = ED_NO_INDEX;
    for (size_t i = 0; i < canvas->model.count; i++)
        if (canvas->moving[i]) {
            if (found != ED_NO_INDEX)
                return ED_NO_INDEX;
            found = i;
        }
    if (found == ED_NO_INDEX || canvas->model.items[found].link_count)
        return ED_NO_INDEX;
    const struct ed_item *item = &canvas->model.items[found];
    return item->input_count && item->output_count ? found : ED_NO_INDEX;
}

void ed_move_update(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_drag *drag = &canvas->drag;
    double x, y, left, top;
    ed_lens_from(&canvas->camera, ui_mouse(), &x, &y);
    double dx = x - drag->x, dy = y - drag->y;
    if (session->settings.snap != ui_ctrl() && corner(canvas, &left, &top)) {
        dx = ed_snapped(left - drag->dx + dx) - (left - drag->dx);
        dy = ed_snapped(top - drag->dy + dy) - (top - drag->dy);
    }
    shift(canvas, dx - drag->dx, dy - drag->dy);
    size_t one = single(canvas);
    drag->onto = ED_NO_INDEX;
    if (one != ED_NO_INDEX) {
        struct ed_area box = ed_item_box(&canvas->model.items[one]);
        drag->onto = ed_wire_under(session, &box, one);
    }
}

void ed_move_cancel(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    bool hangs = canvas->drag.kind == ED_DRAG_HANG;
    shift(canvas, -canvas->drag.dx, -canvas->drag.dy);
    if (hangs)
        ed_gesture_cancel(session->project);
}

static bool move_frames(struct ed_session *session, struct oro_error *err)
{
    struct ed_canvas *canvas = session->canvas;
    bool any = false;
    for (size_t i = 0; i < canvas->model.frame_count; i++)
        any |= canvas->frame_moves[i];
    if (!any)
        return true;
    struct oro_document *doc = ed_edit_begin(session->project, "move frame", err);
    bool ok = doc;
    for (size_t i = 0; ok && i < canvas->model.frame_count && i < oro_document_frame_count(doc); i++) {
        if (!canvas->frame_moves[i])
            continue;
        struct oro_doc_frame frame = *oro_document_frame(doc, i);
        frame.x += canvas->drag.dx;
        frame.y += canvas->drag.dy;
        ok = oro_edit_frame(doc, i, &frame, err);
    }
    return doc && ed_edit_end(session->project, ok, err);
}

static bool insert(struct ed_session *session, struct oro_error *err)
{
    struct ed_canvas *canvas = session->canvas;
    size_t one = canvas->drag.onto == ED_NO_INDEX ? ED_NO_INDEX : single(canvas);
    if (one == ED_NO_INDEX)
        return true;
    const struct ed_wire *wire = &canvas->model.wires[canvas->drag.onto];
    const struct ed_item *to = &canvas->model.items[wire->to];
    struct ed_end input = {to->id, to->inputs[wire->input].name};
    struct ed_sizes sizes = ed_canvas_sizes(session);
    char id[128];
    snprintf(id, sizeof id, "%s", canvas->model.items[one].id);
    return ed_insert_on_link(session->project, id, &input, err) &&
           ed_make_room(session->project, id, &sizes, err);
}

void ed_move_drop(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct oro_error err;
    struct ed_names names = {0};
    bool hangs = canvas->drag.kind == ED_DRAG_HANG, ok = true;
    for (size_t i = 0; ok && i < canvas->model.count; i++)
        if (canvas->moving[i])
            ok = ed_names_add(&names, canvas->model.items[i].id) ||
                 oro_fail(&err, ORO_E_MEMORY, "no memory to move nodes");
    bool still = canvas->drag.dx == 0 && canvas->drag.dy == 0;
    if (!hangs && !still)
        ed_gesture_begin(session->project, "move");
    /* Frames first: the model has the frames' indices of before the nodes' edit. */
    ok = ok && (still || move_frames(session, &err));
    ok = ok &&
         (still || !names.count || ed_move(session->project, &names, canvas->drag.dx, canvas->drag.dy, &err));
    ok = ok && insert(session, &err);
    ed_tell(session, ok, &err);
    if (hangs || !still)
        ed_gesture_end(session->project);
    canvas->built &= ok;
    ed_names_free(&names);
}

/* ---- The box ---- */

struct ed_area ed_drag_box(const struct ed_canvas *canvas)
{
    double x, y;
    ed_lens_from(&canvas->camera, ui_mouse(), &x, &y);
    return (struct ed_area){fmin(x, canvas->drag.x), fmin(y, canvas->drag.y), fmax(x, canvas->drag.x),
                            fmax(y, canvas->drag.y)};
}

void ed_choose_drop(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_area box = ed_drag_box(canvas);
    bool add = ui_shift(), away = ui_ctrl();
    if (!add && !away)
        ed_select(session, NULL, false);
    for (size_t i = 0; i < canvas->model.count; i++) {
        const struct ed_item *item = &canvas->model.items[i];
        struct ed_area there = ed_item_box(item);
        if (!ed_areas_meet(&there, &box))
            continue;
        if (away)
            ed_names_remove(&session->selection, item->id);
        else if (!add || !canvas->chosen[i])
            ed_select(session, item->id, true);
    }
    canvas->frame_chosen = ED_NO_INDEX;
}

/* ---- The corner of a frame ---- */

void ed_corner_update(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    double x, y;
    if (canvas->drag.at.index >= canvas->model.frame_count)
        return;
    struct ed_area *box = &canvas->model.frames[canvas->drag.at.index].box;
    ed_lens_from(&canvas->camera, ui_mouse(), &x, &y);
    if (session->settings.snap != ui_ctrl()) {
        x = ed_snapped(x);
        y = ed_snapped(y);
    }
    box->x1 = fmax(x, box->x0 + 80);
    box->y1 = fmax(y, box->y0 + 60);
    ui_pointer(UI_SIZE_X);
}

void ed_corner_drop(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    size_t index = canvas->drag.at.index;
    struct oro_error err;
    if (index >= canvas->model.frame_count)
        return;
    struct ed_area box = canvas->model.frames[index].box;
    struct oro_document *doc = ed_edit_begin(session->project, "size frame", &err);
    const struct oro_doc_frame *old = doc ? oro_document_frame(doc, index) : NULL;
    struct oro_doc_frame frame = old ? *old : (struct oro_doc_frame){0};
    frame.width = box.x1 - box.x0;
    frame.height = box.y1 - box.y0;
    if (!doc || !ed_edit_end(session->project, oro_edit_frame(doc, index, &frame, &err), &err))
        ed_failed(session, &err);
    canvas->built = false;
}
