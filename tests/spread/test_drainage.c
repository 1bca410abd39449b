/*
 * Nodes that find drainage give the same bits and figures in tiles, on any number of ranks, without a whole
 * raster on any of them; and fail with the same words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/gpu/gpu.h"
#include "devices/spread/spread.h"
#include "graph/eval/evaluator.h"
#include "graph/file/load.h"
#include "nodes/flow/drainage_cells.h"
#include "tests/nodes/harness.h"
#include "tests/spread/memory_ranks.h"
#include "tests/spread/support.h"
#include "tests/support/test.h"

enum { RANKS_MAX = 4, NODES_MAX = 4, OUTPUTS_MAX = 32, FIGURES_MAX = 64 };

/* Nodes of a document, all of whose outputs are compared. */
struct nodes {
    const char *document, *ids[NODES_MAX];
};

struct result {
    bool ok;
    struct oro_hash digests[OUTPUTS_MAX];
    int output_count;
    struct oro_figure figures[FIGURES_MAX];
    int figure_count;
    struct oro_error err;
};

/* ---- A device that has no whole rasters ---- */

/* As much of a raster in tiles is not moved at once while a node works. */
enum { COLUMNS = 150, ROWS = 117 };
static const size_t field_bytes = sizeof(float) * COLUMNS * ROWS;
static _Thread_local bool watching;
static struct oro_device_ops plain_ops, watched_ops;
static struct oro_device_tiles poor_tiles;

static bool is_whole(const struct oro_device *device, const struct oro_buffer *buffer, size_t bytes)
{
    return watching && device->tiles->has(buffer) && bytes >= field_bytes;
}

static bool watched_download(struct oro_device *device, struct oro_buffer *buffer, void *data, size_t bytes,
                             struct oro_error *err)
{
    if (is_whole(device, buffer, bytes))
        return oro_fail(err, ORO_E_DEVICE, "a whole raster was downloaded");
    return plain_ops.download(device, buffer, data, bytes, err);
}

static bool watched_upload(struct oro_device *device, struct oro_buffer *buffer, const void *data,
                           size_t bytes, struct oro_error *err)
{
    if (is_whole(device, buffer, bytes))
        return oro_fail(err, ORO_E_DEVICE, "a whole raster was uploaded");
    return plain_ops.upload(device, buffer, data, bytes, err);
}

static struct oro_device *open_driver(void)
{
    struct oro_error err = {0};
    struct oro_device *driver = oro_gpu_create(&(struct oro_gpu_options){.index = ORO_GPU_SOFTWARE}, &err);
    if (!driver)
        fail_msg("%s", err.text);
    return driver;
}

/* Room for one patch: receivers are found anew each time. */
static size_t poor_budget(const struct oro_device *device)
{
    const struct oro_grid grid = {.width = 512, .height = 512, .cell = 1};
    struct oro_window tile = device->tiles->window(device, &grid, 0);
    return (size_t)64 * (size_t)tile.width * (size_t)tile.height + 1;
}

static struct oro_device *open_watched(struct oro_ranks *ranks, int tile, bool short_of_memory)
{
    const struct oro_spread_options options = {
        .whole = 1, .tile = tile, .depth = 32, .poison = true, .ranks = ranks};
    struct oro_error err = {0};
    struct oro_device *device = oro_spread_create(open_driver(), &options, &err);
    if (!device)
        fail_msg("%s", err.text);
    device->ops = &watched_ops;
    if (short_of_memory)
        device->tiles = &poor_tiles;
    return device;
}

/* ---- Evaluation ---- */

static void take_figures(void *user, const struct oro_step_report *report)
{
    struct result *result = user;
    for (int i = 0; i < report->figure_count && result->figure_count < FIGURES_MAX; i++)
        result->figures[result->figure_count++] = report->figures[i];
}

/* Whether the digest of a raster in tiles, which rank 0 has, is that of the whole. */
static bool is_digest(const struct oro_device *device, struct oro_hash digest, struct oro_hash of_whole)
{
    bool first = !device->tiles || oro_ranks_first(device->tiles->ranks(device));
    return oro_hash_equal(digest, of_whole) || (!first && oro_hash_equal(digest, (struct oro_hash){0}));
}

