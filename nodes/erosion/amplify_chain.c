/* A whole amplification: levels as a table, then the old heights put back, then a way out for all water. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graph/type/node.h"
#include "nodes/erosion/amplify_inputs.h"
#include "nodes/erosion/amplify_levels.h"
#include "nodes/lib/composite.h"

struct params {
    const char *levels;
    ORO_AMPLIFY_PARAMS;
    int method, kernel, basins;
    bool retarget, breach;
    const char *points;
    float lake_area, ridge_area, peak_radius, reach, tolerance, radius, sides, least_gradient, sea;
};

/* Words of `retarget` and `multiscale_breach`; a test holds the lists together. */
static const char *const methods[] = {"ridges", "peaks", "field", "points", NULL};
static const char *const kernels[] = {"smooth", "cone", "box", NULL};

enum { SETTLE, LAKES, GORGES, KEEP };
static const char *const basins[] = {"settle", "lakes", "gorges", "keep", NULL};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation to amplify"),
    ORO_IN_DRAINAGE,
    ORO_IN_TEXT(
        struct params, levels, "2; 2; 2", .role = ORO_ROLE_CELLS,
        .doc = "The levels, up to 12, with semicolons between: how many times finer each is, 1 to erode "
               "without refining, then what differs from the inputs below: \"2; 2 iterations=30 depth=40; 2 "
               "detail=1.5\". A level may have iterations, thermal and deposition (steps), depth (metres), "
               "repose (degrees), hardness, and factors of strength: erosion, slides, sediment, detail"),
    ORO_IN_GROUND(struct params),
    ORO_IN_DETAIL(struct params),
    ORO_IN_EROSION(struct params),
    ORO_IN_STREAM_POWER_UP_TO(struct params, 1000),
    ORO_IN_FLOW(struct params),
    ORO_IN_MAP(struct params, sea, 0, .role = ORO_ROLE_SEA, .min = 0, .max = 1, .group = "Flow",
               .doc =
                   "Where this mask is above 0.5, water has arrived: breaching leads it there, or over the "
                   "border"),
    ORO_IN_BOOL(struct params, retarget, false, .group = "Retargeting",
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
    ORO_IN_CHOICE(
        struct params, basins, SETTLE, basins, .group = "Breaching",
        .doc =
            "What becomes of closed basins of the terrain before the first level, where ground is kept. "
            "settle: sediment fills them to plains, and valleys open them, as `settle` does. lakes: the "
            "same, "
            "but large ones stay, with water up to where they spill. gorges: their water is led out through "
            "valleys as narrow as the terrain's cells allow. keep: they stay, and breaching in the end cuts "
            "deep through finished ground"),
    ORO_IN_FLOAT(struct params, lake_area, 0, .when = "basins=lakes", .min = 0, .max = 1e15, .soft_max = 1e7,
                 .unit = ORO_SQUARE_METRE, .group = "Breaching",
                 .doc = "Lakes are the basins whose water covers as much. 0: 16 of the terrain's cells"),
    ORO_IN_BOOL(struct params, breach, true, .group = "Breaching",
                .doc = "Carves a way out for all water at the end, as `multiscale_breach` does"),
    ORO_IN_FLOAT(struct params, radius, 0, .min = 0, .max = 1e6, .soft_max = 2000, .unit = ORO_METRE,
                 .group = "Breaching",
                 .doc = "How far the first and widest carving at the end reaches to either side, as in "
                        "`multiscale_breach`. "
                        "0: a quarter of a cell of `terrain`"),
    ORO_IN_CHOICE(struct params, kernel, 0, kernels, .group = "Breaching",
                  .doc = "Cross-section of the valleys that are carved: as in `multiscale_breach`"),
    ORO_IN_FLOAT(struct params, sides, 35, .min = 0, .max = 89, .soft_max = 60, .unit = ORO_DEGREE,
                 .group = "Breaching",
                 .doc = "How steeply the sides of what was carved rise at most: as in `multiscale_breach`"),
    ORO_IN_FLOAT(struct params, least_gradient, 0.05, .min = 0, .max = 45, .soft_max = 2, .unit = ORO_DEGREE,
                 .group = "Breaching",
                 .doc = "How steeply carved channels fall at least: as in `multiscale_breach`"),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.doc = "Elevation at the finest resolution"),
    ORO_OUT_FIELD("level", .unit = ORO_METRE,
                  .doc = "The same with the water of lakes, where `basins` is lakes and `breach` is on"),
    ORO_OUT_FIELD("lakes", .doc = "1 in those lakes, else 0"),
    ORO_OUT_FIELD("drainage", .unit = ORO_SQUARE_METRE,
                  .doc =
                      "Area that drains through each cell: exact with `breach`, else that of the last level"),
    ORO_OUT_FIELD("level_ground", .doc = "1 on level ground, such as lakes, and in the sea, else 0"),
    ORO_OUT_FIELD("eroded", .unit = ORO_METRE,
                  .doc = "Depth that fluvial erosion carved, all levels together"),
    ORO_OUT_FIELD("deposited", .unit = ORO_METRE,
                  .doc = "Depth of sediment that settled, all levels together"),
    ORO_OUT_FIELD(
        "wear", .doc =
                    "Where rock is worn, 0..1: what was carved less what settled; the lowest and the highest "
                    "hundredth of the cells are cut off"),
    ORO_OUT_FIELD("carved", .unit = ORO_METRE, .doc = "Depth that breaching carved"),
    ORO_OUT_FIELD("correction", .unit = ORO_METRE, .doc = "What retargeting added"),
    {0},
};

