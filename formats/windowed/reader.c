#include <errno.h>
#include <math.h>
#include <string.h>

#include <unistd.h>

#include "base/finite.h"
#include "base/memory.h"
#include "formats/checks.h"
#include "formats/gdal.h"
#include "formats/manifest.h"
#include "formats/read_private.h"
#include "formats/samples.h"
#include "formats/windowed/windowed.h"

struct oro_windowed_reader {
    char *path;
    struct oro_windowed_about about;
    struct oro_gdal_windows *gdal; /* NULL: raw samples */
    struct oro_raster_file file;
    struct oro_raster_shape shape;
    struct oro_height_range range; /* of the levels of raw samples */
    bool takes_nodata;             /* heights within `tolerance` of `nodata` are none */
    double nodata, tolerance;
};

static bool fail_format(const char *path, struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE,
                    "'%s' cannot be read by windows: GeoTIFF, mosaics (.vrt), Zarr, .r16 and .r32 can", path);
}

static bool check_options(const char *path, const struct oro_read_options *options, struct oro_error *err)
{
    if (options->crs || options->window.given || options->max_side > 0 || options->channel)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' is read by windows, cell for cell: another system, a part or another size "
                        "need the whole",
                        path);
    if (options->width < 0 || options->height < 0 || options->width > ORO_RASTER_SIDE_MAX ||
        options->height > ORO_RASTER_SIDE_MAX)
        return oro_fail(err, ORO_E_USAGE, "'%s' cannot be %d x %d: sides are 1..%d", path, options->width,
                        options->height, ORO_RASTER_SIDE_MAX);
    return oro_check_range(path, options->has_range, options->low, options->high, err);
}

/* ---- Raw samples ---- */

static bool open_raw(struct oro_windowed_reader *reader, const struct oro_codec *codec,
                     const struct oro_read_options *options, struct oro_error *err)
{
    struct oro_facts facts = {0};
    if (!oro_raster_open(&reader->file, reader->path, options->log, err) ||
        (!options->no_sidecar && !oro_sidecar_read(reader->path, options->log, &facts, err)))
        return false;
    reader->shape = oro_shape_from_outside(&reader->file, codec, options, &facts);
    if (!codec->header(&reader->file, &reader->shape, err))
        return false;
    oro_facts_keep_own(&facts, reader->path, reader->shape.width, reader->shape.height, options->log);
    bool levels = reader->shape.largest > 0, told = options->has_range || facts.has_range;
    reader->range = oro_range_told(options, &facts);
    reader->takes_nodata = options->takes_nodata;
    reader->nodata = facts.has_nodata ? facts.nodata : options->nodata;
    reader->tolerance = oro_nodata_tolerance(reader->nodata, reader->shape.largest, &reader->range);
    reader->about = (struct oro_windowed_about){
        .has_range = levels && told,
        .low = reader->range.low,
        .high = reader->range.high,
        .block_width = 1,
        .block_height = 1,
        .holes = options->takes_nodata,
        .field = {.width = reader->shape.width,
                  .height = reader->shape.height,
                  .cell = facts.cell,
                  .metres = !levels || told,
                  .has_sea_level = facts.has_sea && facts.width > 0 && !options->no_sea,
                  .sea_level = facts.sea},
    };
    return oro_take_told_place(&reader->about.field, &facts, err);
}

static bool read_row(struct oro_windowed_reader *reader, int row, int x, unsigned char *bytes, size_t size,
                     struct oro_error *err)
{
    const struct oro_raster_shape *shape = &reader->shape;
    int at = shape->south_first ? shape->height - 1 - row : row;
    uint64_t cell = (uint64_t)at * (uint64_t)shape->width + (uint64_t)x;
    uint64_t offset = shape->offset + cell * (uint64_t)oro_sample_bytes(shape);
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(fileno(reader->file.stream), bytes + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return oro_fail(err, ORO_E_FILE, got < 0 ? "cannot read '%s': %s" : "'%s' is truncated%.0s",
                            reader->path, strerror(errno));
        done += (size_t)got;
    }
    return true;
}

static void drop_nodata(const struct oro_windowed_reader *reader, float *heights, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fabs((double)heights[i] - reader->nodata) <= reader->tolerance)
            heights[i] = NAN;
}

