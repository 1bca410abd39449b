/* Ground in balance, for tests of what is measured along channels. */
#ifndef ORO_TESTS_SUPPORT_BALANCED_H
#define ORO_TESTS_SUPPORT_BALANCED_H

#include <math.h>

#include "base/memory.h"
#include "terrain/drainage/routing.h"
#include "tests/support/test.h"

/* Gives a square of heights those that balance uplift and stream power along its drainage: the slope of every
 * cell is ks area^-theta. The ways change with the heights, so both are made in turn. */
static inline void balance_ground(float *z, int size, double cell, double ks, double theta, int rounds)
{
    size_t cells = (size_t)size * (size_t)size;
    uint32_t *area = oro_alloc(cells, sizeof *area);
    for (int round = 0; round < rounds; round++) {
        struct oro_ground ground = {.width = size, .height = size, .z = z};
        struct oro_routing routing = {0};
        assert_true(oro_route(&ground, &routing, NULL));
        oro_drainage_cells(&routing, area);
        for (size_t i = 0; i < cells; i++) {
            uint32_t at = routing.order[i], to = routing.receiver[at];
            int dx = (int)(at % (uint32_t)size) - (int)(to % (uint32_t)size);
            int dy = (int)(at / (uint32_t)size) - (int)(to / (uint32_t)size);
            double slope = ks * pow(area[at] * cell * cell, -theta);
            z[at] = at == to ? 0 : z[to] + (float)(slope * cell * hypot(dx, dy));
        }
        oro_routing_free(&routing);
    }
    oro_free(area);
}

#endif
