/*
 * How far the ridges, or the rivers, of one terrain lie from those of another (Schott 2023, figures 14 to 16
 * and 27 show it). One rule, so that figures can be compared:
 *
 * The first terrain's network has the threshold that is given (prominence, or drainage area). The second's
 * has the threshold with which it is about as long as the first's: a denser network is near to everything.
 * Lines are smoothed twice and not simplified. The mean distance to the nearest line of the other is taken
 * both ways, with points half a cell apart.
 */
#ifndef ORO_TERRAIN_NETWORK_COMPARE_H
#define ORO_TERRAIN_NETWORK_COMPARE_H

#include "terrain/drainage/ground.h"

/* Metres, and m^2 for drainage areas. NaN where there is nothing to compare: one network has no line. */
struct oro_comparison {
    double there, back;  /* mean distance from the first's lines to the second's, and the other way */
    double mean;         /* of both */
    double length[2];    /* of all lines of each */
    double threshold[2]; /* prominence, or drainage area, of each */
};

/* Both grounds have the same size, and cells of `cell` metres. A threshold is >= 0 for ridges, > 0 for
 * rivers. Time: some twenty times that of the network. Fails as oro_divide_tree and oro_river_network. */
bool oro_compare_ridges(const struct oro_ground *a, const struct oro_ground *b, double cell,
                        double prominence, struct oro_comparison *out, struct oro_error *err);
bool oro_compare_rivers(const struct oro_ground *a, const struct oro_ground *b, double cell, double threshold,
                        struct oro_comparison *out, struct oro_error *err);

#endif
