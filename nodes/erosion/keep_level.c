/* Keeps lakes, fjords and playas level. */
#include "graph/type/node.h"
#include "nodes/lib/blocks.h"
#include "nodes/lib/range.h"

struct params {
    float water, mask;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation with detail"),
    ORO_IN_FIELD("reference", .own_size = true, .unit = ORO_METRE,
                 .doc =
                     "The ground before it got detail, of any resolution, and not resampled, since what is "
                     "level must be so exactly"),
    ORO_IN_FIELD(
        "level", .own_size = true, .unit = ORO_METRE,
        .doc = "The height of level ground near the cells of `reference`: what `level_ground` finds in it"),
    ORO_IN_FIELD(
        "smooth_ground", .optional = true, .unit = ORO_METRE,
        .doc = "What the ground becomes where `water` stands: the refined reference. Without it, it stays"),
    ORO_IN_MAP(struct params, water, 0, .min = 0, .max = 1,
               .doc =
                   "Where this mask is above 0.5, water stands, and the ground beneath gets no detail, level "
                   "or not"),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Elevation whose level ground is that of the reference"),
    ORO_OUT_FIELD("level_ground", .like = "terrain", .doc = "1 on level ground and in water, else 0"),
    {0},
};

/* What the shore is found with, on the grid of `reference` and on the terrain's own. */
struct shore {
    const struct oro_grid *reference;
    int side; /* fine cells along one of the reference, 0: not a whole number */
    struct oro_buffer *shore, *ground;
    double near; /* cells of the reference that level ground is near */
};

static bool begin(struct oro_eval *e, struct shore *s)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    const int beside = 2; /* cells: level_shore.comp */
    s->reference = oro_eval_input_grid(e, "reference");
    const struct oro_grid *level = oro_eval_input_grid(e, "level");
    if (!s->reference || !level)
        return false;
    if (!oro_grid_same_size(s->reference, level))
        return oro_eval_fail(e, ORO_E_EVALUATE, "'level' has not as many cells as 'reference'");
    int side = grid->width / s->reference->width;
    bool whole = side * s->reference->width == grid->width && side * s->reference->height == grid->height;
    s->side = whole ? side : 0;
    s->ground = oro_eval_field(e);
    s->shore = oro_eval_raster(e, ORO_VECTOR, s->reference);
    struct oro_buffer *near = oro_eval_raster(e, ORO_FIELD, s->reference);
    struct oro_dispatch find = {.kernel = "erosion/level_shore.comp",
                                .slots = {{"reference", oro_eval_input(e, "reference")},
                                          {"level", oro_eval_input(e, "level")},
                                          {"shore", s->shore, ORO_WRITE, "vec2"},
                                          {"near", near, ORO_WRITE}},
                                .reach = beside,
                                .grid = *s->reference,
                                .maps = (const char *const[]){NULL}};
    return oro_eval_copy(e, oro_eval_input(e, "terrain"), s->ground, oro_grid_cells(grid)) &&
           oro_eval_dispatch(e, &find) && oro_sum_over(e, near, s->reference, &s->near);
}

/* A cell of the reference that is partly water tells the volume of land above the level: as where a surface
 * crosses the cells of a fluid (Hirt and Nichols 1981), that gives the place of the shore. The ground goes on
 * under water, and is lowered and lifted smoothly until what stands out of it has the volume. */
static bool find_shore(struct oro_eval *e, const struct shore *s)
{
    const int sweeps = 8, around = 2; /* blocks */
    const struct oro_grid *grid = oro_eval_grid(e);
    struct oro_block_pull pull = {.side = s->side, .ground = s->ground};
    struct oro_buffer *missing = oro_eval_raster(e, ORO_FIELD, s->reference);
    struct oro_dispatch lower = {
        .kernel = "erosion/level_bed.comp",
        .slots = {{"shore", s->shore, ORO_READ, "vec2"}, {"ground", s->ground, ORO_UPDATE}},
        .maps = (const char *const[]){NULL}};
    struct oro_dispatch measure = {.kernel = "erosion/level_missing.comp",
                                   .slots = {{"shore", s->shore, ORO_READ, "vec2"},
                                             {"reference", oro_eval_input(e, "reference")},
                                             {"ground", s->ground},
                                             {"missing", missing, ORO_WRITE}},
                                   .maps = (const char *const[]){NULL},
                                   .constants = {{"side", (float)s->side}}};
    oro_dispatch_source(&lower, grid, s->reference, NULL, around);
    oro_dispatch_source(&measure, s->reference, grid, NULL, ORO_REACH_CELL);
    if (!oro_eval_dispatch(e, &lower))
        return false;
    for (int i = 0; i < sweeps; i++)
        if (!oro_eval_dispatch(e, &measure) || !oro_blocks_add(e, &pull, missing))
            return false;
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    (void)data;
    struct oro_buffer *terrain = oro_eval_input(e, "terrain"), *level = oro_eval_field(e);
    struct shore s = {0};
    if (!begin(e, &s))
        return false;
    struct oro_dispatch keep = {
        .kernel = "erosion/keep_level.comp",
        .slots = {{"shore", s.shore, ORO_READ, "vec2"},
                  {"terrain", terrain},
                  {"smooth_ground",
                   oro_eval_linked(e, "smooth_ground") ? oro_eval_input(e, "smooth_ground") : terrain},
                  {"ground", s.ground, ORO_UPDATE},
                  {"level_ground", level, ORO_WRITE}},
        .inputs_on_grid = true};
    oro_dispatch_source(&keep, oro_eval_grid(e), s.reference, NULL, 1);
    bool capped = oro_eval_capped(e);
    return (capped || s.side < 2 || !(s.near > 0) || find_shore(e, &s)) && oro_eval_dispatch(e, &keep) &&
           oro_eval_give(e, "terrain", capped ? terrain : s.ground) &&
           oro_eval_give(e, "level_ground", level);
}

ORO_NODE(keep_level, .version = 1, .category = "erosion",
         .words = "lakes, fjords, playas, flat water, level water, lake surface, sea level",
         .doc =
             "Keeps level ground level through erosion and amplification: lakes, fjords and playas get their "
             "height back. Cells of the reference at their shore are partly water: the shore is where land "
             "that stands out has the height that those cells have in the mean.",
         .paper = "Hirt and Nichols 1981, Volume of fluid method for the dynamics of free boundaries",
         .spread = ORO_SPREAD_TILES, .scratch_fields = 2, .eval = eval);
