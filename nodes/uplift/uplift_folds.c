/* Mountain ranges that follow the folds of the crust (Schott 2023, section 6.3). */
#include <math.h>

#include "base/memory.h"
#include "base/random.h"
#include "graph/type/node.h"
#include "nodes/lib/angle.h"
#include "nodes/uplift/uplift_lines.h"
#include "terrain/folds/folds.h"
#include "terrain/network/network.h"
#include "terrain/uplift/uplift.h"

struct params {
    int clusters, seed;
    float angle, distance, alpha, branching, density, elevation, uplift, radius, warp, wavelength;
};

static const struct oro_input inputs[] = {
    ORO_IN_VECTOR("tensor", .optional = true,
                  .doc = "Direction of the folds, from `tensor_field`; without it, that of `angle`"),
    ORO_IN_MAP(
        struct params, angle, 45, .handle = ORO_HANDLE_ROTATION, .min = -360, .max = 360, .soft_min = 0,
        .soft_max = 180, .unit = ORO_DEGREE,
        .doc = "Direction of the folds where no `tensor` is linked: 0 for north and south, 90 for east and "
               "west"),
    ORO_IN_FLOAT(
        struct params, distance, 0, .share = 0.04, .min = 0, .max = 1e7, .soft_max = 20000, .unit = ORO_METRE,
        .doc = "Between neighbouring summits: the size of the smallest landmark. 0: a twenty-fifth of "
               "the world's width"),
    ORO_IN_UPLIFT_HEIGHT(struct params),
    ORO_IN_FLOAT(struct params, radius, 0, .share = 0.05, .min = 0, .max = 1e6, .soft_max = 10000,
                 .unit = ORO_METRE,
                 .doc = "Half the width of the highest ranges. 0: a twentieth of the world's width"),
    ORO_IN_MAP(struct params, density, 1, .min = 0, .max = 1, .group = "Maps",
               .doc = "How many of the ranges are there: 0 for plains, 1 for all"),
    ORO_IN_MAP(struct params, elevation, 1, .min = 0, .max = 1, .group = "Maps",
               .doc = "How high and how wide ranges are, as a share of `uplift` and `radius`"),
    ORO_IN_FLOAT(
        struct params, alpha, 30, .min = 0, .max = 90, .unit = ORO_DEGREE, .group = "Growth",
        .doc = "How far a range may stray from the direction: small for many short parallel ranges, 90 for "
               "none of the direction"),
    ORO_IN_FLOAT(struct params, branching, 1, .min = 0, .max = 1, .group = "Growth",
                 .doc =
                     "1: ranges grow everywhere along them, with many spurs. 0: at their ends first, and are "
                     "longer"),
    ORO_IN_INT(struct params, clusters, 20, .min = 1, .max = 10000, .soft_max = 200, .group = "Growth",
               .doc = "How many ranges grow side by side and share the room; further ones fill the gaps"),
    ORO_IN_FLOAT(
        struct params, warp, 0, .share = 0.02, .min = 0, .max = 1e6, .soft_max = 5000, .unit = ORO_METRE,
        .group = "Warp",
        .doc = "How far crests are bent, up to half the wavelength. 0: a fiftieth of the world's width. The "
               "less, the straighter they run from summit to summit"),
    ORO_IN_FLOAT(struct params, wavelength, 0, .share = 0.2, .min = 0, .max = 1e7, .soft_max = 50000,
                 .unit = ORO_METRE, .group = "Warp",
                 .doc = "Length of the bends. 0: a fifth of the world's width"),
    ORO_IN_SEED(struct params, seed),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift", .doc = "The ranges"),
    ORO_OUT_NETWORK("network", .doc = "Their crests, from summit to summit and before they are bent"),
    {0},
};

/* ---- Maps ---- */

/* A raster of one or two channels over the grid; without values, the same everywhere. */
struct map {
    const struct oro_grid *grid;
    const float *values;
    int channels;
    double constant[2];
};

