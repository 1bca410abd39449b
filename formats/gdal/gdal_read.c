/* Heightfields from rasters that GDAL opens: what is refused, where the raster lies, and what its numbers
 * mean. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/budget.h"
#include "base/file.h"
#include "base/memory.h"
#include "formats/checks.h"
#include "formats/gdal/gdal_private.h"
#include "formats/nodata.h"
#include "formats/range.h"
#include "formats/raster_file.h"
#include "formats/sidecar/sidecar.h"
#include "formats/zarr/zarr.h"

/* Beyond this nothing is a height: programs write the ends of float32 for "none" without saying so. */
static const double highest = 1e30;

/* ---- What is read ---- */

static bool fail_parts(const struct oro_gdal_source *source, struct oro_error *err)
{
    const char *first = oro_gdal.GDALGetMetadataItem(source->set, "SUBDATASET_1_NAME", "SUBDATASETS");
    return oro_fail(err, ORO_E_FILE,
                    first
                        ? "'%s' holds several rasters: \"gdal_translate '%s' OUT.tif\" takes the first, and "
                          "gdalinfo lists them"
                        : "'%s' holds no raster",
                    source->call->path, first);
}

static bool check_band(const struct oro_gdal_source *source, struct oro_error *err)
{
    const char *path = source->call->path;
    int bands = oro_gdal.GDALGetRasterCount(source->set);
    if (bands == 0)
        return fail_parts(source, err);
    if (bands > 1)
        return oro_fail(err, ORO_E_FILE,
                        "'%s' has %d bands, and a heightfield has one: gdal_translate -b 1 takes the first",
                        path, bands);
    if (oro_gdal.GDALDataTypeIsComplex(
            oro_gdal.GDALGetRasterDataType(oro_gdal.GDALGetRasterBand(source->set, 1))))
        return oro_fail(err, ORO_E_FILE, "'%s' has complex numbers, which are no heights", path);
    return true;
}

/* What a folder or a mosaic holds, its size does not tell. */
bool oro_gdal_check_worth(const struct oro_gdal_source *source, int width, int height, struct oro_error *err)
{
    const char *path = source->call->path;
    return oro_path_is_array(path) || strcasecmp(oro_path_extension(path), "vrt") == 0 ||
           oro_check_worth(path, oro_stamp_of(path).size, width, height, false, err);
}

/* GDAL allocates a block at a time, as large as the header says. */
static bool check_blocks(const struct oro_gdal_source *source, struct oro_error *err)
{
    int width = 0, height = 0;
    oro_gdal.GDALGetBlockSize(source->band, &width, &height);
    double cells = (double)width * height;
    if (cells > (double)ORO_HEIGHTFIELD_SIDE_MAX * ORO_HEIGHTFIELD_SIDE_MAX)
        return oro_fail(err, ORO_E_FILE,
                        "'%s' says that it lies in blocks of %d x %d cells, which are not read",
                        source->call->path, width, height);
    /* Windows have a limit of their own. */
    return source->by_windows ||
           (oro_gdal_check_worth(source, width, height, err) &&
            oro_budget_fits(cells * sizeof(float), err, "to read '%s', which lies in blocks of %d x %d cells",
                            source->call->path, width, height));
}

/* Finds out where the cells lie. Rows that are no rows of any map are refused: only warping could place them.
 */
static bool take_transform(struct oro_gdal_source *source, struct oro_error *err)
{
    double *at = source->transform;
    source->has_transform = oro_gdal.GDALGetGeoTransform(source->set, at) == CE_None;
    bool known = source->has_transform;
    for (int i = 0; i < 6; i++)
        known = known && isfinite(at[i]);
    bool turned = known && (at[2] != 0 || at[4] != 0 || at[1] <= 0 || at[5] == 0);
    if (turned || oro_gdal.GDALGetGCPCount(source->set) > 0 || (source->has_transform && !known))
        return oro_fail(err, ORO_E_FILE, "'%s' is rotated or bent: 'gdalwarp IN OUT.tif' lays it north up",
                        source->call->path);
    if (!known)
        memcpy(at, (const double[6]){0, 1, 0, 0, 0, -1}, 6 * sizeof *at);
    return true;
}

