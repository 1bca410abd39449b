/* The kernels of exact drainage, with their slots. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "nodes/flow/drainage_kernels.h"
#include "nodes/lib/simulation.h"

#define R(name, type)                                                                                        \
    {                                                                                                        \
        name, NULL, ORO_READ, type                                                                           \
    }
#define W(name, type)                                                                                        \
    {                                                                                                        \
        name, NULL, ORO_WRITE, type                                                                          \
    }
#define U(name, type)                                                                                        \
    {                                                                                                        \
        name, NULL, ORO_UPDATE, type                                                                         \
    }
#define FLAGS W("flags", "uint")
/* Of rounds over components: gles_shaders/lib/rounds.glsl. */
#define ROUND_FLAGS U("flags", "uint")
#define ROUND_CONSTANTS                                                                                      \
    {"before"},                                                                                              \
    {                                                                                                        \
        "flag"                                                                                               \
    }

#define FIELD(number)                                                                                        \
    {                                                                                                        \
        .kernel = "flow/routing_flats.comp",                                                                 \
        .slots = {R("z", NULL), U("walls", "uint"), U("ways", "uint"), U("sinks", "uint"), FLAGS},           \
        .defines = "#define FIELD " #number "\n", .constants = {                                             \
            {"flag"}                                                                                         \
        }                                                                                                    \
    }

/* Of flow/drainage_tree_tile.comp, and of the rounds over rims. */
#define DEFINES(lowest, cells, rain, grade, way, highest, enter)                                             \
    "#define LOWEST " #lowest "\n#define CELLS " #cells "\n#define RAIN " #rain "\n#define GRADE " #grade    \
    "\n#define WAY " #way "\n#define HIGHEST " #highest "\n#define ENTER " #enter "\n"

