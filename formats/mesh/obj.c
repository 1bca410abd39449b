#include <locale.h>
#include <stdlib.h>

#include "formats/mesh/body.h"
#include "formats/mesh/bytes.h"

enum { NUMBER_SIZE = 24 };

/* The fewest digits that read back as the same float; nine always do. */
static const char *number(float value, char out[NUMBER_SIZE])
{
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(out, NUMBER_SIZE, "%.*g", digits, (double)value);
        if (strtof(out, NULL) == value)
            break;
    }
    return out;
}

static void put_vector(FILE *stream, const char *word, const float v[3])
{
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
    fprintf(stream, "%s %s %s %s\n", word, number(v[0], x), number(v[1], y), number(v[2], z));
}

static void put_vertices(FILE *stream, const struct oro_mesh_body *body, size_t normals)
{
    for (size_t i = 0; i < body->vertex_count; i++)
        put_vector(stream, "v", body->positions[i]);
    for (size_t i = 0; i < normals; i++) {
        float uv[2];
        oro_mesh_place(body, i, uv);
        fprintf(stream, "vt %.7g %.7g\n", (double)uv[0], 1 - (double)uv[1]);
    }
    for (size_t i = 0; i < normals; i++)
        fprintf(stream, "vn %.5g %.5g %.5g\n", (double)body->normals[i][0], (double)body->normals[i][1],
                (double)body->normals[i][2]);
}

/* The surface has texture coordinates and normals; the base is flat and plain. */
static void put_faces(FILE *stream, const struct oro_mesh_body *body, size_t smooth)
{
    for (size_t i = 0; i < body->triangle_count; i++) {
        size_t a = (size_t)body->triangles[i][0] + 1, b = (size_t)body->triangles[i][1] + 1,
               c = (size_t)body->triangles[i][2] + 1;
        if (i == 0)
            fprintf(stream, "g surface\ns 1\n");
        if (i == smooth)
            fprintf(stream, "g base\ns off\n");
        if (i < smooth)
            fprintf(stream, "f %zu/%zu/%zu %zu/%zu/%zu %zu/%zu/%zu\n", a, a, a, b, b, b, c, c, c);
        else
            fprintf(stream, "f %zu %zu %zu\n", a, b, c);
    }
}

bool oro_obj_write(FILE *stream, const char *path, const struct oro_mesh_body *body,
                   const struct oro_mesh_facts *facts, struct oro_error *err)
{
    bool base = body->options->base > 0;
    /* Numbers are written with a point, whatever the program's locale. */
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!plain)
        return oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    locale_t before = uselocale(plain);
    fprintf(stream, "# %s, metres, x east, y north, z up\no terrain\n", facts->program);
    put_vertices(stream, body, base ? body->surface_vertices : body->vertex_count);
    put_faces(stream, body, base ? body->surface_triangles : body->triangle_count);
    uselocale(before);
    freelocale(plain);
    return oro_mesh_flush(stream, path, err);
}
