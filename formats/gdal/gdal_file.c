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
    float *copy; /* of the source's numbers, where some of them are none that GDAL does not know; or NULL */
};

/* ---- Opening ---- */

static bool check_driver(const struct oro_gdal_file *file, struct oro_error *err)
{
    static const char *const known[] = {"GTiff", "VRT", "Zarr", NULL};
    return oro_gdal_is_by(&file->source, known) || oro_fail_windows(file->path, err);
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

/* ---- Numbers that GDAL takes for heights ---- */

static bool read_rows(const struct oro_gdal_source *source, int y, int rows, float *numbers,
                      struct oro_error *err)
{
    return oro_gdal.GDALRasterIO(source->band, GF_Read, 0, y, source->width, rows, numbers, source->width,
                                 rows, GDT_Float32, 0, 0) == CE_None ||
           oro_gdal_fail(source->call, ORO_E_FILE, "read", err);
}

/* Whether there are any, looked for in strips. */
static bool look_for_none(const struct oro_gdal_source *source, const struct oro_numbers *meaning,
                          bool *found, struct oro_error *err)
{
    enum { CELLS = 1 << 22 };
    struct oro_account unused = {0};
    int step = CELLS / source->width + 1;
    size_t width = (size_t)source->width;
    float *numbers = oro_alloc(width * (size_t)step, sizeof *numbers);
    bool ok = numbers || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->call->path);
    *found = false;
    for (int y = 0; ok && !*found && y < source->height; y += step) {
        int rows = step < source->height - y ? step : source->height - y;
        ok = read_rows(source, y, rows, numbers, err);
        *found = ok && oro_numbers_drop(meaning, numbers, width * (size_t)rows, &unused) > 0;
    }
    oro_free(numbers);
    return ok;
}

/* The source becomes a copy, with its place, in which they are NaN. */
static bool copy_without(struct oro_gdal_file *file, const struct oro_numbers *meaning,
                         struct oro_account *account, struct oro_error *err)
{
    struct oro_gdal_source *source = &file->source;
    size_t count = (size_t)source->width * (size_t)source->height;
    double transform[6];
    if (!oro_budget_fits((double)count * sizeof(float), err, "to read '%s', which does not declare its voids",
                         file->path))
        return false;
    file->copy = oro_alloc(count, sizeof *file->copy);
    if (!file->copy)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", file->path);
    if (!read_rows(source, 0, source->height, file->copy, err))
        return false;
    oro_numbers_drop(meaning, file->copy, count, account);
    GDALDatasetH set = oro_gdal_view(file->copy, GDT_Float32, source->width, source->height,
                                     (size_t)source->width * sizeof *file->copy);
    if (!set)
        return oro_gdal_fail(&file->call, ORO_E_FILE, "read", err);
    if (oro_gdal.GDALGetGeoTransform(source->set, transform) == CE_None)
        oro_gdal.GDALSetGeoTransform(set, transform);
    if (oro_gdal.GDALGetSpatialRef(source->set))
        oro_gdal.GDALSetSpatialRef(set, oro_gdal.GDALGetSpatialRef(source->set));
    oro_gdal.GDALClose(source->set);
    source->set = set;
    source->band = oro_gdal.GDALGetRasterBand(set, 1);
    return oro_gdal.GDALSetRasterNoDataValue(source->band, (double)NAN) == CE_None;
}

/* Where cells are mixed, numbers that stand for none must not be among them. */
static bool set_none_apart(struct oro_gdal_file *file, const struct oro_numbers *meaning,
                           struct oro_account *account, struct oro_error *err)
{
    const struct oro_gdal_source *source = &file->source;
    bool mixes = file->grid.warped || file->grid.coarser > 1, found = false;
    if (!mixes || source->alpha || source->options->shape_only || (!meaning->usual && !meaning->has_none))
        return true;
    return look_for_none(source, meaning, &found, err) &&
           (!found || copy_without(file, meaning, account, err));
}

