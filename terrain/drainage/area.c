/* What drains through each cell: sums down the ways of a tile, with what comes in from other tiles. */
#include <string.h>

#include "base/memory.h"
#include "terrain/drainage/course_private.h"
#include "terrain/drainage/tile_private.h"
#include "terrain/drainage/tiled_private.h"

/* ---- Cells begin with what is theirs, and what comes in ---- */

static void begin_cells(void *user, size_t first, size_t end)
{
    const struct oro_tiled_sums sums = *(const struct oro_tiled_sums *)user;
    if (sums.flow == ORO_TILED_RAIN)
        for (size_t i = first; i < end; i++)
            sums.wide[i] = oro_rain_units(sums.from[i]);
    else if (sums.flow == ORO_TILED_LOW)
        for (size_t i = first; sums.from && i < end; i++)
            sums.low[i] = oro_step_of(sums.from[i]);
    else if (sums.wide)
        for (size_t i = first; i < end; i++)
            sums.wide[i] = 1;
    else
        for (size_t i = first; i < end; i++)
            sums.cells[i] = 1;
}

static void come_in(const struct oro_tiled_sums *sums, size_t cell, int64_t value)
{
    if (sums->cells)
        sums->cells[cell] += (uint32_t)value;
    else if (sums->wide)
        sums->wide[cell] += (uint64_t)value;
    else if (oro_tiled_low_of(value) < sums->low[cell])
        sums->low[cell] = oro_tiled_low_of(value);
}

/* ---- Along the ways ---- */

static void add_cells(void *user, const struct oro_drainage_tree_part *part)
{
    uint32_t *cells = ((const struct oro_tiled_sums *)user)->cells;
    for (size_t i = part->count; i-- > 0;) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        if (next != cell)
            cells[next] += cells[cell];
    }
}

static void add_wide(void *user, const struct oro_drainage_tree_part *part)
{
    uint64_t *wide = ((const struct oro_tiled_sums *)user)->wide;
    for (size_t i = part->count; i-- > 0;) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        if (next != cell)
            wide[next] += wide[cell];
    }
}

static void lower_receivers(void *user, const struct oro_drainage_tree_part *part)
{
    int32_t *low = ((const struct oro_tiled_sums *)user)->low;
    for (size_t i = part->count; i-- > 0;) {
        uint32_t cell = part->order[i], next = part->receiver[cell];
        int32_t below = low[cell] - 1;
        if (next != cell && below < low[next])
            low[next] = below;
    }
}

bool oro_tiled_sum(const struct oro_tiled_course *course, const struct oro_tiled_sums *sums,
                   const struct oro_tiled_values *inflow, struct oro_error *err)
{
    struct oro_tiled_sums all = *sums;
    struct oro_drainage_tree_work work = {.cells = inflow ? NULL : begin_cells, .user = &all};
    work.part = sums->cells ? add_cells : sums->wide ? add_wide : lower_receivers;
    if (inflow && !oro_drainage_tree_cells(&course->routing, course->asks, begin_cells, &all, err))
        return false;
    for (uint32_t i = 0; inflow && i < course->entry_count; i++)
        come_in(sums, oro_tiled_course_cell(course, course->entries[i]), inflow[i].of[0]);
    return oro_drainage_tree_down(&course->routing, course->asks, &work, err);
}

/* ---- Areas ---- */

/* The sums that areas are made of. `rain` may be NULL. `scratch`, of 4 bytes a cell, gets counts of cells;
 * other sums have room of their own, sums->wide, which the caller frees, whatever comes of it. */
static bool sum_up(const struct oro_tiled_course *course, const float *rain, void *scratch,
                   const struct oro_tiled_values *inflow, struct oro_tiled_sums *sums, struct oro_error *err)
{
    const struct oro_tiled_grid *grid = &course->tile->grid;
    bool wide = rain || (uint64_t)grid->width * (uint64_t)grid->height > UINT32_MAX;
    *sums = (struct oro_tiled_sums){
        .flow = rain ? ORO_TILED_RAIN : ORO_TILED_CELLS, .from = rain, .cells = wide ? NULL : scratch};
    if (wide && !(sums->wide = oro_alloc(oro_tiled_window_cells(&course->tile->window), sizeof *sums->wide)))
        return oro_tiled_no_memory(&course->tile->window, err);
    return oro_tiled_sum(course, sums, inflow, err);
}

struct areas {
    struct oro_tiled_sums sums;
    float square, *area; /* of a cell; of each, in the place of counts of cells */
};
enum { PIECE = 512 }; /* counts that are taken out of the way of their areas at once */

static void measure(void *user, size_t first, size_t end)
{
    const struct areas *a = user;
    const uint64_t *wide = a->sums.wide;
    uint32_t counts[PIECE];
    float square = a->square, *area = a->area;
    for (size_t i = first, count; !wide && i < end; i += count) {
        count = end - i < PIECE ? end - i : PIECE;
        memcpy(counts, a->sums.cells + i, count * sizeof *counts);
        for (size_t k = 0; k < count; k++)
            area[i + k] = (float)counts[k] * square;
    }
    for (size_t i = first; wide && i < end; i++)
        area[i] = (a->sums.from ? oro_rain_amount(wide[i]) : (float)wide[i]) * square;
}

