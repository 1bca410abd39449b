/* Hydraulic and thermal erosion by virtual pipes. */
#include "graph/type/node.h"
#include "nodes/erosion/hydraulic.h"

typedef struct oro_hydraulic_params params_type;

static const char *const neighbour_words[] = {"4", "8", NULL};
static const char *const border_words[] = {"outflow", "walls", "sea_level", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to erode"),
    ORO_IN_FIELD(
        "water", .optional = true, .unit = ORO_METRE,
        .doc =
            "Depth of the water that is there at first, with the sediment in it, at rest. Link what another "
            "run gave to go on from there, with its `sediment` and `hardness`. Any resolution will do"),
    ORO_IN_FIELD("sediment", .optional = true, .unit = ORO_METRE,
                 .doc = "Sediment in that water, as a depth"),
    ORO_IN_DURATION(params_type, 40, ORO_SECOND, 500, "Steps of time, each as long as `time_step` says"),
    ORO_IN_FLOAT(params_type, time_step, 0, .min = 0, .max = 1000, .soft_max = 0.05,
                 .doc = "Seconds of a step, those of the paper's table 2; 0 chooses half of the longest "
                        "stable one, which goes with the size of the cells; longer ones are shortened. Where "
                        "`duration` counts, also no more than a tenth of the sediment settles in it (dt; "
                        "typically 0.02 where cells are as wide as the reference cell)"),
    ORO_IN_FLOAT(
        params_type, reference_cell, 10, .min = 0.01, .max = 1e5, .soft_min = 1, .soft_max = 200,
        .unit = ORO_METRE,
        .doc = "Scale: the unit of length of all numbers here that have no unit of their own. It does not "
               "change with the resolution. Times go with its square root, as in models of flowing water "
               "(Froude's law). Larger: deeper water, coarser and stronger erosion"),

    ORO_IN_BOOL(params_type, flow, true, .group = "Water", .doc = "Whether there is water at all"),
    ORO_IN_MAP(params_type, rain, 0.012, .min = 0, .max = 10, .soft_max = 0.05, .group = "Water",
               .doc = "Depth that falls in a second (Kr r). Where nothing flows off, water gets rain / "
                      "evaporation deep, in reference cells"),
    ORO_IN_TEXT(
        params_type, springs, "", .group = "Water",
        .doc =
            "Points where water springs: \"x y rate; x y rate; ...\", metres east and south of the "
            "north-west corner, and the volume in a second. A spring of 12 gives what a rain of 0.012 gives "
            "over 1000 reference cells"),
    ORO_IN_MAP(params_type, evaporation, 0.015, .min = 0, .max = 10, .soft_max = 0.05, .group = "Water",
               .doc = "Share of the water that goes into the air in a second (Ke)"),
    ORO_IN_FLOAT(
        params_type, pipe_area, 20, .min = 0.1, .max = 60, .group = "Water",
        .doc = "Cross-section of the pipes between cells, for pipes as wide as a reference cell: large makes "
               "waves fast, and steps of time short (A)"),
    ORO_IN_FLOAT(params_type, gravity, 9.81, .min = 0.1, .max = 20, .group = "Water",
                 .doc = "Pull on the water (g)"),
    ORO_IN_FLOAT(
        params_type, friction, 0.05, .min = 0, .max = 100, .soft_max = 1, .group = "Water",
        .doc = "How much the ground slows water down, shallow water most: an eighth of Darcy's friction "
               "factor. Water of depth d runs down a slope s at sqrt(g d s / friction). 0 for none, as in "
               "the paper: water then is everywhere as fast as the time step allows"),
    ORO_IN_CHOICE(
        params_type, neighbours, ORO_NEIGHBOURS_8, neighbour_words, .group = "Water",
        .doc = "Pipes of a cell: 4, as in the paper; or 8, with which streams follow rows and columns less"),
    ORO_IN_CHOICE(
        params_type, borders, ORO_BORDERS_OUTFLOW, border_words, .group = "Water",
        .doc = "outflow: water and sediment leave over the border, down to the ground's elevation there at "
               "the start. walls: nothing leaves. sea_level: a sea around the world, which takes and gives; "
               "where `water` is not linked, the sea also fills what lies below at the start"),
    ORO_IN_FLOAT(params_type, sea_level, 0, .role = ORO_ROLE_SEA_LEVEL, .when = "borders=sea_level",
                 .min = -1e6, .max = 1e6, .soft_min = -1000, .soft_max = 4000, .unit = ORO_METRE,
                 .group = "Water",
                 .doc = "Surface of that sea. It evaporates as all water does, and flows in again"),

    ORO_IN_BOOL(params_type, erosion, true, .group = "Erosion",
                .doc = "Whether water dissolves ground and drops sediment"),
    ORO_IN_MAP(params_type, capacity, 1, .min = 0, .max = 100, .soft_min = 0.1, .soft_max = 3,
               .group = "Erosion", .doc = "How much sediment water carries, per speed and slope (Kc)"),
    ORO_IN_FLOAT(params_type, suspension, 0.5, .min = 0, .max = 100, .soft_min = 0.1, .soft_max = 2,
                 .group = "Erosion",
                 .doc = "Share of what the water lacks that it takes up in a second (Ks)"),
    ORO_IN_MAP(params_type, deposition, 1, .min = 0, .max = 100, .soft_min = 0.1, .soft_max = 3,
               .group = "Erosion", .doc = "Share of what it has too much that settles in a second (Kd)"),
    ORO_IN_BOOL(params_type, limit_depth, true, .group = "Erosion",
                .doc = "Whether deep water leaves the ground alone: see `erosion_depth`"),
    ORO_IN_MAP(
        params_type, erosion_depth, 10, .min = 0, .max = 1000, .soft_max = 40, .group = "Erosion",
        .doc =
            "Depth from which on water carries nothing, so that lakes fill and rivers get no deeper (Kdmax)"),
    ORO_IN_FLOAT(params_type, film, 2, .min = 0.0001, .max = 1000, .soft_max = 4, .group = "Erosion",
                 .doc = "Water shallower than this carries less, in proportion: small values carve slopes, "
                        "and below 1 cut them to pieces; large ones only valleys"),
    ORO_IN_FLOAT(params_type, least_slope, 3, .min = 0, .max = 45, .soft_max = 10, .unit = ORO_DEGREE,
                 .group = "Erosion",
                 .doc = "Flatter ground counts as this steep: streams keep carrying over plains"),
    ORO_IN_FLOAT(params_type, collision, 0.25, .min = 0, .max = 1, .group = "Erosion",
                 .doc = "What counts as slope. 0: that of the ground ahead of the water (eq. 10). 1: the "
                        "angle at which the water meets the ground, so that it digs where it is stopped and "
                        "slides over edges (eq. 11); by itself that roughens the ground. Where `duration` "
                        "counts, the angle is that between reference cells of the same curvature"),
    ORO_IN_BOOL(
        params_type, exchange, true, .group = "Erosion",
        .doc = "Whether what is dissolved adds to the water's depth, and what settles takes from it, so that "
               "its surface stays (eq. 12c, 13c). Off only to see what happens without"),

    ORO_IN_MAP(params_type, hardness, 0.5, .min = 0, .max = 1, .group = "Rock",
               .doc = "0 erodes and slides fast, 1 not at all. Hard rock stands steeper"),
    ORO_IN_FLOAT(params_type, softening, 5, .min = 0, .max = 100, .soft_max = 10, .group = "Rock",
                 .doc = "How much softer the ground gets where sediment settles (Kh)"),

    ORO_IN_BOOL(params_type, thermal, true, .group = "Slides",
                .doc = "Whether ground above the talus angle slides"),
    ORO_IN_MAP(
        params_type, slide_rate, 0.15, .min = 0, .max = 100, .soft_max = 3, .group = "Slides",
        .doc = "Share of half the drop that slides in a second (Kt) where the ground is far above the talus "
               "angle, on "
               "reference cells; "
               "on cells of all sizes where `iterations` are given"),
    ORO_IN_FLOAT(params_type, talus_hardness, 0.8, .min = 0, .max = 10, .soft_max = 1, .group = "Slides",
                 .doc = "Tangent of the talus angle of hard rock, above that of soft ground (Ka)"),
    ORO_IN_MAP(params_type, talus_bias, 0.1, .min = 0, .max = 10, .soft_max = 1, .group = "Slides",
               .doc = "Tangent of the talus angle of soft ground (Ki)"),
    ORO_IN_MASK(params_type),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Eroded elevation, under the water"),
    ORO_OUT_FIELD("water", .like = "terrain", .unit = ORO_METRE,
                  .doc = "Depth of the water, with the sediment in it"),
    ORO_OUT_FIELD("sediment", .like = "terrain", .unit = ORO_METRE,
                  .doc = "Sediment in the water, as a depth"),
    ORO_OUT_FIELD("deposited", .like = "terrain", .unit = ORO_METRE,
                  .doc = "Depth of loose ground: what lies above the lowest that the ground has been"),
    ORO_OUT_FIELD(
        "eroded", .like = "terrain", .unit = ORO_METRE,
        .doc = "How far below the start the ground has been lowest. terrain = start - eroded + deposited"),
    ORO_OUT_FIELD("speed", .like = "terrain", .doc = "Of the water, metres in a second"),
    ORO_OUT_VECTOR("velocity", .like = "terrain",
                   .doc = "Of the water, metres in a second, x east and y south"),
    ORO_OUT_VECTOR("flux", .like = "terrain",
                   .doc = "Water that flows through each cell, cubic metres in a second"),
    ORO_OUT_FIELD("hardness", .like = "terrain", .doc = "0..1: softer where sediment settled"),
    {0},
};

