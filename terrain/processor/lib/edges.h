/* Cells beyond the edge of the source, for nodes with a choice `edge`: gles_shaders/lib/edges.glsl. */
#ifndef ORO_TERRAIN_PROCESSOR_LIB_EDGES_H
#define ORO_TERRAIN_PROCESSOR_LIB_EDGES_H

#include "terrain/processor/vector.h"

/* Words of the input `edge`, of which nodes may have more. */
enum oro_edge { ORO_EDGE_CLAMP, ORO_EDGE_REPEAT, ORO_EDGE_MIRROR };

/* The remainder, 0 to n - 1. */
ORO_INLINE int oro_wrapped(int i, int n)
{
    int rest = i % n;
    return rest < 0 ? rest + n : rest;
}

/* The cell of an axis with `n` of them that stands for cell i. */
ORO_INLINE int oro_within_edges(enum oro_edge edge, int i, int n)
{
    if (i >= 0 && i < n)
        return i;
    if (edge == ORO_EDGE_REPEAT)
        return oro_wrapped(i, n);
    if (edge == ORO_EDGE_MIRROR) {
        int rest = oro_wrapped(i, 2 * n);
        return rest < n ? rest : 2 * n - 1 - rest;
    }
    return i < 0 ? 0 : n - 1;
}

#endif
