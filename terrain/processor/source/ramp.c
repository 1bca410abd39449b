/* A linear or radial gradient. */
#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

struct ramp {
    struct oro_run_grid grid;
    bool radial;
    float low, high, start[2], line[2]; /* line: from the start to the end */
    struct oro_setter field;
};

static ORO_CLONES void fill(const void *user, const struct oro_tile *tile)
{
    const struct ramp *k = user;
    float row[ORO_TILE_WIDTH], cell = k->grid.cell, west = k->grid.x, start = k->start[0];
    float squared = k->line[0] * k->line[0] + k->line[1] * k->line[1], length = sqrtf(squared);
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        float south = k->grid.y + ((float)y + 0.5F) * cell - k->start[1];
#pragma omp simd
        for (int x = 0; x < tile->width; x++) {
            float east = west + ((float)(tile->x + x) + 0.5F) * cell - start;
            float way = sqrtf(east * east + south * south) / length;
            float ahead = (east * k->line[0] + south * k->line[1]) / squared;
            row[x] = oro_mix(k->low, k->high, oro_clamp(k->radial ? way : ahead, 0, 1));
        }
        oro_set_row(&k->field, tile->x, y, tile->width, row);
    }
}

/* From edge to edge, or from the centre to the nearest edge. */
static void fit(struct ramp *k, float angle)
{
    float width = (float)k->grid.width * k->grid.cell, height = (float)k->grid.height * k->grid.cell;
    struct oro_turn turn = oro_sincos(oro_radians(angle));
    float east = turn.sine, south = -turn.cosine;
    float reach =
        0.5F * (k->radial ? oro_min(width, height) : oro_abs(east) * width + oro_abs(south) * height);
    k->start[0] = k->grid.x + 0.5F * width - (k->radial ? 0 : reach * east);
    k->start[1] = k->grid.y + 0.5F * height - (k->radial ? 0 : reach * south);
    k->line[0] = (k->radial ? 1 : 2) * reach * east;
    k->line[1] = (k->radial ? 1 : 2) * reach * south;
}

ORO_PROCESSOR(source, ramp)
{
    struct ramp k = {.grid = run->grid,
                     .radial = oro_run_int(run, "method") == 1,
                     .low = oro_run_float(run, "low"),
                     .high = oro_run_float(run, "high"),
                     .field = oro_run_setter(run, "field")};
    const float *start = oro_run_literal(run, "start"), *end = oro_run_literal(run, "end");
    float angle = oro_run_float(run, "angle");
    if (!oro_run_ready(run))
        return;
    for (int axis = 0; axis < 2; axis++) {
        k.start[axis] = start[axis];
        k.line[axis] = end[axis] - start[axis];
    }
    if (start[0] == end[0] && start[1] == end[1])
        fit(&k, angle);
    oro_run_tiles(run, fill, &k);
}
