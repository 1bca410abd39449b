#include "nodes/control_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* The highest and the deepest elevation that is taken, and the longest number. */
enum { ELEVATION_MAX = 1000000, WORD_MAX = 40 };

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
static bool read_numbers(const char *at, const char *end, int number, double out[3], struct oro_error *err)
{
    char word[WORD_MAX];
    int count = 0;
    for (; next_word(&at, end, word); count++) {
        double value;
        if (!oro_parse_number(word, &value))
            return oro_fail(err, ORO_E_DOCUMENT, "point %d: '%s' is not a number", number, word);
        if (count < 3)
            out[count] = value;
    }
    return count == 3 ||
           oro_fail(err, ORO_E_DOCUMENT,
                    "point %d has %d number%s; write \"x y elevation\", with ';' between points", number,
                    count, count == 1 ? "" : "s");
}

static bool place(const double xyz[3], const struct oro_grid *grid, int number, struct oro_control_point *to,
                  struct oro_error *err)
{
    double width = grid->width * grid->cell, height = grid->height * grid->cell;
    double x = xyz[0] - grid->x, y = xyz[1] - grid->y;
    if (!(x >= 0 && x <= width && y >= 0 && y <= height))
        return oro_fail(err, ORO_E_DOCUMENT,
                        "point %d lies at %g %g, outside the terrain, which is %g to %g and %g to %g", number,
                        xyz[0], xyz[1], grid->x, grid->x + width, grid->y, grid->y + height);
    if (!(fabs(xyz[2]) <= ELEVATION_MAX))
        return oro_fail(err, ORO_E_DOCUMENT, "point %d: the elevation %g is beyond %d m", number, xyz[2],
                        ELEVATION_MAX);
    int column = (int)fmin(floor(x / grid->cell), grid->width - 1);
    int row = (int)fmin(floor(y / grid->cell), grid->height - 1);
    *to = (struct oro_control_point){row * grid->width + column, (float)xyz[2], number};
    return true;
}

/* Points end with ';'; the last one need not. */
static bool read_all(const char *text, const struct oro_grid *grid, struct oro_control_points *points,
                     struct oro_error *err)
{
    for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
        double xyz[3];
        end = at + strcspn(at, ";");
        if (!*end && strspn(at, blanks) == strlen(at))
            break;
        int number = points->count + 1;
        if (number > ORO_CONTROL_POINTS_MAX)
            return oro_fail(err, ORO_E_DOCUMENT,
                            "there are more than %d points: link a field of constraints instead",
                            ORO_CONTROL_POINTS_MAX);
        if (!read_numbers(at, end, number, xyz, err) ||
            !place(xyz, grid, number, &points->items[points->count++], err))
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

/* Makes the `count` points of a cell, the first of `from`, one point at `to`. */
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

bool oro_control_points_read(const char *text, const struct oro_grid *grid, bool share,
                             struct oro_control_points *points, struct oro_error *err)
{
    *points = (struct oro_control_points){.items = oro_alloc(ORO_CONTROL_POINTS_MAX, sizeof *points->items)};
    if (!points->items)
        return oro_fail(err, ORO_E_MEMORY, "no memory for points");
    if (read_all(text ? text : "", grid, points, err) && merge(points, share, err))
        return true;
    oro_control_points_free(points);
    return false;
}

void oro_control_points_free(struct oro_control_points *points)
{
    oro_free(points->items);
    *points = (struct oro_control_points){0};
}