/* Bilinear between the centres of cells, constant beyond them. */
static void look_up(const struct map *map, struct oro_point at, double *result)
{
    const struct oro_grid *g = map->grid;
    for (int c = 0; c < map->channels; c++)
        result[c] = map->constant[c];
    if (!map->values)
        return;
    double x = fmin(fmax((at.x - g->x) / g->cell - 0.5, 0), g->width - 1);
    double y = fmin(fmax((at.y - g->y) / g->cell - 0.5, 0), g->height - 1);
    size_t column = (size_t)x, row = (size_t)y;
    size_t right = column + 1 < (size_t)g->width, below = row + 1 < (size_t)g->height;
    double u = x - (double)column, v = y - (double)row;
    for (int c = 0; c < map->channels; c++) {
        const float *corner = map->values + (row * (size_t)g->width + column) * (size_t)map->channels + c;
        const float *under = corner + below * (size_t)g->width * (size_t)map->channels;
        double north = (1 - u) * (double)corner[0] + u * (double)corner[right * (size_t)map->channels];
        double south = (1 - u) * (double)under[0] + u * (double)under[right * (size_t)map->channels];
        result[c] = (1 - v) * north + v * south;
    }
}

static void tensor_at(const void *user, struct oro_point at, double tensor[2])
{
    look_up(user, at, tensor);
}

/* A share, held to 0..1. */
static double share_at(const struct map *map, struct oro_point at)
{
    double share = 0;
    look_up(map, at, &share);
    return fmin(fmax(share, 0), 1);
}

/* ---- Ranges ---- */

struct folds {
    const struct params *params;
    struct map tensor, density, elevation;
    float *turned; /* tensors made of angles */
    struct oro_point *discs;
    size_t count;
    struct oro_neighbours neighbours;
    struct oro_clusters clusters;
    struct oro_uplift_segment *ranges;
    size_t range_count;
    struct oro_network_builder crests;
    uint32_t *vertex; /* of each disc, plus one; 0: none yet */
};

/* The tensor of a bearing: it has twice the angle, counted from the east. */
static void turn(double bearing, double tensor[2])
{
    double angle = 2 * oro_radians(bearing - 90);
    tensor[0] = cos(angle);
    tensor[1] = sin(angle);
}

static bool read_maps(struct oro_eval *e, struct folds *f)
{
    const struct params *p = f->params;
    const struct oro_grid *grid = oro_eval_grid(e);
    const float *tensor = oro_eval_input_host(e, "tensor");
    const float *angle = tensor ? NULL : oro_eval_input_host(e, "angle");
    f->density = (struct map){grid, oro_eval_input_host(e, "density"), 1, {(double)p->density}};
    f->elevation = (struct map){grid, oro_eval_input_host(e, "elevation"), 1, {(double)p->elevation}};
    f->tensor = (struct map){grid, tensor, 2, {0}};
    turn((double)p->angle, f->tensor.constant);
    if (!angle)
        return true;
    size_t cells = oro_grid_cells(grid);
    f->tensor.values = f->turned = oro_alloc(cells, 2 * sizeof(float));
    for (size_t i = 0; f->turned && i < cells; i++) {
        double turned[2];
        turn((double)angle[i], turned);
        f->turned[2 * i] = (float)turned[0];
        f->turned[2 * i + 1] = (float)turned[1];
    }
    return f->turned || oro_eval_fail(e, ORO_E_MEMORY, "no memory for directions");
}

static bool grow(struct oro_eval *e, struct folds *f)
{
    const struct params *p = f->params;
    const struct oro_grid *grid = oro_eval_grid(e);
    uint32_t random = (uint32_t)p->seed;
    struct oro_poisson poisson = {grid->x,
                                  grid->y,
                                  grid->width * grid->cell,
                                  grid->height * grid->cell,
                                  (double)p->distance,
                                  oro_random_next(&random)};
    struct oro_growth growth = {tensor_at,
                                &f->tensor,
                                oro_radians((double)p->alpha),
                                2 * (double)p->distance, /* longer than any edge between filled discs */
                                (uint32_t)p->clusters,
                                (double)p->branching,
                                oro_random_next(&random)};
    struct oro_error err = {0};
    if (!oro_poisson_discs(&poisson, &f->discs, &f->count, &err))
        return oro_eval_failed(e, &err);
    if (!oro_eval_progress(e, 1, 3))
        return false;
    if (!oro_delaunay(f->discs, f->count, &f->neighbours, &err))
        return oro_eval_failed(e, &err);
    return oro_eval_progress(e, 2, 3) &&
           (oro_grow_clusters(f->discs, f->count, &f->neighbours, &growth, &f->clusters, &err) ||
            oro_eval_failed(e, &err));
}

static uint32_t vertex_of(struct folds *f, uint32_t disc)
{
    if (f->vertex[disc] == 0)
        f->vertex[disc] = 1 + oro_network_add_vertex(&f->crests, oro_vertex_at((float)f->discs[disc].x,
                                                                               (float)f->discs[disc].y));
    return f->vertex[disc] - 1;
}

