/* From a node's values to its handles. */
#include "editor/tools/handles_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/tools/polylines.h"
#include "graph/type/registry.h"

static const double turn = 57.29577951308232;

/* ---- Values ---- */

static char *text_of(const struct ed_handle_source *source, const char *name, const struct oro_input **input)
{
    *input = oro_type_input(source->type, name);
    return *input ? source->text(source->user, *input) : NULL;
}

bool ed_handle_point(const struct ed_handle_source *source, const char *name, double at[2])
{
    struct ed_polylines lines;
    const struct oro_input *input;
    char *text = text_of(source, name, &input);
    bool ok = text && input->type == ORO_POINT && ed_polylines_parse(text, &lines);
    if (ok) {
        ok = lines.count == 1 && lines.items[0].count == 2;
        if (ok)
            memcpy(at, lines.items[0].numbers, 2 * sizeof *at);
        ed_polylines_free(&lines);
    }
    oro_free(text);
    return ok;
}

bool ed_handle_number(const struct ed_handle_source *source, const struct oro_input *input, double *value)
{
    char *text = source->text(source->user, input);
    bool ok = text && oro_parse_number(text, value);
    oro_free(text);
    return ok;
}

bool ed_handle_lines(const struct ed_handle_source *source, const struct oro_input *input,
                     struct ed_polylines *lines)
{
    char *text = source->text(source->user, input);
    bool ok = text && ed_polylines_parse(text, lines);
    oro_free(text);
    return ok;
}

static bool holds(const struct ed_handle_source *source, const char *when)
{
    char left[64];
    if (!when)
        return true;
    size_t length = oro_condition_input(when);
    snprintf(left, sizeof left, "%.*s", (int)length, when);
    double a[2], b[2];
    if (ed_handle_point(source, left, a)) /* "start=end" */
        return !ed_handle_point(source, when + length + 1, b) || (a[0] == b[0] && a[1] == b[1]);
    const struct oro_input *choice;
    char *text = text_of(source, left, &choice);
    bool does = text && oro_condition_holds(when, text);
    oro_free(text);
    return does;
}

bool ed_handle_holds(const struct ed_handle_source *source, const struct oro_input *input)
{
    return holds(source, input->when) && holds(source, input->handle_when);
}

/* ---- Anchors ---- */

struct anchor {
    double at[2];
    double along[2];   /* unit vector across the line whose middle it is; 0 0: a single place */
    double a[2], b[2]; /* that line */
    bool line;
    const struct oro_input *network; /* that the line is of; NULL */
};

static void anchor_between(struct anchor *anchor, const double a[2], const double b[2])
{
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    memcpy(anchor->a, a, sizeof anchor->a);
    memcpy(anchor->b, b, sizeof anchor->b);
    anchor->at[0] = (a[0] + b[0]) / 2;
    anchor->at[1] = (a[1] + b[1]) / 2;
    anchor->line = length > 0;
    if (anchor->line) {
        anchor->along[0] = -(b[1] - a[1]) / length;
        anchor->along[1] = (b[0] - a[0]) / length;
    }
}

/* The anchor of a network: the middle of the middle piece of its first curve, or its first point. */
static bool anchor_on_network(const struct ed_handle_source *source, const char *name, struct anchor *anchor)
{
    struct ed_polylines lines = {0};
    const struct oro_input *input;
    char *text = text_of(source, name, &input);
    bool network = text && oro_handle_is_network(oro_input_handle(input));
    bool ok = network && ed_polylines_parse(text, &lines) && lines.count > 0;
    struct oro_line_points curve = {0};
    ok = ok && ed_handle_curve(source, input, &lines, 0, &curve);
    if (ok) {
        size_t at = curve.count > 1 ? (curve.count - 2) / 2 : 0, next = curve.count > 1 ? at + 1 : at;
        anchor_between(anchor, (const double[2]){curve.items[at].x, curve.items[at].y},
                       (const double[2]){curve.items[next].x, curve.items[next].y});
        anchor->network = input;
    }
    oro_line_free(&curve);
    ed_polylines_free(&lines);
    oro_free(text);
    return ok;
}

