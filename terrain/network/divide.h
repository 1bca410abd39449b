/*
 * Divide trees: peaks joined along ridges (Argudo 2019; Schott 2023, 6.1).
 *
 * Cells are in an order that has no ties: the higher first (steps.h: oro_level_of), of equal ones the lower
 * cell number. A peak is a cell that none of its neighbours comes before. Every other cell leads up to the
 * neighbour before it that the steepest slope leads to (of equal slopes the lowest neighbour number).
 *
 * Cells are taken up in that order. One with neighbours in two or more parts taken up before is a saddle: it
 * joins them, and each but the highest peak gets its prominence there, its height above the saddle. That is
 * the spanning tree of peaks whose lowest saddles are the highest (Kruskal). The highest peak has an infinite
 * prominence; so has the highest of each part that the sea keeps apart.
 *
 * Ridges go from each saddle up both sides to the peaks that the ways there lead to. Peaks whose prominence,
 * and whose height above the lowest ground that their part of the land has, is less than `prominence` are
 * merged away. What is left is the divide tree: the ridges that it takes to join the others.
 */
#ifndef ORO_TERRAIN_NETWORK_DIVIDE_H
#define ORO_TERRAIN_NETWORK_DIVIDE_H

#include "terrain/drainage/ground.h"
#include "terrain/network/network.h"

struct oro_divide_options {
    double cell, x, y; /* metres: side of a cell, and the ground's north-west corner */
    double prominence; /* metres; peaks need some even with 0, so that even ground has none */
    int smooth;        /* rounds of smoothing of the lines between peaks, saddles and forks */
    double simplify;   /* metres that lines may be off, sideways and in height */
};

struct oro_divide_report {
    size_t peaks, saddles; /* in the network; the saddles that part one peak from a higher one */
    size_t merged;         /* peaks merged away */
};

/* The network has peaks with their prominence, saddles, and elevations everywhere; a peak that is alone is a
 * point. There are no ridges in the ground's sea; its `walls` do not matter. Even ground gives an empty
 * network. Time O(n log n), 18 bytes a cell. Fails as oro_ground_check; ORO_E_MEMORY;
 * ORO_E_CANCELLED. */
struct oro_network *oro_divide_tree(const struct oro_ground *ground, const struct oro_divide_options *options,
                                    struct oro_divide_report *report, struct oro_error *err);

#endif
