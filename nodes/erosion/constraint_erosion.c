/* Erosion of a terrain that is held to a map of heights. */
#include "nodes/erosion/constraint_erosion.h"
#include "nodes/flow/drainage_tree.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "nodes/lib/flow_inputs.h"
#include "nodes/lib/range.h"

typedef struct oro_constraint_params params_type;

static const char *const neighbour_words[] = {"4", "8", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "The elevation to keep to (the height constraint). Erosion starts from it as well"),
    ORO_IN_FIELD("start", .optional = true, .unit = ORO_METRE,
                 .doc = "Elevation to start from instead: that of another run, to go on from there"),
    ORO_IN_DURATION(params_type, 100000, ORO_YEAR, 300000,
                    "Steps of erosion, of a thousand years each. After some 100 rivers and constraints are "
                    "about in balance"),

    ORO_IN_MAP(params_type, value_strength, 0.02, .min = 0, .max = 1, .group = "Constraints",
               .doc = "How strongly every cell is pulled to its height: the share of the difference that an "
                      "iteration makes up. More leaves erosion less to do"),
    ORO_IN_MAP(params_type, gradient_strength, 0.8, .min = 0, .max = 1, .group = "Constraints",
               .doc = "How strongly every cell keeps its height relative to its neighbours: .8 keeps the "
                      "detail of the constraint, .02 lets rivers shape the ground"),
    ORO_IN_FLOAT(params_type, broad_strength, 0.5, .min = 0, .max = 1, .group = "Constraints",
                 .doc =
                     "How strongly the mean height of the hills around is held, so that ranges do not sink "
                     "and coasts stay where they are. 0: the paper's"),
    ORO_IN_FLOAT(params_type, breadth, 2500, .min = 0.01, .max = 1e7, .soft_min = 100, .soft_max = 20000,
                 .unit = ORO_METRE, .group = "Constraints", .doc = "Width of what is around a cell for this"),

    ORO_IN_MAP(params_type, moisture, 1, .min = 0, .max = ORO_CONSTRAINT_MOISTURE, .soft_max = 2,
               .group = "Rain",
               .doc = "How much rain falls: 1 erodes, 2 as twice the land upstream would; 0 leaves the "
                      "ground alone, but for water that comes in, "
                      "and ground that is pulled along, from around"),
    ORO_IN_FLOAT(params_type, rain_loss, 0.32, .min = 0, .max = 1, .group = "Rain",
                 .doc = "Share of the water that is lost on the way over a reference cell (1 - k_d). More "
                        "keeps rivers from growing downstream"),

    ORO_IN_MAP(params_type, erodibility, 0.15, .min = 0, .max = ORO_CONSTRAINT_ERODIBILITY, .soft_max = 1,
               .group = "Erosion",
               .doc =
                   "What an iteration carves where drainage and slope are 1, in reference cells (k_e). Where "
                   "`duration` counts, finer cells carve deeper, as channels are narrower in them: all "
                   "resolutions carve the same on average"),
    ORO_IN_FLOAT(params_type, drainage_exponent, 1, .min = 0, .max = 4, .soft_max = 2, .group = "Erosion",
                 .doc = "Exponent of the drainage (n)"),
    ORO_IN_FLOAT(params_type, slope_exponent, 2, .min = 0, .max = 8, .soft_max = 4, .group = "Erosion",
                 .doc = "Exponent of the slope (m)"),

    ORO_IN_FLOAT(params_type, gorge_strength, 0.1, .min = 0, .max = 100, .soft_max = 1, .group = "Gorges",
                 .doc =
                     "How far an iteration carves the way out of a closed basin, for a drainage of 1: 1 is "
                     "all of the way, 0 none (k_g). Where `duration` counts, gorges are a reference cell "
                     "wide on finer cells, too, and their ways are chosen on cells of about that width"),
    ORO_IN_FLOAT(params_type, gorge_exponent, 1, .min = 0, .max = 4, .group = "Gorges",
                 .doc = "How this grows with the basin's drainage: its exponent (e)"),
    ORO_IN_BOOL(params_type, connect, true, .group = "Gorges",
                .doc = "Whether gorges are carved in the end from all basins that are closed still and have "
                       "rain. They lead downstream among all eight neighbours"),

    ORO_IN_FLOAT(
        params_type, gorge_walls, 30, .min = 5, .max = 89, .unit = ORO_DEGREE, .group = "Gorges",
        .doc = "Steepest walls of the gorges that are carved in the end, where the ground was not steeper: "
               "less makes them wider"),

    ORO_IN_FLOAT(params_type, sea_level, 0, .role = ORO_ROLE_SEA_LEVEL, .min = -100000, .max = 100000,
                 .soft_min = -1000, .soft_max = 1000, .unit = ORO_METRE, .group = "Outlets",
                 .doc = "Ground that is not above this is under water: rivers end there, and nothing erodes. "
                        "What is land in the terrain stays land, but for gorges"),
    ORO_IN_CHOICE(params_type, borders, 0, oro_border_words, .group = "Outlets",
                  .doc = "outflow: rivers leave over the border. walls: they end in the sea alone"),

    ORO_IN_CHOICE(params_type, neighbours, 1, neighbour_words, .group = "Ways",
                  .doc = "Among how many neighbours water chooses its way. 4: the paper's"),
    ORO_IN_FLOAT(params_type, jitter, 1, .min = 0, .max = 1, .group = "Ways",
                 .doc = "How irregular the distances between cells are, so that rivers do not follow the "
                        "grid: 1 lets them vary from .3 to 1.7 cells"),
    ORO_IN_FLOAT(params_type, roughness, 0.01, .min = 0, .max = 1, .soft_max = 0.1, .group = "Ways",
                 .doc =
                     "Noise that is added to the land where it rains, and stays, as a share of the cell: it "
                     "gives water a way over even ground"),
    ORO_IN_SEED(params_type, seed),
    ORO_IN_FLOAT(params_type, reference_cell, 80, .min = 0.01, .max = 1e6, .soft_min = 1, .soft_max = 500,
                 .unit = ORO_METRE, .group = "Ways",
                 .doc = "Side of the cell that the numbers above are meant for. It does not change with the "
                        "resolution. Smaller: finer valleys, and less is carved"),
    ORO_IN_MASK(params_type),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Eroded elevation"),
    ORO_OUT_FIELD(
        "drainage", .like = "terrain", .unit = ORO_SQUARE_METRE,
        .doc = "Area whose rain drains through each cell, less what is lost on the way: for rivers on a "
               "map take `flow`"),
    ORO_OUT_FIELD("water", .like = "terrain", .unit = ORO_METRE, .doc = "Depth of the sea"),
    ORO_OUT_FIELD("gorges", .like = "terrain",
                  .doc =
                      "How much of a gorge a cell is: the strength that the last iteration carved it with, "
                      "1 where the end connected it, 0 elsewhere"),
    {0},
};

