/* Anisotropic off-lattice Eden growth (Schott 2023, section 6.3, figure 18). */
#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "terrain/folds/folds.h"

/* A cluster that grows: its discs that may still have room about them. */
struct shoot {
    uint32_t *discs;
    size_t count, capacity;
    uint32_t cluster;
};

enum { FREE = UINT32_MAX };

struct growing {
    const struct oro_growth *how;
    const struct oro_point *points;
    const struct oro_neighbours *neighbours;
    size_t count;
    struct oro_clusters *clusters;
    double least;    /* cosine of twice the angle */
    uint32_t *order; /* in which discs are tried as beginnings */
    size_t tried;
    struct shoot *shoots;
    uint32_t shoot_count; /* that grow */
    uint32_t random;
};

/* Whether an edge is short enough and along the field: |cos| of the angle between edge and direction is at
 * least cos(alpha); the paper prints "at most". A tensor has twice the angle of its direction, and so the
 * sign, which neither edge nor direction has, drops out. */
static bool accords(const struct growing *g, uint32_t from, uint32_t to)
{
    struct oro_point a = g->points[from], b = g->points[to];
    double tensor[2], x = b.x - a.x, y = b.y - a.y, longest = g->how->longest;
    if (x * x + y * y > longest * longest)
        return false;
    g->how->tensor(g->how->user, (struct oro_point){(a.x + b.x) / 2, (a.y + b.y) / 2}, tensor);
    double along = tensor[0] * (x * x - y * y) + tensor[1] * 2 * x * y;
    return along >= g->least * hypot(tensor[0], tensor[1]) * (x * x + y * y);
}

/* Chooses one of the neighbours that are free and accord, each as likely; FREE: there is none. */
static uint32_t choose_neighbour(struct growing *g, uint32_t disc)
{
    uint32_t chosen = FREE, candidates = 0;
    for (uint32_t i = g->neighbours->start[disc]; i < g->neighbours->start[disc + 1]; i++) {
        uint32_t other = g->neighbours->neighbour[i];
        if (g->clusters->cluster[other] != FREE || !accords(g, disc, other))
            continue;
        if (oro_random_below(&g->random, ++candidates) == 0)
            chosen = other;
    }
    return chosen;
}

static bool add_disc(struct growing *g, struct shoot *shoot, uint32_t disc, uint32_t parent)
{
    void *discs = shoot->discs;
    bool room = oro_reserve(&discs, &shoot->capacity, shoot->count + 1, sizeof *shoot->discs);
    shoot->discs = discs;
    if (!room)
        return false;
    shoot->discs[shoot->count++] = disc;
    g->clusters->parent[disc] = parent;
    g->clusters->cluster[disc] = shoot->cluster;
    return true;
}

/* New clusters, each from a free disc, until as many grow as may. False: memory is out. */
static bool begin_clusters(struct growing *g)
{
    while (g->shoot_count < g->how->clusters && g->tried < g->count) {
        uint32_t disc = g->order[g->tried++];
        if (g->clusters->cluster[disc] != FREE)
            continue;
        struct shoot *shoot = &g->shoots[g->shoot_count++];
        shoot->cluster = (uint32_t)g->clusters->count++;
        if (!add_disc(g, shoot, disc, disc))
            return false;
    }
    return true;
}

/* One step of the paper: a random cluster, a random disc of it, a neighbour. A disc without one leaves the
 * candidates; a cluster without candidates has ended. */
static bool grow(struct growing *g)
{
    struct shoot *shoot = &g->shoots[oro_random_below(&g->random, g->shoot_count)];
    bool anywhere = oro_random_unit(&g->random) < g->how->branching;
    size_t index = anywhere ? oro_random_below(&g->random, (uint32_t)shoot->count) : shoot->count - 1;
    uint32_t disc = shoot->discs[index], next = choose_neighbour(g, disc);
    if (next != FREE)
        return add_disc(g, shoot, next, disc);
    shoot->discs[index] = shoot->discs[--shoot->count];
    if (shoot->count == 0) {
        struct shoot ended = *shoot, *last = &g->shoots[--g->shoot_count];
        *shoot = *last;
        *last = ended; /* the next cluster uses its memory */
    }
    return true;
}

static bool run(struct growing *g)
{
    /* Beginnings in random order (Fisher and Yates). */
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t other = oro_random_below(&g->random, i + 1);
        g->order[i] = g->order[other];
        g->order[other] = i;
    }
    for (size_t i = 0; i < g->count; i++)
        g->clusters->cluster[i] = FREE;
    if (!begin_clusters(g))
        return false;
    while (g->shoot_count > 0)
        if (!grow(g) || !begin_clusters(g))
            return false;
    return true;
}

bool oro_grow_clusters(const struct oro_point *points, size_t count, const struct oro_neighbours *neighbours,
                       const struct oro_growth *growth, struct oro_clusters *clusters, struct oro_error *err)
{
    *clusters = (struct oro_clusters){0};
    if (!(growth->angle >= 0) || !(growth->longest > 0) || growth->clusters < 1)
        return oro_fail(err, ORO_E_EVALUATE, "growth needs an angle, a length and a number of clusters");
    clusters->parent = oro_alloc(count + 1, sizeof *clusters->parent);
    clusters->cluster = oro_alloc(count + 1, sizeof *clusters->cluster);
    struct growing g = {
        .how = growth,
        .points = points,
        .neighbours = neighbours,
        .count = count,
        .clusters = clusters,
        .least = growth->angle < 1.57079632679 ? cos(2 * growth->angle) : -2,
        .order = oro_alloc(count + 1, sizeof *g.order),
        .shoots = oro_alloc(growth->clusters, sizeof *g.shoots),
        .random = growth->seed,
    };
    bool ok = clusters->parent && clusters->cluster && g.order && g.shoots && run(&g);
    for (uint32_t i = 0; g.shoots && i < growth->clusters; i++)
        oro_free(g.shoots[i].discs);
    oro_free(g.shoots);
    oro_free(g.order);
    if (ok)
        return true;
    oro_clusters_free(clusters);
    return oro_fail(err, ORO_E_MEMORY, "no memory for the growth of %zu discs", count);
}

void oro_clusters_free(struct oro_clusters *clusters)
{
    oro_free(clusters->parent);
    oro_free(clusters->cluster);
    *clusters = (struct oro_clusters){0};
}
