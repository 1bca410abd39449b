/* A recurrence along the drainage tree, from the outlets up. */
#include "terrain/drainage/drainage_tree_private.h"

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
