#include "terrain/hydrology/sediment.h"

#include <math.h>

#include "base/memory.h"
#include "terrain/drainage/drainage_tree_private.h"

enum { MOST_WALKS = 60, FREE_WALKS = 10, NUMBERS = 8 };
#define AGREED 1e-9 /* share of the step's largest change by which heights may still move */

enum kind {
    RIVER,
    SLIDE,
    LAKE,
    LAKE_SPILLS = 4
}; /* LAKE_SPILLS: a bit of the cell that a full lake spills over */

/* Volumes are in metres over one cell. What leaves a cell is taken as a line over its height h, or over the
 * level of the water that stands there: still + lean * h. */
struct walk {
    const struct oro_sediment *s;
    const float *z;
    float *after;
    double *flux;
    double *height, *water; /* as of the last walk up; the surface over the cell */
    double *still, *lean;   /* what comes from dry donors, then what leaves */
    /* The same of donors that are under the lake that this cell dams, or is part of; how many cells that lake
     * has so far, and the sum of their heights. */
    double *lake_still, *lake_lean, *lake_cells, *lake_heights;
    uint8_t *kind;
    /* Some cells come out dry as lakes and wet as rivers. After some walks there is no way back from a lake,
     * and none from a full one, so that the walks come to an end. */
    bool one_way;
};

static bool is_held(const struct walk *w, size_t cell)
{
    return w->s->settling[cell] < 0;
}

static double run_of(const struct walk *w, size_t cell, size_t to)
{
    size_t width = (size_t)w->s->ground->width, away = cell > to ? cell - to : to - cell;
    return w->s->cell * (away == 1 || away == width ? 1 : 1.4142135623730951);
}

static double raised(const struct walk *w, size_t cell)
{
    return is_held(w, cell) ? 0 : (double)w->s->lift[cell] * w->s->years;
}

/* Height by the end if no river touches the cell, times 1 + the pull of creep. */
static double untouched(const struct walk *w, size_t cell, double *pulled)
{
    const struct oro_sediment *s = w->s;
    *pulled = s->pull && !is_held(w, cell) ? (double)s->pull[cell] * s->years : 0;
    return (double)w->z[cell] + raised(w, cell) + (*pulled > 0 ? *pulled * (double)s->mean[cell] : 0);
}

/* What a drop of x to the receiver carves in the step is force * x^n. */
static double force_of(const struct walk *w, size_t cell, double run)
{
    const struct oro_sediment *s = w->s;
    double n = s->n, law = (double)s->strength[cell] * s->years;
    if (is_held(w, cell))
        return 0;
    return law / (n == 1 ? run : n == 2 ? run * run : pow(run, n));
}

static double power_of(double x, double n)
{
    return n == 1 ? x : n == 2 ? x * x : pow(x, n);
}

/* The drop x > 0 with share * x + force * x^n = sum, for a sum above 0. Both terms alone give too much; from
 * there Newton's way is straight, with x itself as unknown, or, for n < 1, x^n. */
static double drop_of(double share, double force, double n, double sum)
{
    if (!(force > 0))
        return sum / share;
    if (n == 1)
        return sum / (share + force);
    if (n == 2)
        return 2 * sum / (share + sqrt(share * share + 4 * force * sum));
    double order = n > 1 ? n : 1 / n, a = n > 1 ? share : force, b = n > 1 ? force : share;
    double x = fmin(sum / a, pow(sum / b, 1 / order));
    for (int i = 0; i < 50; i++) {
        double last = x, steep = b * pow(x, order - 1);
        x -= (a * x + steep * x - sum) / (a + order * steep);
        if (!(fabs(x - last) > 1e-14 * last))
            break;
    }
    return n > 1 ? x : pow(x, 1 / n);
}

/* ---- Down: how what leaves a cell depends on its receiver's water ---- */

static void hand_on(struct walk *w, size_t cell, size_t to, double still, double lean)
{
    if ((w->kind[cell] & 3) != LAKE) {
        w->still[to] += still;
        w->lean[to] += lean;
        return;
    }
    w->lake_still[to] += still;
    w->lake_lean[to] += lean;
    w->lake_cells[to] += w->lake_cells[cell];
    w->lake_heights[to] += w->lake_heights[cell];
}

/* A cell under water: all goes on to where the lake ends. */
static void pass_lake(struct walk *w, size_t cell, size_t to)
{
    double pulled, left = untouched(w, cell, &pulled) / (1 + pulled);
    if (!is_held(w, cell)) {
        w->lake_cells[cell] += 1;
        w->lake_heights[cell] += left;
    }
    hand_on(w, cell, to, w->still[cell] + w->lake_still[cell] + (double)w->z[cell] + raised(w, cell) - left,
            w->lean[cell] + w->lake_lean[cell]);
}

