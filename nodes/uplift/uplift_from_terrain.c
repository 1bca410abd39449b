/* The uplift of a real terrain. */
#include "base/memory.h"
#include "nodes/flow/drainage_tree_inputs.h"
#include "terrain/inversion/inversion.h"
#include "terrain/uplift/uplift.h"

struct params {
    float erodibility, n, m, channel_head, hillslope, slope_limit, rain;
    float smooth, even, factor, region;
    int iterations, seed;
    ORO_OUTLET_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "The terrain to come back to: a real one, with nothing but ground in it"),
    ORO_IN_INT(struct params, iterations, 40, .min = 0, .max = 1000, .soft_max = 60,
               .doc =
                   "Runs to balance by which the uplift is fitted, at every resolution. 0: what the law says "
                   "of the terrain as it is, which comes out much too low"),
    ORO_IN_FLOAT(struct params, smooth, 1, .min = 0, .max = 32, .soft_max = 8, .unit = ORO_CELL,
                 .doc =
                     "The terrain is smoothed by a Gaussian of this deviation before. Rivers and ridges that "
                     "are finer find places of their own"),
    ORO_IN_FLOAT(
        struct params, even, 6, .min = 0, .max = 32, .soft_max = 16, .unit = ORO_CELL,
        .doc = "The same for the logarithm of the uplift: more makes it a plainer map that keeps less of "
               "the terrain; with less than 4, rivers leave their ways when the uplift is edited, and "
               "mountains fall"),
    ORO_IN_FLOAT(struct params, factor, 1, .min = 0, .max = 1e6, .soft_max = 4,
                 .doc = "The uplift times this, after all: a multiple of 2^n makes mountains twice as high"),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_MAP(struct params, region, 1, .min = 0, .max = 1,
               .doc = "Where it is 0 nothing rises: to take one range out of many"),

    ORO_IN_FLOAT(struct params, erodibility, 0.002, .min = 0, .max = 100, .soft_max = 0.02,
                 .unit = ORO_METRE_PER_YEAR, .group = "Erosion",
                 .doc = "As in `stream_power`, which is to work with the same numbers"),
    ORO_IN_FLOAT(struct params, n, 2, .label = "Slope exponent n", .min = 0.1, .max = 8, .soft_min = 0.5,
                 .soft_max = 3, .group = "Erosion", .doc = "Exponent of the slope"),
    ORO_IN_FLOAT(struct params, m, 0.8, .label = "Area exponent m", .min = 0, .max = 4, .soft_max = 1.5,
                 .group = "Erosion", .doc = "Exponent of the drainage area"),
    ORO_IN_FLOAT(
        struct params, channel_head, 30000, .min = 1, .max = 1e9, .soft_min = 1000, .soft_max = 1e6,
        .unit = ORO_SQUARE_METRE, .group = "Erosion",
        .doc = "Drainage area at which rivers begin: where less drains, the ground is a straight slope"),
    ORO_IN_FLOAT(struct params, hillslope, 0, .min = 0, .max = 1e6, .soft_max = 10, .group = "Erosion",
                 .doc = "Creep of the soil, in square metres a year"),
    ORO_IN_FLOAT(struct params, slope_limit, 80, .min = 1, .max = 89, .unit = ORO_DEGREE, .group = "Erosion",
                 .doc = "Steeper ground slides down"),
    ORO_IN_FLOAT(struct params, rain, 1, .min = 0, .max = 100, .soft_max = 4, .group = "Erosion",
                 .doc = "Rain, relative to the rest"),
    ORO_IN_OUTLETS(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_UPLIFT("uplift",
                   .doc = "A raster, for `stream_power`, or to be moved, turned, cut and painted on"),
    ORO_OUT_FIELD(
        "base", .like = "terrain", .unit = ORO_METRE,
        .doc = "For `base_level` of a `stream_power` that starts on level ground: the elevation of the "
               "terrain where water leaves it, and inland ground from which rivers find about the "
               "valleys that they had"),
    ORO_OUT_TERRAIN(.like = "terrain",
                    .doc =
                        "What comes back, in balance with the uplift. Linked to `terrain` of `stream_power`, "
                        "with `levels` 0, `roughness` 0 and `base` terrain, it stays as it is, and what is "
                        "edited changes from there"),
    {0},
};

static bool shape(struct oro_shape *s, const void *data, struct oro_grid *grid)
{
    const struct params *p = data;
    if (!oro_outlets_shape(s, p->sea, p->borders, grid))
        return false;
    oro_shape_scratch(s, (double)oro_grid_cells(grid) * ORO_INVERSION_BYTES_A_CELL);
    return true;
}

static bool progress(void *user, int done, int all)
{
    return oro_eval_progress(user, done, all);
}

