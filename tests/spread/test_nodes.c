/* Nodes whose kernels tell their reach give the same bits in tiles. */
#include <string.h>

#include "devices/gpu/gpu.h"
#include "devices/spread/spread.h"
#include "tests/nodes/harness.h"
#include "tests/spread/memory_ranks.h"
#include "tests/support/test.h"

enum { TYPES_MAX = 256 };

/* The built-in types, some of which are given a reach. */
static struct oro_node_type types[TYPES_MAX];
static const struct oro_node_type *table[TYPES_MAX];

static void set_reach(const char *id, int reach)
{
    for (size_t i = 0; i < oro_builtin_nodes.count; i++)
        if (strcmp(types[i].id, id) == 0)
            types[i].reach = reach;
}

static struct oro_registry registry_with_reach(void)
{
    static const char *const pointwise[] = {"noise", "constant", "combine", "remap", "colorize"};
    struct oro_registry registry = oro_builtin_nodes;
    assert_true(registry.count <= TYPES_MAX);
    for (size_t i = 0; i < registry.count; i++) {
        types[i] = *registry.types[i];
        table[i] = &types[i];
    }
    for (size_t i = 0; i < sizeof pointwise / sizeof pointwise[0]; i++)
        set_reach(pointwise[i], ORO_REACH_CELL);
    set_reach("slope", 1);
    set_reach("hillshade", 128); /* it looks for the horizon */
    registry.types = table;
    return registry;
}

static const char document[] =
    HARNESS_DOCUMENT("extent=\"20100\" resolution=\"201\" aspect=\"0.781\" seed=\"5\"",
                     "<node id=\"hills\" type=\"noise\"><in name=\"amplitude\" value=\"700\"/></node>"
                     "<node id=\"two\" type=\"constant\"><in name=\"value\" value=\"2\"/></node>"
                     "<node id=\"steep\" type=\"slope\"><in name=\"terrain\" from=\"hills.field\"/></node>"
                     "<node id=\"sum\" type=\"combine\"><in name=\"a\" from=\"steep.field\"/><in name=\"b\" "
                     "from=\"two.field\"/></node>"
                     "<node id=\"again\" type=\"slope\"><in name=\"terrain\" from=\"sum.field\"/></node>"
                     "<node id=\"shade\" type=\"hillshade\"><in name=\"terrain\" from=\"hills.field\"/>"
                     "<in name=\"low\" value=\"-700\"/><in name=\"high\" value=\"700\"/></node>"
                     "<node id=\"colours\" type=\"colorize\"><in name=\"field\" from=\"hills.field\"/>"
                     "<in name=\"low\" value=\"-700\"/><in name=\"high\" value=\"700\"/></node>"
                     "<node id=\"dense\" type=\"noise\"><in name=\"amplitude\" value=\"0.001\"/>"
                     "<in name=\"offset\" value=\"0.0015\"/></node>"
                     "<node id=\"waves\" type=\"gabor\"><in name=\"angle\" from=\"hills.field\"/>"
                     "<in name=\"frequency\" from=\"dense.field\"/></node>"
                     "<node id=\"carved\" type=\"stream_power\"><in name=\"terrain\" from=\"hills.field\"/>"
                     "<in name=\"method\" value=\"explicit\"/><in name=\"levels\" value=\"0\"/>"
                     "<in name=\"iterations\" value=\"80\"/></node>"
                     "<node id=\"slid\" type=\"thermal_erosion\"><in name=\"terrain\" from=\"hills.field\"/>"
                     "<in name=\"iterations\" value=\"8\"/></node>");

/* Opens a harness on a driver, or on a spread device over it. */
static void open_on(struct harness *h, const struct oro_registry *registry,
                    const struct oro_spread_options *options)
{
    assert_true(harness_open(h));
    struct oro_device *driver = oro_gpu_create(&(struct oro_gpu_options){.index = ORO_GPU_SOFTWARE}, &h->err);
    assert_non_null(driver);
    h->device->ops->destroy(h->device);
    h->device = options ? oro_spread_create(driver, options, &h->err) : driver;
    assert_non_null(h->device);
    h->registry = registry;
    h->kernels_only = true;
}

