#include "nodes/erosion/relax.h"

#include <math.h>

#include "base/memory.h"

/* 2^15 cells a side (ORO_GRID_MAX) and all halves. */
enum { LEVELS_MAX = 16 };
/* The same as in lib/multigrid.glsl. */
enum { TILE = 32, TILE_ROWS = 8 };
/* Reading a result back empties the device's queue, so the first time is after as many cycles as usually
 * suffice. */
enum { FIRST_CYCLES = 7, MORE_CYCLES = 1, CYCLES_MAX = 60 };

/* The last level has at most so many cells a side and is solved by sweeps alone. Ever smaller levels would
 * cost more, since each takes at least as long as an empty dispatch. */
enum { LAST_SIDE = 4 };

/* What a sweep starts from. Kernels know the numbers. */
enum start { FROM_VALUES, FROM_NOTHING, FROM_GIVEN };

/* A level has half the cells of the one before along each side, rounded up, until few are left. It
 * holds a correction to the level before; during the start, E itself. */
struct level {
    struct oro_grid grid;
    double width, height; /* of a cell, in cells of the finest level */
    struct oro_buffer *hold, *given, *values, *swept;
    struct oro_dispatch down, up;
};

struct solver {
    struct oro_eval *eval;
    struct oro_relaxation *relaxation;
    int count;
    struct level levels[LEVELS_MAX];
    struct oro_buffer *partial; /* of the check: the largest change and the number of fixed cells, per tile */
    size_t tiles;
    double screening; /* (cell / reach)^2 */
};

static int tiles_along(int cells)
{
    return (cells + TILE - 1) / TILE;
}

/* The weight of a neighbour is the length of the common side over the distance. */
static struct oro_dispatch tile_dispatch(const struct solver *s, int index, const char *kernel)
{
    const struct level *level = &s->levels[index];
    bool last = index + 1 == s->count;
    return (struct oro_dispatch){
        .kernel = kernel,
        .group_columns = TILE,
        .group_rows = TILE_ROWS,
        .columns = tiles_along(level->grid.width) * TILE,
        .rows = tiles_along(level->grid.height) * TILE_ROWS,
        .grid = level->grid,
        .source = s->levels[last ? index : index + 1].grid,
        .constants = {{"across", (float)(level->height / level->width)},
                      {"along", (float)(level->width / level->height)},
                      {"screening", (float)(level->width * level->height * s->screening)},
                      {"start"},
                      {"finest", index == 0},
                      {"coarser", !last},
                      {"check"}}};
}

static void add_slots(struct oro_dispatch *dispatch, const struct oro_slot *slots)
{
    for (; slots->name; slots++)
        oro_add_slot(dispatch, *slots);
}

/* The finest level does not read `given`, and the last level has nothing to add. Their slots need some buffer
 * all the same. */
static void plan_level(struct solver *s, int index)
{
    struct level *level = &s->levels[index], *next = level + 1;
    bool last = index + 1 == s->count;
    const struct oro_slot down[] = {
        {"values", level->values, ORO_READ, NULL},
        {"hold", level->hold, ORO_READ, NULL},
        {"given", index == 0 ? level->hold : level->given, ORO_READ, NULL},
        {"swept", level->swept, ORO_WRITE, NULL},
        {"coarse_given", last ? NULL : next->given, ORO_WRITE, NULL},
        {0},
    };
    const struct oro_slot up[] = {
        {"swept", level->swept, ORO_READ, NULL},
        {"hold", level->hold, ORO_READ, NULL},
        {"given", level->given, ORO_READ, NULL},
        {"coarse", last ? level->hold : next->values, ORO_READ, NULL},
        {"values", level->values, ORO_UPDATE, NULL},
        {"partial", s->partial, ORO_WRITE, NULL},
        {0},
    };
    level->down = tile_dispatch(s, index, "erosion/retarget_down.comp");
    add_slots(&level->down, down);
    level->up = tile_dispatch(s, index, "erosion/retarget_up.comp");
    level->up.defines = last ? "#define LAST 1\n" : "#define LAST 0\n";
    add_slots(&level->up, up);
}

static struct level finest(const struct solver *s)
{
    return (struct level){.grid = *oro_eval_grid(s->eval),
                          .width = 1,
                          .height = 1,
                          .hold = s->relaxation->fixed,
                          .given = s->relaxation->given,
                          .values = s->relaxation->spread,
                          .swept = s->relaxation->given};
}

/* A side of one cell is not halved any more, and its cells grow no wider. */
static struct level coarser(const struct solver *s, const struct level *fine)
{
    bool wide = fine->grid.width > 1, high = fine->grid.height > 1;
    struct level level = {.grid = fine->grid,
                          .width = wide ? 2 * fine->width : fine->width,
                          .height = high ? 2 * fine->height : fine->height};
    level.grid.width = (fine->grid.width + 1) / 2;
    level.grid.height = (fine->grid.height + 1) / 2;
    struct oro_buffer **buffers[] = {&level.hold, &level.given, &level.values, &level.swept};
    for (int i = 0; i < 4; i++)
        *buffers[i] = oro_eval_raster(s->eval, ORO_FIELD, &level.grid);
    return level;
}

