/* Mountain ranges where uplift and rivers balance. */
#include "nodes/erosion/stream_power_sediment.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "nodes/lib/range.h"

enum { IMPLICIT, EXPLICIT };
static const char *const methods[] = {"implicit", "explicit", NULL};
enum { LEVEL, TERRAIN };
static const char *const bases[] = {"level", "terrain", NULL};
static const char *const basin_words[] = {"closed", "level", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(
            .optional = true,
            .doc = "Ground to start from, which also gives the size. Without it: level ground at the world's "
                   "base resolution. What is in balance remembers little of its start"),
    ORO_IN_MAP(struct oro_stream_power_params, uplift, 0.0005, .role = ORO_ROLE_UPLIFT, .min = 0, .max = 1,
               .soft_max = 0.005, .unit = ORO_METRE_PER_YEAR,
               .doc = "How fast the ground rises: a number, a field, or an Uplift Tree"),
    ORO_IN_CHOICE(
        struct oro_stream_power_params, method, IMPLICIT, methods,
        .doc = "implicit: exact drainage, all water the steepest way, and steps along the rivers that may be "
               "long: balance in some tens of them. explicit: many short steps, each of which moves the "
               "water one cell, and spreads it as `flow_exponent` says; the way to balance looks natural. Of "
               "rasters "
               "in tiles, it alone works, and without `constraints`"),
    ORO_IN_INT(struct oro_stream_power_params, iterations, 10000, .role = ORO_ROLE_ITERATIONS, .min = 0,
               .max = 10000000, .soft_max = 20000,
               .doc = "At most so many steps at every level of resolution. 0 leaves the terrain as it is. "
                      "implicit with "
                      "`step` 0 does no more than 300, unless constraints move the ground: rivers that still "
                      "shift then will not settle. A run that ends without balance says so"),
    ORO_IN_FLOAT(struct oro_stream_power_params, tolerance, 0.001, .min = 0, .max = 1, .soft_max = 0.1,
                 .doc =
                     "Balance is reached when the ground changes by less than this share of the uplift, both "
                     "on average. 0: all iterations are done"),
    ORO_IN_FLOAT(
        struct oro_stream_power_params, step, 0, .min = 0, .max = 1e9, .soft_max = 1e6, .unit = ORO_YEAR,
        .doc = "Length of a step. explicit: of the longest; it is shortened where that is not stable. "
               "implicit: of every step, to see the ground age; 0 leads to balance as fast as it can, and "
               "what is between is no age. 0: automatic"),
    ORO_IN_INT(
        struct oro_stream_power_params, levels, 6, .min = 0, .max = 12,
        .doc = "Coarser levels that are brought to balance first, each of half the resolution; none gets "
               "smaller than 32 cells. Much faster, and large rivers find their ways before small ones. 0: "
               "the terrain as it is ages at its own resolution"),
    ORO_IN_FLOAT(
        struct oro_stream_power_params, roughness, 0.05, .min = 0, .max = 10, .soft_max = 1, .unit = ORO_CELL,
        .doc =
            "Unevenness that is added to the start, as a share of the cells' size, so that rivers find ways "
            "on level ground, and wind. 0 to let a terrain age as it is"),
    ORO_IN_SEED(struct oro_stream_power_params, seed),

    ORO_IN_MAP(
        struct oro_stream_power_params, erodibility, 0.002, .min = 0, .max = 100, .soft_max = 0.02,
        .unit = ORO_METRE_PER_YEAR, .group = "Erosion",
        .doc = "What a river with a drainage area of 1 square kilometre and a slope of 1 carves in a year "
               "(k). Greater: lower mountains"),
    ORO_IN_FLOAT(struct oro_stream_power_params, n, 2, .label = "Slope exponent n", .min = 0.1, .max = 8,
                 .soft_min = 0.5, .soft_max = 3, .group = "Erosion", .doc = "Exponent of the slope"),
    ORO_IN_FLOAT(struct oro_stream_power_params, m, 0.8, .label = "Area exponent m", .min = 0, .max = 4,
                 .soft_max = 1.5, .group = "Erosion",
                 .doc =
                     "Exponent of the drainage area. m / n is the concavity of rivers: 0.4 to 0.5 on Earth"),
    ORO_IN_FLOAT(struct oro_stream_power_params, channel_head, 30000, .min = 1, .max = 1e9, .soft_min = 1000,
                 .soft_max = 1e6, .unit = ORO_SQUARE_METRE, .group = "Erosion",
                 .doc =
                     "Higher makes fewer and broader ridges, and lower summits: where less than this drains, "
                     "there is no "
                     "river yet, and the ground is a straight slope. On Earth 10,000 to 100,000; smaller "
                     "than the cells it tells how steep the ground within them is, so that "
                     "resolutions agree"),
    ORO_IN_MAP(struct oro_stream_power_params, hillslope, 0, .min = 0, .max = 1e6, .soft_max = 10,
               .group = "Erosion",
               .doc = "Higher makes hills and ridges rounder: creep of the soil, in square metres a year "
                      "(k_h), faster on slopes close to `slope_limit` (Roering 1999). Rivers carry off "
                      "what reaches them"),
    ORO_IN_FLOAT(struct oro_stream_power_params, slope_limit, 80, .min = 1, .max = 89, .unit = ORO_DEGREE,
                 .group = "Erosion", .doc = "Steeper ground slides down"),
    ORO_IN_MAP(struct oro_stream_power_params, rain, 1, .min = 0, .max = 100, .soft_max = 4, .group = "Flow",
               .doc = "Rain, relative to the rest: 1 everywhere, or a map"),
    ORO_IN_FLOAT(
        struct oro_stream_power_params, flow_exponent, 4, .when = "method=explicit", .min = 1, .max = 8,
        .group = "Flow",
        .doc = "explicit: how strongly water prefers the steepest way down (p): 1 spreads it, 8 follows "
               "one way"),

    ORO_IN_OUTLETS(struct oro_stream_power_params),
    ORO_IN_MAP(struct oro_stream_power_params, base_level, 0, .min = -1e6, .max = 1e6, .soft_min = -1000,
               .soft_max = 1000, .unit = ORO_METRE, .group = "Outlets",
               .doc = "Elevation of the outlets: the sea level"),
    ORO_IN_CHOICE(struct oro_stream_power_params, base, 0, bases, .group = "Outlets",
                  .doc =
                      "level: outlets are held at `base_level`. terrain: they keep the elevation they have"),

    ORO_IN_MAP(
        struct oro_stream_power_params, deposition, 0, .min = 0, .max = 100, .soft_max = 3,
        .group = "Sediment",
        .doc =
            "How readily rivers lay down what they carry (G): 0 never; 0.5 to 2 on Earth. Valleys fill, fans "
            "spread in front of mountains, slopes in balance are (1 + G)^(1/n) times as steep. With a `step` "
            "in "
            "years all sediment is accounted for: hollows fill, and deltas grow into the sea as deep as "
            "`terrain` lies below it, and into basins. implicit alone, and always on the processor"),
    ORO_IN_FIELD("sediment", .optional = true, .unit = ORO_METRE, .group = "Sediment",
                 .doc = "Loose sediment that lies on `terrain` already, as a run before gave it"),

    ORO_IN_MAP(struct oro_stream_power_params, basins, 0, .min = 0, .max = 1, .group = "Basins",
               .doc =
                   "Where this mask is above 0.5, water stands, and rivers grade to its surface: each piece "
                   "is a basin, such as a Lake's `depth` tells. implicit alone"),
    ORO_IN_MAP(struct oro_stream_power_params, basin_level, 0, .min = -1e6, .max = 1e6, .soft_min = -1000,
               .soft_max = 5000, .unit = ORO_METRE, .group = "Basins",
               .doc = "Elevation of the water in `basins`"),
    ORO_IN_NETWORK(
        struct oro_stream_power_params, basin_points, "", .handle = ORO_HANDLE_SPOTS, .group = "Basins",
        .doc = "More basins, round ones: \"x y elevation radius; ...\" in metres. Without an elevation: "
               "that of the ground at the point"),
    ORO_IN_FLOAT(struct oro_stream_power_params, basin_radius, 2000, .handle = ORO_HANDLE_RADIUS,
                 .handle_at = "basin_points", .min = 0.01, .max = 1e6, .soft_max = 20000, .unit = ORO_METRE,
                 .group = "Basins", .doc = "Radius of those that have none of their own"),
    ORO_IN_CHOICE(struct oro_stream_power_params, basin, 0, basin_words, .group = "Basins",
                  .doc =
                      "closed: nothing leaves; sediment fills the basin, whose water rises when it is full. "
                      "level: the water is held, and what has no room beneath leaves"),

    ORO_IN_NETWORK(
        struct oro_stream_power_params, constraints, "", .handle = ORO_HANDLE_SPOTS, .group = "Constraints",
        .doc =
            "Elevations that are to be met, at points and along lines: \"x y elevation radius, ...\" in "
            "metres, lines parted by ';'; or peaks that `network_filter` has picked. The uplift is changed "
            "around them until they are. Those that reach each other are met together"),
    ORO_IN_FLOAT(struct oro_stream_power_params, constraint_radius, 1000, .handle = ORO_HANDLE_RADIUS,
                 .handle_at = "constraints", .min = 0.01, .max = 1e6, .soft_max = 10000, .unit = ORO_METRE,
                 .group = "Constraints", .doc = "Radius of those that have none of their own"),
    ORO_IN_FLOAT(struct oro_stream_power_params, kp, 0.01, .label = "Proportional gain", .min = 0, .max = 1,
                 .group = "Constraints", .doc = "Controllers: share of the error"),
    ORO_IN_FLOAT(struct oro_stream_power_params, ki, 0.001, .label = "Integral gain", .min = 0, .max = 0.01,
                 .group = "Constraints",
                 .doc = "Controllers: share of the sum of errors. Greater is faster, and less stable"),
    ORO_IN_FLOAT(struct oro_stream_power_params, kd, 0.01, .label = "Derivative gain", .min = 0, .max = 1,
                 .group = "Constraints", .doc = "Controllers: share of the change of the error"),
    ORO_IN_BOOL(struct oro_stream_power_params, subsidence, true, .group = "Constraints",
                .doc = "Constraints may let the ground sink, and lower the river below them where it leaves "
                       "their radius too high: valleys down to the base level. Without it, ground around "
                       "them at least stays"),
    ORO_IN_BOOL(
        struct oro_stream_power_params, coarse, false, .group = "Constraints",
        .doc = "The result is a start for a finer one: constraints that it does not meet are not spoken of. "
               "`levels` sets this for its parts"),
    ORO_IN_FIELD("correction", .optional = true, .unit = ORO_METRE_PER_YEAR, .group = "Constraints",
                 .doc = "Uplift that constraints added before: where controllers start from"),
    ORO_IN_MASK(struct oro_stream_power_params),
    ORO_IN_FIELD("ground", .optional = true, .unit = ORO_METRE, .group = "Mask",
                 .doc = "What stays where the mask is 0, and in outlets that keep the elevation they have. "
                        "Without it: `terrain`"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Elevation; all water finds its way out"),
    ORO_OUT_FIELD("drainage", .like = "terrain", .unit = ORO_SQUARE_METRE,
                  .doc = "Area that drains through each cell, times rain: exact"),
    ORO_OUT_FIELD("slope", .like = "terrain", .doc = "Slope to the receiver, metres a metre"),
    ORO_OUT_FIELD("correction", .like = "terrain", .unit = ORO_METRE_PER_YEAR,
                  .doc = "Uplift that the constraints added"),
    ORO_OUT_FIELD("sediment", .like = "terrain", .unit = ORO_METRE,
                  .doc =
                      "Thickness of what was laid down and lies there still. In balance only where nothing "
                      "rises: elsewhere rivers are down on the rock"),
    ORO_OUT_FIELD("sediment_flux", .like = "terrain",
                  .doc = "Sediment that passes through each cell, in cubic metres a year; in outlets, what "
                         "arrives. 0 without `deposition`"),
    ORO_OUT_FIELD("water", .like = "terrain", .unit = ORO_METRE,
                  .doc =
                      "Depth of the water that stands in basins, and in a sea that has a floor. `terrain` is "
                      "its surface"),
    {0},
};

/* ---- Levels: a composite of runs from coarse to fine ---- */

enum { LEAST_SIDE = 32 };

static int level_count(const struct oro_grid *grid, int most)
{
    int shorter = grid->width < grid->height ? grid->width : grid->height, count = 0;
    while (count < most && shorter >> (count + 1) >= LEAST_SIDE)
        count++;
    return count;
}

static const char *const forwarded[] = {"uplift",      "method",       "iterations",
                                        "tolerance",   "step",         "roughness",
                                        "seed",        "erodibility",  "n",
                                        "m",           "hillslope",    "channel_head",
                                        "slope_limit", "rain",         "flow_exponent",
                                        "sea",         "borders",      "base_level",
                                        "base",        "constraints",  "constraint_radius",
                                        "kp",          "ki",           "kd",
                                        "subsidence",  "mask",         "deposition",
                                        "basins",      "basin_level",  "basin_points",
                                        "basin",       "basin_radius", NULL};

/* `from`: the run before, or -1; `like`: the part that has the full size, -1: the node's own input. */
static int add_resize(struct oro_build *b, const char *what, int level, int from, int like)
{
    char name[32];
    snprintf(name, sizeof name, "%s%d", what, level);
    int node = oro_build_node(b, "resize", name);
    if (from >= 0)
        oro_build_link(b, node, "terrain", from, what);
    else if (like >= 0)
        oro_build_link(b, node, "terrain", like, "field");
    else
        oro_build_forward(b, node, "terrain", "terrain");
    if (like >= 0)
        oro_build_link(b, node, "like", like, "field");
    else
        oro_build_forward(b, node, "like", "terrain");
    oro_build_number(b, node, "divide", 1 << level);
    /* Only a start: what is smoother is nearer to balance, and rivers see to what overshoots. */
    oro_build_text(b, node, "method", "catmull_rom");
    return node;
}

static bool lays(const struct oro_build *b, const struct oro_stream_power_params *p)
{
    return p->deposition > 0 || oro_build_linked(b, "deposition");
}

/* Ground that a run keeps somewhere must not come from coarser levels. */
static bool keeps_ground(const struct oro_build *b, const struct oro_stream_power_params *p)
{
    return p->base == TERRAIN || p->mask < 1 || oro_build_linked(b, "mask") || lays(b, p) ||
           p->basins > 0.5f || oro_build_linked(b, "basins") || p->basin_points[0] ||
           oro_build_linked(b, "basin_points");
}

/* A raster of the level before, or of the composite's own input. */
static void add_start(struct oro_build *b, int node, const char *what, int resized)
{
    if (resized >= 0)
        oro_build_link(b, node, what, resized, "terrain");
    else
        oro_build_forward(b, node, what, what);
}

/* The run at full resolution / 2^level. */
static int add_run(struct oro_build *b, const struct oro_stream_power_params *p, int level, int from,
                   int like)
{
    char name[32];
    snprintf(name, sizeof name, "level%d", level);
    int start = level == 0 && from < 0 ? like : add_resize(b, "terrain", level, from, like);
    bool constrained = p->constraints[0] || oro_build_linked(b, "constraints");
    int correction = from >= 0 && constrained ? add_resize(b, "correction", level, from, like) : -1;
    int sediment = from >= 0 && lays(b, p) && p->step > 0 ? add_resize(b, "sediment", level, from, like) : -1;
    int node = oro_build_node(b, "stream_power", name);
    for (const char *const *input = forwarded; *input; input++)
        oro_build_forward(b, node, *input, *input);
    oro_build_link(b, node, "terrain", start, start == like ? "field" : "terrain");
    oro_build_number(b, node, "levels", 0);
    if (level > 0)
        oro_build_number(b, node, "coarse", 1);
    else
        oro_build_forward(b, node, "coarse", "coarse");
    add_start(b, node, "correction", correction);
    add_start(b, node, "sediment", sediment);
    if (from >= 0 && keeps_ground(b, p) && like >= 0)
        oro_build_link(b, node, "ground", like, "field");
    else if (from >= 0 && keeps_ground(b, p))
        oro_build_forward(b, node, "ground", "terrain");
    return node;
}

static bool expand(struct oro_build *b, const void *data)
{
    const struct oro_stream_power_params *p = data;
    const struct oro_grid *grid = oro_build_grid(b, "terrain");
    int levels = level_count(grid ? grid : oro_build_world(b), p->iterations > 0 ? p->levels : 0);
    if (grid && (levels == 0 || oro_build_capped(b)))
        return true;
    int like = grid ? -1 : oro_build_node(b, "constant", "level_ground");
    int last = -1;
    for (int level = levels; level >= 0; level--)
        last = add_run(b, p, level, last, like);
    for (const struct oro_output *output = outputs; output->name; output++)
        oro_build_output(b, output->name, last, output->name);
    return true;
}

/* ---- A run ---- */

/* Of a cell: the terms of the equation and what else is laid down by, on the device and on the host; what
 * basins keep. */
enum { SEDIMENT_BYTES = 10 * 4 + 154, BASIN_BYTES = 6 * 4 };

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct oro_stream_power_params *p = data;
    const struct oro_grid *own = oro_shape_input(s, "terrain");
    double cells = own ? (double)oro_grid_cells(own) : 0;
    bool basins = p->basins > 0.5f || p->basin_points[0] || oro_shape_input(s, "basins") ||
                  oro_shape_linked(s, "basin_points");
    if (p->deposition > 0 || oro_shape_input(s, "deposition"))
        oro_shape_scratch(s, cells * (SEDIMENT_BYTES + BASIN_BYTES)); /* the sea is a basin, too */
    else if (basins)
        oro_shape_scratch(s, cells * BASIN_BYTES);
    return oro_outlets_shape(s, basins ? 1 : p->sea, p->borders, grid); /* water ends in basins, too */
}

