/* A whole amplification: levels as a table, then the old heights put back, then a way out for all water. */
#include <math.h>
#include <stdio.h>

#include "graph/type/node.h"
#include "nodes/lib/flow_inputs.h"

enum { LEVELS = 6 };

/* One row of the table. */
struct level {
    int factor, iterations, thermal_iterations, deposition_iterations;
    float erosion, thermal, deposition; /* strengths: multiples of the common coefficients */
};

struct params {
    struct level levels[LEVELS];
    float erodibility, hardness, mask;
    float repose, repose_variation, variation_size, amount;
    int deposition_method;
    ORO_DEPOSITION_PARAMS;
    ORO_FLOW_PARAMS;
    ORO_STREAM_POWER_PARAMS;
    int seed, method, kernel;
    bool retarget, breach;
    const char *points;
    float ridge_area, peak_radius, reach, tolerance, radius, sea;
};

/* Words of `retarget` and `multiscale_breach`; a test holds the lists together. */
static const char *const methods[] = {"ridges", "peaks", "field", "points", NULL};
static const char *const kernels[] = {"smooth", "cone", "box", NULL};

#define LEVEL_INPUT(k, field, kind, standard, ...)                                                           \
    {                                                                                                        \
        .name = #field #k, .type = kind, .offset = offsetof(struct params, levels[(k)-1].field),             \
        .value = standard, .group = "Level " #k, __VA_ARGS__                                                 \
    }
#define LEVEL_COUNT(k, field, standard, ...)                                                                 \
    LEVEL_INPUT(k, field, ORO_INT, standard, .min = 0, .max = 100000, .soft_max = 4000, __VA_ARGS__)
#define LEVEL_STRENGTH(k, field, what)                                                                       \
    LEVEL_INPUT(k, field, ORO_FLOAT, 1, .min = 0, .max = 1000, .soft_max = 4,                                \
                .doc = "Strength at this level: multiplies " what)
