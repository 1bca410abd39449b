#include "nodes/uplift/uplift_lines.h"

#include <math.h>

#include "base/memory.h"
#include "nodes/lib/profile.h"
#include "terrain/uplift/uplift.h"

enum { PIECES_MAX = ORO_LINE_POINTS_MAX };

/* A line under work: first its vertices, then the points of its curve. */
struct work {
    const struct oro_line_options *options;
    struct oro_line_points vertices, curve;
    struct oro_line_piece *pieces;
    size_t count, capacity;
    uint32_t line;
    bool failed, full; /* memory is out; there are too many pieces */
};

static void add_piece(struct work *w, struct oro_line_end a, struct oro_line_end b)
{
    w->full = w->full || w->count > PIECES_MAX;
    if (w->full)
        return;
    if (w->failed || !oro_reserve((void **)&w->pieces, &w->capacity, w->count + 1, sizeof *w->pieces)) {
        w->failed = true;
        return;
    }
    w->pieces[w->count++] = (struct oro_line_piece){a, b, w->line};
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
        if (!oro_line_add(&w->vertices,
                          (struct oro_line_end){.x = (double)v->x,
                                                .y = (double)v->y,
                                                .width = known ? (double)v->width : w->options->width})) {
            w->full = w->vertices.count >= PIECES_MAX;
            w->failed = !w->full;
            return;
        }
    }
}

static void make_curve(struct work *w)
{
    struct oro_line_points *v = &w->vertices;
    bool ok = true;
    w->curve.count = 0;
    if (w->failed || w->full)
        return;
    if (w->options->smooth && v->count > 2)
        ok = oro_line_bend(v, oro_line_is_ring(v), &w->curve);
    else
        for (size_t i = 0; i < v->count && ok; i++)
            ok = oro_line_add(&w->curve, v->items[i]);
    w->full = w->full || (!ok && w->curve.count >= PIECES_MAX);
    w->failed = !ok && !w->full;
}

static void measure(struct oro_line_points *curve)
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
        double t = (to - a.along) / (b.along - a.along);
        struct oro_line_end middle = {(1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y, to,
                                      (1 - t) * a.width + t * b.width, (1 - t) * a.vertex + t * b.vertex};
        add_piece(w, a, middle);
        a = middle;
    }
    if (b.along > from || span == 0)
        add_piece(w, a, b);
}