/* All outputs of the node, at once. */
static bool evaluate(struct oro_device *device, const struct oro_plan *plan, bool by_kernels,
                     struct result *result)
{
    const struct oro_evaluator_options options = {
        .step_done = take_figures, .user = result, .kernels_only = by_kernels};
    struct oro_evaluator *evaluator = oro_evaluator_create(device, NULL, &options);
    struct oro_value *values[OUTPUTS_MAX] = {0};
    watching = device->tiles;
    bool ok = oro_evaluate(evaluator, plan, values, &result->err);
    watching = false;
    for (size_t i = 0; i < plan->target_count; i++) {
        struct oro_hash digest;
        ok = ok && oro_value_digest(values[i], &digest, &result->err);
        const void *data = ok ? oro_value_host(values[i], &result->err) : NULL;
        struct oro_hash *whole = &result->digests[result->output_count];
        if (data) {
            *whole = oro_hash_of(data, oro_value_bytes(values[i]));
            result->output_count++;
        }
        ok = data && (is_digest(device, digest, *whole) ||
                      oro_fail(&result->err, ORO_E_EVALUATE, "output %zu has another digest in tiles", i));
        oro_value_release(values[i]);
    }
    oro_evaluator_destroy(evaluator);
    return ok;
}

static size_t list_outputs(const struct oro_document *doc, const struct nodes *job,
                           struct oro_target *targets)
{
    size_t count = 0;
    for (int i = 0; i < NODES_MAX && job->ids[i]; i++) {
        const struct oro_doc_node *node = oro_document_find(doc, job->ids[i]);
        const struct oro_output *outputs = oro_registry_find(&oro_builtin_nodes, node->type)->outputs;
        for (int k = 0; outputs[k].name && count < OUTPUTS_MAX; k++)
            targets[count++] = (struct oro_target){job->ids[i], outputs[k].name};
    }
    return count;
}

/* Takes the device over. */
static void run(struct oro_device *device, const struct nodes *job, bool by_kernels, struct result *result)
{
    const struct oro_plan_options options = {.allow_any_path = true};
    struct oro_problems problems = {0};
    struct oro_document *doc =
        oro_document_parse(job->document, strlen(job->document), "test.oro", &oro_builtin_nodes, &problems);
    struct oro_target targets[OUTPUTS_MAX];
    size_t count = list_outputs(doc, job, targets);
    *result = (struct result){0};
    struct oro_plan *plan =
        oro_plan_create(doc, &oro_builtin_nodes, targets, count, &options, device, NULL, &result->err);
    result->ok = plan && evaluate(device, plan, by_kernels, result);
    if (device->tiles)
        result->ok = oro_spread_settle(device, result->ok, &result->err);
    oro_plan_destroy(plan);
    oro_document_destroy(doc);
    oro_problems_free(&problems);
    device->ops->destroy(device);
}

struct ranked {
    const struct nodes *job;
    int tile;
    bool by_kernels; /* drainage too, as on a graphics card */
    bool short_of_memory;
    struct result results[RANKS_MAX];
};

static void run_rank(void *user, struct oro_ranks *ranks)
{
    struct ranked *all = user;
    run(open_watched(ranks, all->tile, all->short_of_memory), all->job, all->by_kernels,
        &all->results[ranks->rank]);
}

static void compare(const struct result *whole, const struct result *tiled, const char *where)
{
    if (whole->ok != tiled->ok)
        fail_msg("%s: %s; whole: %s", where, tiled->err.text, whole->err.text);
    if (!strstr(tiled->err.text, whole->err.text))
        fail_msg("%s: %s; whole: %s", where, tiled->err.text, whole->err.text);
    assert_int_equal(whole->output_count, tiled->output_count);
    for (int i = 0; i < whole->output_count; i++)
        if (!oro_hash_equal(whole->digests[i], tiled->digests[i]))
            fail_msg("%s: other bits in output %d", where, i);
    assert_int_equal(whole->figure_count, tiled->figure_count);
    for (int i = 0; whole->ok && i < whole->figure_count; i++) {
        assert_string_equal(whole->figures[i].name, tiled->figures[i].name);
        if (whole->figures[i].value != tiled->figures[i].value)
            fail_msg("%s: %s is %.17g, not %.17g", where, whole->figures[i].name, tiled->figures[i].value,
                     whole->figures[i].value);
    }
}

static void watch(void)
{
    struct oro_device *driver = open_driver(),
                      *spread = oro_spread_create(driver, &(struct oro_spread_options){.whole = 1}, NULL);
    plain_ops = watched_ops = *spread->ops;
    watched_ops.download = watched_download;
    watched_ops.upload = watched_upload;
    poor_tiles = *spread->tiles;
    poor_tiles.budget = poor_budget;
    spread->ops->destroy(spread);
}

