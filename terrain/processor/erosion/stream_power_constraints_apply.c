/* The uplift that constraints add: each around its place, fading to its radius. */
#include <math.h>

#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

enum { BLOCK = 16, POINT = 8, ADDED = 8 }; /* cells; words of a point; where the first point's word lies */

struct apply {
    struct oro_run_grid grid;
    const float *points, *control, *start; /* start: or NULL */
    const uint32_t *reach;
    float *correction;
};

/* The part of a block that lies in the grid; they are as wide as tiles' corners are apart. */
ORO_INLINE void add_point(const struct apply *k, const struct oro_tile *block, const float *point,
                          float added)
{
    float cell = k->grid.cell;
    for (int y = block->y; y < block->y + block->height; y++) {
        float *sum = k->correction + (size_t)y * (size_t)k->grid.width + block->x;
        float dy = ((float)y + 0.5F) * cell - point[3];
#pragma omp simd
        for (int x = 0; x < block->width; x++) {
            float dx = ((float)(block->x + x) + 0.5F) * cell - point[2];
            float t = oro_min(sqrtf(dx * dx + dy * dy) / point[5], 1);
            sum[x] += added * (1 - t * t * (3 - 2 * t));
        }
    }
}

ORO_INLINE void begin_block(const struct apply *k, const struct oro_tile *block)
{
    for (int y = block->y; y < block->y + block->height; y++)
        for (int x = block->x; x < block->x + block->width; x++) {
            size_t i = (size_t)y * (size_t)k->grid.width + (size_t)x;
            k->correction[i] = k->start ? k->start[i] : 0;
        }
}

ORO_INLINE void correct_block(const struct apply *k, const struct oro_tile *block)
{
    int columns = (k->grid.width + BLOCK - 1) / BLOCK, number = block->y / BLOCK * columns + block->x / BLOCK;
    begin_block(k, block);
    for (uint32_t i = k->reach[number]; i < k->reach[number + 1]; i++) {
        size_t point = (size_t)k->reach[i] * POINT;
        add_point(k, block, k->points + point, k->control[ADDED + point]);
    }
}

static ORO_CLONES void correct(const void *user, const struct oro_tile *tile)
{
    int end_x = tile->x + tile->width, end_y = tile->y + tile->height;
    for (int y = tile->y; y < end_y; y += BLOCK)
        for (int x = tile->x; x < end_x; x += BLOCK)
            correct_block(user, &(struct oro_tile){x, y, end_x - x < BLOCK ? end_x - x : BLOCK,
                                                   end_y - y < BLOCK ? end_y - y : BLOCK});
}

ORO_PROCESSOR(erosion, stream_power_constraints_apply)
{
    struct apply k = {.grid = run->grid,
                      .points = oro_run_buffer(run, "points"),
                      .control = oro_run_buffer(run, "control"),
                      .start = oro_run_optional(run, "start"),
                      .reach = oro_run_buffer(run, "reach"),
                      .correction = oro_run_buffer(run, "correction")};
    if (oro_run_ready(run))
        oro_run_tiles(run, correct, &k);
}
