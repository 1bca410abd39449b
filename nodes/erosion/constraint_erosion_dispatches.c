/* Constraint erosion on the device: the kernels in their order. Nothing is read back within an iteration. */
#include <math.h>

#include "base/memory.h"
#include "nodes/erosion/constraint_erosion.h"

struct oro_constrained_passes {
    struct oro_pass receivers, ways, jump, rain, advance, add, drainage;
    struct oro_pass levels, numbers, gorges;
    struct oro_pass erosion[4]; /* the first round: + 1; the last one: + 2 */
    struct oro_pass tile_rows, tiles, around;
    struct oro_pass rows, gradient;
};

static const char *const no_maps[] = {NULL};
static const char *const moisture[] = {"moisture", NULL};
static const char *const erodibility[] = {"erodibility", NULL};
static const char *const erosion_maps[] = {"erodibility", "value_strength", NULL};
static const char *const gradient_strength[] = {"gradient_strength", NULL};

/* ---- Steps 1 and 2: receivers and drainage ---- */

static void plan_tree(struct oro_constrained_passes *p)
{
    p->receivers = (struct oro_pass){.kernel = "erosion/constraint_erosion_receivers.comp",
                                     .maps = no_maps,
                                     .slots = {{"height", ORO_READ},
                                               {"next", ORO_WRITE, "uint"},
                                               {"jump", ORO_WRITE, "uint"},
                                               {"carved", ORO_WRITE, "uint"},
                                               {"gorge", ORO_WRITE, "uint"},
                                               {"level", ORO_WRITE, "uint"},
                                               {"number", ORO_WRITE, "uint"}}};
    p->ways = p->receivers;
    p->ways.defines = "#define EIGHT\n";
    p->jump = (struct oro_pass){.kernel = "erosion/constraint_erosion_jump.comp",
                                .maps = no_maps,
                                .slots = {{"jump", ORO_UPDATE, "uint"}}};
    p->rain = (struct oro_pass){
        .kernel = "erosion/constraint_erosion_rain.comp",
        .maps = moisture,
        .slots = {{"next", ORO_READ, "uint"}, {"pointer", ORO_WRITE, "uint"}, {"sum", ORO_WRITE, "uint"}},
        .constants = {"units"}};
    p->advance = (struct oro_pass){.kernel = "erosion/constraint_erosion_advance.comp",
                                   .maps = no_maps,
                                   .slots = {{"pointer", ORO_READ, "uint"},
                                             {"sum", ORO_READ, "uint"},
                                             {"pointer_out", ORO_WRITE, "uint"},
                                             {"sum_out", ORO_WRITE, "uint"}}};
    p->add = (struct oro_pass){
        .kernel = "erosion/constraint_erosion_add.comp",
        .maps = no_maps,
        .slots = {{"pointer", ORO_READ, "uint"}, {"sum", ORO_READ, "uint"}, {"sum_out", ORO_UPDATE, "uint"}},
        .constants = {"kept"}};
    p->drainage = (struct oro_pass){.kernel = "erosion/constraint_erosion_drainage.comp",
                                    .maps = no_maps,
                                    .slots = {{"sum", ORO_READ, "uint"}, {"drained", ORO_WRITE}},
                                    .constants = {"unit"}};
}

static bool find_receivers(struct oro_constrained *run, struct oro_pass *pass, struct oro_buffer *height,
                           struct oro_buffer *gorge)
{
    struct oro_buffer *buffers[] = {height, run->next,  run->jump,  run->carved,
                                    gorge,  run->level, run->number};
    return oro_eval_run(run->eval, pass, buffers);
}

/* Units of fixed point to a cell's rain, so that no sum overflows; what is rounded up on the way adds less
 * than as much again. */
static double units(const struct oro_constrained *run)
{
    return exp2(fmin(24, floor(31 - log2(run->scale.bound))));
}

static void swap(struct oro_buffer *pair[2])
{
    struct oro_buffer *first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
}

/* The result is in water[0]. After a round in which even the largest sum gives nothing on, nothing is left
 * to do. */
