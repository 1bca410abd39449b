/* Turns drags of handles into new values of inputs. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "editor/tools/handles_private.h"
#include "editor/tools/polylines.h"
#include "graph/type/registry.h"

static const double turn = 57.29577951308232;

double ed_handle_rounded(double value, double step)
{
    double unit = step > 0 ? pow(10, floor(log10(step) + 1e-9)) : 0.01;
    unit = fmin(fmax(unit, 1e-3), 1e3);
    double parts = unit < 1 ? round(1 / unit) : 0;
    return (parts > 0 ? round(value * parts) / parts : round(value / unit) * unit) + 0.0;
}

static double within(const struct oro_input *input, double value)
{
    bool limited = input->min != 0 || input->max != 0;
    return limited ? fmin(fmax(value, input->min), input->max) : value;
}

static int one_edit(const struct oro_input *input, char *text, struct ed_handle_edit *edit)
{
    if (!text)
        return 0;
    *edit = (struct ed_handle_edit){input, text};
    return 1;
}

int ed_handle_set_number(const struct oro_input *input, double value, struct ed_handle_edit *edit)
{
    char number[ORO_NUMBER_SIZE];
    return one_edit(input, oro_copy_text(oro_format_number(within(input, value), number)), edit);
}

static int set_point(const struct oro_input *input, const double at[2], double step,
                     struct ed_handle_edit *edit)
{
    struct oro_text text = {0};
    char number[ORO_NUMBER_SIZE];
    oro_text_add(&text, oro_format_number(ed_handle_rounded(at[0], step), number));
    oro_text_add(&text, " ");
    oro_text_add(&text, oro_format_number(ed_handle_rounded(at[1], step), number));
    char *copy = text.failed ? NULL : oro_copy_text(text.data);
    oro_text_free(&text);
    return one_edit(input, copy, edit);
}

/* ---- Networks ---- */

int ed_handle_set_lines(const struct oro_input *input, struct ed_polylines *lines,
                        struct ed_handle_edit *edit)
{
    char *text = ed_polylines_format(lines);
    ed_polylines_free(lines);
    return one_edit(input, text, edit);
}

static int drag_vertex(const struct ed_handle_source *source, const struct ed_handle *handle,
                       const double to[2], double step, struct ed_handle_edit *edit)
{
    struct ed_polylines lines;
    if (!ed_handle_lines(source, handle->input, &lines))
        return 0;
    if ((size_t)handle->vertex < lines.count) {
        struct ed_vertex *vertex = &lines.items[handle->vertex];
        if (handle->kind == ED_HANDLE_REACH && vertex->count == 4)
            vertex->numbers[3] = fmax(
                ed_handle_rounded(hypot(to[0] - vertex->numbers[0], to[1] - vertex->numbers[1]), step), 0.01);
        else
            for (int k = 0; k < 2; k++)
                vertex->numbers[k] = ed_handle_rounded(to[k], step);
    }
    return ed_handle_set_lines(handle->input, &lines, edit);
}

/* Whether all lines are single points: then a new point becomes a line of its own, too. */
static bool all_points(const struct ed_polylines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        if (ed_polylines_goes_on(lines, i))
            return false;
    return lines->count > 0;
}

/* The ground's elevation, with which a new point begins if its elevation is needed. */
static void set_elevation(const struct ed_handle_source *source, struct ed_vertex *vertex)
{
    double ground = source->elevation ? source->elevation(source->user, vertex->numbers) : (double)NAN;
    vertex->numbers[2] = isfinite(ground) ? ed_handle_rounded(ground, 0.1) : 0;
    vertex->count = 3;
}

int ed_handle_insert(const struct ed_handle_source *source, const struct oro_input *input, int before,
                     bool line, const double at[2], double step, struct ed_handle_edit edits[ED_HANDLE_EDITS])
{
    struct ed_polylines lines;
    enum oro_handle handle = oro_input_handle(input);
    double x = ed_handle_rounded(at[0], step), y = ed_handle_rounded(at[1], step);
    if (!ed_handle_lines(source, input, &lines))
        return 0;
    bool known = handle == ORO_HANDLE_SPOTS;
    bool single = known || handle == ORO_HANDLE_POINTS || handle == ORO_HANDLE_PLACES;
    bool points = single && (all_points(&lines) || !lines.count);
    bool new_line = before < 0 && (line || points);
    bool ok = new_line ? ed_polylines_add_line(&lines, x, y)
                       : ed_polylines_insert(&lines, before < 0 ? lines.count : (size_t)before, x, y);
    if (ok && new_line && known)
        set_elevation(source, &lines.items[lines.count - 1]);
    if (ok)
        return ed_handle_set_lines(input, &lines, edits);
    ed_polylines_free(&lines);
    return 0;
}

