/* amplify_chain: the same steps as its parts wired by hand, what is left out, previews. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "graph/type/registry.h"
#include "nodes/erosion/amplify_levels.h"
#include "terrain/realism/realism.h"
#include "tests/nodes/group.h"
#include "tests/support/test.h"

#define IN(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\" x=\"0\" y=\"0\">" inputs "</node>\n"
#define BASE NODE("base", "bumps", IN("radius_high", "600") IN("radius_low", "200"))
#define DOCUMENT(nodes) HARNESS_DOCUMENT("extent=\"1600\" resolution=\"32\" seed=\"7\"", BASE nodes)

/* A chain from 32 cells to 128 in three levels, and the same by hand: with ground that is kept, and free. */
#define STEPS                                                                                                \
    IN("iterations", "9") IN("thermal_iterations", "7") IN("deposition_iterations", "5") IN("rounds", "2")
#define FREE IN("ground", "free")
#define TABLE(levels) IN("levels", levels)
#define CHAIN(inputs) NODE("chain", "amplify_chain", LINK("terrain", "base.terrain") STEPS inputs)
#define ORIGINAL LINK("original", "base.terrain")
#define LEVEL(id, from, factor, more)                                                                        \
    NODE(id, "amplify", LINK("terrain", from ".terrain") ORIGINAL IN("factor", factor) STEPS more)
#define DRAINS(from) LINK("drainage", from ".drainage")
#define KEPT_TO(ground) LINK("reference", ground ".terrain") IN("kept_size", "50")
#define KEPT KEPT_TO("base")
#define WATER_OF(ground) NODE("water", "flow", LINK("terrain", ground ".terrain"))
#define WATER WATER_OF("base")
/* Basins of fewer than 25 cells are left to finer levels. */
#define WAYS NODE("ways", "settle", LINK("terrain", "base.terrain") IN("least_area", "62500"))
#define NARROW_WAYS                                                                                          \
    NODE("ways", "multiscale_breach", LINK("terrain", "base.terrain") IN("radius", "50") IN("sides", "0"))
#define GORGES IN("basins", "gorges")
#define LEVELS_FROM(ground)                                                                                  \
    WATER_OF(ground)                                                                                         \
    LEVEL("l1", ground, "1", DRAINS("water"))                                                                \
    LEVEL("l2", "l1", "2", DRAINS("l1") KEPT_TO(ground)) LEVEL("l3", "l2", "2", DRAINS("l2") KEPT_TO(ground))
#define LEVELS LEVELS_FROM("base")
#define HOLLOWS IN("basins", "keep")
#define FREE_LEVELS                                                                                          \
    LEVEL("l1", "base", "1", FREE)                                                                           \
    LEVEL("l2", "l1", "2", DRAINS("l1") FREE KEPT) LEVEL("l3", "l2", "2", DRAINS("l2") FREE KEPT)
#define SUM(output)                                                                                          \
    NODE("sum2", "combine", LINK("a", "l2." output) LINK("b", "l1." output))                                 \
    NODE("sum", "combine", LINK("a", "l3." output) LINK("b", "sum2.field"))
#define BACK NODE("back", "retarget", LINK("terrain", "l3.terrain") LINK("reference", "base.terrain"))
#define BREACH(from, more)                                                                                   \
    NODE("out", "multiscale_breach", LINK("terrain", from ".terrain") IN("radius", "120") more)
#define KEEPS_LEVEL LINK("level_ground", "l3.level_ground")

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
    static const char chain[] = DOCUMENT(CHAIN(TABLE("1; 2; 2") IN("radius", "120")));
    static const char by_hand[] = DOCUMENT(WAYS LEVELS_FROM("ways") BREACH("l3", KEEPS_LEVEL) SUM("eroded"));
    expect_shared(chain, "terrain", by_hand, "out", "terrain");
    expect_shared(chain, "drainage", by_hand, "out", "drainage");
    expect_shared(chain, "carved", by_hand, "out", "carved");
    expect_shared(chain, "eroded", by_hand, "sum", "field");
    expect_shared(chain, "deposited", DOCUMENT(WAYS LEVELS_FROM("ways") SUM("deposited")), "sum", "field");
    static const char gorges[] = DOCUMENT(CHAIN(TABLE("1; 2; 2") GORGES IN("breach", "false")));
    expect_shared(gorges, "terrain", DOCUMENT(NARROW_WAYS LEVELS_FROM("ways")), "l3", "terrain");
}

