#include "formats/format.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/codec.h"
#include "formats/drain.h"
#include "formats/finite.h"
#include "formats/gdal.h"
#include "formats/half.h"
#include "formats/mesh_write.h"
#include "formats/nodata.h"
#include "formats/range.h"
#include "formats/samples.h"
#include "formats/sidecar.h"

#define RASTERS ".png, .r16, .raw, .r32, .r32f, .pfm, .exr, .tif, .tiff, .asc, .ter"
#define MESHES ".glb, .obj, .stl, .ply"
const char oro_format_names[] = RASTERS ", " MESHES;
const char oro_raster_format_names[] = RASTERS;
const char oro_mesh_format_names[] = MESHES;
const char *const oro_format_extensions[] = {".png",  ".r16", ".raw", ".r32", ".r32f", ".pfm", ".exr", ".tif",
                                             ".tiff", ".asc", ".ter", ".glb", ".obj",  ".stl", ".ply", NULL};

/* Rasters of GDAL's that are only read. */
static const char *const read_only[] = {"hgt", "dem", "vrt", "img", "bil",  "bt",  "dt0", "dt1",
                                        "dt2", "adf", "grd", "flt", "sdat", "xyz", "gtx"};

const char *const oro_drain_words[] = {
    [ORO_DRAIN_NONE] = "check", [ORO_DRAIN_REPAIR] = "repair", [ORO_DRAIN_STRICT] = "strict", NULL};

static const struct oro_codec *const codecs[] = {
    &oro_codec_png, &oro_codec_r16,     &oro_codec_r32f,       &oro_codec_pfm,
    &oro_codec_exr, &oro_codec_geotiff, &oro_codec_ascii_grid, &oro_codec_terragen,
    &oro_codec_glb, &oro_codec_obj,     &oro_codec_stl,        &oro_codec_ply};

static const struct oro_codec *find_codec(const char *path)
{
    const char *extension = oro_path_extension(path);
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
        for (const char *const *known = codecs[i]->extensions; *known; known++)
            if (strcasecmp(extension, *known) == 0)
                return codecs[i];
    return NULL;
}

/* Whether GDAL reads such files: all but ours, and meshes, which nobody reads. */
static bool through_gdal(const struct oro_codec *codec)
{
    return !codec || (!codec->read && !codec->mesh);
}

bool oro_format_takes_place(const char *path)
{
    return through_gdal(find_codec(path));
}

bool oro_format_writable(const char *path)
{
    return find_codec(path) != NULL;
}

bool oro_format_is_mesh(const char *path)
{
    const struct oro_codec *codec = find_codec(path);
    return codec && codec->mesh;
}

bool oro_format_readable(const char *path)
{
    const char *extension = oro_path_extension(path);
    const struct oro_codec *codec = find_codec(path);
    for (size_t i = 0; i < sizeof read_only / sizeof read_only[0]; i++)
        if (strcasecmp(extension, read_only[i]) == 0)
            return true;
    return codec && !codec->mesh;
}

bool oro_format_has_channels(const char *path)
{
    const struct oro_codec *codec = find_codec(path);
    return codec && codec->channels;
}

bool oro_image_writable(const char *path)
{
    return strcasecmp(oro_path_extension(path), "png") == 0;
}

static bool fail_extension(const char *path, enum oro_code code, struct oro_error *err)
{
    return oro_fail(err, code, "'%s' has no known format; known are %s", path, oro_format_names);
}

static bool check_range(const char *path, bool given, double low, double high, struct oro_error *err)
{
    if (!given || (oro_range_valid((struct oro_height_range){low, high}) && low < high))
        return true;
    return oro_fail(err, ORO_E_USAGE, "'%s': a range needs low < high, not %g..%g", path, low, high);
}

static size_t cell_count(int width, int height)
{
    return (size_t)width * (size_t)height;
}

static bool check_finite(const char *path, enum oro_code code, const float *values, int width, int height,
                         bool takes_nan, struct oro_error *err)
{
    size_t count = cell_count(width, height), bad = oro_first_not_finite(values, count, takes_nan);
    if (bad == count)
        return true;
    return oro_fail(err, code, "'%s': cell %zu,%zu is %s, not a finite number", path, bad % (size_t)width,
                    bad / (size_t)width, isnan(values[bad]) ? "NaN" : "infinite");
}

/* --- reading --- */

