/* Step 4, erosion, and the value constraints of step 5. */
#include <math.h>

#include "terrain/hydrology/constraint_private.h"

enum { COLUMNS = ORO_CONSTRAINT_COLUMNS };

struct eroding {
    struct oro_constraint_erosion *run;
    float *ground, *out;
};

/* ---- A round ---- */

/* Powers of numbers that are not negative; those of 0 are 0. */
static void raise(float *values, size_t count, float exponent)
{
    if (exponent == 1.0f)
        return;
    for (size_t x = 0; x < count && exponent == 2.0f; x++)
        values[x] *= values[x];
    for (size_t x = 0; x < count && exponent != 2.0f; x++)
        values[x] = values[x] > 0 ? powf(values[x], exponent) : 0;
}

static void erode_piece(const struct oro_constraint_erosion *run, const float *ground, size_t cell,
                        size_t count, float *out)
{
    const struct oro_constraint_params *params = run->params;
    const float *way = run->scratch->way + cell, *drainage = run->drainage + cell, *h = ground + cell;
    float drop[COLUMNS], flow[COLUMNS], slope[COLUMNS], strength[COLUMNS];
    float side = (float)run->cell, sharing = (float)run->scale.sharing;
    float depth = (float)((double)params->reference_cell / run->scale.rounds);
    /* How far the receivers' total heights are below, 0 where they are not. */
    const struct oro_constraint_scratch *scratch = run->scratch;
    const uint8_t *direction = scratch->direction + cell;
    float sea = run->params->sea_level;
    for (size_t x = 0; x < count; x++)
        drop[x] = ground[cell + x + (size_t)scratch->offsets.to[direction[x]]];
    for (size_t x = 0; x < count; x++) {
        float fall = ground[cell + x] - (drop[x] > sea ? drop[x] : sea);
        drop[x] = fall > 0 ? fall : 0;
    }
    oro_constraint_values(&run->erodibility, cell, count, strength);
    for (size_t x = 0; x < count; x++) {
        flow[x] = drainage[x] * sharing;
        slope[x] = drop[x] / (way[x] * side);
    }
    raise(flow, count, params->drainage_exponent);
    raise(slope, count, params->slope_exponent);
    for (size_t x = 0; x < count; x++) {
        float sunk = strength[x] * depth * flow[x] * slope[x];
        sunk = sunk > drop[x] ? drop[x] : sunk;
        out[x] = h[x] - (sunk > 0 ? sunk : 0);
    }
}

static void erode_cells(void *user, size_t cell, size_t count)
{
    const struct eroding *eroding = user;
    erode_piece(eroding->run, eroding->ground, cell, count, eroding->out + cell);
}

/* ---- The last one: with the value constraints ---- */

static void constrain_cells(void *user, size_t cell, size_t count)
{
    const struct eroding *eroding = user;
    const struct oro_constraint_erosion *run = eroding->run;
    float h[COLUMNS], strength[COLUMNS], broad[COLUMNS], amount = run->params->broad_strength;
    const float *c = run->constraint + cell, *relief = run->relief + cell;
    float *difference = run->scratch->difference + cell;
    erode_piece(run, eroding->ground, cell, count, h);
    oro_constraint_values(&run->value_strength, cell, count, strength);
    for (size_t x = 0; x < count; x++) {
        h[x] -= c[x];
        difference[x] = h[x] - strength[x] * h[x];
    }
    if (!(amount > 0))
        return;
    oro_constraint_broad(run, cell, count, broad);
    for (size_t x = 0; x < count; x++)
        difference[x] += amount * (1 - strength[x]) * relief[x] * broad[x];
}

/* Means over the cells within `reach` in the row, from its running sum; the next ones count `rim`. */
static void find_row_means(const struct oro_constraint_scratch *scratch, size_t row, size_t reach, double rim)
{
    size_t width = scratch->strips.width, count = 0;
    const float *difference = scratch->difference + row;
    float *mean = scratch->row_mean + row;
    double sum = 0;
    for (size_t x = 0; x < reach && x < width; x++, count++)
        sum += (double)difference[x];
    for (size_t x = 0; x < width; x++) {
        if (x + reach < width) {
            sum += (double)difference[x + reach];
            count++;
        }
        if (x > reach) {
            sum -= (double)difference[x - reach - 1];
            count--;
        }
        double all = sum, weight = (double)count;
        if (x > reach) {
            all += rim * (double)difference[x - reach - 1];
            weight += rim;
        }
        if (x + reach + 1 < width) {
            all += rim * (double)difference[x + reach + 1];
            weight += rim;
        }
        mean[x] = (float)(all / weight);
    }
}

/* ---- Rounds ---- */

static void erode_strip(void *user, size_t strip)
{
    struct eroding *eroding = user;
    oro_constraint_pieces(eroding->run->scratch->strips, strip, erode_cells, eroding);
}

static void constrain_strip(void *user, size_t strip)
{
    struct eroding *eroding = user;
    const struct oro_constraint_scratch *scratch = eroding->run->scratch;
    size_t end = oro_strip_end(scratch->strips, strip), reach = (size_t)eroding->run->scale.reach;
    oro_constraint_pieces(scratch->strips, strip, constrain_cells, eroding);
    for (size_t row = oro_strip_first(scratch->strips, strip); reach && row < end;
         row += scratch->strips.width)
        find_row_means(scratch, row, reach, eroding->run->scale.rim);
}

bool oro_constraint_erode(struct oro_constraint_erosion *run, float *ground, struct oro_error *err)
{
    const struct oro_constraint_scratch *scratch = run->scratch;
    struct eroding eroding = {run, ground, ground == run->h ? scratch->carved : run->h};
    for (int round = 1; round < run->scale.rounds; round++) {
        if (!oro_constraint_goes_on(run, err))
            return false;
        oro_constraint_strips(scratch->strips, erode_strip, &eroding);
        float *before = eroding.ground;
        eroding.ground = eroding.out;
        eroding.out = before;
    }
    if (!oro_constraint_goes_on(run, err))
        return false;
    oro_constraint_strips(scratch->strips, constrain_strip, &eroding);
    return oro_constraint_goes_on(run, err);
}