static void compare_ranks(struct ranked *all, int ranks, const struct result *whole)
{
    char where[96];
    snprintf(where, sizeof where, "%d ranks, tiles of %d%s%s", ranks, all->tile,
             all->by_kernels ? ", by kernels" : "", all->short_of_memory ? ", short of memory" : "");
    with_ranks(ranks, run_rank, all);
    for (int rank = 0; rank < ranks; rank++)
        compare(whole, &all->results[rank], where);
}

static void check(const struct nodes *job, bool succeeds)
{
    static const int tiles[RANKS_MAX] = {32, 64, 96, 128}; /* the last gives two ranks none */
    struct result whole;
    watch();
    run(open_driver(), job, false, &whole);
    if (whole.ok != succeeds)
        fail_msg("whole: %s", whole.err.text);
    for (int i = 0; i < 2 * RANKS_MAX; i++) {
        int ranks = i / 2 + 1;
        struct ranked all = {.job = job, .tile = tiles[ranks - 1], .by_kernels = i % 2};
        compare_ranks(&all, ranks, &whole);
    }
}

/* ---- Tiles on the host ---- */

static float value_at(int x, int y)
{
    return (float)(y * COLUMNS + x);
}

static void check_window(struct oro_drainage_cells *cells, const struct oro_tiled_block *window)
{
    struct oro_error err = {0};
    struct oro_tiled_source source = oro_drainage_cells_source(cells);
    float *values = calloc((size_t)window->width * (size_t)window->height, sizeof *values);
    assert_non_null(values);
    assert_ok(source.load(source.user, window, values, &err), err);
    for (int y = 0; y < window->height; y++)
        for (int x = 0; x < window->width; x++)
            assert_true(values[y * window->width + x] == value_at(window->x + x, window->y + y));
    struct oro_tiled_block other = {window->x, window->y, window->width - 1, window->height};
    assert_false(source.load(source.user, &other, values, &err));
    free(values);
}

/* Twice the same, where there is hardly any memory. */
TEST(tiles_that_do_not_fit_into_memory_are_kept_in_a_file)
{
    static float values[ROWS * COLUMNS], back[ROWS * COLUMNS];
    const struct oro_grid grid = {.width = COLUMNS, .height = ROWS, .cell = 1};
    const struct oro_spread_options options = {.whole = 1, .tile = 32};
    struct oro_error err = {0};
    struct oro_device *device = oro_spread_create(open_driver(), &options, &err);
    struct oro_buffer *raster = new_field(device, &grid, &err), *copy = new_field(device, &grid, &err);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        values[i] = value_at(i % COLUMNS, i / COLUMNS);
    assert_ok(device->ops->upload(device, raster, values, sizeof values, &err), err);
    struct oro_drainage_tiles tiles;
    struct oro_drainage_cells cells = {0}, results = {0};
    oro_drainage_tiles_begin(&tiles, device, &grid, false);
    tiles.budget = 1000;
    assert_ok(oro_drainage_cells_fetch(&cells, &tiles, raster, &err), err);
    assert_ok(oro_drainage_cells_begin(&results, &tiles, &err), err);
    assert_true(cells.in_file && results.in_file);
    struct oro_tiled_sink sink = oro_drainage_cells_sink(&results);
    for (int i = 0; i < tiles.count; i++) {
        struct oro_tiled_block tile = oro_tiled_tile(&tiles.cut, i),
                               ringed = oro_tiled_ringed(&tiles.cut, &tile);
        float own[32 * 32];
        check_window(&cells, &ringed);
        for (int k = 0; k < tile.width * tile.height; k++)
            own[k] = value_at(tile.x + k % tile.width, tile.y + k / tile.width);
        assert_true(sink.store(sink.user, &tile, own, &err));
    }
    assert_ok(oro_drainage_cells_write(&results, copy, &err), err);
    assert_ok(device->ops->download(device, copy, back, sizeof back, &err), err);
    assert_memory_equal(values, back, sizeof back);
    oro_drainage_cells_free(&cells);
    oro_drainage_cells_free(&results);
    device->ops->buffer_destroy(device, raster);
    device->ops->buffer_destroy(device, copy);
    device->ops->destroy(device);
}

/* ---- Nodes ---- */

#define WORLD "extent=\"15000\" resolution=\"150\" aspect=\"0.78\" seed=\"5\""
#define VALUE(name, value) "<in name=\"" name "\" value=\"" value "\"/>"
#define LINK(name, from) "<in name=\"" name "\" from=\"" from "\"/>"
#define NODE(id, type, inputs) "<node id=\"" id "\" type=\"" type "\">" inputs "</node>"
#define HILLS                                                                                                \
    NODE("hills", "noise", VALUE("amplitude", "700") VALUE("feature", "3000"))                               \
    NODE("sea", "noise", VALUE("amplitude", "1") VALUE("feature", "1500") VALUE("seed", "8"))                \
    NODE("rain", "noise", VALUE("amplitude", "0.5") VALUE("offset", "1") VALUE("seed", "9"))                 \
    NODE("none", "constant", VALUE("value", "0"))
