/*
 * Inside formats/: making a terrain drain while it is written to a file (struct oro_write_options: drain),
 * and refusing one that does not drain. Costs are in metres, volumes in metres times cells.
 */
#ifndef ORO_FORMATS_DRAIN_H
#define ORO_FORMATS_DRAIN_H

#include "formats/format.h"
#include "formats/range.h"

/* A file about to be written. */
struct oro_drain_target {
    const char *path; /* for messages */
    const struct oro_write_options *options;
    int width, height;
    const float *sea; /* of the heightfield */
};

/* The field with the sea that it has, or that the options tell; `sea` is then the caller's to free, and the
 * rest the field's. Fails with ORO_E_MEMORY. */
bool oro_drain_flood(const struct oro_heightfield *field, const struct oro_write_options *options,
                     struct oro_heightfield *flooded, struct oro_error *err);

/* The heights or levels of the target, as ground to drain. */
struct oro_ground oro_drain_ground(const struct oro_drain_target *target, const float *heights);

/* Carves float heights, in place, until no pits and no flats are left. Fails as oro_breach, or, with
 * ORO_DRAIN_STRICT, with ORO_E_WRITE where that takes more than the limit. */
bool oro_drain_heights(const struct oro_drain_target *target, float *heights, struct oro_drain_cost *cost,
                       struct oro_error *err);

/* Changes levels 0..largest, which stand for `range`, in place so that they fall strictly from every cell to
 * the border. Fails with ORO_E_WRITE where there are too few levels or the limit is too low, else as
 * oro_levels_drain. */
bool oro_drain_levels(const struct oro_drain_target *target, struct oro_height_range range, double largest,
                      float *levels, struct oro_drain_cost *cost, struct oro_error *err);

/* The same for half floats: changes them, in place, to others. */
bool oro_drain_halves(const struct oro_drain_target *target, float *halves, struct oro_drain_cost *cost,
                      struct oro_error *err);

/* Fails with ORO_E_WRITE if drained terrain is required and this terrain does not drain. */
bool oro_drain_check(const struct oro_drain_target *target, const struct oro_certificate *drainage,
                     struct oro_error *err);

#endif