static const struct oro_dispatch dispatches[TREE_RIM_START] = {
    [TREE_TILE] = {.kernel = "flow/routing_tile.comp",
                   .slots = {R("z", NULL), W("next", "uint"), W("basin", "uint"), W("rim", "uint"),
                             W("end", "uint"), FLAGS},
                   .constants = {{"flag"}}},
    [TREE_FOREST] = {.kernel = "flow/routing_forest.comp",
                     .slots = {R("z", NULL), R("basin", "uint"), R("rim", "uint"), W("candidate", "uint"),
                               W("component", "uint"), W("level", "uint"), W("number", "uint"),
                               W("exit_to", "uint"), ROUND_FLAGS},
                     .constants = {{"pits"}, {"unfinished"}, {"flag"}}},
    [TREE_FOLLOW] = {.kernel = "flow/routing_jump.comp",
                     .slots = {U("jump", "uint"), FLAGS},
                     .constants = {{"flag"}}},
    [TREE_LEVELS] = {.kernel = "flow/routing_saddles.comp",
                     .slots = {R("z", NULL), R("basin", "uint"), R("candidate", "uint"),
                               R("component", "uint"), U("level", "uint"), U("number", "uint"), ROUND_FLAGS},
                     .defines = "#define NUMBERS 0\n",
                     .constants = {ROUND_CONSTANTS}},
    [TREE_NUMBERS] = {.kernel = "flow/routing_saddles.comp",
                      .slots = {R("z", NULL), R("basin", "uint"), R("candidate", "uint"),
                                R("component", "uint"), U("level", "uint"), U("number", "uint"), ROUND_FLAGS},
                      .defines = "#define NUMBERS 1\n",
                      .constants = {ROUND_CONSTANTS}},
    [TREE_JOIN] = {.kernel = "flow/routing_join.comp",
                   .slots = {R("basin", "uint"), R("rim", "uint"), R("component", "uint"),
                             R("number", "uint"), U("level", "uint"), U("brought", "uint"), W("link", "uint"),
                             U("exit", "uint"), U("exit_to", "uint"), ROUND_FLAGS},
                   .constants = {ROUND_CONSTANTS, {"first"}}},
    [TREE_MERGE] = {.kernel = "flow/routing_merge.comp",
                    .slots = {R("component", "uint"), U("link", "uint"), W("merged", "uint"),
                              U("level", "uint"), W("number", "uint"), ROUND_FLAGS},
                    .constants = {ROUND_CONSTANTS}},
    [TREE_WALK] = {.kernel = "flow/routing_walk.comp",
                   .slots = {R("next", "uint"), R("basin", "uint"), R("rim", "uint"), R("end", "uint"),
                             R("exit", "uint"), U("level", "uint"), U("number", "uint"), W("entry", "uint"),
                             W("entry_to", "uint"), ROUND_FLAGS},
                   .constants = {ROUND_CONSTANTS, {"first"}}},
    [TREE_REVERSE] = {.kernel = "flow/routing_turn.comp",
                      .slots = {U("next", "uint"), R("end", "uint"), R("entry", "uint"),
                                R("entry_to", "uint"), ROUND_FLAGS},
                      .constants = {ROUND_CONSTANTS}},
    [TREE_BREACH] = {.kernel = "flow/drainage_tree_breach.comp",
                     .slots = {R("z", NULL), R("lowest", "int"), W("carved", NULL), FLAGS},
                     .constants = {{"flag"}}},
    [TREE_BREACH_TILES] = {.kernel = "flow/drainage_tree_tile.comp",
                           .slots = {R("z", NULL), R("next", "uint"), R("lowest", "int"), W("carved", NULL),
                                     FLAGS},
                           .defines = DEFINES(2, 0, 0, 0, 0, 0, 1),
                           .constants = {{"flag"}}},
    [TREE_DRAINAGE] = {.kernel = "flow/drainage_tree_drainage.comp",
                       .slots = {R("cells", "uint"), W("area", NULL)},
                       .defines = "#define RAIN 0\n"},
    [TREE_RAIN_DRAINAGE] = {.kernel = "flow/drainage_tree_drainage.comp",
                            .slots = {R("rain_low", "uint"), R("rain_high", "uint"), W("area", NULL)},
                            .defines = "#define RAIN 1\n"},
    [TREE_FLOOD] = {.kernel = "flow/drainage_tree_flood.comp",
                    .slots = {R("z", NULL), R("highest", "uint"), W("filled", NULL), FLAGS},
                    .defines = "#define SLOPED 0\n",
                    .constants = {{"flag"}}},
    [TREE_SLOPED_FLOOD] = {.kernel = "flow/drainage_tree_flood.comp",
                           .slots = {R("z", NULL), R("highest", "int"), W("filled", NULL), FLAGS},
                           .defines = "#define SLOPED 1\n",
                           .constants = {{"flag"}}},
    [TREE_ROOTS] = {.kernel = "flow/drainage_tree_roots.comp",
                    .slots = {R("next", "uint"), W("pointer", "uint"), W("mark", "uint")},
                    .defines = "#define LAKES 0\n"},
    [TREE_SPILLS] = {.kernel = "flow/drainage_tree_roots.comp",
                     .slots = {R("next", "uint"), W("pointer", "uint"), W("mark", "uint"), R("z", NULL),
                               R("level", NULL)},
                     .defines = "#define LAKES 1\n"},
    [TREE_MARK] = {.kernel = "flow/drainage_tree_mark.comp",
                   .slots = {R("end", "uint"), W("mark", "uint")},
                   .constants = {{"lakes"}}},
    [TREE_COUNT] = {.kernel = "flow/drainage_tree_count.comp",
                    .slots = {R("mark", "uint"), W("counts", "uint")},
                    .defines = "#define ASSIGN 0\n"},
    [TREE_ASSIGN] = {.kernel = "flow/drainage_tree_count.comp",
                     .slots = {U("mark", "uint"), R("counts", "uint")},
                     .defines = "#define ASSIGN 1\n"},
    [TREE_LABEL] = {.kernel = "flow/drainage_tree_label.comp",
                    .slots = {R("end", "uint"), R("mark", "uint"), W("label", NULL)},
                    .constants = {{"lakes"}}},
    [TREE_LABEL_SPILLS] = {.kernel = "flow/drainage_tree_spills.comp",
                           .slots = {R("mark", "uint"), W("label", NULL)}},
    [TREE_DIRECTIONS] = {.kernel = "flow/drainage_tree_directions.comp",
                         .slots = {R("next", "uint"), W("direction", NULL)}},
    [TREE_SOLVE_START] = {.kernel = "flow/drainage_tree_solve_start.comp",
                          .slots = {R("next", "uint"), W("pointer", "uint")}},
    [TREE_SOLVE] = {.kernel = "flow/drainage_tree_solve.comp",
                    .slots = {R("pointer", "uint"), W("pointer_out", "uint"), R("a", NULL), W("a_out", NULL),
                              R("b", NULL), W("b_out", NULL), FLAGS},
                    .constants = {{"flag"}}},
    [TREE_DROP] = {.kernel = "flow/drainage_tree_drop.comp",
                   .slots = {R("root", "uint"), R("way", "uint"), R("lowest", "int"), W("base", NULL),
                             W("drop", NULL)},
                   .constants = {{"unit"}}},
    [TREE_GRADE_START] = {.kernel = "flow/drainage_tree_grade_start.comp",
                          .slots = {R("z", NULL), R("next", "uint"), R("lowest", "int"), R("base", NULL),
                                    R("drop", NULL), W("limit", "int"), W("grade", "int")}},
    [TREE_RISE] = {.kernel = "flow/drainage_tree_rise.comp", .slots = {R("grade", "int"), U("drop", NULL)}},
    [TREE_LOWER] = {.kernel = "flow/drainage_tree_lower.comp",
                    .slots = {R("z", NULL), R("next", "uint"), R("grade", "int"), R("limit", "int"),
                              R("base", NULL), R("drop", NULL), U("lowest", "int"), W("gentle", NULL)}},
    [TREE_FALL] = {.kernel = "flow/drainage_tree_fall.comp",
                   .slots = {R("next", "uint"), U("lowest", "int"), FLAGS},
                   .constants = {{"flag"}}},
    [TREE_FIX] = {.kernel = "flow/routing_fix.comp",
                  .slots = {R("component", "uint"), U("level", "uint")},
                  .constants = {{"shared_sides"}}},
    [TREE_LIST] = {.kernel = "flow/routing_list.comp",
                   .slots = {R("z", NULL), R("basin", "uint"), R("candidate", "uint"), R("component", "uint"),
                             U("list", "uint")},
                   .constants = {{"room"}}},
    [TREE_REVERSE_PATHS] = {.kernel = "flow/patch_turn.comp",
                            .slots = {U("next", "uint"), U("ways", "uint"), FLAGS},
                            .constants = {{"count"}, {"flag"}}},
    [TREE_READ] = {.kernel = "flow/patch_list.comp",
                   .slots = {R("places", "uint"), R("buffer_of", "uint"), W("list", "uint")},
                   .defines = "#define HOW READ\n",
                   .constants = {{"count"}}},
    [TREE_WRITE] = {.kernel = "flow/patch_list.comp",
                    .slots = {R("places", "uint"), U("buffer_of", "uint"), R("list", "uint")},
                    .defines = "#define HOW WRITE\n",
                    .constants = {{"count"}}},
    [TREE_LEAST] = {.kernel = "flow/patch_list.comp",
                    .slots = {R("places", "uint"), U("buffer_of", "int"), R("list", "int")},
                    .defines = "#define HOW LEAST\n",
                    .constants = {{"count"}}},
    [TREE_FLATS_START] = {.kernel = "flow/routing_flats_start.comp",
                          .slots = {R("z", NULL), W("walls", "uint"), W("ways", "uint"), W("sinks", "uint")}},
    [TREE_FLATS] = FIELD(0),
    [TREE_FLATS + 1] = FIELD(1),
    [TREE_FLATS + 2] = FIELD(2),
    [TREE_FLATS + 3] = FIELD(3),
    [TREE_FLATS_CHOOSE] = {.kernel = "flow/routing_flats_choose.comp",
                           .slots = {R("z", NULL), R("walls", "uint"), R("ways", "uint"),
                                     W("across", "uint")}},
    [TREE_TILE_FLATS] = {.kernel = "flow/routing_tile.comp",
                         .slots = {R("z", NULL), R("across", "uint"), W("next", "uint"), W("basin", "uint"),
                                   W("rim", "uint"), W("end", "uint"), FLAGS},
                         .defines = "#define FLATS\n",
                         .constants = {{"flag"}}},
};

