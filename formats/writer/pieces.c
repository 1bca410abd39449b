/* Files of tiles or of chunks. */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "formats/checks.h"
#include "formats/folder.h"
#include "formats/writer/writer_private.h"

static bool no_memory(const struct oro_writer *writer, struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", writer->path);
}

static bool fail_write(const struct oro_writer *writer, int reason, struct oro_error *err)
{
    return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", writer->path, strerror(reason));
}

static bool is_zarr(const struct oro_writer *writer)
{
    return writer->job.codec->folder;
}

bool oro_writer_has_pieces(const struct oro_writer *writer)
{
    return is_zarr(writer) || writer->options.write.tiling;
}

/* ---- Where pieces lie ---- */

static int count_all(const struct oro_writer *writer)
{
    const struct oro_heightfield *field = &writer->field;
    return is_zarr(writer) ? oro_zarr_chunks(&writer->zarr)
                           : oro_tile_count(&writer->tiling, field->width, field->height);
}

static struct oro_tile_place place_of(const struct oro_writer *writer, int number)
{
    const struct oro_heightfield *field = &writer->field;
    return is_zarr(writer) ? oro_zarr_chunk_at(&writer->zarr, number)
                           : oro_tile_at(&writer->tiling, number, field->width, field->height);
}

/* The first and the last piece along a side that have cells from `start` to `end`. */
static void pieces_along(const struct oro_writer *writer, int start, int end, int count, int range[2])
{
    int side = is_zarr(writer) ? writer->zarr.chunk : writer->tiling.side;
    int step = is_zarr(writer) ? side : side - writer->tiling.overlap;
    range[0] = start < side ? 0 : (start - side) / step + 1;
    range[1] = end / step < count - 1 ? end / step : count - 1;
}

/* ---- One piece ---- */

/* Keeps the range of a tile until its sidecar can be written. */
static bool note_range(struct oro_writer *writer, int number, const float *samples, size_t count,
                       struct oro_error *err)
{
    void *ranges = writer->ranges;
    struct oro_height_range range = oro_range_of(samples, count);
    float ends[2] = {(float)range.low, (float)range.high};
    if (writer->job.shape.largest > 0)
        oro_range_to_metres(writer->job.range, writer->job.shape.largest, ends, 2);
    bool fits = oro_reserve(&ranges, &writer->range_room, writer->range_count + 1, sizeof *writer->ranges);
    writer->ranges = ranges;
    if (!fits)
        return no_memory(writer, err);
    writer->ranges[writer->range_count++] =
        (struct oro_tile_range){number, {(double)ends[0], (double)ends[1]}, writer->job.digests[0]};
    return true;
}

static bool write_tile(struct oro_writer *writer, int number, float *samples, struct oro_error *err)
{
    struct oro_tile_place place = place_of(writer, number);
    struct oro_heightfield part = {.width = place.width, .height = place.height, .data = samples};
    struct oro_write_job *job = &writer->job;
    job->digest_count = 0;
    char *path =
        oro_tile_path(&writer->tiling, &place, writer->target, "", oro_path_extension(writer->target));
    bool ok = path ? oro_write_raster(job, path, &part, err) && oro_file_set_commit(&job->files, err)
                   : no_memory(writer, err);
    oro_writer_end_files(writer);
    oro_free(path);
    return ok && note_range(writer, number, samples, oro_cell_count(place.width, place.height), err);
}

static bool write_piece(struct oro_writer *writer, int number, float *samples, struct oro_error *err)
{
    struct oro_tile_place place = place_of(writer, number);
    return is_zarr(writer)
               ? oro_zarr_put(&writer->zarr, writer->target, number, samples, (size_t)place.width, err)
               : write_tile(writer, number, samples, err);
}

/* ---- Kept apart ---- */

static char *path_apart(const struct oro_writer *writer, int number)
{
    struct oro_text path = {0};
    oro_text_addf(&path, "%s/%s/%d", writer->folder, ORO_PIECES_APART, number);
    if (path.failed)
        oro_text_free(&path);
    return path.data;
}

