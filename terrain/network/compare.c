#include "terrain/network/compare.h"

#include <math.h>

#include "base/memory.h"
#include "terrain/network/divide.h"
#include "terrain/network/rivers.h"

/* Two networks are about as long: the search ends. */
static const double near_enough = 0.01;
enum { ROUNDS = 32, SMOOTH = 2 };

typedef struct oro_network *find_network(const struct oro_ground *ground, double cell, double threshold,
                                         struct oro_error *err);

static struct oro_network *find_ridges(const struct oro_ground *ground, double cell, double threshold,
                                       struct oro_error *err)
{
    struct oro_divide_options options = {.cell = cell, .prominence = threshold, .smooth = SMOOTH};
    struct oro_divide_report report;
    return oro_divide_tree(ground, &options, &report, err);
}

static struct oro_network *find_rivers(const struct oro_ground *ground, double cell, double threshold,
                                       struct oro_error *err)
{
    struct oro_river_options options = {.cell = cell, .threshold = threshold, .smooth = SMOOTH};
    struct oro_river_report report;
    return oro_river_network(ground, &options, &report, err);
}

/* Thresholds between which the second network's may lie. */
struct bounds {
    double low, high;
};

/* The network whose length is nearest to `length`. A higher threshold gives a shorter one: halved in the
 * logarithm, as lengths go with powers of thresholds. */
static struct oro_network *find_as_long(find_network *find, const struct oro_ground *ground, double cell,
                                        struct bounds in, double length, double *threshold,
                                        struct oro_error *err)
{
    struct oro_network *best = NULL;
    double best_off = INFINITY;
    for (int round = 0; round < ROUNDS && best_off > near_enough * length; round++) {
        double at = sqrt(in.low * in.high);
        struct oro_network *network = find(ground, cell, at, err);
        double off = network ? oro_network_length(network) - length : 0;
        if (!network) {
            oro_free(best);
            return NULL;
        }
        *(off > 0 ? &in.low : &in.high) = at;
        struct oro_network *worse = fabs(off) < best_off ? best : network;
        if (worse == best) {
            best = network;
            best_off = fabs(off);
            *threshold = at;
        }
        oro_free(worse);
    }
    return best;
}

static bool compare(find_network *find, const struct oro_ground *a, const struct oro_ground *b, double cell,
                    struct bounds in, double threshold, struct oro_comparison *out, struct oro_error *err)
{
    *out = (struct oro_comparison){.threshold[0] = threshold};
    struct oro_network *first = find(a, cell, threshold, err);
    out->length[0] = first ? oro_network_length(first) : 0;
    struct oro_network *second =
        first ? find_as_long(find, b, cell, in, out->length[0], &out->threshold[1], err) : NULL;
    if (second) {
        out->length[1] = oro_network_length(second);
        out->there = oro_network_distance(first, second, cell / 2);
        out->back = oro_network_distance(second, first, cell / 2);
        out->mean = (out->there + out->back) / 2;
    }
    oro_free(first);
    oro_free(second);
    return second;
}

bool oro_compare_ridges(const struct oro_ground *a, const struct oro_ground *b, double cell,
                        double prominence, struct oro_comparison *out, struct oro_error *err)
{
    if (!oro_ground_check(b, err))
        return false;
    float low = b->z[0], high = b->z[0];
    for (size_t i = 0; i < (size_t)b->width * (size_t)b->height; i++) {
        low = fminf(low, b->z[i]);
        high = fmaxf(high, b->z[i]);
    }
    double relief = (double)high - (double)low;
    return compare(find_ridges, a, b, cell, (struct bounds){1e-6 * relief, relief}, prominence, out, err);
}

bool oro_compare_rivers(const struct oro_ground *a, const struct oro_ground *b, double cell, double threshold,
                        struct oro_comparison *out, struct oro_error *err)
{
    double square = cell * cell;
    struct bounds in = {square, square * b->width * b->height};
    return compare(find_rivers, a, b, cell, in, threshold, out, err);
}
