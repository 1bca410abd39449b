/* Files of pieces: the whole as one, tiles, or the chunks of an array. A piece that a window covers is
 * written as it comes; of others the samples are kept apart until the writer is sealed. */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_digest.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/transfer.h"
#include "formats/checks.h"
#include "formats/folder.h"
#include "formats/raw/samples.h"
#include "formats/writer/writer_private.h"

/* ---- Where pieces lie ---- */

static bool in_chunks(const struct oro_writer *writer)
{
    return writer->codec->put_chunk;
}

/* Whether pieces are squares of the writer's block, which end at the border. */
static bool in_grid(const struct oro_writer *writer)
{
    return in_chunks(writer) || (writer->codec->make && !oro_writer_has_pieces(writer));
}

bool oro_writer_has_pieces(const struct oro_writer *writer)
{
    return writer->whole || in_chunks(writer) || writer->options.write.tiling;
}

/* Pieces of `side` cells begin every `step` of them. */
struct layout {
    int side, step, across, down;
};

static struct layout layout_of(const struct oro_writer *writer)
{
    const struct oro_tiling grid = {.side = writer->block};
    const struct oro_tiling *tiling = in_grid(writer) ? &grid : writer->options.write.tiling;
    if (!tiling)
        return (struct layout){ORO_RASTER_SIDE_MAX, ORO_RASTER_SIDE_MAX, 1, 1};
    return (struct layout){tiling->side, tiling->side - tiling->overlap,
                           oro_tiling_count(tiling, writer->field.width),
                           oro_tiling_count(tiling, writer->field.height)};
}

/* From west to east, then from north to south. */
static struct oro_tile_place place_of(const struct oro_writer *writer, int number)
{
    const struct oro_tiling grid = {.side = writer->block};
    return oro_tile_at(in_grid(writer) ? &grid : writer->options.write.tiling, number, writer->field.width,
                       writer->field.height);
}

/* The first and the last piece along a side that have cells from `start` to `end`. */
static void pieces_along(const struct layout *layout, int count, int start, int end, int range[2])
{
    range[0] = start < layout->side ? 0 : (start - layout->side) / layout->step + 1;
    range[1] = end / layout->step < count - 1 ? end / layout->step : count - 1;
}

/* ---- A file ---- */

/* A copy of a piece's cells, whose rows begin `stride` apart. NULL: no memory. */
static float *cut(const float *cells, size_t stride, const struct oro_tile_place *place)
{
    float *copy = oro_alloc(oro_cell_count(place->width, place->height), sizeof *copy);
    for (int y = 0; copy && y < place->height; y++)
        memcpy(copy + (size_t)y * (size_t)place->width, cells + (size_t)y * stride,
               (size_t)place->width * sizeof *copy);
    return copy;
}

/* It is sealed when the next one begins: until then the disk works while the samples are measured. */
static bool put_file(struct oro_writer *writer, const char *path, const struct oro_heightfield *part,
                     struct oro_error *err)
{
    struct oro_raster_shape shape = writer->shape;
    struct oro_raster_output output = oro_writer_output(writer, path, part);
    struct oro_file_output *file = oro_file_set_begin(&writer->files, path, err);
    if (!file)
        return false;
    shape.width = part->width;
    shape.height = part->height;
    output.stream = file->stream;
    output.temporary = file->temporary;
    writer->digested = true;
    return writer->codec->write(&output, &shape, part->data, err) &&
           oro_file_set_flush(&writer->files, err) &&
           oro_open_file_digest(fileno(file->stream), path, &writer->digest, err) &&
           (writer->options.write.tiling || writer->codec->write_mesh ||
            oro_open_file_sample(fileno(file->stream), path, &writer->sampled, &writer->sample, err));
}