/* Adds what spills from a full lake to what comes to the cell that dams it. */
static void add_spill(struct walk *w, size_t cell)
{
    if (!(w->kind[cell] & LAKE_SPILLS))
        return;
    w->still[cell] += w->lake_still[cell] + w->lake_heights[cell];
    w->lean[cell] += w->lake_lean[cell] - w->lake_cells[cell];
}

static void pass_river(struct walk *w, size_t cell, size_t to)
{
    double pulled, free_height = untouched(w, cell, &pulled), run = run_of(w, cell, to);
    double settling = (double)w->s->settling[cell];
    add_spill(w, cell);
    w->still[cell] += (double)w->z[cell] + raised(w, cell);
    w->lean[cell] -= 1;
    double still = w->still[cell], lean = w->lean[cell], rest, share;
    if (is_held(w, cell)) {
        rest = (double)w->z[cell];
        share = 0;
    } else if (w->kind[cell] % 4 == SLIDE) {
        rest = w->s->steepest * run;
        share = 1;
    } else {
        double n = w->s->n, drop = fmax(w->height[cell] - w->water[to], 1e-9);
        double carved = force_of(w, cell, run) * power_of(drop, n), slope = n * carved / drop;
        double all = 1 + pulled + slope - settling * lean;
        rest = (free_height - carved + slope * drop + settling * still) / all;
        share = slope / all;
    }
    hand_on(w, cell, to, still + lean * rest, lean * share);
}

static void go_down(void *user, const struct oro_drainage_tree_part *part)
{
    struct walk *w = user;
    for (size_t i = part->count; i-- > 0;) {
        size_t cell = part->order[i], to = part->receiver[cell];
        if (to == cell)
            continue;
        if (w->kind[cell] % 4 == LAKE)
            pass_lake(w, cell, to);
        else
            pass_river(w, cell, to);
    }
}

static void clear(void *user, size_t first, size_t end)
{
    struct walk *w = user;
    for (size_t i = first; i < end; i++)
        w->still[i] = w->lean[i] = w->lake_still[i] = w->lake_lean[i] = w->lake_cells[i] =
            w->lake_heights[i] = 0;
}

/* ---- Up: heights ---- */

/* Whether the lake that the cell dams is full, with its water at `level`. */
static bool spills(const struct walk *w, size_t cell, double level)
{
    double comes = w->lake_still[cell] + w->lake_lean[cell] * level;
    return comes > w->lake_cells[cell] * level - w->lake_heights[cell];
}

/* The height of a cell whose receiver's water has a new level; sets its kind. */
static double solve(struct walk *w, size_t cell, size_t to)
{
    double pulled, free_height = untouched(w, cell, &pulled), level = w->water[to];
    if (is_held(w, cell)) {
        w->kind[cell] = (double)w->z[cell] < level ? LAKE : RIVER;
        return (double)w->z[cell];
    }
    double run = run_of(w, cell, to), settling = (double)w->s->settling[cell];
    bool was_lake = w->kind[cell] % 4 == LAKE; /* then its donors' lines are not yet its own */
    double still = was_lake ? 0 : w->still[cell], lean = was_lake ? 0 : w->lean[cell];
    double share = 1 + pulled - settling * lean, sum = free_height + settling * still - share * level;
    if (!(sum > 0) || (was_lake && w->one_way)) {
        w->kind[cell] = LAKE;
        return free_height / (1 + pulled);
    }
    double drop = drop_of(share, force_of(w, cell, run), w->s->n, sum);
    bool slides = drop > w->s->steepest * run;
    w->kind[cell] = slides ? SLIDE : RIVER;
    return level + (slides ? w->s->steepest * run : drop);
}

static void go_up(void *user, const struct oro_drainage_tree_part *part)
{
    struct walk *w = user;
    for (size_t i = 0; i < part->count; i++) {
        size_t cell = part->order[i], to = part->receiver[cell];
        double before = w->height[cell];
        uint8_t was = w->kind[cell];
        if (to != cell) {
            w->height[cell] = solve(w, cell, to);
            w->water[cell] = fmax(w->water[to], w->height[cell]);
        }
        bool spilled = w->one_way && (was & LAKE_SPILLS);
        if (w->kind[cell] % 4 != LAKE && (spilled || spills(w, cell, w->water[cell])))
            w->kind[cell] = (uint8_t)(w->kind[cell] % 4 | LAKE_SPILLS);
        else
            w->kind[cell] %= 4;
        /* Not in use until the next walk down: how far the cell is from agreement. */
        w->lake_still[cell] = w->kind[cell] == was ? fabs(w->height[cell] - before) : HUGE_VAL;
    }
}