TEST(chain_on_free_ground_is_its_parts)
{
    need_device();
    static const char chain[] =
        DOCUMENT(CHAIN(TABLE("1; 2; 2") FREE IN("retarget", "true") IN("radius", "120")));
    static const char by_hand[] = DOCUMENT(FREE_LEVELS BACK BREACH("back", "") SUM("eroded"));
    expect_shared(chain, "terrain", by_hand, "out", "terrain");
    expect_shared(chain, "correction", by_hand, "back", "correction");
    expect_shared(chain, "eroded", by_hand, "sum", "field");
}

/* Shared inputs reach all levels; what a level sets is its own, and its strengths multiply the coefficients.
 */
TEST(inputs_reach_the_parts)
{
    need_device();
#define COMMON                                                                                               \
    IN("area_limit", "700") IN("rain", "2") IN("seed", "5") IN("mask", "0.75") IN("reference_cell", "15")
#define ROCK IN("roughness", "0.3") IN("variation", "0.2")
#define OWN IN("iterations", "6") IN("thermal_iterations", "3") IN("deposition_iterations", "4")
    static const char kept[] = DOCUMENT(
        CHAIN(TABLE("1; 2 depth=3 repose=30 hardness=0.5 detail=0.5 erosion=2; 2 sediment=0.5 detail=2")
                  COMMON ROCK IN("strength", "0.05") IN("detail", "0.8") IN("hardness", "0.25")
                      IN("repose", "38") HOLLOWS IN("breach", "false")));
    static const char kept_by_hand[] =
        DOCUMENT(NODE("water", "flow", LINK("terrain", "base.terrain") IN("rain", "2"))
                     LEVEL("l1", "base", "1",
                           DRAINS("water") COMMON ROCK IN("strength", "0.05") IN("detail", "0.8")
                               IN("hardness", "0.25") IN("repose", "38"))
                         LEVEL("l2", "l1", "2",
                               DRAINS("l1") KEPT COMMON ROCK IN("strength", "0.1") IN("detail", "0.4")
                                   IN("hardness", "0.5") IN("repose", "30") IN("depth", "3"))
                             LEVEL("l3", "l2", "2",
                                   DRAINS("l2") KEPT COMMON ROCK IN("strength", "0.05") IN("detail", "1.6")
                                       IN("hardness", "0.25") IN("repose", "38") IN("creation", "0.05")
                                           IN("settling", "0.05")));
    expect_shared(kept, "terrain", kept_by_hand, "l3", "terrain");
    expect_shared(kept, "drainage", kept_by_hand, "l3", "drainage");
    static const char chain[] = DOCUMENT(
        CHAIN(TABLE("1; 2 iterations=6 thermal=3 deposition=4; 2 erosion=1.5 slides=2 sediment=0.5 depth=3")
                  COMMON FREE IN("erodibility", "0.001") IN("breach", "false")));
    static const char by_hand[] =
        DOCUMENT(LEVEL("l1", "base", "1", COMMON FREE IN("erodibility", "0.001"))
                     NODE("l2", "amplify",
                          LINK("terrain", "l1.terrain") IN("factor", "2") IN("rounds", "2") OWN DRAINS("l1")
                              COMMON FREE IN("erodibility", "0.001"))
                         LEVEL("l3", "l2", "2",
                               DRAINS("l2") COMMON FREE IN("erodibility", "0.0015") IN("amount", "0.0001")
                                   IN("creation", "0.05") IN("settling", "0.05") IN("depth", "3")));
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
    static const char no_end[] = DOCUMENT(CHAIN(TABLE("1; 2; 2") HOLLOWS IN("breach", "false")));
    expect_shared(no_end, "terrain", DOCUMENT(LEVELS), "l3", "terrain");
    expect_zero(no_end, "carved", 128);
    expect_zero(no_end, "correction", 128);
    static const char unbreached[] =
        DOCUMENT(CHAIN(TABLE("1; 2; 2") IN("retarget", "true") HOLLOWS IN("breach", "false")));
    expect_shared(unbreached, "terrain", DOCUMENT(LEVELS BACK), "back", "terrain");
    expect_zero(unbreached, "carved", 128);
    static const char gap[] = DOCUMENT(CHAIN(TABLE("1; 0 iterations=3; 2") HOLLOWS IN("breach", "false")));
    expect_shared(
        gap, "terrain",
        DOCUMENT(WATER LEVEL("l1", "base", "1", DRAINS("water")) LEVEL("l3", "l1", "2", DRAINS("l1") KEPT)),
        "l3", "terrain");
}

