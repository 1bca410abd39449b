/* Constraint erosion on the device: the kernels in their order. Nothing is read back within an iteration. */
#include <math.h>

#include "base/memory.h"
#include "nodes/erosion/constraint_erosion.h"

/* Receivers, drainage and saddles on a grid. */
struct tree {
    struct oro_grid grid;
    size_t cells;
    struct oro_constraint_scale scale;
    int factor; /* cells are so many times as wide as the ground's */
    struct oro_buffer *next, *jump, *level, *number;
    struct oro_buffer *pointer[2], *water[2];
    struct oro_dispatch receivers, jumps, rain, advance, add;
    struct oro_dispatch levels, numbers;
};

struct oro_constraint_erosion_kernels {
    struct tree tree; /* of the ground */
    struct tree wide; /* of the grid of gorges, where it is another */
    struct oro_buffer *wide_height, *wide_carved, *wide_gorge;
    struct oro_dispatch ways, drainage, widen, gorges;
    struct oro_dispatch erosion[4]; /* the first round: + 1; the last one: + 2 */
    struct oro_dispatch tile_rows, tiles, around;
    struct oro_dispatch rows, gradient;
};

static const char *const no_maps[] = {NULL};
static const char *const moisture[] = {"moisture", NULL};
static const char *const erodibility[] = {"erodibility", NULL};
static const char *const erosion_maps[] = {"erodibility", "value_strength", NULL};
static const char *const gradient_strength[] = {"gradient_strength", NULL};

/* ---- Steps 1 and 2: receivers and drainage ---- */

/* How much rain falls at most, in what is usual. */
static double most_rain(const struct oro_constraint_erosion_run *run)
{
    bool linked = oro_eval_linked(run->eval, "moisture");
    return linked ? ORO_CONSTRAINT_MOISTURE : fmax((double)run->params->moisture, 1);
}

/* Units of fixed point to a cell's rain. No sum overflows, even though rounding up on the way may nearly
 * double it. */
static double units(const struct oro_constraint_erosion_run *run, const struct tree *tree)
{
    return exp2(fmin(24, floor(31 - log2(most_rain(run) * tree->scale.bound))));
}

/* What one unit of fixed point is in D. */
static float unit(const struct oro_constraint_erosion_run *run, const struct tree *tree)
{
    return (float)(tree->scale.local / units(run, tree));
}

static void plan_water(struct oro_constraint_erosion_run *run, struct tree *tree)
{
    tree->rain = (struct oro_dispatch){
        .kernel = "erosion/constraint_erosion_rain.comp",
        .maps = moisture,
        .grid = tree->grid,
        .source = *oro_eval_grid(run->eval),
        .slots = {{"next", tree->next, ORO_READ, "uint"},
                  {"pointer", NULL, ORO_WRITE, "uint"},
                  {"sum", NULL, ORO_WRITE, "uint"}},
        .constants = {{"units", (float)units(run, tree)}, {"factor", (float)tree->factor}}};
    tree->advance = (struct oro_dispatch){.kernel = "erosion/constraint_erosion_advance.comp",
                                          .maps = no_maps,
                                          .grid = tree->grid,
                                          .slots = {{"pointer", NULL, ORO_READ, "uint"},
                                                    {"sum", NULL, ORO_READ, "uint"},
                                                    {"pointer_out", NULL, ORO_WRITE, "uint"},
                                                    {"sum_out", NULL, ORO_WRITE, "uint"}}};
    tree->add = (struct oro_dispatch){.kernel = "erosion/constraint_erosion_add.comp",
                                      .maps = no_maps,
                                      .grid = tree->grid,
                                      .slots = {{"pointer", NULL, ORO_READ, "uint"},
                                                {"sum", NULL, ORO_READ, "uint"},
                                                {"sum_out", NULL, ORO_UPDATE, "uint"}},
                                      .constants = {{"kept"}}};
}