/* No anchor while the point has no effect. */
static bool anchor_at(const struct ed_handle_source *source, const char *name, struct anchor *anchor)
{
    char first[64];
    double a[2], b[2];
    const char *dash = strchr(name, '-');
    const struct oro_input *input = oro_type_input(source->type, name);
    if (input && !ed_handle_holds(source, input))
        return false;
    if (!dash) {
        if (ed_handle_point(source, name, a)) {
            memcpy(anchor->at, a, sizeof a);
            return true;
        }
        return anchor_on_network(source, name, anchor);
    }
    snprintf(first, sizeof first, "%.*s", (int)(dash - name), name);
    if (!ed_handle_point(source, first, a) || !ed_handle_point(source, dash + 1, b))
        return false;
    anchor_between(anchor, a, b);
    return true;
}

/* False: the handle needs a place that the node does not have. */
static bool anchor_of(const struct ed_handle_source *source, const struct oro_input *input,
                      struct anchor *anchor)
{
    *anchor = (struct anchor){.at = {source->width / 2, source->height / 2}};
    return (input->handle_at && anchor_at(source, input->handle_at, anchor)) ||
           !oro_handle_is_distance(input->handle);
}

/* ---- Lists ---- */

struct ed_handle *ed_handle_add(struct ed_handles *handles, enum ed_handle_kind kind,
                                const struct oro_input *input, const double at[2])
{
    if (!oro_reserve((void **)&handles->items, &handles->capacity, handles->count + 1,
                     sizeof *handles->items))
        return NULL;
    struct ed_handle *handle = &handles->items[handles->count++];
    *handle = (struct ed_handle){.kind = kind,
                                 .input = input,
                                 .vertex = -1,
                                 .at = {at[0], at[1]},
                                 .copy = -1,
                                 .partner = -1,
                                 .factor = 1};
    return handle;
}

struct ed_shape *ed_handle_add_shape(struct ed_handles *handles, enum ed_shape_kind kind, const double a[2],
                                     const double b[2], bool faint)
{
    if (!oro_reserve((void **)&handles->shapes, &handles->shape_capacity, handles->shape_count + 1,
                     sizeof *handles->shapes))
        return NULL;
    struct ed_shape *shape = &handles->shapes[handles->shape_count++];
    *shape = (struct ed_shape){.kind = kind, .a = {a[0], a[1]}, .b = {b[0], b[1]}, .faint = faint};
    return shape;
}

/* ---- Of each kind ---- */

bool ed_handle_add_box(struct ed_handles *handles, const double a[2], const double b[2])
{
    const double c[2] = {b[0], a[1]}, d[2] = {a[0], b[1]};
    return ed_handle_add_shape(handles, ED_SHAPE_LINE, a, c, false) &&
           ed_handle_add_shape(handles, ED_SHAPE_LINE, c, b, false) &&
           ed_handle_add_shape(handles, ED_SHAPE_LINE, b, d, false) &&
           ed_handle_add_shape(handles, ED_SHAPE_LINE, d, a, false);
}

/* Two points at the same place mean that nothing is set: they are shown apart, and the first drag sets both.
 * The first of them has its handle already. */
static void part_pair(const struct ed_handle_source *source, struct ed_handles *handles,
                      const struct oro_input *first, struct ed_handle *second, bool box)
{
    for (size_t i = 0; i + 1 < handles->count; i++) {
        struct ed_handle *other = &handles->items[i];
        if (other->input != first || other->at[0] != second->at[0] || other->at[1] != second->at[1])
            continue;
        const double near[2] = {source->width * 0.25, source->height * (box ? 0.25 : 0.75)};
        const double far[2] = {source->width * 0.75, source->height * 0.75};
        memcpy(other->at, near, sizeof near);
        memcpy(second->at, far, sizeof far);
        other->unset = second->unset = true;
        other->partner = (int)handles->count - 1;
        second->partner = (int)i;
    }
}

