/*
 * The Uplift Tree (Schott 2023, section 5): how fast the ground rises, in metres a year, as an expression
 * over the plane, without a resolution. What travels along links of type `uplift` is the bytes of one.
 *
 * A tree is one immutable piece of memory without pointers, so that it can be copied, stored and digested as
 * it is. The functions below make new trees out of old ones, which they copy; the result is made with
 * oro_alloc, NULL with `err` filled on failure (ORO_E_MEMORY; ORO_E_LIMIT: too deep or too large;
 * ORO_E_EVALUATE: a number that is not finite or out of range, said in words for the artist).
 *
 * A tree has at every point a value >= 0, or is undefined there: a primitive is outside its support. That
 * counts as 0, but not in min among valleys and in carve. Values are held below 1e18.
 *
 * Positions in metres, x east and y south, within 1e8 of the origin. Angles in radians, clockwise as seen on
 * the map (from x to y). Any thread may call anything.
 */
#ifndef ORO_TERRAIN_UPLIFT_UPLIFT_H
#define ORO_TERRAIN_UPLIFT_UPLIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct oro_uplift; /* opaque: terrain/uplift/tree_private.h */

size_t oro_uplift_bytes(const struct oro_uplift *tree);
/* Whether bytes (from a link, or from the cache on disk), aligned to 4, are an uplift tree; checks everything
 * that evaluation relies on. NULL, with `err` filled, if not: ORO_E_EVALUATE, ORO_E_LIMIT. */
const struct oro_uplift *oro_uplift_of(const void *data, size_t bytes, struct oro_error *err);

/* Nodes of the expression, primitives counted one by one; for reports. */
size_t oro_uplift_size(const struct oro_uplift *tree);
/* Value at a point, 0 where undefined (and farther out than 1e8 m); the reference for the kernel, in double.
 * Looks at every primitive: to fill a raster, see oro_uplift_compile. Where copies lie upon copies in greater
 * numbers than that accepts, some are left out. */
double oro_uplift_at(const struct oro_uplift *tree, double x, double y);

/* ---- Primitives ---- */

/* Segment a-b with a radius and an uplift that vary linearly along it; eq. 6 with the distance to the
 * segment: u (1 - d^2/r^2)^3. With a == b a disc. Radii > 0 (up to 1e7 m), uplift 0 to 1e3. */
struct oro_uplift_segment {
    float ax, ay, bx, by;
    float radius_a, radius_b, uplift_a, uplift_b;
};
/* The highest of them at every point. With none (`ranges` may be NULL) undefined everywhere. */
struct oro_uplift *oro_uplift_ranges(const struct oro_uplift_segment *ranges, size_t count,
                                     struct oro_error *err);

/* Smooth ranges along curves, each given by points at equal steps: the highest where a curve is, without an
 * edge where it bends or joins another one, and tapering off at its ends. With the distance d from a point,
 *   (sum of l u^(1/e) (1 - d^2/r^2)^8 / c)^e,  e = 6/17,  c = 2^17 8!^2 / 17!,
 * which is eq. 6 beside a straight curve that is long. A curve's end has 0.78 of the uplift; where two curves
 * cross, they rise to 1.28 of it. */
struct oro_curve_point {
    float x, y, radius, uplift;
    float length; /* of curve that it stands for, in radii: at most ORO_CURVE_STEP; oro_curve_length */
};
#define ORO_CURVE_STEP 0.25
/* What `length` of a point has to be in a curve of so many radii in so many steps: more in one that is
 * shorter than a radius or two, so that the curve is as high in its middle as a longer one. With 0 radii, and
 * one step, a disc. */
double oro_curve_length(double radii, size_t steps);
struct oro_uplift *oro_uplift_curves(const struct oro_curve_point *points, size_t count,
                                     struct oro_error *err);

/* A valley along segment a-b: `rim` * profile(d / w) within w, the half width, which varies linearly;
 * undefined beyond. The profile goes from the axis (0) to the rim (1), POINTS values >= 0 at equal distances,
 * linear between, last one usually 1. The lowest of all valleys that are defined counts. */