static bool take_crs(struct oro_gdal_source *source, struct oro_error *err)
{
    OGRSpatialReferenceH crs = oro_gdal.GDALGetSpatialRef(source->set);
    if (!crs || oro_gdal.OSRIsLocal(
                    crs)) /* y is that of a picture, often down: the first row is north all the same */
        source->transform[5] = -fabs(source->transform[5]);
    if (!crs)
        return true;
    source->crs = oro_gdal_flat(crs);
    return source->crs || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->call->path);
}

bool oro_gdal_describe(struct oro_gdal_source *source, struct oro_error *err)
{
    if (!oro_gdal_decode(source, err))
        return false;
    source->band = oro_gdal.GDALGetRasterBand(source->set, 1);
    source->width = oro_gdal.GDALGetRasterXSize(source->set);
    source->height = oro_gdal.GDALGetRasterYSize(source->set);
    return check_band(source, err) && check_blocks(source, err) && take_transform(source, err) &&
           take_crs(source, err);
}

/* Takes the place from the sidecar where the raster itself does not tell its system. */
static void take_told_place(struct oro_gdal_source *source, const struct oro_facts *facts)
{
    bool whole = facts->width == source->width && facts->height == source->height && facts->cell > 0;
    if (source->crs || !facts->crs[0] || !whole)
        return;
    OGRSpatialReferenceH crs = oro_gdal_crs(facts->crs);
    if (!oro_gdal_in_metres(crs)) {
        oro_gdal_crs_free(crs);
        return;
    }
    const double transform[6] = {facts->west, facts->cell, 0, facts->north, 0, -facts->cell};
    memcpy(source->transform, transform, sizeof transform);
    source->crs = crs;
    source->has_transform = true;
}

/* ---- What the numbers mean ---- */

static double metres_of(const char *unit)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {
        {"ft", 0.3048},
        {"foot", 0.3048},
        {"feet", 0.3048},
        {"international foot", 0.3048},
        {"us survey foot", 1200.0 / 3937},
        {"us-ft", 1200.0 / 3937},
        {"ftus", 1200.0 / 3937},
        {"us_ft", 1200.0 / 3937},
        {"foot_us", 1200.0 / 3937},
        {"km", 1000},
        {"dm", 0.1},
        {"cm", 0.01},
        {"mm", 0.001},
        {"centimetre", 0.01},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcasecmp(unit, units[i].name) == 0)
            return units[i].metres;
    return 1;
}

/* The unit of the heights: the band's, or that of the vertical part of the system. */
static double height_unit(const struct oro_gdal_source *source)
{
    const char *unit = oro_gdal.GDALGetRasterUnitType(source->band);
    OGRSpatialReferenceH crs = oro_gdal.GDALGetSpatialRef(source->set);
    if (unit && unit[0])
        return metres_of(unit);
    if (!crs || !oro_gdal.OSRIsVertical(crs))
        return 1;
    double metres = oro_gdal.OSRGetTargetLinearUnits(crs, "VERT_CS", NULL);
    return metres > 0 ? metres : 1;
}

struct oro_gdal_meaning oro_gdal_meaning_of(const struct oro_gdal_source *source,
                                            const struct oro_facts *facts)
{
    const struct oro_read_options *options = source->options;
    GDALDataType type = oro_gdal.GDALGetRasterDataType(source->band);
    int scaled = 0, shifted = 0;
    struct oro_gdal_meaning meaning = {.largest = type == GDT_Byte     ? 255
                                                  : type == GDT_UInt16 ? 65535
                                                                       : 0,
                                       .scale = oro_gdal.GDALGetRasterScale(source->band, &scaled),
                                       .offset = oro_gdal.GDALGetRasterOffset(source->band, &shifted),
                                       .unit = height_unit(source)};
    if (!scaled || !isfinite(meaning.scale))
        meaning.scale = 1;
    if (!shifted || !isfinite(meaning.offset))
        meaning.offset = 0;
    struct oro_height_range by_scale = {meaning.offset * meaning.unit,
                                        (meaning.offset + meaning.scale * meaning.largest) * meaning.unit};
    meaning.has_range = meaning.largest > 0 && (options->has_range || facts->has_range ||
                                                (scaled && meaning.scale > 0 && oro_range_valid(by_scale)));
    meaning.range = options->has_range ? (struct oro_height_range){options->low, options->high}
                    : facts->has_range ? facts->range
                                       : by_scale;
    return meaning;
}

