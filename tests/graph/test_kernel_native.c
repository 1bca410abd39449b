/* Preambles of kernels as the processor gets them, and the uniform block that belongs to each. */
#include <stdint.h>
#include <string.h>

#include "graph/eval/kernel_native.h"
#include "graph/type/literal.h"
#include "tests/support/test.h"

struct params {
    float strength, mask, tint[4];
    int method, seed;
};
static const char *const methods[] = {"near", "far-off", NULL};
static const struct oro_input inputs[] = {
    ORO_IN_FIELD("terrain", .role = ORO_ROLE_TERRAIN),
    ORO_IN_MAP(struct params, strength, 0.25, .min = 0, .max = 2),
    {.name = "mask", .type = ORO_FLOAT, .role = ORO_ROLE_MASK, .offset = 4, .map = true, .value = 1},
    ORO_IN_COLOUR(struct params, tint, "#ffffff"),
    ORO_IN_CHOICE(struct params, method, 0, methods),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_FIELD("sea", .optional = true),
    {0},
};
enum { TERRAIN, STRENGTH, MASK };
static const struct oro_output outputs[] = {ORO_OUT_FIELD("terrain", .role = ORO_ROLE_TERRAIN), {0}};
static const struct oro_node_type type = {
    .id = "t", .inputs = inputs, .outputs = outputs, .params_size = sizeof(struct params)};

struct made {
    struct oro_arena *arena;
    struct oro_word_set *words;
    struct oro_native_form form;
    struct oro_text text;
};

static void make(struct made *made, const struct oro_dispatch *dispatch, const bool *linked,
                 const char *kernel)
{
    bool fits;
    *made = (struct made){.arena = oro_arena_create(), .words = oro_words_of(kernel)};
    assert_true(oro_kernel_native(&type, linked, dispatch, made->words, made->arena, &made->form, &fits,
                                  &made->text));
    assert_true(fits);
}

static void end(struct made *made)
{
    oro_text_free(&made->text);
    oro_words_free(made->words);
    oro_arena_destroy(made->arena);
}

static void expect_part(const struct made *made, const char *part)
{
    if (!strstr(made->text.data, part))
        fail_msg("no '%s' in:\n%s", part, made->text.data);
}

static const struct oro_dispatch plain = {.grid = {.width = 5, .height = 4, .cell = 2},
                                          .slots = {{"unused", NULL, ORO_READ, "uint"},
                                                    {"terrain"},
                                                    {"terrain_out", NULL, ORO_WRITE},
                                                    {"area", NULL, ORO_UPDATE, "uint"}},
                                          .constants = {{"low", 3}, {"unused", 4}, {"high", 5}}};

TEST(what_is_mentioned_is_declared_by_name)
{
    struct made made;
    make(&made, &plain, (bool[7]){[TERRAIN] = true},
         "area[0] += METHOD_FAR_OFF; set_terrain(p, params.seed + strength_at(p) + pass.low + pass.high);");
    expect_part(&made, "#define METHOD_FAR_OFF 1\n");
    expect_part(&made, "struct oro_params_type {\n    float mask;\n    uint seed;\n    float strength;\n};");
    expect_part(&made, "struct oro_has_type {\n    int mask;\n    int strength;\n    int oro_blends;\n};");
    expect_part(&made, "struct oro_pass_type {\n    float high;\n    float low;\n};");
    expect_part(&made, "binding = 0) restrict buffer oro_buffer_0 { uint area[]; };");
    expect_part(&made, "binding = 1) restrict readonly buffer oro_buffer_1 { float mask[]; };");
    expect_part(&made, "binding = 2) restrict readonly buffer oro_buffer_2 { float strength[]; };");
    expect_part(&made, "binding = 3) restrict readonly buffer oro_buffer_3 { float terrain[]; };");
    expect_part(&made, "binding = 4) restrict writeonly buffer oro_buffer_4 { float terrain_out[]; };");
    expect_part(&made, "if ((oro_has.strength & 2) != 0) return clamp(strength[oro_source_index(p)], ");
    expect_part(&made, "if (oro_has.oro_blends != 0) v = mix(terrain_at(p), v, mask_at(p));");
    assert_null(strstr(made.text.data, "unused"));
    assert_null(strstr(made.text.data, "tint"));
    assert_null(strstr(made.text.data, "NEAR"));
    end(&made);
}