/* Times the factor, within the region. */
static bool cut(struct oro_eval *e, const struct params *p, size_t cells, float *uplift)
{
    const float *region = oro_eval_linked(e, "region") ? oro_eval_input_host(e, "region") : NULL;
    if (oro_eval_linked(e, "region") && !region)
        return false;
    for (size_t i = 0; i < cells; i++) {
        float share = region ? region[i] : p->region;
        uplift[i] *= p->factor * (share > 0 ? share < 1 ? share : 1 : 0);
    }
    return true;
}

static void report(struct oro_eval *e, const struct params *p, const struct oro_agreement *found)
{
    if (p->iterations == 0)
        return;
    oro_eval_figure(e, "mean", found->mean[0], "m");
    oro_eval_figure(e, "mean_wanted", found->mean[1], "m");
    oro_eval_figure(e, "highest", found->highest[0], "m");
    oro_eval_figure(e, "highest_wanted", found->highest[1], "m");
    oro_eval_figure(e, "correlation", found->correlation, "");
    if (found->correlation < 0.8)
        oro_note(oro_eval_log(e), ORO_WARNING,
                 "what comes out resembles the terrain little: a correlation of %.2f. Smooth slopes and wide "
                 "plains "
                 "are nothing that rivers make: more 'iterations', or a finer terrain",
                 found->correlation);
}

/* The mask of the sea, in `*drowned` where a number says that all is sea; NULL: there is none. */
static const float *sea_of(struct oro_eval *e, const struct params *p, size_t cells, float **drowned)
{
    if (oro_eval_linked(e, "sea"))
        return oro_eval_input_host(e, "sea");
    *drowned = p->sea > 0.5F ? oro_alloc(cells, sizeof **drowned) : NULL;
    for (size_t i = 0; *drowned && i < cells; i++)
        (*drowned)[i] = 1;
    return *drowned;
}

static bool find(struct oro_eval *e, const struct params *p, struct oro_inverted *found,
                 struct oro_error *err)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    float *drowned = NULL;
    struct oro_inversion inversion = {
        .law = {p->erodibility, p->n, p->m, p->channel_head, p->hillslope, p->slope_limit, p->rain},
        .grid = {grid->width, grid->height, grid->cell},
        .terrain = oro_eval_input_host(e, "terrain"),
        .sea = sea_of(e, p, oro_grid_cells(grid), &drowned),
        .walls = p->borders != 0,
        .smooth = (double)p->smooth,
        .even = (double)p->even,
        .iterations = p->iterations,
        .seed = (uint32_t)p->seed,
        .progress = progress,
        .stop = oro_eval_stopped,
        .user = e,
    };
    bool wet = oro_eval_linked(e, "sea") || p->sea > 0.5F;
    bool ok = inversion.terrain && (inversion.sea || !wet);
    if (inversion.terrain && wet && !inversion.sea)
        oro_eval_fail(e, ORO_E_MEMORY, "no memory for the sea");
    ok = ok && (oro_invert(&inversion, found, err) || oro_eval_failed(e, err));
    oro_free(drowned);
    if (ok)
        report(e, p, &found->agreement);
    return ok && cut(e, p, oro_grid_cells(grid), found->uplift);
}

static bool give(struct oro_eval *e, struct oro_inverted *found)
{
    struct oro_error err = {0};
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_uplift *tree = oro_uplift_raster(found->uplift, grid->width, grid->height, grid->cell, &err);
    float *base = found->base, *height = found->height;
    found->base = found->height = NULL; /* taken over, also where that fails */
    bool ok = oro_eval_give_uplift(e, "uplift", tree, &err);
    ok = oro_eval_give_host(e, "base", base) && ok;
    return oro_eval_give_host(e, "terrain", height) && ok;
}

static bool eval(struct oro_eval *e, const void *data)
{
    struct oro_error err = {0};
    size_t cells = oro_grid_cells(oro_eval_grid(e));
    struct oro_inverted found = {oro_alloc(cells, sizeof(float)), oro_alloc(cells, sizeof(float)),
                                 oro_alloc(cells, sizeof(float)), .agreement = {.correlation = 0}};
    bool ok = found.uplift && found.base && found.height;
    if (!ok)
        oro_eval_fail(e, ORO_E_MEMORY, "no memory for %zu cells", cells);
    ok = ok && find(e, data, &found, &err) && give(e, &found);
    oro_free(found.uplift);
    oro_free(found.base);
    oro_free(found.height);
    return ok;
}

ORO_NODE(
    uplift_from_terrain, .version = 1, .category = "uplift",
    .words = "inverse, inversion, recreate, real mountains, DEM to uplift, reconstruct",
    .doc =
        "Finds an uplift under which `stream_power` brings a real terrain back: its mountains as a "
        "map that can be edited. The law gives a first one, u = k a^m s^n on the terrain that was smoothed "
        "and drained, and runs to balance correct it until heights agree. `stream_power` is to start on "
        "`terrain`, where it is said how. `sea` keeps water out of it.",
    .paper = "Schott 2023, section 4", .shape = shape, .spread = ORO_SPREAD_HOST, .eval = eval);
