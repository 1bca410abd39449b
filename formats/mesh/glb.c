/* glTF 2.0, binary: 3D Formats Working Group 2021, "glTF 2.0 Specification", version 2.0.1, section 4. */
#include <stdlib.h>

#include <jansson.h>

#include "base/text.h"
#include "formats/mesh/body.h"
#include "formats/mesh/bytes.h"

enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

/* What the binary chunk holds, in this order; each part that is there is a buffer view, and all but the
 * images are accessors of the same number. The base is shaded flat, as what has no normals: its vertices are
 * those of the surface and below, which one more accessor has. */
enum part { POSITIONS, NORMALS, PLACES, TANGENTS, INDICES, BASE_INDICES, TEXTURE, NORMAL_MAP, PARTS };

struct glb {
    const struct oro_mesh_body *body;
    const struct oro_mesh_facts *facts;
    bool base;
    size_t vertices, triangles; /* of the surface and its skirt */
    uint64_t size[PARTS];
    int number[PARTS], accessors;
    uint64_t length; /* of the binary chunk */
};

static uint64_t padded(uint64_t size)
{
    return (size + 3) / 4 * 4;
}

static struct glb glb_of(const struct oro_mesh_body *body, const struct oro_mesh_facts *facts)
{
    struct glb glb = {.body = body, .facts = facts, .base = body->options->base > 0};
    glb.vertices = glb.base ? body->surface_vertices : body->vertex_count;
    glb.triangles = glb.base ? body->surface_triangles : body->triangle_count;
    const uint64_t sizes[PARTS] = {
        [POSITIONS] = 12 * (uint64_t)body->vertex_count,
        [NORMALS] = 12 * (uint64_t)glb.vertices,
        [PLACES] = 8 * (uint64_t)glb.vertices,
        [TANGENTS] = facts->normals.size > 0 ? 16 * (uint64_t)glb.vertices : 0,
        [INDICES] = 12 * (uint64_t)glb.triangles,
        [BASE_INDICES] = 12 * (uint64_t)(body->triangle_count - glb.triangles),
        [TEXTURE] = body->options->texture.size,
        [NORMAL_MAP] = facts->normals.size,
    };
    for (int part = 0, number = 0; part < PARTS; part++) {
        glb.size[part] = sizes[part];
        glb.number[part] = number;
        number += sizes[part] > 0;
        glb.length += padded(sizes[part]);
    }
    glb.accessors = glb.number[TEXTURE];
    return glb;
}

uint64_t oro_glb_whole_size(const struct oro_mesh_grid *grid)
{
    return 32 * (uint64_t)grid->width * (uint64_t)grid->height + 12 * (uint64_t)oro_mesh_full(grid);
}

/* ---- The description ---- */

static void add_numbers(struct oro_text *json, const char *key, const double *values, int count)
{
    char number[ORO_NUMBER_SIZE];
    oro_text_addf(json, ",\"%s\":[", key);
    for (int i = 0; i < count; i++)
        oro_text_addf(json, "%s%s", i ? "," : "", oro_format_number(values[i], number));
    oro_text_add(json, "]");
}

static void add_asset(struct oro_text *json, const struct oro_mesh_facts *facts)
{
    oro_text_addf(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"%s\"", facts->program);
    if (facts->crs) {
        json_t *node = json_string(facts->crs);
        char *quoted = node ? json_dumps(node, JSON_ENCODE_ANY) : NULL;
        oro_text_addf(json, ",\"extras\":{\"crs\":%s", quoted ? quoted : "");
        add_numbers(json, "origin", (const double[]){facts->east, facts->north}, 2);
        oro_text_add(json, "}");
        json->failed = json->failed || !quoted;
        free(quoted); /* jansson's */
        json_decref(node);
    }
    oro_text_add(json, "},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
                       "\"nodes\":[{\"mesh\":0,\"name\":\"terrain\"}],");
}

