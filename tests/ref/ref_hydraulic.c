/* Hydraulic and thermal erosion by virtual pipes. */
#include "tests/ref/ref_hydraulic.h"

#include <math.h>
#include <string.h>

static const int toward[REF_DIRECTIONS][2] = {{1, 0}, {-1, 0},  {0, 1},  {0, -1},
                                              {1, 1}, {-1, -1}, {-1, 1}, {1, -1}};

static double at_most(double value, double most)
{
    return value < most ? value : most;
}

static double within(double value, double low, double high)
{
    return value < low ? low : at_most(value, high);
}

/* The neighbour's index, or -1: beyond the border. */
static int neighbour(const struct ref_hydraulic *g, int cell, int direction)
{
    int x = cell % g->width + toward[direction][0], y = cell / g->width + toward[direction][1];
    return x >= 0 && x < g->width && y >= 0 && y < g->height ? g->width * y + x : -1;
}

/* ---- Start ---- */

static void set_scale(struct ref_hydraulic_run *run)
{
    const struct ref_hydraulic *g = run->given;
    run->unit = g->reference_cell / g->step;
    run->length = g->cell / g->reference_cell;
    double section = g->pipe_area * run->length; /* narrower cells have narrower pipes */
    run->speed = run->length / g->time_step;
    /* Eq. 2: dt A g dh / l of volume, over an area l^2, in dt. */
    run->acceleration =
        g->time_step * section * g->gravity / run->length * g->time_step / (run->length * run->length);
    run->drag = g->pipe_area * g->friction * run->length * run->unit * run->unit;
    double fastest = run->acceleration * (g->neighbours == 8 ? 16.0 / 3 : 8);
    run->damping = within(0.45 * (4 / fastest - 1), 0, 0.5);
    run->sea = llround(g->sea_level / g->step);
}

static int64_t steps_of(const struct ref_hydraulic_run *run, double metres)
{
    return llround(metres / run->given->step);
}

struct ref_hydraulic_run ref_hydraulic_start(const struct ref_hydraulic *g, struct ref_water_cell *cells)
{
    struct ref_hydraulic_run run = {.given = g, .cells = cells};
    set_scale(&run);
    for (int i = 0; i < g->width * g->height; i++) {
        int64_t ground = steps_of(&run, (double)g->terrain[i]);
        int64_t sea = g->borders == REF_SEA && run.sea > ground ? run.sea - ground : 0;
        int64_t sediment = g->sediment ? steps_of(&run, (double)g->sediment[i]) : 0;
        int64_t water = g->water ? steps_of(&run, (double)g->water[i]) : sea;
        if (g->exchange && water < sediment)
            water = sediment;
        cells[i] = (struct ref_water_cell){.ground = ground,
                                           .start = ground,
                                           .bed = ground,
                                           .water = water,
                                           .sediment = sediment,
                                           .softness = 1 - (double)g->hardness[i]};
    }
    return run;
}

/* ---- Flow ---- */

/* Eq. 1. */
static int64_t wetted(const struct ref_hydraulic_run *run, int cell)
{
    const struct ref_hydraulic *g = run->given;
    double fallen = round((double)g->rain[cell] * run->given->time_step * run->unit);
    if (g->spring.rate > 0 && g->spring.cell == cell)
        fallen += round(g->spring.rate * run->given->time_step * run->unit / (run->length * run->length));
    return run->cells[cell].water + (g->flow ? (int64_t)fallen : 0);
}

/* The surface beyond the border: the ground as it was at the edge, going down as it does there, gently at
 * most; or the sea, where that stands higher. */
static int64_t surface_beyond(const struct ref_hydraulic_run *run, int cell, int direction)
{
    const struct ref_hydraulic *g = run->given;
    int next = neighbour(g, cell, direction ^ 1), second = next < 0 ? -1 : neighbour(g, next, direction ^ 1);
    double edge = (double)g->terrain[cell], rise = next < 0 ? 0 : (double)g->terrain[next] - edge;
    double farther = second < 0 ? 0 : (double)g->terrain[second] - (double)g->terrain[next];
    int64_t beyond = steps_of(run, edge - within(at_most(rise, farther), 0, 0.1 * g->cell));
    return g->borders == REF_SEA && run->sea > beyond ? run->sea : beyond;
}

static int64_t surface(const struct ref_hydraulic_run *run, int cell)
{
    return run->cells[cell].ground + wetted(run, cell) + run->cells[cell].ahead;
}

