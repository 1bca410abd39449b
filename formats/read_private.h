/*
 * Inside formats/: what reading of the whole has in common with reading window by window (formats/windowed):
 * what a file without a header is, and what its numbers mean.
 */
#ifndef ORO_FORMATS_READ_PRIVATE_H
#define ORO_FORMATS_READ_PRIVATE_H

#include "formats/codec.h"
#include "formats/sidecar.h"

/* The shape of a headerless file: from the options, else from the sidecar if the file's length fits the size
 * there; else the facts are dropped. */
struct oro_raster_shape oro_shape_from_outside(const struct oro_raster_file *source,
                                               const struct oro_codec *codec,
                                               const struct oro_read_options *options,
                                               struct oro_facts *facts);
/* What the levels of a file mean: 0..1 where nobody says. */
struct oro_height_range oro_range_told(const struct oro_read_options *options, const struct oro_facts *facts);
/* How near to `nodata` a height is none: to half a level in a file of whole numbers. */
double oro_nodata_tolerance(double nodata, double largest, const struct oro_height_range *range);
/* Where the facts say that a field lies. Fails with ORO_E_MEMORY. */
bool oro_take_told_place(struct oro_heightfield *field, const struct oro_facts *facts, struct oro_error *err);

#endif
