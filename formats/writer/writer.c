#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_digest.h"
#include "base/finite.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/checks.h"
#include "formats/folder.h"
#include "formats/range.h"
#include "formats/sidecar/sidecar.h"
#include "formats/writer/writer_private.h"

enum { TIFF_BLOCK = 512 };

/* ---- What can be written ---- */

static bool may_write(const struct oro_write_job *job, struct oro_error *err)
{
    return job->options->tiling ? oro_file_may_write(job->path, err) : oro_format_may_write(job->path, err);
}

bool oro_writer_needs_range(const char *path, const struct oro_write_options *write)
{
    const struct oro_codec *codec = oro_codec_of(path);
    return codec && (codec->written.largest > 0 || (codec->takes_bits && write->bits == 16));
}

bool oro_writer_fits(const char *path, const struct oro_heightfield *about,
                     const struct oro_writer_options *options, struct oro_error *err)
{
    struct oro_write_job job = {
        .path = path, .codec = oro_codec_of(path), .options = &options->write, .field = about};
    return oro_write_check_windows(&job, options, err) && may_write(&job, err);
}

/* ---- Beginning ---- */

static void free_writer(struct oro_writer *writer)
{
    if (writer->descriptor >= 0)
        close(writer->descriptor);
    oro_file_set_end(&writer->job.files);
    if (writer->held >= 0)
        close(writer->held);
    oro_free(writer->job.digests);
    oro_free(writer->ranges);
    oro_free(writer->field.place.crs);
    oro_free(writer->target);
    oro_free(writer->folder);
    oro_free(writer->path);
    oro_free(writer);
}

static void set_job(struct oro_writer *writer)
{
    struct oro_write_options *write = &writer->options.write;
    if (write->tiling) {
        writer->tiling = *write->tiling;
        write->tiling = &writer->tiling;
    }
    writer->job = (struct oro_write_job){.path = writer->path,
                                         .codec = oro_codec_of(writer->path),
                                         .options = write,
                                         .field = &writer->field,
                                         .range = {write->low, write->high}};
}

/* A writer that nothing is made of yet. NULL: `err` is filled. */
static struct oro_writer *create(const char *path, const struct oro_heightfield *about,
                                 const struct oro_writer_options *options, struct oro_error *err)
{
    struct oro_writer *writer = oro_alloc(1, sizeof *writer);
    if (!writer) {
        oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
        return NULL;
    }
    writer->descriptor = writer->held = -1;
    writer->options = *options;
    writer->field = *about;
    writer->field.data = writer->field.sea = writer->field.filled = NULL;
    writer->field.place.crs = oro_copy_text(about->place.crs);
    writer->path = oro_copy_text(path);
    if (!writer->path || (about->place.crs && !writer->field.place.crs)) {
        oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    } else {
        set_job(writer);
        if (oro_write_check_windows(&writer->job, options, err))
            return writer;
    }
    free_writer(writer);
    return NULL;
}

void oro_writer_end_files(struct oro_writer *writer)
{
    oro_file_set_end(&writer->job.files);
    writer->job.files = (struct oro_file_set){.in_draft = true, .held = writer->held};
}

/* Finds its place in the folder, from which on files are named. */
static bool enter(struct oro_writer *writer, struct oro_error *err)
{
    struct oro_write_job *job = &writer->job;
    int block = writer->options.block;
    writer->target = writer->folder ? oro_folder_path(writer->folder, oro_path_name(writer->path)) : NULL;
    if (!writer->target)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", writer->path);
    writer->held = oro_folder_open_for(writer->target, err);
    if (writer->held < 0)
        return false;
    oro_writer_end_files(writer);
    job->path = writer->target;
    writer->block = block > 0 ? block : TIFF_BLOCK;
    writer->zarr = (struct oro_zarr){.path = writer->path,
                                     .field = &writer->field,
                                     .largest = job->shape.largest,
                                     .range = job->range,
                                     .has_nodata = writer->options.has_nodata,
                                     .nodata = writer->options.nodata,
                                     .chunk = block > 0 ? block : ORO_ZARR_CHUNK};
    return true;
}