static const char *const level_names[] = {"ground",
                                          "rounds",
                                          "seed",
                                          "mask",
                                          "rain",
                                          "borders",
                                          "roughness",
                                          "smoothness",
                                          "along",
                                          "variation",
                                          "repose_variation",
                                          "variation_size",
                                          "deposition_method",
                                          "capacity",
                                          "least_slope",
                                          "flow_exponent",
                                          "slope_exponent",
                                          "area_exponent",
                                          "slope_limit",
                                          "area_limit",
                                          "area_unit",
                                          "reference_cell",
                                          NULL};
static const char *const retarget_names[] = {"method",        "constraints", "points",    "ridge_area",
                                             "peak_radius",   "reach",       "tolerance", "rain",
                                             "flow_exponent", "borders",     "mask",      NULL};
static const char *const breach_names[] = {"kernel", "sides", "least_gradient", "sea", "borders",
                                           "mask",   NULL};

/* Where the chain is: the last level's part, -1 if there is none yet, and the sums of what the levels carved
 * and dropped. */
struct chain {
    struct oro_build *build;
    const struct params *params;
    int last;
    int start; /* the part whose ground the levels start from and keep, -1: the chain's own input */
    struct oro_part_output eroded, deposited;
    double cell; /* of the terrain that came in; 0: not known */
};

/* What the level gives of its own; the rest, and what is linked, is the chain's. A strength multiplies the
 * chain's number, within what the part takes; a map, which cannot be multiplied, gives way to it. */
static void set_level(struct chain *c, int node, const struct oro_amplify_level *level)
{
    oro_build_number(c->build, node, "factor", level->factor);
    oro_forward_all(c->build, node, level_names);
    for (int i = 0; i < ORO_LEVEL_KEYS; i++) {
        const struct oro_level_key *key = &oro_level_keys[i];
        for (const char *const *name = key->inputs; *name; name++) {
            const struct oro_input *own = inputs;
            float common;
            while (strcmp(own->name, *name) != 0)
                own++;
            if (!key->factor || !level->given[i])
                oro_build_forward(c->build, node, *name, *name);
            if (!level->given[i])
                continue;
            memcpy(&common, (const char *)c->params + own->offset, sizeof common);
            oro_build_number(c->build, node, *name,
                             key->factor ? fmin((double)common * level->value[i], own->max)
                                         : level->value[i]);
        }
    }
}

static void link_start(struct chain *c, int node, const char *input)
{
    if (c->start < 0)
        oro_build_forward(c->build, node, input, "terrain");
    else
        oro_build_link(c->build, node, input, c->start, "terrain");
}

/* Ground that is kept keeps its closed basins, too, in which all valleys would end: they are opened at the
 * terrain's own resolution. Gorges have sides of a cell's width: channels of one cell would ring when they
 * are refined, in rows of beads, and facets of straight sides would stay. Returns the part. */
static int add_ways(struct oro_build *b, const struct params *p, double cell)
{
    const double lake_cells = 16, least_cells = 25;
    if (p->basins == KEEP || p->ground == ORO_GROUND_FREE)
        return -1;
    int node = oro_build_node(b, p->basins == GORGES ? "multiscale_breach" : "settle", "ways");
    oro_forward_all(b, node, (const char *const[]){"terrain", "sea", "borders", "mask", NULL});
    if (p->basins != GORGES)
        oro_build_number(b, node, "least_area", least_cells * cell * cell);
    if (p->basins == LAKES)
        oro_build_number(b, node, "lake_area",
                         p->lake_area > 0 ? (double)p->lake_area : lake_cells * cell * cell);
    if (p->basins == GORGES) {
        oro_build_forward(b, node, "least_gradient", "least_gradient");
        oro_build_number(b, node, "radius", cell);
        oro_build_number(b, node, "sides", 0);
    }
    return node;
}

