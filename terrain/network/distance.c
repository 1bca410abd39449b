/* How long networks are, how far apart their lines, and how far from those of another: by a tree of boxes
 * around the segments, halved by their number, so that no lie of the lines makes it slow. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "terrain/network/network_private.h"

struct segment {
    float ax, ay, bx, by;
};

struct box {
    float low[2], high[2];
};

/* Node 1 has all segments; node k's halves are 2 k and 2 k + 1. */
struct forest {
    struct segment *segments;
    struct box *boxes;
    size_t count;
};

enum { LEAF = 4, SAMPLES_MAX = 1 << 20 };

static double length_of(const struct segment *s)
{
    return hypot((double)s->bx - (double)s->ax, (double)s->by - (double)s->ay);
}

/* Segments of all lines, points among them. The caller frees. */
static struct segment *segments_of(const struct oro_network *network, size_t *count)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    struct segment *segments = oro_alloc(network->index_count, sizeof *segments);
    *count = 0;
    for (uint32_t line = 0; segments && line < network->line_count; line++)
        for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++) {
            const struct oro_vertex *a = &v[indices[i]], *b = &v[indices[i + 1]];
            segments[(*count)++] = (struct segment){a->x, a->y, b->x, b->y};
        }
    return segments;
}

static void grow(struct box *box, const struct segment *s)
{
    box->low[0] = fminf(box->low[0], fminf(s->ax, s->bx));
    box->low[1] = fminf(box->low[1], fminf(s->ay, s->by));
    box->high[0] = fmaxf(box->high[0], fmaxf(s->ax, s->bx));
    box->high[1] = fmaxf(box->high[1], fmaxf(s->ay, s->by));
}

static int by_x(const void *a, const void *b)
{
    const struct segment *s = a, *t = b;
    double p = (double)s->ax + (double)s->bx, q = (double)t->ax + (double)t->bx;
    return p < q ? -1 : p > q;
}

static int by_y(const void *a, const void *b)
{
    const struct segment *s = a, *t = b;
    double p = (double)s->ay + (double)s->by, q = (double)t->ay + (double)t->by;
    return p < q ? -1 : p > q;
}

/* Depth is log2 of the count. */
static void halve(struct forest *f, size_t node, size_t first, size_t end)
{
    struct box *box = &f->boxes[node];
    *box = (struct box){{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}};
    for (size_t i = first; i < end; i++)
        grow(box, &f->segments[i]);
    if (end - first <= LEAF)
        return;
    bool wide = box->high[0] - box->low[0] >= box->high[1] - box->low[1];
    qsort(f->segments + first, end - first, sizeof *f->segments, wide ? by_x : by_y);
    halve(f, 2 * node, first, first + (end - first) / 2);
    halve(f, 2 * node + 1, first + (end - first) / 2, end);
}

static double squared_to_box(const struct box *box, const double p[2])
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        double below = (double)box->low[k] - p[k], above = p[k] - (double)box->high[k];
        double away = fmax(0, fmax(below, above));
        sum += away * away;
    }
    return sum;
}

static double squared_to_segment(const struct segment *s, const double p[2])
{
    double ex = (double)s->bx - (double)s->ax, ey = (double)s->by - (double)s->ay;
    double px = p[0] - (double)s->ax, py = p[1] - (double)s->ay, long2 = ex * ex + ey * ey;
    double t = long2 > 0 ? fmin(1, fmax(0, (px * ex + py * ey) / long2)) : 0;
    return (px - t * ex) * (px - t * ex) + (py - t * ey) * (py - t * ey);
}

/* The lesser of `best` and the squared distance to the segments of a node. Looks at the nearer half first. */
static double nearest(const struct forest *f, size_t node, size_t first, size_t end, const double p[2],
                      double best)
{
    if (squared_to_box(&f->boxes[node], p) >= best)
        return best;
    if (end - first <= LEAF) {
        for (size_t i = first; i < end; i++)
            best = fmin(best, squared_to_segment(&f->segments[i], p));
        return best;
    }
    size_t middle = first + (end - first) / 2;
    bool swap = squared_to_box(&f->boxes[2 * node + 1], p) < squared_to_box(&f->boxes[2 * node], p);
    for (int k = 0; k < 2; k++)
        best = swap == (k == 0) ? nearest(f, 2 * node + 1, middle, end, p, best)
                                : nearest(f, 2 * node, first, middle, p, best);
    return best;
}

static double mean_distance(const struct segment *a, size_t count, const struct forest *b, double step)
{
    double sum = 0, weight = 0, total = 0;
    for (size_t i = 0; i < count; i++)
        total += length_of(&a[i]);
    step = fmax(step, total / SAMPLES_MAX);
    for (size_t i = 0; i < count; i++) {
        double length = length_of(&a[i]), cut = fmax(1, ceil(length / step));
        size_t pieces = (size_t)cut;
        double each = length > 0 ? length / cut : step; /* a point counts as a step */
        for (size_t k = 0; k < pieces; k++) {
            double t = ((double)k + 0.5) / cut;
            double p[2] = {(double)a[i].ax + t * ((double)a[i].bx - (double)a[i].ax),
                           (double)a[i].ay + t * ((double)a[i].by - (double)a[i].ay)};
            sum += each * sqrt(nearest(b, 1, 0, b->count, p, INFINITY));
            weight += each;
        }
    }
    return sum / weight;
}

double oro_network_length(const struct oro_network *network)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *starts = oro_network_starts(network), *indices = oro_network_indices(network);
    double length = 0;
    for (uint32_t line = 0; line < network->line_count; line++)
        for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++) {
            const struct oro_vertex *a = &v[indices[i]], *b = &v[indices[i + 1]];
            length += hypot((double)b->x - (double)a->x, (double)b->y - (double)a->y);
        }
    return length;
}

double oro_network_spacing(const struct oro_network *network)
{
    const struct oro_vertex *v = oro_network_vertices(network);
    const uint32_t *indices = oro_network_indices(network);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    double length = oro_network_length(network);
    for (uint32_t i = 0; i < network->index_count; i++) {
        const double at[2] = {(double)v[indices[i]].x, (double)v[indices[i]].y};
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    double longer = fmax(high[0] - low[0], high[1] - low[1]);
    double shorter = fmax(fmin(high[0] - low[0], high[1] - low[1]), longer / 4);
    return length > 0 ? longer * shorter / length : 0;
}

double oro_network_distance(const struct oro_network *a, const struct oro_network *b, double step)
{
    struct forest forest = {0};
    size_t count = 0;
    if (!(step > 0) || isinf(step) || a->line_count == 0 || b->line_count == 0)
        return NAN;
    struct segment *from = segments_of(a, &count);
    forest.segments = segments_of(b, &forest.count);
    forest.boxes = oro_alloc(forest.count, 2 * sizeof *forest.boxes);
    double mean = NAN;
    if (from && forest.segments && forest.boxes) {
        halve(&forest, 1, 0, forest.count);
        mean = mean_distance(from, count, &forest, step);
    }
    oro_free(from);
    oro_free(forest.segments);
    oro_free(forest.boxes);
    return mean;
}