/* Keeps what the sidecar of a tile will say. */
static bool note_tile(struct oro_writer *writer, int number, const struct oro_heightfield *part,
                      struct oro_error *err)
{
    struct oro_measure measure;
    oro_measure_values(part, &measure);
    float ends[2] = {(float)measure.low, (float)measure.high};
    if (writer->shape.largest > 0)
        oro_range_to_metres(writer->range, writer->shape.largest, ends, 2);
    if (!oro_reserve(&writer->tiles, &writer->tile_room, writer->tile_count + 1, sizeof *writer->tiles))
        return oro_writer_no_memory(writer, err);
    writer->tiles[writer->tile_count++] =
        (struct oro_tile_made){number, {(double)ends[0], (double)ends[1]}, writer->digest};
    return true;
}

static bool put_part(struct oro_writer *writer, int number, const struct oro_tile_place *place,
                     const struct oro_heightfield *part, struct oro_error *err)
{
    const struct oro_write_options *write = &writer->options.write;
    char *path = oro_tile_path(write->tiling, place, writer->base, "", oro_path_extension(writer->base));
    bool ok = path ? put_file(writer, path, part, err) && oro_writer_put_weights(writer, place, err)
                   : oro_writer_no_memory(writer, err);
    oro_free(path);
    ok = ok && (!write->tiling || note_tile(writer, number, part, err));
    return ok &&
           (!write->stop || !write->stop(write->stop_user) || oro_fail(err, ORO_E_CANCELLED, "cancelled"));
}

/* The samples, and the sea of a whole that is cut, as a field of its own. */
static bool put_tile(struct oro_writer *writer, int number, const float *samples, size_t stride,
                     struct oro_error *err)
{
    struct oro_tile_place place = place_of(writer, number);
    struct oro_heightfield part = oro_writer_part(writer, &place);
    const float *sea = writer->field.sea;
    size_t width = (size_t)writer->field.width;
    float *cells = (size_t)place.width == stride ? NULL : cut(samples, stride, &place);
    float *wet = sea && writer->options.write.tiling
                     ? cut(sea + (size_t)place.row * width + (size_t)place.column, width, &place)
                     : NULL;
    part.data = (size_t)place.width == stride ? (float *)samples : cells; /* which are read alone */
    part.sea = writer->options.write.tiling ? wet : (float *)sea;
    bool ok = part.data && (part.sea || !sea) ? put_part(writer, number, &place, &part, err)
                                              : oro_writer_no_memory(writer, err);
    oro_free(cells);
    oro_free(wet);
    return ok;
}

static bool put_whole_piece(struct oro_writer *writer, int number, const float *samples, size_t stride,
                            struct oro_error *err)
{
    if (!in_chunks(writer))
        return put_tile(writer, number, samples, stride, err);
    struct oro_tile_place place = place_of(writer, number);
    const struct oro_raster_output output = oro_writer_output(writer, writer->path, &writer->field);
    return writer->codec->put_chunk(&output, &writer->shape, &place, samples, stride, err);
}

/* ---- Kept apart ---- */

static char *path_apart(const struct oro_writer *writer, int number)
{
    return oro_text_of("%s/%s/%d", writer->folder, ORO_PIECES_APART, number);
}

/* `part`: in cells of the piece. */
static bool put_apart(const struct oro_writer *writer, int number, const struct oro_tile_place *place,
                      const struct oro_cell_window *part, const float *samples, size_t stride,
                      struct oro_error *err)
{
    const struct oro_raster_shape shape = {.width = place->width, .height = place->height};
    char *path = path_apart(writer, number);
    if (!path)
        return oro_writer_no_memory(writer, err);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    oro_free(path);
    if (descriptor < 0)
        return oro_writer_fail(writer, errno, err);
    bool ok = oro_samples_put(descriptor, writer->path, &shape, part, samples, stride, err);
    if (close(descriptor) != 0 && ok)
        ok = oro_writer_fail(writer, errno, err);
    return ok;
}

