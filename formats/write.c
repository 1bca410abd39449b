/* Writing heightfields: what is made to drain and rounded is measured, and goes out with its sidecar. */
#include <errno.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/checks.h"
#include "formats/drain.h"
#include "formats/gdal.h"
#include "formats/half.h"
#include "formats/range.h"
#include "formats/sidecar.h"

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
    return oro_check_range(job->path, job->options->has_range, job->options->low, job->options->high, err) &&
           oro_check_finite(job->path, ORO_E_WRITE, field->data, field->width, field->height, false, err);
}

static struct oro_drain_target drain_target(const struct job *job)
{
    return (struct oro_drain_target){job->path, job->options, job->shape.width, job->shape.height,
                                     job->field->sea};
}

/* Makes `heights` a copy that may be changed. */
static bool own_heights(struct job *job, struct oro_error *err)
{
    size_t count = oro_cell_count(job->shape.width, job->shape.height);
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
    size_t count = oro_cell_count(job->shape.width, job->shape.height);
    const struct oro_half_raster raster = {job->path, NULL, job->heights, 1, job->shape.width, count};
    if (!oro_half_check(&raster, err) || !own_heights(job, err))
        return false;
    oro_half_round(job->heights, count);
    return !drains(job, ORO_DRAIN_STRICT) || oro_drain_halves(&target, job->heights, &job->written.cost, err);
}

static bool make_levels(struct job *job, struct oro_error *err)
{
    struct oro_drain_target target = drain_target(job);
    size_t count = oro_cell_count(job->shape.width, job->shape.height);
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
                                     .options = job->options};
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
                            oro_cell_count(job->shape.width, job->shape.height));
    if (job->levels)
        again.data = job->levels;
    oro_measure_values(&again, measure);
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
                      .codec = oro_codec_of(path),
                      .options = options ? options : &defaults,
                      .field = field,
                      .heights = field->data};
    if (!job.codec)
        return oro_fail_extension(path, ORO_E_USAGE, err);
    bool ok = run_job(&job, err);
    if (ok && job.options->written)
        *job.options->written = job.written;
    if (job.heights != field->data)
        oro_free(job.heights);
    oro_free(job.levels);
    return ok;
}
