/* Many round massifs, scattered. */
#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "nodes/uplift/uplift_lines.h"
#include "terrain/folds/folds.h"
#include "terrain/uplift/uplift.h"

enum { DISCS_MAX = 1 << 18 };

struct params {
    int method, cluster_count, seed;
    float from[2], to[2];
    float distance, jitter, cluster_radius;
    float radius, radius_variation, uplift, uplift_variation;
    const char *network;
};

static const char *const methods[] = {"poisson", "random", "grid", "clusters", "vertices", NULL};
enum { POISSON, RANDOM, GRID, CLUSTERS, VERTICES };

static const struct oro_input inputs[] = {
    ORO_IN_CHOICE(
        struct params, method, POISSON, methods,
        .doc = "How they lie. poisson: evenly, never closer than `distance`. random: anywhere. grid: in "
               "rows. clusters: in groups. vertices: on the vertices of `network`"),
    ORO_IN_FLOAT(
        struct params, distance, 0, .share = 0.12, .min = 0, .max = 1e7, .soft_max = 10000, .unit = ORO_METRE,
        .doc = "Between neighbours: for random and clusters on average, as many as a grid would have. "
               "0: 12 hundredths of the world's width"),
    ORO_IN_FLOAT(struct params, radius, 0, .share = 0.12, .min = 0, .max = 1e6, .soft_max = 10000,
                 .unit = ORO_METRE, .doc = "Of each massif. 0: 12 hundredths of the world's width"),
    ORO_IN_UPLIFT_HEIGHT(struct params),
    ORO_IN_FLOAT(struct params, radius_variation, 0.4, .min = 0, .max = 1,
                 .doc = "How much radii differ: 0 not at all, 1 from nearly 0 to twice the radius"),
    ORO_IN_FLOAT(struct params, uplift_variation, 0.6, .min = 0, .max = 1,
                 .doc = "How much uplifts differ: 0 not at all, 1 from 0 to twice the uplift"),
    ORO_IN_FIELD(
        "density", .optional = true,
        .doc = "Which share of them is there: 0 none, 1 all. Others stay where they are when it changes"),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_POINT(
        struct params, from, "0 0", .unit = ORO_METRE, .group = "Place",
        .doc = "A corner of the rectangle that they lie in. Both corners at one place: the whole world"),
    ORO_IN_POINT(struct params, to, "0 0", .handle = ORO_HANDLE_BOX, .handle_at = "from", .unit = ORO_METRE,
                 .group = "Place", .doc = "The opposite corner of the rectangle"),
    ORO_IN_NETWORK(struct params, network, NULL, .handle = ORO_HANDLE_POINTS, .when = "method=vertices",
                   .optional = true, .group = "Place",
                   .doc = "For the method vertices: peaks, or points that are drawn"),
    ORO_IN_FLOAT(struct params, jitter, 0.5, .when = "method=grid", .min = 0, .max = 1, .group = "Pattern",
                 .doc = "Of a grid: how far they stray from its cells' centres, 1 anywhere within the cell"),
    ORO_IN_INT(struct params, cluster_count, 12, .when = "method=clusters", .min = 1, .max = 10000,
               .soft_max = 100, .group = "Pattern", .doc = "Massifs in a cluster"),
    ORO_IN_FLOAT(struct params, cluster_radius, 0, .share = 0.18, .when = "method=clusters", .min = 0,
                 .max = 1e7, .soft_max = 10000, .unit = ORO_METRE, .group = "Pattern",
                 .doc =
                     "Radius of a cluster, which is densest in the middle. 0: 18 hundredths of the world's "
                     "width"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "All massifs, smooth where they meet; higher there than each of them"),
    {0},
};

/* Where massifs lie, before some are left out. */
struct places {
    struct oro_point *items;
    size_t count, capacity;
    struct oro_poisson area; /* the rectangle, distance and seed */
};

static bool add(struct places *places, double x, double y, struct oro_error *err)
{
    if (places->count == DISCS_MAX)
        return oro_fail(err, ORO_E_LIMIT,
                        "more than %d massifs: a larger distance, or a smaller rectangle, gives fewer",
                        DISCS_MAX);
    if (!oro_reserve((void **)&places->items, &places->capacity, places->count + 1, sizeof *places->items))
        return oro_fail(err, ORO_E_MEMORY, "no memory for %zu massifs", places->count);
    places->items[places->count++] = (struct oro_point){x, y};
    return true;
}

static struct oro_poisson rectangle(const struct params *p, const struct oro_grid *grid)
{
    struct oro_poisson area = {.x = grid->x,
                               .y = grid->y,
                               .width = grid->width * grid->cell,
                               .height = grid->height * grid->cell,
                               .distance = (double)p->distance,
                               .seed = (uint32_t)p->seed};
    if (p->from[0] < p->to[0] || p->from[0] > p->to[0] || p->from[1] < p->to[1] || p->from[1] > p->to[1]) {
        area.x = fmin((double)p->from[0], (double)p->to[0]);
        area.y = fmin((double)p->from[1], (double)p->to[1]);
        area.width = fabs((double)p->to[0] - (double)p->from[0]);
        area.height = fabs((double)p->to[1] - (double)p->from[1]);
    }
    return area;
}

/* `wanted` as a whole number; at least one, and at most one more than there may be. */
static int whole(double wanted)
{
    return (int)fmin(fmax(floor(wanted + 0.5), 1), DISCS_MAX + 1);
}

/* How many places to expect: as many as a grid would have. */
static double expected(const struct places *places)
{
    const struct oro_poisson *a = &places->area;
    return a->width / a->distance * (a->height / a->distance);
}

