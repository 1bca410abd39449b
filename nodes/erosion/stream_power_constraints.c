/* Elevation constraints (Schott 2023, section 6.4): controllers that change the uplift around points until
 * those have the elevations that were asked for. Lines are points close to each other. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "nodes/erosion/stream_power_constraints.h"
#include "nodes/erosion/stream_power_sediment.h"
#include "nodes/lib/range.h"
#include "terrain/network/network.h"

enum { BLOCK = ORO_CONSTRAINT_BLOCK, REACH_MAX = 1 << 25 };

int oro_stream_power_constraints_count(const struct oro_stream_power *sp)
{
    return sp->constraints ? sp->constraints->count : 0;
}

bool oro_stream_power_constraints_dug(const struct oro_stream_power *sp)
{
    for (int i = 0; i < oro_stream_power_constraints_count(sp); i++)
        if (sp->constraints->valleys[i])
            return true;
    return false;
}

size_t oro_stream_power_control_words(const struct oro_stream_power *sp)
{
    return ORO_CONTROL_POINTS + (size_t)oro_stream_power_constraints_count(sp) * ORO_CONTROL_POINT;
}

/* ---- Points ---- */

bool oro_constraints_add(struct oro_stream_power *sp, struct oro_constraint_point point)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    void *points = c->points;
    size_t capacity = (size_t)c->capacity;
    if (c->total == ORO_CONSTRAINT_POINTS)
        return oro_eval_fail(sp->eval, ORO_E_LIMIT, "more than %d constraints: give the lines larger radii",
                             ORO_CONSTRAINT_POINTS);
    if (!oro_reserve(&points, &capacity, (size_t)c->total + 1, sizeof *c->points))
        return oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for constraints");
    c->points = points;
    c->capacity = (int)capacity;
    c->points[c->total++] = point;
    return true;
}

static bool add_point(struct oro_stream_power *sp, const struct oro_vertex *v)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    double x = ((double)v->x - grid->x) / grid->cell, y = ((double)v->y - grid->y) / grid->cell;
    if (isnan(v->elevation))
        return oro_eval_fail(sp->eval, ORO_E_DOCUMENT,
                             "the constraint at (%g, %g) says no elevation: write \"x y elevation\"",
                             (double)v->x, (double)v->y);
    if (!(x >= 0 && y >= 0 && x <= grid->width && y <= grid->height))
        return oro_eval_fail(sp->eval, ORO_E_DOCUMENT,
                             "the constraint at (%g, %g) lies outside the terrain, which is %g x %g m",
                             (double)v->x, (double)v->y, grid->width * grid->cell, grid->height * grid->cell);
    float radius = v->width > 0 ? v->width : sp->params->constraint_radius;
    if ((double)radius < 1.5 * grid->cell) {
        if (c->too_small++ < ORO_CONSTRAINTS_REPORTED)
            oro_note(
                oro_eval_log(sp->eval), oro_constraints_loudness(sp),
                "the constraint at (%g, %g) is left out: its radius of %g m is less than 1.5 cells of %g m",
                (double)v->x, (double)v->y, (double)radius, grid->cell);
        return true;
    }
    struct oro_constraint_point point = {
        .column = (float)fmin(floor(x), grid->width - 1),
        .row = (float)fmin(floor(y), grid->height - 1),
        .x = (float)(x * grid->cell),
        .y = (float)(y * grid->cell),
        .elevation = v->elevation,
        .radius = radius,
        .scale = fmaxf(fabsf(v->elevation - sp->params->base_level), 10),
    };
    return oro_constraints_add(sp, point);
}

/* Adds points along a line, a radius apart: closer ones would fight each other. The caller adds the last
 * one. */
static bool add_stretch(struct oro_stream_power *sp, const struct oro_vertex *a, const struct oro_vertex *b)
{
    float dx = b->x - a->x, dy = b->y - a->y, standard = sp->params->constraint_radius;
    float radius_a = a->width > 0 ? a->width : standard, radius_b = b->width > 0 ? b->width : standard;
    if (isnan(b->elevation))
        return add_point(sp, b); /* which reports it */
    float length = sqrtf(dx * dx + dy * dy), spacing = fminf(radius_a, radius_b);
    int pieces = (int)fminf(ceilf(length / spacing), ORO_CONSTRAINT_POINTS);
    for (int i = 0; i < pieces; i++) {
        float t = (float)i / (float)pieces;
        struct oro_vertex v = *a;
        v.x += t * dx;
        v.y += t * dy;
        v.elevation += t * (b->elevation - a->elevation);
        v.width = radius_a + t * (radius_b - radius_a);
        if (!add_point(sp, &v))
            return false;
    }
    return true;
}

