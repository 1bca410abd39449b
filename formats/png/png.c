/*
 * Reading PNG through libpng. libpng reports errors by longjmp, so the functions that call setjmp own
 * nothing: everything that must be released, or changes after setjmp, lies in a struct of their caller.
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <png.h>

#include "base/memory.h"
#include "formats/codec.h"
#include "formats/decode.h"
#include "formats/format.h"
#include "formats/png/png_private.h"

enum { SIGNATURE = 8, HEAD = 29, LEVELS_OF_8_BITS = 256 };

/* The state of an open file, between its rows. */
struct reader {
    struct oro_png_trouble trouble;
    struct oro_raster_file *source;
    const struct oro_raster_shape *shape;
    png_structp png;
    png_infop info;
    unsigned char *rows; /* one row, or all rows if the file is interlaced */
    size_t row_bytes;
    bool interlaced;
    int next;                     /* the row that libpng gives next */
    int channels, colours, bytes; /* in `rows` */
    int file_bits;
    const struct oro_cell_window *window;
    float *samples; /* of the window */
    bool warned;
    bool seen[LEVELS_OF_8_BITS];
    bool coloured;              /* the colours of a pixel differ, and nothing says how to decode them */
    int coloured_x, coloured_y; /* the first such pixel */
    unsigned colour[3];
};

/* Deflate cannot compress to less than 1/1032: a file too short for its size is refused before anything is
 * allocated for it. */
static bool check_plausible(const struct oro_raster_file *source, const struct oro_raster_shape *shape,
                            const unsigned char *head, struct oro_error *err)
{
    static const int channels_of[7] = {1, 0, 3, 1, 2, 0, 4};
    unsigned bits = head[24], type = head[25];
    int channels = type < 7 ? channels_of[type] : 0;
    if (channels == 0 || (bits != 1 && bits != 2 && bits != 4 && bits != 8 && bits != 16))
        return oro_fail(err, ORO_E_FILE, "'%s' is damaged: no PNG has colour type %u with %u bits",
                        source->path, type, bits);
    uint64_t row = ((uint64_t)shape->width * (uint64_t)channels * bits + 7) / 8;
    if (row * (uint64_t)shape->height / 1032 > source->size)
        return oro_fail(err, ORO_E_FILE, "'%s' is truncated: %" PRIu64 " bytes cannot hold %dx%d cells",
                        source->path, source->size, shape->width, shape->height);
    return true;
}

