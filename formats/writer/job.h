/*
 * Inside formats/: a heightfield on its way into files. whole.c makes it what it will be when it is read
 * back, or it comes by windows (writer.h); rasters.c puts that into files, one or in tiles.
 */
#ifndef ORO_FORMATS_WRITER_JOB_H
#define ORO_FORMATS_WRITER_JOB_H

#include "base/hash.h"
#include "base/text.h"
#include "formats/codec.h"
#include "formats/file_set.h"
#include "formats/format.h"

struct oro_write_job {
    const char *path;
    const struct oro_codec *codec;
    const struct oro_write_options *options;
    const struct oro_heightfield *field;
    struct oro_raster_shape shape; /* of the whole */
    struct oro_height_range range;
    float *heights;         /* the field's own, or a copy if they are carved */
    float *levels;          /* integer formats: the heights in levels; once measured, in metres again */
    const float *read_back; /* once measured: the heights that readers will find */
    struct oro_written written;
    struct oro_file_set files;
    struct oro_hash *digests; /* of the rasters, in the order in which they were written */
    size_t digest_count, digest_room;
    bool sampled; /* the raster is one large file, or folder, of this sample */
    struct oro_hash sample;
};

/* Whether its drainage is changed in that way. */
bool oro_write_drains(const struct oro_write_job *job, enum oro_drain how);
/* Whether the whole can be written. ORO_E_USAGE, ORO_E_WRITE. */
bool oro_write_check_whole(const struct oro_write_job *job, struct oro_error *err);
/* Fills `shape` by the codec, the options and the sides of the field. */
void oro_write_choose_shape(struct oro_write_job *job);
/* Whom it is for, and how it is cut: whether such a file goes together with its size. ORO_E_USAGE. */
bool oro_write_check_delivery(const struct oro_write_job *job, struct oro_error *err);
/* A tile, or the whole, as a field of its own without values: where it lies, and whether it has a sea. */
struct oro_heightfield oro_write_part(const struct oro_write_job *job, const struct oro_tile_place *tile);
/* The file, or the tiles, and the weight maps. */
bool oro_write_rasters(struct oro_write_job *job, struct oro_error *err);
/* One of its files, of the heights in `part`; the last one stays open until the next begins. */
bool oro_write_raster(struct oro_write_job *job, const char *path, const struct oro_heightfield *part,
                      struct oro_error *err);
/* Sidecars, manifest, and what the engine reads beside a file; fills the figures of `written`. */
bool oro_write_companions(struct oro_write_job *job, struct oro_error *err);
/* The parts of it. The figures need `written.measure` of the whole, and so does the manifest. */
void oro_write_find_figures(struct oro_write_job *job);
bool oro_write_manifest(struct oro_write_job *job, const char *manifest, struct oro_error *err);
/* The sidecar of a tile, or of the whole (`manifest` NULL), and what else lies beside it. Of `part` no values
 * are used; `written` has its measures, and `digest` is that of its bytes. */
bool oro_write_record(struct oro_write_job *job, const struct oro_tile_place *tile,
                      const struct oro_heightfield *part, const struct oro_written *written,
                      const char *manifest, const struct oro_hash *digest, struct oro_error *err);

#endif