static bool has_rain(const struct oro_stream_power *sp)
{
    return oro_eval_linked(sp->eval, "rain") || sp->params->rain < 1 || sp->params->rain > 1;
}

bool oro_stream_power_lays(const struct oro_stream_power *sp)
{
    return sp->params->deposition > 0 || oro_eval_linked(sp->eval, "deposition");
}

bool oro_stream_power_route(struct oro_stream_power *sp)
{
    sp->routed = sp->routed || (oro_drainage_tree_route(&sp->tree, sp->height[0]) &&
                                oro_drainage_tree_collect(&sp->tree, has_rain(sp), sp->area[0], NULL));
    return sp->routed;
}

bool oro_stream_power_measure(struct oro_stream_power *sp, double per)
{
    double sum = 0;
    if (!oro_sum(sp->eval, sp->rate, sp->cells, &sum))
        return false;
    double rate = sum / (double)sp->cells / per;
    if (!(sp->reference > 0)) /* nothing rises: compared with how fast the ground wears down at first */
        sp->reference = (double)(float)rate; /* as in a stored state */
    sp->change = rate > 0 ? rate / sp->reference : 0;
    return true;
}

void oro_stream_power_note_unbalanced(const struct oro_stream_power *sp)
{
    if (sp->params->tolerance > 0 && !(sp->params->step > 0) && !sp->params->coarse)
        oro_note(oro_eval_log(sp->eval), ORO_NOTICE,
                 "no balance after %d steps: the ground still changes by %.2g of the uplift", sp->done,
                 sp->change);
}

