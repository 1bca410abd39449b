/* Copies of a region: the outline of each, and a knob north of its middle that turns and scales it. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/tools/handles_private.h"
#include "editor/tools/polylines.h"
#include "graph/type/registry.h"

static const double turn = 57.29577951308232;

enum { SIDES = 48, OUTLINES = 64 }; /* of an ellipse; copies that get an outline */

/* ---- What there is ---- */

struct copy {
    double to[2], angle, scale;
    bool mirror;
};

static double number_or(const struct ed_handle_source *source, const char *name, double other)
{
    const struct oro_input *input = oro_type_input(source->type, name);
    double value;
    return input && ed_handle_number(source, input, &value) ? value : other;
}

static bool is_on(const struct ed_handle_source *source, const char *name)
{
    const struct oro_input *input = oro_type_input(source->type, name);
    char *text = input ? source->text(source->user, input) : NULL;
    bool on = text && strcmp(text, "true") == 0;
    oro_free(text);
    return on;
}

static bool first_copy(const struct ed_handle_source *source, struct copy *copy)
{
    *copy = (struct copy){.angle = number_or(source, "angle", 0),
                          .scale = number_or(source, "scale", 1),
                          .mirror = is_on(source, "mirror")};
    return ed_handle_point(source, "to", copy->to);
}

/* What a place leaves out is as it is for the first copy; the mirror image of a scale is below 0. */
static struct copy copy_at(const struct copy *first, const struct ed_vertex *place)
{
    struct copy copy = *first;
    memcpy(copy.to, place->numbers, sizeof copy.to);
    if (place->count > 2)
        copy.angle = place->numbers[2];
    if (place->count > 3) {
        copy.scale = fabs(place->numbers[3]);
        copy.mirror = place->numbers[3] < 0;
    }
    return copy;
}

/* ---- Outlines ---- */

/* Pieces of the outline, from `from`. */
struct outline {
    double (*pieces)[4];
    size_t count, capacity;
    double reach; /* to its farthest point; the knob of a copy of scale 1 is as far */
};

static bool add_piece(struct outline *outline, const double a[2], const double b[2])
{
    if (!oro_reserve((void **)&outline->pieces, &outline->capacity, outline->count + 1,
                     sizeof *outline->pieces))
        return false;
    double *piece = outline->pieces[outline->count++];
    memcpy(piece, a, 2 * sizeof *a);
    memcpy(piece + 2, b, 2 * sizeof *b);
    outline->reach = fmax(outline->reach, hypot(a[0], a[1]));
    return true;
}

static bool add_ellipse(struct outline *outline, double rx, double ry)
{
    bool ok = true;
    for (int i = 0; ok && i < SIDES; i++) {
        double a = i * 360.0 / SIDES / turn, b = (i + 1) * 360.0 / SIDES / turn;
        ok = add_piece(outline, (const double[]){rx * cos(a), ry * sin(a)},
                       (const double[]){rx * cos(b), ry * sin(b)});
    }
    return ok;
}

static bool add_polygon(struct outline *outline, const struct ed_polylines *lines, const double from[2])
{
    bool ok = true;
    size_t first = 0;
    for (size_t i = 0; ok && i < lines->count; i++) {
        bool goes_on = ed_polylines_goes_on(lines, i);
        const double *a = lines->items[i].numbers, *b = lines->items[goes_on ? i + 1 : first].numbers;
        ok = add_piece(outline, (const double[]){a[0] - from[0], a[1] - from[1]},
                       (const double[]){b[0] - from[0], b[1] - from[1]});
        first = goes_on ? first : i + 1;
    }
    return ok;
}

