/* Pictures among GDAL's rasters: three bands of colours, or a palette. They are refused, or decoded before
 * anything else is done to them: colours that were averaged or warped mean nothing. */
#include "base/memory.h"
#include "formats/decode.h"
#include "formats/gdal/gdal_private.h"

/* A picture: its bands, or the palette of its only one. */
struct picture {
    GDALRasterBandH bands[3];
    GDALColorTableH palette; /* NULL: it has bands */
    GDALDataType type;
    int width, height;
};

/* A palette of greys by their own level, as BMP has, is none. */
static bool has_colours(GDALColorTableH palette)
{
    for (int i = 0; i < oro_gdal.GDALGetColorEntryCount(palette); i++) {
        const GDALColorEntry *entry = oro_gdal.GDALGetColorEntry(palette, i);
        if (entry->c1 != i || entry->c2 != i || entry->c3 != i)
            return true;
    }
    return false;
}

/* Whether it is one: red, green and blue, perhaps with alpha, or a palette. */
static bool is_picture(GDALDatasetH set, struct picture *picture)
{
    int count = oro_gdal.GDALGetRasterCount(set);
    *picture = (struct picture){.width = oro_gdal.GDALGetRasterXSize(set),
                                .height = oro_gdal.GDALGetRasterYSize(set)};
    if (count == 0)
        return false;
    for (int i = 0; i < 3; i++)
        picture->bands[i] = oro_gdal.GDALGetRasterBand(set, count < 3 ? 1 : i + 1);
    picture->type = oro_gdal.GDALGetRasterDataType(picture->bands[0]);
    picture->palette = oro_gdal.GDALGetRasterColorTable(picture->bands[0]);
    if (picture->palette)
        return has_colours(picture->palette);
    bool same = picture->type == GDT_Byte || picture->type == GDT_UInt16;
    for (int i = 1; i < 3; i++)
        same = same && oro_gdal.GDALGetRasterDataType(picture->bands[i]) == picture->type;
    return same && (count == 3 || count == 4);
}

static void take_colour(const struct picture *picture, const unsigned short *rows, int x, unsigned colour[3])
{
    size_t width = (size_t)picture->width;
    for (size_t c = 0; c < 3; c++)
        colour[c] = rows[c * width + (size_t)x];
    const GDALColorEntry *entry =
        picture->palette ? oro_gdal.GDALGetColorEntry(picture->palette, (int)colour[0]) : NULL;
    if (picture->palette)
        for (size_t c = 0; c < 3; c++)
            colour[c] = entry ? (unsigned)(unsigned short)(&entry->c1)[c] : 0;
}

static bool decode_row(const struct picture *picture, enum oro_decode decode, int y, unsigned short *rows,
                       float *heights, GDALRasterBandH to)
{
    int width = picture->width;
    bool ok = true;
    for (int c = 0; ok && c < (picture->palette ? 1 : 3); c++)
        ok = oro_gdal.GDALRasterIO(picture->bands[c], GF_Read, 0, y, width, 1,
                                   rows + (size_t)c * (size_t)width, width, 1, GDT_UInt16, 0, 0) == CE_None;
    /* Brightness becomes levels of 16 bits. */
    double scale = oro_decodes_metres(decode) ? 1 : picture->palette || picture->type == GDT_Byte ? 257 : 1;
    for (int x = 0; ok && x < width; x++) {
        unsigned colour[3];
        take_colour(picture, rows, x, colour);
        heights[x] = (float)((double)oro_decode_colour(decode, colour) * scale);
    }
    return ok && oro_gdal.GDALRasterIO(to, GF_Write, 0, y, width, 1, heights, width, 1, GDT_Float32, 0, 0) ==
                     CE_None;
}

static bool decode_rows(const struct picture *picture, enum oro_decode decode, GDALRasterBandH to)
{
    unsigned short *rows = oro_alloc((size_t)picture->width * 3, sizeof *rows);
    float *heights = oro_alloc((size_t)picture->width, sizeof *heights);
    bool ok = rows && heights;
    for (int y = 0; ok && y < picture->height; y++)
        ok = decode_row(picture, decode, y, rows, heights, to);
    oro_free(rows);
    oro_free(heights);
    return ok;
}

/* The picture as a raster in memory, which lies where it does. NULL: GDAL could not. */
static GDALDatasetH decoded(const struct picture *picture, enum oro_decode decode, GDALDatasetH from)
{
    double at[6];
    GDALDataType type = oro_decodes_metres(decode) ? GDT_Float32 : GDT_UInt16;
    GDALDatasetH set = oro_gdal.GDALCreate(oro_gdal.GDALGetDriverByName("MEM"), "", picture->width,
                                           picture->height, 1, type, NULL);
    if (!set)
        return NULL;
    OGRSpatialReferenceH crs = oro_gdal.GDALGetSpatialRef(from);
    bool ok = decode_rows(picture, decode, oro_gdal.GDALGetRasterBand(set, 1)) &&
              (oro_gdal.GDALGetGeoTransform(from, at) != CE_None ||
               oro_gdal.GDALSetGeoTransform(set, at) == CE_None) &&
              (!crs || oro_gdal.GDALSetSpatialRef(set, crs) == CE_None);
    if (ok)
        return set;
    oro_gdal.GDALClose(set);
    return NULL;
}

static bool check(const struct oro_gdal_source *source, const struct picture *picture, struct oro_error *err)
{
    const char *path = source->call->path;
    enum oro_decode decode = source->options->decode;
    double cells = (double)picture->width * picture->height;
    if (oro_decodes_metres(decode) && !picture->palette && picture->type != GDT_Byte)
        return oro_fail(err, ORO_E_FILE, "'%s' has colours of 16 bits: elevations as %s lie in colours of 8",
                        path, oro_decode_words[decode]);
    if (source->by_windows || picture->width > ORO_HEIGHTFIELD_SIDE_MAX ||
        picture->height > ORO_HEIGHTFIELD_SIDE_MAX)
        return oro_fail(err, ORO_E_FILE,
                        "'%s' is %d x %d: colours are decoded up to %d cells a side, and not by windows",
                        path, picture->width, picture->height, ORO_HEIGHTFIELD_SIDE_MAX);
    return oro_gdal_check_worth(source, picture->width, picture->height, err) &&
           oro_budget_fits(cells * sizeof(float), err, "to decode '%s'", path);
}

bool oro_gdal_decode(struct oro_gdal_source *source, struct oro_error *err)
{
    struct picture picture;
    const char *path = source->call->path;
    enum oro_decode decode = source->options->decode;
    bool coloured = is_picture(source->set, &picture);
    if (decode == ORO_DECODE_NONE)
        return !coloured ||
               oro_fail_colours(path, picture.palette ? "it has a palette" : "it has red, green and blue",
                                err);
    if (!coloured)
        return decode == ORO_DECODE_LUMINANCE || oro_fail(err, ORO_E_FILE, "'%s' has no colours", path);
    if (!check(source, &picture, err))
        return false;
    GDALDatasetH set = decoded(&picture, decode, source->set);
    if (!set)
        return oro_gdal_fail(source->call, ORO_E_FILE, "decode", err);
    oro_gdal.GDALClose(source->set);
    source->set = set;
    return true;
}
