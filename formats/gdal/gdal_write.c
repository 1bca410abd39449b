/* Rasters that GDAL writes. A file is complete, or an error is told, once the data set is closed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal/gdal_private.h"
#include "formats/range.h"

/* What is written, as GDAL sees it. */
struct job {
    const struct oro_raster_output *output;
    const struct oro_raster_shape *shape;
    const float *samples; /* NULL: they come later */
    const char *driver;
    bool copies;            /* the driver only copies, and is given a raster in memory */
    struct oro_place place; /* that the driver is told */
    struct oro_gdal_call call;
};

/* ---- Tags ---- */

/* Without a place rows begin at the origin, and the size of cells is told all the same. */
static bool set_place(GDALDatasetH set, const struct job *job)
{
    double size = job->output->field->cell, cell = size > 0 ? size : 1;
    double transform[6] = {job->place.west, cell, 0, job->place.north, 0, -cell};
    OGRSpatialReferenceH crs = job->place.crs ? oro_gdal_crs(job->place.crs) : NULL;
    if (job->place.crs && !crs)
        return false;
    bool ok = !crs || oro_gdal.GDALSetSpatialRef(set, crs) == CE_None;
    oro_gdal_crs_free(crs);
    return ok && ((!crs && !(size > 0)) || oro_gdal.GDALSetGeoTransform(set, transform) == CE_None);
}

/* Levels carry their range, so that every program shows metres. */
static void set_meaning(GDALRasterBandH band, const struct job *job)
{
    struct oro_height_range range = job->output->range;
    if (job->output->field->metres)
        oro_gdal.GDALSetRasterUnitType(band, "metre");
    if (job->shape->largest <= 0)
        return;
    oro_gdal.GDALSetRasterOffset(band, range.low);
    oro_gdal.GDALSetRasterScale(band,
                                range.high > range.low ? (range.high - range.low) / job->shape->largest : 1);
}

static bool fill(GDALDatasetH set, const struct job *job)
{
    int width = job->shape->width, height = job->shape->height;
    const double *nodata = job->output->nodata;
    GDALRasterBandH band = oro_gdal.GDALGetRasterBand(set, 1);
    if (!job->output->codec->rounds)
        set_meaning(band, job);
    return set_place(set, job) && (!nodata || oro_gdal.GDALSetRasterNoDataValue(band, *nodata) == CE_None) &&
           (!job->samples || oro_gdal.GDALRasterIO(band, GF_Write, 0, 0, width, height, (void *)job->samples,
                                                   width, height, GDT_Float32, 0, 0) == CE_None);
}

/* Closing writes what is left, and tells errors to the handler alone. */
static bool write_by(struct job *job, char **options, struct oro_error *err)
{
    if (!oro_gdal_begin(&job->call, job->output->path, err))
        return false;
    GDALDriverH driver = oro_gdal.GDALGetDriverByName(job->driver);
    GDALDatasetH set = oro_gdal.GDALCreate(
        job->copies ? oro_gdal.GDALGetDriverByName("MEM") : driver, job->copies ? "" : job->output->temporary,
        job->shape->width, job->shape->height, 1, job->shape->largest > 0 ? GDT_UInt16 : GDT_Float32,
        job->copies ? NULL : options);
    bool ok = set && fill(set, job);
    if (ok && job->copies) {
        GDALDatasetH copy =
            oro_gdal.GDALCreateCopy(driver, job->output->temporary, set, FALSE, options, NULL, NULL);
        oro_gdal.GDALClose(set);
        set = copy;
    }
    if (set)
        oro_gdal.GDALClose(set);
    ok = (set && ok && !job->call.failed) || oro_gdal_fail(&job->call, ORO_E_WRITE, "write", err);
    oro_gdal_end();
    return ok;
}

/* ---- GeoTIFF ---- */

/* Differences of neighbours are what compresses: of whole numbers, or of the bytes of floats. All threads
 * compress, and tiles are written in their order. More than these levels gain next to nothing:
 * docs/performance.md. */
static bool write_tiff(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                       const float *samples, struct oro_error *err)
{
    bool levels = shape->largest > 0, cog = output->options->cog, zstd = output->options->zstd;
    struct job job = {output, shape, samples, cog ? "COG" : "GTiff", cog, output->field->place, {0}};
    char *level = !zstd ? "ZLEVEL=1" : levels ? "ZSTD_LEVEL=3" : "ZSTD_LEVEL=1";
    char *options[] = {zstd ? "COMPRESS=ZSTD" : "COMPRESS=DEFLATE",
                       cog      ? "PREDICTOR=YES"
                       : levels ? "PREDICTOR=2"
                                : "PREDICTOR=3",
                       "NUM_THREADS=ALL_CPUS",
                       "BIGTIFF=IF_SAFER",
                       cog ? "OVERVIEW_RESAMPLING=AVERAGE" : "TILED=YES",
                       cog ? NULL : level,
                       NULL};
    return write_by(&job, options, err);
}

/* ---- Blocks that others fill ---- */

/* Where the block of that number begins; 0: GDAL does not tell. */
static uint64_t block_offset(GDALRasterBandH band, int x, int y)
{
    char name[64];
    snprintf(name, sizeof name, "BLOCK_OFFSET_%d_%d", x, y);
    const char *text = oro_gdal.GDALGetMetadataItem(band, name, "TIFF");
    return text ? strtoull(text, NULL, 10) : 0;
}

