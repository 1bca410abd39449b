/*
 * Inside formats/: uncompressed samples, uint16 if the shape has levels, float32 otherwise.
 */
#ifndef ORO_FORMATS_RAW_SAMPLES_H
#define ORO_FORMATS_RAW_SAMPLES_H

#include "formats/codec.h"

int oro_sample_bytes(const struct oro_raster_shape *shape);
/* Bytes of all samples. No overflow for sides up to ORO_RASTER_SIDE_MAX. */
uint64_t oro_samples_size(const struct oro_raster_shape *shape);

/* Convert one row between memory and file. `bytes` has room for width * oro_sample_bytes. */
void oro_samples_encode(const struct oro_raster_shape *shape, const float *row, unsigned char *bytes);
void oro_samples_decode(const struct oro_raster_shape *shape, const unsigned char *bytes, float *row);

/* Reads a window of those that lie from shape->offset on. */
bool oro_samples_read(struct oro_raster_file *source, const struct oro_raster_shape *shape,
                      const struct oro_cell_window *window, float *samples, struct oro_error *err);
/* Writes a window, whose rows begin `stride` apart, to its place among samples that lie from shape->offset
 * on. Fails with ORO_E_WRITE, ORO_E_MEMORY; `path` is for messages. */
bool oro_samples_put(int file, const char *path, const struct oro_raster_shape *shape,
                     const struct oro_cell_window *window, const float *samples, size_t stride,
                     struct oro_error *err);
/* Writes all samples to an output, from shape->offset on. */
bool oro_samples_write(const struct oro_raster_output *output, const struct oro_raster_shape *shape,
                       const float *samples, struct oro_error *err);

#endif
