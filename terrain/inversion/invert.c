/* Uplift from terrain: the rounds of the fit, from coarse to fine. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/inversion/fit_private.h"
#include "terrain/processor/vector.h"

enum { COARSEST_SIDE = 96, SETTLING_ROUNDS = 6 };

/* ---- One resolution ---- */

static void free_fit(struct oro_inversion_fit *fit)
{
    void *const all[] = {fit->terrain,     fit->high,        fit->sea,      fit->base,      fit->lift,
                         fit->uplift,      fit->now.height,  fit->now.area, fit->order,     fit->outlet,
                         fit->donors,      fit->wanted,      fit->there,    fit->best_base, fit->best_height,
                         fit->best_uplift, fit->now.receiver};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        oro_free(all[i]);
    oro_model_free(&fit->model);
    *fit = (struct oro_inversion_fit){.all = NULL};
}

static bool make_rasters(struct oro_inversion_fit *fit)
{
    float **const all[] = {&fit->terrain,    &fit->high,      &fit->base,        &fit->lift,
                           &fit->uplift,     &fit->best_base, &fit->best_uplift, &fit->best_height,
                           &fit->now.height, &fit->now.area};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof all / sizeof *all; i++)
        ok = (*all[i] = oro_alloc(fit->cells, sizeof **all[i]));
    return ok;
}

static bool make_fit(const struct oro_inversion *all, int level, struct oro_inversion_fit *fit)
{
    *fit = (struct oro_inversion_fit){
        .all = all, .grid = oro_balance_coarser(&all->grid, level), .misfit = INFINITY};
    size_t cells = fit->cells = (size_t)fit->grid.width * (size_t)fit->grid.height;
    fit->now.receiver = oro_alloc(cells, sizeof *fit->now.receiver);
    fit->order = oro_alloc(cells, sizeof *fit->order);
    fit->outlet = oro_alloc(cells, sizeof *fit->outlet);
    fit->donors = oro_alloc(cells, sizeof *fit->donors);
    fit->wanted = oro_alloc(cells, sizeof *fit->wanted);
    fit->there = oro_alloc(cells, sizeof *fit->there);
    fit->sea = all->sea ? oro_alloc(cells, sizeof *fit->sea) : NULL;
    bool ok = make_rasters(fit) && fit->now.receiver && fit->order && fit->outlet && fit->donors &&
              fit->wanted && fit->there && (fit->sea || !all->sea);
    if (ok && all->sea)
        oro_balance_resize(&all->grid, all->sea, &fit->grid, fit->sea);
    return ok;
}

static bool even_out(struct oro_inversion_fit *fit, struct oro_error *err)
{
    double deviation = fit->all->even;
    if (!oro_inversion_blur(&fit->grid, fit->lift, deviation, fit->uplift, err))
        return false;
    for (size_t i = 0; i < fit->cells; i++)
        fit->uplift[i] = oro_exp(fit->uplift[i]);
    return true;
}

static struct oro_balance stream_power_of(const struct oro_inversion_fit *fit)
{
    const struct oro_inversion *all = fit->all;
    struct oro_balance balance = oro_balance_usual(&all->law, &fit->grid);
    balance.uplift = fit->uplift;
    balance.sea = fit->sea;
    balance.base = fit->base;
    balance.walls = all->walls;
    balance.seed = all->seed;
    balance.stop = all->stop;
    balance.user = all->user;
    return balance;
}

static bool run(struct oro_inversion_fit *fit, struct oro_error *err)
{
    struct oro_balance balance = stream_power_of(fit);
    return oro_balance(&balance, &fit->now, err);
}

/* ---- Rounds ---- */

/* 1 where a mean is 3 % off, a peak 5 %, both above the lowest ground, or a twentieth of the correlation is
 * wanting. */