static bool check_read_options(const char *path, const struct oro_read_options *options,
                               struct oro_error *err)
{
    if (options->width < 0 || options->height < 0 || options->width > ORO_HEIGHTFIELD_SIDE_MAX ||
        options->height > ORO_HEIGHTFIELD_SIDE_MAX)
        return oro_fail(err, ORO_E_USAGE, "'%s' cannot be %dx%d: sides are 1..%d", path, options->width,
                        options->height, ORO_HEIGHTFIELD_SIDE_MAX);
    return check_range(path, options->has_range, options->low, options->high, err);
}

/* Formats of ours are read as they are. */
static bool check_no_window(const char *path, const struct oro_read_options *options, struct oro_error *err)
{
    if (!options->crs && !options->window.given)
        return true;
    return oro_fail(
        err, ORO_E_USAGE,
        "'%s' is read as it is: a coordinate system and a window are for rasters that GDAL reads, "
        "such as .tif",
        path);
}

static void drop_facts(struct oro_facts *facts, const struct oro_raster_file *source)
{
    oro_note(source->log, ORO_WARNING, "the sidecar of '%s' is ignored: it is of a file of %dx%d cells",
             source->path, facts->width, facts->height);
    *facts = (struct oro_facts){0};
}

/* Ignores a sidecar whose size differs from `width` by `height`, as it belongs to another file. A side of 0
 * is unknown. */
static void drop_foreign_facts(struct oro_facts *facts, const struct oro_raster_file *source, int width,
                               int height)
{
    bool same = (width == 0 || facts->width == width) && (height == 0 || facts->height == height);
    if (facts->width > 0 && !same)
        drop_facts(facts, source);
}

/* The shape of a headerless file: from the options, else from the sidecar if the file's length fits the size
 * there. */
static struct oro_raster_shape shape_from_outside(const struct oro_raster_file *source,
                                                  const struct oro_codec *codec,
                                                  const struct oro_read_options *options,
                                                  struct oro_facts *facts)
{
    struct oro_raster_shape told = {
        .width = facts->width, .height = facts->height, .largest = codec->written.largest};
    drop_foreign_facts(facts, source, options->width, options->height);
    if (facts->width > 0 && oro_samples_size(&told) != source->size)
        drop_facts(facts, source);
    bool sizes = options->width == 0 && options->height == 0;
    return (struct oro_raster_shape){.width = sizes ? facts->width : options->width,
                                     .height = sizes ? facts->height : options->height,
                                     .big_endian = options->big_endian || facts->big_endian,
                                     .south_first = facts->south_first};
}

/* Converts levels to metres, or to 0..1 if the range is unknown. */
static void give_meaning(struct oro_heightfield *field, double largest,
                         const struct oro_read_options *options, const struct oro_facts *facts)
{
    struct oro_height_range range = {0, 1};
    if (options->has_range)
        range = (struct oro_height_range){options->low, options->high};
    else if (facts->has_range)
        range = facts->range;
    if (largest > 0)
        oro_range_to_metres(range, largest, field->data, cell_count(field->width, field->height));
    field->metres = largest <= 0 || options->has_range || facts->has_range;
    field->cell = facts->cell;
}

static bool take_place(struct oro_heightfield *field, const struct oro_facts *facts, struct oro_error *err)
{
    if (!facts->crs[0] || facts->width == 0)
        return true;
    field->place = (struct oro_place){oro_copy_text(facts->crs), facts->west, facts->north};
    return field->place.crs || oro_fail(err, ORO_E_MEMORY, "no memory for a coordinate system");
}

/* In a file of whole numbers a height is known to half a level. */
static bool mark_nodata(struct oro_heightfield *field, double largest, const struct oro_read_options *options,
                        const struct oro_facts *facts, struct oro_error *err)
{
    double nodata = facts->has_nodata ? facts->nodata : options->nodata, span = 1;
    if (!options->takes_nodata)
        return true;
    if (options->has_range)
        span = options->high - options->low;
    else if (facts->has_range)
        span = facts->range.high - facts->range.low;
    return oro_heightfield_mark_nodata(field, nodata, largest > 0 ? span / largest / 2 : 1e-6 * fabs(nodata),
                                       err);
}