/* ---- Putting ---- */

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
    const struct oro_cell_window *window = put->window;
    struct oro_tile_place place = place_of(put->writer, number);
    struct oro_cell_window part = oro_window_common(
        *window, (struct oro_cell_window){place.column, place.row, place.width, place.height});
    size_t stride = (size_t)window->width;
    const float *from = put->samples + (size_t)(part.y - window->y) * stride + (size_t)(part.x - window->x);
    part.x -= place.column;
    part.y -= place.row;
    if (!oro_writer_has_pieces(put->writer))
        return oro_blocks_put(put->writer, number, &part, from, stride, err);
    if (part.width == place.width && part.height == place.height)
        return put_whole_piece(put->writer, number, from, stride, err);
    return put_apart(put->writer, number, &place, &part, from, stride, err);
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
    struct layout layout = layout_of(writer);
    int columns[2], rows[2];
    pieces_along(&layout, layout.across, window->x, window->x + window->width - 1, columns);
    pieces_along(&layout, layout.down, window->y, window->y + window->height - 1, rows);
    struct put put = {.writer = writer,
                      .window = window,
                      .samples = samples,
                      .first_x = columns[0],
                      .first_y = rows[0],
                      .across = columns[1] - columns[0] + 1,
                      .row = layout.across,
                      .err = err};
    size_t count = (size_t)put.across * (size_t)(rows[1] - rows[0] + 1);
    if (!in_chunks(writer)) { /* a codec works on all processors itself, and notes are taken of each file */
        put_pieces(&put, 0, count);
        return !atomic_load(&put.failed);
    }
    const struct oro_tile_place whole = oro_tile_at(NULL, 0, writer->field.width, writer->field.height);
    oro_parallel(count, 1, put_pieces, &put);
    return !atomic_load(&put.failed) && oro_writer_put_weights(writer, &whole, err);
}

/* ---- Completing ---- */

/* Nothing is to be done where the piece was written as it came. */
static bool complete(struct oro_writer *writer, int number, struct oro_error *err)
{
    struct oro_tile_place place = place_of(writer, number);
    size_t count = oro_cell_count(place.width, place.height);
    char *path = path_apart(writer, number);
    if (!path)
        return oro_writer_no_memory(writer, err);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = true;
    if (descriptor >= 0) {
        float *cells = oro_alloc(count, sizeof *cells);
        ok = cells || oro_writer_no_memory(writer, err);
        if (ok &&
            oro_read_at(descriptor, cells, count * sizeof *cells, 0) != (ssize_t)(count * sizeof *cells))
            ok = oro_fail(err, ORO_E_WRITE, "cannot write '%s': cells of it were not put", writer->path);
        for (int y = 0; ok && y < place.height; y++) {
            float *row = cells + (size_t)y * (size_t)place.width;
            oro_samples_decode(&(struct oro_raster_shape){.width = place.width}, (unsigned char *)row, row);
        }
        ok = ok && put_whole_piece(writer, number, cells, (size_t)place.width, err);
        oro_free(cells);
        close(descriptor);
        unlink(path);
    }
    oro_free(path);
    return ok;
}

bool oro_pieces_seal(struct oro_writer *writer, int share, int shares, struct oro_error *err)
{
    struct layout layout = layout_of(writer);
    bool ok = true;
    for (int i = share; ok && writer->folder && i < layout.across * layout.down; i += shares)
        ok = complete(writer, i, err);
    for (size_t i = 0; ok && i < writer->tile_count; i++)
        ok = oro_writer_record_tile(writer, &writer->tiles[i], err);
    return ok && (!writer->folder || oro_file_set_commit(&writer->files, err));
}

bool oro_pieces_make(struct oro_writer *writer, struct oro_error *err)
{
    const struct oro_raster_output output = oro_writer_output(writer, writer->path, &writer->field);
    char *path = writer->folder ? oro_folder_path(writer->folder, ORO_PIECES_APART) : NULL;
    bool ok = !writer->folder || (path ? mkdir(path, 0777) == 0 || oro_writer_fail(writer, errno, err)
                                       : oro_writer_no_memory(writer, err));
    oro_free(path);
    if (!ok || !in_chunks(writer))
        return ok;
    return (!writer->folder || mkdir(writer->target, 0777) == 0 || oro_writer_fail(writer, errno, err)) &&
           writer->codec->make(&output, &writer->shape, err);
}
