/*
 * Points of a text file in any order. GDAL reads those that lie in rows; others are put in order first, from
 * north to south and west to east, in memory.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/gdal/gdal_private.h"

#define POINTS_BYTES_MAX ((size_t)1 << 32)

struct point {
    double x, y;
    const char *line;
    size_t length;
};

struct points {
    struct point *items;
    size_t count, capacity;
    const char *head; /* the line of names before them, or NULL */
    size_t head_length;
};

/* The number at the start of a text, and what follows it and its blanks. */
static const char *take_number(const char *at, const char *end, double *value)
{
    char word[ORO_NUMBER_SIZE * 2];
    size_t length = 0;
    while (at < end && strchr(" \t", *at))
        at++;
    while (at + length < end && !strchr(" \t,;\r", at[length]))
        length++;
    if (length == 0 || length >= sizeof word)
        return NULL;
    memcpy(word, at, length);
    word[length] = '\0';
    for (at += length; at < end && strchr(" \t", *at);)
        at++;
    return oro_parse_number(word, value) ? at + (at < end && strchr(",;", *at)) : NULL;
}

static bool add_line(struct points *points, const char *line, const char *end)
{
    struct point point = {.line = line, .length = (size_t)(end - line)};
    const char *rest = take_number(line, end, &point.x);
    if (!rest || !take_number(rest, end, &point.y)) {
        if (points->count == 0 && !points->head) {
            points->head = line;
            points->head_length = point.length;
        }
        return true;
    }
    if (!oro_reserve(&points->items, &points->capacity, points->count + 1, sizeof *points->items))
        return false;
    points->items[points->count++] = point;
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    if (p->y != q->y)
        return p->y > q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

static size_t put_line(char *text, size_t at, const char *line, size_t length)
{
    memcpy(text + at, line, length);
    text[at + length] = '\n';
    return at + length + 1;
}

/* A file of GDAL's in memory, which goes with the data set that it is opened as. */
static GDALDatasetH open_sorted(const struct points *points, size_t size)
{
    static const char *const drivers[] = {"XYZ", NULL};
    char name[64], *text = oro_gdal.VSIMalloc(size + points->count + 2);
    size_t at = 0;
    if (!text)
        return NULL;
    if (points->head)
        at = put_line(text, at, points->head, points->head_length);
    for (size_t i = 0; i < points->count; i++)
        at = put_line(text, at, points->items[i].line, points->items[i].length);
    snprintf(name, sizeof name, "/vsimem/points-%p.xyz", (void *)text);
    VSILFILE *file = oro_gdal.VSIFileFromMemBuffer(name, (GByte *)text, at, TRUE);
    if (!file)
        return NULL;
    oro_gdal.VSIFCloseL(file);
    GDALDatasetH set = oro_gdal.GDALOpenEx(name, GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                                           drivers, NULL, NULL);
    oro_gdal.VSIUnlink(name);
    return set;
}

GDALDatasetH oro_gdal_open_points(const char *path)
{
    struct points points = {0};
    void *text = NULL;
    size_t size = 0;
    GDALDatasetH set = NULL;
    if (!oro_file_read(path, POINTS_BYTES_MAX, &text, &size, NULL))
        return NULL;
    bool ok = true;
    for (const char *line = text, *end = line + size; ok && line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        ok = add_line(&points, line, stop);
        line = stop + 1;
    }
    if (ok && points.count > 0) {
        qsort(points.items, points.count, sizeof *points.items, by_place);
        set = open_sorted(&points, size);
    }
    oro_free(points.items);
    oro_free(text);
    return set;
}