static bool transfer(int descriptor, bool writes, float *samples, size_t count, off_t offset)
{
    unsigned char *bytes = (unsigned char *)samples;
    for (size_t done = 0, size = count * sizeof *samples; done < size;) {
        ssize_t moved = writes ? pwrite(descriptor, bytes + done, size - done, offset + (off_t)done)
                               : pread(descriptor, bytes + done, size - done, offset + (off_t)done);
        if (moved < 0 && errno == EINTR)
            continue;
        if (moved == 0)
            errno = ENOSPC;
        if (moved <= 0)
            return false;
        done += (size_t)moved;
    }
    return true;
}

/* The part of a piece that lies in the window. */
static struct oro_cell_window common(const struct oro_tile_place *place, const struct oro_cell_window *window)
{
    int left = window->x > place->column ? window->x : place->column,
        top = window->y > place->row ? window->y : place->row;
    int right = window->x + window->width, bottom = window->y + window->height;
    right = right < place->column + place->width ? right : place->column + place->width;
    bottom = bottom < place->row + place->height ? bottom : place->row + place->height;
    return (struct oro_cell_window){left, top, right - left, bottom - top};
}

static bool put_apart(const struct oro_writer *writer, int number, const struct oro_cell_window *window,
                      const float *samples, struct oro_error *err)
{
    struct oro_tile_place place = place_of(writer, number);
    struct oro_cell_window part = common(&place, window);
    char *path = path_apart(writer, number);
    if (!path)
        return no_memory(writer, err);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    bool ok = descriptor >= 0;
    for (int y = part.y; ok && y < part.y + part.height; y++) {
        size_t from = (size_t)(y - window->y) * (size_t)window->width + (size_t)(part.x - window->x);
        size_t to = (size_t)(y - place.row) * (size_t)place.width + (size_t)(part.x - place.column);
        ok = transfer(descriptor, true, (float *)samples + from, (size_t)part.width,
                      (off_t)(to * sizeof *samples));
    }
    int reason = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && ok) {
        ok = false;
        reason = errno;
    }
    oro_free(path);
    return ok || fail_write(writer, reason, err);
}

/* ---- Putting ---- */

static bool covers(const struct oro_cell_window *window, const struct oro_tile_place *place)
{
    return window->x <= place->column && window->y <= place->row &&
           window->x + window->width >= place->column + place->width &&
           window->y + window->height >= place->row + place->height;
}

struct put {
    struct oro_writer *writer;
    const struct oro_cell_window *window;
    const float *samples;
    int first_x, first_y, across, row; /* the pieces that it meets: the first, how many; those of a row */
    atomic_bool failed;
    struct oro_error *err; /* of the first that fails */
};

static bool put_piece(const struct put *put, int number, struct oro_error *err)
{
    struct oro_writer *writer = put->writer;
    const struct oro_cell_window *window = put->window;
    struct oro_tile_place place = place_of(writer, number);
    if (!covers(window, &place))
        return put_apart(writer, number, window, put->samples, err);
    float *cells = oro_alloc(oro_cell_count(place.width, place.height), sizeof *cells);
    if (!cells)
        return no_memory(writer, err);
    for (int y = 0; y < place.height; y++)
        memcpy(cells + (size_t)y * (size_t)place.width,
               put->samples + (size_t)(place.row + y - window->y) * (size_t)window->width +
                   (size_t)(place.column - window->x),
               (size_t)place.width * sizeof *cells);
    bool ok = write_piece(writer, number, cells, err);
    oro_free(cells);
    return ok;
}

static void put_pieces(void *user, size_t first, size_t end)
{
    struct put *put = user;
    for (size_t i = first; i < end && !atomic_load(&put->failed); i++) {
        struct oro_error why = {0};
        int x = put->first_x + (int)i % put->across, y = put->first_y + (int)i / put->across;
        if (!put_piece(put, y * put->row + x, &why) && !atomic_exchange(&put->failed, true) && put->err)
            *put->err = why;
    }
}

