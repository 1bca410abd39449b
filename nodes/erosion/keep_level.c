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
                 .doc = "The ground before it got detail, in which level ground is looked for: of any "
                        "resolution, and not resampled, since what is level must be so exactly"),
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

/* Treads are known as far as this from their lower side. */
static bool spread_treads(struct oro_eval *e, const struct oro_grid *grid, struct oro_buffer *ground,
                          struct oro_buffer *core)
{
    const int reach = 4, rounds = 16; /* cells: level_treads.comp; even, so that the last writes `core` */
    struct oro_buffer *from = core, *to = oro_eval_raster(e, ORO_FIELD, grid);
    struct oro_dispatch round = {.kernel = "erosion/level_treads.comp",
                                 .slots = {{"ground", ground}, {"core"}, {"core_out", NULL, ORO_WRITE}},
                                 .reach = reach,
                                 .grid = *grid,
                                 .maps = (const char *const[]){NULL}};
    for (int i = 0; i < rounds; i++) {
        oro_bind(&round, "core", from);
        oro_bind(&round, "core_out", to);
        if (!oro_eval_dispatch(e, &round))
            return false;
        oro_swap_buffers(&from, &to);
    }
    return true;
}

/* Of the reference: which cells are level, and the height of the level ground beside them. `any`: some are.
 */
static bool find_level(struct oro_eval *e, const struct oro_grid *grid, struct oro_buffer *surface, bool *any)
{
    const int around = 3, near = 6; /* cells: level_core.comp, level_surface.comp */
    struct oro_buffer *ground = oro_eval_input(e, "reference"), *core = oro_eval_raster(e, ORO_FIELD, grid);
    double sum = 0;
    struct oro_dispatch find_cores = {.kernel = "erosion/level_core.comp",
                                      .slots = {{"ground", ground}, {"core", core, ORO_WRITE}},
                                      .reach = around,
                                      .grid = *grid,
                                      .maps = (const char *const[]){NULL}};
    struct oro_dispatch spread = {
        .kernel = "erosion/level_surface.comp",
        .slots = {{"ground", ground}, {"core", core}, {"surface", surface, ORO_WRITE, "vec2"}},
        .reach = near,
        .grid = *grid,
        .maps = (const char *const[]){NULL}};
    if (!oro_eval_dispatch(e, &find_cores) || !oro_sum_over(e, core, grid, &sum))
        return false;
    *any = sum > 0;
    return (!*any || spread_treads(e, grid, ground, core)) && oro_eval_dispatch(e, &spread);
}

/* What level ground loses or gains, its shore gets back, as long as that leaves it above the level: in cells
 * of the reference that are partly water, the shore finds its place. */
static bool keep_means(struct oro_eval *e, const struct oro_grid *reference, struct oro_dispatch *level,
                       struct oro_buffer *ground)
{
    const int sweeps = 4;
    const struct oro_grid *grid = oro_eval_grid(e);
    int side = grid->width / reference->width;
    bool whole =
        side > 1 && side * reference->width == grid->width && side * reference->height == grid->height;
    struct oro_block_pull pull = {
        .side = side, .target = oro_eval_input(e, "reference"), .ground = ground, .ceiling = NULL};
    for (int i = 0; i < sweeps && whole; i++)
        if (!oro_eval_dispatch(e, level) || !oro_blocks_pull(e, &pull, 1))
            return false;
    return oro_eval_dispatch(e, level);
}

static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_grid *grid = oro_eval_grid(e), *reference = oro_eval_input_grid(e, "reference");
    struct oro_buffer *terrain = oro_eval_input(e, "terrain"), *ground = oro_eval_field(e);
    struct oro_buffer *level = oro_eval_field(e);
    struct oro_buffer *surface = reference ? oro_eval_raster(e, ORO_VECTOR, reference) : NULL;
    bool any = false, linked = oro_eval_linked(e, "smooth_ground");
    if (!surface || !find_level(e, reference, surface, &any))
        return false;
    struct oro_dispatch keep = {
        .kernel = "erosion/keep_level.comp",
        .slots = {{"surface", surface, ORO_READ, "vec2"},
                  {"reference", oro_eval_input(e, "reference")},
                  {"smooth_ground", linked ? oro_eval_input(e, "smooth_ground") : terrain},
                  {"ground", ground, ORO_UPDATE},
                  {"level_ground", level, ORO_WRITE}},
        .inputs_on_grid = true};
    oro_dispatch_source(&keep, grid, reference, NULL, 2);
    bool ok = oro_eval_copy(e, terrain, ground, oro_grid_cells(grid));
    if (any && !oro_eval_capped(e))
        ok = ok && keep_means(e, reference, &keep, ground);
    else
        ok = ok && oro_eval_dispatch(e, &keep);
    bool changed = (any || oro_eval_linked(e, "water") || p->water > 0.5f) && !oro_eval_capped(e);
    return ok && oro_eval_give(e, "terrain", changed ? ground : terrain) &&
           oro_eval_give(e, "level_ground", level);
}

ORO_NODE(keep_level, .version = 1, .category = "erosion",
         .words = "lakes, fjords, playas, flat water, level water, lake surface, sea level",
         .doc =
             "Keeps level ground level through erosion and amplification: connected ground of one height, as "
             "lakes, fjords and playas have it in elevation data, gets its height back, and its shore "
             "lies no lower. Treads of a staircase, as files of 8 bits have them, are no level ground.",
         .spread = ORO_SPREAD_TILES, .scratch_fields = 2, .eval = eval);