/* ---- Start ---- */

static bool start(struct oro_constraint_erosion_run *run)
{
    struct oro_eval *e = run->eval;
    uint32_t bad = 0;
    run->constraint = oro_eval_field(e);
    run->relief = oro_eval_field(e);
    run->height = oro_eval_field(e);
    run->gorge = oro_eval_field(e);
    struct oro_buffer *flag = oro_eval_buffer(e, 1);
    struct oro_dispatch dispatch = {.kernel = "erosion/constraint_erosion_start.comp",
                                    .slots = {{"terrain", oro_eval_input(e, "terrain")},
                                              {"constraint", run->constraint, ORO_WRITE},
                                              {"relief", run->relief, ORO_WRITE},
                                              {"height", run->height, ORO_WRITE},
                                              {"gorge", run->gorge, ORO_WRITE, "uint"},
                                              {"flags", flag, ORO_WRITE, "uint"}}};
    oro_eval_add_input(e, &dispatch, "start");
    if (!oro_eval_upload(e, flag, &bad, sizeof bad) || !oro_eval_dispatch(e, &dispatch) ||
        !oro_eval_download(e, flag, &bad, sizeof bad))
        return false;
    if (bad)
        return oro_eval_fail(e, ORO_E_EVALUATE,
                             "there are cells whose elevation is not a number, or infinite");
    if (run->scale.cut)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "cells are less than 1/%d of reference_cell: less is kept of the gradient",
                 ORO_CONSTRAINT_ROUNDS);
    return true;
}

/* ---- Iterations ---- */

static bool keep(struct oro_constraint_erosion_run *run, int done)
{
    struct oro_buffer *state[] = {run->height, run->gorge};
    int iterations = run->pace.iterations;
    if (oro_eval_watched(run->eval, "terrain", done) &&
        (!oro_constraint_erosion_put(run) || !oro_eval_show(run->eval, "terrain", run->height, done)))
        return false;
    return (done != iterations && !oro_eval_checkpoint_due(run->eval, done, iterations)) ||
           (oro_constraint_erosion_put(run) && oro_eval_checkpoint(run->eval, done, iterations, state, 2));
}