/* The row of level k, with its standard factor and iterations. */
#define LEVEL(k, refines, carves, slides, settles)                                                           \
    LEVEL_INPUT(k, factor, ORO_INT, refines, .min = 0, .max = 64, .soft_max = 8,                             \
                .doc = "How many times more cells along each side; 1 erodes without refining, 0 leaves "     \
                       "the level out"),                                                                     \
        LEVEL_COUNT(k, iterations, carves, .doc = "Steps of fluvial erosion"),                               \
        LEVEL_COUNT(k, thermal_iterations, slides, .doc = "Steps of thermal erosion"),                       \
        LEVEL_COUNT(k, deposition_iterations, settles,                                                       \
                    .doc = "Steps of deposition, of what fluvial erosion carved at this level"),             \
        LEVEL_STRENGTH(k, erosion, "`erodibility`"), LEVEL_STRENGTH(k, thermal, "`amount`"),                 \
        LEVEL_STRENGTH(k, deposition, "`creation` and `settling`")

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to amplify"),
    ORO_IN_DRAINAGE,
    LEVEL(1, 1, 1200, 200, 400),
    LEVEL(2, 2, 1000, 200, 400),
    LEVEL(3, 2, 600, 200, 300),
    LEVEL(4, 2, 300, 150, 200),
    LEVEL(5, 0, 200, 100, 150),
    LEVEL(6, 0, 150, 100, 150),
    ORO_IN_FLOAT(
        struct params, erodibility, 0.0005, .min = 0, .max = 1, .soft_max = 0.005, .group = "Fluvial erosion",
        .doc = "Depth that one iteration carves where slope and drainage area are 1, in reference cells "
               "(coefficient k)"),
    ORO_IN_MAP(struct params, hardness, 0, .min = 0, .max = 1, .group = "Fluvial erosion",
               .doc = "Resistance of the rock: 0 erodes freely, 1 not at all"),
    ORO_IN_MAP(struct params, repose, 46.6, .min = 0, .max = 89, .soft_min = 20, .soft_max = 60,
               .unit = ORO_DEGREE, .group = "Thermal erosion",
               .doc = "Angle at which loose material comes to rest"),
    ORO_IN_FLOAT(struct params, repose_variation, 7.9, .min = 0, .max = 45, .unit = ORO_DEGREE,
                 .group = "Thermal erosion", .doc = "How far noise varies it, up and down"),
    ORO_IN_FLOAT(struct params, variation_size, 435, .min = 0.1, .max = 1e6, .soft_min = 10, .soft_max = 5000,
                 .unit = ORO_METRE, .group = "Thermal erosion", .doc = "Size of that noise's features"),
    ORO_IN_FLOAT(struct params, amount, 0.00005, .min = 0, .max = 1, .soft_max = 0.001,
                 .group = "Thermal erosion",
                 .doc = "What slides at most in one iteration, in metres per square metre of reference cell"),
    ORO_IN_CHOICE(struct params, deposition_method, 0, oro_deposition_words, .group = "Deposition",
                  .doc = ORO_DEPOSITION_METHODS),
    ORO_IN_DEPOSITION(struct params, .group = "Deposition"),
    ORO_IN_STREAM_POWER(struct params),
    ORO_IN_FLOW(struct params),
    ORO_IN_MAP(struct params, sea, 0, .min = 0, .max = 1, .group = "Flow",
               .doc =
                   "Where this mask is above 0.5, water has arrived: breaching leads it there, or over the "
                   "border"),
    ORO_IN_BOOL(struct params, retarget, true, .group = "Retargeting",
                .doc = "Gives the chosen places back the height they have in `terrain`, as `retarget` does"),
    ORO_IN_CHOICE(
        struct params, method, 0, methods, .group = "Retargeting",
        .doc = "Which places get their height back. ridges: crest lines, and peaks. peaks: peaks alone. "
               "field: where `constraints` is above 0.5. points: those of `points` alone"),
    ORO_IN_TEXT(struct params, points, "", .handle = ORO_HANDLE_SPOTS, .group = "Retargeting",
                .doc =
                    "Places whose elevation is known, whatever the method: \"x y elevation; x y elevation\", "
                    "in metres, x from the west and y from the north"),
    ORO_IN_FIELD("constraints", .optional = true, .group = "Retargeting",
                 .doc = "For the method `field`: places to correct are those above 0.5"),
    ORO_IN_FLOAT(struct params, reach, 0, .handle = ORO_HANDLE_RADIUS, .handle_at = "points", .min = 0,
                 .max = 1e7, .soft_max = 5000, .unit = ORO_METRE, .group = "Retargeting",
                 .doc = "How far from those places the ground is lifted or lowered with them. 0: everywhere "
                        "between them"),
    ORO_IN_FLOAT(struct params, tolerance, 0.001, .min = 0.00001, .max = 100, .soft_max = 0.1,
                 .unit = ORO_METRE, .group = "Retargeting",
                 .doc = "How exact the correction is between the places; at them it always is"),
    ORO_IN_MAP(struct params, ridge_area, 0, .min = 0, .max = 1e12, .soft_max = 100000,
               .unit = ORO_SQUARE_METRE, .group = "Retargeting",
               .doc = "Cells that drain less than this are ridges: larger values take in side ridges and "
                      "slopes. 0: two cells"),
    ORO_IN_FLOAT(struct params, peak_radius, 500, .min = 0, .max = 1e7, .soft_max = 5000, .unit = ORO_METRE,
                 .group = "Retargeting",
                 .doc =
                     "A peak is the highest place of `terrain` as far as this to the north, south, east and "
                     "west. 0: no peaks"),
    ORO_IN_BOOL(struct params, breach, true, .group = "Breaching",
                .doc = "Carves a way out for all water at the end, as `multiscale_breach` does"),
    ORO_IN_FLOAT(
        struct params, radius, 500, .min = 0, .max = 1e6, .soft_max = 2000, .unit = ORO_METRE,
        .group = "Breaching",
        .doc = "How far the first and widest carving reaches to either side. 0 carves as `breach` does"),
    ORO_IN_CHOICE(struct params, kernel, 0, kernels, .group = "Breaching",
                  .doc = "Cross-section of the valleys that are carved: as in `multiscale_breach`"),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.doc = "Elevation at the finest resolution"),
    ORO_OUT_FIELD("drainage", .unit = ORO_SQUARE_METRE,
                  .doc =
                      "Area that drains through each cell: exact with `breach`, else that of the last level"),
    ORO_OUT_FIELD("eroded", .unit = ORO_METRE, .doc = "Depth that fluvial erosion carved at the last level"),
    ORO_OUT_FIELD("carved", .unit = ORO_METRE, .doc = "Depth that breaching carved"),
    ORO_OUT_FIELD("correction", .unit = ORO_METRE, .doc = "What retargeting added"),
    {0},
};

