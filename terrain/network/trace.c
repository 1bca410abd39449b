#include "terrain/network/trace_private.h"

#include <math.h>

#include "base/memory.h"

/* Stand in `number` until the vertices that stay have theirs. */
enum { LEFT_OUT, KEPT };

void oro_trace_add(struct oro_trace *t, struct oro_vertex vertex)
{
    void *line = t->line, *number = t->number;
    if (t->builder.failed || !oro_reserve(&line, &t->line_capacity, t->count + 1, sizeof vertex)) {
        t->builder.failed = true;
        return;
    }
    t->line = line;
    if (!oro_reserve(&number, &t->number_capacity, t->count + 1, sizeof *t->number)) {
        t->builder.failed = true;
        return;
    }
    t->number = number;
    t->number[t->count] = LEFT_OUT;
    t->line[t->count++] = vertex;
}

static float between(float before, float at, float after)
{
    return (before + 2 * at + after) / 4;
}

static void smooth(struct oro_trace *t)
{
    for (int round = 0; round < t->smooth; round++) {
        struct oro_vertex before = t->line[0];
        for (size_t i = 1; i + 1 < t->count; i++) {
            struct oro_vertex at = t->line[i];
            t->line[i].x = between(before.x, at.x, t->line[i + 1].x);
            t->line[i].y = between(before.y, at.y, t->line[i + 1].y);
            before = at;
        }
    }
}

struct point {
    double x, y, z;
};

static struct point from_to(const struct oro_vertex *a, const struct oro_vertex *b)
{
    return (struct point){(double)b->x - (double)a->x, (double)b->y - (double)a->y,
                          (double)b->elevation - (double)a->elevation};
}

static double dot(struct point a, struct point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Squared distance of p to the segment from a to b. */
static double off_segment(const struct oro_vertex *a, const struct oro_vertex *b, const struct oro_vertex *p)
{
    struct point along = from_to(a, b), to = from_to(a, p);
    double length2 = dot(along, along), t = length2 > 0 ? dot(along, to) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    struct point off = {to.x - t * along.x, to.y - t * along.y, to.z - t * along.z};
    return dot(off, off);
}

/* The vertex farthest off the segment between two that are kept, or `first` where none is too far. */
static size_t farthest(const struct oro_trace *t, size_t first, size_t end)
{
    double most = t->simplify * t->simplify;
    size_t found = first;
    for (size_t i = first + 1; i < end; i++) {
        double off = off_segment(&t->line[first], &t->line[end], &t->line[i]);
        if (off > most) {
            most = off;
            found = i;
        }
    }
    return found;
}

/* Goes from one kept vertex to the next: as long as a vertex between them is too far off, that is kept
 * too. */
static void choose(struct oro_trace *t)
{
    for (size_t first = 0; first + 1 < t->count;) {
        size_t end = first + 1;
        while (t->number[end] == LEFT_OUT)
            end++;
        size_t found = farthest(t, first, end);
        t->number[found] = KEPT;
        if (found == first)
            first = end;
    }
}

void oro_trace_end(struct oro_trace *t, uint32_t first, uint32_t last, bool keep_before_last)
{
    size_t count = t->count, kept = 0;
    t->count = 0;
    if (t->builder.failed || count < 2)
        return;
    t->count = count;
    t->number[0] = t->number[count - 1] = KEPT;
    if (keep_before_last && count > 2)
        t->number[count - 2] = KEPT;
    smooth(t);
    choose(t);
    for (size_t i = 0; i < count; i++)
        if (t->number[i] == KEPT)
            t->number[kept++] = i == 0           ? first
                                : i == count - 1 ? last
                                                 : oro_network_add_vertex(&t->builder, t->line[i]);
    oro_network_add_line(&t->builder, t->number, kept);
    t->count = 0;
}

void oro_trace_free(struct oro_trace *t)
{
    oro_free(t->line);
    oro_free(t->number);
}
