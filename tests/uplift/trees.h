/* Uplift trees for tests. Includes cmocka. */
#ifndef ORO_TESTS_UPLIFT_TREES_H
#define ORO_TESTS_UPLIFT_TREES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/uplift/tree_private.h"
#include "terrain/uplift/uplift.h"
#include "tests/support/test.h"

/* Of a tree that is a leaf. */
static inline void leaf_box(const struct oro_uplift *leaf, double box[4])
{
    struct oro_op op = oro_op_at(leaf->code);
    oro_leaf_box(&op, box);
}

static inline struct oro_uplift *made(struct oro_uplift *tree, const struct oro_error *err)
{
    if (!tree)
        fail_msg("%s", err->text);
    return tree;
}

/* Calls oro_uplift_NAME with these arguments, which must not fail. */
static struct oro_error making;
#define MAKE(name, ...) made(oro_uplift_##name(__VA_ARGS__, &making), &making)

/* Numbers in 0..1 that are the same on every run. */
static inline double chance(uint32_t *sequence)
{
    *sequence = *sequence * 747796405u + 2891336453u;
    return (double)(*sequence >> 8) / 16777216.0;
}

static inline double chance_of(uint32_t *sequence, double low, double high)
{
    return low + (high - low) * chance(sequence);
}

static inline struct oro_uplift_segment random_range(uint32_t *sequence, double extent, double size)
{
    double x = chance_of(sequence, 0, extent), y = chance_of(sequence, 0, extent);
    struct oro_uplift_segment range = {.ax = (float)x, .ay = (float)y};
    range.bx = (float)(x + chance_of(sequence, -size, size));
    range.by = (float)(y + chance_of(sequence, -size, size));
    range.radius_a = (float)chance_of(sequence, 0.05 * size, size);
    range.radius_b = (float)chance_of(sequence, 0.05 * size, size);
    range.uplift_a = (float)chance_of(sequence, 0, 1e-3);
    range.uplift_b = (float)chance_of(sequence, 0, 1e-3);
    return range;
}

static inline void near_to(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.12g is not %.12g within %g", a, b, tolerance);
}

static inline struct oro_uplift *disc(double x, double y, double radius, double uplift)
{
    struct oro_uplift_segment range = {(float)x,      (float)y,      (float)x,      (float)y,
                                       (float)radius, (float)radius, (float)uplift, (float)uplift};
    return MAKE(ranges, &range, 1);
}

/* Both operands are freed. */
static inline struct oro_uplift *joined(struct oro_uplift *a, struct oro_uplift *b,
                                        enum oro_uplift_combine how)
{
    struct oro_uplift *tree = MAKE(combine, a, b, how);
    oro_free(a);
    oro_free(b);
    return tree;
}

/* A kidney with a bent skeleton. */
static const float kidney_skeleton[4][2] = {{3000, 3000}, {4000, 2400}, {5200, 2600}, {6000, 3400}};
static const float kidney[7][2] = {{1500, 2500}, {3500, 900},  {6500, 800}, {8200, 3500},
                                   {6500, 5600}, {4400, 3900}, {2200, 5000}};

static inline struct oro_uplift *kidney_star(float uplift)
{
    return MAKE(star, kidney_skeleton, 4, kidney, 7, uplift);
}

static const float ramp_profile[ORO_VALLEY_POINTS] = {
    0,        0.03125f, 0.0625f,  0.09375f, 0.125f,   0.15625f, 0.1875f,  0.21875f, 0.25f,
    0.28125f, 0.3125f,  0.34375f, 0.375f,   0.40625f, 0.4375f,  0.46875f, 0.5f,     0.53125f,
    0.5625f,  0.59375f, 0.625f,   0.65625f, 0.6875f,  0.71875f, 0.75f,    0.78125f, 0.8125f,
    0.84375f, 0.875f,   0.90625f, 0.9375f,  0.96875f, 1};

static inline struct oro_uplift *random_valleys(uint32_t *sequence, size_t count, double extent)
{
    struct oro_valley valleys[64];
    for (size_t i = 0; i < count; i++) {
        struct oro_uplift_segment range = random_range(sequence, extent, 0.15 * extent);
        memcpy(&valleys[i], &range, sizeof range);
    }
    return MAKE(valleys, valleys, count, ramp_profile);
}

static inline struct oro_uplift *random_curves(uint32_t *sequence, size_t count, double extent, double size)
{
    struct oro_curve_point points[64];
    for (size_t i = 0; i < count; i++)
        points[i] = (struct oro_curve_point){(float)chance_of(sequence, 0, extent),
                                             (float)chance_of(sequence, 0, extent),
                                             (float)chance_of(sequence, 0.1 * size, size),
                                             (float)chance_of(sequence, 0, 1e-3), ORO_CURVE_STEP};
    return MAKE(curves, points, count);
}

