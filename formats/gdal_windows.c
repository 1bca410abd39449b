/* Rasters that GDAL reads window by window: the same numbers as of the whole, which never is in memory. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "formats/gdal_private.h"

/* A block is what GDAL holds at least: 256 MiB of floats. */
static const double block_cells = 1 << 26;

struct oro_gdal_windows {
    char *path;
    struct oro_gdal_call call;
    struct oro_read_options options;
    struct oro_gdal_source source;
    struct oro_gdal_grid grid;
    struct oro_facts facts;
    struct oro_gdal_meaning meaning;
    char *crs; /* of the field that it is */
};

static bool check_driver(const struct oro_gdal_windows *windows, struct oro_error *err)
{
    static const char *const known[] = {"GTiff", "VRT", "Zarr"};
    const char *name = oro_gdal.GDALGetDriverShortName(oro_gdal.GDALGetDatasetDriver(windows->source.set));
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return oro_fail(err, ORO_E_FILE,
                    "'%s' cannot be read by windows: GeoTIFF, mosaics (.vrt), Zarr, .r16 and .r32 can",
                    windows->path);
}

static bool check_block(const struct oro_gdal_windows *windows, const struct oro_windows_about *about,
                        struct oro_error *err)
{
    return (double)about->block_width * about->block_height <= block_cells ||
           oro_fail(err, ORO_E_FILE,
                    "'%s' lies in blocks of %d x %d cells, too large to be read by windows: gdal_translate "
                    "-co TILED=YES makes smaller ones",
                    windows->path, about->block_width, about->block_height);
}

static bool describe(struct oro_gdal_windows *windows, struct oro_windows_about *about, struct oro_error *err)
{
    struct oro_gdal_source *source = &windows->source;
    if (!oro_gdal_describe(source, err) || !oro_gdal_facts_of(source, &windows->facts, err) ||
        !check_driver(windows, err) || !oro_gdal_choose_grid(source, &windows->grid, err))
        return false;
    if (windows->grid.warped)
        return oro_fail(
            err, ORO_E_FILE,
            "'%s' would have to be warped to square metres, which is not done by windows: gdalwarp "
            "-t_srs does it",
            windows->path);
    windows->meaning = oro_gdal_meaning_of(source, &windows->facts);
    oro_gdal.GDALGetBlockSize(source->band, &about->block_width, &about->block_height);
    about->has_range = windows->meaning.has_range;
    about->range = windows->meaning.range;
    int known = 0;
    oro_gdal.GDALGetRasterNoDataValue(source->band, &known);
    about->holes = known || windows->facts.has_nodata ||
                   !(oro_gdal.GDALGetMaskFlags(source->band) & (GMF_ALL_VALID | GMF_NODATA));
    about->field =
        (struct oro_heightfield){.width = windows->grid.width,
                                 .height = windows->grid.height,
                                 .metres = true,
                                 .has_sea_level = windows->facts.has_sea && !windows->options.no_sea,
                                 .sea_level = windows->facts.sea};
    if (!check_block(windows, about, err) ||
        !oro_gdal_take_place(source, &windows->grid, &windows->facts, &about->field, err))
        return false;
    windows->crs = about->field.place.crs;
    return true;
}

struct oro_gdal_windows *oro_gdal_windows_open(const char *path, const struct oro_read_options *options,
                                               struct oro_windows_about *about, struct oro_error *err)
{
    struct oro_gdal_windows *windows = oro_alloc(1, sizeof *windows);
    if (windows)
        windows->path = oro_copy_text(path);
    *about = (struct oro_windows_about){0};
    if (!windows || !windows->path) {
        oro_free(windows);
        oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
        return NULL;
    }
    windows->options = *options;
    windows->source =
        (struct oro_gdal_source){.call = &windows->call, .options = &windows->options, .by_windows = true};
    bool ok = oro_gdal_is_file(path, err) && oro_gdal_begin(&windows->call, windows->path, err);
    if (ok) {
        windows->source.set = oro_gdal_open(&windows->call, options->any_path, err);
        ok = windows->source.set && describe(windows, about, err);
        oro_gdal_end();
    }
    if (ok)
        return windows;
    oro_gdal_windows_close(windows);
    return NULL;
}

bool oro_gdal_windows_read(struct oro_gdal_windows *windows, const struct oro_tile_place *window,
                           float *values, struct oro_error *err)
{
    struct oro_gdal_grid part = windows->grid;
    part.first_x += window->column;
    part.first_y += window->row;
    part.cells_x = part.width = window->width;
    part.cells_y = part.height = window->height;
    if (!oro_gdal_begin(&windows->call, windows->path, err))
        return false;
    bool ok = oro_gdal_read_cells(&windows->source, &part, values, err);
    if (ok)
        oro_gdal_give_meaning(&windows->source, &windows->meaning, &windows->facts, values,
                              (size_t)window->width * (size_t)window->height);
    oro_gdal_end();
    return ok;
}

void oro_gdal_windows_close(struct oro_gdal_windows *windows)
{
    if (!windows)
        return;
    if (windows->source.set)
        oro_gdal.GDALClose(windows->source.set);
    oro_gdal_crs_free(windows->grid.crs);
    oro_gdal_crs_free(windows->source.crs);
    oro_free(windows->crs);
    oro_free(windows->path);
    oro_free(windows);
}
