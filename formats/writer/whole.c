/* Writing heightfields: what is made to drain and rounded is measured, and goes out with its sidecar. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/checks.h"
#include "formats/drain.h"
#include "formats/half.h"
#include "formats/range.h"
#include "formats/writer/job.h"

static struct oro_drain_target drain_target(const struct oro_write_job *job)
{
    return (struct oro_drain_target){job->path, job->options, job->shape.width, job->shape.height,
                                     job->field->sea};
}

/* Makes `heights` a copy that may be changed. */
static bool own_heights(struct oro_write_job *job, struct oro_error *err)
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
static bool carve(struct oro_write_job *job, struct oro_error *err)
{
    struct oro_drain_target target = drain_target(job);
    bool floats = job->shape.largest <= 0 && !job->options->half;
    if (!oro_write_drains(job, ORO_DRAIN_REPAIR) && !(floats && oro_write_drains(job, ORO_DRAIN_STRICT)))
        return true;
    return own_heights(job, err) && oro_drain_heights(&target, job->heights, &job->written.cost, err);
}

static bool make_halves(struct oro_write_job *job, struct oro_error *err)
{
    struct oro_drain_target target = drain_target(job);
    if (!job->options->half)
        return true;
    size_t count = oro_cell_count(job->shape.width, job->shape.height);
    const struct oro_half_raster raster = {job->path, NULL, job->heights, 1, job->shape.width, count};
    if (!oro_half_check(&raster, err) || !own_heights(job, err))
        return false;
    oro_half_round(job->heights, count);
    return !oro_write_drains(job, ORO_DRAIN_STRICT) ||
           oro_drain_halves(&target, job->heights, &job->written.cost, err);
}

static bool make_levels(struct oro_write_job *job, struct oro_error *err)
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
    return !oro_write_drains(job, ORO_DRAIN_STRICT) ||
           oro_drain_levels(&target, job->range, job->shape.largest, job->levels, &job->written.cost, err);
}

/* What a format makes of heights that it rounds in a way of its own, for measuring. The writer of such a
 * format does not tell when the disk is full; this does. */
static bool read_rounded(struct oro_write_job *job, struct oro_error *err)
{
    struct oro_heightfield again = {0};
    struct oro_error why = {0};
    if (!job->codec->rounds)
        return true;
    if (!oro_heightfield_read(job->files.files[0].temporary, &(struct oro_read_options){.no_sidecar = true},
                              &again, &why)) {
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
static bool measure_written(struct oro_write_job *job, struct oro_error *err)
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
    job->read_back = again.data;
    oro_measure_values(&again, measure);
    if (job->codec->mesh) {
        measure->low = job->written.mesh.low;
        measure->high = job->written.mesh.high;
    }
    struct oro_ground ground = oro_drain_ground(&target, again.data);
    return job->options->not_terrain || (oro_certify(&ground, &measure->drainage, err) &&
                                         oro_drain_check(&target, &measure->drainage, err));
}

static bool run_job(struct oro_write_job *job, struct oro_error *err)
{
    oro_write_choose_shape(job);
    if (!oro_write_check_whole(job, err) || !carve(job, err) || !make_halves(job, err) ||
        !make_levels(job, err))
        return false;
    bool ok = oro_write_rasters(job, err) && read_rounded(job, err) && measure_written(job, err);
    /* Volumes in cells become cubic metres, if the cell size is known. */
    double square = job->field->cell > 0 ? job->field->cell * job->field->cell : 1;
    job->written.cost.cut_volume *= square;
    job->written.cost.raise_volume *= square;
    return ok && oro_write_companions(job, err) && oro_file_set_commit(&job->files, err);
}

bool oro_heightfield_write(const char *path, const struct oro_heightfield *field,
                           const struct oro_write_options *options, struct oro_error *err)
{
    static const struct oro_write_options defaults = {0};
    struct oro_write_job job = {.path = path,
                                .codec = oro_codec_of(path),
                                .options = options ? options : &defaults,
                                .field = field,
                                .heights = field->data};
    if (!job.codec)
        return oro_fail_extension(path, ORO_E_USAGE, err);
    bool ok = run_job(&job, err);
    if (ok && job.options->written)
        *job.options->written = job.written;
    oro_file_set_end(&job.files);
    oro_free(job.digests);
    if (job.heights != field->data)
        oro_free(job.heights);
    oro_free(job.levels);
    return ok;
}
