/* Sorting the primitives of a group into the bins of a grid, so that a point meets only those near it. */
#include <math.h>

#include "base/memory.h"
#include "terrain/uplift/tree_private.h"

/* Entries per primitive that are aimed at, and the most bins per primitive. With more and smaller bins a
 * point meets fewer primitives in vain, but more has to be sorted and uploaded. */
enum { ENTRIES = 7, BINS = 4 };

struct sorting {
    const struct oro_op *group;
    struct oro_bins *bins;
    double per_metre; /* bins */
    double margin;    /* added to radii, in bins: kernels compute in floats */
    struct oro_bin_run *runs;
    size_t run_count, run_capacity;
};

/* A side for which the primitives, of area A and extents w and h in all, meet about ENTRIES bins each: a
 * convex shape meets (A + (w + h) side + side^2) / side^2 of them on average. */
static double choose_side(const struct oro_op *group, const double box[4])
{
    double area = 0, extents = 0, count = group->operands[0];
    for (size_t i = 0; i < group->operands[0]; i++) {
        struct oro_uplift_segment r = oro_op_record(group, i);
        double own[4], a = (double)r.radius_a, b = (double)r.radius_b;
        double dx = (double)r.bx - (double)r.ax, dy = (double)r.by - (double)r.ay;
        oro_record_box(&r, own);
        extents += own[2] - own[0] + own[3] - own[1];
        area += (a + b) * sqrt(dx * dx + dy * dy) + 1.57 * (a * a + b * b);
    }
    double most = (ENTRIES - 1) * count, width = box[2] - box[0], height = box[3] - box[1];
    double side = (extents + sqrt(extents * extents + 4 * most * area)) / (2 * most);
    side = fmax(side, sqrt(width * height / (BINS * count)));
    /* Long and thin groups; and no side is so small that positions cannot be told apart. */
    side = fmax(side, fmax(width, height) / fmin(BINS * count, 1 << 20));
    return fmax(side, 1e-6 * (fabs(box[0]) + fabs(box[1]) + width + height));
}

/* fmin and fmax would be calls, for the sake of NaN. */
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

/* A primitive in bins from the grid's corner: two discs, and the straight sides between them. */
struct disc {
    double x, y, radius;
};
struct side {
    double x, top, bottom, slope; /* x at the top, and how it grows from there */
};
struct shape {
    struct disc discs[2];
    struct side sides[2];
    int side_count;
};

static struct disc disc_of(const struct sorting *s, float x, float y, float radius)
{
    return (struct disc){((double)x - (double)s->bins->x) * s->per_metre,
                         ((double)y - (double)s->bins->y) * s->per_metre,
                         (double)radius * s->per_metre + s->margin};
}

static struct side side_of(double ax, double ay, double bx, double by)
{
    if (ay > by)
        return side_of(bx, by, ax, ay);
    return (struct side){ax, ay, by, by > ay ? (bx - ax) / (by - ay) : 0};
}

static struct shape shape_of(const struct sorting *s, size_t index)
{
    struct oro_uplift_segment r = oro_op_record(s->group, index);
    struct disc a = disc_of(s, r.ax, r.ay, r.radius_a), b = disc_of(s, r.bx, r.by, r.radius_b);
    struct shape shape = {.discs = {a, b}};
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    for (int sign = -1; sign <= 1 && length > 0; sign += 2) {
        double nx = -sign * dy / length, ny = sign * dx / length;
        shape.sides[shape.side_count++] =
            side_of(a.x + nx * a.radius, a.y + ny * a.radius, b.x + nx * b.radius, b.y + ny * b.radius);
    }
    return shape;
}

static inline void widen(double span[2], double low, double high)
{
    span[0] = lesser(low, span[0]);
    span[1] = greater(high, span[1]);
}

static inline void disc_span(const struct disc *disc, double top, double span[2])
{
    double away = greater(greater(top - disc->y, disc->y - top - 1), 0);
    if (away >= disc->radius)
        return;
    double half = away > 0 ? sqrt(disc->radius * disc->radius - away * away) : disc->radius;
    widen(span, disc->x - half, disc->x + half);
}

