/*
 * What a mosaic may hold. GDAL's virtual rasters can read any bytes of any file, warp, and run code; what is
 * opened here is a list of windows of plain rasters, as gdalbuildvrt writes it, and is judged before GDAL
 * sees it.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal/gdal_private.h"

enum { MOSAIC_BYTES_MAX = 1 << 26 };

struct mosaic {
    const struct oro_gdal_call *call;
    const char *place; /* without links: names in it are relative to that */
    bool any_path;
    bool (*visit)(void *user,
                  const char *path); /* is given the rasters instead of opening them; may be NULL */
    void *user;
};

static const char *const elements[] = {"VRTDataset",
                                       "SRS",
                                       "GeoTransform",
                                       "VRTRasterBand",
                                       "ColorInterp",
                                       "NoDataValue",
                                       "HideNoDataValue",
                                       "UnitType",
                                       "Offset",
                                       "Scale",
                                       "Description",
                                       "SimpleSource",
                                       "ComplexSource",
                                       "AveragedSource",
                                       "SourceFilename",
                                       "SourceBand",
                                       "SourceProperties",
                                       "SrcRect",
                                       "DstRect",
                                       "NODATA",
                                       "ScaleOffset",
                                       "ScaleRatio",
                                       "Metadata",
                                       "MDI",
                                       "BlockXSize",
                                       "BlockYSize",
                                       "Histograms",
                                       "HistItem",
                                       NULL};

static bool unlike(const struct mosaic *mosaic, const char *what, struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE,
                    "'%s' has %.80s, which is not read: a mosaic is a list of plain rasters, as gdalbuildvrt "
                    "makes it",
                    mosaic->call->path, what);
}

/* Names with these characters can mean more to GDAL than a file. */
static bool plain_source(const char *name)
{
    return name[0] && !strpbrk(name, ":<>\"?") && strncmp(name, "/vsi", 4) != 0;
}

static bool check_source(const struct mosaic *mosaic, const char *name, bool relative, struct oro_error *err)
{
    char *path = relative ? oro_path_beside(mosaic->place, name) : oro_copy_text(name);
    if (!path)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", mosaic->call->path);
    if (mosaic->visit) {
        bool goes_on = mosaic->visit(mosaic->user, path);
        oro_free(path);
        return goes_on;
    }
    bool ok = plain_source(path) || unlike(mosaic, "a source that is not a file's name", err);
    if (ok && !mosaic->any_path && !oro_gdal_lies_beside(mosaic->place, path))
        ok = oro_fail(err, ORO_E_FILE,
                      "'%s' is a mosaic of files outside its own folder, such as '%.200s', or of missing "
                      "ones: put them beside it",
                      mosaic->call->path, path);
    GDALDatasetH set = ok ? oro_gdal_open_plain(path) : NULL;
    if (ok && !set)
        ok = oro_gdal_fail(mosaic->call, ORO_E_FILE, "read", err);
    if (set)
        oro_gdal.GDALClose(set);
    oro_free(path);
    return ok;
}

/* Elements are known, and of the plain kind. */
static bool check_element(const struct mosaic *mosaic, CPLXMLNode *node, struct oro_error *err)
{
    const char *kind = oro_gdal.CPLGetXMLValue(node, "subClass", "VRTSourcedRasterBand");
    const char *domain = oro_gdal.CPLGetXMLValue(node, "domain", "");
    if (oro_find_word(node->pszValue, elements) < 0)
        return unlike(mosaic, node->pszValue, err);
    if (strcmp(kind, "VRTSourcedRasterBand") != 0)
        return unlike(mosaic, kind, err);
    if (strcmp(node->pszValue, "Metadata") == 0 && domain[0] && strcmp(domain, "IMAGE_STRUCTURE") != 0)
        return unlike(mosaic, domain, err);
    if (strcmp(node->pszValue, "SourceFilename") != 0)
        return true;
    bool relative =
        strtol(oro_gdal.CPLGetXMLValue(node, "relativeToVRT", "0"), NULL, 10) != 0; /* as GDAL does */
    return check_source(mosaic, oro_gdal.CPLGetXMLValue(node, NULL, ""), relative, err);
}

/* Elements nest four deep; `depth` ends what is nested to break the stack. */
static bool check_tree(const struct mosaic *mosaic, CPLXMLNode *first, int depth, struct oro_error *err)
{
    for (CPLXMLNode *node = first; node; node = node->psNext) {
        if (node->eType != CXT_Element || node->pszValue[0] == '?')
            continue;
        if (depth == 0)
            return unlike(mosaic, "elements that nest too deep", err);
        if (!check_element(mosaic, node, err) || !check_tree(mosaic, node->psChild, depth - 1, err))
            return false;
    }
    return true;
}

static bool walk(const struct mosaic *mosaic, struct oro_error *err)
{
    enum { DEPTH = 8 };
    void *text = NULL;
    size_t size = 0;
    if (!oro_file_read(mosaic->place, MOSAIC_BYTES_MAX, &text, &size, err))
        return false;
    CPLXMLNode *tree = oro_gdal.CPLParseXMLString(text);
    oro_free(text);
    bool ok =
        tree ? check_tree(mosaic, tree, DEPTH, err) : oro_gdal_fail(mosaic->call, ORO_E_FILE, "read", err);
    oro_gdal.CPLDestroyXMLNode(tree);
    return ok;
}

bool oro_gdal_check_mosaic(const struct oro_gdal_call *call, const char *place, bool any_path,
                           struct oro_error *err)
{
    struct mosaic mosaic = {.call = call, .place = place, .any_path = any_path};
    return walk(&mosaic, err);
}

bool oro_gdal_visit_mosaic(const struct oro_gdal_call *call, bool (*visit)(void *user, const char *path),
                           void *user)
{
    char *place = oro_path_true(call->path);
    struct mosaic mosaic = {.call = call, .place = place, .visit = visit, .user = user};
    bool ok = place && walk(&mosaic, NULL);
    oro_free(place);
    return ok;
}

bool oro_gdal_is_mosaic(const char *path)
{
    return strcasecmp(oro_path_extension(path), "vrt") == 0;
}
