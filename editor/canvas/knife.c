/* A line drawn across links: cuts them, or puts reroutes on them. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "editor/canvas/gestures.h"

static bool crossing(const struct ed_canvas *canvas, size_t wire, double *x, double *y)
{
    const struct ed_drag *drag = &canvas->drag;
    struct ed_curve curve;
    if (!ed_wire_curve(&canvas->model, &canvas->model.wires[wire], &curve) && drag->kind == ED_DRAG_REROUTE)
        return false;
    struct ed_area box = ed_curve_box(&curve), path = ed_no_area;
    for (size_t i = 0; i < drag->path_count; i++)
        ed_area_add(&path, drag->path[i][0], drag->path[i][1]);
    if (!ed_areas_meet(&box, &path))
        return false;
    for (size_t i = 1; i < drag->path_count; i++)
        if (ed_curve_crossed(&curve, drag->path[i - 1][0], drag->path[i - 1][1], drag->path[i][0],
                             drag->path[i][1], x, y))
            return true;
    return false;
}

static void add_point(struct ed_drag *drag, double x, double y)
{
    if (drag->path_count == ED_PATH_MAX) { /* of a long line, every other point is enough */
        for (size_t i = 0; i < ED_PATH_MAX / 2; i++)
            memcpy(drag->path[i], drag->path[2 * i], sizeof drag->path[i]);
        drag->path_count = ED_PATH_MAX / 2;
    }
    drag->path[drag->path_count][0] = x;
    drag->path[drag->path_count++][1] = y;
}

void ed_knife_update(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_drag *drag = &canvas->drag;
    double x, y, step = 5 / ed_lens_scale(&canvas->camera), at_x, at_y;
    ed_lens_from(&canvas->camera, ui_mouse(), &x, &y);
    if (!drag->path_count)
        add_point(drag, drag->x, drag->y);
    const double *last = drag->path[drag->path_count - 1];
    if (hypot(x - last[0], y - last[1]) < step)
        return;
    add_point(drag, x, y);
    for (size_t i = 0; i < canvas->model.wire_count; i++)
        canvas->lit[i] = crossing(canvas, i, &at_x, &at_y);
}

static struct ed_end input_of(const struct ed_canvas *canvas, size_t wire)
{
    const struct ed_wire *link = &canvas->model.wires[wire];
    const struct ed_item *item = &canvas->model.items[link->to];
    return (struct ed_end){item->id, item->inputs[link->input].name};
}

static bool cut(struct ed_session *session, struct oro_error *err)
{
    struct ed_canvas *canvas = session->canvas;
    size_t count = 0;
    struct ed_end *inputs = oro_alloc(canvas->model.wire_count + 1, sizeof *inputs);
    if (!inputs)
        return oro_fail(err, ORO_E_MEMORY, "no memory to cut links");
    for (size_t i = 0; i < canvas->model.wire_count; i++)
        if (canvas->lit[i])
            inputs[count++] = input_of(canvas, i);
    bool ok = !count || ed_unlink(session->project, inputs, count, err);
    oro_free(inputs);
    return ok;
}

static bool reroute(struct ed_session *session, struct oro_error *err)
{
    struct ed_canvas *canvas = session->canvas;
    char id[128];
    bool ok = true;
    ed_gesture_begin(session->project, "reroute");
    for (size_t i = 0; ok && i < canvas->model.wire_count; i++) {
        double x, y;
        struct ed_end input = input_of(canvas, i);
        if (!canvas->lit[i] || !crossing(canvas, i, &x, &y))
            continue;
        x -= ED_REROUTE_SIDE / 2.0;
        y -= ED_REROUTE_SIDE / 2.0;
        ok = ed_add_reroute(session->project, &input, x, y, id, err);
    }
    ed_gesture_end(session->project);
    return ok;
}

void ed_knife_drop(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct oro_error err;
    bool cutting = canvas->drag.kind == ED_DRAG_CUT;
    if (canvas->drag.path_count < 2 && canvas->hover.kind == ED_HIT_WIRE)
        canvas->lit[canvas->hover.index] = cutting; /* a mere click */
    bool ok = cutting ? cut(session, &err) : reroute(session, &err);
    ed_tell(session, ok, &err);
    memset(canvas->lit, 0, canvas->model.wire_count);
}