static inline void side_span(const struct side *side, double top, double span[2])
{
    if (side->bottom < top || side->top > top + 1)
        return;
    double from = side->x + (greater(side->top, top) - side->top) * side->slope;
    double to = side->x + (lesser(side->bottom, top + 1) - side->top) * side->slope;
    widen(span, lesser(from, to), greater(from, to));
}

/* The bin that a coordinate falls into. */
static inline uint32_t bin_of(double at, uint32_t bins)
{
    return (uint32_t)lesser(greater(at, 0), bins - 1);
}

static bool add_run(struct sorting *s, size_t index, uint32_t row, const double span[2])
{
    uint32_t columns = s->bins->columns, first = bin_of(span[0], columns), last = bin_of(span[1], columns);
    if (s->run_count == s->run_capacity &&
        !oro_reserve((void **)&s->runs, &s->run_capacity, s->run_count + 1, sizeof *s->runs))
        return false;
    s->runs[s->run_count++] = (struct oro_bin_run){row * columns + first, last - first + 1, (uint32_t)index};
    return true;
}

/* Adds the bins of each row where the primitive lies between the row's upper and lower edge. */
static bool add_primitive(struct sorting *s, size_t index)
{
    struct shape shape = shape_of(s, index);
    const struct disc *a = &shape.discs[0], *b = &shape.discs[1];
    uint32_t first = bin_of(lesser(a->y - a->radius, b->y - b->radius), s->bins->rows);
    uint32_t last = bin_of(greater(a->y + a->radius, b->y + b->radius), s->bins->rows);
    for (uint32_t row = first; row <= last; row++) {
        double span[2] = {INFINITY, -INFINITY};
        disc_span(a, row, span);
        disc_span(b, row, span);
        for (int i = 0; i < shape.side_count; i++)
            side_span(&shape.sides[i], row, span);
        if (span[0] <= span[1] && !add_run(s, index, row, span))
            return false;
    }
    return true;
}

/* Counting sort. Items come in rising order, so they stay so within a bin. */
bool oro_bins_sort(struct oro_bins *bins, const struct oro_bin_run *runs, size_t count)
{
    size_t cells = (size_t)bins->columns * bins->rows, entries = 0;
    for (size_t i = 0; i < count; i++)
        entries += runs[i].count;
    bins->words = cells + 1 + entries;
    bins->starts = oro_alloc(bins->words, sizeof *bins->starts);
    if (!bins->starts)
        return false;
    bins->indices = bins->starts + cells + 1;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < runs[i].count; k++)
            bins->starts[runs[i].bin + k]++;
    uint32_t before = 0;
    for (size_t i = 0; i <= cells; i++) {
        uint32_t own = bins->starts[i];
        bins->starts[i] = before;
        before += own;
    }
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < runs[i].count; k++)
            bins->indices[bins->starts[runs[i].bin + k]++] = runs[i].item;
    /* Each start has moved to the next one. */
    memmove(bins->starts + 1, bins->starts, cells * sizeof *bins->starts);
    bins->starts[0] = 0;
    return true;
}

static void place_grid(const struct oro_op *group, struct sorting *s)
{
    double box[4], size = 0;
    oro_leaf_box(group, box);
    for (int i = 0; i < 4; i++)
        size = fmax(size, fabs(box[i]));
    double side = choose_side(group, box);
    s->bins->x = (float)box[0];
    s->bins->y = (float)box[1];
    s->bins->side = (float)side;
    s->bins->columns = (uint32_t)((box[2] - box[0]) / side) + 1;
    s->bins->rows = (uint32_t)((box[3] - box[1]) / side) + 1;
    s->per_metre = 1 / (double)s->bins->side;
    s->margin = 1e-3 + 1e-6 * size / side;
}

bool oro_bins_make(const struct oro_op *group, struct oro_bins *bins, struct oro_error *err)
{
    struct sorting s = {.group = group, .bins = bins};
    *bins = (struct oro_bins){.side = 1};
    size_t count = group->operands[0];
    bool ok = true;
    if (count > 0) {
        place_grid(group, &s);
        ok = oro_reserve((void **)&s.runs, &s.run_capacity, 4 * count, sizeof *s.runs);
        for (size_t i = 0; ok && i < count; i++)
            ok = add_primitive(&s, i);
    }
    ok = ok && oro_bins_sort(bins, s.runs, s.run_count);
    oro_free(s.runs);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory to sort %zu primitives", count);
}
