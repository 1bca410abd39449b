/*
 * A device that keeps large rasters in tiles, over another device that runs the kernels: out of core where
 * their memory is more than the device has, and over many processes (graph/type/ranks.h), each with its
 * share of the tiles. Results are the same bits as on the device alone.
 *
 * Kernels compute with global coordinates; a window that is part of their constants says which cells their
 * buffers hold (struct oro_device_extent). Dispatches on rasters in tiles are not run at once: they are
 * gathered to a chain, as long as the reach of all of them together stays within the depth of a halo. Then
 * every tile is loaded once with a halo as deep as the whole chain reaches, the chain runs on it, on a
 * region that shrinks with every dispatch, and what it wrote is stored (overlapped tiling, as in the OPS
 * library: Reguly and others 2018).
 *
 * A raster up to `whole` cells is whole, until a dispatch writes it that reads a raster in tiles; it is put
 * together again for whom needs it so. A larger one is always in tiles, and what cannot be done on tiles
 * fails with ORO_E_LIMIT, "cannot be spread: " and the reason. A raster that a kernel writes and does not
 * read gets all of its cells from it. What the next dispatch overwrites like that is not stored.
 *
 * With several ranks, all call the same functions of the device in the same order, with the same data. Only
 * the order of tiles, and what goes where when memory is short, differs from rank to rank.
 *
 * Tiles are kept on the device, in host memory, or in files, as the budgets allow; the least recently used
 * go first. Rasters up to `whole` cells, and arrays, are whole on the device of every rank, and every rank
 * computes them.
 */
#ifndef ORO_DEVICES_SPREAD_SPREAD_H
#define ORO_DEVICES_SPREAD_SPREAD_H

#include "graph/type/device.h"
#include "graph/type/ranks.h"

struct oro_spread_options {
    size_t whole;            /* cells of the largest raster that is not spread; 0: 8192 x 8192 */
    int tile;                /* cells along a tile's side, a multiple of ORO_SPREAD_STEP; 0: 4096 */
    int depth;               /* cells that a chain may reach; 0: 32 */
    size_t device_bytes;     /* of the device's memory; 0: its budget */
    size_t host_bytes;       /* of host memory for tiles; 0: half of the machine's */
    const char *folder;      /* where tiles go that do not fit; NULL: the system's folder for such files */
    struct oro_ranks *ranks; /* borrowed; NULL: this process alone */
    bool poison;             /* for tests: all cells of a window that are not valid are NaN */
};

/* Takes `inner` over, unless it fails. */
struct oro_device *oro_spread_create(struct oro_device *inner, const struct oro_spread_options *options,
                                     struct oro_error *err);

/* Changes the options of these names, before there is any raster. */
void oro_spread_cut_by(struct oro_device *device, int tile, int depth);

/* To be called at the end of an evaluation, by every rank: what failed here alone is told to the others, who
 * wait for this rank in their next chain or download, and fail with the same error. What failed on all of
 * them is not told again. True: it went well everywhere. */
bool oro_spread_settle(struct oro_device *device, bool ok, struct oro_error *err);

/* What has been done so far, for plans, reports and models of speed. */
struct oro_spread_counts {
    uint64_t chains, dispatches;         /* dispatches on tiles: one for each tile */
    uint64_t loaded_bytes, stored_bytes; /* between tiles and windows */
    uint64_t to_host_bytes, from_host_bytes, to_disk_bytes, from_disk_bytes;
    /* Of the host, in all chains, and within them: in messages, and in loading, stepping and storing, which
     * queues work and now and then waits for older work. `wait_seconds` and `disk_seconds` are parts of
     * these, and of reading and writing rasters: until the device was done with memory that the host
     * touches, and in files. */
    double seconds, message_seconds, load_seconds, step_seconds, store_seconds, wait_seconds, disk_seconds;
    /* Of this rank: all that is on the device; tiles in host memory, in files, and wherever they are. */
    size_t peak_device_bytes, peak_host_bytes, peak_disk_bytes, peak_tile_bytes;
};
struct oro_spread_counts oro_spread_counts(const struct oro_device *device);

#endif