static bool iterate(struct oro_constraint_erosion_run *run)
{
    struct oro_buffer *state[] = {run->height, run->gorge};
    int iterations = run->pace.iterations, done = oro_eval_resume(run->eval, iterations, state, 2);
    if (done < 0 || !oro_constraint_erosion_begin(run))
        return false;
    while (done < iterations)
        if (!oro_constraint_erosion_iterate(run) || !oro_eval_progress(run->eval, ++done, iterations) ||
            !keep(run, done))
            return false;
    return true;
}

/* ---- End ---- */

/* Less drainage than this share of what a wet cell has of its own counts as none. */
#define TRICKLE 0.001

/* Widens what is carved from the state to connected[0], which is where the result is afterwards. */
static bool widen(struct oro_constraint_erosion_run *run, struct oro_buffer *connected[2])
{
    struct oro_eval *e = run->eval;
    struct oro_buffer *flags = oro_eval_buffer(e, 1);
    struct oro_dispatch walls = {.kernel = "erosion/constraint_erosion_walls.comp",
                                 .slots = {{"height", run->height},
                                           {"before"},
                                           {"after", NULL, ORO_WRITE},
                                           {"flags", flags, ORO_WRITE, "uint"}}};
    for (uint32_t changed = 1; changed;) {
        struct oro_buffer *before = connected[0], *after = connected[1];
        oro_bind(&walls, "before", before);
        oro_bind(&walls, "after", after);
        changed = 0;
        if (!oro_eval_upload(e, flags, &changed, sizeof changed) || !oro_eval_dispatch(e, &walls) ||
            !oro_eval_download(e, flags, &changed, sizeof changed) || !oro_eval_progress(e, 0, 1))
            return false;
        connected[0] = after;
        connected[1] = before;
    }
    return true;
}

/* Finds the cells where water ends for good, and counts them. `again`: the last ones, but for hollows that
 * rain reaches over the ground carved since. */
static bool find_outlets(struct oro_constraint_erosion_run *run, bool again, struct oro_buffer *drained,
                         struct oro_buffer *outlets, double *count)
{
    struct oro_dispatch find = {.kernel = "erosion/constraint_erosion_outlets.comp",
                                .slots = {{"height", run->height},
                                          {"drained", drained},
                                          {"outlets", outlets, again ? ORO_UPDATE : ORO_WRITE}},
                                .defines = again ? "#define AGAIN 1\n" : "#define AGAIN 0\n",
                                .constants = {{"trickle", (float)(TRICKLE * run->scale.local)}}};
    return oro_eval_dispatch(run->eval, &find) && oro_sum(run->eval, outlets, run->cells, count);
}

/* Carves ways from all basins to the `count` outlets, and repeats that while the new ways lead rain to
 * hollows that were outlets for want of rain. At the end `count` may be 0. */
static bool carve(struct oro_constraint_erosion_run *run, struct oro_drainage_tree *tree,
                  struct oro_buffer *drained, struct oro_buffer *carved, double *count)
{
    for (double before = -1; *count > 0 && *count != before;) {
        before = *count;
        if (!oro_drainage_tree_route(tree, run->height) ||
            !oro_drainage_tree_collect(tree, false, NULL, carved) ||
            !oro_constraint_erosion_drain(run, carved, drained) ||
            !find_outlets(run, true, drained, tree->outlets, count))
            return false;
    }
    return true;
}

/* Carves ways out for all the rain that ends in hollows. A hollow without rain may be where a way ends, until
 * some way leads rain there. NULL: failed. */
static struct oro_buffer *connect(struct oro_constraint_erosion_run *run)
{
    struct oro_eval *e = run->eval;
    struct oro_buffer *drained = oro_eval_field(e), *outlets = oro_eval_field(e),
                      *carved[] = {oro_eval_field(e), oro_eval_field(e)};
    double count = 0;
    if (!carved[1] || !oro_constraint_erosion_drain(run, run->height, drained) ||
        !find_outlets(run, false, drained, outlets, &count))
        return NULL;
    if (count == (double)run->cells)
        oro_note(oro_eval_log(e), ORO_NOTICE, "all of the terrain is under water, or has no rain");
    struct oro_drainage_tree tree;
    bool ok = oro_drainage_tree_begin_to(e, outlets, &tree) && carve(run, &tree, drained, carved[0], &count);
    oro_drainage_tree_end(&tree);
    if (!ok)
        return NULL;
    if (count > 0)
        return widen(run, carved) ? carved[0] : NULL;
    oro_note(oro_eval_log(e), ORO_WARNING, "water has nowhere to go: 'borders' is walls and there is no sea");
    return run->height;
}

