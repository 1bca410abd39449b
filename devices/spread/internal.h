/*
 * The spread device from the inside: what the files of devices/spread/ share. Not for the rest of the
 * program.
 *
 * Sizes and places within buffers are counted in words of four bytes, as rasters are made of them; windows
 * are counted in cells.
 */
#ifndef ORO_DEVICES_SPREAD_INTERNAL_H
#define ORO_DEVICES_SPREAD_INTERNAL_H

#include "devices/spread/spread.h"

enum { WORD = 4 };

/* How rasters of one size are cut: by rows, with narrower tiles at the east and the south. */
struct tiling {
    int width, height, side;
    int columns, rows;
    size_t count;
};

/* A rectangle of words in row-major memory: its first word, and the words from row to row. */
struct block {
    size_t first, stride;
    int columns, rows;
};

/* ---- Storage: storage.c, pinned.c, disk.c ---- */

/* Memory of the host for a tile, or for a part of one on its way. */
struct pinned {
    struct pinned *next; /* of the spares */
    size_t bytes;
    void *memory;
    struct oro_buffer *buffer; /* the same for kernels; NULL: they do not reach it */
    uint64_t queued;           /* the last copy of the device that uses it: spread->queued at that time */
};

enum place { NOWHERE, ON_DEVICE, ON_HOST, ON_DISK };

/* The cells of one tile of one raster, row-major and without a halo, in one of three places. */
struct tile {
    size_t bytes;
    struct block shape; /* all of its words */
    enum place place;
    struct oro_buffer *buffer; /* the inner device's */
    struct pinned *pinned;
    struct slots *file;
    size_t slot;
    struct tile *newer, *older; /* in the list of those in the same place */
};

/* The least recently used is the oldest. */
struct tile_list {
    struct tile *newest, *oldest;
    size_t bytes;
};

/* ---- Buffers: tiled_buffer.c ---- */

/* A buffer of the device. An array (width 0), or a raster up to `whole` cells, has a whole buffer on the
 * inner device. A raster above that is always spread; a smaller one is while its cells were last written by a
 * dispatch on tiles. */
struct tiled_buffer {
    size_t bytes;
    int width, height, channels;
    uint32_t generation;
    bool spread;
    struct oro_buffer *buffer; /* NULL: nothing has used it as a whole yet */
    struct tiling tiling;
    struct tile *tiles; /* one for each tile; those of other ranks stay nowhere */
    struct tile
        *fresh;   /* while a chain runs: where it stores, as long as `tiles` are still read. NULL: there */
    int *readers; /* while a chain runs that leaves no use for `tiles`: how many of its tiles still read each
                   */
    size_t use;   /* 1 + its number among the uses of the chain that waits; 0: the chain has no use of it */
    bool dead;    /* destroyed by its owner while the chain has it */
};

/* ---- Chains: chain.c records, plan.c finds what they need, run.c runs ---- */

/* A dispatch that waits, or a copy (`kernel` NULL) from the first buffer to the second. */
struct step {
    struct oro_device_dispatch dispatch; /* its `buffers` and `constants` are not valid */
    struct tiled_buffer *buffers[ORO_BUFFERS_MAX];
    unsigned char *constants;
    int layer; /* of rasters with the size of `source`; 0: there are none besides those of the grid */
    int reach;
    int halo; /* cells around a tile in which its results are needed; negative: nowhere */
};

/* What a chain does with a buffer. */
struct use {
    struct tiled_buffer *tiled;
    int layer;      /* of a raster */
    int age;        /* reach that has gone into it within the chain */
    bool written;   /* by any step */
    bool discarded; /* behind the last step that uses it */
    bool live;      /* a step uses it whose results are needed */
    int need;       /* cells around a tile of what it had before the chain; negative: none */
    bool stored;
    struct oro_buffer *window; /* while the chain runs: what kernels get */
};

/* Rasters of one size, which have their windows in common. Layer 0 is the grid that the chain writes. */
struct layer {
    int width, height;
    bool direct;                    /* all of its rasters are whole, and bound as they are */
    struct oro_window window, load; /* of the tile at hand: what buffers hold, what is valid of it */
    size_t cells;                   /* of the largest window */
};

