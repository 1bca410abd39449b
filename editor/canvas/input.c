/* What the mouse does on the canvas. */
#include <math.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/canvas/canvas.h"
#include "editor/canvas/gestures.h"
#include "editor/canvas/over.h"

void ed_canvas_look(struct ed_session *session, size_t item)
{
    const struct oro_doc_node *node = ed_canvas_node(session, item);
    if (node && session->canvas->model.items[item].output_count)
        ed_look_at(session, node->id, NULL);
}

void ed_canvas_enter_node(struct ed_session *session, const char *node)
{
    struct oro_error err;
    struct ed_seen *seen = ed_canvas_seen(session, ed_project_depth(session->project));
    struct ed_seen now;
    snprintf(now.node, sizeof now.node, "%s", session->viewed);
    snprintf(now.output, sizeof now.output, "%s", session->viewed_output);
    if (!ed_project_enter(session->project, node, &err)) {
        ed_failed(session, &err);
        return;
    }
    if (seen)
        *seen = now;
    ed_select(session, NULL, false);
    session->lost.node[0] = '\0';
    ed_look_first(session);
}

static struct ed_hit hit_at(const struct ed_canvas *canvas, struct ui_vec at)
{
    double x, y;
    ed_lens_from(&canvas->camera, at, &x, &y);
    /* The reach is the same in pixels at any zoom, but never so large that sockets cover their node. */
    double reach = fmin(9 / canvas->camera.zoom, 12);
    struct ed_hit hit = ed_model_hit(&canvas->model, x, y, reach);
    /* A part of a node that is too small to be drawn cannot be hit: the click is for the node. */
    int detail = ed_canvas_detail(canvas);
    if (hit.kind == ED_HIT_MORE && detail < 2)
        hit.kind = ED_HIT_BODY;
    if (hit.kind == ED_HIT_EYE && detail < 1)
        hit.kind = ED_HIT_TITLE;
    return hit;
}

/* ---- Pressed ---- */

static void choose(struct ed_session *session, const struct ed_hit *hit)
{
    const struct oro_doc_node *node = ed_canvas_node(session, hit->index);
    struct ed_drag *drag = &session->canvas->drag;
    session->canvas->frame_chosen = ED_NO_INDEX;
    if (!node)
        return;
    drag->was_chosen = ed_selected(session, node->id);
    if (ui_shift() || ui_ctrl()) {
        if (drag->was_chosen)
            ed_names_remove(&session->selection, node->id);
        else
            ed_select(session, node->id, true);
    } else if (!drag->was_chosen) {
        ed_select(session, node->id, false);
    }
}

static void unfold(struct ed_session *session, const struct ed_hit *hit)
{
    struct ed_canvas *canvas = session->canvas;
    const char *id = canvas->model.items[hit->index].id;
    char name[128];
    strncpy(name, id, sizeof name - 1);
    name[sizeof name - 1] = '\0';
    if (ed_names_have(&canvas->unfolded, name))
        ed_names_remove(&canvas->unfolded, name);
    else
        ed_names_add(&canvas->unfolded, name);
    canvas->built = false;
}

static void twice(struct ed_session *session, const struct ed_hit *hit)
{
    struct ed_canvas *canvas = session->canvas;
    if (hit->kind == ED_HIT_FRAME) {
        ed_text_edit_open(session, "", hit->index);
        return;
    }
    if (hit->kind != ED_HIT_BODY && hit->kind != ED_HIT_TITLE)
        return;
    const struct ed_item *item = &canvas->model.items[hit->index];
    bool name = hit->kind == ED_HIT_TITLE && !item->collapsed && ed_canvas_detail(canvas) > 0;
    if (item->kind == ED_ITEM_NOTE || name)
        ed_text_edit_open(session, item->id, ED_NO_INDEX);
    else if (item->graph)
        ed_canvas_enter_node(session, item->id);
    else
        ed_canvas_look(session, hit->index);
    ed_canvas_idle(canvas);
}

