#include "formats/signature.h"

#include <string.h>

#include "formats/checks.h"

enum { LONGEST = 16, SURE = 4 };

static const struct {
    const char *bytes;
    size_t length;
    struct oro_signature is;
} known[] = {
    {"\x89PNG\r\n\x1a\n", 8, {ORO_SIGNATURE_OWN, "a PNG file", &oro_codec_png}},
    {"v/1\x01", 4, {ORO_SIGNATURE_OWN, "an OpenEXR file", &oro_codec_exr}},
    {"Pf\n", 3, {ORO_SIGNATURE_OWN, "a PFM file", &oro_codec_pfm}},
    {"II*\0", 4, {ORO_SIGNATURE_GDAL, "a TIFF file", NULL}},
    {"MM\0*", 4, {ORO_SIGNATURE_GDAL, "a TIFF file", NULL}},
    {"II+\0", 4, {ORO_SIGNATURE_GDAL, "a BigTIFF file", NULL}},
    {"MM\0+", 4, {ORO_SIGNATURE_GDAL, "a BigTIFF file", NULL}},
    {"CDF\x01", 4, {ORO_SIGNATURE_GDAL, "a NetCDF file", NULL}},
    {"CDF\x02", 4, {ORO_SIGNATURE_GDAL, "a NetCDF file", NULL}},
    {"CDF\x05", 4, {ORO_SIGNATURE_GDAL, "a NetCDF file", NULL}},
    {"\x89HDF\r\n\x1a\n", 8, {ORO_SIGNATURE_TRUSTED, "a NetCDF-4 or other HDF5 file", NULL}},
    {"SQLite format 3", 16, {ORO_SIGNATURE_GDAL, "a GeoPackage", NULL}},
    {"GRIB", 4, {ORO_SIGNATURE_GDAL, "a GRIB file", NULL}},
    {"HF2", 4, {ORO_SIGNATURE_GDAL, "an HF2 file", NULL}},
    {"TERRAGEN", 8, {ORO_SIGNATURE_GDAL, "a Terragen file", NULL}},
    {"EHFA_HEADER_TAG", 16, {ORO_SIGNATURE_GDAL, "an Erdas Imagine file", NULL}},
    {"ncols ", 6, {ORO_SIGNATURE_GDAL, "an ESRI ASCII grid", NULL}},
    {"BM", 2, {ORO_SIGNATURE_GDAL, "a BMP file", NULL}},
    {"P5", 2, {ORO_SIGNATURE_GDAL, "a PGM file", NULL}},
    {"\xff\xd8\xff", 3, {ORO_SIGNATURE_NONE, "a JPEG file", NULL}},
    {"GIF8", 4, {ORO_SIGNATURE_NONE, "a GIF file", NULL}},
    {"RIFF", 4, {ORO_SIGNATURE_NONE, "a WebP file", NULL}},
};

struct oro_signature oro_signature_of(const char *path)
{
    struct oro_raster_file file;
    char head[LONGEST];
    const struct oro_codec *codec = oro_codec_of(path);
    size_t least = codec && codec->headerless ? SURE : 1;
    if ((codec && codec->folder) || !oro_raster_open(&file, path, NULL, NULL))
        return (struct oro_signature){0};
    size_t size = fread(head, 1, sizeof head, file.stream);
    oro_raster_close(&file);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].length >= least && known[i].length <= size &&
            memcmp(head, known[i].bytes, known[i].length) == 0)
            return known[i].is;
    return (struct oro_signature){0};
}