static bool gives_sea(const struct ref_hydraulic_run *run, int cell, int direction)
{
    return run->given->borders == REF_SEA && surface_beyond(run, cell, direction) == run->sea;
}

/* Eq. 2 and 3. No pipe carries more than there is (and will be) where it comes from. */
static double driven(const struct ref_hydraulic_run *run, int cell, int k, double flux, double share)
{
    int to = neighbour(run->given, cell, k);
    int64_t here = surface(run, cell), there = to < 0 ? surface_beyond(run, cell, k) : surface(run, to);
    double held = fmax((double)(here - run->cells[cell].ground), 0);
    double held_there = to >= 0                   ? fmax((double)(there - run->cells[to].ground), 0)
                        : gives_sea(run, cell, k) ? INFINITY
                                                  : 0;
    return within(flux + run->acceleration * share * (double)(here - there), -held_there, held);
}

static double accelerated(const struct ref_hydraulic_run *run, int cell, int k)
{
    const struct ref_hydraulic *g = run->given;
    const struct ref_water_cell *c = &run->cells[cell];
    int to = neighbour(g, cell, k);
    bool inner = neighbour(g, cell, k ^ 1) >= 0;
    if (k >= g->neighbours || (to < 0 && (k >= 4 || g->borders == REF_WALLS)))
        return 0;
    if (to < 0) /* what comes from the other side goes on */
        return driven(run, cell, k, inner ? -c->flux[k ^ 1] : 0, 1);
    return driven(run, cell, k, c->flux[k], g->neighbours == 4 ? 1 : k < 4 ? 2.0 / 3 : 1.0 / 6);
}

static void mean_flow(const double flux[REF_DIRECTIONS], double flow[2])
{
    flow[0] = flow[1] = 0;
    for (int k = 0; k < REF_DIRECTIONS; k++)
        for (int axis = 0; axis < 2; axis++)
            flow[axis] += 0.5 * flux[k] * toward[k][axis];
}

/* The share of its fluxes that a cell keeps up: friction solved for the end of the step, and eq. 4. */
static double kept(const struct ref_hydraulic_run *run, const double flux[REF_DIRECTIONS], int64_t water)
{
    if (water <= 0 || !run->given->flow)
        return 0;
    double flow[2], leaving = 0, depth = (double)water;
    mean_flow(flux, flow);
    for (int k = 0; k < REF_DIRECTIONS; k++)
        leaving += fmax(flux[k], 0);
    double drag = run->drag / pow(depth, 3), u = hypot(flow[0], flow[1]);
    double slowed = drag * u < 1e-12 ? 1 : (sqrt(1 + 4 * drag * u) - 1) / (2 * drag * u);
    double left = leaving * slowed > depth ? depth / leaving : slowed;
    return 0.999996 * left; /* a hair less, because sums are rounded in single precision */
}

/* Eq. 4 and 5: a pipe is bounded by the cell that gives. */
static double bound_of_giver(const struct ref_hydraulic_run *run, const struct ref_water_cell *cells,
                             int cell, int k)
{
    int to = neighbour(run->given, cell, k);
    bool gives = cells[cell].flux[k] > 0;
    if (gives || to >= 0)
        return cells[gives ? cell : to].kept;
    return gives_sea(run, cell, k) ? 1 : 0;
}

static void set_fluxes(const struct ref_hydraulic_run *run, struct ref_water_cell *next, int count)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < REF_DIRECTIONS; k++)
            next[i].flux[k] = run->given->flow ? accelerated(run, i, k) : 0;
        next[i].kept = kept(run, next[i].flux, wetted(run, i));
    }
    for (int i = 0; i < count; i++) {
        double bounded[REF_DIRECTIONS];
        for (int k = 0; k < REF_DIRECTIONS; k++)
            bounded[k] = next[i].flux[k] * bound_of_giver(run, next, i, k);
        memcpy(next[i].flux, bounded, sizeof bounded);
    }
}

