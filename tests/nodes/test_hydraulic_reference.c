/* Hydraulic erosion against its plain reference, cell by cell. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/ref/ref_hydraulic.h"
#include "tests/support/test.h"

/* As shares of what moved, or of the largest value: far larger than rounding errors, far smaller than a
 * mistake. */
static const double tolerance = 5e-4;

enum { CELL = 15, REFERENCE = 20 };

/* Settings that tests vary; the others are constants below. */
struct trial {
    int width, height, iterations, neighbours;
    enum ref_borders borders;
    bool maps, given, spring; /* maps are rasters; water and sediment at first */
    bool no_exchange, no_limit, no_thermal, no_erosion, no_flow;
    float time_step;
    double friction, collision;
};

static const struct trial trials[] = {
    {70, 45, 1, 8, REF_OUTFLOW, .maps = true, .given = true, .friction = 0.05, .collision = 0.25},
    {70, 45, 16, 8, REF_OUTFLOW, .maps = true, .given = true, .spring = true, .friction = 0.05},
    {45, 70, 16, 4, REF_OUTFLOW, .maps = true, .given = true, .friction = 0.05, .collision = 1},
    {33, 37, 20, 8, REF_WALLS, .maps = true, .given = true, .friction = 0, .collision = 0.4},
    {37, 33, 20, 4, REF_WALLS, .given = true, .no_limit = true, .friction = 0.5, .collision = 0.25},
    {40, 21, 2, 8, REF_SEA, .maps = true, .given = true, .friction = 0.05, .collision = 1},
    {40, 21, 18, 8, REF_SEA, .spring = true, .friction = 0.05, .collision = 0.25},
    {21, 40, 18, 4, REF_SEA, .maps = true, .friction = 0.05, .collision = 0.25},
    {33, 29, 12, 8, REF_OUTFLOW, .given = true, .no_exchange = true, .friction = 0.05, .collision = 0.25},
    {33, 29, 12, 8, REF_OUTFLOW, .given = true, .time_step = 0.043f, .friction = 0.01, .collision = 0.25},
    {33, 29, 12, 4, REF_OUTFLOW, .maps = true, .time_step = 0.043f, .friction = 0.05, .collision = 0.25},
    {33, 29, 10, 8, REF_OUTFLOW, .maps = true, .no_thermal = true, .friction = 0.05, .collision = 0.25},
    {33, 29, 10, 8, REF_OUTFLOW, .maps = true, .no_erosion = true, .friction = 0.05},
    {33, 29, 10, 4, REF_OUTFLOW, .maps = true, .given = true, .no_flow = true},
    {1, 30, 9, 8, REF_OUTFLOW, .maps = true, .friction = 0.05, .collision = 0.25},
    {30, 1, 9, 4, REF_OUTFLOW, .maps = true, .given = true, .friction = 0.05, .collision = 0.25},
    {2, 17, 9, 4, REF_OUTFLOW, .maps = true, .given = true, .friction = 0.05, .collision = 0.25},
    {1, 30, 9, 4, REF_WALLS, .maps = true, .given = true, .friction = 0.05, .collision = 0.25},
    {30, 1, 9, 8, REF_SEA, .maps = true, .friction = 0.05, .collision = 0.25},
    {3, 3, 10, 8, REF_OUTFLOW, .maps = true, .given = true, .spring = true, .friction = 0.05},
    {3, 3, 10, 4, REF_WALLS, .maps = true, .given = true, .friction = 0.05, .collision = 0.25},
    {2, 2, 10, 8, REF_OUTFLOW, .given = true, .friction = 0.05, .collision = 0.25},
    {1, 1, 3, 8, REF_OUTFLOW, .given = true, .spring = true, .friction = 0.05},
    {1, 1, 10, 4, REF_WALLS, .maps = true, .given = true, .friction = 0.05},
    {1, 1, 5, 8, REF_SEA, .friction = 0.05},
};
enum { TRIALS = sizeof trials / sizeof trials[0] };

/* The node's maps, with the range of those that are rasters. */
enum { HARDNESS, RAIN, EVAPORATION, CAPACITY, DEPOSITION, EROSION_DEPTH, SLIDE_RATE, TALUS_BIAS, MASK, MAPS };
static const struct {
    const char *name;
    double low, high;
} maps[MAPS] = {
    {"hardness", 0, 0.9},   {"rain", 0, 0.05},        {"evaporation", 0, 0.4},
    {"capacity", 0.5, 4},   {"deposition", 0.5, 3},   {"erosion_depth", 0.1, 4},
    {"slide_rate", 0.1, 5}, {"talus_bias", 0.1, 0.5}, {"mask", 0.2, 1},
};

struct ground {
    const struct trial *trial;
    int cells;
    struct site site;
    float *terrain, *water, *sediment, *maps[MAPS];
    struct ref_hydraulic reference;
};

