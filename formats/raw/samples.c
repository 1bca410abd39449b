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

/* Of levels, or of floats: with `size` known beforehand, compilers make vectors of it. */
static inline void encode(const float *row, size_t count, size_t size, bool big, unsigned char *bytes)
{
    for (size_t x = 0; x < count; x++) {
        uint32_t bits = size == 2 ? (uint32_t)(int32_t)row[x] : 0;
        if (size == 4)
            memcpy(&bits, &row[x], sizeof bits);
        for (size_t i = 0; i < size; i++)
            bytes[size * x + i] = (unsigned char)(bits >> 8 * (big ? size - 1 - i : i));
    }
}

void oro_samples_encode(const struct oro_raster_shape *shape, const float *row, unsigned char *bytes)
{
    if (shape->largest > 0)
        encode(row, (size_t)shape->width, 2, shape->big_endian, bytes);
    else
        encode(row, (size_t)shape->width, 4, shape->big_endian, bytes);
}

void oro_samples_decode(const struct oro_raster_shape *shape, const unsigned char *bytes, float *row)
{
    int size = oro_sample_bytes(shape);
    for (int x = 0; x < shape->width; x++, bytes += size) {
        uint32_t bits = 0;
        for (int i = 0; i < size; i++)
            bits |= (uint32_t)bytes[shape->big_endian ? size - 1 - i : i] << (8 * i);
        if (shape->largest > 0)
            row[x] = (float)bits;
        else
            memcpy(&row[x], &bits, sizeof bits);
    }
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
        int at = shape->south_first ? shape->height - 1 - window->y - y : window->y + y;
        uint64_t cell = (uint64_t)at * (uint64_t)shape->width + (uint64_t)window->x;
        ssize_t got = oro_read_at(fileno(source->stream), bytes, size, shape->offset + cell * sample);
        ok = got == (ssize_t)size ||
             oro_fail(err, ORO_E_FILE,
                      got < 0 ? "cannot read '%s': %s" : "'%s' is truncated: it ended early%.0s",
                      source->path, strerror(errno));
        if (ok)
            oro_samples_decode(&row, bytes, samples + (size_t)y * (size_t)window->width);
    }
    oro_free(bytes);
    return ok;
}

/* Rows that are converted at once, by all processors, before they are written. */
struct rows {
    const struct oro_raster_shape *shape;
    const struct oro_cell_window *window;
    const float *samples;
    size_t stride, row_bytes;
    unsigned char *bytes;
    int first; /* row of the file */
};

static void encode_rows(void *user, size_t first, size_t end)
{
    const struct rows *rows = user;
    const struct oro_raster_shape *shape = rows->shape;
    struct oro_raster_shape row = *shape;
    row.width = rows->window->width;
    for (size_t i = first; i < end; i++) {
        int at = rows->first + (int)i,
            y = (shape->south_first ? shape->height - 1 - at : at) - rows->window->y;
        oro_samples_encode(&row, rows->samples + (size_t)y * rows->stride, rows->bytes + i * rows->row_bytes);
    }
}

/* Rows that are whole lie one behind the other. */
static bool write_rows(int file, const struct rows *rows, size_t count)
{
    const struct oro_raster_shape *shape = rows->shape;
    size_t sample = (size_t)oro_sample_bytes(shape),
           at_once = rows->window->width == shape->width ? count : 1;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i += at_once) {
        uint64_t cell = (uint64_t)(rows->first + (int)i) * (uint64_t)shape->width + (uint64_t)rows->window->x;
        ok = oro_write_at(file, rows->bytes + i * rows->row_bytes, at_once * rows->row_bytes,
                          shape->offset + cell * sample);
    }
    return ok;
}

bool oro_samples_put(int file, const char *path, const struct oro_raster_shape *shape,
                     const struct oro_cell_window *window, const float *samples, size_t stride,
                     struct oro_error *err)
{
    enum { ROOM = 1 << 22, LEAST = 1 << 16 }; /* bytes; those that are worth a thread */
    struct rows rows = {.shape = shape,
                        .window = window,
                        .samples = samples,
                        .stride = stride,
                        .row_bytes = (size_t)window->width * (size_t)oro_sample_bytes(shape),
                        .first = shape->south_first ? shape->height - window->y - window->height : window->y};
    size_t left = (size_t)window->height, most = ROOM / rows.row_bytes + 1;
    most = most < left ? most : left;
    rows.bytes = oro_alloc(most, rows.row_bytes);
    bool ok = rows.bytes || oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    for (size_t count; ok && left > 0; left -= count, rows.first += (int)count) {
        count = left < most ? left : most;
        oro_parallel(count, LEAST / rows.row_bytes + 1, encode_rows, &rows);
        ok = write_rows(file, &rows, count) ||
             oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", path, strerror(errno));
    }
    oro_free(rows.bytes);
    return ok;
}

bool oro_samples_write(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                       const float *samples, struct oro_error *err)
{
    const struct oro_cell_window all = {0, 0, shape->width, shape->height};
    return oro_samples_put(fileno(output->stream), output->path, shape, &all, samples, (size_t)shape->width,
                           err);
}
