#include "formats/raw/samples.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/transfer.h"

int oro_sample_bytes(const struct oro_raster_shape *shape)
{
    return shape->largest > 0 ? 2 : 4;
}

uint64_t oro_samples_size(const struct oro_raster_shape *shape)
{
    return (uint64_t)shape->width * (uint64_t)shape->height * (uint64_t)oro_sample_bytes(shape);
}

static uint32_t get_bits(const unsigned char *in, int bytes, bool big)
{
    uint32_t bits = 0;
    for (int i = 0; i < bytes; i++)
        bits |= (uint32_t)in[big ? bytes - 1 - i : i] << (8 * i);
    return bits;
}

static void encode_levels(const float *row, size_t count, bool big, unsigned char *bytes)
{
    for (size_t x = 0; x < count; x++) {
        uint32_t level = (uint32_t)(int32_t)row[x], high = level >> 8, low = level & 0xff;
        bytes[2 * x] = (unsigned char)(big ? high : low);
        bytes[2 * x + 1] = (unsigned char)(big ? low : high);
    }
}

static void encode_floats(const float *row, size_t count, bool big, unsigned char *bytes)
{
    for (size_t x = 0; x < count; x++) {
        uint32_t bits;
        memcpy(&bits, &row[x], sizeof bits);
        for (size_t i = 0; i < 4; i++)
            bytes[4 * x + i] = (unsigned char)(bits >> (big ? 24 - 8 * i : 8 * i));
    }
}

void oro_samples_encode(const struct oro_raster_shape *shape, const float *row, unsigned char *bytes)
{
    if (shape->largest > 0)
        encode_levels(row, (size_t)shape->width, shape->big_endian, bytes);
    else
        encode_floats(row, (size_t)shape->width, shape->big_endian, bytes);
}

void oro_samples_decode(const struct oro_raster_shape *shape, const unsigned char *bytes, float *row)
{
    int size = oro_sample_bytes(shape);
    for (int x = 0; x < shape->width; x++, bytes += size) {
        uint32_t bits = get_bits(bytes, size, shape->big_endian);
        if (shape->largest > 0)
            row[x] = (float)bits;
        else
            memcpy(&row[x], &bits, sizeof bits);
    }
}

/* The first cell of a row of the file in memory, and of one in memory in the file. */
static size_t row_start(const struct oro_raster_shape *shape, int file_row)
{
    int y = shape->south_first ? shape->height - 1 - file_row : file_row;
    return (size_t)y * (size_t)shape->width;
}

/* Exactly so many bytes, wherever the stream stands. */
static bool read_bytes(const struct oro_raster_file *source, uint64_t offset, unsigned char *bytes,
                       size_t size, struct oro_error *err)
{
    ssize_t got = oro_read_at(fileno(source->stream), bytes, size, offset);
    return got == (ssize_t)size ||
           oro_fail(err, ORO_E_FILE,
                    got < 0 ? "cannot read '%s': %s" : "'%s' is truncated: it ended early%.0s", source->path,
                    strerror(errno));
}

bool oro_samples_read(struct oro_raster_file *source, const struct oro_raster_shape *shape,
                      const struct oro_cell_window *window, float *samples, struct oro_error *err)
{
    struct oro_raster_shape row = *shape;
    row.width = window->width;
    size_t sample = (size_t)oro_sample_bytes(shape), size = (size_t)window->width * sample;
    unsigned char *bytes = oro_alloc(size, 1);
    bool ok = bytes || oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->path);
    for (int y = 0; ok && y < window->height; y++) {
        uint64_t cell = row_start(shape, window->y + y) + (size_t)window->x;
        ok = read_bytes(source, shape->offset + cell * sample, bytes, size, err);
        if (ok)
            oro_samples_decode(&row, bytes, samples + (size_t)y * (size_t)window->width);
    }
    oro_free(bytes);
    return ok;
}

/* Rows that are converted at once, by all processors, before they are written. */
struct block {
    const struct oro_raster_shape *shape;
    const float *samples;
    unsigned char *bytes;
    size_t row_bytes;
    int first; /* row of the file */
};

static void encode_rows(void *user, size_t first, size_t end)
{
    const struct block *block = user;
    for (size_t row = first; row < end; row++)
        oro_samples_encode(block->shape, block->samples + row_start(block->shape, block->first + (int)row),
                           block->bytes + row * block->row_bytes);
}

bool oro_samples_write(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                       const float *samples, struct oro_error *err)
{
    enum { BLOCK = 1 << 22, LEAST = 1 << 16 }; /* bytes; those that are worth a thread */
    struct block block = {.shape = shape,
                          .samples = samples,
                          .row_bytes = (size_t)shape->width * (size_t)oro_sample_bytes(shape)};
    size_t rows = BLOCK / block.row_bytes + 1, least = LEAST / block.row_bytes + 1;
    if (rows > (size_t)shape->height)
        rows = (size_t)shape->height;
    block.bytes = oro_alloc(rows, block.row_bytes);
    if (!block.bytes)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", output->path);
    bool ok = true;
    for (; ok && block.first < shape->height; block.first += (int)rows) {
        size_t left = (size_t)(shape->height - block.first), count = left < rows ? left : rows;
        oro_parallel(count, least, encode_rows, &block);
        ok = fwrite(block.bytes, block.row_bytes, count, output->stream) == count;
    }
    if (!ok)
        oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", output->path, strerror(errno));
    oro_free(block.bytes);
    return ok;
}
