/* The preamble of kernels, and the uniform block: every byte where GLSL's std140 layout expects it. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "graph/eval/kernel.h"
#include "graph/type/literal.h"
#include "graph/type/registry.h"
#include "tests/support/test.h"

/* One of every literal, in an order that needs padding. */
struct params {
    float amount;
    float tint[4];
    bool ridged;
    float centre[2];
    int count, method, seed;
    const char *caption, *file;
    struct oro_profile curve;
    float strength;
    bool last;
};
static const char *const methods[] = {"perlin", "smooth-max", "mini", NULL};
static const struct oro_input inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN),
    ORO_IN_FLOAT(struct params, amount, 1.5),
    ORO_IN_COLOUR(struct params, tint, "#ff800040"),
    ORO_IN_BOOL(struct params, ridged, true),
    ORO_IN_POINT(struct params, centre, "3 4"),
    ORO_IN_INT(struct params, count, -7),
    ORO_IN_TEXT(struct params, caption, "not in the block"),
    ORO_IN_FILE(struct params, file, ""),
    ORO_IN_CHOICE(struct params, method, 2, methods),
    ORO_IN_PROFILE(struct params, curve, "0 0, 0.5 2, 1 -1"),
    ORO_IN_MAP(struct params, strength, 0.25),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_BOOL(struct params, last, false),
    ORO_IN_IMAGE("picture", .optional = true),
    ORO_IN_VECTOR("flow", .optional = true),
    ORO_IN_FIELD("other", .optional = true),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN), ORO_OUT_IMAGE("image"), {0}};
static const struct oro_node_type type = {.id = "everything",
                                          .inputs = inputs,
                                          .outputs = outputs,
                                          .params_size = sizeof(struct params),
                                          .kernel = "k.comp"};
enum { INPUTS = sizeof inputs / sizeof inputs[0] - 1, TERRAIN = 0, STRENGTH = 10 };

/* The block as GLSL lays it out (std140): what a vec4 or a struct begins lies at a multiple of 16, a vec2
 * of 8. */
struct grid_block {
    int32_t size[2];
    float origin[2];
    float cell;
    float padding[3];
};
struct block {
    struct grid_block grid, source;
    float amount;
    float padding1[3];
    float tint[4];
    int32_t ridged;
    float padding2;
    float centre[2];
    int32_t count, method;
    float padding3[2];
    float curve[32][4];
    float strength;
    uint32_t seed;
    int32_t last;
    int32_t unused;
    float pass[ORO_CONSTANTS_MAX];
};

static unsigned char *constants_of(const struct oro_dispatch *dispatch, size_t *size, size_t *pass_offset)
{
    struct params params;
    memset(&params, 0, sizeof params);
    oro_params_default(&type, &params);
    params.seed = (int)0xDEADBEEFu;
    unsigned char *bytes = oro_kernel_constants(&type, &params, dispatch, size, pass_offset);
    assert_non_null(bytes);
    return bytes;
}

