/* What can be written: as a whole, and by windows. */
#include <stdio.h>
#include <string.h>

#include "formats/checks.h"
#include "formats/writer/mesh_write.h"
#include "formats/writer/writer_private.h"

enum { BLOCK_MOST = 8192 };

bool oro_write_drains(const struct oro_write_job *job, enum oro_drain how)
{
    return !job->options->not_terrain && job->options->drain == how;
}

void oro_write_choose_shape(struct oro_write_job *job)
{
    job->shape = job->codec->written;
    job->shape.width = job->field->width;
    job->shape.height = job->field->height;
    if (job->codec->headerless) {
        job->shape.big_endian = job->options->big_endian;
        job->shape.south_first = job->options->engine && job->options->engine->south_first;
    }
    if (job->codec->takes_bits && job->options->bits == 16)
        job->shape.largest = 65535;
}

static bool check_weights(const struct oro_write_job *job, struct oro_error *err)
{
    const struct oro_write_options *options = job->options;
    if (!options->weights)
        return true;
    if (options->tiling && options->tiling->name && !strstr(options->tiling->name, "{n}"))
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' does not tell a terrain's tiles from those of its weight maps: it needs {n}",
                        options->tiling->name);
    return oro_weights_check(options->weights, err);
}

bool oro_write_check_delivery(const struct oro_write_job *job, struct oro_error *err)
{
    const struct oro_write_options *options = job->options;
    const struct oro_tiling *tiling = options->tiling;
    int width = tiling ? tiling->side : job->field->width,
        height = tiling ? tiling->side : job->field->height;
    char what[256];
    snprintf(what, sizeof what, tiling ? "a tile of '%.200s'" : "'%.200s'", job->path);
    if (job->codec->mesh && (tiling || options->weights))
        return oro_fail(err, ORO_E_USAGE, "'%s': a mesh is not cut into tiles, and has no weight maps",
                        job->path);
    if (tiling && job->codec->rounds)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s': tiles of that format would have each its own steps of height", job->path);
    if (tiling && job->codec->folder)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s': a Zarr array lies in chunks already, and is not cut into tiles", job->path);
    if (tiling && options->other_count > 0)
        return oro_fail(err, ORO_E_USAGE, "'%s': a file of several channels is not cut into tiles",
                        job->path);
    if (tiling && (!oro_tiling_check(tiling, err) ||
                   !oro_tiling_fits(tiling, job->path, job->field->width, job->field->height, err)))
        return false;
    if (options->engine && options->big_endian)
        return oro_fail(err, ORO_E_USAGE, "'%s': %s reads little-endian files", job->path,
                        options->engine->title);
    return check_weights(job, err) &&
           (!options->engine || (oro_engine_takes(options->engine, job->path, err) &&
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

bool oro_write_check_whole(const struct oro_write_job *job, struct oro_error *err)
{
    const struct oro_heightfield *field = job->field;
    const struct oro_write_options *options = job->options;
    if (!field->data || field->width < 1 || field->height < 1 || field->width > ORO_HEIGHTFIELD_SIDE_MAX ||
        field->height > ORO_HEIGHTFIELD_SIDE_MAX)
        return oro_fail(err, ORO_E_USAGE,
                        "cannot write '%s' with %dx%d cells: sides are 1..%d; what lies in tiles (render "
                        "--whole) is written as .tif, .zarr, .r32 or .r16 with up to %d",
                        job->path, field->width, field->height, ORO_HEIGHTFIELD_SIDE_MAX,
                        ORO_RASTER_SIDE_MAX);
    if (job->options->bits != 0 && job->options->bits != 32 && job->options->bits != 16)
        return oro_fail(err, ORO_E_USAGE, "'%s' is written with 16 or 32 bits, not %d", job->path,
                        job->options->bits);
    if (job->codec->rounds && oro_write_drains(job, ORO_DRAIN_STRICT))
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' cannot be drained strictly: the format rounds heights its own way", job->path);
    return oro_write_options_fit(job->path, options, err) &&
           oro_mesh_file_check(job->path, job->codec, &options->mesh, err) &&
           oro_write_check_delivery(job, err) &&
           oro_check_range(job->path, job->options->has_range, job->options->low, job->options->high, err) &&
           oro_check_finite(job->path, ORO_E_WRITE, field->data, field->width, field->height, false, err);
}

/* ---- By windows ---- */

static bool check_format(const struct oro_write_job *job, struct oro_error *err)
{
    bool tiles = job->options->tiling;
    /* Each tile is a whole file, whose samples are all that it has. */
    if (tiles && !job->codec->headerless && job->codec != &oro_codec_png)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s': tiles that are written by windows are .r16, .raw, .r32 or .png", job->path);
    return tiles || job->codec->writes == ORO_WINDOWS_BLOCKS ||
           oro_fail(err, ORO_E_USAGE,
                    "'%s' cannot be written by windows: .tif, .zarr, .r16, .raw and .r32 can, and tiles, of "
                    ".png, too",
                    job->path);
}

static bool check_whole(const struct oro_write_job *job, struct oro_error *err)
{
    const struct oro_write_options *o = job->options;
    const char *what = o->drain != ORO_DRAIN_NONE || o->require_drained ? "draining"
                       : o->weights                                     ? "weight maps"
                       : o->cog                                         ? "a cloud optimized layout"
                       : o->zstd                                        ? "compression of a GeoTIFF"
                                                                        : NULL;
    return !what ||
           oro_fail(err, ORO_E_USAGE, "'%s' is written by windows, and %s needs the whole", job->path, what);
}

static bool check_samples(const struct oro_writer_options *options, const struct oro_write_job *job,
                          struct oro_error *err)
{
    const struct oro_write_options *write = &options->write;
    bool says = job->codec->make_blocks || job->codec->folder;
    if (job->shape.largest > 0 && !write->has_range)
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' holds whole numbers: written by windows, it needs a range of heights",
                        job->path);
    if (options->has_nodata && (job->shape.largest > 0 || !says))
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' cannot say where there is no height: .tif and .zarr of 32 bits can", job->path);
    if (options->block < 0 || options->block > BLOCK_MOST ||
        (job->codec->make_blocks && options->block % 16 != 0))
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' cannot lie in blocks of %d cells: those of a GeoTIFF are multiples of 16",
                        job->path, options->block);
    return oro_check_range(job->path, write->has_range, write->low, write->high, err);
}

bool oro_write_check_windows(struct oro_write_job *job, const struct oro_writer_options *options,
                             struct oro_error *err)
{
    const struct oro_heightfield *about = job->field;
    if (!job->codec)
        return oro_fail_extension(job->path, ORO_E_USAGE, err);
    if (about->width < 1 || about->height < 1 || about->width > ORO_RASTER_SIDE_MAX ||
        about->height > ORO_RASTER_SIDE_MAX)
        return oro_fail(err, ORO_E_USAGE, "cannot write '%s' with %dx%d cells: sides are 1..%d", job->path,
                        about->width, about->height, ORO_RASTER_SIDE_MAX);
    oro_write_choose_shape(job);
    return check_format(job, err) && check_whole(job, err) &&
           oro_write_options_fit(job->path, job->options, err) && oro_write_check_delivery(job, err) &&
           check_samples(options, job, err);
}
