#include "terrain/network/divide.h"

#include <math.h>

#include "base/memory.h"
#include "terrain/drainage/steps.h"
#include "terrain/network/trace_private.h"

#define NONE UINT32_MAX

/* What a cell is in the network: bits. */
enum { PEAK = 1, SADDLE = 2, NUMBERED = 4 };

struct peak {
    uint32_t cell, saddle; /* `saddle`: of its prominence, or NONE */
    uint32_t parent;       /* a peak of the same part, itself if it is the highest */
    uint32_t lowest;       /* of the highest of a part: the cell taken up last */
};

struct work {
    const struct oro_ground *ground;
    const struct oro_divide_options *options;
    struct oro_divide_report *report;
    size_t width, cells, land;
    uint32_t *order;      /* cells of the land; later the numbers of vertices */
    uint32_t *room;       /* for sorting */
    uint32_t *top;        /* of every cell: the peak that it leads up to; NONE until it is taken up */
    unsigned char *edges; /* of every cell: bit k, a ridge leads to neighbour k */
    unsigned char *role;
    struct peak *peaks;
    size_t peak_count;
};

/* ---- Cells ---- */

static uint32_t level(const struct work *w, uint32_t cell)
{
    return oro_level_of(w->ground->z[cell]);
}

static double height(const struct work *w, uint32_t cell)
{
    return (double)oro_height(w->ground->z[cell]);
}

/* The neighbour k, or NONE outside. */
static uint32_t neighbour(const struct work *w, uint32_t cell, int k)
{
    size_t x = cell % w->width, at = (size_t)(k < 4 ? k : k + 1); /* in the 3 x 3 cells around */
    if ((x == 0 && at % 3 == 0) || (x == w->width - 1 && at % 3 == 2) || (cell < w->width && at < 3) ||
        (cell + w->width >= w->cells && at > 5))
        return NONE;
    return (uint32_t)(cell + at / 3 * w->width + at % 3 - w->width - 1);
}

/* The edge to neighbour k. */
static unsigned char bit(int k)
{
    return (unsigned char)(1 << (k & 7));
}

/* Whether `a` is land that comes before `b`. */
static bool before(const struct work *w, uint32_t a, uint32_t b)
{
    uint32_t high = level(w, a), low = level(w, b);
    return w->top[a] != NONE && (high > low || (high == low && a < b));
}

static double slope_to(const struct work *w, uint32_t cell, uint32_t to, int k)
{
    bool diagonal = k == 0 || k == 2 || k == 5 || k == 7;
    return (height(w, to) - height(w, cell)) * (diagonal ? M_SQRT1_2 : 1);
}

/* The neighbour number of the way up, or -1 on a peak. */
static int way_up(const struct work *w, uint32_t cell)
{
    int best = -1;
    double steepest = -1;
    for (int k = 0; k < 8; k++) {
        uint32_t to = neighbour(w, cell, k);
        if (to == NONE || !before(w, to, cell))
            continue;
        double slope = slope_to(w, cell, to, k);
        if (slope > steepest) {
            steepest = slope;
            best = k;
        }
    }
    return best;
}

/* ---- Order ---- */

/* A stable sort by 11 bits of the inverted level, so that the highest come first. */
static void sort_by_digit(const struct work *w, const uint32_t *from, uint32_t *to, int shift)
{
    enum { DIGITS = 2048 };
    size_t count[DIGITS + 1] = {0};
    for (size_t i = 0; i < w->land; i++)
        count[(~level(w, from[i]) >> shift & (DIGITS - 1)) + 1]++;
    for (size_t digit = 0; digit < DIGITS; digit++)
        count[digit + 1] += count[digit];
    for (size_t i = 0; i < w->land; i++)
        to[count[~level(w, from[i]) >> shift & (DIGITS - 1)]++] = from[i];
}

static void sort_cells(struct work *w)
{
    for (size_t i = 0; i < w->cells; i++) {
        w->top[i] = NONE;
        if (!w->ground->sea || !(w->ground->sea[i] > 0.5f))
            w->room[w->land++] = (uint32_t)i;
    }
    sort_by_digit(w, w->room, w->order, 0);
    sort_by_digit(w, w->order, w->room, 11);
    sort_by_digit(w, w->room, w->order, 22);
}

/* ---- Taking up cells ---- */

static uint32_t highest_of(struct work *w, uint32_t peak)
{
    struct peak *peaks = w->peaks;
    while (peaks[peak].parent != peak) {
        peaks[peak].parent = peaks[peaks[peak].parent].parent;
        peak = peaks[peak].parent;
    }
    return peak;
}

/* The parts around a cell: the highest peak of each, and the way to it up the steepest slope. */
struct side {
    uint32_t highest;
    int way;
    double slope;
};

