/* A raster that GDAL reads: opened, then its cells window by window, or all at once. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "formats/about.h"
#include "formats/checks.h"
#include "formats/gdal/gdal_private.h"

/* A block is what GDAL holds at least: 256 MiB of floats. */
static const double block_cells = 1 << 26;

struct oro_gdal_file {
    char *path;
    struct oro_gdal_call call;
    struct oro_read_options options;
    struct oro_gdal_source source;
    struct oro_gdal_grid grid;
    struct oro_facts facts;
    struct oro_gdal_meaning meaning;
};

/* ---- Opening ---- */

static bool check_driver(const struct oro_gdal_file *file, struct oro_error *err)
{
    static const char *const known[] = {"GTiff", "VRT", "Zarr"};
    const char *name = oro_gdal.GDALGetDriverShortName(oro_gdal.GDALGetDatasetDriver(file->source.set));
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return oro_fail_windows(file->path, err);
}

static bool check_blocks(const struct oro_gdal_file *file, const struct oro_reader_about *about,
                         struct oro_error *err)
{
    if (file->grid.warped)
        return oro_fail(
            err, ORO_E_FILE,
            "'%s' would have to be warped to square metres, which is not done by windows: gdalwarp "
            "-t_srs does it",
            file->path);
    return (double)about->block_width * about->block_height <= block_cells ||
           oro_fail(err, ORO_E_FILE,
                    "'%s' lies in blocks of %d x %d cells, too large to be read by windows: gdal_translate "
                    "-co TILED=YES makes smaller ones",
                    file->path, about->block_width, about->block_height);
}

/* Where nobody knows where it lies, it is read as it is, if that was asked for. */
static void spread(struct oro_gdal_source *source)
{
    bool placed = source->crs && source->has_transform && !oro_gdal.OSRIsLocal(source->crs);
    if (!source->options->where_known || placed)
        return;
    source->spread = *source->options;
    source->spread.crs = NULL;
    source->spread.window = (struct oro_map_window){0};
    source->options = &source->spread;
}

static bool describe(struct oro_gdal_file *file, struct oro_reader_about *about, struct oro_error *err)
{
    struct oro_gdal_source *source = &file->source;
    int known = 0;
    if (!oro_gdal_describe(source, err) || !oro_gdal_facts_of(source, &file->facts, err) ||
        (source->by_windows && !check_driver(file, err)))
        return false;
    spread(source);
    if (!oro_gdal_choose_grid(source, &file->grid, err))
        return false;
    file->meaning = oro_gdal_meaning_of(source, &file->facts);
    oro_gdal.GDALGetBlockSize(source->band, &about->block_width, &about->block_height);
    if (source->by_windows && !check_blocks(file, about, err))
        return false;
    oro_gdal.GDALGetRasterNoDataValue(source->band, &known);
    about->has_range = file->meaning.has_range;
    about->low = file->meaning.range.low;
    about->high = file->meaning.range.high;
    about->holes = known || file->facts.has_nodata ||
                   !(oro_gdal.GDALGetMaskFlags(source->band) & (GMF_ALL_VALID | GMF_NODATA));
    about->field = (struct oro_heightfield){.width = file->grid.width,
                                            .height = file->grid.height,
                                            .metres = true,
                                            .has_sea_level = file->facts.has_sea && !file->options.no_sea,
                                            .sea_level = file->facts.sea};
    return (source->by_windows || source->options->shape_only ||
            oro_gdal_check_worth(source, file->grid.width, file->grid.height, err)) &&
           oro_gdal_take_place(source, &file->grid, &file->facts, &about->field, err);
}

static bool open_set(struct oro_gdal_file *file, struct oro_reader_about *about, struct oro_error *err)
{
    struct oro_gdal_call *call = &file->call;
    if (!oro_gdal_is_file(file->path, err) || !oro_gdal_begin(call, file->path, err))
        return false;
    file->source.set = oro_gdal_open(call, file->options.any_path, err);
    if (!file->source.set && !file->source.by_windows && !oro_format_readable(file->path) &&
        strstr(call->text, "not recognized"))
        oro_fail(err, ORO_E_FILE,
                 "'%s' has no known format; known are %s, and most rasters of elevation that GDAL reads: "
                 "'gdal_translate %s OUT.tif' converts others",
                 file->path, oro_raster_format_names, file->path);
    bool ok = file->source.set && describe(file, about, err);
    oro_gdal_end();
    return ok;
}

struct oro_gdal_file *oro_gdal_open_file(const char *path, const struct oro_read_options *options,
                                         bool blocks, struct oro_reader_about *about, struct oro_error *err)
{
    struct oro_gdal_file *file = oro_alloc(1, sizeof *file);
    if (file)
        file->path = oro_copy_text(path);
    if (!file || !file->path) {
        oro_free(file);
        oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
        return NULL;
    }
    file->options = *options;
    file->source =
        (struct oro_gdal_source){.call = &file->call, .options = &file->options, .by_windows = blocks};
    if (open_set(file, about, err))
        return file;
    oro_gdal_close_file(file);
    return NULL;
}

void oro_gdal_close_file(struct oro_gdal_file *file)
{
    if (!file)
        return;
    if (file->source.set)
        oro_gdal.GDALClose(file->source.set);
    oro_gdal_crs_free(file->grid.crs);
    oro_gdal_crs_free(file->source.crs);
    oro_free(file->path);
    oro_free(file);
}

/* ---- Cells ---- */

bool oro_gdal_read_window(struct oro_gdal_file *file, const struct oro_cell_window *window, float *heights,
                          struct oro_error *err)
{
    struct oro_gdal_grid part = file->grid;
    if (file->source.by_windows) {
        part.first_x += window->x;
        part.first_y += window->y;
        part.cells_x = part.width = window->width;
        part.cells_y = part.height = window->height;
    }
    if (!oro_gdal_begin(&file->call, file->path, err))
        return false;
    bool ok = oro_gdal_read_cells(&file->source, &part, heights, err);
    if (ok)
        oro_gdal_give_meaning(&file->source, &file->meaning, &file->facts, heights,
                              (size_t)window->width * (size_t)window->height);
    oro_gdal_end();
    return ok;
}

static void say_filled(const struct oro_gdal_source *source, const struct oro_heightfield *field)
{
    size_t cells = (size_t)field->width * (size_t)field->height, count = 0;
    for (size_t i = 0; field->filled && i < cells; i++)
        count += field->filled[i] > 0.5f;
    if (count > 0)
        oro_note(source->options->log, ORO_NOTICE,
                 "'%s' has no height in %zu cell%s within its ground, which %s interpolated",
                 source->call->path, count, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}

bool oro_gdal_settle(struct oro_gdal_file *file, struct oro_heightfield *field, struct oro_error *err)
{
    const struct oro_gdal_source *source = &file->source;
    const struct oro_gdal_meaning *meaning = &file->meaning;
    if (!oro_gdal_begin(&file->call, file->path, err))
        return false;
    bool ok = oro_gdal_fill(field, &file->call, err);
    oro_gdal_end();
    if (!ok)
        return false;
    say_filled(source, field);
    double step = meaning->has_range ? (meaning->range.high - meaning->range.low) / meaning->largest : 0;
    return file->grid.warped || oro_facts_mark_sea(&file->facts, source->options, step, field, err);
}
