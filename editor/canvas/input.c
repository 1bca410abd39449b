/* What the mouse does on the canvas. */
#include <math.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "editor/canvas/state.h"

void ed_canvas_idle(struct ed_canvas *canvas)
{
    struct ed_drag *drag = &canvas->drag;
    drag->kind = ED_DRAG_NOTHING;
    drag->at = (struct ed_hit){0};
    drag->onto = drag->taken = drag->to = drag->unfolded = drag->main = ED_NO_INDEX;
    drag->dx = drag->dy = 0;
    drag->path_count = 0;
}

void ed_canvas_look(struct ed_app *app, size_t item)
{
    const struct oro_doc_node *node = ed_canvas_node(app, item);
    if (node && app->canvas->model.items[item].output_count)
        ed_look_at(app, node->id, NULL);
}

void ed_canvas_enter_node(struct ed_app *app, const char *node)
{
    struct oro_error err;
    struct ed_seen *seen = ed_canvas_seen(app, ed_project_depth(app->project));
    struct ed_seen now;
    snprintf(now.node, sizeof now.node, "%s", app->viewed);
    snprintf(now.output, sizeof now.output, "%s", app->viewed_output);
    if (!ed_project_enter(app->project, node, &err)) {
        ed_failed(app, &err);
        return;
    }
    if (seen)
        *seen = now;
    ed_select(app, NULL, false);
    app->lost.node[0] = '\0';
    ed_look_first(app);
}

static struct ed_hit hit_at(const struct ed_canvas *canvas, struct ui_vec at)
{
    double x, y;
    ed_lens_from(&canvas->camera, at, &x, &y);
    /* The same reach in pixels at any zoom, but never so far that sockets cover their node. */
    double reach = fmin(9 / canvas->camera.zoom, 12);
    struct ed_hit hit = ed_model_hit(&canvas->model, x, y, reach);
    /* What is too small to be drawn is not there: a click on it means the node. */
    int detail = ed_canvas_detail(canvas);
    if (hit.kind == ED_HIT_MORE && detail < 2)
        hit.kind = ED_HIT_BODY;
    if (hit.kind == ED_HIT_EYE && detail < 1)
        hit.kind = ED_HIT_TITLE;
    return hit;
}

/* ---- Pressed ---- */

static void choose(struct ed_app *app, const struct ed_hit *hit)
{
    const struct oro_doc_node *node = ed_canvas_node(app, hit->index);
    struct ed_drag *drag = &app->canvas->drag;
    app->canvas->frame_chosen = ED_NO_INDEX;
    if (!node)
        return;
    drag->was_chosen = ed_selected(app, node->id);
    if (ui_shift() || ui_ctrl()) {
        if (drag->was_chosen)
            ed_names_remove(&app->selection, node->id);
        else
            ed_select(app, node->id, true);
    } else if (!drag->was_chosen) {
        ed_select(app, node->id, false);
    }
}

