/*
 * GDAL set up so that a file from anywhere can be opened: drivers that read rasters of elevation from plain
 * files, no network, no archives, nothing that a file refers to elsewhere.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal/gdal_private.h"
#include "formats/signature.h"

/* Left out are drivers that go to the network or to databases, that run code, that take a memory address for
 * a name, or whose files name others at will. */
static const char *const drivers[] = {
    "GDALRegister_GTiff",    "GDALRegister_COG",      "GDALRegister_VRT",
    "GDALRegister_MEM",      "GDALRegister_AAIGrid",  "GDALRegister_GRASSASCIIGrid",
    "GDALRegister_ISG",      "GDALRegister_SRTMHGT",  "GDALRegister_USGSDEM",
    "GDALRegister_DTED",     "GDALRegister_Terragen", "GDALRegister_Leveller",
    "GDALRegister_HFA",      "GDALRegister_AIGrid",   "GDALRegister_EHdr",
    "GDALRegister_ENVI",     "GDALRegister_BT",       "GDALRegister_GSAG",
    "GDALRegister_GSBG",     "GDALRegister_GS7BG",    "GDALRegister_SAGA",
    "GDALRegister_IDRISI",   "GDALRegister_SDTS",     "GDALRegister_JDEM",
    "GDALRegister_NWT_GRD",  "GDALRegister_ZMap",     "GDALRegister_SIGDEM",
    "GDALRegister_GTX",      "GDALRegister_XYZ",      "GDALRegister_Zarr",
    "GDALRegister_netCDF",   "GDALRegister_GRIB",     "GDALRegister_HF2",
    "GDALRegister_BMP",      "GDALRegister_PNM",      "GDALRegister_PNG",
    "RegisterOGRGeoPackage", "RegisterOGRShape",      "RegisterOGRLIBKML",
    "RegisterOGRKML",        "RegisterOGRDXF"};

/* Each opens only what was judged before: a mosaic by gdal_mosaic.c, a folder of chunks by zarr_check.c. PNG
 * is for the tiles within a GeoPackage, and for pictures that are told of by files beside them. */
static const char *const by_name[] = {"VRT", "Zarr", "PNG", NULL};

/* Names that begin so lead to the network, into archives and to other processes. GDAL's own files in memory
 * (/vsimem/) are left: it compresses through them. */
static const char *const virtual[] = {"/vsicurl",   "/vsis3",    "/vsigs",     "/vsiaz",      "/vsiadls",
                                      "/vsioss",    "/vsiswift", "/vsihdfs",   "/vsiwebhdfs", "/vsizip",
                                      "/vsitar",    "/vsigzip",  "/vsistdin",  "/vsistdout",  "/vsisubfile",
                                      "/vsisparse", "/vsicrypt", "/vsicached", "/vsi7z",      "/vsirar"};

static int no_status(void *user, const char *name, VSIStatBufL *status, int flags)
{
    (void)user;
    (void)name;
    (void)status;
    (void)flags;
    return -1;
}

static void *no_file(void *user, const char *name, const char *access)
{
    (void)user;
    (void)name;
    (void)access;
    return NULL;
}

static void refuse_virtual_files(void)
{
    VSIFilesystemPluginCallbacksStruct *callbacks = oro_gdal.VSIAllocFilesystemPluginCallbacksStruct();
    callbacks->stat = no_status;
    callbacks->open = no_file;
    /* Without the slash they come before GDAL's own in its list. */
    for (size_t i = 0; i < sizeof virtual / sizeof virtual[0]; i++)
        oro_gdal.VSIInstallPluginHandler(virtual[i], callbacks);
    oro_gdal.VSIFreeFilesystemPluginCallbacksStruct(callbacks);
}

