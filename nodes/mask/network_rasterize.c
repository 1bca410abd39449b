/* Draws a network as a mask. */
#include <math.h>

#include "base/memory.h"
#include "graph/type/node.h"
#include "terrain/network/network.h"

struct params {
    const char *network;
    float width, feather;
    bool use_width;
};

static const struct oro_input inputs[] = {
    ORO_IN_NETWORK(struct params, network, NULL, .doc = "Lines and points to draw"),
    ORO_IN_LIKE(.doc = "A field of the size that is wanted; without it, the world's base resolution"),
    ORO_IN_FLOAT(struct params, width, 0, .handle = ORO_HANDLE_WIDTH, .handle_at = "network", .min = 0,
                 .max = 1e6, .soft_max = 2000, .unit = ORO_METRE,
                 .doc = "Width of the lines: 0 for the thinnest that are whole"),
    ORO_IN_FLOAT(struct params, feather, 0, .min = 0, .max = 1e6, .soft_max = 1000, .unit = ORO_METRE,
                 .doc = "Width of the soft edge on either side; at least a cell"),
    ORO_IN_BOOL(struct params, use_width, false,
                .doc = "Where a vertex knows its width, as a river's does, that counts instead of `width`"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .like = "like", .doc = "1 on the lines, 0 away from them"),
    {0},
};

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct oro_grid *like = oro_shape_input(s, "like");
    (void)data;
    *grid = like ? *like : *oro_shape_world(s);
    return true;
}

/* A piece of a line, in cells of the grid, counted from the centre of the first. */
struct stroke {
    double ax, ay, bx, by, half_a, half_b, soft;
};

static double half_width(const struct params *p, const struct oro_vertex *v)
{
    double width = p->use_width && !isnan(v->width) ? fmin((double)v->width, 1e6) : (double)p->width;
    return width / 2;
}

static struct stroke stroke_of(const struct params *p, const struct oro_grid *grid,
                               const struct oro_vertex *a, const struct oro_vertex *b)
{
    return (struct stroke){
        .ax = ((double)a->x - grid->x) / grid->cell - 0.5,
        .ay = ((double)a->y - grid->y) / grid->cell - 0.5,
        .bx = ((double)b->x - grid->x) / grid->cell - 0.5,
        .by = ((double)b->y - grid->y) / grid->cell - 0.5,
        .half_a = half_width(p, a) / grid->cell,
        .half_b = half_width(p, b) / grid->cell,
        .soft = fmax((double)p->feather / grid->cell, 1),
    };
}

static float coverage(const struct stroke *s, double x, double y)
{
    double ex = s->bx - s->ax, ey = s->by - s->ay, length2 = ex * ex + ey * ey;
    double t = length2 > 0 ? ((x - s->ax) * ex + (y - s->ay) * ey) / length2 : 0;
    t = fmin(fmax(t, 0), 1);
    double dx = x - s->ax - t * ex, dy = y - s->ay - t * ey, away = sqrt(dx * dx + dy * dy);
    double half = s->half_a + t * (s->half_b - s->half_a);
    return (float)fmin(fmax(1 + (half - away) / s->soft, 0), 1);
}

/* Cells from..to that are within the grid and near a..b. */
static void near_cells(double a, double b, double margin, int cells, int *from, int *to)
{
    *from = (int)fmin(fmax(floor(fmin(a, b) - margin), 0), cells);
    *to = (int)fmax(fmin(ceil(fmax(a, b) + margin), cells - 1), -1);
}

/* The part of a stroke that can touch the rows around y, so that long ones do not fill their whole box. */
static void row_span(const struct stroke *s, double y, double margin, double *a, double *b)
{
    double ey = s->by - s->ay, t0 = 0, t1 = 1;
    if (fabs(ey) > 1e-9) {
        double u = (y - margin - s->ay) / ey, v = (y + margin - s->ay) / ey;
        t0 = fmin(fmax(fmin(u, v), 0), 1);
        t1 = fmin(fmax(fmax(u, v), 0), 1);
    }
    *a = s->ax + t0 * (s->bx - s->ax);
    *b = s->ax + t1 * (s->bx - s->ax);
}

static void draw(const struct stroke *s, const struct oro_grid *grid, float *field)
{
    double margin = fmax(s->half_a, s->half_b) + s->soft, a, b;
    int top, bottom, left, right;
    near_cells(s->ay, s->by, margin, grid->height, &top, &bottom);
    for (int y = top; y <= bottom; y++) {
        row_span(s, y, margin, &a, &b);
        near_cells(a, b, margin, grid->width, &left, &right);
        for (int x = left; x <= right; x++) {
            float *at = &field[(size_t)y * (size_t)grid->width + (size_t)x];
            if (*at < 1)
                *at = fmaxf(*at, coverage(s, x, y));
        }
    }
}

static bool draw_all(struct oro_eval *e, const struct params *p, const struct oro_network *network,
                     float *field)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    const struct oro_grid *grid = oro_eval_grid(e);
    for (uint32_t line = 0; line < network->line_count; line++) {
        for (uint32_t i = starts[line]; i + 1 < starts[line + 1] && !oro_eval_stopped(e); i++) {
            struct stroke stroke = stroke_of(p, grid, &v[indices[i]], &v[indices[i + 1]]);
            draw(&stroke, grid, field);
        }
        if (!oro_eval_progress(e, (int)line + 1, (int)network->line_count))
            return false;
    }
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    const struct oro_network *network = oro_eval_network(e, "network");
    if (!network)
        return false;
    float *field = oro_alloc(cells, sizeof *field);
    if (!field)
        return oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu cells", cells);
    if (!draw_all(e, data, network, field)) {
        oro_free(field);
        return false;
    }
    return oro_eval_give_host(e, "field", field);
}

ORO_NODE(
    network_rasterize, .version = 1, .category = "mask",
    .words = "draw lines, spline to mask, line mask, river mask, path, stroke, lines to raster, road",
    .doc = "Draws ridges, rivers or other lines as a mask: to see them in a `hillshade`, or to let something "
           "happen along "
           "them.",
    .shape = shape, .spread = ORO_SPREAD_HOST, .eval = eval);
