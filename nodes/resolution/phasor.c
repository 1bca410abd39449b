/* Detail for terrains in one step: ravines that run down the slopes. */
#include <math.h>

#include "graph/type/node.h"
#include "nodes/lib/gabor_lattice.h"
#include "nodes/lib/phasor_profile.h"

struct params {
    int scale, method, levels, profile, crest_octaves, seed;
    float frequency, amplitude, mask;
    float threshold, reach, radius, least_slope;
    float ratio, lambda, regularity;
    float epsilon, c, crest, crest_size;
    bool rivers;
    struct oro_profile curve;
};

static const char *const methods[] = {"b_spline", "spline", NULL};
static const char *const profiles[] = {"rounded", "drawn", NULL};
enum { B_SPLINE, SPLINE };
enum { DRAWN = 1 };

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to enhance"),
    ORO_IN_INT(struct params, scale, 8, .min = 1, .max = 32,
               .doc = "How many times more cells along each side; 1 adds detail to the cells there are"),
    ORO_IN_MAP(
        struct params, frequency, 0.004, .min = 0, .max = 100, .soft_min = 0.0005, .soft_max = 0.05,
        .unit = ORO_PER_METRE,
        .doc =
            "Ravines of the first level in each metre across them: 0.004 is one in 250 m. 0: `ratio` times "
            "as close as the terrain's own ridges, by `ridge_frequency`. What the cells cannot carry, more "
            "than one in four cells, is lowered to that. Where a map is 0 there are none, nor where they "
            "would be farther apart than four times the raster. The wider the range of a map, the longer "
            "it takes"),
    ORO_IN_MAP(struct params, amplitude, 60, .min = 0, .max = 1e6, .soft_max = 400, .unit = ORO_METRE,
               .doc = "Height of the crests of the first level above their ravines"),
    ORO_IN_INT(struct params, levels, 2, .min = 1, .max = ORO_GABOR_LEVELS,
               .doc = "Ravines in the sides of ravines: how many times over. Those too fine for the cells "
                      "are left out"),
    ORO_IN_CHOICE(struct params, method, B_SPLINE, methods,
                  .doc = "The surface between the terrain's cells, smooth in its curvature. b_spline: lowers "
                         "peaks a little. spline: passes through the cells, and swings beside sharp valleys"),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_BOOL(struct params, rivers, true, .group = "Rivers",
                .doc =
                    "Lets the detail vanish towards rivers. Without it, `amplitude` alone says where it is"),
    ORO_IN_MAP(struct params, threshold, 1000000, .when = "rivers=true", .min = 0, .max = 1e12,
               .soft_max = 1e7, .unit = ORO_SQUARE_METRE, .group = "Rivers",
               .doc = "A river is where at least this much land drains through"),
    ORO_IN_MAP(struct params, reach, 800, .min = 0, .max = 1e7, .soft_max = 5000, .unit = ORO_METRE,
               .group = "Rivers", .doc = "Distance from rivers at which the detail has its full amplitude"),
    ORO_IN_FIELD("distance", .optional = true, .unit = ORO_METRE, .group = "Rivers",
                 .doc = "Distance to rivers, or to whatever is to stay clear of detail; without it, that of "
                        "`river_distance`"),
    ORO_IN_FLOAT(struct params, radius, 500, .min = 0, .max = 1e7, .soft_max = 5000, .unit = ORO_METRE,
                 .group = "Direction",
                 .doc =
                     "Ravines run down the slopes of the terrain blurred by this: what is smaller does not "
                     "turn them. Twice their distance or more keeps them straight"),
    ORO_IN_FLOAT(struct params, least_slope, 6, .min = 0, .max = 45, .unit = ORO_DEGREE, .group = "Direction",
                 .doc = "The detail fades out where the terrain itself is flatter: in lakes and on plains"),
    ORO_IN_FIELD("smooth", .optional = true, .unit = ORO_METRE, .group = "Direction",
                 .doc = "Terrain whose slopes the ravines follow, instead of the blurred one"),
    ORO_IN_VECTOR("orientation", .optional = true, .group = "Direction",
                  .doc =
                      "Direction in which the ravines run, instead of down the slopes; less detail where "
                      "it is shorter than 1. `flow_orientation` and `tensor_field` make such. Where it turns "
                      "about along a line, they do not meet"),
    ORO_IN_FLOAT(struct params, regularity, 0.5, .min = 0.25, .max = 8, .soft_max = 2, .group = "Direction",
                 .doc = "How long ravines go on before they part or join, in multiples of their distance: "
                        "the standard deviation of the kernels"),
    ORO_IN_FLOAT(struct params, ratio, 3, .min = 1.25, .max = 8, .soft_min = 2, .soft_max = 5,
                 .group = "Cascade", .doc = "How many times closer the ravines of each next level are"),
    ORO_IN_FLOAT(struct params, lambda, 0.2, .min = 0, .max = 1, .soft_max = 0.5, .group = "Cascade",
                 .doc = "Amplitude of each next level, as a share of the height of the one before"),
    ORO_IN_CHOICE(struct params, profile, 0, profiles, .group = "Profile",
                  .doc = "Cross-section of the ravines. rounded: V-shaped, with a rounded bottom. drawn: as "
                         "`curve` says"),
    ORO_IN_FLOAT(struct params, epsilon, 0.1, .when = "profile=rounded", .min = 0, .max = 10, .soft_max = 0.5,
                 .group = "Profile", .doc = "How round the bottoms are: 0 is sharp"),
    ORO_IN_FLOAT(struct params, c, 8, .label = "Evening c", .min = 0.1, .max = 1000, .soft_min = 2,
                 .soft_max = 100, .group = "Profile",
                 .doc = "Ravines are evened out where they part and join: the smaller, the more widely. 24 "
                        "leaves them steep"),
    ORO_IN_PROFILE(struct params, curve, "0 0, 0.2 0.05, 0.8 0.9, 1 1", .when = "profile=drawn",
                   .group = "Profile",
                   .doc = "Of profile drawn: height from the bottom (0) to the crest (1), both 0..1"),
    ORO_IN_FLOAT(struct params, crest, 0.4, .min = 0, .max = 2, .soft_max = 0.5, .group = "Crests",
                 .doc = "Fractal noise that roughens the crests of the first level, as a share of their "
                        "height"),
    ORO_IN_FLOAT(struct params, crest_size, 0, .min = 0, .max = 1e7, .soft_max = 500, .unit = ORO_METRE,
                 .group = "Crests", .doc = "Size of its largest features. 0: half the distance of ravines"),
    ORO_IN_INT(struct params, crest_octaves, 5, .min = 1, .max = 16, .group = "Crests",
               .doc =
                   "Its layers, each half as large as the one before. Those too fine for the cells are left "
                   "out"),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Elevation with the detail"),
    ORO_OUT_FIELD("detail", .like = "terrain", .unit = ORO_METRE,
                  .doc = "What was added: nothing in the mean of many ravines"),
    ORO_OUT_VECTOR(
        "gradient", .like = "terrain",
        .doc =
            "Slope of the terrain, metres per metre, x east and y south: exact, but for half a cell around "
            "the points where ravines part and join. For shading, where ravines are eight cells wide or "
            "more"),
    ORO_OUT_FIELD(
        "amplitude", .like = "terrain", .unit = ORO_METRE,
        .doc = "Amplitude of the first level: `amplitude` with `mask`, less towards rivers and on flat "
               "ground"),
    {0},
};

