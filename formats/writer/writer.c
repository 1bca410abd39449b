#include <math.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "formats/checks.h"
#include "formats/folder.h"
#include "formats/range.h"
#include "formats/writer/writer_private.h"

enum { BLOCK = 512, CHUNK = 1024 }; /* cells along a side, where nothing else is wanted */

bool oro_writer_no_memory(const struct oro_writer *writer, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", writer->path);
}

bool oro_writer_fail(const struct oro_writer *writer, int reason, struct oro_error *err)
{
    return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", writer->path, strerror(reason));
}

/* ---- What can be written ---- */

static bool may_write(const struct oro_writer *writer, struct oro_error *err)
{
    return writer->options.write.tiling ? oro_file_may_write(writer->path, err)
                                        : oro_format_may_write(writer->path, err);
}

bool oro_writer_needs_range(const char *path, const struct oro_write_options *write)
{
    const struct oro_codec *codec = oro_codec_of(path);
    return codec && (codec->written.largest > 0 || (codec->takes_bits && write->bits == 16));
}

bool oro_writer_fits(const char *path, const struct oro_heightfield *about,
                     const struct oro_writer_options *options, struct oro_error *err)
{
    struct oro_writer writer = {
        .path = (char *)path, .codec = oro_codec_of(path), .options = *options, .field = *about};
    return oro_writer_check(&writer, err) && may_write(&writer, err);
}

double oro_writer_largest(const struct oro_writer *writer)
{
    return writer->shape.largest;
}

/* ---- Beginning ---- */

void oro_writer_free(struct oro_writer *writer)
{
    if (writer->descriptor >= 0)
        close(writer->descriptor);
    oro_file_set_end(&writer->files);
    if (writer->held >= 0)
        close(writer->held);
    oro_free(writer->tiles);
    oro_free(writer->field.place.crs);
    oro_free(writer->target);
    oro_free(writer->folder);
    oro_free(writer->path);
    oro_free(writer);
}

struct oro_writer *oro_writer_create(const char *path, const struct oro_heightfield *about,
                                     const struct oro_writer_options *options, bool whole,
                                     struct oro_error *err)
{
    struct oro_writer *writer = oro_alloc(1, sizeof *writer);
    if (!writer) {
        oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
        return NULL;
    }
    *writer = (struct oro_writer){.path = oro_copy_text(path),
                                  .codec = oro_codec_of(path),
                                  .options = *options,
                                  .field = *about,
                                  .range = {options->write.low, options->write.high},
                                  .whole = whole,
                                  .held = -1,
                                  .descriptor = -1};
    writer->base = writer->path;
    writer->field.place.crs = oro_copy_text(about->place.crs);
    if (options->write.tiling) {
        writer->tiling = *options->write.tiling;
        writer->options.write.tiling = &writer->tiling;
    }
    if (!writer->path || (about->place.crs && !writer->field.place.crs))
        oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    else if (oro_writer_check(writer, err)) {
        int side = writer->codec->put_chunk ? CHUNK : BLOCK;
        writer->block = options->block > 0 ? options->block : side;
        writer->field.data = writer->field.filled = NULL;
        return writer;
    }
    oro_writer_free(writer);
    return NULL;
}

struct oro_raster_output oro_writer_output(struct oro_writer *writer, const char *path,
                                           const struct oro_heightfield *part)
{
    return (struct oro_raster_output){.codec = writer->codec,
                                      .path = path,
                                      .temporary = writer->target,
                                      .field = part,
                                      .range = writer->range,
                                      .options = &writer->options.write,
                                      .mesh = &writer->written.mesh,
                                      .block = writer->block,
                                      .nodata = writer->options.has_nodata ? &writer->options.nodata : NULL};
}

/* The next set of files lies in the folder, where it has one. */
static void begin_files(struct oro_writer *writer)
{
    oro_file_set_end(&writer->files);
    writer->files = (struct oro_file_set){.in_draft = true, .held = writer->held};
}

