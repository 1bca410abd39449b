/* Heightfields from rasters that GDAL opens: what is refused, where the raster lies, and what its numbers
 * mean. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/checks.h"
#include "formats/decode.h"
#include "formats/gdal/gdal_private.h"
#include "formats/nodata.h"
#include "formats/range.h"
#include "formats/raster_file.h"
#include "formats/sidecar/sidecar.h"
#include "formats/zarr/zarr.h"

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

static bool check_band(struct oro_gdal_source *source, struct oro_error *err)
{
    const char *path = source->call->path;
    int bands = oro_gdal.GDALGetRasterCount(source->set);
    if (bands == 0)
        return fail_parts(source, err);
    GDALRasterBandH second = bands == 2 ? oro_gdal.GDALGetRasterBand(source->set, 2) : NULL;
    source->alpha =
        second && oro_gdal.GDALGetRasterColorInterpretation(second) == GCI_AlphaBand ? second : NULL;
    if (bands > 1 && !source->alpha)
        return oro_fail(err, ORO_E_FILE,
                        "'%s' has %d bands, and a heightfield has one, beside which only alpha may be: "
                        "gdal_translate -b 1 takes the first, and with -mask 2 keeps the second as its mask",
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

bool oro_gdal_is_by(const struct oro_gdal_source *source, const char *const *drivers)
{
    const char *name = oro_gdal.GDALGetDriverShortName(oro_gdal.GDALGetDatasetDriver(source->set));
    return oro_find_word(name, drivers) >= 0;
}

/* These tell no place on a map: y is that of a picture, and the first row is north. */
static const char *const y_of_pictures[] = {"Terragen", "Leveller", NULL};

/* North is where the larger y is, with a system or without. */
static void lay_north_up(struct oro_gdal_source *source)
{
    double *at = source->transform;
    source->south_first = at[5] > 0 && !oro_gdal_is_by(source, y_of_pictures);
    if (source->south_first)
        at[3] += at[5] * source->height;
    at[5] = -fabs(at[5]);
}

static bool take_crs(struct oro_gdal_source *source, struct oro_error *err)
{
    OGRSpatialReferenceH crs = oro_gdal.GDALGetSpatialRef(source->set);
    lay_north_up(source);
    if (!crs)
        return true;
    source->crs = oro_gdal_flat(crs);
    return source->crs || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->call->path);
}

