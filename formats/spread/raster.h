/*
 * Rasters that lie in tiles (graph/type/device.h), and what ranks do with their own tiles and with those of
 * each other. All functions but the first two are collective: every rank of the device calls them, with the
 * same arguments.
 */
#ifndef ORO_FORMATS_SPREAD_RASTER_H
#define ORO_FORMATS_SPREAD_RASTER_H

#include "formats/range.h"
#include "graph/type/device.h"
#include "graph/type/ranks.h"
#include "terrain/hydrology/metrics.h"

/* A raster of one channel that lies in tiles of the device. */
struct oro_spread_raster {
    struct oro_device *device;
    struct oro_buffer *buffer;
    struct oro_grid grid;
    bool (*stop)(void *user); /* true ends the work with ORO_E_CANCELLED; may be NULL */
    void *stop_user;
};

struct oro_ranks *oro_spread_raster_ranks(const struct oro_spread_raster *raster);

/* Whether the work is to end, which `err` then says; also where another rank has failed. */
bool oro_spread_raster_stops(const struct oro_spread_raster *raster, struct oro_error *err);

/* Calls `take` for the cells of every tile of this rank, and agrees on how it went. */
bool oro_each_own_tile(const struct oro_spread_raster *raster,
                       bool (*take)(void *user, const struct oro_window *window, const float *cells,
                                    struct oro_error *err),
                       void *user, struct oro_error *err);

/* What every rank has, added up on rank 0 and told to all, in `own`. */
bool oro_spread_combine(struct oro_ranks *ranks, void *own, size_t bytes,
                        void (*add)(void *all, const void *part), struct oro_error *err);
/* Least and greatest of all that are finite; 0 and 0 where none is. Fails as the device. */
bool oro_spread_raster_range(const struct oro_spread_raster *raster, struct oro_height_range *range,
                             struct oro_error *err);

/* The certificate of the samples 0..largest of `range` that the raster is written as, or of its own values
 * (`largest` 0). Right on rank 0 alone. */
bool oro_spread_raster_certify(const struct oro_spread_raster *raster, const struct oro_height_range *range,
                               double largest, struct oro_certificate *certificate, struct oro_error *err);

#endif
