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
    const float *samples;
    struct oro_gdal_call call;
};

/* ---- Tags ---- */

/* Without a place rows begin at the origin, and the size of cells is told all the same. */
static bool set_place(GDALDatasetH set, const struct job *job)
{
    const struct oro_heightfield *field = job->output->field;
    double cell = field->cell > 0 ? field->cell : 1;
    double transform[6] = {field->place.west, cell, 0, field->place.north, 0, -cell};
    OGRSpatialReferenceH crs = field->place.crs ? oro_gdal_crs(field->place.crs) : NULL;
    if (field->place.crs && !crs)
        return false;
    bool ok = !crs || oro_gdal.GDALSetSpatialRef(set, crs) == CE_None;
    oro_gdal_crs_free(crs);
    return ok && ((!crs && !(field->cell > 0)) || oro_gdal.GDALSetGeoTransform(set, transform) == CE_None);
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

static bool set_tags(GDALDatasetH set, const struct job *job)
{
    GDALRasterBandH band = oro_gdal.GDALGetRasterBand(set, 1);
    const double *none = job->output->nodata;
    set_meaning(band, job);
    return set_place(set, job) && (!none || oro_gdal.GDALSetRasterNoDataValue(band, *none) == CE_None);
}

static bool put_samples(GDALDatasetH set, const struct job *job)
{
    int width = job->shape->width, height = job->shape->height;
    return oro_gdal.GDALRasterIO(oro_gdal.GDALGetRasterBand(set, 1), GF_Write, 0, 0, width, height,
                                 (void *)job->samples, width, height, GDT_Float32, 0, 0) == CE_None;
}

/* Closing writes what is left, and tells errors to the handler alone. */
static bool finish(GDALDatasetH set, struct job *job, bool ok, struct oro_error *err)
{
    if (set)
        oro_gdal.GDALClose(set);
    ok = set && ok && !job->call.failed;
    return ok || oro_gdal_fail(&job->call, ORO_E_WRITE, "write", err);
}

/* ---- GeoTIFF ---- */

/* Differences of neighbours are what compresses: of whole numbers, or of the bytes of floats. All threads
 * compress, and tiles are written in their order. More than these levels gain next to nothing:
 * docs/performance.md. */
static char **tiff_options(const struct job *job)
{
    bool levels = job->shape->largest > 0, cog = job->output->options->cog;
    char **options =
        oro_gdal.CSLSetNameValue(NULL, "COMPRESS", job->output->options->zstd ? "ZSTD" : "DEFLATE");
    options = oro_gdal.CSLSetNameValue(options, "PREDICTOR", cog ? "YES" : levels ? "2" : "3");
    options = oro_gdal.CSLSetNameValue(options, "NUM_THREADS", "ALL_CPUS");
    options = oro_gdal.CSLSetNameValue(options, "BIGTIFF", "IF_SAFER");
    if (cog)
        return oro_gdal.CSLSetNameValue(options, "OVERVIEW_RESAMPLING", "AVERAGE");
    if (job->output->options->zstd)
        options = oro_gdal.CSLSetNameValue(options, "ZSTD_LEVEL", levels ? "3" : "1");
    else
        options = oro_gdal.CSLSetNameValue(options, "ZLEVEL", "1");
    return oro_gdal.CSLSetNameValue(options, "TILED", "YES");
}

static GDALDataType sample_type(const struct job *job)
{
    return job->shape->largest > 0 ? GDT_UInt16 : GDT_Float32;
}

/* Of samples, or for those that come later. */
static bool create_tiff(struct job *job, char **options, struct oro_error *err)
{
    GDALDatasetH set =
        oro_gdal.GDALCreate(oro_gdal.GDALGetDriverByName("GTiff"), job->output->temporary, job->shape->width,
                            job->shape->height, 1, sample_type(job), options);
    bool ok = set && set_tags(set, job) && (!job->samples || put_samples(set, job));
    return finish(set, job, ok, err);
}

/* Drivers that only copy are given a raster in memory. */
static bool write_copy(struct job *job, const char *driver, char **options, struct oro_error *err)
{
    GDALDatasetH memory = oro_gdal.GDALCreate(oro_gdal.GDALGetDriverByName("MEM"), "", job->shape->width,
                                              job->shape->height, 1, sample_type(job), NULL);
    bool ok = memory && set_tags(memory, job) && put_samples(memory, job);
    GDALDatasetH set =
        ok ? oro_gdal.GDALCreateCopy(oro_gdal.GDALGetDriverByName(driver), job->output->temporary, memory,
                                     FALSE, options, NULL, NULL)
           : NULL;
    if (memory)
        oro_gdal.GDALClose(memory);
    return finish(set, job, true, err);
}

static bool write_tiff(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                       const float *samples, struct oro_error *err)
{
    struct job job = {.output = output, .shape = shape, .samples = samples};
    if (!oro_gdal_begin(&job.call, output->path, err))
        return false;
    char **options = tiff_options(&job);
    bool ok = output->options->cog ? write_copy(&job, "COG", options, err) : create_tiff(&job, options, err);
    oro_gdal.CSLDestroy(options);
    oro_gdal_end();
    return ok;
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

static char **block_options(const struct job *job)
{
    char side[16], **options = NULL;
    snprintf(side, sizeof side, "%d", job->output->block);
    options = oro_gdal.CSLSetNameValue(options, "TILED", "YES");
    options = oro_gdal.CSLSetNameValue(options, "BLOCKXSIZE", side);
    options = oro_gdal.CSLSetNameValue(options, "BLOCKYSIZE", side);
    options = oro_gdal.CSLSetNameValue(options, "BIGTIFF", "YES");
    return oro_gdal.CSLSetNameValue(options, "ENDIANNESS", "LITTLE");
}

/* A BigTIFF of uncompressed blocks. */
static bool make_blocks(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                        struct oro_error *err)
{
    struct job job = {.output = output, .shape = shape};
    if (!oro_gdal_begin(&job.call, output->path, err))
        return false;
    char **options = block_options(&job);
    bool ok = create_tiff(&job, options, err);
    oro_gdal.CSLDestroy(options);
    if (ok && !blocks_in_order(&job, oro_stamp_of(output->temporary).size))
        ok = oro_fail(err, ORO_E_WRITE, "cannot write '%s': GDAL put its blocks into another order",
                      output->path);
    oro_gdal_end();
    return ok;
}

/* ---- ESRI ASCII ---- */

/* No system is given to the driver: it would write NAME.prj itself, which could be left alone. */
static bool write_grid(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                       const float *samples, struct oro_error *err)
{
    struct oro_heightfield bare = *output->field;
    struct oro_raster_output placeless = *output;
    struct job job = {.output = &placeless, .shape = shape, .samples = samples};
    char *options[] = {"SIGNIFICANT_DIGITS=9", NULL};
    bare.place.crs = NULL;
    placeless.field = &bare;
    if (!oro_gdal_begin(&job.call, output->path, err))
        return false;
    bool ok = write_copy(&job, "AAIGrid", options, err);
    oro_gdal_end();
    return ok;
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
    struct oro_heightfield bare = *output->field;
    struct oro_raster_output placeless = *output;
    struct job job = {.output = &placeless, .shape = shape, .samples = samples};
    struct oro_height_range range = oro_range_of(samples, (size_t)shape->width * (size_t)shape->height);
    char least[ORO_NUMBER_SIZE], most[ORO_NUMBER_SIZE], **options = NULL;
    bare.place = (struct oro_place){0};
    placeless.field = &bare;
    if (!oro_gdal_begin(&job.call, output->path, err))
        return false;
    options = oro_gdal.CSLSetNameValue(options, "MINUSERPIXELVALUE", oro_format_number(range.low, least));
    options = oro_gdal.CSLSetNameValue(
        options, "MAXUSERPIXELVALUE",
        oro_format_number(range.high > range.low ? range.high : range.low + 1, most));
    GDALDatasetH set = oro_gdal.GDALCreate(oro_gdal.GDALGetDriverByName("Terragen"), output->temporary,
                                           shape->width, shape->height, 1, GDT_Float32, options);
    bool ok = set && set_place(set, &job) && put_samples(set, &job);
    oro_gdal.CSLDestroy(options);
    ok = finish(set, &job, ok, err);
    oro_gdal_end();
    return ok;
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
