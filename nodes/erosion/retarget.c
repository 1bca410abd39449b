/* Gives an eroded terrain back the heights of chosen places. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "nodes/erosion/control_points.h"
#include "nodes/erosion/relax.h"
#include "nodes/lib/flow_inputs.h"
#include "nodes/lib/range.h"
#include "nodes/lib/simulation.h"

struct params {
    int method;
    const char *points;
    float ridge_area, peak_radius, reach, tolerance, mask;
    ORO_FLOW_PARAMS;
};

enum { RIDGES, PEAKS, FIELD, POINTS };
static const char *const methods[] = {"ridges", "peaks", "field", "points", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to correct: the terrain after erosion"),
    ORO_IN_FIELD("reference", .optional = true, .unit = ORO_METRE,
                 .doc = "Elevation to go back to: the terrain before erosion, of any resolution. The method "
                        "`points` alone does without it"),
    ORO_IN_CHOICE(
        struct params, method, RIDGES, methods,
        .doc = "Which places get their height back. ridges: crest lines, and peaks. peaks: peaks alone. "
               "field: where `constraints` is above 0.5. points: those of `points` alone"),
    ORO_IN_TEXT(struct params, points, "", .handle = ORO_HANDLE_SPOTS,
                .doc =
                    "Places whose elevation is known, whatever the method: \"x y elevation; x y elevation\", "
                    "in metres, x from the west and y from the north. At most 4096"),
    ORO_IN_FIELD("constraints", .optional = true,
                 .doc = "For the method `field`: places to correct are those above 0.5"),
    ORO_IN_FLOAT(struct params, reach, 0, .handle = ORO_HANDLE_RADIUS, .handle_at = "points", .min = 0,
                 .max = 1e7, .soft_max = 5000, .unit = ORO_METRE, .group = "Correction",
                 .doc = "How far from those places the ground is lifted or lowered with them, fading out. 0: "
                        "everywhere between them, which leaves the shape of the ground as it is"),
    ORO_IN_FLOAT(struct params, tolerance, 0.001, .min = 0.00001, .max = 100, .soft_max = 0.1,
                 .unit = ORO_METRE, .group = "Correction",
                 .doc = "How exact the correction is between the places; at them it always is"),
    ORO_IN_MAP(
        struct params, ridge_area, 0, .min = 0, .max = 1e12, .soft_max = 100000, .unit = ORO_SQUARE_METRE,
        .group = "Ridges and peaks",
        .doc = "Cells that drain less than this are ridges: larger values take in side ridges and slopes. "
               "0: two cells"),
    ORO_IN_FLOAT(
        struct params, peak_radius, 500, .min = 0, .max = 1e7, .soft_max = 5000, .unit = ORO_METRE,
        .group = "Ridges and peaks",
        .doc = "A peak is the highest place of `reference` as far as this to the north, south, east and "
               "west. 0: no peaks"),
    ORO_IN_FIELD("drainage", .optional = true, .unit = ORO_SQUARE_METRE, .group = "Flow",
                 .doc =
                     "Drainage area of `terrain`, to find ridges by: link that of the last level. Else it is "
                     "computed, as far as ridges need it"),
    ORO_IN_FLOW(struct params),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Elevation with the correction"),
    ORO_OUT_FIELD("correction", .like = "terrain", .unit = ORO_METRE,
                  .doc = "Height that is added where the mask is 1"),
    ORO_OUT_FIELD("constraints", .like = "terrain",
                  .doc = "1 at the places that got their height back, else 0"),
    {0},
};

/* Reports what is missing or wrong before any work is done. In a preview, cells may be so large that points
 * which the build tells apart share one: that is no mistake. */
static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    struct oro_error err = {0};
    struct oro_control_points points;
    bool preview = oro_shape_cap(s) <= ORO_GRID_MAX;
    if (p->method == FIELD && !oro_shape_input(s, "constraints"))
        oro_fail(
            &err, ORO_E_DOCUMENT,
            "the method 'field' takes its places from 'constraints': link a field there, or choose another "
            "method");
    else if (p->method != POINTS && !oro_shape_input(s, "reference"))
        oro_fail(&err, ORO_E_DOCUMENT,
                 "link 'reference', the terrain whose heights are given back: only the method 'points' does "
                 "without");
    else if (oro_control_points_read(p->points, grid, preview, &points, &err))
        oro_control_points_free(&points);
    return !err.code || oro_shape_failed(s, &err);
}