static const char *const travel_defines[TREE_TRAVELS][2] = {
    [TREE_LOWEST] = {DEFINES(1, 0, 0, 0, 0, 0, 0), DEFINES(1, 0, 0, 0, 0, 0, 1)},
    [TREE_CELLS] = {DEFINES(0, 1, 0, 0, 0, 0, 0), DEFINES(0, 1, 0, 0, 0, 0, 1)},
    [TREE_RAIN] = {DEFINES(0, 0, 1, 0, 0, 0, 0), DEFINES(0, 0, 1, 0, 0, 0, 1)},
    [TREE_GRADE] = {DEFINES(0, 0, 0, 1, 0, 0, 0), DEFINES(0, 0, 0, 1, 0, 0, 1)},
    [TREE_PATH] = {DEFINES(0, 0, 0, 0, 1, 0, 0), DEFINES(0, 0, 0, 0, 1, 0, 1)},
    [TREE_CELLS_OF_PATH] = {DEFINES(0, 0, 0, 0, 2, 0, 0), DEFINES(0, 0, 0, 0, 2, 0, 1)},
    [TREE_HIGHEST] = {DEFINES(0, 0, 0, 0, 0, 1, 0), DEFINES(0, 0, 0, 0, 0, 1, 1)},
    [TREE_SLOPED_HIGHEST] = {DEFINES(0, 0, 0, 0, 0, 2, 0), DEFINES(0, 0, 0, 0, 0, 2, 1)},
};

