/* Lines as files of vectors. GDAL writes them, by name and some as several files, into a folder that has no
 * final name; then they get their names together. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/file_set.h"
#include "formats/folder.h"
#include "formats/gdal/gdal_private.h"

struct format {
    const char *extension, *driver;
    bool folder;       /* a layer is a file, and has geometries of one kind */
    bool fields, text; /* it keeps numbers of lines; and texts of any length */
};

static const struct format formats[] = {
    {"shp", "ESRI Shapefile", .folder = true, .fields = true},
    {"gpkg", "GPKG", .fields = true, .text = true},
    {"kml", "KML", .fields = true, .text = true},
    {.extension = "dxf", .driver = "DXF"},
};

struct writing {
    const struct oro_gdal_call *call;
    const struct format *format;
    const struct oro_vector_lines *lines;
    OGRLayerH layer, points; /* the same where one layer takes both */
};

/* The last where it is none of them, which nobody asks for. */
static const struct format *format_of(const char *path)
{
    const struct format *format = formats;
    while (format < formats + sizeof formats / sizeof formats[0] - 1 &&
           strcasecmp(oro_path_extension(path), format->extension) != 0)
        format++;
    return format;
}

/* ---- Layers ---- */

static bool add_field(OGRLayerH layer, const char *name, OGRFieldType type)
{
    OGRFieldDefnH field = oro_gdal.OGR_Fld_Create(name, type);
    bool ok = oro_gdal.OGR_L_CreateField(layer, field, TRUE) == OGRERR_NONE;
    oro_gdal.OGR_Fld_Destroy(field);
    return ok;
}

static OGRLayerH make_layer(const struct writing *w, GDALDatasetH set, const char *name,
                            OGRSpatialReferenceH crs, OGRwkbGeometryType type)
{
    /* A shapefile says when it was made. */
    char *options[] = {"DBF_DATE_LAST_UPDATE=2000-01-01", NULL};
    if (w->lines->heights)
        type = type == wkbPoint ? wkbPoint25D : type == wkbLineString ? wkbLineString25D : type;
    OGRLayerH layer =
        oro_gdal.GDALDatasetCreateLayer(set, name, crs, type, w->format->folder ? options : NULL);
    bool ok = layer;
    for (int i = 0; ok && w->format->fields && i < ORO_VECTOR_NUMBERS; i++)
        ok = add_field(layer, oro_vector_fields[i], OFTReal);
    ok = ok && (!w->format->fields || add_field(layer, "kind", OFTString)) &&
         (!w->format->text || add_field(layer, "vertices", OFTString));
    return ok ? layer : NULL;
}

/* The name of the file, without extension. */
static bool make_layers(struct writing *w, GDALDatasetH set, const char *path, OGRSpatialReferenceH crs)
{
    struct oro_text name = {0};
    const char *file = oro_path_name(path), *extension = oro_path_extension(path);
    oro_text_add_bytes(&name, file, (size_t)(extension - file) - 1);
    bool apart = w->format->folder && w->lines->points && w->lines->polylines;
    OGRwkbGeometryType type = !w->format->folder                         ? wkbUnknown
                              : w->lines->points && !w->lines->polylines ? wkbPoint
                                                                         : wkbLineString;
    if (!name.failed)
        w->layer = w->points = make_layer(w, set, name.data, crs, type);
    oro_text_add(&name, "_points");
    if (w->layer && apart && !name.failed)
        w->points = make_layer(w, set, name.data, crs, wkbPoint);
    oro_text_free(&name);
    return w->layer && w->points;
}

/* ---- Lines ---- */

static OGRGeometryH geometry_of(const struct oro_vector_lines *lines, const struct oro_vector_line *line)
{
    OGRGeometryH geometry = oro_gdal.OGR_G_CreateGeometry(line->point ? wkbPoint : wkbLineString);
    for (size_t i = 0; geometry && i < (line->point ? 1 : line->count); i++) {
        const struct oro_vertex *v = oro_vector_vertex(line, i);
        double x = lines->place.west + (double)v->x, y = lines->place.north - (double)v->y;
        if (lines->heights)
            oro_gdal.OGR_G_AddPoint(geometry, x, y, (double)v->elevation);
        else
            oro_gdal.OGR_G_AddPoint_2D(geometry, x, y);
    }
    return geometry;
}

