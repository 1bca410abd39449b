#include "cli/command/windows.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "cli/engine/interrupt.h"
#include "cli/engine/output.h"
#include "cli/engine/resample.h"
#include "cli/options/deliver.h"
#include "cli/report/console.h"
#include "formats/range.h"

enum { SIDE = 4096 }; /* of a window, where blocks allow it: whole blocks of GeoTIFF and chunks of Zarr */

bool cli_windows_needed(const char *in, const struct oro_read_options *read)
{
    struct oro_read_options quiet = *read;
    quiet.log = NULL;
    struct oro_reader *reader = oro_reader_open(in, &quiet, ORO_WINDOWS_BLOCKS, NULL);
    if (!reader)
        return false;
    const struct oro_heightfield *field = &oro_reader_about(reader)->field;
    bool needed = field->width > ORO_HEIGHTFIELD_SIDE_MAX || field->height > ORO_HEIGHTFIELD_SIDE_MAX;
    oro_reader_close(reader);
    return needed;
}

/* ---- Windows of whole blocks ---- */

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

static struct oro_cell_window first_window(const struct oro_reader_about *about)
{
    int across = about->block_width, down = about->block_height;
    int width = at_most(across < SIDE ? SIDE / across * across : across, about->field.width);
    int rows = CLI_WINDOW_CELLS / width;
    int height = rows > SIDE ? SIDE : rows;
    if (width == about->field.width)
        height = rows;
    height = height > down ? height / down * down : down;
    return (struct oro_cell_window){0, 0, width, at_most(height, about->field.height)};
}

/* Calls `take` for the heights of every window. */
static bool each_window(struct oro_reader *reader, bool holes,
                        bool (*take)(void *user, const struct oro_cell_window *window, const float *heights,
                                     struct oro_error *err),
                        void *user, struct oro_error *err)
{
    const struct oro_reader_about *about = oro_reader_about(reader);
    struct oro_cell_window step = first_window(about), window = step;
    float *heights = oro_alloc((size_t)step.width * (size_t)step.height, sizeof *heights);
    bool ok = heights ||
              oro_fail(err, ORO_E_MEMORY, "no memory for a window of %d x %d cells", step.width, step.height);
    for (window.y = 0; ok && window.y < about->field.height; window.y += step.height)
        for (window.x = 0; ok && window.x < about->field.width; window.x += step.width) {
            window.width = at_most(step.width, about->field.width - window.x);
            window.height = at_most(step.height, about->field.height - window.y);
            ok = cli_interrupt_none(err) && oro_reader_window(reader, &window, holes, heights, err) &&
                 take(user, &window, heights, err);
        }
    oro_free(heights);
    return ok;
}

/* ---- Converting ---- */

struct extremes {
    bool any;
    double low, high;
};

static bool take_extremes(void *user, const struct oro_cell_window *window, const float *heights,
                          struct oro_error *err)
{
    struct extremes *e = user;
    struct oro_height_range range = oro_range_of(heights, (size_t)window->width * (size_t)window->height);
    (void)err;
    e->low = e->any ? fmin(e->low, range.low) : range.low;
    e->high = e->any ? fmax(e->high, range.high) : range.high;
    e->any = true;
    return true;
}

/* Whole numbers need the range of the whole: the file is read twice where nobody tells it. */
static bool find_range(struct oro_reader *reader, struct cli_windows *windows, struct oro_error *err)
{
    struct extremes e = {0};
    const struct oro_heightfield *field = &oro_reader_about(reader)->field;
    cli_choose_range(field, false, &windows->write);
    if (windows->write.has_range || !oro_writer_needs_range(windows->out, &windows->write))
        return true;
    if (!each_window(reader, false, take_extremes, &e, err))
        return false;
    windows->write.has_range = true;
    windows->write.low = e.low;
    windows->write.high = e.high > e.low ? e.high : e.low + 1;
    return true;
}

static bool put_window(void *user, const struct oro_cell_window *window, const float *heights,
                       struct oro_error *err)
{
    return oro_writer_put(user, window, heights, err);
}

static bool write_all(struct oro_reader *reader, const struct cli_windows *windows,
                      const struct oro_heightfield *about, const struct oro_writer_options *options,
                      struct oro_error *err)
{
    struct oro_writer *writer = oro_writer_begin(windows->out, about, options, err);
    if (!writer)
        return false;
    bool ok = each_window(reader, options->has_nodata, put_window, writer, err);
    struct oro_writer_sum sum = oro_writer_sum(writer);
    if (ok && oro_writer_seal(writer, &sum, 0, 1, err))
        return oro_writer_finish(writer, &sum, NULL, windows->write.written, err);
    oro_writer_abort(writer);
    return false;
}

static void say_written(const struct cli_windows *windows, const struct oro_heightfield *about)
{
    const struct oro_measure *measure = &windows->write.written->measure;
    int digits = about->metres ? 1 : 3;
    printf("wrote %s (%d x %d, %.*f..%.*f%s), window by window: whether it drains is not measured\n",
           windows->out, about->width, about->height, digits, cli_tidy(measure->low, digits), digits,
           cli_tidy(measure->high, digits), about->metres ? " m" : "");
    cli_deliver_say(windows->out, about->width, about->height, &windows->write);
}

static bool convert(struct oro_reader *reader, struct cli_windows *windows, struct oro_error *err)
{
    struct oro_heightfield about = oro_reader_about(reader)->field;
    struct oro_writer_options options = {.write = windows->write};
    /* What cannot be written is found out before the first pass: with any range. */
    options.write.has_range = true;
    options.write.low = 0;
    options.write.high = 1;
    if (!oro_writer_fits(windows->out, &about, &options, err) || !find_range(reader, windows, err))
        return false;
    options.write = windows->write;
    options.nodata = (double)NAN;
    options.has_nodata = oro_reader_about(reader)->holes;
    if (options.has_nodata && !oro_writer_fits(windows->out, &about, &options, NULL))
        options.has_nodata = false; /* a cell without height then ends it, and is named */
    if (!write_all(reader, windows, &about, &options, err))
        return false;
    say_written(windows, &about);
    return true;
}

bool cli_windows_convert(struct cli_windows *windows, struct oro_error *err)
{
    struct oro_reader *reader = oro_reader_open(windows->in, windows->read, ORO_WINDOWS_BLOCKS, err);
    if (!reader)
        return false;
    bool ok = convert(reader, windows, err);
    oro_reader_close(reader);
    return ok;
}