static bool sum_water(struct oro_constrained *run)
{
    struct oro_constrained_passes *p = run->passes;
    double whole = units(run), kept = run->scale.kept;
    struct oro_buffer *start[] = {run->next, run->pointer[0], run->water[0]};
    if (!oro_eval_run_with(run->eval, &p->rain, start, (float[]){(float)whole}))
        return false;
    for (size_t distance = 1; distance < run->cells && kept * run->scale.bound * whole >= 0.5;
         distance *= 2, kept *= kept) {
        struct oro_buffer *advance[] = {run->pointer[0], run->water[0], run->pointer[1], run->water[1]};
        struct oro_buffer *add[] = {run->pointer[0], run->water[0], run->water[1]};
        if (!oro_eval_run(run->eval, &p->advance, advance) ||
            !oro_eval_run_with(run->eval, &p->add, add, (float[]){(float)kept}))
            return false;
        swap(run->pointer);
        swap(run->water);
    }
    return true;
}

/* ---- Step 3: gorges ---- */

static void plan_gorges(struct oro_constrained_passes *p, bool straight)
{
    struct oro_pass passes = {.kernel = "flow/routing_saddles.comp",
                              .maps = no_maps,
                              .slots = {{"z", ORO_READ},
                                        {"component", ORO_READ, "uint"},
                                        {"level", ORO_UPDATE, "uint"},
                                        {"number", ORO_UPDATE, "uint"}}};
    p->levels = p->numbers = passes;
    p->levels.defines = straight ? "#define NUMBERS 0\n#define STRIDE 2u\n" : "#define NUMBERS 0\n";
    p->numbers.defines = straight ? "#define NUMBERS 1\n#define STRIDE 2u\n" : "#define NUMBERS 1\n";
    p->gorges = (struct oro_pass){.kernel = "erosion/constraint_erosion_gorges.comp",
                                  .maps = no_maps,
                                  .slots = {{"height", ORO_READ},
                                            {"next", ORO_READ, "uint"},
                                            {"jump", ORO_READ, "uint"},
                                            {"number", ORO_READ, "uint"},
                                            {"sum", ORO_READ, "uint"},
                                            {"carved", ORO_UPDATE, "uint"},
                                            {"gorge", ORO_UPDATE, "uint"}},
                                  .constants = {"unit"}};
}

/* Pointers reach five times as far with every run. */
static bool find_basins(struct oro_constrained *run)
{
    for (size_t reach = 1; reach < run->cells; reach *= 5)
        if (!oro_eval_run(run->eval, &run->passes->jump, &run->jump))
            return false;
    return true;
}

/* Of one unit of water in D. */
static float unit(const struct oro_constrained *run)
{
    return (float)(run->scale.local / units(run));
}

static bool carve_gorges(struct oro_constrained *run)
{
    struct oro_constrained_passes *p = run->passes;
    struct oro_buffer *passes[] = {run->height, run->jump, run->level, run->number};
    struct oro_buffer *gorges[] = {run->height,   run->next,   run->jump, run->number,
                                   run->water[0], run->carved, run->gorge};
    return find_basins(run) && oro_eval_run(run->eval, &p->levels, passes) &&
           oro_eval_run(run->eval, &p->numbers, passes) &&
           oro_eval_run_with(run->eval, &p->gorges, gorges, (float[]){unit(run)});
}

/* ---- Steps 4 and 5: erosion and constraints ---- */

static void plan_erosion(struct oro_constrained_passes *p)
{
    static const char *const defines[] = {
        "#define FIRST 0\n#define LAST 0\n", "#define FIRST 1\n#define LAST 0\n",
        "#define FIRST 0\n#define LAST 1\n", "#define FIRST 1\n#define LAST 1\n"};
    for (int i = 0; i < 4; i++) {
        bool first = i & 1, last = i & 2;
        p->erosion[i] =
            (struct oro_pass){.kernel = "erosion/constraint_erosion_step.comp",
                              .maps = last ? erosion_maps : erodibility,
                              .slots = {{"next", ORO_READ, "uint"},
                                        {"sum", ORO_READ, "uint"},
                                        {first ? "carved" : "before", ORO_READ, first ? "uint" : NULL},
                                        {"after", ORO_WRITE},
                                        {last ? "constraint" : NULL, ORO_READ},
                                        {last ? "relief" : NULL, ORO_READ},
                                        {last ? "tiles" : NULL, ORO_READ, "vec2"}},
                              .defines = defines[i],
                              .constants = {"depth", "flow", "tile"}};
    }
}