static void plan_saddles(struct oro_constraint_erosion_run *run, struct tree *tree, struct oro_buffer *height)
{
    bool straight = run->params->neighbours == ORO_CONSTRAINT_NEIGHBOURS_4;
    tree->jumps = (struct oro_dispatch){.kernel = "erosion/constraint_erosion_jump.comp",
                                        .maps = no_maps,
                                        .grid = tree->grid,
                                        .slots = {{"jump", tree->jump, ORO_UPDATE, "uint"}}};
    tree->levels = tree->numbers =
        (struct oro_dispatch){.kernel = "erosion/constraint_erosion_saddles.comp",
                              .maps = no_maps,
                              .grid = tree->grid,
                              .slots = {{"z", height},
                                        {"jump", tree->jump, ORO_READ, "uint"},
                                        {"level", tree->level, ORO_UPDATE, "uint"},
                                        {"number", tree->number, ORO_UPDATE, "uint"}}};
    tree->levels.defines =
        straight ? "#define NUMBERS 0\n#define STRIDE 2u\n" : "#define NUMBERS 0\n#define STRIDE 1u\n";
    tree->numbers.defines =
        straight ? "#define NUMBERS 1\n#define STRIDE 2u\n" : "#define NUMBERS 1\n#define STRIDE 1u\n";
}

static void plan_tree(struct oro_constraint_erosion_run *run, struct tree *tree, struct oro_buffer *height,
                      struct oro_buffer *carved)
{
    tree->receivers = (struct oro_dispatch){.kernel = "erosion/constraint_erosion_receivers.comp",
                                            .maps = no_maps,
                                            .grid = tree->grid,
                                            .slots = {{"height"},
                                                      {"next", tree->next, ORO_WRITE, "uint"},
                                                      {"jump", tree->jump, ORO_WRITE, "uint"},
                                                      {"carved", carved, ORO_WRITE, "uint"},
                                                      {"gorge", NULL, ORO_WRITE, "uint"},
                                                      {"level", tree->level, ORO_WRITE, "uint"},
                                                      {"number", tree->number, ORO_WRITE, "uint"}}};
    plan_water(run, tree);
    plan_saddles(run, tree, height);
}

static bool find_receivers(struct oro_constraint_erosion_run *run, struct oro_dispatch *receivers,
                           struct oro_buffer *height, struct oro_buffer *gorge)
{
    oro_bind(receivers, "height", height);
    oro_bind(receivers, "gorge", gorge);
    return oro_eval_dispatch(run->eval, receivers);
}

/* Leaves the result in water[0]. Ends before the first round in which even the largest sum would give nothing
 * on. */
static bool sum_water(struct oro_constraint_erosion_run *run, struct tree *tree)
{
    double whole = units(run, tree), kept = tree->scale.kept, most = most_rain(run) * tree->scale.bound;
    oro_bind(&tree->rain, "pointer", tree->pointer[0]);
    oro_bind(&tree->rain, "sum", tree->water[0]);
    if (!oro_eval_dispatch(run->eval, &tree->rain))
        return false;
    for (size_t distance = 1; distance < tree->cells && kept * most * whole >= 0.5;
         distance *= 2, kept *= kept) {
        oro_bind(&tree->advance, "pointer", tree->pointer[0]);
        oro_bind(&tree->advance, "sum", tree->water[0]);
        oro_bind(&tree->advance, "pointer_out", tree->pointer[1]);
        oro_bind(&tree->advance, "sum_out", tree->water[1]);
        oro_bind(&tree->add, "pointer", tree->pointer[0]);
        oro_bind(&tree->add, "sum", tree->water[0]);
        oro_bind(&tree->add, "sum_out", tree->water[1]);
        oro_set(&tree->add, "kept", kept);
        if (!oro_eval_dispatch(run->eval, &tree->advance) || !oro_eval_dispatch(run->eval, &tree->add))
            return false;
        oro_swap_buffers(&tree->pointer[0], &tree->pointer[1]);
        oro_swap_buffers(&tree->water[0], &tree->water[1]);
    }
    return true;
}

/* ---- Step 3: gorges ---- */

static void plan_gorges(struct oro_constraint_erosion_run *run)
{
    struct oro_constraint_erosion_kernels *k = run->kernels;
    bool wide = run->scale.factor > 1;
    struct tree *tree = wide ? &k->wide : &k->tree;
    float factor = (float)run->scale.factor;
    k->widen =
        (struct oro_dispatch){.kernel = "erosion/constraint_erosion_wide.comp",
                              .maps = no_maps,
                              .grid = tree->grid,
                              .source = *oro_eval_grid(run->eval),
                              .slots = {{"ground", run->height}, {"height", k->wide_height, ORO_WRITE}},
                              .constants = {{"factor", factor}}};
    k->gorges = (struct oro_dispatch){.kernel = "erosion/constraint_erosion_gorges.comp",
                                      .maps = no_maps,
                                      .grid = tree->grid,
                                      .source = *oro_eval_grid(run->eval),
                                      .slots = {{"height", wide ? k->wide_height : run->height},
                                                {"next", tree->next, ORO_READ, "uint"},
                                                {"jump", tree->jump, ORO_READ, "uint"},
                                                {"number", tree->number, ORO_READ, "uint"},
                                                {"sum", NULL, ORO_READ, "uint"},
                                                {"carved", run->carved, ORO_UPDATE, "uint"},
                                                {"gorge", run->gorge, ORO_UPDATE, "uint"},
                                                {wide ? "ground" : NULL, run->height}},
                                      .defines = wide ? "#define WIDE 1\n" : "#define WIDE 0\n",
                                      .constants = {{"unit", unit(run, tree)}, {"factor", factor}}};
}

