/*
 * Inside formats/: GDAL's functions, in a library that is opened when the first raster asks for it: it comes
 * with a hundred others, which would make every start of the program ten times as long.
 */
#ifndef ORO_FORMATS_GDAL_GDAL_API_H
#define ORO_FORMATS_GDAL_GDAL_API_H

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <gdal_alg.h>
#include <gdal_utils.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include "base/error.h"

/* All that are used; oro_gdal.NAME is the function. */
/* clang-format off */
#define ORO_GDAL_FUNCTIONS(X) \
    X(CPLDestroyXMLNode) X(CPLError) X(CPLGetErrorHandlerUserData) X(CPLGetXMLValue) X(CPLParseXMLString) \
    X(CPLPopErrorHandler) X(CPLPrintPointer) X(CPLPushErrorHandlerEx) X(CPLQuietErrorHandler) \
    X(CPLSetConfigOption) X(CPLSetErrorHandler) X(CPLSetThreadLocalConfigOption) X(CSLAddString) \
    X(CSLDestroy) X(CSLDuplicate) X(CSLSetNameValue) X(GDALAddBand) X(GDALClose) X(GDALCreate) \
    X(GDALCreateCopy) X(GDALCreateGenImgProjTransformer2) X(GDALDataTypeIsComplex) \
    X(GDALDatasetCreateLayer) X(GDALDatasetGetLayer) X(GDALDatasetGetLayerCount) \
    X(GDALDestroyGenImgProjTransformer) X(GDALGenImgProjTransform) X(GDALGetBlockSize) \
    X(GDALGetColorEntry) X(GDALGetColorEntryCount) X(GDALGetDatasetDriver) X(GDALGetDriver) \
    X(GDALGetDriverByName) X(GDALGetDriverCount) X(GDALGetDriverShortName) X(GDALGetFileList) \
    X(GDALGetGCPCount) X(GDALGetGeoTransform) X(GDALGetMaskBand) X(GDALGetMaskFlags) \
    X(GDALGetMetadataItem) X(GDALGetOverview) X(GDALGetOverviewCount) X(GDALGetRasterBand) \
    X(GDALGetRasterBandXSize) X(GDALGetRasterColorInterpretation) X(GDALGetRasterColorTable) \
    X(GDALGetRasterCount) X(GDALGetRasterDataType) X(GDALGetRasterNoDataValue) X(GDALGetRasterOffset) \
    X(GDALGetRasterScale) X(GDALGetRasterUnitType) X(GDALGetRasterXSize) X(GDALGetRasterYSize) \
    X(GDALGetSpatialRef) X(GDALOpenEx) X(GDALRasterIO) X(GDALRasterIOEx) X(GDALSetGeoTransform) \
    X(GDALSetRasterNoDataValue) X(GDALSetRasterOffset) X(GDALSetRasterScale) X(GDALSetRasterUnitType) \
    X(GDALSetSpatialRef) X(GDALSuggestedWarpOutput2) X(GDALWarp) X(GDALWarpAppOptionsFree) \
    X(GDALWarpAppOptionsNew) X(OCTDestroyCoordinateTransformation) X(OCTNewCoordinateTransformation) \
    X(OCTTransform) X(OGR_F_Create) X(OGR_F_Destroy) X(OGR_F_GetFieldAsDouble) X(OGR_F_GetFieldAsString) \
    X(OGR_F_GetFieldCount) X(OGR_F_GetFieldDefnRef) X(OGR_F_GetGeometryRef) X(OGR_F_IsFieldSetAndNotNull) \
    X(OGR_F_SetFieldDouble) X(OGR_F_SetFieldString) X(OGR_F_SetGeometryDirectly) X(OGR_Fld_Create) \
    X(OGR_Fld_Destroy) X(OGR_Fld_GetNameRef) X(OGR_Fld_GetType) X(OGR_G_AddPoint) X(OGR_G_AddPoint_2D) \
    X(OGR_G_CreateGeometry) X(OGR_G_DestroyGeometry) X(OGR_G_ExportToJsonEx) X(OGR_G_GetLinearGeometry) \
    X(OGR_G_IsEmpty) X(OGR_L_CreateFeature) X(OGR_L_CreateField) X(OGR_L_FindFieldIndex) \
    X(OGR_L_GetLayerDefn) X(OGR_L_GetNextFeature) X(OGR_L_GetSpatialRef) X(OSRAutoIdentifyEPSG) \
    X(OSRClone) X(OSRDemoteTo2D) X(OSRExportToWktEx) X(OSRFindMatches) X(OSRFreeSRSArray) \
    X(OSRGetAngularUnits) X(OSRGetAuthorityCode) X(OSRGetAuthorityName) X(OSRGetLinearUnits) \
    X(OSRGetTargetLinearUnits) X(OSRImportFromEPSG) X(OSRImportFromWkt) X(OSRIsGeographic) X(OSRIsLocal) \
    X(OSRIsProjected) X(OSRIsSame) X(OSRIsVertical) X(OSRNewSpatialReference) X(OSRRelease) \
    X(OSRSetAxisMappingStrategy) X(OSRSetPROJEnableNetwork) X(OSRStripVertical) \
    X(VSIAllocFilesystemPluginCallbacksStruct) X(VSIFCloseL) X(VSIFileFromMemBuffer) X(VSIFree) \
    X(VSIFreeFilesystemPluginCallbacksStruct) X(VSIInstallPluginHandler) X(VSIMalloc) X(VSIUnlink)
/* clang-format on */

struct oro_gdal_api {
#define ORO_GDAL_MEMBER(name) __typeof__(name) *name; /* NOLINT(bugprone-macro-parentheses) */
    ORO_GDAL_FUNCTIONS(ORO_GDAL_MEMBER)
#undef ORO_GDAL_MEMBER
};

/* Filled by oro_gdal_load. */
extern struct oro_gdal_api oro_gdal;

/* Opens the library, once for the program. Thread-safe. Fails with ORO_E_FILE where it is not there, or is of
 * another version. */
bool oro_gdal_load(struct oro_error *err);

/* Called by it: prepares the library (gdal_open.c). */
typedef void oro_gdal_function(void);
void oro_gdal_set_up(oro_gdal_function *(*find)(const char *name));

#endif
