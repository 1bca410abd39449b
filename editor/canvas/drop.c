/* Things dragged out of the palette onto the canvas, and nodes dropped on links. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/canvas/canvas.h"
#include "editor/canvas/gestures.h"
#include "editor/session/inputs.h"
#include "formats/format.h"

size_t ed_wire_under(const struct ed_session *session, const struct ed_area *box, size_t but)
{
    const struct ed_canvas *canvas = session->canvas;
    /* Only the node's middle and its title count: a node that merely touches a link is not meant to be put on
     * it, but nodes are held by their titles. */
    double inset_x = (box->x1 - box->x0) * 0.2, inset_y = (box->y1 - box->y0) * 0.2, above = fmin(inset_y, 8);
    struct ed_area middle = {box->x0 + inset_x, box->y0 + above, box->x1 - inset_x, box->y1 - inset_y};
    for (size_t i = 0; i < canvas->model.wire_count; i++) {
        const struct ed_wire *wire = &canvas->model.wires[i];
        struct ed_curve curve;
        if (wire->wrong || wire->from == but || wire->to == but)
            continue;
        if (ed_wire_curve(&canvas->model, wire, &curve) && ed_curve_meets(&curve, &middle))
            return i;
    }
    return ED_NO_INDEX;
}

static struct ed_area ghost(const struct ed_session *session)
{
    double x, y;
    ed_lens_from(&session->canvas->camera, ui_mouse(), &x, &y);
    x -= ED_NODE_WIDTH / 2.0;
    y -= ED_NODE_TITLE / 2.0;
    if (session->settings.snap != ui_ctrl()) {
        x = ed_snapped(x);
        y = ed_snapped(y);
    }
    return (struct ed_area){x, y, x + ED_NODE_WIDTH, y + ED_NODE_TITLE};
}

/* The gesture is ended by the palette, which may have a preset to apply. */
static void drop(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    struct ed_area box = ghost(session);
    struct oro_error err;
    char id[128];
    size_t wire = ed_wire_under(session, &box, ED_NO_INDEX);
    const char *href = canvas->dragged_href[0] ? canvas->dragged_href : NULL;
    ed_gesture_begin(session->project, "add node");
    bool ok = ed_add_node(session->project, canvas->dragged_type, href, box.x0, box.y0, NULL, NULL, id, &err);
    if (ok && wire != ED_NO_INDEX) {
        const struct ed_wire *link = &canvas->model.wires[wire];
        const struct ed_item *to = &canvas->model.items[link->to];
        struct ed_end input = {to->id, to->inputs[link->input].name};
        struct oro_error ignored; /* a node that does not fit there stands beside the link */
        struct ed_sizes sizes = ed_canvas_sizes(session);
        if (ed_insert_on_link(session->project, id, &input, &ignored))
            ok = ed_make_room(session->project, id, &sizes, &err);
    }
    if (ok)
        ed_select(session, id, false);
    else
        ed_failed(session, &err);
}

static void paint_ghost(struct ed_session *session)
{
    struct ed_area box = ghost(session);
    struct ui_vec at = ed_lens_to(&session->canvas->camera, box.x0, box.y0);
    float scale = (float)ed_lens_scale(&session->canvas->camera);
    struct ui_rect rect = {at.x, at.y, ED_NODE_WIDTH * scale, ED_NODE_TITLE * scale};
    struct ui_draw *draw = ui_draw_above();
    ui_rect_fill(draw, rect, ui_faded(ui_colour(UI_ACCENT), 0.3f), 6 * scale);
    ui_rect_line(draw, rect, ui_colour(UI_SELECTED), 6 * scale, 1.5f * ui_scale());
}

void ed_drop_update(struct ed_session *session)
{
    struct ed_canvas *canvas = session->canvas;
    bool over = ui_inside(canvas->camera.rect, ui_mouse());
    if (canvas->dragged_type[0])
        canvas->drag.onto = ED_NO_INDEX;
    if (canvas->dragged_type[0] && !ui_mouse_down(0)) {
        if (over)
            drop(session);
        canvas->dragged_type[0] = '\0';
        return;
    }
    canvas->dragged_type[0] = '\0';
    if (!session->dragged.type[0] || !ui_mouse_down(0))
        return;
    snprintf(canvas->dragged_type, sizeof canvas->dragged_type, "%s", session->dragged.type);
    snprintf(canvas->dragged_href, sizeof canvas->dragged_href, "%s", session->dragged.href);
    if (!over)
        return;
    struct ed_area box = ghost(session);
    canvas->drag.onto = ed_wire_under(session, &box, ED_NO_INDEX);
    paint_ghost(session);
}

bool ed_canvas_drop_file(struct ed_session *session, const char *path)
{
    struct oro_error err;
    char id[128];
    double x, y;
    if (!oro_format_readable(path)) {
        ed_message(&session->messages, ED_WARNING, NULL,
                   "'%s' is no document (.oro), and no heightfield (%s)", path, oro_raster_format_names);
        return false;
    }
    ed_canvas_place(session, &x, &y);
    ed_gesture_begin(session->project, "import file");
    bool ok = ed_add_node(session->project, "import", NULL, x, y, NULL, NULL, id, &err);
    char *name = ok ? ed_file_named(session, id, path) : NULL;
    if (name)
        ed_set_input(session, id, "file", name);
    else if (ok)
        oro_fail(&err, ORO_E_MEMORY, "no memory for a path");
    ed_tell(session, name, &err);
    oro_free(name);
    ed_gesture_end(session->project);
    if (!ok)
        return false;
    ed_select(session, id, false);
    ed_look_at(session, id, NULL);
    return true;
}