void oro_gdal_set_up(oro_gdal_function *(*find)(const char *name))
{
    /* For GDAL's own threads, which no handler of ours listens to. */
    oro_gdal.CPLSetErrorHandler(oro_gdal.CPLQuietErrorHandler);
    /* FILE.aux.xml is read (open_with), and never written beside ours or a stranger's. */
    oro_gdal.CPLSetConfigOption("GDAL_PAM_ENABLED", "NO");
    oro_gdal.CPLSetConfigOption("OGR_CURRENT_DATE",
                                "2000-01-01T00:00:00.000Z"); /* equal files for equal lines */
    oro_gdal.CPLSetConfigOption("GDAL_VRT_ENABLE_PYTHON", "NO");
    /* Megabytes of blocks that were read. A share of the machine's memory, as by default, is more than a
     * raster that goes through window by window may take. */
    oro_gdal.CPLSetConfigOption("GDAL_CACHEMAX", "256");
    oro_gdal.OSRSetPROJEnableNetwork(0);
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
        if (find(drivers[i])) /* GDAL may be built without some of them */
            find(drivers[i])();
    refuse_virtual_files();
}

/* ---- Errors ---- */

static void CPL_STDCALL listen(CPLErr severity, CPLErrorNum number, const char *text)
{
    struct oro_gdal_call *call = oro_gdal.CPLGetErrorHandlerUserData();
    if (severity < CE_Failure || call->failed)
        return;
    call->failed = true;
    call->no_memory = number == CPLE_OutOfMemory;
    snprintf(call->text, sizeof call->text, "%s", text);
    for (char *s = call->text; *s; s++)
        if (*s == '\n')
            *s = ' ';
}

bool oro_gdal_begin(struct oro_gdal_call *call, const char *path, struct oro_error *err)
{
    *call = (struct oro_gdal_call){.path = path};
    if (!oro_gdal_load(err))
        return false;
    oro_gdal.CPLPushErrorHandlerEx(listen, call);
    return true;
}

void oro_gdal_end(void)
{
    oro_gdal.CPLPopErrorHandler();
}

/* GDAL says the name once more where no driver takes the file. */
static const char *reason_of(const struct oro_gdal_call *call)
{
    const char *name = strstr(call->text, call->path);
    if (!name || strncmp(name + strlen(call->path), "' not recognized as", 19) != 0)
        return call->text[0] ? call->text : "GDAL does not say why";
    struct oro_stamp stamp = oro_stamp_of(call->path);
    return stamp.inode != 0 && stamp.size == 0 ? "it is empty" : "its bytes are of no format that is read";
}

bool oro_gdal_fail(const struct oro_gdal_call *call, enum oro_code code, const char *what,
                   struct oro_error *err)
{
    if (call->no_memory)
        code = ORO_E_MEMORY;
    return oro_fail(err, code, "cannot %s '%s': %s", what, call->path, reason_of(call));
}

/* ---- Opening ---- */

bool oro_gdal_lies_beside(const char *path, const char *file)
{
    char *place = oro_path_true(path), *other = oro_path_true(file);
    char *slash = place ? strrchr(place, '/') : NULL;
    bool beside = slash && other && strncmp(place, other, (size_t)(slash - place) + 1) == 0;
    oro_free(place);
    oro_free(other);
    return beside;
}

/* A name that no driver takes for anything but a file. */
static char *plain_name(const char *path)
{
    return oro_text_of("%s%s", path[0] == '/' ? "" : "./", path);
}

static bool stays_beside(GDALDatasetH set, const char *path)
{
    char **files = oro_gdal.GDALGetFileList(set);
    bool beside = !oro_gdal.GDALGetMetadataItem(set, "OVERVIEW_FILE", "OVERVIEWS") &&
                  !oro_gdal.GDALGetMetadataItem(set, "X_DATASET", "GEOLOCATION");
    for (char **file = files; file && *file; file++)
        beside = beside && oro_gdal_lies_beside(path, *file);
    oro_gdal.CSLDestroy(files);
    return beside;
}

/* By this driver; NULL: by any but those. Of a Zarr array only those files count that were looked at. */
static GDALDatasetH open_with(const char *path, const char *driver)
{
    static const char *const settings[] = {"USE_ZMETADATA=NO", NULL};
    char *name = plain_name(path), **allowed = driver ? oro_gdal.CSLAddString(NULL, driver) : NULL;
    bool zarr = driver && strcmp(driver, "Zarr") == 0;
    double place[6];
    for (int i = 0; !driver && i < oro_gdal.GDALGetDriverCount(); i++) {
        const char *other = oro_gdal.GDALGetDriverShortName(oro_gdal.GDALGetDriver(i));
        if (oro_find_word(other, by_name) < 0)
            allowed = oro_gdal.CSLAddString(allowed, other);
    }
    oro_gdal.CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED",
                                           !driver || strcmp(driver, "PNG") == 0 ? "YES" : NULL);
    GDALDatasetH set =
        name ? oro_gdal.GDALOpenEx(name, GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                                   (const char *const *)allowed, zarr ? settings : NULL, NULL)
             : NULL;
    /* FILE.aux.xml is loaded now: system, place, nodata, unit, scale. */
    if (set)
        oro_gdal.GDALGetGeoTransform(set, place);
    oro_gdal.CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", NULL);
    oro_gdal.CSLDestroy(allowed);
    oro_free(name);
    return set;
}