static int find_sides(struct work *w, uint32_t cell, struct side sides[8])
{
    int count = 0;
    for (int k = 0; k < 8; k++) {
        uint32_t to = neighbour(w, cell, k);
        if (to == NONE || w->top[to] == NONE)
            continue;
        struct side side = {highest_of(w, w->top[to]), k, slope_to(w, cell, to, k)};
        int i = 0;
        while (i < count && sides[i].highest != side.highest)
            i++;
        if (i == count)
            sides[count++] = side;
        else if (side.slope > sides[i].slope)
            sides[i] = side;
    }
    return count;
}

/* Draws the way from a cell to neighbour k, and on up, until a ridge is met or a peak. */
static void draw_ridge(struct work *w, uint32_t cell, int k)
{
    while (k >= 0 && !(w->edges[cell] & bit(k))) {
        uint32_t to = neighbour(w, cell, k);
        w->edges[cell] |= bit(k);
        w->edges[to] |= bit(7 - k);
        cell = to;
        k = way_up(w, cell);
    }
}

/* Peaks are numbered in the order of cells: the least number is the highest. */
static void join_sides(struct work *w, uint32_t cell, const struct side *sides, int count)
{
    uint32_t highest = sides[0].highest;
    for (int i = 1; i < count; i++)
        highest = sides[i].highest < highest ? sides[i].highest : highest;
    for (int i = 0; i < count; i++) {
        struct peak *peak = &w->peaks[sides[i].highest];
        draw_ridge(w, cell, sides[i].way);
        peak->parent = highest;
        peak->saddle = sides[i].highest == highest ? NONE : cell;
    }
}

static void take_up(struct work *w, uint32_t cell)
{
    struct side sides[8];
    int count = find_sides(w, cell, sides), best = 0;
    if (count == 0) {
        uint32_t number = (uint32_t)w->peak_count++;
        w->peaks[number] = (struct peak){cell, NONE, number, cell};
        w->top[cell] = number;
        return;
    }
    for (int i = 1; i < count; i++)
        if (sides[i].slope > sides[best].slope ||
            (sides[i].slope == sides[best].slope && sides[i].way < sides[best].way))
            best = i;
    w->top[cell] = w->top[neighbour(w, cell, sides[best].way)];
    if (count > 1)
        join_sides(w, cell, sides, count);
    w->peaks[highest_of(w, w->top[cell])].lowest = cell;
}

static bool take_up_all(struct work *w, struct oro_error *err)
{
    for (size_t i = 0; i < w->land; i++) {
        if (i % 65536 == 0 && w->ground->stop && w->ground->stop(w->ground->user))
            return oro_fail(err, ORO_E_CANCELLED, "cancelled");
        take_up(w, w->order[i]);
    }
    return true;
}

/* ---- What stays ---- */

static double prominence(const struct work *w, const struct peak *peak)
{
    return peak->saddle == NONE ? INFINITY : height(w, peak->cell) - height(w, peak->saddle);
}

static void choose_peaks(struct work *w)
{
    for (size_t i = 0; i < w->peak_count; i++) {
        const struct peak *peak = &w->peaks[i];
        uint32_t foot = peak->saddle == NONE ? peak->lowest : peak->saddle;
        double rise = height(w, peak->cell) - height(w, foot);
        if (!(rise > 0) || rise < w->options->prominence) {
            w->report->merged++;
            continue;
        }
        w->role[peak->cell] |= PEAK;
        w->report->peaks++;
        if (peak->saddle != NONE && !(w->role[peak->saddle] & SADDLE)) {
            w->role[peak->saddle] |= SADDLE;
            w->report->saddles++;
        }
    }
}

/* The neighbour number of the only edge; -1 where there is none, or more than one. */
static int only_edge(unsigned char edges)
{
    for (int k = 0; k < 8; k++)
        if (edges == bit(k))
            return k;
    return -1;
}

/* Takes an edge away. Returns its other end. */
static uint32_t cut(struct work *w, uint32_t cell, int k)
{
    uint32_t to = neighbour(w, cell, k);
    w->edges[cell] &= (unsigned char)~bit(k);
    w->edges[to] &= (unsigned char)~bit(7 - k);
    return to;
}

/* Takes away ridges that lead to no peak that stays. */
static void prune(struct work *w)
{
    for (size_t i = 0; i < w->cells; i++) {
        uint32_t cell = (uint32_t)i;
        int k;
        while (!(w->role[cell] & PEAK) && (k = only_edge(w->edges[cell])) >= 0)
            cell = cut(w, cell, k);
    }
}

/* ---- Lines ---- */

/* Whether a line goes on through the cell: it has two edges and is nothing else. */
static bool is_passed(const struct work *w, size_t cell)
{
    int edges = w->edges[cell], others = edges & (edges - 1);
    return w->role[cell] == 0 && others != 0 && (others & (others - 1)) == 0;
}

