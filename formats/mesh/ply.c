#include "formats/mesh/body.h"
#include "formats/mesh/bytes.h"

bool oro_ply_write(FILE *stream, const char *path, const struct oro_mesh_body *body,
                   const struct oro_mesh_facts *facts, struct oro_error *err)
{
    fprintf(stream,
            "ply\nformat binary_little_endian 1.0\ncomment %s, metres, z up\n"
            "element vertex %zu\nproperty float x\nproperty float y\nproperty float z\n"
            "element face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
            facts->program, body->vertex_count, body->triangle_count);
    oro_mesh_put(stream, body->positions[0], 3 * body->vertex_count);
    for (size_t i = 0; i < body->triangle_count; i++) {
        putc(3, stream);
        oro_mesh_put(stream, body->triangles[i], 3);
    }
    return oro_mesh_flush(stream, path, err);
}