/* How many buffers there are in a stored state; 0: they do not fit, and the run does not resume. */
static int state_of(struct oro_stream_power *sp, struct oro_buffer *more, struct oro_buffer *state[3])
{
    int count = 0, points = oro_stream_power_constraints_count(sp);
    state[count++] = sp->height[0];
    if (more)
        state[count++] = more;
    if (more || points || sp->sediment)
        state[count++] = sp->control;
    return (more || points || sp->sediment) && oro_stream_power_control_words(sp) > sp->cells ? 0 : count;
}

int oro_stream_power_resume(struct oro_stream_power *sp, struct oro_buffer *more)
{
    struct oro_buffer *state[3];
    int count = state_of(sp, more, state);
    int done = count ? oro_eval_resume(sp->eval, sp->params->iterations, state, count) : 0;
    if (done <= 0)
        return done;
    sp->done = done;
    sp->routed = false;
    return oro_stream_power_constraints_apply(sp) ? done : -1;
}

bool oro_stream_power_checkpoint(struct oro_stream_power *sp, int last, struct oro_buffer *more)
{
    struct oro_buffer *state[3];
    int count = oro_stream_power_constraints_dug(sp) ? 0 : state_of(sp, more, state);
    return !count || oro_eval_checkpoint(sp->eval, sp->done, last, state, count);
}