static void begin_up(void *user, const struct oro_drainage_tree_part *part)
{
    struct walk *w = user;
    for (size_t i = 0; i < part->count; i++) {
        size_t cell = part->order[i], to = part->receiver[cell];
        w->height[cell] = (double)w->z[cell];
        w->water[cell] = to == cell ? w->height[cell] : fmax(w->water[to], w->height[cell]);
        w->kind[cell] = to != cell && w->height[cell] < w->water[to] ? LAKE : RIVER;
    }
}

static bool agreed(const struct walk *w)
{
    size_t cells = (size_t)w->s->ground->width * (size_t)w->s->ground->height;
    double moved = 0, changed = 0, highest = 0;
    for (size_t i = 0; i < cells; i++) {
        moved = fmax(moved, w->lake_still[i]);
        changed = fmax(changed, fabs(w->height[i] - (double)w->z[i]));
        highest = fmax(highest, fabs(w->height[i]));
    }
    return moved <= AGREED * changed + 1e-13 * highest;
}

/* ---- The end of a step ---- */

/* Volumes through every cell, from the heights as they will be stored. */
static void add_up(const struct walk *w)
{
    const struct oro_routing *routing = w->s->routing;
    size_t cells = (size_t)routing->width * (size_t)routing->height;
    for (size_t i = 0; i < cells; i++)
        w->flux[i] = 0;
    for (size_t i = cells; i-- > 0;) {
        size_t cell = routing->order[i], to = routing->receiver[cell];
        if (to == cell)
            continue;
        w->flux[cell] += (double)w->z[cell] + raised(w, cell) - (double)w->after[cell];
        w->flux[to] += w->flux[cell];
    }
}

/* What comes into every lake over each of its cells, and how much room it has, at the cell that dams it. */
static void find_mouths(const struct walk *w)
{
    const struct oro_routing *routing = w->s->routing;
    size_t cells = (size_t)routing->width * (size_t)routing->height;
    clear((void *)w, 0, cells); /* still: through a cell; lake_still: into a lake here; lake_lean: all of it;
                                   lake_cells: its room */
    for (size_t i = cells; i-- > 0;) {
        size_t cell = routing->order[i], to = routing->receiver[cell];
        bool lake = w->kind[cell] % 4 == LAKE;
        if (to == cell)
            continue;
        if (lake && !is_held(w, cell))
            w->lake_cells[cell] += w->water[cell] - (double)w->after[cell];
        if (!lake) { /* the lake above keeps what it has room for */
            w->still[cell] += fmax(w->lake_lean[cell] - fmax(w->lake_cells[cell], 0), 0);
            w->still[cell] += (double)w->z[cell] + raised(w, cell) - (double)w->after[cell];
            if (w->kind[to] % 4 == LAKE)
                w->lake_still[to] += fmax(w->still[cell], 0);
            else
                w->still[to] += w->still[cell];
            continue;
        }
        w->lake_lean[to] += w->lake_lean[cell] + w->lake_still[cell];
        w->lake_cells[to] += w->lake_cells[cell];
    }
}

/* Lakes are named by the cell that dams them: their numbers, and what stands over every cell. */
struct lakes {
    uint32_t *name;
    float *level;
    struct oro_standing_scratch scratch;
};

static bool name_lakes(const struct walk *w, struct lakes *lakes)
{
    const struct oro_routing *routing = w->s->routing;
    size_t cells = (size_t)routing->width * (size_t)routing->height;
    bool any = false;
    lakes->name = oro_alloc(cells, sizeof *lakes->name);
    lakes->level = oro_alloc(cells, sizeof *lakes->level);
    for (size_t i = 0; lakes->name && lakes->level && i < cells; i++) {
        size_t cell = routing->order[i], to = routing->receiver[cell];
        if (w->kind[cell] % 4 != LAKE)
            continue;
        any = true;
        lakes->name[cell] = w->kind[to] % 4 == LAKE ? lakes->name[to] : (uint32_t)to + 1;
        lakes->level[cell] = (float)w->water[cell];
    }
    return any;
}

