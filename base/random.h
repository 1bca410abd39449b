/* Random numbers for objects that are placed on the host: integers only, so that all machines get the
 * same. */
#ifndef ORO_BASE_RANDOM_H
#define ORO_BASE_RANDOM_H

#include <stdint.h>

/* The same hash as gles_shaders/lib/hash.glsl. */
static inline uint32_t oro_random_hash(uint32_t x)
{
    uint32_t state = x * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

/* The next number of a sequence, a whole number. */
static inline uint32_t oro_random_next(uint32_t *sequence)
{
    *sequence = *sequence * 747796405u + 2891336453u;
    return oro_random_hash(*sequence);
}

/* The next number of a sequence in [0, 1). */
static inline double oro_random_unit(uint32_t *sequence)
{
    return oro_random_next(sequence) / 4294967296.0;
}

static inline double oro_random_between(uint32_t *sequence, double low, double high)
{
    return low + (high - low) * oro_random_unit(sequence);
}

/* The next of a sequence of indices, each below `count`. */
static inline uint32_t oro_random_below(uint32_t *sequence, uint32_t count)
{
    return (uint32_t)((uint64_t)oro_random_next(sequence) * count >> 32);
}

#endif