static void press_left(struct ed_session *session, const struct ed_hit *hit)
{
    struct ed_canvas *canvas = session->canvas;
    canvas->drag.kind = ED_DRAG_PRESSED;
    if (ui_alt())
        canvas->drag.kind = ED_DRAG_PAN;
    else if (ed_minimap_pointed(canvas, hit))
        canvas->drag.kind = ED_DRAG_MINIMAP;
    else if (hit->kind == ED_HIT_EYE)
        ed_canvas_look(session, hit->index);
    else if (hit->kind == ED_HIT_MORE)
        unfold(session, hit);
    else if (hit->kind == ED_HIT_BODY || hit->kind == ED_HIT_TITLE)
        choose(session, hit);
    else if (hit->kind == ED_HIT_FRAME || hit->kind == ED_HIT_FRAME_CORNER) {
        canvas->frame_chosen = hit->index;
        ed_select(session, NULL, false);
    }
    if (hit->kind == ED_HIT_EYE || hit->kind == ED_HIT_MORE)
        ed_canvas_idle(canvas);
}

static void press(struct ed_session *session, int button)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_drag *drag = &canvas->drag;
    ed_canvas_idle(canvas);
    drag->button = button;
    drag->pressed = ui_mouse();
    drag->at = canvas->hover;
    ed_lens_from(&canvas->camera, drag->pressed, &drag->x, &drag->y);
    struct ed_hit hit = drag->at;
    if (button == 0 && ui_mouse_double(0))
        twice(session, &hit);
    else if (button == 0)
        press_left(session, &hit);
    else if (button == 2)
        drag->kind = ED_DRAG_PAN;
    else
        drag->kind = ui_ctrl() ? ED_DRAG_CUT : ui_shift() ? ED_DRAG_REROUTE : ED_DRAG_PRESSED;
}

/* ---- Moved ---- */

static void begin_drag(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_hit hit = canvas->drag.at;
    switch (hit.kind) {
    case ED_HIT_INPUT:
    case ED_HIT_OUTPUT:
        ed_wiring_begin(session, &hit);
        break;
    case ED_HIT_FRAME_CORNER:
        canvas->drag.kind = ED_DRAG_CORNER;
        break;
    case ED_HIT_BODY:
    case ED_HIT_TITLE:
    case ED_HIT_FRAME:
        ed_move_begin(session);
        break;
    default:
        canvas->drag.kind = ED_DRAG_BOX;
    }
}

static bool moved(const struct ed_drag *drag)
{
    struct ui_vec at = ui_mouse();
    return fabsf(at.x - drag->pressed.x) + fabsf(at.y - drag->pressed.y) > 4 * ui_scale();
}

/* How far a coordinate is beyond an edge or close to it; 0: it is well within. */
static float beyond(float at, float low, float size)
{
    float edge = 6 * ui_scale(), most = 120 * ui_scale();
    float by = at < low + edge ? at - low - edge : fmaxf(at - low - size + edge, 0);
    return fminf(fmaxf(by, -most), most);
}

/* A drag beyond the edge scrolls the view, the faster the farther it goes. */
static void pan_at_edge(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    const struct ui_rect *rect = &canvas->camera.rect;
    enum ed_drag_kind kind = canvas->drag.kind;
    struct ui_vec at = ui_mouse();
    float x = beyond(at.x, rect->x, rect->w), y = beyond(at.y, rect->y, rect->h);
    bool follows =
        kind == ED_DRAG_NODES || kind == ED_DRAG_LINK || kind == ED_DRAG_BOX || kind == ED_DRAG_CORNER;
    if (!follows || (x == 0 && y == 0))
        return;
    float pace = 8 * fminf(ui_delta(), 0.1f);
    ed_lens_pan(&canvas->camera, -x * pace, -y * pace);
    session->busy_frames = session->busy_frames > 1 ? session->busy_frames : 1;
}

static void held(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ui_vec by = ui_mouse_moved();
    pan_at_edge(session);
    switch (canvas->drag.kind) {
    case ED_DRAG_PRESSED:
        if (canvas->drag.button == 0 && moved(&canvas->drag))
            begin_drag(session);
        break;
    case ED_DRAG_PAN:
        ed_lens_pan(&canvas->camera, by.x, by.y);
        ui_pointer(UI_MOVE);
        break;
    case ED_DRAG_NODES:
    case ED_DRAG_HANG:
        ed_move_update(session);
        break;
    case ED_DRAG_LINK:
        ed_wiring_update(session);
        break;
    case ED_DRAG_CUT:
    case ED_DRAG_REROUTE:
        ed_knife_update(session);
        break;
    case ED_DRAG_CORNER:
        ed_corner_update(session);
        break;
    case ED_DRAG_MINIMAP:
        ed_minimap_drag(session);
        break;
    default:
        break;
    }
}

/* ---- Released ---- */

