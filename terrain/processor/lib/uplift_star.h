/* Stars of uplift trees: the same as in gles_shaders/lib/uplift.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_UPLIFT_STAR_H
#define ORO_TERRAIN_PROCESSOR_LIB_UPLIFT_STAR_H

#include "terrain/processor/lib/uplift.h"

struct oro_star_vector {
    float x, y;
};

struct oro_star {
    const float *chords; /* from x, y to x, y: those of the skeleton, then those of the boundary */
    int skeleton, boundary;
    float uplift;
    struct oro_star_vector origin, least, most; /* the box within which there is any */
};

/* Curves as the points of a row see them: integrals of distance^-3 along the skeleton and the boundary, and
 * the chords of the boundary to the right, of which only whether they are odd counts. */
struct oro_star_views {
    float inner[ORO_TILE_WIDTH], outer[ORO_TILE_WIDTH];
    int32_t passed[ORO_TILE_WIDTH];
};

ORO_INLINE struct oro_star oro_star_of(const struct oro_uplift_arrays *tree, const uint32_t *at)
{
    return (struct oro_star){.chords = tree->primitives + 4 * (size_t)at[0],
                             .skeleton = (int)at[1],
                             .boundary = (int)at[2],
                             .uplift = oro_uplift_float(at + 3),
                             .origin = {oro_uplift_float(at + 4), oro_uplift_float(at + 5)},
                             .least = {oro_uplift_float(at + 6), oro_uplift_float(at + 7)},
                             .most = {oro_uplift_float(at + 8), oro_uplift_float(at + 9)}};
}

ORO_INLINE struct oro_star_vector oro_star_towards(const struct oro_star *star, const float *end, float x,
                                                   float y)
{
    return (struct oro_star_vector){end[0] - (x - star->origin.x), end[1] - (y - star->origin.y)};
}

/* The integral along a chord, to whose ends a and b lead. */
ORO_INLINE float oro_star_pull(struct oro_star_vector a, struct oro_star_vector b)
{
    float from = sqrtf(a.x * a.x + a.y * a.y), to = sqrtf(b.x * b.x + b.y * b.y), both = from * to;
    float dx = b.x - a.x, dy = b.y - a.y, facing = oro_max(both + (a.x * b.x + a.y * b.y), 1e-7F * both);
    return sqrtf(dx * dx + dy * dy) * (from + to) / oro_max(both * facing, 1e-30F);
}

/* Whether a chord passes to the right of the point that a and b lead from. */
ORO_INLINE int32_t oro_star_passes(struct oro_star_vector a, struct oro_star_vector b)
{
    float rise = b.y - a.y, whole = oro_abs(rise) > 0 ? rise : 1;
    return ((a.y > 0) != (b.y > 0)) & (a.x - a.y / whole * (b.x - a.x) > 0);
}

/* The ends of the skeleton count like what would follow there. */
ORO_INLINE void oro_star_begin(const struct oro_star *star, const struct oro_uplift_points *p, int width,
                               struct oro_star_views *views)
{
    const float *first = star->chords, *last = first + 4 * (size_t)(star->skeleton - 1) + 2;
#pragma omp simd
    for (int x = 0; x < width; x++) {
        struct oro_star_vector a = oro_star_towards(star, first, p->x[x], p->y[x]);
        struct oro_star_vector b = oro_star_towards(star, last, p->x[x], p->y[x]);
        views->inner[x] =
            1 / oro_max(a.x * a.x + a.y * a.y, 1e-30F) + 1 / oro_max(b.x * b.x + b.y * b.y, 1e-30F);
        views->outer[x] = 0;
        views->passed[x] = 0;
    }
}

ORO_INLINE void oro_star_add_skeleton(const struct oro_star *star, const float *chord,
                                      const struct oro_uplift_points *p, int width,
                                      struct oro_star_views *views)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        struct oro_star_vector a = oro_star_towards(star, chord, p->x[x], p->y[x]);
        struct oro_star_vector b = oro_star_towards(star, chord + 2, p->x[x], p->y[x]);
        views->inner[x] += oro_star_pull(a, b);
    }
}

ORO_INLINE void oro_star_add_boundary(const struct oro_star *star, const float *chord,
                                      const struct oro_uplift_points *p, int width,
                                      struct oro_star_views *views)
{
#pragma omp simd
    for (int x = 0; x < width; x++) {
        struct oro_star_vector a = oro_star_towards(star, chord, p->x[x], p->y[x]);
        struct oro_star_vector b = oro_star_towards(star, chord + 2, p->x[x], p->y[x]);
        views->outer[x] += oro_star_pull(a, b);
        views->passed[x] ^= oro_star_passes(a, b);
    }
}

ORO_INLINE void oro_star_row(const struct oro_uplift_arrays *tree, const uint32_t *at,
                             const struct oro_uplift_points *p, int width, float *value)
{
    struct oro_star star = oro_star_of(tree, at);
    struct oro_star_views views;
    oro_star_begin(&star, p, width, &views);
    for (int i = 0; i < star.skeleton; i++)
        oro_star_add_skeleton(&star, star.chords + 4 * (size_t)i, p, width, &views);
    for (int i = star.skeleton; i < star.skeleton + star.boundary; i++)
        oro_star_add_boundary(&star, star.chords + 4 * (size_t)i, p, width, &views);
#pragma omp simd
    for (int x = 0; x < width; x++) {
        float near = sqrtf(2 / views.inner[x]), far = sqrtf(2 / oro_max(views.outer[x], 1e-30F));
        float share = near / (near + far), fall = 1 - share * share;
        float rising = star.uplift * fall * fall * fall;
        int inside = (p->x[x] >= star.least.x) & (p->y[x] >= star.least.y) & (p->x[x] <= star.most.x) &
                     (p->y[x] <= star.most.y) & (views.passed[x] != 0);
        value[x] = inside ? rising : -1;
    }
}

#endif