TEST(what_is_linked_is_known_at_run_time)
{
    static const char kernel[] = "if (HAS_SEA != 0) set_terrain(p, sea_at(p) + strength_at(p));";
    struct made one, other;
    make(&one, &plain, (bool[7]){[TERRAIN] = true}, kernel);
    make(&other, &plain, (bool[7]){true, true, true, false, false, false, true}, kernel);
    assert_string_equal(one.text.data, other.text.data);
    expect_part(&one, "#define HAS_SEA (oro_has.sea & 1)\n");
    end(&one);
    end(&other);
    make(&one, &plain, (bool[7]){[TERRAIN] = true}, "#if HAS_SEA\n#endif");
    expect_part(&one, "#define HAS_SEA 0\n");
    end(&one);
}

TEST(groups_have_their_size_where_they_matter)
{
    struct oro_dispatch dispatch = plain;
    struct made made;
    dispatch.group_columns = 64;
    dispatch.group_rows = 2;
    make(&made, &dispatch, (bool[7]){false}, "area[0] = 1u;");
    expect_part(&made, "local_size_x = 16, local_size_y = 16");
    end(&made);
    make(&made, &dispatch, (bool[7]){false}, "shared uint sums[64];");
    expect_part(&made, "local_size_x = 64, local_size_y = 2");
    end(&made);
}

static int32_t whole_at(const unsigned char *block, size_t offset)
{
    int32_t value;
    memcpy(&value, block + offset, sizeof value);
    return value;
}

/* By std140: structs begin at multiples of 16. */
TEST(the_block_is_laid_out)
{
    const struct params params = {.strength = 0.5F, .mask = 1, .seed = 9};
    bool linked[7] = {[TERRAIN] = true};
    unsigned char block[256] = {0};
    struct made made;
    float strength;
    make(&made, &plain, linked, "set_terrain(p, params.tint.r + params.seed + strength_at(p) + pass.low);");
    oro_kernel_native_block(&type, linked, &params, &plain, &made.form, block);
    assert_int_equal(made.form.block_size, 64 + 32 + 16 + 16);
    assert_int_equal(whole_at(block, 0), 5);
    assert_int_equal(whole_at(block, 68), 9); /* mask, seed, strength, padding, tint */
    memcpy(&strength, block + 72, sizeof strength);
    assert_true(strength == 0.5F);
    assert_int_equal(made.form.blends, 64 + 32 + 8); /* mask, strength, blends */
    assert_int_equal(made.form.constants_offset, 64 + 32 + 16);
    assert_int_equal(whole_at(block, made.form.blends), 0); /* a mask of 1 */
    linked[STRENGTH] = linked[MASK] = true;
    oro_kernel_native_block(&type, linked, &params, &plain, &made.form, block);
    assert_int_equal(whole_at(block, 64 + 32), 3);
    assert_int_equal(whole_at(block, made.form.blends), 1);
    end(&made);
}

TEST(memory_may_be_out)
{
    struct oro_word_set *words = oro_words_of("set_terrain(p, strength_at(p));");
    struct oro_dispatch dispatch = plain;
    dispatch.defines = "#define WALLS 1\n";
    for (size_t n = 1; n < 12; n++) {
        struct oro_arena *arena = oro_arena_create();
        struct oro_native_form form;
        struct oro_text text = {0};
        bool fits;
        oro_memory_fail_at(n);
        oro_kernel_native(&type, (bool[7]){false}, &dispatch, words, arena, &form, &fits, &text);
        oro_memory_fail_at(0);
        oro_text_free(&text);
        oro_arena_destroy(arena);
    }
    oro_words_free(words);
}