/* ---- What goes before: the blurred terrain, the distance to rivers ---- */

static bool expand(struct oro_build *b, const void *data)
{
    const struct params *p = data;
    int distance = -1, smooth = -1, spacing = -1;
    if (!(p->frequency > 0) && !oro_build_linked(b, "frequency")) {
        spacing = oro_build_node(b, "ridge_frequency", "spacing");
        oro_build_forward(b, spacing, "terrain", "terrain");
        oro_build_forward(b, spacing, "ratio", "ratio");
    }
    if (p->rivers && !oro_build_linked(b, "distance")) {
        distance = oro_build_node(b, "river_distance", "rivers");
        oro_build_forward(b, distance, "terrain", "terrain");
        oro_build_forward(b, distance, "threshold", "threshold");
    }
    if (!oro_build_linked(b, "smooth")) {
        smooth = oro_build_node(b, "blur", "smooth");
        oro_build_forward(b, smooth, "field", "terrain");
        oro_build_forward(b, smooth, "radius", "radius");
    }
    if (distance < 0 && smooth < 0 && spacing < 0)
        return true;
    int ravines = oro_build_node(b, "phasor", "ravines");
    for (const struct oro_input *input = inputs; input->name; input++)
        oro_build_forward(b, ravines, input->name, input->name);
    if (spacing >= 0)
        oro_build_link(b, ravines, "frequency", spacing, "frequency");
    if (distance >= 0)
        oro_build_link(b, ravines, "distance", distance, "distance");
    if (smooth >= 0)
        oro_build_link(b, ravines, "smooth", smooth, "field");
    for (const struct oro_output *output = outputs; output->name; output++)
        oro_build_output(b, output->name, ravines, output->name);
    return true;
}

