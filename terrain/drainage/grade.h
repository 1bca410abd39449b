/*
 * Grades: how high a channel lies above its outlet, as numbers that stay the same along a channel with the
 * least gradient wanted, so that the deepest of many channels is found as the least of their grades
 * (gles_shaders/lib/grade.glsl has the same). `base` is the height of the outlet, `drop` what such a channel
 * loses from here to there.
 *
 * Where the height suffices, the grade is what is left of it at the outlet. Where it does not, the channel
 * falls evenly to its outlet, and the grade is the share that it has of the gradient wanted: less than any
 * grade of the first kind, and again the same all along.
 *
 * No operation here depends on how a device divides, or fuses products and sums: the share is found by long
 * division, in which every step is exact. It is rounded up, so that no channel lowers the cell where it
 * starts.
 */
#ifndef ORO_TERRAIN_DRAINAGE_GRADE_H
#define ORO_TERRAIN_DRAINAGE_GRADE_H

#include "terrain/drainage/steps.h"

#define ORO_GRADE_NONE INT32_MAX
#define ORO_GRADE_BITS 24 /* of a share */
#define ORO_GRADE_FULL (1 << ORO_GRADE_BITS)
#define ORO_GRADE_DEEPEST                                                                                    \
    (-1e30f)                  /* outlets below have no grades: differences of heights have to be finite */
#define ORO_GRADE_LEAST 1e-9f /* metres a cell; a least fall below counts as none */

/* Lengths of ways are whole numbers: 12 for a cell straight on, 17 for one across, which is a little more
 * than the square root of 2. */
enum { ORO_PATH_STRAIGHT = 12, ORO_PATH_ACROSS = 17 };

/* What a channel loses along `length`; `fall` in a cell. */
static inline float oro_grade_drop(float fall, uint32_t length)
{
    return fall / (float)ORO_PATH_STRAIGHT * (float)length;
}

static inline int32_t oro_grade_of(float height, float base, float drop)
{
    float above = oro_height(height) - base;
    int32_t share = 0;
    if (base < ORO_GRADE_DEEPEST)
        return ORO_GRADE_NONE;
    if (above >= drop) {
        float left = above - drop;
        memcpy(&share, &left, sizeof share);
        return share;
    }
    for (int i = 0; i < ORO_GRADE_BITS; i++) {
        above += above;
        share += share;
        if (above >= drop) {
            above -= drop;
            share++;
        }
    }
    return share + (above > 0) - ORO_GRADE_FULL;
}

/* How much higher than its outlet a channel of this grade is for its length alone. */
static inline float oro_grade_rise(int32_t grade, float drop)
{
    return grade < 0 ? (float)(grade + ORO_GRADE_FULL) * (1.0f / (float)ORO_GRADE_FULL) * drop : drop;
}

/* The height of a grade, but for rounding. */
static inline float oro_grade_height(int32_t grade, float base, float rise)
{
    float left = 0;
    if (grade > 0)
        memcpy(&left, &grade, sizeof left);
    return base + rise + left;
}

#endif