/* Ground that is kept is carved in so few steps that water would not get far: the exact drainage comes first.
 * Returns its part, -1: drainage comes from elsewhere. */
static int add_water(struct chain *c)
{
    if (c->last >= 0 || c->params->ground == ORO_GROUND_FREE || oro_build_linked(c->build, "drainage"))
        return -1;
    int flow = oro_build_node(c->build, "flow", "water");
    link_start(c, flow, "terrain");
    oro_forward_all(c->build, flow, (const char *const[]){"rain", "borders", NULL});
    return flow;
}

/* Adds what a level carved or dropped to the sum over all levels. */
static void add_sum(struct chain *c, struct oro_part_output *sum, int part, const char *output, int k)
{
    char name[32];
    snprintf(name, sizeof name, "%s%d", output, k + 1);
    oro_add_to_sum(c->build, sum, (struct oro_part_output){part, output}, name);
}

static void add_level(struct chain *c, const struct oro_amplify_level *level, int k)
{
    char name[32];
    snprintf(name, sizeof name, "level%d", k + 1);
    int water = c->last < 0 ? add_water(c) : c->last, node = oro_build_node(c->build, "amplify", name);
    if (c->last < 0) {
        link_start(c, node, "terrain");
    } else {
        oro_build_link(c->build, node, "terrain", c->last, "terrain");
        link_start(c, node, "reference");
        oro_build_number(c->build, node, "kept_size", c->cell);
    }
    if (water >= 0)
        oro_build_link(c->build, node, "drainage", water, "drainage");
    else
        oro_build_forward(c->build, node, "drainage", "drainage");
    oro_build_forward(c->build, node, "original", "terrain");
    oro_build_forward(c->build, node, "water", "sea");
    set_level(c, node, level);
    add_sum(c, &c->eroded, node, "eroded", k);
    add_sum(c, &c->deposited, node, "deposited", k);
    c->last = node;
}

/* All levels that are used. Without one, the terrain as it is: a level that does nothing. */
static bool add_levels(struct chain *c, struct oro_amplify_level levels[ORO_LEVELS_MAX], int count)
{
    for (int k = 0; k < count; k++)
        if (levels[k].factor > 0)
            add_level(c, &levels[k], k);
    if (c->last >= 0)
        return true;
    oro_amplify_levels_read("1 iterations=0 thermal=0 deposition=0", levels, &count, NULL);
    int node = c->last = oro_build_node(c->build, "amplify", "unchanged");
    c->eroded = (struct oro_part_output){node, "eroded"};
    c->deposited = (struct oro_part_output){node, "deposited"};
    oro_forward_all(c->build, node, (const char *const[]){"terrain", "drainage", NULL});
    set_level(c, node, &levels[0]);
    oro_build_text(c->build, node, "ground", "free");
    return false;
}

static int add_retarget(struct oro_build *b, const struct params *p, int last)
{
    if (!p->retarget)
        return last;
    int node = oro_build_node(b, "retarget", "retarget");
    oro_build_link(b, node, "terrain", last, "terrain");
    oro_build_forward(b, node, "reference", "terrain");
    oro_forward_all(b, node, retarget_names);
    return node;
}

/* The lakes of the part `ways`, -1: there are none; and the sea with them. */
struct water {
    int lakes, all;
};

static struct water add_lakes(struct oro_build *b, const struct params *p, int ways)
{
    if (ways < 0 || p->basins != LAKES || !p->breach)
        return (struct water){-1, -1};
    if (!oro_build_linked(b, "sea"))
        return (struct water){ways, ways};
    int all = oro_build_node(b, "combine", "waters");
    oro_build_link(b, all, "a", ways, "lakes");
    oro_build_forward(b, all, "b", "sea");
    oro_build_text(b, all, "method", "max");
    return (struct water){ways, all};
}

static int add_breach(const struct chain *c, int before, const struct water *water)
{
    struct oro_build *b = c->build;
    const struct params *p = c->params;
    if (!p->breach)
        return before;
    int node = oro_build_node(b, "multiscale_breach", "breach");
    oro_build_link(b, node, "terrain", before, "terrain");
    oro_forward_all(b, node, breach_names);
    oro_build_number(b, node, "radius", p->radius > 0 ? (double)p->radius : 0.25 * c->cell);
    if (p->ground == ORO_GROUND_KEPT)
        oro_build_link(b, node, "level_ground", c->last, "level_ground");
    if (water->all >= 0)
        oro_build_link(b, node, "sea", water->all, water->all == water->lakes ? "lakes" : "field");
    return node;
}

