/* What copies of a mountain range cost: 100 x 60 km, 512 cells wide, a range of 10 x 6 km that is pasted side
 * by side, by one node with many places or by nodes that follow each other. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "bench/bench.h"

enum { WIDTH = 512, COLUMNS = 8, MOST = 64, REPEATS_MAX = 100 };

enum { SPURS = 14 };

/* A crest with spurs. */
static void add_lines(struct oro_text *text, double x, double y)
{
    for (int i = 0; i <= SPURS; i++)
        oro_text_addf(text, "%s%g %g", i ? ", " : "", x + 550 * (i - SPURS / 2), y + (i * 37 % 11 - 5) * 60);
    for (int i = 0; i < SPURS; i++) {
        double foot = x + 550 * (i - SPURS / 2), side = i % 2 ? -1 : 1;
        oro_text_addf(text, "; %g %g, %g %g, %g %g", foot + 200, y, foot + 300, y + 900 * side, foot + 150,
                      y + 1700 * side);
    }
}

static void place_of(int i, double place[2]);

/* The range that is copied; `drawn`: also where copies would come, instead of them. */
static void add_range(struct bench_graph *g, int drawn)
{
    struct oro_text text = {0};
    add_lines(&text, 6250, 3750);
    for (int i = 0; i < drawn; i++) {
        double at[2];
        place_of(i, at);
        oro_text_add(&text, "; ");
        add_lines(&text, at[0], at[1]);
    }
    bench_graph_node(g, "range", "uplift_curve");
    bench_graph_word(g, "range", "curve", text.data);
    bench_graph_set(g, "range", "radius", 900);
    g->failed |= text.failed;
    oro_text_free(&text);
}

/* Place number `i`: a grid of 8 x 8, besides the range itself. */
static void place_of(int i, double place[2])
{
    place[0] = 6250 + 12500 * (i % COLUMNS);
    place[1] = 3750 + 7000 * (i / COLUMNS + 1); /* NOLINT(bugprone-integer-division) */
}

static void add_paste(struct bench_graph *g, const char *id, const char *from, int place)
{
    char text[64];
    double at[2];
    place_of(place, at);
    snprintf(text, sizeof text, "%g %g", at[0], at[1]);
    bench_graph_node(g, id, "uplift_region");
    bench_graph_link(g, id, "uplift", from, "uplift");
    bench_graph_word(g, id, "from", "6250 3750");
    bench_graph_word(g, id, "to", text);
    bench_graph_set(g, id, "radius_x", 5200);
    bench_graph_set(g, id, "radius_y", 3200);
    bench_graph_set(g, id, "angle", 3 * (place % 10));
}

static void add_places(struct bench_graph *g, int count)
{
    struct oro_text text = {0};
    oro_text_add(&text, "");
    for (int i = 1; i < count; i++) {
        double at[2];
        place_of(i, at);
        oro_text_addf(&text, "%s%g %g %d", i > 1 ? "; " : "", at[0], at[1], 3 * (i % 10));
    }
    add_paste(g, "copies", "range", 0);
    bench_graph_word(g, "copies", "places", text.data);
    g->failed |= text.failed;
    oro_text_free(&text);
}

static void add_chain(struct bench_graph *g, int count, char last[16])
{
    strcpy(last, "range");
    for (int i = 0; i < count; i++) {
        char id[16];
        snprintf(id, sizeof id, "copy%d", i);
        add_paste(g, id, last, i);
        strcpy(last, id);
    }
}

enum way { DRAWN, PLACES, CHAINED };

static void make_graph(struct bench_graph *g, int count, enum way way)
{
    char last[16] = "range";
    *g = (struct bench_graph){.doc = oro_document_create()};
    struct oro_world world = ORO_WORLD_DEFAULT;
    world.extent = 100000;
    world.resolution = WIDTH;
    world.aspect = 0.6;
    g->failed = !g->doc || !oro_edit_world(g->doc, &world, &g->err);
    add_range(g, way == DRAWN ? count : 0);
    if (way == CHAINED)
        add_chain(g, count, last);
    if (way == PLACES)
        add_places(g, count);
    bench_graph_node(g, "drawn", "uplift_rasterize");
    bench_graph_link(g, "drawn", "uplift", way == PLACES ? "copies" : last, "uplift");
}

