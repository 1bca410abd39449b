/* The state of hydraulic erosion (Jako 2011): gles_shaders/lib/pipes.glsl says what it consists of. A cell is
 * four words: ground, water, sediment, and the softness as the bits of a float. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_PIPES_H
#define ORO_TERRAIN_PROCESSOR_LIB_PIPES_H

#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { ORO_STEPS_MAX = 1 << 30, ORO_DEPTH_MAX = 1 << 29 };
enum { ORO_GROUND, ORO_WATER, ORO_SEDIMENT, ORO_SOFTNESS, ORO_CELL_WORDS };
/* Words of the input `borders`. */
enum { ORO_PIPES_OUTFLOW, ORO_PIPES_WALLS, ORO_PIPES_SEA_LEVEL };
/* What falls in a cell, and the ground there at the start as the bits of a float. */
enum { ORO_FALLEN, ORO_FALLEN_GROUND, ORO_FALLEN_WORDS };
/* What has left from a cell over the border: water and sediment, each a sum in 64 bits. */
enum { ORO_GONE_WORDS = 4 };

/* A number of steps, rounded towards zero. */
ORO_INLINE int32_t oro_steps(float count)
{
    return (int32_t)oro_min(oro_max(-(float)ORO_STEPS_MAX, count), ORO_STEPS_MAX);
}

/* The value of a map, 0 for NaN. */
ORO_INLINE float oro_guarded(float value)
{
    return value == value ? value : 0;
}

ORO_INLINE int32_t oro_elevation_steps(float metres, float metre)
{
    return oro_steps(oro_round(metres * metre));
}

/* Fluxes of a cell's pipes: out of it to E, S, SE, SW, or into it from W, N, NW, NE. With four neighbours
 * those across are 0. */
struct oro_fluxes {
    float east, south, south_east, south_west;
};

/* What flows through the middle of a cell. */
struct oro_through {
    float x, y;
};
ORO_INLINE struct oro_through oro_through(struct oro_fluxes out_of, struct oro_fluxes into)
{
    float falling = 0.5F * (out_of.south_east + into.south_east);
    float rising = 0.5F * (out_of.south_west + into.south_west);
    return (struct oro_through){0.5F * (out_of.east + into.east) + (falling - rising),
                                0.5F * (out_of.south + into.south) + (falling + rising)};
}

ORO_INLINE float oro_length(float x, float y)
{
    return sqrtf(x * x + y * y);
}

#endif
