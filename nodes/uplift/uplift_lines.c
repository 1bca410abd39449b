#include "nodes/uplift/uplift_lines.h"

#include <math.h>

#include "base/memory.h"
#include "nodes/lib/profile.h"
#include "terrain/uplift/uplift.h"

enum { BEND_PIECES_MAX = 64, PIECES_MAX = 1 << 22 };

/* A line under work: first its vertices, then the points of its curve. */
struct points {
    struct oro_line_end *items;
    size_t count, capacity;
};

struct work {
    const struct oro_line_options *options;
    struct points vertices, curve;
    struct oro_line_piece *pieces;
    size_t count, capacity;
    bool failed, full; /* memory is out; there are too many pieces */
};

static void add_point(struct work *w, struct points *points, struct oro_line_end point)
{
    w->full = w->full || points->count > PIECES_MAX;
    if (w->full)
        return;
    if (w->failed ||
        !oro_reserve((void **)&points->items, &points->capacity, points->count + 1, sizeof *points->items)) {
        w->failed = true;
        return;
    }
    points->items[points->count++] = point;
}

static void add_piece(struct work *w, struct oro_line_end a, struct oro_line_end b)
{
    w->full = w->full || w->count > PIECES_MAX;
    if (w->full)
        return;
    if (w->failed || !oro_reserve((void **)&w->pieces, &w->capacity, w->count + 1, sizeof *w->pieces)) {
        w->failed = true;
        return;
    }
    w->pieces[w->count++] = (struct oro_line_piece){a, b};
}

