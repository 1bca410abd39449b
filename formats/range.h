/*
 * Inside formats/: integer formats hold levels 0..largest; a range low..high in metres gives them a meaning.
 * Both directions are monotone: where a terrain never rises along a path, its file does not either.
 */
#ifndef ORO_FORMATS_RANGE_H
#define ORO_FORMATS_RANGE_H

#include <stdbool.h>
#include <stddef.h>

struct oro_height_range {
    double low, high; /* metres; low <= high, both within float32 */
};

/* Finite, within float32, low <= high. */
bool oro_range_valid(struct oro_height_range range);

/* Least and greatest of the values that are finite; 0 and 0 where none is. */
struct oro_height_range oro_range_of(const float *metres, size_t count);

/* The nearest level of each value: levels = round((metres - low) / (high - low) * largest), clipped to
 * 0..largest; all 0 where low = high. Returns how many values were clipped. `levels` may be `metres`. */
size_t oro_range_to_levels(struct oro_height_range range, double largest, const float *metres, size_t count,
                           float *levels);

/* metres = low + (high - low) * level / largest, in place. The ends are exactly low and high. */
void oro_range_to_metres(struct oro_height_range range, double largest, float *samples, size_t count);

#endif
