/*
 * Inside formats/writer/: a file that is being written. Formats whose samples have places in one file
 * (plain.c) take every window as it comes. Those that are made of files, tiles and chunks (pieces.c), take a
 * piece that a window covers as it comes, too; of others the samples are kept apart until the writer is
 * sealed.
 */
#ifndef ORO_FORMATS_WRITER_WRITER_PRIVATE_H
#define ORO_FORMATS_WRITER_WRITER_PRIVATE_H

#include "formats/writer/job.h"
#include "formats/writer/writer.h"
#include "formats/zarr/zarr.h"

/* A tile that this process wrote as it came: its sidecar follows when the writer is sealed. */
struct oro_tile_range {
    int number;
    struct oro_height_range range; /* as it will be read back */
    struct oro_hash digest;        /* of its file's bytes */
};

struct oro_writer {
    char *path;   /* that was asked for */
    char *folder; /* everything lies in it until the end */
    char *target; /* FOLDER/NAME.EXTENSION */
    struct oro_writer_options options;
    struct oro_tiling tiling;
    struct oro_heightfield field;
    struct oro_write_job job; /* of `target`: codec, shape and range; its options are those above */
    struct oro_writer_sum sum;
    struct oro_zarr zarr;
    int block;
    int held;       /* the folder, open; -1 */
    int descriptor; /* of the one file; -1: there is none */
    uint64_t first; /* byte that its samples begin at */
    struct oro_tile_range *ranges;
    size_t range_count, range_room;
};

/* Whether a job can be written by windows; chooses its shape. ORO_E_USAGE. */
bool oro_write_check_windows(struct oro_write_job *job, const struct oro_writer_options *options,
                             struct oro_error *err);

/* The folder, in that of the writer, of what is kept apart. */
#define ORO_PIECES_APART ".parts"

/* Ends the set of files of the job, and begins the next one, in the folder. */
void oro_writer_end_files(struct oro_writer *writer);

/* Whether it is made of pieces. */
bool oro_writer_has_pieces(const struct oro_writer *writer);

/* One file: makes it; opens it; writes samples; has them go to the disk. */
bool oro_blocks_make(struct oro_writer *writer, struct oro_error *err);
bool oro_blocks_open(struct oro_writer *writer, struct oro_error *err);
bool oro_blocks_put(struct oro_writer *writer, const struct oro_cell_window *window, const float *samples,
                    struct oro_error *err);
bool oro_blocks_seal(struct oro_writer *writer, struct oro_error *err);

/* Pieces: the folders for them; writes samples; completes a share. */
bool oro_pieces_make(struct oro_writer *writer, struct oro_error *err);
bool oro_pieces_put(struct oro_writer *writer, const struct oro_cell_window *window, const float *samples,
                    struct oro_error *err);
bool oro_pieces_seal(struct oro_writer *writer, int share, int shares, struct oro_error *err);

#endif