static bool add_line(struct oro_stream_power *sp, const struct oro_network *network, uint32_t line)
{
    const struct oro_vertex *vertices = oro_network_vertices(network);
    const uint32_t *index = oro_network_indices(network), *starts = oro_network_starts(network);
    for (uint32_t i = starts[line]; i + 1 < starts[line + 1]; i++)
        if (!add_stretch(sp, &vertices[index[i]], &vertices[index[i + 1]]))
            return false;
    return add_point(sp, &vertices[index[starts[line + 1] - 1]]);
}

/* Vertices that no line names are points: peaks without ridges. */
static bool add_others(struct oro_stream_power *sp, const struct oro_network *network)
{
    const uint32_t *index = oro_network_indices(network);
    bool *named = oro_alloc(network->vertex_count, sizeof *named), ok = named;
    for (uint32_t i = 0; ok && i < network->index_count; i++)
        named[index[i]] = true;
    for (uint32_t i = 0; ok && i < network->vertex_count; i++)
        ok = named[i] || add_point(sp, &oro_network_vertices(network)[i]);
    if (!named)
        oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for constraints");
    oro_free(named);
    return ok;
}

static bool add_all(struct oro_stream_power *sp, const struct oro_network *network)
{
    for (uint32_t line = 0; line < network->line_count; line++)
        if (!add_line(sp, network, line))
            return false;
    return add_others(sp, network);
}

/* ---- Constraints that cannot be met ---- */

bool oro_constraints_ground(struct oro_stream_power *sp, struct oro_ground *ground)
{
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    bool sea = oro_eval_linked(sp->eval, "sea");
    *ground = (struct oro_ground){.width = grid->width, .height = grid->height, .walls = sp->tree.walls};
    if (sp->basins)
        ground->sea = sp->basins->outlet;
    else if (sea)
        ground->sea = oro_eval_input_host(sp->eval, "sea");
    return ground->sea || !sea;
}

/* Outlets keep their height: constraints in them are left out. */
static bool drop_outlets(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    struct oro_ground ground;
    int kept = 0, dropped = 0;
    if (!oro_constraints_ground(sp, &ground))
        return false;
    for (int i = 0; i < c->total; i++) {
        const struct oro_constraint_point *p = &c->points[i];
        size_t cell = (size_t)p->row * (size_t)ground.width + (size_t)p->column;
        struct oro_constraint_place at = oro_constraints_place(sp, p);
        if (sp->params->sea <= 0.5f && !oro_ground_is_outlet(&ground, cell))
            c->points[kept++] = *p;
        else if (dropped++ < ORO_CONSTRAINTS_REPORTED)
            oro_note(oro_eval_log(sp->eval), oro_constraints_loudness(sp),
                     "the constraint at (%g, %g) is left out: it lies in an outlet, where "
                     "the ground is held at its own elevation",
                     at.x, at.y);
    }
    c->count = c->total = kept;
    for (int i = 0; i < kept; i++)
        c->points[i].controller = (float)i;
    return true;
}

/* ---- On the device ---- */

/* The blocks of cells that a point reaches: columns and rows, inclusive. */
static void blocks_of(const struct oro_grid *grid, const struct oro_constraint_point *p, int range[4])
{
    double size = BLOCK * grid->cell;
    int columns = (grid->width + BLOCK - 1) / BLOCK, rows = (grid->height + BLOCK - 1) / BLOCK;
    double low[2] = {(double)(p->x - p->radius) / size, (double)(p->y - p->radius) / size};
    double high[2] = {(double)(p->x + p->radius) / size, (double)(p->y + p->radius) / size};
    for (int i = 0; i < 2; i++) {
        int last = (i ? rows : columns) - 1;
        range[i] = (int)fmin(fmax(low[i], 0), last);
        range[2 + i] = (int)fmin(fmax(high[i], 0), last);
    }
}

/* Counts, for every block, the points that reach it; or, with `lists`, adds them to the blocks' lists, which
 * so far end at `ends`. */
static void go_through(const struct oro_stream_power_constraints *c, const struct oro_grid *grid,
                       uint32_t *ends, uint32_t *lists)
{
    int columns = (grid->width + BLOCK - 1) / BLOCK, range[4];
    for (int i = 0; i < c->total; i++) {
        blocks_of(grid, &c->points[i], range);
        for (int row = range[1]; row <= range[3]; row++)
            for (int block = row * columns + range[0]; block <= row * columns + range[2]; block++) {
                if (lists)
                    lists[ends[block]] = (uint32_t)i;
                ends[block]++;
            }
    }
}

