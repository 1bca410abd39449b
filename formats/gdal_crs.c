/* Coordinate systems and their names. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal_private.h"

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
    if (name.failed)
        oro_text_free(&name);
    return name.data;
}