/* What an evaluation works with. Two of the outputs' buffers serve the search for places before they are
 * filled. */
struct work {
    struct oro_eval *eval;
    const struct params *params;
    size_t cells;
    struct oro_buffer *terrain, *reference; /* the latter is the terrain itself where it is not linked */
    struct oro_buffer *fixed;               /* 1 at places, else 0 */
    struct oro_buffer *a, *b;
    struct oro_buffer *points; /* NULL: there are none */
    int point_count;
};

/* ---- Places ---- */

/* Steps of drainage until areas below `area` are settled. Where water keeps to one way, no more cells can
 * drain through such a cell than the area has, so nothing comes from further away. Where it spreads, traces
 * come from further, but they are small: twice as many steps are plenty. Before they are done, areas are too
 * small and never too large, so no ridge is missed. */
static int steps_for(double area, double cell)
{
    enum { LEAST = 8, MOST = 512 };
    double cells = fmax(area / (cell * cell), 2);
    return (int)fmin(LEAST + 2 * cells, MOST);
}

static bool largest_ridge_area(struct work *w, double *area)
{
    float range[2] = {0, w->params->ridge_area};
    bool ok = !oro_eval_linked(w->eval, "ridge_area") || oro_field_range(w->eval, "ridge_area", range);
    *area = (double)range[1];
    return ok;
}

/* Finds drainage areas, into `a`. */
static bool find_drainage(struct work *w)
{
    double area = 0;
    struct oro_dispatch step = {
        .kernel = "flow/drainage.comp",
        .slots = {{"area"}, {"area_out", NULL, ORO_WRITE}, {"height", w->terrain}, {"base", w->terrain}},
        .reach = 2};
    oro_dispatch_tiles(w->eval, &step);
    if (!largest_ridge_area(w, &area) || !oro_drainage_start(w->eval, w->a))
        return false;
    int count = steps_for(area, oro_eval_grid(w->eval)->cell);
    for (int i = 0; i < count; i++, oro_swap_buffers(&w->a, &w->b)) {
        oro_bind(&step, "area", w->a);
        oro_bind(&step, "area_out", w->b);
        if (!oro_eval_dispatch(w->eval, &step) || !oro_eval_progress(w->eval, i, count))
            return false;
    }
    return true;
}

/* Marks places by `value`; the others keep what they are if `add`. */
static bool mark(struct work *w, const char *how, struct oro_buffer *value, bool add)
{
    return oro_eval_dispatch(
        w->eval, &(struct oro_dispatch){.kernel = "erosion/retarget_mark.comp",
                                        .slots = {{"value", value}, {"fixed_out", w->fixed, ORO_UPDATE}},
                                        .defines = how,
                                        .reach = ORO_REACH_CELL,
                                        .constants = {{"add", add}}});
}

static bool mark_ridges(struct work *w)
{
    if (oro_eval_linked(w->eval, "drainage"))
        return mark(w, "#define RIDGES 1\n", oro_eval_input(w->eval, "drainage"), false);
    return find_drainage(w) && mark(w, "#define RIDGES 1\n", w->a, false);
}

static int peak_cells(const struct work *w)
{
    const struct oro_grid *grid = oro_eval_grid(w->eval);
    int side = oro_grid_longer(grid);
    double cells = (double)w->params->peak_radius / grid->cell;
    return w->params->peak_radius > 0 ? (int)fmin(fmax(floor(cells + 0.5), 1), side) : 0;
}

/* The highest cell of those up to `radius` to either side, along one axis. What is known up to r cells gives
 * what there is up to r + s, for s up to 2 r + 1: from the cells s to either side and the cell itself. */
static bool highest_along(struct work *w, struct oro_dispatch *highest, int radius, bool columns)
{
    for (int known = 0; known < radius; oro_swap_buffers(&w->a, &w->b)) {
        int step = radius - known < 2 * known + 1 ? radius - known : 2 * known + 1;
        oro_bind(highest, "highest", w->a);
        oro_bind(highest, "highest_out", w->b);
        oro_set(highest, "east", columns ? 0 : step);
        oro_set(highest, "south", columns ? step : 0);
        if (!oro_eval_dispatch(w->eval, highest))
            return false;
        oro_set(highest, "first", 0);
        known += step;
    }
    return true;
}

