/* Keeps lakes, fjords and playas level. */
#include "graph/type/node.h"

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
    ORO_OUT_FIELD("level", .like = "terrain", .doc = "1 on level ground and in water, else 0"),
    {0},
};

/* Of the reference: which cells are level, and the height of the level ground beside them. */
static bool find_level(struct oro_eval *e, const struct oro_grid *grid, struct oro_buffer *surface)
{
    const int around = 5, near = 2; /* cells: level_core.comp, level_surface.comp */
    struct oro_buffer *ground = oro_eval_input(e, "reference"), *core = oro_eval_raster(e, ORO_FIELD, grid);
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
    return oro_eval_dispatch(e, &find_cores) && oro_eval_dispatch(e, &spread);
}

/* In a preview that stops short of the resolution, the ground is passed on, as all steps of a level do. */
static bool eval(struct oro_eval *e, const void *data)
{
    (void)data;
    const struct oro_grid *reference = oro_eval_input_grid(e, "reference");
    if (!reference)
        return false;
    struct oro_buffer *surface = oro_eval_raster(e, ORO_VECTOR, reference);
    struct oro_dispatch extras = {.slots = {{"surface", surface, ORO_READ, "vec2"}},
                                  .inputs_on_grid = true,
                                  .constants = {{"capped", oro_eval_capped(e)}}};
    oro_dispatch_source(&extras, oro_eval_grid(e), reference, NULL, 1);
    return find_level(e, reference, surface) && oro_eval_default(e, &extras);
}

ORO_NODE(keep_level, .version = 1, .category = "erosion",
         .words = "lakes, fjords, playas, flat water, level water, lake surface, sea level",
         .doc =
             "Keeps level ground level through erosion and amplification: connected ground of one height, as "
             "lakes, fjords and playas have it in elevation data, gets its height back, and its shore "
             "lies no lower. Treads of a staircase, as files of 8 bits have them, are no level ground.",
         .spread = ORO_SPREAD_TILES, .scratch_fields = 2, .kernel = "erosion/keep_level.comp", .eval = eval);