struct oro_valley {
    float ax, ay, bx, by;
    float width_a, width_b;
    float rim_a, rim_b; /* metres a year */
};
enum { ORO_VALLEY_POINTS = 33 };
struct oro_uplift *oro_uplift_valleys(const struct oro_valley *valleys, size_t count,
                                      const float profile[ORO_VALLEY_POINTS], struct oro_error *err);

/* From the skeleton, where the uplift is highest, to the boundary, where it is 0: u (1 - s^2)^3 with s = a /
 * (a + b), a the distance to the skeleton and b that to the boundary. As in eq. 7 of the paper, the flank is
 * steep where the boundary is near and gentle where it is far; but that asks where a ray from the nearest
 * point of the skeleton meets the boundary, and tears where the nearest point changes. So each distance is
 * that to the curve as a whole, (2 / integral of d^-3)^(1/2), which is smooth, and the distance itself beside
 * a long straight line. Both are uniform quadratic B-splines given by control points (so: quadratic Beziers
 * between the midpoints of the control polygon): the skeleton open, from its first point to its last, 1 point
 * or more; the boundary closed, 3 points or more. Fails where the boundary crosses or touches itself, or the
 * skeleton leaves it, as far as that shows with 16 straight pieces to each curve. At most 64 points each. */
struct oro_uplift *oro_uplift_star(const float (*skeleton)[2], size_t skeleton_count,
                                   const float (*boundary)[2], size_t boundary_count, float uplift,
                                   struct oro_error *err);

struct oro_uplift *oro_uplift_constant(float uplift, struct oro_error *err);
/* A field of values, bilinear between cell centres, constant beyond: row-major, row 0 north, its corner at
 * the origin. Values below 0 are taken for 0; all must be finite. At most 2^15 cells a side, 2^27 in all. */
struct oro_uplift *oro_uplift_raster(const float *values, int width, int height, double cell,
                                     struct oro_error *err);

/* ---- Operators ---- */

/* Max and add are defined where either operand is, min and multiply where both are, carve where a is. */
enum oro_uplift_combine {
    ORO_UPLIFT_MAX, /* of two groups of ranges: one group of all */
    ORO_UPLIFT_MIN, /* of trees that consist of valleys alone: the lowest that is defined */
    ORO_UPLIFT_ADD,
    ORO_UPLIFT_CARVE, /* where b is defined, the lesser of a and b; else a */
    ORO_UPLIFT_MULTIPLY,
};
struct oro_uplift *oro_uplift_combine(const struct oro_uplift *a, const struct oro_uplift *b,
                                      enum oro_uplift_combine how, struct oro_error *err);
/* Eq. 9: (1 - w) a + w b, with the weight tree's values held within 0..1. Undefined where what has weight
 * is. */
struct oro_uplift *oro_uplift_blend(const struct oro_uplift *a, const struct oro_uplift *b,
                                    const struct oro_uplift *weight, struct oro_error *err);
/* The values times a factor from 0 to 1e9. */
struct oro_uplift *oro_uplift_scale(const struct oro_uplift *tree, float factor, struct oro_error *err);

/* The tree moved about: p' = centre + R S (p - centre) + move; scales may be negative (mirrored);
 * their size is from 1e-6 to 1e6. */
struct oro_affine {
    double centre[2], move[2], angle, scale[2];
};
struct oro_uplift *oro_uplift_transform(const struct oro_uplift *tree, const struct oro_affine *affine,
                                        struct oro_error *err);
/* Eq. 8. Twist: turned about the centre by `angle` (1 - d^2/r^2)^2 within the radius (1e-3 to 1e7 m). Its
 * inverse is exact, as it keeps distances to the centre. */
struct oro_uplift *oro_uplift_twist(const struct oro_uplift *tree, const double centre[2], double radius,
                                    double angle, struct oro_error *err);