/* ---- The ravines ---- */

/* Fields on the coarse grid: slope (2), amplitude with and without the mask, spline (2). */
enum { COARSE_FIELDS = 6 };

static void estimate(struct oro_shape *s, const struct params *p, const struct oro_grid *grid)
{
    struct oro_gabor gabor = {.high = oro_shape_input(s, "frequency") ? 0 : (double)p->frequency,
                              .levels = p->levels,
                              .ratio = (double)p->ratio,
                              .regularity = (double)p->regularity};
    double coarse = (double)oro_grid_cells(oro_shape_input(s, "terrain"));
    oro_shape_scratch(s, oro_gabor_bytes(grid, &gabor) + COARSE_FIELDS * sizeof(float) * coarse);
}

/* Where the cap holds the resolution back, the detail is shown on as many cells as there may be. */
static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    *grid = *oro_shape_input(s, "terrain");
    int side = oro_grid_longer(grid), scale = p->scale;
    if (side > ORO_GRID_MAX / scale)
        return oro_shape_fail(
            s, "%d cells times %d is more than the %d cells a side that a terrain may have: lower 'scale'",
            side, scale, ORO_GRID_MAX);
    if (side > oro_shape_cap(s) / scale) {
        oro_shape_capped(s);
        scale = oro_shape_cap(s) / side > 1 ? oro_shape_cap(s) / side : 1;
    }
    grid->width *= scale;
    grid->height *= scale;
    grid->cell /= scale;
    estimate(s, p, grid);
    return true;
}

struct ravines {
    struct oro_eval *eval;
    const struct params *params;
    const struct oro_grid *coarse, *fine;
    struct oro_gabor gabor;
    double limit; /* highest frequency of the first level, 1/m */
    int octaves;  /* of the noise on crests, that the cells carry */
    float mean;   /* of the profile */
    struct oro_buffer *terrain, *knots, *slope, *full, *relief;
};

/* Slopes and amplitudes over the coarse cells. */
static bool run_controls(struct ravines *r)
{
    struct oro_eval *e = r->eval;
    r->slope = oro_eval_raster(e, ORO_VECTOR, r->coarse);
    r->full = oro_eval_raster(e, ORO_FIELD, r->coarse);
    r->relief = oro_eval_raster(e, ORO_FIELD, r->coarse);
    /* In GLSL `distance` is the name of a function. The kernel reads it where it is linked. */
    struct oro_buffer *away = oro_eval_linked(e, "distance") ? oro_eval_input(e, "distance") : r->terrain;
    struct oro_dispatch controls = {.kernel = "resolution/phasor_controls.comp",
                                    .slots = {{"terrain", oro_eval_input(e, "smooth")},
                                              {"ground", r->terrain},
                                              {"away", away},
                                              {"slope_out", r->slope, ORO_WRITE, "vec2"},
                                              {"full_out", r->full, ORO_WRITE},
                                              {"relief_out", r->relief, ORO_WRITE}},
                                    .reach = 1,
                                    .grid = *r->coarse};
    oro_eval_add_input(e, &controls, "orientation");
    return oro_eval_dispatch(e, &controls);
}

