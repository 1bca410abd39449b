/* Reading heightfields: one window of all cells, unless rows are resampled as they come. Holes are filled. */
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "base/memory.h"
#include "formats/checks.h"
#include "formats/nodata.h"
#include "formats/reader/manifest.h"
#include "formats/reader/pattern.h"
#include "formats/reader/reader_private.h"
#include "formats/shrink.h"

bool oro_lies_as_asked(const struct oro_heightfield *field, const struct oro_read_options *options)
{
    const struct oro_map_window *window = &options->window;
    const struct oro_place *place = &field->place;
    double off = 0;
    if (!place->crs || field->cell <= 0)
        return true;
    if (options->crs && strcmp(options->crs, place->crs) != 0)
        return false;
    if (window->given)
        off = fmax(fmax(fabs(window->west - place->west), fabs(window->north - place->north)),
                   fmax(fabs(window->east - place->west - field->width * field->cell),
                        fabs(window->south - place->north + field->height * field->cell)));
    return off <= 1e-3 * field->cell;
}

static bool goes_on(const struct oro_read_options *options, struct oro_error *err)
{
    return !options->stop || !options->stop(options->stop_user) ||
           oro_fail(err, ORO_E_CANCELLED, "cancelled");
}

static bool read_row(struct oro_reader *reader, int y, float *samples, struct oro_error *err)
{
    const struct oro_cell_window row = {0, y, reader->about.field.width, 1};
    return goes_on(&reader->options, err) && oro_reader_samples(reader, &row, samples, err);
}

/* ---- Row after row ---- */

/* Cells without a height take the whole: then the account begins anew. */
static bool shrink_rows(struct oro_reader *reader, struct oro_shrink *shrink, float *row, bool *needs_whole,
                        struct oro_error *err)
{
    const struct oro_read_options *options = &reader->options;
    struct oro_heightfield *file = &reader->about.field;
    const struct oro_account before = file->account;
    for (int y = 0; y < file->height; y++) {
        if (!read_row(reader, y, row, err))
            return false;
        oro_reader_give_meaning(reader, row, 1);
        *needs_whole = oro_first_not_finite(row, (size_t)file->width, false) < (size_t)file->width;
        if (*needs_whole) {
            file->account = before;
            return true;
        }
        if (options->row && !options->row(options->row_user, file, y, row, err))
            return false;
        oro_shrink_row(shrink, row);
    }
    return true;
}

/* Reads the rows and makes the field of them, unless that takes all cells at once: `*done` stays false. */
static bool read_fitting(struct oro_reader *reader, struct oro_heightfield *field, bool *done,
                         struct oro_error *err)
{
    const struct oro_heightfield *file = &reader->about.field;
    int width = reader->options.fit_width, height = reader->options.fit_height;
    bool needs_whole = false;
    if (!oro_check_worth(reader->path, reader->file.size, file->width, file->height, true, err))
        return false;
    float *row = oro_alloc((size_t)file->width, sizeof *row);
    field->data = oro_alloc(oro_cell_count(width, height), sizeof *field->data);
    struct oro_shrink *shrink =
        field->data ? oro_shrink_begin(file->width, file->height, width, height, field->data) : NULL;
    bool ok = (row && shrink) ||
              oro_fail(err, ORO_E_MEMORY, "no memory for %dx%d cells of '%s'", width, height, reader->path);
    ok = ok && shrink_rows(reader, shrink, row, &needs_whole, err);
    oro_shrink_end(shrink);
    oro_free(row);
    *done = ok && !needs_whole;
    if (*done) {
        field->account = file->account;
        field->width = width;
        field->height = height;
        field->cell = file->cell * file->width / width;
        return true;
    }
    oro_free(field->data);
    field->data = NULL;
    return ok;
}