/* Finds its place in the folder, from which on files are named. */
static bool enter(struct oro_writer *writer, struct oro_error *err)
{
    writer->target = writer->folder ? oro_folder_path(writer->folder, oro_path_name(writer->path)) : NULL;
    if (!writer->target)
        return oro_writer_no_memory(writer, err);
    writer->base = writer->target;
    writer->held = oro_folder_open_for(writer->target, err);
    begin_files(writer);
    return writer->held >= 0;
}

struct oro_writer *oro_writer_begin(const char *path, const struct oro_heightfield *about,
                                    const struct oro_writer_options *options, struct oro_error *err)
{
    struct oro_writer *writer = oro_writer_create(path, about, options, false, err);
    if (!writer)
        return NULL;
    bool ok = may_write(writer, err);
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
    struct oro_writer *writer = oro_writer_create(path, about, options, false, err);
    if (!writer)
        return NULL;
    writer->folder = oro_copy_text(folder);
    if (enter(writer, err) && (oro_writer_has_pieces(writer) || oro_blocks_open(writer, err)))
        return writer;
    oro_writer_free(writer);
    return NULL;
}

const char *oro_writer_folder(const struct oro_writer *writer)
{
    return writer->folder;
}

void oro_writer_leave(struct oro_writer *writer)
{
    if (writer)
        oro_writer_free(writer);
}