static void set_number(OGRLayerH layer, OGRFeatureH feature, const char *name, double value)
{
    int index = oro_gdal.OGR_L_FindFieldIndex(layer, name, FALSE);
    if (index >= 0 && isfinite(value))
        oro_gdal.OGR_F_SetFieldDouble(feature, index, value);
}

static void set_text(OGRLayerH layer, OGRFeatureH feature, const char *name, const char *value)
{
    int index = oro_gdal.OGR_L_FindFieldIndex(layer, name, FALSE);
    if (index >= 0 && value)
        oro_gdal.OGR_F_SetFieldString(feature, index, value);
}

static bool put_line(const struct writing *w, const struct oro_vector_line *line)
{
    OGRLayerH layer = line->point ? w->points : w->layer;
    OGRFeatureH feature = oro_gdal.OGR_F_Create(oro_gdal.OGR_L_GetLayerDefn(layer));
    OGRGeometryH geometry = geometry_of(w->lines, line);
    bool ok = feature && geometry && oro_gdal.OGR_F_SetGeometryDirectly(feature, geometry) == OGRERR_NONE;
    if (ok) {
        for (int i = 0; i < ORO_VECTOR_NUMBERS; i++)
            set_number(layer, feature, oro_vector_fields[i], line->numbers[i]);
        set_text(layer, feature, "kind", line->kind);
        set_text(layer, feature, "vertices", line->known);
    }
    ok = ok && oro_gdal.OGR_L_CreateFeature(layer, feature) == OGRERR_NONE;
    oro_gdal.OGR_F_Destroy(feature);
    return ok && !w->call->failed;
}

static bool fill(struct writing *w, const char *place, const char *path, OGRSpatialReferenceH crs,
                 struct oro_error *err)
{
    GDALDatasetH set = oro_gdal.GDALCreate(oro_gdal.GDALGetDriverByName(w->format->driver), place, 0, 0, 0,
                                           GDT_Unknown, NULL);
    bool ok = (set && make_layers(w, set, path, crs)) || oro_gdal_fail(w->call, ORO_E_WRITE, "write", err);
    for (size_t i = 0; ok && i < w->lines->count; i++) {
        struct oro_vector_line line;
        ok = w->lines->line(w->lines->user, i, &line, err) &&
             (put_line(w, &line) || oro_gdal_fail(w->call, ORO_E_WRITE, "write", err));
    }
    if (set)
        oro_gdal.GDALClose(set);
    return ok && (!w->call->failed || oro_gdal_fail(w->call, ORO_E_WRITE, "write", err));
}

/* ---- Files ---- */

static bool write_into(struct writing *w, const char *folder, const char *path, struct oro_error *err)
{
    const char *crs = w->lines->place.crs;
    struct oro_gdal_call call;
    struct oro_file_set set = {0};
    char *file = oro_folder_path(folder, oro_path_name(path));
    if (!file)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    bool ok = oro_gdal_begin(&call, path, err);
    if (ok) {
        OGRSpatialReferenceH system = crs ? oro_gdal_crs(crs) : NULL;
        w->call = &call;
        ok = (!crs || system)
                 ? fill(w, w->format->folder ? folder : file, path, system, err)
                 : oro_fail(err, ORO_E_WRITE, "'%s': there is no coordinate system '%.60s'", path, crs);
        oro_gdal_crs_free(system);
        oro_gdal_end();
        w->call = NULL;
    }
    int draft = ok ? oro_folder_open_for(file, err) : -1;
    ok = draft >= 0 && oro_file_set_adopt_all(&set, draft, folder, path, err) &&
         oro_file_set_commit(&set, err);
    oro_file_set_end(&set);
    if (draft >= 0)
        close(draft);
    oro_free(file);
    return ok;
}

bool oro_vector_write(const char *path, const struct oro_vector_lines *lines, struct oro_error *err)
{
    struct writing w = {.format = format_of(path), .lines = lines};
    char *folder = oro_folder_make(path, err);
    bool ok = folder && write_into(&w, folder, path, err);
    if (folder)
        oro_folder_remove(folder);
    oro_free(folder);
    return ok;
}