/* A region without an outline, that of a mask, has a knob only. */
static bool outline_of(const struct ed_handle_source *source, struct outline *outline)
{
    const struct oro_input *polygon = oro_type_input_of_handle(source->type, ORO_HANDLE_OUTLINE);
    const struct oro_input *rx = oro_type_input_of_handle(source->type, ORO_HANDLE_RADIUS_X);
    const struct oro_input *ry = oro_type_input_of_handle(source->type, ORO_HANDLE_RADIUS_Y);
    struct ed_polylines lines;
    double from[2], x, y;
    bool ok = true;
    *outline = (struct outline){0};
    if (rx && ry && ed_handle_holds(source, rx) && ed_handle_number(source, rx, &x) &&
        ed_handle_number(source, ry, &y))
        ok = add_ellipse(outline, x, y);
    else if (polygon && ed_handle_holds(source, polygon) && ed_handle_point(source, "from", from) &&
             ed_handle_lines(source, polygon, &lines)) {
        ok = add_polygon(outline, &lines, from);
        ed_polylines_free(&lines);
    }
    if (!(outline->reach > 0))
        outline->reach = 0.16 * fmin(source->width, source->height);
    return ok;
}

static void bring(const struct copy *copy, double stretch, const double at[2], double to[2])
{
    double x = at[0] * copy->scale * stretch * (copy->mirror ? -1 : 1), y = at[1] * copy->scale;
    double c = cos(copy->angle / turn), s = sin(copy->angle / turn);
    to[0] = copy->to[0] + c * x - s * y;
    to[1] = copy->to[1] + s * x + c * y;
}

static bool add_outline(struct ed_handles *handles, const struct outline *outline, const struct copy *copy,
                        double stretch)
{
    bool ok = true;
    for (size_t i = 0; ok && i < outline->count; i++) {
        double a[2], b[2];
        bring(copy, stretch, outline->pieces[i], a);
        bring(copy, stretch, outline->pieces[i] + 2, b);
        ok = ed_handle_add_shape(handles, ED_SHAPE_LINE, a, b, true);
    }
    return ok;
}

/* ---- Handles ---- */

static bool add_knob(struct ed_handles *handles, const struct oro_input *input, int index,
                     const struct copy *copy, double reach)
{
    double at[2];
    bring(copy, 1, (const double[]){0, -reach}, at);
    struct ed_handle *handle = ed_handle_add(handles, ED_HANDLE_TURN, input, at);
    if (!handle)
        return false;
    handle->vertex = index - 1;
    handle->copy = index;
    handle->value = copy->angle;
    handle->factor = 1 / reach;
    memcpy(handle->anchor, copy->to, sizeof handle->anchor);
    return ed_handle_add_shape(handles, ED_SHAPE_LINE, copy->to, at, true);
}

/* Handles that move copies are there already. */
static void mark(struct ed_handles *handles, const struct oro_input *places)
{
    for (size_t i = 0; i < handles->count; i++) {
        struct ed_handle *handle = &handles->items[i];
        if (handle->input == places)
            handle->copy = handle->vertex + 1;
        else if (handle->kind == ED_HANDLE_POINT && strcmp(handle->input->name, "to") == 0)
            handle->copy = 0;
    }
}

static bool add_copy(const struct ed_handle_source *source, struct ed_handles *handles,
                     const struct oro_input *input, int index, const struct copy *copy,
                     const struct outline *outline)
{
    return (index >= OUTLINES || add_outline(handles, outline, copy, number_or(source, "stretch", 1))) &&
           add_knob(handles, input, index, copy, outline->reach);
}

bool ed_handle_add_copies(const struct ed_handle_source *source, struct ed_handles *handles,
                          const struct oro_input *places)
{
    const struct oro_input *angle = oro_type_input(source->type, "angle");
    const struct oro_input *scale = oro_type_input(source->type, "scale");
    struct copy first;
    struct outline outline;
    struct ed_polylines lines;
    double value;
    bool known = first_copy(source, &first), ok = outline_of(source, &outline);
    mark(handles, places);
    if (known && angle && scale && ed_handle_number(source, angle, &value) &&
        ed_handle_number(source, scale, &value))
        ok = ok && add_copy(source, handles, angle, 0, &first, &outline);
    if (ok && ed_handle_lines(source, places, &lines)) {
        for (size_t i = 0; ok && i < lines.count; i++) {
            struct copy copy = copy_at(&first, &lines.items[i]);
            ok = add_copy(source, handles, places, (int)i + 1, &copy, &outline);
        }
        ed_polylines_free(&lines);
    }
    oro_free(outline.pieces);
    return ok;
}