static void make_maps(struct ground *g, char *text, size_t size)
{
    const struct trial *t = g->trial;
    for (int i = 0; i < MAPS; i++) {
        double middle = (maps[i].low + maps[i].high) / 2;
        size_t used = strlen(text);
        if (t->maps) {
            g->maps[i] = site_scatter(t->width, t->height, maps[i].low, maps[i].high, 10 + (unsigned)i);
            site_raster(&g->site, maps[i].name, g->maps[i]);
            snprintf(text + used, size - used, LINK("%s", "%s.terrain"), maps[i].name, maps[i].name);
        } else {
            g->maps[i] = site_uniform(t->width, t->height, middle);
            snprintf(text + used, size - used, IN("%s", "%.9g"), maps[i].name, middle);
        }
    }
}

static void make_given(struct ground *g, char *text, size_t size)
{
    const struct trial *t = g->trial;
    size_t used = strlen(text);
    g->terrain = site_rough(t->width, t->height, 16, 120, 40, 5);
    site_raster(&g->site, "ground", g->terrain);
    if (t->given) {
        g->water = site_scatter(t->width, t->height, 0, 3, 6);
        g->sediment = site_scatter(t->width, t->height, 0, 0.2, 7);
        site_raster(&g->site, "water", g->water);
        site_raster(&g->site, "sediment", g->sediment);
        snprintf(text + used, size - used,
                 LINK("water", "water.terrain") LINK("sediment", "sediment.terrain"));
        used = strlen(text);
    }
    if (t->spring) /* in the last cell but the border's, where there are so many */
        snprintf(text + used, size - used, IN("springs", "%g %g 30"), (double)((t->width - 0.6) * CELL),
                 (double)((t->height - 0.6) * CELL));
}

/* The longest stable one is a little more than 0.043. */
static double time_step(const struct trial *t)
{
    return t->time_step > 0 ? (double)t->time_step : 0.022;
}

static void make_reference(struct ground *g)
{
    const struct trial *t = g->trial;
    g->reference = (struct ref_hydraulic){
        .width = t->width,
        .height = t->height,
        .neighbours = t->neighbours,
        .cell = CELL,
        .reference_cell = REFERENCE,
        .borders = t->borders,
        .sea_level = 90,
        .time_step = time_step(t),
        .step = ldexp(1, -17),
        .flow = !t->no_flow,
        .erosion = !t->no_erosion,
        .limit_depth = !t->no_limit,
        .exchange = !t->no_exchange,
        .thermal = !t->no_thermal,
        .pipe_area = 15,
        .gravity = 9,
        .friction = t->friction,
        .suspension = 0.7,
        .film = 0.05,
        .least_slope = 4,
        .collision = t->collision,
        .softening = 6,
        .talus_hardness = 0.7,
        .terrain = g->terrain,
        .water = g->water,
        .sediment = g->sediment,
        .hardness = g->maps[HARDNESS],
        .rain = g->maps[RAIN],
        .evaporation = g->maps[EVAPORATION],
        .capacity = g->maps[CAPACITY],
        .deposition = g->maps[DEPOSITION],
        .erosion_depth = g->maps[EROSION_DEPTH],
        .slide_rate = g->maps[SLIDE_RATE],
        .talus_bias = g->maps[TALUS_BIAS],
        .mask = g->maps[MASK],
    };
    if (t->spring)
        g->reference.spring = (struct ref_spring){g->cells - 1, 30};
}

static const char *word(bool value)
{
    return value ? "true" : "false";
}

static struct ground ground_start(const struct trial *t)
{
    static const char *const borders[] = {"outflow", "walls", "sea_level"};
    struct ground g = {.trial = t, .cells = t->width * t->height};
    char inputs[2048] = "";
    g.site = site_start(&h, t->width, t->height, CELL);
    make_given(&g, inputs, sizeof inputs);
    make_maps(&g, inputs, sizeof inputs);
    make_reference(&g);
    site_node(&g.site, "n", "hydraulic_erosion",
              LINK("terrain", "ground.terrain") "%s" IN("iterations", "%d") IN("neighbours", "%d")
                  IN("borders", "%s") IN("reference_cell", "%d") IN("sea_level", "90") IN("time_step", "%.9g")
                      IN("friction", "%.9g") IN("collision", "%.9g"),
              inputs, t->iterations, t->neighbours, borders[t->borders], REFERENCE, time_step(t), t->friction,
              t->collision);
    char *end = strrchr(g.site.nodes, '<'); /* further inputs of the same node */
    snprintf(end, sizeof g.site.nodes - (size_t)(end - g.site.nodes),
             IN("flow", "%s") IN("erosion", "%s") IN("limit_depth", "%s") IN("exchange", "%s")
                 IN("thermal", "%s") IN("pipe_area", "15") IN("gravity", "9") IN("suspension", "0.7")
                     IN("film", "0.05") IN("least_slope", "4") IN("softening", "6")
                         IN("talus_hardness", "0.7") "</node>\n",
             word(!t->no_flow), word(!t->no_erosion), word(!t->no_limit), word(!t->no_exchange),
             word(!t->no_thermal));
    return g;
}