/* Noise has hollows wherever it has hills. `from`: "noise.field", or "drained.terrain". */
#define HOLLOW_GROUND(nodes)                                                                                 \
    HARNESS_DOCUMENT("extent=\"20000\" resolution=\"96\" seed=\"7\"", NODE("noise", "noise", "") nodes)
#define DRAINED NODE("drained", "multiscale_breach", LINK("terrain", "noise.field"))
#define UNFINISHED(from, more)                                                                               \
    NODE("chain", "amplify_chain", LINK("terrain", from) STEPS TABLE("2; 2") IN("breach", "false") more)

/* Share of the chain's ground that lies in closed depressions. */
static double closed(const char *document)
{
    struct harness_raster lakes = harness_run(&h, document, "lakes", "lakes");
    size_t cells = oro_grid_cells(&lakes.grid);
    double count = 0;
    for (size_t i = 0; i < cells; i++)
        count += lakes.data[i] > 0;
    harness_free(&lakes);
    return count / (double)cells;
}

TEST(settled_basins_leave_fewer_hollows)
{
    need_device();
#define LAKES NODE("lakes", "flow", LINK("terrain", "chain.terrain"))
    double with = closed(HOLLOW_GROUND(UNFINISHED("noise.field", "") LAKES)),
           without = closed(HOLLOW_GROUND(UNFINISHED("noise.field", HOLLOWS) LAKES));
    print_message("in closed depressions: %.1f %%, without settling %.1f %%\n", 100 * with, 100 * without);
    assert_true(without > 0.05 && with < 0.75 * without);
}

TEST(settling_leaves_ground_alone_that_drains)
{
    need_device();
    struct harness_raster with =
        harness_run(&h, HOLLOW_GROUND(DRAINED UNFINISHED("drained.terrain", "")), "chain", "terrain");
    struct harness_raster without =
        harness_run(&h, HOLLOW_GROUND(DRAINED UNFINISHED("drained.terrain", HOLLOWS)), "chain", "terrain");
    expect_equal(&with, &without);
    harness_free(&with);
    harness_free(&without);
}

/* Valleys like tubes in noise with features of a fifth of the world, from 96 cells. */
static struct oro_realism_tubes tubes_of(const char *document)
{
    struct harness_raster terrain = harness_run(&h, document, "chain", "terrain");
    struct oro_ground ground = {
        .width = terrain.grid.width, .height = terrain.grid.height, .z = terrain.data};
    struct oro_realism_tubes tubes;
    struct oro_error err = {0};
    if (!oro_realism_tubes(&ground, terrain.grid.cell, 4 * terrain.grid.cell, &tubes, &err))
        fail_msg("%s", err.text);
    harness_free(&terrain);
    print_message("%zu cells of channels, %zu of tubes, %zu dead ends\n", tubes.channel_cells,
                  tubes.tube_cells, tubes.dead_ends);
    return tubes;
}

