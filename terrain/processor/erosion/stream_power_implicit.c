/* The equations of an implicit step: for every cell the a and b of h' = a + b h'(receiver). */
#include "terrain/processor/lib/incision.h"
#include "terrain/processor/lib/receivers.h"

#define EAGERNESS 20.0F
#define TOO_STEEP 1.001F
#define LEAST_SLOPE 1e-4F

struct implicit {
    struct oro_incision law;
    struct oro_receivers to;
    struct oro_map height;
    const float *area;
    float per_step; /* 0: steps have no common length */
    float *a, *b, *rate;
};

/* What a cell and its neighbours give. */
struct cell {
    float height, receiver, run, mean, lift, strength, of_divide, pulled;
};
struct equation {
    float a, b, rate;
};

/* The kernel says why. */
ORO_INLINE struct equation equation_of(const struct implicit *k, const struct cell *c)
{
    const struct oro_incision *law = &k->law;
    const int aging = k->per_step > 0;
    float h = c->height, slope = oro_max(h - c->receiver, 0) / c->run, limit = law->slope_limit;
    float balanced = oro_balanced_slope(law, c->strength, c->lift), creep = c->pulled * (c->mean - h);
    float most = 2 * oro_max(slope, balanced);
    float wanted = oro_balanced_slope(law, c->strength, oro_max(c->lift + creep, 0));
    float steep = aging ? slope : oro_max(slope, oro_min(wanted, most));
    float carved = oro_incise(law, c->strength, steep), order = oro_max(law->n, 1);
    float follow = steep > 0 ? order * carved / (steep * c->run) : 0;
    float of_divide = c->of_divide / oro_max(c->strength, 1e-37F);
    float per_step =
        aging ? k->per_step : oro_max(oro_max(follow * of_divide / EAGERNESS, 3 * c->pulled), 1e-30F);
    float all = per_step + follow + c->pulled;
    float a = (per_step * h + c->lift + c->pulled * c->mean + (order - 1) * carved) / all;
    float rate = oro_abs(c->lift + creep - oro_incise(law, c->strength, slope));
    /* Where nothing raises, lowers or pulls it, a cell stays; a depression is filled. */
    int sinks = c->lift < 0, still = !(all > 1e-29F) & !sinks, flat = !(slope > 0);
    float resting = flat ? 0 : h, falling = flat ? 1 : 0;
    struct equation e = {still ? resting : a, still ? falling : follow / all, still ? 0 : rate};
    /* It has sunk to its receiver. */
    int rests = sinks & (a + follow / all * c->receiver < c->receiver + LEAST_SLOPE * c->run);
    float left = oro_min(oro_abs(slope / LEAST_SLOPE - 1), 1);
    e = (struct equation){rests ? LEAST_SLOPE * c->run : e.a, rests ? 1 : e.b, rests ? rate * left : e.rate};
    /* The cell slides until it stands on its receiver at the steepest slope that holds. */
    int slides = (slope > TOO_STEEP * limit) | (!aging & (balanced > limit));
    float sliding = oro_max(c->lift, 0) * oro_min(oro_abs(slope / limit - 1), 1);
    return (struct equation){slides ? limit * c->run : e.a, slides ? 1 : e.b, slides ? sliding : e.rate};
}

ORO_INLINE void solve_row(const struct implicit *k, const struct oro_tile *tile, int y,
                          const struct oro_incision_row *at, bool creeps)
{
    struct oro_run_grid grid = k->to.grid;
    float receiver[ORO_TILE_WIDTH], run[ORO_TILE_WIDTH], scratch[3][ORO_TILE_WIDTH + 2];
    size_t first = (size_t)y * (size_t)grid.width + (size_t)tile->x;
    const float *height = k->height.values + first, *area = k->area + first;
    const uint32_t *next = k->to.next + first;
    float *a = k->a + first, *b = k->b + first, *rate = k->rate + first;
    oro_receivers_row(&k->to, k->height.values, tile, y, receiver, run);
    const float *above = oro_map_row(&k->height, tile->x - 1, y - 1, tile->width + 2, scratch[0]);
    const float *here = oro_map_row(&k->height, tile->x - 1, y, tile->width + 2, scratch[1]);
    const float *below = oro_map_row(&k->height, tile->x - 1, y + 1, tile->width + 2, scratch[2]);
#pragma omp simd
    for (int x = 0; x < tile->width; x++) {
        struct oro_creep soil = {0, height[x]};
        if (creeps)
            soil = oro_creep_at(&k->law, at, x, area[x], above, here, below);
        struct cell cell = {.height = height[x],
                            .receiver = receiver[x],
                            .run = run[x],
                            .mean = soil.mean,
                            .lift = oro_lift(at, x),
                            .strength = oro_strength(&k->law, at, x, area[x]),
                            .of_divide = oro_strength(&k->law, at, x, grid.cell * grid.cell * at->rain[x]),
                            .pulled = soil.pull};
        struct equation e = equation_of(k, &cell);
        int held = (next[x] == (uint32_t)first + (uint32_t)x) | !(at->mask[x] > 0);
        a[x] = held ? height[x] : e.a;
        b[x] = held ? 0 : e.b;
        rate[x] = held ? 0 : e.rate;
    }
}

static ORO_CLONES void solve(const void *user, const struct oro_tile *tile)
{
    const struct implicit *k = user;
    struct oro_incision_scratch scratch;
    for (int y = tile->y; y < tile->y + tile->height; y++) {
        struct oro_incision_row row = oro_incision_row(&k->law, tile, y, &scratch);
        if (k->law.hillslope.values || k->law.hillslope.number > 0)
            solve_row(k, tile, y, &row, true);
        else
            solve_row(k, tile, y, &row, false);
    }
}

ORO_PROCESSOR(erosion, stream_power_implicit)
{
    struct implicit k = {.law = oro_incision_of(run),
                         .to = {run->grid, oro_run_buffer(run, "next")},
                         .height = {.values = oro_run_buffer(run, "height"),
                                    .width = run->grid.width,
                                    .height = run->grid.height},
                         .area = oro_run_buffer(run, "area"),
                         .per_step = oro_run_number(run, "per_step"),
                         .a = oro_run_buffer(run, "a"),
                         .b = oro_run_buffer(run, "b"),
                         .rate = oro_run_buffer(run, "rate")};
    if (oro_run_ready(run))
        oro_run_tiles(run, solve, &k);
}
