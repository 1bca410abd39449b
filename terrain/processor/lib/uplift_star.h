/* Stars of uplift trees (Schott 2023, eq. 7): the same as in gles_shaders/lib/uplift.glsl. Pieces of curves
 * are quadratic: start + s (along + s bend). */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_UPLIFT_STAR_H
#define ORO_TERRAIN_PROCESSOR_LIB_UPLIFT_STAR_H

#include "terrain/processor/lib/uplift.h"

struct oro_star_vector {
    float x, y;
};
struct oro_star_cubic {
    float constant, first, second, third;
};

ORO_INLINE float oro_star_cubic_at(struct oro_star_cubic c, float s)
{
    return c.constant + s * (c.first + s * (c.second + s * c.third));
}

/* Where the cubic passes zero between `low` and `high`, between which it rises. */
ORO_INLINE float oro_star_root(struct oro_star_cubic c, float low, float high)
{
    float at_low = oro_star_cubic_at(c, low), at_high = oro_star_cubic_at(c, high);
    float first = low, last = high, s = 0.5F * (low + high);
#pragma GCC unroll 12
    for (int i = 0; i < 12; i++) {
        float value = oro_star_cubic_at(c, s), slope = c.first + s * (2 * c.second + s * 3 * c.third);
        float newton = s - value / slope;
        low = value < 0 ? s : low;
        high = value < 0 ? high : s;
        float half = 0.5F * (low + high);
        int inside = (slope > 0) & (newton >= low) & (newton <= high);
        s = inside ? newton : half;
    }
    float found = at_high <= 0 ? last : s;
    return at_low >= 0 ? first : found;
}

/* The vector from a point to the point of the piece that is nearest to it; `from`: to the piece's start. */
ORO_INLINE struct oro_star_vector oro_star_nearest(struct oro_star_vector from, struct oro_star_vector along,
                                                   struct oro_star_vector bend)
{
    struct oro_star_cubic c = {
        from.x * along.x + from.y * along.y,
        (along.x * along.x + along.y * along.y) + 2 * (from.x * bend.x + from.y * bend.y),
        3 * (along.x * bend.x + along.y * bend.y), 2 * (bend.x * bend.x + bend.y * bend.y)};
    float part = c.second * c.second - 3 * c.first * c.third;
    int rises = (part <= 0) | (c.third <= 1e-6F * (oro_abs(c.first) + oro_abs(c.second)));
    float root = sqrtf(oro_max(part, 0)), whole = -c.second - (c.second < 0 ? -root : root);
    float a = whole / (3 * c.third), quotient = c.first / whole, b = oro_abs(whole) > 0 ? quotient : 0;
    float end = rises ? 1 : oro_clamp(oro_min(a, b), 0, 1),
          start = rises ? 1 : oro_clamp(oro_max(a, b), 0, 1);
    float s = oro_star_root(c, 0, end), t = oro_star_root(c, start, 1);
    struct oro_star_vector first = {from.x + s * (along.x + s * bend.x), from.y + s * (along.y + s * bend.y)};
    struct oro_star_vector second = {from.x + t * (along.x + t * bend.x),
                                     from.y + t * (along.y + t * bend.y)};
    int nearer = rises | (first.x * first.x + first.y * first.y <= second.x * second.x + second.y * second.y);
    return (struct oro_star_vector){nearer ? first.x : second.x, nearer ? first.y : second.y};
}

/* The distance along the ray at a share of the piece, unless `reach` is nearer. A little beyond its ends
 * counts: a ray may slip through a joint. `way`: the ray's direction times start, along and bend. */
ORO_INLINE float oro_star_reach(float s, const float way[3], float reach)
{
    float at = way[0] + s * (way[1] + s * way[2]), nearer = oro_min(reach, at);
    int meets = (s >= -1e-4F) & (s <= 1.0001F) & (at > 0);
    return meets ? nearer : reach;
}

/* Distance to the piece in the unit direction `towards`, unless `reach` is nearer; `start`: to the piece's.
 */
ORO_INLINE float oro_star_meets(struct oro_star_vector start, struct oro_star_vector along,
                                struct oro_star_vector bend, struct oro_star_vector towards, float reach)
{
    float a = towards.x * bend.y - towards.y * bend.x, b = towards.x * along.y - towards.y * along.x;
    float c = towards.x * start.y - towards.y * start.x, part = b * b - 4 * a * c;
    float root = sqrtf(oro_max(part, 0)), whole = -0.5F * (b + (b < 0 ? -root : root));
    float first = c / whole, second = whole / a; /* what is divided by 0 is not on the piece */
    const float way[3] = {towards.x * start.x + towards.y * start.y,
                          towards.x * along.x + towards.y * along.y, towards.x * bend.x + towards.y * bend.y};
    float once = oro_star_reach(first, way, reach), twice = oro_star_reach(second, way, once);
    return part < 0 ? reach : twice;
}