static void add_mesh(struct oro_text *json, const struct glb *glb)
{
    const int *number = glb->number;
    bool texture = glb->size[TEXTURE] > 0;
    oro_text_addf(json,
                  "\"meshes\":[{\"name\":\"terrain\",\"primitives\":[{\"attributes\":{\"POSITION\":%d,"
                  "\"NORMAL\":%d,\"TEXCOORD_0\":%d",
                  number[POSITIONS], number[NORMALS], number[PLACES]);
    if (glb->size[TANGENTS] > 0)
        oro_text_addf(json, ",\"TANGENT\":%d", number[TANGENTS]);
    oro_text_addf(json, "},\"indices\":%d,\"material\":0}", number[INDICES]);
    if (glb->base)
        oro_text_addf(json, ",{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"material\":1}",
                      glb->accessors, number[BASE_INDICES]);
    oro_text_addf(json,
                  "]}],\"materials\":[{\"name\":\"terrain\",\"pbrMetallicRoughness\":{%s,"
                  "\"metallicFactor\":0,\"roughnessFactor\":1}",
                  texture ? "\"baseColorTexture\":{\"index\":0}" : "\"baseColorFactor\":[0.5,0.47,0.42,1]");
    if (glb->size[NORMAL_MAP] > 0)
        oro_text_addf(json, ",\"normalTexture\":{\"index\":%d}", texture ? 1 : 0);
    oro_text_add(json, glb->base ? "},{\"name\":\"base\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
                                   "[0.35,0.31,0.27,1],\"metallicFactor\":0,\"roughnessFactor\":1}}],"
                                 : "}],");
}

static void add_images(struct oro_text *json, const struct glb *glb)
{
    const struct oro_mesh_image images[] = {glb->body->options->texture, glb->facts->normals};
    int count = (images[0].size > 0) + (images[1].size > 0);
    if (count == 0)
        return;
    oro_text_addf(json,
                  "\"samplers\":[{\"magFilter\":9729,\"minFilter\":9987,\"wrapS\":33071,\"wrapT\":33071}],"
                  "\"textures\":[{\"sampler\":0,\"source\":0}%s],\"images\":[",
                  count > 1 ? ",{\"sampler\":0,\"source\":1}" : "");
    for (int i = 0; i < 2; i++)
        if (images[i].size > 0)
            oro_text_addf(json, "%s{\"bufferView\":%d,\"mimeType\":\"image/%s\"}",
                          i == 1 && count > 1 ? "," : "", glb->number[TEXTURE + i],
                          *(const unsigned char *)images[i].bytes == 0xFF ? "jpeg" : "png");
    oro_text_add(json, "],");
}

/* glTF: y up, and so z south. */
static void turn(const float v[3], float turned[3])
{
    turned[0] = v[0];
    turned[1] = v[2];
    turned[2] = v[1] == 0 ? 0 : -v[1];
}

static void add_accessor(struct oro_text *json, int view, bool index, size_t count, const char *type)
{
    oro_text_addf(json, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"",
                  json->data[json->length - 1] == '[' ? "" : ",", view, index ? UNSIGNED_INT : FLOAT, count,
                  type);
}

/* Of vertices, with their bounds. */
static void add_positions(struct oro_text *json, const struct oro_mesh_body *body, size_t count)
{
    double low[3] = {0}, high[3] = {0};
    add_accessor(json, 0, false, count, "VEC3");
    for (size_t i = 0; i < count; i++) {
        float v[3];
        turn(body->positions[i], v);
        for (int k = 0; k < 3; k++) {
            low[k] = i == 0 || (double)v[k] < low[k] ? (double)v[k] : low[k];
            high[k] = i == 0 || (double)v[k] > high[k] ? (double)v[k] : high[k];
        }
    }
    add_numbers(json, "min", low, 3);
    add_numbers(json, "max", high, 3);
    oro_text_add(json, "}");
}

static void add_accessors(struct oro_text *json, const struct glb *glb)
{
    static const char *const types[] = {[NORMALS] = "VEC3",
                                        [PLACES] = "VEC2",
                                        [TANGENTS] = "VEC4",
                                        [INDICES] = "SCALAR",
                                        [BASE_INDICES] = "SCALAR"};
    static const size_t bytes[] = {
        [NORMALS] = 12, [PLACES] = 8, [TANGENTS] = 16, [INDICES] = 4, [BASE_INDICES] = 4};
    oro_text_add(json, "\"accessors\":[");
    if (json->failed)
        return;
    add_positions(json, glb->body, glb->vertices);
    for (int part = NORMALS; part < TEXTURE && !json->failed; part++)
        if (glb->size[part] > 0) {
            add_accessor(json, glb->number[part], part >= INDICES, (size_t)glb->size[part] / bytes[part],
                         types[part]);
            oro_text_add(json, "}");
        }
    if (glb->base && !json->failed)
        add_positions(json, glb->body, glb->body->vertex_count);
    oro_text_add(json, "],");
}