void oro_writer_abort(struct oro_writer *writer)
{
    if (writer && writer->folder)
        oro_folder_remove(writer->folder);
    oro_writer_leave(writer);
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

size_t oro_writer_quantise(const struct oro_writer *writer, const float *heights, float *samples,
                           size_t count)
{
    if (writer->shape.largest > 0)
        return oro_range_to_levels(writer->range, writer->shape.largest, heights, count, samples);
    memcpy(samples, heights, count * sizeof *samples);
    return 0;
}

bool oro_writer_put(struct oro_writer *writer, const struct oro_cell_window *window, const float *heights,
                    struct oro_error *err)
{
    if (!oro_check_window(writer->path, &writer->field, window, err) ||
        !oro_check_finite(writer->path, window, heights, writer->options.has_nodata, err))
        return false;
    size_t count = oro_cell_count(window->width, window->height);
    float *samples = oro_alloc(count, sizeof *samples);
    if (!samples)
        return oro_writer_no_memory(writer, err);
    struct oro_writer_sum sum = {.cells = count,
                                 .clipped = oro_writer_quantise(writer, heights, samples, count)};
    for (size_t i = 0; i < count && !sum.any; i++)
        sum.any = !isnan(samples[i]);
    struct oro_height_range range = oro_range_of(samples, count);
    sum.low = (float)range.low + 0.0F; /* zeros of either sign are equal, whoever put them first */
    sum.high = (float)range.high + 0.0F;
    oro_writer_add(&writer->sum, &sum);
    for (size_t i = 0; writer->options.has_nodata && i < count; i++)
        if (isnan(samples[i]))
            samples[i] = (float)writer->options.nodata;
    bool ok = oro_pieces_put(writer, window, samples, err);
    oro_free(samples);
    return ok;
}

/* ---- Ending ---- */

static void take_sum(struct oro_writer *writer, const struct oro_writer_sum *all)
{
    float ends[2] = {all->low, all->high};
    if (writer->shape.largest > 0)
        oro_range_to_metres(writer->range, writer->shape.largest, ends, 2);
    writer->written.measure = (struct oro_measure){.width = writer->field.width,
                                                   .height = writer->field.height,
                                                   .cell = writer->field.cell,
                                                   .low = (double)ends[0],
                                                   .high = (double)ends[1]};
    oro_writer_find_figures(writer);
}

bool oro_writer_seal(struct oro_writer *writer, const struct oro_writer_sum *all, int share, int shares,
                     struct oro_error *err)
{
    take_sum(writer, all);
    bool ok = oro_writer_has_pieces(writer) ? oro_pieces_seal(writer, share, shares, err)
                                            : oro_blocks_seal(writer, err);
    begin_files(writer);
    return ok;
}

/* ---- Names ---- */

/* From here on files belong where they were asked for. Older ones of these names come into the writer's
 * folder, and go with it. */
static bool adopt_all(struct oro_writer *writer, struct oro_error *err)
{
    oro_file_set_end(&writer->files);
    writer->base = writer->path;
    if (!writer->codec->folder)
        return oro_file_set_adopt_all(&writer->files, writer->held, writer->folder, writer->path, err);
    return oro_folder_settle(writer->target, writer->path, err) &&
           oro_file_set_adopt(&writer->files, writer->held, oro_path_name(writer->path), writer->path, err);
}

bool oro_writer_close(struct oro_writer *writer, struct oro_error *err)
{
    const struct oro_tiling *tiling = writer->options.write.tiling;
    writer->written.tiles = tiling ? oro_tile_count(tiling, writer->field.width, writer->field.height) : 0;
    return (!writer->folder || adopt_all(writer, err)) &&
           (tiling ? oro_writer_record_manifest(writer, err) : oro_writer_record_whole(writer, err)) &&
           oro_file_set_commit(&writer->files, err);
}

void oro_writer_note_clipped(const struct oro_writer *writer, uint64_t clipped)
{
    if (clipped > 0)
        oro_note(writer->options.write.log, ORO_WARNING,
                 "'%s': %llu of %llu cells lie outside %g..%g and were clipped", writer->path,
                 (unsigned long long)clipped,
                 (unsigned long long)writer->field.width * (unsigned long long)writer->field.height,
                 writer->range.low, writer->range.high);
}

void oro_writer_note_flats(const struct oro_writer *writer, uint64_t clipped)
{
    const struct oro_measure *measure = &writer->written.measure;
    size_t ground = oro_cell_count(measure->width, measure->height) - measure->sea;
    size_t flats = measure->drainage.flats;
    flats -= flats < clipped ? flats : (size_t)clipped;
    double step =
        writer->shape.largest > 0 ? (writer->range.high - writer->range.low) / writer->shape.largest : 0;
    bool wide = writer->range.high - writer->range.low > 1.25 * (measure->high - measure->low);
    if (writer->options.write.not_terrain || !(step > 0) || flats * 10 <= ground)
        return;
    oro_note(
        writer->options.write.log, ORO_WARNING,
        "'%s': %.0f %% of its cells are level, where the ground falls by less than a step of the file, %.3g "
        "m: write 32 bits (.tif, .exr, .r32)%s, or drain it with 'strict'",
        writer->path, 100.0 * (double)flats / (double)ground, step,
        wide ? ", a narrower range of heights" : "");
}

bool oro_writer_finish(struct oro_writer *writer, const struct oro_writer_sum *all,
                       const struct oro_certificate *drainage, struct oro_written *written,
                       struct oro_error *err)
{
    uint64_t cells = (uint64_t)writer->field.width * (uint64_t)writer->field.height;
    take_sum(writer, all);
    writer->options.write.not_terrain = !drainage;
    if (drainage)
        writer->written.measure.drainage = *drainage;
    bool ok = all->cells == cells ||
              oro_fail(err, ORO_E_WRITE, "cannot write '%s': %llu cells were put, and it has %llu",
                       writer->path, (unsigned long long)all->cells, (unsigned long long)cells);
    if (ok)
        oro_writer_note_clipped(writer, all->clipped);
    ok = ok && oro_writer_close(writer, err);
    if (ok)
        oro_writer_note_flats(writer, all->clipped);
    if (ok && written)
        *written = writer->written;
    oro_writer_abort(writer); /* what is left of it */
    return ok;
}