void oro_gdal_give_meaning(const struct oro_gdal_source *source, const struct oro_gdal_meaning *meaning,
                           const struct oro_facts *facts, float *values, size_t cells)
{
    const struct oro_read_options *options = source->options;
    bool has_none = facts->has_nodata || options->takes_nodata;
    double none = facts->has_nodata ? facts->nodata : options->nodata;
    for (size_t i = 0; i < cells; i++) {
        float *z = &values[i];
        if (isnan(*z) || fabs((double)*z) > highest) {
            *z = NAN;
            continue;
        }
        if (meaning->has_range)
            oro_range_to_metres(meaning->range, meaning->largest, z, 1);
        else
            *z = (float)(((double)*z * meaning->scale + meaning->offset) * meaning->unit);
        if (has_none && fabs((double)*z - none) <= 1e-6 * fabs(none))
            *z = NAN;
    }
}

/* ---- Where it lies ---- */

/* A system of its own says how large cells are, but not where on Earth they lie. */
bool oro_gdal_take_place(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid,
                         const struct oro_facts *facts, struct oro_heightfield *field, struct oro_error *err)
{
    bool told = grid->crs && source->has_transform, whole = field->width == facts->width;
    field->cell = told ? grid->cell : whole ? facts->cell : 0;
    if (told && !oro_gdal.OSRIsLocal(grid->crs)) {
        field->place = (struct oro_place){oro_gdal_crs_text(grid->crs), grid->west, grid->north};
    } else if (facts->crs[0] && whole && field->height == facts->height) {
        field->place = (struct oro_place){oro_copy_text(facts->crs), facts->west, facts->north};
    } else {
        return true;
    }
    return field->place.crs || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->call->path);
}

bool oro_gdal_facts_of(struct oro_gdal_source *source, struct oro_facts *facts, struct oro_error *err)
{
    const struct oro_read_options *options = source->options;
    *facts = (struct oro_facts){0};
    if (!options->no_sidecar && !oro_sidecar_read(source->call->path, options->log, facts, err))
        return false;
    oro_facts_keep_own(facts, source->call->path, source->width, source->height, options->log);
    take_told_place(source, facts);
    return true;
}

bool oro_gdal_is_file(const char *path, struct oro_error *err)
{
    struct oro_raster_file file;
    if (oro_format_is_folder(path))
        return oro_zarr_check(path, err);
    if (!oro_raster_open(&file, path, NULL, err))
        return false;
    oro_raster_close(&file);
    return true;
}

/* ---- Other files ---- */

struct visitor {
    const char *path;
    bool (*visit)(void *user, const char *path);
    void *user;
    bool stopped;
};

static bool visit_other(void *user, const char *path)
{
    struct visitor *visitor = user;
    bool other = oro_stamp_of(path).inode != 0 && !oro_path_same(path, visitor->path);
    visitor->stopped = visitor->stopped || (other && !visitor->visit(visitor->user, path));
    return !visitor->stopped;
}

static void visit_files(const struct oro_gdal_call *call, struct visitor *visitor)
{
    GDALDatasetH set = oro_gdal_open(call, false, NULL);
    char **files = set ? oro_gdal.GDALGetFileList(set) : NULL;
    for (char **file = files; file && *file; file++)
        visit_other(visitor, *file);
    oro_gdal.CSLDestroy(files);
    if (set)
        oro_gdal.GDALClose(set);
}

bool oro_gdal_companions(const char *path, bool (*visit)(void *user, const char *path), void *user)
{
    struct oro_gdal_call call;
    struct visitor visitor = {.path = path, .visit = visit, .user = user};
    if (!oro_gdal_is_file(path, NULL) || !oro_gdal_begin(&call, path, NULL))
        return true;
    if (oro_gdal_is_mosaic(path))
        oro_gdal_visit_mosaic(&call, visit_other, &visitor);
    else
        visit_files(&call, &visitor);
    oro_gdal_end();
    return !visitor.stopped;
}
