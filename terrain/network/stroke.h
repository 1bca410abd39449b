/*
 * Strokes: lines drawn by hand, as many samples close to each other, and the few points of the curve that
 * stands for them. Curves are those that uplifts along lines follow (nodes/uplift/uplift_lines.h): uniform
 * quadratic B-splines with the points as control points, from the first point to the last; with the first
 * point named once more at the end (four points or more), a ring. Width and strength go along as two further
 * coordinates. Any thread may call anything.
 */
#ifndef ORO_TERRAIN_NETWORK_STROKE_H
#define ORO_TERRAIN_NETWORK_STROKE_H

#include <stdbool.h>
#include <stddef.h>

struct oro_stroke_point {
    double x, y;
    double width;    /* metres */
    double strength; /* 0..1 */
};
/* Zeroed is empty. Functions that fill one replace what it held; they return false if memory is out. */
struct oro_stroke {
    struct oro_stroke_point *items;
    size_t count, capacity;
};
bool oro_stroke_add(struct oro_stroke *stroke, struct oro_stroke_point point);
void oro_stroke_free(struct oro_stroke *stroke);
double oro_stroke_length(const struct oro_stroke *stroke);
/* Whether the points are those of a ring. */
bool oro_stroke_is_ring(const struct oro_stroke *points);

/* Samples at equal distances of about `step` along the line, with its first and its last point; at most
 * ORO_STROKE_SAMPLES. A line without length is one point. */
enum { ORO_STROKE_SAMPLES = 2048, ORO_STROKE_POINTS = 160 };
bool oro_stroke_even(const struct oro_stroke *line, double step, struct oro_stroke *even);

/* The fewest points found whose curve passes within `tolerance` of every sample; at most ORO_STROKE_POINTS,
 * which may then be farther. Schneider 1990 ("An algorithm for automatically fitting digitized curves"), for
 * B-splines: parameters by chord length, least squares for the points, Newton steps for the parameters, and
 * more points while the farthest sample is too far. A ring is fitted as a ring if `ring`, whose samples end
 * where they began. */
bool oro_stroke_fit(const struct oro_stroke *samples, double tolerance, bool ring, struct oro_stroke *points);
/* The same for straight pieces: those samples that Ramer 1972 keeps. `per_strength`: metres that a difference
 * of 1 in strength counts for. */
bool oro_stroke_corners(const struct oro_stroke *samples, double tolerance, double per_strength,
                        struct oro_stroke *points);
/* The curve of points, as samples every `step` metres; `smooth` false: straight pieces. */
bool oro_stroke_along(const struct oro_stroke *points, bool smooth, double step, struct oro_stroke *samples);

/* Draws samples within `radius` of a place towards the middle of their neighbours, most of all at the place;
 * `amount` 0..1. The ends stay. */
void oro_stroke_relax(struct oro_stroke *samples, double x, double y, double radius, double amount);

#endif