static bool make_buffers(struct oro_stream_power *sp)
{
    size_t words = oro_stream_power_control_words(sp);
    for (int i = 0; i < 2; i++) {
        sp->height[i] = oro_eval_field(sp->eval);
        sp->area[i] = oro_eval_field(sp->eval);
    }
    sp->rate = oro_eval_field(sp->eval);
    sp->control = oro_eval_spread(sp->eval)
                      ? oro_eval_field(sp->eval)
                      : oro_eval_buffer(sp->eval, words > sp->cells ? words : sp->cells);
    return sp->control;
}

/* In tiles, the control is a raster of which the first words count; all of it has to be something. */
static bool clear_control(struct oro_stream_power *sp)
{
    return !oro_eval_spread(sp->eval) || oro_eval_copy(sp->eval, sp->rate, sp->control, sp->cells);
}

static bool begin(struct oro_stream_power *sp)
{
    struct oro_buffer *terrain = oro_eval_input(sp->eval, "terrain");
    bool kept = oro_eval_linked(sp->eval, "ground");
    struct oro_dispatch start = {.kernel = "erosion/stream_power_begin.comp",
                                 .slots = {{"terrain", terrain},
                                           {"ground", kept ? oro_eval_input(sp->eval, "ground") : terrain},
                                           {"height", sp->height[0], ORO_WRITE}},
                                 .reach = ORO_REACH_CELL};
    struct oro_dispatch lift = {.kernel = "erosion/stream_power_lift.comp",
                                .slots = {{"lifted", sp->rate, ORO_WRITE}},
                                .reach = ORO_REACH_CELL,
                                .defines = "#define CORRECTED 0\n"};
    if (!oro_eval_dispatch(sp->eval, &start) || !oro_eval_dispatch(sp->eval, &lift) || !clear_control(sp) ||
        !oro_sum(sp->eval, sp->rate, sp->cells, &sp->reference))
        return false;
    sp->reference /= (double)sp->cells;
    if (!(sp->reference > 0) && !sp->params->coarse)
        oro_note(oro_eval_log(sp->eval), ORO_WARNING, "nothing rises: the uplift is 0 everywhere");
    return true;
}

