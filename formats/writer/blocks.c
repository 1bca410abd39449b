/* One file in which every sample has its place: raw rows, or the uncompressed blocks of a GeoTIFF. */
#define _GNU_SOURCE /* for fallocate, which only Linux has */
#include <errno.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/raw/samples.h"
#include "formats/writer/writer_private.h"

static bool in_blocks(const struct oro_writer *writer)
{
    return writer->codec->make;
}

/* Bytes of all samples; those of blocks reach beyond the border. */
static uint64_t samples_size(const struct oro_writer *writer)
{
    const struct oro_raster_shape *shape = &writer->shape;
    if (!in_blocks(writer))
        return oro_samples_size(shape);
    const struct oro_tiling grid = {.side = writer->block};
    uint64_t across = (uint64_t)oro_tiling_count(&grid, shape->width),
             down = (uint64_t)oro_tiling_count(&grid, shape->height), side = (uint64_t)writer->block;
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

/* A block is a small raster by itself, and so are raw rows, which are the only one. */
bool oro_blocks_put(const struct oro_writer *writer, int number, const struct oro_cell_window *part,
                    const float *samples, size_t stride, struct oro_error *err)
{
    struct oro_raster_shape shape = writer->shape;
    if (in_blocks(writer))
        shape.width = shape.height = writer->block;
    shape.offset = writer->first + (uint64_t)number * oro_samples_size(&shape);
    return oro_samples_put(writer->descriptor, writer->path, &shape, part, samples, stride, err);
}

bool oro_blocks_seal(struct oro_writer *writer, struct oro_error *err)
{
    return fsync(writer->descriptor) == 0 || oro_writer_fail(writer, errno, err);
}