/* Pointers reach five times as far with every dispatch. */
static bool find_basins(struct oro_constraint_erosion_run *run, struct tree *tree)
{
    for (size_t reach = 1; reach < tree->cells; reach *= 5)
        if (!oro_eval_dispatch(run->eval, &tree->jumps))
            return false;
    return true;
}

static bool drain_wide(struct oro_constraint_erosion_run *run)
{
    struct oro_constraint_erosion_kernels *k = run->kernels;
    return oro_eval_dispatch(run->eval, &k->widen) &&
           find_receivers(run, &k->wide.receivers, k->wide_height, k->wide_gorge) && sum_water(run, &k->wide);
}

static bool carve_gorges(struct oro_constraint_erosion_run *run)
{
    struct oro_constraint_erosion_kernels *k = run->kernels;
    bool wide = run->scale.factor > 1;
    struct tree *tree = wide ? &k->wide : &k->tree;
    if (wide && !drain_wide(run))
        return false;
    oro_bind(&k->gorges, "sum", tree->water[0]);
    return find_basins(run, tree) && oro_eval_dispatch(run->eval, &tree->levels) &&
           oro_eval_dispatch(run->eval, &tree->numbers) && oro_eval_dispatch(run->eval, &k->gorges);
}

/* ---- Steps 4 and 5: erosion and constraints ---- */

static void plan_erosion(struct oro_constraint_erosion_run *run)
{
    static const char *const defines[] = {
        "#define FIRST 0\n#define LAST 0\n", "#define FIRST 1\n#define LAST 0\n",
        "#define FIRST 0\n#define LAST 1\n", "#define FIRST 1\n#define LAST 1\n"};
    double depth = (double)run->params->reference_cell / run->scale.rounds;
    for (int i = 0; i < 4; i++) {
        bool first = i & 1, last = i & 2;
        run->kernels->erosion[i] = (struct oro_dispatch){
            .kernel = "erosion/constraint_erosion_step.comp",
            .maps = last ? erosion_maps : erodibility,
            .slots = {{"next", run->kernels->tree.next, ORO_READ, "uint"},
                      {"sum", NULL, ORO_READ, "uint"},
                      {first ? "carved" : "before", run->carved, ORO_READ, first ? "uint" : NULL},
                      {"after", NULL, ORO_WRITE},
                      {last ? "constraint" : NULL, run->constraint},
                      {last ? "relief" : NULL, run->relief},
                      {last ? "tiles" : NULL, run->tiles[0], ORO_READ, "vec2"}},
            .defines = defines[i],
            .constants = {{"depth", (float)depth},
                          {"flow", (float)((double)unit(run, &run->kernels->tree) * run->scale.sharing)},
                          {"tile", (float)run->scale.tile}}};
    }
}

/* The result, less the constraint, is in ground[0]. */
static bool erode(struct oro_constraint_erosion_run *run)
{
    int rounds = run->scale.rounds;
    for (int i = 0; i < rounds; i++) {
        struct oro_dispatch *round = &run->kernels->erosion[(i == 0) + 2 * (i == rounds - 1)];
        oro_bind(round, "sum", run->kernels->tree.water[0]);
        oro_bind(round, "after", run->ground[1]);
        if (i > 0)
            oro_bind(round, "before", run->ground[0]);
        if (!oro_eval_dispatch(run->eval, round))
            return false;
        oro_swap_buffers(&run->ground[0], &run->ground[1]);
    }
    return true;
}