struct oro_writer *oro_writer_begin(const char *path, const struct oro_heightfield *about,
                                    const struct oro_writer_options *options, struct oro_error *err)
{
    struct oro_writer *writer = create(path, about, options, err);
    if (!writer)
        return NULL;
    bool ok = may_write(&writer->job, err);
    if (ok)
        writer->folder = oro_folder_make(path, err);
    ok = ok && writer->folder && enter(writer, err) &&
         (oro_writer_has_pieces(writer) ? oro_pieces_make(writer, err) : oro_blocks_make(writer, err));
    if (ok)
        return writer;
    oro_writer_abort(writer);
    return NULL;
}

struct oro_writer *oro_writer_join(const char *path, const struct oro_heightfield *about,
                                   const struct oro_writer_options *options, const char *folder,
                                   struct oro_error *err)
{
    struct oro_writer *writer = create(path, about, options, err);
    if (!writer)
        return NULL;
    writer->folder = oro_copy_text(folder);
    if (enter(writer, err) && (oro_writer_has_pieces(writer) || oro_blocks_open(writer, err)))
        return writer;
    free_writer(writer);
    return NULL;
}

const char *oro_writer_folder(const struct oro_writer *writer)
{
    return writer->folder;
}

void oro_writer_leave(struct oro_writer *writer)
{
    if (writer)
        free_writer(writer);
}

void oro_writer_abort(struct oro_writer *writer)
{
    if (!writer)
        return;
    if (writer->folder)
        oro_folder_remove(writer->folder);
    free_writer(writer);
}

/* ---- Putting ---- */

void oro_writer_add(struct oro_writer_sum *sum, const struct oro_writer_sum *other)
{
    sum->cells += other->cells;
    sum->clipped += other->clipped;
    if (!other->any)
        return;
    sum->low = sum->any && sum->low < other->low ? sum->low : other->low;
    sum->high = sum->any && sum->high > other->high ? sum->high : other->high;
    sum->any = true;
}

struct oro_writer_sum oro_writer_sum(const struct oro_writer *writer)
{
    return writer->sum;
}

static bool check_window(const struct oro_writer *writer, const struct oro_cell_window *window,
                         const float *heights, struct oro_error *err)
{
    const struct oro_heightfield *field = &writer->field;
    if (window->x < 0 || window->y < 0 || window->width < 1 || window->height < 1 ||
        window->width > field->width - window->x || window->height > field->height - window->y)
        return oro_fail(err, ORO_E_USAGE, "'%s' has %d x %d cells: %d x %d from %d,%d on do not lie in it",
                        writer->path, field->width, field->height, window->width, window->height, window->x,
                        window->y);
    size_t count = oro_cell_count(window->width, window->height);
    size_t bad = oro_first_not_finite(heights, count, writer->options.has_nodata);
    if (bad == count)
        return true;
    return oro_fail(err, ORO_E_WRITE, "'%s': cell %d,%d is %s, not a finite number", writer->path,
                    window->x + (int)(bad % (size_t)window->width),
                    window->y + (int)(bad / (size_t)window->width), isnan(heights[bad]) ? "NaN" : "infinite");
}

/* Zeros of either sign are equal, whoever put them first. */
static struct oro_writer_sum sum_of(const float *samples, size_t count)
{
    struct oro_writer_sum sum = {.cells = count};
    for (size_t i = 0; i < count && !sum.any; i++)
        sum.any = !isnan(samples[i]);
    struct oro_height_range range = oro_range_of(samples, count);
    sum.low = (float)range.low + 0.0F;
    sum.high = (float)range.high + 0.0F;
    return sum;
}