/* Elevations are packed into three channels of 8 bits. */
static bool check_decoding(const struct oro_raster_file *source, const unsigned char *head,
                           struct oro_error *err)
{
    unsigned bits = head[24], type = head[25];
    bool colours =
        type == PNG_COLOR_TYPE_RGB || type == PNG_COLOR_TYPE_RGB_ALPHA || type == PNG_COLOR_TYPE_PALETTE;
    return !oro_decodes_metres(source->decode) || (colours && bits <= 8) ||
           oro_fail(err, ORO_E_FILE, "'%s' has %s: elevations as %s lie in colours of 8 bits", source->path,
                    colours ? "colours of 16 bits" : "no colours", oro_decode_words[source->decode]);
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Signature (8 bytes), length and name of the first chunk (8), width (4), height (4), bits (1), colour type
 * (1), ... */
static bool header(struct oro_raster_file *source, struct oro_raster_shape *shape, struct oro_error *err)
{
    unsigned char head[HEAD] = {0};
    size_t got = fread(head, 1, sizeof head, source->stream);
    if (got == 0)
        return oro_fail(err, ORO_E_FILE, "'%s' is empty", source->path);
    if (memcmp(head, "\x89PNG\r\n\x1a\n", got < SIGNATURE ? got : SIGNATURE) != 0)
        return oro_fail(err, ORO_E_FILE, "'%s' is not a PNG file but another kind of file", source->path);
    if (got < sizeof head)
        return oro_fail(err, ORO_E_FILE, "'%s' is truncated: it ends within its header", source->path);
    if (memcmp(head + SIGNATURE, "\0\0\0\rIHDR", 8) != 0)
        return oro_fail(err, ORO_E_FILE, "'%s' is damaged: it does not begin with a PNG header",
                        source->path);
    uint32_t width = big_endian(head + 16), height = big_endian(head + 20);
    if (!oro_raster_check_size(source, width, height, err))
        return false;
    *shape = (struct oro_raster_shape){.width = (int)width,
                                       .height = (int)height,
                                       .largest = oro_decodes_metres(source->decode) ? 0
                                                  : head[24] == 16                   ? 65535
                                                                                     : 255,
                                       .big_endian = true};
    return check_plausible(source, shape, head, err) && check_decoding(source, head, err);
}

static void pull_bytes(png_structp png, png_bytep bytes, size_t size)
{
    struct reader *reader = png_get_io_ptr(png);
    if (fread(bytes, 1, size, reader->source->stream) != size)
        png_error(png, "it ended early");
}

/* Lets libpng convert palettes to colours, and 1, 2 and 4 bits to 8. */
static void begin_reading(struct reader *reader)
{
    png_structp png = reader->png;
    png_set_read_fn(png, reader, pull_bytes);
    png_set_user_limits(png, ORO_HEIGHTFIELD_SIDE_MAX, ORO_HEIGHTFIELD_SIDE_MAX);
    png_set_chunk_malloc_max(png, 8000000);
    png_set_chunk_cache_max(png, 64);
    png_read_info(png, reader->info);
    reader->file_bits = png_get_bit_depth(png, reader->info);
    if (png_get_color_type(png, reader->info) == PNG_COLOR_TYPE_PALETTE)
        png_set_palette_to_rgb(png);
    else if (reader->file_bits < 8)
        png_set_expand_gray_1_2_4_to_8(png);
    if (png_get_valid(png, reader->info, PNG_INFO_tRNS))
        png_set_tRNS_to_alpha(png);
}

/* What is transparent has no height. */
static bool is_transparent(const struct reader *reader, const unsigned char *pixel)
{
    bool alpha = reader->channels == 2 || reader->channels == 4;
    const unsigned char *last = pixel + (reader->channels - 1) * reader->bytes;
    return alpha && last[0] == 0 && last[reader->bytes - 1] == 0;
}

static void note_colour(struct reader *reader, int x, const unsigned *colour)
{
    if (reader->coloured)
        return;
    reader->coloured = true;
    reader->coloured_x = x;
    reader->coloured_y = reader->next;
    memcpy(reader->colour, colour, sizeof reader->colour);
}

static void take_row(struct reader *reader, const unsigned char *row, float *out)
{
    size_t bytes = (size_t)reader->bytes, pixel = (size_t)reader->channels * bytes;
    unsigned colour[3] = {0};
    for (int x = 0; x < reader->shape->width; x++, row += pixel) {
        if (is_transparent(reader, row)) {
            out[x] = NAN;
            continue;
        }
        for (size_t c = 0; c < 3; c++) {
            const unsigned char *at = row + (reader->colours == 3 ? c * bytes : 0);
            colour[c] = bytes == 2 ? (unsigned)(at[0] << 8 | at[1]) : at[0];
        }
        if (reader->source->decode == ORO_DECODE_NONE && (colour[0] != colour[1] || colour[0] != colour[2]))
            note_colour(reader, x, colour);
        out[x] = oro_decode_colour(reader->source->decode, colour);
        if (bytes == 1)
            reader->seen[colour[1]] = true;
    }
}

/* All rows of an interlaced file come at once. */
static void make_rows(struct reader *reader, int passes)
{
    size_t height = (size_t)reader->shape->height;
    reader->interlaced = passes > 1;
    reader->rows = oro_alloc(reader->interlaced ? height : 1, reader->row_bytes);
    if (!reader->rows) {
        reader->trouble.out_of_memory = true;
        png_error(reader->png, "no memory");
    }
    for (int pass = 0; reader->interlaced && pass < passes; pass++)
        for (size_t y = 0; y < height; y++)
            png_read_row(reader->png, reader->rows + y * reader->row_bytes, NULL);
}

static void begin_rows(struct reader *reader)
{
    png_structp png = reader->png;
    begin_reading(reader);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, reader->info);
    reader->channels = png_get_channels(png, reader->info);
    reader->colours = reader->channels >= 3 ? 3 : 1;
    reader->bytes = png_get_bit_depth(png, reader->info) / 8;
    reader->row_bytes = png_get_rowbytes(png, reader->info);
    /* The header was read before, without libpng; the file must not have changed since. */
    if ((int)png_get_image_width(png, reader->info) != reader->shape->width ||
        (int)png_get_image_height(png, reader->info) != reader->shape->height ||
        reader->bytes != (reader->shape->largest > 255 ? 2 : 1))
        png_error(png, "it changed while being read");
    make_rows(reader, passes);
}

