/* How strong an uplift has to be. */
#include "nodes/uplift/uplift_fit.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/inversion/inversion.h"

/* Heights in balance go with the uplift to the power 1/n whatever the resolution, nearly: a coarse one does.
 */
enum { SIDE_MOST = 128, ROUNDS = 8, HALVINGS = 6, ROUNDS_EACH = 3 };
static const struct oro_law law = {.erodibility = 0.002F,
                                   .n = 2,
                                   .m = 0.8F,
                                   .channel_head = 30000,
                                   .hillslope = 0,
                                   .slope_limit = 80,
                                   .rain = 1};

struct fitting {
    struct oro_balance_grid grid;
    size_t cells;
    float *pattern, *uplift, *terrain;
    struct oro_balanced now;
    double even;         /* uplift that is added to the pattern, before the factor */
    double pattern_mean; /* of the pattern */
    double factor;
    double mean[2], peak[2]; /* of the terrain, and of the last run, above the lowest ground */
    int rounds, all_rounds;
};

static void free_fitting(struct fitting *f)
{
    oro_free(f->pattern);
    oro_free(f->uplift);
    oro_free(f->terrain);
    oro_free(f->now.height);
    oro_free(f->now.area);
    oro_free(f->now.receiver);
}

/* Of heights above `lowest`. */
static void measure(const float *height, size_t cells, float lowest, double *mean, double *peak)
{
    *mean = *peak = 0;
    for (size_t i = 0; i < cells; i++) {
        double above = (double)(height[i] - lowest);
        *mean += above / (double)cells;
        *peak = fmax(*peak, above);
    }
}

static void measure_terrain(struct fitting *f)
{
    float lowest = f->terrain[0];
    for (size_t i = 0; i < f->cells; i++)
        lowest = fminf(lowest, f->terrain[i]);
    measure(f->terrain, f->cells, lowest, &f->mean[0], &f->peak[0]);
}

static bool begin(struct fitting *f, const struct oro_grid *grid, const float *terrain,
                  const struct oro_uplift *tree)
{
    struct oro_balance_grid full = {grid->width, grid->height, grid->cell};
    int longer = grid->width > grid->height ? grid->width : grid->height, level = 0;
    while (longer >> level > SIDE_MOST)
        level++;
    *f = (struct fitting){.grid = oro_balance_coarser(&full, level)};
    size_t width = (size_t)f->grid.width, cells = f->cells = width * (size_t)f->grid.height;
    f->pattern = oro_alloc(cells, sizeof *f->pattern);
    f->uplift = oro_alloc(cells, sizeof *f->uplift);
    f->terrain = oro_alloc(cells, sizeof *f->terrain);
    f->now = (struct oro_balanced){.height = oro_alloc(cells, sizeof(float)),
                                   .area = oro_alloc(cells, sizeof(float)),
                                   .receiver = oro_alloc(cells, sizeof(uint32_t))};
    if (!f->pattern || !f->uplift || !f->terrain || !f->now.height || !f->now.area || !f->now.receiver)
        return false;
    oro_balance_resize(&full, terrain, &f->grid, f->terrain);
    for (size_t i = 0; i < cells; i++) {
        f->pattern[i] = (float)oro_uplift_at(tree, grid->x + ((double)(i % width) + 0.5) * f->grid.cell,
                                             grid->y + ((double)(i / width) + 0.5) * f->grid.cell);
        f->pattern_mean += (double)f->pattern[i] / (double)cells;
    }
    measure_terrain(f);
    f->factor = 1;
    return true;
}

static bool run(struct oro_eval *e, struct fitting *f, struct oro_error *err)
{
    struct oro_balance balance = oro_balance_usual(&law, &f->grid);
    balance.uplift = f->uplift;
    balance.stop = oro_eval_stopped;
    balance.user = e;
    for (size_t i = 0; i < f->cells; i++)
        f->uplift[i] = (float)(((double)f->pattern[i] + f->even) * f->factor);
    memset(f->now.height, 0, f->cells * sizeof *f->now.height);
    if (!oro_balance(&balance, &f->now, err))
        return false;
    measure(f->now.height, f->cells, 0, &f->mean[1], &f->peak[1]);
    return oro_eval_progress(e, ++f->rounds, f->all_rounds) || oro_fail(err, ORO_E_CANCELLED, "cancelled");
}

