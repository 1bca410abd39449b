/* Uplift from terrain: the rounds of the fit, from coarse to fine. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/inversion/fit_private.h"
#include "terrain/processor/vector.h"

static const float LOG_OF_2 = 0.69314718F;
enum { COARSEST_SIDE = 96, SETTLING_ROUNDS = 6, ANEW = 8 };

/* ---- One resolution ---- */

static void free_fit(struct oro_inversion_fit *fit)
{
    void *const all[] = {fit->terrain,     fit->spare,       fit->sea,      fit->base,      fit->lift,
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
    float **const all[] = {&fit->terrain,    &fit->spare,     &fit->base,        &fit->lift,
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

/* Ground for runs from coarse to fine to start on, so that their rivers are those of the last run: it lies
 * above what came of that, as coarser runs, which go first, must not lie above it. Outlets are as they are.
 */
static void raise_ground(const struct oro_inversion_fit *fit, float *out)
{
    enum { RISE = 8 }; /* cells */
    const float above = 0.3F;
    int width = fit->grid.width, rows = fit->grid.height;
    const float *height = fit->now.height;
    float lowest = (float)fit->model.lowest;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++) {
            size_t at = (size_t)y * (size_t)width + (size_t)x;
            int across = x < width - 1 - x ? x : width - 1 - x, down = y < rows - 1 - y ? y : rows - 1 - y;
            int inward = fit->all->walls ? RISE : across < down ? across : down;
            bool outlet = fit->now.receiver[at] == at;
            float share = outlet ? 0 : oro_min((float)inward / RISE, 1);
            out[at] = height[at] + above * share * oro_max(height[at] - lowest, 0);
        }
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
        raise_ground(fit, fit->best_base);
        memcpy(fit->best_height, fit->now.height, bytes);
    }
    return agreement;
}

/* On the ground that `start` is, whose rivers stay where they are if they can. */
static bool run(struct oro_inversion_fit *fit, const float *start, struct oro_error *err)
{
    size_t bytes = fit->cells * sizeof *start;
    struct oro_balance balance = stream_power_of(fit);
    balance.levels = 0;
    balance.roughness = 0;
    if (start != fit->now.height)
        memcpy(fit->now.height, start, bytes);
    memcpy(fit->base, start, bytes);
    return oro_balance(&balance, &fit->now, err);
}

/* From level ground, as whoever links `base`. */
static bool run_anew(struct oro_inversion_fit *fit, struct oro_error *err)
{
    struct oro_balance balance = stream_power_of(fit);
    raise_ground(fit, fit->base);
    return oro_balance(&balance, &fit->now, err);
}

/* -1 to 1 and back along a line of cells. */
static double wave(double cells, int round)
{
    double length = 48 + 4 * (round % 5), at = cells / length + 0.38 * round;
    return 4 * fabs(at - floor(at) - 0.5) - 1;
}

/* Which of many drainages rivers settle on hangs on little. An uplift that is a little different in every
 * round drives them out of those that the next edit would end, while there are rounds to correct what
 * comes. */
static void shake(struct oro_inversion_fit *fit, int round)
{
    const double much = 0.1;
    int width = fit->grid.width, height = fit->grid.height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            fit->uplift[(size_t)y * (size_t)width + (size_t)x] *=
                oro_exp((float)(much * (wave(x, round) + wave(y, round + 1))));
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

/* A round before the last ones. The highest peak follows when the rest is about there. */
static void explore(struct oro_inversion_fit *fit, double progress)
{
    struct oro_agreement agreement = oro_model_compare(&fit->model, fit->now.height);
    oro_fit_correct(fit, 0.5 * pow(0.1, progress));
    if (progress > 0.33)
        oro_fit_lower(fit, &agreement);
}

/* Strong corrections at first, from the real terrain's own valleys, and of what runs from level ground come
 * to; weaker ones while rivers settle; and in the end only the mean and the peak. */
static bool fit_level(struct oro_inversion_fit *fit, struct rounds *count, struct oro_error *err)
{
    int rounds = fit->all->iterations;
    int settling = rounds > 2 * SETTLING_ROUNDS ? SETTLING_ROUNDS : (rounds + 1) / 2;
    for (int i = 0; i < rounds; i++) {
        bool exploring = i < rounds - settling;
        if (!even_out(fit, err))
            return false;
        if (exploring)
            shake(fit, i);
        bool anew = i < (rounds - settling) / 2 && i % ANEW == ANEW - 1;
        bool ok = anew ? run_anew(fit, err) : run(fit, i == 0 ? fit->terrain : fit->now.height, err);
        if (!ok || !told(fit->all, count, err))
            return false;
        if (exploring) {
            explore(fit, (double)i / (rounds - settling));
        } else {
            struct oro_agreement agreement = judge(fit);
            oro_fit_settle(fit, &agreement);
        }
    }
    return rounds > 0 || even_out(fit, err);
}

/* What is even there is as far as the finer resolution knows. */
static void pass_on(const struct oro_inversion_fit *before, struct oro_inversion_fit *fit)
{
    for (size_t i = 0; i < before->cells; i++)
        before->spare[i] = LOG_OF_2 * oro_log2(oro_max(before->best_uplift[i], 1e-30F));
    oro_balance_resize(&before->grid, before->spare, &fit->grid, fit->lift);
}

/* `before`: the next coarser resolution, or empty. */
static bool do_level(struct oro_inversion_fit *fit, const struct oro_inversion_fit *before,
                     struct rounds *count, struct oro_error *err)
{
    bool ok = oro_fit_begin(fit, err);
    if (ok && before->all && fit->all->iterations > 0)
        pass_on(before, fit);
    return ok && fit_level(fit, count, err);
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
    memcpy(out->base, ran ? fit->best_base : fit->terrain, bytes);
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