static bool place_random(struct places *places, struct oro_error *err)
{
    const struct oro_poisson *a = &places->area;
    uint32_t random = a->seed;
    int count = whole(expected(places));
    for (int i = 0; i < count; i++) {
        double x = oro_random_between(&random, a->x, a->x + a->width);
        if (!add(places, x, oro_random_between(&random, a->y, a->y + a->height), err))
            return false;
    }
    return true;
}

static bool place_grid(struct places *places, double jitter, struct oro_error *err)
{
    const struct oro_poisson *a = &places->area;
    uint32_t random = a->seed;
    int columns = whole(a->width / a->distance), rows = whole(a->height / a->distance);
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            double u = i + 0.5 + jitter * (oro_random_unit(&random) - 0.5);
            double v = j + 0.5 + jitter * (oro_random_unit(&random) - 0.5);
            if (!add(places, a->x + u / columns * a->width, a->y + v / rows * a->height, err))
                return false;
        }
    return true;
}

static bool place_clusters(struct places *places, const struct params *p, struct oro_error *err)
{
    const struct oro_poisson *a = &places->area;
    uint32_t random = a->seed;
    int clusters = whole(expected(places) / p->cluster_count);
    for (int i = 0; i < clusters; i++) {
        double x = oro_random_between(&random, a->x, a->x + a->width);
        double y = oro_random_between(&random, a->y, a->y + a->height);
        for (int k = 0; k < p->cluster_count; k++) {
            double away = (double)p->cluster_radius * oro_random_unit(&random);
            double angle = oro_random_between(&random, 0, 6.283185307179586);
            if (!add(places, x + away * cos(angle), y + away * sin(angle), err))
                return false;
        }
    }
    return true;
}

static bool place_vertices(struct oro_eval *e, struct places *places, struct oro_error *err)
{
    const struct oro_network *network = oro_eval_network(e, "network");
    if (!network)
        return oro_fail(err, ORO_E_EVALUATE, "the method 'vertices' needs a 'network'");
    const struct oro_vertex *vertices = oro_network_vertices(network);
    for (uint32_t i = 0; i < network->vertex_count; i++)
        if (!add(places, (double)vertices[i].x, (double)vertices[i].y, err))
            return false;
    return true;
}

static bool place(struct oro_eval *e, const struct params *p, struct places *places, struct oro_error *err)
{
    if (p->method != VERTICES && !(places->area.width > 0 && places->area.height > 0))
        return oro_fail(err, ORO_E_EVALUATE, "the rectangle from %g, %g to %g, %g has no area",
                        (double)p->from[0], (double)p->from[1], (double)p->to[0], (double)p->to[1]);
    switch (p->method) {
    case RANDOM:
        return place_random(places, err);
    case GRID:
        return place_grid(places, (double)p->jitter, err);
    case CLUSTERS:
        return place_clusters(places, p, err);
    case VERTICES:
        return place_vertices(e, places, err);
    default:
        return oro_poisson_discs(&places->area, &places->items, &places->count, err);
    }
}

/* The share of massifs that is kept: that of the cell which holds the place, or is nearest to it. */
struct density {
    const float *values; /* NULL: all are kept */
    const struct oro_grid *grid;
};

static double density_at(const struct density *density, struct oro_point at)
{
    const struct oro_grid *g = density->grid;
    if (!density->values)
        return 1;
    double column = fmin(fmax(floor((at.x - g->x) / g->cell), 0), g->width - 1);
    double row = fmin(fmax(floor((at.y - g->y) / g->cell), 0), g->height - 1);
    return (double)density->values[(size_t)row * (size_t)g->width + (size_t)column];
}

/* A number around 1. */
static double varied(uint32_t *random, float variation)
{
    return 1 + (double)variation * oro_random_between(random, -1, 1);
}

/* The numbers of each massif depend only on its place in the order, not on which others are kept. */
static struct oro_uplift *raise(const struct params *p, const struct places *places,
                                const struct density *density, struct oro_error *err)
{
    struct oro_uplift_segment *discs = oro_alloc(places->count + 1, sizeof *discs);
    size_t count = 0;
    if (!discs) {
        oro_fail(err, ORO_E_MEMORY, "no memory for %zu massifs", places->count);
        return NULL;
    }
    for (size_t i = 0; i < places->count; i++) {
        uint32_t random = oro_random_hash((uint32_t)i + oro_random_hash((uint32_t)p->seed));
        float x = (float)places->items[i].x, y = (float)places->items[i].y;
        float radius = (float)fmax((double)p->radius * varied(&random, p->radius_variation), 0.01);
        float uplift = (float)((double)p->uplift * varied(&random, p->uplift_variation));
        if (oro_random_unit(&random) < density_at(density, places->items[i]))
            discs[count++] = (struct oro_uplift_segment){x, y, x, y, radius, radius, uplift, uplift};
    }
    struct oro_uplift *tree = oro_uplift_smooth(discs, NULL, count, err);
    oro_free(discs);
    return tree;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {.code = ORO_OK};
    struct places places = {.area = rectangle(p, oro_eval_grid(e))};
    struct density density = {oro_eval_input_host(e, "density"), oro_eval_input_grid(e, "density")};
    if (oro_eval_linked(e, "density") && !density.values)
        return false;
    bool ok = place(e, p, &places, &err);
    struct oro_uplift *tree = ok ? raise(p, &places, &density, &err) : NULL;
    oro_free(places.items);
    return oro_eval_give_uplift(e, "uplift", tree, &err);
}

ORO_NODE(uplift_scatter, .version = 1, .category = "uplift",
         .words = "mountains, random mountains, hills, distribute, massifs, point scatter",
         .doc =
             "Many round massifs of different size: over the world, in a rectangle, or on the vertices of a "
             "network.",
         .paper = "Schott 2023, section 5.1", .spread = ORO_SPREAD_HOST, .eval = eval);