/* Lets settle in lakes what they keep. */
static bool fill_lakes(const struct walk *w, struct oro_error *err)
{
    const struct oro_ground *ground = w->s->ground;
    size_t cells = (size_t)ground->width * (size_t)ground->height;
    struct lakes lakes = {0};
    bool any = name_lakes(w, &lakes), ok = lakes.name && lakes.level;
    if (!ok)
        oro_no_memory(ground, err);
    struct oro_standing_water water = {ground->width, ground->height, w->s->cell,    lakes.name,
                                       lakes.level,   w->after,       w->s->settling};
    if (ok && any)
        find_mouths(w);
    for (size_t i = 0; ok && any && i < cells; i++) {
        if (!lakes.name[i] || !(w->lake_still[i] > 0))
            continue;
        size_t dam = lakes.name[i] - 1;
        double share = fmin(w->lake_cells[dam] / w->lake_lean[dam], 1), volume = w->lake_still[i] * share;
        ok = !(volume > 0) || oro_standing_settle(&water, &lakes.scratch, i, &volume, err);
    }
    oro_free(lakes.name);
    oro_free(lakes.level);
    oro_standing_scratch_free(&lakes.scratch);
    return ok;
}

static bool make_scratch(const struct oro_sediment *s, struct oro_sediment_scratch *scratch,
                         struct oro_error *err)
{
    size_t cells = (size_t)s->ground->width * (size_t)s->ground->height;
    if (scratch->cells == cells)
        return true;
    oro_sediment_scratch_free(scratch);
    scratch->numbers = oro_alloc(cells, NUMBERS * sizeof *scratch->numbers);
    scratch->kind = oro_alloc(cells, sizeof *scratch->kind);
    scratch->cells = cells;
    if (scratch->numbers && scratch->kind)
        return true;
    oro_sediment_scratch_free(scratch);
    return oro_no_memory(s->ground, err);
}

void oro_sediment_scratch_free(struct oro_sediment_scratch *scratch)
{
    oro_free(scratch->numbers);
    oro_free(scratch->kind);
    *scratch = (struct oro_sediment_scratch){0};
}

static bool walk(struct walk *w, int *walks, struct oro_error *err)
{
    const struct oro_drainage_tree_work begin = {.part = begin_up, .user = w},
                                        down = {.cells = clear, .part = go_down, .user = w},
                                        up = {.part = go_up, .user = w};
    const struct oro_routing *routing = w->s->routing;
    const struct oro_ground *ground = w->s->ground;
    int count = 0;
    bool ok = oro_drainage_tree_up(routing, ground, &begin, err);
    while (ok && count < MOST_WALKS) {
        w->one_way = count >= FREE_WALKS;
        ok = oro_drainage_tree_down(routing, ground, &down, err) &&
             oro_drainage_tree_up(routing, ground, &up, err);
        count++;
        if (ok && agreed(w))
            break;
    }
    if (walks)
        *walks = count;
    return ok;
}

bool oro_sediment_step(const struct oro_sediment *step, struct oro_sediment_scratch *scratch, float *after,
                       double *flux, int *walks, struct oro_error *err)
{
    if (!make_scratch(step, scratch, err))
        return false;
    size_t cells = scratch->cells;
    double *n = scratch->numbers;
    struct walk w = {.s = step,
                     .z = step->ground->z,
                     .after = after,
                     .flux = flux,
                     .height = n,
                     .water = n + cells,
                     .still = n + 2 * cells,
                     .lean = n + 3 * cells,
                     .lake_still = n + 4 * cells,
                     .lake_lean = n + 5 * cells,
                     .lake_cells = n + 6 * cells,
                     .lake_heights = n + 7 * cells,
                     .kind = scratch->kind};
    if (!walk(&w, walks, err))
        return false;
    for (size_t i = 0; i < cells; i++)
        after[i] = (float)w.height[i];
    if (!fill_lakes(&w, err))
        return false;
    add_up(&w);
    return true;
}

void oro_sediment_in_balance(const struct oro_routing *routing, const float *lift, const float *settling,
                             float *laid, double *flux)
{
    size_t cells = (size_t)routing->width * (size_t)routing->height;
    for (size_t i = 0; i < cells; i++)
        flux[i] = 0;
    for (size_t i = cells; i-- > 0;) {
        size_t cell = routing->order[i], to = routing->receiver[cell];
        laid[cell] = 0;
        if (to == cell)
            continue;
        if (settling[cell] >= 0)
            flux[cell] += (double)lift[cell];
        flux[to] += flux[cell];
        laid[cell] = (float)(fmax((double)settling[cell], 0) * fmax(flux[cell], 0));
    }
}
