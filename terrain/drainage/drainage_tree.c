#include "terrain/drainage/drainage_tree_private.h"

#define PIECE ((size_t)1 << 16) /* of the head, between two questions whether to stop */

struct along {
    const struct oro_routing *routing;
    struct oro_strips strips;
    const struct oro_drainage_tree_work *work;
};

static struct along along_of(const struct oro_routing *routing, const struct oro_drainage_tree_work *work)
{
    return (struct along){routing, oro_strips_of(routing->width, routing->height), work};
}

static void run_part(const struct along *along, size_t first, size_t end)
{
    const struct oro_routing *routing = along->routing;
    struct oro_drainage_tree_part part = {routing->receiver, routing->order + first, end - first};
    along->work->part(along->work->user, &part);
}

static void run_strips(void *user, size_t first, size_t end)
{
    const struct along *along = user;
    for (size_t strip = first; strip < end; strip++) {
        if (along->work->cells)
            along->work->cells(along->work->user, oro_strip_first(along->strips, strip),
                               oro_strip_end(along->strips, strip));
        if (along->work->part)
            run_part(along, along->routing->parts[strip], along->routing->parts[strip + 1]);
    }
}

static bool stops(const struct oro_ground *ground, struct oro_error *err)
{
    return ground && oro_ground_stops(ground, 0, err);
}

bool oro_drainage_tree_down(const struct oro_routing *routing, const struct oro_ground *ground,
                            const struct oro_drainage_tree_work *work, struct oro_error *err)
{
    struct along along = along_of(routing, work);
    if (!oro_strips_run(along.strips, ground, run_strips, &along, err))
        return false;
    for (size_t end = routing->parts[0], first; end > 0; end = first) {
        first = end > PIECE ? end - PIECE : 0;
        if (stops(ground, err))
            return false;
        run_part(&along, first, end);
    }
    return true;
}

bool oro_drainage_tree_up(const struct oro_routing *routing, const struct oro_ground *ground,
                          const struct oro_drainage_tree_work *work, struct oro_error *err)
{
    struct along along = along_of(routing, work);
    for (size_t first = 0, end; first < routing->parts[0]; first = end) {
        end = first + PIECE < routing->parts[0] ? first + PIECE : routing->parts[0];
        if (stops(ground, err))
            return false;
        run_part(&along, first, end);
    }
    return oro_strips_run(along.strips, ground, run_strips, &along, err);
}

bool oro_drainage_tree_cells(const struct oro_routing *routing, const struct oro_ground *ground,
                             void (*cells)(void *user, size_t first, size_t end), void *user,
                             struct oro_error *err)
{
    struct oro_drainage_tree_work work = {.cells = cells, .user = user};
    struct along along = along_of(routing, &work);
    return oro_strips_run(along.strips, ground, run_strips, &along, err);
}

/* ---- A recurrence, from the outlets up ---- */

struct recurrence {
    const float *b;
    float *h;
};

static void climb(void *user, const struct oro_drainage_tree_part *part)
{
    const struct recurrence *r = user;
    for (size_t i = 0; i < part->count; i++) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        if (next != cell)
            r->h[cell] += r->b[cell] * r->h[next];
    }
}

void oro_drainage_tree_recurrence(const struct oro_routing *routing, const float *b, float *h)
{
    struct recurrence recurrence = {.b = b, .h = h};
    struct oro_drainage_tree_work work = {.part = climb, .user = &recurrence};
    oro_drainage_tree_up(routing, NULL, &work, NULL);
}
