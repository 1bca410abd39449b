#include "nodes/erosion/relax.h"

#include <math.h>

#include "base/memory.h"
#include "nodes/lib/range.h"

/* 2^17 cells a side (ORO_GRID_MAX) and all halves, down to LAST_SIDE. */
enum { LEVELS_MAX = 16 };
/* The same as in lib/multigrid.glsl. */
enum { TILE = 32, TILE_ROWS = 8, HALO = 4 };
/* Reading a result back empties the device's queue, so the first time is after as many cycles as usually
 * suffice. */
enum { FIRST_CYCLES = 7, MORE_CYCLES = 1, CYCLES_MAX = 60 };

/* The last level has at most so many cells a side and is solved by sweeps alone. Ever smaller levels would
 * cost more, since each takes at least as long as an empty dispatch. */
enum { LAST_SIDE = 4 };

/* What a sweep starts from. Kernels know the numbers. */
enum start { FROM_VALUES, FROM_NOTHING, FROM_GIVEN };

/* A level has half the cells of the one before along each side, rounded up, until few are left. It
 * holds a correction to the level before; during the start, E itself.
 *
 * Where rasters are cut into tiles, the finest levels are, and coarser ones are whole on every rank: there a
 * dispatch is done at once. */
struct level {
    struct oro_grid grid;
    double width, height; /* of a cell, in cells of the finest level */
    struct oro_buffer *hold, *given, *values, *swept;
    bool in_tiles;
    struct oro_buffer *wrong; /* in tiles: what is still wrong on the way down, the change on the way up */
    struct oro_dispatch down, up, sum;
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

/* Kernels of the solver read none: they would be of another size than coarser levels. */
static const char *const no_maps[] = {NULL};

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
        .reach = level->in_tiles ? HALO : ORO_REACH_WHOLE,
        .source_reach = HALO / 2 + 1,
        .cell_columns = TILE,
        .cell_rows = TILE,
        .maps = no_maps,
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

/* The finest level does not read `given`; its slot needs some buffer all the same. */
static void plan_down(struct solver *s, int index)
{
    struct level *level = &s->levels[index], *next = level + 1;
    const struct oro_slot slots[] = {
        {"values", level->values, ORO_READ, NULL},
        {"hold", level->hold, ORO_READ, NULL},
        {"given", index == 0 ? level->hold : level->given, ORO_READ, NULL},
        {"swept", level->swept, ORO_WRITE, NULL},
        {level->in_tiles ? "wrong" : "coarse_given", level->in_tiles ? level->wrong : next->given, ORO_WRITE,
         NULL},
        {0},
    };
    level->down = tile_dispatch(s, index, "erosion/retarget_down.comp");
    level->down.defines = level->in_tiles ? "#define TILES 1\n" : "#define TILES 0\n";
    add_slots(&level->down, slots);
    level->sum =
        (struct oro_dispatch){.kernel = "erosion/retarget_sum.comp",
                              .slots = {{"wrong", level->wrong}, {"coarse_given", next->given, ORO_WRITE}},
                              .maps = no_maps};
    oro_dispatch_source(&level->sum, &next->grid, &level->grid, NULL, ORO_REACH_CELL);
}

/* The last level has nothing to add. */
static void plan_up(struct solver *s, int index)
{
    struct level *level = &s->levels[index];
    bool last = index + 1 == s->count;
    const struct oro_slot slots[] = {
        {"swept", level->swept, ORO_READ, NULL},
        {"hold", level->hold, ORO_READ, NULL},
        {"given", level->given, ORO_READ, NULL},
        {"coarse", last ? level->hold : level[1].values, ORO_READ, NULL},
        {"values", level->values, ORO_UPDATE, NULL},
        {level->in_tiles ? "change" : "partial", level->in_tiles ? level->wrong : s->partial, ORO_WRITE,
         NULL},
        {0},
    };
    level->up = tile_dispatch(s, index, "erosion/retarget_up.comp");
    if (level->in_tiles)
        level->up.defines = last ? "#define LAST 1\n#define TILES 1\n" : "#define LAST 0\n#define TILES 1\n";
    else
        level->up.defines = last ? "#define LAST 1\n#define TILES 0\n" : "#define LAST 0\n#define TILES 0\n";
    add_slots(&level->up, slots);
}

/* To be called once all levels have their buffers. */
static void plan_level(struct solver *s, int index)
{
    if (index + 1 < s->count)
        plan_down(s, index);
    plan_up(s, index);
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
    level.grid.cell = 2 * fine->grid.cell;
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
    for (int i = 0; i < s->count; i++) {
        struct level *level = &s->levels[i];
        level->in_tiles = oro_eval_in_tiles(s->eval, level->hold);
        level->wrong = level->in_tiles ? oro_eval_raster(s->eval, ORO_FIELD, &level->grid) : NULL;
        plan_level(s, i);
    }
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
                                        .maps = no_maps,
                                        .constants = {{"finest", i == 1}}};
        oro_dispatch_source(&dispatch, &level->grid, &fine->grid, NULL, ORO_REACH_CELL);
        if (!oro_eval_dispatch(s->eval, &dispatch))
            return false;
    }
    return true;
}

/* Sweeps, from `values` to `swept`, and hands what is still wrong to the next level. */
static bool down(struct solver *s, int index, enum start start)
{
    struct level *level = &s->levels[index];
    oro_set(&level->down, "start", start);
    return oro_eval_dispatch(s->eval, &level->down) &&
           (!level->in_tiles || oro_eval_dispatch(s->eval, &level->sum));
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

static bool check_tiles(struct solver *s)
{
    struct oro_relaxation *r = s->relaxation;
    float change = 0;
    double fixed = 0;
    if (!oro_largest(s->eval, s->levels[0].wrong, &change) ||
        !oro_sum_over(s->eval, r->fixed, &s->levels[0].grid, &fixed))
        return false;
    r->last_change = (double)change;
    r->fixed_cells = (size_t)fixed;
    return true;
}

static bool read_check(struct solver *s)
{
    struct oro_relaxation *r = s->relaxation;
    if (s->levels[0].in_tiles)
        return check_tiles(s);
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
