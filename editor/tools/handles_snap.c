/* Where a handle goes that is dragged with Ctrl. */
#include <math.h>
#include <string.h>

#include "editor/tools/handles.h"

static const double fifteen = 0.2617993877991494;

double ed_snap_step(double pixel)
{
    double wanted = 12 * fmax(pixel, 1e-6), power = pow(10, floor(log10(wanted)));
    return wanted <= 2 * power ? 2 * power : wanted <= 5 * power ? 5 * power : 10 * power;
}

/* To a multiple of 15 degrees, as far from the anchor as it is. */
static void snap_angle(const struct ed_handle *handle, double to[2])
{
    double dx = to[0] - handle->anchor[0], dy = to[1] - handle->anchor[1], length = hypot(dx, dy);
    double angle = round(atan2(dx, -dy) / fifteen) * fifteen;
    to[0] = handle->anchor[0] + length * sin(angle);
    to[1] = handle->anchor[1] - length * cos(angle);
}

/* To a value that is a multiple of the step, in the direction in which it lies. */
static void snap_distance(const struct ed_handle *handle, double step, double to[2])
{
    double d[2] = {to[0] - handle->anchor[0], to[1] - handle->anchor[1]};
    bool across = handle->along[0] != 0 || handle->along[1] != 0;
    double distance = across ? d[0] * handle->along[0] + d[1] * handle->along[1] : hypot(d[0], d[1]);
    double factor = handle->factor != 0 ? handle->factor : 1;
    double snapped = round(distance * factor / step) * step / factor;
    if (distance == 0)
        return;
    for (int k = 0; k < 2; k++)
        to[k] = handle->anchor[k] + (across ? handle->along[k] * snapped : d[k] * snapped / distance);
}

/* The place of another handle that is the nearest within reach. */
static bool snap_to_other(const struct ed_handles *handles, size_t which, double reach, double to[2])
{
    const struct ed_handle *own = &handles->items[which], *found = NULL;
    for (size_t i = 0; i < handles->count; i++) {
        const struct ed_handle *other = &handles->items[i];
        bool place = other->kind == ED_HANDLE_POINT || other->kind == ED_HANDLE_VERTEX ||
                     other->kind == ED_HANDLE_CORNER;
        double away = hypot(other->at[0] - to[0], other->at[1] - to[1]);
        if (i == which || !place || away > reach ||
            (own->kind == ED_HANDLE_CORNER && other->kind == own->kind))
            continue;
        found = other;
        reach = away;
    }
    if (found)
        memcpy(to, found->at, sizeof found->at);
    return found;
}

void ed_handle_snap(const struct ed_handles *handles, size_t which, double pixel, double to[2])
{
    const struct ed_handle *handle = &handles->items[which];
    double step = ed_snap_step(pixel);
    switch (handle->kind) {
    case ED_HANDLE_ARM:
    case ED_HANDLE_TURN:
        snap_angle(handle, to);
        break;
    case ED_HANDLE_RING:
    case ED_HANDLE_REACH:
        snap_distance(handle, step, to);
        break;
    default:
        if (!snap_to_other(handles, which, 10 * pixel, to))
            for (int k = 0; k < 2; k++)
                to[k] = round(to[k] / step) * step;
    }
}
