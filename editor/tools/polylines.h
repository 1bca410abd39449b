/* The text of a network input, taken apart so that its points can be edited: each point keeps the count of
 * numbers with which it was written, and lines stay separate. No window here. */
#ifndef ED_VIEW_POLYLINES_H
#define ED_VIEW_POLYLINES_H

#include <stdbool.h>
#include <stddef.h>

struct ed_vertex {
    double numbers[4]; /* x, y, elevation, width */
    int count;         /* of the numbers: 2 to 4 */
    int line;          /* rises by one from line to line */
};
struct ed_polylines {
    struct ed_vertex *items;
    size_t count, capacity;
};

/* False: it is no network, or memory is out. */
bool ed_polylines_parse(const char *text, struct ed_polylines *lines);
/* The caller frees. NULL: memory is out. */
char *ed_polylines_format(const struct ed_polylines *lines);
/* Inserts a point after the one before `before`, into the same line, with elevation and width if its
 * neighbours have them. False: memory is out, or `before` is 0 and there are points. */
bool ed_polylines_insert(struct ed_polylines *lines, size_t before, double x, double y);
/* A line of one point, at the end. */
bool ed_polylines_add_line(struct ed_polylines *lines, double x, double y);
void ed_polylines_remove(struct ed_polylines *lines, size_t at);
/* Whether the next point is in the same line. */
bool ed_polylines_goes_on(const struct ed_polylines *lines, size_t at);
void ed_polylines_free(struct ed_polylines *lines);

#endif
