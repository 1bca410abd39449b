/* Sums along a tile's ways. */
#include "terrain/drainage/course_private.h"

enum oro_tiled_flow oro_tiled_sums_flow(const struct oro_tiled_sums *sums)
{
    return (enum oro_tiled_flow)((sums->cells ? ORO_TILED_CELLS : 0) | (sums->rain_sum ? ORO_TILED_RAIN : 0) |
                                 (sums->low ? ORO_TILED_LOW : 0));
}

/* ---- Cells begin with what is theirs, and what comes in ---- */

struct summing {
    const struct oro_tiled_course *course;
    const struct oro_tiled_sums *sums;
};

static void begin_cells(void *user, size_t first, size_t end)
{
    const struct oro_tiled_sums *sums = ((const struct summing *)user)->sums;
    for (size_t i = first; sums->cells && i < end; i++)
        sums->cells[i] = 1;
    for (size_t i = first; sums->rain_sum && i < end; i++)
        sums->rain_sum[i] = oro_rain_units(sums->rain[i]);
    for (size_t i = first; sums->low && sums->z && i < end; i++)
        sums->low[i] = oro_step_of(sums->z[i]);
}

/* Below the lowest step all is too deep, however much. */
static int32_t low_of(int64_t low)
{
    int64_t least = (int64_t)ORO_STEPS_LOWEST - 1;
    return low >= ORO_TILED_NO_LOW ? ORO_TILED_NO_LOW : low > least ? (int32_t)low : (int32_t)least;
}

static void come_in(const struct oro_tiled_sums *sums, size_t cell, const struct oro_tiled_values *values)
{
    int i = 0;
    if (sums->cells)
        sums->cells[cell] += (uint64_t)values->of[i++];
    if (sums->rain_sum)
        sums->rain_sum[cell] += (uint64_t)values->of[i++];
    if (sums->low && low_of(values->of[i]) < sums->low[cell])
        sums->low[cell] = low_of(values->of[i]);
}

/* ---- Along the ways ---- */

static void add_cells(uint64_t *cells, const struct oro_drainage_tree_part *part)
{
    for (size_t i = part->count; i-- > 0;) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        if (next != cell)
            cells[next] += cells[cell];
    }
}

static void lower_receivers(int32_t *low, const struct oro_drainage_tree_part *part)
{
    for (size_t i = part->count; i-- > 0;) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        int32_t below = low[cell] - 1;
        if (next != cell && below < low[next])
            low[next] = below;
    }
}

static void sum_part(void *user, const struct oro_drainage_tree_part *part)
{
    const struct oro_tiled_sums *sums = ((const struct summing *)user)->sums;
    if (sums->cells)
        add_cells(sums->cells, part);
    if (sums->rain_sum)
        add_cells(sums->rain_sum, part);
    if (sums->low)
        lower_receivers(sums->low, part);
}

void oro_tiled_sum(const struct oro_tiled_course *course, const struct oro_tiled_sums *sums,
                   const struct oro_tiled_values *inflow)
{
    struct summing summing = {course, sums};
    struct oro_drainage_tree_work work = {.part = sum_part, .user = &summing};
    oro_drainage_tree_cells(&course->routing, NULL, begin_cells, &summing, NULL);
    for (uint32_t i = 0; inflow && i < course->entry_count; i++)
        come_in(sums, oro_tiled_course_cell(course, course->entries[i]), &inflow[i]);
    oro_drainage_tree_down(&course->routing, NULL, &work, NULL);
}

/* ---- Messages ---- */

static void no_values(const void *user, size_t cell, size_t next, const struct oro_tiled_way *on,
                      struct oro_tiled_way *way)
{
    (void)user, (void)cell, (void)next, (void)on, (void)way;
}

bool oro_tiled_tell_sums(const struct oro_tiled_course *course, const struct oro_tiled_sums *sums,
                         struct oro_tiled_bytes *message, struct oro_error *err)
{
    struct oro_tiled_flows flows;
    struct oro_tiled_tracing tracing = {.step = no_values};
    if (!oro_tiled_flows_begin(course, oro_tiled_sums_flow(sums), &flows, err)) {
        oro_tiled_flows_free(&flows);
        return false;
    }
    for (uint32_t i = 0; i < flows.exit_count; i++) {
        size_t cell = oro_tiled_course_cell(course, flows.exits[i].rim);
        int64_t *of = flows.exits[i].values.of;
        if (sums->cells)
            *of++ = (int64_t)sums->cells[cell];
        if (sums->rain_sum)
            *of++ = (int64_t)sums->rain_sum[cell];
        if (sums->low)
            *of = sums->low[cell];
    }
    return oro_tiled_tell(course, &tracing, &flows, message, err);
}
