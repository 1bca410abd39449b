#include "formats/reader/reader.h"

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "base/memory.h"
#include "formats/checks.h"
#include "formats/raw/samples.h"
#include "formats/reader/reader_private.h"
#include "formats/signature.h"

/* What is too large is refused for the size that it has. */
bool oro_reader_check_options(const char *path, const struct oro_read_options *options,
                              enum oro_windows least, struct oro_error *err)
{
    bool moves = options->crs || options->window.given || options->max_side > 0 || options->channel;
    if (least == ORO_WINDOWS_BLOCKS && moves)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' is read by windows, cell for cell: another system, a part or another size "
                        "need the whole",
                        path);
    if (options->width < 0 || options->height < 0 || options->width > ORO_RASTER_SIDE_MAX ||
        options->height > ORO_RASTER_SIDE_MAX)
        return oro_fail(err, ORO_E_USAGE, "'%s' cannot be %dx%d: sides are 1..%d", path, options->width,
                        options->height, ORO_RASTER_SIDE_MAX);
    return oro_check_range(path, options->has_range, options->low, options->high, err);
}

/* ---- Formats of ours ---- */

/* The shape of a headerless file: from the options, else from the sidecar if the file's length fits the size
 * there; else the facts are dropped. */
static void take_told_shape(struct oro_reader *reader)
{
    const struct oro_read_options *options = &reader->options;
    struct oro_facts *facts = &reader->facts;
    struct oro_raster_shape told = {
        .width = facts->width, .height = facts->height, .largest = reader->codec->written.largest};
    oro_facts_keep_own(facts, reader->path, options->width, options->height, options->log);
    if (facts->width > 0 && oro_samples_size(&told) != reader->file.size)
        oro_facts_drop(facts, reader->path, options->log);
    bool sizes = options->width == 0 && options->height == 0;
    reader->shape = (struct oro_raster_shape){.width = sizes ? facts->width : options->width,
                                              .height = sizes ? facts->height : options->height,
                                              .big_endian = options->big_endian || facts->big_endian,
                                              .south_first = options->south_first || facts->south_first};
}

/* How near to `nodata` a height is none: to half a level in a file of whole numbers. */
static double tolerance_of(const struct oro_reader *reader)
{
    double largest = reader->shape.largest;
    return largest > 0 ? (reader->range.high - reader->range.low) / largest / 2 : 1e-6 * fabs(reader->nodata);
}

static bool take_told_place(struct oro_reader *reader, struct oro_error *err)
{
    const struct oro_facts *facts = &reader->facts;
    struct oro_place *place = &reader->about.field.place;
    if (!facts->crs[0] || facts->width == 0)
        return true;
    *place = (struct oro_place){oro_copy_text(facts->crs), facts->west, facts->north};
    return place->crs || oro_fail(err, ORO_E_MEMORY, "no memory for a coordinate system");
}

/* The options and the sidecar's facts give the samples their meaning. */
static void describe(struct oro_reader *reader)
{
    const struct oro_read_options *options = &reader->options;
    const struct oro_facts *facts = &reader->facts;
    const struct oro_raster_shape *shape = &reader->shape;
    bool levels = shape->largest > 0, told = options->has_range || facts->has_range;
    reader->range = options->has_range ? (struct oro_height_range){options->low, options->high}
                    : facts->has_range ? facts->range
                                       : (struct oro_height_range){0, 1};
    reader->nodata = facts->has_nodata ? facts->nodata : options->nodata;
    reader->tolerance = tolerance_of(reader);
    reader->about = (struct oro_reader_about){
        .has_range = levels && told,
        .low = reader->range.low,
        .high = reader->range.high,
        .block_width = 1,
        .block_height = 1,
        .holes = options->takes_nodata,
        .field = {.width = shape->width,
                  .height = shape->height,
                  .cell = facts->cell,
                  .metres = !levels || told,
                  .has_sea_level = facts->has_sea && facts->width > 0 && !options->no_sea,
                  .sea_level = facts->sea},
    };
}

static bool open_own(struct oro_reader *reader, enum oro_windows least, struct oro_error *err)
{
    const struct oro_read_options *options = &reader->options;
    const struct oro_codec *codec = reader->codec;
    struct oro_raster_file *file = &reader->file;
    struct oro_raster_shape *shape = &reader->shape;
    if (!oro_raster_open(file, reader->path, options->log, err))
        return false;
    file->channel = options->channel;
    file->decode = options->decode;
    if (!options->no_sidecar && !oro_sidecar_read(reader->path, options->log, &reader->facts, err))
        return false;
    if (codec->headerless)
        take_told_shape(reader);
    if (!codec->header(file, shape, err) ||
        (least < ORO_WINDOWS_BLOCKS &&
         !oro_raster_check_size(file, (uint64_t)shape->width, (uint64_t)shape->height, err)))
        return false;
    oro_facts_keep_own(&reader->facts, reader->path, shape->width, shape->height, options->log);
    describe(reader);
    return take_told_place(reader, err) &&
           (!codec->describe || codec->describe(file, &reader->about.field, err));
}

/* ---- Any ---- */

/* Whether the name fits what the bytes say, which is what counts. */
static bool name_fits(const char *path, const struct oro_signature *signature)
{
    const struct oro_codec *named = oro_codec_of(path);
    return signature->reader == ORO_SIGNATURE_UNKNOWN || signature->codec == named || !named ||
           (!signature->codec && !named->read);
}