int ed_handle_raise(const struct ed_handle_source *source, const struct ed_handle *handle, double by,
                    struct ed_handle_edit edits[ED_HANDLE_EDITS])
{
    struct ed_polylines lines;
    if (!handle->rises || !ed_handle_lines(source, handle->input, &lines))
        return 0;
    if ((size_t)handle->vertex < lines.count)
        lines.items[handle->vertex].numbers[2] = round(handle->value + by);
    return ed_handle_set_lines(handle->input, &lines, edits);
}

int ed_handle_remove(const struct ed_handle_source *source, const struct ed_handle *handle,
                     struct ed_handle_edit edits[ED_HANDLE_EDITS])
{
    struct ed_polylines lines;
    if (handle->vertex < 0 || !ed_handle_lines(source, handle->input, &lines))
        return 0;
    ed_polylines_remove(&lines, (size_t)handle->vertex);
    return ed_handle_set_lines(handle->input, &lines, edits);
}

/* ---- Numbers ---- */

static int drag_ring(const struct ed_handle *handle, const double to[2], double step,
                     struct ed_handle_edit *edit)
{
    double dx = to[0] - handle->anchor[0], dy = to[1] - handle->anchor[1];
    bool across = handle->along[0] != 0 || handle->along[1] != 0;
    double distance = across ? fabs(dx * handle->along[0] + dy * handle->along[1]) : hypot(dx, dy);
    return ed_handle_set_number(handle->input, ed_handle_rounded(distance * handle->factor, step), edit);
}

/* Of all angles that point there, the one nearest to the old value, so that full turns are kept if the
 * input's range has room for them. */
static int drag_arm(const struct ed_handle *handle, const double to[2], struct ed_handle_edit *edit)
{
    const struct oro_input *input = handle->input;
    double dx = to[0] - handle->anchor[0], dy = to[1] - handle->anchor[1];
    if (dx == 0 && dy == 0)
        return 0;
    double angle = round(atan2(dx, -dy) * turn * 2) / 2;
    if (input->max > 360)
        angle += 360 * round((handle->value - angle) / 360);
    else if (angle < 0 && input->soft_min >= 0 && (input->soft_max > 0 || input->min <= -360))
        angle += 360;
    return ed_handle_set_number(input, angle + 0.0, edit);
}

static int drag_corner(const struct ed_handle_source *source, const struct ed_handle *handle,
                       const double to[2], double step, struct ed_handle_edit edits[ED_HANDLE_EDITS])
{
    const struct oro_input *inputs[ED_HANDLE_EDITS];
    double values[ED_HANDLE_EDITS];
    int numbers = ed_handle_drag_crop(source, handle, to, step, inputs, values), count = 0;
    for (int i = 0; i < numbers; i++)
        count += ed_handle_set_number(inputs[i], values[i], &edits[count]);
    return count;
}

int ed_handle_drag(const struct ed_handle_source *source, const struct ed_handles *handles, size_t which,
                   const double to[2], double step, struct ed_handle_edit edits[ED_HANDLE_EDITS])
{
    const struct ed_handle *handle = &handles->items[which];
    const double offset[2] = {to[0] - handle->anchor[0], to[1] - handle->anchor[1]};
    int count = 0;
    switch (handle->kind) {
    case ED_HANDLE_VERTEX:
    case ED_HANDLE_REACH:
        return drag_vertex(source, handle, to, step, edits);
    case ED_HANDLE_RING:
        return drag_ring(handle, to, step, edits);
    case ED_HANDLE_CORNER:
        return drag_corner(source, handle, to, step, edits);
    case ED_HANDLE_TURN:
        return ed_handle_drag_copy(source, handle, to, edits);
    case ED_HANDLE_ARM:
        return drag_arm(handle, to, edits);
    case ED_HANDLE_OFFSET:
        return set_point(handle->input, offset, step, edits);
    case ED_HANDLE_POINT:
        break;
    }
    count += set_point(handle->input, to, step, &edits[count]);
    if (handle->unset && handle->partner >= 0) {
        const struct ed_handle *partner = &handles->items[handle->partner];
        count += set_point(partner->input, partner->at, step, &edits[count]);
    }
    return count;
}

void ed_handle_edits_free(struct ed_handle_edit edits[ED_HANDLE_EDITS], int count)
{
    for (int i = 0; i < count; i++)
        oro_free(edits[i].text);
}