TEST(the_block_is_std140)
{
    struct oro_dispatch dispatch = {.grid = {64, 32, 2.5, 100, -200}, .source = {16, 8, 10, 1, 2}};
    size_t size, pass_offset;
    unsigned char *bytes = constants_of(&dispatch, &size, &pass_offset);
    struct block block;
    assert_int_equal(size, sizeof block);
    assert_int_equal(pass_offset, offsetof(struct block, pass));
    memcpy(&block, bytes, sizeof block);
    assert_true(block.grid.size[0] == 64 && block.grid.size[1] == 32);
    assert_true(block.grid.origin[0] == 100 && block.grid.origin[1] == -200 && block.grid.cell == 2.5f);
    assert_true(block.source.size[0] == 16 && block.source.size[1] == 8 && block.source.cell == 10);
    assert_true(block.amount == 1.5f && block.strength == 0.25f);
    assert_true(block.tint[0] == 1 && block.tint[2] == 0 && block.tint[3] > 0.25f && block.tint[3] < 0.26f);
    assert_int_equal(block.ridged, 1);
    assert_int_equal(block.last, 0);
    assert_true(block.centre[0] == 3 && block.centre[1] == 4);
    assert_int_equal(block.count, -7);
    assert_int_equal(block.method, 2);
    assert_int_equal(block.seed, 0xDEADBEEFu);
    static const float curve[3][3] = {{0, 0, 3}, {0.5f, 2, 3}, {1, -1, 3}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            assert_true(block.curve[i][k] == curve[i][k]);
    assert_int_equal(size % 16, 0);
    oro_free(bytes);
}

/* A node with a float and a literal of another type behind it. */
struct one {
    float first;
    union {
        float number, colour[4], point[2];
        int whole;
        bool flag;
        struct oro_profile profile;
        struct oro_gradient gradient;
    } value;
};
struct expected {
    enum oro_type type;
    bool seed;
    size_t offset, size;
    const char *glsl;
};

static void expect_declared(const struct oro_node_type *node, const char *glsl)
{
    struct oro_text text = {0};
    oro_kernel_preamble(node, (bool[]){false, false}, &(struct oro_dispatch){0}, &text);
    assert_non_null(strstr(text.data, glsl));
    oro_text_free(&text);
}

static void expect_aligned(const struct expected *e)
{
    struct oro_input two[3] = {{.name = "first", .type = ORO_FLOAT, .offset = offsetof(struct one, first)},
                               {.name = "value",
                                .type = e->type,
                                .offset = offsetof(struct one, value),
                                .role = e->seed ? ORO_ROLE_SEED : ORO_ROLE_NONE,
                                .choices = methods}};
    struct oro_node_type node = {.id = "two", .inputs = two};
    struct one params;
    memset(&params, 0, sizeof params);
    memset(&params.value, 0x01, 16); /* found again in the block */
    if (e->type == ORO_PROFILE)
        params.value.profile = (struct oro_profile){.count = 1, .x = {7}};
    if (e->type == ORO_GRADIENT)
        params.value.gradient = (struct oro_gradient){.count = 1, .position = {7}};
    size_t size, pass_offset, end = e->offset + e->size + 4; /* and oro_unused */
    unsigned char *bytes =
        oro_kernel_constants(&node, &params, &(struct oro_dispatch){0}, &size, &pass_offset);
    assert_non_null(bytes);
    if (e->size)
        assert_int_not_equal(bytes[64 + e->offset] | bytes[64 + e->offset + 3], 0);
    for (size_t k = 4; e->size && k < e->offset; k++)
        assert_int_equal(bytes[64 + k], 0);
    assert_int_equal(pass_offset, 64 + (end + 15) / 16 * 16);
    assert_int_equal(size, pass_offset + 4 * ORO_CONSTANTS_MAX);
    oro_free(bytes);
    expect_declared(&node, e->glsl);
}

TEST(every_type_is_aligned)
{
    static const struct expected types[] = {{ORO_FLOAT, false, 4, 4, "    float value;\n"},
                                            {ORO_INT, false, 4, 4, "    int value;\n"},
                                            {ORO_INT, true, 4, 4, "    uint value;\n"},
                                            {ORO_BOOL, false, 4, 4, "    bool value;\n"},
                                            {ORO_CHOICE, false, 4, 4, "    int value;\n"},
                                            {ORO_COLOUR, false, 16, 16, "    vec4 value;\n"},
                                            {ORO_POINT, false, 8, 8, "    vec2 value;\n"},
                                            {ORO_PROFILE, false, 16, 512, "    vec4 value[32];\n"},
                                            {ORO_GRADIENT, false, 16, 1024, "    vec4 value[64];\n"},
                                            {ORO_TEXT, false, 4, 0, "    float first;\n"},
                                            {ORO_FILE, false, 4, 0, "    float first;\n"}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        expect_aligned(&types[i]);
}

static void expect_part(const struct oro_text *text, const char *part)
{
    if (!strstr(text->data, part))
        fail_msg("the preamble lacks '%s':\n%s", part, text->data);
}

TEST(the_preamble_declares_it)
{
    bool linked[INPUTS] = {[TERRAIN] = true};
    struct oro_arena *arena = oro_arena_create();
    struct oro_dispatch dispatch = {.constants = {{"low"}, {"high"}}, .defines = "#define WALLS 1\n"};
    struct oro_text text = {0};
    assert_true(oro_kernel_default_slots(&type, linked, arena, &dispatch));
    oro_kernel_preamble(&type, linked, &dispatch, &text);
    assert_false(text.failed);
    assert_int_equal(strncmp(text.data, "#version 310 es\n", 16), 0);
    expect_part(&text, "layout(local_size_x = 16, local_size_y = 16) in;");
    expect_part(&text, "#define METHOD_PERLIN 0\n#define METHOD_SMOOTH_MAX 1\n#define METHOD_MINI 2\n");
    expect_part(&text, "    float amount;\n    vec4 tint;\n    bool ridged;\n    vec2 centre;\n    int "
                       "count;\n    int method;\n"
                       "    vec4 curve[32];\n    float strength;\n    uint seed;\n    bool last;\n");
    expect_part(&text, "struct oro_pass_type {\n    float low;\n    float high;\n};");
    expect_part(&text, "binding = 0) restrict readonly buffer oro_buffer_0 { float terrain[]; };");
    expect_part(&text, "binding = 1) restrict writeonly buffer oro_buffer_1 { float terrain_out[]; };");
    expect_part(&text, "binding = 2) restrict writeonly buffer oro_buffer_2 { vec4 image_out[]; };");
    expect_part(&text, "#define HAS_TERRAIN 1");
    expect_part(&text, "#define HAS_OTHER 0");
    expect_part(&text, "float other_at(ivec2 p) { return float(0.0); }");
    expect_part(&text, "vec2 flow_at(ivec2 p) { return vec2(0.0); }");
    expect_part(&text, "vec4 picture_at(ivec2 p) { return vec4(0.0); }");
    expect_part(&text, "float strength_at(ivec2 p) { return params.strength; }");
    expect_part(&text, "float profile_curve(float x)");
    expect_part(&text, "void set_terrain(ivec2 p, float v) { terrain_out[oro_index(p)] = v; }");
    expect_part(&text, "void set_image(ivec2 p, vec4 v)");
    assert_non_null(strstr(text.data + text.length - 16, "#define WALLS 1\n"));
    assert_null(strstr(text.data, "caption"));
    oro_text_free(&text);
    oro_arena_destroy(arena);
}

/* A linked map that no slot names is bound behind the slots, and read like its number. */
TEST(maps_follow_the_slots)
{
    bool linked[INPUTS] = {[TERRAIN] = true, [STRENGTH] = true};
    struct oro_dispatch dispatch = {
        .slots = {{"terrain"}, {"state", NULL, ORO_UPDATE}, {"terrain_out", NULL, ORO_WRITE}},
        .group_columns = 32,
        .group_rows = 4};
    struct oro_text text = {0};
    assert_true(oro_kernel_binds_map(&type, linked, &dispatch, STRENGTH));
    assert_false(oro_kernel_binds_map(&type, linked, &dispatch, TERRAIN));
    oro_kernel_preamble(&type, linked, &dispatch, &text);
    expect_part(&text, "local_size_x = 32, local_size_y = 4");
    expect_part(&text, "binding = 1) restrict buffer oro_buffer_1 { float state[]; };");
    expect_part(&text, "binding = 3) restrict readonly buffer oro_buffer_3 { float strength[]; };");
    expect_part(&text, "float strength_at(ivec2 p) { return strength[oro_source_index(p)]; }");
    expect_part(&text, "#define HAS_STRENGTH 1");
    assert_null(strstr(text.data, "oro_pass_type"));
    oro_text_free(&text);
    dispatch.slots[3] = (struct oro_slot){.name = "strength"};
    assert_false(oro_kernel_binds_map(&type, linked, &dispatch, STRENGTH));
}

static const struct oro_input masked_inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN),
    {.name = "mask", .type = ORO_FLOAT, .role = ORO_ROLE_MASK, .offset = 0, .map = true, .value = 1},
    {0}};