/* ---- Opening, all of it ---- */

static void take_account(const struct oro_gdal_file *file, const struct oro_facts *facts,
                         struct oro_heightfield *field)
{
    const struct oro_gdal_source *source = &file->source;
    struct oro_account *account = &field->account;
    account->width = source->width;
    account->height = source->height;
    account->size = account->order = ORO_TOLD;
    account->rows = source->has_transform ? ORO_TOLD : ORO_ASSUMED;
    account->cell = field->cell > 0 ? ORO_TOLD : ORO_UNTOLD;
    account->metres_assumed = field->cell > 0 && !file->grid.crs && facts->cell <= 0;
    account->cell_size = account->metres_assumed ? source->transform[1] : field->cell;
    account->system = field->place.crs ? source->options->crs ? ORO_GIVEN : ORO_TOLD : ORO_UNTOLD;
    account->like_degrees = oro_gdal_like_degrees(source);
}

static bool describe(struct oro_gdal_file *file, struct oro_reader_about *about, struct oro_numbers *meaning,
                     struct oro_facts *facts, struct oro_error *err)
{
    struct oro_gdal_source *source = &file->source;
    struct oro_heightfield *field = &about->field;
    int known = 0;
    if (!oro_gdal_describe(source, err) || !oro_gdal_facts_of(source, facts, err) ||
        (source->by_windows && !check_driver(file, err)) ||
        !oro_gdal_find_meaning(source, facts, meaning, &field->account, err))
        return false;
    spread(source);
    if (!oro_gdal_choose_grid(source, &file->grid, &field->account, err))
        return false;
    oro_gdal.GDALGetBlockSize(source->band, &about->block_width, &about->block_height);
    if (source->by_windows && !check_blocks(file, about, err))
        return false;
    oro_gdal.GDALGetRasterNoDataValue(source->band, &known);
    about->holes = known || meaning->has_none || meaning->largest <= 0 ||
                   !(oro_gdal.GDALGetMaskFlags(source->band) & (GMF_ALL_VALID | GMF_NODATA));
    field->width = file->grid.width;
    field->height = file->grid.height;
    field->metres = meaning->largest <= 0 || field->account.range != ORO_UNTOLD;
    facts->has_sea = facts->has_sea && !file->grid.warped;
    field->has_sea_level = facts->has_sea && !file->options.no_sea;
    field->sea_level = facts->sea;
    if ((!source->by_windows && !source->options->shape_only &&
         !oro_gdal_check_worth(source, file->grid.width, file->grid.height, err)) ||
        !oro_gdal_take_place(source, &file->grid, facts, field, err))
        return false;
    take_account(file, facts, field);
    return set_none_apart(file, meaning, &field->account, err);
}

static bool open_set(struct oro_gdal_file *file, struct oro_reader_about *about, struct oro_numbers *meaning,
                     struct oro_facts *facts, struct oro_error *err)
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
    bool ok = file->source.set && describe(file, about, meaning, facts, err);
    oro_gdal_end();
    return ok;
}

struct oro_gdal_file *oro_gdal_open_file(const char *path, const struct oro_read_options *options,
                                         bool blocks, struct oro_reader_about *about,
                                         struct oro_numbers *meaning, struct oro_facts *facts,
                                         struct oro_error *err)
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
    if (open_set(file, about, meaning, facts, err))
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
    oro_free(file->copy);
    oro_gdal_crs_free(file->grid.crs);
    oro_gdal_crs_free(file->source.crs);
    oro_free(file->path);
    oro_free(file);
}

/* ---- Cells ---- */

bool oro_gdal_read_window(struct oro_gdal_file *file, const struct oro_cell_window *window, float *numbers,
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
    bool ok = oro_gdal_read_cells(&file->source, &part, numbers, err);
    oro_gdal_end();
    return ok;
}
