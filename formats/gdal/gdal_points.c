/* Points from one coordinate system to another. */
#include <limits.h>
#include <math.h>

#include "formats/gdal/gdal_private.h"

static bool refuse_system(const char *path, const char *crs, struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE, "'%s': there is no coordinate system '%.60s'", path, crs);
}

static bool transform(const struct oro_gdal_call *call, OGRCoordinateTransformationH way, size_t count,
                      double *x, double *y, struct oro_error *err)
{
    for (size_t i = 0; i < count; i += INT_MAX / 2) {
        size_t some = count - i < INT_MAX / 2 ? count - i : INT_MAX / 2;
        oro_gdal.OCTTransform(way, (int)some, x + i, y + i, NULL);
    }
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return oro_fail(err, ORO_E_FILE,
                            "'%s': position %zu lies where the other coordinate system does "
                            "not reach",
                            call->path, i + 1);
    return true;
}

bool oro_gdal_transform(const char *path, const char *from, const char *to, size_t count, double *x,
                        double *y, struct oro_error *err)
{
    struct oro_gdal_call call;
    if (!oro_gdal_begin(&call, path, err))
        return false;
    OGRSpatialReferenceH source = oro_gdal_crs(from), target = oro_gdal_crs(to);
    OGRCoordinateTransformationH way =
        source && target ? oro_gdal.OCTNewCoordinateTransformation(source, target) : NULL;
    bool ok = way && transform(&call, way, count, x, y, err);
    if (!source || !target)
        refuse_system(path, source ? to : from, err);
    else if (!way)
        oro_gdal_fail(&call, ORO_E_FILE, "find the place of", err);
    if (way)
        oro_gdal.OCTDestroyCoordinateTransformation(way);
    oro_gdal_crs_free(source);
    oro_gdal_crs_free(target);
    oro_gdal_end();
    return ok;
}
