/* Where sockets are on nodes, and how large nodes are. */
#include "editor/canvas/model.h"

#include <string.h>

static bool is_map(const struct ed_socket *socket)
{
    return socket->input && socket->input->type == ORO_FLOAT;
}

/* Inputs that may take a field, but usually have a number, get no socket until they are linked: they would
 * fill the canvas. A node that has no other inputs, such as `combine`, is about its first ones: those get a
 * socket. */
static bool is_shown(const struct ed_item *item, size_t number, bool unfolded)
{
    const struct ed_socket *socket = &item->inputs[number];
    bool only_maps = true;
    for (size_t i = 0; i < item->input_count; i++)
        only_maps &= is_map(&item->inputs[i]);
    bool main = only_maps && number < 2 && item->output_count && socket->input && !socket->input->group;
    return unfolded || socket->linked || socket->exposed || main || !is_map(socket);
}

static void layout_note(struct ed_item *item)
{
    for (size_t i = 0; i < item->input_count; i++) {
        item->inputs[i].x = 0;
        item->inputs[i].y = item->h / 2;
    }
}

static void layout_reroute(struct ed_item *item)
{
    item->w = item->h = ED_REROUTE_SIDE;
    for (size_t i = 0; i < item->input_count; i++)
        item->inputs[i].x = item->inputs[i].y = ED_REROUTE_SIDE / 2.0f;
    for (size_t i = 0; i < item->output_count; i++)
        item->outputs[i].x = item->outputs[i].y = ED_REROUTE_SIDE / 2.0f;
}

/* All sockets in the middle of the ends of a pill. */
static void layout_pill(struct ed_item *item)
{
    item->w = ED_NODE_WIDTH;
    item->h = ED_NODE_PILL;
    for (size_t i = 0; i < item->input_count; i++) {
        item->inputs[i].shown = false;
        item->inputs[i].x = 0;
        item->inputs[i].y = ED_NODE_PILL / 2.0f;
    }
    for (size_t i = 0; i < item->output_count; i++) {
        item->outputs[i].shown = false;
        item->outputs[i].x = ED_NODE_WIDTH;
        item->outputs[i].y = ED_NODE_PILL / 2.0f;
    }
    if (item->input_count)
        item->inputs[0].shown = true;
    if (item->output_count)
        item->outputs[0].shown = true;
}

static float row_centre(size_t row)
{
    return ED_NODE_TITLE + ED_NODE_PAD + ED_NODE_ROW * ((float)row + 0.5f);
}

/* The names of an input and an output in the same row share its width; where they are long, each needs a row
 * of its own. */
static bool share(const struct ed_item *item, size_t shown_inputs)
{
    size_t row = 0, longest = 0;
    for (size_t i = 0; i < item->input_count; i++) {
        if (!item->inputs[i].shown || row >= item->output_count)
            continue;
        size_t length = strlen(item->inputs[i].text) + strlen(item->outputs[row++].text);
        longest = length > longest ? length : longest;
    }
    return shown_inputs == 0 || item->output_count == 0 || longest <= 24;
}

static size_t place_inputs(struct ed_item *item, size_t row)
{
    for (size_t i = 0; i < item->input_count; i++) {
        struct ed_socket *socket = &item->inputs[i];
        socket->x = 0;
        socket->y = socket->shown ? row_centre(row) : ED_NODE_TITLE / 2.0f;
        row += socket->shown;
    }
    return row;
}

static void layout_node(struct ed_item *item, bool unfolded)
{
    size_t shown = 0;
    item->hidden = 0;
    for (size_t i = 0; i < item->input_count; i++) {
        item->inputs[i].shown = is_shown(item, i, unfolded);
        shown += item->inputs[i].shown;
        item->hidden += !is_shown(item, i, false);
    }
    bool shared = share(item, shown);
    for (size_t i = 0; i < item->output_count; i++) {
        item->outputs[i].shown = true;
        item->outputs[i].x = ED_NODE_WIDTH;
        item->outputs[i].y = row_centre(i);
    }
    size_t rows = place_inputs(item, shared ? 0 : item->output_count);
    rows = rows < item->output_count ? item->output_count : rows;
    item->w = ED_NODE_WIDTH;
    item->h = ED_NODE_TITLE + ED_NODE_PAD + ED_NODE_ROW * (float)rows + ED_NODE_PAD;
    item->more_y = 0;
    if (item->hidden) {
        item->more_y = row_centre(rows) - 2;
        item->h += ED_NODE_ROW - 6;
    }
    item->picture_y = item->h - ED_NODE_PAD + 3;
    if (item->picture)
        item->h += ED_NODE_PICTURE + 3;
}

void ed_item_layout(struct ed_item *item, bool unfolded)
{
    if (item->kind == ED_ITEM_NOTE)
        layout_note(item);
    else if (item->kind == ED_ITEM_REROUTE)
        layout_reroute(item);
    else if (item->collapsed)
        layout_pill(item);
    else
        layout_node(item, unfolded);
}

struct ed_area ed_item_box(const struct ed_item *item)
{
    return (struct ed_area){item->x, item->y, item->x + (double)item->w, item->y + (double)item->h};
}

void ed_socket_place(const struct ed_item *item, const struct ed_socket *socket, double *x, double *y)
{
    *x = item->x + (double)socket->x;
    *y = item->y + (double)socket->y;
}

double ed_socket_share(const struct ed_item *item, const char *socket, bool output)
{
    const struct ed_socket *sockets = output ? item->outputs : item->inputs;
    size_t count = output ? item->output_count : item->input_count;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(sockets[i].name, socket))
            return (double)(sockets[i].y / item->h);
    return 0.5;
}