static void ground_end(struct ground *g)
{
    oro_free(g->terrain);
    oro_free(g->water);
    oro_free(g->sediment);
    for (int i = 0; i < MAPS; i++)
        oro_free(g->maps[i]);
}

/* ---- Comparison ---- */

/* Values of the reference: of output `name`, `channels` to a cell. */
enum output { TERRAIN, WATER, SEDIMENT, DEPOSITED, ERODED, SOFTNESS, FLUX, VELOCITY, OUTPUTS };
static const char *const names[OUTPUTS] = {"terrain", "water",    "sediment", "deposited",
                                           "eroded",  "hardness", "flux",     "velocity"};

/* Velocity for flow: its inverse is the depth, or what would make the water go a cell in a step. */
static double per_flow(const struct ref_hydraulic_run *run, const struct ref_water_cell *c,
                       const double flow[2])
{
    double fastest = run->speed * sqrt(run->given->reference_cell),
           depth = (double)c->water * run->given->step;
    return 1 / fmax(fmax(depth, hypot(flow[0], flow[1]) / fastest), run->given->step);
}

static double value_of(const struct ref_hydraulic_run *run, enum output output, int cell, int channel)
{
    const struct ref_water_cell *c = &run->cells[cell];
    double flow[2];
    switch (output) {
    case TERRAIN:
        return (double)run->given->terrain[cell] + (double)(c->ground - c->start) * run->given->step;
    case WATER:
        return (double)c->water * run->given->step;
    case SEDIMENT:
        return (double)c->sediment * run->given->step;
    case DEPOSITED:
        return (double)(c->ground - c->bed) * run->given->step;
    case ERODED:
        return (double)(c->start - c->bed) * run->given->step;
    case SOFTNESS:
        return 1 - c->softness;
    default:
        ref_hydraulic_flow(run, cell, flow);
        return flow[channel] * (output == FLUX ? CELL : per_flow(run, c, flow));
    }
}

/* What there was before any step: a measure of what moved is the greatest difference from it. */
static double value_before(const struct ground *g, enum output output, int cell)
{
    return output == TERRAIN    ? (double)g->terrain[cell]
           : output == SOFTNESS ? (double)g->maps[HARDNESS][cell]
                                : 0;
}

static void compare(struct ground *g, const struct ref_hydraulic_run *run, enum output output)
{
    float *device = site_take(&g->site, "n", names[output]);
    int channels = output >= FLUX ? 2 : 1;
    double moved = output == SOFTNESS ? 0.1 : 1e-4, error = 0;
    for (int i = 0; i < channels * g->cells; i++) {
        if (output == VELOCITY && (double)run->cells[i / 2].water * run->given->step < 0.1)
            continue; /* next to no water: the quotient of two small numbers */
        double value = value_of(run, output, i / channels, i % channels);
        moved = fmax(moved, fabs(value - value_before(g, output, i / channels)));
        error = fmax(error, fabs(value - (double)device[i]));
    }
    if (error > tolerance * moved + 4 * run->given->step) /* and some steps of depth */
        fail_msg("%s, %d x %d, %d iterations, %d neighbours, trial %d: %g of %g, a share of %g",
                 names[output], g->trial->width, g->trial->height, g->trial->iterations, g->trial->neighbours,
                 (int)(g->trial - trials), error, moved, error / moved);
    oro_free(device);
}

static void compare_borders(const struct ref_hydraulic_run *run)
{
    double steps = run->given->step * CELL * CELL, most = fabs((double)run->water_left) + 1e6;
    double clear = (double)(run->water_left - (run->given->exchange ? run->sediment_left : 0));
    assert_near(harness_figure(&h, "n", "water_left_over_border"), clear * steps, tolerance * most * steps);
    assert_near(harness_figure(&h, "n", "sediment_left_over_border"), (double)run->sediment_left * steps,
                tolerance * most * steps);
}

static void check(const struct trial *trial)
{
    struct ground g = ground_start(trial);
    struct ref_water_cell *cells = oro_alloc((size_t)g.cells, sizeof *cells),
                          *next = oro_alloc((size_t)g.cells, sizeof *next);
    assert_true(cells && next);
    struct ref_hydraulic_run run = ref_hydraulic_start(&g.reference, cells);
    for (int i = 0; i < trial->iterations; i++)
        ref_hydraulic_step(&run, &next);
    for (int output = 0; output < OUTPUTS; output++) {
        compare(&g, &run, (enum output)output);
        if (output == TERRAIN)
            compare_borders(&run);
    }
    oro_free(run.cells);
    oro_free(next);
    ground_end(&g);
}

TEST(node_and_reference_agree)
{
    need_device();
    for (int i = 0; i < TRIALS; i++)
        check(&trials[i]);
}

TEST_GROUP(open_harness, close_harness);
