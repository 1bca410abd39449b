#include "editor/tools/handle_tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <SDL2/SDL_scancode.h>

#include "base/memory.h"
#include "editor/pane/labels.h"
#include "editor/pane/lines.h"
#include "editor/session/inputs.h"
#include "editor/session/world.h"
#include "editor/tools/handle_labels.h"
#include "graph/type/literal.h"
#include "graph/type/registry.h"

struct ed_handle_tool {
    struct ed_handles handles;
    const struct ed_session *session; /* in this frame */
    const struct ed_pane *at;
    const struct oro_doc_node *node;
    struct ed_handle_source source;
    uint64_t revision, located; /* that the handles are of: of the document, and of its world */
    char of[128];
    int dragged, pane; /* which handle, in which pane; -1: none */
    double grab[2];    /* from the pointer to the handle, metres */
    bool raises;       /* the drag changes the elevation */
    bool lifted;       /* by the knob above it, */
    float lift;        /* which the pointer holds so many pixels above its middle */
    double base;       /* the elevation was this */
    double start[3];   /* place and value, when it was grabbed */
    int copies, copy;  /* how many there are; the one that keys change */
    char active[64];   /* the network that clicks on the ground add to */
};

struct ed_handle_tool *ed_handle_create(void)
{
    struct ed_handle_tool *tool = oro_alloc(1, sizeof *tool);
    if (tool)
        tool->dragged = -1;
    return tool;
}

void ed_handle_destroy(struct ed_handle_tool *tool)
{
    if (tool)
        ed_handles_free(&tool->handles);
    oro_free(tool);
}

void ed_handle_reset(struct ed_handle_tool *tool)
{
    tool->dragged = -1;
    tool->of[0] = tool->active[0] = '\0';
    tool->handles.count = tool->handles.shape_count = 0;
}

/* ---- The node ---- */

static char *input_text(void *user, const struct oro_input *input)
{
    const struct ed_handle_tool *tool = user;
    const struct oro_doc_input *given = oro_doc_node_input(tool->node, input->name);
    if (given && (given->from_node || given->expr))
        return NULL;
    if (given && given->value)
        return oro_copy_text(given->value);
    return oro_literal_default(input);
}

static double ground_elevation(void *user, const double at[2])
{
    const struct ed_handle_tool *tool = user;
    const struct ed_picture *ground = tool->at ? ed_pane_ground(tool->at) : NULL;
    return ground ? (double)ed_picture_sample(ground, at[0], at[1], 0) : (double)NAN;
}

/* Keys change the copy that was touched last, at first the newest. */
static void count_copies(struct ed_handle_tool *tool, bool other)
{
    int copies = 0;
    for (size_t i = 0; i < tool->handles.count; i++)
        copies = tool->handles.items[i].copy >= copies ? tool->handles.items[i].copy + 1 : copies;
    if (other || copies != tool->copies)
        tool->copy = copies - 1;
    tool->copies = copies;
}

/* Rebuilds the handles for every revision. False: nothing with handles is chosen. */
static bool take_node(struct ed_session *session, struct ed_handle_tool *tool)
{
    tool->session = session;
    tool->node = ed_selected_node(session);
    const struct oro_node_type *type = tool->node ? ed_type_of(session, tool->node) : NULL;
    if (!type) {
        tool->of[0] = '\0';
        tool->dragged = -1;
        return false;
    }
    struct oro_grid grid = ed_world_grid(session);
    tool->source = (struct ed_handle_source){
        type, input_text, tool, grid.width * grid.cell, grid.height * grid.cell, ground_elevation};
    uint64_t revision = ed_project_revision(session->project), located = session->located.number;
    bool other = strcmp(tool->of, tool->node->id) != 0;
    if (other || revision != tool->revision || located != tool->located) {
        ed_handles_make(&tool->source, &tool->handles);
        tool->revision = revision;
        tool->located = located;
        snprintf(tool->of, sizeof tool->of, "%s", tool->node->id);
    }
    if (other) {
        tool->dragged = -1;
        tool->active[0] = '\0';
    }
    count_copies(tool, other);
    return true;
}

