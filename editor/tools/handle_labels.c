#include "editor/tools/handle_labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "editor/pane/labels.h"

enum { LABEL = 160 };

static const double turn = 57.29577951308232;

bool ed_handle_is_round(const struct ed_handle *handle)
{
    return handle->kind == ED_HANDLE_RING || handle->kind == ED_HANDLE_ARM ||
           handle->kind == ED_HANDLE_REACH || handle->kind == ED_HANDLE_TURN;
}

static void say_value(const struct ed_handle *handle, char out[LABEL])
{
    char value[40];
    const char *label = handle->input->label ? handle->input->label : handle->input->name;
    const double *at = handle->at;
    if (handle->kind == ED_HANDLE_TURN)
        snprintf(out, LABEL, "Turned  %g\xc2\xb0, scaled  %.3g", handle->value,
                 hypot(at[0] - handle->anchor[0], at[1] - handle->anchor[1]) * handle->factor);
    else if (ed_handle_is_round(handle))
        snprintf(out, LABEL, "%s  %s", label,
                 ed_quantity(value, sizeof value, handle->value,
                             handle->kind == ED_HANDLE_ARM ? ORO_DEGREE : ORO_METRE));
    else if (handle->kind == ED_HANDLE_CORNER)
        snprintf(out, LABEL, "%s  %.0f, %.0f",
                 handle->value < 0.25   ? "North-west corner"
                 : handle->value > 0.75 ? "South-east corner"
                                        : "Middle",
                 at[0], at[1]);
    else if (handle->rises)
        snprintf(out, LABEL, "%s  %.0f, %.0f: %.0f m", label, at[0], at[1], handle->value);
    else
        snprintf(out, LABEL, "%s  %.0f, %.0f", label, at[0], at[1]);
}

static void add(char out[LABEL], const char *text)
{
    size_t used = strlen(out);
    snprintf(out + used, LABEL - used, "%s%s", used ? ", " : "", text);
}

/* "120 m, 45° from the point before": direction clockwise from north. */
static void add_way(char out[LABEL], const double from[2], const double to[2], const char *what)
{
    char text[100], length[40];
    double dx = to[0] - from[0], dy = to[1] - from[1], angle = atan2(dx, -dy) * turn;
    if (dx == 0 && dy == 0)
        return;
    ed_quantity(length, sizeof length, hypot(dx, dy), ORO_METRE);
    snprintf(text, sizeof text, "%s at %.0f\xc2\xb0 %s", length, angle < 0 ? angle + 360 : angle, what);
    add(out, text);
}

static const struct ed_handle *vertex_before(const struct ed_handles *handles, const struct ed_handle *handle)
{
    for (size_t i = 0; i < handles->count; i++) {
        const struct ed_handle *other = &handles->items[i];
        if (other->kind == ED_HANDLE_VERTEX && other->input == handle->input &&
            other->vertex + 1 == handle->vertex && other->line == handle->line)
            return other;
    }
    return NULL;
}

void ed_handle_say(const struct ed_pane *pane, const struct ed_handles *handles, size_t which,
                   const double start[3], char first[LABEL], char second[LABEL])
{
    char text[80];
    const struct ed_handle *handle = &handles->items[which];
    const struct ed_handle *before = handle->kind == ED_HANDLE_VERTEX ? vertex_before(handles, handle) : NULL;
    const struct ed_picture *ground = handle->rises ? ed_pane_ground(pane) : NULL;
    float below = ground ? ed_picture_sample(ground, handle->at[0], handle->at[1], 0) : NAN;
    second[0] = '\0';
    say_value(handle, first);
    if (isfinite(below)) {
        snprintf(text, sizeof text, "%+.0f m above the ground", handle->value - (double)below);
        add(second, text);
    }
    if (before)
        add_way(second, before->at, handle->at, "from the point before");
    if (!start)
        return;
    if (!ed_handle_is_round(handle))
        add_way(second, start, handle->at, "moved");
    if ((handle->rises || ed_handle_is_round(handle)) && handle->value != start[2]) {
        snprintf(text, sizeof text, "%+.4g", handle->value - start[2]);
        add(second, text);
    }
}
