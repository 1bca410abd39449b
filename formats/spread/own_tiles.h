/* Inside formats/spread/: what ranks do with their own tiles, and with those of each other. */
#ifndef ORO_FORMATS_SPREAD_OWN_TILES_H
#define ORO_FORMATS_SPREAD_OWN_TILES_H

#include "formats/spread/spread_file.h"
#include "graph/type/ranks.h"
#include "terrain/hydrology/metrics.h"

struct oro_ranks *oro_spread_raster_ranks(const struct oro_spread_raster *raster);

/* Whether the work is to end, which `err` then says; also where another rank has failed. */
bool oro_spread_raster_stops(const struct oro_spread_raster *raster, struct oro_error *err);

/* Calls `take` for the cells of every tile of this rank, and agrees on how it went. */
bool oro_each_own_tile(const struct oro_spread_raster *raster,
                       bool (*take)(void *user, const struct oro_window *window, const float *cells,
                                    struct oro_error *err),
                       void *user, struct oro_error *err);

/* The certificate of the samples 0..largest of `range` that the raster is written as, or of its own values
 * (`largest` 0). Right on rank 0 alone. */
bool oro_spread_raster_certify(const struct oro_spread_raster *raster, const struct oro_height_range *range,
                               double largest, struct oro_certificate *certificate, struct oro_error *err);

#endif