/* Finds the factor for the mean. */
static bool find_factor(struct oro_eval *e, struct fitting *f, int rounds, struct oro_error *err)
{
    for (int i = 0; i < rounds; i++) {
        if (!run(e, f, err))
            return false;
        if (!(f->mean[0] > 0 && f->mean[1] > 0))
            return true; /* nothing rises, or is to rise */
        f->factor = fmin(fmax(f->factor * pow(f->mean[0] / f->mean[1], (double)law.n), 1e-6), 1e6);
    }
    return true;
}

/* Finds how much even uplift lowers the highest peak to that of the terrain at the same mean: its share of
 * the mean uplift, by halving. */
static bool find_even(struct oro_eval *e, struct fitting *f, struct oro_error *err)
{
    const double enough = 1.03;
    double low = 0, high = 0.98;
    for (int i = 0; i < HALVINGS && f->peak[1] > 0; i++) {
        if (i == 0 && f->peak[1] <= enough * f->peak[0])
            return true;
        double share = 0.5 * (low + high), before = f->even + f->pattern_mean;
        f->even = share / (1 - share) * f->pattern_mean;
        f->factor *= before / (f->even + f->pattern_mean);
        if (!find_factor(e, f, ROUNDS_EACH, err))
            return false;
        *(f->peak[1] > f->peak[0] ? &low : &high) = share;
    }
    return true;
}

static bool find(struct oro_eval *e, struct fitting *f, bool peak, struct oro_error *err)
{
    f->all_rounds = ROUNDS + (peak ? HALVINGS * ROUNDS_EACH : 0);
    return find_factor(e, f, ROUNDS, err) && (!peak || find_even(e, f, err)) &&
           (oro_eval_progress(e, f->all_rounds, f->all_rounds) ||
            oro_fail(err, ORO_E_CANCELLED, "cancelled"));
}

/* The tree with the even uplift, times the factor. */
static struct oro_uplift *make(const struct fitting *f, const struct oro_uplift *tree, struct oro_error *err)
{
    if (!(f->even > 0))
        return oro_uplift_scale(tree, (float)f->factor, err);
    struct oro_uplift *even = oro_uplift_constant((float)f->even, err);
    struct oro_uplift *sum = even ? oro_uplift_combine(tree, even, ORO_UPLIFT_ADD, err) : NULL;
    struct oro_uplift *fitted = sum ? oro_uplift_scale(sum, (float)f->factor, err) : NULL;
    oro_free(even);
    oro_free(sum);
    return fitted;
}

struct oro_uplift *oro_uplift_fitted(struct oro_eval *e, bool fit, bool peak, struct oro_uplift *tree,
                                     struct oro_error *err)
{
    if (!tree || !fit || !oro_eval_linked(e, "terrain"))
        return tree;
    const float *terrain = oro_eval_input_host(e, "terrain");
    struct fitting f = {.cells = 0};
    struct oro_uplift *fitted = NULL;
    if (!terrain)
        oro_fail(err, ORO_E_EVALUATE, "the terrain could not be read");
    else if (!begin(&f, oro_eval_input_grid(e, "terrain"), terrain, tree))
        oro_fail(err, ORO_E_MEMORY, "no memory to fit an uplift");
    else if (find(e, &f, peak, err))
        fitted = make(&f, tree, err);
    if (fitted) {
        oro_eval_figure(e, "fit", f.factor, "of the uplift");
        oro_eval_figure(e, "even", f.even * f.factor, "m/yr");
    }
    free_fitting(&f);
    oro_free(tree);
    return fitted;
}
