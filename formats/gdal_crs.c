/* Coordinate systems and their names. */
#include <stdlib.h>
#include <string.h>

#include <cpl_conv.h>

#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal_private.h"

OGRSpatialReferenceH oro_gdal_crs(const char *text)
{
    OGRSpatialReferenceH crs = OSRNewSpatialReference(NULL);
    int number = 0, length = 0;
    char *wkt = (char *)text;
    bool ok = false;
    if (sscanf(text, "EPSG:%d%n", &number, &length) == 1 && text[length] == '\0')
        ok = OSRImportFromEPSG(crs, number) == OGRERR_NONE;
    else
        ok = OSRImportFromWkt(crs, &wkt) == OGRERR_NONE;
    if (!ok) {
        OSRRelease(crs);
        return NULL;
    }
    OSRSetAxisMappingStrategy(crs, OAMS_TRADITIONAL_GIS_ORDER);
    return crs;
}

void oro_gdal_crs_free(OGRSpatialReferenceH crs)
{
    if (crs) /* NULL is an error to GDAL */
        OSRRelease(crs);
}

OGRSpatialReferenceH oro_gdal_flat(OGRSpatialReferenceH crs)
{
    OGRSpatialReferenceH flat = OSRClone(crs);
    if (!flat)
        return NULL;
    OSRStripVertical(flat);
    OSRDemoteTo2D(flat, NULL);
    OSRSetAxisMappingStrategy(flat, OAMS_TRADITIONAL_GIS_ORDER);
    return flat;
}

/* Whether the number says all of the system: a file may call one by a number that it is only based on. */
static bool is_number(OGRSpatialReferenceH crs, const char *name)
{
    OGRSpatialReferenceH named = oro_gdal_crs(name);
    bool same = named && OSRIsSame(named, crs);
    oro_gdal_crs_free(named);
    return same;
}

char *oro_gdal_crs_text(OGRSpatialReferenceH crs)
{
    char *wkt = NULL;
    struct oro_text name = {0};
    OSRAutoIdentifyEPSG(crs);
    const char *authority = OSRGetAuthorityName(crs, NULL), *code = OSRGetAuthorityCode(crs, NULL);
    if (authority && code && strcmp(authority, "EPSG") == 0)
        oro_text_addf(&name, "EPSG:%s", code);
    if (name.data && is_number(crs, name.data))
        return name.data;
    oro_text_free(&name);
    if (OSRExportToWktEx(crs, &wkt, (const char *const[]){"FORMAT=WKT2_2018", NULL}) == OGRERR_NONE)
        oro_text_add(&name, wkt);
    CPLFree(wkt);
    if (name.failed)
        oro_text_free(&name);
    return name.data;
}
