/*
 * Inside formats/: a heightfield as a file of triangles, from the options to the bytes. What codecs of meshes
 * write is in mesh_write.c.
 */
#ifndef ORO_FORMATS_WRITER_MESH_WRITE_H
#define ORO_FORMATS_WRITER_MESH_WRITE_H

#include "formats/codec.h"
#include "formats/format.h"

/* Fails with ORO_E_USAGE for options that contradict each other or the codec. */
bool oro_mesh_file_check(const char *path, const struct oro_codec *codec,
                         const struct oro_mesh_options *options, struct oro_error *err);

#endif
