/* The texture of rock, as strong as the terrain's own forms let expect. */
#include <string.h>

#include "base/random.h"
#include "graph/type/node.h"
#include "nodes/lib/blocks.h"
#include "nodes/lib/flow_inputs.h"
#include "nodes/lib/noise_layers.h"

struct params {
    float size, detail, roughness, variation, strength, mask;
    ORO_STREAM_POWER_PARAMS;
    int seed;
    bool made;
};

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Smooth ground that shall get detail"),
    ORO_IN_FLOAT(
        struct params, size, 0, .min = 0, .max = 1e7, .soft_max = 2000, .unit = ORO_METRE,
        .doc = "What is narrower than two of these is missing, and added. 0: two cells, for ground that was "
               "refined twofold"),
    ORO_IN_MAP(struct params, detail, 1, .min = 0, .max = 20, .soft_max = 3,
               .doc =
                   "How strong all detail shall be, erosion included, relative to what the larger forms of "
                   "the terrain let expect: scales `amplitude`"),
    ORO_IN_BOOL(struct params, made, false,
                .doc = "The narrowest forms of the terrain were made by an amplification: they foretell "
                       "strength, but no trend"),
    ORO_IN_MAP(struct params, roughness, 0.3, .min = 0, .max = 20, .soft_max = 3,
               .doc = "Strength of the texture, relative to `amplitude`"),
    ORO_IN_FLOAT(struct params, variation, 0.33, .min = 0, .max = 3, .soft_max = 1, .group = "Erodibility",
                 .doc = "How much the erodibility varies from cell to cell: 0.6 nearly doubles or halves it"),
    ORO_IN_FLOAT(
        struct params, strength, 0.6, .min = 0, .max = 10, .soft_max = 1, .group = "Erodibility",
        .doc = "How far an iteration of erosion lowers a stream of the drainage area `area_limit` with the "
               "local slope: share of its fall from cell to cell"),
    ORO_IN_STREAM_POWER_UP_TO(struct params, 1000),
    ORO_IN_SEED(struct params, seed),
    ORO_IN_MASK(struct params),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_TERRAIN(.like = "terrain", .doc = "Ground with texture"),
    ORO_OUT_FIELD("amplitude", .like = "terrain", .unit = ORO_METRE,
                  .doc = "How far detail lies above and below the smooth ground: root mean square. For "
                         "`limit_detail`"),
    ORO_OUT_FIELD("erodibility", .like = "terrain",
                  .doc = "For `fluvial_erosion`: such that slopes of every steepness are carved alike"),
    {0},
};

/* Relief of the blocks, from their means; then amplitude and slope from the relief around them. */
static bool find_relief(struct oro_eval *e, int side, const struct oro_grid *blocks,
                        struct oro_buffer *relief)
{
    struct oro_buffer *means = oro_eval_raster(e, ORO_FIELD, blocks);
    struct oro_buffer *forms = oro_eval_raster(e, ORO_IMAGE, blocks);
    const int forms_window = 4, relief_window = 5; /* blocks: rock_forms.comp, rock_relief.comp */
    struct oro_dispatch find_forms = {.kernel = "erosion/rock_forms.comp",
                                      .slots = {{"means", means}, {"forms", forms, ORO_WRITE, "vec4"}},
                                      .reach = forms_window,
                                      .grid = *blocks,
                                      .maps = (const char *const[]){NULL}};
    struct oro_dispatch look_around = {
        .kernel = "erosion/rock_relief.comp",
        .slots = {{"forms", forms, ORO_READ, "vec4"}, {"relief", relief, ORO_WRITE, "vec2"}},
        .reach = relief_window,
        .grid = *blocks,
        .maps = (const char *const[]){NULL}};
    return oro_block_means(e, oro_eval_grid(e), side, oro_eval_input(e, "terrain"), means) &&
           oro_eval_dispatch(e, &find_forms) && oro_eval_dispatch(e, &look_around);
}

/* Two layers of texture, two of erodibility. Their lattices lie elsewhere at every resolution: levels must
 * not repeat each other's pattern. */
static void place_noise(struct oro_noise_layers *layers, const struct oro_grid *grid, int seed)
{
    static const double features[] = {4.4, 2.24, 2.6, 1.3}; /* in cells */
    float cell = (float)grid->cell;
    uint32_t random;
    memcpy(&random, &cell, sizeof random);
    random ^= (uint32_t)seed;
    double angle = oro_random_between(&random, 0, 6.283185307179586);
    for (int i = 0; i < 4; i++)
        oro_noise_place(layers, i, grid, 1 / (features[i] * grid->cell), angle + i * ORO_NOISE_ROTATION, 0,
                        &random);
}

/* In a preview that stops short of the resolution, the ground is passed on, as all steps of a level do. */
static bool eval(struct oro_eval *e, const void *data)
{
    const struct params *p = data;
    const struct oro_grid *grid = oro_eval_grid(e);
    int side = oro_blocks_side(grid, p->size);
    struct oro_grid blocks = oro_blocks_grid(grid, side);
    struct oro_buffer *relief = oro_eval_raster(e, ORO_VECTOR, &blocks);
    struct oro_noise_layers layers = {0};
    struct oro_dispatch extras = {
        .slots = {{"relief", relief, ORO_READ, "vec2"}},
        .inputs_on_grid = true,
        .constants = {{"side", (float)side}, {"texture", oro_eval_capped(e) ? 0 : 1}}};
    oro_dispatch_source(&extras, grid, &blocks, NULL, ORO_BLOCKS_REACH);
    place_noise(&layers, grid, p->seed);
    return find_relief(e, side, &blocks, relief) && oro_noise_upload(e, &layers, &extras) &&
           oro_eval_default(e, &extras);
}

ORO_NODE(
    rock, .version = 1, .category = "erosion",
    .words = "rocky, rocks, crags, outcrops, bedrock, stone, roughness, texture of rock, craggy",
    .doc =
        "The rock that erosion bites on: texture and erodibility, as strong as the terrain's own forms let "
        "expect. Rough ground goes on being rough at smaller scales, smooth ground stays smooth, level "
        "ground level. Alone it is noise; with `fluvial_erosion`, `keep_ground` and `limit_detail` after it, "
        "it "
        "becomes spurs and gullies.",
    .paper = "Schott 2024, 4.2, figure 9; spectrum continued from the terrain's own",
    .spread = ORO_SPREAD_TILES, .scratch_fields = 2, .kernel = "erosion/rock.comp", .eval = eval);
