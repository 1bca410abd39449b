/* Drawing links with the mouse. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/canvas/gestures.h"

static struct ed_socket *fixed(struct ed_canvas *canvas)
{
    struct ed_item *item = &canvas->model.items[canvas->drag.item];
    return canvas->drag.from_output ? &item->outputs[canvas->drag.socket]
                                    : &item->inputs[canvas->drag.socket];
}

static void forget_fits(struct ed_model *model)
{
    for (size_t i = 0; i < model->count; i++) {
        for (size_t k = 0; k < model->items[i].input_count; k++)
            model->items[i].inputs[k].fit = ED_FIT_UNKNOWN;
        for (size_t k = 0; k < model->items[i].output_count; k++)
            model->items[i].outputs[k].fit = ED_FIT_UNKNOWN;
    }
}

/* A drag from a linked input takes its link off: the end that was there moves. */
static bool take_off(struct ed_canvas *canvas, const struct ed_hit *hit)
{
    for (size_t i = 0; hit->kind == ED_HIT_INPUT && i < canvas->model.wire_count; i++) {
        const struct ed_wire *wire = &canvas->model.wires[i];
        if (wire->to != hit->index || wire->input != hit->socket || wire->output == ED_NO_INDEX)
            continue;
        canvas->drag.taken = i;
        canvas->drag.from_output = true;
        canvas->drag.item = wire->from;
        canvas->drag.socket = wire->output;
        return true;
    }
    return false;
}

void ed_wiring_begin(struct ed_session *session, const struct ed_hit *hit)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_drag *drag = &canvas->drag;
    struct ed_item *item = &canvas->model.items[hit->index];
    size_t count = hit->kind == ED_HIT_OUTPUT ? item->output_count : item->input_count;
    if (hit->socket >= count) {
        ed_canvas_idle(canvas);
        return;
    }
    drag->kind = ED_DRAG_LINK;
    drag->to = drag->taken = drag->unfolded = ED_NO_INDEX;
    if (!take_off(canvas, hit)) {
        drag->from_output = hit->kind == ED_HIT_OUTPUT;
        drag->item = hit->index;
        drag->socket = hit->socket;
    }
    forget_fits(&canvas->model);
    ed_model_reach(&canvas->model, drag->item, drag->from_output, canvas->reach);
}

static void ends(struct ed_canvas *canvas, size_t item, size_t socket, struct ed_end *from, struct ed_end *to)
{
    struct ed_item *there = &canvas->model.items[item];
    struct ed_end own = {canvas->model.items[canvas->drag.item].id, fixed(canvas)->name};
    bool output = canvas->drag.from_output;
    struct ed_end other = {there->id, output ? there->inputs[socket].name : there->outputs[socket].name};
    *from = output ? own : other;
    *to = output ? other : own;
}

bool ed_wiring_fits(struct ed_session *session, size_t index, bool output, size_t number)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_item *item = &canvas->model.items[index];
    if (output == canvas->drag.from_output || canvas->reach[index])
        return false;
    struct ed_socket *socket = output ? &item->outputs[number] : &item->inputs[number];
    if (socket->fit == ED_FIT_UNKNOWN) {
        struct ed_end from, to;
        ends(canvas, index, number, &from, &to);
        bool fits = output ? ed_sockets_fit(socket, fixed(canvas)) : ed_sockets_fit(fixed(canvas), socket);
        socket->fit = fits && ed_can_link(session->project, &from, &to) ? ED_FIT_YES : ED_FIT_NO;
    }
    return socket->fit == ED_FIT_YES;
}

/* ---- Where it would end ---- */

static void nearest(struct ed_session *session, size_t index, double x, double y, double *least)
{
    struct ed_drag *drag = &session->canvas->drag;
    const struct ed_item *item = &session->canvas->model.items[index];
    bool output = !drag->from_output;
    const struct ed_socket *sockets = output ? item->outputs : item->inputs;
    size_t count = output ? item->output_count : item->input_count;
    for (size_t i = 0; i < count; i++) {
        double sx, sy;
        ed_socket_place(item, &sockets[i], &sx, &sy);
        double distance = hypot(sx - x, sy - y);
        if (!sockets[i].shown || distance >= *least || !ed_wiring_fits(session, index, output, i))
            continue;
        *least = distance;
        drag->to = index;
        drag->to_socket = i;
    }
}

/* The socket of a node that a link was dropped on: preferably a free one of the same name, then one that is
 * required and free, then a free one, then any that fits. */
static void first_fitting(struct ed_session *session, size_t index)
{
    struct ed_drag *drag = &session->canvas->drag;
    const struct ed_item *item = &session->canvas->model.items[index];
    bool output = !drag->from_output;
    const struct ed_socket *sockets = output ? item->outputs : item->inputs;
    size_t count = output ? item->output_count : item->input_count;
    const char *name = fixed(session->canvas)->name;
    int best = 4;
    for (size_t i = 0; i < count; i++) {
        bool map = sockets[i].input && sockets[i].input->type == ORO_FLOAT;
        bool alike = sockets[i].input && ed_is_namesake(sockets[i].input, name);
        int rank = output || (alike && !sockets[i].linked) ? -1
                   : sockets[i].linked                     ? 3
                   : sockets[i].needed                     ? 0
                   : map                                   ? 2
                                                           : 1;
        if (rank >= best || !ed_wiring_fits(session, index, output, i))
            continue;
        best = rank;
        drag->to = index;
        drag->to_socket = i;
    }
}