/* Samples as the file holds them. */
static void make_samples(struct oro_writer *writer, const float *heights, float *samples, size_t count)
{
    double largest = writer->job.shape.largest;
    size_t clipped = 0;
    if (largest > 0)
        clipped = oro_range_to_levels(writer->job.range, largest, heights, count, samples);
    else
        memcpy(samples, heights, count * sizeof *samples);
    struct oro_writer_sum sum = sum_of(samples, count);
    sum.clipped = clipped;
    oro_writer_add(&writer->sum, &sum);
    for (size_t i = 0; writer->options.has_nodata && i < count; i++)
        if (isnan(samples[i]))
            samples[i] = (float)writer->options.nodata;
}

bool oro_writer_put(struct oro_writer *writer, const struct oro_cell_window *window, const float *heights,
                    struct oro_error *err)
{
    if (!check_window(writer, window, heights, err))
        return false;
    size_t count = oro_cell_count(window->width, window->height);
    float *samples = oro_alloc(count, sizeof *samples);
    if (!samples)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", writer->path);
    make_samples(writer, heights, samples, count);
    bool ok = oro_writer_has_pieces(writer) ? oro_pieces_put(writer, window, samples, err)
                                            : oro_blocks_put(writer, window, samples, err);
    oro_free(samples);
    return ok;
}

/* ---- Ending ---- */

static void take_sum(struct oro_writer *writer, const struct oro_writer_sum *all)
{
    struct oro_write_job *job = &writer->job;
    float ends[2] = {all->low, all->high};
    if (job->shape.largest > 0)
        oro_range_to_metres(job->range, job->shape.largest, ends, 2);
    job->written.measure = (struct oro_measure){.width = writer->field.width,
                                                .height = writer->field.height,
                                                .cell = writer->field.cell,
                                                .low = (double)ends[0],
                                                .high = (double)ends[1]};
    job->written.figures.count = 0;
    oro_write_find_figures(job);
}

bool oro_writer_seal(struct oro_writer *writer, const struct oro_writer_sum *all, int share, int shares,
                     struct oro_error *err)
{
    take_sum(writer, all);
    return oro_writer_has_pieces(writer) ? oro_pieces_seal(writer, share, shares, err)
                                         : oro_blocks_seal(writer, err);
}

/* What each rank wrote, it has told in the sidecars of its tiles. */
static bool gather_digests(struct oro_writer *writer, struct oro_error *err)
{
    struct oro_write_job *job = &writer->job;
    int width = writer->field.width, height = writer->field.height, count = job->written.tiles;
    void *digests = job->digests;
    bool ok = oro_reserve(&digests, &job->digest_room, (size_t)count, sizeof *job->digests) ||
              oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", writer->path);
    job->digests = digests;
    for (int i = 0; ok && i < count; i++) {
        struct oro_tile_place place = oro_tile_at(&writer->tiling, i, width, height);
        char *path =
            oro_tile_path(&writer->tiling, &place, writer->target, "", oro_path_extension(writer->target));
        ok = path ? oro_sidecar_digest(path, &job->digests[i], err)
                  : oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", writer->path);
        oro_free(path);
    }
    return ok;
}

/* ---- Names ---- */

/* What lies in the folder, to be given its name. */
struct names {
    char **items;
    size_t count, room;
};

static bool add_name(const struct oro_writer *writer, struct names *names, const char *name,
                     struct oro_error *err)
{
    char *copy = oro_copy_text(name);
    void *items = names->items;
    bool ok = copy && oro_reserve(&items, &names->room, names->count + 1, sizeof *names->items);
    names->items = items;
    if (ok)
        names->items[names->count++] = copy;
    else
        oro_free(copy);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", writer->path);
}

static bool list_names(const struct oro_writer *writer, struct names *names, struct oro_error *err)
{
    DIR *folder = opendir(writer->folder);
    bool ok = folder || oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", writer->path, strerror(errno));
    for (const struct dirent *entry; ok && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            strcmp(entry->d_name, ORO_PIECES_APART) != 0)
            ok = add_name(writer, names, entry->d_name, err);
    if (folder)
        closedir(folder);
    return ok;
}

