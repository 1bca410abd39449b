/*
 * Inside formats/: half floats, the 16-bit numbers of IEEE 754. They have 11 binary digits, so that their
 * steps grow with the height: half a metre from 512 m on, two metres from 2048 m on.
 */
#ifndef ORO_FORMATS_HALF_H
#define ORO_FORMATS_HALF_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The largest number that a half float holds. */
#define ORO_HALF_MAX 65504.0F

/* The nearest half float, of two as near the even one; infinite from 65520 on. NaN stays NaN. */
uint16_t oro_half_of(float value);
float oro_half_value(uint16_t half);

/* A channel that becomes half floats. */
struct oro_half_raster {
    const char *path, *channel; /* for messages; channel NULL: the heights */
    const float *values;
    int step, width; /* floats from one cell to the next; cells in a row */
    size_t cells;
};
/* Fails with ORO_E_WRITE where a value lies beyond the largest half float. */
bool oro_half_check(const struct oro_half_raster *raster, struct oro_error *err);

/* Rounds each value to the nearest half float. It is monotone: where a terrain never rises along a path, the
 * rounded one does not either. */
void oro_half_round(float *values, size_t count);

/* Finite half floats in order, as whole numbers: level 0 is -65504, ORO_HALF_LEVELS the largest; both zeros
 * are one level. */
#define ORO_HALF_LEVELS 63486.0
void oro_half_to_levels(const float *halves, size_t count, float *levels);
void oro_half_from_levels(float *levels, size_t count);

#endif
