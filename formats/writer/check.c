/* What can be written. */
#include <stdio.h>
#include <string.h>

#include "formats/checks.h"
#include "formats/writer/writer_private.h"

enum { BLOCK_MOST = 8192 };

bool oro_writer_drains(const struct oro_writer *writer, enum oro_drain how)
{
    return !writer->options.write.not_terrain && writer->options.write.drain == how;
}

static void choose_shape(struct oro_writer *writer)
{
    const struct oro_write_options *write = &writer->options.write;
    writer->shape = writer->codec->written;
    writer->shape.width = writer->field.width;
    writer->shape.height = writer->field.height;
    if (writer->codec->headerless) {
        writer->shape.big_endian = write->big_endian;
        writer->shape.south_first = write->engine && write->engine->south_first;
    }
    if (writer->codec->takes_bits && write->bits == 16)
        writer->shape.largest = 65535;
}

/* ---- Whom it is for, and how it is cut ---- */

static bool check_delivery(const struct oro_writer *writer, struct oro_error *err)
{
    const struct oro_write_options *options = &writer->options.write;
    const struct oro_codec *codec = writer->codec;
    const struct oro_tiling *tiling = options->tiling;
    int width = tiling ? tiling->side : writer->field.width,
        height = tiling ? tiling->side : writer->field.height;
    char what[256];
    snprintf(what, sizeof what, tiling ? "a tile of '%.200s'" : "'%.200s'", writer->path);
    if (codec->write_mesh && (tiling || options->weights))
        return oro_fail(err, ORO_E_USAGE, "'%s': a mesh is not cut into tiles, and has no weight maps",
                        writer->path);
    if (tiling && codec->rounds)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s': tiles of that format would have each its own steps of height", writer->path);
    if (tiling && codec->folder)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s': a Zarr array lies in chunks already, and is not cut into tiles", writer->path);
    if (tiling && options->other_count > 0)
        return oro_fail(err, ORO_E_USAGE, "'%s': a file of several channels is not cut into tiles",
                        writer->path);
    if (tiling && (!oro_tiling_check(tiling, err) ||
                   !oro_tiling_fits(tiling, writer->path, writer->field.width, writer->field.height, err)))
        return false;
    if (options->engine && options->big_endian)
        return oro_fail(err, ORO_E_USAGE, "'%s': %s reads little-endian files", writer->path,
                        options->engine->title);
    if (options->weights && tiling && tiling->name && !strstr(tiling->name, "{n}"))
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' does not tell a terrain's tiles from those of its weight maps: it needs {n}",
                        tiling->name);
    return (!options->weights || oro_weights_check(options->weights, err)) &&
           (!options->engine || (oro_engine_takes(options->engine, writer->path, err) &&
                                 oro_engine_fits(options->engine, what, width, height, err)));
}

bool oro_write_options_fit(const char *path, const struct oro_write_options *options, struct oro_error *err)
{
    bool tiff = options->zstd || options->cog;
    if ((options->half || options->tiled || options->other_count > 0) && !oro_format_has_channels(path))
        return oro_fail(err, ORO_E_USAGE, "'%s': only .exr files have half floats, tiles or several channels",
                        path);
    if (options->bits == 16 && !oro_format_takes_bits(path))
        return oro_fail(err, ORO_E_USAGE, "'%s': only GeoTIFF (.tif) and Zarr (.zarr) have a choice of bits",
                        path);
    return !tiff || oro_format_is_geotiff(path) ||
           oro_fail(err, ORO_E_USAGE,
                    "'%s': a choice of compression, and a layout with overviews (cog), have GeoTIFF files "
                    "alone (.tif)",
                    path);
}

/* ---- By one window, or by many ---- */

