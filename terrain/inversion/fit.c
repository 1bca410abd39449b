/* Uplift from terrain: the guess, and how runs correct it. */
#include <math.h>
#include <string.h>

#include "terrain/drainage/drain.h"
#include "terrain/inversion/fit_private.h"
#include "terrain/processor/lib/incision.h"

/* Of the uplift's logarithm: what a run could not tell from nothing, and more than any. */
static const float LIFT_LEAST = -25, LIFT_MOST = 0;
static const float LOG_OF_2 = 0.69314718F;

/* ---- The terrain that is wanted ---- */

static bool drain(const struct oro_inversion_fit *fit, float *z, struct oro_error *err)
{
    const struct oro_inversion *all = fit->all;
    struct oro_ground ground = {.width = fit->grid.width,
                                .height = fit->grid.height,
                                .z = z,
                                .sea = fit->sea,
                                .walls = all->walls,
                                .stop = all->stop,
                                .user = all->user};
    struct oro_breaching how = {.method = ORO_BREACH_FLOOD};
    return oro_ground_check(&ground, err) && oro_breach(&ground, NULL, &how, z, err);
}

static bool find_terrain(struct oro_inversion_fit *fit, struct oro_error *err)
{
    const struct oro_inversion *all = fit->all;
    oro_balance_resize(&all->grid, all->terrain, &fit->grid, fit->terrain);
    if (!oro_model_make(&fit->grid, fit->terrain, &fit->model, err))
        return false;
    double deviation = all->smooth * all->grid.cell / fit->grid.cell;
    memcpy(fit->now.height, fit->terrain, fit->cells * sizeof *fit->terrain);
    if (!oro_inversion_blur(&fit->grid, fit->terrain, deviation, fit->terrain, err))
        return false;
    for (size_t i = 0; fit->sea && i < fit->cells; i++) /* the land does not flow out over the sea */
        fit->terrain[i] = fit->sea[i] > 0.5F ? fit->now.height[i] : fit->terrain[i];
    return drain(fit, fit->terrain, err);
}

/* ---- The law, turned round ---- */

static float distance_between(const struct oro_balance_grid *grid, size_t a, size_t b)
{
    size_t width = (size_t)grid->width;
    double cells = a % width != b % width && a / width != b / width ? M_SQRT2 : 1;
    return (float)(cells * grid->cell);
}

/* How far the neighbours lie above a cell on average, as lib/around.glsl has it. */
static float hollow_of(const struct oro_balance_grid *grid, const float *z, size_t cell)
{
    int width = grid->width, height = grid->height;
    int x = (int)(cell % (size_t)width), y = (int)(cell / (size_t)width);
    float sum = 0;
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++) {
            int row = oro_balance_index(j, height), column = oro_balance_index(i, width);
            sum += z[(size_t)row * (size_t)width + (size_t)column] - z[cell];
        }
    return sum / 8;
}

/* The logarithm of the uplift under which the terrain, which `now` is the drainage of, is in balance. */
static void guess(struct oro_inversion_fit *fit)
{
    const float least_slope = 1e-3F; /* what is more level tells nothing */
    const float *z = fit->terrain;
    const struct oro_law *law = &fit->all->law;
    float own = law->rain * (float)(fit->grid.cell * fit->grid.cell), head = law->rain * law->channel_head;
    float pull = law->hillslope * 8 / (3 * (float)(fit->grid.cell * fit->grid.cell));
    for (size_t i = 0; i < fit->cells; i++) {
        size_t to = fit->now.receiver[i];
        float slope = oro_max((z[i] - z[to]) / distance_between(&fit->grid, i, to), least_slope);
        float area = fit->now.area[i];
        float carved = oro_log2(oro_max(law->erodibility, 1e-30F)) +
                       law->m * oro_log_of_area(area, oro_max(area - own, 0), head, 0.5F) +
                       law->n * oro_log2(slope);
        float lift = LOG_OF_2 * carved;
        if (pull > 0) /* what gathers in a hollow the river carries off */
            lift = LOG_OF_2 * oro_log2(oro_exp(lift) - pull * oro_min(hollow_of(&fit->grid, z, i), 0));
        fit->lift[i] = oro_clamp(lift, LIFT_LEAST, LIFT_MOST);
    }
}

/* Where water goes on the terrain, as stream_power routes it: into `now`. */
static bool route(struct oro_inversion_fit *fit, struct oro_error *err)
{
    const float *z = fit->terrain;
    struct oro_balance routed = {.law = fit->all->law,
                                 .grid = fit->grid,
                                 .uplift = z, /* of no consequence: nothing is stepped */
                                 .sea = fit->sea,
                                 .base = z,
                                 .walls = fit->all->walls,
                                 .stop = fit->all->stop,
                                 .user = fit->all->user};
    memcpy(fit->now.height, z, fit->cells * sizeof *z);
    return oro_balance(&routed, &fit->now, err);
}

bool oro_fit_begin(struct oro_inversion_fit *fit, struct oro_error *err)
{
    if (!find_terrain(fit, err) || !route(fit, err))
        return false;
    guess(fit);
    return true;
}

/* ---- What a run shows ---- */