/* The result, less the constraint, is in ground[0]. */
static bool erode(struct oro_constrained *run)
{
    int rounds = run->scale.rounds;
    double depth = (double)run->params->reference_cell / rounds;
    float constants[] = {(float)depth, (float)((double)unit(run) * run->scale.sharing),
                         (float)run->scale.tile};
    for (int i = 0; i < rounds; i++) {
        struct oro_pass *pass = &run->passes->erosion[(i == 0) + 2 * (i == rounds - 1)];
        struct oro_buffer *buffers[] = {run->next,      run->water[0],   i ? run->ground[0] : run->carved,
                                        run->ground[1], run->constraint, run->relief,
                                        run->tiles[0]};
        if (!oro_eval_run_with(run->eval, pass, buffers, constants))
            return false;
        swap(run->ground);
    }
    return true;
}

static void plan_tiles(struct oro_constrained *run)
{
    struct oro_constrained_passes *p = run->passes;
    struct oro_grid cells = *oro_eval_grid(run->eval), rows = cells, tiles;
    int tile = run->scale.tile;
    rows.width = (cells.width + tile - 1) / tile;
    tiles = rows;
    tiles.height = (cells.height + tile - 1) / tile;
    p->tile_rows = (struct oro_pass){.kernel = "erosion/constraint_erosion_tiles.comp",
                                     .maps = no_maps,
                                     .slots = {{"height", ORO_READ},
                                               {"constraint", ORO_READ},
                                               {"relief", ORO_READ},
                                               {"sums", ORO_WRITE, "vec2"}},
                                     .grid = rows,
                                     .source = cells,
                                     .defines = "#define DOWN 0\n",
                                     .constants = {"tile"}};
    p->tiles = (struct oro_pass){.kernel = "erosion/constraint_erosion_tiles.comp",
                                 .maps = no_maps,
                                 .slots = {{"rows", ORO_READ, "vec2"}, {"sums", ORO_WRITE, "vec2"}},
                                 .grid = tiles,
                                 .source = cells,
                                 .defines = "#define DOWN 1\n",
                                 .constants = {"tile"}};
    p->around = (struct oro_pass){.kernel = "erosion/constraint_erosion_around.comp",
                                  .maps = no_maps,
                                  .slots = {{"from", ORO_READ, "vec2"}, {"sums", ORO_WRITE, "vec2"}},
                                  .grid = tiles,
                                  .constants = {"east", "south", "reach"}};
}

/* Sums around every tile, of the state that the iteration begins with: in tiles[0]. */
static bool sum_tiles(struct oro_constrained *run)
{
    struct oro_constrained_passes *p = run->passes;
    float tile = (float)run->scale.tile, reach = (float)run->scale.tiles_around;
    struct oro_buffer *rows[] = {run->height, run->constraint, run->relief, run->tiles[1]};
    struct oro_buffer *there[] = {run->tiles[1], run->tiles[0]}, *back[] = {run->tiles[0], run->tiles[1]};
    if (!oro_eval_run_with(run->eval, &p->tile_rows, rows, &tile) ||
        !oro_eval_run_with(run->eval, &p->tiles, there, &tile))
        return false;
    for (int south = 0; south < 2; south++) { /* twice over in either direction */
        float constants[] = {(float)!south, (float)south, reach};
        if (!oro_eval_run_with(run->eval, &p->around, back, constants) ||
            !oro_eval_run_with(run->eval, &p->around, there, constants))
            return false;
    }
    return true;
}