static GDALDatasetH stay_beside(GDALDatasetH set, const char *path)
{
    if (!set || stays_beside(set, path))
        return set;
    oro_gdal.GDALClose(set);
    oro_gdal.CPLError(CE_Failure, CPLE_AppDefined, "it refers to files outside its own folder");
    return NULL;
}

GDALDatasetH oro_gdal_open_plain(const char *path)
{
    return stay_beside(open_with(path, NULL), path);
}

bool oro_gdal_is_told_beside(const char *path)
{
    static const char *const endings[] = {".aux.xml", "pgw", "pngw", "wld"};
    size_t stem = strlen(path) - strlen(oro_path_extension(path));
    bool found = false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0] && !found; i++) {
        char name[4096];
        size_t kept = endings[i][0] == '.' ? strlen(path) : stem;
        found = snprintf(name, sizeof name, "%.*s%s", (int)kept, path, endings[i]) < (int)sizeof name &&
                oro_stamp_of(name).inode != 0;
    }
    return found;
}

static GDALDatasetH open_plain_or_points(const struct oro_gdal_call *call)
{
    struct oro_signature signature = oro_signature_of(call->path);
    if (signature.codec == &oro_codec_png)
        return stay_beside(open_with(call->path, "PNG"), call->path);
    GDALDatasetH set = oro_gdal_open_plain(call->path);
    return set || !strstr(call->text, "Ungridded") ? set : oro_gdal_open_points(call->path);
}

GDALDatasetH oro_gdal_open_vector(const char *path)
{
    static const char *const allowed[] = {"ESRI Shapefile", "GPKG", "LIBKML", "KML", "DXF", NULL};
    char *name = plain_name(path);
    GDALDatasetH set =
        name ? oro_gdal.GDALOpenEx(name, GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, allowed,
                                   NULL, NULL)
             : NULL;
    oro_free(name);
    return stay_beside(set, path);
}

GDALDatasetH oro_gdal_open(const struct oro_gdal_call *call, bool any_path, struct oro_error *err)
{
    bool mosaic = oro_gdal_is_mosaic(call->path);
    char *place = oro_path_true(call->path);
    GDALDatasetH set = NULL;
    if (!place || strncmp(place, "/vsi", 4) == 0)
        oro_fail(err, ORO_E_FILE, "cannot read '%s': there is no such place", call->path);
    else if (oro_format_is_folder(call->path))
        set = open_with(call->path, "Zarr");
    else if (!mosaic)
        set = open_plain_or_points(call);
    else if (oro_gdal_check_mosaic(call, place, any_path, err))
        set = open_with(place, "VRT");
    else
        place[0] = '\0'; /* `err` is filled */
    if (!set && place && place[0])
        oro_gdal_fail(call, ORO_E_FILE, "read", err);
    oro_free(place);
    return set;
}

GDALDatasetH oro_gdal_view(const void *data, GDALDataType type, int width, int height, size_t row)
{
    char address[32] = "", pointer[64], stride[64];
    GDALDatasetH set =
        oro_gdal.GDALCreate(oro_gdal.GDALGetDriverByName("MEM"), "", width, height, 0, type, NULL);
    if (!set)
        return NULL;
    address[oro_gdal.CPLPrintPointer(address, (void *)data, sizeof address - 1)] = '\0';
    snprintf(pointer, sizeof pointer, "DATAPOINTER=%s", address);
    snprintf(stride, sizeof stride, "LINEOFFSET=%zu", row);
    char *options[] = {pointer, stride, NULL};
    if (oro_gdal.GDALAddBand(set, type, options) == CE_None)
        return set;
    oro_gdal.GDALClose(set);
    return NULL;
}
