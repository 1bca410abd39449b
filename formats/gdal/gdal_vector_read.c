/* Files of vectors as GeoJSON: the reader of networks has one form to judge, and one place for limits. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal/gdal_private.h"

struct vectors {
    const struct oro_gdal_call *call;
    struct oro_text *text;
    size_t most;
    OGRSpatialReferenceH crs; /* horizontal; NULL: none is told, yet */
    bool first, systems;      /* no feature was added; there is a layer, with a system or without */
};

static const char *known_name(const char *name)
{
    for (size_t i = 0; i < sizeof oro_vector_fields / sizeof oro_vector_fields[0]; i++)
        if (strcasecmp(name, oro_vector_fields[i]) == 0)
            return oro_vector_fields[i];
    return NULL;
}

/* Lists of numbers and objects are JSON in fields of text; words are kinds. */
static void add_text(struct oro_text *text, const char *name, const char *value)
{
    double number;
    if (value[0] == '[' || oro_parse_number(value, &number))
        oro_text_addf(text, "\"%s\":%s,", name, value);
    else if (oro_is_identifier(value))
        oro_text_addf(text, "\"%s\":\"%s\",", name, value);
}

static void add_field(struct oro_text *text, OGRFeatureH feature, int index)
{
    OGRFieldDefnH field = oro_gdal.OGR_F_GetFieldDefnRef(feature, index);
    const char *name = known_name(oro_gdal.OGR_Fld_GetNameRef(field));
    char digits[ORO_NUMBER_SIZE];
    if (!name || !oro_gdal.OGR_F_IsFieldSetAndNotNull(feature, index))
        return;
    OGRFieldType type = oro_gdal.OGR_Fld_GetType(field);
    double number = oro_gdal.OGR_F_GetFieldAsDouble(feature, index);
    if (type == OFTString)
        add_text(text, name, oro_gdal.OGR_F_GetFieldAsString(feature, index));
    else if ((type == OFTInteger || type == OFTInteger64 || type == OFTReal) && isfinite(number))
        oro_text_addf(text, "\"%s\":%s,", name,
                      strcmp(name, "highest") != 0 ? oro_format_number(number, digits)
                      : number != 0                ? "true"
                                                   : "false");
}

static void add_properties(struct oro_text *text, OGRFeatureH feature)
{
    int count = oro_gdal.OGR_F_GetFieldCount(feature);
    for (int i = 0; i < count; i++) {
        OGRFieldDefnH field = oro_gdal.OGR_F_GetFieldDefnRef(feature, i);
        const char *value = strcasecmp(oro_gdal.OGR_Fld_GetNameRef(field), "vertices") == 0
                                ? oro_gdal.OGR_F_GetFieldAsString(feature, i)
                                : "";
        if (value[0] != '{')
            continue;
        oro_text_add(text, value);
        return;
    }
    oro_text_add(text, "{");
    for (int i = 0; i < count; i++)
        add_field(text, feature, i);
    if (text->data && text->data[text->length - 1] == ',')
        text->data[--text->length] = '\0';
    oro_text_add(text, "}");
}

static bool fail_size(const char *path, size_t most, struct oro_error *err)
{
    return oro_fail(err, ORO_E_LIMIT,
                    "'%s' has more than %zu MiB of lines: 'ogr2ogr -clipsrc' takes a part of it", path,
                    most >> 20);
}

