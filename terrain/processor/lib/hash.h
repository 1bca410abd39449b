/* Integer hashes for procedural patterns: gles_shaders/lib/hash.glsl, for vector loops. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_HASH_H
#define ORO_TERRAIN_PROCESSOR_LIB_HASH_H

#include "terrain/processor/vector.h"

ORO_INLINE uint32_t oro_hash_number(uint32_t x)
{
    uint32_t state = x * 747796405u + 2891336453u;
    uint32_t word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

ORO_INLINE uint32_t oro_hash_cell(int32_t x, int32_t y, uint32_t seed)
{
    return oro_hash_number((uint32_t)x + oro_hash_number((uint32_t)y + oro_hash_number(seed)));
}

/* A hash as a number in [0, 1). */
ORO_INLINE float oro_hash_unit(uint32_t h)
{
    return (float)(int32_t)(h >> 8u) * (1 / 16777216.0F);
}

/* A hash as a point of the unit square: its coordinates. */
ORO_INLINE float oro_hash_point_x(uint32_t h)
{
    return (float)(int32_t)(h & 0xffffu) * (1 / 65536.0F);
}

ORO_INLINE float oro_hash_point_y(uint32_t h)
{
    return (float)(int32_t)(h >> 16u) * (1 / 65536.0F);
}

#endif