static bool read_samples(struct oro_raster_file *source, const struct oro_codec *codec,
                         const struct oro_raster_shape *shape, bool takes_nan, struct oro_heightfield *field,
                         struct oro_error *err)
{
    field->width = shape->width;
    field->height = shape->height;
    field->data = oro_alloc(cell_count(shape->width, shape->height), sizeof *field->data);
    if (!field->data)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the %dx%d cells of '%s'", shape->width,
                        shape->height, source->path);
    if (!codec->read(source, shape, field->data, err))
        return false;
    return shape->largest > 0 ||
           check_finite(source->path, ORO_E_FILE, field->data, shape->width, shape->height, takes_nan, err);
}

static bool read_source(struct oro_raster_file *source, const struct oro_codec *codec,
                        const struct oro_read_options *options, struct oro_heightfield *field,
                        struct oro_error *err)
{
    struct oro_facts facts = {0};
    struct oro_raster_shape shape = {0};
    if (!options->no_sidecar)
        facts = oro_sidecar_read(source->path, options->log);
    if (codec->headerless)
        shape = shape_from_outside(source, codec, options, &facts);
    if (!codec->header(source, &shape, err))
        return false;
    drop_foreign_facts(&facts, source, shape.width, shape.height);
    if (options->shape_only) {
        field->width = shape.width;
        field->height = shape.height;
        field->cell = facts.cell;
        return take_place(field, &facts, err) && (!codec->describe || codec->describe(source, field, err));
    }
    if (!read_samples(source, codec, &shape, options->takes_nodata, field, err))
        return false;
    give_meaning(field, shape.largest, options, &facts);
    return take_place(field, &facts, err) && (!codec->describe || codec->describe(source, field, err)) &&
           mark_nodata(field, shape.largest, options, &facts, err);
}

bool oro_heightfield_read(const char *path, const struct oro_read_options *options,
                          struct oro_heightfield *field, struct oro_error *err)
{
    static const struct oro_read_options defaults = {0};
    const struct oro_codec *codec = find_codec(path);
    struct oro_raster_file source;
    *field = (struct oro_heightfield){0};
    if (!options)
        options = &defaults;
    if (codec && codec->mesh)
        return oro_fail(err, ORO_E_FILE, "'%s' is a mesh, which is written and not read", path);
    if (!check_read_options(path, options, err))
        return false;
    if (options->channel && !(codec && codec->describe))
        return oro_fail(err, ORO_E_USAGE, "'%s' has no channels to choose from: only .exr files have", path);
    if (through_gdal(codec)) {
        if (oro_gdal_read(path, options, field, err))
            return true;
        oro_heightfield_free(field);
        return false;
    }
    if (!check_no_window(path, options, err) || !oro_raster_open(&source, path, options->log, err))
        return false;
    source.channel = options->channel;
    bool ok = read_source(&source, codec, options, field, err);
    oro_raster_close(&source);
    if (!ok)
        oro_heightfield_free(field);
    return ok;
}

bool oro_heightfield_companions(const char *path, bool (*visit)(void *user, const char *path), void *user)
{
    const struct oro_codec *codec = find_codec(path);
    return !through_gdal(codec) || oro_gdal_companions(path, visit, user);
}

/* --- writing --- */

struct job {
    const char *path;
    const struct oro_codec *codec;
    const struct oro_write_options *options;
    const struct oro_heightfield *field;
    struct oro_raster_shape shape;
    struct oro_height_range range;
    float *heights; /* the field's own, or a copy if they are carved */
    float *levels;  /* integer formats: the heights in levels */
    struct oro_written written;
    struct oro_file_output image, sidecar;
};

static bool drains(const struct job *job, enum oro_drain how)
{
    return !job->options->not_terrain && job->options->drain == how;
}

static bool check_job(const struct job *job, struct oro_error *err)
{
    const struct oro_heightfield *field = job->field;
    const struct oro_write_options *options = job->options;
    if (!job->codec->channels && (options->half || options->tiled || options->other_count > 0))
        return oro_fail(err, ORO_E_USAGE, "'%s': only .exr files have half floats, tiles or several channels",
                        job->path);
    if (!field->data || field->width < 1 || field->height < 1 || field->width > ORO_HEIGHTFIELD_SIDE_MAX ||
        field->height > ORO_HEIGHTFIELD_SIDE_MAX)
        return oro_fail(err, ORO_E_USAGE, "cannot write '%s' with %dx%d cells: sides are 1..%d", job->path,
                        field->width, field->height, ORO_HEIGHTFIELD_SIDE_MAX);
    if (job->options->bits != 0 && job->options->bits != 32 && job->options->bits != 16)
        return oro_fail(err, ORO_E_USAGE, "'%s' is written with 16 or 32 bits, not %d", job->path,
                        job->options->bits);
    if (job->codec->rounds && drains(job, ORO_DRAIN_STRICT))
        return oro_fail(err, ORO_E_USAGE,
                        "'%s' cannot be drained strictly: the format rounds heights its own way", job->path);
    return oro_mesh_file_check(job->path, job->codec, &options->mesh, err) &&
           check_range(job->path, job->options->has_range, job->options->low, job->options->high, err) &&
           check_finite(job->path, ORO_E_WRITE, field->data, field->width, field->height, false, err);
}