/* ---- Edits ---- */

static void apply(struct ed_session *session, const struct ed_handle_tool *tool, struct ed_handle_edit *edits,
                  int count)
{
    char node[128];
    snprintf(node, sizeof node, "%s", tool->of);
    for (int i = 0; i < count; i++)
        ed_set_input(session, node, edits[i].input->name, edits[i].text);
    ed_handle_edits_free(edits, count);
}

/* All edits are one step; while a handle is dragged, they are part of the drag's step. */
static void apply_once(struct ed_session *session, const struct ed_handle_tool *tool, const char *name,
                       struct ed_handle_edit *edits, int count)
{
    ed_gesture_begin(session->project, name);
    apply(session, tool, edits, count);
    ed_gesture_end(session->project);
}

/* ---- Elevations, in depth ---- */

/* The place of the knob that sets a point's elevation: above that elevation, so that it never lies upon the
 * point's own. `tip`: the elevation itself. */
static bool lift_at(const struct ed_pane *pane, const struct ed_handle *handle, struct ui_vec *knob,
                    struct ui_vec *tip)
{
    const double place[3] = {handle->at[0], handle->at[1], handle->value};
    if (!pane->scene || !handle->rises || !ed_pane_pixel_at(pane, place, tip))
        return false;
    *knob = (struct ui_vec){tip->x, tip->y - 24 * ui_scale()};
    return true;
}

/* The elevation above a place that is seen at `y` on the screen, by Newton steps from `z`. Where the eye
 * looks straight down, a pixel is as long as on the ground. */
static double elevation_seen(const struct ed_pane *pane, const double at[2], float y, double z)
{
    double pixel = ed_pane_metres_per_pixel(pane), most = 400 * pixel;
    for (int i = 0; i < 4; i++) {
        struct ui_vec here, above;
        if (!ed_pane_pixel_at(pane, (const double[3]){at[0], at[1], z}, &here) ||
            !ed_pane_pixel_at(pane, (const double[3]){at[0], at[1], z + 8 * pixel}, &above))
            break;
        double slope = (double)(above.y - here.y) / (8 * pixel);
        slope = slope > -0.05 / pixel ? -1 / pixel : slope;
        z += fmin(fmax((double)(y - here.y) / slope, -most), most);
    }
    return z;
}

/* ---- Hit tests ---- */

static double from_pointer(struct ui_vec at)
{
    return hypot((double)(at.x - ui_mouse().x), (double)(at.y - ui_mouse().y));
}

/* `lift`: its knob above it. */
static int nearest(const struct ed_handle_tool *tool, const struct ed_pane *pane, bool *lift)
{
    int found = -1;
    double best = 9 * (double)ui_scale();
    for (size_t i = 0; i < tool->handles.count; i++) {
        struct ui_vec at, tip;
        const struct ed_handle *handle = &tool->handles.items[i];
        if (ed_pane_pixel(pane, handle->at[0], handle->at[1], &at) && from_pointer(at) < best) {
            best = from_pointer(at);
            found = (int)i;
            *lift = false;
        }
        if (lift_at(pane, handle, &at, &tip) && from_pointer(at) < best) {
            best = from_pointer(at);
            found = (int)i;
            *lift = true;
        }
    }
    return found;
}

static double from_segment(struct ui_vec p, struct ui_vec a, struct ui_vec b)
{
    double dx = (double)(b.x - a.x), dy = (double)(b.y - a.y), length = dx * dx + dy * dy;
    double t = length > 0 ? ((double)(p.x - a.x) * dx + (double)(p.y - a.y) * dy) / length : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot((double)(p.x - a.x) - t * dx, (double)(p.y - a.y) - t * dy);
}