/* Finds the coefficients with which the B-spline of phasor.comp goes through the terrain. */
static bool run_spline(struct ravines *r)
{
    struct oro_eval *e = r->eval;
    const int weighty = 13; /* spline_coefficients.comp */
    r->knots = r->terrain;
    if (r->params->method != SPLINE && !oro_grid_same_size(r->coarse, r->fine))
        return true;
    struct oro_buffer *rows = oro_eval_raster(e, ORO_FIELD, r->coarse);
    r->knots = oro_eval_raster(e, ORO_FIELD, r->coarse);
    struct oro_dispatch across = {.kernel = "resolution/spline_coefficients.comp",
                                  .slots = {{"terrain", r->terrain}, {"coefficients", rows, ORO_WRITE}},
                                  .reach = weighty,
                                  .grid = *r->coarse,
                                  .constants = {{"east", 1}, {"south", 0}}};
    struct oro_dispatch down = {.kernel = "resolution/spline_coefficients.comp",
                                .slots = {{"terrain", rows}, {"coefficients", r->knots, ORO_WRITE}},
                                .reach = weighty,
                                .grid = *r->coarse,
                                .constants = {{"east", 0}, {"south", 1}}};
    return oro_eval_dispatch(e, &across) && oro_eval_dispatch(e, &down);
}

static bool run_kernels(struct ravines *r)
{
    static const char *const maps[] = {"frequency", NULL};
    struct oro_gabor_laying laying = {
        .guides = {.kernel = "resolution/phasor_guides.comp",
                   .slots = {{"slope", r->slope, ORO_READ, "vec2"}, {"full", r->full}},
                   .maps = maps,
                   .constants = {{"limit", (float)r->limit},
                                 {"carried", oro_gabor_carried(r->eval)},
                                 {"lowest", (float)r->gabor.lowest},
                                 {"coarser_x", (float)r->coarse->width / (float)r->fine->width},
                                 {"coarser_y", (float)r->coarse->height / (float)r->fine->height}}},
        .source = *r->coarse,
        .kernels = {.kernel = "resolution/phasor_kernels.comp", .constants = {{"mean", r->mean}}}};
    return oro_gabor_lay(r->eval, &r->gabor, &laying);
}

static bool run_ravines(struct ravines *r)
{
    struct oro_eval *e = r->eval;
    const int around = 2; /* cells, of the splines */
    struct oro_buffer *height = oro_eval_field(e), *detail = oro_eval_field(e);
    struct oro_buffer *gradient = oro_eval_raster(e, ORO_VECTOR, r->fine), *amplitude = oro_eval_field(e);
    struct oro_dispatch ravines = {.kernel = "resolution/phasor.comp",
                                   .slots = {{"original", r->terrain},
                                             {"terrain", r->knots},
                                             {"relief", r->relief},
                                             {"height_out", height, ORO_WRITE},
                                             {"detail_out", detail, ORO_WRITE},
                                             {"gradient_out", gradient, ORO_WRITE, "vec2"},
                                             {"amplitude_out", amplitude, ORO_WRITE}},
                                   .constants = {{"mean", r->mean},
                                                 {"levels", (float)r->gabor.levels},
                                                 {"each", (float)r->gabor.each},
                                                 {"octaves", (float)r->octaves}}};
    oro_dispatch_source(&ravines, r->fine, r->coarse, NULL, around);
    oro_gabor_read(&r->gabor, &ravines);
    return oro_eval_dispatch(e, &ravines) && oro_eval_give(e, "terrain", height) &&
           oro_eval_give(e, "detail", detail) && oro_eval_give(e, "gradient", gradient) &&
           oro_eval_give(e, "amplitude", amplitude);
}

