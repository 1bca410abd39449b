/* The parts of the canvas that tests can point at. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "editor/canvas/over.h"
#include "editor/ui/describe.h"

static void describe_box(const struct ed_canvas *canvas, const char *name, const struct ed_area *box)
{
    struct ui_vec low = ed_lens_to(&canvas->camera, box->x0, box->y0);
    struct ui_vec high = ed_lens_to(&canvas->camera, box->x1, box->y1);
    ed_describe_item(name, low.x, low.y, high.x - low.x, high.y - low.y, true);
}

static void describe_socket(const struct ed_canvas *canvas, const struct ed_item *item,
                            const struct ed_socket *socket, const char *side)
{
    char name[300];
    double x, y, half = 4;
    if (!socket->shown)
        return;
    ed_socket_place(item, socket, &x, &y);
    if (item->kind == ED_ITEM_REROUTE) /* its ends are beside it */
        x += side[0] == 'i' ? -11 : 11;
    snprintf(name, sizeof name, "socket:%s.%s.%s", item->id, side, socket->name);
    struct ed_area box = {x - half, y - half, x + half, y + half};
    describe_box(canvas, name, &box);
}

static void describe_item(const struct ed_canvas *canvas, const struct ed_item *item)
{
    char name[200];
    struct ed_area box = ed_item_box(item), eye = ed_item_eye(item);
    snprintf(name, sizeof name, "node:%s", item->id);
    describe_box(canvas, name, &box);
    for (size_t i = 0; i < item->input_count; i++)
        describe_socket(canvas, item, &item->inputs[i], "in");
    for (size_t i = 0; i < item->output_count; i++)
        describe_socket(canvas, item, &item->outputs[i], "out");
    if (item->kind == ED_ITEM_NOTE || item->kind == ED_ITEM_REROUTE)
        return;
    box.y1 = box.y0 + (item->collapsed ? ED_NODE_PILL : ED_NODE_TITLE);
    box.x1 = eye.x0 - 18;
    snprintf(name, sizeof name, "title:%s", item->id);
    describe_box(canvas, name, &box);
    snprintf(name, sizeof name, "eye:%s", item->id);
    describe_box(canvas, name, &eye);
    if (item->more_y > 0 && ed_canvas_detail(canvas) == 2) {
        struct ed_area more = {item->x + 8, item->y + (double)item->more_y - 6, item->x + ED_MORE_WIDTH,
                               item->y + (double)item->more_y + 6};
        snprintf(name, sizeof name, "more:%s", item->id);
        describe_box(canvas, name, &more);
    }
}

static void describe_wires(const struct ed_canvas *canvas)
{
    struct ed_area sees = ed_lens_sees(&canvas->camera);
    for (size_t i = 0; i < canvas->model.wire_count; i++) {
        const struct ed_wire *wire = &canvas->model.wires[i];
        const struct ed_item *to = &canvas->model.items[wire->to];
        struct ed_curve curve;
        char name[300];
        double x, y;
        ed_wire_curve(&canvas->model, wire, &curve);
        ed_curve_at(&curve, 0.5, &x, &y);
        if (!ed_area_holds(&sees, x, y))
            continue;
        snprintf(name, sizeof name, "link:%s.%s", to->id, to->inputs[wire->input].name);
        struct ed_area box = {x - 3, y - 3, x + 3, y + 3};
        describe_box(canvas, name, &box);
    }
}

static void describe_frames(const struct ed_canvas *canvas)
{
    for (size_t i = 0; i < canvas->model.frame_count; i++) {
        char name[64];
        struct ed_area box = canvas->model.frames[i].box;
        struct ed_area corner = {box.x1 - 8, box.y1 - 8, box.x1 - 2, box.y1 - 2};
        box.y1 = box.y0 + ED_FRAME_TITLE;
        snprintf(name, sizeof name, "frame:%zu", i);
        describe_box(canvas, name, &box);
        snprintf(name, sizeof name, "frame-corner:%zu", i);
        describe_box(canvas, name, &corner);
    }
}

static const char *dragging(const struct ed_canvas *canvas)
{
    switch (canvas->drag.kind) {
    case ED_DRAG_BOX:
        return "box";
    case ED_DRAG_NODES:
    case ED_DRAG_HANG:
        return "nodes";
    case ED_DRAG_LINK:
        return "link";
    default:
        return "";
    }
}

static void describe_state(const struct ed_session *session)
{
    const struct ed_canvas *canvas = session->canvas;
    struct oro_text chosen = {0};
    for (size_t i = 0; i < session->selection.count; i++)
        oro_text_addf(&chosen, "%s%s", i ? " " : "", session->selection.items[i]);
    ed_describe_state("nodes", "%zu", canvas->model.count);
    ed_describe_state("links", "%zu", canvas->model.wire_count);
    ed_describe_state("frames", "%zu", canvas->model.frame_count);
    ed_describe_state("selected", "%s", chosen.data && !chosen.failed ? chosen.data : "");
    ed_describe_state("zoom", "%.3f", canvas->camera.zoom);
    ed_describe_state("depth", "%zu", ed_project_depth(session->project));
    ed_describe_state("dragging", "%s", dragging(canvas));
    oro_text_free(&chosen);
}

void ed_canvas_describe(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    if (!ed_describing() || !ed_canvas_refresh(session))
        return;
    struct ed_area sees = ed_lens_sees(&canvas->camera);
    describe_state(session);
    describe_frames(canvas);
    describe_wires(canvas);
    for (size_t i = 0; i < canvas->model.count; i++) {
        struct ed_area box = ed_item_box(&canvas->model.items[i]);
        if (ed_areas_meet(&box, &sees))
            describe_item(canvas, &canvas->model.items[i]);
    }
}
