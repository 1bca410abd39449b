#include "formats/samples.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"

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

void oro_samples_encode(const struct oro_raster_shape *shape, const float *row, unsigned char *bytes)
{
    int size = oro_sample_bytes(shape);
    for (int x = 0; x < shape->width; x++, bytes += size) {
        uint32_t bits;
        if (shape->largest > 0)
            bits = (uint32_t)row[x];
        else
            memcpy(&bits, &row[x], sizeof bits);
        /* The most significant byte comes first if the file is big-endian. */
        for (int i = 0; i < size; i++)
            bytes[shape->big_endian ? size - 1 - i : i] = (unsigned char)(bits >> (8 * i) & 0xff);
    }
}

static void decode_row(const struct oro_raster_shape *shape, const unsigned char *bytes, float *row)
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

static size_t row_start(const struct oro_raster_shape *shape, int file_row)
{
    int y = shape->south_first ? shape->height - 1 - file_row : file_row;
    return (size_t)y * (size_t)shape->width;
}

bool oro_samples_read(struct oro_raster_file *source, const struct oro_raster_shape *shape, float *samples,
                      struct oro_error *err)
{
    size_t row_bytes = (size_t)shape->width * (size_t)oro_sample_bytes(shape);
    unsigned char *bytes = oro_alloc(row_bytes, 1);
    if (!bytes)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->path);
    bool ok = oro_raster_seek(source, shape->offset, err);
    for (int row = 0; ok && row < shape->height; row++) {
        ok = oro_raster_read(source, bytes, row_bytes, err);
        if (ok)
            decode_row(shape, bytes, samples + row_start(shape, row));
    }
    oro_free(bytes);
    return ok;
}

bool oro_samples_write(FILE *stream, const char *path, const struct oro_raster_shape *shape,
                       const float *samples, struct oro_error *err)
{
    size_t row_bytes = (size_t)shape->width * (size_t)oro_sample_bytes(shape);
    unsigned char *bytes = oro_alloc(row_bytes, 1);
    if (!bytes)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    bool ok = true;
    for (int row = 0; ok && row < shape->height; row++) {
        oro_samples_encode(shape, samples + row_start(shape, row), bytes);
        ok = fwrite(bytes, 1, row_bytes, stream) == row_bytes;
    }
    if (!ok)
        oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path, strerror(errno));
    oro_free(bytes);
    return ok;
}