/* A piece of a line of a network. */
static const struct ed_shape *nearest_piece(const struct ed_handle_tool *tool, const struct ed_pane *pane)
{
    const struct ed_shape *found = NULL;
    double best = 7 * (double)ui_scale();
    for (size_t i = 0; i < tool->handles.shape_count; i++) {
        const struct ed_shape *shape = &tool->handles.shapes[i];
        struct ui_vec a, b;
        if (!shape->input || !ed_pane_pixel(pane, shape->a[0], shape->a[1], &a) ||
            !ed_pane_pixel(pane, shape->b[0], shape->b[1], &b))
            continue;
        double away = from_segment(ui_mouse(), a, b);
        if (away < best) {
            best = away;
            found = shape;
        }
    }
    return found;
}

static const struct oro_input *active_network(const struct ed_handle_tool *tool)
{
    const struct oro_input *first = NULL;
    for (const struct oro_input *i = tool->source.type->inputs; i && i->name; i++) {
        bool network = oro_handle_is_network(oro_input_handle(i)) && ed_handle_holds(&tool->source, i);
        char *text = network ? input_text((void *)tool, i) : NULL;
        oro_free(text);
        if (!text)
            continue;
        if (strcmp(i->name, tool->active) == 0)
            return i;
        first = first ? first : i;
    }
    return first;
}

/* ---- Actions ---- */

static void begin_drag(struct ed_session *session, struct ed_handle_tool *tool, const struct ed_pane *pane,
                       int which, bool lift)
{
    const struct ed_handle *handle = &tool->handles.items[which];
    double x = handle->at[0], y = handle->at[1];
    struct ui_vec knob, tip;
    ed_pane_place(pane, ui_mouse(), &x, &y);
    tool->dragged = which;
    tool->pane = pane->index;
    tool->grab[0] = handle->at[0] - x;
    tool->grab[1] = handle->at[1] - y;
    tool->lifted = lift && lift_at(pane, handle, &knob, &tip);
    tool->lift = tool->lifted ? ui_mouse().y - tip.y : 0;
    tool->raises = tool->lifted || (handle->rises && ui_shift());
    tool->base = handle->value;
    memcpy(tool->start, (const double[3]){handle->at[0], handle->at[1], handle->value}, sizeof tool->start);
    if (handle->vertex >= 0)
        snprintf(tool->active, sizeof tool->active, "%s", handle->input->name);
    if (handle->copy >= 0)
        tool->copy = handle->copy;
    ed_gesture_begin(session->project, tool->raises                     ? "raise point"
                                       : handle->kind == ED_HANDLE_TURN ? "turn copy"
                                       : handle->copy >= 0              ? "move copy"
                                                                        : "move handle");
}

/* A point dragged to the other end of its line snaps to it, which closes the line. */
static void snap_to_end(const struct ed_handle_tool *tool, const struct ed_pane *pane, double to[2])
{
    const struct ed_handle *handle = &tool->handles.items[tool->dragged];
    struct ui_vec at, other;
    if (handle->kind != ED_HANDLE_VERTEX || !ed_pane_pixel(pane, to[0], to[1], &at))
        return;
    for (size_t i = 0; i < tool->handles.count; i++) {
        const struct ed_handle *end = &tool->handles.items[i];
        if (end->kind != ED_HANDLE_VERTEX || end->input != handle->input || end == handle ||
            abs(end->vertex - handle->vertex) < 2 || !ed_pane_pixel(pane, end->at[0], end->at[1], &other))
            continue;
        if (hypot((double)(at.x - other.x), (double)(at.y - other.y)) < 8 * (double)ui_scale())
            memcpy(to, end->at, 2 * sizeof *to);
    }
}

/* Elevations differ by less than places. */
static double height_step(const struct ed_pane *pane)
{
    return ed_snap_step(ed_pane_metres_per_pixel(pane) / 10);
}

/* The knob above a point follows the pointer. Elsewhere elevations are small beside distances: the hand
 * raises a point by a fifth of its way up. */
