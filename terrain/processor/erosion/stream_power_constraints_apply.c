/* The uplift that constraints add: each around its place, fading to its radius. */
#include "terrain/processor/lib/constraints.h"

enum { BLOCK = ORO_CONSTRAINTS_BLOCK };

struct apply {
    struct oro_constraints of;
    struct oro_map uplift;
    const float *start; /* or NULL */
    float *correction;
};

/* The part of a block that lies in the grid; they are as wide as tiles' corners are apart. */
ORO_INLINE void add_point(const struct apply *k, const struct oro_tile *block, const float *point,
                          float added)
{
    for (int y = block->y; y < block->y + block->height; y++) {
        float *sum = k->correction + (size_t)y * (size_t)k->of.grid.width + block->x;
#pragma omp simd
        for (int x = 0; x < block->width; x++) {
            float distance = oro_constraint_distance(&k->of, point, block->x + x, y);
            sum[x] += added * oro_constraint_weight(distance);
        }
    }
}

/* The same along the river below a constraint: `added` is relative to the uplift. */
ORO_INLINE void add_place(const struct apply *k, const struct oro_tile *block, const float *point,
                          float added)
{
    float scratch[BLOCK];
    for (int y = block->y; y < block->y + block->height; y++) {
        float *sum = k->correction + (size_t)y * (size_t)k->of.grid.width + block->x;
        const float *uplift = oro_map_row(&k->uplift, block->x, y, block->width, scratch);
#pragma omp simd
        for (int x = 0; x < block->width; x++) {
            float distance = oro_constraint_distance(&k->of, point, block->x + x, y);
            sum[x] += added * uplift[x] * oro_constraint_weight(distance);
        }
    }
}

ORO_INLINE void begin_block(const struct apply *k, const struct oro_tile *block)
{
    for (int y = block->y; y < block->y + block->height; y++)
        for (int x = block->x; x < block->x + block->width; x++) {
            size_t i = (size_t)y * (size_t)k->of.grid.width + (size_t)x;
            k->correction[i] = k->start ? k->start[i] : 0;
        }
}

ORO_INLINE void correct_block(const struct apply *k, const struct oro_tile *block)
{
    int number = oro_constraints_block(&k->of, block->x, block->y);
    begin_block(k, block);
    for (uint32_t i = k->of.reach[number]; i < k->of.reach[number + 1]; i++) {
        const float *point = k->of.points + (size_t)k->of.reach[i] * ORO_CONSTRAINTS_POINT;
        float setting = oro_constraint_setting(&k->of, point);
        if (oro_constraint_lowers_only(point))
            add_place(k, block, point, oro_min(setting, 0) / point[4]);
        else
            add_point(k, block, point, setting);
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
    struct apply k = {.of = oro_constraints_of(run),
                      .uplift = oro_run_map(run, "uplift"),
                      .start = oro_run_optional(run, "start"),
                      .correction = oro_run_buffer(run, "correction")};
    if (oro_run_ready(run))
        oro_run_tiles(run, correct, &k);
}