/* One shape for all rasters, which fits into the windows of those that are in tiles: a compiler may round in
 * another way where it knows another one. 12 rows measured fastest as wholes, and do not fit; 8 are faster
 * than 16. */
static void shape_step(struct oro_eval *e, struct oro_dispatch *step)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    step->group_columns = 32;
    step->group_rows = 8;
    step->columns = grid->width;
    step->rows = grid->height;
}

/* On which grids several iterations a dispatch are faster. With 4 neighbours alone: with 8, some compilers
 * round sums of fluxes in another way then, which changes bits. */
static const struct oro_iterations_per_dispatch per_dispatch = {
    .reach = 2,
    .arrays = 6,
    .rings = 2,
    .shapes = {{128.0 * 128, {3, 12, 12, 1}}, {256.0 * 256, {2, 12, 12, 1}}}};

/* Pipes, and whether rain comes from a raster. */
#define PIPES(count) "#define PIPES " #count "\n"
#define RAIN_VARIES "#define RAIN_VARIES\n"
static const char *const step_defines[2][2] = {{PIPES(2), PIPES(2) RAIN_VARIES},
                                               {PIPES(4), PIPES(4) RAIN_VARIES}};

static const char *const step_maps[] = {"evaporation", "capacity",   "deposition", "erosion_depth",
                                        "slide_rate",  "talus_bias", "mask",       NULL};

