#include "terrain/drainage/routing.h"

#include "base/memory.h"
#include "terrain/drainage/routing_private.h"

static bool route(const struct oro_ground *ground, bool steepest, struct oro_routing *routing,
                  struct oro_error *err)
{
    *routing = (struct oro_routing){0};
    if (!oro_ground_check(ground, err))
        return false;
    size_t cells = (size_t)ground->width * (size_t)ground->height, pits = 0;
    uint8_t *direction = oro_alloc(cells, sizeof *direction);
    routing->receiver = oro_alloc(cells, sizeof *routing->receiver); /* room for labels, until it is filled */
    bool ok = direction && routing->receiver;
    ok = ok ? oro_find_ways(ground, steepest, direction, routing->receiver, &pits, err)
            : oro_no_memory(ground, err);
    ok = ok && oro_order_cells(ground, direction, routing, err);
    oro_free(direction);
    if (!ok)
        oro_routing_free(routing);
    routing->pits = pits;
    return ok;
}

bool oro_route(const struct oro_ground *ground, struct oro_routing *routing, struct oro_error *err)
{
    return route(ground, false, routing, err);
}

bool oro_route_steepest(const struct oro_ground *ground, struct oro_routing *routing, struct oro_error *err)
{
    return route(ground, true, routing, err);
}

void oro_routing_free(struct oro_routing *routing)
{
    oro_free(routing->receiver);
    oro_free(routing->order);
    oro_free(routing->parts);
    *routing = (struct oro_routing){0};
}