/* Whether the file is made smaller, and nothing else is done to it that takes the whole. */
static bool may_fit(const struct oro_reader *reader, const struct oro_read_options *asked)
{
    const struct oro_heightfield *file = &reader->about.field;
    bool smaller = asked->fit_height <= file->height && asked->fit_width <= file->width &&
                   (asked->fit_height < file->height || asked->fit_width < file->width);
    return reader->codec && reader->codec->reads >= ORO_WINDOWS_ROWS && asked->fit_width > 0 &&
           asked->fit_height > 0 && smaller && oro_lies_as_asked(file, asked) && !reader->meaning.shares &&
           (asked->no_sea || !reader->facts.has_sea);
}

/* ---- The whole ---- */

static bool read_samples(struct oro_reader *reader, float *samples, struct oro_error *err)
{
    const struct oro_heightfield *file = &reader->about.field;
    const struct oro_cell_window all = {0, 0, file->width, file->height};
    if (reader->gdal || reader->codec->reads < ORO_WINDOWS_ROWS)
        return oro_reader_samples(reader, &all, samples, err);
    for (int y = 0; y < file->height; y++)
        if (!read_row(reader, y, samples + (size_t)y * (size_t)file->width, err))
            return false;
    return true;
}

/* Fills what has no height, and marks the sea. */
static bool settle(const struct oro_reader *reader, struct oro_heightfield *field, struct oro_error *err)
{
    const struct oro_numbers *meaning = &reader->meaning;
    struct oro_error why = {0};
    field->account = reader->about.field.account;
    field->metres = reader->about.field.metres;
    if (!reader->options.keeps_holes && !oro_heightfield_fill(field, &why))
        return oro_fail(err, why.code, "'%s': %s", reader->path, why.text);
    double step = field->account.range != ORO_UNTOLD && meaning->largest > 0
                      ? (meaning->range.high - meaning->range.low) / meaning->largest
                      : 0;
    return oro_facts_mark_sea(&reader->facts, &reader->options, step, field, err);
}

static bool read_whole(struct oro_reader *reader, struct oro_heightfield *field, struct oro_error *err)
{
    size_t count = oro_cell_count(field->width, field->height);
    if (reader->codec &&
        !oro_check_worth(reader->path, reader->file.size, field->width, field->height, false, err))
        return false;
    field->data = oro_alloc(count, sizeof *field->data);
    if (!field->data)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the %dx%d cells of '%s'", field->width,
                        field->height, reader->path);
    if (!read_samples(reader, field->data, err))
        return false;
    oro_reader_give_meaning(reader, field->data, field->height);
    return settle(reader, field, err);
}

/* Reads what is open as it lies; `*fitted`: but as large as was asked for. */
static bool read_open(struct oro_reader *reader, const struct oro_read_options *asked,
                      struct oro_heightfield *field, bool *fitted, struct oro_error *err)
{
    bool may = !asked->shape_only && may_fit(reader, asked);
    *field = reader->about.field;
    field->has_sea_level = false; /* until it is marked */
    field->sea_level = 0;
    if (may && !read_fitting(reader, field, fitted, err)) {
        field->place.crs = NULL; /* the reader's */
        return false;
    }
    reader->about.field.place.crs = NULL; /* the field's from now on */
    return asked->shape_only || *fitted || read_whole(reader, field, err);
}

/* Puts what was read where it belongs. */
static bool put(const char *path, const struct oro_read_options *options, struct oro_heightfield *field,
                struct oro_error *err)
{
    bool placed = field->place.crs && field->cell > 0;
    if ((!options->crs && !options->window.given) || (!placed && options->where_known) ||
        (placed && oro_lies_as_asked(field, options)))
        return true;
    if (!placed)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' does not say where it lies: a coordinate system and a window are for files "
                        "that do, as .tif does, or by their sidecar (crs, west, north, cell_size)",
                        path);
    return oro_gdal_put(path, options, field, err);
}

static bool count_tile(void *user, const char *path)
{
    (void)path;
    ++*(size_t *)user;
    return true;
}

