/* Elevation constraints (Schott 2023, section 6.4): controllers that change the uplift around points until
 * those have the elevations that were asked for. Lines are points close to each other. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "nodes/erosion/stream_power_constraints.h"
#include "terrain/hydrology/ground.h"
#include "terrain/network/network.h"

enum { BLOCK = 16, REPORTED = 5, REACH_MAX = 1 << 25 };

int oro_stream_power_constraints_count(const struct oro_stream_power *sp)
{
    return sp->constraints ? sp->constraints->count : 0;
}

bool oro_stream_power_constraints_grew(const struct oro_stream_power *sp)
{
    return sp->constraints && sp->constraints->total > sp->constraints->count;
}

size_t oro_stream_power_control_words(const struct oro_stream_power *sp)
{
    return ORO_CONTROL_POINTS + (size_t)oro_stream_power_constraints_count(sp) * ORO_CONTROL_POINT;
}

/* Coarse levels do not warn: a finer one may do what they cannot. */
static enum oro_level loudness(const struct oro_stream_power *sp)
{
    return sp->params->coarse ? ORO_DEBUG : ORO_WARNING;
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
        if (c->too_small++ < REPORTED)
            oro_note(
                oro_eval_log(sp->eval), loudness(sp),
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

/* Outlets keep their height: constraints in them are left out. */
static bool drop_outlets(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    const struct oro_grid *grid = oro_eval_grid(sp->eval);
    bool sea = oro_eval_linked(sp->eval, "sea");
    struct oro_ground ground = {.width = grid->width,
                                .height = grid->height,
                                .sea = sea ? oro_eval_input_host(sp->eval, "sea") : NULL,
                                .walls = sp->tree.walls};
    int kept = 0, dropped = 0;
    for (int i = 0; i < c->total; i++) {
        const struct oro_constraint_point *p = &c->points[i];
        size_t cell = (size_t)p->row * (size_t)grid->width + (size_t)p->column;
        if (sp->params->sea <= 0.5f && !oro_ground_is_outlet(&ground, cell))
            c->points[kept++] = *p;
        else if (dropped++ < REPORTED)
            oro_note(oro_eval_log(sp->eval), loudness(sp),
                     "the constraint at (%g, %g) is left out: it lies in an outlet, where "
                     "the ground is held at its own elevation",
                     (double)p->x + grid->x, (double)p->y + grid->y);
    }
    c->count = c->total = kept;
    for (int i = 0; i < kept; i++)
        c->points[i].controller = (float)i;
    return !sea || ground.sea;
}

static bool meet(const struct oro_constraint_point *a, const struct oro_constraint_point *b)
{
    return hypotf(a->x - b->x, a->y - b->y) < a->radius + b->radius;
}

/* Whether two constraints differ in elevation by more than any slope of the terrain can. */
static bool incompatible(const struct oro_stream_power *sp, const struct oro_constraint_point *a,
                         const struct oro_constraint_point *b)
{
    float steepest = tanf(sp->params->slope_limit * 0.01745329f);
    float distance = fmaxf(hypotf(a->x - b->x, a->y - b->y), (float)oro_eval_grid(sp->eval)->cell);
    return meet(a, b) && fabsf(a->elevation - b->elevation) > fminf(steepest, 1.5f) * distance;
}

static void warn_incompatible(struct oro_stream_power *sp)
{
    const struct oro_stream_power_constraints *c = sp->constraints;
    int found = 0;
    for (int i = 0; i < c->count && found < REPORTED; i++)
        for (int j = i + 1; j < c->count && found < REPORTED; j++) {
            const struct oro_constraint_point *a = &c->points[i], *b = &c->points[j];
            if (!incompatible(sp, a, b))
                continue;
            oro_note(
                oro_eval_log(sp->eval), loudness(sp),
                "constraints at (%g, %g) and (%g, %g) ask for %g and %g m, %g m apart: they may not both be "
                "met",
                (double)a->x, (double)a->y, (double)b->x, (double)b->y, (double)a->elevation,
                (double)b->elevation, (double)hypotf(a->x - b->x, a->y - b->y));
            found++;
        }
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
    oro_free(reach);
    return ok;
}

static void plan(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    c->respond = (struct oro_dispatch){
        .kernel = "erosion/stream_power_constraints_response.comp",
        .slots = {{"height"},
                  {"area"},
                  {"points"},
                  {"reach", NULL, ORO_READ, "uint"},
                  {"control", NULL, ORO_READ, "uint"},
                  {"correction", sp->correction},
                  {"response", c->response, ORO_UPDATE}},
        .defines = "#define CORRECTED 1\n",
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
    c->has_valley = oro_alloc((size_t)c->count, sizeof *c->has_valley);
    if (!c->heard || !c->control || !c->has_valley)
        return oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for constraints");
    plan(sp);
    return c->response && oro_constraints_upload(sp);
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
    warn_incompatible(sp);
    sp->correction = oro_eval_buffer(sp->eval, sp->cells);
    return sp->correction && make_room(sp);
}

void oro_stream_power_constraints_end(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    if (c) {
        oro_free(c->points);
        oro_free(c->heard);
        oro_free(c->control);
        oro_free(c->has_valley);
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

bool oro_stream_power_constraints_update(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    if (!oro_stream_power_constraints_count(sp))
        return true;
    double years = 0;
    size_t bytes = oro_stream_power_control_words(sp) * sizeof *c->control;
    oro_bind(&c->respond, "height", sp->height[0]);
    oro_bind(&c->respond, "area", sp->area[0]);
    oro_bind(&c->respond, "control", sp->control);
    oro_set(&c->respond, "reference", sp->reference > 0 ? sp->reference : 1e-4);
    return oro_eval_dispatch(sp->eval, &c->respond) &&
           oro_eval_download(sp->eval, c->response, c->heard,
                             (size_t)c->count * ORO_RESPONSE * sizeof *c->heard) &&
           oro_eval_download(sp->eval, sp->control, c->control, bytes) && find_years(sp, &years) &&
           oro_constraints_steer(sp, years) && oro_eval_upload(sp->eval, sp->control, c->control, bytes) &&
           oro_constraints_dig_valleys(sp) && oro_stream_power_constraints_apply(sp);
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

/* ---- Report ---- */

static const struct oro_constraint_point *neighbour_of(const struct oro_stream_power *sp, int i)
{
    const struct oro_stream_power_constraints *c = sp->constraints;
    const struct oro_constraint_point *worst = NULL, *own = &c->points[i];
    for (int j = 0; j < c->count; j++)
        if (j != i && meet(own, &c->points[j]) &&
            (!worst ||
             fabsf(c->points[j].elevation - own->elevation) > fabsf(worst->elevation - own->elevation)))
            worst = &c->points[j];
    return worst;
}

static void warn_unmet(struct oro_stream_power *sp, int i, double elevation)
{
    const struct oro_constraint_point *p = &sp->constraints->points[i], *other = neighbour_of(sp, i);
    if (other && fabsf(other->elevation - p->elevation) > 0.01f * p->scale)
        oro_note(
            oro_eval_log(sp->eval), loudness(sp),
            "constraint at (%g, %g): %g m instead of %g; the one at (%g, %g) asks for %g m within its reach: "
            "make their radii smaller, or their elevations more alike",
            (double)p->x, (double)p->y, elevation, (double)p->elevation, (double)other->x, (double)other->y,
            (double)other->elevation);
    else if (elevation > (double)p->elevation && !sp->params->subsidence)
        oro_note(oro_eval_log(sp->eval), loudness(sp),
                 "constraint at (%g, %g): %g m instead of %g; 'subsidence' lowers the river below it, too",
                 (double)p->x, (double)p->y, elevation, (double)p->elevation);
    else
        oro_note(oro_eval_log(sp->eval), loudness(sp),
                 "constraint at (%g, %g): %g m instead of %g; a larger radius gives it more ground to %s",
                 (double)p->x, (double)p->y, elevation, (double)p->elevation,
                 elevation < (double)p->elevation ? "raise" : "lower");
}

bool oro_stream_power_constraints_report(struct oro_stream_power *sp)
{
    struct oro_stream_power_constraints *c = sp->constraints;
    if (!oro_stream_power_constraints_count(sp))
        return true;
    float *height = oro_alloc(sp->cells, sizeof *height);
    bool ok = height && oro_eval_download(sp->eval, sp->height[0], height, sp->cells * sizeof *height);
    int unmet = 0, width = oro_eval_grid(sp->eval)->width;
    double worst = 0;
    for (int i = 0; ok && i < c->count; i++) {
        const struct oro_constraint_point *p = &c->points[i];
        double elevation = (double)height[(size_t)p->row * (size_t)width + (size_t)p->column];
        double error = fabs(elevation - (double)p->elevation);
        worst = fmax(worst, error);
        if (error > 0.01 * (double)p->scale && unmet++ < REPORTED)
            warn_unmet(sp, i, elevation);
    }
    oro_eval_figure(sp->eval, "constraints", c->count, "");
    oro_eval_figure(sp->eval, "constraints_unmet", unmet, "");
    oro_eval_figure(sp->eval, "constraints_worst", worst, "m");
    if (!height)
        oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for %zu cells", sp->cells);
    oro_free(height);
    return ok;
}
