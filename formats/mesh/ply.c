#include "formats/mesh/body.h"
#include "formats/mesh/bytes.h"

bool oro_ply_write(FILE *stream, const char *path, const struct oro_mesh_body *body,
                   const struct oro_mesh_facts *facts, struct oro_error *err)
{
    struct oro_mesh_bytes bytes = {.stream = stream};
    char head[512];
    int length = snprintf(head, sizeof head,
                          "ply\nformat binary_little_endian 1.0\ncomment %s, metres, z up\n"
                          "element vertex %zu\nproperty float x\nproperty float y\nproperty float z\n"
                          "element face %zu\nproperty list uchar uint vertex_indices\nend_header\n",
                          facts->program, body->vertex_count, body->triangle_count);
    oro_mesh_put(&bytes, head, (size_t)length);
    for (size_t i = 0; i < body->vertex_count; i++)
        for (int k = 0; k < 3; k++)
            oro_mesh_put_float(&bytes, body->positions[i][k]);
    for (size_t i = 0; i < body->triangle_count; i++) {
        oro_mesh_put(&bytes, (const unsigned char[]){3}, 1);
        for (int k = 0; k < 3; k++)
            oro_mesh_put_32(&bytes, body->triangles[i][k]);
    }
    return oro_mesh_flush(&bytes, path, err);
}
