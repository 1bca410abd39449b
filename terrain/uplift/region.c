/* Regions that are copied: their weight at a point, in double, and their boxes. gles_shaders/lib/uplift.glsl
 * has the same weights in floats. */
#include <math.h>

#include "terrain/uplift/tree_private.h"

static double number(const uint32_t *shape, size_t index)
{
    return (double)oro_float_of(shape[index]);
}

/* From 0 at the edge to 1 where `share` is 1. */
static double risen(double share)
{
    double t = fmin(share, 1);
    return t * t * (3 - 2 * t);
}

static double ellipse_at(const uint32_t *shape, double x, double y)
{
    double within =
        1 - hypot((x - number(shape, 0)) / number(shape, 2), (y - number(shape, 1)) / number(shape, 3));
    double feather = number(shape, 4);
    return within <= 0 ? 0 : within < feather ? risen(within / feather) : 1;
}

/* ---- Polygons ---- */

/* Squared distance to an edge. */
static double edge_distance(const double e[4], double x, double y)
{
    double dx = e[2] - e[0], dy = e[3] - e[1], l = dx * dx + dy * dy;
    double t = l > 0 ? fmin(fmax(((x - e[0]) * dx + (y - e[1]) * dy) / l, 0), 1) : 0;
    double u = x - (e[0] + t * dx), v = y - (e[1] + t * dy);
    return u * u + v * v;
}

/* Whether a ray to the east meets the edge. The upper end belongs to it, and the lower one does not, so that
 * a corner is met once. */
static bool meets_edge(const double e[4], double x, double y)
{
    return (e[1] > y) != (e[3] > y) && x < e[0] + (y - e[1]) / (e[3] - e[1]) * (e[2] - e[0]);
}

static double polygon_at(const uint32_t *shape, double x, double y)
{
    double nearest = INFINITY, feather = number(shape, 1);
    bool inside = false;
    for (size_t i = 0; i < shape[0]; i++) {
        const uint32_t *words = shape + ORO_POLYGON_HEAD + 4 * i;
        const double edge[4] = {number(words, 0), number(words, 1), number(words, 2), number(words, 3)};
        inside ^= meets_edge(edge, x, y);
        nearest = fmin(nearest, edge_distance(edge, x, y));
    }
    double distance = sqrt(nearest);
    return !inside ? 0 : distance < feather ? risen(distance / feather) : 1;
}

/* The search for the point of a polygon that is farthest from its edges: squares are quartered while they may
 * hold a better one than was found. */
struct search {
    const float (*edges)[4];
    size_t count, left;
    double best;
};

/* Distance to the edges, below 0 outside. */
static double depth_at(const struct search *s, double x, double y)
{
    double nearest = INFINITY;
    bool inside = false;
    for (size_t i = 0; i < s->count; i++) {
        const double edge[4] = {(double)s->edges[i][0], (double)s->edges[i][1], (double)s->edges[i][2],
                                (double)s->edges[i][3]};
        inside ^= meets_edge(edge, x, y);
        nearest = fmin(nearest, edge_distance(edge, x, y));
    }
    return inside ? sqrt(nearest) : -sqrt(nearest);
}

enum { SQUARES_MAX = 4000, QUARTERINGS_MAX = 12 };

/* Up to a hundredth of the result, or as far as the squares last. */
static void search_square(struct search *s, double x, double y, double half, int level)
{
    if (s->left == 0)
        return;
    s->left--;
    double depth = depth_at(s, x, y);
    s->best = fmax(s->best, depth);
    if (level == QUARTERINGS_MAX || !(depth + half * 1.4143 > 1.01 * s->best))
        return;
    for (int i = 0; i < 4; i++)
        search_square(s, x + (i % 2 ? 0.5 : -0.5) * half, y + (i / 2 ? 0.5 : -0.5) * half, 0.5 * half,
                      level + 1);
}