static double misfit_of(const struct oro_agreement *a)
{
    double mean = fabs(a->mean[0] - a->mean[1]) / fmax(0.03 * (a->mean[1] - a->lowest), 1e-3);
    double peak = fabs(a->highest[0] - a->highest[1]) / fmax(0.05 * (a->highest[1] - a->lowest), 1e-3);
    double pattern = (1 - a->correlation) / 0.05;
    return fmax(fmax(mean, peak), pattern) + 0.2 * (mean + peak + pattern);
}

static struct oro_agreement judge(struct oro_inversion_fit *fit)
{
    struct oro_agreement agreement = oro_model_compare(&fit->model, fit->now.height);
    double misfit = misfit_of(&agreement);
    if (misfit < fit->misfit) {
        size_t bytes = fit->cells * sizeof(float);
        fit->misfit = misfit;
        fit->best = agreement;
        memcpy(fit->best_uplift, fit->uplift, bytes);
        memcpy(fit->best_base, fit->base, bytes);
        memcpy(fit->best_height, fit->now.height, bytes);
    }
    return agreement;
}

/* The next run starts on what came out, so that its rivers stay where they have settled, and change as little
 * as the uplift does: from level ground, the least change leads to other rivers. It starts higher than that,
 * since coarser runs, which go first, must not lie above it. Outlets are as they are. */
static void start_there(struct oro_inversion_fit *fit)
{
    enum { RISE = 8 }; /* cells */
    const float above = 0.3F;
    int width = fit->grid.width, height = fit->grid.height;
    float lowest = fit->terrain[0];
    for (size_t i = 1; i < fit->cells; i++)
        lowest = oro_min(lowest, fit->terrain[i]);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            size_t at = (size_t)y * (size_t)width + (size_t)x;
            int across = x < width - 1 - x ? x : width - 1 - x,
                down = y < height - 1 - y ? y : height - 1 - y;
            int inward = fit->all->walls ? RISE : across < down ? across : down;
            bool outlet = fit->now.receiver[at] == at;
            float share = outlet ? 0 : oro_min((float)inward / RISE, 1);
            fit->base[at] = fit->now.height[at] + above * share * (fit->now.height[at] - lowest);
        }
}

struct rounds {
    int done, all;
};

static bool told(const struct oro_inversion *all, struct rounds *rounds, struct oro_error *err)
{
    rounds->done++;
    return !all->progress || all->progress(all->user, rounds->done, rounds->all) ||
           oro_fail(err, ORO_E_CANCELLED, "cancelled");
}

/* Strong corrections at first, from the real terrain's own valleys; weaker ones while rivers settle; and in
 * the end only the mean and the peak. */
static bool fit_level(struct oro_inversion_fit *fit, struct rounds *count, struct oro_error *err)
{
    int rounds = fit->all->iterations, settling = rounds > 2 * SETTLING_ROUNDS ? SETTLING_ROUNDS : rounds / 2;
    for (int i = 0; i < rounds; i++) {
        if (!even_out(fit, err) || !run(fit, err))
            return false;
        struct oro_agreement agreement = judge(fit);
        if (!told(fit->all, count, err))
            return false;
        if (i >= rounds / 2)
            start_there(fit);
        int exploring = rounds - settling;
        double strength = 0.6 * pow(0.05, (double)i / (exploring > 0 ? exploring : 1));
        if (i < exploring)
            oro_fit_correct(fit, strength);
        else
            oro_fit_settle(fit, &agreement);
    }
    return rounds > 0 || even_out(fit, err);
}

/* ---- Nearer to the terrain than runs come ---- */