/* Eq. 8. Noise: the inverse of the warp is p + noise(p); the warp itself is only known by that. Smooth
 * gradient noise; octaves 1 to 4, each of half the wavelength and of 0.4 times the amplitude of the one
 * before, on top of it. The first displaces by at most `amplitude` metres (0 to half the wavelength, which is
 * 1 to 1e7 m). Up to a quarter of the wavelength the map does not fold; at half of it, in 0.1% of the area
 * with one octave, in 5% with four: what lies there is seen more than once. */
struct oro_uplift *oro_uplift_noise(const struct oro_uplift *tree, double amplitude, double wavelength,
                                    int octaves, uint32_t seed, struct oro_error *err);

/* ---- Copy and paste (section 7.1) ---- */

/* The part of a tree that is copied, with a weight of 1 that falls to 0 at its edge. */
enum oro_region {
    ORO_REGION_ELLIPSE, /* about `from`, with half axes `radius` */
    ORO_REGION_POLYGON, /* within an odd number of its edges' rings: even-odd */
    ORO_REGION_MASK,    /* the weight itself, as a raster; 0 beyond it */
};

/* How a copy c of weight w meets the value v that is there. Where c is undefined, add and max leave v. */
enum oro_paste_method {
    ORO_PASTE_BLEND, /* (1 - w) v + w c, as oro_uplift_blend */
    ORO_PASTE_ADD,   /* v + w c */
    ORO_PASTE_MAX,   /* the greater of v and w c */
};

/* Where a copy goes: p' = to + R S (p - from); scales may be negative (mirrored). */
struct oro_paste_place {
    double to[2], angle, scale[2];
};

/* Arrays belong to the caller. */
struct oro_paste {
    enum oro_region region;
    double from[2], radius[2];
    const float (*edges)[4]; /* of the polygon: from x, y to x, y */
    size_t edge_count;
    const float *mask; /* row-major, row 0 north; held within 0..1 */
    int mask_width, mask_height;
    double mask_corner[2], mask_cell;
    /* The edge in which the weight falls: a share of the radius, or of the greatest distance that a point of
     * the polygon has from its edges. */
    double feather;
    enum oro_paste_method method;
    bool cut; /* the original place is emptied likewise */
    const struct oro_paste_place *places;
    size_t place_count;
};

/* A tree with copies of a part of it pasted over it, one after the other. All are copies of `tree`, not of
 * one another. The result holds `tree` once, however many copies are made of it and of copies of it; a point
 * looks only at the copies whose regions are near it. At most 1024 edges and places; ORO_E_LIMIT also above
 * 1024 pastes upon each other, or 4096 copies. */
struct oro_uplift *oro_uplift_paste(const struct oro_uplift *tree, const struct oro_paste *paste,
                                    struct oro_error *err);

/* ---- For rasterising (nodes/uplift/uplift_rasterize.c, gles_shaders/uplift/uplift_rasterize.comp) ---- */

/* What the kernel works on: a program over a stack, and the primitives of each group sorted into the square
 * bins of a grid over the group's bounds, in the group's own space (before the warps above it). An array that
 * has nothing in it may be NULL. */
struct oro_uplift_program {
    uint32_t *code;    /* instructions, with their operands as words (floats by their bits) */
    float *primitives; /* records, in vectors of four */
    uint32_t *bins;    /* per group: starts, then indices of primitives within the group, in rising order */
    float *rasters;
    size_t code_count, primitive_floats, bin_count, raster_floats;
    int frames; /* evaluations of copies within each other, at the most; 0: there are no copies */
};
/* False: nothing is to be freed. Fails with ORO_E_MEMORY; with ORO_E_LIMIT where more meets at one point than
 * every device evaluates, or copies of copies are nested deeper. */
bool oro_uplift_compile(const struct oro_uplift *tree, struct oro_uplift_program *program,
                        struct oro_error *err);
void oro_uplift_program_free(struct oro_uplift_program *program);

#endif
