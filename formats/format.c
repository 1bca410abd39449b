#include "formats/format.h"

#include <math.h>
#include <string.h>

#include <strings.h>

#include "base/budget.h"
#include "base/file.h"
#include "base/finite.h"
#include "formats/checks.h"
#include "formats/codec.h"
#include "formats/folder.h"

#define RASTERS ".png, .r16, .raw, .r32, .r32f, .pfm, .exr, .tif, .tiff, .zarr, .asc, .ter"
#define MESHES ".glb, .obj, .stl, .ply"
const char oro_format_names[] = RASTERS ", " MESHES;
const char oro_raster_format_names[] = RASTERS;
const char oro_mesh_format_names[] = MESHES;
const char *const oro_format_extensions[] = {".png", ".r16", ".raw",  ".r32",  ".r32f", ".pfm",
                                             ".exr", ".tif", ".tiff", ".zarr", ".asc",  ".ter",
                                             ".glb", ".obj", ".stl",  ".ply",  NULL};

/* Rasters of GDAL's that are only read. */
static const char *const read_only[] = {"hgt",  "dem",  "vrt", "img",  "bil",  "bt",  "dt0", "dt1",
                                        "dt2",  "adf",  "grd", "flt",  "sdat", "xyz", "gtx", "nc",
                                        "gpkg", "grib", "grb", "grb2", "hf2",  "bmp", "pgm", NULL};

const char *const oro_bits_words[] = {"32", "16", NULL};
const char *const oro_compress_words[] = {"deflate", "zstd", NULL};
const char *const oro_drain_words[] = {
    [ORO_DRAIN_NONE] = "check", [ORO_DRAIN_REPAIR] = "repair", [ORO_DRAIN_STRICT] = "strict", NULL};

static const struct oro_codec *const codecs[] = {
    &oro_codec_png,     &oro_codec_r16,  &oro_codec_r32f,       &oro_codec_pfm,      &oro_codec_exr,
    &oro_codec_geotiff, &oro_codec_zarr, &oro_codec_ascii_grid, &oro_codec_terragen, &oro_codec_glb,
    &oro_codec_obj,     &oro_codec_stl,  &oro_codec_ply};

const struct oro_codec *oro_codec_of(const char *path)
{
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
        if (oro_path_ends_in(path, codecs[i]->extensions))
            return codecs[i];
    return NULL;
}

bool oro_is_tiles(const char *path)
{
    return oro_path_is_pattern(path) || strcasecmp(oro_path_extension(path), "json") == 0;
}

/* Whether the codec that the name asks for has this. */
#define SAYS(function, member)                                                                               \
    bool function(const char *path)                                                                          \
    {                                                                                                        \
        const struct oro_codec *codec = oro_codec_of(path);                                                  \
        return codec && codec->member;                                                                       \
    }
SAYS(oro_format_is_mesh, write_mesh)
SAYS(oro_format_has_channels, channels)
SAYS(oro_format_takes_bits, takes_bits)
SAYS(oro_format_is_folder, folder)

bool oro_format_writable(const char *path)
{
    return oro_codec_of(path) != NULL;
}

bool oro_format_readable(const char *path)
{
    const struct oro_codec *codec = oro_codec_of(path);
    return oro_path_ends_in(path, read_only) || oro_is_tiles(path) || (codec && !codec->write_mesh);
}

bool oro_format_is_geotiff(const char *path)
{
    return oro_codec_of(path) == &oro_codec_geotiff;
}

bool oro_format_may_write(const char *path, struct oro_error *err)
{
    return oro_format_is_folder(path) ? oro_folder_may_write(path, err) : oro_file_may_write(path, err);
}

bool oro_image_writable(const char *path)
{
    return strcasecmp(oro_path_extension(path), "png") == 0;
}

bool oro_fail_windows(const char *path, struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE,
                    "'%s' cannot be read by windows: GeoTIFF, mosaics (.vrt), Zarr, .r16, .r32 and .pfm can",
                    path);
}

bool oro_fail_extension(const char *path, enum oro_code code, struct oro_error *err)
{
    return oro_fail(err, code, "'%s' has no known format; known are %s", path, oro_format_names);
}

bool oro_check_range(const char *path, bool given, double low, double high, struct oro_error *err)
{
    if (!given || (oro_range_valid((struct oro_height_range){low, high}) && low < high))
        return true;
    return oro_fail(err, ORO_E_USAGE, "'%s': a range needs low < high, not %g..%g", path, low, high);
}

size_t oro_cell_count(int width, int height)
{
    return (size_t)width * (size_t)height;
}

bool oro_check_worth(const char *path, uint64_t size, int width, int height, bool by_rows,
                     struct oro_error *err)
{
    /* Real masks take a hundredth of a byte for a cell and more. Free of doubt is what takes 450 MB to
     * measure, or by rows a second to read. */
    enum { CELLS_PER_BYTE = 100 };
    size_t cells = oro_cell_count(width, height), free_of_doubt = (size_t)1 << (by_rows ? 28 : 24);
    if (cells <= free_of_doubt || oro_budget_is_chosen() || cells / CELLS_PER_BYTE <= size)
        return true;
    return oro_fail(err, ORO_E_LIMIT,
                    "'%s' has only %zu KiB for its %dx%d cells: with --memory it is read all the same", path,
                    (size_t)size >> 10, width, height);
}

bool oro_check_finite(const char *path, const struct oro_cell_window *window, const float *values,
                      bool takes_nan, struct oro_error *err)
{
    size_t width = (size_t)window->width, count = oro_cell_count(window->width, window->height);
    size_t bad = oro_first_not_finite(values, count, takes_nan);
    if (bad == count)
        return true;
    return oro_fail(err, ORO_E_WRITE, "'%s': cell %d,%d is %s, not a finite number", path,
                    window->x + (int)(bad % width), window->y + (int)(bad / width),
                    isnan(values[bad]) ? "NaN" : "infinite");
}

bool oro_check_window(const char *path, const struct oro_heightfield *field,
                      const struct oro_cell_window *window, struct oro_error *err)
{
    return (window->x >= 0 && window->y >= 0 && window->width >= 1 && window->height >= 1 &&
            window->width <= field->width - window->x && window->height <= field->height - window->y) ||
           oro_fail(err, ORO_E_USAGE, "'%s' has %d x %d cells: %d x %d from %d,%d on do not lie in it", path,
                    field->width, field->height, window->width, window->height, window->x, window->y);
}
