/* Distances, rises and profiles over a picture. No window here. */
#ifndef ED_VIEW_MEASURE_H
#define ED_VIEW_MEASURE_H

#include "editor/live/picture.h"

struct ed_distance {
    double length;      /* metres, on the map */
    bool has_height;    /* both ends lie on the picture, and it is a terrain */
    double rise;        /* metres, from the first to the second */
    double slope;       /* degrees, of the straight line between them */
    double over_ground; /* metres, up and down along the ground */
};
/* `picture` may be NULL: then it is the length alone. */
struct ed_distance ed_distance_of(const struct ed_picture *picture, const double a[2], const double b[2]);
/* Degrees, by central differences over two cells. NaN outside. */
double ed_slope_at(const struct ed_picture *picture, double x, double y);

enum { ED_PROFILE_SAMPLES = 512 };
struct ed_section {
    int count;
    double length; /* metres */
    double low, high;
    float values[ED_PROFILE_SAMPLES]; /* at equal steps along the line; NaN beside the picture */
};
/* Along the polyline of `count` points, x and y in turn. Fewer than two, or none apart: a count of 0. */
void ed_section_of(const struct ed_picture *picture, const double *points, int count,
                   struct ed_section *section);
/* The place at a distance along the line, in metres. */
void ed_along(const double *points, int count, double distance, double place[2]);
/* 1, 2 or 5 times a power of ten: some `parts` of them make `range`. */
double ed_round_step(double range, int parts);

#endif