/* Gives an output that is 0 everywhere; `finite` is any raster without an infinite value. */
static bool give_nothing(struct oro_stream_power *sp, const char *output, struct oro_buffer *finite)
{
    struct oro_buffer *nothing = oro_eval_field(sp->eval);
    return oro_difference(sp->eval, finite, finite, nothing) && oro_eval_give(sp->eval, output, nothing);
}

/* Ground that has been routed, with its slopes and what drains through it. */
static bool give_ground(struct oro_stream_power *sp, struct oro_buffer *height, struct oro_buffer *area)
{
    struct oro_eval *e = sp->eval;
    struct oro_dispatch slope = {.kernel = "erosion/stream_power_slope.comp",
                                 .slots = {{"height", height}, {"slope", sp->rate, ORO_WRITE}},
                                 .reach = 1,
                                 .defines = "#define DIRECTIONS 0\n"};
    if (oro_drainage_tree_has_tiles(&sp->tree)) {
        slope.defines = "#define DIRECTIONS 1\n";
        oro_add_slot(&slope,
                     (struct oro_slot){"next", oro_drainage_tree_directions(&sp->tree), ORO_READ, NULL});
    } else {
        oro_add_slot(&slope,
                     (struct oro_slot){"next", oro_drainage_tree_receivers(&sp->tree), ORO_READ, "uint"});
    }
    return oro_eval_dispatch(e, &slope) && oro_eval_give(e, "terrain", height) &&
           oro_eval_give(e, "drainage", area) && oro_eval_give(e, "slope", sp->rate);
}

