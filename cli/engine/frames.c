#include "cli/engine/frames.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/report/console.h"
#include "formats/format.h"

const char *const cli_frame_formats[] = {"relief", "pfm", NULL};

/* ---- Shading ---- */

/* Lambert's cosine for a light in the north-west, 45 degrees up, and some light from the sky. Rows go south.
 */
static float shade_of(const struct oro_heightfield *field, int x, int y)
{
    int w = x > 0 ? x - 1 : x, e = x + 1 < field->width ? x + 1 : x;
    int n = y > 0 ? y - 1 : y, s = y + 1 < field->height ? y + 1 : y;
    const float *row = field->data + (size_t)y * (size_t)field->width;
    const float *north = field->data + (size_t)n * (size_t)field->width;
    const float *south = field->data + (size_t)s * (size_t)field->width;
    float cell = (float)field->cell;
    float east = e > w ? (row[e] - row[w]) / (cell * (float)(e - w)) : 0;
    float down = s > n ? (south[x] - north[x]) / (cell * (float)(s - n)) : 0;
    float light = (0.5F * (east + down) + 0.70710678F) / sqrtf(1 + east * east + down * down);
    return 0.15F + 0.85F * fmaxf(light, 0);
}

bool cli_relief_write(const char *path, const struct oro_heightfield *field, struct oro_error *err)
{
    size_t cells = (size_t)field->width * (size_t)field->height;
    float *image = oro_alloc(cells, 4 * sizeof *image);
    if (!image)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a picture of %d x %d", field->width, field->height);
    for (size_t i = 0; i < cells; i++) {
        int x = (int)(i % (size_t)field->width), y = (int)(i / (size_t)field->width);
        float *pixel = image + 4 * i;
        pixel[0] = pixel[1] = pixel[2] = shade_of(field, x, y);
        pixel[3] = 1;
    }
    bool ok = oro_image_write(path, field->width, field->height, image, err);
    oro_free(image);
    return ok;
}

/* ---- Which steps are filmed ---- */

/* Whether a node type shows terrain while it simulates. */
static bool simulates(const struct oro_node_type *type)
{
    return oro_type_input_as(type, ORO_ROLE_ITERATIONS) && type->outputs &&
           type->outputs[0].unit == ORO_METRE;
}

/* The step that the first link of a step comes from, or -1. */
static int step_before(const struct oro_step *step)
{
    for (size_t i = 0; step->type->inputs[i].name; i++)
        if (step->sources[i].step >= 0)
            return step->sources[i].step;
    return -1;
}

static bool choose(struct cli_frames *frames, struct oro_error *err)
{
    const struct oro_plan *plan = frames->plan;
    frames->filmed = oro_alloc(plan->step_count, sizeof *frames->filmed);
    if (!frames->filmed)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a film");
    for (int i = plan->targets[0].step; i >= 0; i = step_before(&plan->steps[i])) {
        const struct oro_step *step = &plan->steps[i];
        if (!simulates(step->type))
            continue;
        frames->filmed[i] = true;
        if (frames->width == 0) {
            frames->width = step->grid.width;
            frames->height = step->grid.height;
        }
    }
    return frames->width > 0 || oro_fail(err, ORO_E_USAGE,
                                         "--frames: no simulation of terrain leads to '%s', so there is "
                                         "nothing to film",
                                         plan->steps[plan->targets[0].step].id);
}

/* ---- Files ---- */

static const char *frame_path(struct cli_frames *frames, int number)
{
    const char *extension = frames->format == CLI_FRAME_PFM ? "pfm" : "png";
    snprintf(frames->path, sizeof frames->path, "%s/frame-%05d.%s", frames->folder, number, extension);
    return frames->path;
}

/* Refuses a folder that has frames: a shorter film would end with frames of the older one. */
static bool prepare_folder(struct cli_frames *frames, struct oro_error *err)
{
    struct stat info;
    size_t room = sizeof frames->path - sizeof "/frame-00000.png";
    if (strlen(frames->folder) > room)
        return oro_fail(err, ORO_E_USAGE, "--frames: the folder's name is too long");
    if (!oro_make_folders(frames->folder, err))
        return false;
    return lstat(frame_path(frames, 1), &info) != 0 ||
           oro_fail(err, ORO_E_WRITE, "'%s' is there already: delete the older film, or give another folder",
                    frames->path);
}

bool cli_frames_begin(struct cli_frames *frames, const struct oro_plan *plan, struct oro_error *err)
{
    frames->plan = plan;
    return choose(frames, err) && (frames->written || prepare_folder(frames, err));
}

/* Coarser levels are resized to the film's size. */
static bool write_frame(struct cli_frames *frames, const struct oro_grid *grid, const float *data)
{
    struct oro_heightfield field = {.width = grid->width,
                                    .height = grid->height,
                                    .data = (float *)data, /* never written to */
                                    .cell = grid->cell,
                                    .metres = true};
    struct oro_heightfield sized = {0};
    if (field.width != frames->width || field.height != frames->height) {
        if (!oro_heightfield_resize(&field, frames->width, frames->height, ORO_RESAMPLE_MONOTONE, &sized,
                                    &frames->err))
            return false;
        field = sized;
    }
    struct oro_write_options options = {.not_terrain = true};
    bool ok = frames->format == CLI_FRAME_PFM
                  ? oro_heightfield_write(frames->path, &field, &options, &frames->err)
                  : cli_relief_write(frames->path, &field, &frames->err);
    oro_heightfield_free(&sized);
    return ok;
}

/* Only the first simulation shows its start: the others start where the one before them ended. */
static bool is_wanted(const struct cli_frames *frames, const struct oro_live *live)
{
    return !frames->failed && !frames->full && frames->filmed[live->step - frames->plan->steps] &&
           (live->done > 0 || frames->count == 0);
}

const char *cli_frames_take(struct cli_frames *frames, const struct oro_live *live)
{
    if (!is_wanted(frames, live))
        return NULL;
    frames->full = frames->count == frames->limit;
    if (frames->full)
        return NULL;
    const float *data = oro_value_host(live->value, &frames->err);
    frame_path(frames, frames->count + 1);
    frames->failed = !data || (!frames->written && !write_frame(frames, &live->value->grid, data));
    frames->count += !frames->failed;
    return frames->failed ? NULL : frames->path;
}

void cli_frames_say(const struct cli_frames *frames)
{
    if (frames->count == 0)
        cli_warning("no frames: the simulations had no iterations to do");
    else
        printf("wrote %d frame%s to %s (%d x %d)\n", frames->count, frames->count == 1 ? "" : "s",
               frames->folder, frames->width, frames->height);
    if (frames->full)
        cli_warning("the film ends at frame %d, its limit: raise --frame-every, or --frame-limit",
                    frames->count);
}

void cli_frames_end(struct cli_frames *frames)
{
    oro_free(frames->filmed);
    frames->filmed = NULL;
}