static void plan_tiles(struct oro_constraint_erosion_run *run)
{
    struct oro_constraint_erosion_kernels *k = run->kernels;
    struct oro_grid cells = *oro_eval_grid(run->eval), rows = cells, tiles;
    int tile = run->scale.tile;
    rows.width = (cells.width + tile - 1) / tile;
    tiles = rows;
    tiles.height = (cells.height + tile - 1) / tile;
    k->tile_rows = (struct oro_dispatch){.kernel = "erosion/constraint_erosion_tiles.comp",
                                         .maps = no_maps,
                                         .slots = {{"height", run->height},
                                                   {"constraint", run->constraint},
                                                   {"relief", run->relief},
                                                   {"sums", run->tiles[1], ORO_WRITE, "vec2"}},
                                         .grid = rows,
                                         .source = cells,
                                         .defines = "#define DOWN 0\n",
                                         .constants = {{"tile", (float)tile}}};
    k->tiles = (struct oro_dispatch){
        .kernel = "erosion/constraint_erosion_tiles.comp",
        .maps = no_maps,
        .slots = {{"rows", run->tiles[1], ORO_READ, "vec2"}, {"sums", run->tiles[0], ORO_WRITE, "vec2"}},
        .grid = tiles,
        .source = cells,
        .defines = "#define DOWN 1\n",
        .constants = {{"tile", (float)tile}}};
    k->around =
        (struct oro_dispatch){.kernel = "erosion/constraint_erosion_around.comp",
                              .maps = no_maps,
                              .slots = {{"from", NULL, ORO_READ, "vec2"}, {"sums", NULL, ORO_WRITE, "vec2"}},
                              .grid = tiles,
                              .constants = {{"east"}, {"south"}, {"reach", (float)run->scale.tiles_around}}};
}

/* Sums around every tile, of the state that the iteration begins with, into tiles[0]. */
static bool sum_tiles(struct oro_constraint_erosion_run *run)
{
    struct oro_constraint_erosion_kernels *k = run->kernels;
    if (!oro_eval_dispatch(run->eval, &k->tile_rows) || !oro_eval_dispatch(run->eval, &k->tiles))
        return false;
    for (int i = 0; i < 4; i++) { /* twice over in either direction, there and back */
        oro_set(&k->around, "east", i < 2);
        oro_set(&k->around, "south", i >= 2);
        oro_bind(&k->around, "from", run->tiles[i & 1]);
        oro_bind(&k->around, "sums", run->tiles[~i & 1]);
        if (!oro_eval_dispatch(run->eval, &k->around))
            return false;
    }
    return true;
}

static void plan_gradient(struct oro_constraint_erosion_run *run)
{
    struct oro_constraint_erosion_kernels *k = run->kernels;
    bool wide = run->scale.reach > 0;
    float reach = (float)run->scale.reach, rim = (float)run->scale.rim;
    k->rows = (struct oro_dispatch){.kernel = "erosion/constraint_erosion_rows.comp",
                                    .maps = no_maps,
                                    .slots = {{"difference"}, {"rows", NULL, ORO_WRITE}},
                                    .constants = {{"reach", reach}, {"rim", rim}}};
    k->gradient = (struct oro_dispatch){.kernel = "erosion/constraint_erosion_gradient.comp",
                                        .maps = gradient_strength,
                                        .slots = {{"difference"},
                                                  {"constraint", run->constraint},
                                                  {"gorge", run->gorge, ORO_READ, "uint"},
                                                  {"height", run->height, ORO_WRITE},
                                                  {wide ? "rows" : NULL}},
                                        .defines = wide ? "#define WIDE 1\n" : "#define WIDE 0\n",
                                        .constants = {{"gradient", (float)run->scale.gradient},
                                                      {"reach", reach},
                                                      {"rim", rim},
                                                      {"coast", (float)run->scale.coast}}};
}

static bool keep_gradient(struct oro_constraint_erosion_run *run)
{
    struct oro_constraint_erosion_kernels *k = run->kernels;
    oro_bind(&k->gradient, "difference", run->ground[0]);
    if (run->scale.reach > 0) {
        oro_bind(&k->rows, "difference", run->ground[0]);
        oro_bind(&k->rows, "rows", run->ground[1]);
        oro_bind(&k->gradient, "rows", run->ground[1]);
        if (!oro_eval_dispatch(run->eval, &k->rows))
            return false;
    }
    return oro_eval_dispatch(run->eval, &k->gradient);
}

/* ---- All of it ---- */

static bool make_tree(struct oro_constraint_erosion_run *run, int factor, struct tree *tree)
{
    tree->grid = *oro_eval_grid(run->eval);
    tree->grid.width = (tree->grid.width + factor - 1) / factor;
    tree->grid.height = (tree->grid.height + factor - 1) / factor;
    tree->cells = oro_grid_cells(&tree->grid);
    tree->factor = factor;
    oro_constraint_scale(run->params, run->host.cell * factor, tree->cells, !run->pace.counted, &tree->scale);
    struct oro_buffer **rasters[] = {&tree->next,       &tree->jump,       &tree->level,    &tree->number,
                                     &tree->pointer[0], &tree->pointer[1], &tree->water[0], &tree->water[1]};
    for (size_t i = 0; i < sizeof rasters / sizeof rasters[0]; i++)
        if (!(*rasters[i] = oro_eval_buffer(run->eval, tree->cells)))
            return false;
    return true;
}