/* In tiles, nothing is laid down. */
static bool give_sediment(struct oro_stream_power *sp, struct oro_buffer *height, struct oro_buffer *finite)
{
    if (!oro_eval_spread(sp->eval))
        return oro_stream_power_give_sediment(sp, height);
    return give_nothing(sp, "sediment", finite) && give_nothing(sp, "sediment_flux", finite) &&
           give_nothing(sp, "water", finite);
}

/* Ground that is not in balance yet may have pits; they are carved through. */
static bool give(struct oro_stream_power *sp)
{
    struct oro_eval *e = sp->eval;
    struct oro_buffer *drained = sp->height[1], *area = sp->routed ? sp->area[0] : sp->area[1];
    if ((!sp->routed && !oro_drainage_tree_route(&sp->tree, sp->height[0])) ||
        !oro_drainage_tree_collect(&sp->tree, has_rain(sp), sp->routed ? NULL : area, drained))
        return false;
    float deepest = 0;
    double volume = 0, cell = oro_eval_grid(e)->cell;
    if (!oro_difference(e, sp->height[0], drained, sp->rate) || !oro_largest(e, sp->rate, &deepest) ||
        !oro_sum(e, sp->rate, sp->cells, &volume))
        return false;
    oro_eval_figure(e, "deepest_cut", (double)deepest, "m");
    oro_eval_figure(e, "cut_volume", volume * cell * cell, "m3");
    return give_sediment(sp, drained, area) && give_ground(sp, drained, area);
}

