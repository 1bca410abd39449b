/* What hydraulic erosion starts from: the state, and what falls in an iteration. */
#include <math.h>

#include "base/memory.h"
#include "nodes/erosion/control_points.h"
#include "nodes/erosion/hydraulic.h"
#include "nodes/lib/range.h"

/* Rain of fewer steps in an iteration is rounded by 3 % and more. */
enum { COARSE_RAIN = 16 };
static const double most_rain = 1 << 28, most_spring = 1 << 28;

void *oro_hydraulic_fetch(struct oro_eval *e, struct oro_buffer *buffer, size_t bytes)
{
    void *host = oro_alloc(bytes, 1);
    if (!host)
        oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu bytes of a balance", bytes);
    if (host && oro_eval_download(e, buffer, host, bytes))
        return host;
    oro_free(host);
    return NULL;
}

/* The largest elevation or depth that is given, which steps have to hold. */
static bool largest_given(struct oro_hydraulic *r, double *largest)
{
    static const char *const names[] = {"terrain", "water", "sediment"};
    *largest = r->params->borders == ORO_BORDERS_SEA_LEVEL ? fabs((double)r->params->sea_level) : 0;
    for (int i = 0; i < 3; i++) {
        float range[2] = {0, 0};
        if (oro_eval_linked(r->eval, names[i]) && !oro_field_range(r->eval, names[i], range))
            return false;
        *largest = fmax(*largest, fmax(fabs((double)range[0]), fabs((double)range[1])));
    }
    return true;
}

/* `sum`: steps that spring in the cell in an iteration. */
static void check_spring(struct oro_hydraulic *r, const struct oro_control_point *spring, double sum)
{
    if (sum > most_spring)
        oro_eval_fail(
            r->eval, ORO_E_EVALUATE,
            "spring %d: a rate of %g is %.3g m of water in its cell in an iteration; at most %.3g m can be "
            "counted, in steps of %.3g m",
            spring->number, (double)spring->elevation, sum * r->scale.step, most_spring * r->scale.step,
            r->scale.step);
    else if (sum < 0.5 && spring->elevation > 0)
        oro_note(oro_eval_log(r->eval), ORO_WARNING,
                 "spring %d: a rate of %g is less than half a step of depth (%.3g m) in an iteration: "
                 "nothing springs",
                 spring->number, (double)spring->elevation, r->scale.step);
}

/* Springs as steps of depth in each cell. NULL: failed. */
static struct oro_buffer *upload_springs(struct oro_hydraulic *r)
{
    const struct oro_grid *grid = oro_eval_grid(r->eval);
    static const struct oro_point_kind spring = {"spring", "rate", 0, 1e9};
    struct oro_control_points points;
    struct oro_error err = {0};
    if (!oro_points_read(r->params->springs, grid, &spring, &points, &err)) {
        oro_eval_failed(r->eval, &err);
        return NULL;
    }
    size_t cells = oro_grid_cells(grid);
    double area = r->scale.width * r->scale.width, per_rate = r->scale.time_step * r->scale.unit / area;
    struct oro_buffer *buffer = oro_eval_field(r->eval);
    int *fallen = oro_alloc(cells, sizeof *fallen);
    for (int i = 0; fallen && i < points.count; i++) {
        double sum = fallen[points.items[i].cell] + (double)points.items[i].elevation * per_rate;
        check_spring(r, &points.items[i], sum);
        fallen[points.items[i].cell] = (int)fmin(round(sum), most_spring);
    }
    bool ok = fallen ? oro_eval_upload(r->eval, buffer, fallen, cells * sizeof *fallen)
                     : oro_eval_fail(r->eval, ORO_E_MEMORY, "no memory for springs");
    oro_free(fallen);
    oro_control_points_free(&points);
    return ok ? buffer : NULL;
}