struct oro_star {
    const float *skeleton, *boundary; /* records of eight: start, along, bend */
    int skeleton_count, boundary_count;
    float uplift;
    struct oro_star_vector origin, least, most; /* the box within which there is any */
};

ORO_INLINE struct oro_star oro_star_of(const struct oro_uplift_arrays *tree, const uint32_t *at)
{
    struct oro_star star = {.skeleton = tree->primitives + 4 * (size_t)at[0],
                            .skeleton_count = (int)at[1],
                            .boundary_count = (int)at[2],
                            .uplift = oro_uplift_float(at + 3),
                            .origin = {oro_uplift_float(at + 4), oro_uplift_float(at + 5)},
                            .least = {oro_uplift_float(at + 6), oro_uplift_float(at + 7)},
                            .most = {oro_uplift_float(at + 8), oro_uplift_float(at + 9)}};
    star.boundary = star.skeleton + 8 * (size_t)at[1];
    return star;
}

/* Adds a piece of the skeleton: `to` leads from the points to the nearest on those so far. */
ORO_INLINE void oro_star_add_skeleton(const struct oro_star *star, int piece,
                                      const struct oro_uplift_points *p, int width,
                                      struct oro_uplift_points *to)
{
    const float *record = star->skeleton + 8 * (size_t)piece;
    struct oro_star_vector along = {record[2], record[3]}, bend = {record[4], record[5]};
    const int only = piece == 0;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        struct oro_star_vector from = {record[0] - (p->x[x] - star->origin.x),
                                       record[1] - (p->y[x] - star->origin.y)};
        struct oro_star_vector other = oro_star_nearest(from, along, bend), best = {to->x[x], to->y[x]};
        int nearer = only | (other.x * other.x + other.y * other.y < best.x * best.x + best.y * best.y);
        to->x[x] = nearer ? other.x : best.x;
        to->y[x] = nearer ? other.y : best.y;
    }
}

/* Adds a piece of the boundary to how far it is from the skeleton. */
ORO_INLINE void oro_star_add_boundary(const struct oro_star *star, int piece,
                                      const struct oro_uplift_points *p, int width,
                                      const struct oro_uplift_points *to, float *reach)
{
    const float *record = star->boundary + 8 * (size_t)piece;
    struct oro_star_vector along = {record[2], record[3]}, bend = {record[4], record[5]};
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float d = sqrtf(to->x[x] * to->x[x] + to->y[x] * to->y[x]), whole = oro_max(d, 1e-37F);
        struct oro_star_vector towards = {-to->x[x] / whole, -to->y[x] / whole};
        struct oro_star_vector start = {record[0] - (p->x[x] - star->origin.x + to->x[x]),
                                        record[1] - (p->y[x] - star->origin.y + to->y[x])};
        reach[x] = oro_star_meets(start, along, bend, towards, reach[x]);
    }
}

ORO_INLINE void oro_star_row(const struct oro_uplift_arrays *tree, const uint32_t *at,
                             const struct oro_uplift_points *p, int width, float *value)
{
    const float far = 1e30F;
    struct oro_star star = oro_star_of(tree, at);
    struct oro_uplift_points to;
    float reach[ORO_TILE_WIDTH];
    for (int i = 0; i < star.skeleton_count; i++)
        oro_star_add_skeleton(&star, i, p, width, &to);
    for (int x = 0; x < width; x++)
        reach[x] = far;
    for (int i = 0; i < star.boundary_count; i++)
        oro_star_add_boundary(&star, i, p, width, &to, reach);
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float d = sqrtf(to.x[x] * to.x[x] + to.y[x] * to.y[x]), share = d / reach[x],
              fall = 1 - share * share;
        float rising = star.uplift * fall * fall * fall;
        int inside = (p->x[x] >= star.least.x) & (p->y[x] >= star.least.y) & (p->x[x] <= star.most.x) &
                     (p->y[x] <= star.most.y);
        int met = (reach[x] < far) & (share < 1);
        float away = met ? rising : -1, at_point = d > 0 ? away : star.uplift;
        value[x] = inside ? at_point : -1;
    }
}

#endif