static bool add_point(const struct ed_handle_source *source, struct ed_handles *handles,
                      const struct oro_input *input)
{
    enum oro_handle kind = oro_input_handle(input);
    struct anchor anchor;
    double at[2];
    if (!ed_handle_point(source, input->name, at))
        return true;
    anchor_of(source, input, &anchor);
    bool offset = kind == ORO_HANDLE_OFFSET, box = kind == ORO_HANDLE_BOX;
    if (offset) /* beside the anchor, which has a handle of its own */
        anchor.at[0] -= 0.06 * fmin(source->width, source->height);
    if (offset)
        for (int k = 0; k < 2; k++)
            at[k] += anchor.at[k];
    struct ed_handle *handle = ed_handle_add(handles, offset ? ED_HANDLE_OFFSET : ED_HANDLE_POINT, input, at);
    if (!handle)
        return false;
    memcpy(handle->anchor, anchor.at, sizeof handle->anchor);
    if (kind == ORO_HANDLE_POINT)
        return true;
    const double *from = anchor.at;
    if (kind == ORO_HANDLE_LINE || box) {
        part_pair(source, handles, oro_type_input(source->type, input->handle_at), handle, box);
        if (handle->partner >= 0)
            from = handles->items[handle->partner].at;
    }
    if (box)
        return ed_handle_add_box(handles, from, handle->at);
    return ed_handle_add_shape(handles, kind == ORO_HANDLE_LINE ? ED_SHAPE_LINE : ED_SHAPE_ARROW, from,
                               handle->at, handle->unset) != NULL;
}

static bool add_vertex(struct ed_handles *handles, const struct oro_input *input,
                       const struct ed_vertex *vertex, int index, bool reach)
{
    struct ed_handle *handle = ed_handle_add(handles, ED_HANDLE_VERTEX, input, vertex->numbers);
    if (!handle)
        return false;
    handle->vertex = index;
    handle->line = vertex->line;
    handle->rises = oro_input_handle(input) == ORO_HANDLE_SPOTS && vertex->count > 2;
    handle->value = vertex->numbers[2];
    if (!reach || vertex->count < 4 || vertex->numbers[3] <= 0)
        return true;
    double radius = vertex->numbers[3];
    const double radii[2] = {radius, radius};
    const double at[2] = {vertex->numbers[0] + radius, vertex->numbers[1]};
    struct ed_handle *ring = ed_handle_add(handles, ED_HANDLE_REACH, input, at);
    if (!ring || !ed_handle_add_shape(handles, ED_SHAPE_ELLIPSE, vertex->numbers, radii, true))
        return false;
    ring->vertex = index;
    ring->value = radius;
    memcpy(ring->anchor, vertex->numbers, sizeof ring->anchor);
    return true;
}

static bool add_network(const struct ed_handle_source *source, struct ed_handles *handles,
                        const struct oro_input *input)
{
    enum oro_handle kind = oro_input_handle(input);
    struct ed_polylines lines;
    bool ok = true;
    if (!ed_handle_lines(source, input, &lines))
        return true;
    for (size_t i = 0; i < lines.count && ok; i++)
        ok = add_vertex(handles, input, &lines.items[i], (int)i,
                        kind == ORO_HANDLE_POINTS || kind == ORO_HANDLE_SPOTS);
    ok = ok && ed_handle_add_lines(source, handles, input, &lines);
    ed_polylines_free(&lines);
    return ok && (kind != ORO_HANDLE_PLACES || ed_handle_add_copies(source, handles, input));
}

static bool add_ring_shape(const struct ed_handle_source *source, struct ed_handles *handles,
                           const struct anchor *anchor, double distance)
{
    const double radii[2] = {distance, distance};
    if (anchor->network)
        return ed_handle_add_network_ring(source, handles, anchor->network, distance);
    if (anchor->line)
        return ed_handle_add_sides(handles, anchor->a, anchor->b, distance);
    return ed_handle_add_shape(handles, ED_SHAPE_ELLIPSE, anchor->at, radii, true) != NULL;
}