/* Steps that fall in an iteration on all cells. */
static bool sum_rain(struct oro_hydraulic *r, struct oro_buffer *rain)
{
    size_t cells = oro_grid_cells(oro_eval_grid(r->eval));
    int(*fallen)[2] = oro_hydraulic_fetch(r->eval, rain, cells * sizeof *fallen);
    if (!fallen)
        return false;
    for (size_t i = 0; i < cells; i++)
        r->fallen += fallen[i][0];
    oro_free(fallen);
    if (oro_eval_linked(r->eval, "rain") && r->fallen < COARSE_RAIN * (double)cells)
        oro_note(
            oro_eval_log(r->eval), ORO_WARNING,
            "on average %.3g steps of depth of %.3g m fall in an iteration: little rain is rounded, or lost",
            r->fallen / (double)cells, r->scale.step);
    return true;
}

/* Rain that is the same everywhere is a constant; else a raster of steps. */
static bool begin_rain(struct oro_hydraulic *r)
{
    size_t cells = oro_grid_cells(oro_eval_grid(r->eval));
    bool springs = r->params->springs[0] != '\0';
    r->fallen = r->params->flow ? round(r->scale.rain) * (double)cells : 0;
    if (!r->params->flow || (!springs && !oro_eval_linked(r->eval, "rain")))
        return true;
    r->falls = oro_eval_raster(r->eval, ORO_VECTOR, oro_eval_grid(r->eval));
    struct oro_dispatch rain = {
        .kernel = "erosion/hydraulic_rain.comp",
        .slots = {{"fallen_out", r->falls, ORO_WRITE, "ivec2"},
                  {"terrain", r->terrain},
                  {springs ? "springs" : NULL, springs ? upload_springs(r) : NULL, ORO_READ, "int"}},
        .maps = (const char *const[]){"rain", NULL},
        .reach = ORO_REACH_CELL,
        .defines = springs ? "#define PIPES 2\n#define SPRINGS\n" : "#define PIPES 2\n",
    };
    oro_hydraulic_constants(r->params, &r->scale, &rain);
    r->fallen = 0;
    return oro_eval_dispatch(r->eval, &rain) && sum_rain(r, r->falls);
}

static bool make_state(struct oro_hydraulic *r)
{
    const struct oro_grid *grid = oro_eval_grid(r->eval);
    enum oro_type pipes = r->params->neighbours == ORO_NEIGHBOURS_8 ? ORO_IMAGE : ORO_VECTOR;
    struct oro_simulation *s = &r->simulation;
    const enum oro_type types[] = {ORO_IMAGE, pipes, ORO_FIELD};
    for (int i = 0; i < 3; i++) {
        s->state[i].now = oro_eval_raster(r->eval, types[i], grid);
        s->state[i].next = oro_eval_raster(r->eval, types[i], grid);
    }
    s->own[ORO_HYDRAULIC_BED] = oro_eval_field(r->eval);
    s->own[ORO_HYDRAULIC_GONE] = oro_eval_raster(r->eval, ORO_IMAGE, grid);
    return s->own[ORO_HYDRAULIC_GONE];
}

static bool fill_state(struct oro_hydraulic *r)
{
    struct oro_simulation *s = &r->simulation;
    struct oro_dispatch start = {
        .kernel = "erosion/hydraulic_start.comp",
        .slots = {{"cells_out", s->state[ORO_HYDRAULIC_CELLS].now, ORO_WRITE, "ivec4"},
                  {"pipes_out", s->state[ORO_HYDRAULIC_PIPES].now, ORO_WRITE, r->pipes_element},
                  {"ahead_out", s->state[ORO_HYDRAULIC_AHEAD].now, ORO_WRITE, "int"},
                  {"bed_out", s->own[ORO_HYDRAULIC_BED], ORO_WRITE, "int"},
                  {"gone_out", s->own[ORO_HYDRAULIC_GONE], ORO_WRITE, "ivec4"},
                  {"terrain", r->terrain}},
        .maps = (const char *const[]){"hardness", NULL},
        .reach = ORO_REACH_CELL,
        .defines = r->defines,
    };
    oro_eval_add_input(r->eval, &start, "water");
    oro_eval_add_input(r->eval, &start, "sediment");
    oro_hydraulic_constants(r->params, &r->scale, &start);
    return oro_eval_dispatch(r->eval, &start);
}

