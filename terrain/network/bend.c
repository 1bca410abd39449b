#include "terrain/network/bend.h"

#include <math.h>

#include "base/memory.h"

enum { BEND_PIECES_MAX = 64 };

bool oro_line_add(struct oro_line_points *points, struct oro_line_end point)
{
    if (points->count >= ORO_LINE_POINTS_MAX ||
        !oro_reserve((void **)&points->items, &points->capacity, points->count + 1, sizeof *points->items))
        return false;
    points->items[points->count++] = point;
    return true;
}

void oro_line_free(struct oro_line_points *points)
{
    oro_free(points->items);
    *points = (struct oro_line_points){0};
}

bool oro_line_is_ring(const struct oro_line_points *vertices)
{
    const struct oro_line_end *v = vertices->items;
    size_t last = vertices->count - 1;
    return vertices->count > 3 && v[0].x == v[last].x && v[0].y == v[last].y;
}

static struct oro_line_end mix(struct oro_line_end a, struct oro_line_end b, double t)
{
    return (struct oro_line_end){(1 - t) * a.x + t * b.x, (1 - t) * a.y + t * b.y,
                                 (1 - t) * a.along + t * b.along, (1 - t) * a.width + t * b.width,
                                 (1 - t) * a.vertex + t * b.vertex};
}

/* Straight pieces for a bend, so that each turns by 2 degrees or less. */
static int pieces_of_bend(struct oro_line_end a, struct oro_line_end b, struct oro_line_end c)
{
    double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
    double turn = fabs(atan2(ux * vy - uy * vx, ux * vx + uy * vy));
    return (int)fmin(ceil(turn * 90 / 3.141592653589793) + 1, BEND_PIECES_MAX);
}

/* Adds a bend from `a` to `c`, pulled towards `b`, without its first point. */
static bool add_bend(struct oro_line_points *curve, struct oro_line_end a, struct oro_line_end b,
                     struct oro_line_end c)
{
    int count = pieces_of_bend(a, b, c);
    bool ok = true;
    for (int i = 1; i <= count && ok; i++) {
        double s = (double)i / count;
        ok = oro_line_add(curve, mix(mix(a, b, s), mix(b, c, s), s));
    }
    return ok;
}

static bool bend_ring(const struct oro_line_points *vertices, struct oro_line_points *curve)
{
    const struct oro_line_end *v = vertices->items;
    size_t last = vertices->count - 1, count = vertices->count;
    if (v[0].x == v[last].x && v[0].y == v[last].y)
        count--;
    struct oro_line_end from = mix(v[count - 1], v[0], 0.5);
    from.vertex = -0.5;
    bool ok = oro_line_add(curve, from);
    for (size_t i = 0; i < count && ok; i++) {
        struct oro_line_end to = mix(v[i], v[(i + 1) % count], 0.5);
        to.vertex = (double)i + 0.5;
        ok = add_bend(curve, from, v[i], to);
        from = to;
    }
    return ok;
}

static bool bend_open(const struct oro_line_points *vertices, struct oro_line_points *curve)
{
    const struct oro_line_end *v = vertices->items;
    size_t last = vertices->count - 1;
    bool ok = oro_line_add(curve, v[0]);
    if (last == 1)
        return ok && oro_line_add(curve, v[1]);
    for (size_t i = 1; i < last && ok; i++)
        ok = add_bend(curve, i == 1 ? v[0] : mix(v[i - 1], v[i], 0.5), v[i],
                      i + 1 == last ? v[last] : mix(v[i], v[i + 1], 0.5));
    return ok;
}

bool oro_line_bend(struct oro_line_points *vertices, bool ring, struct oro_line_points *curve)
{
    curve->count = 0;
    for (size_t i = 0; i < vertices->count; i++)
        vertices->items[i].vertex = (double)i;
    if (vertices->count == 0)
        return true;
    return ring && vertices->count > 2 ? bend_ring(vertices, curve) : bend_open(vertices, curve);
}