const struct oro_drainage_tree_part_slots oro_drainage_tree_parts[TREE_TRAVELS][TREE_PARTS] = {
    [TREE_LOWEST] = {{"lowest", NULL, "int", "lowest_of"}, {"ahead", "ahead_out", "uint", NULL}},
    [TREE_CELLS] = {{"cells", "cells_out", "uint", "cells_of"}},
    [TREE_RAIN] = {{"rain_low", "rain_low_out", "uint", "low_of"},
                   {"rain_high", "rain_high_out", "uint", "high_of"}},
    [TREE_GRADE] = {{"grade", NULL, "int", NULL}, {"most", "most_out", "int", NULL}},
    [TREE_PATH] = {{"way", "way_out", "uint", "way_of"}, {"root", "root_out", "uint", "root_of"}},
    [TREE_CELLS_OF_PATH] = {{"way", "way_out", "uint", "way_of"}, {"root", "root_out", "uint", "root_of"}},
    [TREE_HIGHEST] = {{"highest", "highest_out", "uint", "highest_of"}},
    [TREE_SLOPED_HIGHEST] = {{"highest", "highest_out", "int", "highest_of"},
                             {"ahead", "ahead_out", "uint", NULL}},
};

/* Adds the slots of what travels. `out`: whether the rims have an `after` here, with the access `second`;
 * then what has none is changed in place. */
static void add_parts(struct oro_dispatch *dispatch, int what, enum oro_access first, bool out,
                      enum oro_access second)
{
    for (int i = 0; i < TREE_PARTS && oro_drainage_tree_parts[what][i].name; i++) {
        const struct oro_drainage_tree_part_slots *part = &oro_drainage_tree_parts[what][i];
        enum oro_access access = out && !part->out ? ORO_UPDATE : first;
        oro_add_slot(dispatch, (struct oro_slot){part->name, NULL, access, part->type});
        if (out && part->out)
            oro_add_slot(dispatch, (struct oro_slot){part->out, NULL, second, part->type});
    }
}

