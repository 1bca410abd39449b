/* The cells themselves: as they are, averaged where fewer are wanted, or warped. */
#include <math.h>

#include "base/memory.h"
#include "formats/gdal/gdal_private.h"

/* ---- As they are ---- */

/* Rows that lie from south to north are put into memory from its end on. */
static bool read_band(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid,
                      GDALRasterBandH band, GDALRIOResampleAlg how, GDALDataType type, size_t size,
                      void *data)
{
    GDALRasterIOExtraArg extra;
    INIT_RASTERIO_EXTRA_ARG(extra);
    extra.eResampleAlg = how;
    bool turned = source->south_first;
    double first = turned ? source->height - grid->first_y - grid->cells_y : grid->first_y;
    GSpacing row = (GSpacing)grid->width * (GSpacing)size;
    char *start = (char *)data + (turned ? (size_t)row * (size_t)(grid->height - 1) : 0);
    return oro_gdal.GDALRasterIOEx(band, GF_Read, (int)grid->first_x, (int)first, (int)grid->cells_x,
                                   (int)grid->cells_y, start, grid->width, grid->height, type, (GSpacing)size,
                                   turned ? -row : row, &extra) == CE_None;
}

static void drop_nodata(const struct oro_gdal_source *source, float *data, size_t cells)
{
    int known = 0;
    float none = (float)oro_gdal.GDALGetRasterNoDataValue(source->band, &known);
    for (size_t i = 0; known && i < cells; i++)
        if (data[i] == none)
            data[i] = NAN;
}

/* Rasters can also say by a mask where they know nothing. */
static bool drop_masked(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid, float *data,
                        struct oro_error *err)
{
    size_t cells = (size_t)grid->width * (size_t)grid->height;
    GDALRasterBandH band = source->alpha ? source->alpha : oro_gdal.GDALGetMaskBand(source->band);
    if (!source->alpha && oro_gdal.GDALGetMaskFlags(source->band) & (GMF_ALL_VALID | GMF_NODATA))
        return true;
    unsigned char *mask = oro_alloc(cells, 1);
    if (!mask)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->call->path);
    bool ok = read_band(source, grid, band, GRIORA_NearestNeighbour, GDT_Byte, 1, mask) ||
              oro_gdal_fail(source->call, ORO_E_FILE, "read", err);
    for (size_t i = 0; ok && i < cells; i++)
        if (mask[i] == 0)
            data[i] = NAN;
    oro_free(mask);
    return ok;
}

static bool read_plain(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid, float *data,
                       struct oro_error *err)
{
    if (!read_band(source, grid, source->band, GRIORA_Average, GDT_Float32, sizeof *data, data))
        return oro_gdal_fail(source->call, ORO_E_FILE, "read", err);
    drop_nodata(source, data, (size_t)grid->width * (size_t)grid->height);
    return drop_masked(source, grid, data, err);
}

/* ---- Warped ---- */

static GDALWarpAppOptions *warp_options(const struct oro_gdal_source *source,
                                        const struct oro_gdal_grid *grid, const char *method)
{
    /* Positions are exact to a hundredth of a cell. Nothing here depends on how many threads there are. */
    static const char *const words[] = {
        "-et", "0.01", "-wm", "256", "-wo", "NUM_THREADS=ALL_CPUS", "-wo", "INIT_DEST=NO_DATA", "-r", NULL};
    char **arguments = oro_gdal.CSLDuplicate((char **)words), *from = NULL, *to = NULL;
    oro_gdal.OSRExportToWktEx(source->crs, &from, (const char *const[]){"FORMAT=WKT2_2018", NULL});
    oro_gdal.OSRExportToWktEx(grid->crs, &to, (const char *const[]){"FORMAT=WKT2_2018", NULL});
    arguments = oro_gdal.CSLAddString(arguments, method);
    arguments = oro_gdal.CSLAddString(arguments, "-s_srs");
    arguments = oro_gdal.CSLAddString(arguments, from);
    arguments = oro_gdal.CSLAddString(arguments, "-t_srs");
    arguments = oro_gdal.CSLAddString(arguments, to);
    GDALWarpAppOptions *options = oro_gdal.GDALWarpAppOptionsNew(arguments, NULL);
    oro_gdal.CSLDestroy(arguments);
    oro_gdal.VSIFree(from);
    oro_gdal.VSIFree(to);
    return options;
}

static bool warp_to(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid,
                    const char *method, GDALDatasetH target)
{
    double transform[6] = {grid->west, grid->cell, 0, grid->north, 0, -grid->cell_south};
    GDALDatasetH set = source->set;
    int misused = 0;
    oro_gdal.GDALSetGeoTransform(target, transform);
    oro_gdal.GDALSetSpatialRef(target, grid->crs);
    oro_gdal.GDALSetRasterNoDataValue(oro_gdal.GDALGetRasterBand(target, 1), (double)NAN);
    GDALWarpAppOptions *options = warp_options(source, grid, method);
    GDALDatasetH done = options ? oro_gdal.GDALWarp(NULL, target, 1, &set, options, &misused) : NULL;
    oro_gdal.GDALWarpAppOptionsFree(options);
    return done != NULL;
}

static bool warp(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid, const char *method,
                 float *data, struct oro_error *err)
{
    GDALDatasetH target =
        oro_gdal_view(data, GDT_Float32, grid->width, grid->height, (size_t)grid->width * sizeof *data);
    size_t cells = (size_t)grid->width * (size_t)grid->height;
    for (size_t i = 0; i < cells; i++) /* GDAL leaves what is far from the source as it is */
        data[i] = NAN;
    bool ok = target && warp_to(source, grid, method, target);
    if (target)
        oro_gdal.GDALClose(target);
    return ok || oro_gdal_fail(source->call, ORO_E_FILE, "warp", err);
}

/* Brings a cell into the range of the nearest cells of the source around it. */
static float limited(const struct oro_gdal_grid *grid, const float *nearest, int x, int y, float value)
{
    float low = INFINITY, high = -INFINITY;
    for (int row = y > 0 ? y - 1 : 0; row <= y + 1 && row < grid->height; row++)
        for (int column = x > 0 ? x - 1 : 0; column <= x + 1 && column < grid->width; column++) {
            float near = nearest[(size_t)row * (size_t)grid->width + (size_t)column];
            low = fminf(low, near); /* leaves out what is NaN */
            high = fmaxf(high, near);
        }
    return low <= high && !isnan(value) ? fminf(fmaxf(value, low), high) : value;
}

/* Cubic, since slopes stay continuous across the cells of the source; bilinear ones break there, and
 * everything that follows water or light shows the breaks. Where the target is coarser, GDAL widens the
 * kernel; else nothing leaves the range of the cells around, as it would beside cliffs. */
static bool read_warped(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid, float *data,
                        struct oro_error *err)
{
    if (!warp(source, grid, "cubic", data, err))
        return false;
    if (grid->coarser > 1)
        return true;
    float *nearest = oro_alloc((size_t)grid->width * (size_t)grid->height, sizeof *nearest);
    bool ok = nearest ? warp(source, grid, "near", nearest, err)
                      : oro_fail(err, ORO_E_MEMORY, "no memory to warp '%s'", source->call->path);
    for (int y = 0; ok && y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            float *cell = &data[(size_t)y * (size_t)grid->width + (size_t)x];
            *cell = limited(grid, nearest, x, y, *cell);
        }
    oro_free(nearest);
    return ok;
}

bool oro_gdal_read_cells(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid, float *data,
                         struct oro_error *err)
{
    return grid->warped ? read_warped(source, grid, data, err) : read_plain(source, grid, data, err);
}
