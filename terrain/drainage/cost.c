#include "terrain/drainage/drain_private.h"

void oro_drain_cost_add(struct oro_drain_cost *cost, float before, float after)
{
    double change = (double)after - (double)before;
    cost->cells += after < before || after > before;
    if (change < 0) {
        cost->cut_volume -= change;
        cost->deepest_cut = -change > cost->deepest_cut ? -change : cost->deepest_cut;
    } else {
        cost->raise_volume += change;
        cost->highest_raise = change > cost->highest_raise ? change : cost->highest_raise;
    }
}

struct oro_drain_cost oro_drain_cost(const float *before, const float *after, size_t cells)
{
    struct oro_drain_cost cost = {0};
    for (size_t i = 0; i < cells; i++)
        oro_drain_cost_add(&cost, before[i], after[i]);
    return cost;
}
