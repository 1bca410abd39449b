/*
 * Cells without a height. A hole within the ground is a place that a survey missed, such as the voids of
 * SRTM in steep valleys: it is interpolated from its rim. What is connected with the border lies beyond the
 * survey, or is the sea.
 */
#include <math.h>
#include <stdint.h>

#include "base/memory.h"
#include "formats/gdal/gdal_private.h"
#include "formats/nodata.h"

/* A hole whose middle is further from the ground than this keeps the smooth continuation of the ground:
 * inverse distances from rims so far apart draw rays across it, and take a time that grows with the cube. */
enum { REACH = 100 };

/* Averages over the neighbours within a hole, which take away the cracks where other parts of the rim come to
 * be the nearest. With many more the hole is a plain that the ground breaks off to. */
enum { SMOOTHINGS = 4 };

struct holes {
    struct oro_heightfield *field;
    size_t *cells, count, capacity; /* of the one that is being followed */
    uint8_t *kept;                  /* 1: has a height, 0: to be interpolated */
    int left, top, right, bottom;   /* of all that are to be interpolated */
    bool failed;
};

enum { UNSEEN = 1, SEEN = 2 };

static void visit(struct holes *holes, int x, int y)
{
    struct oro_heightfield *field = holes->field;
    if (x < 0 || y < 0 || x >= field->width || y >= field->height || holes->failed)
        return;
    size_t cell = (size_t)y * (size_t)field->width + (size_t)x;
    void *cells = holes->cells;
    if (field->sea[cell] != UNSEEN)
        return;
    if (!oro_reserve(&cells, &holes->capacity, holes->count + 1, sizeof *holes->cells)) {
        holes->failed = true;
        return;
    }
    holes->cells = cells;
    field->sea[cell] = SEEN;
    holes->cells[holes->count++] = cell;
}

/* Marks the hole that was followed as filled, and, unless it is too wide, as to be interpolated. */
static void take_hole(struct holes *holes, int left, int top, int right, int bottom)
{
    bool narrow = right - left < 2 * REACH && bottom - top < 2 * REACH;
    for (size_t i = 0; i < holes->count; i++) {
        holes->field->sea[holes->cells[i]] = 0;
        holes->field->filled[holes->cells[i]] = 1;
        if (narrow)
            holes->kept[holes->cells[i]] = 0;
    }
    if (!narrow)
        return;
    holes->left = left < holes->left ? left : holes->left;
    holes->top = top < holes->top ? top : holes->top;
    holes->right = right > holes->right ? right : holes->right;
    holes->bottom = bottom > holes->bottom ? bottom : holes->bottom;
}

/* Follows the cells without height from one of them. */
static void follow(struct holes *holes, int x, int y)
{
    int width = holes->field->width, height = holes->field->height;
    int left = x, top = y, right = x, bottom = y;
    holes->count = 0;
    visit(holes, x, y);
    for (size_t i = 0; i < holes->count; i++) {
        int u = (int)(holes->cells[i] % (size_t)width), v = (int)(holes->cells[i] / (size_t)width);
        left = u < left ? u : left;
        right = u > right ? u : right;
        top = v < top ? v : top;
        bottom = v > bottom ? v : bottom;
        for (int k = 0; k < 9; k++)
            visit(holes, u + k % 3 - 1, v + k / 3 - 1);
    }
    if (left > 0 && top > 0 && right < width - 1 && bottom < height - 1)
        take_hole(holes, left, top, right, bottom);
}

/* GDAL's part: the box around the holes, and as far beyond as heights are taken from. */
static bool interpolate(const struct holes *holes)
{
    const struct oro_heightfield *field = holes->field;
    int left = holes->left > REACH ? holes->left - REACH : 0,
        top = holes->top > REACH ? holes->top - REACH : 0;
    int right = holes->right + REACH < field->width ? holes->right + REACH + 1 : field->width;
    int bottom = holes->bottom + REACH < field->height ? holes->bottom + REACH + 1 : field->height;
    size_t first = (size_t)top * (size_t)field->width + (size_t)left, row = (size_t)field->width;
    GDALDatasetH heights = oro_gdal_view(field->data + first, GDT_Float32, right - left, bottom - top,
                                         row * sizeof *field->data);
    GDALDatasetH kept = oro_gdal_view(holes->kept + first, GDT_Byte, right - left, bottom - top, row);
    char *options[] = {"TEMP_FILE_DRIVER=MEM", NULL};
    bool ok =
        heights && kept &&
        oro_gdal.GDALFillNodata(oro_gdal.GDALGetRasterBand(heights, 1), oro_gdal.GDALGetRasterBand(kept, 1),
                                REACH, 0, SMOOTHINGS, options, NULL, NULL) == CE_None;
    if (heights)
        oro_gdal.GDALClose(heights);
    if (kept)
        oro_gdal.GDALClose(kept);
    return ok;
}

/* The mask of the sea is 0 or 1 again; masks that are empty go. */
static void settle_masks(struct oro_heightfield *field, size_t cells)
{
    bool any_sea = false, any_filled = false;
    for (size_t i = 0; i < cells; i++) {
        field->sea[i] = field->sea[i] > 0 ? 1 : 0;
        any_sea = any_sea || field->sea[i] > 0;
        any_filled = any_filled || field->filled[i] > 0;
    }
    if (!any_sea) {
        oro_free(field->sea);
        field->sea = NULL;
    }
    if (!any_filled) {
        oro_free(field->filled);
        field->filled = NULL;
    }
}

static bool fill_holes(struct holes *holes, size_t cells, const struct oro_gdal_call *call,
                       struct oro_error *err)
{
    struct oro_heightfield *field = holes->field;
    for (size_t i = 0; i < cells; i++)
        holes->kept[i] = 1;
    for (size_t i = 0; i < cells && !holes->failed; i++)
        if (field->sea[i] == UNSEEN)
            follow(holes, (int)(i % (size_t)field->width), (int)(i / (size_t)field->width));
    settle_masks(field, cells);
    if (holes->failed)
        return oro_fail(err, ORO_E_MEMORY, "no memory to fill the holes of '%s'", call->path);
    return holes->right < 0 || interpolate(holes) ||
           oro_gdal_fail(call, ORO_E_FILE, "fill the holes of", err);
}

bool oro_gdal_fill(struct oro_heightfield *field, const struct oro_gdal_call *call, struct oro_error *err)
{
    size_t cells = (size_t)field->width * (size_t)field->height;
    struct oro_error why = {0};
    if (!oro_heightfield_mark_nodata(field, (double)NAN, 0, &why))
        return oro_fail(err, why.code, "'%s': %s", call->path, why.text);
    if (!field->sea)
        return true;
    struct holes holes = {
        .field = field, .left = field->width, .top = field->height, .right = -1, .bottom = -1};
    holes.kept = oro_alloc(cells, 1);
    field->filled = oro_alloc(cells, sizeof *field->filled);
    bool ok = holes.kept && field->filled ? fill_holes(&holes, cells, call, err)
                                          : oro_fail(err, ORO_E_MEMORY, "no memory to fill '%s'", call->path);
    oro_free(holes.cells);
    oro_free(holes.kept);
    return ok;
}
