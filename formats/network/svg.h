/*
 * Inside formats/network/: lines as a drawing in SVG, in metres, x east and y south. What is written keeps
 * what is known at vertices in attributes of its own, which programs that draw leave alone.
 */
#ifndef ORO_FORMATS_NETWORK_SVG_H
#define ORO_FORMATS_NETWORK_SVG_H

#include "base/text.h"
#include "formats/gdal/gdal.h"

/* Wherever the lines lie. Atomic. Fails with ORO_E_WRITE, ORO_E_MEMORY, and as `lines` do. */
bool oro_svg_write(const char *path, const struct oro_vector_lines *lines, struct oro_error *err);
/* Paths, polylines, polygons and lines, with their transforms; curves become short segments, and circles are
 * points. Gives a FeatureCollection of at most `most` bytes. Fails with ORO_E_FILE, ORO_E_LIMIT,
 * ORO_E_MEMORY.
 */
bool oro_svg_read(const char *path, size_t most, struct oro_text *text, struct oro_error *err);

#endif
