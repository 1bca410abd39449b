/* One level of multi-scale amplification: finer, carved, stabilised, filled. */
#include <stdio.h>

#include "graph/type/node.h"
#include "nodes/erosion/amplify_inputs.h"
#include "nodes/lib/composite.h"

struct params {
    int factor;
    float kept_size, water;
    ORO_AMPLIFY_PARAMS;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to amplify"),
    ORO_IN_DRAINAGE,
    ORO_IN_INT(struct params, factor, 2, .role = ORO_ROLE_CELLS, .min = 1, .max = 64, .soft_max = 8,
               .doc = "How many times more cells along each side; 1 erodes without refining"),
    ORO_IN_GROUND(struct params),
    ORO_IN_FIELD("reference", .optional = true, .unit = ORO_METRE, .group = "Detail",
                 .doc =
                     "Where ground is kept: the ground to keep to, of any resolution. Without it, `terrain`"),
    ORO_IN_FLOAT(
        struct params, kept_size, 0, .when = "ground=kept", .min = 0, .max = 1e7, .soft_max = 2000,
        .unit = ORO_METRE, .group = "Detail",
        .doc = "Where ground is kept: what is wider than this keeps its height. 0: a cell of `terrain`"),
    ORO_IN_FIELD("original", .optional = true, .unit = ORO_METRE, .group = "Detail",
                 .doc = "Where ground is kept: the ground in which lakes, fjords and playas are found, which "
                        "stay level, of any resolution. Without it, `reference` or `terrain`"),
    ORO_IN_MAP(struct params, water, 0, .when = "ground=kept", .min = 0, .max = 1, .group = "Detail",
               .doc =
                   "Where ground is kept: where this mask is above 0.5, water stands, and the ground beneath "
                   "gets no detail"),
    ORO_IN_DETAIL(struct params),
    ORO_IN_EROSION(struct params),
    ORO_IN_STREAM_POWER_UP_TO(struct params, 1000),
    ORO_IN_FLOW(struct params),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.doc = "Elevation at the finer resolution"),
    ORO_OUT_FIELD("drainage", .unit = ORO_SQUARE_METRE,
                  .doc = "Area that drains through each cell: link it to the next level"),
    ORO_OUT_FIELD("level_ground", .doc = "1 on level ground and in water, else 0"),
    ORO_OUT_FIELD("eroded", .unit = ORO_METRE, .doc = "Depth that fluvial erosion carved at this level"),
    ORO_OUT_FIELD("deposited", .unit = ORO_METRE, .doc = "Depth of sediment that settled at this level"),
    {0},
};

static const char *const law_names[] = {"slope_exponent", "area_exponent",  "slope_limit", "area_limit",
                                        "area_unit",      "reference_cell", NULL};
static const char *const flow_names[] = {"rain", "flow_exponent", "borders", "mask", NULL};
static const char *const thermal_names[] = {
    "repose", "repose_variation", "variation_size", "reference_cell", "seed", "mask", NULL};
static const char *const deposition_names[] = {"creation", "settling", "capacity", "least_slope", NULL};

/* Where the level is: the part whose output `terrain` it is, -1 for the node's own input; and the part that
 * knows the drainage. */
struct level {
    struct oro_build *build;
    const struct params *params;
    int ground, water;
    int reference;                 /* the part that refined `reference`, or -1 */
    int level;                     /* the part that kept level ground, or -1 */
    struct oro_part_output carved; /* how much, so far */
};

static void link_ground(struct level *l, int node, const char *input, int from)
{
    if (from < 0)
        oro_build_forward(l->build, node, input, "terrain");
    else
        oro_build_link(l->build, node, input, from, "terrain");
}

static int add_part(struct level *l, const char *type, const char *stem, int round)
{
    char name[32];
    snprintf(name, sizeof name, round ? "%s%d" : "%s", stem, round + 1);
    int node = oro_build_node(l->build, type, name);
    link_ground(l, node, "terrain", l->ground);
    return node;
}

static void add_upsample(struct level *l, const char *method)
{
    if (l->params->factor == 1)
        return;
    int node = add_part(l, "upsample", "upsample", 0);
    oro_build_forward(l->build, node, "factor", "factor");
    oro_build_text(l->build, node, "method", method);
    l->ground = node;
}

/* A level has iterations of its own, meant for its cells: no duration (docs/time.md). */
static void count_iterations(struct level *l, int node, int iterations)
{
    oro_build_number(l->build, node, "iterations", iterations);
    oro_build_number(l->build, node, "duration", 0);
}

