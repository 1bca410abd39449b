/*
 * A device for tests of reaches: every dispatch that says how far it reads runs twice on the device below it,
 * as it is and by tiles. A tile gets windows of the rasters, in which all that the dispatch does not say to
 * read is poisoned with NaN, and so is all that it writes; its cells have to come out with the bits of the
 * whole run. devices/spread does the same in earnest.
 */
#ifndef ORO_TESTS_REACH_TILING_DEVICE_H
#define ORO_TESTS_REACH_TILING_DEVICE_H

#include "graph/type/device.h"

/* How a dispatch was run. */
struct tiling_run {
    const char *kernel;  /* its file */
    const char *whole;   /* why it was not run by tiles; NULL: it was */
    const char *failure; /* where a tile came out otherwise; NULL: nowhere */
    int tiles;
};

struct tiling_options {
    uint32_t seed; /* of the tilings */
    /* Called for every dispatch on rasters. */
    void (*ran)(void *user, const struct tiling_run *run);
    void *user;
};

/* Takes `inner` over, unless it fails. */
struct oro_device *tiling_device_create(struct oro_device *inner, const struct tiling_options *options,
                                        struct oro_error *err);

#endif