static void forward(struct oro_build *b, int node, const char *const *names)
{
    for (; *names; names++)
        oro_build_forward(b, node, *names, *names);
}

static const char *const level_names[] = {"hardness",
                                          "repose",
                                          "repose_variation",
                                          "variation_size",
                                          "deposition_method",
                                          "capacity",
                                          "least_slope",
                                          "rain",
                                          "flow_exponent",
                                          "borders",
                                          "slope_exponent",
                                          "area_exponent",
                                          "slope_limit",
                                          "area_limit",
                                          "area_unit",
                                          "reference_cell",
                                          "seed",
                                          "mask",
                                          NULL};
static const char *const retarget_names[] = {"method",        "constraints", "points",    "ridge_area",
                                             "peak_radius",   "reach",       "tolerance", "rain",
                                             "flow_exponent", "borders",     "mask",      NULL};
static const char *const breach_names[] = {"radius", "kernel", "sea", "borders", "mask", NULL};

/* Forwards the input of level k, "iterations3", to `input` of a part. */
static void forward_row(struct oro_build *b, int node, int k, const char *input)
{
    char own[40];
    snprintf(own, sizeof own, "%s%d", input, k + 1);
    oro_build_forward(b, node, input, own);
}

/* The common coefficient times the level's strength, within what the part takes. */
static void strengthen(struct oro_build *b, int node, const char *input, float common, float strength,
                       double most)
{
    oro_build_number(b, node, input, fmin((double)(common * strength), most));
}

/* `before`: the part before, -1 for the chain's own input. Returns the level's part. */
static int add_level(struct oro_build *b, const struct params *p, int k, int before)
{
    const struct level *level = &p->levels[k];
    char name[16];
    snprintf(name, sizeof name, "level%d", k + 1);
    int node = oro_build_node(b, "amplify", name);
    if (before < 0)
        forward(b, node, (const char *const[]){"terrain", "drainage", NULL});
    for (int i = 0; before >= 0 && i < 2; i++) {
        const char *output = i ? "drainage" : "terrain";
        oro_build_link(b, node, output, before, output);
    }
    forward_row(b, node, k, "factor");
    forward_row(b, node, k, "iterations");
    forward_row(b, node, k, "thermal_iterations");
    forward_row(b, node, k, "deposition_iterations");
    strengthen(b, node, "erodibility", p->erodibility, level->erosion, 1);
    strengthen(b, node, "amount", p->amount, level->thermal, 1);
    strengthen(b, node, "creation", p->creation, level->deposition, 10);
    strengthen(b, node, "settling", p->settling, level->deposition, 1);
    forward(b, node, level_names);
    return node;
}