/* Returns the part. */
static int add_fluvial(struct level *l, int round, int iterations, int rock)
{
    int node = add_part(l, "fluvial_erosion", "fluvial_erosion", round);
    count_iterations(l, node, iterations);
    oro_build_forward(l->build, node, "hardness", "hardness");
    if (l->params->ground == ORO_GROUND_FREE)
        oro_build_forward(l->build, node, "depth", "depth");
    oro_forward_all(l->build, node, law_names);
    oro_forward_all(l->build, node, flow_names);
    if (rock < 0)
        oro_build_forward(l->build, node, "erodibility", "erodibility");
    else
        oro_build_link(l->build, node, "erodibility", rock, "erodibility");
    if (l->water < 0)
        oro_build_forward(l->build, node, "drainage", "drainage");
    else
        oro_build_link(l->build, node, "drainage", l->water, "drainage");
    return l->ground = l->water = node;
}

static void add_thermal(struct level *l, int round, int iterations)
{
    if (iterations == 0 && l->params->ground == ORO_GROUND_KEPT)
        return;
    int node = add_part(l, "thermal_erosion", "thermal_erosion", round);
    count_iterations(l, node, iterations);
    oro_forward_all(l->build, node, thermal_names);
    if (l->params->ground == ORO_GROUND_FREE)
        oro_build_forward(l->build, node, "amount", "amount");
    else
        oro_build_number(l->build, node, "amount", 1); /* as much as lies too steeply */
    l->ground = node;
}

/* `smooth`: the part with the ground that the level starts from, -1 for the node's own input. */
static void add_keep(struct level *l, int round, double size, int smooth)
{
    int node = add_part(l, "keep_ground", "keep_ground", round);
    if (l->reference >= 0)
        oro_build_link(l->build, node, "reference", l->reference, "terrain");
    else if (oro_build_linked(l->build, "reference"))
        oro_build_forward(l->build, node, "reference", "reference");
    else
        link_ground(l, node, "reference", smooth);
    oro_build_number(l->build, node, "size", size);
    oro_build_number(l->build, node, "sweeps", round < l->params->rounds ? 1 : 6);
    oro_build_forward(l->build, node, "mask", "mask");
    l->ground = node;
}

/* Where the strength of detail is known, at the fine resolution. */
static int add_rock(struct level *l, double size)
{
    int node = add_part(l, "rock", "rock", 0);
    oro_build_number(l->build, node, "size", size);
    oro_forward_all(
        l->build, node,
        (const char *const[]){"detail", "roughness", "variation", "strength", "seed", "mask", NULL});
    oro_forward_all(l->build, node, law_names);
    oro_build_number(l->build, node, "made", oro_build_linked(l->build, "reference"));
    return l->ground = node;
}

static void add_limit(struct level *l, int smooth, int rock, double size)
{
    int node = add_part(l, "limit_detail", "limit_detail", 0);
    link_ground(l, node, "reference", smooth);
    oro_build_link(l->build, node, "amplitude", rock, "amplitude");
    oro_build_number(l->build, node, "size", size);
    oro_forward_all(l->build, node, (const char *const[]){"smoothness", "along", "depth", "mask", NULL});
    l->ground = node;
}

/* A reference that is coarser by a whole number is refined so that its means stay. */
static void add_reference(struct level *l, const struct oro_grid *coarse)
{
    const struct oro_grid *reference = oro_build_grid(l->build, "reference");
    int ratio = reference && coarse ? coarse->width * l->params->factor / reference->width : 1;
    if (ratio < 2 || ratio > 64 || reference->width * ratio != coarse->width * l->params->factor)
        return;
    l->reference = oro_build_node(l->build, "upsample", "reference");
    oro_build_forward(l->build, l->reference, "terrain", "reference");
    oro_build_number(l->build, l->reference, "factor", ratio);
    oro_build_text(l->build, l->reference, "method", "means");
}

/* Adds what a part of the erosion carved to what was carved before. */
static void sum_up(struct level *l, int round)
{
    char name[32];
    snprintf(name, sizeof name, "carved%d", round + 1);
    oro_add_to_sum(l->build, &l->carved, (struct oro_part_output){l->water, "eroded"}, name);
}

