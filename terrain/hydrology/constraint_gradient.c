/* Step 5: the gradient constraint. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "terrain/hydrology/constraint_private.h"

enum { COLUMNS = ORO_CONSTRAINT_COLUMNS };

/* h, given the mean difference around. Ground that has left the range of floats goes back to the constraint;
 * land stays above the sea. */
static void constrain(const struct oro_constraint_erosion *run, size_t cell, size_t count, const float *mean)
{
    const float *own = run->scratch->difference + cell, *c = run->constraint + cell,
                *gorge = run->gorge + cell;
    float *h = run->h + cell, strength[COLUMNS], scale = (float)run->scale.gradient;
    float strongest = (float)ORO_CONSTRAINT_STRONGEST, sea = run->params->sea_level;
    float shore = sea + (float)run->scale.coast;
    oro_constraint_values(&run->gradient_strength, cell, count, strength);
    for (size_t x = 0; x < count; x++) {
        float g = strength[x] * scale < strongest ? strength[x] * scale : strongest;
        float height = c[x] + (own[x] + g * (1 - gorge[x]) * (mean[x] - own[x]));
        height = fabsf(height) <= FLT_MAX ? height : c[x];
        float coast = c[x] < shore ? c[x] : shore;
        h[x] = c[x] > sea && height < coast ? coast : height;
    }
}

/* ---- Neighbours next to the cell ---- */

/* Differences of three rows with a cell on either side. Outside of the terrain they are 0. */
struct window {
    float above[COLUMNS + 2], here[COLUMNS + 2], below[COLUMNS + 2];
};

static void load_row(const struct oro_constraint_scratch *scratch, size_t row, size_t first, size_t count,
                     float *out)
{
    const struct oro_strips strips = scratch->strips;
    memset(out, 0, (count + 2) * sizeof *out);
    if (row >= strips.cells) /* also above row 0 */
        return;
    size_t west = first > 0, east = first + count < strips.width;
    memcpy(out + 1 - west, scratch->difference + row + first - west, (west + count + east) * sizeof *out);
}

/* 1 by the number of neighbours that a cell has in the terrain; 1 if there are none. */
static float share_of(struct oro_strips strips, bool eight, size_t row, size_t x)
{
    int rows = 1 + (row > 0) + (row + strips.width < strips.cells);
    int columns = 1 + (x > 0) + (x + 1 < strips.width);
    int count = eight ? rows * columns - 1 : rows + columns - 2;
    return count ? 1 / (float)count : 1;
}

static void find_next_means(const struct oro_constraint_erosion *run, const struct window *w, size_t row,
                            size_t first, size_t count, float *mean)
{
    const struct oro_strips strips = run->scratch->strips;
    bool eight = run->params->neighbours != ORO_CONSTRAINT_NEIGHBOURS_4;
    float share[COLUMNS], inner = share_of(strips, eight, row, 1);
    for (size_t x = 0; x < count; x++)
        share[x] = inner;
    share[0] = share_of(strips, eight, row, first);
    share[count - 1] = share_of(strips, eight, row, first + count - 1);
    for (size_t x = 0; x < count; x++)
        mean[x] = w->above[x + 1] + w->here[x] + w->here[x + 2] + w->below[x + 1];
    for (size_t x = 0; x < count && eight; x++)
        mean[x] += w->above[x] + w->above[x + 2] + w->below[x] + w->below[x + 2];
    for (size_t x = 0; x < count; x++)
        mean[x] *= share[x];
    if (strips.cells == 1)
        mean[0] = w->here[1];
}

/* Goes down a strip, `count` columns wide. */
static void constrain_next(const struct oro_constraint_erosion *run, size_t first, size_t end, size_t count)
{
    const struct oro_constraint_scratch *scratch = run->scratch;
    size_t width = scratch->strips.width, column = first % width;
    struct window w;
    float mean[COLUMNS];
    load_row(scratch, first - column - width, column, count, w.here);
    load_row(scratch, first - column, column, count, w.below);
    for (size_t row = first - column; row < end; row += width) {
        memcpy(w.above, w.here, (count + 2) * sizeof *w.above);
        memcpy(w.here, w.below, (count + 2) * sizeof *w.here);
        load_row(scratch, row + width, column, count, w.below);
        find_next_means(run, &w, row, column, count, mean);
        constrain(run, row + column, count, mean);
    }
}

/* ---- Neighbours within a reach ---- */

static void add_row(double *sum, const float *row_mean, double sign, size_t count)
{
    for (size_t x = 0; x < count; x++)
        sum[x] += sign * (double)row_mean[x];
}

/* Sums down the columns, which rows enter and leave. */
static void constrain_wide(const struct oro_constraint_erosion *run, size_t first, size_t end, size_t count)
{
    const struct oro_constraint_scratch *scratch = run->scratch;
    size_t width = scratch->strips.width, reach = (size_t)run->scale.reach, rows = (size_t)run->height;
    size_t top = first / width, column = first % width, low = top > reach ? top - reach : 0, high = low;
    double sum[COLUMNS] = {0};
    float mean[COLUMNS];
    for (size_t y = top; y * width < end; y++) {
        for (; high < rows && high <= y + reach; high++)
            add_row(sum, scratch->row_mean + high * width + column, 1, count);
        for (; low + reach < y; low++)
            add_row(sum, scratch->row_mean + low * width + column, -1, count);
        double all[COLUMNS], weight = (double)(high - low), rim = run->scale.rim;
        memcpy(all, sum, sizeof all);
        if (low > 0) {
            add_row(all, scratch->row_mean + (low - 1) * width + column, rim, count);
            weight += rim;
        }
        if (high < rows) {
            add_row(all, scratch->row_mean + high * width + column, rim, count);
            weight += rim;
        }
        for (size_t x = 0; x < count; x++)
            mean[x] = (float)(all[x] / weight);
        constrain(run, y * width + column, count, mean);
    }
}

/* ---- All of it ---- */

static void constrain_strip(void *user, size_t strip)
{
    const struct oro_constraint_erosion *run = user;
    const struct oro_strips strips = run->scratch->strips;
    size_t first = oro_strip_first(strips, strip), end = oro_strip_end(strips, strip);
    for (size_t x = 0; x < strips.width; x += COLUMNS) {
        size_t left = strips.width - x, count = left < COLUMNS ? left : COLUMNS;
        if (run->scale.reach)
            constrain_wide(run, first + x, end, count);
        else
            constrain_next(run, first + x, end, count);
    }
}

void oro_constraint_gradient(struct oro_constraint_erosion *run)
{
    oro_constraint_strips(run->scratch->strips, constrain_strip, run);
}