static int raise_to(const struct ed_handle_tool *tool, const struct ed_pane *pane,
                    struct ed_handle_edit edits[ED_HANDLE_EDITS])
{
    const struct ed_handle *handle = &tool->handles.items[tool->dragged];
    double pixel = ed_pane_metres_per_pixel(pane);
    double up = (double)(ui_mouse_pressed_at(0).y - ui_mouse().y) * pixel, to = tool->base + up / 5;
    if (tool->lifted)
        to = elevation_seen(pane, handle->at, ui_mouse().y - tool->lift, handle->value);
    if (ui_ctrl())
        to = round(to / height_step(pane)) * height_step(pane);
    return ed_handle_raise(&tool->source, handle, to - handle->value, edits);
}

static int move_to(const struct ed_handle_tool *tool, const struct ed_pane *pane, double to[2],
                   struct ed_handle_edit edits[ED_HANDLE_EDITS])
{
    to[0] += tool->grab[0];
    to[1] += tool->grab[1];
    if (ui_ctrl())
        ed_handle_snap(&tool->handles, (size_t)tool->dragged, ed_pane_metres_per_pixel(pane), to);
    else
        snap_to_end(tool, pane, to);
    return ed_handle_drag(&tool->source, &tool->handles, (size_t)tool->dragged, to,
                          ed_pane_metres_per_pixel(pane), edits);
}

/* What Ctrl does, in the status line. */
static void say_keys(struct ed_session *session, const struct ed_handle_tool *tool,
                     const struct ed_pane *pane)
{
    char step[40];
    const struct ed_handle *handle = &tool->handles.items[tool->dragged];
    bool turns = handle->kind == ED_HANDLE_ARM || handle->kind == ED_HANDLE_TURN;
    snprintf(step, sizeof step, "%g m",
             tool->raises ? height_step(pane) : ed_snap_step(ed_pane_metres_per_pixel(pane)));
    snprintf(session->hint, sizeof session->hint, "Ctrl snaps to %s%s   Esc takes the drag back",
             turns ? "15\xc2\xb0" : step,
             turns || tool->raises || ed_handle_is_round(handle) ? "" : ", and to points of other handles");
}

static void drag(struct ed_session *session, struct ed_handle_tool *tool, struct ed_pane *pane)
{
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    double to[2];
    if (ui_key_pressed(SDL_SCANCODE_ESCAPE)) {
        ed_gesture_cancel(session->project);
        tool->dragged = -1;
        return;
    }
    struct ui_vec moved = ui_mouse_moved();
    if ((moved.x != 0 || moved.y != 0) && (tool->raises || ed_pane_place(pane, ui_mouse(), &to[0], &to[1])) &&
        (size_t)tool->dragged < tool->handles.count) {
        int count = tool->raises ? raise_to(tool, pane, edits) : move_to(tool, pane, to, edits);
        apply(session, tool, edits, count);
    }
    if (!ui_mouse_down(0)) {
        ed_gesture_end(session->project);
        tool->dragged = -1;
    } else if ((size_t)tool->dragged < tool->handles.count)
        say_keys(session, tool, pane);
    ui_pointer(UI_MOVE);
}

/* Del, or a right click, on a point of a line. */
static bool remove_point(struct ed_session *session, const struct ed_handle_tool *tool, int which)
{
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    if (which < 0 || tool->handles.items[which].vertex < 0 ||
        !(ui_mouse_pressed(1) || (!ui_typing() && ui_key_pressed(SDL_SCANCODE_DELETE))))
        return false;
    int count = ed_handle_remove(&tool->source, &tool->handles.items[which], edits);
    apply_once(session, tool, "remove point", edits, count);
    return true;
}

/* , and . turn a copy, [ and ] scale it, M makes its mirror image: the one below the pointer, or else the one
 * touched last. */
static bool change_copy(struct ed_session *session, struct ed_handle_tool *tool, int hot)
{
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    int turn = ui_key_repeated(SDL_SCANCODE_PERIOD) - ui_key_repeated(SDL_SCANCODE_COMMA);
    int size = ui_key_repeated(SDL_SCANCODE_RIGHTBRACKET) - ui_key_repeated(SDL_SCANCODE_LEFTBRACKET);
    bool mirror = ui_key_pressed(SDL_SCANCODE_M);
    if (tool->copy < 0 || ui_typing() || ui_ctrl() || (!turn && !size && !mirror))
        return false;
    if (hot >= 0 && tool->handles.items[hot].copy >= 0)
        tool->copy = tool->handles.items[hot].copy;
    const struct ed_copy_change change = {turn * 15, pow(1.1, size), mirror};
    int count = ed_handle_change_copy(&tool->source, tool->copy, &change, edits);
    apply_once(session, tool, mirror ? "mirror copy" : turn ? "turn copy" : "scale copy", edits, count);
    return true;
}

