/* How strong an uplift has to be. */
#include "nodes/uplift/uplift_fit.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/inversion/inversion.h"

/* Heights in balance go with the uplift to the power 1/n whatever the resolution, nearly: a coarse one does.
 */
enum { SIDE_MOST = 128, ROUNDS = 8 };
static const struct oro_law law = {
    .erodibility = 0.002F, .n = 2, .m = 0.8F, .hillslope = 0, .slope_limit = 80, .rain = 1};

struct fitting {
    struct oro_balance_grid grid;
    size_t cells;
    float *pattern, *uplift, *terrain;
    struct oro_balanced now;
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
    for (size_t i = 0; i < cells; i++)
        f->pattern[i] = (float)oro_uplift_at(tree, grid->x + ((double)(i % width) + 0.5) * f->grid.cell,
                                             grid->y + ((double)(i / width) + 0.5) * f->grid.cell);
    return true;
}

/* Mean heights above the lowest ground: of the terrain, and of what the pattern times `factor` comes to. */
static bool means(struct oro_eval *e, struct fitting *f, double factor, double mean[2], struct oro_error *err)
{
    struct oro_balance balance = oro_balance_usual(&law, &f->grid);
    balance.uplift = f->uplift;
    balance.stop = oro_eval_stopped;
    balance.user = e;
    float lowest = f->terrain[0];
    for (size_t i = 0; i < f->cells; i++) {
        f->uplift[i] = (float)((double)f->pattern[i] * factor);
        lowest = fminf(lowest, f->terrain[i]);
    }
    memset(f->now.height, 0, f->cells * sizeof *f->now.height);
    if (!oro_balance(&balance, &f->now, err))
        return false;
    mean[0] = mean[1] = 0;
    for (size_t i = 0; i < f->cells; i++) {
        mean[0] += (double)(f->terrain[i] - lowest) / (double)f->cells;
        mean[1] += (double)f->now.height[i] / (double)f->cells;
    }
    return true;
}

static bool find(struct oro_eval *e, struct fitting *f, double *factor, struct oro_error *err)
{
    *factor = 1;
    for (int i = 0; i < ROUNDS; i++) {
        double mean[2];
        if (!means(e, f, *factor, mean, err))
            return false;
        if (!(mean[0] > 0 && mean[1] > 0))
            return true; /* nothing rises, or is to rise */
        *factor = fmin(fmax(*factor * pow(mean[0] / mean[1], (double)law.n), 1e-6), 1e6);
        if (!oro_eval_progress(e, i + 1, ROUNDS))
            return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    }
    return true;
}

struct oro_uplift *oro_uplift_fitted(struct oro_eval *e, bool fit, struct oro_uplift *tree,
                                     struct oro_error *err)
{
    if (!tree || !fit || !oro_eval_linked(e, "terrain"))
        return tree;
    const float *terrain = oro_eval_input_host(e, "terrain");
    struct fitting f = {.cells = 0};
    struct oro_uplift *fitted = NULL;
    double factor = 1;
    if (!terrain)
        oro_fail(err, ORO_E_EVALUATE, "the terrain could not be read");
    else if (!begin(&f, oro_eval_input_grid(e, "terrain"), terrain, tree))
        oro_fail(err, ORO_E_MEMORY, "no memory to fit an uplift");
    else if (find(e, &f, &factor, err))
        fitted = oro_uplift_scale(tree, (float)factor, err);
    if (fitted)
        oro_eval_figure(e, "fit", factor, "of the uplift");
    free_fitting(&f);
    oro_free(tree);
    return fitted;
}