/* How many entries all lists have. */
static size_t count_entries(const struct oro_stream_power_constraints *c, const struct oro_grid *grid)
{
    size_t entries = 0;
    int range[4];
    for (int i = 0; i < c->total; i++) {
        blocks_of(grid, &c->points[i], range);
        entries += (size_t)(range[2] - range[0] + 1) * (size_t)(range[3] - range[1] + 1);
    }
    return entries;
}

/* For the kernel: where each block's list begins and the last one ends, then the lists. */
static bool upload_reach(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    size_t blocks =
        (size_t)((grid->width + BLOCK - 1) / BLOCK) * (size_t)((grid->height + BLOCK - 1) / BLOCK);
    if (count_entries(c, grid) > REACH_MAX)
        return oro_eval_fail(sp->eval, ORO_E_LIMIT,
                             "too many constraints reach too far: give them smaller radii");
    uint32_t *ends = oro_alloc(blocks + 1, sizeof *ends), at = (uint32_t)blocks + 1;
    if (ends)
        go_through(c, grid, ends, NULL);
    for (size_t block = 0; ends && block <= blocks; block++) {
        uint32_t count = ends[block];
        ends[block] = at;
        at += count;
    }
    uint32_t *reach = ends ? oro_alloc(at, sizeof *reach) : NULL;
    if (reach) {
        memcpy(reach, ends, (blocks + 1) * sizeof *reach);
        go_through(c, grid, ends, reach);
    }
    c->reach = reach ? oro_eval_buffer(sp->eval, at) : NULL;
    bool ok = c->reach ? oro_eval_upload(sp->eval, c->reach, reach, at * sizeof *reach)
                       : oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for constraints");
    oro_free(ends);
    oro_free(c->lists);
    c->lists = reach;
    return ok;
}

static void plan(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    const bool routed = oro_constraints_answer_late(sp);
    c->respond = (struct oro_dispatch){
        .kernel = "erosion/stream_power_constraints_response.comp",
        .slots = {{"height"},
                  {"area"},
                  {"points"},
                  {"reach", NULL, ORO_READ, "uint"},
                  {"control", NULL, ORO_READ, "uint"},
                  {"correction", sp->correction},
                  {"response", c->response, ORO_UPDATE},
                  {routed ? "next" : NULL, NULL, ORO_READ, "uint"}},
        .defines =
            routed ? "#define CORRECTED 1\n#define ROUTED 1\n" : "#define CORRECTED 1\n#define ROUTED 0\n",
        .constants = {{"count", (float)c->count}, {"reference"}},
        .columns = c->count,
        .rows = 1,
        .group_columns = 64,
        .group_rows = 1,
    };
    c->apply = (struct oro_dispatch){.kernel = "erosion/stream_power_constraints_apply.comp",
                                     .slots = {{"points"},
                                               {"reach", NULL, ORO_READ, "uint"},
                                               {"control", NULL, ORO_READ, "uint"},
                                               {"correction", sp->correction, ORO_WRITE},
                                               {c->start ? "start" : NULL, c->start}},
                                     .defines = c->start ? "#define STARTED 1\n" : "#define STARTED 0\n"};
}

bool oro_constraints_upload(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    size_t words = (size_t)c->total * sizeof *c->points / sizeof(float);
    c->on_device = oro_eval_buffer(sp->eval, words);
    if (!oro_eval_upload(sp->eval, c->on_device, c->points, words * sizeof(float)) || !upload_reach(sp))
        return false;
    oro_bind(&c->respond, "points", c->on_device);
    oro_bind(&c->respond, "reach", c->reach);
    oro_bind(&c->apply, "points", c->on_device);
    oro_bind(&c->apply, "reach", c->reach);
    return true;
}

static bool make_room(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    size_t words = (size_t)c->count * ORO_RESPONSE;
    c->response = oro_eval_buffer(sp->eval, words);
    c->heard = oro_alloc(words, sizeof *c->heard);
    c->control = oro_alloc(oro_stream_power_control_words(sp), sizeof *c->control);
    c->valleys = oro_alloc((size_t)c->count, sizeof *c->valleys);
    if (!c->heard || !c->control || !c->valleys)
        return oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for constraints");
    plan(sp);
    return c->response && oro_constraints_upload(sp);
}

static bool find_creep(struct oro_stream_power *sp)
{
    double sum = (double)sp->params->hillslope, cells = 1;
    if (oro_eval_linked(sp->eval, "hillslope")) {
        struct oro_buffer *map = oro_eval_input(sp->eval, "hillslope");
        cells = (double)oro_grid_cells(oro_eval_input_grid(sp->eval, "hillslope"));
        if (!map || !oro_sum(sp->eval, map, (size_t)cells, &sum))
            return false;
    }
    sp->constraints->creep = fmax(sum / cells, 0);
    return true;
}