/* A double click, or Ctrl+click, on a line; Ctrl+click on the ground goes on with the line that was touched
 * last, with Shift it begins another. */
static bool add_point(struct ed_session *session, struct ed_handle_tool *tool, const struct ed_pane *pane)
{
    struct ed_handle_edit edits[ED_HANDLE_EDITS];
    double to[2], step = ed_pane_metres_per_pixel(pane);
    const struct ed_shape *piece = nearest_piece(tool, pane);
    const struct oro_input *input = piece ? piece->input : ui_ctrl() ? active_network(tool) : NULL;
    bool click = ui_mouse_pressed(0) && (ui_ctrl() || (piece && ui_mouse_double(0)));
    if (!click || !input || !ed_pane_place(pane, ui_mouse(), &to[0], &to[1]))
        return false;
    int count =
        ed_handle_insert(&tool->source, input, piece ? piece->before : -1, ui_shift(), to, step, edits);
    snprintf(tool->active, sizeof tool->active, "%s", input->name);
    apply_once(session, tool, "add point", edits, count);
    return true;
}

/* ---- Drawing ---- */

static void draw_arrow(const struct ed_pane *pane, struct ui_draw *draw, const struct ed_shape *shape,
                       uint32_t colour)
{
    struct ui_vec a, b;
    ed_ground_line(pane, draw, shape->a, shape->b, colour, 1.6f * ui_scale());
    if (!ed_pane_pixel(pane, shape->a[0], shape->a[1], &a) ||
        !ed_pane_pixel(pane, shape->b[0], shape->b[1], &b))
        return;
    double dx = (double)(b.x - a.x), dy = (double)(b.y - a.y), length = hypot(dx, dy);
    if (length < 24 * (double)ui_scale())
        return;
    double size = 7 * (double)ui_scale(), u = dx / length, v = dy / length;
    double x = (double)a.x + dx * 0.6, y = (double)a.y + dy * 0.6;
    ui_triangle_fill(draw, ed_vec(x + u * size, y + v * size), ed_vec(x - v * size * 0.6, y + u * size * 0.6),
                     ed_vec(x + v * size * 0.6, y - u * size * 0.6), colour);
}

static void draw_shapes(const struct ed_handle_tool *tool, const struct ed_pane *pane, struct ui_draw *draw)
{
    for (size_t i = 0; i < tool->handles.shape_count; i++) {
        const struct ed_shape *shape = &tool->handles.shapes[i];
        uint32_t colour = ui_faded(ui_colour(UI_SELECTED), shape->guide   ? 0.35f
                                                           : shape->faint ? 0.75f
                                                                          : 0.9f);
        uint32_t shade = ui_faded(ui_colour(UI_SHADOW), shape->guide ? 0 : 0.5f);
        float width = (shape->faint ? 1.2f : 1.8f) * ui_scale();
        if (shape->kind == ED_SHAPE_ELLIPSE) {
            ed_ground_ellipse(pane, draw, shape->a, shape->b[0], shape->b[1], 0, shade, width + 2);
            ed_ground_ellipse(pane, draw, shape->a, shape->b[0], shape->b[1], 0, colour, width);
        } else if (shape->kind == ED_SHAPE_ARROW)
            draw_arrow(pane, draw, shape, colour);
        else {
            ed_ground_line(pane, draw, shape->a, shape->b, shade, width + 2);
            ed_ground_line(pane, draw, shape->a, shape->b, colour, width);
        }
    }
}

