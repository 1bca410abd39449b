/* Reading heightfields: the sidecar's facts and the options give the samples of a codec their meaning. */
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

/* Converts levels to metres, or to 0..1 if the range is unknown. */
static void give_meaning(struct oro_heightfield *field, double largest,
                         const struct oro_read_options *options, const struct oro_facts *facts)
{
    if (largest > 0)
        oro_range_to_metres(oro_range_told(options, facts), largest, field->data,
                            oro_cell_count(field->width, field->height));
    field->metres = largest <= 0 || options->has_range || facts->has_range;
    field->cell = facts->cell;
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

static bool mark_nodata(struct oro_heightfield *field, double largest, const struct oro_read_options *options,
                        const struct oro_facts *facts, struct oro_error *err)
{
    double nodata = facts->has_nodata ? facts->nodata : options->nodata;
    struct oro_height_range range = oro_range_told(options, facts);
    return !options->takes_nodata ||
           oro_heightfield_mark_nodata(field, nodata, oro_nodata_tolerance(nodata, largest, &range), err);
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
                         const struct oro_raster_shape *shape, bool takes_nan, struct oro_heightfield *field,
                         struct oro_error *err)
{
    field->width = shape->width;
    field->height = shape->height;
    field->data = oro_alloc(oro_cell_count(shape->width, shape->height), sizeof *field->data);
    if (!field->data)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the %dx%d cells of '%s'", shape->width,
                        shape->height, source->path);
    if (!codec->read(source, shape, field->data, err))
        return false;
    return shape->largest > 0 || oro_check_finite(source->path, ORO_E_FILE, field->data, shape->width,
                                                  shape->height, takes_nan, err);
}

static bool read_source(struct oro_raster_file *source, const struct oro_codec *codec,
                        const struct oro_read_options *options, struct oro_heightfield *field,
                        struct oro_error *err)
{
    struct oro_facts facts = {0};
    struct oro_raster_shape shape = {0};
    if (!options->no_sidecar)
        facts = oro_sidecar_read(source->path, options->log);
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
    if (!read_samples(source, codec, &shape, options->takes_nodata, field, err))
        return false;
    give_meaning(field, shape.largest, options, &facts);
    return oro_take_told_place(field, &facts, err) &&
           (!codec->describe || codec->describe(source, field, err)) &&
           mark_nodata(field, shape.largest, options, &facts, err) &&
           oro_facts_mark_sea(&facts, options, step_of(shape.largest, options, &facts), field, err);
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
                     struct oro_heightfield *field, struct oro_error *err)
{
    struct oro_raster_file source;
    if (oro_is_manifest(path))
        return oro_manifest_read(path, options, field, err);
    if (!oro_raster_open(&source, path, options->log, err))
        return false;
    source.channel = options->channel;
    bool ok = read_source(&source, codec, options, field, err);
    oro_raster_close(&source);
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
    struct oro_read_options plain = *options;
    plain.crs = NULL;
    plain.window = (struct oro_map_window){0};
    bool own = oro_is_manifest(path) || !oro_codec_through_gdal(codec);
    bool ok = own ? read_own(path, codec, &plain, field, err) && put(path, options, field, err)
                  : oro_gdal_read(path, options, field, err);
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