/* Adds the step's own slots, once all buffers are made. */
static void plan_step(struct oro_hydraulic *r, bool eight)
{
    struct oro_simulation *s = &r->simulation;
    s->step = (struct oro_dispatch){
        .kernel = "erosion/hydraulic_erosion.comp",
        .slots = {{"bed", s->own[ORO_HYDRAULIC_BED], ORO_UPDATE, "int"},
                  {"gone", s->own[ORO_HYDRAULIC_GONE], ORO_UPDATE, "ivec4"},
                  r->falls ? (struct oro_slot){"fallen", r->falls, ORO_READ, "ivec2"}
                           : (struct oro_slot){"terrain", r->terrain, ORO_READ, NULL}},
        .maps = step_maps,
        .reach = 2,
        .defines = step_defines[eight][r->falls != NULL],
    };
    oro_hydraulic_constants(r->params, &r->scale, &s->step);
    shape_step(r->eval, &s->step);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const params_type *p = data;
    bool eight = p->neighbours == ORO_NEIGHBOURS_8;
    const char *pipes = eight ? "vec4" : "vec2";
    struct oro_hydraulic run = {
        .eval = e,
        .params = p,
        .terrain = oro_eval_input(e, "terrain"),
        .defines = step_defines[eight][false],
        .pipes_element = pipes,
        .simulation = {.state = {[ORO_HYDRAULIC_CELLS] = {"cells", "cells_out", "ivec4"},
                                 [ORO_HYDRAULIC_PIPES] = {"pipes", "pipes_out", pipes},
                                 [ORO_HYDRAULIC_AHEAD] = {"ahead", "ahead_out", "int"}},
                       .shown = "terrain",
                       .per_dispatch = eight ? NULL : &per_dispatch,
                       .picture = oro_hydraulic_picture},
    };
    run.simulation.user = &run;
    if (!run.terrain || !oro_hydraulic_start(&run))
        return false;
    plan_step(&run, eight);
    return oro_simulate(e, &run.simulation, run.pace.iterations) && oro_hydraulic_end(&run);
}

/* Memory is taken by two states of cells and pipes, the bed, what has gone, and what falls. */
static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const params_type *p = data;
    *grid = *oro_shape_input(s, "terrain");
    double pipes = p->neighbours == ORO_NEIGHBOURS_8 ? 16 : 8;
    oro_shape_scratch(s, (double)oro_grid_cells(grid) * (2 * (16 + pipes + 4) + 16 + 4 * 4));
    return true;
}

ORO_NODE_WITH(
    hydraulic_erosion, sizeof(params_type), .version = 1, .category = "erosion",
    .words =
        "erosion, erode, water erosion, rain erosion, hydro, simulation, rain, sediment transport, runoff",
    .doc = "Erosion by flowing water, and by slides, simulated in time. Rain and springs fill pipes between "
           "neighbouring cells; what flows dissolves ground, carries it, and drops it where it gets slow or "
           "deep; slopes "
           "above the talus angle slide into the valleys that the water cuts. Water, lakes and sediment are "
           "results as "
           "well, and can be linked to another run that goes on from there, at the same or at a higher "
           "resolution. What "
           "the ground loses is in the water, elsewhere, or has left over the border, to the last grain; "
           "reports have the "
           "balance. Symbols in brackets are those of the paper's table 2, whose numbers the defaults are.",
    .paper = "Jako 2011, with corrections: (4) the least, not the largest; (8) velocity is flux by depth; "
             "(10) the slope "
             "ahead, and ramps that end where water is deep, and where it is a film; (11) the tangent "
             "upstream, unit "
             "vectors; (14) what settles softens; (15) sediment moves with the water that the pipes carry; "
             "(17) hard rock "
             "stands steeper, and ground slides by the slope at corners between cells. Friction, one signed "
             "flux a pipe and the isotropic eight pipes are additions",
    .shape = shape, .spread = ORO_SPREAD_TILES, .eval = eval);
