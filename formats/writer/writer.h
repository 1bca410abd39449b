/*
 * The one way to write rasters: window by window, up to ORO_RASTER_SIDE_MAX cells a side, by one process, or
 * by several at once, each its own windows in any order. The bytes are the same however a raster is cut and
 * whoever writes which part. oro_heightfield_write puts a whole raster as one window, after what takes the
 * whole, such as draining, and can so write every format.
 *
 * By many windows are written: GeoTIFF (.tif: BigTIFF, uncompressed, in blocks of 512 x 512 cells whose
 * places are known, so that everybody writes into the one file; `gdal_translate -of COG` makes a compressed
 * one of it), Zarr (.zarr: each chunk a compressed file), raw samples (.r16, .raw, .r32), and tiles
 * (formats/tiles.h) of .r16, .raw, .r32 and .png. Of these, all but GeoTIFF have the bytes of the whole.
 *
 *   one process    oro_writer_begin
 *   all of them    oro_writer_join, oro_writer_put ..., oro_writer_sum
 *   (the sums are added up, with oro_writer_add, and everybody is told; no one goes on before all are here)
 *   all of them    oro_writer_seal, each its share; oro_writer_leave
 *   (all are here)
 *   one process    oro_writer_finish, or after any failure oro_writer_abort
 *
 * Until the end everything lies in one folder beside the final name, `PATH.XXXXXX`; nothing unfinished ever
 * has a final name. Processes on several machines need a file system that keeps what two of them write into
 * different parts of one file, as Lustre, GPFS and CephFS do. NFS does not: there, windows must be made of
 * whole tiles or chunks, and GeoTIFF be left to the processes of one machine.
 */
#ifndef ORO_FORMATS_WRITER_WRITER_H
#define ORO_FORMATS_WRITER_WRITER_H

#include <stdint.h>

#include "formats/format.h"
#include "formats/window.h"

struct oro_writer_options {
    /* As of oro_heightfield_write. Refused are those that need the whole at once: `drain`, `weights`, `cog`,
     * `zstd`, several channels, meshes. Integer files need a range. */
    struct oro_write_options write;
    /* GeoTIFF and Zarr of floats: cells that are NaN are written as this, which the file tells. Otherwise
     * they fail. May be NaN. */
    bool has_nodata;
    double nodata;
    int block; /* cells of a block of GeoTIFF (a multiple of 16) or of a chunk of Zarr, along each side; 0:
                  the format's own */
};

/* What one process has put, or all together: plain bytes, to be sent as they are. Starts zeroed. */
struct oro_writer_sum {
    uint64_t cells, clipped; /* put; of those, outside the range */
    float low, high;         /* of the samples, as they are in the file: levels or heights; without nodata */
    bool any;                /* there are samples that are not nodata */
};
void oro_writer_add(struct oro_writer_sum *sum, const struct oro_writer_sum *other);

struct oro_writer;

/* Begins the file. `about` tells sides, cell, place, unit and the sea's level; it has no `data`. What the
 * options point to must stay until the writer ends. Fails with ORO_E_USAGE where this cannot be written by
 * windows, ORO_E_WRITE, ORO_E_MEMORY; NULL then, and nothing is left. */
struct oro_writer *oro_writer_begin(const char *path, const struct oro_heightfield *about,
                                    const struct oro_writer_options *options, struct oro_error *err);
/* The folder that it is written in, for others to join by. Belongs to the writer. */
const char *oro_writer_folder(const struct oro_writer *writer);
/* Takes part, with the same arguments. A forked process may use its parent's writer instead, and then leaves
 * it as one that has joined. */
struct oro_writer *oro_writer_join(const char *path, const struct oro_heightfield *about,
                                   const struct oro_writer_options *options, const char *folder,
                                   struct oro_error *err);

/* Puts the heights of a window, row-major. Each cell is put once, by one process. One thread at a time.
 * Fails with ORO_E_WRITE (a value that is not finite, disk full), ORO_E_MEMORY, ORO_E_USAGE (it does not lie
 * in the raster). */
bool oro_writer_put(struct oro_writer *writer, const struct oro_cell_window *window, const float *heights,
                    struct oro_error *err);
/* The largest level of its samples; 0: they are heights. */
double oro_writer_largest(const struct oro_writer *writer);
/* What was put by this writer. */
struct oro_writer_sum oro_writer_sum(const struct oro_writer *writer);

/* Completes what was put in parts, tiles and chunks that several windows met in, and has it go to the disk:
 * the share of that number, of so many. `all` is the sum of all that was put by everybody. */
bool oro_writer_seal(struct oro_writer *writer, const struct oro_writer_sum *all, int share, int shares,
                     struct oro_error *err);
/* Ends the part of one who joined; nothing is removed. NULL is allowed. */
void oro_writer_leave(struct oro_writer *writer);

/* Writes sidecar and manifest and gives everything its name, or nothing: ends the writer in any case. Fails
 * with ORO_E_WRITE, also where cells were not put. `drainage` is of the whole, as it will be read back, or
 * NULL: not known. `written` may be NULL. */
bool oro_writer_finish(struct oro_writer *writer, const struct oro_writer_sum *all,
                       const struct oro_certificate *drainage, struct oro_written *written,
                       struct oro_error *err);
/* Removes everything that was written, by whomever. NULL is allowed. */
void oro_writer_abort(struct oro_writer *writer);

/* Whether such a file holds whole numbers, which need a range. */
bool oro_writer_needs_range(const char *path, const struct oro_write_options *write);
/* Whether that could be begun, without writing anything: ORO_E_USAGE, ORO_E_WRITE. */
bool oro_writer_fits(const char *path, const struct oro_heightfield *about,
                     const struct oro_writer_options *options, struct oro_error *err);

#endif