/* Tells that a file that is read alone is one of several tiles. */
static void note_tile(const char *path, const struct oro_read_options *options)
{
    size_t count = 0;
    bool asked = options->log && !options->shape_only && !options->no_sidecar;
    char *pattern = asked ? oro_pattern_of(path) : NULL;
    if (pattern)
        oro_pattern_visit(pattern, count_tile, &count);
    if (count > 1)
        oro_note(options->log, ORO_NOTICE, "'%s' is one of %zu tiles: '%s' reads them as one", path, count,
                 pattern);
    oro_free(pattern);
}

/* GDAL puts its rasters where they belong while it reads them; others are read as they lie. */
static bool read_file(const char *path, const struct oro_read_options *options, bool own,
                      struct oro_heightfield *field, bool *fitted, struct oro_error *err)
{
    struct oro_read_options as_it_lies = *options;
    if (oro_is_tiles(path))
        return oro_reader_check_options(path, options, ORO_WINDOWS_WHOLE, err) &&
               oro_manifest_read(path, options, field, err);
    if (own) {
        as_it_lies.crs = NULL;
        as_it_lies.window = (struct oro_map_window){0};
    }
    note_tile(path, options);
    struct oro_reader reader = {0};
    bool ok = oro_reader_begin(&reader, path, &as_it_lies, ORO_WINDOWS_WHOLE, err) &&
              read_open(&reader, options, field, fitted, err);
    oro_reader_end(&reader);
    return ok;
}

/* Gives what was read as a whole to `row`, and resamples it. */
static bool fit(const struct oro_read_options *options, struct oro_heightfield *field, struct oro_error *err)
{
    struct oro_heightfield whole = *field;
    bool ok = true;
    for (int y = 0; ok && options->row && y < field->height; y++)
        ok = options->row(options->row_user, field, y, field->data + (size_t)y * (size_t)field->width, err);
    if (!ok || !options->fit_width || !options->fit_height ||
        (field->width == options->fit_width && field->height == options->fit_height))
        return ok;
    ok = oro_heightfield_resize(&whole, options->fit_width, options->fit_height, ORO_RESAMPLE_MONOTONE, field,
                                err);
    field->account = whole.account;
    oro_heightfield_free(&whole);
    return ok;
}

bool oro_heightfield_read(const char *path, const struct oro_read_options *options,
                          struct oro_heightfield *field, struct oro_error *err)
{
    static const struct oro_read_options defaults = {0};
    const struct oro_codec *codec = oro_is_tiles(path) ? NULL : oro_codec_to_read(path);
    *field = (struct oro_heightfield){0};
    if (!options)
        options = &defaults;
    if (codec && codec->write_mesh)
        return oro_fail(err, ORO_E_FILE, "'%s' is a mesh, which is written and not read", path);
    if (options->channel && !(codec && codec->describe))
        return oro_fail(err, ORO_E_USAGE, "'%s' has no channels to choose from: only .exr files have", path);
    if (options->decode && codec && codec->read && !codec->colours)
        return oro_fail(err, ORO_E_USAGE, "'%s' has no colours to decode: .png has, and rasters of GDAL's",
                        path);
    bool own = codec || oro_is_tiles(path), fitted = false;
    bool ok = read_file(path, options, own, field, &fitted, err);
    if (ok && !fitted)
        ok = (!own || put(path, options, field, err)) && (options->shape_only || fit(options, field, err));
    if (ok && !options->shape_only && !options->not_heights)
        oro_account_note(&field->account, options->log);
    if (!ok)
        oro_heightfield_free(field);
    return ok;
}

bool oro_heightfield_companions(const char *path, bool (*visit)(void *user, const char *path), void *user)
{
    if (oro_is_tiles(path))
        return oro_manifest_companions(path, visit, user);
    return oro_format_is_folder(path) || oro_codec_to_read(path) || oro_gdal_companions(path, visit, user);
}