static void plan_gradient(struct oro_constrained_passes *p, bool wide)
{
    p->rows = (struct oro_pass){.kernel = "erosion/constraint_erosion_rows.comp",
                                .maps = no_maps,
                                .slots = {{"difference", ORO_READ}, {"rows", ORO_WRITE}},
                                .constants = {"reach"}};
    p->gradient = (struct oro_pass){.kernel = "erosion/constraint_erosion_gradient.comp",
                                    .maps = gradient_strength,
                                    .slots = {{"difference", ORO_READ},
                                              {"constraint", ORO_READ},
                                              {"gorge", ORO_READ, "uint"},
                                              {"height", ORO_WRITE},
                                              {wide ? "rows" : NULL, ORO_READ}},
                                    .defines = wide ? "#define WIDE 1\n" : "#define WIDE 0\n",
                                    .constants = {"gradient", "reach", "coast"}};
}

static bool keep_gradient(struct oro_constrained *run)
{
    float reach = (float)run->scale.reach;
    struct oro_buffer *buffers[] = {run->ground[0], run->constraint, run->gorge, run->height, run->ground[1]};
    struct oro_buffer *rows[] = {run->ground[0], run->ground[1]};
    return (run->scale.reach == 0 || oro_eval_run_with(run->eval, &run->passes->rows, rows, &reach)) &&
           oro_eval_run_with(run->eval, &run->passes->gradient, buffers,
                             (float[]){(float)run->scale.gradient, reach, (float)run->scale.coast});
}

/* ---- All of it ---- */

static bool make_room(struct oro_constrained *run)
{
    const struct oro_grid *grid = oro_eval_grid(run->eval);
    size_t side = (size_t)run->scale.tile, across = ((size_t)grid->width + side - 1) / side;
    struct oro_buffer **rasters[] = {&run->next,     &run->jump,   &run->carved,     &run->level,
                                     &run->number,   run->pointer, run->pointer + 1, run->water,
                                     run->water + 1, run->ground,  run->ground + 1};
    for (size_t i = 0; i < sizeof rasters / sizeof rasters[0]; i++)
        if (!(*rasters[i] = oro_eval_buffer(run->eval, run->cells)))
            return false;
    for (int i = 0; i < 2; i++)
        run->tiles[i] = oro_eval_buffer(run->eval, 2 * across * (size_t)grid->height);
    return run->tiles[1];
}

bool oro_constrained_begin(struct oro_constrained *run)
{
    if (run->on_processor)
        return oro_constrained_host_begin(run);
    run->passes = oro_alloc(1, sizeof *run->passes);
    if (!run->passes)
        return oro_eval_fail(run->eval, ORO_E_MEMORY, "no memory for the passes of constraint erosion");
    plan_tree(run->passes);
    plan_gorges(run->passes, run->params->neighbours == ORO_CONSTRAINT_NEIGHBOURS_4);
    plan_erosion(run->passes);
    plan_tiles(run);
    plan_gradient(run->passes, run->scale.reach > 0);
    return make_room(run);
}

void oro_constrained_end(struct oro_constrained *run)
{
    oro_free(run->passes);
    if (run->on_processor)
        oro_constrained_host_end(run);
}

bool oro_constrained_iterate(struct oro_constrained *run)
{
    if (run->on_processor)
        return oro_constrained_host_iterate(run);
    return sum_tiles(run) && find_receivers(run, &run->passes->receivers, run->height, run->gorge) &&
           sum_water(run) && carve_gorges(run) && erode(run) && keep_gradient(run);
}

bool oro_constrained_put(struct oro_constrained *run)
{
    return !run->on_processor || oro_constrained_host_put(run);
}

bool oro_constrained_drain(struct oro_constrained *run, struct oro_buffer *height, struct oro_buffer *drained)
{
    if (run->on_processor)
        return oro_constrained_host_drain(run, height, drained);
    struct oro_pass *ways = &run->passes->ways;
    if (!find_receivers(run, ways, height, run->ground[0]) || !sum_water(run)) /* gorges stay as they are */
        return false;
    struct oro_buffer *buffers[] = {run->water[0], drained};
    return oro_eval_run_with(run->eval, &run->passes->drainage, buffers, (float[]){unit(run)});
}
