#include <math.h>

#include "formats/mesh/body.h"
#include "formats/mesh/bytes.h"

static void put_triangle(FILE *stream, const float a[3], const float b[3], const float c[3])
{
    static const unsigned char attributes[2] = {0};
    double u[3], v[3], normal[3], square = 0;
    float up[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)b[k] - (double)a[k];
        v[k] = (double)c[k] - (double)a[k];
    }
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        normal[k] = u[next] * v[last] - u[last] * v[next];
        square += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; k++)
        up[k] = square > 0 ? (float)(normal[k] / sqrt(square)) : 0;
    oro_mesh_put(stream, up, 3);
    oro_mesh_put(stream, a, 3);
    oro_mesh_put(stream, b, 3);
    oro_mesh_put(stream, c, 3);
    fwrite(attributes, 1, sizeof attributes, stream);
}

bool oro_stl_write(FILE *stream, const char *path, const struct oro_mesh_body *body,
                   const struct oro_mesh_facts *facts, struct oro_error *err)
{
    char head[80] = {0}; /* readers take a file that begins with "solid" for text */
    if (body->triangle_count > UINT32_MAX)
        return oro_fail(err, ORO_E_LIMIT, "'%s' cannot hold %zu triangles; --triangles N takes fewer", path,
                        body->triangle_count);
    snprintf(head, sizeof head, "%s, metres, z up", facts->program);
    fwrite(head, 1, sizeof head, stream);
    oro_mesh_put(stream, (const uint32_t[]){(uint32_t)body->triangle_count}, 1);
    for (size_t i = 0; i < body->triangle_count; i++) {
        const uint32_t *corners = body->triangles[i];
        put_triangle(stream, body->positions[corners[0]], body->positions[corners[1]],
                     body->positions[corners[2]]);
    }
    return oro_mesh_flush(stream, path, err);
}