static inline struct oro_uplift *random_ranges(uint32_t *sequence, size_t count, double extent, double size)
{
    struct oro_uplift_segment *ranges = calloc(count + 1, sizeof *ranges);
    for (size_t i = 0; i < count; i++)
        ranges[i] = random_range(sequence, extent, size);
    struct oro_uplift *tree = MAKE(ranges, ranges, count);
    free(ranges);
    return tree;
}

static inline struct oro_uplift *small_raster(void)
{
    static const float values[12] = {0, 1, 2, 3, 1, 0.5f, 0.25f, 2, 0, 4, 1, 0.125f};
    return MAKE(raster, values, 4, 3, 2500.0);
}

/* Copies by an outline and by a mask, over a tree that is freed. */
static inline struct oro_uplift *outlined(struct oro_uplift *tree)
{
    static const float edges[5][4] = {{6500, 6500, 8500, 6800},
                                      {8500, 6800, 8800, 8600},
                                      {8800, 8600, 7500, 8000},
                                      {7500, 8000, 6400, 8700},
                                      {6400, 8700, 6500, 6500}};
    static const float mask[12] = {0, 0.5f, 1, 0, 0, 1, 1, 0, 0, 0, 0.25f, 0};
    struct oro_paste_place place = {{2000, 2000}, 0.3, {1, -1.2}};
    struct oro_paste polygon = {.region = ORO_REGION_POLYGON,
                                .from = {7500, 7500},
                                .edges = edges,
                                .edge_count = 5,
                                .feather = 0.5,
                                .method = ORO_PASTE_ADD,
                                .places = &place,
                                .place_count = 1};
    struct oro_paste masked = {.region = ORO_REGION_MASK,
                               .mask = mask,
                               .mask_width = 4,
                               .mask_height = 3,
                               .mask_corner = {1000, 500},
                               .mask_cell = 900,
                               .from = {2500, 1800},
                               .method = ORO_PASTE_MAX,
                               .places = &place,
                               .place_count = 1};
    place.to[0] = 5200;
    struct oro_uplift *once = MAKE(paste, tree, &polygon);
    struct oro_uplift *twice = MAKE(paste, once, &masked);
    oro_free(tree);
    oro_free(once);
    return twice;
}

/* An uplift tree of 10 km with every kind of instruction. */
static inline struct oro_uplift *everything(void)
{
    uint32_t sequence = 5;
    struct oro_uplift *tree = random_ranges(&sequence, 60, 10000, 900);
    tree = joined(tree, random_curves(&sequence, 30, 10000, 1200), ORO_UPLIFT_ADD);
    tree = joined(tree, kidney_star(6e-4f), ORO_UPLIFT_ADD);
    struct oro_affine affine = {
        .centre = {5000, 5000}, .move = {600, -300}, .angle = 0.6, .scale = {1.2, -0.8}};
    struct oro_uplift *turned = MAKE(transform, tree, &affine);
    struct oro_uplift *warped = MAKE(noise, turned, 300, 2500, 3, 11u);
    double centre[2] = {6000, 4500};
    struct oro_uplift *twisted = MAKE(twist, warped, centre, 3500, 1.2);
    struct oro_uplift *raster = small_raster(), *blended = MAKE(blend, tree, twisted, raster);
    struct oro_uplift *scaled = MAKE(scale, blended, 1.5f);
    oro_free(tree);
    oro_free(turned);
    oro_free(warped);
    oro_free(twisted);
    oro_free(blended);
    tree = joined(scaled, raster, ORO_UPLIFT_MULTIPLY);
    struct oro_uplift *valleys = random_valleys(&sequence, 9, 10000);
    struct oro_uplift *bent = MAKE(twist, valleys, centre, 5000, -0.7);
    oro_free(valleys);
    valleys = joined(bent, random_valleys(&sequence, 9, 10000), ORO_UPLIFT_MIN);
    tree = joined(tree, valleys, ORO_UPLIFT_CARVE);
    tree = joined(tree, MAKE(constant, 2e-3f), ORO_UPLIFT_MIN);
    tree = joined(tree, disc(1500, 8500, 1200, 3e-3), ORO_UPLIFT_MAX);
    struct oro_paste_place places[2] = {{{7500, 7500}, 1, {1.3, 1.3}}, {{2500, 7000}, -2, {-0.8, 1}}};
    struct oro_paste paste = {.from = {3000, 3500},
                              .radius = {1800, 1200},
                              .feather = 0.4f,
                              .cut = true,
                              .places = places,
                              .place_count = 2};
    struct oro_uplift *pasted = MAKE(paste, tree, &paste);
    oro_free(tree);
    return outlined(pasted);
}

#endif
