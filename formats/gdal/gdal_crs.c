/* Coordinate systems and their names. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "formats/crs.h"
#include "formats/gdal/gdal_private.h"

OGRSpatialReferenceH oro_gdal_crs(const char *text)
{
    OGRSpatialReferenceH crs = oro_gdal.OSRNewSpatialReference(NULL);
    char *wkt = (char *)text;
    bool numbered = strncmp(text, "EPSG:", 5) == 0, ok = false;
    double number = 0;
    if (numbered && oro_parse_number(text + 5, &number) && number >= 1 && number <= INT_MAX &&
        number == floor(number))
        ok = oro_gdal.OSRImportFromEPSG(crs, (int)number) == OGRERR_NONE;
    else if (!numbered)
        ok = oro_gdal.OSRImportFromWkt(crs, &wkt) == OGRERR_NONE;
    if (!ok) {
        oro_gdal.OSRRelease(crs);
        return NULL;
    }
    oro_gdal.OSRSetAxisMappingStrategy(crs, OAMS_TRADITIONAL_GIS_ORDER);
    return crs;
}

void oro_gdal_crs_free(OGRSpatialReferenceH crs)
{
    if (crs) /* NULL is an error to GDAL */
        oro_gdal.OSRRelease(crs);
}

bool oro_gdal_in_metres(OGRSpatialReferenceH crs)
{
    return crs && (oro_gdal.OSRIsProjected(crs) || oro_gdal.OSRIsLocal(crs)) &&
           fabs(oro_gdal.OSRGetLinearUnits(crs, NULL) - 1) < 1e-9;
}

OGRSpatialReferenceH oro_gdal_metric_crs(const char *text, struct oro_error *err)
{
    OGRSpatialReferenceH crs = oro_gdal_crs(text);
    if (crs && oro_gdal.OSRIsProjected(crs) && oro_gdal_in_metres(crs))
        return crs;
    oro_fail(
        err, ORO_E_USAGE,
        crs ? "'%.80s' is no system in metres: choose a projected one, such as a zone of UTM (EPSG:32632)"
            : "'%.80s' is no coordinate system: EPSG:N, or WKT",
        text);
    oro_gdal_crs_free(crs);
    return NULL;
}

OGRSpatialReferenceH oro_gdal_flat(OGRSpatialReferenceH crs)
{
    OGRSpatialReferenceH flat = oro_gdal.OSRClone(crs);
    if (!flat)
        return NULL;
    oro_gdal.OSRStripVertical(flat);
    oro_gdal.OSRDemoteTo2D(flat, NULL);
    oro_gdal.OSRSetAxisMappingStrategy(flat, OAMS_TRADITIONAL_GIS_ORDER);
    return flat;
}

/* Whether the number says all of the system: a file may call one by a number that it is only based on. */
static bool is_number(OGRSpatialReferenceH crs, const char *name)
{
    OGRSpatialReferenceH named = oro_gdal_crs(name);
    bool same = named && oro_gdal.OSRIsSame(named, crs);
    oro_gdal_crs_free(named);
    return same;
}

/* The number that `named` bears, if it is that of `crs`; else nothing. */
static void add_number(OGRSpatialReferenceH named, OGRSpatialReferenceH crs, struct oro_text *name)
{
    const char *authority = oro_gdal.OSRGetAuthorityName(named, NULL),
               *code = oro_gdal.OSRGetAuthorityCode(named, NULL);
    if (authority && code && strcmp(authority, "EPSG") == 0)
        oro_text_addf(name, "EPSG:%s", code);
    if (name->data && !is_number(crs, name->data))
        oro_text_free(name);
}

/* Systems of a .prj file bear no number, and other names. */
static void find_number(OGRSpatialReferenceH crs, struct oro_text *name)
{
    int count = 0;
    OGRSpatialReferenceH *matches = oro_gdal.OSRFindMatches(crs, NULL, &count, NULL);
    for (int i = 0; i < count && !name->data; i++)
        add_number(matches[i], crs, name);
    if (matches)
        oro_gdal.OSRFreeSRSArray(matches);
}

char *oro_gdal_crs_text(OGRSpatialReferenceH crs)
{
    char *wkt = NULL;
    struct oro_text name = {0};
    oro_gdal.OSRAutoIdentifyEPSG(crs);
    add_number(crs, crs, &name);
    if (!name.data)
        find_number(crs, &name);
    if (name.data)
        return name.data;
    if (oro_gdal.OSRExportToWktEx(crs, &wkt, (const char *const[]){"FORMAT=WKT2_2018", NULL}) == OGRERR_NONE)
        oro_text_add(&name, wkt);
    oro_gdal.VSIFree(wkt);
    return oro_text_take(&name);
}

/* ---- For others ---- */

bool oro_crs_check(const char *text, struct oro_error *err)
{
    struct oro_gdal_call call;
    if (!oro_gdal_begin(&call, text, err))
        return false;
    OGRSpatialReferenceH crs = oro_gdal_metric_crs(text, err);
    bool ok = crs;
    oro_gdal_crs_free(crs);
    oro_gdal_end();
    return ok;
}

struct oro_degrees {
    OGRCoordinateTransformationH way;
};

struct oro_degrees *oro_degrees_create(const char *text, struct oro_error *err)
{
    struct oro_gdal_call call;
    if (!oro_gdal_begin(&call, text, err))
        return NULL;
    struct oro_degrees *degrees = oro_alloc(1, sizeof *degrees);
    OGRSpatialReferenceH from = oro_gdal_metric_crs(text, err), to = oro_gdal_crs("EPSG:4326");
    if (degrees && from && to)
        degrees->way = oro_gdal.OCTNewCoordinateTransformation(from, to);
    if (from && (!degrees || !degrees->way))
        oro_gdal_fail(&call, ORO_E_FILE, "find degrees in", err);
    oro_gdal_crs_free(from);
    oro_gdal_crs_free(to);
    oro_gdal_end();
    if (degrees && degrees->way)
        return degrees;
    oro_free(degrees);
    return NULL;
}

void oro_degrees_destroy(struct oro_degrees *degrees)
{
    if (degrees)
        oro_gdal.OCTDestroyCoordinateTransformation(degrees->way);
    oro_free(degrees);
}

bool oro_degrees_of(struct oro_degrees *degrees, double east, double north, double *longitude,
                    double *latitude)
{
    struct oro_gdal_call call;
    *longitude = east;
    *latitude = north;
    if (!oro_gdal_begin(&call, "", NULL))
        return false;
    bool ok = oro_gdal.OCTTransform(degrees->way, 1, longitude, latitude, NULL);
    oro_gdal_end();
    return ok && isfinite(*longitude) && isfinite(*latitude);
}

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
