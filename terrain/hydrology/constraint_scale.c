/* What follows from the width of a cell for constraint erosion. */
#include "terrain/hydrology/constraint_erosion.h"

#include <math.h>

static double held(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

static void scale_water(double rain_loss, size_t cells, bool physical, struct oro_constraint_scale *scale)
{
    double x = scale->x;
    double lost = rain_loss > 0 ? -expm1(x * log1p(-rain_loss)) : 0; /* exact also for very small losses */
    scale->kept = 1 - lost;
    scale->local = rain_loss > 0 ? x * lost / rain_loss : x * x;
    scale->sharing = physical ? 1 / x : 1 / sqrt(x);
    /* At most 8 d cells are d steps upstream. */
    scale->bound = fmin((double)cells, 1 + 8 * scale->kept / (lost * lost));
}

/* The spread of 8 neighbours is 3 / 4 of the square of the cell, that of 4 neighbours 1 / 2. */
static const double eight_as_four = 2.0 / 3;

/* 8 neighbours pull 9 / 8 times as hard as their mean with the cell itself. */
static const double eight_with_own = 9.0 / 8 * 2 / 3;

/* The weight of the cells just beyond the reach with which the square mean is the spread. */
static double rim_of(int reach, double spread)
{
    double next = reach + 1, within = reach * next * (2 * reach + 1) / 3;
    return held((spread * (2 * reach + 1) - within) / (2 * (next * next - spread)), 0, 1);
}

static void scale_neighbours(bool even, struct oro_constraint_scale *scale)
{
    double x = scale->x;
    scale->rounds = (int)held(round(1 / x), 1, ORO_CONSTRAINT_ROUNDS);
    /* The reach is held for still smaller cells only. */
    scale->cut = 1 / x > ORO_CONSTRAINT_ROUNDS + 0.5;
    scale->reach = 0;
    scale->rim = 0;
    scale->gradient = (even ? eight_as_four : 1) / (x * x);
    if (x > 2.0 / 3)
        return;
    /* The square mean of -reach..reach is reach (reach + 1) / 3; that of 4 neighbours, 1 / x away, 1 / 2 of
     * the square of that. */
    double spread = (even ? 2.0 / 3 : 1.0 / 2) / (x * x), reach = -0.5 + sqrt(0.25 + 3 * spread);
    scale->reach = (int)held(even ? floor(reach) : round(reach), 1, ORO_CONSTRAINT_REACH);
    scale->gradient = even ? eight_with_own : 1;
    scale->rim = even ? rim_of(scale->reach, spread) : 0;
}

/* Some 4 tiles to the breadth. */
static void scale_tiles(double breadth, struct oro_constraint_scale *scale)
{
    scale->tile = 2;
    while (scale->tile < 32 && 2 * scale->tile <= breadth / 4)
        scale->tile *= 2;
    scale->tiles_around = (int)held(round(breadth / 2 / scale->tile), 1, 4096);
}

void oro_constraint_scale(const struct oro_constraint_params *params, double cell, size_t cells,
                          bool physical, struct oro_constraint_scale *scale)
{
    scale->x = cell / (double)params->reference_cell;
    scale_water((double)params->rain_loss, cells, physical, scale);
    scale_neighbours(physical && params->neighbours == ORO_CONSTRAINT_NEIGHBOURS_8, scale);
    scale->factor = physical ? (int)held(round(1 / scale->x), 1, ORO_CONSTRAINT_ROUNDS) : 1;
    scale_tiles((double)params->breadth / cell, scale);
    scale->coast = 0.001 * (double)params->reference_cell;
}