/* Of kernels over the rims, an invocation for each slot. */
static void spread_over_rims(const struct oro_grid *grid, struct oro_dispatch *dispatch)
{
    dispatch->group_columns = ORO_DRAINAGE_TREE_RIM;
    dispatch->group_rows = 1;
    dispatch->columns = oro_drainage_tree_tiles(grid->width) * ORO_DRAINAGE_TREE_RIM;
    dispatch->rows = oro_drainage_tree_tiles(grid->height);
}

static void plan_rims(struct oro_drainage_tree *tree, int what)
{
    struct oro_dispatch *start = &tree->dispatches[TREE_RIM_START + what],
                        *advance = &tree->dispatches[TREE_RIM_ADVANCE + what],
                        *add = &tree->dispatches[TREE_RIM_ADD + what];
    const char *defines = travel_defines[what][0];
    *start = (struct oro_dispatch){
        .kernel = "flow/drainage_tree_rim_start.comp", .slots = {W("pointer", "uint")}, .defines = defines};
    add_parts(start, what, ORO_WRITE, false, ORO_WRITE);
    *advance = (struct oro_dispatch){.kernel = "flow/drainage_tree_rim_advance.comp",
                                     .slots = {R("pointer", "uint"), W("pointer_out", "uint"), FLAGS},
                                     .defines = defines,
                                     .constants = {{"flag"}}};
    add_parts(advance, what, ORO_READ, true, ORO_WRITE);
    *add = (struct oro_dispatch){
        .kernel = "flow/drainage_tree_rim_add.comp", .slots = {R("pointer", "uint")}, .defines = defines};
    add_parts(add, what, ORO_READ, true, ORO_UPDATE);
    spread_over_rims(&tree->grid, start);
    spread_over_rims(&tree->grid, advance);
    spread_over_rims(&tree->grid, add);
}

/* Of kernels within tiles, a work group for each; cells of an invocation as measured: much that one of
 * routing does, it does alone, and the more of them there are the better. */
enum { CELLS_OF_ROUTING = 1, CELLS_OF_FOREST = 2, CELLS_OF_TRAVEL = 2 };

static void plan_tiles(struct oro_drainage_tree *tree, int what)
{
    struct oro_dispatch *leave = &tree->dispatches[TREE_LEAVE + what],
                        *enter = &tree->dispatches[TREE_ENTER + what];
    *leave = (struct oro_dispatch){.kernel = "flow/drainage_tree_tile.comp",
                                   .slots = {R("next", "uint"), W("pointer", "uint")},
                                   .defines = travel_defines[what][0]};
    *enter = (struct oro_dispatch){.kernel = "flow/drainage_tree_tile.comp",
                                   .slots = {R("next", "uint")},
                                   .defines = travel_defines[what][1]};
    add_parts(leave, what, ORO_UPDATE, false, ORO_UPDATE);
    add_parts(enter, what, ORO_READ, false, ORO_READ);
    for (int i = 0; i < TREE_PARTS && oro_drainage_tree_parts[what][i].result; i++)
        oro_add_slot(enter, (struct oro_slot){oro_drainage_tree_parts[what][i].result, NULL, ORO_WRITE,
                                              oro_drainage_tree_parts[what][i].type});
    if (what == TREE_LOWEST || what == TREE_HIGHEST || what == TREE_SLOPED_HIGHEST) {
        oro_add_slot(leave, (struct oro_slot)R("z", NULL));
        oro_add_slot(enter, (struct oro_slot)R("z", NULL));
    }
    if (what == TREE_GRADE) {
        oro_add_slot(leave, (struct oro_slot)R("limit", "int"));
        oro_add_slot(enter, (struct oro_slot)R("limit", "int"));
        oro_add_slot(leave, (struct oro_slot)R("grades", "int"));
        oro_add_slot(enter, (struct oro_slot)U("grades", "int"));
    }
    oro_dispatch_tiles_over(&tree->grid, leave, CELLS_OF_TRAVEL);
    oro_dispatch_tiles_over(&tree->grid, enter, CELLS_OF_TRAVEL);
}

