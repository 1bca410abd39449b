/* amplify_chain: the same steps as its parts wired by hand, what is left out, previews. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "graph/type/registry.h"
#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define BASE NODE("base", "bumps", IN("radius_high", "600") IN("radius_low", "200"))
#define DOCUMENT(nodes) HARNESS_DOCUMENT("extent=\"1600\" resolution=\"32\" seed=\"7\"", BASE nodes)

/* A chain from 32 cells to 128 in three levels, and the same by hand. */
#define ROW(k) IN("iterations" k, "9") IN("thermal_iterations" k, "7") IN("deposition_iterations" k, "5")
#define CHAIN(inputs)                                                                                        \
    NODE("chain", "amplify_chain",                                                                           \
         LINK("terrain", "base.terrain") ROW("1") ROW("2") ROW("3") IN("factor4", "0") inputs)
#define LEVEL(id, from, factor, more)                                                                        \
    NODE(id, "amplify",                                                                                      \
         LINK("terrain", from ".terrain") IN("factor", factor) IN("iterations", "9")                         \
             IN("thermal_iterations", "7") IN("deposition_iterations", "5") more)
#define DRAINS(from) LINK("drainage", from ".drainage")
#define LEVELS                                                                                               \
    LEVEL("l1", "base", "1", "")                                                                             \
    LEVEL("l2", "l1", "2", DRAINS("l1")) LEVEL("l3", "l2", "2", DRAINS("l2"))
#define FINISH                                                                                               \
    NODE("back", "retarget", LINK("terrain", "l3.terrain") LINK("reference", "base.terrain"))                \
    NODE("out", "multiscale_breach", LINK("terrain", "back.terrain") IN("radius", "120"))

/* Empties the cache, so that the number of computed steps is meaningful. */
static void forget(void)
{
    oro_cache_destroy(h.cache);
    h.cache = oro_cache_create(
        &(struct oro_cache_options){.folder = "", .device_bytes = 256 << 20, .host_bytes = 256 << 20});
    assert_non_null(h.cache);
}

static void expect_equal(const struct harness_raster *a, const struct harness_raster *b)
{
    assert_true(oro_grid_same_size(&a->grid, &b->grid));
    assert_memory_equal(a->data, b->data, oro_grid_cells(&a->grid) * sizeof(float));
}

/* The document with the nodes by hand gives the same, and computes nothing: all keys are those of the chain.
 */
static void expect_shared(const char *chain, const char *output, const char *by_hand, const char *node,
                          const char *its_output)
{
    forget();
    struct harness_raster whole = harness_run(&h, chain, "chain", output);
    assert_true(h.computed > 0);
    struct harness_raster parts = harness_run(&h, by_hand, node, its_output);
    assert_int_equal(h.computed, 0);
    expect_equal(&whole, &parts);
    harness_free(&whole);
    harness_free(&parts);
}

TEST(chain_is_its_parts)
{
    need_device();
    static const char chain[] = DOCUMENT(CHAIN(IN("radius", "120")));
    static const char by_hand[] = DOCUMENT(LEVELS FINISH);
    expect_shared(chain, "terrain", by_hand, "out", "terrain");
    expect_shared(chain, "drainage", by_hand, "out", "drainage");
    expect_shared(chain, "carved", by_hand, "out", "carved");
    expect_shared(chain, "correction", by_hand, "back", "correction");
    expect_shared(chain, "eroded", by_hand, "l3", "eroded");
}

/* Shared inputs reach all levels; strengths multiply the coefficients of one level. */
TEST(inputs_reach_the_parts)
{
    need_device();
#define COMMON                                                                                               \
    IN("hardness", "0.25")                                                                                   \
    IN("area_limit", "700") IN("repose", "38") IN("rain", "2") IN("seed", "5") IN("mask", "0.75")
    static const char chain[] = DOCUMENT(CHAIN(COMMON IN("erodibility", "0.001") IN("erosion3", "1.5") IN(
        "thermal3", "2") IN("deposition3", "0.5") IN("retarget", "false") IN("breach", "false")));
    static const char by_hand[] =
        DOCUMENT(LEVEL("l1", "base", "1", COMMON IN("erodibility", "0.001"))
                     LEVEL("l2", "l1", "2", DRAINS("l1") COMMON IN("erodibility", "0.001"))
                         LEVEL("l3", "l2", "2",
                               DRAINS("l2") COMMON IN("erodibility", "0.0015") IN("amount", "0.0001")
                                   IN("creation", "0.05") IN("settling", "0.05")));
    expect_shared(chain, "terrain", by_hand, "l3", "terrain");
    expect_shared(chain, "drainage", by_hand, "l3", "drainage");
}

static void expect_zero(const char *document, const char *output, int side)
{
    struct harness_raster raster = harness_run(&h, document, "chain", output);
    assert_int_equal(raster.grid.width, side);
    for (size_t i = 0; i < oro_grid_cells(&raster.grid); i++)
        assert_true(raster.data[i] == 0);
    harness_free(&raster);
}