bool oro_pieces_put(struct oro_writer *writer, const struct oro_cell_window *window, const float *samples,
                    struct oro_error *err)
{
    const struct oro_heightfield *field = &writer->field;
    int columns[2], rows[2];
    int row = is_zarr(writer) ? oro_zarr_chunks_across(&writer->zarr)
                              : oro_tiling_count(&writer->tiling, field->width);
    pieces_along(writer, window->x, window->x + window->width - 1, row, columns);
    pieces_along(writer, window->y, window->y + window->height - 1, count_all(writer) / row, rows);
    struct put put = {.writer = writer,
                      .window = window,
                      .samples = samples,
                      .first_x = columns[0],
                      .first_y = rows[0],
                      .across = columns[1] - columns[0] + 1,
                      .row = row,
                      .err = err};
    size_t count = (size_t)put.across * (size_t)(rows[1] - rows[0] + 1);
    if (is_zarr(writer)) /* a writer of tiles works on all processors itself, and notes their ranges */
        oro_parallel(count, 1, put_pieces, &put);
    else
        put_pieces(&put, 0, count);
    return !atomic_load(&put.failed);
}

/* ---- Completing ---- */

/* Nothing is to be done where the piece was written as it came. */
static bool complete(struct oro_writer *writer, int number, struct oro_error *err)
{
    struct oro_tile_place place = place_of(writer, number);
    size_t count = oro_cell_count(place.width, place.height);
    char *path = path_apart(writer, number);
    if (!path)
        return no_memory(writer, err);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = true;
    if (descriptor >= 0) {
        float *cells = oro_alloc(count, sizeof *cells);
        ok = cells || no_memory(writer, err);
        if (ok && !transfer(descriptor, false, cells, count, 0))
            ok = oro_fail(err, ORO_E_WRITE, "cannot write '%s': cells of it were not put", writer->path);
        ok = ok && write_piece(writer, number, cells, err);
        oro_free(cells);
        close(descriptor);
        unlink(path);
    }
    oro_free(path);
    return ok;
}

static bool write_record(struct oro_writer *writer, const struct oro_tile_range *tile, const char *manifest,
                         struct oro_error *err)
{
    struct oro_tile_place place = place_of(writer, tile->number);
    struct oro_heightfield part = oro_write_part(&writer->job, &place);
    struct oro_written written = writer->job.written;
    written.measure = (struct oro_measure){.width = place.width,
                                           .height = place.height,
                                           .cell = part.cell,
                                           .low = tile->range.low,
                                           .high = tile->range.high};
    bool ok = oro_write_record(&writer->job, &place, &part, &written, manifest, &tile->digest, err) &&
              oro_file_set_commit(&writer->job.files, err);
    oro_writer_end_files(writer);
    return ok;
}

bool oro_pieces_seal(struct oro_writer *writer, int share, int shares, struct oro_error *err)
{
    char *manifest = is_zarr(writer) ? NULL : oro_tiles_manifest_path(writer->target);
    bool ok = is_zarr(writer) || manifest || no_memory(writer, err);
    int count = count_all(writer);
    for (int i = share; ok && i < count; i += shares)
        ok = complete(writer, i, err);
    for (size_t i = 0; ok && !is_zarr(writer) && i < writer->range_count; i++)
        ok = write_record(writer, &writer->ranges[i], manifest, err);
    oro_free(manifest);
    return ok;
}

bool oro_pieces_make(struct oro_writer *writer, struct oro_error *err)
{
    char *path = oro_folder_path(writer->folder, ORO_PIECES_APART);
    bool ok = path ? mkdir(path, 0777) == 0 || fail_write(writer, errno, err) : no_memory(writer, err);
    oro_free(path);
    if (!ok || !is_zarr(writer))
        return ok;
    return (mkdir(writer->target, 0777) == 0 || fail_write(writer, errno, err)) &&
           oro_zarr_begin(&writer->zarr, writer->target, err);
}