static bool over(const struct ed_item *item, double x, double y, double margin)
{
    struct ed_area box = ed_item_box(item);
    box = (struct ed_area){box.x0 - margin, box.y0 - margin, box.x1 + margin, box.y1 + margin};
    return ed_area_holds(&box, x, y);
}

/* The node under the pointer unfolds all inputs that the link could go to. */
static void unfold(struct ed_session *session, size_t index)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_drag *drag = &canvas->drag;
    if (drag->unfolded == index || !drag->from_output)
        return;
    if (drag->unfolded != ED_NO_INDEX)
        ed_item_layout(&canvas->model.items[drag->unfolded], canvas->model.items[drag->unfolded].unfolded);
    drag->unfolded = index;
    if (index != ED_NO_INDEX)
        ed_item_layout(&canvas->model.items[index], true);
}

static size_t body_under(const struct ed_canvas *canvas, double x, double y)
{
    for (size_t i = canvas->model.count; i-- > 0;)
        if (over(&canvas->model.items[i], x, y, i == canvas->drag.unfolded ? 16 : 0))
            return i;
    return ED_NO_INDEX;
}

void ed_wiring_update(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_drag *drag = &canvas->drag;
    double x, y, least = fmin(28 / canvas->camera.zoom, 60);
    ed_lens_from(&canvas->camera, ui_mouse(), &x, &y);
    size_t body = body_under(canvas, x, y);
    unfold(session, body != ED_NO_INDEX && !canvas->reach[body] ? body : ED_NO_INDEX);
    drag->to = ED_NO_INDEX;
    for (size_t i = 0; i < canvas->model.count; i++)
        if (over(&canvas->model.items[i], x, y, least))
            nearest(session, i, x, y, &least);
    if (drag->to == ED_NO_INDEX && body != ED_NO_INDEX)
        first_fitting(session, body);
    if (drag->to == ED_NO_INDEX && body != ED_NO_INDEX && body != drag->item)
        ui_pointer(UI_NO);
}

/* ---- Its end ---- */

static bool drop_on(struct ed_session *session, struct oro_error *err)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_drag *drag = &canvas->drag;
    struct ed_end from, to, old = {0};
    ends(canvas, drag->to, drag->to_socket, &from, &to);
    if (drag->taken == ED_NO_INDEX)
        return ed_link(session->project, &from, &to, err);
    const struct ed_wire *wire = &canvas->model.wires[drag->taken];
    if (wire->to == drag->to && wire->input == drag->to_socket)
        return true;
    const struct ed_item *was = &canvas->model.items[wire->to];
    old = (struct ed_end){was->id, was->inputs[wire->input].name};
    ed_gesture_begin(session->project, "move link");
    bool ok = ed_unlink(session->project, &old, 1, err) && ed_link(session->project, &from, &to, err);
    if (ok)
        ed_gesture_end(session->project);
    else
        ed_gesture_cancel(session->project);
    return ok;
}

static bool drop_nowhere(struct ed_session *session, struct oro_error *err)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_drag *drag = &canvas->drag;
    struct ed_end own = {canvas->model.items[drag->item].id, fixed(canvas)->name};
    double x, y;
    if (drag->taken != ED_NO_INDEX) {
        const struct ed_wire *wire = &canvas->model.wires[drag->taken];
        const struct ed_item *was = &canvas->model.items[wire->to];
        struct ed_end old = {was->id, was->inputs[wire->input].name};
        return ed_unlink(session->project, &old, 1, err);
    }
    ed_lens_from(&canvas->camera, ui_mouse(), &x, &y);
    if (!ui_inside(canvas->camera.rect, ui_mouse()) || body_under(canvas, x, y) != ED_NO_INDEX)
        return true;
    if (!drag->from_output)
        x -= ED_NODE_WIDTH;
    if (session->settings.snap) {
        x = ed_snapped(x);
        y = ed_snapped(y);
    }
    session->services->search_node(session, ui_mouse(), x, y, drag->from_output ? &own : NULL,
                                   drag->from_output ? NULL : &own);
    return true;
}

void ed_wiring_cancel(struct ed_session *session)
{
    unfold(session, ED_NO_INDEX);
}

void ed_wiring_drop(struct ed_session *session)
{
    struct oro_error err;
    bool ok = session->canvas->drag.to == ED_NO_INDEX ? drop_nowhere(session, &err) : drop_on(session, &err);
    ed_tell(session, ok, &err);
    unfold(session, ED_NO_INDEX);
}