static bool add_feature(struct vectors *vectors, OGRFeatureH feature, struct oro_error *err)
{
    char *options[] = {"SIGNIFICANT_FIGURES=17", NULL};
    OGRGeometryH geometry = oro_gdal.OGR_F_GetGeometryRef(feature);
    if (!geometry || oro_gdal.OGR_G_IsEmpty(geometry))
        return true;
    OGRGeometryH lines = oro_gdal.OGR_G_GetLinearGeometry(geometry, 0, NULL);
    char *json = lines ? oro_gdal.OGR_G_ExportToJsonEx(lines, options) : NULL;
    if (json) {
        oro_text_add(vectors->text, vectors->first ? "" : ",\n");
        oro_text_add(vectors->text, "{\"type\":\"Feature\",\"properties\":");
        add_properties(vectors->text, feature);
        oro_text_addf(vectors->text, ",\"geometry\":%s}", json);
        vectors->first = false;
    }
    oro_gdal.OGR_G_DestroyGeometry(lines);
    oro_gdal.VSIFree(json);
    const char *path = vectors->call->path;
    if (!json)
        return oro_gdal_fail(vectors->call, ORO_E_FILE, "read", err);
    if (vectors->text->failed)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    return vectors->text->length <= vectors->most || fail_size(path, vectors->most, err);
}

/* All layers lie in one system, or in none. */
static bool take_system(struct vectors *vectors, OGRLayerH layer, struct oro_error *err)
{
    OGRSpatialReferenceH told = oro_gdal.OGR_L_GetSpatialRef(layer);
    if (told && oro_gdal.OSRIsLocal(told))
        told = NULL;
    OGRSpatialReferenceH crs = told ? oro_gdal_flat(told) : NULL;
    if (told && !crs)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", vectors->call->path);
    bool same = !vectors->systems || (!crs && !vectors->crs) ||
                (crs && vectors->crs && oro_gdal.OSRIsSame(crs, vectors->crs));
    if (!vectors->systems)
        vectors->crs = crs;
    else
        oro_gdal_crs_free(crs);
    vectors->systems = true;
    return same ||
           oro_fail(err, ORO_E_FILE,
                    "'%s' has layers in several coordinate systems: 'ogr2ogr -t_srs EPSG:N OUT.gpkg %s' "
                    "brings them to one",
                    vectors->call->path, vectors->call->path);
}

static bool read_layers(struct vectors *vectors, GDALDatasetH set, char **crs, struct oro_error *err)
{
    bool ok = true;
    oro_text_add(vectors->text, "{\"type\":\"FeatureCollection\",\"features\":[");
    for (int i = 0; ok && i < oro_gdal.GDALDatasetGetLayerCount(set); i++) {
        OGRLayerH layer = oro_gdal.GDALDatasetGetLayer(set, i);
        ok = take_system(vectors, layer, err);
        for (OGRFeatureH feature; ok && (feature = oro_gdal.OGR_L_GetNextFeature(layer));) {
            ok = add_feature(vectors, feature, err);
            oro_gdal.OGR_F_Destroy(feature);
        }
        ok = ok && (!vectors->call->failed || oro_gdal_fail(vectors->call, ORO_E_FILE, "read", err));
    }
    oro_text_add(vectors->text, "]}");
    if (ok && vectors->crs)
        *crs = oro_gdal_crs_text(vectors->crs);
    ok = ok && ((!vectors->text->failed && (!vectors->crs || *crs)) ||
                oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", vectors->call->path));
    oro_gdal_crs_free(vectors->crs);
    return ok;
}

bool oro_vector_read(const char *path, size_t most, struct oro_text *text, char **crs, struct oro_error *err)
{
    struct oro_gdal_call call;
    *text = (struct oro_text){0};
    *crs = NULL;
    if (oro_stamp_of(path).size > most)
        return fail_size(path, most, err);
    if (!oro_gdal_is_file(path, err) || !oro_gdal_begin(&call, path, err))
        return false;
    struct vectors vectors = {.call = &call, .text = text, .most = most, .first = true};
    GDALDatasetH set = oro_gdal_open_vector(path);
    bool ok = set ? read_layers(&vectors, set, crs, err) : oro_gdal_fail(&call, ORO_E_FILE, "read", err);
    if (set)
        oro_gdal.GDALClose(set);
    oro_gdal_end();
    if (!ok)
        oro_text_free(text);
    return ok;
}
