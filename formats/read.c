/* Reading heightfields: the sidecar's facts and the options give the samples of a codec their meaning. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "formats/checks.h"
#include "formats/gdal.h"
#include "formats/manifest.h"
#include "formats/nodata.h"
#include "formats/range.h"
#include "formats/read_private.h"
#include "formats/samples.h"
#include "formats/shrink.h"
#include "formats/sidecar.h"

/* What is too large is refused for the size that it has. */
static bool check_read_options(const char *path, const struct oro_read_options *options,
                               struct oro_error *err)
{
    if (options->width < 0 || options->height < 0 || options->width > ORO_RASTER_SIDE_MAX ||
        options->height > ORO_RASTER_SIDE_MAX)
        return oro_fail(err, ORO_E_USAGE, "'%s' cannot be %dx%d: sides are 1..%d", path, options->width,
                        options->height, ORO_RASTER_SIDE_MAX);
    return oro_check_range(path, options->has_range, options->low, options->high, err);
}

struct oro_raster_shape oro_shape_from_outside(const struct oro_raster_file *source,
                                               const struct oro_codec *codec,
                                               const struct oro_read_options *options,
                                               struct oro_facts *facts)
{
    struct oro_raster_shape told = {
        .width = facts->width, .height = facts->height, .largest = codec->written.largest};
    oro_facts_keep_own(facts, source->path, options->width, options->height, source->log);
    if (facts->width > 0 && oro_samples_size(&told) != source->size)
        oro_facts_drop(facts, source->path, source->log);
    bool sizes = options->width == 0 && options->height == 0;
    return (struct oro_raster_shape){.width = sizes ? facts->width : options->width,
                                     .height = sizes ? facts->height : options->height,
                                     .big_endian = options->big_endian || facts->big_endian,
                                     .south_first = options->south_first || facts->south_first};
}

struct oro_height_range oro_range_told(const struct oro_read_options *options, const struct oro_facts *facts)
{
    if (options->has_range)
        return (struct oro_height_range){options->low, options->high};
    return facts->has_range ? facts->range : (struct oro_height_range){0, 1};
}

static void give_unit(struct oro_heightfield *field, double largest, const struct oro_read_options *options,
                      const struct oro_facts *facts)
{
    field->metres = largest <= 0 || options->has_range || facts->has_range;
    field->cell = facts->cell;
}

/* Converts levels to metres, or to 0..1 if the range is unknown. */
static void give_meaning(struct oro_heightfield *field, double largest,
                         const struct oro_read_options *options, const struct oro_facts *facts)
{
    if (largest > 0)
        oro_range_to_metres(oro_range_told(options, facts), largest, field->data,
                            oro_cell_count(field->width, field->height));
    give_unit(field, largest, options, facts);
}

bool oro_take_told_place(struct oro_heightfield *field, const struct oro_facts *facts, struct oro_error *err)
{
    if (!facts->crs[0] || facts->width == 0)
        return true;
    field->place = (struct oro_place){oro_copy_text(facts->crs), facts->west, facts->north};
    return field->place.crs || oro_fail(err, ORO_E_MEMORY, "no memory for a coordinate system");
}

double oro_nodata_tolerance(double nodata, double largest, const struct oro_height_range *range)
{
    return largest > 0 ? (range->high - range->low) / largest / 2 : 1e-6 * fabs(nodata);
}

static bool mark_nodata(struct oro_heightfield *field, const char *path, double largest,
                        const struct oro_read_options *options, const struct oro_facts *facts,
                        struct oro_error *err)
{
    struct oro_error why = {0};
    double nodata = facts->has_nodata ? facts->nodata : options->nodata;
    struct oro_height_range range = oro_range_told(options, facts);
    return !options->takes_nodata ||
           oro_heightfield_mark_nodata(field, nodata, oro_nodata_tolerance(nodata, largest, &range), &why) ||
           oro_fail(err, why.code, "'%s': %s", path, why.text);
}

/* Metres between neighbouring levels; 0: floats, or the range is not known. */
static double step_of(double largest, const struct oro_read_options *options, const struct oro_facts *facts)
{
    if (largest <= 0)
        return 0;
    return (options->has_range ? options->high - options->low
            : facts->has_range ? facts->range.high - facts->range.low
                               : 0) /
           largest;
}

static bool read_samples(struct oro_raster_file *source, const struct oro_codec *codec,
                         const struct oro_raster_shape *shape, const struct oro_read_options *options,
                         struct oro_heightfield *field, struct oro_error *err)
{
    if (!oro_check_worth(source->path, source->size, shape->width, shape->height, false, err))
        return false;
    field->width = shape->width;
    field->height = shape->height;
    field->data = oro_alloc(oro_cell_count(shape->width, shape->height), sizeof *field->data);
    if (!field->data)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the %dx%d cells of '%s'", shape->width,
                        shape->height, source->path);
    const struct oro_rows rows = {.samples = field->data,
                                  .width = shape->width,
                                  .stop = options->stop,
                                  .stop_user = options->stop_user};
    if (!codec->read(source, shape, &rows, err))
        return false;
    return shape->largest > 0 || oro_check_finite(source->path, ORO_E_FILE, field->data, shape->width,
                                                  shape->height, options->takes_nodata, err);
}