/* Eq. 6, and 15 in flux form: water and its sediment go in whole steps. */
static void carry(struct ref_hydraulic_run *run, struct ref_water_cell *next, int cell)
{
    int64_t water = wetted(run, cell), sediment = run->cells[cell].sediment;
    double sum = 0;
    for (int k = 0; k < REF_DIRECTIONS; k++) {
        int to = neighbour(run->given, cell, k), giver = next[cell].flux[k] > 0 ? cell : to;
        double depth = giver < 0 ? 0 : (double)wetted(run, giver);
        double share = depth > 0 ? at_most((double)run->cells[giver].sediment / depth, 1e9) : 0;
        double goes = trunc(next[cell].flux[k]), with_it = trunc(goes * share * 0.999996);
        water -= (int64_t)goes;
        sediment -= (int64_t)with_it;
        run->water_left += to < 0 ? (int64_t)goes : 0;
        run->sediment_left += to < 0 ? (int64_t)with_it : 0;
        sum += next[cell].flux[k];
    }
    next[cell].water = water;
    next[cell].sediment = sediment;
    next[cell].ahead = (int64_t)trunc(-run->damping * sum);
}

/* ---- Erosion ---- */

/* Rise of the ground to a neighbour, per length; over the border it goes on as it comes. */
static double slope_toward(const struct ref_hydraulic_run *run, int cell, int k)
{
    int there = neighbour(run->given, cell, k), behind = neighbour(run->given, cell, k ^ 1);
    int64_t here = run->cells[cell].ground;
    int64_t rise = there >= 0    ? run->cells[there].ground - here
                   : behind >= 0 ? here - run->cells[behind].ground
                                 : 0;
    return (double)rise / (run->unit * run->length);
}

/* Eq. 10 and 11: the sine of the slope, or -N.V. */
static double incidence(const struct ref_hydraulic_run *run, int cell, const double velocity[2], double speed)
{
    double gradient[2], along = 0, upstream = 0, downstream = 0;
    for (int axis = 0; axis < 2; axis++) {
        double ahead = slope_toward(run, cell, 2 * axis), behind = -slope_toward(run, cell, 2 * axis + 1);
        double heading = speed > 0 ? velocity[axis] / speed : 0;
        gradient[axis] = (ahead + behind) / 2;
        along += heading * gradient[axis];
        upstream += heading * (velocity[axis] > 0 ? behind : ahead);
        downstream += heading * (velocity[axis] > 0 ? ahead : behind);
    }
    double tangent = hypot(gradient[0], gradient[1]), sine = sin(atan(fmax(-downstream, 0)));
    double meeting = (along - upstream) / (sqrt(1 + tangent * tangent) * sqrt(1 + upstream * upstream));
    sine += run->given->collision * (fmax(meeting, 0) - sine);
    return fmax(sine, sin(run->given->least_slope * acos(-1) / 180));
}

/* Eq. 9 and 10, in steps. `depth` is the mean of before and after, in steps. */
static double capacity(const struct ref_hydraulic_run *run, const struct ref_water_cell *next, int cell,
                       double depth)
{
    const struct ref_hydraulic *g = run->given;
    double velocity[2];
    mean_flow(next[cell].flux, velocity);
    for (int axis = 0; axis < 2; axis++)
        velocity[axis] *= run->speed / fmax(depth, 1);
    double speed = hypot(velocity[0], velocity[1]), deepest = fmax((double)g->erosion_depth[cell], 1e-6);
    double limit = g->limit_depth ? within(1 - depth / run->unit / deepest, 0, 1) : 1;
    double film = at_most(depth / run->unit / g->film, 1);
    return (double)g->capacity[cell] * incidence(run, cell, velocity, speed) * speed * limit * film *
           run->unit;
}

/* Eq. 12 to 14. */
static void dissolve_or_settle(const struct ref_hydraulic_run *run, struct ref_water_cell *c, int cell,
                               double carries)
{
    const struct ref_hydraulic *g = run->given;
    double rate = run->given->time_step * (double)g->mask[cell], lacks = carries - (double)c->sediment;
    int64_t taken;
    if (lacks > 0) {
        taken = (int64_t)(at_most(rate * g->suspension * c->softness, 1) * lacks);
    } else {
        double settling = at_most(rate * (double)g->deposition[cell], 1);
        taken = (int64_t)(settling * lacks);
        c->softness = at_most(c->softness - settling * g->softening * lacks / run->unit, 1);
    }
    c->ground -= taken;
    c->sediment += taken;
    c->water += g->exchange ? taken : 0;
}

