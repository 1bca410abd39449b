/*
 * Writing PNG. libpng writes the chunks, but what is in them is filtered and compressed by all processors
 * here and in deflate.c. libpng reports errors by longjmp, so the function that calls setjmp owns nothing.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "formats/format.h"
#include "formats/png/deflate.h"
#include "formats/png/png.h"
#include "formats/png/png_private.h"
#include "formats/raw/samples.h"

/* Bytes of rows that are held at once; those that are worth a thread. */
enum { BATCH = 1 << 24, LEAST = 1 << 16 };

/* Measured: docs/performance.md. What the filter leaves of a terrain's heights is nearly noise, in which
 * looking for repetitions makes files larger; pictures gain by it, and by a filter for every row. */
enum { LEVEL = 1 };

/* ---- What libpng calls ---- */

void oro_png_on_error(png_structp png, png_const_charp text)
{
    struct oro_png_trouble *trouble = png_get_error_ptr(png);
    trouble->reason = errno;
    snprintf(trouble->text, sizeof trouble->text, "%s", text);
    png_longjmp(png, 1);
}

/* Warnings concern colours and text, which a heightfield does not use. */
void oro_png_on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

png_voidp oro_png_allocate(png_structp png, png_alloc_size_t size)
{
    void *memory = oro_alloc(size, 1);
    struct oro_png_trouble *trouble = png_get_mem_ptr(png);
    if (!memory)
        trouble->out_of_memory = true;
    return memory;
}

void oro_png_release(png_structp png, png_voidp memory)
{
    (void)png;
    oro_free(memory);
}

/* ---- Rows ---- */

struct writer {
    struct oro_png_trouble trouble;
    FILE *stream;
    const char *path;
    int width, height, bits, colour_type;
    size_t pixel_bytes, row_bytes;
    bool picture; /* not heights */
    const void *samples;
    void (*encode)(const struct writer *writer, size_t y, unsigned char *row);
    png_structp png;
    png_infop info;
    size_t first, rows;      /* of the picture: the batch's first row; rows of a batch */
    unsigned char *raw;      /* the row before the batch, then the batch's */
    unsigned char *filtered; /* ORO_DEFLATE_HISTORY bytes before the batch's, then these */
    struct oro_deflate deflate;
};

static void encode_levels(const struct writer *writer, size_t y, unsigned char *row)
{
    const struct oro_raster_shape shape = {
        .width = writer->width, .height = 1, .largest = 65535, .big_endian = true};
    oro_samples_encode(&shape, (const float *)writer->samples + y * (size_t)writer->width, row);
}

static void encode_colours(const struct writer *writer, size_t y, unsigned char *row)
{
    size_t count = (size_t)writer->width * 4;
    const float *values = (const float *)writer->samples + y * count;
    for (size_t i = 0; i < count; i++) {
        float value = values[i] > 0 ? values[i] : 0; /* NaN becomes 0 */
        row[i] = (unsigned char)(int32_t)((value < 1 ? value : 1) * 255.0F + 0.5F);
    }
}

static void encode_bytes(const struct writer *writer, size_t y, unsigned char *row)
{
    memcpy(row, (const unsigned char *)writer->samples + y * writer->row_bytes, writer->row_bytes);
}

static void encode_rows(void *user, size_t first, size_t end)
{
    const struct writer *writer = user;
    for (size_t y = first; y < end; y++)
        writer->encode(writer, writer->first + y, writer->raw + (y + 1) * writer->row_bytes);
}

/* ---- Filters (PNG specification, 9) ---- */

enum filter { SUB = 1, UP = 2, PAETH = 4 };

static void filter_sub(const unsigned char *row, size_t pixel, size_t count, unsigned char *out)
{
    memcpy(out, row, pixel);
    for (size_t i = pixel; i < count; i++)
        out[i] = (unsigned char)(row[i] - row[i - pixel]);
}

static void filter_up(const unsigned char *row, const unsigned char *above, size_t count, unsigned char *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (unsigned char)(row[i] - above[i]);
}

