/*
 * Inside formats/: a file that is read piece by piece, and no further than its header calls for.
 */
#ifndef ORO_FORMATS_RASTER_FILE_H
#define ORO_FORMATS_RASTER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/log.h"

struct oro_raster_file {
    FILE *stream;
    const char *path; /* the caller's text, for messages */
    uint64_t size;    /* bytes */
    const struct oro_log *log;
    const char *channel; /* of a file that has several: the one to read; NULL: the format's own choice */
    int decode;          /* enum oro_decode: of a picture */
    void *state;         /* of a codec that reads rows in order */
};

/* Opens a regular file. Fails with ORO_E_FILE; there is then nothing to close. */
bool oro_raster_open(struct oro_raster_file *source, const char *path, const struct oro_log *log,
                     struct oro_error *err);
void oro_raster_close(struct oro_raster_file *source);

bool oro_raster_seek(struct oro_raster_file *source, uint64_t offset, struct oro_error *err);

/* Fails with ORO_E_FILE unless both sides are 1..ORO_HEIGHTFIELD_SIDE_MAX. */
bool oro_raster_check_size(const struct oro_raster_file *source, uint64_t width, uint64_t height,
                           struct oro_error *err);

#endif
