#include "cli/engine/locked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/sidecar/sidecar.h"

/* ---- Measuring ---- */

static int sample_of(int number, int cells)
{
    return (int)((2 * (int64_t)number + 1) * cells / (2 * CLI_LOCKED_SIDE));
}

/* Where block `number` begins. There are as many as fit: narrow rasters have empty ones. */
static int block_of(int number, int cells)
{
    return (int)((int64_t)number * cells / CLI_LOCKED_SIDE);
}

static float mean_of_block(const float *data, const struct oro_grid *grid, int channels, int column, int row)
{
    double sum = 0;
    int left = block_of(column, grid->width), right = block_of(column + 1, grid->width);
    int top = block_of(row, grid->height), bottom = block_of(row + 1, grid->height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            sum += (double)data[((size_t)y * (size_t)grid->width + (size_t)x) * (size_t)channels];
    double cells = (double)(right - left) * (bottom - top);
    return cells > 0 ? (float)(sum / cells) : 0;
}

static void measure(const float *data, const struct oro_grid *grid, int channels, struct cli_locked *locked)
{
    size_t count = oro_grid_cells(grid) * (size_t)channels;
    double sum = 0;
    locked->low = locked->high = (double)data[0];
    for (size_t i = 0; i < count; i++) {
        locked->low = fmin(locked->low, (double)data[i]);
        locked->high = fmax(locked->high, (double)data[i]);
        sum += (double)data[i];
    }
    locked->mean = sum / (double)count;
    for (int i = 0; i < CLI_LOCKED_CELLS; i++) {
        int column = i % CLI_LOCKED_SIDE, row = i / CLI_LOCKED_SIDE;
        size_t at = (size_t)sample_of(row, grid->height) * (size_t)grid->width +
                    (size_t)sample_of(column, grid->width);
        locked->samples[i] = data[at * (size_t)channels];
        locked->means[i] = mean_of_block(data, grid, channels, column, row);
    }
}

bool cli_locked_of(const struct oro_output *output, struct oro_value *value, struct cli_locked *locked,
                   struct oro_error *err)
{
    const void *data = oro_value_host(value, err);
    if (!data || !oro_value_digest(value, &locked->digest, err))
        return false;
    locked->name = output->name;
    locked->bytes = (double)oro_value_bytes(value);
    if (value->channels == 0)
        return true;
    locked->width = value->grid.width;
    locked->height = value->grid.height;
    locked->cell = value->grid.cell;
    measure(data, &value->grid, value->channels, locked);
    return true;
}

/* ---- As JSON ---- */

/* Enough digits to give the same float. */
static void add_floats(json_t *object, const char *name, const float *values)
{
    struct oro_text text = {0};
    for (int i = 0; i < CLI_LOCKED_CELLS; i++)
        oro_text_addf(&text, "%s%.9g", i ? " " : "", (double)values[i]);
    cli_json_add(object, name, cli_json_of(&text));
}

json_t *cli_locked_json(const struct cli_locked *locked)
{
    char digits[ORO_HASH_TEXT];
    json_t *object = json_object();
    cli_json_text(object, "digest", oro_hash_text(locked->digest, digits));
    cli_json_number(object, "bytes", locked->bytes);
    if (locked->width == 0)
        return object;
    cli_json_integer(object, "width", locked->width);
    cli_json_integer(object, "height", locked->height);
    cli_json_number(object, "cell_size", locked->cell);
    cli_json_number(object, "minimum", locked->low);
    cli_json_number(object, "maximum", locked->high);
    cli_json_number(object, "mean", locked->mean);
    add_floats(object, "samples", locked->samples);
    add_floats(object, "block_means", locked->means);
    return object;
}

static bool take_floats(const json_t *object, const char *name, float *values)
{
    const char *rest = json_string_value(json_object_get(object, name));
    char number[ORO_NUMBER_SIZE];
    for (int i = 0; i < CLI_LOCKED_CELLS; i++) {
        double value;
        size_t length = rest ? strcspn(rest, " ") : 0;
        if (length == 0 || length >= sizeof number)
            return false;
        memcpy(number, rest, length);
        number[length] = '\0';
        if (!oro_parse_number(number, &value))
            return false;
        values[i] = (float)value;
        rest += length + (rest[length] == ' ');
    }
    return *rest == '\0';
}

static const double MOST_BYTES = 1e15; /* of a result that is believed */

static bool take_number(const json_t *object, const char *name, double *value)
{
    const json_t *item = json_object_get(object, name);
    *value = json_number_value(item);
    return json_is_number(item);
}

bool cli_locked_take(const json_t *object, const char *name, struct cli_locked *locked)
{
    bool found;
    double width, height;
    *locked = (struct cli_locked){.name = name};
    if (!oro_digest_take(object, "digest", &locked->digest, &found) || !found ||
        !take_number(object, "bytes", &locked->bytes) || locked->bytes < 0 || locked->bytes > MOST_BYTES)
        return false;
    if (!json_object_get(object, "width"))
        return true;
    bool ok = take_number(object, "width", &width) && take_number(object, "height", &height) && width >= 1 &&
              height >= 1 && width <= ORO_GRID_MAX && height <= ORO_GRID_MAX &&
              take_number(object, "cell_size", &locked->cell) &&
              take_number(object, "minimum", &locked->low) && take_number(object, "maximum", &locked->high) &&
              take_number(object, "mean", &locked->mean) && take_floats(object, "samples", locked->samples) &&
              take_floats(object, "block_means", locked->means);
    locked->width = ok ? (int)width : 0;
    locked->height = ok ? (int)height : 0;
    return ok;
}

/* ---- Whole results ---- */

static char *kept_path(const char *folder, struct oro_hash digest)
{
    char digits[ORO_HASH_TEXT];
    return oro_text_of("%s/%s.bin", folder, oro_hash_text(digest, digits));
}

bool cli_locked_keep(const char *folder, const struct cli_locked *locked, struct oro_value *value,
                     struct oro_error *err)
{
    const void *data = oro_value_host(value, err);
    char *path = kept_path(folder, locked->digest);
    bool ok = data && oro_make_folders(folder, err) &&
              (path || oro_fail(err, ORO_E_MEMORY, "no memory for a name in '%s'", folder)) &&
              oro_file_write(path, data, oro_value_bytes(value), err);
    oro_free(path);
    return ok;
}

void *cli_locked_kept(const char *folder, const struct cli_locked *locked)
{
    void *data = NULL;
    size_t size = 0;
    char *path = kept_path(folder, locked->digest);
    bool ok = path && oro_file_read(path, (size_t)locked->bytes, &data, &size, NULL);
    if (ok && ((double)size != locked->bytes || !oro_hash_equal(oro_hash_of(data, size), locked->digest))) {
        oro_free(data);
        data = NULL;
    }
    oro_free(path);
    return data;
}

/* ---- Comparing ---- */

static void say_exactly(const struct cli_locked *is, const float *before, const float *after,
                        const char *unit, struct oro_text *text)
{
    size_t cells = (size_t)is->width * (size_t)is->height, channels = (size_t)(is->bytes / 4) / cells;
    size_t differ = 0, where = 0;
    double most = 0, squares = 0;
    for (size_t i = 0; i < cells * channels; i++) {
        double by = fabs((double)after[i] - (double)before[i]);
        differ += by > 0;
        squares += by * by;
        where = by > most ? i / channels : where;
        most = fmax(most, by);
    }
    oro_text_addf(text, "by up to %.6g%s (column %zu, row %zu), %.3g%s rms, in %zu of %zu cells", most, unit,
                  where % (size_t)is->width, where / (size_t)is->width,
                  sqrt(squares / (double)(cells * channels)), unit, differ, cells * channels);
}

/* No cell can differ by less than a sample of it does, and some cell of a block differs by no less than the
 * block's mean. */
static double least_difference(const struct cli_locked *was, const struct cli_locked *is, int *where,
                               bool *of_block)
{
    double most = 0;
    for (int i = 0; i < 2 * CLI_LOCKED_CELLS; i++) {
        int at = i % CLI_LOCKED_CELLS;
        bool block = i >= CLI_LOCKED_CELLS;
        double by = block ? fabs((double)is->means[at] - (double)was->means[at])
                          : fabs((double)is->samples[at] - (double)was->samples[at]);
        if (by <= most)
            continue;
        most = by;
        *where = at;
        *of_block = block;
    }
    return most;
}

static void say_bound(const struct cli_locked *was, const struct cli_locked *is, const char *unit,
                      struct oro_text *text)
{
    int where = 0;
    bool of_block = false;
    double least = least_difference(was, is, &where, &of_block);
    int column = where % CLI_LOCKED_SIDE, row = where / CLI_LOCKED_SIDE;
    if (least > 0 && of_block)
        oro_text_addf(text, "by at least %.6g%s (somewhere in columns %d to %d, rows %d to %d)", least, unit,
                      block_of(column, is->width), block_of(column + 1, is->width) - 1,
                      block_of(row, is->height), block_of(row + 1, is->height) - 1);
    else if (least > 0)
        oro_text_addf(text, "by at least %.6g%s (column %d, row %d)", least, unit,
                      sample_of(column, is->width), sample_of(row, is->height));
    else
        oro_text_addf(
            text,
            "in few cells or by little: not in the %d that the lock keeps, nor in the mean of any block",
            CLI_LOCKED_CELLS);
}

void cli_locked_difference(const struct cli_locked *was, const struct cli_locked *is, const float *before,
                           const float *after, const char *unit, struct oro_text *text)
{
    if (is->width != was->width || is->height != was->height) {
        oro_text_addf(text, "in size: %d x %d cells instead of %d x %d", is->width, is->height, was->width,
                      was->height);
        return;
    }
    if (is->width == 0 || is->bytes != was->bytes) {
        oro_text_addf(text, "in its bytes: %.0f of them, and %.0f before", is->bytes, was->bytes);
        return;
    }
    if (before)
        say_exactly(is, before, after, unit, text);
    else
        say_bound(was, is, unit, text);
    oro_text_addf(
        text, "; it reaches from %.6g to %.6g%s with a mean of %.8g, and did from %.6g to %.6g%s with %.8g",
        is->low, is->high, unit, is->mean, was->low, was->high, unit, was->mean);
}
