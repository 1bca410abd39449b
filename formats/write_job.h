/*
 * Inside formats/: a heightfield on its way into files. write.c makes it what it will be when it is read
 * back; write_files.c puts that into files, one or in tiles.
 */
#ifndef ORO_FORMATS_WRITE_JOB_H
#define ORO_FORMATS_WRITE_JOB_H

#include "formats/codec.h"
#include "formats/file_set.h"

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
};

/* The file, or the tiles, and the weight maps. */
bool oro_write_rasters(struct oro_write_job *job, struct oro_error *err);
/* Sidecars, manifest, and what the engine reads beside a file; fills the figures of `written`. */
bool oro_write_companions(struct oro_write_job *job, struct oro_error *err);

#endif