double oro_polygon_reach(const float (*edges)[4], size_t count)
{
    enum { SIDE = 8 };
    double box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    struct search s = {.edges = edges, .count = count, .left = SQUARES_MAX};
    for (size_t i = 0; i < 2 * count; i++)
        for (int k = 0; k < 2; k++) {
            double at = (double)edges[i / 2][2 * (i % 2) + (size_t)k];
            box[k] = fmin(box[k], at);
            box[2 + k] = fmax(box[2 + k], at);
        }
    double width = box[2] - box[0], height = box[3] - box[1];
    if (!(width > 0 && height > 0 && width + height <= 8 * ORO_UPLIFT_POSITION_MAX))
        return 0;
    double cell = fmax(width, height) / SIDE;
    for (double y = box[1]; y < box[3]; y += cell)
        for (double x = box[0]; x < box[2]; x += cell) {
            s.left += SQUARES_MAX / (SIDE * SIDE); /* no part of the polygon is left without any */
            search_square(&s, x + 0.5 * cell, y + 0.5 * cell, 0.5 * cell, 0);
        }
    return s.best;
}

/* ---- Masks ---- */

static double mask_at(const uint32_t *shape, double x, double y)
{
    size_t width = shape[0], height = shape[1];
    double cell = number(shape, 4), u = (x - number(shape, 2)) / cell, v = (y - number(shape, 3)) / cell;
    if (!(u >= 0 && v >= 0 && u <= (double)width && v <= (double)height))
        return 0;
    u = fmin(fmax(u - 0.5, 0), (double)(width - 1));
    v = fmin(fmax(v - 0.5, 0), (double)(height - 1));
    size_t i = (size_t)u, j = (size_t)v, right = i + 1 < width ? 1 : 0, below = j + 1 < height ? width : 0;
    size_t at = ORO_MASK_HEAD + j * width + i;
    double s = u - (double)i, t = v - (double)j;
    double upper = (1 - s) * number(shape, at) + s * number(shape, at + right);
    double lower = (1 - s) * number(shape, at + below) + s * number(shape, at + below + right);
    return (1 - t) * upper + t * lower;
}

/* ---- All ---- */

double oro_region_at(const struct oro_pasted *pasted, double x, double y)
{
    return pasted->region == ORO_REGION_ELLIPSE   ? ellipse_at(pasted->shape, x, y)
           : pasted->region == ORO_REGION_POLYGON ? polygon_at(pasted->shape, x, y)
                                                  : mask_at(pasted->shape, x, y);
}

static void polygon_box(const uint32_t *shape, double box[4])
{
    box[0] = box[1] = INFINITY;
    box[2] = box[3] = -INFINITY;
    for (size_t i = 0; i < 4 * (size_t)shape[0]; i++) {
        double at = number(shape, ORO_POLYGON_HEAD + i);
        box[i % 2] = fmin(box[i % 2], at);
        box[2 + i % 2] = fmax(box[2 + i % 2], at);
    }
}

void oro_region_box(const struct oro_pasted *pasted, double box[4])
{
    const uint32_t *shape = pasted->shape;
    if (pasted->region == ORO_REGION_POLYGON)
        polygon_box(shape, box);
    for (size_t i = 0; i < 2 && pasted->region == ORO_REGION_ELLIPSE; i++) {
        box[i] = number(shape, i) - number(shape, 2 + i);
        box[2 + i] = number(shape, i) + number(shape, 2 + i);
    }
    for (size_t i = 0; i < 2 && pasted->region == ORO_REGION_MASK; i++) {
        box[i] = number(shape, 2 + i);
        box[2 + i] = box[i] + shape[i] * number(shape, 4);
    }
    /* Kernels compute in floats, a little beside the numbers here. */
    double size = 0;
    for (int i = 0; i < 4; i++)
        size = isfinite(box[i]) ? fmax(size, fabs(box[i])) : size;
    for (int i = 0; i < 4; i++)
        box[i] += (i < 2 ? -1e-6 : 1e-6) * size;
}