bool oro_drainage_tree_links(const struct oro_drainage_tree *tree, const char *name)
{
    const struct oro_input *input = oro_eval_type(tree->eval)->inputs;
    while (input->name && strcmp(input->name, name) != 0)
        input++;
    return input->name && oro_eval_linked(tree->eval, name);
}

/* Of a part of a terrain: with what is known of beyond. Maps are those of the part, in slots of their names.
 */
static void plan_edges(struct oro_drainage_tree *tree)
{
    static const char *const none[] = {NULL};
    struct oro_dispatch *d = tree->dispatches;
    bool sea = !tree->outlets && oro_drainage_tree_links(tree, "sea");
    d[TREE_TILE].defines = tree->outlets ? "#define RING\n#define OUTLETS\n" : "#define RING\n";
    oro_add_slot(&d[TREE_TILE], (struct oro_slot)R("ring", NULL));
    oro_add_slot(&d[TREE_TILE], (struct oro_slot)W("exits", "uint"));
    if (sea)
        oro_add_slot(&d[TREE_TILE], (struct oro_slot)R("sea", NULL));
    oro_add_constant(&d[TREE_TILE], "borders", 0);
    for (int kernel = TREE_DROP; kernel <= TREE_LOWER; kernel++) {
        if (kernel == TREE_RISE)
            continue;
        d[kernel].defines = "#define BEYOND\n";
        oro_add_slot(&d[kernel], (struct oro_slot)R("exits", "uint"));
    }
    for (struct oro_slot *slot = d[TREE_LOWER].slots; slot->name; slot++)
        if (strcmp(slot->name, "gentle") == 0)
            *slot = (struct oro_slot)U("gentle", "uint");
    oro_add_slot(&d[TREE_DROP], (struct oro_slot)R("beyond_way", "uint"));
    oro_add_slot(&d[TREE_DROP], (struct oro_slot)R("beyond_base", NULL));
    oro_add_slot(&d[TREE_GRADE_START], (struct oro_slot)R("beyond_low", "int"));
    oro_add_slot(&d[TREE_GRADE_START], (struct oro_slot)R("beyond_ground", NULL));
    for (int kernel = 0; kernel < TREE_KERNEL_COUNT; kernel++)
        d[kernel].maps = none;
    for (int kernel = TREE_LEAVE; kernel <= TREE_ENTER; kernel += TREE_ENTER - TREE_LEAVE)
        if (oro_drainage_tree_links(tree, "rain"))
            oro_add_slot(&d[kernel + TREE_RAIN], (struct oro_slot)R("rain", NULL));
    spread_over_rims(&tree->grid, &d[TREE_FIX]);
    spread_over_rims(&tree->grid, &d[TREE_LIST]);
    /* An invocation for each cell along the edge, at the most. */
    int along = 2 * (tree->grid.width + tree->grid.height);
    for (int kernel = TREE_REVERSE_PATHS; kernel <= TREE_LEAST; kernel++)
        d[kernel].grid = (struct oro_grid){.width = 256, .height = (along + 255) / 256, .cell = 1};
}

static void plan_flats(struct oro_drainage_tree *tree)
{
    static const char *const sea[] = {"sea", NULL}, *const none[] = {NULL};
    struct oro_dispatch *start = &tree->dispatches[TREE_FLATS_START],
                        *tile = &tree->dispatches[TREE_TILE_FLATS];
    for (int kernel = TREE_FLATS_START; kernel <= TREE_TILE_FLATS; kernel++)
        tree->dispatches[kernel].maps = none;
    start->maps = tile->maps = sea;
    if (tree->outlets) {
        start->defines = "#define OUTLETS\n";
        tile->defines = "#define FLATS\n#define OUTLETS\n";
        oro_add_slot(start, (struct oro_slot)R("outlets", NULL));
        oro_add_slot(tile, (struct oro_slot)R("outlets", NULL));
    }
    for (int field = 0; field < 4; field++)
        oro_dispatch_tiles_over(&tree->grid, &tree->dispatches[TREE_FLATS + field], CELLS_OF_ROUTING);
    oro_dispatch_tiles_over(&tree->grid, tile, CELLS_OF_ROUTING);
}

