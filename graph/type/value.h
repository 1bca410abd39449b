/*
 * Values travel along links: rasters with a grid, or plain bytes (an uplift, a network). They are immutable
 * once given, and reference-counted; the count is not atomic: values belong to the evaluator's thread. The
 * data of a raster lives on the device, on the host, or both; plain bytes live on the host.
 */
#ifndef ORO_GRAPH_TYPE_VALUE_H
#define ORO_GRAPH_TYPE_VALUE_H

#include <stdint.h>

#include "graph/type/device.h"
#include "graph/type/grid.h"
#include "graph/type/type.h"

struct oro_value {
    enum oro_type type;
    struct oro_grid grid; /* zeroed for plain bytes */
    int channels;         /* float32 per cell, interleaved: 1, 2 or 4; 0: plain bytes */
    size_t bytes;         /* of the data, in bytes */
    /* Private: use the functions below. */
    int references;
    int cached;       /* how many of the references are a cache's own */
    uint64_t counted; /* by a cache: number of the last count of bytes that included the value */
    struct oro_device *device;
    struct oro_buffer *buffer; /* NULL when only on the host */
    void *host;                /* NULL when only on the device */
    char *said;                /* graph/type/said.h; oro_alloc, or NULL */
};

/* 0: not a raster. */
int oro_type_channels(enum oro_type type);

/* A value that owns `buffer` (device) or `host` (oro_alloc); one of them may be NULL. On failure returns NULL
 * and owns nothing. */
struct oro_value *oro_value_create(struct oro_device *device, enum oro_type type, const struct oro_grid *grid,
                                   struct oro_buffer *buffer, void *host, struct oro_error *err);
/* A value of plain bytes made with oro_alloc, which it takes over unless it fails. */
struct oro_value *oro_value_create_plain(enum oro_type type, void *bytes, size_t size, struct oro_error *err);
struct oro_value *oro_value_retain(struct oro_value *value);
void oro_value_release(struct oro_value *value); /* NULL is allowed */

size_t oro_value_bytes(const struct oro_value *value);
/* The data on the host; of a raster: row-major, row 0 north, `channels` floats per cell. Downloaded on first
 * use and kept, unless the device's memory can be read where it is. The pointer lives as long as the value,
 * or until its data is moved to the host. NULL with `err` filled on failure. */
const void *oro_value_host(struct oro_value *value, struct oro_error *err);
/* The data of a raster that lies in tiles (struct oro_device_tiles) and not on the host as well: to be gone
 * through by its tiles, since oro_value_host would put it together. NULL: it does not. */
struct oro_buffer *oro_value_tiles(const struct oro_value *value);
/* Digest of the data on the host; of a raster in tiles, which are not put together, by all ranks together:
 * the first of them gets it, the others zeros. */
bool oro_value_digest(struct oro_value *value, struct oro_hash *digest, struct oro_error *err);
/* The data of a raster on the device, uploaded on first use. This and oro_value_host fail with ORO_E_LOST
 * if the only copy was on a device that was lost. */
struct oro_buffer *oro_value_buffer(struct oro_value *value, struct oro_error *err);
/* Moves the data to the host and frees the device's copy. */
bool oro_value_to_host(struct oro_value *value, struct oro_error *err);
/* Frees the host's copy if the device has one too. */
void oro_value_drop_host(struct oro_value *value);
/* After the device was lost: forgets its copy. False when there is no other. */
bool oro_value_device_lost(struct oro_value *value);

#endif