/* What was level stays so. It is looked for once for all levels, which share the part. */
static void add_level(struct level *l, int smooth)
{
    const char *const from = oro_build_linked(l->build, "original")    ? "original"
                             : oro_build_linked(l->build, "reference") ? "reference"
                                                                       : "terrain";
    int found = oro_build_node(l->build, "level_ground", "found");
    oro_build_forward(l->build, found, "terrain", from);
    int node = l->level = add_part(l, "keep_level", "keep_level", 0);
    oro_build_forward(l->build, node, "reference", from);
    oro_build_link(l->build, node, "level", found, "level");
    link_ground(l, node, "smooth_ground", l->reference >= 0 ? l->reference : smooth);
    oro_forward_all(l->build, node, (const char *const[]){"water", "mask", NULL});
    l->ground = node;
}

static void add_kept(struct level *l)
{
    const struct params *p = l->params;
    const struct oro_grid *coarse = oro_build_grid(l->build, "terrain");
    double size = coarse ? coarse->cell * (p->factor > 1 ? 1 : 2) : 0;
    double kept = p->kept_size > 0 ? (double)p->kept_size : size;
    add_upsample(l, "means");
    if (l->ground >= 0)
        oro_build_number(l->build, l->ground, "made", oro_build_linked(l->build, "reference"));
    add_reference(l, coarse);
    int smooth = l->ground, rock = add_rock(l, size);
    for (int round = 0; round < p->rounds; round++) {
        int done = p->iterations * round / p->rounds, slid = p->thermal_iterations * round / p->rounds;
        add_fluvial(l, round, p->iterations * (round + 1) / p->rounds - done, rock);
        sum_up(l, round);
        add_thermal(l, round, p->thermal_iterations * (round + 1) / p->rounds - slid);
        add_keep(l, round, kept, smooth);
    }
    add_limit(l, smooth, rock, size);
    add_keep(l, p->rounds, kept, smooth);
    add_level(l, smooth);
}

static void add_free(struct level *l)
{
    add_upsample(l, "catmull_rom");
    add_fluvial(l, 0, l->params->iterations, -1);
    sum_up(l, 0);
    add_thermal(l, 0, l->params->thermal_iterations);
}

static int add_deposition(struct level *l)
{
    int node = add_part(l, "deposition", "deposition", 0);
    oro_build_link(l->build, node, "drainage", l->water, "drainage");
    oro_build_link(l->build, node, "sediment", l->carved.node, l->carved.output);
    oro_build_forward(l->build, node, "iterations", "deposition_iterations");
    oro_build_number(l->build, node, "duration", 0);
    oro_build_forward(l->build, node, "method", "deposition_method");
    oro_forward_all(l->build, node, law_names);
    oro_forward_all(l->build, node, flow_names);
    oro_forward_all(l->build, node, deposition_names);
    return node;
}

/* Zeros. */
static int add_nothing(struct level *l)
{
    int node = oro_build_node(l->build, "constant", "none");
    link_ground(l, node, "like", l->ground);
    return node;
}

static bool expand(struct oro_build *b, const void *data)
{
    const struct params *p = data;
    struct level level = {.build = b,
                          .params = p,
                          .ground = -1,
                          .water = -1,
                          .reference = -1,
                          .level = -1,
                          .carved = {.node = -1}};
    if (p->ground == ORO_GROUND_KEPT)
        add_kept(&level);
    else
        add_free(&level);
    int deposition = add_deposition(&level);
    oro_build_output(b, "terrain", deposition, "terrain");
    oro_build_output(b, "drainage", deposition, "drainage");
    if (level.level < 0)
        oro_build_output(b, "level_ground", add_nothing(&level), "field");
    else
        oro_build_output(b, "level_ground", level.level, "level_ground");
    oro_build_output(b, "eroded", level.carved.node, level.carved.output);
    oro_build_output(b, "deposited", deposition, "deposited");
    return true;
}

ORO_NODE(amplify, .version = 1, .category = "erosion",
         .words = "add detail, super resolution, upres, refine, enhance, more detail",
         .doc = "Adds one level of detail to a terrain: refines it, gives it the texture of rock, carves it "
                "by fluvial "
                "erosion and lets steep slopes slide while it keeps the ground's height, and drops the "
                "sediment. A chain of "
                "these turns a sketch of 128 cells into a landscape of 4096. Above the resolution of a "
                "preview the terrain "
                "passes unchanged.",
         .paper = "Schott 2024, sections 3 and 4: A = D(T(E(U)))", .expand = expand);