/* Written so that compilers make vectors of it. */
static void filter_paeth(const unsigned char *row, const unsigned char *above, size_t pixel, size_t count,
                         unsigned char *out)
{
    filter_up(row, above, pixel, out);
    for (size_t i = pixel; i < count; i++) {
        int16_t a = row[i - pixel], b = above[i], c = above[i - pixel];
        int16_t across = (int16_t)(b - c), down = (int16_t)(a - c), both = (int16_t)(across + down);
        int16_t pa = across < 0 ? (int16_t)-across : across, pb = down < 0 ? (int16_t)-down : down;
        int16_t pc = both < 0 ? (int16_t)-both : both;
        int16_t upper = pb <= pc ? b : c;
        int16_t best = pa <= pb && pa <= pc ? a : upper;
        out[i] = (unsigned char)(row[i] - best);
    }
}

static void filter(enum filter how, const unsigned char *row, const unsigned char *above, size_t pixel,
                   size_t count, unsigned char *out)
{
    *out++ = (unsigned char)how;
    if (how == SUB)
        filter_sub(row, pixel, count, out);
    else if (how == UP)
        filter_up(row, above, count, out);
    else
        filter_paeth(row, above, pixel, count, out);
}

/* How far the differences are from 0, all together. */
static unsigned long weigh(const unsigned char *out, size_t count)
{
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (unsigned)(out[i] < 128 ? out[i] : 256 - out[i]);
    return sum;
}

/* The filter that leaves the least. */
static void filter_best(const unsigned char *row, const unsigned char *above, size_t pixel, size_t count,
                        unsigned char *out)
{
    static const enum filter filters[] = {SUB, UP, PAETH};
    unsigned long least = ULONG_MAX;
    enum filter best = SUB;
    for (size_t k = 0; k < sizeof filters / sizeof filters[0]; k++) {
        filter(filters[k], row, above, pixel, count, out);
        unsigned long weight = weigh(out + 1, count);
        best = weight < least ? filters[k] : best;
        least = weight < least ? weight : least;
    }
    if (best != PAETH)
        filter(best, row, above, pixel, count, out);
}

static void filter_rows(void *user, size_t first, size_t end)
{
    const struct writer *writer = user;
    size_t count = writer->row_bytes;
    for (size_t y = first; y < end; y++) {
        unsigned char *out = writer->filtered + ORO_DEFLATE_HISTORY + y * (count + 1);
        const unsigned char *above = writer->raw + y * count, *row = above + count;
        if (writer->picture)
            filter_best(row, above, writer->pixel_bytes, count, out);
        else
            filter(PAETH, row, above, writer->pixel_bytes, count, out);
    }
}

/* ---- The picture ---- */

/* Filters and compresses the next rows, which `raw` and `filtered` have room for. */
static bool compress_batch(struct writer *writer, size_t rows)
{
    size_t bytes = rows * (writer->row_bytes + 1), least = LEAST / writer->row_bytes + 1;
    size_t before = writer->first * (writer->row_bytes + 1);
    oro_parallel(rows, least, encode_rows, writer);
    oro_parallel(rows, least, filter_rows, writer);
    if (!oro_deflate_bytes(&writer->deflate, writer->filtered + ORO_DEFLATE_HISTORY, bytes, before,
                           writer->first + rows == (size_t)writer->height)) {
        writer->trouble.out_of_memory = true;
        return false;
    }
    memmove(writer->filtered, writer->filtered + bytes, ORO_DEFLATE_HISTORY);
    memcpy(writer->raw, writer->raw + rows * writer->row_bytes, writer->row_bytes);
    writer->first += rows;
    return true;
}

static void write_head(const struct writer *writer)
{
    png_structp png = writer->png;
    png_init_io(png, writer->stream);
    png_set_user_limits(png, ORO_HEIGHTFIELD_SIDE_MAX, ORO_HEIGHTFIELD_SIDE_MAX);
    png_set_IHDR(png, writer->info, (png_uint_32)writer->width, (png_uint_32)writer->height, writer->bits,
                 writer->colour_type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, writer->info);
}

/* The chunks of a compressed picture are ours, and so is the end, which libpng refuses to write behind them.
 */