#define GROUND LINK("terrain", "hills.field")
#define SEA LINK("sea", "sea.field")

TEST(carving)
{
    static const struct nodes job = {
        HARNESS_DOCUMENT(WORLD, HILLS NODE("auto", "breach", GROUND SEA VALUE("least_gradient", "1"))
                                    NODE("held", "breach",
                                         GROUND VALUE("method", "subtree_minimum") LINK("mask", "rain.field"))
                                        NODE("wide", "multiscale_breach",
                                             GROUND VALUE("radius", "700") VALUE("iterations", "1"))),
        {"auto", "held", "wide"}};
    check(&job, true);
}

TEST(filling_and_measuring)
{
    static const struct nodes job = {
        HARNESS_DOCUMENT(WORLD, HILLS NODE("level", "fill", GROUND SEA VALUE("borders", "walls"))
                                    NODE("sloped", "fill", GROUND VALUE("method", "sloped"))
                                        NODE("rivers", "flow", GROUND SEA LINK("rain", "rain.field"))
                                            NODE("wet", "flow", GROUND VALUE("rain", "2"))),
        {"level", "sloped", "rivers", "wet"}};
    check(&job, true);
}

/* It is no matter of any one rank. */
TEST(water_that_has_nowhere_to_go)
{
    static const struct nodes job = {
        HARNESS_DOCUMENT(
            WORLD, HILLS NODE("level", "fill", GROUND LINK("sea", "none.field") VALUE("borders", "walls"))),
        {"level"}};
    check(&job, false);
}

/* ---- At random ---- */

struct chance {
    uint32_t random;
};

static int below(struct chance *chance, int limit)
{
    chance->random = chance->random * 1664525u + 1013904223u;
    return (int)((chance->random >> 8) % (uint32_t)limit);
}

/* Smooth or stepped ground, with walls or without, with a sea or without, and all that is found of it. */
static void make_document(struct chance *chance, char *text, size_t size)
{
    int width = 33 + below(chance, 140), rows = 20 + below(chance, 150), stepped = below(chance, 3);
    bool sea = below(chance, 2), walls = sea && below(chance, 2);
    const char *const falls[] = {"0", "0.05", "2"};
    char inputs[256];
    snprintf(inputs, sizeof inputs, "<in name='terrain' from='%s'/>%s%s",
             stepped ? "steps.terrain" : "hills.field", sea ? "<in name='sea' from='sea.field'/>" : "",
             walls ? "<in name='borders' value='walls'/>" : "");
    static const char format[] =
        "<orograph xmlns='urn:orograph:1' version='1'><world extent='%d' resolution='%d' aspect='%.9g'/>"
        "<node id='hills' type='noise'><in name='amplitude' value='%d'/><in name='feature' "
        "value='%d'/></node>"
        "<node id='steps' type='terrace'><in name='terrain' from='hills.field'/><in name='spacing' "
        "value='%d'/>"
        "<in name='sharpness' value='1'/></node>"
        "<node id='sea' type='noise'><in name='amplitude' value='1'/><in name='feature' value='1500'/></node>"
        "<node id='b' type='breach'>%s<in name='method' value='subtree_minimum'/>"
        "<in name='least_gradient' value='%s'/></node>"
        "<node id='f' type='fill'>%s</node><node id='d' type='flow'>%s</node></orograph>";
    snprintf(text, size, format, 100 * width, width, (double)rows / width, 1 << below(chance, 11),
             400 + below(chance, 8000), 1 + below(chance, 200), inputs, falls[below(chance, 3)], inputs,
             inputs);
}

TEST(random_ground)
{
    static char text[4096];
    watch();
    for (uint32_t seed = 1; seed <= 12; seed++) {
        struct chance chance = {seed * 2654435761u};
        struct nodes job = {text, {"b", "f", "d"}};
        struct result whole;
        make_document(&chance, text, sizeof text);
        run(open_driver(), &job, false, &whole);
        if (!whole.ok && !strstr(whole.err.text, "nowhere"))
            fail_msg("whole: %s", whole.err.text);
        struct ranked all = {.job = &job,
                             .tile = 32 * (1 + below(&chance, 3)),
                             .by_kernels = true,
                             .short_of_memory = below(&chance, 2)};
        compare_ranks(&all, 1 + below(&chance, 3), &whole);
    }
}
