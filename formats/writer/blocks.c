/* One file in which every sample has its place: raw rows, or the uncompressed blocks of a GeoTIFF. */
#define _GNU_SOURCE /* for fallocate, which only Linux has */
#include <errno.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/transfer.h"
#include "formats/checks.h"
#include "formats/raw/samples.h"
#include "formats/writer/writer_private.h"

static bool in_blocks(const struct oro_writer *writer)
{
    return writer->codec->make;
}

static int count_of(int side, int block)
{
    return (side + block - 1) / block;
}

/* Bytes of all samples; those of blocks reach beyond the border. */
static uint64_t samples_size(const struct oro_writer *writer)
{
    const struct oro_raster_shape *shape = &writer->shape;
    if (!in_blocks(writer))
        return oro_samples_size(shape);
    uint64_t across = (uint64_t)count_of(shape->width, writer->block),
             down = (uint64_t)count_of(shape->height, writer->block), side = (uint64_t)writer->block;
    return across * down * side * side * (uint64_t)oro_sample_bytes(shape);
}

/* ---- Making it ---- */

/* Takes the room on the disk now, where the file system can, so that it does not lack in the end. */
static bool take_room(const struct oro_writer *writer, struct oro_error *err)
{
    struct stat info;
    off_t size = (off_t)samples_size(writer);
    if (fstat(writer->descriptor, &info) != 0)
        return oro_writer_fail(writer, errno, err);
    if (!in_blocks(writer) && ftruncate(writer->descriptor, size) != 0)
        return oro_writer_fail(writer, errno, err);
#ifdef __linux__
    off_t end = in_blocks(writer) ? info.st_size : size;
    if (fallocate(writer->descriptor, 0, end - size, size) != 0 && errno != EOPNOTSUPP && errno != ENOSYS)
        return oro_writer_fail(writer, errno, err);
#endif
    return true;
}

bool oro_blocks_make(struct oro_writer *writer, struct oro_error *err)
{
    int made = open(writer->target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (made < 0)
        return oro_writer_fail(writer, errno, err);
    close(made);
    const struct oro_raster_output output = oro_writer_output(writer, writer->path, &writer->field);
    return (!in_blocks(writer) || writer->codec->make(&output, &writer->shape, err)) &&
           oro_blocks_open(writer, err) && take_room(writer, err);
}

bool oro_blocks_open(struct oro_writer *writer, struct oro_error *err)
{
    struct stat info;
    writer->descriptor = open(writer->target, O_WRONLY | O_CLOEXEC);
    if (writer->descriptor < 0 || fstat(writer->descriptor, &info) != 0)
        return oro_writer_fail(writer, errno, err);
    uint64_t size = (uint64_t)info.st_size, samples = samples_size(writer);
    if (in_blocks(writer) && size <= samples)
        return oro_fail(err, ORO_E_WRITE, "cannot write '%s': what it was begun as has another size",
                        writer->path);
    writer->first = in_blocks(writer) ? size - samples : 0;
    return true;
}

/* ---- Samples ---- */

static bool put_bytes(const struct oro_writer *writer, const unsigned char *bytes, size_t size,
                      uint64_t offset, struct oro_error *err)
{
    return oro_write_at(writer->descriptor, bytes, size, offset) || oro_writer_fail(writer, errno, err);
}

static bool put_rows(const struct oro_writer *writer, const struct oro_cell_window *window,
                     const float *samples, unsigned char *bytes, struct oro_error *err)
{
    const struct oro_raster_shape *shape = &writer->shape;
    struct oro_raster_shape row = *shape;
    size_t sample = (size_t)oro_sample_bytes(shape), size = (size_t)window->width * sample;
    row.width = window->width;
    for (int y = 0; y < window->height; y++) {
        int at = shape->south_first ? shape->height - 1 - window->y - y : window->y + y;
        uint64_t cell = (uint64_t)at * (uint64_t)shape->width + (uint64_t)window->x;
        oro_samples_encode(&row, samples + (size_t)y * (size_t)window->width, bytes);
        if (!put_bytes(writer, bytes, size, cell * sample, err))
            return false;
    }
    return true;
}

/* The part of a window that lies in a block, in cells of the block. */
struct overlap {
    int x, y, width, height;
};

static struct overlap overlap_of(const struct oro_writer *writer, const struct oro_cell_window *window,
                                 int column, int row)
{
    int block = writer->block, left = column * block, top = row * block;
    int x = window->x > left ? window->x : left, y = window->y > top ? window->y : top;
    int right = window->x + window->width, bottom = window->y + window->height;
    right = right < left + block ? right : left + block;
    bottom = bottom < top + block ? bottom : top + block;
    return (struct overlap){x - left, y - top, right - x, bottom - y};
}

/* Rows of a block that are put completely go out at once, others one by one. */
static bool put_block(const struct oro_writer *writer, const struct oro_cell_window *window,
                      const float *samples, int column, int row, unsigned char *bytes, struct oro_error *err)
{
    struct oro_raster_shape part = writer->shape;
    struct overlap o = overlap_of(writer, window, column, row);
    int block = writer->block;
    size_t sample = (size_t)oro_sample_bytes(&part), stride = (size_t)block * sample;
    uint64_t number = (uint64_t)row * (uint64_t)count_of(part.width, block) + (uint64_t)column;
    uint64_t start = writer->first + number * (uint64_t)block * stride +
                     ((uint64_t)o.y * (uint64_t)block + (uint64_t)o.x) * sample;
    bool whole = o.width == block;
    part.width = o.width;
    for (int y = 0; y < o.height; y++) {
        size_t from = (size_t)(row * block + o.y + y - window->y) * (size_t)window->width +
                      (size_t)(column * block + o.x - window->x);
        unsigned char *to = bytes + (whole ? (size_t)y * stride : 0);
        oro_samples_encode(&part, samples + from, to);
        if (!whole && !put_bytes(writer, to, (size_t)o.width * sample, start + (uint64_t)y * stride, err))
            return false;
    }
    return !whole || put_bytes(writer, bytes, (size_t)o.height * stride, start, err);
}

static bool put_blocks(const struct oro_writer *writer, const struct oro_cell_window *window,
                       const float *samples, unsigned char *bytes, struct oro_error *err)
{
    int block = writer->block;
    int right = (window->x + window->width - 1) / block, bottom = (window->y + window->height - 1) / block;
    for (int row = window->y / block; row <= bottom; row++)
        for (int column = window->x / block; column <= right; column++)
            if (!put_block(writer, window, samples, column, row, bytes, err))
                return false;
    return true;
}

bool oro_blocks_put(struct oro_writer *writer, const struct oro_cell_window *window, const float *samples,
                    struct oro_error *err)
{
    bool blocks = in_blocks(writer);
    size_t cells = blocks ? oro_cell_count(writer->block, writer->block) : (size_t)window->width;
    unsigned char *bytes = oro_alloc(cells, (size_t)oro_sample_bytes(&writer->shape));
    if (!bytes)
        return oro_writer_no_memory(writer, err);
    bool ok = blocks ? put_blocks(writer, window, samples, bytes, err)
                     : put_rows(writer, window, samples, bytes, err);
    oro_free(bytes);
    return ok;
}

bool oro_blocks_seal(struct oro_writer *writer, struct oro_error *err)
{
    return fsync(writer->descriptor) == 0 || oro_writer_fail(writer, errno, err);
}