/* ---- Edits ---- */

static double within_half_turn(double angle)
{
    return angle - 360 * ceil(angle / 360 - 0.5) + 0.0;
}

static double rounded_scale(double scale)
{
    scale = fmin(fmax(scale, 0.01), 100);
    return ed_handle_rounded(scale, 0.01 * fmax(scale, 0.1));
}

static bool read_copy(const struct ed_handle_source *source, int index, struct copy *copy)
{
    const struct oro_input *places = oro_type_input_of_handle(source->type, ORO_HANDLE_PLACES);
    struct ed_polylines lines;
    if (index < 0 || !first_copy(source, copy) || index == 0)
        return index == 0;
    if (!places || !ed_handle_lines(source, places, &lines))
        return false;
    bool known = (size_t)index <= lines.count;
    if (known)
        *copy = copy_at(copy, &lines.items[index - 1]);
    ed_polylines_free(&lines);
    return known;
}

/* The first copy's values are inputs of their own, of which those that change are set. */
static int write_first(const struct ed_handle_source *source, const struct copy *copy,
                       struct ed_handle_edit edits[ED_HANDLE_EDITS])
{
    const struct oro_input *mirror = oro_type_input(source->type, "mirror");
    struct copy old;
    int count = 0;
    first_copy(source, &old);
    if (copy->angle != old.angle)
        count += ed_handle_set_number(oro_type_input(source->type, "angle"), copy->angle, &edits[count]);
    if (copy->scale != old.scale)
        count += ed_handle_set_number(oro_type_input(source->type, "scale"), copy->scale, &edits[count]);
    if (mirror && copy->mirror != old.mirror) {
        edits[count] = (struct ed_handle_edit){mirror, oro_copy_text(copy->mirror ? "true" : "false")};
        count += edits[count].text != NULL;
    }
    return count;
}

static int write_copy(const struct ed_handle_source *source, int index, const struct copy *copy,
                      struct ed_handle_edit edits[ED_HANDLE_EDITS])
{
    const struct oro_input *places = oro_type_input_of_handle(source->type, ORO_HANDLE_PLACES);
    struct ed_polylines lines;
    if (index == 0)
        return write_first(source, copy, edits);
    if (!ed_handle_lines(source, places, &lines))
        return 0;
    struct ed_vertex *place = &lines.items[index - 1];
    place->numbers[2] = copy->angle;
    place->numbers[3] = copy->mirror ? -copy->scale : copy->scale;
    place->count = 4;
    return ed_handle_set_lines(places, &lines, edits);
}

int ed_handle_drag_copy(const struct ed_handle_source *source, const struct ed_handle *handle,
                        const double to[2], struct ed_handle_edit edits[ED_HANDLE_EDITS])
{
    struct copy copy;
    double x = to[0] - handle->anchor[0], y = to[1] - handle->anchor[1];
    if ((x == 0 && y == 0) || !read_copy(source, handle->copy, &copy))
        return 0;
    copy.angle = within_half_turn(round(atan2(x, -y) * turn * 2) / 2);
    copy.scale = rounded_scale(hypot(x, y) * handle->factor);
    return write_copy(source, handle->copy, &copy, edits);
}

int ed_handle_change_copy(const struct ed_handle_source *source, int index,
                          const struct ed_copy_change *change, struct ed_handle_edit edits[ED_HANDLE_EDITS])
{
    struct copy copy;
    if (!read_copy(source, index, &copy))
        return 0;
    copy.angle = within_half_turn(copy.angle + change->turn);
    copy.scale = rounded_scale(copy.scale * change->factor);
    copy.mirror = copy.mirror != change->mirror;
    return write_copy(source, index, &copy, edits);
}
