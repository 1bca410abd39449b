/* The erosion nodes against their plain references, cell by cell. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/ref/ref.h"
#include "tests/support/test.h"

/* As shares of what moved. Larger than the errors of rounding and of the device's powers, but far smaller
 * than a mistake. */
static const double area_tolerance = 1e-3, fluvial_tolerance = 1e-3, thermal_tolerance = 1e-4,
                    deposition_tolerance = 1e-3, upsample_tolerance = 5e-4 /* metres */;

/* ---- Cases ---- */

struct trial {
    int width, height, iterations;
    bool walls, maps;
    double exponent, low; /* p of eq. 1; the lowest ground */
    double erodibility;   /* large: erosion stops above the receiver */
};

static const struct trial trials[] = {
    {70, 45, 1, false, true, 1.3, 0, 0.002}, {70, 45, 14, false, false, 1.3, 200, 0.002},
    {33, 64, 1, true, true, 1.3, 0, 0.002},  {33, 64, 14, true, true, 2, 100, 0.002},
    {40, 37, 3, false, true, 1.3, 0, 0.3},   {1, 50, 9, false, true, 1.3, 0, 0.002},
    {50, 1, 9, false, false, 1.3, 0, 0.002}, {1, 50, 9, true, false, 1.3, 0, 0.002},
    {50, 1, 9, true, true, 1.3, 0, 0.002},   {3, 3, 5, false, true, 1, 0, 0.002},
    {3, 3, 5, true, false, 4, 0, 0.002},     {2, 2, 3, true, true, 1.3, 0, 0.002},
    {1, 1, 3, false, true, 1.3, 0, 0.002},   {1, 1, 3, true, false, 1.3, 0, 0.002},
    {65, 33, 6, false, true, 8, 0, 0.002},
};
enum { TRIALS = sizeof trials / sizeof trials[0], CELL = 20 };

/* A trial's rasters and its document. */
struct ground {
    const struct trial *trial;
    int cells;
    struct site site;
    float *terrain, *hardness, *rain, *mask, *repose, *sediment, *drainage;
    struct ref_flow flow;
    struct ref_power power;
};

/* A map: a raster of its own, or the middle of the range everywhere. */
static float *map(struct ground *g, const char *id, double low, double high, unsigned seed)
{
    const struct trial *t = g->trial;
    float *data = t->maps ? site_scatter(t->width, t->height, low, high, seed)
                          : site_uniform(t->width, t->height, 0.5 * (low + high));
    if (t->maps)
        site_raster(&g->site, id, data);
    return data;
}

/* The XML of an input that is a map in some trials, and else a number. */
static const char *given(const struct ground *g, const char *name, const float *data)
{
    static char text[8][96];
    static int next;
    char *to = text[next++ % 8];
    if (g->trial->maps)
        snprintf(to, sizeof text[0], LINK("%s", "%s.terrain"), name, name);
    else
        snprintf(to, sizeof text[0], IN("%s", "%.9g"), name, (double)data[0]);
    return to;
}

static struct ground ground_start(const struct trial *t)
{
    struct ground g = {.trial = t, .cells = t->width * t->height};
    g.site = site_start(&h, t->width, t->height, CELL);
    g.terrain = site_rough(t->width, t->height, 16, 600, t->low, 5);
    site_raster(&g.site, "ground", g.terrain);
    g.hardness = map(&g, "hardness", 0, 0.8, 1);
    g.rain = map(&g, "rain", 0.2, 2, 2);
    g.mask = map(&g, "mask", 0.3, 1, 3);
    g.repose = map(&g, "repose", 20, 50, 4);
    g.sediment = map(&g, "sediment", 0, 6, 6);
    g.drainage = map(&g, "drainage", 0, 3000, 7);
    g.flow = (struct ref_flow){t->width, t->height, CELL, t->exponent, t->walls, g.terrain, false};
    g.power = (struct ref_power){1.8, 0.7, tan(40 * acos(-1) / 180), 47 * CELL * CELL, 25};
    return g;
}

static void ground_end(struct ground *g)
{
    float *rasters[] = {g->terrain, g->hardness, g->rain, g->mask, g->repose, g->sediment, g->drainage};
    for (size_t i = 0; i < sizeof rasters / sizeof rasters[0]; i++)
        oro_free(rasters[i]);
}

static const char *flow_inputs(const struct ground *g)
{
    static char text[512];
    snprintf(text, sizeof text, IN("iterations", "%d") IN("flow_exponent", "%g") IN("borders", "%s") "%s%s",
             g->trial->iterations, g->trial->exponent, g->trial->walls ? "walls" : "outflow",
             given(g, "rain", g->rain), g->trial->maps ? LINK("drainage", "drainage.terrain") : "");
    return text;
}