bool oro_stream_power_constraints_begin(struct oro_stream_power *sp)
{
    const struct oro_network *network = oro_eval_network(sp->eval, "constraints");
    struct oro_buffer *start =
        oro_eval_linked(sp->eval, "correction") ? oro_eval_input(sp->eval, "correction") : NULL;
    if (!network)
        return false;
    sp->constraints = oro_alloc(1, sizeof *sp->constraints);
    if (!sp->constraints)
        return oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for constraints");
    sp->constraints->start = start;
    if (!add_all(sp, network) || !drop_outlets(sp))
        return false;
    if (sp->constraints->count == 0) {
        sp->correction = start;
        return true;
    }
    if (!oro_constraints_compare(sp))
        return false;
    sp->correction = oro_eval_field(sp->eval);
    return sp->correction && find_creep(sp) && make_room(sp);
}

void oro_stream_power_constraints_end(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    if (c) {
        oro_free(c->points);
        oro_free(c->lists);
        oro_free(c->heard);
        oro_free(c->control);
        oro_free(c->valleys);
    }
    oro_free(c);
}

bool oro_stream_power_constraints_apply(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    if (!oro_stream_power_constraints_count(sp))
        return true;
    oro_bind(&c->apply, "control", sp->control);
    return oro_eval_dispatch(sp->eval, &c->apply);
}

bool oro_stream_power_constraints_start(struct oro_stream_power *sp)
{
    if (!oro_stream_power_constraints_count(sp))
        return true;
    struct oro_stream_power_constraints *c = sp->constraints;
    for (int i = 0; i < c->count; i++)
        c->control[ORO_CONTROL_POINTS + ORO_CONTROL_POINT * i + ORO_CONTROL_CARE] = 1;
    size_t bytes = oro_stream_power_control_words(sp) * sizeof *c->control;
    return oro_eval_upload(sp->eval, sp->control, c->control, bytes) &&
           oro_stream_power_constraints_apply(sp);
}

/* Steps of the explicit solver have the lengths that its clock counts, others all the same or none. */
static bool find_years(struct oro_stream_power *sp, double *years)
{
    float clock[4] = {0};
    bool ok = !sp->clock || oro_eval_download(sp->eval, sp->clock, clock, sizeof clock);
    *years = sp->clock ? (double)clock[3] : sp->done * (double)sp->params->step;
    return ok;
}

/* Where ground sinks there are pits: when steps have lengths, it takes time until they are filled. The ways
 * out of them are those of the drainage tree. The explicit solver has an area of its own. */
static bool find_ways(struct oro_stream_power *sp)
{
    if (!oro_constraints_answer_late(sp))
        return true;
    bool ok = sp->clock ? oro_drainage_tree_route(&sp->tree, sp->height[0]) : oro_stream_power_route(sp);
    oro_bind(&sp->constraints->respond, "next", ok ? oro_drainage_tree_receivers(&sp->tree) : NULL);
    return ok;
}

bool oro_stream_power_constraints_update(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    if (!oro_stream_power_constraints_count(sp))
        return true;
    double years = 0;
    size_t bytes = oro_stream_power_control_words(sp) * sizeof *c->control;
    if (!find_ways(sp))
        return false;
    oro_bind(&c->respond, "height", sp->height[0]);
    oro_bind(&c->respond, "area", sp->area[0]);
    oro_bind(&c->respond, "control", sp->control);
    oro_set(&c->respond, "reference", sp->reference > 0 ? sp->reference : 1e-4);
    return oro_eval_dispatch(sp->eval, &c->respond) &&
           oro_eval_download(sp->eval, c->response, c->heard,
                             (size_t)c->count * ORO_RESPONSE * sizeof *c->heard) &&
           oro_eval_download(sp->eval, sp->control, c->control, bytes) && find_years(sp, &years) &&
           oro_constraints_steer(sp, years) && oro_constraints_dig_valleys(sp) &&
           oro_eval_upload(sp->eval, sp->control, c->control, bytes) &&
           oro_stream_power_constraints_apply(sp);
}

bool oro_stream_power_constraints_settled(struct oro_stream_power *sp, bool *settled)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    *settled = true;
    if (!oro_stream_power_constraints_count(sp))
        return true;
    size_t bytes = oro_stream_power_control_words(sp) * sizeof *c->control;
    bool ok = oro_eval_download(sp->eval, sp->control, c->control, bytes);
    for (int i = 0; ok && i < c->count; i++)
        *settled = *settled && c->control[ORO_CONTROL_POINTS + ORO_CONTROL_POINT * i + ORO_CONTROL_STATE] > 0;
    return ok;
}
