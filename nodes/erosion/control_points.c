#include "nodes/erosion/control_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

enum { WORD_MAX = 40 }; /* the longest number */

static const struct oro_point_kind control_point = {"point", "elevation", -1e6, 1e6};

static const char blanks[] = " \t\r\n";

/* Copies the next word of [*at, end) and goes past it; one that is too long ends with dots, and is no number.
 * False: there is none. */
static bool next_word(const char **at, const char *end, char word[WORD_MAX])
{
    while (*at < end && strchr(blanks, **at))
        ++*at;
    size_t length = 0;
    for (; *at < end && !strchr(blanks, **at); ++*at, length++)
        if (length < WORD_MAX - 1)
            word[length] = (unsigned char)**at < 0x20 ? '?' : **at;
    if (length >= WORD_MAX)
        memcpy(word + WORD_MAX - 4, "...", 4);
    else
        word[length] = '\0';
    return length > 0;
}

/* The three numbers of a point. */
static bool read_numbers(const char *at, const char *end, const struct oro_point_kind *kind, int number,
                         double out[3], struct oro_error *err)
{
    char word[WORD_MAX];
    int count = 0;
    for (; next_word(&at, end, word); count++) {
        double value;
        if (!oro_parse_number(word, &value))
            return oro_fail(err, ORO_E_DOCUMENT, "%s %d: '%s' is not a number", kind->point, number, word);
        if (count < 3)
            out[count] = value;
    }
    return count == 3 ||
           oro_fail(err, ORO_E_DOCUMENT, "%s %d has %d number%s; write \"x y %s\", with ';' between %ss",
                    kind->point, number, count, count == 1 ? "" : "s", kind->value, kind->point);
}

static bool place(const double xyz[3], const struct oro_grid *grid, const struct oro_point_kind *kind,
                  int number, struct oro_control_point *to, struct oro_error *err)
{
    double width = grid->width * grid->cell, height = grid->height * grid->cell;
    double x = xyz[0] - grid->x, y = xyz[1] - grid->y;
    if (!(x >= 0 && x <= width && y >= 0 && y <= height))
        return oro_fail(
            err, ORO_E_DOCUMENT, "%s %d lies at %g %g, outside the terrain, which is %g to %g and %g to %g",
            kind->point, number, xyz[0], xyz[1], grid->x, grid->x + width, grid->y, grid->y + height);
    if (!(xyz[2] >= kind->least && xyz[2] <= kind->most))
        return oro_fail(err, ORO_E_DOCUMENT, "%s %d: the %s %g is not within %g to %g", kind->point, number,
                        kind->value, xyz[2], kind->least, kind->most);
    int column = (int)fmin(floor(x / grid->cell), grid->width - 1);
    int row = (int)fmin(floor(y / grid->cell), grid->height - 1);
    *to = (struct oro_control_point){(int64_t)row * grid->width + column, (float)xyz[2], number};
    return true;
}

/* Points end with ';'; the last one need not. */
static bool read_all(const char *text, const struct oro_grid *grid, const struct oro_point_kind *kind,
                     struct oro_control_points *points, struct oro_error *err)
{
    for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
        double xyz[3];
        end = at + strcspn(at, ";");
        if (!*end && strspn(at, blanks) == strlen(at))
            break;
        int number = points->count + 1;
        if (number > ORO_CONTROL_POINTS_MAX)
            return oro_fail(err, ORO_E_DOCUMENT, "there are more than %d %ss: link a field instead",
                            ORO_CONTROL_POINTS_MAX, kind->point);
        if (!read_numbers(at, end, kind, number, xyz, err) ||
            !place(xyz, grid, kind, number, &points->items[points->count++], err))
            return false;
    }
    return true;
}

static int by_cell(const void *first, const void *second)
{
    const struct oro_control_point *a = first, *b = second;
    return a->cell != b->cell ? (a->cell < b->cell ? -1 : 1)
                              : (a->number > b->number) - (a->number < b->number);
}

/* Merges the `count` points of a cell, the first of which is `from`, into one point at `to`. */
static bool merge_cell(const struct oro_control_point *from, int count, bool share,
                       struct oro_control_points *points, struct oro_control_point *to, struct oro_error *err)
{
    double sum = 0;
    bool differ = false;
    for (int i = 0; i < count; i++) {
        sum += (double)from[i].elevation;
        if (from[i].elevation == from[0].elevation)
            continue;
        differ = true;
        if (!share)
            return oro_fail(err, ORO_E_DOCUMENT,
                            "points %d and %d lie in the same cell and want %g m and %g m", from[0].number,
                            from[i].number, (double)from[0].elevation, (double)from[i].elevation);
    }
    points->shared += differ;
    float elevation = differ ? (float)(sum / count) : from[0].elevation;
    *to = (struct oro_control_point){from[0].cell, elevation, from[0].number};
    return true;
}

static bool merge(struct oro_control_points *points, bool share, struct oro_error *err)
{
    int kept = 0;
    if (points->count > 0)
        qsort(points->items, (size_t)points->count, sizeof *points->items, by_cell);
    for (int i = 0, next; i < points->count; i = next) {
        next = i + 1;
        while (next < points->count && points->items[next].cell == points->items[i].cell)
            next++;
        if (!merge_cell(&points->items[i], next - i, share, points, &points->items[kept++], err))
            return false;
    }
    points->count = kept;
    return true;
}

bool oro_points_read(const char *text, const struct oro_grid *grid, const struct oro_point_kind *kind,
                     struct oro_control_points *points, struct oro_error *err)
{
    *points = (struct oro_control_points){.items = oro_alloc(ORO_CONTROL_POINTS_MAX, sizeof *points->items)};
    if (!points->items)
        return oro_fail(err, ORO_E_MEMORY, "no memory for %ss", kind->point);
    if (read_all(text ? text : "", grid, kind, points, err))
        return true;
    oro_control_points_free(points);
    return false;
}

bool oro_control_points_read(const char *text, const struct oro_grid *grid, bool share,
                             struct oro_control_points *points, struct oro_error *err)
{
    if (!oro_points_read(text, grid, &control_point, points, err))
        return false;
    if (merge(points, share, err))
        return true;
    oro_control_points_free(points);
    return false;
}

void oro_control_points_free(struct oro_control_points *points)
{
    oro_free(points->items);
    *points = (struct oro_control_points){0};
}
