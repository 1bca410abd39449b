/* Rasters for tests, made through GDAL's own interface. */
#ifndef ORO_TESTS_FORMATS_GEO_H
#define ORO_TESTS_FORMATS_GEO_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cpl_conv.h>
#include <cpl_string.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include "base/memory.h"
#include "support.h"

struct raster {
    const char *driver; /* NULL: GTiff */
    GDALDataType type;  /* 0: Float32 */
    int width, height, bands;
    double transform[6]; /* all 0: none */
    int epsg;            /* 0: no coordinate system */
    bool has_nodata;
    double nodata, scale, offset;
    const char *unit;
    char **options; /* of the driver */
    float (*z)(int x, int y);
};

static inline float slope(int x, int y)
{
    return (float)(3 * x + 7 * y);
}

/* The library sets GDAL up: these tests make rasters with the drivers that it has. */
static inline void need_gdal(void)
{
    struct oro_heightfield field;
    put_text(in_folder("junk.tif"), "junk");
    assert_false(oro_heightfield_read(in_folder("junk.tif"), NULL, &field, NULL));
    remove(in_folder("junk.tif"));
}

static inline void set_crs(GDALDatasetH set, int epsg)
{
    OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
    assert_int_equal(OSRImportFromEPSG(crs, epsg), OGRERR_NONE);
    OSRSetAxisMappingStrategy(crs, OAMS_TRADITIONAL_GIS_ORDER);
    GDALSetSpatialRef(set, crs);
    OSRRelease(crs);
}

static inline void fill_raster(GDALDatasetH set, const struct raster *raster)
{
    float *row = oro_alloc((size_t)raster->width, sizeof *row);
    GDALRasterBandH band = GDALGetRasterBand(set, 1);
    assert_non_null(row);
    for (int y = 0; raster->z && y < raster->height; y++) {
        for (int x = 0; x < raster->width; x++)
            row[x] = raster->z(x, y);
        assert_int_equal(
            GDALRasterIO(band, GF_Write, 0, y, raster->width, 1, row, raster->width, 1, GDT_Float32, 0, 0),
            CE_None);
    }
    oro_free(row);
}

static inline void tag_raster(GDALDatasetH set, const struct raster *raster)
{
    GDALRasterBandH band = GDALGetRasterBand(set, 1);
    double transform[6];
    memcpy(transform, raster->transform, sizeof transform);
    if (transform[1] != 0)
        GDALSetGeoTransform(set, transform);
    if (raster->epsg)
        set_crs(set, raster->epsg);
    if (raster->has_nodata)
        GDALSetRasterNoDataValue(band, raster->nodata);
    if (raster->unit)
        GDALSetRasterUnitType(band, raster->unit);
    if (raster->scale != 0) {
        GDALSetRasterScale(band, raster->scale);
        GDALSetRasterOffset(band, raster->offset);
    }
}

/* In memory, then copied, since some drivers only copy. A sparse GTiff is made at once: it is too large. */
static inline void make_raster(const char *path, const struct raster *raster)
{
    const char *driver = raster->driver ? raster->driver : "GTiff";
    GDALDataType type = raster->type ? raster->type : GDT_Float32;
    int bands = raster->bands ? raster->bands : 1;
    need_gdal();
    GDALDatasetH set = GDALCreate(GDALGetDriverByName(raster->z ? "MEM" : driver), path, raster->width,
                                  raster->height, bands, type, raster->z ? NULL : raster->options);
    assert_non_null(set);
    tag_raster(set, raster);
    fill_raster(set, raster);
    if (raster->z) {
        GDALDatasetH copy =
            GDALCreateCopy(GDALGetDriverByName(driver), path, set, FALSE, raster->options, NULL, NULL);
        assert_non_null(copy);
        GDALClose(copy);
    }
    GDALClose(set);
}

#endif
