/* The uplift that constraints add: each around its place, as far as its radius. */
#include "terrain/processor/lib/constraints.h"

enum { BLOCK = ORO_CONSTRAINTS_BLOCK };

struct apply {
    struct oro_constraints of;
    struct oro_map uplift;
    const float *start; /* or NULL */
    float *correction;
};

/* What the constraints that reach the cells of a block have together, and what they add. */
struct shared {
    float preferences[BLOCK * BLOCK], weight[BLOCK * BLOCK], added[BLOCK * BLOCK];
};

/* The part of a block that lies in the grid; they are as wide as tiles' corners are apart. A place along a
 * river adds the same share of the uplift everywhere. */
ORO_INLINE void add_point(const struct apply *k, const struct oro_tile *block, const float *point,
                          struct shared *all)
{
    const float strength = oro_constraint_strength(&k->of, point),
                added = oro_constraint_added(&k->of, point);
    const bool lowers = oro_constraint_lowers_only(point);
    const float one = lowers ? point[4] : 1;
    const struct oro_map even = {.number = one, .min = one, .max = one};
    float scratch[BLOCK];
    for (int y = 0; y < block->height; y++) {
        float *preferences = all->preferences + y * BLOCK, *weights = all->weight + y * BLOCK,
              *sum = all->added + y * BLOCK;
        const float *uplift =
            oro_map_row(lowers ? &k->uplift : &even, block->x, block->y + y, block->width, scratch);
#pragma omp simd
        for (int x = 0; x < block->width; x++) {
            float distance = oro_constraint_distance(&k->of, point, block->x + x, block->y + y);
            float remoteness = oro_constraint_remoteness(distance);
            float preference = oro_constraint_preference(strength, remoteness);
            weights[x] += strength * (1 - remoteness);
            preferences[x] += preference;
            sum[x] += preference * added * uplift[x] / one;
        }
    }
}

ORO_INLINE void add_shared(const struct apply *k, const struct oro_tile *block, const struct shared *all)
{
    for (int y = 0; y < block->height; y++) {
        float *sum = k->correction + (size_t)(block->y + y) * (size_t)k->of.grid.width + block->x;
        for (int x = 0; x < block->width; x++) {
            float preferences = all->preferences[y * BLOCK + x], weight = all->weight[y * BLOCK + x];
            if (preferences > 0)
                sum[x] += all->added[y * BLOCK + x] / preferences * oro_min(weight, 1);
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
    struct shared all = {.weight = {0}};
    begin_block(k, block);
    for (uint32_t i = k->of.reach[number]; i < k->of.reach[number + 1]; i++) {
        const float *point = k->of.points + (size_t)k->of.reach[i] * ORO_CONSTRAINTS_POINT;
        add_point(k, block, point, &all);
    }
    add_shared(k, block, &all);
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