TEST(gorges_are_tubes_and_valleys_of_settled_basins_are_not)
{
    need_device();
#define WORLD(more)                                                                                          \
    HARNESS_DOCUMENT("extent=\"20000\" resolution=\"96\" seed=\"2\"",                                        \
                     NODE("noise", "noise", "")                                                              \
                         NODE("chain", "amplify_chain", LINK("terrain", "noise.field") TABLE("2; 2") more))
    assert_true(tubes_of(WORLD(GORGES)).tube_cells > 100);
    struct oro_realism_tubes tubes = tubes_of(WORLD(""));
    assert_int_equal(tubes.tube_cells, 0);
    assert_int_equal(tubes.dead_ends, 0);
}

TEST(large_basins_may_stay_lakes)
{
    need_device();
    static const char document[] =
        HARNESS_DOCUMENT("extent=\"20000\" resolution=\"48\" seed=\"2\"",
                         NODE("noise", "noise", "") NODE("chain", "amplify_chain",
                                                         LINK("terrain", "noise.field") TABLE("2")
                                                             IN("basins", "lakes") IN("lake_area", "4e6"))
                             NODE("out", "flow", LINK("terrain", "chain.level")));
    struct harness_raster terrain = harness_run(&h, document, "chain", "terrain");
    struct harness_raster level = harness_run(&h, document, "chain", "level");
    struct harness_raster lakes = harness_run(&h, document, "chain", "lakes");
    struct harness_raster closed_ones = harness_run(&h, document, "out", "lakes");
    int wet = 0;
    for (size_t i = 0; i < oro_grid_cells(&terrain.grid); i++) {
        wet += lakes.data[i] > 0;
        assert_true(lakes.data[i] > 0 ? level.data[i] >= terrain.data[i] : level.data[i] == terrain.data[i]);
        assert_true(closed_ones.data[i] == 0);
    }
    print_message("%d cells of lakes\n", wet);
    assert_true(wet > 100);
    harness_free(&terrain);
    harness_free(&level);
    harness_free(&lakes);
    harness_free(&closed_ones);
}

TEST(no_level_at_all_keeps_the_terrain)
{
    need_device();
    static const char *const tables[] = {"", "0; 0"};
    for (int i = 0; i < 2; i++) {
        char none[2048];
        snprintf(none, sizeof none, DOCUMENT(CHAIN(TABLE("%s") IN("breach", "false")) WATER), tables[i]);
        struct harness_raster terrain = harness_run(&h, none, "chain", "terrain");
        struct harness_raster base = harness_run(&h, none, "base", "terrain");
        expect_equal(&terrain, &base);
        struct harness_raster drainage = harness_run(&h, none, "chain", "drainage");
        struct harness_raster water = harness_run(&h, none, "water", "drainage");
        expect_equal(&drainage, &water);
        expect_zero(none, "eroded", 32);
        expect_zero(none, "deposited", 32);
        harness_free(&terrain);
        harness_free(&base);
        harness_free(&drainage);
        harness_free(&water);
    }
}

/* Computed steps of the output `terrain` of the chain. */
static int steps_of(const char *document)
{
    struct harness_raster raster = harness_run(&h, document, "chain", "terrain");
    harness_free(&raster);
    return h.computed;
}

/* At a cap of 64 the third level lets its input through, bit by bit; all levels below it are found again at
 * 128. */
static void check_prefix(const char *chain, const char *shorter, const char *shorter_unbreached)
{
    forget();
    int shared = steps_of(shorter_unbreached);
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
    assert_int_equal(h.computed - after_preview, shared);
    expect_equal(&full, &again);
    struct harness_raster low = harness_run(&h, shorter, "chain", "terrain");
    expect_equal(&preview, &low);
    harness_free(&preview);
    harness_free(&full);
    harness_free(&again);
    harness_free(&low);
}

TEST(preview_is_a_prefix)
{
    need_device();
    check_prefix(DOCUMENT(CHAIN(TABLE("1; 2; 2"))), DOCUMENT(CHAIN(TABLE("1; 2"))),
                 DOCUMENT(CHAIN(TABLE("1; 2") IN("breach", "false"))));
    check_prefix(DOCUMENT(CHAIN(TABLE("1; 2; 2") FREE)), DOCUMENT(CHAIN(TABLE("1; 2") FREE)),
                 DOCUMENT(CHAIN(TABLE("1; 2") FREE IN("breach", "false"))));
}

