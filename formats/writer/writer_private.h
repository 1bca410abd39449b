/*
 * Inside formats/writer/: a raster on its way into files. Its samples come by windows, of which a whole
 * raster is one (whole.c), and go into pieces with a file of their own, the whole or a tile or a chunk
 * (pieces.c), or into the places that they have in one file (blocks.c). Beside them lie weight maps
 * (weight_pictures.c), sidecars and manifests (records.c).
 *
 * Files have temporary names until the end. Those of one process, which puts the whole, are known to it
 * alone; those of windows, which several processes may put, lie in a folder that all of them know.
 */
#ifndef ORO_FORMATS_WRITER_WRITER_PRIVATE_H
#define ORO_FORMATS_WRITER_WRITER_PRIVATE_H

#include "base/hash.h"
#include "formats/codec.h"
#include "formats/file_set.h"
#include "formats/writer/writer.h"

/* A tile that this process wrote: its sidecar follows when the writer is sealed. */
struct oro_tile_made {
    int number;
    struct oro_height_range range; /* of the ground, as it will be read back */
    struct oro_hash digest;        /* of its file's bytes */
};

struct oro_writer {
    char *path; /* that was asked for */
    const struct oro_codec *codec;
    struct oro_writer_options options;
    struct oro_tiling tiling;
    struct oro_heightfield field; /* without heights */
    struct oro_raster_shape shape;
    struct oro_height_range range; /* of the levels 0..shape.largest */
    bool whole;                    /* it is put as one window, by one process */
    struct oro_writer_sum sum;
    struct oro_written written;
    struct oro_file_set files;
    char *folder;     /* everything lies in it until the end; NULL: under temporary names of the set */
    char *target;     /* the one file, or the array, until it has its name; NULL: the set knows */
    const char *base; /* that files are named after: `target`, from the end on `path` */
    int held;         /* the folder, open; -1 */
    int block;        /* cells of a block or chunk, along each side */
    int descriptor;   /* of the one file that windows have places in; -1: there is none */
    uint64_t first;   /* byte that its samples begin at */
    struct oro_tile_made *tiles;
    size_t tile_count, tile_room;
    bool digested, sampled; /* the raster is one file, or array, of this digest, and large, of this sample */
    struct oro_hash digest, sample;
};

/* Returns false. */
bool oro_writer_no_memory(const struct oro_writer *writer, struct oro_error *err);
bool oro_writer_fail(const struct oro_writer *writer, int reason, struct oro_error *err);

/* ---- From the beginning to the end (writer.c) ---- */

/* A writer that nothing is made of yet; NULL: `err` is filled. `about` has heights where it is the whole. */
struct oro_writer *oro_writer_create(const char *path, const struct oro_heightfield *about,
                                     const struct oro_writer_options *options, bool whole,
                                     struct oro_error *err);
/* Levels of heights, or the heights. Gives how many lay outside the range, which oro_writer_note_clipped
 * tells. */
size_t oro_writer_quantise(const struct oro_writer *writer, const float *heights, float *samples,
                           size_t count);
void oro_writer_note_clipped(const struct oro_writer *writer, uint64_t clipped);
/* Says where a file's steps hide the ways of water: more than a tenth is level that would not be so in
 * metres, nor by having been clipped. To be called when all is measured. */
void oro_writer_note_flats(const struct oro_writer *writer, uint64_t clipped);
/* Ends it, with measures in `written`: records, names. Fails as oro_writer_finish, and leaves the writer. */
bool oro_writer_close(struct oro_writer *writer, struct oro_error *err);
void oro_writer_free(struct oro_writer *writer);
/* What a codec is told. */
struct oro_raster_output oro_writer_output(struct oro_writer *writer, const char *path,
                                           const struct oro_heightfield *part);

/* ---- What can be written (check.c) ---- */

/* Chooses the shape. Fails with ORO_E_USAGE, and with ORO_E_WRITE where the whole is not finite. */
bool oro_writer_check(struct oro_writer *writer, struct oro_error *err);
/* Whether its drainage is changed in that way. */
bool oro_writer_drains(const struct oro_writer *writer, enum oro_drain how);

/* ---- One file (blocks.c) ---- */

bool oro_blocks_make(struct oro_writer *writer, struct oro_error *err);
bool oro_blocks_open(struct oro_writer *writer, struct oro_error *err);
/* Puts a part of a block, or of the raw rows, which are the one of number 0. Rows of samples begin `stride`
 * apart. */
bool oro_blocks_put(const struct oro_writer *writer, int number, const struct oro_cell_window *part,
                    const float *samples, size_t stride, struct oro_error *err);
/* Has them go to the disk. */
bool oro_blocks_seal(struct oro_writer *writer, struct oro_error *err);

/* ---- Pieces (pieces.c) ---- */

/* In the folder of the writer, that of samples whose piece no window covers. */
#define ORO_PIECES_APART ".parts"

bool oro_writer_has_pieces(const struct oro_writer *writer);
bool oro_pieces_make(struct oro_writer *writer, struct oro_error *err);
bool oro_pieces_put(struct oro_writer *writer, const struct oro_cell_window *window, const float *samples,
                    struct oro_error *err);
/* Completes a share of those that windows met in; the sidecars of tiles. */
bool oro_pieces_seal(struct oro_writer *writer, int share, int shares, struct oro_error *err);

/* ---- Meshes (mesh_write.c) ---- */

/* Fails with ORO_E_USAGE for options that contradict each other or the codec. */
bool oro_mesh_file_check(const char *path, const struct oro_codec *codec,
                         const struct oro_mesh_options *options, struct oro_error *err);

/* ---- Beside the samples (weight_pictures.c, records.c) ---- */

/* The weight maps of a tile, or of the whole. */
bool oro_writer_put_weights(struct oro_writer *writer, const struct oro_tile_place *tile,
                            struct oro_error *err);
/* The figures for an engine, from `written.measure` of the whole. */
void oro_writer_find_figures(struct oro_writer *writer);
/* A tile, or the whole, as a field of its own without heights: where it lies, and whether it has a sea. */
struct oro_heightfield oro_writer_part(const struct oro_writer *writer, const struct oro_tile_place *tile);
/* The sidecar of a tile that was made, or of the whole, and what an engine or format has beside it. */
bool oro_writer_record_tile(struct oro_writer *writer, const struct oro_tile_made *tile,
                            struct oro_error *err);
bool oro_writer_record_whole(struct oro_writer *writer, struct oro_error *err);
bool oro_writer_record_manifest(struct oro_writer *writer, struct oro_error *err);

#endif