static void describe(const struct ed_handle_tool *tool, const struct ed_handle *handle, struct ui_vec at)
{
    char name[300], number[16] = "";
    if (!ed_describing())
        return;
    if (handle->vertex >= 0)
        snprintf(number, sizeof number, ".%d%s", handle->vertex,
                 handle->kind == ED_HANDLE_REACH  ? "r"
                 : handle->kind == ED_HANDLE_TURN ? "t"
                                                  : "");
    snprintf(name, sizeof name, "handle:%s.%s%s", tool->of, handle->input->name, number);
    ed_describe_item(name, at.x - 5, at.y - 5, 10, 10, true);
}

/* `chosen`: keys change its copy. */
static void draw_knob(const struct ed_handle *handle, struct ui_draw *draw, struct ui_vec at, bool hot,
                      bool chosen)
{
    float radius = (hot ? 6.5f : 5) * ui_scale();
    uint32_t fill = ui_colour(hot || chosen ? UI_ACCENT : UI_SELECTED), rim = ui_rgba(20, 20, 22, 220);
    bool square = handle->kind == ED_HANDLE_VERTEX || handle->kind == ED_HANDLE_CORNER;
    if (handle->unset && !hot)
        fill = ui_colour(UI_MUTED);
    float side = 2 * radius * 0.8f;
    struct ui_rect box = {at.x - side / 2, at.y - side / 2, side, side};
    if (square) {
        ui_rect_fill(draw, (struct ui_rect){box.x - 1.5f, box.y - 1.5f, side + 3, side + 3}, rim, 2);
        ui_rect_fill(draw, box, fill, 1);
        return;
    }
    ui_circle_fill(draw, at, radius + 1.5f, rim);
    ui_circle_fill(draw, at, radius, fill);
    if (ed_handle_is_round(handle))
        ui_circle_fill(draw, at, radius * 0.5f, rim);
}

static void draw_label(const struct ed_handle_tool *tool, const struct ed_pane *pane, struct ui_draw *draw,
                       size_t which, struct ui_vec at)
{
    char first[160], second[160];
    ed_handle_say(pane, &tool->handles, which, tool->dragged == (int)which ? tool->start : NULL, first,
                  second);
    struct ui_vec place = {at.x + 12, at.y - 24 * ui_scale()};
    ed_chip(draw, place, first, ui_colour(UI_TEXT));
    if (second[0])
        ed_chip(draw, (struct ui_vec){place.x, at.y + 12 * ui_scale()}, second, ui_colour(UI_MUTED));
    ed_describe_state("handle", "%s%s%s", first, second[0] ? "; " : "", second);
}

/* An upright line from the ground to the elevation, and the knob above it. */
static void draw_lift(const struct ed_handle_tool *tool, const struct ed_pane *pane, struct ui_draw *draw,
                      const struct ed_handle *handle, bool hot)
{
    struct ui_vec ground, knob, tip;
    char name[300];
    if (!lift_at(pane, handle, &knob, &tip) || !ed_pane_pixel(pane, handle->at[0], handle->at[1], &ground))
        return;
    float s = ui_scale(), size = (hot ? 7 : 5.5f) * s;
    uint32_t colour = ui_colour(hot ? UI_ACCENT : UI_SELECTED), shade = ui_rgba(20, 20, 22, 220);
    ui_line(draw, ground, tip, shade, 4 * s);
    ui_line(draw, ground, tip, colour, 2 * s);
    ui_line(draw, (struct ui_vec){tip.x - 7 * s, tip.y}, (struct ui_vec){tip.x + 7 * s, tip.y}, colour,
            2 * s);
    ui_line(draw, tip, knob, ui_faded(colour, 0.6f), 1.2f * s);
    for (int part = 0; part < 2; part++) {
        float r = part ? size : size + 2 * s;
        const struct ui_vec rhomb[] = {{knob.x, knob.y - 1.3f * r},
                                       {knob.x + r, knob.y},
                                       {knob.x, knob.y + 1.3f * r},
                                       {knob.x - r, knob.y}};
        ui_convex_fill(draw, rhomb, 4, part ? colour : shade);
    }
    snprintf(name, sizeof name, "lift:%s.%s.%d", tool->of, handle->input->name, handle->vertex);
    if (pane->index == 0)
        ed_describe_item(name, knob.x - 5, knob.y - 5, 10, 10, true);
}