static struct oro_vertex vertex_of(const struct work *w, uint32_t cell)
{
    double x = (double)(cell % w->width) + 0.5, y = (double)(cell / w->width) + 0.5;
    struct oro_vertex v = oro_vertex_at((float)(w->options->x + x * w->options->cell),
                                        (float)(w->options->y + y * w->options->cell));
    v.elevation = (float)height(w, cell);
    if (w->role[cell] & PEAK) {
        v.kind = ORO_VERTEX_PEAK;
        v.prominence = (float)prominence(w, &w->peaks[w->top[cell]]);
    } else if (w->role[cell] & SADDLE)
        v.kind = ORO_VERTEX_SADDLE;
    return v;
}

static uint32_t number_of(struct work *w, struct oro_trace *trace, uint32_t cell)
{
    uint32_t *numbers = w->room;
    if (!(w->role[cell] & NUMBERED)) {
        numbers[cell] = oro_network_add_vertex(&trace->builder, vertex_of(w, cell));
        w->role[cell] |= NUMBERED;
    }
    return numbers[cell];
}

/* The line that leaves an end at neighbour k. Its edges are taken away, so that nothing draws it again. */
static void trace_line(struct work *w, struct oro_trace *trace, uint32_t end, int k)
{
    uint32_t cell = end;
    bool last;
    oro_trace_add(trace, vertex_of(w, cell));
    do {
        uint32_t to = neighbour(w, cell, k);
        last = w->role[to] & NUMBERED;
        cut(w, cell, k);
        cell = to;
        oro_trace_add(trace, vertex_of(w, cell));
        k = only_edge(w->edges[cell]);
    } while (!last);
    uint32_t first = number_of(w, trace, end);
    oro_trace_end(trace, first, number_of(w, trace, cell), false);
}

static void add_point(struct work *w, struct oro_trace *trace, uint32_t cell)
{
    uint32_t number = number_of(w, trace, cell);
    oro_network_add_line(&trace->builder, (uint32_t[]){number, number}, 2);
}

static struct oro_network *trace_all(struct work *w, struct oro_error *err)
{
    struct oro_trace trace = {.smooth = w->options->smooth, .simplify = w->options->simplify};
    /* Forks lose edges as their lines are drawn: which cells are ends is settled before. */
    for (size_t i = 0; i < w->cells; i++) {
        if (w->edges[i] && !is_passed(w, i))
            number_of(w, &trace, (uint32_t)i);
        else if (w->role[i] & PEAK)
            add_point(w, &trace, (uint32_t)i);
    }
    for (size_t i = 0; i < w->cells; i++)
        for (int k = 0; (w->role[i] & NUMBERED) && k < 8; k++)
            if (w->edges[i] & bit(k))
                trace_line(w, &trace, (uint32_t)i, k);
    oro_trace_free(&trace);
    return oro_network_finish(&trace.builder, err);
}

/* ---- All together ---- */

static bool make_room(struct work *w, struct oro_error *err)
{
    w->order = oro_alloc(w->cells, sizeof *w->order);
    w->room = oro_alloc(w->cells, sizeof *w->room);
    w->top = oro_alloc(w->cells, sizeof *w->top);
    w->edges = oro_alloc(w->cells, 1);
    w->role = oro_alloc(w->cells, 1);
    /* No two peaks are neighbours: of four cells in a square, one is a peak at the most. */
    w->peaks = oro_alloc((w->width + 1) / 2 * ((w->cells / w->width + 1) / 2), sizeof *w->peaks);
    return (w->order && w->room && w->top && w->edges && w->role && w->peaks) ||
           oro_fail(err, ORO_E_MEMORY, "no memory to find the ridges of %zu cells", w->cells);
}

struct oro_network *oro_divide_tree(const struct oro_ground *ground, const struct oro_divide_options *options,
                                    struct oro_divide_report *report, struct oro_error *err)
{
    struct oro_network *network = NULL;
    struct oro_ground open = *ground; /* walls would ask for a sea */
    struct work w = {.ground = ground,
                     .options = options,
                     .report = report,
                     .width = (size_t)ground->width,
                     .cells = (size_t)ground->width * (size_t)ground->height};
    *report = (struct oro_divide_report){0};
    open.walls = false;
    if (oro_ground_check(&open, err) && make_room(&w, err)) {
        sort_cells(&w);
        if (take_up_all(&w, err)) {
            choose_peaks(&w);
            prune(&w);
            network = trace_all(&w, err);
        }
    }
    oro_free(w.order);
    oro_free(w.room);
    oro_free(w.top);
    oro_free(w.edges);
    oro_free(w.role);
    oro_free(w.peaks);
    return network;
}