static bool mark_peaks(struct work *w, bool add)
{
    int radius = peak_cells(w);
    struct oro_dispatch highest = {
        .kernel = "erosion/retarget_highest.comp",
        .slots = {{"height", w->reference},
                  {"highest", NULL, ORO_READ, "int"},
                  {"highest_out", NULL, ORO_WRITE, "int"}},
        .reach = radius,
        .constants = {{"east"}, {"south"}, {"first", 1}, {"radius", (float)radius}}};
    const struct oro_grid *grid = oro_eval_grid(w->eval);
    int rows = radius < grid->height ? radius : grid->height;
    if ((rows + 1.0) * grid->width > INT_MAX) /* retarget_highest.comp counts the cells between */
        return oro_eval_fail(
            w->eval, ORO_E_LIMIT,
            "'peak_radius' is %d cells, and in rasters of %d columns at most %d are possible", radius,
            grid->width, INT_MAX / grid->width - 1);
    if (radius == 0)
        return add || mark(w, "#define NONE 1\n", w->terrain, false);
    return highest_along(w, &highest, radius, false) && highest_along(w, &highest, radius, true) &&
           mark(w, "#define PEAKS 1\n", w->a, add);
}

static bool mark_places(struct work *w)
{
    switch (w->params->method) {
    case RIDGES:
        return mark_ridges(w) && mark_peaks(w, true);
    case PEAKS:
        return mark_peaks(w, false);
    case FIELD:
        return mark(w, "#define FIELD 1\n", oro_eval_input(w->eval, "constraints"), false);
    default:
        return mark(w, "#define NONE 1\n", w->terrain, false);
    }
}

/* ---- Points ---- */

static bool upload_points(struct work *w, const struct oro_control_points *points)
{
    struct {
        int32_t row, column;
        float elevation;
        int32_t unused; /* as kernels read it */
    } *list = oro_alloc((size_t)points->count, sizeof *list);
    if (!list)
        return oro_eval_fail(w->eval, ORO_E_MEMORY, "no memory for %d points", points->count);
    for (int i = 0; i < points->count; i++) {
        list[i].row = (int32_t)(points->items[i].cell / oro_eval_grid(w->eval)->width);
        list[i].column = (int32_t)(points->items[i].cell % oro_eval_grid(w->eval)->width);
        list[i].elevation = points->items[i].elevation;
    }
    size_t bytes = (size_t)points->count * sizeof *list;
    w->point_count = points->count;
    w->points = oro_eval_buffer(w->eval, bytes / sizeof(float));
    bool ok = oro_eval_upload(w->eval, w->points, list, bytes);
    oro_free(list);
    return ok;
}

/* `shape` has made sure that points share cells only in previews. */
static bool read_points(struct work *w)
{
    struct oro_control_points points;
    struct oro_error err = {0};
    if (!oro_control_points_read(w->params->points, oro_eval_grid(w->eval), true, &points, &err))
        return oro_eval_failed(w->eval, &err);
    if (points.shared > 0)
        oro_note(oro_eval_log(w->eval), ORO_NOTICE,
                 "points of different elevation share %d cell%s at this resolution: there the mean counts",
                 points.shared, points.shared == 1 ? "" : "s");
    bool ok = points.count == 0 || upload_points(w, &points);
    oro_control_points_free(&points);
    return ok;
}

/* Puts points among the places, with their corrections; or their elevations into the result. */
static bool put_points(struct work *w, const char *what, struct oro_buffer *to)
{
    struct oro_dispatch put = {.kernel = "erosion/retarget_points.comp",
                               .slots = {{"points", w->points, ORO_READ, "ivec4"},
                                         {"ground", w->terrain},
                                         {"fixed_out", w->fixed, ORO_UPDATE},
                                         {"to", to, ORO_UPDATE}},
                               .defines = what,
                               .reach = ORO_REACH_CELL,
                               .constants = {{"count", (float)w->point_count}}};
    return !w->points || oro_eval_dispatch(w->eval, &put);
}

/* ---- Correction ---- */

/* The correction at places, into `a`. */
static bool find_corrections(struct work *w)
{
    struct oro_dispatch delta = {.kernel = "erosion/retarget_delta.comp",
                                 .slots = {{"ground", w->terrain},
                                           {"target", w->reference},
                                           {"fixed_out", w->fixed, ORO_UPDATE},
                                           {"delta", w->a, ORO_WRITE}},
                                 .reach = ORO_REACH_CELL};
    return oro_eval_dispatch(w->eval, &delta) && put_points(w, "#define CORRECTIONS 1\n", w->a);
}

