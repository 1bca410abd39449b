/*
 * Weight maps ("splat maps"): masks that tell an engine how much of each material lies where. They go out
 * with a terrain, of its size, as 8-bit pictures, and add up to 255 in every cell.
 */
#ifndef ORO_FORMATS_WEIGHTS_H
#define ORO_FORMATS_WEIGHTS_H

#include <stddef.h>

#include "base/error.h"

enum { ORO_WEIGHTS_MOST = 32 };

/* Masks of one size, row-major, row 0 north; what is negative or not a number counts as 0. */
struct oro_weight_maps {
    size_t count;             /* 1..ORO_WEIGHTS_MOST */
    const char *const *names; /* part of the files' names: letters, digits, '_', '-', '.' */
    const float *const *masks;
};

/* Fails with ORO_E_USAGE: no mask, too many, a name that files cannot have, or two alike. */
bool oro_weights_check(const struct oro_weight_maps *weights, struct oro_error *err);

/* The levels of one cell, which add up to 255, by the method of the largest remainder; of equal ones, the
 * first mask's goes up. Where all masks are 0, the first has it all. */
void oro_weights_levels(const struct oro_weight_maps *weights, size_t cell, unsigned char *levels);

/* How the masks are put into pictures: one each, or four to a picture as red, green, blue and alpha. */
size_t oro_weights_pictures(const struct oro_weight_maps *weights, bool packed);
/* Channels of that picture: 1; packed: 3, and 4 only where a fourth mask needs it, because programs take the
 * colours of what seems transparent for nothing. */
int oro_weights_channels(const struct oro_weight_maps *weights, bool packed, size_t picture);

#endif