static bool give_correction(struct oro_stream_power *sp)
{
    if (sp->correction)
        return oro_eval_give(sp->eval, "correction", sp->correction);
    if (oro_eval_spread(sp->eval))
        return give_nothing(sp, "correction", sp->area[0]);
    float *none = oro_alloc(sp->cells, sizeof *none);
    if (!none)
        return oro_eval_fail(sp->eval, ORO_E_MEMORY, "no memory for %zu cells", sp->cells);
    return oro_eval_give_host(sp->eval, "correction", none);
}

/* Without iterations the terrain is given as it is. */
static bool give_unchanged(struct oro_stream_power *sp)
{
    sp->correction = oro_eval_linked(sp->eval, "correction") ? oro_eval_input(sp->eval, "correction") : NULL;
    if (!make_buffers(sp))
        return false;
    sp->height[0] = oro_eval_input(sp->eval, "terrain");
    return sp->height[0] && oro_stream_power_route(sp) && give_sediment(sp, NULL, sp->area[0]) &&
           give_ground(sp, sp->height[0], sp->area[0]) && give_correction(sp);
}

static bool solve(struct oro_stream_power *sp)
{
    if (sp->params->method == EXPLICIT)
        return oro_stream_power_explicit(sp);
    return sp->sediment && sp->params->step > 0 ? oro_stream_power_age(sp) : oro_stream_power_implicit(sp);
}

