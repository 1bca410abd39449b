/*
 * Carving by tiles with a least gradient (oro_breach's `fall`), in stages, each of which ends with a message
 * up and an answer down for each tile:
 *
 *   0  the lowest steps of plain carving (ORO_TILED_LOW)
 *   1  with these: lengths of ways, and heights of their outlets (ORO_TILED_LENGTH)
 *   2  with these: grades of channels (ORO_TILED_GRADE)
 *   3  with these: the lowest steps once more (ORO_TILED_LOW)
 *   4  with these: done
 *
 * Without a least gradient, all is done in stage 1. Each stage computes anew what comes before it.
 */
#ifndef ORO_TERRAIN_DRAINAGE_BREACH_H
#define ORO_TERRAIN_DRAINAGE_BREACH_H

#include "terrain/drainage/flow.h"

enum { ORO_TILED_GRADE_STAGES = 4 }; /* that have messages */

enum oro_tiled_flow oro_tiled_carve_flow(int stage);

#endif