static bool figures(struct oro_constraint_erosion_run *run, struct oro_buffer *connected,
                    struct oro_buffer *result)
{
    struct oro_eval *e = run->eval;
    double square = run->host.cell * run->host.cell, before, after, start_sum, end_sum;
    if (!oro_sum(e, run->height, run->cells, &before) || !oro_sum(e, connected, run->cells, &after) ||
        !oro_sum(e, oro_eval_input(e, "terrain"), run->cells, &start_sum) ||
        !oro_sum(e, result, run->cells, &end_sum))
        return false;
    oro_eval_figure(e, "connected_volume", (before - after) * square, "m3");
    oro_eval_figure(e, "mean_change", (end_sum - start_sum) / (double)run->cells, "m");
    return true;
}

static bool give(struct oro_constraint_erosion_run *run)
{
    struct oro_eval *e = run->eval;
    bool eroded = run->pace.iterations > 0 || !oro_eval_capped(e);
    struct oro_buffer *connected = run->params->connect && eroded ? connect(run) : run->height;
    struct oro_buffer *terrain = oro_eval_field(e), *gorges = oro_eval_field(e), *water = oro_eval_field(e),
                      *drained = oro_eval_field(e);
    struct oro_dispatch end = {.kernel = "erosion/constraint_erosion_end.comp",
                               .slots = {{"terrain", oro_eval_input(e, "terrain")},
                                         {"height", run->height},
                                         {"connected", connected},
                                         {"gorge", run->gorge, ORO_READ, "uint"},
                                         {"result", terrain, ORO_WRITE},
                                         {"weights", gorges, ORO_WRITE}}};
    struct oro_dispatch wet = {
        .kernel = "erosion/constraint_erosion_water.comp",
        .slots = {{"height", terrain}, {"depth", water, ORO_WRITE}, {"drained", drained, ORO_UPDATE}}};
    int iterations = run->pace.iterations; /* connecting has its own progress */
    return connected && oro_eval_progress(e, iterations, iterations) && oro_eval_dispatch(e, &end) &&
           oro_constraint_erosion_drain(run, terrain, drained) && oro_eval_dispatch(e, &wet) &&
           figures(run, connected, terrain) && oro_eval_give(e, "terrain", terrain) &&
           oro_eval_give(e, "drainage", drained) && oro_eval_give(e, "water", water) &&
           oro_eval_give(e, "gorges", gorges);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_constraint_erosion_run run = {.eval = e,
                                             .params = data,
                                             .cells = oro_grid_cells(grid),
                                             .on_processor = oro_eval_on_processor(e),
                                             .host.cell = grid->cell};
    if (!oro_pace_plan(e, run.params->iterations, (double)run.params->duration, 1, ORO_REFERENCE_YEARS,
                       &run.pace))
        return false;
    oro_constraint_scale(run.params, grid->cell, run.cells, !run.pace.counted, &run.scale);
    bool ok = start(&run) && iterate(&run) && give(&run);
    oro_constraint_erosion_end(&run);
    return ok;
}

ORO_NODE_WITH(
    constraint_erosion, sizeof(params_type), .version = 1, .category = "erosion",
    .words = "guided erosion, keep heights, fantasy map, map to terrain, preserve, erode, guide",
    .doc =
        "Erosion that keeps to a map. Rivers carve valleys into the terrain, and gorges through the passes "
        "between closed basins, while every cell is pulled back to its height, and to its height above its "
        "neighbours, by strengths that may be maps. Moisture says where it rains, and so where the ground "
        "erodes. A high `gradient_strength` keeps the hollows of the map as well: `connect` opens them, and "
        "all that has rain then drains to the sea or over the border, but for what `mask` holds back.",
    .paper =
        "Lim 2022, with corrections: w = min(k_g D^e, 1); gorges cross the lowest pass between two "
        "basins; lengths in metres, so that resolutions agree. Holding the mean height, eight neighbours "
        "and connecting at the end are additions",
    .scratch_fields = 24 + ORO_DRAINAGE_TREE_FIELDS, .eval = eval);