static bool make_wide(struct oro_constraint_erosion_run *run)
{
    struct oro_constraint_erosion_kernels *k = run->kernels;
    if (run->scale.factor == 1)
        return true;
    if (!make_tree(run, run->scale.factor, &k->wide))
        return false;
    k->wide_height = oro_eval_buffer(run->eval, k->wide.cells);
    k->wide_carved = oro_eval_buffer(run->eval, k->wide.cells);
    k->wide_gorge = oro_eval_buffer(run->eval, k->wide.cells);
    return k->wide_gorge;
}

static bool make_room(struct oro_constraint_erosion_run *run)
{
    const struct oro_grid *grid = oro_eval_grid(run->eval);
    size_t side = (size_t)run->scale.tile, across = ((size_t)grid->width + side - 1) / side;
    run->carved = oro_eval_buffer(run->eval, run->cells);
    for (int i = 0; i < 2; i++) {
        run->ground[i] = oro_eval_buffer(run->eval, run->cells);
        run->tiles[i] = oro_eval_buffer(run->eval, 2 * across * (size_t)grid->height);
    }
    return run->tiles[1] && make_tree(run, 1, &run->kernels->tree) && make_wide(run);
}

/* From an iteration's end on; with all eight neighbours. */
static void plan_ways(struct oro_constraint_erosion_run *run)
{
    struct oro_constraint_erosion_kernels *k = run->kernels;
    k->ways = k->tree.receivers;
    k->ways.defines = "#define EIGHT\n";
    k->drainage =
        (struct oro_dispatch){.kernel = "erosion/constraint_erosion_drainage.comp",
                              .maps = no_maps,
                              .slots = {{"sum", NULL, ORO_READ, "uint"}, {"drained", NULL, ORO_WRITE}},
                              .constants = {{"unit", unit(run, &k->tree)}}};
}

bool oro_constraint_erosion_begin(struct oro_constraint_erosion_run *run)
{
    if (run->on_processor)
        return oro_constraint_erosion_host_begin(run);
    struct oro_constraint_erosion_kernels *k = run->kernels = oro_alloc(1, sizeof *run->kernels);
    if (!k)
        return oro_eval_fail(run->eval, ORO_E_MEMORY, "no memory for the kernels of constraint erosion");
    if (!make_room(run))
        return false;
    plan_tree(run, &k->tree, run->height, run->carved);
    if (run->scale.factor > 1)
        plan_tree(run, &k->wide, k->wide_height, k->wide_carved);
    plan_ways(run);
    plan_gorges(run);
    plan_erosion(run);
    plan_tiles(run);
    plan_gradient(run);
    return true;
}

void oro_constraint_erosion_end(struct oro_constraint_erosion_run *run)
{
    oro_free(run->kernels);
    if (run->on_processor)
        oro_constraint_erosion_host_end(run);
}

bool oro_constraint_erosion_iterate(struct oro_constraint_erosion_run *run)
{
    if (run->on_processor)
        return oro_constraint_erosion_host_iterate(run);
    return sum_tiles(run) && find_receivers(run, &run->kernels->tree.receivers, run->height, run->gorge) &&
           sum_water(run, &run->kernels->tree) && carve_gorges(run) && erode(run) && keep_gradient(run);
}

bool oro_constraint_erosion_put(struct oro_constraint_erosion_run *run)
{
    return !run->on_processor || oro_constraint_erosion_host_put(run);
}

bool oro_constraint_erosion_drain(struct oro_constraint_erosion_run *run, struct oro_buffer *height,
                                  struct oro_buffer *drained)
{
    if (run->on_processor)
        return oro_constraint_erosion_host_drain(run, height, drained);
    struct oro_constraint_erosion_kernels *k = run->kernels;
    if (!find_receivers(run, &k->ways, height, run->ground[0]) ||
        !sum_water(run, &k->tree)) /* gorges stay as they are */
        return false;
    oro_bind(&k->drainage, "sum", k->tree.water[0]);
    oro_bind(&k->drainage, "drained", drained);
    return oro_eval_dispatch(run->eval, &k->drainage);
}