enum { LAYERS_MAX = 8, STEPS_MAX = 1024 };

struct chain {
    struct step *steps;
    struct use *uses;
    size_t step_count, step_capacity, use_count, use_capacity;
    struct layer layers[LAYERS_MAX];
    int layer_count;
    struct tiling tiling;
};

/* Copies by kernels: on the device, from pinned memory, and to it. They are programs of their own, as the
 * device learns what a program's runs cost. */
enum copy_kind { COPY, LOAD, STORE, COPY_KINDS };

struct spread {
    struct oro_device device; /* first, so that pointers to both are interchangeable */
    struct oro_device *inner;
    struct oro_spread_options options; /* without zeros; `folder` is owned */
    char *folder;
    struct oro_ranks *ranks, *alone; /* `alone` is owned */
    uint32_t generation;             /* raised by every rebuild */
    struct oro_kernel *copy_kernels[COPY_KINDS], *poison_kernel;
    struct tile_list on_device, on_host;
    struct pinned *spares; /* the last one was given back first */
    size_t spare_bytes, spare_count;
    uint64_t queued, done; /* copies of the device to and from pinned memory; those that it is done with */
    struct slots *files;
    /* Where kernels do not reach the host's memory: what is on its way, on the host and on the device. */
    void *transit;
    size_t transit_bytes;
    struct oro_buffer *staging;
    size_t staging_bytes;
    struct chain chain;
    bool backward; /* the next chain goes through the tiles from the last to the first */
    bool agreed;   /* the last failure is everyone's */
    struct oro_spread_counts counts;
};

static inline struct spread *spread_of(struct oro_device *device)
{
    return (struct spread *)device;
}

/* ---- tiling.c */

struct tiling oro_spread_tiling(const struct spread *spread, int width, int height);
struct oro_window oro_tiling_window(const struct tiling *tiling, size_t tile);
int oro_tiling_rank(const struct tiling *tiling, size_t tile, int ranks);
/* The tiles of a rank: from the first up to the end. */
size_t oro_tiling_first(const struct tiling *tiling, int rank, int ranks);
size_t oro_tiling_end(const struct tiling *tiling, int rank, int ranks);
/* Goes through the tiles that have cells in common with `window`: the first one, the next one; `count` of the
 * tiling: there are no more. */
size_t oro_tiling_meet(const struct tiling *tiling, const struct oro_window *window);
size_t oro_tiling_next(const struct tiling *tiling, const struct oro_window *window, size_t tile);

struct oro_window oro_window_common(struct oro_window a, struct oro_window b); /* width 0: nothing */
struct oro_window oro_window_around(struct oro_window window, int halo, int width, int height);
/* Outwards to multiples of ORO_SPREAD_STEP, within the grid. */
struct oro_window oro_window_aligned(struct oro_window window, int width, int height);
/* The words of `part` in memory that holds `window`. */
struct block oro_window_block(struct oro_window window, struct oro_window part, int channels);

/* ---- window.c */

/* Copies between buffers of the inner device. Both blocks have the same columns and rows. */
bool oro_spread_copy(struct spread *spread, enum copy_kind kind, struct oro_buffer *from, struct block at,
                     struct oro_buffer *to, struct block there, struct oro_error *err);
/* Sets all words but those of `spared` to NaN, in the first `words` of a buffer with rows of `stride`. */
bool oro_spread_poison(struct spread *spread, struct oro_buffer *buffer, size_t words, struct block spared,
                       struct oro_error *err);
/* Memory of the host, and a buffer of the device, for at least so many bytes; valid until the next call. */
void *oro_spread_transit(struct spread *spread, size_t bytes, struct oro_error *err);
struct oro_buffer *oro_spread_staging(struct spread *spread, size_t bytes, struct oro_error *err);
/* Makes the staging buffer in advance, if one will be needed. */
bool oro_spread_staged(struct spread *spread, size_t bytes, struct oro_error *err);

