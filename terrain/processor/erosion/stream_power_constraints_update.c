/* Every controller looks at its cell, and sets how much uplift its constraint adds (Schott 2023, eq. 10). */
#include "base/parallel.h"
#include "terrain/processor/run.h"
#include "terrain/processor/vector.h"

/* A point's words, and its controller's; those of the first begin at HEAD. */
enum { COLUMN, ROW, TARGET = 4, RADIUS, SCALE, POINT = 8, HEAD = 8 };
enum { ADDED, SUM, LAST, SMALL, WORKED, CARE, STATE, YEARS };
enum { WORKING, SETTLED, GIVEN_UP }; /* what STATE says */
enum { CLOCK_YEARS = 3 };            /* word of the clock */

struct update {
    struct oro_run_grid grid;
    struct oro_map uplift, height, correction;
    const float *points;
    float *control, kp, ki, kd, reference, share, years;
};

/* Of two whole numbers that are as near, the even one. */
static int rounded(float x)
{
    const float rounder = 12582912.0F; /* 1.5 * 2^23: floats of this size are whole numbers */
    return (int)(x + rounder - rounder);
}

/* How far the cell stands above the ground at the radius around it; at least a little. */
static float relief_within(const struct update *k, const float *point)
{
    int x = (int)point[COLUMN], y = (int)point[ROW];
    float sum = 0, scale = point[SCALE];
    float cells = oro_min(point[RADIUS] / k->grid.cell, 1e6F); /* more than any grid has */
    for (int i = 0; i < 8; i++) {
        struct oro_turn turn = oro_sincos(0.785398F * (float)i);
        sum += oro_map_at(&k->height, x + rounded(cells * turn.cosine), y + rounded(cells * turn.sine));
    }
    return oro_clamp(oro_map_at(&k->height, x, y) - 0.125F * sum, 0.05F * scale, scale);
}

static float next_state(float state, float size, float small, float worked)
{
    const float large_error = 0.006F, patience = 300, sure = 3; /* response times */
    if (state == SETTLED && size > large_error)
        return WORKING;
    if (state == WORKING)
        return small >= sure ? SETTLED : worked > patience ? GIVEN_UP : WORKING;
    return state;
}

static void control_point(const struct update *k, const float *point, float *c, float share)
{
    const float small_error = 0.002F, most = 100 * k->reference, quickness = 250;
    int x = (int)point[COLUMN], y = (int)point[ROW];
    float error = (point[TARGET] - oro_map_at(&k->height, x, y)) / point[SCALE], size = oro_abs(error);
    float change = error - c[LAST], small = size < small_error ? c[SMALL] + share : 0, state = c[STATE];
    bool working = state == WORKING, turned = error * c[LAST] < 0 && size > small_error;
    c[WORKED] += working ? share : 0;
    c[CARE] = oro_clamp(c[CARE] * (turned ? 0.7F : 1 + 0.03F * share), 0.02F, 1);
    float gain = c[CARE] * k->reference * point[SCALE] / relief_within(k, point);
    /* Anti-windup: the sum goes no further than what it can do. The ground cannot rise less than not at all.
     */
    bool idle = error < 0 && oro_map_at(&k->uplift, x, y) + oro_map_at(&k->correction, x, y) <= 0;
    float more = idle ? 0 : share * quickness * k->ki * error * gain;
    if (working) {
        c[SUM] = oro_clamp(c[SUM] + more, -most, most);
        c[ADDED] = oro_clamp(gain * (k->kp * error + k->kd * change) + c[SUM], -most, most);
    }
    c[LAST] = error;
    c[SMALL] = small;
    c[STATE] = next_state(state, size, small, c[WORKED]);
}

static void update(void *user, size_t first, size_t end)
{
    const struct update *k = user;
    for (size_t i = first; i < end; i++) {
        const float *point = k->points + POINT * i;
        float *control = k->control + HEAD + POINT * i, share = k->share;
        if (!(share > 0)) { /* the explicit solver's years */
            share = oro_clamp((k->years - control[YEARS]) * k->reference * 4 / point[SCALE], 0, 1);
            control[YEARS] = k->years;
        }
        if (share > 0)
            control_point(k, point, control, share);
    }
}

static struct oro_map raster(struct oro_run *run, const char *slot)
{
    return (struct oro_map){
        .values = oro_run_buffer(run, slot), .width = run->grid.width, .height = run->grid.height};
}

ORO_PROCESSOR(erosion, stream_power_constraints_update)
{
    const float *clock = oro_run_buffer(run, "clock");
    struct update k = {.grid = run->grid,
                       .uplift = oro_run_map(run, "uplift"),
                       .height = raster(run, "height"),
                       .correction = raster(run, "correction"),
                       .points = oro_run_buffer(run, "points"),
                       .control = oro_run_buffer(run, "control"),
                       .kp = oro_run_float(run, "kp"),
                       .ki = oro_run_float(run, "ki"),
                       .kd = oro_run_float(run, "kd"),
                       .reference = oro_run_number(run, "reference"),
                       .share = oro_run_number(run, "share")};
    size_t count = (size_t)oro_run_number(run, "count");
    if (!oro_run_ready(run))
        return;
    k.years = clock[CLOCK_YEARS];
    oro_parallel(count, 64, update, &k);
}