static void draw_handles(const struct ed_handle_tool *tool, const struct ed_pane *pane, struct ui_draw *draw,
                         int hot, bool lift)
{
    struct ui_vec at;
    for (size_t i = 0; i < tool->handles.count; i++) {
        const struct ed_handle *handle = &tool->handles.items[i];
        if (!ed_pane_pixel(pane, handle->at[0], handle->at[1], &at))
            continue;
        draw_lift(tool, pane, draw, handle, (int)i == hot && lift);
        draw_knob(handle, draw, at, (int)i == hot && !lift, handle->copy >= 0 && handle->copy == tool->copy);
        if (pane->index == 0)
            describe(tool, handle, at);
        if ((int)i == hot)
            draw_label(tool, pane, draw, i, at);
    }
}

/* A hint on how to add points and change copies, since nothing else on the screen shows it. */
static void draw_hint(const struct ed_handle_tool *tool, const struct ed_pane *pane, struct ui_draw *draw)
{
    const struct oro_input *input = active_network(tool);
    enum oro_handle kind = input ? oro_input_handle(input) : ORO_HANDLE_NONE;
    const char *hint =
        tool->copy >= 0 ? "[ and ] scale the copy touched last, comma and point turn it, M mirrors it"
        : kind == ORO_HANDLE_CURVE ? "Ctrl+click adds a point, with Shift a line; right click removes one"
        : kind == ORO_HANDLE_SPOTS && pane->scene
            ? "Ctrl+click adds a point, the knob above it sets its elevation; right click removes one"
        : kind == ORO_HANDLE_SPOTS ? "Ctrl+click adds a point, Shift+drag raises it; right click removes one"
        : input                    ? "Ctrl+click adds a point; right click removes one"
                                   : NULL;
    if (hint)
        ed_chip(draw, (struct ui_vec){pane->rect.x + 8 * ui_scale(), pane->rect.y + 8 * ui_scale()}, hint,
                ui_colour(UI_MUTED));
}

/* While regions are copied, the handles of copies stay; others would be in the way of the hand. */
static bool are_shown(struct ed_session *session, struct ed_handle_tool *tool)
{
    const struct ed_views *views = session->views;
    if (!views->handles || (views->tool != ED_TOOL_NONE && views->tool != ED_TOOL_REGION))
        return false;
    return take_node(session, tool) &&
           (views->tool == ED_TOOL_NONE || oro_type_input_of_handle(tool->source.type, ORO_HANDLE_PLACES));
}

bool ed_handle_use(struct ed_session *session, struct ed_pane *pane, struct ui_draw *draw, bool free)
{
    struct ed_handle_tool *tool = session->views->handle_tool;
    if (!pane->framed.width || !are_shown(session, tool))
        return false;
    tool->at = pane;
    bool mine = tool->dragged >= 0 && tool->pane == pane->index;
    bool lift = mine && tool->lifted;
    int hot = mine ? tool->dragged : free && tool->dragged < 0 ? nearest(tool, pane, &lift) : -1;
    bool taken = mine || hot >= 0;
    if (mine)
        drag(session, tool, pane);
    else if (free && hot >= 0 && ui_mouse_pressed(0) && !ui_ctrl())
        begin_drag(session, tool, pane, hot, lift);
    else if (free && tool->dragged < 0)
        taken = change_copy(session, tool, hot) || remove_point(session, tool, hot) ||
                add_point(session, tool, pane) || taken;
    if (!take_node(session, tool))
        return taken;
    hot = hot >= 0 && (size_t)hot >= tool->handles.count ? -1 : hot;
    draw_shapes(tool, pane, draw);
    draw_handles(tool, pane, draw, hot, lift);
    if (free && tool->dragged < 0)
        draw_hint(tool, pane, draw);
    if (hot >= 0 && !mine)
        ui_pointer(UI_HAND);
    return taken;
}
