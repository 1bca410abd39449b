/* Draws links, and what is shown while something is dragged. */
#include <math.h>

#include "editor/canvas/gestures.h"
#include "editor/canvas/paint.h"
#include "editor/canvas/types.h"

/* A curve is drawn in only as many pieces as the eye can tell apart: when many links are visible, most are
 * short on the screen. */
static void draw_curve(const struct ed_paint *paint, const struct ed_curve *curve, uint32_t colour,
                       float width)
{
    struct ui_vec points[ED_CURVE_MAX];
    struct ed_area box = ed_curve_box(curve);
    double pixels = (box.x1 - box.x0 + box.y1 - box.y0) * (double)paint->scale;
    int pieces = (int)fmin(fmax(pixels / 14, 2), ED_CURVE_MAX - 1);
    if (fabs(curve->y[0] - curve->y[3]) < 0.01 && curve->x[3] > curve->x[0])
        pieces = 1;
    for (int i = 0; i <= pieces; i++) {
        double x, y;
        ed_curve_at(curve, (double)i / pieces, &x, &y);
        points[i] = ed_lens_to(&paint->canvas->camera, x, y);
    }
    ui_polyline(paint->draw, points, pieces + 1, colour, width, false);
}

static bool touches_chosen(const struct ed_canvas *canvas, const struct ed_wire *wire)
{
    return canvas->chosen[wire->to] || (wire->from != ED_NO_INDEX && canvas->chosen[wire->from]);
}

static void paint_wire(const struct ed_paint *paint, size_t index, const struct ed_curve *curve)
{
    const struct ed_canvas *canvas = paint->canvas;
    const struct ed_wire *wire = &canvas->model.wires[index];
    uint32_t colour = wire->wrong ? ui_colour(UI_BAD) : ed_type_colour(wire->type);
    bool hovered = canvas->hover.kind == ED_HIT_WIRE && canvas->hover.index == index &&
                   canvas->drag.kind == ED_DRAG_NOTHING;
    bool lit = canvas->lit[index] || canvas->drag.onto == index;
    bool muted = canvas->model.items[wire->to].muted;
    float width = fmaxf(2.2f * paint->scale, 1.2f * ui_scale());
    float alpha = hovered || lit || touches_chosen(canvas, wire) ? 1.0f : 0.72f;
    if (canvas->drag.kind == ED_DRAG_LINK)
        alpha *= 0.5f;
    if (lit)
        colour = ui_colour(canvas->drag.kind == ED_DRAG_CUT ? UI_BAD : UI_SELECTED);
    if (lit || hovered)
        width *= 1.7f;
    if (paint->detail > 0)
        draw_curve(paint, curve, ui_faded(ui_colour(UI_SHADOW), 0.7f), width + 2 * ui_scale());
    draw_curve(paint, curve, ui_faded(colour, muted ? alpha * 0.45f : alpha), width);
}

void ed_paint_wires(const struct ed_paint *paint)
{
    const struct ed_canvas *canvas = paint->canvas;
    for (size_t i = 0; i < canvas->model.wire_count; i++) {
        struct ed_curve curve;
        if (canvas->drag.kind == ED_DRAG_LINK && canvas->drag.taken == i)
            continue;
        ed_wire_curve(&canvas->model, &canvas->model.wires[i], &curve);
        struct ed_area box = ed_curve_box(&curve);
        if (ed_areas_meet(&box, &paint->sees))
            paint_wire(paint, i, &curve);
    }
}

/* ---- While dragging ---- */

static void paint_link_drag(const struct ed_paint *paint)
{
    const struct ed_canvas *canvas = paint->canvas;
    const struct ed_drag *drag = &canvas->drag;
    const struct ed_item *own = &canvas->model.items[drag->item];
    const struct ed_socket *socket =
        drag->from_output ? &own->outputs[drag->socket] : &own->inputs[drag->socket];
    double x, y, to_x, to_y;
    ed_socket_place(own, socket, &x, &y);
    ed_lens_from(&canvas->camera, ui_mouse(), &to_x, &to_y);
    if (drag->to != ED_NO_INDEX) {
        const struct ed_item *item = &canvas->model.items[drag->to];
        ed_socket_place(item,
                        drag->from_output ? &item->inputs[drag->to_socket] : &item->outputs[drag->to_socket],
                        &to_x, &to_y);
    }
    struct ed_curve curve =
        drag->from_output ? ed_curve_between(x, y, to_x, to_y) : ed_curve_between(to_x, to_y, x, y);
    uint32_t colour = ed_type_colour(socket->type);
    draw_curve(paint, &curve, colour, fmaxf(2.8f * paint->scale, 2 * ui_scale()));
    struct ui_vec end = ed_lens_to(&canvas->camera, to_x, to_y);
    if (drag->to != ED_NO_INDEX)
        ui_circle_line(paint->draw, end, 9 * paint->scale, ui_colour(UI_SELECTED), 2 * ui_scale());
    else
        ed_draw_socket(paint->draw, socket->type, end, 4 * ui_scale(), true);
}

static void paint_knife(const struct ed_paint *paint)
{
    const struct ed_drag *drag = &paint->canvas->drag;
    struct ui_vec points[ED_PATH_MAX];
    for (size_t i = 0; i < drag->path_count; i++)
        points[i] = ed_lens_to(&paint->canvas->camera, drag->path[i][0], drag->path[i][1]);
    if (drag->path_count > 1)
        ui_polyline(paint->draw, points, (int)drag->path_count,
                    ui_colour(drag->kind == ED_DRAG_CUT ? UI_BAD : UI_SELECTED), 1.5f * ui_scale(), false);
}

void ed_paint_drags(const struct ed_paint *paint)
{
    const struct ed_drag *drag = &paint->canvas->drag;
    if (drag->kind == ED_DRAG_LINK)
        paint_link_drag(paint);
    if (drag->kind == ED_DRAG_CUT || drag->kind == ED_DRAG_REROUTE)
        paint_knife(paint);
    if (drag->kind != ED_DRAG_BOX)
        return;
    struct ed_area box = ed_drag_box(paint->canvas);
    struct ui_rect rect = ed_paint_rect(paint, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
    ui_rect_fill(paint->draw, rect, ui_faded(ui_colour(UI_ACCENT), 0.13f), 2);
    ui_rect_line(paint->draw, rect, ui_colour(UI_ACCENT), 2, ui_scale());
}