static const char power_inputs[] = IN("slope_exponent", "1.8") IN("area_exponent", "0.7")
    IN("slope_limit", "40") IN("area_limit", "47") IN("reference_cell", "25");

static void start_area(const struct ground *g, float *area)
{
    ref_drainage_start(&g->flow, g->rain, g->trial->maps ? g->drainage : NULL, area);
}

static void swap(float **a, float **b)
{
    float *c = *a;
    *a = *b;
    *b = c;
}

static float *copy(const float *data, int cells)
{
    float *made = oro_alloc((size_t)cells, sizeof *made);
    assert_non_null(made);
    if (data)
        memcpy(made, data, (size_t)cells * sizeof *made);
    return made;
}

/* The device's result must agree with the reference, up to a share of `moved`, the largest change in any
 * cell. */
static void agree(const struct ground *g, const char *what, const float *device, const float *reference,
                  double moved, double tolerance)
{
    double difference = site_difference(device, reference, g->cells), share = difference / fmax(moved, 1e-30);
    if (difference > 0 && share > tolerance)
        fail_msg("%s, %d x %d, %d iterations%s%s: %g of %g, a share of %g", what, g->trial->width,
                 g->trial->height, g->trial->iterations, g->trial->walls ? ", walls" : "",
                 g->trial->maps ? ", maps" : "", difference, moved, share);
}

static void compare(struct ground *g, const char *output, const float *reference, const float *before,
                    double tolerance)
{
    float *device = site_take(&g->site, "n", output);
    double moved = before ? site_difference(reference, before, g->cells) : 0;
    for (int i = 0; i < g->cells && !before; i++)
        moved = fmax(moved, (double)reference[i]);
    agree(g, output, device, reference, moved, tolerance);
    oro_free(device);
}

/* Every cell's area with its own measure: small streams count as much as large ones. */
static void compare_areas(struct ground *g, const float *reference, double tolerance)
{
    float *device = site_take(&g->site, "n", "drainage"), *error = copy(NULL, g->cells),
          *none = copy(NULL, g->cells);
    for (int i = 0; i < g->cells; i++) {
        error[i] = fabsf(device[i] - reference[i]) / reference[i];
        none[i] = 0;
    }
    agree(g, "drainage", error, none, 1, tolerance);
    oro_free(device);
    oro_free(error);
    oro_free(none);
}

/* ---- Nodes ---- */

static void check_drainage(const struct trial *trial)
{
    struct ground g = ground_start(trial);
    site_node(&g.site, "n", "drainage", LINK("terrain", "ground.terrain") "%s", flow_inputs(&g));
    float *area = copy(NULL, g.cells), *next = copy(NULL, g.cells);
    start_area(&g, area);
    for (int i = 0; i < trial->iterations; i++) {
        ref_drainage_step(&g.flow, g.terrain, g.rain, area, next);
        swap(&area, &next);
    }
    compare_areas(&g, area, area_tolerance);
    oro_free(area);
    oro_free(next);
    ground_end(&g);
}

static void check_fluvial(const struct trial *trial)
{
    struct ground g = ground_start(trial);
    site_node(&g.site, "n", "fluvial_erosion",
              LINK("terrain", "ground.terrain") IN("erodibility", "%g") "%s%s%s%s", trial->erodibility,
              flow_inputs(&g), power_inputs, given(&g, "hardness", g.hardness), given(&g, "mask", g.mask));
    struct ref_fluvial fluvial = {g.flow, g.power, trial->erodibility, g.hardness, g.mask, g.rain};
    float *height = copy(g.terrain, g.cells), *height_next = copy(NULL, g.cells);
    float *area = copy(NULL, g.cells), *area_next = copy(NULL, g.cells);
    start_area(&g, area);
    for (int i = 0; i < trial->iterations; i++) {
        ref_fluvial_step(&fluvial, height, area, height_next, area_next);
        swap(&height, &height_next);
        swap(&area, &area_next);
    }
    compare(&g, "terrain", height, g.terrain, fluvial_tolerance);
    compare_areas(&g, area, area_tolerance);
    for (int i = 0; i < g.cells; i++)
        height[i] = fmaxf(g.terrain[i] - height[i], 0);
    compare(&g, "eroded", height, NULL, fluvial_tolerance);
    oro_free(height);
    oro_free(height_next);
    oro_free(area);
    oro_free(area_next);
    ground_end(&g);
}