static bool check_sides(const struct oro_writer *writer, struct oro_error *err)
{
    const struct oro_heightfield *field = &writer->field;
    int most = writer->whole ? ORO_HEIGHTFIELD_SIDE_MAX : ORO_RASTER_SIDE_MAX;
    if (field->width >= 1 && field->height >= 1 && field->width <= most && field->height <= most &&
        (field->data || !writer->whole))
        return true;
    if (!writer->whole)
        return oro_fail(err, ORO_E_USAGE, "cannot write '%s' with %dx%d cells: sides are 1..%d", writer->path,
                        field->width, field->height, most);
    return oro_fail(err, ORO_E_USAGE,
                    "cannot write '%s' with %dx%d cells: sides are 1..%d; what lies in tiles (render "
                    "--whole) is written as .tif, .zarr, .r32 or .r16 with up to %d",
                    writer->path, field->width, field->height, most, ORO_RASTER_SIDE_MAX);
}

/* Whether the format, or each of its tiles, which are whole files, can be written by many windows. */
static bool check_format(const struct oro_writer *writer, struct oro_error *err)
{
    if (!writer->options.write.tiling)
        return writer->codec->writes == ORO_WINDOWS_BLOCKS ||
               oro_fail(err, ORO_E_USAGE,
                        "'%s' cannot be written by windows: .tif, .zarr, .r16, .raw and .r32 can, and tiles, "
                        "of .png, too",
                        writer->path);
    return writer->codec->headerless || writer->codec == &oro_codec_png ||
           oro_fail(err, ORO_E_USAGE, "'%s': tiles that are written by windows are .r16, .raw, .r32 or .png",
                    writer->path);
}

static bool check_windows(const struct oro_writer *writer, struct oro_error *err)
{
    const struct oro_write_options *write = &writer->options.write;
    const char *what = write->drain != ORO_DRAIN_NONE || write->require_drained ? "draining"
                       : write->weights                                         ? "weight maps"
                       : write->cog                                             ? "a cloud optimized layout"
                       : write->zstd                                            ? "compression of a GeoTIFF"
                                                                                : NULL;
    return check_format(writer, err) &&
           (!what || oro_fail(err, ORO_E_USAGE, "'%s' is written by windows, and %s needs the whole",
                              writer->path, what));
}

static bool check_samples(const struct oro_writer *writer, struct oro_error *err)
{
    const struct oro_writer_options *options = &writer->options;
    const struct oro_codec *codec = writer->codec;
    bool levels = writer->shape.largest > 0;
    if (levels && !writer->whole && !options->write.has_range)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' holds whole numbers: written by windows, it needs a range of heights",
                        writer->path);
    if (options->has_nodata && (levels || !codec->none))
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' cannot say where there is no height: .tif and .zarr of 32 bits can",
                        writer->path);
    if (options->block < 0 || options->block > BLOCK_MOST ||
        (codec->make && !codec->put_chunk && options->block % 16 != 0))
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' cannot lie in blocks of %d cells: those of a GeoTIFF are multiples of 16",
                        writer->path, options->block);
    const struct oro_cell_window all = {0, 0, writer->field.width, writer->field.height};
    return oro_check_range(writer->path, options->write.has_range, options->write.low, options->write.high,
                           err) &&
           (!writer->whole || oro_check_finite(writer->path, &all, writer->field.data, false, err));
}

bool oro_writer_check(struct oro_writer *writer, struct oro_error *err)
{
    const struct oro_write_options *write = &writer->options.write;
    const struct oro_codec *codec = writer->codec;
    if (!codec)
        return oro_fail_extension(writer->path, ORO_E_USAGE, err);
    if (!check_sides(writer, err) || (!writer->whole && !check_windows(writer, err)))
        return false;
    choose_shape(writer);
    if (write->bits != 0 && write->bits != 32 && write->bits != 16)
        return oro_fail(err, ORO_E_USAGE, "'%s' is written with 16 or 32 bits, not %d", writer->path,
                        write->bits);
    if (codec->rounds && oro_writer_drains(writer, ORO_DRAIN_STRICT))
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' cannot be drained strictly: the format rounds heights its own way",
                        writer->path);
    return oro_write_options_fit(writer->path, write, err) &&
           oro_mesh_file_check(writer->path, codec, &write->mesh, err) && check_delivery(writer, err) &&
           check_samples(writer, err);
}