static struct oro_drain_target drain_target(const struct job *job)
{
    return (struct oro_drain_target){job->path, job->options, job->shape.width, job->shape.height,
                                     job->field->sea};
}

/* Makes `heights` a copy that may be changed. */
static bool own_heights(struct job *job, struct oro_error *err)
{
    size_t count = cell_count(job->shape.width, job->shape.height);
    if (job->heights != job->field->data)
        return true;
    job->heights = oro_alloc(count, sizeof *job->heights);
    if (!job->heights)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", job->path);
    memcpy(job->heights, job->field->data, count * sizeof *job->heights);
    return true;
}

/* Float formats have no levels, so both ways of draining carve the heights. */
static bool carve(struct job *job, struct oro_error *err)
{
    struct oro_drain_target target = drain_target(job);
    bool floats = job->shape.largest <= 0 && !job->options->half;
    if (!drains(job, ORO_DRAIN_REPAIR) && !(floats && drains(job, ORO_DRAIN_STRICT)))
        return true;
    return own_heights(job, err) && oro_drain_heights(&target, job->heights, &job->written.cost, err);
}

static bool make_halves(struct job *job, struct oro_error *err)
{
    struct oro_drain_target target = drain_target(job);
    if (!job->options->half)
        return true;
    size_t count = cell_count(job->shape.width, job->shape.height);
    const struct oro_half_raster raster = {job->path, NULL, job->heights, 1, job->shape.width, count};
    if (!oro_half_check(&raster, err) || !own_heights(job, err))
        return false;
    oro_half_round(job->heights, count);
    return !drains(job, ORO_DRAIN_STRICT) || oro_drain_halves(&target, job->heights, &job->written.cost, err);
}

static bool make_levels(struct job *job, struct oro_error *err)
{
    struct oro_drain_target target = drain_target(job);
    size_t count = cell_count(job->shape.width, job->shape.height);
    if (job->shape.largest <= 0)
        return true;
    job->levels = oro_alloc(count, sizeof *job->levels);
    if (!job->levels)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", job->path);
    job->range = job->options->has_range ? (struct oro_height_range){job->options->low, job->options->high}
                                         : oro_range_of(job->heights, count);
    size_t clipped = oro_range_to_levels(job->range, job->shape.largest, job->heights, count, job->levels);
    if (clipped > 0)
        oro_note(job->options->log, ORO_WARNING, "'%s': %zu of %zu cells lie outside %g..%g and were clipped",
                 job->path, clipped, count, job->range.low, job->range.high);
    return !drains(job, ORO_DRAIN_STRICT) ||
           oro_drain_levels(&target, job->range, job->shape.largest, job->levels, &job->written.cost, err);
}

static bool write_image(struct job *job, struct oro_error *err)
{
    const float *samples = job->levels ? job->levels : job->heights;
    if (!oro_file_begin(&job->image, job->path, err))
        return false;
    struct oro_named_output named = {.path = job->path,
                                     .stream = job->image.stream,
                                     .temporary = job->image.temporary,
                                     .field = job->field,
                                     .range = job->range,
                                     .options = job->options,
                                     .mesh = &job->written.mesh};
    return job->codec->write_named
               ? job->codec->write_named(&named, &job->shape, samples, err)
               : job->codec->write(job->image.stream, job->path, &job->shape, samples, err);
}

/* What a format makes of heights that it rounds in a way of its own, for measuring. The writer of such a
 * format does not tell when the disk is full; this does. */