/* Eq. 16 for the water without its sediment, which comes to rest where no water is left. */
static void dry(const struct ref_hydraulic_run *run, struct ref_water_cell *c, int cell)
{
    int64_t clear = c->water - (run->given->exchange ? c->sediment : 0);
    double share = run->given->time_step * (double)run->given->evaporation[cell];
    int64_t gone = (int64_t)within(ceil((double)clear * share), 0, fmax((double)clear, 0));
    c->water -= gone;
    if (clear > gone)
        return;
    int64_t settled = (int64_t)((double)c->sediment * at_most((double)run->given->mask[cell], 1));
    c->ground += settled;
    c->sediment -= settled;
    c->water = run->given->exchange ? c->sediment : 0;
}

/* ---- Slides ---- */

static double drop(const struct ref_hydraulic_run *run, int cell, int k)
{
    int to = neighbour(run->given, cell, k);
    return to < 0 ? 0 : (double)(run->cells[cell].ground - run->cells[to].ground);
}

/* Set A: neighbours that lie below the talus angle. */
static bool slides(const struct ref_hydraulic_run *run, int cell, int k)
{
    const struct ref_hydraulic *g = run->given;
    double tangent = (1 - run->cells[cell].softness) * g->talus_hardness + (double)g->talus_bias[cell];
    double distance = hypot(toward[k][0], toward[k][1]) * run->length * run->unit, fall = drop(run, cell, k);
    return fall > 0 && fall > tangent * distance;
}

/* Eq. 17 and 18: what a cell sends to a neighbour. The lesser mask of the two counts. */
static int64_t sent(const struct ref_hydraulic_run *run, int cell, int k)
{
    const struct ref_hydraulic *g = run->given;
    if (!slides(run, cell, k))
        return 0;
    double greatest = 0, sum = 0;
    for (int i = 0; i < REF_DIRECTIONS; i++) {
        greatest = fmax(greatest, drop(run, cell, i));
        sum += slides(run, cell, i) ? drop(run, cell, i) : 0;
    }
    double rate =
        at_most(run->given->time_step * (double)g->slide_rate[cell] * run->cells[cell].softness, 0.2);
    double mask = at_most((double)g->mask[cell], (double)g->mask[neighbour(g, cell, k)]);
    return (int64_t)(rate * mask * greatest / 2 * drop(run, cell, k) / sum);
}

static int64_t slid_away(const struct ref_hydraulic_run *run, int cell)
{
    int64_t lost = 0;
    for (int k = 0; k < REF_DIRECTIONS; k++)
        if (neighbour(run->given, cell, k) >= 0)
            lost += sent(run, cell, k) - sent(run, neighbour(run->given, cell, k), k ^ 1);
    return lost;
}

/* ---- A step ---- */

static void finish(struct ref_hydraulic_run *run, struct ref_water_cell *next, int cell)
{
    const struct ref_hydraulic *g = run->given;
    struct ref_water_cell *c = &next[cell];
    if (g->flow) {
        carry(run, next, cell);
        double depth = ((double)wetted(run, cell) + (double)c->water) / 2;
        if (g->erosion)
            dissolve_or_settle(run, c, cell, capacity(run, next, cell, depth));
    }
    if (g->thermal)
        c->ground -= slid_away(run, cell);
    if (g->flow)
        dry(run, c, cell);
    if (c->ground < c->bed)
        c->bed = c->ground;
}

void ref_hydraulic_step(struct ref_hydraulic_run *run, struct ref_water_cell **next)
{
    int count = run->given->width * run->given->height;
    memcpy(*next, run->cells, (size_t)count * sizeof **next);
    set_fluxes(run, *next, count);
    for (int i = 0; i < count; i++)
        finish(run, *next, i);
    struct ref_water_cell *before = run->cells;
    run->cells = *next;
    *next = before;
}

void ref_hydraulic_flow(const struct ref_hydraulic_run *run, int cell, double flow[2])
{
    double flux[REF_DIRECTIONS];
    memcpy(flux, run->cells[cell].flux, sizeof flux);
    for (int k = 0; k < 4; k++) /* over the border flows what comes there from inside */
        if (neighbour(run->given, cell, k) < 0)
            flux[k] = neighbour(run->given, cell, k ^ 1) < 0 ? 0 : -run->cells[cell].flux[k ^ 1];
    mean_flow(flux, flow);
    double second = sqrt(run->given->reference_cell);
    for (int axis = 0; axis < 2; axis++)
        flow[axis] *= run->speed * run->given->reference_cell / second * run->given->step;
}