static bool find_areas(const struct oro_tiled_course *course, float square, const float *rain,
                       const struct oro_tiled_values *inflow, float *area, struct oro_error *err)
{
    struct areas areas = {.square = square, .area = area};
    bool ok = sum_up(course, rain, area, inflow, &areas.sums, err) &&
              oro_drainage_tree_cells(&course->routing, NULL, measure, &areas, err);
    oro_free(areas.sums.wide);
    return ok;
}

/* ---- The whole ---- */

void oro_drainage_cells(const struct oro_routing *routing, uint32_t *cells)
{
    struct oro_tiled_sums sums = {.flow = ORO_TILED_CELLS, .cells = cells};
    struct oro_tiled_whole whole;
    oro_tiled_sum(oro_tiled_whole(routing, &whole), &sums, NULL, NULL);
}

void oro_drainage_rain(const struct oro_routing *routing, const float *rain, uint64_t *sum)
{
    struct oro_tiled_sums sums = {.flow = ORO_TILED_RAIN, .from = rain, .wide = sum};
    struct oro_tiled_whole whole;
    oro_tiled_sum(oro_tiled_whole(routing, &whole), &sums, NULL, NULL);
}

bool oro_drainage_area(const struct oro_routing *routing, double cell, const float *rain, float *area,
                       struct oro_error *err)
{
    struct oro_tiled_whole whole;
    return find_areas(oro_tiled_whole(routing, &whole), (float)cell * (float)cell, rain, NULL, area, err);
}

/* ---- Tiles ---- */

struct measuring {
    const struct oro_tiled_source *rain; /* NULL: 1 everywhere */
    const struct oro_tiled_sink *out;
    float square; /* of a cell */
    struct oro_tiled_bytes *answers;
};

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
    if (!oro_tiled_flows_begin(course, sums->flow, &flows, err)) {
        oro_tiled_flows_free(&flows);
        return false;
    }
    for (uint32_t i = 0; i < flows.exit_count; i++) {
        size_t cell = oro_tiled_course_cell(course, flows.exits[i].rim);
        flows.exits[i].values.of[0] = sums->cells  ? sums->cells[cell]
                                      : sums->wide ? (int64_t)sums->wide[cell]
                                                   : sums->low[cell];
    }
    return oro_tiled_tell(course, &tracing, &flows, message, err);
}

/* A tile, its rain, and room for its areas. */
struct taken {
    struct oro_tiled_hold hold;
    float *rain, *area;
};

static bool take(struct oro_tiled_drainage *d, const struct measuring *m, int which, struct taken *t,
                 struct oro_error *err)
{
    *t = (struct taken){0};
    if (!oro_tiled_take_tile(d, which, false, &t->hold, err) || !oro_tiled_course_order(&t->hold.course, err))
        return false;
    const struct oro_tiled_block *window = &t->hold.tile.window;
    t->area = oro_alloc(oro_tiled_window_cells(window), sizeof *t->area);
    if (!t->area)
        return oro_tiled_no_memory(window, err);
    return !m->rain || (t->rain = oro_tiled_load(m->rain, window, err)) != NULL;
}

static void give_back(struct oro_tiled_drainage *d, int which, struct taken *t)
{
    oro_free(t->rain);
    oro_free(t->area);
    oro_tiled_give_back(d, which, &t->hold);
}

static bool tell(struct oro_tiled_drainage *d, int which, void *user, struct oro_tiled_bytes *message,
                 struct oro_error *err)
{
    struct taken t;
    struct oro_tiled_sums sums = {0};
    bool ok = take(d, user, which, &t, err) && sum_up(&t.hold.course, t.rain, t.area, NULL, &sums, err) &&
              oro_tiled_tell_sums(&t.hold.course, &sums, message, err);
    oro_free(sums.wide);
    give_back(d, which, &t);
    return ok;
}

static bool finish(struct oro_tiled_drainage *d, int which, void *user, struct oro_error *err)
{
    const struct measuring *m = user;
    struct taken t;
    struct oro_tiled_values *inflow = NULL;
    bool ok = take(d, m, which, &t, err) &&
              (inflow = oro_tiled_take_answer(&t.hold, m->rain ? ORO_TILED_RAIN : ORO_TILED_CELLS,
                                              &m->answers[which], err)) != NULL &&
              find_areas(&t.hold.course, m->square, t.rain, inflow, t.area, err) &&
              oro_tiled_store(m->out, &t.hold.tile, t.area, err);
    oro_free(inflow);
    give_back(d, which, &t);
    return ok;
}

bool oro_tiled_area(struct oro_tiled_drainage *d, double cell, const struct oro_tiled_source *rain,
                    const struct oro_tiled_sink *out, struct oro_error *err)
{
    struct measuring m = {.rain = rain, .out = out, .square = (float)cell * (float)cell};
    m.answers = oro_tiled_flow_through(d, rain ? ORO_TILED_RAIN : ORO_TILED_CELLS, tell, &m, err);
    bool ok = m.answers && oro_tiled_for_tiles(d, finish, &m, err);
    oro_tiled_free_all(m.answers, d->tiles);
    return ok;
}