/* Logs what a build does to the frequencies (a preview has no limit), and what a preview does not show. */
static void say(const struct ravines *r, bool limited)
{
    const struct oro_log *log = oro_eval_log(r->eval);
    int asked = r->params->levels, carried = oro_gabor_levels(&r->gabor, asked, r->gabor.high, r->limit);
    if (r->gabor.levels == 0)
        oro_note(log, ORO_NOTICE, "phasor: the cells of this preview are too wide for its ravines");
    if (limited)
        oro_note(log, ORO_WARNING,
                 "phasor: cells of %g m carry ravines every %g m at best: 'frequency' is lowered to %g 1/m",
                 0.25 / r->limit, 1 / r->limit, r->limit);
    if (carried < asked)
        oro_note(log, ORO_WARNING,
                 "phasor: of %d levels of ravines the cells carry %d%s: use fewer 'levels', a lower "
                 "'frequency' or a higher 'scale'",
                 asked, carried, r->gabor.high > r->gabor.low ? " where 'frequency' is highest" : "");
}

/* The noise on crests, with as many octaves as have features of two cells or more. */
static void plan_noise(struct ravines *r)
{
    double size = (double)r->params->crest_size;
    size = size > 0 ? size : 0.5 / r->gabor.high;
    double octaves = floor(log2(size / (2 * r->fine->cell))) + 1;
    r->octaves = (int)fmax(fmin(octaves, r->params->crest_octaves), 0);
    r->gabor.noise_spacing = r->octaves > 0 ? size : 0;
}

static bool plan(struct ravines *r)
{
    bool limited;
    r->limit = oro_gabor_build_limit(r->eval, r->coarse->cell / r->params->scale);
    bool some = oro_gabor_range(r->eval, "frequency", r->params->frequency, r->limit, &r->gabor, &limited);
    if (some)
        plan_noise(r);
    bool ok = oro_gabor_begin(r->eval, &r->gabor);
    if (some)
        say(r, limited);
    return ok;
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    struct oro_phasor_profile profile = {p->profile == DRAWN ? &p->curve : NULL, (double)p->epsilon};
    struct ravines r = {
        .eval = e,
        .params = p,
        .coarse = oro_eval_input_grid(e, "terrain"),
        .fine = oro_eval_grid(e),
        .terrain = oro_eval_input(e, "terrain"),
        .mean = (float)oro_phasor_measure(&profile).mean,
        .gabor = {.ratio = (double)p->ratio,
                  .levels = p->levels,
                  .regularity = (double)p->regularity,
                  .seed = (uint32_t)p->seed},
    };
    return r.coarse && r.terrain && plan(&r) && run_spline(&r) && run_controls(&r) && run_kernels(&r) &&
           run_ravines(&r);
}

ORO_NODE(
    phasor, .version = 1, .category = "resolution",
    .words = "ravines, gullies, enhance, rills, sharpen, add detail, procedural erosion, super resolution",
    .doc =
        "Enhances a terrain with ravines and crests that run down its slopes, smaller ones in the sides of "
        "larger ones, at any resolution and at once: nothing is simulated. They vanish towards rivers and "
        "on flat ground, and many of them add no height in the mean. They look natural where `amplitude` is "
        "about a quarter of their distance. A terrain whose valleys are one cell wide, as of `stream_power`, "
        "is best blurred by two cells first; where all water is to find its way, breach afterwards. A "
        "preview at a lower resolution shows what its cells carry.",
    .paper = "Grenier 2023", .shape = shape, .spread = ORO_SPREAD_TILES, .eval = eval, .expand = expand);