/* A run from `base` under an uplift that grows from west to east: whether rivers stay where they are. */
static bool stays(struct oro_inversion_fit *fit, const struct oro_agreement *blend, bool *holds,
                  struct oro_error *err)
{
    const float more = 0.1F;
    const double mean = 0.04, correlation = 0.01;
    const struct oro_inversion *all = fit->all;
    for (size_t i = 0; i < fit->cells; i++)
        fit->uplift[i] *= 1 + more * (float)(i % (size_t)fit->grid.width) / (float)fit->grid.width;
    struct oro_balance balance = stream_power_of(fit);
    balance.levels = 0;
    balance.roughness = 0;
    memcpy(fit->now.height, fit->base, fit->cells * sizeof *fit->base);
    if (!oro_balance(&balance, &fit->now, err))
        return false;
    struct oro_agreement after = oro_model_compare(&fit->model, fit->now.height);
    *holds = fabs(after.mean[0] - blend->mean[0]) < mean * (blend->mean[0] - blend->lowest) &&
             after.correlation > blend->correlation - correlation;
    return !all->stop || !all->stop(all->user) || oro_fail(err, ORO_E_CANCELLED, "cancelled");
}

static void take_blend(struct oro_inversion_fit *fit, const struct oro_agreement *blend)
{
    size_t bytes = fit->cells * sizeof(float);
    fit->best = *blend;
    for (size_t i = 0; i < fit->cells; i++)
        fit->best_uplift[i] = oro_exp(fit->lift[i]);
    memcpy(fit->best_height, fit->base, bytes);
}

/* What runs come to is cut into more valleys than the terrain. Ground between the two is in balance as well,
 * under the uplift that the law gives, but the less it is cut, the sooner rivers leave their ways when the
 * uplift is edited: of the terrain itself, a hundredth more of uplift on one side leaves a third of the
 * heights. */
static bool approach(struct oro_inversion_fit *fit, struct oro_error *err)
{
    static const float shares[] = {0.3F, 0.2F, 0.1F};
    bool holds = false;
    for (size_t i = 0; !holds && i < sizeof shares / sizeof *shares; i++) {
        if (!oro_fit_blend(fit, shares[i], err))
            return false;
        struct oro_agreement blend = oro_model_compare(&fit->model, fit->base);
        if (!stays(fit, &blend, &holds, err))
            return false;
        if (holds)
            take_blend(fit, &blend);
    }
    return true;
}

/* `before`: the next coarser resolution, or empty. */
static bool do_level(struct oro_inversion_fit *fit, const struct oro_inversion_fit *before,
                     struct rounds *count, struct oro_error *err)
{
    bool ok = oro_fit_begin(fit, err);
    if (ok && before->all && fit->all->iterations > 0)
        oro_balance_resize(&before->grid, before->lift, &fit->grid, fit->lift);
    ok = ok && fit_level(fit, count, err);
    bool last = count->done > 0 && count->done == count->all;
    return ok && (!last || approach(fit, err));
}

/* ---- From coarse to fine ---- */

static int level_count(const struct oro_balance_grid *grid)
{
    int shorter = grid->width < grid->height ? grid->width : grid->height, count = 0;
    while (shorter >> (count + 1) >= COARSEST_SIDE)
        count++;
    return count;
}

static void give(const struct oro_inversion_fit *fit, struct oro_inverted *out)
{
    bool ran = fit->all->iterations > 0;
    size_t bytes = fit->cells * sizeof(float);
    memcpy(out->uplift, ran ? fit->best_uplift : fit->uplift, bytes);
    memcpy(out->base, ran ? fit->best_base : fit->base, bytes);
    memcpy(out->height, ran ? fit->best_height : fit->terrain, bytes);
    out->agreement = fit->best;
}

bool oro_invert(const struct oro_inversion *all, struct oro_inverted *out, struct oro_error *err)
{
    int first = all->iterations > 0 ? level_count(&all->grid) : 0;
    struct rounds rounds = {0, (first + 1) * all->iterations};
    struct oro_inversion_fit before = {.all = NULL};
    bool ok = true;
    for (int level = first; ok && level >= 0; level--) {
        struct oro_inversion_fit fit;
        ok = make_fit(all, level, &fit) || oro_fail(err, ORO_E_MEMORY, "no memory for %zu cells", fit.cells);
        ok = ok && do_level(&fit, &before, &rounds, err);
        free_fit(&before);
        before = fit;
    }
    if (ok)
        give(&before, out);
    free_fit(&before);
    return ok;
}
