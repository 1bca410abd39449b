/*
 * Inside formats/: uncompressed samples. uint16 where the shape has levels, float32 where it has none.
 */
#ifndef ORO_FORMATS_SAMPLES_H
#define ORO_FORMATS_SAMPLES_H

#include "formats/codec.h"

int oro_sample_bytes(const struct oro_raster_shape *shape);
/* Bytes of all samples. No overflow for sides up to ORO_HEIGHTFIELD_SIDE_MAX. */
uint64_t oro_samples_size(const struct oro_raster_shape *shape);

/* One row between memory and file. `bytes` has room for width * oro_sample_bytes. */
void oro_samples_encode(const struct oro_raster_shape *shape, const float *row, unsigned char *bytes);

/* All rows from shape->offset on. */
bool oro_samples_read(struct oro_raster_file *source, const struct oro_raster_shape *shape, float *samples,
                      struct oro_error *err);
/* All rows to where the stream is. */
bool oro_samples_write(FILE *stream, const char *path, const struct oro_raster_shape *shape,
                       const float *samples, struct oro_error *err);

#endif