/* An edge of a cluster becomes a segment of a range. One that rises nowhere is left out. */
static void add_range(struct folds *f, uint32_t from, uint32_t to)
{
    const double least = 1e-3, narrowest = 0.03; /* of the uplift; of the radius */
    struct oro_point a = f->discs[from], b = f->discs[to];
    double high_a = share_at(&f->elevation, a), high_b = share_at(&f->elevation, b);
    if (fmax(high_a, high_b) < least)
        return;
    f->ranges[f->range_count++] =
        (struct oro_uplift_segment){.ax = (float)a.x,
                                    .ay = (float)a.y,
                                    .bx = (float)b.x,
                                    .by = (float)b.y,
                                    .radius_a = (float)((double)f->params->radius * fmax(high_a, narrowest)),
                                    .radius_b = (float)((double)f->params->radius * fmax(high_b, narrowest)),
                                    .uplift_a = (float)((double)f->params->uplift * high_a),
                                    .uplift_b = (float)((double)f->params->uplift * high_b)};
    uint32_t line[] = {vertex_of(f, from), vertex_of(f, to)};
    oro_network_add_line(&f->crests, line, 2);
}

/* Each edge has a number of its own that the density must exceed: where the density grows, ranges are added
 * and none vanishes. */
static bool make_ranges(struct oro_eval *e, struct folds *f)
{
    uint32_t salt = oro_random_hash((uint32_t)f->params->seed ^ 0x5bd1e995u);
    f->ranges = oro_alloc(f->count + 1, sizeof *f->ranges);
    f->vertex = oro_alloc(f->count + 1, sizeof *f->vertex);
    if (!f->ranges || !f->vertex)
        return oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu ranges", f->count);
    for (uint32_t disc = 0; disc < f->count; disc++) {
        uint32_t parent = f->clusters.parent[disc], random = salt + disc;
        struct oro_point middle = {(f->discs[disc].x + f->discs[parent].x) / 2,
                                   (f->discs[disc].y + f->discs[parent].y) / 2};
        if (parent != disc && oro_random_unit(&random) < share_at(&f->density, middle))
            add_range(f, parent, disc);
    }
    return true;
}

static struct oro_uplift *make_tree(const struct folds *f, struct oro_error *err)
{
    const struct params *p = f->params;
    struct oro_uplift *ranges = oro_uplift_smooth(f->ranges, NULL, f->range_count, err);
    if (!ranges)
        return ranges;
    enum { OCTAVES = 2 };
    struct oro_uplift *bent = oro_uplift_noise(ranges, (double)p->warp, (double)p->wavelength, OCTAVES,
                                               oro_random_hash((uint32_t)p->seed), err);
    oro_free(ranges);
    return bent;
}

static bool give(struct oro_eval *e, struct folds *f)
{
    struct oro_error err = {0};
    struct oro_network *network = oro_network_finish(&f->crests, &err);
    f->crests = (struct oro_network_builder){0};
    if (!oro_eval_give_network(e, "network", network, &err) ||
        !oro_eval_give_uplift(e, "uplift", make_tree(f, &err), &err))
        return false;
    oro_eval_figure(e, "discs", (double)f->count, "");
    oro_eval_figure(e, "clusters", (double)f->clusters.count, "");
    oro_eval_figure(e, "segments", (double)f->range_count, "");
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    struct folds f = {.params = data};
    bool ok = read_maps(e, &f) && grow(e, &f) && make_ranges(e, &f) && give(e, &f);
    if (!ok)
        oro_free(oro_network_finish(&f.crests, NULL)); /* only frees */
    oro_free(f.turned);
    oro_free(f.discs);
    oro_neighbours_free(&f.neighbours);
    oro_clusters_free(&f.clusters);
    oro_free(f.ranges);
    oro_free(f.vertex);
    return ok;
}

ORO_NODE(
    uplift_folds, .version = 1, .category = "uplift",
    .words = "folding, fold belt, tectonics, anticlines, parallel ranges, strata folds",
    .doc = "Mountain ranges along folds, like those of the Zagros: summits spread evenly over the world are "
           "joined into "
           "ranges along a direction. Maps say where there are ranges, and how high.",
    .paper = "Schott 2023, section 6.3", .spread = ORO_SPREAD_HOST, .eval = eval);