TEST(same_bits)
{
    static const char *const targets[][2] = {
        {"again", "field"}, {"shade", "image"}, {"colours", "image"}, {"waves", "field"}};
    struct oro_registry registry = registry_with_reach();
    struct harness whole, tiled;
    open_on(&whole, &registry, NULL);
    open_on(&tiled, &registry, &(struct oro_spread_options){.whole = 1, .tile = 32, .poison = true});
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        struct harness_raster a = harness_run(&whole, document, targets[i][0], targets[i][1]);
        struct harness_raster b = harness_run(&tiled, document, targets[i][0], targets[i][1]);
        assert_int_equal(a.grid.width, 201);
        assert_int_equal(a.grid.height, 157);
        assert_int_equal(a.bytes, b.bytes);
        assert_memory_equal(a.data, b.data, a.bytes);
        harness_free(&a);
        harness_free(&b);
    }
    assert_true(oro_spread_counts(tiled.device).chains >= 3);
    harness_close(&whole);
    harness_close(&tiled);
}

/* A node that nobody gave a reach is named in the error. */
TEST(refused)
{
    struct harness tiled;
    struct harness_raster raster;
    static struct oro_registry registry;
    registry = registry_with_reach();
    set_reach("slope", ORO_REACH_WHOLE);
    open_on(&tiled, &registry, &(struct oro_spread_options){.whole = 1, .tile = 64});
    assert_false(harness_try(&tiled, document, "steep", "field", &raster));
    assert_int_equal(tiled.err.code, ORO_E_LIMIT);
    assert_string_equal(tiled.err.node, "steep");
    assert_non_null(strstr(tiled.err.text, "cannot be spread: nothing says how far around a cell it reads"));
    harness_close(&tiled);
}

/* Dispatches for some iterations, where a kernel can do four at a time. */
static uint64_t dispatches_of_four(const struct oro_spread_options *options)
{
    struct harness h;
    open_on(&h, &oro_builtin_nodes, options);
    h.per_dispatch = (struct oro_dispatch_shape){4, 32, 32, 4};
    struct harness_raster raster = harness_run(&h, document, "slid", "terrain");
    uint64_t dispatches = h.device->dispatches;
    harness_free(&raster);
    harness_close(&h);
    return dispatches;
}

/* A raster that is not cut runs by the same programs as on an undivided device. */
TEST(uncut_rasters_do_several_iterations)
{
    uint64_t undivided = dispatches_of_four(NULL);
    assert_int_equal(dispatches_of_four(&(struct oro_spread_options){.tile = 64}), undivided);
    assert_true(dispatches_of_four(&(struct oro_spread_options){.whole = 1, .tile = 64}) > undivided);
}

/* ---- Sums over cells that decide how long a step is ---- */

enum { RANKS = 3 };

static struct oro_hash carve(const struct oro_spread_options *options)
{
    struct harness h;
    open_on(&h, &oro_builtin_nodes, options);
    h.kernels_only = false; /* drainage by tiles is found on the processor */
    struct harness_raster raster = harness_run(&h, document, "carved", "terrain");
    struct oro_hash digest = oro_hash_of(raster.data, raster.bytes);
    harness_free(&raster);
    harness_close(&h);
    return digest;
}

static void carve_on_rank(void *user, struct oro_ranks *ranks)
{
    struct oro_hash *digests = user;
    digests[ranks->rank] =
        carve(&(struct oro_spread_options){.whole = 1, .tile = 64, .poison = true, .ranks = ranks});
}

TEST(sums_are_the_same_on_ranks)
{
    struct oro_hash whole = carve(NULL), ranked[RANKS];
    with_ranks(RANKS, carve_on_rank, ranked);
    for (int i = 0; i < RANKS; i++)
        assert_true(oro_hash_equal(whole, ranked[i]));
    assert_true(oro_hash_equal(whole, carve(&(struct oro_spread_options){.whole = 1, .tile = 32})));
}
