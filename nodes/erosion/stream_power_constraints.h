/* What the files of elevation constraints share: stream_power_constraints.c (places, buffers),
 * stream_power_control.c (the controllers), stream_power_valleys.c and stream_power_paths.c (flow paths down
 * for constraints that lie low), stream_power_report.c (what is said of them).
 */
#ifndef ORO_NODES_EROSION_STREAM_POWER_CONSTRAINTS_H
#define ORO_NODES_EROSION_STREAM_POWER_CONSTRAINTS_H

#include "nodes/erosion/stream_power.h"
#include "terrain/drainage/ground.h"

enum { ORO_CONSTRAINT_POINTS = 16384 }; /* at most */
enum { ORO_CONSTRAINT_BLOCK = 16 };     /* cells: lib/constraints.glsl */

/* A point as kernels read it (lib/constraints.glsl): the cell, the place in metres within the raster,
 * elevation, radius, what errors are relative to, the number of the controller. A place along the river below
 * constraint i has -1 - i instead: its controller may lower the ground there but not raise it, and
 * `elevation` is the uplift at the constraint, metres a year. */
struct oro_constraint_point {
    float column, row, x, y, elevation, radius, scale, controller;
};

/* Words of what stream_power_constraints_response.comp says of a constraint. */
enum {
    ORO_RESPONSE_HEIGHT,
    ORO_RESPONSE_LIFT,
    ORO_RESPONSE_COUNT,
    ORO_RESPONSE_EXIT,
    ORO_RESPONSE_UPLIFT,
    ORO_RESPONSE_BALANCED,
    ORO_RESPONSE_BALANCED_EXIT,
    ORO_RESPONSE_PAIRS
};
enum { ORO_RESPONSE_CONTROLLERS = 32, ORO_RESPONSE = ORO_RESPONSE_PAIRS + 2 * ORO_RESPONSE_CONTROLLERS };

/* Words of a controller: uplift added, metres a year; the last two errors; for how long the error has been
 * small; how long it has worked; how careful it is; its state; the years when it last looked; for how long
 * its river has left its reach too high; the height then; how far the ground at rest lies above what was
 * expected in balance. Durations are in response times of the ground, errors in `scale`. */
enum oro_control_word {
    ORO_CONTROL_ADDED,
    ORO_CONTROL_LAST,
    ORO_CONTROL_BEFORE,
    ORO_CONTROL_SMALL,
    ORO_CONTROL_WORKED,
    ORO_CONTROL_CARE,
    ORO_CONTROL_STATE,
    ORO_CONTROL_YEARS,
    ORO_CONTROL_HIGH,
    ORO_CONTROL_HEIGHT,
    ORO_CONTROL_BIAS
};
enum oro_control_state { ORO_CONTROL_WORKING, ORO_CONTROL_SETTLED, ORO_CONTROL_GIVEN_UP };

struct oro_stream_power_constraints {
    struct oro_constraint_point *points;
    int count, total; /* constraints; with the places in their valleys, which come after */
    int capacity, too_small;
    struct oro_buffer *on_device, *reach, *response;
    uint32_t *lists; /* what `reach` has: for each block where its list begins, and where the last one ends;
                        then the lists of points that reach the blocks */
    struct oro_dispatch respond, apply;
    double creep;             /* mean of what creeps, m^2 a year */
    struct oro_buffer *start; /* correction to begin with, or NULL */
    float *control, *heard;   /* of the controllers, and the response, while they are set */
    int *valleys;             /* how often each constraint's has been dug */
};

/* Adds a point. Fails with ORO_E_LIMIT, ORO_E_MEMORY. */
bool oro_constraints_add(struct oro_stream_power *sp, struct oro_constraint_point point);
/* The ground's outlets, basins among them; it has no heights. */
bool oro_constraints_ground(struct oro_stream_power *sp, struct oro_ground *ground);
/* Gives the points to the device. */
bool oro_constraints_upload(struct oro_stream_power *sp);

/* Whether steps have lengths, so that the ground has not yet answered when it is looked at again. */
bool oro_constraints_answer_late(const struct oro_stream_power *sp);

/* What is said of constraints: of how many of a kind at most, and how loudly. */
enum { ORO_CONSTRAINTS_REPORTED = 5 };
enum oro_level oro_constraints_loudness(const struct oro_stream_power *sp);
/* Where a point lies in the world, as it was written. */
struct oro_constraint_place {
    double x, y;
};
struct oro_constraint_place oro_constraints_place(const struct oro_stream_power *sp,
                                                  const struct oro_constraint_point *point);
/* Warns of those whose elevations differ by more than any slope between them can. Fails with ORO_E_MEMORY. */
bool oro_constraints_compare(struct oro_stream_power *sp);

/* Sets all controllers by what has been `heard`, in `control`. `years`: of model time; 0: steps have no
 * common length, and the ground responds with every one. */
bool oro_constraints_steer(struct oro_stream_power *sp, double years);

/* Gives valleys to constraints that lie lower than the rivers that leave their reach: places along the way
 * down, up to an outlet or another constraint. */
bool oro_constraints_dig_valleys(struct oro_stream_power *sp);

#endif
