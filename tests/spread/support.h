/*
 * Shared by the tests of devices/spread/: small programs of dispatches, run on a driver alone and on the same
 * driver with rasters in tiles.
 */
#ifndef ORO_TESTS_SPREAD_SUPPORT_H
#define ORO_TESTS_SPREAD_SUPPORT_H

#include "devices/gpu/gpu.h"
#include "devices/spread/spread.h"
#include "tests/support/test.h"

/* A software driver. NULL: there is none, and `err` says why. */
struct oro_device *open_inner(struct oro_error *err);
/* A device over a driver of its own; fails the test if there is none. */
struct oro_device *open_spread(const struct oro_spread_options *options);

/* While it is set, drivers offer no memory of the host to kernels. */
extern bool without_host_buffers;

struct bound {
    const char *name; /* in the kernel: an array of floats */
    struct oro_buffer *buffer;
    char access; /* 'r', 'w', or 'u' for both */
};

/* A dispatch of a kernel of the test's own, which sees what kernels of nodes do, and `numbers`, a vec3;
 * near(p) is oro_index(p) of the nearest cell within the grid. */
struct job {
    const char *text;
    struct oro_grid grid, source; /* source zeroed: the grid */
    int reach, source_reach;
    float corner[2];
    float numbers[3];
    int group_rows; /* of invocations, with 32 columns; 0: groups of 16 x 16, a cell for each */
    struct bound bound[8];
};
/* Kernels: numbers by the cell (`to`; a seed); a square around the cell, numbers.x wide (`from`, `other`,
 * `to`); the same on what `to` has (`from`, `to`); strips of groups of 8 rows, reach 2 (`from`, `to`); a blur
 * along numbers.xy by 10 weights (`from`, `weights`, `to`); 4 x 4 cells of the source, whose corner is
 * numbers.xy, mixed with numbers.z of a raster (`from`, `other`, `to`). Each is listed with what it binds. */
extern const char kernel_noise[], kernel_stencil[], kernel_update[], kernel_strips[], kernel_blur[],
    kernel_resample[];
bool run_job(struct oro_device *device, const struct job *job, struct oro_error *err);

/* A raster of one channel over a grid; NULL: it failed. */
struct oro_buffer *new_field(struct oro_device *device, const struct oro_grid *grid, struct oro_error *err);

#define assert_ok(call, err)                                                                                 \
    do {                                                                                                     \
        if (!(call))                                                                                         \
            fail_msg("%s: %s", #call, (err).text);                                                           \
    } while (0)

/* A program that is run on the driver and on the spread device. It fills `out`, up to `room` floats, and
 * gives how many; 0: it failed. */
typedef size_t program(struct oro_device *device, const void *user, float *out, size_t room,
                       struct oro_error *err);
/* Runs it both ways and fails the test unless the results are the same bits. */
struct oro_spread_counts assert_same(program *run, const void *user, size_t room,
                                     const struct oro_spread_options *options);
/* The same with some ranks, each of which has to get all of it. */
void assert_same_on_ranks(int ranks, program *run, const void *user, size_t room,
                          const struct oro_spread_options *options);

#endif
