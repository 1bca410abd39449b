/* Hit tests: what is at a place. */
#include "editor/canvas/model.h"

#include <math.h>

struct ed_area ed_item_eye(const struct ed_item *item)
{
    double side = 18, x = item->x + (double)item->w - side - 5;
    double height = item->collapsed ? ED_NODE_PILL : ED_NODE_TITLE;
    double y = item->y + (height - side) / 2;
    return (struct ed_area){x, y, x + side, y + side};
}

bool ed_hit_item(const struct ed_hit *hit)
{
    return hit->kind >= ED_HIT_BODY && hit->kind <= ED_HIT_OUTPUT;
}

static bool near_socket(const struct ed_item *item, const struct ed_socket *sockets, size_t count, double x,
                        double y, double reach, size_t *found)
{
    double least = reach;
    *found = ED_NO_INDEX;
    for (size_t i = 0; i < count; i++) {
        if (!sockets[i].shown)
            continue;
        double sx, sy;
        ed_socket_place(item, &sockets[i], &sx, &sy);
        double distance = hypot(sx - x, sy - y);
        if (distance <= least) {
            least = distance;
            *found = i;
        }
    }
    return *found != ED_NO_INDEX;
}

/* A reroute is grabbed at its middle; links leave from its right part, if `reach` is fine enough to tell the
 * two apart. */
static enum ed_hit_kind hit_reroute(const struct ed_item *item, double x, double y, double reach)
{
    double middle_x = item->x + (double)item->w / 2, middle_y = item->y + (double)item->h / 2;
    double distance = hypot(x - middle_x, y - middle_y);
    if (distance <= ED_REROUTE_SIDE / 2.0)
        return ED_HIT_BODY;
    bool beside = distance <= ED_REROUTE_SIDE / 2.0 + reach && fabs(y - middle_y) <= ED_REROUTE_SIDE / 2.0;
    if (!beside)
        return ED_HIT_NOTHING;
    return x > middle_x ? ED_HIT_OUTPUT : ED_HIT_INPUT;
}

static enum ed_hit_kind hit_inside(const struct ed_item *item, double x, double y)
{
    struct ed_area eye = ed_item_eye(item);
    double down = y - item->y;
    if (item->kind == ED_ITEM_NOTE)
        return ED_HIT_BODY;
    if (item->output_count && ed_area_holds(&eye, x, y))
        return ED_HIT_EYE;
    if (item->collapsed || down < ED_NODE_TITLE)
        return ED_HIT_TITLE;
    if (item->more_y > 0 && x < item->x + ED_MORE_WIDTH &&
        fabs(down - (double)item->more_y) < ED_NODE_ROW / 2.0)
        return ED_HIT_MORE;
    return ED_HIT_BODY;
}

static struct ed_hit hit_item(const struct ed_item *item, size_t index, double x, double y, double reach)
{
    struct ed_hit hit = {.index = index};
    struct ed_area box = ed_item_box(item);
    struct ed_area wide = {box.x0 - reach, box.y0 - reach, box.x1 + reach, box.y1 + reach};
    if (!ed_area_holds(&wide, x, y))
        return hit;
    if (item->kind == ED_ITEM_REROUTE)
        hit.kind = hit_reroute(item, x, y, reach);
    else if (near_socket(item, item->outputs, item->output_count, x, y, reach, &hit.socket))
        hit.kind = ED_HIT_OUTPUT;
    else if (near_socket(item, item->inputs, item->input_count, x, y, reach, &hit.socket))
        hit.kind = ED_HIT_INPUT;
    else if (ed_area_holds(&box, x, y))
        hit.kind = hit_inside(item, x, y);
    return hit;
}

static struct ed_hit hit_wire(const struct ed_model *model, double x, double y, double reach)
{
    struct ed_hit hit = {.kind = ED_HIT_NOTHING};
    double least = reach;
    for (size_t i = 0; i < model->wire_count; i++) {
        struct ed_curve curve;
        ed_wire_curve(model, &model->wires[i], &curve);
        struct ed_area box = ed_curve_box(&curve);
        if (x < box.x0 - reach || x > box.x1 + reach || y < box.y0 - reach || y > box.y1 + reach)
            continue;
        double distance = ed_curve_distance(&curve, x, y);
        if (distance > least)
            continue;
        least = distance;
        hit = (struct ed_hit){.kind = ED_HIT_WIRE, .index = i};
    }
    return hit;
}

static struct ed_hit hit_frame(const struct ed_model *model, double x, double y, double reach)
{
    for (size_t i = model->frame_count; i-- > 0;) {
        const struct ed_area *box = &model->frames[i].box;
        double corner = fmax(reach * 2, 14);
        if (x > box->x1 - corner && x < box->x1 + reach && y > box->y1 - corner && y < box->y1 + reach)
            return (struct ed_hit){.kind = ED_HIT_FRAME_CORNER, .index = i};
        if (ed_area_holds(box, x, y) && y < box->y0 + ED_FRAME_TITLE)
            return (struct ed_hit){.kind = ED_HIT_FRAME, .index = i};
    }
    return (struct ed_hit){.kind = ED_HIT_NOTHING};
}

struct ed_hit ed_model_hit(const struct ed_model *model, double x, double y, double reach)
{
    for (size_t i = model->count; i-- > 0;) {
        struct ed_hit hit = hit_item(&model->items[i], i, x, y, reach);
        if (hit.kind != ED_HIT_NOTHING)
            return hit;
    }
    struct ed_hit hit = hit_wire(model, x, y, reach);
    return hit.kind != ED_HIT_NOTHING ? hit : hit_frame(model, x, y, reach);
}