static void add_row(struct bench *bench, int count, const char *how, const char *what, double *seconds,
                    int repeats)
{
    char name[64];
    snprintf(name, sizeof name, "%d %s, %s", count, how, what);
    double median = bench_median(seconds, repeats);
    if (median < 0)
        return;
    struct bench_row *row = bench_row(bench, "copies", name, WIDTH);
    row->iterations = 1;
    row->milliseconds = 1e3 * median;
}

/* The step that rasterises, with what is compiled and uploaded for it. */
static bool time_raster(struct bench *bench, struct bench_graph *g, int count, const char *how)
{
    double device[REPEATS_MAX], whole[REPEATS_MAX];
    int repeats = bench->repeats < REPEATS_MAX ? bench->repeats : REPEATS_MAX;
    for (int i = -1; i < repeats; i++) { /* the first run compiles the kernel */
        struct bench_times times;
        if (!bench_evaluate(bench, g, "drawn", "field", &times))
            return false;
        device[i < 0 ? 0 : i] = times.step_device;
        whole[i < 0 ? 0 : i] = times.whole;
    }
    add_row(bench, count, how, "kernel", device, repeats);
    add_row(bench, count, how, "from nothing", whole, repeats);
    return true;
}

/* After an edit of node `id`: a new plan, what was kept of the last one, and the raster. */
static bool edit_once(struct bench *bench, struct bench_graph *g, struct oro_evaluator *evaluator,
                      const char *id, int angle)
{
    struct oro_target target = {"drawn", "field"};
    struct oro_plan_options options = {.allow_any_path = true, .memory_bytes = bench->device->budget_bytes};
    struct oro_value *value = NULL;
    bench_graph_set(g, id, "angle", angle);
    struct oro_plan *plan = g->failed ? NULL
                                      : oro_plan_create(g->doc, &oro_builtin_nodes, &target, 1, &options,
                                                        bench->device, NULL, &g->err);
    bool ok = plan && oro_evaluate(evaluator, plan, &value, &g->err) &&
              bench->device->ops->finish(bench->device, &g->err);
    oro_value_release(value);
    oro_plan_destroy(plan);
    g->failed = !ok;
    return ok;
}

static bool time_edits(struct bench *bench, struct bench_graph *g, const char *id, const char *what)
{
    double seconds[REPEATS_MAX];
    int repeats = bench->repeats < REPEATS_MAX ? bench->repeats : REPEATS_MAX;
    struct oro_evaluator_options options = {.per_dispatch = bench->per_dispatch};
    struct oro_cache_options kept = {.folder = "", .device_bytes = 1 << 28, .host_bytes = 1 << 28};
    struct oro_cache *cache = oro_cache_create(&kept);
    struct oro_evaluator *evaluator = cache ? oro_evaluator_create(bench->device, cache, &options) : NULL;
    bool ok = evaluator && edit_once(bench, g, evaluator, id, 1);
    for (int i = 0; ok && i < repeats; i++) {
        double started = oro_now();
        ok = edit_once(bench, g, evaluator, id, 2 + i);
        seconds[i] = oro_now() - started;
    }
    oro_evaluator_destroy(evaluator);
    oro_cache_destroy(cache);
    if (ok)
        add_row(bench, MOST, "chained", what, seconds, repeats);
    return ok;
}

bool bench_copies(struct bench *bench, struct oro_error *err)
{
    static const int counts[] = {1, 8, MOST};
    static const char *const ways[] = {[DRAWN] = "drawn", [PLACES] = "places", [CHAINED] = "chained"};
    bool ok = true;
    for (int i = 0; ok && i < 9; i++) {
        struct bench_graph g;
        int count = counts[i % 3];
        enum way way = (enum way)(i / 3);
        make_graph(&g, count, way);
        ok = time_raster(bench, &g, count, ways[way]);
        if (ok && way == CHAINED && count == MOST)
            ok = time_edits(bench, &g, "copy0", "edit of the first") &&
                 time_edits(bench, &g, "copy32", "edit of the middle one");
        *err = g.err;
        bench_graph_end(&g);
    }
    return ok;
}