static void click(struct ed_session *session)
{
    struct ed_drag *drag = &session->canvas->drag;
    enum ed_hit_kind kind = drag->at.kind;
    if (drag->button == 1) {
        ed_context_open(session);
        return;
    }
    bool plain = !ui_shift() && !ui_ctrl();
    if ((kind == ED_HIT_NOTHING || kind == ED_HIT_WIRE) && plain) {
        ed_select(session, NULL, false);
        session->canvas->frame_chosen = ED_NO_INDEX;
    }
    /* The node is one of several chosen ones: a click without a drag chooses it alone. */
    const struct oro_doc_node *node = ed_canvas_node(session, drag->at.index);
    if ((kind == ED_HIT_BODY || kind == ED_HIT_TITLE) && plain && node)
        ed_select(session, node->id, false);
}

static void release(struct ed_session *session)
{
    switch (session->canvas->drag.kind) {
    case ED_DRAG_PRESSED:
        click(session);
        break;
    case ED_DRAG_BOX:
        ed_choose_drop(session);
        break;
    case ED_DRAG_NODES:
    case ED_DRAG_HANG:
        ed_move_drop(session);
        break;
    case ED_DRAG_LINK:
        ed_wiring_drop(session);
        break;
    case ED_DRAG_CUT:
    case ED_DRAG_REROUTE:
        ed_knife_drop(session);
        break;
    case ED_DRAG_CORNER:
        ed_corner_drop(session);
        break;
    default:
        break;
    }
    ed_canvas_idle(session->canvas);
}

static void cancel(struct ed_session *session)
{
    enum ed_drag_kind kind = session->canvas->drag.kind;
    if (kind == ED_DRAG_NODES || kind == ED_DRAG_HANG)
        ed_move_cancel(session);
    else if (kind == ED_DRAG_LINK)
        ed_wiring_cancel(session);
    session->canvas->built &= kind != ED_DRAG_CORNER; /* the model still has the cancelled size */
    ed_canvas_idle(session->canvas);
}

/* ---- All ---- */

static void zoom(struct ed_canvas *canvas)
{
    float wheel = ui_wheel();
    if (canvas->hovered && wheel != 0)
        ed_lens_zoom(&canvas->camera, ui_mouse(), pow(1.15, (double)wheel));
}

static void hover(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_hit hit = {0};
    if (canvas->hovered)
        hit = hit_at(canvas, ui_mouse());
    if (ed_minimap_pointed(canvas, &hit))
        hit = (struct ed_hit){0};
    const struct ed_hit *old = &canvas->hover;
    if (hit.kind != old->kind || hit.index != old->index || hit.socket != old->socket)
        canvas->hover_since = session->now;
    canvas->hover = hit;
    if (canvas->drag.kind == ED_DRAG_NOTHING && hit.kind == ED_HIT_FRAME_CORNER)
        ui_pointer(UI_SIZE_X);
    else if (hit.kind == ED_HIT_EYE || hit.kind == ED_HIT_MORE)
        ui_pointer(UI_HAND);
}

static void while_hanging(struct ed_session *session)
{
    ed_move_update(session);
    if (ui_key_pressed(SDL_SCANCODE_ESCAPE) || ui_mouse_pressed(1))
        cancel(session);
    else if ((ui_mouse_pressed(0) && session->canvas->hovered) || ui_key_pressed(SDL_SCANCODE_RETURN))
        release(session);
}

static void begin(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_drag *drag = &canvas->drag;
    bool held_still = drag->kind == ED_DRAG_PRESSED && drag->button == 0;
    if (!canvas->hovered)
        return;
    /* When frames are slow, a release between two presses is not seen. */
    if (ui_mouse_double(0) && (drag->kind == ED_DRAG_NOTHING || held_still)) {
        press(session, 0);
        return;
    }
    for (int button = 0; button < 3 && drag->kind == ED_DRAG_NOTHING; button++)
        if (ui_mouse_pressed(button))
            press(session, button);
}

void ed_canvas_input(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_drag *drag = &canvas->drag;
    zoom(canvas);
    hover(session);
    if (drag->kind == ED_DRAG_HANG) {
        while_hanging(session);
        return;
    }
    begin(session);
    if (drag->kind == ED_DRAG_NOTHING)
        return;
    bool away = drag->button == 0 && ui_mouse_pressed(1);
    if (drag->kind != ED_DRAG_PRESSED && (ui_key_pressed(SDL_SCANCODE_ESCAPE) || away)) {
        cancel(session);
        return;
    }
    held(session);
    if (!ui_mouse_down(drag->button))
        release(session);
}