/* Whether the field is what the options ask for already: all of the window, in the same system. */
static bool fills_window(const struct oro_heightfield *field, const struct oro_read_options *options)
{
    const struct oro_map_window *window = &options->window;
    const struct oro_place *place = &field->place;
    double off = 0;
    if (options->crs && strcmp(options->crs, place->crs) != 0)
        return false;
    if (window->given)
        off = fmax(fmax(fabs(window->west - place->west), fabs(window->north - place->north)),
                   fmax(fabs(window->east - place->west - field->width * field->cell),
                        fabs(window->south - place->north + field->height * field->cell)));
    return off <= 1e-3 * field->cell;
}

/* ---- Row after row ---- */

/* What is made of a file's rows as they come. */
struct fitting {
    const struct oro_read_options *options;
    const struct oro_raster_shape *shape;
    const struct oro_facts *facts;
    struct oro_heightfield file; /* without heights */
    struct oro_shrink *shrink;
    bool needs_whole; /* there is a cell without a height */
};

/* In floats: what is nearly none takes the whole, where it is looked at closely. */
static bool has_all_heights(const struct fitting *fitting, const float *row)
{
    const struct oro_read_options *options = fitting->options;
    struct oro_height_range range = oro_range_told(options, fitting->facts);
    double nodata = fitting->facts->has_nodata ? fitting->facts->nodata : options->nodata;
    double tolerance = oro_nodata_tolerance(nodata, fitting->shape->largest, &range);
    float low = nextafterf((float)(nodata - tolerance), -INFINITY);
    float high = nextafterf((float)(nodata + tolerance), INFINITY);
    bool none = false;
    for (int x = 0; x < fitting->shape->width; x++)
        none |= (!(fabsf(row[x]) <= FLT_MAX)) | ((row[x] >= low) & (row[x] <= high)); /* without branches */
    return !none;
}

static bool take_row(void *user, int y, float *row, struct oro_error *err)
{
    struct fitting *fitting = user;
    const struct oro_raster_shape *shape = fitting->shape;
    if (shape->largest > 0)
        oro_range_to_metres(oro_range_told(fitting->options, fitting->facts), shape->largest, row,
                            (size_t)shape->width);
    fitting->needs_whole = !has_all_heights(fitting, row);
    if (fitting->needs_whole)
        return oro_fail(err, ORO_E_FILE, "a cell has no height"); /* nobody sees it */
    if (fitting->options->row &&
        !fitting->options->row(fitting->options->row_user, &fitting->file, y, row, err))
        return false;
    oro_shrink_row(fitting->shrink, row);
    return true;
}

/* Reads the rows and makes the field of them, unless that takes all cells at once: `*done` stays false. */
static bool read_fitting(struct oro_raster_file *source, const struct oro_codec *codec,
                         struct fitting *fitting, struct oro_heightfield *field, bool *done,
                         struct oro_error *err)
{
    const struct oro_raster_shape *shape = fitting->shape;
    int width = fitting->options->fit_width, height = fitting->options->fit_height;
    if (!oro_check_worth(source->path, source->size, shape->width, shape->height, true, err))
        return false;
    struct oro_rows rows = {.samples = oro_alloc((size_t)shape->width, sizeof *rows.samples),
                            .width = shape->width,
                            .take = take_row,
                            .user = fitting};
    field->data = oro_alloc(oro_cell_count(width, height), sizeof *field->data);
    fitting->shrink =
        field->data ? oro_shrink_begin(shape->width, shape->height, width, height, field->data) : NULL;
    bool ok = (rows.samples && fitting->shrink) ||
              oro_fail(err, ORO_E_MEMORY, "no memory for %dx%d cells of '%s'", width, height, source->path);
    ok = ok && codec->read(source, shape, &rows, err);
    oro_shrink_end(fitting->shrink);
    oro_free(rows.samples);
    *done = ok;
    if (ok) {
        field->width = width;
        field->height = height;
        field->metres = fitting->file.metres;
        field->cell = fitting->file.cell * shape->width / width;
        return true;
    }
    oro_free(field->data);
    field->data = NULL;
    return fitting->needs_whole;
}

/* Whether the file is made smaller, and nothing else is done to it that takes the whole. */
static bool may_fit(const struct oro_codec *codec, const struct oro_heightfield *file,
                    const struct oro_facts *facts, const struct oro_read_options *options)
{
    bool smaller = options->fit_height < file->height ||
                   (options->fit_height == file->height && options->fit_width < file->width);
    bool placed = file->place.crs && file->cell > 0 && (options->crs || options->window.given);
    return codec->by_rows && options->fit_width > 0 && options->fit_height > 0 && smaller &&
           (!placed || fills_window(file, options)) && options->takes_nodata &&
           (options->no_sea || !facts->has_sea);
}