static void check_thermal(const struct trial *trial)
{
    struct ground g = ground_start(trial);
    site_node(&g.site, "n", "thermal_erosion",
              LINK("terrain", "ground.terrain") IN("iterations", "%d") IN("amount", "0.002")
                  IN("reference_cell", "25") IN("repose_variation", "0") "%s%s",
              trial->iterations, given(&g, "repose", g.repose), given(&g, "mask", g.mask));
    struct ref_thermal thermal = {trial->width, trial->height, CELL, 0.002, 25, g.repose, g.mask};
    float *height = copy(g.terrain, g.cells), *next = copy(NULL, g.cells);
    for (int i = 0; i < trial->iterations; i++) {
        ref_thermal_step(&thermal, height, next);
        swap(&height, &next);
    }
    compare(&g, "terrain", height, g.terrain, thermal_tolerance);
    oro_free(height);
    oro_free(next);
    ground_end(&g);
}

static struct ref_load load_start(const struct ground *g)
{
    struct ref_load load = {copy(g->terrain, g->cells), copy(NULL, g->cells), copy(NULL, g->cells),
                            copy(g->sediment, g->cells)};
    start_area(g, load.area);
    for (int i = 0; i < g->cells; i++)
        load.sediment[i] = 0;
    return load;
}

static void load_end(struct ref_load *load)
{
    oro_free(load->height);
    oro_free(load->area);
    oro_free(load->sediment);
    oro_free(load->source);
}

static void check_deposition(const struct trial *trial, bool hollows)
{
    struct ground g = ground_start(trial);
    site_node(&g.site, "n", "deposition",
              LINK("terrain", "ground.terrain") IN("creation", "0.3") IN("settling", "0.4")
                  IN("least_slope", "2") IN("capacity", "3") IN("method", "%s") "%s%s%s%s",
              hollows ? "hollows" : "plains", flow_inputs(&g), power_inputs,
              given(&g, "sediment", g.sediment), given(&g, "mask", g.mask));
    g.flow.rises = !hollows;
    struct ref_deposition deposition = {g.flow,  g.power, 0.3,   0.4, 3, tan(2 * acos(-1) / 180),
                                        hollows, g.mask,  g.rain};
    struct ref_load load = load_start(&g), next = load_start(&g);
    for (int i = 0; i < trial->iterations; i++) {
        ref_deposition_step(&deposition, load, next);
        struct ref_load before = load;
        load = next;
        next = before;
    }
    compare(&g, "terrain", load.height, g.terrain, deposition_tolerance);
    compare_areas(&g, load.area, area_tolerance);
    double area = CELL * CELL, taken = site_sum(g.sediment, g.cells) - site_sum(load.source, g.cells);
    assert_near(harness_figure(&h, "n", "still_carried"), site_sum(load.sediment, g.cells) * area,
                1e-4 * taken * area);
    assert_near(harness_figure(&h, "n", "taken_up"), taken * area, 1e-4 * taken * area);
    load_end(&load);
    load_end(&next);
    ground_end(&g);
}

static void all(void (*check)(const struct trial *))
{
    need_device();
    for (int i = 0; i < TRIALS; i++)
        check(&trials[i]);
}

TEST(drainage_agrees)
{
    all(check_drainage);
}

TEST(fluvial_erosion_agrees)
{
    all(check_fluvial);
}

TEST(thermal_erosion_agrees)
{
    all(check_thermal);
}

static void check_plains(const struct trial *trial)
{
    check_deposition(trial, false);
}

static void check_hollows(const struct trial *trial)
{
    check_deposition(trial, true);
}

TEST(deposition_agrees)
{
    all(check_plains);
    all(check_hollows);
}

static void check_upsample(const struct trial *trial, int method, int factor)
{
    static const char *const words[] = {"catmull_rom", "b_spline", "bilinear"};
    struct ground g = ground_start(trial);
    site_node(&g.site, "n", "upsample",
              LINK("terrain", "ground.terrain") IN("factor", "%d") IN("method", "%s"), factor, words[method]);
    float *fine = copy(NULL, g.cells * factor * factor), *device = site_take(&g.site, "n", "terrain");
    ref_upsample((enum ref_method)method, trial->width, trial->height, g.terrain, factor, fine);
    assert_near(site_difference(fine, device, g.cells * factor * factor), 0, upsample_tolerance);
    oro_free(fine);
    oro_free(device);
    ground_end(&g);
}

TEST(upsample_agrees)
{
    need_device();
    for (int i = 0; i < TRIALS; i++)
        for (int method = 0; method < 3; method++)
            check_upsample(&trials[i], method, 2 + (i + method) % 3);
}

TEST_GROUP(open_harness, close_harness);