TEST(steps_can_be_left_out)
{
    need_device();
    static const char no_end[] = DOCUMENT(CHAIN(IN("retarget", "false") IN("breach", "false")));
    expect_shared(no_end, "terrain", DOCUMENT(LEVELS), "l3", "terrain");
    expect_zero(no_end, "carved", 128);
    expect_zero(no_end, "correction", 128);
    static const char unbreached[] = DOCUMENT(CHAIN(IN("breach", "false")));
    expect_shared(unbreached, "terrain", DOCUMENT(LEVELS FINISH), "back", "terrain");
    expect_zero(unbreached, "carved", 128);
    static const char gap[] =
        DOCUMENT(CHAIN(IN("factor2", "0") IN("retarget", "false") IN("breach", "false")));
    expect_shared(gap, "terrain", DOCUMENT(LEVEL("l1", "base", "1", "") LEVEL("l3", "l1", "2", DRAINS("l1"))),
                  "l3", "terrain");
}

TEST(no_level_at_all_keeps_the_terrain)
{
    need_device();
    static const char none[] = DOCUMENT(CHAIN(IN("factor1", "0") IN("factor2", "0") IN("factor3", "0") IN(
        "retarget", "false") IN("breach", "false")) NODE("water", "flow", LINK("terrain", "base.terrain")));
    struct harness_raster terrain = harness_run(&h, none, "chain", "terrain");
    struct harness_raster base = harness_run(&h, none, "base", "terrain");
    expect_equal(&terrain, &base);
    struct harness_raster drainage = harness_run(&h, none, "chain", "drainage");
    struct harness_raster water = harness_run(&h, none, "water", "drainage");
    expect_equal(&drainage, &water);
    expect_zero(none, "eroded", 32);
    harness_free(&terrain);
    harness_free(&base);
    harness_free(&drainage);
    harness_free(&water);
}

/* At a cap of 64 the third level lets its input through; all levels below it are found again at 128. */
TEST(preview_is_a_prefix)
{
    need_device();
    static const char chain[] = DOCUMENT(CHAIN("")), shorter[] = DOCUMENT(CHAIN(IN("factor3", "0")));
    forget();
    h.options.max_resolution = 64;
    struct harness_raster preview = harness_run(&h, chain, "chain", "terrain");
    assert_int_equal(preview.grid.width, 64);
    h.options.max_resolution = 0;
    struct harness_raster full = harness_run(&h, chain, "chain", "terrain");
    assert_int_equal(full.grid.width, 128);
    int after_preview = h.computed;
    forget();
    struct harness_raster again = harness_run(&h, chain, "chain", "terrain");
    assert_int_equal(h.computed - after_preview, 9); /* bumps, 3 of level 1, 5 of level 2 */
    expect_equal(&full, &again);
    struct harness_raster low = harness_run(&h, shorter, "chain", "terrain");
    expect_equal(&preview, &low);
    harness_free(&preview);
    harness_free(&full);
    harness_free(&again);
    harness_free(&low);
}

/* ---- The descriptor against those of the parts ---- */

static void expect_same_input(const struct oro_input *own, const struct oro_input *of_part)
{
    if (own->type != of_part->type || own->value != of_part->value || own->min != of_part->min ||
        own->max != of_part->max || own->unit != of_part->unit || own->map != of_part->map)
        fail_msg("'%s' differs from that of the part", own->name);
    for (int i = 0; own->choices && (own->choices[i] || of_part->choices[i]); i++)
        assert_string_equal(own->choices[i], of_part->choices[i]);
}

/* An input of the chain means the same as in the part that gets it. */
TEST(inputs_are_those_of_the_parts)
{
    static const char *const parts[] = {"amplify", "retarget", "multiscale_breach"};
    const struct oro_node_type *chain = oro_registry_find(&oro_builtin_nodes, "amplify_chain");
    assert_non_null(chain);
    int compared = 0;
    for (int i = 0; i < 3; i++) {
        const struct oro_node_type *part = oro_registry_find(&oro_builtin_nodes, parts[i]);
        assert_non_null(part);
        for (const struct oro_input *own = chain->inputs; own->name; own++) {
            const struct oro_input *input = oro_type_input(part, own->name);
            if (!input)
                continue;
            expect_same_input(own, input);
            compared++;
        }
    }
    assert_true(compared > 30);
}

/* Every row of the table has the same inputs, and those of the part it becomes. */
TEST(rows_are_alike)
{
    static const char *const columns[][2] = {{"factor", NULL},
                                             {"iterations", "iterations"},
                                             {"thermal_iterations", "thermal_iterations"},
                                             {"deposition_iterations", "deposition_iterations"},
                                             {"erosion", NULL},
                                             {"thermal", NULL},
                                             {"deposition", NULL}};
    const struct oro_node_type *chain = oro_registry_find(&oro_builtin_nodes, "amplify_chain");
    const struct oro_node_type *amplify = oro_registry_find(&oro_builtin_nodes, "amplify");
    for (int level = 1; level <= 6; level++)
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
            char name[40];
            snprintf(name, sizeof name, "%s%d", columns[i][0], level);
            const struct oro_input *input = oro_type_input(chain, name);
            assert_non_null(input);
            if (!columns[i][1])
                continue;
            const struct oro_input *of_part = oro_type_input(amplify, columns[i][1]);
            assert_true(input->min == of_part->min && input->max == of_part->max);
        }
}

TEST_GROUP(open_harness, close_harness);