static bool run(struct oro_stream_power *sp)
{
    if (!oro_stream_power_constraints_begin(sp) || !make_buffers(sp) || !begin(sp) ||
        !oro_stream_power_basins_fill(sp) || !oro_stream_power_constraints_start(sp))
        return false;
    sp->lifting = sp->correction;
    if (!oro_stream_power_sediment_begin(sp) || !solve(sp))
        return false;
    oro_eval_figure(sp->eval, "steps", sp->done, "");
    oro_eval_figure(sp->eval, "change", sp->change, "of the uplift");
    if (sp->years > 0)
        oro_eval_figure(sp->eval, "years", sp->years, "yr");
    return oro_stream_power_constraints_report(sp) && give(sp) && give_correction(sp);
}

static bool begin_standing(struct oro_stream_power *sp)
{
    if (!oro_stream_power_basins_begin(sp))
        return false;
    if (sp->params->method == EXPLICIT && (sp->basins || oro_stream_power_lays(sp)))
        return oro_eval_fail(sp->eval, ORO_E_DOCUMENT,
                             "`deposition` and basins need the method implicit: explicit steps know neither");
    return true;
}

static enum oro_spread spread_by(const void *data)
{
    const struct oro_stream_power_params *p = data;
    bool steps = p->iterations > 0 && (p->method != EXPLICIT || p->constraints[0]);
    return steps ? ORO_SPREAD_WHOLE : ORO_SPREAD_DRAINAGE;
}

/* Implicit steps solve along the tree, and constraints look at rivers from end to end. */
static bool check_tiles(struct oro_stream_power *sp)
{
    bool constrained = sp->params->constraints[0] || oro_eval_linked(sp->eval, "constraints");
    return !oro_eval_spread(sp->eval) || sp->params->iterations == 0 ||
           (sp->params->method == EXPLICIT && !constrained) ||
           oro_eval_fail(
               sp->eval, ORO_E_LIMIT,
               "cannot be spread: the method implicit and constraints need the ground in one piece; "
               "use them at a coarser level, or the method explicit");
}

static bool eval(struct oro_eval *e, const void *data)
{
    struct oro_stream_power sp = {.eval = e, .params = data, .cells = oro_grid_cells(oro_eval_grid(e))};
    bool runs = sp.params->iterations > 0, ok = check_tiles(&sp) && (!runs || begin_standing(&sp));
    ok = ok && (sp.basins ? oro_drainage_tree_begin_to(e, sp.basins->outlets, &sp.tree)
                          : oro_drainage_tree_begin(e, sp.params->sea, sp.params->borders, &sp.tree));
    sp.tree.rain = sp.params->rain;
    ok = ok && (runs ? run(&sp) : give_unchanged(&sp));
    oro_stream_power_sediment_end(&sp);
    oro_stream_power_basins_end(&sp);
    oro_stream_power_constraints_end(&sp);
    oro_drainage_tree_end(&sp.tree);
    return ok;
}

ORO_NODE_WITH(
    stream_power, sizeof(struct oro_stream_power_params), .version = 1, .category = "erosion",
    .words = "mountains, landscape evolution, tectonics, uplift and erosion, orogeny, erosion, erode, "
             "rivers, range",
    .doc = "Raises mountain ranges and lets rivers carve them until both balance: large-scale relief with "
           "ridges and "
           "valleys that hang together, from an uplift and nothing else. Water leaves over the border and "
           "into the "
           "sea; from every cell of the result there is a way down.",
    .paper = "Schott 2023, sections 4, 6.4 and 7.2; Braun and Willett 2013; Yuan 2019; Roering 1999",
    .spread = ORO_SPREAD_DRAINAGE, .spread_by = spread_by, .scratch_fields = ORO_DRAINAGE_TREE_FIELDS + 6,
    .drains = true, .shape = shape, .eval = eval, .expand = expand);
