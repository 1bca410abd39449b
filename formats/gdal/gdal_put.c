/* Rasters that other readers have read are put where they belong: as rasters of GDAL's upon their memory. */
#include <math.h>

#include "base/memory.h"
#include "formats/gdal/gdal_private.h"
#include "formats/nodata.h"

/* A raster of GDAL's upon the field, where it lies; of a field without heights one that cannot be read. */
static GDALDatasetH view(const struct oro_heightfield *field, const float *row)
{
    const double transform[6] = {field->place.west, field->cell, 0, field->place.north, 0, -field->cell};
    size_t stride = (size_t)field->width * sizeof *row;
    GDALDatasetH set = oro_gdal_view(field->data ? field->data : row, GDT_Float32, field->width,
                                     field->height, field->data ? stride : 0);
    OGRSpatialReferenceH crs = oro_gdal_crs(field->place.crs);
    if (set && crs) {
        oro_gdal.GDALSetGeoTransform(set, (double *)transform);
        oro_gdal.GDALSetSpatialRef(set, crs);
        oro_gdal.GDALSetRasterNoDataValue(oro_gdal.GDALGetRasterBand(set, 1), (double)NAN);
    }
    oro_gdal_crs_free(crs);
    return set;
}

/* What is no ground takes no part, and the ground does not flow into it. */
static void hide_sea(struct oro_heightfield *field)
{
    size_t cells = (size_t)field->width * (size_t)field->height;
    for (size_t i = 0; field->data && field->sea && i < cells; i++)
        if (field->sea[i] > 0.5f)
            field->data[i] = NAN;
}

static bool take_cells(const struct oro_gdal_source *source, const struct oro_gdal_grid *grid,
                       struct oro_heightfield *put, struct oro_error *err)
{
    put->width = grid->width;
    put->height = grid->height;
    put->cell = grid->cell;
    put->place = (struct oro_place){oro_gdal_crs_text(grid->crs), grid->west, grid->north};
    if (!put->place.crs)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->call->path);
    if (source->options->shape_only)
        return true;
    put->data = oro_alloc((size_t)grid->width * (size_t)grid->height, sizeof *put->data);
    if (!put->data)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the %dx%d cells of '%s'", grid->width, grid->height,
                        source->call->path);
    return oro_gdal_read_cells(source, grid, put->data, err) && oro_heightfield_fill(put, err);
}

static bool put_view(struct oro_gdal_source *source, struct oro_heightfield *field, struct oro_error *err)
{
    struct oro_gdal_grid grid = {0};
    struct oro_heightfield put = {.metres = field->metres, .account = field->account};
    bool ok = oro_gdal_describe(source, err);
    if (ok && !source->crs)
        ok = oro_fail(err, ORO_E_FILE, "'%s' says that it lies in '%.80s', which is no coordinate system",
                      source->call->path, field->place.crs);
    ok = ok && oro_gdal_choose_grid(source, &grid, &put.account, err) && take_cells(source, &grid, &put, err);
    oro_gdal_crs_free(grid.crs);
    oro_gdal_crs_free(source->crs);
    if (ok) {
        oro_heightfield_free(field);
        *field = put;
    } else {
        oro_heightfield_free(&put);
    }
    return ok;
}

bool oro_gdal_put(const char *path, const struct oro_read_options *options, struct oro_heightfield *field,
                  struct oro_error *err)
{
    struct oro_gdal_call call;
    float *row = field->data ? NULL : oro_alloc((size_t)field->width, sizeof *row);
    if (!row && !field->data)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    bool begun = oro_gdal_begin(&call, path, err), ok = false;
    if (begun) {
        hide_sea(field);
        struct oro_gdal_source source = {.call = &call, .options = options, .set = view(field, row)};
        ok = source.set ? put_view(&source, field, err) : oro_gdal_fail(&call, ORO_E_FILE, "place", err);
        if (source.set)
            oro_gdal.GDALClose(source.set);
        oro_gdal_end();
    }
    oro_free(row);
    return ok;
}