static void add_views(struct oro_text *json, const struct glb *glb)
{
    unsigned long long offset = 0;
    oro_text_add(json, "\"bufferViews\":[");
    for (int part = 0; part < PARTS; part++) {
        if (glb->size[part] == 0)
            continue;
        oro_text_addf(json, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu", part == 0 ? "" : ",",
                      offset, (unsigned long long)glb->size[part]);
        if (part < TEXTURE)
            oro_text_addf(json, ",\"target\":%d",
                          part == INDICES || part == BASE_INDICES ? ELEMENT_ARRAY_BUFFER : ARRAY_BUFFER);
        oro_text_add(json, "}");
        offset += padded(glb->size[part]);
    }
    oro_text_addf(json, "],\"buffers\":[{\"byteLength\":%llu}]}", (unsigned long long)glb->length);
    while (json->length % 4 != 0 && !json->failed)
        oro_text_add(json, " ");
}

/* ---- The binary chunk ---- */

static void put_turned(FILE *stream, const float v[3])
{
    float turned[3];
    turn(v, turned);
    oro_mesh_put(stream, turned, 3);
}

static void put_vertices(FILE *stream, const struct glb *glb)
{
    const struct oro_mesh_body *body = glb->body;
    for (size_t i = 0; i < body->vertex_count; i++)
        put_turned(stream, body->positions[i]);
    for (size_t i = 0; i < glb->vertices; i++)
        put_turned(stream, body->normals[i]);
    for (size_t i = 0; i < glb->vertices; i++) {
        float uv[2];
        oro_mesh_place(body, i, uv);
        oro_mesh_put(stream, uv, 2);
    }
    for (size_t i = 0; glb->size[TANGENTS] > 0 && i < glb->vertices; i++) {
        float tangent[3];
        oro_mesh_tangent(body->normals[i], tangent);
        put_turned(stream, tangent);
        oro_mesh_put(stream, (const float[]){1}, 1);
    }
    oro_mesh_put(stream, body->triangles, 3 * body->triangle_count);
}

static void put_image(FILE *stream, struct oro_mesh_image image)
{
    static const unsigned char zeros[4] = {0};
    if (image.size > 0)
        fwrite(image.bytes, 1, image.size, stream);
    fwrite(zeros, 1, (size_t)(padded(image.size) - image.size), stream);
}

bool oro_glb_write(FILE *stream, const char *path, const struct oro_mesh_body *body,
                   const struct oro_mesh_facts *facts, struct oro_error *err)
{
    struct glb glb = glb_of(body, facts);
    struct oro_text json = {0};
    add_asset(&json, facts);
    add_mesh(&json, &glb);
    add_images(&json, &glb);
    add_accessors(&json, &glb);
    add_views(&json, &glb);
    uint64_t length = 12 + 8 + json.length + 8 + glb.length;
    bool ok = !json.failed || oro_fail(err, ORO_E_MEMORY, "no memory to write '%s'", path);
    if (ok && length > UINT32_MAX)
        ok = oro_fail(err, ORO_E_LIMIT,
                      "'%s' would have %.1f GiB, and .glb holds 4; --triangles N takes fewer of its %zu "
                      "triangles",
                      path, (double)length / 1073741824, body->triangle_count);
    if (ok) {
        fputs("glTF", stream);
        oro_mesh_put(stream, (const uint32_t[]){2, (uint32_t)length, (uint32_t)json.length}, 3);
        fprintf(stream, "JSON%s", json.data);
        oro_mesh_put(stream, (const uint32_t[]){(uint32_t)glb.length}, 1);
        fwrite("BIN", 1, 4, stream);
        put_vertices(stream, &glb);
        put_image(stream, body->options->texture);
        put_image(stream, facts->normals);
        ok = oro_mesh_flush(stream, path, err);
    }
    oro_text_free(&json);
    return ok;
}
