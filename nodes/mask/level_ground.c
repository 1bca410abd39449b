/* Finds lakes, fjords and playas. */
#include "graph/type/node.h"
#include "nodes/lib/range.h"

static const struct oro_input inputs[] = {
    ORO_IN_TERRAIN(.doc = "Elevation, such as a file has it: what is level must be so exactly"),
    {0},
};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("mask", .like = "terrain", .doc = "1 on level ground, else 0"),
    ORO_OUT_FIELD("level", .like = "terrain", .unit = ORO_METRE,
                  .doc =
                      "Height of the level ground near each cell: the cell's own on level ground, below it "
                      "beside that, and above it where none is near"),
    {0},
};

/* Runs a kernel `rounds` times, an even number, to and fro between `values` and another raster; `slots` are
 * what it reads and writes. */
static bool spread(struct oro_eval *e, struct oro_dispatch *round, const char *const slots[2], int rounds,
                   struct oro_buffer *values)
{
    struct oro_buffer *from = values, *to = oro_eval_field(e);
    for (int i = 0; i < rounds; i++) {
        oro_bind(round, slots[0], from);
        oro_bind(round, slots[1], to);
        if (!oro_eval_dispatch(e, round))
            return false;
        oro_swap_buffers(&from, &to);
    }
    return true;
}

/* Treads are known from their lower side, valleys from their mouth. */
static bool spread_treads(struct oro_eval *e, struct oro_buffer *core)
{
    const int reach = 4, rounds = 16; /* cells: level_treads.comp */
    struct oro_dispatch round = {
        .kernel = "mask/level_treads.comp",
        .slots = {{"ground", oro_eval_input(e, "terrain")}, {"core"}, {"core_out", NULL, ORO_WRITE}},
        .reach = reach};
    return spread(e, &round, (const char *const[]){"core", "core_out"}, rounds, core);
}

static bool spread_valleys(struct oro_eval *e, struct oro_buffer *level)
{
    const int rounds = 24; /* cells: level_valleys.comp */
    struct oro_dispatch round = {
        .kernel = "mask/level_valleys.comp",
        .slots = {{"ground", oro_eval_input(e, "terrain")}, {"level"}, {"level_out", NULL, ORO_WRITE}},
        .reach = 1};
    return spread(e, &round, (const char *const[]){"level", "level_out"}, rounds, level);
}

static bool tell(struct oro_eval *e, struct oro_buffer *mask)
{
    const struct oro_grid *grid = oro_eval_grid(e);
    double cells;
    if (!oro_sum_over(e, mask, grid, &cells))
        return false;
    if (cells > 0)
        oro_note(oro_eval_log(e), ORO_NOTICE,
                 "%.0f cells (%.1f %%) that are exactly level were taken for water or a playa", cells,
                 100 * cells / (double)oro_grid_cells(grid));
    return true;
}

static bool eval(struct oro_eval *e, const void *data)
{
    (void)data;
    const int around = 3, near = 6; /* cells: level_core.comp, level_cells.comp */
    struct oro_buffer *ground = oro_eval_input(e, "terrain"), *core = oro_eval_field(e),
                      *mask = oro_eval_field(e), *level = oro_eval_field(e);
    struct oro_dispatch find_cores = {.kernel = "mask/level_core.comp",
                                      .slots = {{"ground", ground}, {"core", core, ORO_WRITE}},
                                      .reach = around};
    struct oro_dispatch find_cells = {
        .kernel = "mask/level_cells.comp",
        .slots = {{"ground", ground}, {"core", core}, {"level", level, ORO_WRITE}},
        .reach = near};
    struct oro_dispatch find_mask = {
        .kernel = "mask/level_mask.comp",
        .slots = {{"ground", ground}, {"level", level}, {"mask", mask, ORO_WRITE}},
        .reach = ORO_REACH_CELL};
    return ground && oro_eval_dispatch(e, &find_cores) && spread_treads(e, core) &&
           oro_eval_dispatch(e, &find_cells) && spread_valleys(e, level) &&
           oro_eval_dispatch(e, &find_mask) && tell(e, mask) && oro_eval_give(e, "mask", mask) &&
           oro_eval_give(e, "level", level);
}

ORO_NODE_WITH(
    level_ground, 0, .version = 1, .category = "mask",
    .words = "lakes, fjords, playas, flat water, water mask, lake surface, sea level, salt flat",
    .doc = "Finds level ground: connected ground of exactly one height, as lakes, fjords and playas have "
           "it in elevation data. Treads of a staircase, as files of 8 bits have them, are no level "
           "ground. `keep_level` keeps it level.",
    .spread = ORO_SPREAD_TILES, .scratch_fields = 3, .eval = eval);
