/* Integer hashes for patterns (O'Neill 2014): gles_shaders/lib/hash.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_HASH_H
#define ORO_TERRAIN_PROCESSOR_LIB_HASH_H

#include "terrain/processor/vector.h"

ORO_INLINE uint32_t oro_hash(uint32_t x)
{
    uint32_t state = x * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

/* The hash of a cell is oro_hash(x + oro_hash_row(y, seed)). */
ORO_INLINE uint32_t oro_hash_row(int y, uint32_t seed)
{
    return oro_hash((uint32_t)y + oro_hash(seed));
}

/* A hash as a number in [0, 1). */
ORO_INLINE float oro_hash_unit(uint32_t hash)
{
    return (float)(int32_t)(hash >> 8) * (1.0F / 16777216.0F);
}

#endif