static void add_line(struct work *w, const struct oro_network *network, uint32_t line)
{
    w->line = line;
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
    oro_line_free(&w.vertices);
    oro_line_free(&w.curve);
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

/* The points of curves under construction. */
struct curves {
    struct oro_curve_point *points;
    size_t count, capacity;
    double least; /* radius */
};

/* Where a line is less than a thousandth as wide as at its widest, nobody sees how wide it is, and its points
 * would be without number. */
static void find_least(struct curves *c, const struct oro_uplift_segment *segments, size_t count)
{
    float widest = 0;
    for (size_t i = 0; i < count; i++)
        widest = fmaxf(widest, fmaxf(segments[i].radius_a, segments[i].radius_b));
    c->least = 1e-3 * (double)widest;
}

/* A segment's length in radii, where the radius changes evenly along it. */
static double radii_of(const struct curves *c, const struct oro_uplift_segment *s)
{
    double a = fmax((double)s->radius_a, c->least), b = fmax((double)s->radius_b, c->least);
    double length = hypot((double)s->bx - (double)s->ax, (double)s->by - (double)s->ay), change = (b - a) / a;
    return length / a * (fabs(change) < 1e-6 ? 1 : log1p(change) / change);
}

/* The point `share` of the way along a segment, by its length in radii. */
static struct oro_curve_point point_on(const struct curves *c, const struct oro_uplift_segment *s,
                                       double share, double length)
{
    double ra = fmax((double)s->radius_a, c->least), rb = fmax((double)s->radius_b, c->least);
    double change = (rb - ra) / ra, t = fabs(change) < 1e-6 ? share : expm1(share * log1p(change)) / change;
    return (struct oro_curve_point){.x = (float)((1 - t) * (double)s->ax + t * (double)s->bx),
                                    .y = (float)((1 - t) * (double)s->ay + t * (double)s->by),
                                    .radius = (float)((1 - t) * ra + t * rb),
                                    .uplift =
                                        (float)((1 - t) * (double)s->uplift_a + t * (double)s->uplift_b),
                                    .length = (float)length};
}

/* Makes room for a curve of so many radii. 0: it failed. */
static size_t make_room(struct curves *c, double radii, struct oro_error *err)
{
    double steps = fmax(ceil(radii / ORO_CURVE_STEP), 1);
    if (steps > (double)(PIECES_MAX - c->count)) {
        oro_fail(err, ORO_E_LIMIT, "the lines are too long for ranges so narrow: more than %.0f radii",
                 PIECES_MAX * ORO_CURVE_STEP);
        return 0;
    }
    if (oro_reserve((void **)&c->points, &c->capacity, c->count + (size_t)steps, sizeof *c->points))
        return (size_t)steps;
    oro_fail(err, ORO_E_MEMORY, "no memory for curves of %zu points", c->count + (size_t)steps);
    return 0;
}

/* Adds the points of one line, in the middles of equal steps. `whole`: it is no part of another, as a point
 * never is. */
static bool add_curve(struct curves *c, const struct oro_uplift_segment *segments, size_t count, bool whole,
                      struct oro_error *err)
{
    double radii = 0, before = 0, own = radii_of(c, &segments[0]);
    for (size_t i = 0; i < count; i++)
        radii += radii_of(c, &segments[i]);
    size_t steps = make_room(c, radii, err);
    double step = steps > 0 ? radii / (double)steps : 0;
    double length = steps > 0 && (whole || !(radii > 0)) ? oro_curve_length(radii, steps) : step;
    for (size_t k = 0, i = 0; k < steps; k++) {
        double at = ((double)k + 0.5) * step;
        while (at > before + own && i + 1 < count) {
            before += own;
            own = radii_of(c, &segments[++i]);
        }
        double share = own > 0 ? fmin((at - before) / own, 1) : 0;
        c->points[c->count++] = point_on(c, &segments[i], share, length);
    }
    return steps > 0;
}

struct oro_uplift *oro_uplift_smooth(const struct oro_uplift_segment *segments, const uint32_t *lines,
                                     size_t count, struct oro_error *err)
{
    struct curves c = {0};
    struct oro_uplift *tree = NULL;
    bool ok = true;
    for (size_t i = 0, end; i < count && ok; i = end) {
        for (end = i + 1; lines && end < count && lines[end] == lines[i];)
            end++;
        find_least(&c, segments + i, end - i);
        ok = add_curve(&c, segments + i, end - i, lines, err);
    }
    if (ok)
        tree = oro_uplift_curves(c.points, c.count, err);
    oro_free(c.points);
    return tree;
}

struct oro_uplift *oro_uplift_along(const struct oro_line_piece *pieces, size_t count,
                                    const struct oro_range_style *style, struct oro_error *err)
{
    struct oro_uplift_segment *segments = oro_alloc(count + 1, sizeof *segments);
    uint32_t *lines = oro_alloc(count + 1, sizeof *lines);
    struct oro_uplift *tree = NULL;
    for (size_t i = 0; segments && lines && i < count; i++) {
        const struct oro_line_end *a = &pieces[i].a, *b = &pieces[i].b;
        segments[i] = (struct oro_uplift_segment){
            (float)a->x,         (float)a->y,         (float)b->x,         (float)b->y,
            radius_at(a, style), radius_at(b, style), uplift_at(a, style), uplift_at(b, style)};
        lines[i] = pieces[i].line;
    }
    if (segments && lines)
        tree = oro_uplift_smooth(segments, lines, count, err);
    else
        oro_fail(err, ORO_E_MEMORY, "no memory for %zu pieces of lines", count);
    oro_free(segments);
    oro_free(lines);
    return tree;
}