static struct oro_line_end mix(struct oro_line_end a, struct oro_line_end b, double t)
{
    return (struct oro_line_end){(1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y,
                                 (1 - t) * a.along + t * b.along, (1 - t) * a.width + t * b.width};
}

/* ---- From vertices to a curve ---- */

static void read_vertices(struct work *w, const struct oro_network *network, uint32_t line)
{
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    const struct oro_vertex *vertices = oro_network_vertices(network);
    w->vertices.count = 0;
    for (uint32_t i = starts[line]; i < starts[line + 1]; i++) {
        const struct oro_vertex *v = &vertices[indices[i]];
        bool known = w->options->use_width && v->width > 0;
        add_point(w, &w->vertices,
                  (struct oro_line_end){(double)v->x, (double)v->y, 0,
                                        known ? (double)v->width : w->options->width});
    }
}

/* Straight pieces for a bend, so that each turns by 2 degrees or less. */
static int pieces_of_bend(struct oro_line_end a, struct oro_line_end b, struct oro_line_end c)
{
    double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
    double turn = fabs(atan2(ux * vy - uy * vx, ux * vx + uy * vy));
    return (int)fmin(ceil(turn * 90 / 3.141592653589793) + 1, BEND_PIECES_MAX);
}

/* Adds a bend from `a` to `c`, pulled towards `b`, without its first point. */
static void add_bend(struct work *w, struct oro_line_end a, struct oro_line_end b, struct oro_line_end c)
{
    int count = pieces_of_bend(a, b, c);
    for (int i = 1; i <= count; i++) {
        double s = (double)i / count;
        add_point(w, &w->curve, mix(mix(a, b, s), mix(b, c, s), s));
    }
}

static void bend_closed(struct work *w)
{
    const struct oro_line_end *v = w->vertices.items;
    size_t count = w->vertices.count - 1; /* the last is the first */
    add_point(w, &w->curve, mix(v[count - 1], v[0], 0.5));
    for (size_t i = 0; i < count; i++)
        add_bend(w, mix(v[(i + count - 1) % count], v[i], 0.5), v[i], mix(v[i], v[(i + 1) % count], 0.5));
}

/* The curve begins and ends at the first and the last vertex. */
static void bend_open(struct work *w)
{
    const struct oro_line_end *v = w->vertices.items;
    size_t last = w->vertices.count - 1;
    add_point(w, &w->curve, v[0]);
    for (size_t i = 1; i < last; i++)
        add_bend(w, i == 1 ? v[0] : mix(v[i - 1], v[i], 0.5), v[i],
                 i + 1 == last ? v[last] : mix(v[i], v[i + 1], 0.5));
}

static void make_curve(struct work *w)
{
    const struct points *v = &w->vertices;
    w->curve.count = 0;
    if (w->failed)
        return;
    bool closed = v->count > 3 && v->items[0].x == v->items[v->count - 1].x &&
                  v->items[0].y == v->items[v->count - 1].y;
    if (w->options->smooth && closed)
        bend_closed(w);
    else if (w->options->smooth && v->count > 2)
        bend_open(w);
    else
        for (size_t i = 0; i < v->count; i++)
            add_point(w, &w->curve, v->items[i]);
}

static void measure(struct points *curve)
{
    double length = 0;
    for (size_t i = 1; i < curve->count; i++) {
        struct oro_line_end *a = &curve->items[i - 1], *b = &curve->items[i];
        length += hypot(b->x - a->x, b->y - a->y);
        b->along = length;
    }
    curve->items[0].along = 0;
    for (size_t i = 1; i < curve->count && length > 0; i++)
        curve->items[i].along /= length;
}

/* ---- From a curve to pieces ---- */

/* The first place after `from` where a profile bends, at most `to`. */
static double next_bend(const struct oro_line_options *options, double from, double to)
{
    for (int i = 0; i < 2; i++)
        for (int k = 0; options->profiles[i] && k < options->profiles[i]->count; k++) {
            double x = (double)options->profiles[i]->x[k];
            to = x > from && x < to ? x : to;
        }
    return to;
}

static void cut(struct work *w, struct oro_line_end a, struct oro_line_end b)
{
    double from = a.along, span = b.along - a.along;
    while (!w->failed && !w->full) {
        double to = next_bend(w->options, a.along, b.along);
        if (!(to < b.along))
            break;
        struct oro_line_end middle = mix(a, b, (to - a.along) / (b.along - a.along));
        middle.along = to;
        add_piece(w, a, middle);
        a = middle;
    }
    if (b.along > from || span == 0)
        add_piece(w, a, b);
}

static void add_line(struct work *w, const struct oro_network *network, uint32_t line)
{
    read_vertices(w, network, line);
    make_curve(w);
    if (w->failed || w->curve.count == 0)
        return;
    measure(&w->curve);
    for (size_t i = 0; i + 1 < w->curve.count; i++)
        cut(w, w->curve.items[i], w->curve.items[i + 1]);
}

bool oro_network_pieces(const struct oro_network *network, const struct oro_line_options *options,
                        struct oro_line_piece **pieces, size_t *count, struct oro_error *err)
{
    struct work w = {.options = options};
    for (uint32_t i = 0; i < network->line_count && !w.failed && !w.full; i++)
        add_line(&w, network, i);
    oro_free(w.vertices.items);
    oro_free(w.curve.items);
    *pieces = w.pieces;
    *count = w.count;
    if (!w.failed && !w.full && w.count <= PIECES_MAX)
        return true;
    oro_free(w.pieces);
    *pieces = NULL;
    return w.failed
               ? oro_fail(err, ORO_E_MEMORY, "no memory for %zu pieces of lines", w.count)
               : oro_fail(err, ORO_E_LIMIT, "the lines of the network have more than %d pieces", PIECES_MAX);
}

/* ---- Ranges ---- */

double oro_profile_at(const struct oro_profile *profile, double x)
{
    return fmax(oro_profile_value(profile, x), 0);
}

static float radius_at(const struct oro_line_end *end, const struct oro_range_style *style)
{
    double radius = end->width / 2 * oro_profile_at(style->radius_profile, end->along);
    return (float)fmin(fmax(radius, 0.01), 1e7);
}

static float uplift_at(const struct oro_line_end *end, const struct oro_range_style *style)
{
    return (float)fmin(style->uplift * oro_profile_at(style->uplift_profile, end->along), 1000);
}

struct oro_uplift *oro_uplift_along(const struct oro_line_piece *pieces, size_t count,
                                    const struct oro_range_style *style, struct oro_error *err)
{
    struct oro_uplift_segment *ranges = oro_alloc(count + 1, sizeof *ranges);
    if (!ranges) {
        oro_fail(err, ORO_E_MEMORY, "no memory for %zu ranges", count);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const struct oro_line_end *a = &pieces[i].a, *b = &pieces[i].b;
        ranges[i] = (struct oro_uplift_segment){(float)a->x,         (float)a->y,         (float)b->x,
                                                (float)b->y,         radius_at(a, style), radius_at(b, style),
                                                uplift_at(a, style), uplift_at(b, style)};
    }
    struct oro_uplift *tree = oro_uplift_ranges(ranges, count, err);
    oro_free(ranges);
    return tree;
}