/* Reads the file as it lies, whatever was asked for; `*fitted`: but as large as was asked for. */
static bool read_source(struct oro_raster_file *source, const struct oro_codec *codec,
                        const struct oro_read_options *asked, struct oro_heightfield *field, bool *fitted,
                        struct oro_error *err)
{
    struct oro_read_options as_it_lies = *asked;
    as_it_lies.crs = NULL;
    as_it_lies.window = (struct oro_map_window){0};
    const struct oro_read_options *options = &as_it_lies;
    struct oro_facts facts = {0};
    struct oro_raster_shape shape = {0};
    if (!options->no_sidecar && !oro_sidecar_read(source->path, options->log, &facts, err))
        return false;
    if (codec->headerless)
        shape = oro_shape_from_outside(source, codec, options, &facts);
    if (!codec->header(source, &shape, err) ||
        !oro_raster_check_size(source, (uint64_t)shape.width, (uint64_t)shape.height, err))
        return false;
    oro_facts_keep_own(&facts, source->path, shape.width, shape.height, source->log);
    if (options->shape_only) {
        field->width = shape.width;
        field->height = shape.height;
        field->cell = facts.cell;
        return oro_take_told_place(field, &facts, err) &&
               (!codec->describe || codec->describe(source, field, err));
    }
    struct fitting fitting = {.options = options, .shape = &shape, .facts = &facts};
    fitting.file =
        (struct oro_heightfield){.width = shape.width,
                                 .height = shape.height,
                                 .place = {facts.crs[0] ? facts.crs : NULL, facts.west, facts.north}};
    give_unit(&fitting.file, shape.largest, options, &facts);
    if (may_fit(codec, &fitting.file, &facts, asked)) {
        if (!read_fitting(source, codec, &fitting, field, fitted, err))
            return false;
        if (*fitted)
            return oro_take_told_place(field, &facts, err);
    }
    if (!read_samples(source, codec, &shape, options, field, err))
        return false;
    give_meaning(field, shape.largest, options, &facts);
    return oro_take_told_place(field, &facts, err) &&
           (!codec->describe || codec->describe(source, field, err)) &&
           mark_nodata(field, source->path, shape.largest, options, &facts, err) &&
           oro_facts_mark_sea(&facts, options, step_of(shape.largest, options, &facts), field, err);
}

/* Puts what was read where it belongs. */
static bool put(const char *path, const struct oro_read_options *options, struct oro_heightfield *field,
                struct oro_error *err)
{
    bool placed = field->place.crs && field->cell > 0;
    if ((!options->crs && !options->window.given) || (!placed && options->where_known) ||
        (placed && fills_window(field, options)))
        return true;
    if (!placed)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' does not say where it lies: a coordinate system and a window are for files "
                        "that do, as .tif does, or by their sidecar (crs, west, north, cell_size)",
                        path);
    return oro_gdal_put(path, options, field, err);
}

/* Reads a file of a format of ours as it is. */
static bool read_own(const char *path, const struct oro_codec *codec, const struct oro_read_options *options,
                     struct oro_heightfield *field, bool *fitted, struct oro_error *err)
{
    struct oro_raster_file source;
    if (!codec || oro_is_manifest(path))
        return oro_manifest_read(path, options, field, err);
    if (!oro_raster_open(&source, path, options->log, err))
        return false;
    source.channel = options->channel;
    bool ok = read_source(&source, codec, options, field, fitted, err);
    oro_raster_close(&source);
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
    ok = oro_heightfield_resize(&whole, options->fit_width, options->fit_height, field, err);
    oro_heightfield_free(&whole);
    return ok;
}

bool oro_heightfield_read(const char *path, const struct oro_read_options *options,
                          struct oro_heightfield *field, struct oro_error *err)
{
    static const struct oro_read_options defaults = {0};
    const struct oro_codec *codec = oro_codec_of(path);
    *field = (struct oro_heightfield){0};
    if (!options)
        options = &defaults;
    if (codec && codec->mesh)
        return oro_fail(err, ORO_E_FILE, "'%s' is a mesh, which is written and not read", path);
    if (!check_read_options(path, options, err))
        return false;
    if (options->channel && !(codec && codec->describe))
        return oro_fail(err, ORO_E_USAGE, "'%s' has no channels to choose from: only .exr files have", path);
    bool own = oro_is_manifest(path) || !oro_codec_through_gdal(codec);
    bool fitted = false;
    bool ok =
        own ? read_own(path, codec, options, field, &fitted, err) : oro_gdal_read(path, options, field, err);
    if (ok && !fitted)
        ok = (!own || put(path, options, field, err)) && (options->shape_only || fit(options, field, err));
    if (!ok)
        oro_heightfield_free(field);
    return ok;
}

bool oro_heightfield_companions(const char *path, bool (*visit)(void *user, const char *path), void *user)
{
    const struct oro_codec *codec = oro_codec_of(path);
    if (oro_is_manifest(path))
        return oro_manifest_companions(path, visit, user);
    return oro_format_is_folder(path) || !oro_codec_through_gdal(codec) ||
           oro_gdal_companions(path, visit, user);
}
