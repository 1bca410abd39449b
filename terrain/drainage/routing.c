#include <stdatomic.h>

#include "base/memory.h"
#include "terrain/drainage/routing_private.h"

struct steepest {
    const struct oro_ground *ground;
    struct oro_strips strips;
    uint8_t *direction;
    atomic_size_t pits;
};

static void choose_steepest(void *user, size_t first, size_t end)
{
    struct steepest *s = user;
    for (size_t strip = first; strip < end; strip++)
        atomic_fetch_add(&s->pits, oro_steepest_strip(s->ground, s->strips, strip, s->direction));
}

static bool make_room(struct oro_routing *routing, struct oro_strips strips)
{
    routing->receiver = oro_alloc(strips.cells, sizeof *routing->receiver);
    routing->order = oro_alloc(strips.cells, sizeof *routing->order);
    routing->parts = oro_alloc(strips.count + 1, sizeof *routing->parts);
    return routing->receiver && routing->order && routing->parts;
}

/* The room of the receivers is used for labels, then for parts of the order, before it is filled. */
static bool route(const struct oro_ground *ground, struct oro_routing *routing, uint8_t *direction,
                  struct oro_error *err)
{
    struct steepest steepest = {
        .ground = ground, .strips = oro_strips_of(ground->width, ground->height), .direction = direction};
    if (!oro_strips_run(steepest.strips, ground, choose_steepest, &steepest, err))
        return false;
    routing->pits = atomic_load(&steepest.pits);
    return oro_join_basins(ground, direction, routing->receiver, routing->pits, err) &&
           oro_order_cells(ground, direction, routing, err);
}

bool oro_route(const struct oro_ground *ground, struct oro_routing *routing, struct oro_error *err)
{
    *routing = (struct oro_routing){.width = ground->width, .height = ground->height};
    if (!oro_ground_check(ground, err)) {
        *routing = (struct oro_routing){0};
        return false;
    }
    struct oro_strips strips = oro_strips_of(ground->width, ground->height);
    uint8_t *direction = oro_alloc(strips.cells, sizeof *direction);
    bool ok = direction && make_room(routing, strips);
    ok = ok ? route(ground, routing, direction, err) : oro_no_memory(ground, err);
    oro_free(direction);
    if (!ok)
        oro_routing_free(routing);
    return ok;
}

void oro_routing_free(struct oro_routing *routing)
{
    oro_free(routing->receiver);
    oro_free(routing->order);
    oro_free(routing->parts);
    *routing = (struct oro_routing){0};
}