/* Sidecars are behind what they vouch for: the last of the set gets its name first. A process that is killed
 * in between leaves files that are noticed not to be theirs. */
static int vouching_last(const void *a, const void *b)
{
    const char *left = *(char *const *)a, *right = *(char *const *)b;
    bool left_vouches = strcmp(oro_path_extension(left), "json") == 0,
         right_vouches = strcmp(oro_path_extension(right), "json") == 0;
    return left_vouches != right_vouches ? left_vouches - right_vouches : strcmp(left, right);
}

static bool adopt(struct oro_writer *writer, const char *name, struct oro_error *err)
{
    char *to = oro_path_beside(writer->path, name);
    bool folder = writer->job.codec->folder && strcmp(name, oro_path_name(writer->path)) == 0;
    bool ok = to ? (folder ? oro_folder_may_write(to, err) : oro_file_may_write(to, err)) &&
                       oro_file_set_adopt(&writer->job.files, writer->held, name, to, err)
                 : oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", writer->path);
    oro_free(to);
    return ok;
}

/* From here on files belong where they were asked for. Older ones of these names come into the writer's
 * folder, and go with it. */
static bool adopt_all(struct oro_writer *writer, struct oro_error *err)
{
    struct names names = {0};
    oro_file_set_end(&writer->job.files);
    writer->job.path = writer->path;
    bool ok = list_names(writer, &names, err);
    if (ok && names.count > 1)
        qsort(names.items, names.count, sizeof *names.items, vouching_last);
    for (size_t i = 0; ok && i < names.count; i++)
        ok = adopt(writer, names.items[i], err);
    for (size_t i = 0; i < names.count; i++)
        oro_free(names.items[i]);
    oro_free(names.items);
    return ok;
}

static bool write_records(struct oro_writer *writer, struct oro_error *err)
{
    struct oro_write_job *job = &writer->job;
    const struct oro_tile_place whole = oro_tile_at(NULL, 0, writer->field.width, writer->field.height);
    struct oro_hash digest;
    if (!job->options->tiling)
        return oro_file_digest_of(writer->target, &digest, err) &&
               oro_file_sample_of(writer->target, &job->sampled, &job->sample, err) &&
               oro_write_record(job, &whole, &writer->field, &job->written, NULL, &digest, err);
    job->written.tiles = oro_tile_count(&writer->tiling, writer->field.width, writer->field.height);
    char *manifest = oro_tiles_manifest_path(writer->path);
    bool ok = manifest ? gather_digests(writer, err) && oro_write_manifest(job, manifest, err)
                       : oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", writer->path);
    oro_free(manifest);
    return ok;
}

static bool check_complete(const struct oro_writer *writer, const struct oro_writer_sum *all,
                           struct oro_error *err)
{
    uint64_t cells = (uint64_t)writer->field.width * (uint64_t)writer->field.height;
    if (all->cells != cells)
        return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %llu cells were put, and it has %llu",
                        writer->path, (unsigned long long)all->cells, (unsigned long long)cells);
    if (all->clipped > 0)
        oro_note(writer->options.write.log, ORO_WARNING,
                 "'%s': %llu of %llu cells lie outside %g..%g and were clipped", writer->path,
                 (unsigned long long)all->clipped, (unsigned long long)cells, writer->job.range.low,
                 writer->job.range.high);
    return true;
}

bool oro_writer_finish(struct oro_writer *writer, const struct oro_writer_sum *all,
                       const struct oro_certificate *drainage, struct oro_written *written,
                       struct oro_error *err)
{
    struct oro_write_job *job = &writer->job;
    take_sum(writer, all);
    writer->options.write.not_terrain = !drainage;
    if (drainage)
        job->written.measure.drainage = *drainage;
    bool ok = check_complete(writer, all, err) && adopt_all(writer, err) && write_records(writer, err) &&
              oro_file_set_commit(&job->files, err);
    if (ok && written)
        *written = job->written;
    oro_writer_abort(writer); /* what is left of it */
    return ok;
}