/* ---- pinned.c */

struct pinned *oro_pinned_take(struct spread *spread, size_t bytes, struct oro_error *err);
void oro_pinned_give(struct spread *spread, struct pinned *pinned); /* NULL: does nothing */
/* To be called before the host reads or writes there: waits for copies of the device. */
bool oro_pinned_settle(struct spread *spread, const struct pinned *pinned, struct oro_error *err);
/* From a part of pinned memory to a buffer of the inner device. */
bool oro_pinned_load(struct spread *spread, struct pinned *pinned, struct block at, struct oro_buffer *to,
                     struct block there, struct oro_error *err);
/* From a part of a buffer to pinned memory, where rows have no gaps, from word `first` on. */
bool oro_pinned_store(struct spread *spread, struct pinned *pinned, size_t first, struct oro_buffer *from,
                      struct block at, struct oro_error *err);
void oro_spares_trim(struct spread *spread);
void oro_spares_free(struct spread *spread);
/* Between memory of the host; strides are in words. */
void oro_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, struct block size);

/* ---- storage.c */

/* A buffer of the inner device; tiles leave the device for it. */
struct oro_buffer *oro_spread_buffer(struct spread *spread, size_t bytes, struct oro_error *err);
/* Between a part of a tile and a buffer of the inner device, or memory of the host (rows without gaps). */
bool oro_tile_load(struct spread *spread, struct tile *tile, struct block part, struct oro_buffer *to,
                   struct block there, struct oro_error *err);
bool oro_tile_read(struct spread *spread, struct tile *tile, struct block part, void *to, size_t stride,
                   struct oro_error *err);
/* Into pinned memory from word `first` on; it has to be settled behind that. */
bool oro_tile_pack(struct spread *spread, struct tile *tile, struct block part, struct pinned *pinned,
                   size_t first, struct oro_error *err);
bool oro_tile_write(struct spread *spread, struct tile *tile, struct block part, const void *from,
                    size_t stride, struct oro_error *err);
/* All of the tile, from a buffer of the inner device. */
bool oro_tile_store(struct spread *spread, struct tile *tile, struct oro_buffer *from, struct block at,
                    struct oro_error *err);
void oro_tile_drop(struct spread *spread, struct tile *tile);

/* ---- disk.c */

bool oro_slots_put(struct spread *spread, struct tile *tile, const void *memory, struct oro_error *err);
bool oro_slots_get(struct spread *spread, const struct tile *tile, size_t offset, void *to, size_t bytes,
                   struct oro_error *err);
void oro_slots_drop(struct tile *tile);
size_t oro_slots_bytes(const struct spread *spread); /* of the slots that are in use */
void oro_slots_close(struct spread *spread);

/* ---- tiled_buffer.c */

static inline struct tiled_buffer *tiled_of(const struct oro_buffer *buffer)
{
    return (struct tiled_buffer *)(void *)buffer; /* NOLINT(cppcoreguidelines-pro-type-const-cast) */
}
struct oro_buffer *oro_tiled_buffer_create(struct spread *spread, size_t bytes, const struct oro_grid *grid,
                                           int channels, struct oro_error *err);
void oro_tiled_buffer_free(struct spread *spread, struct tiled_buffer *tiled);
bool oro_tiled_buffer_usable(const struct spread *spread, const struct tiled_buffer *tiled, size_t bytes,
                             struct oro_error *err);
bool oro_tiled_buffer_is_large(const struct spread *spread, const struct tiled_buffer *tiled);
/* The buffer on the inner device of an array, or of a raster that is not spread. */
struct oro_buffer *oro_tiled_buffer_buffer(struct spread *spread, struct tiled_buffer *tiled,
                                           struct oro_error *err);
/* Drops the whole buffer and what it has. */
void oro_tiled_buffer_forget(struct spread *spread, struct tiled_buffer *tiled);
/* Cuts a small raster into tiles, with what it has; puts one together again, on every rank. */
bool oro_tiled_buffer_cut(struct spread *spread, struct tiled_buffer *tiled, struct oro_error *err);
bool oro_tiled_buffer_gather(struct spread *spread, struct tiled_buffer *tiled, struct oro_error *err);
struct tile *oro_tiles_create(const struct spread *spread, const struct tiled_buffer *tiled);
void oro_tiles_free(struct spread *spread, const struct tiled_buffer *tiled, struct tile *tiles);