static bool read_raw(struct oro_windowed_reader *reader, const struct oro_cell_window *window, float *heights,
                     struct oro_error *err)
{
    struct oro_raster_shape row = reader->shape;
    row.width = window->width;
    size_t size = (size_t)row.width * (size_t)oro_sample_bytes(&row);
    unsigned char *bytes = oro_alloc(size, 1);
    bool ok = bytes || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", reader->path);
    for (int y = 0; ok && y < window->height; y++) {
        ok = read_row(reader, window->y + y, window->x, bytes, size, err);
        if (ok)
            oro_samples_decode(&row, bytes, heights + (size_t)y * (size_t)window->width);
    }
    oro_free(bytes);
    if (ok && row.largest > 0)
        oro_range_to_metres(reader->range, row.largest, heights,
                            oro_cell_count(window->width, window->height));
    if (ok && reader->takes_nodata)
        drop_nodata(reader, heights, oro_cell_count(window->width, window->height));
    return ok;
}

/* ---- Any ---- */

static bool open_gdal(struct oro_windowed_reader *reader, const struct oro_read_options *options,
                      struct oro_error *err)
{
    struct oro_windows_about about;
    reader->gdal = oro_gdal_windows_open(reader->path, options, &about, err);
    if (!reader->gdal)
        return false;
    reader->about = (struct oro_windowed_about){.field = about.field,
                                                .has_range = about.has_range,
                                                .low = about.range.low,
                                                .high = about.range.high,
                                                .block_width = about.block_width,
                                                .block_height = about.block_height,
                                                .holes = about.holes};
    return true;
}

struct oro_windowed_reader *oro_windowed_open(const char *path, const struct oro_read_options *options,
                                              struct oro_error *err)
{
    static const struct oro_read_options defaults = {0};
    const struct oro_codec *codec = oro_codec_of(path);
    bool gdal = !oro_is_manifest(path) && oro_codec_through_gdal(codec);
    if (!options)
        options = &defaults;
    if (!gdal && !(codec && codec->headerless && !oro_is_manifest(path))) {
        fail_format(path, err);
        return NULL;
    }
    if (!check_options(path, options, err))
        return NULL;
    struct oro_windowed_reader *reader = oro_alloc(1, sizeof *reader);
    if (reader)
        reader->path = oro_copy_text(path);
    bool ok = (reader && reader->path) || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    ok = ok && (gdal ? open_gdal(reader, options, err) : open_raw(reader, codec, options, err));
    if (ok)
        return reader;
    oro_windowed_close(reader);
    return NULL;
}

const struct oro_windowed_about *oro_windowed_about(const struct oro_windowed_reader *reader)
{
    return &reader->about;
}

/* Tells the first cell that has no height, or none that is a number. */
static bool check_heights(const struct oro_windowed_reader *reader, const struct oro_cell_window *window,
                          bool holes, const float *heights, struct oro_error *err)
{
    size_t count = oro_cell_count(window->width, window->height);
    size_t bad = oro_first_not_finite(heights, count, holes && (reader->gdal || reader->takes_nodata));
    if (bad == count)
        return true;
    int x = window->x + (int)(bad % (size_t)window->width),
        y = window->y + (int)(bad / (size_t)window->width);
    return oro_fail(err, ORO_E_FILE,
                    reader->gdal || reader->takes_nodata
                        ? "'%s' has no height in cell %d,%d: to interpolate it takes the whole, which is "
                          "not read by windows; gdal_fillnodata.py fills holes"
                        : "'%s': cell %d,%d is not a finite number",
                    reader->path, x, y);
}

bool oro_windowed_read(struct oro_windowed_reader *reader, const struct oro_cell_window *window, bool holes,
                       float *heights, struct oro_error *err)
{
    const struct oro_heightfield *field = &reader->about.field;
    if (window->x < 0 || window->y < 0 || window->width < 1 || window->height < 1 ||
        window->width > field->width - window->x || window->height > field->height - window->y)
        return oro_fail(err, ORO_E_USAGE, "'%s' has %d x %d cells: %d x %d from %d,%d on do not lie in it",
                        reader->path, field->width, field->height, window->width, window->height, window->x,
                        window->y);
    const struct oro_tile_place place = {
        .column = window->x, .row = window->y, .width = window->width, .height = window->height};
    bool ok = reader->gdal ? oro_gdal_windows_read(reader->gdal, &place, heights, err)
                           : read_raw(reader, window, heights, err);
    return ok && check_heights(reader, window, holes, heights, err);
}

void oro_windowed_close(struct oro_windowed_reader *reader)
{
    if (!reader)
        return;
    if (reader->gdal)
        oro_gdal_windows_close(reader->gdal);
    else
        oro_free(reader->about.field.place.crs);
    oro_raster_close(&reader->file);
    oro_free(reader->path);
    oro_free(reader);
}