static bool add_ring(const struct ed_handle_source *source, struct ed_handles *handles,
                     const struct oro_input *input)
{
    bool x = input->handle == ORO_HANDLE_RADIUS_X, y = input->handle == ORO_HANDLE_RADIUS_Y;
    struct anchor anchor;
    double value;
    if (!ed_handle_number(source, input, &value) || !anchor_of(source, input, &anchor))
        return true;
    double factor = input->handle == ORO_HANDLE_WIDTH ? 2 : 1, distance = value / factor;
    bool unset = distance <= 0; /* on top of its anchor it could not be grabbed */
    if (unset)
        distance = 0.08 * fmin(source->width, source->height);
    double along[2] = {0.70710678, 0.70710678};
    if (anchor.line)
        memcpy(along, anchor.along, sizeof along);
    else if (x || y) {
        along[0] = x;
        along[1] = y;
    }
    const double at[2] = {anchor.at[0] + along[0] * distance, anchor.at[1] + along[1] * distance};
    struct ed_handle *handle = ed_handle_add(handles, ED_HANDLE_RING, input, at);
    if (!handle)
        return false;
    handle->value = value;
    handle->factor = factor;
    handle->unset = unset;
    memcpy(handle->anchor, anchor.at, sizeof handle->anchor);
    if (anchor.line || x || y)
        memcpy(handle->along, along, sizeof along);
    if (unset)
        return ed_handle_add_shape(handles, ED_SHAPE_LINE, anchor.at, at, true) != NULL;
    if (!x && !y)
        return add_ring_shape(source, handles, &anchor, distance);
    if (x)
        return true; /* drawn with the other half */
    const struct oro_input *other = oro_type_input_of_handle(source->type, ORO_HANDLE_RADIUS_X);
    double radii[2] = {distance, distance};
    if (other)
        ed_handle_number(source, other, &radii[0]);
    return ed_handle_add_shape(handles, ED_SHAPE_ELLIPSE, anchor.at, radii, true) != NULL;
}

static bool add_arm(const struct ed_handle_source *source, struct ed_handles *handles,
                    const struct oro_input *input)
{
    struct anchor anchor;
    double value, length = 0.16 * fmin(source->width, source->height);
    if (!ed_handle_number(source, input, &value) || !anchor_of(source, input, &anchor))
        return true;
    const double at[2] = {anchor.at[0] + length * sin(value / turn),
                          anchor.at[1] - length * cos(value / turn)};
    struct ed_handle *handle = ed_handle_add(handles, ED_HANDLE_ARM, input, at);
    if (!handle)
        return false;
    handle->value = value;
    memcpy(handle->anchor, anchor.at, sizeof handle->anchor);
    return ed_handle_add_shape(handles, ED_SHAPE_LINE, anchor.at, at, false) != NULL;
}

bool ed_handles_make(const struct ed_handle_source *source, struct ed_handles *handles)
{
    bool ok = true;
    handles->count = handles->shape_count = 0;
    for (const struct oro_input *input = source->type->inputs; input && input->name && ok; input++) {
        enum oro_handle kind = oro_input_handle(input);
        if (kind == ORO_HANDLE_NONE || !ed_handle_holds(source, input))
            continue;
        if (input->type == ORO_POINT)
            ok = add_point(source, handles, input);
        else if (oro_handle_is_network(kind))
            ok = add_network(source, handles, input);
        else if (kind == ORO_HANDLE_ROTATION)
            ok = add_arm(source, handles, input);
        else if (oro_handle_is_distance(kind))
            ok = add_ring(source, handles, input);
        else
            ok = ed_handle_add_crop(source, handles, input);
    }
    return ok;
}

void ed_handles_free(struct ed_handles *handles)
{
    oro_free(handles->items);
    oro_free(handles->shapes);
    *handles = (struct ed_handles){0};
}
