/* Colours are chosen by median cut (Heckbert 1982): the box of colours that would lose most is cut so that
 * half of its pixels are on either side. */
#include "tests/editor/small_png.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <png.h>

enum { BITS = 6, SIDE = 1 << BITS, CELLS = SIDE * SIDE * SIDE, COLOURS = 256 };

struct cell {
    uint64_t count, sum[3]; /* of the pixels in it */
};
struct box {
    int low[3], high[3]; /* cells, both ends included */
    uint64_t count;
};
struct palette {
    struct cell cells[CELLS];
    unsigned char index[CELLS];
    struct box boxes[COLOURS];
    int count;
};

static int cell_of(int r, int g, int b)
{
    return (r * SIDE + g) * SIDE + b;
}

static int cell_at(const unsigned char *pixel)
{
    return cell_of(pixel[0] >> (8 - BITS), pixel[1] >> (8 - BITS), pixel[2] >> (8 - BITS));
}

static void count_pixels(struct palette *palette, const unsigned char *rgb, int width, int height, int stride)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const unsigned char *pixel = rgb + (size_t)y * (size_t)stride + 3 * (size_t)x;
            struct cell *cell = &palette->cells[cell_at(pixel)];
            cell->count++;
            for (int k = 0; k < 3; k++)
                cell->sum[k] += pixel[k];
        }
}

/* Counts the pixels of each slice of a box along an axis, and shrinks the box to where there are some. */
static void slices(const struct palette *palette, const struct box *box, int axis, uint64_t counts[SIDE])
{
    memset(counts, 0, SIDE * sizeof counts[0]);
    for (int r = box->low[0]; r <= box->high[0]; r++)
        for (int g = box->low[1]; g <= box->high[1]; g++)
            for (int b = box->low[2]; b <= box->high[2]; b++) {
                int at[3] = {r, g, b};
                counts[at[axis]] += palette->cells[cell_of(r, g, b)].count;
            }
}

static void shrink(const struct palette *palette, struct box *box)
{
    uint64_t counts[SIDE];
    for (int axis = 0; axis < 3; axis++) {
        slices(palette, box, axis, counts);
        while (box->low[axis] < box->high[axis] && counts[box->low[axis]] == 0)
            box->low[axis]++;
        while (box->high[axis] > box->low[axis] && counts[box->high[axis]] == 0)
            box->high[axis]--;
    }
    box->count = 0;
    for (int i = box->low[2]; i <= box->high[2]; i++)
        box->count += counts[i];
}

/* Large boxes weigh more than their pixels: rare colours, such as those of icons, are not lost. */
static double weight(const struct box *box)
{
    double size = 0;
    for (int axis = 0; axis < 3; axis++)
        size += (double)(box->high[axis] - box->low[axis]) * (box->high[axis] - box->low[axis]);
    return size * (200 + (double)box->count);
}

static bool cut(struct palette *palette)
{
    struct box *box = &palette->boxes[0];
    for (int i = 1; i < palette->count; i++)
        if (weight(&palette->boxes[i]) > weight(box))
            box = &palette->boxes[i];
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box->high[k] - box->low[k] > box->high[axis] - box->low[axis])
            axis = k;
    if (box->high[axis] == box->low[axis])
        return false;
    uint64_t counts[SIDE], sum = 0;
    slices(palette, box, axis, counts);
    int at = box->low[axis];
    for (; at < box->high[axis] - 1 && sum + counts[at] < box->count / 2; at++)
        sum += counts[at];
    struct box *other = &palette->boxes[palette->count++];
    *other = *box;
    box->high[axis] = at;
    other->low[axis] = at + 1;
    shrink(palette, box);
    shrink(palette, other);
    return true;
}

/* The mean of a box, and its index for all of its cells. */
static png_color settle(struct palette *palette, int i)
{
    const struct box *box = &palette->boxes[i];
    uint64_t sum[3] = {0}, count = 0;
    for (int r = box->low[0]; r <= box->high[0]; r++)
        for (int g = box->low[1]; g <= box->high[1]; g++)
            for (int b = box->low[2]; b <= box->high[2]; b++) {
                const struct cell *cell = &palette->cells[cell_of(r, g, b)];
                palette->index[cell_of(r, g, b)] = (unsigned char)i;
                count += cell->count;
                for (int k = 0; k < 3; k++)
                    sum[k] += cell->sum[k];
            }
    count = count ? count : 1;
    return (png_color){(png_byte)(sum[0] / count), (png_byte)(sum[1] / count), (png_byte)(sum[2] / count)};
}

static void choose_colours(struct palette *palette, png_color colours[COLOURS])
{
    palette->count = 1;
    palette->boxes[0] = (struct box){{0, 0, 0}, {SIDE - 1, SIDE - 1, SIDE - 1}, 0};
    shrink(palette, &palette->boxes[0]);
    while (palette->count < COLOURS && cut(palette))
        continue;
    for (int i = 0; i < palette->count; i++)
        colours[i] = settle(palette, i);
}

/* Rows of colours, or of indices where there is a palette. */
static bool write_rows(FILE *file, const png_color *colours, int count, const unsigned char *rows, int width,
                       int height, int stride)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    png_set_compression_level(png, 9);
    png_set_filter(png, 0, colours ? PNG_FILTER_NONE : PNG_ALL_FILTERS);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8,
                 colours ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (colours)
        png_set_PLTE(png, info, colours, count);
    png_write_info(png, info);
    for (int y = 0; y < height; y++)
        png_write_row(png, rows + (size_t)y * (size_t)stride);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

static bool write_indexed(FILE *file, const unsigned char *rgb, int width, int height, int stride)
{
    png_color colours[COLOURS];
    struct palette *palette = calloc(1, sizeof *palette);
    unsigned char *indices = malloc((size_t)width * (size_t)height);
    bool ok = palette && indices;
    if (ok) {
        count_pixels(palette, rgb, width, height, stride);
        choose_colours(palette, colours);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                indices[(size_t)y * (size_t)width + (size_t)x] =
                    palette->index[cell_at(rgb + (size_t)y * (size_t)stride + 3 * (size_t)x)];
        ok = write_rows(file, colours, palette->count, indices, width, height, width);
    }
    free(palette);
    free(indices);
    return ok;
}

bool small_png_write(const char *path, const unsigned char *rgb, int width, int height, int stride)
{
    FILE *file = fopen(path, "wb");
    bool ok = file && write_rows(file, NULL, 0, rgb, width, height, stride);
    if (ok && ftell(file) > SMALL_PNG_BYTES) {
        rewind(file);
        ok = ftruncate(fileno(file), 0) == 0 && write_indexed(file, rgb, width, height, stride);
    }
    if (file)
        ok = fclose(file) == 0 && ok;
    return ok;
}
