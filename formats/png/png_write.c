/*
 * Writing PNG. libpng writes the chunks, but what is in them is filtered and compressed here by all
 * processors: bands of rows, cut by their bytes alone, each of which ends at a whole byte, so that they are
 * one zlib stream. libpng reports errors by longjmp, so the function that calls setjmp owns nothing.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

#include <zlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "formats/png/png.h"
#include "formats/png/png_private.h"
#include "formats/raw/samples.h"

/* Measured: docs/performance.md. What the filter leaves of a terrain's heights is nearly noise, in which
 * looking for repetitions makes files larger; pictures gain by it, and by a filter for every row. */
enum { LEVEL = 1, WINDOW_BITS = 15, MEMORY_LEVEL = 8 };

enum {
    BAND = 1 << 17, /* bytes of a band, or one row that has more */
    AT_ONCE = 128,  /* bands that are held */
    MARGIN = 64,    /* for what a flush adds to zlib's bound */
};

/* ---- What libpng and zlib call ---- */

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

static voidpf allocate(voidpf user, uInt count, uInt size)
{
    (void)user;
    return oro_alloc(count, size);
}

static void release(voidpf user, voidpf memory)
{
    (void)user;
    oro_free(memory);
}

/* ---- Rows ---- */

struct writer {
    struct oro_png_trouble trouble;
    FILE *stream;
    const char *path;
    int width, height, bits, channels;
    bool picture; /* not heights */
    const void *samples;
    void (*encode)(const struct writer *writer, size_t y, unsigned char *row);
    png_structp png;
    png_infop info;
    size_t pixel_bytes, row_bytes;
    size_t rows, room;  /* of a band; bytes that it may have */
    size_t first;       /* row of the bands that are held */
    unsigned char *out; /* what became of them */
    struct band {
        size_t size;
        uLong check; /* of what was compressed */
    } bands[AT_ONCE];
    uLong check; /* of all so far */
    atomic_bool failed;
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

/* ---- Filters (PNG specification, 9) ---- */

enum filter { SUB = 1, UP = 2, PAETH = 4 };

/* Zeros lie before each row. Written so that compilers make vectors of it. */
static void filter(enum filter how, const unsigned char *row, const unsigned char *above, size_t pixel,
                   size_t count, unsigned char *out)
{
    const unsigned char *left = row - pixel, *corner = above - pixel;
    *out++ = (unsigned char)how;
    if (how != PAETH) {
        const unsigned char *before = how == SUB ? left : above;
        for (size_t i = 0; i < count; i++)
            out[i] = (unsigned char)(row[i] - before[i]);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        int16_t a = left[i], b = above[i], c = corner[i];
        int16_t across = (int16_t)(b - c), down = (int16_t)(a - c), both = (int16_t)(across + down);
        int16_t pa = across < 0 ? (int16_t)-across : across, pb = down < 0 ? (int16_t)-down : down;
        int16_t pc = both < 0 ? (int16_t)-both : both;
        int16_t upper = pb <= pc ? b : c;
        int16_t best = pa <= pb && pa <= pc ? a : upper;
        out[i] = (unsigned char)(row[i] - best);
    }
}

/* The filter that leaves the least: how far the differences are from 0, all together. */
static void filter_best(const unsigned char *row, const unsigned char *above, size_t pixel, size_t count,
                        unsigned char *out)
{
    static const enum filter filters[] = {SUB, UP, PAETH};
    unsigned least = UINT_MAX;
    enum filter best = SUB;
    for (size_t k = 0; k < sizeof filters / sizeof filters[0]; k++) {
        filter(filters[k], row, above, pixel, count, out);
        unsigned weight = 0;
        for (size_t i = 1; i <= count; i++)
            weight += (unsigned)(out[i] < 128 ? out[i] : 256 - out[i]);
        best = weight < least ? filters[k] : best;
        least = weight < least ? weight : least;
    }
    if (best != PAETH)
        filter(best, row, above, pixel, count, out);
}

/* ---- Bands ---- */

/* What a thread works with: two rows behind zeros, and a band of them that are filtered. */
struct bench {
    unsigned char *above, *row, *filtered;
    z_stream z;
};

static size_t filter_rows(const struct writer *writer, struct bench *bench, size_t first, size_t end)
{
    size_t pixel = writer->pixel_bytes, count = writer->row_bytes;
    unsigned char *out = bench->filtered;
    if (first > 0)
        writer->encode(writer, first - 1, bench->above);
    else
        memset(bench->above, 0, count);
    for (size_t y = first; y < end; y++, out += count + 1) {
        unsigned char *row = bench->row;
        writer->encode(writer, y, row);
        if (writer->picture)
            filter_best(row, bench->above, pixel, count, out);
        else
            filter(PAETH, row, bench->above, pixel, count, out);
        bench->row = bench->above;
        bench->above = row;
    }
    return (size_t)(out - bench->filtered);
}

static bool make_band(struct writer *writer, struct bench *bench, size_t number)
{
    size_t height = (size_t)writer->height, first = writer->first + number * writer->rows;
    size_t end = first + writer->rows < height ? first + writer->rows : height;
    size_t count = filter_rows(writer, bench, first, end);
    z_stream *z = &bench->z;
    if (deflateReset(z) != Z_OK)
        return false;
    z->next_in = bench->filtered;
    z->avail_in = (uInt)count;
    z->next_out = writer->out + number * writer->room;
    z->avail_out = (uInt)writer->room;
    int result = deflate(z, end == height ? Z_FINISH : Z_SYNC_FLUSH);
    writer->bands[number] =
        (struct band){.size = writer->room - z->avail_out,
                      .check = adler32(adler32(0, NULL, 0), bench->filtered, (uInt)count)};
    return end == height ? result == Z_STREAM_END : result == Z_OK && z->avail_in == 0 && z->avail_out > 0;
}

static void make_bands(void *user, size_t first, size_t end)
{
    struct writer *writer = user;
    size_t row = writer->pixel_bytes + writer->row_bytes;
    unsigned char *memory = oro_alloc(2 * row + writer->rows * (writer->row_bytes + 1), 1);
    struct bench bench = {.z = {.zalloc = allocate, .zfree = release}};
    bool ok = memory && deflateInit2(&bench.z, LEVEL, Z_DEFLATED, -WINDOW_BITS, MEMORY_LEVEL,
                                     writer->picture ? Z_FILTERED : Z_RLE) == Z_OK;
    if (ok) {
        bench.above = memory + writer->pixel_bytes;
        bench.row = bench.above + row;
        bench.filtered = memory + 2 * row;
    }
    for (size_t i = first; ok && i < end; i++)
        ok = make_band(writer, &bench, i);
    deflateEnd(&bench.z);
    oro_free(memory);
    if (!ok)
        atomic_store(&writer->failed, true);
}

/* ---- The picture ---- */

static void write_head(const struct writer *writer)
{
    static const int types[] = {
        [1] = PNG_COLOR_TYPE_GRAY, [3] = PNG_COLOR_TYPE_RGB, [4] = PNG_COLOR_TYPE_RGB_ALPHA};
    png_structp png = writer->png;
    png_init_io(png, writer->stream);
    png_set_user_limits(png, ORO_HEIGHTFIELD_SIDE_MAX, ORO_HEIGHTFIELD_SIDE_MAX);
    png_set_IHDR(png, writer->info, (png_uint_32)writer->width, (png_uint_32)writer->height, writer->bits,
                 types[writer->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, writer->info);
}

/* False: memory is out. */
static bool write_bands(struct writer *writer, const png_byte *chunk)
{
    size_t height = (size_t)writer->height, left = height;
    for (; writer->first < height; writer->first += AT_ONCE * writer->rows) {
        size_t bands = 1;
        while (bands < AT_ONCE && bands * writer->rows < left)
            bands++;
        oro_parallel(bands, 1, make_bands, writer);
        if (atomic_load(&writer->failed))
            return false;
        for (size_t i = 0; i < bands; i++) {
            size_t rows = left < writer->rows ? left : writer->rows;
            left -= rows;
            writer->check = adler32_combine(writer->check, writer->bands[i].check,
                                            (z_off_t)(rows * (writer->row_bytes + 1)));
            png_write_chunk(writer->png, chunk, writer->out + i * writer->room, writer->bands[i].size);
        }
    }
    return true;
}

/* The chunks of a compressed picture are ours, and so is the end, which libpng refuses to write behind them:
 * the head of a zlib stream, the bands, and the stream's check. */
static bool write_guarded(struct writer *writer)
{
    static const png_byte data[] = "IDAT", end[] = "IEND", head[] = {0x78, 0x01};
    png_byte last[4];
    if (setjmp(png_jmpbuf(writer->png)))
        return false;
    write_head(writer);
    png_write_chunk(writer->png, data, head, sizeof head);
    writer->check = adler32(0, NULL, 0);
    if (!write_bands(writer, data))
        return false;
    png_save_uint_32(last, (png_uint_32)writer->check);
    png_write_chunk(writer->png, data, last, sizeof last);
    png_write_chunk(writer->png, end, NULL, 0);
    return true;
}

static bool make_room(struct writer *writer)
{
    size_t row = writer->row_bytes + 1, height = (size_t)writer->height;
    size_t most = BAND / row > 0 ? BAND / row : 1;
    writer->rows = height > 0 && height < most ? height : most;
    writer->room = compressBound((uLong)(writer->rows * row)) + MARGIN;
    size_t bands = (height + writer->rows - 1) / writer->rows;
    writer->out = oro_alloc(bands < AT_ONCE ? bands : AT_ONCE, writer->room);
    writer->png =
        png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &writer->trouble, oro_png_on_error,
                                  oro_png_on_warning, &writer->trouble, oro_png_allocate, oro_png_release);
    writer->info = writer->png ? png_create_info_struct(writer->png) : NULL;
    return writer->out && writer->info;
}

static bool write_png(struct writer *writer, struct oro_error *err)
{
    writer->pixel_bytes = (size_t)(writer->channels * writer->bits / 8);
    writer->row_bytes = (size_t)writer->width * writer->pixel_bytes;
    bool room = make_room(writer), ok = room && write_guarded(writer);
    png_destroy_write_struct(&writer->png, &writer->info);
    oro_free(writer->out);
    if (ok)
        return true;
    if (!room || writer->trouble.out_of_memory || atomic_load(&writer->failed))
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
                            .channels = 1,
                            .samples = samples,
                            .encode = encode_levels};
    return write_png(&writer, err);
}

bool oro_png_write_picture(FILE *stream, const char *path, const struct oro_png_picture *picture,
                           struct oro_error *err)
{
    struct writer writer = {.stream = stream,
                            .path = path,
                            .width = picture->width,
                            .height = picture->height,
                            .bits = 8,
                            .channels = picture->rgba ? 4 : picture->channels,
                            .picture = true,
                            .samples = picture->rgba ? (const void *)picture->rgba : picture->bytes,
                            .encode = picture->rgba ? encode_colours : encode_bytes};
    return write_png(&writer, err);
}

bool oro_png_encode(const char *path, const struct oro_png_picture *picture, char **bytes, size_t *size,
                    struct oro_error *err)
{
    *bytes = NULL;
    FILE *stream = open_memstream(bytes, size);
    bool ok = stream && oro_png_write_picture(stream, path, picture, err);
    if (!stream || (fclose(stream) != 0 && ok))
        ok = oro_fail(err, ORO_E_MEMORY, "no memory for the picture '%s'", path);
    if (!ok) {
        oro_free(*bytes);
        *bytes = NULL;
    }
    return ok;
}