/* Of the maps that are linked to a node, routing needs the sea alone; each takes a buffer of a kernel. */
static void plan_routing(struct oro_drainage_tree *tree)
{
    static const char *const sea[] = {"sea", NULL}, *const none[] = {NULL};
    struct oro_dispatch *tile = &tree->dispatches[TREE_TILE];
    tile->maps = sea;
    if (tree->outlets) {
        tile->defines = "#define OUTLETS\n";
        oro_add_slot(tile, (struct oro_slot)R("outlets", NULL));
    }
    plan_flats(tree);
    oro_dispatch_tiles_over(&tree->grid, tile, CELLS_OF_ROUTING);
    oro_dispatch_tiles_over(&tree->grid, &tree->dispatches[TREE_FOREST], CELLS_OF_FOREST);
    for (int kernel = TREE_FOREST; kernel <= TREE_REVERSE; kernel++)
        tree->dispatches[kernel].maps = none;
    for (int kernel = TREE_FOLLOW; kernel <= TREE_REVERSE; kernel++)
        spread_over_rims(&tree->grid, &tree->dispatches[kernel]);
}

bool oro_drainage_tree_plan(struct oro_drainage_tree *tree)
{
    tree->dispatches = oro_alloc(TREE_KERNEL_COUNT, sizeof *tree->dispatches);
    if (!tree->dispatches)
        return oro_eval_fail(tree->eval, ORO_E_MEMORY, "no memory for the dispatches of drainage");
    memcpy(tree->dispatches, dispatches, sizeof dispatches);
    plan_routing(tree);
    oro_dispatch_tiles_over(&tree->grid, &tree->dispatches[TREE_BREACH_TILES], CELLS_OF_TRAVEL);
    for (int what = 0; what < TREE_TRAVELS; what++) {
        plan_rims(tree, what);
        plan_tiles(tree, what);
    }
    for (int kernel = 0; kernel < TREE_KERNEL_COUNT; kernel++)
        tree->dispatches[kernel].grid = tree->grid;
    if (tree->edges)
        plan_edges(tree);
    return true;
}

void oro_drainage_tree_set(struct oro_drainage_tree *tree, int kernel, const char *constant, double value)
{
    oro_set(&tree->dispatches[kernel], constant, value);
}

bool oro_drainage_tree_run(struct oro_drainage_tree *tree, int kernel,
                           const struct oro_drainage_tree_slot *slots)
{
    struct oro_dispatch *dispatch = &tree->dispatches[kernel];
    const struct oro_drainage_tree_edges none = {0}, *edges = tree->edges ? tree->edges : &none;
    const struct oro_drainage_tree_slot own[] = {{"z", tree->z},
                                                 {"next", tree->next},
                                                 {"flags", tree->flags},
                                                 {"outlets", tree->outlets},
                                                 {"sea", edges->sea},
                                                 {"rain", edges->rain},
                                                 {"ring", edges->ring},
                                                 {"exits", edges->exits},
                                                 {"beyond_way", edges->beyond_way},
                                                 {"beyond_base", edges->beyond_base},
                                                 {"beyond_low", edges->beyond_low},
                                                 {"beyond_ground", edges->beyond_ground}};
    for (int i = 0; i < ORO_BUFFERS_MAX && dispatch->slots[i].name; i++)
        for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
            if (strcmp(dispatch->slots[i].name, own[k].name) == 0)
                dispatch->slots[i].buffer = own[k].buffer;
    for (; slots->name; slots++)
        oro_bind(dispatch, slots->name, slots->buffer);
    return oro_eval_dispatch(tree->eval, dispatch);
}
