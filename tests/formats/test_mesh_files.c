/* Files of triangles, read by parsers of the tests' own. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/memory.h"
#include "edges.h"
#include "formats/sidecar/sidecar.h"

enum { WIDTH = 24, HEIGHT = 17 };

static struct oro_heightfield make_terrain(void)
{
    struct oro_heightfield field = make_hills(WIDTH, HEIGHT);
    field.cell = 30;
    field.metres = true;
    return field;
}

/* Writes with these options, and gives what was made. */
static struct oro_mesh_made write_mesh(const char *path, const struct oro_mesh_options *mesh)
{
    struct oro_heightfield field = make_terrain();
    struct oro_written written = {0};
    struct oro_write_options options = {.mesh = *mesh, .written = &written};
    write_field(path, &field, &options);
    oro_heightfield_free(&field);
    return written.mesh;
}

static uint32_t get_32(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static float get_float(const unsigned char *p)
{
    uint32_t bits = get_32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- glTF ---- */

struct glb {
    unsigned char *bytes;
    const unsigned char *binary;
    size_t binary_size;
    json_t *root;
};

static json_int_t number_of(const json_t *object, const char *key)
{
    const json_t *item = json_object_get(object, key);
    if (!json_is_integer(item))
        fail_msg("'%s' is no integer", key);
    return json_integer_value(item);
}

static struct glb open_glb(const char *path)
{
    size_t size = 0;
    struct glb glb = {.bytes = get_file(path, &size)};
    const unsigned char *b = glb.bytes;
    assert_true(size > 28 && memcmp(b, "glTF", 4) == 0);
    assert_int_equal(get_32(b + 4), 2);
    assert_int_equal(get_32(b + 8), size);
    size_t json = get_32(b + 12);
    assert_memory_equal(b + 16, "JSON", 4);
    assert_true(json % 4 == 0 && json < size - 28);
    glb.root = json_loadb((const char *)b + 20, json, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(glb.root);
    glb.binary_size = get_32(b + 20 + json);
    glb.binary = b + 28 + json;
    assert_memory_equal(b + 24 + json, "BIN\0", 4);
    assert_true(glb.binary_size % 4 == 0 && 28 + json + glb.binary_size == size);
    const json_t *buffer = json_array_get(json_object_get(glb.root, "buffers"), 0);
    assert_int_equal(number_of(buffer, "byteLength"), glb.binary_size);
    assert_string_equal(json_string_value(json_object_get(json_object_get(glb.root, "asset"), "version")),
                        "2.0");
    return glb;
}

static void close_glb(struct glb *glb)
{
    json_decref(glb->root);
    oro_free(glb->bytes);
}

static const unsigned char *view_of(const struct glb *glb, json_int_t index, size_t *size)
{
    const json_t *view = json_array_get(json_object_get(glb->root, "bufferViews"), (size_t)index);
    size_t offset = (size_t)number_of(view, "byteOffset");
    *size = (size_t)number_of(view, "byteLength");
    assert_true(offset % 4 == 0 && offset + *size <= glb->binary_size);
    return glb->binary + offset;
}

/* The values of an accessor; checks its type, and that it lies in its view. */
static const unsigned char *accessor_of(const struct glb *glb, json_int_t index, const char *type,
                                        size_t components, size_t *count)
{
    size_t size = 0;
    const json_t *accessor = json_array_get(json_object_get(glb->root, "accessors"), (size_t)index);
    bool indices = strcmp(type, "SCALAR") == 0;
    assert_string_equal(json_string_value(json_object_get(accessor, "type")), type);
    assert_int_equal(number_of(accessor, "componentType"), indices ? 5125 : 5126);
    *count = (size_t)number_of(accessor, "count");
    const unsigned char *values = view_of(glb, number_of(accessor, "bufferView"), &size);
    assert_true(size >= 4 * components * *count);
    const json_t *view =
        json_array_get(json_object_get(glb->root, "bufferViews"), (size_t)number_of(accessor, "bufferView"));
    assert_int_equal(number_of(view, "target"), indices ? 34963 : 34962);
    return values;
}

static void check_bounds(const struct glb *glb, json_int_t index, const unsigned char *positions,
                         size_t count)
{
    const json_t *accessor = json_array_get(json_object_get(glb->root, "accessors"), (size_t)index);
    for (size_t k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            double value = (double)get_float(positions + 12 * i + 4 * k);
            low = fmin(low, value);
            high = fmax(high, value);
        }
        assert_true(json_number_value(json_array_get(json_object_get(accessor, "min"), k)) == low);
        assert_true(json_number_value(json_array_get(json_object_get(accessor, "max"), k)) == high);
    }
}

static void check_units(const unsigned char *vectors, size_t stride, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double square = 0;
        for (size_t k = 0; k < 3; k++)
            square += pow((double)get_float(vectors + stride * i + 4 * k), 2);
        assert_true(fabs(square - 1) < 1e-6);
    }
}

/* The corners turn counter-clockwise around the normals. */
static void check_sides(const unsigned char *positions, const unsigned char *normals,
                        const unsigned char *indices, size_t count)
{
    for (size_t i = 0; i < count; i += 3) {
        double p[3][3], n[3] = {0}, up = 0;
        for (size_t c = 0; c < 3; c++)
            for (size_t k = 0; k < 3; k++) {
                p[c][k] = (double)get_float(positions + 12 * get_32(indices + 4 * (i + c)) + 4 * k);
                n[k] += (double)get_float(normals + 12 * get_32(indices + 4 * (i + c)) + 4 * k);
            }
        for (size_t k = 0; k < 3; k++) {
            size_t l = (k + 1) % 3, m = (k + 2) % 3;
            up += n[k] *
                  ((p[1][l] - p[0][l]) * (p[2][m] - p[0][m]) - (p[1][m] - p[0][m]) * (p[2][l] - p[0][l]));
        }
        assert_true(up > 0);
    }
}

struct primitive {
    const unsigned char *positions, *normals, *places, *tangents, *indices;
    size_t vertices, index_count;
};

static struct primitive primitive_of(const struct glb *glb, size_t which)
{
    struct primitive p = {0};
    size_t count = 0;
    const json_t *mesh = json_array_get(json_object_get(glb->root, "meshes"), 0);
    const json_t *primitive = json_array_get(json_object_get(mesh, "primitives"), which);
    const json_t *attributes = json_object_get(primitive, "attributes");
    json_int_t position = number_of(attributes, "POSITION");
    p.positions = accessor_of(glb, position, "VEC3", 3, &p.vertices);
    check_bounds(glb, position, p.positions, p.vertices);
    if (json_object_get(attributes, "NORMAL")) {
        p.normals = accessor_of(glb, number_of(attributes, "NORMAL"), "VEC3", 3, &count);
        assert_int_equal(count, p.vertices);
        check_units(p.normals, 12, count);
    }
    if (json_object_get(attributes, "TEXCOORD_0")) {
        p.places = accessor_of(glb, number_of(attributes, "TEXCOORD_0"), "VEC2", 2, &count);
        assert_int_equal(count, p.vertices);
    }
    if (json_object_get(attributes, "TANGENT")) {
        p.tangents = accessor_of(glb, number_of(attributes, "TANGENT"), "VEC4", 4, &count);
        assert_int_equal(count, p.vertices);
        check_units(p.tangents, 16, count);
    }
    p.indices = accessor_of(glb, number_of(primitive, "indices"), "SCALAR", 1, &p.index_count);
    assert_true(p.index_count > 0 && p.index_count % 3 == 0);
    for (size_t i = 0; i < p.index_count; i++)
        assert_true(get_32(p.indices + 4 * i) < p.vertices);
    return p;
}

TEST(glb_whole)
{
    const char *path = in_folder("whole.glb");
    struct oro_mesh_made made = write_mesh(path, &(struct oro_mesh_options){0});
    struct oro_heightfield field = make_terrain();
    struct glb glb = open_glb(path);
    struct primitive p = primitive_of(&glb, 0);
    assert_true(made.whole);
    assert_int_equal(made.vertices, WIDTH * HEIGHT);
    assert_int_equal(p.vertices, made.vertices);
    assert_int_equal(p.index_count, 3 * made.triangles);
    check_sides(p.positions, p.normals, p.indices, p.index_count);
    for (size_t i = 0; i < p.vertices; i++) { /* x east, y up, z south */
        size_t column = i % WIDTH, row = i / WIDTH;
        assert_true(get_float(p.positions + 12 * i) == ((float)column - 11.5F) * 30);
        assert_true(get_float(p.positions + 12 * i + 4) == field.data[i]);
        assert_true(get_float(p.positions + 12 * i + 8) == ((float)row - 8) * 30);
        assert_true(get_float(p.normals + 12 * i + 4) > 0);
        assert_true(fabs((double)get_float(p.places + 8 * i) - ((double)column + 0.5) / WIDTH) < 1e-6);
        assert_true(fabs((double)get_float(p.places + 8 * i + 4) - ((double)row + 0.5) / HEIGHT) < 1e-6);
    }
    assert_null(p.tangents);
    assert_null(json_object_get(glb.root, "images"));
    close_glb(&glb);
    oro_heightfield_free(&field);
}

/* Surface and base, which is shaded flat since it has no normals, are one closed body. */
TEST(glb_simplified_with_base)
{
    const char *path = in_folder("base.glb");
    struct oro_mesh_made made =
        write_mesh(path, &(struct oro_mesh_options){.triangles = 150, .base = 25, .normal_map = true});
    struct glb glb = open_glb(path);
    assert_true(!made.whole && made.surface_triangles <= 150 && made.surface_triangles >= 149);
    struct primitive surface = primitive_of(&glb, 0), base = primitive_of(&glb, 1);
    check_sides(surface.positions, surface.normals, surface.indices, surface.index_count);
    assert_true(surface.tangents && !base.normals && !base.tangents);
    assert_true(surface.positions == base.positions && surface.vertices < base.vertices);
    uint32_t triangles[1000][3];
    size_t count = 0;
    assert_true(surface.index_count + base.index_count == 3 * made.triangles && made.triangles <= 1000);
    for (; count < surface.index_count; count++)
        triangles[count / 3][count % 3] = get_32(surface.indices + 4 * count);
    for (size_t i = 0; i < base.index_count; i++, count++)
        triangles[count / 3][count % 3] = get_32(base.indices + 4 * i);
    assert_int_equal(open_edges((const uint32_t(*)[3])triangles, made.triangles), 0);
    close_glb(&glb);
}

/* The images are there as they are, one behind the other. */
TEST(glb_images)
{
    static const unsigned char texture[] = {0xFF, 0xD8, 0xFF, 1, 2};
    const char *path = in_folder("images.glb");
    write_mesh(path, &(struct oro_mesh_options){.normal_map = true, .texture = {texture, sizeof texture}});
    struct glb glb = open_glb(path);
    const json_t *images = json_object_get(glb.root, "images");
    size_t size = 0;
    assert_int_equal(json_array_size(images), 2);
    assert_int_equal(json_array_size(json_object_get(glb.root, "textures")), 2);
    const unsigned char *bytes = view_of(&glb, number_of(json_array_get(images, 0), "bufferView"), &size);
    assert_int_equal(size, sizeof texture);
    assert_memory_equal(bytes, texture, size);
    bytes = view_of(&glb, number_of(json_array_get(images, 1), "bufferView"), &size);
    assert_memory_equal(bytes, "\x89PNG", 4);
    assert_string_equal(json_string_value(json_object_get(json_array_get(images, 0), "mimeType")),
                        "image/jpeg");
    assert_string_equal(json_string_value(json_object_get(json_array_get(images, 1), "mimeType")),
                        "image/png");
    close_glb(&glb);
}

TEST(glb_place)
{
    struct oro_heightfield field = make_terrain();
    char crs[] = "PROJCS[\"a \\ b\"]";
    field.place = (struct oro_place){crs, 1000, 9000};
    write_field(in_folder("place.glb"), &field, NULL);
    field.place.crs = NULL;
    struct glb glb = open_glb(in_folder("place.glb"));
    const json_t *extras = json_object_get(json_object_get(glb.root, "asset"), "extras");
    const json_t *origin = json_object_get(extras, "origin");
    assert_string_equal(json_string_value(json_object_get(extras, "crs")), crs);
    assert_true(json_number_value(json_array_get(origin, 0)) == 1000 + 30 * WIDTH / 2.0);
    assert_true(json_number_value(json_array_get(origin, 1)) == 9000 - 30 * HEIGHT / 2.0);
    close_glb(&glb);
    struct oro_facts facts;
    assert_true(oro_sidecar_read(in_folder("place.glb"), NULL, &facts, NULL));
    assert_string_equal(facts.crs, crs);
    assert_true(facts.west == 1000 && facts.north == 9000);
    oro_heightfield_free(&field);
}

/* ---- The others ---- */

struct solid {
    float (*positions)[3];
    uint32_t (*triangles)[3];
    size_t vertices, count;
};

static void free_solid(struct solid *solid)
{
    free(solid->positions);
    free(solid->triangles);
}

static struct solid make_solid(size_t vertices, size_t count)
{
    struct solid solid = {calloc(vertices, 12), calloc(count, 12), vertices, count};
    assert_true(solid.positions && solid.triangles);
    return solid;
}

static struct solid read_ply(const char *path)
{
    size_t size = 0, vertices = 0, count = 0;
    char *bytes = (char *)get_file(path, &size);
    const char *end = strstr(bytes, "end_header\n"), *vertex = strstr(bytes, "element vertex ");
    const char *face = strstr(bytes, "element face ");
    assert_true(end && vertex && face && strncmp(bytes, "ply\nformat binary_little_endian 1.0\n", 36) == 0);
    vertices = strtoul(vertex + 15, NULL, 10);
    count = strtoul(face + 13, NULL, 10);
    const unsigned char *at = (const unsigned char *)end + 11;
    assert_int_equal(at + 12 * vertices + 13 * count - (unsigned char *)bytes, size);
    struct solid solid = make_solid(vertices, count);
    for (size_t i = 0; i < 3 * vertices; i++, at += 4)
        solid.positions[i / 3][i % 3] = get_float(at);
    for (size_t i = 0; i < count; i++, at += 13) {
        assert_int_equal(at[0], 3);
        for (size_t k = 0; k < 3; k++)
            solid.triangles[i][k] = get_32(at + 1 + 4 * k);
    }
    oro_free(bytes);
    return solid;
}

static struct solid read_obj(const char *path)
{
    char line[256];
    FILE *file = fopen(path, "r");
    struct solid solid = make_solid(5000, 5000);
    assert_non_null(file);
    for (solid.vertices = solid.count = 0; fgets(line, sizeof line, file);) {
        char *at = line + 1;
        if (strncmp(line, "v ", 2) == 0) {
            for (int k = 0; k < 3; k++)
                solid.positions[solid.vertices][k] = strtof(at, &at);
            solid.vertices++;
        } else if (strncmp(line, "f ", 2) == 0) {
            for (int k = 0; k < 3; k++) {
                solid.triangles[solid.count][k] = (uint32_t)strtoul(at, &at, 10) - 1;
                at += strcspn(at, " \n");
            }
            solid.count++;
        }
    }
    fclose(file);
    return solid;
}

static bool same_place(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Corners at the same place become the same vertex. */
static struct solid read_stl(const char *path)
{
    size_t size = 0;
    unsigned char *bytes = get_file(path, &size);
    assert_true(size > 84 && memcmp(bytes, "solid", 5) != 0);
    size_t count = get_32(bytes + 80);
    assert_int_equal(size, 84 + 50 * count);
    struct solid solid = make_solid(3 * count, count);
    solid.vertices = 0;
    for (size_t i = 0; i < 3 * count; i++) {
        const unsigned char *at = bytes + 84 + 50 * (i / 3) + 12 + 12 * (i % 3);
        float p[3] = {get_float(at), get_float(at + 4), get_float(at + 8)};
        size_t known = 0;
        while (known < solid.vertices && !same_place(solid.positions[known], p))
            known++;
        if (known == solid.vertices)
            memcpy(solid.positions[solid.vertices++], p, sizeof p);
        solid.triangles[i / 3][i % 3] = (uint32_t)known;
    }
    check_units(bytes + 84, 50, count);
    oro_free(bytes);
    return solid;
}

/* Six times the volume; positive if the triangles face outwards. */
static double volume_of(const struct solid *solid)
{
    double sum = 0;
    for (size_t i = 0; i < solid->count; i++) {
        const float *a = solid->positions[solid->triangles[i][0]],
                    *b = solid->positions[solid->triangles[i][1]];
        const float *c = solid->positions[solid->triangles[i][2]];
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            sum += (double)a[k] * ((double)b[l] * (double)c[m] - (double)b[m] * (double)c[l]);
        }
    }
    return sum;
}

typedef struct solid reader(const char *path);
static const struct {
    const char *name;
    reader *read;
} solids[] = {{"s.ply", read_ply}, {"s.obj", read_obj}, {"s.stl", read_stl}};

TEST(base_is_closed)
{
    static const size_t triangles[] = {0, 2, 60, 400};
    for (size_t f = 0; f < 3; f++)
        for (size_t t = 0; t < 4; t++) {
            const char *path = in_folder(solids[f].name);
            struct oro_mesh_made made =
                write_mesh(path, &(struct oro_mesh_options){.triangles = triangles[t], .base = 12});
            struct solid solid = solids[f].read(path);
            double lowest = INFINITY;
            assert_int_equal(solid.count, made.triangles);
            assert_int_equal(solid.vertices, made.vertices);
            assert_int_equal(open_edges((const uint32_t(*)[3])solid.triangles, solid.count), 0);
            assert_true(volume_of(&solid) > 0);
            for (size_t i = 0; i < solid.vertices; i++) {
                assert_true(fabsf(solid.positions[i][0]) <= 11.5F * 30 &&
                            fabsf(solid.positions[i][1]) <= 240);
                lowest = fmin(lowest, (double)solid.positions[i][2]);
            }
            assert_true((float)lowest == (float)(made.low - 12));
            free_solid(&solid);
        }
}

TEST(skirt_hangs)
{
    for (size_t f = 0; f < 3; f++) {
        const char *path = in_folder(solids[f].name);
        struct oro_mesh_made made =
            write_mesh(path, &(struct oro_mesh_options){.triangles = 100, .skirt = 7});
        struct solid solid = solids[f].read(path);
        size_t ring = (made.triangles - made.surface_triangles) / 2;
        assert_int_equal(open_edges((const uint32_t(*)[3])solid.triangles, solid.count), ring);
        for (size_t i = made.vertices - ring; f < 2 && i < made.vertices; i++) {
            size_t above = 0;
            for (size_t k = 0; k < made.vertices - ring; k++)
                above += solid.positions[k][0] == solid.positions[i][0] &&
                         solid.positions[k][1] == solid.positions[i][1] &&
                         (float)((double)solid.positions[k][2] - 7) == solid.positions[i][2];
            assert_int_equal(above, 1);
        }
        free_solid(&solid);
    }
}

/* x east, y north, z up; text reads back as the very same floats. */
TEST(axes)
{
    struct oro_heightfield field = make_terrain();
    for (size_t f = 0; f < 2; f++) {
        write_mesh(in_folder(solids[f].name), &(struct oro_mesh_options){0});
        struct solid solid = solids[f].read(in_folder(solids[f].name));
        assert_int_equal(solid.vertices, WIDTH * HEIGHT);
        for (size_t i = 0; i < solid.vertices; i++) {
            assert_true(solid.positions[i][0] == ((float)(i % WIDTH) - 11.5F) * 30);
            assert_true(solid.positions[i][1] == (8 - (float)(i / WIDTH)) * 30);
            assert_true(solid.positions[i][2] == field.data[i]);
        }
        free_solid(&solid);
    }
    oro_heightfield_free(&field);
}

TEST(error_is_kept_and_told)
{
    const char *path = in_folder("error.ply");
    struct oro_mesh_made made = write_mesh(path, &(struct oro_mesh_options){.error = 20});
    assert_true(made.deviation.largest <= 20 && made.deviation.largest > 5 && !made.whole);
    assert_true(made.deviation.rms > 0 && made.deviation.rms < made.deviation.largest);
    json_t *root = json_load_file(in_folder("error.ply.json"), 0, NULL);
    const json_t *mesh = json_object_get(root, "mesh"), *water = json_object_get(root, "hydrology");
    assert_true(json_number_value(json_object_get(mesh, "largest_error")) == made.deviation.largest);
    assert_true(json_number_value(json_object_get(mesh, "rms_error")) == made.deviation.rms);
    assert_int_equal(json_integer_value(json_object_get(mesh, "triangles")), made.triangles);
    assert_string_equal(json_string_value(json_object_get(mesh, "up")), "z");
    assert_true(json_number_value(json_object_get(root, "maximum")) == made.high);
    assert_non_null(json_object_get(water, "of"));
    assert_null(json_object_get(root, "row_order"));
    json_decref(root);
}

TEST(equal_bytes)
{
    static const char *const names[] = {"one.glb", "two.glb", "one.obj", "two.obj",
                                        "one.stl", "two.stl", "one.ply", "two.ply"};
    for (size_t i = 0; i < 8; i += 2) {
        const struct oro_mesh_options options = {.triangles = 200, .base = 5, .normal_map = i == 0};
        write_mesh(in_folder(names[i]), &options);
        write_mesh(in_folder(names[i + 1]), &options);
        assert_same_file(in_folder(names[i]), in_folder(names[i + 1]));
    }
}

/* ---- What is refused ---- */

static void refuse(const char *name, const struct oro_heightfield *field, struct oro_mesh_options mesh,
                   enum oro_code code, const char *part)
{
    struct oro_error err = {0};
    const struct oro_write_options options = {.mesh = mesh};
    size_t before = files_in_folder();
    assert_false(oro_heightfield_write(in_folder(name), field, &options, &err));
    if (err.code != code || !strstr(err.text, part))
        fail_msg("code %d: %s", (int)err.code, err.text);
    assert_int_equal(files_in_folder(), before);
}

TEST(refused)
{
    struct oro_heightfield field = make_terrain(), line = make_hills(1, 9), bad = make_terrain();
    const struct oro_mesh_image image = {"x", 1};
    refuse("n.pfm", &field, (struct oro_mesh_options){.triangles = 9}, ORO_E_USAGE, "no mesh");
    refuse("n.glb", &field, (struct oro_mesh_options){.triangles = 9, .error = 1}, ORO_E_USAGE, "exclude");
    refuse("n.glb", &field, (struct oro_mesh_options){.skirt = 9, .base = 1}, ORO_E_USAGE, "exclude");
    refuse("n.glb", &field, (struct oro_mesh_options){.triangles = 1}, ORO_E_USAGE, "two triangles");
    refuse("n.stl", &field, (struct oro_mesh_options){.normal_map = true}, ORO_E_USAGE, "only .glb");
    refuse("n.obj", &field, (struct oro_mesh_options){.texture = image}, ORO_E_USAGE, "only .glb");
    refuse("n.glb", &line, (struct oro_mesh_options){0}, ORO_E_WRITE, "1x9 cells");
    bad.data[30] = NAN;
    refuse("n.ply", &bad, (struct oro_mesh_options){0}, ORO_E_WRITE, "cell 6,1 is NaN");
    write_mesh(in_folder("read.glb"), &(struct oro_mesh_options){0});
    expect_refused(in_folder("read.glb"), NULL, ORO_E_FILE, "is a mesh");
    oro_heightfield_free(&field);
    oro_heightfield_free(&line);
    oro_heightfield_free(&bad);
}

TEST_GROUP(folder_setup, folder_teardown);
