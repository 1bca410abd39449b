/* From node to node with the arrow keys: along links to the left and right, and among what stands above and
 * below. Where no link leads, to what is nearest on that side. */
#include <math.h>

#include "editor/canvas/canvas.h"
#include "editor/canvas/paint.h"

static double middle_x(const struct ed_item *item)
{
    return item->x + (double)item->w / 2;
}

static double middle_y(const struct ed_item *item)
{
    return item->y + (double)item->h / 2;
}

/* The other end of the item's uppermost link on that side. */
static size_t along_link(const struct ed_model *model, size_t item, bool upstream)
{
    size_t best = ED_NO_INDEX;
    double highest = INFINITY;
    for (size_t i = 0; i < model->wire_count; i++) {
        const struct ed_wire *wire = &model->wires[i];
        if (wire->wrong || (upstream ? wire->to : wire->from) != item)
            continue;
        const struct ed_item *own = &model->items[item];
        size_t other = upstream ? wire->from : wire->to;
        /* Inputs are in the order in which they stand; what takes an output, by its place. */
        double y = upstream ? (double)own->inputs[wire->input].y : model->items[other].y;
        if (y < highest) {
            highest = y;
            best = other;
        }
    }
    return best;
}

/* What lies sideways of the direction counts double, and nothing that lies more sideways than ahead. */
static size_t nearest(const struct ed_model *model, size_t item, enum ed_walk walk)
{
    const struct ed_item *own = &model->items[item];
    size_t best = ED_NO_INDEX;
    double least = INFINITY;
    for (size_t i = 0; i < model->count; i++) {
        double dx = middle_x(&model->items[i]) - middle_x(own),
               dy = middle_y(&model->items[i]) - middle_y(own);
        double ahead = walk == ED_WALK_LEFT    ? -dx
                       : walk == ED_WALK_RIGHT ? dx
                       : walk == ED_WALK_UP    ? -dy
                                               : dy;
        double aside = fabs(walk == ED_WALK_LEFT || walk == ED_WALK_RIGHT ? dy : dx);
        if (i != item && ahead > 0 && aside <= 2 * ahead && ahead + 2 * aside < least) {
            least = ahead + 2 * aside;
            best = i;
        }
    }
    return best;
}

size_t ed_model_walk(const struct ed_model *model, size_t item, enum ed_walk walk)
{
    bool along = walk == ED_WALK_LEFT || walk == ED_WALK_RIGHT;
    size_t found = along ? along_link(model, item, walk == ED_WALK_LEFT) : ED_NO_INDEX;
    return found != ED_NO_INDEX ? found : nearest(model, item, walk);
}

/* Where to begin if nothing is chosen: at what the view shows, else at what is nearest to the canvas's
 * middle. */
static size_t beginning(const struct ed_session *session)
{
    const struct ed_canvas *canvas = session->canvas;
    size_t best = ed_canvas_item(session, session->viewed);
    double least = INFINITY;
    if (best != ED_NO_INDEX)
        return best;
    for (size_t i = 0; i < canvas->model.count; i++) {
        const struct ed_item *item = &canvas->model.items[i];
        double away = hypot(middle_x(item) - canvas->camera.x, middle_y(item) - canvas->camera.y);
        if (away < least) {
            least = away;
            best = i;
        }
    }
    return best;
}

void ed_canvas_walk(struct ed_session *session, enum ed_walk walk, bool add)
{
    const struct oro_doc_node *node = ed_selected_node(session);
    if (!ed_canvas_refresh(session))
        return;
    size_t from = node ? ed_canvas_item(session, node->id) : ED_NO_INDEX;
    size_t to = from == ED_NO_INDEX ? beginning(session) : ed_model_walk(&session->canvas->model, from, walk);
    if (to == ED_NO_INDEX)
        return;
    const char *id = session->canvas->model.items[to].id;
    if (add)
        ed_names_remove(&session->selection, id); /* the last one is that which the inspector shows */
    ed_select(session, id, add);
    ed_canvas_reveal(session, id);
}

/* ---- Problems */

void ed_canvas_next_problem(struct ed_session *session)
{
    const struct ed_model *model = &session->canvas->model;
    const struct oro_doc_node *node = ed_selected_node(session);
    struct ed_node_state state;
    if (!ed_canvas_refresh(session))
        return;
    size_t from = node ? ed_canvas_item(session, node->id) : ED_NO_INDEX;
    for (size_t i = 0; i < model->count; i++) {
        size_t index = (from == ED_NO_INDEX ? i : from + 1 + i) % model->count;
        state = (struct ed_node_state){.phase = ED_NODE_UNKNOWN};
        ed_state_of(session, &model->items[index], &state);
        if (state.phase != ED_NODE_FAILED && model->items[index].kind != ED_ITEM_BROKEN)
            continue;
        ed_canvas_show(session, model->items[index].id);
        return; /* the inspector says why */
    }
    ed_message(&session->messages, ED_NOTICE, NULL, "No node of this graph has failed");
}