/* All levels that are used. Without one, the terrain as it is: a level that does nothing. */
static int add_levels(struct oro_build *b, const struct params *p, bool *any)
{
    int last = -1;
    for (int k = 0; k < LEVELS; k++)
        if (p->levels[k].factor > 0)
            last = add_level(b, p, k, last);
    *any = last >= 0;
    if (*any)
        return last;
    last = oro_build_node(b, "amplify", "unchanged");
    forward(b, last, (const char *const[]){"terrain", "drainage", NULL});
    static const char *const off[] = {"iterations", "thermal_iterations", "deposition_iterations"};
    oro_build_number(b, last, "factor", 1);
    for (int i = 0; i < 3; i++)
        oro_build_number(b, last, off[i], 0);
    return last;
}

static int add_retarget(struct oro_build *b, const struct params *p, int last)
{
    if (!p->retarget)
        return last;
    int node = oro_build_node(b, "retarget", "retarget");
    oro_build_link(b, node, "terrain", last, "terrain");
    oro_build_forward(b, node, "reference", "terrain");
    forward(b, node, retarget_names);
    return node;
}

static int add_breach(struct oro_build *b, const struct params *p, int before)
{
    if (!p->breach)
        return before;
    int node = oro_build_node(b, "multiscale_breach", "breach");
    oro_build_link(b, node, "terrain", before, "terrain");
    forward(b, node, breach_names);
    return node;
}

/* Breaching knows the exact drainage; without it, that of the last level will do. */
static int add_drainage(struct oro_build *b, const struct params *p, int last, int end, bool any)
{
    if (p->breach || any)
        return p->breach ? end : last;
    int node = oro_build_node(b, "flow", "flow");
    oro_build_link(b, node, "terrain", end, "terrain");
    forward(b, node, (const char *const[]){"rain", "sea", "borders", NULL});
    return node;
}

/* Zeros, for the outputs of a step that is left out. */
static int add_nothing(struct oro_build *b, const struct params *p, int end)
{
    if (p->retarget && p->breach)
        return -1;
    int node = oro_build_node(b, "constant", "none");
    oro_build_link(b, node, "like", end, "terrain");
    return node;
}

static bool expand(struct oro_build *b, const void *data)
{
    const struct params *p = data;
    bool any;
    int last = add_levels(b, p, &any), retargeted = add_retarget(b, p, last);
    int end = add_breach(b, p, retargeted), nothing = add_nothing(b, p, end);
    oro_build_output(b, "terrain", end, "terrain");
    oro_build_output(b, "drainage", add_drainage(b, p, last, end, any), "drainage");
    oro_build_output(b, "eroded", last, "eroded");
    oro_build_output(b, "carved", p->breach ? end : nothing, p->breach ? "carved" : "field");
    oro_build_output(b, "correction", p->retarget ? retargeted : nothing,
                     p->retarget ? "correction" : "field");
    return true;
}

static const struct oro_node_migration migrations[] = {
    ORO_STREAM_POWER_MIGRATIONS,
    {.from = 1, .new_name = "deposition_method", .value = "hollows"},
    {.from = 1, .new_name = "deposition_iterations1", .value = "200"},
    {.from = 1, .new_name = "deposition_iterations2", .value = "200"},
    {.from = 1, .new_name = "deposition_iterations3", .value = "200"},
    {.from = 1, .new_name = "deposition_iterations4", .value = "150"},
    {.from = 1, .new_name = "deposition_iterations5", .value = "100"},
    {.from = 1, .new_name = "deposition_iterations6", .value = "100"},
    {0}};

ORO_NODE(
    amplify_chain, .version = 2, .category = "erosion", .migrations = migrations,
    .doc =
        "The whole amplification in one node: up to six levels, each as `amplify` does it, then the ridges "
        "are put back to the heights they had, then everything is carved that still keeps water from "
        "leaving. It shares the cache with the same nodes wired by hand. In a preview, levels above its "
        "resolution are left out, and the rest is done.",
    .paper = "Schott 2024, sections 3 to 5", .expand = expand);
