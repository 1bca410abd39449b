/* Adds the values of the next level, smoothly, to those of a level, and sweeps. */
#include "terrain/processor/lib/multigrid.h"

enum { PART = 32 }; /* side of the squares that the check is for */

struct up {
    struct oro_multigrid level;
    struct oro_map coarse;
    const float *swept;
    float *values, *partial;
    bool coarser, check, last;
};

/* Row `row` of the coarse level between its columns: what the cells of a fine row get of it, from column x
 * on, which is even. */
ORO_INLINE void widen(const struct up *k, int x, int count, int row, float *out)
{
    float scratch[ORO_MULTIGRID_COLUMNS / 2 + 2];
    int pairs = (count + 1) / 2;
    const float *coarse = oro_map_row(&k->coarse, x / 2 - 1, row, pairs + 2, scratch);
#pragma omp simd
    for (int i = 0; i < pairs; i++) {
        out[2 * i] = oro_mix(coarse[i + 1], coarse[i], 0.25F);
        out[2 * i + 1] = oro_mix(coarse[i + 1], coarse[i + 2], 0.25F);
    }
}

/* The values that a row starts from. */
ORO_INLINE void load_row(const struct up *k, const struct oro_tile *inside, int y, float *e)
{
    float near[ORO_MULTIGRID_COLUMNS] = {0}, far[ORO_MULTIGRID_COLUMNS] = {0};
    size_t at = (size_t)y * (size_t)k->level.grid.width + (size_t)inside->x;
    const float *swept = k->swept + at, *hold = k->level.hold + at, *given = k->level.given + at;
    const int finest = k->level.finest, from_values = k->level.start == ORO_FROM_VALUES;
    const int from_given = k->level.start == ORO_FROM_GIVEN;
    if (k->coarser) {
        widen(k, inside->x, inside->width, y / 2, near);
        widen(k, inside->x, inside->width, y / 2 + 2 * (y & 1) - 1, far);
    }
#pragma omp simd
    for (int x = 0; x < inside->width; x++) {
        int fixed = oro_multigrid_held(hold[x], finest) >= ORO_MULTIGRID_FIXED;
        float now = swept[x], wanted = given[x];
        float before = from_values ? now : 0, kept = from_given ? wanted : before;
        e[x] = fixed ? kept : before + oro_mix(near[x], far[x], 0.25F);
    }
}

/* What a cell of a part has changed at most, and how many are fixed. */
ORO_INLINE void check_part(const struct up *k, const struct oro_tile *part, const float *e)
{
    int32_t most = 0, fixed = 0;
    size_t width = (size_t)k->level.grid.width, columns = (width - 1) / PART + 1;
    for (int y = 0; y < part->height; y++, e += ORO_MULTIGRID_COLUMNS) {
        size_t at = (size_t)(part->y + y) * width + (size_t)part->x;
        const float *before = k->values + at, *hold = k->level.hold + at;
#pragma omp simd reduction(max : most) reduction(+ : fixed)
        for (int x = 0; x < part->width; x++) {
            int32_t change = oro_bits(oro_abs(e[x] - before[x])); /* ordered as the numbers are */
            most = change > most ? change : most;
            fixed += oro_multigrid_held(hold[x], k->level.finest) >= ORO_MULTIGRID_FIXED;
        }
    }
    float *partial = k->partial + 2 * ((size_t)(part->y / PART) * columns + (size_t)(part->x / PART));
    partial[0] = oro_of_bits(most);
    partial[1] = (float)fixed;
}

ORO_INLINE void check(const struct up *k, const struct oro_tile *tile, struct oro_multigrid_tile *t)
{
    int end = tile->x + tile->width;
    for (int x = tile->x; x < end; x += PART) {
        struct oro_tile part = {x, tile->y, end - x < PART ? end - x : PART, tile->height};
        check_part(k, &part, oro_multigrid_at(tile, t->e, x, tile->y));
    }
}

static ORO_CLONES void go_up(const void *user, const struct oro_tile *tile)
{
    const struct up *k = user;
    const struct oro_multigrid *level = &k->level;
    struct oro_multigrid_tile t;
    struct oro_tile inside = oro_multigrid_inside(level, tile);
    oro_multigrid_equations(level, tile, &t);
    for (int y = inside.y; y < inside.y + inside.height; y++)
        load_row(k, &inside, y, oro_multigrid_at(tile, t.e, inside.x, y));
    for (int rings = 3; rings >= 0; rings--)
        oro_multigrid_sweep(level, tile, (rings + 1) % 2, rings, &t);
    for (int i = 0; i < 44 && k->last; i++) /* the last level is one tile, which has nothing around it */
        oro_multigrid_sweep(level, tile, i % 2, 0, &t);
    if (k->check)
        check(k, tile, &t);
    for (int y = tile->y; y < tile->y + tile->height; y++)
        memcpy(k->values + (size_t)y * (size_t)level->grid.width + tile->x,
               oro_multigrid_at(tile, t.e, tile->x, y), (size_t)tile->width * sizeof(float));
}

ORO_PROCESSOR(erosion, retarget_up)
{
    struct up k = {.level = oro_multigrid_of(run),
                   .coarse = {.values = oro_run_buffer(run, "coarse"),
                              .width = run->source.width,
                              .height = run->source.height},
                   .swept = oro_run_buffer(run, "swept"),
                   .values = oro_run_buffer(run, "values"),
                   .partial = oro_run_buffer(run, "partial"),
                   .coarser = oro_run_number(run, "coarser") > 0,
                   .check = oro_run_number(run, "check") > 0,
                   .last = oro_run_defined(run, "LAST") == 1};
    if (oro_run_ready(run))
        oro_run_tiles(run, go_up, &k);
}