/* Water stands at one level, and has a way out of every lake. Returns the last part. */
static int add_shores(struct oro_build *b, int end, const struct water *water)
{
    if (water->lakes < 0)
        return end;
    int node = oro_build_node(b, "lake", "shores");
    oro_build_link(b, node, "terrain", end, "terrain");
    oro_build_link(b, node, "where", water->lakes, "lakes");
    oro_forward_all(b, node, (const char *const[]){"sea", "borders", NULL});
    oro_build_number(b, node, "depth", 0);
    oro_build_number(b, node, "bank", 90);
    return node;
}

/* Breaching knows the exact drainage; without it, that of the last level will do. */
static int add_drainage(struct oro_build *b, const struct params *p, int last, int end, bool any)
{
    if (p->breach || any)
        return p->breach ? end : last;
    int node = oro_build_node(b, "flow", "flow");
    oro_build_link(b, node, "terrain", end, "terrain");
    oro_forward_all(b, node, (const char *const[]){"rain", "sea", "borders", NULL});
    return node;
}

/* Zeros, for the outputs of a step that is left out. */
static int add_nothing(struct oro_build *b, const struct params *p, int end, const struct water *water)
{
    if (p->retarget && p->breach && water->lakes >= 0)
        return -1;
    int node = oro_build_node(b, "constant", "none");
    oro_build_link(b, node, "like", end, "terrain");
    return node;
}

/* Where more was carved than settled. */
static int add_wear(struct oro_build *b, const struct chain *c)
{
    int net = oro_build_node(b, "combine", "net"), wear = oro_build_node(b, "normalize", "wear");
    oro_build_link(b, net, "a", c->eroded.node, c->eroded.output);
    oro_build_link(b, net, "b", c->deposited.node, c->deposited.output);
    oro_build_text(b, net, "method", "subtract");
    oro_build_link(b, wear, "field", net, "field");
    oro_build_number(b, wear, "clip_low", 1);
    oro_build_number(b, wear, "clip_high", 1);
    return wear;
}

static bool expand(struct oro_build *b, const void *data)
{
    const struct params *p = data;
    struct oro_error err = {0};
    struct oro_amplify_level levels[ORO_LEVELS_MAX];
    int count;
    if (!oro_amplify_levels_read(p->levels, levels, &count, &err))
        return oro_build_fail(b, &err);
    const struct oro_grid *grid = oro_build_grid(b, "terrain");
    double cell = grid ? grid->cell : 0;
    struct chain c = {b, p, -1, add_ways(b, p, cell), {.node = -1}, {.node = -1}, cell};
    bool any = add_levels(&c, levels, count);
    struct water water = add_lakes(b, p, c.start);
    int retargeted = add_retarget(b, p, c.last), end = add_breach(&c, retargeted, &water),
        nothing = add_nothing(b, p, end, &water), shores = add_shores(b, end, &water);
    oro_build_output(b, "terrain", shores, "terrain");
    oro_build_output(b, "level", shores, water.lakes >= 0 ? "level" : "terrain");
    oro_build_output(b, "lakes", water.lakes >= 0 ? shores : nothing, water.lakes >= 0 ? "mask" : "field");
    oro_build_output(b, "drainage", add_drainage(b, p, c.last, end, any), "drainage");
    oro_build_output(b, "level_ground", c.last, "level_ground");
    oro_build_output(b, "eroded", c.eroded.node, c.eroded.output);
    oro_build_output(b, "deposited", c.deposited.node, c.deposited.output);
    oro_build_output(b, "wear", add_wear(b, &c), "field");
    oro_build_output(b, "carved", p->breach ? end : nothing, p->breach ? "carved" : "field");
    oro_build_output(b, "correction", p->retarget ? retargeted : nothing,
                     p->retarget ? "correction" : "field");
    return true;
}

ORO_NODE(amplify_chain, .version = 1, .category = "erosion",
         .words = "super resolution, upres, add detail, increase resolution, refine, enhance, finish",
         .doc = "The whole amplification in one node: up to twelve levels, each as `amplify` does it and all "
                "keeping to the ground that came in, then everything is carved that still keeps water from "
                "leaving. It "
                "shares the cache with the same nodes wired by hand. In a preview, levels above its "
                "resolution are left out, and "
                "the rest is done.",
         .paper = "Schott 2024, sections 3 to 5", .expand = expand);
