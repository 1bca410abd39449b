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
#ifndef ORO_TERRAIN_DRAINAGE_GRADES_H
#define ORO_TERRAIN_DRAINAGE_GRADES_H

#include "terrain/drainage/course.h"

enum { ORO_TILED_GRADE_STAGES = 4 }; /* that have messages */

struct oro_tiled_carving {
    struct oro_tiled_course *course;
    const float *z; /* of the window */
    float fall;
    /* What was answered to the stages before. */
    struct oro_tiled_view answers[ORO_TILED_GRADE_STAGES];
    int32_t *low;  /* room for the window: gets the lowest steps that are known in this stage */
    bool too_deep; /* gets true where that is why a stage failed */
    size_t gentle; /* gets the cells of oro_breach's `gentle`, of the tile, in stage 4 */
};

enum oro_tiled_flow oro_tiled_carve_flow(int stage);
/* Does a stage, and adds its message, if there is one, to `message`. Fails with ORO_E_EVALUATE where a cell
 * is too deep to be drained (from stage 1 on) or an answer does not fit, or ORO_E_MEMORY. */
bool oro_tiled_carve(struct oro_tiled_carving *carving, int stage, struct oro_tiled_bytes *message,
                     struct oro_error *err);

#endif