/* At places the result is what was asked for, to the last digit. */
static bool apply(struct work *w, struct oro_buffer *correction, struct oro_buffer *result)
{
    struct oro_dispatch correct = {.kernel = "erosion/retarget_apply.comp",
                                   .slots = {{"ground", w->terrain},
                                             {"target", w->reference},
                                             {"place", w->fixed},
                                             {"correction", correction},
                                             {"result", result, ORO_WRITE}},
                                   .reach = ORO_REACH_CELL};
    return oro_eval_dispatch(w->eval, &correct) && put_points(w, "#define ELEVATIONS 1\n", result);
}

/* For when no place was marked: fails if the reason is a height that cannot be corrected
 * (retarget_delta.comp, retarget_points.comp), rather than that none was asked for. */
static bool heights_are_usable(const struct work *w)
{
    const float *terrain = oro_eval_input_host(w->eval, "terrain"), *reference = terrain;
    if (oro_eval_linked(w->eval, "reference"))
        reference = oro_eval_input_host(w->eval, "reference");
    if (!terrain || !reference)
        return false;
    size_t width = (size_t)oro_eval_grid(w->eval)->width;
    for (size_t i = 0; i < w->cells; i++)
        if (!(fabsf(terrain[i]) < 1e30f && fabsf(reference[i] - terrain[i]) < 1e30f))
            return oro_eval_fail(w->eval, ORO_E_EVALUATE,
                                 "no height can be corrected: at cell %zu, %zu 'terrain' or 'reference' is "
                                 "no number, or beyond 1e30 m",
                                 i % width, i / width);
    return true;
}

static void report(struct oro_eval *e, const struct params *p, const struct oro_relaxation *r)
{
    const struct oro_log *log = oro_eval_log(e);
    oro_eval_figure(e, "constraints", (double)r->fixed_cells, "cells");
    oro_eval_figure(e, "cycles", r->cycles, "");
    oro_eval_figure(e, "last_change", r->last_change, "m");
    if (r->fixed_cells == 0)
        oro_note(log, ORO_WARNING, "there are no places to correct: the terrain stays as it is%s",
                 p->method == POINTS ? "; write some into 'points'" : "");
    else if (!r->settled)
        oro_note(
            log, ORO_WARNING,
            "the correction is exact to %.2g m between the places, where %.2g m were asked for: numbers of "
            "32 bits hold no more for heights like these",
            r->last_change, (double)p->tolerance);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct work w = {.eval = e, .params = p, .cells = oro_grid_cells(oro_eval_grid(e))};
    w.terrain = oro_eval_input(e, "terrain");
    w.reference = oro_eval_linked(e, "reference") ? oro_eval_input(e, "reference") : w.terrain;
    w.fixed = oro_eval_field(e);
    w.a = oro_eval_field(e);
    w.b = oro_eval_field(e);
    if (!read_points(&w) || !mark_places(&w) || !find_corrections(&w))
        return false;
    struct oro_relaxation relaxation = {.fixed = w.fixed,
                                        .given = w.a,
                                        .spread = w.b,
                                        .reach = (double)p->reach,
                                        .tolerance = (double)p->tolerance};
    if (!oro_relax(e, &relaxation) || (relaxation.fixed_cells == 0 && !heights_are_usable(&w)) ||
        !apply(&w, w.b, w.a))
        return false;
    report(e, p, &relaxation);
    return oro_eval_give(e, "terrain", w.a) && oro_eval_give(e, "correction", w.b) &&
           oro_eval_give(e, "constraints", w.fixed);
}

ORO_NODE(
    retarget, .version = 1, .category = "erosion",
    .words = "restore peaks, keep peaks, pin heights, summit heights, snap to height",
    .doc =
        "Gives an eroded terrain back the heights of chosen places. Erosion lowers what gives a landscape "
        "its "
        "outline: crests and peaks. Here they return to the height that they had before, or to one that you "
        "write down, and the ground between them is lifted or lowered along with them, so smoothly that "
        "valleys and gullies keep their form. At the end of a chain of `amplify`, once is enough.",
    .paper = "Schott 2024, 5.1, with the diffusion solved by multigrid", .scratch_fields = 2, .shape = shape,
    .spread = ORO_SPREAD_TILES, .eval = eval);