static bool read_guarded(struct reader *reader)
{
    if (setjmp(png_jmpbuf(reader->png)))
        return false;
    if (!reader->rows)
        begin_rows(reader);
    for (; reader->next < reader->window->y + reader->window->height; reader->next++) {
        size_t held = reader->interlaced ? (size_t)reader->next : 0;
        unsigned char *row = reader->rows + held * reader->row_bytes;
        if (!reader->interlaced)
            png_read_row(reader->png, row, NULL);
        take_row(reader, row,
                 reader->samples + (size_t)(reader->next - reader->window->y) * (size_t)reader->shape->width);
    }
    if (reader->next == reader->shape->height)
        png_read_end(reader->png, NULL);
    return true;
}

static bool fail_colours(const struct reader *reader, struct oro_error *err)
{
    const unsigned *colour = reader->colour;
    char what[100];
    snprintf(what, sizeof what, "cell %d,%d is %u, %u, %u", reader->coloured_x, reader->coloured_y, colour[0],
             colour[1], colour[2]);
    return oro_fail_colours(reader->source->path, what, err);
}

static bool fail_reading(const struct reader *reader, struct oro_error *err)
{
    const char *path = reader->source->path;
    if (reader->trouble.out_of_memory)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", path);
    if (ferror(reader->source->stream))
        return oro_fail(err, ORO_E_FILE, "cannot read '%s': %s", path, strerror(reader->trouble.reason));
    const char *what = feof(reader->source->stream) ? "truncated" : "damaged";
    return oro_fail(err, ORO_E_FILE, "'%s' is %s: %s", path, what, reader->trouble.text);
}

static void warn_of_steps(struct reader *reader)
{
    int levels = 0;
    for (int i = 0; i < LEVELS_OF_8_BITS; i++)
        levels += reader->seen[i];
    if (reader->bytes == 1 && reader->shape->largest > 0 && !reader->warned)
        oro_note(reader->source->log, ORO_WARNING,
                 "'%s' has %d bit%s (%d level%s): slopes will show steps; blur it or use a 16-bit file",
                 reader->source->path, reader->file_bits, reader->file_bits == 1 ? "" : "s", levels,
                 levels == 1 ? "" : "s");
    reader->warned = true;
}

static void end_png(struct reader *reader)
{
    oro_free(reader->rows);
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    *reader = (struct reader){.warned = reader->warned};
}

/* Before the first row, also where the rows are read once more. */
static bool begin(struct reader *reader, struct oro_raster_file *source, const struct oro_raster_shape *shape,
                  struct oro_error *err)
{
    end_png(reader);
    reader->source = source;
    reader->shape = shape;
    if (!oro_raster_seek(source, 0, err))
        return false;
    reader->png =
        png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &reader->trouble, oro_png_on_error,
                                 oro_png_on_warning, &reader->trouble, oro_png_allocate, oro_png_release);
    reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
    if (!reader->info)
        reader->trouble.out_of_memory = true;
    return reader->info || fail_reading(reader, err);
}

static bool read_rows(struct oro_raster_file *source, const struct oro_raster_shape *shape,
                      const struct oro_cell_window *window, float *samples, struct oro_error *err)
{
    if (!source->state)
        source->state = oro_alloc(1, sizeof(struct reader));
    struct reader *reader = source->state;
    if (!reader)
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", source->path);
    if (window->y == 0 && !begin(reader, source, shape, err))
        return false;
    reader->window = window;
    reader->samples = samples;
    if (!read_guarded(reader))
        return fail_reading(reader, err);
    if (reader->coloured)
        return fail_colours(reader, err);
    if (reader->next == shape->height)
        warn_of_steps(reader);
    return true;
}

static void end(struct oro_raster_file *source)
{
    if (source->state)
        end_png(source->state);
    oro_free(source->state);
    source->state = NULL;
}

const struct oro_codec oro_codec_png = {
    .name = "png",
    .colours = true,
    .extensions = (const char *const[]){"png", NULL},
    .written = {.largest = 65535, .big_endian = true},
    .header = header,
    .reads = ORO_WINDOWS_ROWS,
    .read = read_rows,
    .end = end,
    .writes = ORO_WINDOWS_WHOLE,
    .write = oro_png_write,
};