static bool write_guarded(struct writer *writer)
{
    static const png_byte data[] = "IDAT", end[] = "IEND";
    if (setjmp(png_jmpbuf(writer->png)))
        return false;
    write_head(writer);
    while (writer->first < (size_t)writer->height) {
        size_t left = (size_t)writer->height - writer->first, size;
        if (!compress_batch(writer, left < writer->rows ? left : writer->rows))
            return false;
        const unsigned char *block;
        for (size_t i = 0; (block = oro_deflate_block(&writer->deflate, i, &size)) != NULL; i++)
            png_write_chunk(writer->png, data, block, size);
    }
    png_write_chunk(writer->png, end, NULL, 0);
    return true;
}

static bool make_room(struct writer *writer)
{
    size_t filtered = writer->row_bytes + 1;
    writer->rows = BATCH / filtered + 1;
    if (writer->rows > (size_t)writer->height)
        writer->rows = (size_t)writer->height;
    writer->raw = oro_alloc(writer->rows + 1, writer->row_bytes);
    writer->filtered = oro_alloc(ORO_DEFLATE_HISTORY + writer->rows * filtered, 1);
    writer->png =
        png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &writer->trouble, oro_png_on_error,
                                  oro_png_on_warning, &writer->trouble, oro_png_allocate, oro_png_release);
    writer->info = writer->png ? png_create_info_struct(writer->png) : NULL;
    return writer->raw && writer->filtered && writer->info &&
           oro_deflate_begin(&writer->deflate, writer->rows * filtered);
}

static bool write_png(struct writer *writer, struct oro_error *err)
{
    writer->deflate = (struct oro_deflate){.level = LEVEL, .runs = !writer->picture};
    if (!make_room(writer))
        writer->trouble.out_of_memory = true;
    bool ok = !writer->trouble.out_of_memory && write_guarded(writer);
    png_destroy_write_struct(&writer->png, &writer->info);
    oro_deflate_end(&writer->deflate);
    oro_free(writer->filtered);
    oro_free(writer->raw);
    if (ok)
        return true;
    if (writer->trouble.out_of_memory)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", writer->path);
    bool told = ferror(writer->stream) && writer->trouble.reason;
    return oro_fail(err, ORO_E_WRITE, "cannot write '%s': %s", writer->path,
                    told ? strerror(writer->trouble.reason) : writer->trouble.text);
}

bool oro_png_write(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                   const float *samples, struct oro_error *err)
{
    struct writer writer = {.stream = output->stream,
                            .path = output->path,
                            .width = shape->width,
                            .height = shape->height,
                            .bits = 16,
                            .colour_type = PNG_COLOR_TYPE_GRAY,
                            .pixel_bytes = 2,
                            .row_bytes = (size_t)shape->width * 2,
                            .samples = samples,
                            .encode = encode_levels};
    return write_png(&writer, err);
}

bool oro_png_write_bytes(FILE *stream, const char *path, int width, int height, int channels,
                         const unsigned char *bytes, struct oro_error *err)
{
    static const int types[] = {
        [1] = PNG_COLOR_TYPE_GRAY, [3] = PNG_COLOR_TYPE_RGB, [4] = PNG_COLOR_TYPE_RGB_ALPHA};
    struct writer writer = {.stream = stream,
                            .path = path,
                            .width = width,
                            .height = height,
                            .bits = 8,
                            .colour_type = types[channels],
                            .pixel_bytes = (size_t)channels,
                            .row_bytes = (size_t)width * (size_t)channels,
                            .picture = true,
                            .samples = bytes,
                            .encode = encode_bytes};
    return write_png(&writer, err);
}

bool oro_png_write_colours(FILE *stream, const char *path, int width, int height, const float *rgba,
                           struct oro_error *err)
{
    struct writer writer = {.stream = stream,
                            .path = path,
                            .width = width,
                            .height = height,
                            .bits = 8,
                            .colour_type = PNG_COLOR_TYPE_RGB_ALPHA,
                            .pixel_bytes = 4,
                            .row_bytes = (size_t)width * 4,
                            .picture = true,
                            .samples = rgba,
                            .encode = encode_colours};
    return write_png(&writer, err);
}