/* Tells a name that lies, and refuses what is not read. */
static bool check_signature(const char *path, const struct oro_read_options *options, struct oro_error *err)
{
    struct oro_signature signature = oro_signature_of(path);
    if (signature.reader == ORO_SIGNATURE_NONE)
        return oro_fail(
            err, ORO_E_FILE,
            "'%s' is %s, which is not read: 'gdal_translate -b 1 %s OUT.tif' makes a heightfield of "
            "its first channel",
            path, signature.name, path);
    if (signature.reader == ORO_SIGNATURE_TRUSTED && !options->any_path)
        return oro_fail(err, ORO_E_FILE,
                        "'%s' is %s, which can name any other file: one that you trust is read by 'orograph "
                        "convert --allow-path %s OUT.tif', or made a GeoTIFF by 'gdal_translate %s OUT.tif'",
                        path, signature.name, path, path);
    if (!name_fits(path, &signature))
        oro_note(options->log, ORO_WARNING,
                 "'%s' is %s by its bytes, and is read as one whatever its name says", path, signature.name);
    return true;
}

static bool open_file(struct oro_reader *reader, enum oro_windows least, struct oro_error *err)
{
    if (reader->codec)
        return open_own(reader, least, err);
    reader->gdal =
        oro_gdal_open_file(reader->path, &reader->options, least == ORO_WINDOWS_BLOCKS, &reader->about, err);
    return reader->gdal != NULL;
}

bool oro_reader_begin(struct oro_reader *reader, const char *path, const struct oro_read_options *options,
                      enum oro_windows least, struct oro_error *err)
{
    const struct oro_codec *codec = oro_codec_to_read(path);
    reader->path = path;
    reader->options = *options;
    reader->codec = codec;
    if (oro_is_tiles(path) || (codec && codec->reads < least))
        return oro_fail_windows(path, err);
    return check_signature(path, options, err) && oro_reader_check_options(path, options, least, err) &&
           open_file(reader, least, err);
}

void oro_reader_end(struct oro_reader *reader)
{
    oro_gdal_close_file(reader->gdal);
    if (reader->codec && reader->codec->end)
        reader->codec->end(&reader->file);
    oro_raster_close(&reader->file);
    oro_free(reader->about.field.place.crs);
}

struct oro_reader *oro_reader_open(const char *path, const struct oro_read_options *options,
                                   enum oro_windows least, struct oro_error *err)
{
    static const struct oro_read_options defaults = {0};
    struct oro_reader *reader = oro_alloc(1, sizeof *reader);
    char *own = reader ? oro_copy_text(path) : NULL;
    if (!own) {
        oro_free(reader);
        oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
        return NULL;
    }
    reader->own_path = own;
    if (oro_reader_begin(reader, own, options ? options : &defaults, least, err))
        return reader;
    oro_reader_close(reader);
    return NULL;
}

const struct oro_reader_about *oro_reader_about(const struct oro_reader *reader)
{
    return &reader->about;
}

bool oro_reader_samples(struct oro_reader *reader, const struct oro_cell_window *window, float *samples,
                        struct oro_error *err)
{
    return reader->gdal ? oro_gdal_read_window(reader->gdal, window, samples, err)
                        : reader->codec->read(&reader->file, &reader->shape, window, samples, err);
}

void oro_reader_give_meaning(const struct oro_reader *reader, float *samples, size_t count)
{
    if (reader->codec && reader->shape.largest > 0)
        oro_range_to_metres(reader->range, reader->shape.largest, samples, count);
}

/* Tells the first cell that has no height, or none that is a number. */
static bool check_heights(const struct oro_reader *reader, const struct oro_cell_window *window, bool holes,
                          const float *heights, struct oro_error *err)
{
    bool knows_holes = reader->gdal || reader->options.takes_nodata;
    size_t count = oro_cell_count(window->width, window->height);
    size_t bad = oro_first_not_finite(heights, count, holes && knows_holes);
    if (bad == count)
        return true;
    int x = window->x + (int)(bad % (size_t)window->width),
        y = window->y + (int)(bad / (size_t)window->width);
    return oro_fail(err, ORO_E_FILE,
                    knows_holes
                        ? "'%s' has no height in cell %d,%d: to interpolate it takes the whole, which is "
                          "not read by windows; gdal_fillnodata.py fills holes"
                        : "'%s': cell %d,%d is not a finite number",
                    reader->path, x, y);
}

bool oro_reader_window(struct oro_reader *reader, const struct oro_cell_window *window, bool holes,
                       float *heights, struct oro_error *err)
{
    const struct oro_heightfield *field = &reader->about.field;
    if (window->x < 0 || window->y < 0 || window->width < 1 || window->height < 1 ||
        window->width > field->width - window->x || window->height > field->height - window->y)
        return oro_fail(err, ORO_E_USAGE, "'%s' has %d x %d cells: %d x %d from %d,%d on do not lie in it",
                        reader->path, field->width, field->height, window->width, window->height, window->x,
                        window->y);
    size_t count = oro_cell_count(window->width, window->height);
    if (!oro_reader_samples(reader, window, heights, err))
        return false;
    oro_reader_give_meaning(reader, heights, count);
    for (size_t i = 0; reader->codec && reader->options.takes_nodata && i < count; i++)
        if (fabs((double)heights[i] - reader->nodata) <= reader->tolerance)
            heights[i] = NAN;
    return check_heights(reader, window, holes, heights, err);
}

void oro_reader_close(struct oro_reader *reader)
{
    if (!reader)
        return;
    oro_reader_end(reader);
    oro_free(reader->own_path);
    oro_free(reader);
}