/* ---- access.c: between spread rasters and host memory. Collective where they say so. */

/* The first `bytes` of a raster, on every rank; collective. */
bool oro_spread_download(struct spread *spread, struct tiled_buffer *tiled, void *data, size_t bytes,
                         struct oro_error *err);
bool oro_spread_upload(struct spread *spread, struct tiled_buffer *tiled, const void *data, size_t bytes,
                       struct oro_error *err);
extern const struct oro_device_tiles oro_spread_tiles;

/* ---- tiling.c: for readers and writers of windows */

size_t oro_spread_tile_count(const struct oro_device *device, const struct oro_grid *grid);
struct oro_window oro_spread_tile(const struct oro_device *device, const struct oro_grid *grid, size_t tile);
int oro_spread_tile_rank(const struct oro_device *device, const struct oro_grid *grid, size_t tile);

/* ---- messages.c */

/* A part of a raster that a rank needs; `target` is the tile that it needs it for. */
struct wish {
    struct tiled_buffer *tiled;
    struct oro_window window;
    size_t target;
};
struct wishes {
    struct wish *items;
    size_t count, capacity;
    bool failed; /* no memory */
};
void oro_wishes_add(struct wishes *wishes, struct wish wish);

/* A part of one tile that comes from, or goes to, another rank. */
struct part {
    struct tiled_buffer *tiled;
    size_t tile, target;
    struct oro_window window;
    int rank;      /* the other one */
    size_t offset; /* bytes, in what is sent to it or comes from it */
};
struct parts {
    struct part *items;
    size_t count, capacity;
    struct pinned **pinned; /* for each rank */
    size_t *bytes;
};
struct mail {
    struct parts sent, received;
};
/* Finds out what is sent and received: `wish` tells what each rank needs. Then packs what is sent. False:
 * it failed on this rank. */
bool oro_mail_prepare(struct spread *spread, struct mail *mail,
                      void (*wish)(void *user, int rank, struct wishes *wishes), void *user,
                      struct oro_error *err);
/* Collective: fails if `ok` is false on any rank. */
bool oro_mail_exchange(struct spread *spread, struct mail *mail, bool ok, struct oro_error *err);
void oro_mail_free(struct spread *spread, struct mail *mail);
/* The cells of a part that was received. */
const void *oro_mail_cells(const struct mail *mail, const struct part *part);
/* What failed on one rank failed on all; notes that all know. */
bool oro_spread_agree(struct spread *spread, bool ok, struct oro_error *err);

/* ---- chain.c */

/* Records a dispatch, or with kernel NULL a copy; runs the chain before, if it has to end. Returns false with
 * `err` and `why` NULL if that failed. A dispatch that cannot be spread is not recorded, and `why` says what
 * is in the way. */
bool oro_chain_add(struct spread *spread, const struct oro_device_dispatch *dispatch, const char **why,
                   struct oro_error *err);
void oro_chain_clear(struct spread *spread);

/* ---- plan.c */

/* How far around tiles steps and rasters are needed. `next` is a dispatch that comes behind the chain, or
 * NULL: what it overwrites need not be stored. */
void oro_chain_plan(struct spread *spread, const struct oro_device_dispatch *next);
/* Sets the windows of all layers for a tile. */
void oro_chain_windows(struct chain *chain, size_t tile);
/* The cells around a tile that a step computes, and those of a use that are there before. */
struct oro_window oro_step_region(const struct chain *chain, const struct step *step, size_t tile);
struct oro_window oro_use_load(const struct chain *chain, const struct use *use, size_t tile);

/* ---- run.c */

/* Runs the chain that waits, if there is one; collective. */
bool oro_chain_run(struct spread *spread, const struct oro_device_dispatch *next, struct oro_error *err);

#endif
