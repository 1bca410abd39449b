/* The rectangle of `crop`: two corners, and its middle, which moves it. */
#include <math.h>

#include "editor/tools/handles_private.h"
#include "graph/type/registry.h"

/* The crop as its inputs say, and as it takes effect: a side of 0 reaches to the border of the world. */
struct crop {
    double at[2], size[2];
    bool open[2];
};

static const enum oro_handle places[] = {ORO_HANDLE_RECT_X, ORO_HANDLE_RECT_Y},
                             sides[] = {ORO_HANDLE_RECT_WIDTH, ORO_HANDLE_RECT_HEIGHT};

static bool crop_of(const struct ed_handle_source *source, struct crop *crop)
{
    const double world[2] = {source->width, source->height};
    for (int k = 0; k < 2; k++) {
        const struct oro_input *at = oro_type_input_of_handle(source->type, places[k]);
        const struct oro_input *size = oro_type_input_of_handle(source->type, sides[k]);
        if (!at || !size || !ed_handle_number(source, at, &crop->at[k]) ||
            !ed_handle_number(source, size, &crop->size[k]))
            return false;
        crop->open[k] = crop->size[k] <= 0;
        if (crop->open[k])
            crop->size[k] = fmax(world[k] - crop->at[k], 0);
    }
    return true;
}

static bool add_sides(struct ed_handles *handles, const struct crop *crop)
{
    const double a[2] = {crop->at[0], crop->at[1]};
    const double b[2] = {a[0] + crop->size[0], a[1] + crop->size[1]};
    return ed_handle_add_box(handles, a, b);
}

bool ed_handle_add_crop(const struct ed_handle_source *source, struct ed_handles *handles,
                        const struct oro_input *input)
{
    struct crop crop;
    if (input->handle == ORO_HANDLE_RECT_HEIGHT || !crop_of(source, &crop))
        return true; /* three handles are enough */
    double share = input->handle == ORO_HANDLE_RECT_X ? 0 : input->handle == ORO_HANDLE_RECT_WIDTH ? 1 : 0.5;
    const double at[2] = {crop.at[0] + share * crop.size[0], crop.at[1] + share * crop.size[1]};
    struct ed_handle *handle = ed_handle_add(handles, ED_HANDLE_CORNER, input, at);
    if (!handle)
        return false;
    handle->value = share;
    return share > 0 || add_sides(handles, &crop);
}

static void round_place(double place[2], double step)
{
    for (int k = 0; k < 2; k++)
        place[k] = ed_handle_rounded(place[k], step);
}

int ed_handle_drag_crop(const struct ed_handle_source *source, const struct ed_handle *handle,
                        const double to[2], double step, const struct oro_input *inputs[ED_HANDLE_EDITS],
                        double values[ED_HANDLE_EDITS])
{
    struct crop crop;
    double place[2] = {to[0], to[1]};
    int count = 0;
    if (!crop_of(source, &crop))
        return 0;
    bool corner = handle->value < 0.25;
    bool size = handle->value > 0.75;
    for (int k = 0; k < 2 && !corner && !size; k++)
        place[k] -= crop.size[k] / 2;
    round_place(place, step);
    for (int k = 0; k < 2; k++) {
        double end = crop.at[k] + crop.size[k];
        if (corner)
            place[k] = fmin(place[k], end - step);
        double length = size ? fmax(place[k] - crop.at[k], step) : end - place[k];
        if (!size) {
            inputs[count] = oro_type_input_of_handle(source->type, places[k]);
            values[count++] = place[k];
        }
        if (size || (corner && !crop.open[k])) {
            inputs[count] = oro_type_input_of_handle(source->type, sides[k]);
            values[count++] = length;
        }
    }
    return count;
}