static bool make_levels(struct solver *s)
{
    s->levels[s->count++] = finest(s);
    const struct oro_grid *last = &s->levels[0].grid;
    while (s->count < LEVELS_MAX && (last->width > LAST_SIDE || last->height > LAST_SIDE)) {
        s->levels[s->count] = coarser(s, &s->levels[s->count - 1]);
        last = &s->levels[s->count++].grid;
    }
    const struct oro_grid *grid = &s->levels[0].grid;
    s->tiles = (size_t)tiles_along(grid->width) * (size_t)tiles_along(grid->height);
    s->partial = oro_eval_buffer(s->eval, 2 * s->tiles);
    for (int i = 0; i < s->count; i++)
        plan_level(s, i);
    return s->partial != NULL;
}

/* Finds what coarser levels hold of the fixed cells. */
static bool coarsen(struct solver *s)
{
    for (int i = 1; i < s->count; i++) {
        const struct level *fine = &s->levels[i - 1], *level = &s->levels[i];
        struct oro_dispatch dispatch = {.kernel = "erosion/retarget_coarsen.comp",
                                        .slots = {{"fine_hold", fine->hold},
                                                  {"fine_given", fine->given},
                                                  {"hold", level->hold, ORO_WRITE},
                                                  {"given", level->given, ORO_WRITE}},
                                        .grid = level->grid,
                                        .source = fine->grid,
                                        .constants = {{"finest", i == 1}}};
        if (!oro_eval_dispatch(s->eval, &dispatch))
            return false;
    }
    return true;
}

/* Sweeps, from `values` to `swept`, and hands what is still wrong to the next level. */
static bool down(struct solver *s, int index, enum start start)
{
    struct oro_dispatch *dispatch = &s->levels[index].down;
    oro_set(dispatch, "start", start);
    return oro_eval_dispatch(s->eval, dispatch);
}

/* Adds the next level's values and sweeps, from `swept` to `values`. */
static bool up(struct solver *s, int index, enum start start, bool check)
{
    struct oro_dispatch *dispatch = &s->levels[index].up;
    oro_set(dispatch, "start", start);
    oro_set(dispatch, "check", check);
    return oro_eval_dispatch(s->eval, dispatch);
}

/* One cycle from a level on. A full cycle comes back to coarser levels from the finest ones: coarser levels
 * know only roughly what single points hold, and the second visit puts that right. From further down it would
 * help no more, and coarse levels cost as much as they have dispatches. */
enum { FULL_LEVELS = 2 };
static bool cycle(struct solver *s, int index, enum start start, bool full, bool check)
{
    if (index + 1 == s->count)
        return up(s, index, index == 0 ? FROM_GIVEN : FROM_NOTHING, check);
    return down(s, index, start) &&
           cycle(s, index + 1, FROM_NOTHING, full && index + 1 < FULL_LEVELS, false) &&
           (!full || index + 2 >= s->count || cycle(s, index + 1, FROM_VALUES, false, false)) &&
           up(s, index, FROM_VALUES, check);
}

/* Goes up from the last level: each level before it gets smooth values, then a cycle puts them right. */
static bool start_from_coarse(struct solver *s)
{
    for (int i = s->count - 1; i >= 0; i--)
        if (!up(s, i, FROM_GIVEN, false) ||
            (i > 0 && i + 1 < s->count && !cycle(s, i, FROM_VALUES, false, false)))
            return false;
    return true;
}

static bool read_check(struct solver *s)
{
    struct oro_relaxation *r = s->relaxation;
    float *host = oro_alloc(2 * s->tiles, sizeof *host);
    if (!host)
        return oro_eval_fail(s->eval, ORO_E_MEMORY, "no memory to check %zu tiles", s->tiles);
    bool ok = oro_eval_download(s->eval, s->partial, host, 2 * s->tiles * sizeof *host);
    r->last_change = 0;
    r->fixed_cells = 0;
    for (size_t i = 0; ok && i < s->tiles; i++) {
        r->last_change = fmax(r->last_change, (double)host[2 * i]);
        r->fixed_cells += (size_t)host[2 * i + 1];
    }
    oro_free(host);
    return ok;
}

static bool run_cycles(struct solver *s, int count)
{
    struct oro_relaxation *r = s->relaxation;
    for (int i = 0; i < count; i++) {
        r->cycles++;
        if (!cycle(s, 0, FROM_VALUES, true, i + 1 == count) ||
            !oro_eval_progress(s->eval, r->cycles, r->cycles - i + count - 1))
            return false;
    }
    return read_check(s);
}

bool oro_relax(struct oro_eval *eval, struct oro_relaxation *r)
{
    struct solver s = {.eval = eval, .relaxation = r};
    double cell = oro_eval_grid(eval)->cell, before = INFINITY;
    s.screening = r->reach > 0 ? cell / r->reach * (cell / r->reach) : 0;
    r->cycles = 0;
    if (!make_levels(&s) || !coarsen(&s) || !start_from_coarse(&s) || !run_cycles(&s, FIRST_CYCLES))
        return false;
    /* A cycle leaves at most half: where it leaves more, the rest is rounding. */
    while (r->last_change > r->tolerance && r->last_change < 0.7 * before && r->cycles < CYCLES_MAX) {
        before = r->last_change;
        if (!run_cycles(&s, MORE_CYCLES))
            return false;
    }
    r->settled = r->last_change <= r->tolerance;
    return true;
}
