/* What a coarse cell holds of the fixed cells in its four finer ones. */
#include "terrain/processor/lib/multigrid.h"

#define RESISTANCE 0.09F

struct coarsen {
    struct oro_run_grid grid, source;
    const float *fine_hold, *fine_given;
    float *hold, *given;
    bool finest;
};

/* What the finer cells add up to. */
struct sums {
    float ties, pull, fixed_count, fixed_sum;
};

static struct sums sum_up(const struct coarsen *k, int x, int y)
{
    struct sums sums = {0};
    float fixed = k->finest ? 0.5F : 0.5F * ORO_MULTIGRID_FIXED;
    for (int part = 0; part < 4; part++) {
        int column = 2 * x + (part & 1), row = 2 * y + (part >> 1);
        if (column >= k->source.width || row >= k->source.height)
            continue;
        size_t i = (size_t)row * (size_t)k->source.width + (size_t)column;
        if (k->fine_hold[i] > fixed) {
            sums.fixed_count += 1;
            sums.fixed_sum += k->fine_given[i];
        } else if (!k->finest && k->fine_hold[i] > 0) {
            sums.ties += k->fine_hold[i];
            sums.pull += k->fine_given[i];
        }
    }
    return sums;
}

static void coarsen_cell(const struct coarsen *k, int x, int y)
{
    size_t i = (size_t)y * (size_t)k->grid.width + (size_t)x;
    bool line = k->grid.width == 1 || k->grid.height == 1;
    float resistance = line ? 1e-30F : RESISTANCE;
    struct sums s = sum_up(k, x, y);
    if (s.fixed_count > (line ? 0 : 1)) {
        k->hold[i] = ORO_MULTIGRID_FIXED;
        k->given[i] = s.fixed_sum / s.fixed_count;
        return;
    }
    /* A fixed cell ties as much as one that became a coarse cell on its own. */
    float mean_of = s.ties + s.fixed_count / RESISTANCE;
    float value = mean_of > 0 ? (s.pull + s.fixed_sum / RESISTANCE) / mean_of : 0;
    float tie = s.fixed_count > 0 ? 1 / resistance : s.ties > 0 ? s.ties / (1 + resistance * s.ties) : 0;
    k->hold[i] = tie;
    k->given[i] = tie * value;
}

static void coarsen(const void *user, const struct oro_tile *tile)
{
    for (int y = tile->y; y < tile->y + tile->height; y++)
        for (int x = tile->x; x < tile->x + tile->width; x++)
            coarsen_cell(user, x, y);
}

ORO_PROCESSOR(erosion, retarget_coarsen)
{
    struct coarsen k = {.grid = run->grid,
                        .source = run->source,
                        .fine_hold = oro_run_buffer(run, "fine_hold"),
                        .fine_given = oro_run_buffer(run, "fine_given"),
                        .hold = oro_run_buffer(run, "hold"),
                        .given = oro_run_buffer(run, "given"),
                        .finest = oro_run_number(run, "finest") > 0};
    if (oro_run_ready(run))
        oro_run_tiles(run, coarsen, &k);
}
