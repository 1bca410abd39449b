/*
 * Inside formats/: a heightfield as a file of triangles, from the options to the bytes.
 */
#ifndef ORO_FORMATS_MESH_WRITE_H
#define ORO_FORMATS_MESH_WRITE_H

#include "formats/codec.h"
#include "formats/format.h"

/* Fails with ORO_E_USAGE for options that contradict each other or the codec. */
bool oro_mesh_file_check(const char *path, const struct oro_codec *codec,
                         const struct oro_mesh_options *options, struct oro_error *err);

/* Writes the mesh of the field's heights, and tells what it made. Fails with ORO_E_WRITE (also where there
 * are fewer than 2 by 2 cells), ORO_E_MEMORY, ORO_E_LIMIT (too large for the format), ORO_E_CANCELLED. */
bool oro_mesh_file_write(FILE *stream, const char *path, const struct oro_codec *codec,
                         const struct oro_heightfield *field, const struct oro_write_options *options,
                         struct oro_mesh_made *made, struct oro_error *err);

#endif