static bool read_rounded(struct job *job, struct oro_error *err)
{
    struct oro_heightfield again = {0};
    struct oro_error why = {0};
    if (!job->codec->rounds)
        return true;
    if (!oro_gdal_read(job->image.temporary, &(struct oro_read_options){.no_sidecar = true}, &again, &why)) {
        oro_heightfield_free(&again);
        return oro_fail(err, why.code == ORO_E_MEMORY ? ORO_E_MEMORY : ORO_E_WRITE,
                        "cannot write '%s': it cannot be read back", job->path);
    }
    job->levels = again.data;
    again.data = NULL;
    oro_heightfield_free(&again);
    return true;
}

/* Measures what will be read back; this overwrites the levels. */
static bool measure_written(struct job *job, struct oro_error *err)
{
    struct oro_heightfield again = *job->field;
    struct oro_drain_target target = drain_target(job);
    struct oro_measure *measure = &job->written.measure;
    again.data = job->heights;
    if (job->levels && job->shape.largest > 0)
        oro_range_to_metres(job->range, job->shape.largest, job->levels,
                            cell_count(job->shape.width, job->shape.height));
    if (job->levels)
        again.data = job->levels;
    oro_measure_values(&again, measure);
    if (job->codec->mesh) {
        measure->low = job->written.mesh.low;
        measure->high = job->written.mesh.high;
    }
    struct oro_ground ground = oro_drain_ground(&target, again.data);
    return job->options->not_terrain || (oro_certify(&ground, &measure->drainage, err) &&
                                         oro_drain_check(&target, &measure->drainage, err));
}

static bool write_sidecar(struct job *job, const char *name, struct oro_error *err)
{
    struct oro_record record = {.place = &job->field->place,
                                .codec = job->codec,
                                .shape = &job->shape,
                                .range = job->range,
                                .options = job->options,
                                .written = &job->written};
    struct oro_text text = {0};
    oro_sidecar_write(&record, &text);
    bool ok = text.failed ? oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", name)
                          : oro_file_begin(&job->sidecar, name, err);
    if (ok && fwrite(text.data, 1, text.length, job->sidecar.stream) != text.length)
        ok = oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", name, strerror(errno));
    oro_text_free(&text);
    return ok;
}

/* Checks everything that can be checked before an existing file is replaced. */
static bool ready(const struct oro_file_output *output, struct oro_error *err)
{
    if (fflush(output->stream) != 0 || fsync(fileno(output->stream)) != 0)
        return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", output->path, strerror(errno));
    return true;
}

/* Writes both files, or none: both are on the disk before either gets its name, and an image is not left
 * without its range. */
static bool commit(struct job *job, struct oro_error *err)
{
    if (!ready(&job->image, err) || !ready(&job->sidecar, err) || !oro_file_commit(&job->image, err))
        return false;
    if (oro_file_commit(&job->sidecar, err))
        return true;
    unlink(job->path);
    return false;
}

static bool run_job(struct job *job, struct oro_error *err)
{
    job->shape = job->codec->written;
    job->shape.width = job->field->width;
    job->shape.height = job->field->height;
    if (job->codec->headerless)
        job->shape.big_endian = job->options->big_endian;
    if (job->codec->takes_bits && job->options->bits == 16)
        job->shape.largest = 65535;
    if (!check_job(job, err) || !carve(job, err) || !make_halves(job, err) || !make_levels(job, err))
        return false;
    char *name = oro_sidecar_path(job->path);
    bool ok = name || oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", job->path);
    ok = ok && write_image(job, err) && read_rounded(job, err) && measure_written(job, err);
    /* Volumes in cells become cubic metres, if the cell size is known. */
    double square = job->field->cell > 0 ? job->field->cell * job->field->cell : 1;
    job->written.cost.cut_volume *= square;
    job->written.cost.raise_volume *= square;
    ok = ok && write_sidecar(job, name, err) && commit(job, err);
    oro_file_abort(&job->image);
    oro_file_abort(&job->sidecar);
    oro_free(name);
    return ok;
}

bool oro_heightfield_write(const char *path, const struct oro_heightfield *field,
                           const struct oro_write_options *options, struct oro_error *err)
{
    static const struct oro_write_options defaults = {0};
    struct job job = {.path = path,
                      .codec = find_codec(path),
                      .options = options ? options : &defaults,
                      .field = field,
                      .heights = field->data};
    if (!job.codec)
        return fail_extension(path, ORO_E_USAGE, err);
    bool ok = run_job(&job, err);
    if (ok && job.options->written)
        *job.options->written = job.written;
    if (job.heights != field->data)
        oro_free(job.heights);
    oro_free(job.levels);
    return ok;
}
