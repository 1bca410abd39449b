/* One explicit step (Schott 2023, eq. 2 and 5, section 7.2). */
#include <stdatomic.h>

#include "terrain/processor/lib/incision.h"
#include "terrain/processor/lib/outlets.h"
#include "terrain/processor/lib/water.h"

/* Words of the three lists. */
enum { UNSTABLE, PITS, STEP, YEARS, PITS_BEFORE, LIMIT };

struct explicit
{
    struct oro_water water;
    struct oro_incision law;
    struct oro_outlets outlets;
    float scale, steepest, least_room, step;
    bool creep;
    float *height_out, *area_out;
    atomic_uint *unstable, *pits;
};

struct counts {
    int unstable, pits;
};

/* Row y of the tile; `ground` points at its heights, `area` is the new one. */
ORO_INLINE struct counts step_row(const struct explicit *k, const struct oro_tile *tile, int y,
                                  const struct oro_incision_row *at, const float *ground, const float *area,
                                  bool creep)
{
    const struct oro_incision *law = &k->law;
    float sea_scratch[ORO_TILE_WIDTH], step = k->step, strictness = oro_max(law->n, 1);
    const float *sea = oro_map_row(&k->outlets.sea, tile->x, y, tile->width, sea_scratch);
    float *out = k->height_out + (size_t)y * (size_t)k->water.flow.grid.width + tile->x;
    int unstable_count = 0, pit_count = 0;
#pragma omp simd reduction(+ : unstable_count, pit_count)
    for (int x = 0; x < tile->width; x++) {
        struct oro_flow_ground g = oro_ground_at(ground + x);
        float power = law->m * oro_channel_area(law, at, x, area[x]) +
                      law->n * oro_log2(oro_max(g.drop, 1e-37F)) + k->scale;
        float room = g.height - g.receiver, lifted = step * oro_lift(at, x), crept = 0;
        float carved = step * at->mask[x] * at->erodibility[x] * oro_exp2(oro_min(power, 120));
        bool unstable = strictness * carved > 0.7F * room;
        if (creep) {
            const float *here = ground - 1;
            struct oro_creep soil =
                oro_creep_at(law, at, x, area[x], here - ORO_FLOW_COLUMNS, here, here + ORO_FLOW_COLUMNS);
            float pulled = step * soil.pull;
            unstable |= pulled > 0.9F;
            crept = oro_min(pulled, 0.9F) * (soil.mean - g.height);
        }
        /* With the lift: the slope in balance has no step in it. */
        carved = oro_max(carved, g.drop + lifted - k->steepest);
        carved = oro_min(carved, 0.9F * room);
        /* Ground that sinks comes to rest on its receiver. */
        float sunk = oro_min(oro_max(-lifted, 0), 0.9F * oro_max(room - k->least_room, 0));
        float stepped = g.height + oro_max(lifted, 0) + crept - oro_max(carved, sunk);
        /* A pit fills with sediment up to where it spills. It rises with the ground as well. */
        float filled = at->correction[x] < 0 ? k->least_room : 0;
        int pit = !(g.lowest < g.height),
            held = oro_is_outlet(&k->outlets, tile->x + x, y, sea[x]) | !(at->mask[x] > 0);
        float after = pit ? oro_max(g.lowest + filled, g.height + lifted) : stepped;
        out[x] = held ? g.height : after;
        unstable_count += unstable & !pit & !held;
        pit_count += pit & !held;
    }
    return (struct counts){unstable_count, pit_count};
}

static ORO_CLONES void advance(const void *user, const struct oro_tile *tile)
{
    const struct explicit *k = user;
    struct oro_flow_tile t;
    struct oro_incision_scratch scratch;
    struct counts sum = {0};
    oro_flow_array share;
    oro_water_prepare(&k->water, tile, &t, share);
    for (int i = 0; i < tile->height; i++) {
        int y = tile->y + i;
        float *area = k->area_out + (size_t)y * (size_t)k->water.flow.grid.width + tile->x;
        const float *ground = &t.height[i + 2][8];
        struct oro_incision_row row = oro_incision_row(&k->law, tile, y, &scratch);
        oro_water_row(&k->water, tile, i, &t, share, area);
        struct counts counts = k->creep ? step_row(k, tile, y, &row, ground, area, true)
                                        : step_row(k, tile, y, &row, ground, area, false);
        sum.unstable += counts.unstable;
        sum.pits += counts.pits;
    }
    atomic_fetch_add(k->unstable, (unsigned)sum.unstable);
    atomic_fetch_add(k->pits, (unsigned)sum.pits);
}

/* As in the kernel: whether the step before was too long, and how long this one is. */
static bool was_too_long(const uint32_t *last)
{
    const uint32_t few = 4;
    uint32_t pits = last[PITS], before = last[PITS_BEFORE], more = before / 32;
    return last[UNSTABLE] > few || pits > before + (more > few ? more : few);
}

static float choose_step(const uint32_t *last, float longest)
{
    float before = oro_of_bits((int32_t)last[STEP]), limit = oro_of_bits((int32_t)last[LIMIT]);
    float factor = was_too_long(last) ? 0.75F : limit > 0 && before > 0.8F * limit ? 1.0002F : 1.01F;
    return oro_clamp(before * factor, 1e-6F, longest);
}

static void keep_books(const uint32_t *last, float step, uint32_t *now, uint32_t *next)
{
    now[STEP] = (uint32_t)oro_bits(step);
    now[YEARS] = (uint32_t)oro_bits(oro_of_bits((int32_t)last[YEARS]) + step);
    now[PITS_BEFORE] = last[PITS];
    now[LIMIT] = was_too_long(last) ? last[STEP] : last[LIMIT];
    next[UNSTABLE] = 0;
    next[PITS] = 0;
}

ORO_PROCESSOR(erosion, stream_power_explicit)
{
    const uint32_t *last = oro_run_buffer(run, "last");
    uint32_t *now = oro_run_buffer(run, "now"), *next = oro_run_buffer(run, "next");
    atomic_uint unstable = 0, pits = 0;
    struct explicit k = {.water = oro_water_of(run),
                         .law = oro_incision_of(run),
                         .outlets = oro_outlets_of(run),
                         .scale = oro_run_number(run, "scale"),
                         .steepest = oro_run_number(run, "steepest"),
                         .least_room = 0.01F * run->grid.cell,
                         .creep = oro_run_defined(run, "CREEP") == 1,
                         .height_out = oro_run_buffer(run, "height_out"),
                         .area_out = oro_run_buffer(run, "area_out"),
                         .unstable = &unstable,
                         .pits = &pits};
    float longest = oro_run_number(run, "longest");
    if (!oro_run_ready(run))
        return;
    k.water.flow.held = true;
    k.step = choose_step(last, longest);
    oro_run_tiles(run, advance, &k);
    keep_books(last, k.step, now, next);
    now[UNSTABLE] += unstable;
    now[PITS] += pits;
}