/* All cells, each before its receiver; and the outlet that each drains to. */
static void find_order(struct oro_inversion_fit *fit)
{
    const uint32_t *to = fit->now.receiver;
    size_t count = 0;
    memset(fit->donors, 0, fit->cells * sizeof *fit->donors);
    for (size_t i = 0; i < fit->cells; i++)
        fit->donors[to[i]] += to[i] != i;
    for (size_t i = 0; i < fit->cells; i++)
        if (fit->donors[i] == 0)
            fit->order[count++] = (uint32_t)i;
    for (size_t k = 0; k < count; k++) {
        uint32_t cell = fit->order[k];
        if (to[cell] != cell && --fit->donors[to[cell]] == 0)
            fit->order[count++] = to[cell];
    }
    for (size_t k = count; k-- > 0;) {
        uint32_t cell = fit->order[k];
        fit->outlet[cell] = to[cell] == cell ? cell : fit->outlet[to[cell]];
    }
}

/* The logarithm of what heights above the outlet are to be multiplied by: less by what the cell itself lacks,
 * on which rivers and ridges settle, and more by what all that lies upstream lacks, which does not change
 * with every river that moves. */
static double lack_of(const struct oro_inversion_fit *fit, uint32_t cell)
{
    const double of_upstream = 0.3, doubt = 50; /* metres */
    double wanted = fit->wanted[cell], there = fit->there[cell];
    double base = (double)fit->terrain[fit->outlet[cell]];
    double upstream = log(fmax(wanted, 1e-3 * there + 1e-3) / fmax(there, 1e-3));
    double own = log(fmax((double)fit->terrain[cell] - base + doubt, 1) /
                     fmax((double)fit->now.height[cell] - base + doubt, 1));
    return of_upstream * upstream + (1 - of_upstream) * own;
}

static void change(struct oro_inversion_fit *fit, size_t cell, double by)
{
    fit->lift[cell] =
        oro_clamp(fit->lift[cell] + (float)(by * (double)fit->all->law.n), LIFT_LEAST, LIFT_MOST);
}

/* As lack_of, of all ground above the lowest. */
static double lack_of_all(const struct oro_agreement *a)
{
    double wanted = a->mean[1] - a->lowest, there = a->mean[0] - a->lowest;
    return wanted > 0 && there > 0 ? fmin(fmax(log(wanted / there), -0.1), 0.1) : 0;
}

void oro_fit_correct(struct oro_inversion_fit *fit, double strength)
{
    const double at_once = 0.75;
    find_order(fit);
    for (size_t i = 0; i < fit->cells; i++) {
        double base = (double)fit->terrain[fit->outlet[i]];
        fit->wanted[i] = (double)fit->terrain[i] - base;
        fit->there[i] = (double)fit->now.height[i] - base;
    }
    for (size_t k = 0; k < fit->cells; k++) {
        uint32_t cell = fit->order[k], to = fit->now.receiver[cell];
        if (to == cell)
            continue;
        change(fit, cell, fmin(fmax(strength * lack_of(fit, cell), -at_once), at_once));
        fit->wanted[to] += fit->wanted[cell];
        fit->there[to] += fit->there[cell];
    }
}

/* How far around a summit the uplift is lowered, in cells. */
enum { REACH = 16 };
static const double DEVIATION = 8;

/* Of every line of cells along x, or y: each cell's greatest value nearby, less with the distance. */
static void spread(const struct oro_balance_grid *grid, bool along_x, const float *from, float *to)
{
    int width = grid->width, height = grid->height, count = along_x ? width : height;
    size_t step = along_x ? 1 : (size_t)width;
    float weight[REACH + 1];
    for (int i = 0; i <= REACH; i++)
        weight[i] = (float)exp(-i * i / (2 * DEVIATION * DEVIATION));
    memset(to, 0, (size_t)width * (size_t)height * sizeof *to);
    for (size_t cell = 0; cell < (size_t)width * (size_t)height; cell++) {
        int at = (int)(along_x ? cell % (size_t)width : cell / (size_t)width);
        if (!(from[cell] > 0))
            continue;
        int first = at > REACH ? -REACH : -at, last = count - 1 - at < REACH ? count - 1 - at : REACH;
        for (int i = first; i <= last; i++) {
            float *other = i < 0 ? to + cell - (size_t)-i * step : to + cell + (size_t)i * step;
            *other = oro_max(*other, weight[i < 0 ? -i : i] * from[cell]);
        }
    }
}

void oro_fit_lower(struct oro_inversion_fit *fit, const struct oro_agreement *agreement)
{
    double top = agreement->highest[1], relief = fmax(top - agreement->lowest, 1e-3);
    float *over = fit->spare, *between = fit->uplift; /* which is drawn anew before the next run */
    for (size_t i = 0; i < fit->cells; i++)
        over[i] = (float)log(fmax(1 + ((double)fit->now.height[i] - top) / relief, 1));
    spread(&fit->grid, true, over, between);
    spread(&fit->grid, false, between, over);
    for (size_t i = 0; i < fit->cells; i++)
        change(fit, i, -(double)over[i]);
}

void oro_fit_settle(struct oro_inversion_fit *fit, const struct oro_agreement *agreement)
{
    double lack = lack_of_all(agreement);
    for (size_t i = 0; i < fit->cells; i++)
        change(fit, i, lack);
    oro_fit_lower(fit, agreement);
}