static void unfold(struct ed_app *app, const struct ed_hit *hit)
{
    struct ed_canvas *canvas = app->canvas;
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

static void twice(struct ed_app *app, const struct ed_hit *hit)
{
    struct ed_canvas *canvas = app->canvas;
    if (hit->kind == ED_HIT_FRAME) {
        ed_text_edit_open(app, "", hit->index);
        return;
    }
    if (hit->kind != ED_HIT_BODY && hit->kind != ED_HIT_TITLE)
        return;
    const struct ed_item *item = &canvas->model.items[hit->index];
    bool name = hit->kind == ED_HIT_TITLE && !item->collapsed && ed_canvas_detail(canvas) > 0;
    if (item->kind == ED_ITEM_NOTE || name)
        ed_text_edit_open(app, item->id, ED_NO_INDEX);
    else if (item->group)
        ed_canvas_enter_node(app, item->id);
    else
        ed_canvas_look(app, hit->index);
    ed_canvas_idle(canvas);
}

static void press_left(struct ed_app *app, const struct ed_hit *hit)
{
    struct ed_canvas *canvas = app->canvas;
    canvas->drag.kind = ED_DRAG_PRESSED;
    if (ui_alt())
        canvas->drag.kind = ED_DRAG_PAN;
    else if (ed_minimap_pointed(canvas, hit))
        canvas->drag.kind = ED_DRAG_MINIMAP;
    else if (hit->kind == ED_HIT_EYE)
        ed_canvas_look(app, hit->index);
    else if (hit->kind == ED_HIT_MORE)
        unfold(app, hit);
    else if (hit->kind == ED_HIT_BODY || hit->kind == ED_HIT_TITLE)
        choose(app, hit);
    else if (hit->kind == ED_HIT_FRAME || hit->kind == ED_HIT_FRAME_CORNER) {
        canvas->frame_chosen = hit->index;
        ed_select(app, NULL, false);
    }
    if (hit->kind == ED_HIT_EYE || hit->kind == ED_HIT_MORE)
        ed_canvas_idle(canvas);
}

static void press(struct ed_app *app, int button)
{
    struct ed_canvas *canvas = app->canvas;
    struct ed_drag *drag = &canvas->drag;
    ed_canvas_idle(canvas);
    drag->button = button;
    drag->pressed = ui_mouse();
    drag->at = canvas->hover;
    ed_lens_from(&canvas->camera, drag->pressed, &drag->x, &drag->y);
    struct ed_hit hit = drag->at;
    if (button == 0 && ui_mouse_double(0))
        twice(app, &hit);
    else if (button == 0)
        press_left(app, &hit);
    else if (button == 2)
        drag->kind = ED_DRAG_PAN;
    else
        drag->kind = ui_ctrl() ? ED_DRAG_CUT : ui_shift() ? ED_DRAG_REROUTE : ED_DRAG_PRESSED;
}

/* ---- Moved ---- */

static void begin_drag(struct ed_app *app)
{
    struct ed_canvas *canvas = app->canvas;
    struct ed_hit hit = canvas->drag.at;
    switch (hit.kind) {
    case ED_HIT_INPUT:
    case ED_HIT_OUTPUT:
        ed_wiring_begin(app, &hit);
        break;
    case ED_HIT_FRAME_CORNER:
        canvas->drag.kind = ED_DRAG_CORNER;
        break;
    case ED_HIT_BODY:
    case ED_HIT_TITLE:
    case ED_HIT_FRAME:
        ed_move_begin(app, ED_DRAG_NODES);
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

/* How far a coordinate is beyond an edge, or nearly so; 0: it is within. */
static float beyond(float at, float low, float size)
{
    float edge = 6 * ui_scale(), most = 120 * ui_scale();
    float by = at < low + edge ? at - low - edge : fmaxf(at - low - size + edge, 0);
    return fminf(fmaxf(by, -most), most);
}

/* What is dragged out of what is seen takes the view along, the faster the farther. */
static void pan_at_edge(struct ed_app *app)
{
    struct ed_canvas *canvas = app->canvas;
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
    app->busy_frames = app->busy_frames > 1 ? app->busy_frames : 1;
}

static void held(struct ed_app *app)
{
    struct ed_canvas *canvas = app->canvas;
    struct ui_vec by = ui_mouse_moved();
    pan_at_edge(app);
    switch (canvas->drag.kind) {
    case ED_DRAG_PRESSED:
        if (canvas->drag.button == 0 && moved(&canvas->drag))
            begin_drag(app);
        break;
    case ED_DRAG_PAN:
        ed_lens_pan(&canvas->camera, by.x, by.y);
        ui_pointer(UI_MOVE);
        break;
    case ED_DRAG_NODES:
    case ED_DRAG_HANG:
        ed_move_update(app);
        break;
    case ED_DRAG_LINK:
        ed_wiring_update(app);
        break;
    case ED_DRAG_CUT:
    case ED_DRAG_REROUTE:
        ed_knife_update(app);
        break;
    case ED_DRAG_CORNER:
        ed_corner_update(app);
        break;
    case ED_DRAG_MINIMAP:
        ed_minimap_drag(app);
        break;
    default:
        break;
    }
}

/* ---- Released ---- */

static void click(struct ed_app *app)
{
    struct ed_drag *drag = &app->canvas->drag;
    enum ed_hit_kind kind = drag->at.kind;
    if (drag->button == 1) {
        ed_context_open(app);
        return;
    }
    bool plain = !ui_shift() && !ui_ctrl();
    if ((kind == ED_HIT_NOTHING || kind == ED_HIT_WIRE) && plain) {
        ed_select(app, NULL, false);
        app->canvas->frame_chosen = ED_NO_INDEX;
    }
    /* One of several that were chosen: a click without a drag leaves it alone. */
    const struct oro_doc_node *node = ed_canvas_node(app, drag->at.index);
    if ((kind == ED_HIT_BODY || kind == ED_HIT_TITLE) && plain && node)
        ed_select(app, node->id, false);
}

static void release(struct ed_app *app)
{
    switch (app->canvas->drag.kind) {
    case ED_DRAG_PRESSED:
        click(app);
        break;
    case ED_DRAG_BOX:
        ed_choose_drop(app);
        break;
    case ED_DRAG_NODES:
    case ED_DRAG_HANG:
        ed_move_drop(app);
        break;
    case ED_DRAG_LINK:
        ed_wiring_drop(app);
        break;
    case ED_DRAG_CUT:
    case ED_DRAG_REROUTE:
        ed_knife_drop(app);
        break;
    case ED_DRAG_CORNER:
        ed_corner_drop(app);
        break;
    default:
        break;
    }
    ed_canvas_idle(app->canvas);
}

static void cancel(struct ed_app *app)
{
    enum ed_drag_kind kind = app->canvas->drag.kind;
    if (kind == ED_DRAG_NODES || kind == ED_DRAG_HANG)
        ed_move_cancel(app);
    else if (kind == ED_DRAG_LINK)
        ed_wiring_cancel(app);
    app->canvas->built &= kind != ED_DRAG_CORNER; /* the model has the size that is not wanted */
    ed_canvas_idle(app->canvas);
}

/* ---- All ---- */

static void zoom(struct ed_canvas *canvas)
{
    float wheel = ui_wheel();
    if (canvas->hovered && wheel != 0)
        ed_lens_zoom(&canvas->camera, ui_mouse(), pow(1.15, (double)wheel));
}

static void hover(struct ed_app *app)
{
    struct ed_canvas *canvas = app->canvas;
    struct ed_hit hit = {0};
    if (canvas->hovered)
        hit = hit_at(canvas, ui_mouse());
    if (ed_minimap_pointed(canvas, &hit))
        hit = (struct ed_hit){0};
    const struct ed_hit *old = &canvas->hover;
    if (hit.kind != old->kind || hit.index != old->index || hit.socket != old->socket)
        canvas->hover_since = app->now;
    canvas->hover = hit;
    if (canvas->drag.kind == ED_DRAG_NOTHING && hit.kind == ED_HIT_FRAME_CORNER)
        ui_pointer(UI_SIZE_X);
    else if (hit.kind == ED_HIT_EYE || hit.kind == ED_HIT_MORE)
        ui_pointer(UI_HAND);
}

static void while_hanging(struct ed_app *app)
{
    ed_move_update(app);
    if (ui_key_pressed(SDL_SCANCODE_ESCAPE) || ui_mouse_pressed(1))
        cancel(app);
    else if ((ui_mouse_pressed(0) && app->canvas->hovered) || ui_key_pressed(SDL_SCANCODE_RETURN))
        release(app);
}

static void begin(struct ed_app *app)
{
    struct ed_canvas *canvas = app->canvas;
    struct ed_drag *drag = &canvas->drag;
    bool held_still = drag->kind == ED_DRAG_PRESSED && drag->button == 0;
    if (!canvas->hovered)
        return;
    /* Where frames are slow, the release between two presses goes unseen. */
    if (ui_mouse_double(0) && (drag->kind == ED_DRAG_NOTHING || held_still)) {
        press(app, 0);
        return;
    }
    for (int button = 0; button < 3 && drag->kind == ED_DRAG_NOTHING; button++)
        if (ui_mouse_pressed(button))
            press(app, button);
}

void ed_canvas_input(struct ed_app *app)
{
    struct ed_canvas *canvas = app->canvas;
    struct ed_drag *drag = &canvas->drag;
    zoom(canvas);
    hover(app);
    if (drag->kind == ED_DRAG_HANG) {
        while_hanging(app);
        return;
    }
    begin(app);
    if (drag->kind == ED_DRAG_NOTHING)
        return;
    bool away = drag->button == 0 && ui_mouse_pressed(1);
    if (drag->kind != ED_DRAG_PRESSED && (ui_key_pressed(SDL_SCANCODE_ESCAPE) || away)) {
        cancel(app);
        return;
    }
    held(app);
    if (!ui_mouse_down(drag->button))
        release(app);
}