double oro_gdal_like_degrees(const struct oro_gdal_source *source)
{
    const double *at = source->transform;
    bool like = source->has_transform && !source->crs && at[1] < 0.1 && at[0] >= -181 &&
                at[0] + at[1] * source->width <= 361 && at[3] <= 91 && at[3] + at[5] * source->height >= -91;
    return like ? at[1] : 0;
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

/* Metres of its unit: the user's, the band's, that of the vertical part of the system, or 1. 0: it is
 * unknown.
 */
static double find_unit(const struct oro_gdal_source *source, const struct oro_facts *facts,
                        enum oro_whence *whence)
{
    OGRSpatialReferenceH crs = oro_gdal.GDALGetSpatialRef(source->set);
    bool told;
    double metres = oro_unit_metres(source->options->unit, &told);
    *whence = ORO_GIVEN;
    if (told || oro_decodes_metres(source->options->decode))
        return metres;
    *whence = ORO_TOLD;
    metres = oro_unit_metres(oro_gdal.GDALGetRasterUnitType(source->band), &told);
    if (told)
        return metres;
    if (crs && oro_gdal.OSRIsVertical(crs)) {
        metres = oro_gdal.OSRGetTargetLinearUnits(crs, "VERT_CS", NULL);
        return metres > 0 ? metres : 1;
    }
    *whence = facts->found ? ORO_TOLD : ORO_ASSUMED;
    return 1;
}

/* The largest level of whole numbers that can be levels; 0: they cannot. */
static double largest_of(GDALDataType type)
{
    return type == GDT_Byte ? 255 : type == GDT_UInt16 ? 65535 : type == GDT_Int16 ? 32767 : 0;
}

/* These have levels, and no more to say of them. */
static const char *const plain_pictures[] = {"PNG", "BMP", "PNM", NULL};

/* A type alone decides nothing: numbers are metres where the file lies on Earth or names a unit. */
static void find_range(const struct oro_gdal_source *source, const struct oro_facts *facts, bool scaled,
                       struct oro_numbers *meaning, struct oro_account *account)
{
    const struct oro_read_options *options = source->options;
    GDALDataType type = oro_gdal.GDALGetRasterDataType(source->band);
    double largest = largest_of(type);
    bool given = options->has_range && !options->range_assumed,
         floats = type == GDT_Float32 || type == GDT_Float64;
    bool placed = source->crs && source->has_transform && !oro_gdal.OSRIsLocal(source->crs);
    struct oro_height_range by_scale = {meaning->offset * meaning->unit,
                                        (meaning->offset + meaning->scale * largest) * meaning->unit};
    bool steps = scaled && type != GDT_Int16 && meaning->scale > 0 && oro_range_valid(by_scale);
    bool bright = options->decode == ORO_DECODE_LUMINANCE,
         picture = bright || oro_gdal_is_by(source, plain_pictures);
    bool means_metres = scaled || account->unit == ORO_TOLD || (account->unit == ORO_GIVEN && !given);
    meaning->range = (struct oro_height_range){options->low, options->high};
    meaning->shares = given && floats && !scaled;
    if (largest > 0 && (facts->has_range || steps)) {
        meaning->largest = largest;
        meaning->range = facts->has_range ? facts->range : by_scale;
        account->range = ORO_TOLD;
    } else if (largest > 0 && (given || picture) && (bright || (!means_metres && !placed))) {
        meaning->largest = largest;
        account->range = given ? ORO_GIVEN : options->has_range ? ORO_ASSUMED : ORO_UNTOLD;
        if (!options->has_range)
            meaning->range = (struct oro_height_range){0, 1};
    }
    account->unit_unused =
        options->unit && *options->unit && account->range == ORO_GIVEN && meaning->largest > 0;
    account->range_unused = given && !meaning->shares && account->range != ORO_GIVEN;
    if (meaning->largest > 0 && account->unit == ORO_ASSUMED)
        account->unit = ORO_UNTOLD; /* levels have none */
    account->whole_numbers = meaning->largest <= 0 && !scaled && !placed && account->unit == ORO_ASSUMED &&
                             (type == GDT_Byte || type == GDT_UInt16);
    account->largest = meaning->largest;
    account->low = account->range_unused ? options->low : meaning->range.low;
    account->high = account->range_unused ? options->high : meaning->range.high;
}

bool oro_gdal_find_meaning(const struct oro_gdal_source *source, const struct oro_facts *facts,
                           struct oro_numbers *meaning, struct oro_account *account, struct oro_error *err)
{
    const struct oro_read_options *options = source->options;
    int scaled = 0, shifted = 0, declared = 0;
    oro_gdal.GDALGetRasterNoDataValue(source->band, &declared);
    *meaning = (struct oro_numbers){.scale = oro_gdal.GDALGetRasterScale(source->band, &scaled),
                                    .offset = oro_gdal.GDALGetRasterOffset(source->band, &shifted),
                                    .unit = find_unit(source, facts, &account->unit),
                                    .has_none = facts->has_nodata || options->has_nodata,
                                    .none = facts->has_nodata ? facts->nodata : options->nodata};
    if (meaning->unit <= 0)
        return oro_unit_check(source->call->path, ORO_E_FILE, oro_gdal.GDALGetRasterUnitType(source->band),
                              err);
    scaled = scaled && isfinite(meaning->scale);
    shifted = shifted && isfinite(meaning->offset);
    meaning->scale = scaled ? meaning->scale : 1;
    meaning->offset = shifted ? meaning->offset : 0;
    meaning->usual = !declared && !meaning->has_none && !options->not_heights;
    find_range(source, facts, scaled && (meaning->scale != 1 || meaning->offset != 0), meaning, account);
    meaning->tolerance = meaning->largest > 0
                             ? (meaning->range.high - meaning->range.low) / meaning->largest / 2
                             : 1e-6 * fabs(meaning->none);
    return true;
}

/* ---- Where it lies ---- */

/* A system of its own says how large cells are, but not where on Earth they lie; without a system they are
 * taken to be metres, unless they look like degrees. */
bool oro_gdal_take_place(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid,
                         const struct oro_facts *facts, struct oro_heightfield *field, struct oro_error *err)
{
    bool whole = field->width == facts->width && field->height == facts->height;
    bool told = source->has_transform && (grid->crs || oro_gdal_like_degrees(source) <= 0);
    field->cell = told ? grid->cell : whole ? facts->cell : 0;
    if (told && grid->crs && !oro_gdal.OSRIsLocal(grid->crs)) {
        field->place = (struct oro_place){oro_gdal_crs_text(grid->crs), grid->west, grid->north};
    } else if (facts->crs[0] && whole) {
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