static const struct oro_output masked_outputs[] = {
    ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN), ORO_OUT_FIELD("depth"), {0}};

TEST(masks_blend_terrain_alone)
{
    struct oro_node_type masked = {
        .id = "m", .inputs = masked_inputs, .outputs = masked_outputs, .params_size = 4};
    bool linked[] = {true, false};
    struct oro_arena *arena = oro_arena_create();
    struct oro_dispatch dispatch = {0};
    struct oro_text text = {0};
    assert_true(oro_kernel_default_slots(&masked, linked, arena, &dispatch));
    oro_kernel_preamble(&masked, linked, &dispatch, &text);
    expect_part(&text, "terrain_out[oro_index(p)] = mix(terrain_at(p), v, mask_at(p));");
    expect_part(&text, "depth_out[oro_index(p)] = v;");
    oro_text_free(&text);
    oro_arena_destroy(arena);
}

TEST(memory_may_be_out)
{
    bool linked[INPUTS] = {[TERRAIN] = true};
    struct oro_dispatch dispatch = {0};
    size_t size, offset;
    struct params params;
    memset(&params, 0, sizeof params);
    oro_memory_fail_at(1);
    assert_null(oro_kernel_constants(&type, &params, &dispatch, &size, &offset));
    for (size_t n = 1; n < 10; n++) {
        struct oro_text text = {0};
        oro_memory_fail_at(n);
        oro_kernel_preamble(&type, linked, &dispatch, &text);
        oro_memory_fail_at(0);
        oro_text_free(&text);
    }
}