/* Whether blocks lie as promised: GDAL extends the file at once, and writes none of them. */
static bool blocks_in_order(const struct job *job, uint64_t size)
{
    int block = job->output->block;
    const char *const drivers[] = {"GTiff", NULL};
    GDALDatasetH set =
        oro_gdal.GDALOpenEx(job->output->temporary, GDAL_OF_RASTER | GDAL_OF_READONLY, drivers, NULL, NULL);
    if (!set)
        return false;
    int across = (job->shape->width + block - 1) / block, down = (job->shape->height + block - 1) / block;
    uint64_t count = (uint64_t)across * (uint64_t)down;
    uint64_t bytes = (uint64_t)block * (uint64_t)block * (job->shape->largest > 0 ? 2 : 4);
    GDALRasterBandH band = oro_gdal.GDALGetRasterBand(set, 1);
    uint64_t first = size - count * bytes;
    bool ok = size > count * bytes && block_offset(band, 0, 0) == first;
    for (int y = 0; ok && y < down; y++)
        ok = block_offset(band, 0, y) == first + (uint64_t)y * (uint64_t)across * bytes &&
             block_offset(band, across - 1, y) == first + ((uint64_t)(y + 1) * (uint64_t)across - 1) * bytes;
    oro_gdal.GDALClose(set);
    return ok;
}

/* A BigTIFF of uncompressed blocks. */
static bool make_blocks(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                        struct oro_error *err)
{
    struct job job = {output, shape, NULL, "GTiff", false, output->field->place, {0}};
    char width[32], height[32];
    snprintf(width, sizeof width, "BLOCKXSIZE=%d", output->block);
    snprintf(height, sizeof height, "BLOCKYSIZE=%d", output->block);
    char *options[] = {"TILED=YES", width, height, "BIGTIFF=YES", "ENDIANNESS=LITTLE", NULL};
    return write_by(&job, options, err) &&
           (blocks_in_order(&job, oro_stamp_of(output->temporary).size) ||
            oro_fail(err, ORO_E_WRITE, "cannot write '%s': GDAL put its blocks into another order",
                     output->path));
}

/* ---- ESRI ASCII ---- */

/* No system is given to the driver: it would write NAME.prj itself, which could be left alone. */
static bool write_grid(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                       const float *samples, struct oro_error *err)
{
    struct job job = {output, shape, samples, "AAIGrid", true, output->field->place, {0}};
    job.place.crs = NULL;
    return write_by(&job, (char *[]){"SIGNIFICANT_DIGITS=9", NULL}, err);
}

/* NAME.prj as ESRI's programs write it. */
static bool describe_system(const char *path, const struct oro_heightfield *field, struct oro_text *text,
                            struct oro_error *err)
{
    struct oro_gdal_call call;
    char *wkt = NULL;
    if (!field->place.crs)
        return true;
    if (!oro_gdal_begin(&call, path, err))
        return false;
    OGRSpatialReferenceH crs = oro_gdal_crs(field->place.crs);
    bool ok = crs && oro_gdal.OSRExportToWktEx(crs, &wkt, (const char *const[]){"FORMAT=WKT1_ESRI", NULL}) ==
                         OGRERR_NONE;
    if (ok)
        oro_text_addf(text, "%s\n", wkt);
    else
        oro_gdal_fail(&call, ORO_E_WRITE, "write the system of", err);
    oro_gdal.VSIFree(wkt);
    oro_gdal_crs_free(crs);
    oro_gdal_end();
    return ok;
}

/* ---- Terragen ---- */

/* The driver fits its steps to a range that it is told before. */
static bool write_terragen(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                           const float *samples, struct oro_error *err)
{
    struct job job = {output, shape, samples, "Terragen", false, {0}, {0}};
    struct oro_height_range range = oro_range_of(samples, (size_t)shape->width * (size_t)shape->height);
    double high = range.high > range.low ? range.high : range.low + 1;
    char number[ORO_NUMBER_SIZE], least[64], most[64];
    snprintf(least, sizeof least, "MINUSERPIXELVALUE=%s", oro_format_number(range.low, number));
    snprintf(most, sizeof most, "MAXUSERPIXELVALUE=%s", oro_format_number(high, number));
    return write_by(&job, (char *[]){least, most, NULL}, err);
}

static const double no_number = NAN, esri_none = -9999;

const struct oro_codec oro_codec_geotiff = {
    .name = "geotiff",
    .none = &no_number,
    .extensions = (const char *const[]){"tif", "tiff", NULL},
    .takes_bits = true,
    .writes = ORO_WINDOWS_BLOCKS,
    .write = write_tiff,
    .make = make_blocks,
};

const struct oro_codec oro_codec_ascii_grid = {
    .name = "ascii_grid",
    .none = &esri_none,
    .extensions = (const char *const[]){"asc", NULL},
    .writes = ORO_WINDOWS_WHOLE,
    .write = write_grid,
    .beside = "prj",
    .describe_beside = describe_system,
};

const struct oro_codec oro_codec_terragen = {
    .name = "terragen",
    .extensions = (const char *const[]){"ter", NULL},
    .rounds = true,
    .writes = ORO_WINDOWS_WHOLE,
    .write = write_terragen,
};