/* The water and the sediment that are there, as sums of depths in metres. */
static bool sum_given(struct oro_hydraulic *r)
{
    size_t cells = oro_grid_cells(oro_eval_grid(r->eval));
    if (!oro_eval_linked(r->eval, "water") && !oro_eval_linked(r->eval, "sediment") &&
        r->params->borders != ORO_BORDERS_SEA_LEVEL)
        return true;
    int(*state)[4] =
        oro_hydraulic_fetch(r->eval, r->simulation.state[ORO_HYDRAULIC_CELLS].now, cells * sizeof *state);
    if (!state)
        return false;
    double water = 0, sediment = 0;
    for (size_t i = 0; i < cells; i++) {
        water += state[i][1];
        sediment += state[i][2];
    }
    oro_free(state);
    r->water = water * r->scale.step;
    r->sediment = sediment * r->scale.step;
    return true;
}

/* Fails if the rain cannot be counted, and warns if it can only roughly. */
static bool check_rain(struct oro_hydraulic *r, double largest)
{
    const struct oro_hydraulic_scale *s = &r->scale;
    if (!r->params->flow || r->params->rain == 0 || oro_eval_linked(r->eval, "rain"))
        return true;
    if (s->rain > most_rain)
        return oro_eval_fail(
            r->eval, ORO_E_EVALUATE,
            "'rain' %g is %.3g m in an iteration; at most %.3g m can be counted, in steps of %.3g m",
            (double)r->params->rain, s->rain * s->step, most_rain * s->step, s->step);
    if (s->rain < 1)
        return oro_eval_fail(
            r->eval, ORO_E_EVALUATE,
            "'rain' %g is %.3g m in an iteration, less than a step of depth: these are %.3g m, because "
            "elevations, water or sea reach %g m. Rain more, or not at all, or raise 'time_step' or "
            "'reference_cell'",
            (double)r->params->rain, s->rain * s->step, s->step, largest);
    if (s->rain < COARSE_RAIN)
        oro_note(oro_eval_log(r->eval), ORO_WARNING,
                 "'rain' is %.3g m in an iteration, rounded to %g steps of depth of %.3g m",
                 s->rain * s->step, round(s->rain), s->step);
    return true;
}

/* Warns of a time step that was shortened, or is too long for what happens in it. */
static void check_time_step(struct oro_hydraulic *r)
{
    const struct oro_hydraulic_scale *s = &r->scale;
    double cell = oro_eval_grid(r->eval)->cell;
    if (s->shortened)
        oro_note(oro_eval_log(r->eval), ORO_WARNING,
                 "'time_step' %g is not stable with cells of %g m: %.4g is taken, 0.95 l^1.5 / sqrt(2 A g) "
                 "(l: cell in "
                 "reference cells, %.4g; A: pipe_area l; g: gravity)",
                 (double)r->params->time_step, cell, s->limit, s->width);
    double fastest = fmax((double)r->params->evaporation, (double)r->params->deposition);
    if (r->params->flow && s->time_step * fastest > 1)
        oro_note(oro_eval_log(r->eval), ORO_WARNING,
                 "a step of time is %.3g seconds with cells of %g m: water dries up, or sediment settles, "
                 "within a single "
                 "step. Raise 'reference_cell'",
                 s->time_step, cell);
}

bool oro_hydraulic_start(struct oro_hydraulic *r)
{
    double largest;
    if (!largest_given(r, &largest))
        return false;
    oro_hydraulic_scale(r->params, oro_eval_grid(r->eval)->cell, largest, &r->scale);
    if (!oro_pace_plan(r->eval, r->params->iterations, (double)r->params->duration, r->scale.time_step, 1,
                       &r->pace))
        return false;
    check_time_step(r);
    return check_rain(r, largest) && begin_rain(r) && make_state(r) && fill_state(r) && sum_given(r);
}