/* With no level below the cap, the preview of kept ground is the terrain that came in. */
TEST(preview_without_levels_is_the_terrain)
{
    need_device();
    static const char chain[] = DOCUMENT(CHAIN(TABLE("2; 2; 2") HOLLOWS IN("breach", "false")));
    h.options.max_resolution = 32;
    struct harness_raster preview = harness_run(&h, chain, "chain", "terrain");
    struct harness_raster base = harness_run(&h, chain, "base", "terrain");
    h.options.max_resolution = 0;
    expect_equal(&preview, &base);
    harness_free(&preview);
    harness_free(&base);
}

TEST(wear_is_between_0_and_1)
{
    need_device();
    struct harness_raster wear = harness_run(&h, DOCUMENT(CHAIN(TABLE("2; 2"))), "chain", "wear");
    float low = 1, high = 0;
    for (size_t i = 0; i < oro_grid_cells(&wear.grid); i++) {
        low = fminf(low, wear.data[i]);
        high = fmaxf(high, wear.data[i]);
    }
    assert_true(low >= 0 && high <= 1 && high > low + 0.5f);
    harness_free(&wear);
}

TEST(a_wrong_table_is_an_error)
{
    need_device();
    struct harness_raster none;
    assert_false(harness_try(&h, DOCUMENT(CHAIN(TABLE("2; 2 depht=3"))), "chain", "terrain", &none));
    assert_non_null(strstr(h.err.text, "level 2: 'depht=3'"));
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

/* An input of the chain means the same in the part that gets it. */
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
            bool of_levels = i > 0 && strcmp(own->name, "iterations") == 0;
            if (!input || of_levels ||
                strcmp(own->name, "radius") == 0) /* which follows the terrain's cells */
                continue;
            expect_same_input(own, input);
            compared++;
        }
    }
    assert_true(compared > 30);
}

/* Inputs of `amplify` that the chain does not have: they are a level's own, or the chain's to set. */
TEST(the_chain_has_all_inputs_of_a_level)
{
    static const char *const own[] = {"factor", "reference", "kept_size", "original", "water"};
    const struct oro_node_type *chain = oro_registry_find(&oro_builtin_nodes, "amplify_chain");
    const struct oro_node_type *amplify = oro_registry_find(&oro_builtin_nodes, "amplify");
    for (const struct oro_input *input = amplify->inputs; input->name; input++) {
        bool not_shared = false;
        for (int i = 0; i < 5; i++)
            not_shared = not_shared || strcmp(input->name, own[i]) == 0;
        if (!oro_type_input(chain, input->name) != not_shared)
            fail_msg("'%s' of amplify is missing in amplify_chain", input->name);
    }
}

/* What a level of the table may have is what the part takes: its limits are accepted, and no more. */
TEST(levels_have_the_limits_of_the_part)
{
    static const struct {
        const char *key, *input;
    } keys[] = {{"iterations", "iterations"},
                {"thermal", "thermal_iterations"},
                {"deposition", "deposition_iterations"},
                {"depth", "depth"},
                {"repose", "repose"},
                {"hardness", "hardness"},
                {"detail", "detail"}};
    const struct oro_node_type *amplify = oro_registry_find(&oro_builtin_nodes, "amplify");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const struct oro_input *input = oro_type_input(amplify, keys[i].input);
        struct oro_amplify_level levels[ORO_LEVELS_MAX];
        struct oro_error err;
        char text[64];
        int count;
        snprintf(text, sizeof text, "2 %s=%.17g", keys[i].key, input->max);
        assert_true(oro_amplify_levels_read(text, levels, &count, &err));
        snprintf(text, sizeof text, "2 %s=%.17g", keys[i].key, input->max + 1);
        assert_false(oro_amplify_levels_read(text, levels, &count, &err));
    }
}

TEST_GROUP(open_harness, close_harness);
