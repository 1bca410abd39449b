/* The kernels of exact drainage, with their slots. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "nodes/flow/drainage_tree_private.h"

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

static const struct oro_dispatch dispatches[TREE_START] = {
    [TREE_RECEIVERS] = {.kernel = "flow/routing_receivers.comp",
                        .slots = {R("z", NULL), W("next", "uint"), W("jump", "uint"), FLAGS}},
    [TREE_JUMP] = {.kernel = "flow/routing_jump.comp",
                   .slots = {U("jump", "uint"), FLAGS},
                   .constants = {{"flag"}}},
    [TREE_BASINS] = {.kernel = "flow/routing_basins.comp",
                     .slots = {U("basin", "uint"), W("component", "uint"), W("exit", "uint"),
                               W("level", "uint"), W("number", "uint")}},
    [TREE_LEVELS] = {.kernel = "flow/routing_saddles.comp",
                     .slots = {R("z", NULL), R("component", "uint"), U("level", "uint"), U("number", "uint")},
                     .defines = "#define NUMBERS 0\n"},
    [TREE_NUMBERS] = {.kernel = "flow/routing_saddles.comp",
                      .slots = {R("z", NULL), R("component", "uint"), U("level", "uint"),
                                U("number", "uint")},
                      .defines = "#define NUMBERS 1\n"},
    [TREE_LINK] = {.kernel = "flow/routing_link.comp",
                   .slots = {R("component", "uint"), R("basin", "uint"), R("number", "uint"),
                             W("level", "uint"), W("link", "uint")}},
    [TREE_EXITS] = {.kernel = "flow/routing_exits.comp",
                    .slots = {R("component", "uint"), R("basin", "uint"), R("link", "uint"),
                              U("level", "uint"), U("number", "uint"), U("exit", "uint"), FLAGS},
                    .constants = {{"flag"}}},
    [TREE_CLIMB_LINKS] = {.kernel = "flow/routing_climb.comp",
                          .slots = {R("component", "uint"), U("link", "uint")}},
    [TREE_MERGE] = {.kernel = "flow/routing_merge.comp",
                    .slots = {R("component", "uint"), R("link", "uint"), W("merged", "uint"), FLAGS},
                    .constants = {{"flag"}}},
    [TREE_CLEAR] = {.kernel = "flow/routing_clear.comp",
                    .slots = {R("component", "uint"), W("level", "uint"), W("number", "uint")}},
    [TREE_TURN] = {.kernel = "flow/routing_turn.comp",
                   .slots = {R("basin", "uint"), R("exit", "uint"), U("level", "uint"), U("number", "uint"),
                             U("next", "uint"), FLAGS},
                   .constants = {{"flag"}, {"first"}}},
    [TREE_BREACH] = {.kernel = "flow/drainage_tree_breach.comp",
                     .slots = {R("z", NULL), R("lowest", "int"), W("carved", NULL), FLAGS},
                     .constants = {{"flag"}}},
    [TREE_DRAINAGE] = {.kernel = "flow/drainage_tree_drainage.comp",
                       .slots = {R("cells", "uint"), W("area", NULL)},
                       .defines = "#define RAIN 0\n"},
    [TREE_RAIN_DRAINAGE] = {.kernel = "flow/drainage_tree_drainage.comp",
                            .slots = {R("rain_low", "uint"), R("rain_high", "uint"), W("area", NULL)},
                            .defines = "#define RAIN 1\n"},
    [TREE_CLIMB_START] = {.kernel = "flow/drainage_tree_climb_start.comp",
                          .slots = {R("z", NULL), R("next", "uint"), W("pointer", "uint"),
                                    W("highest", "uint")},
                          .defines = "#define SLOPED 0\n"},
    [TREE_SLOPED_START] = {.kernel = "flow/drainage_tree_climb_start.comp",
                           .slots = {R("z", NULL), R("next", "uint"), W("pointer", "uint"),
                                     W("highest", "int")},
                           .defines = "#define SLOPED 1\n"},
    [TREE_CLIMB] = {.kernel = "flow/drainage_tree_climb.comp",
                    .slots = {R("pointer", "uint"), W("pointer_out", "uint"), R("highest", "uint"),
                              W("highest_out", "uint"), FLAGS},
                    .defines = "#define SLOPED 0\n",
                    .constants = {{"flag"}, {"distance"}}},
    [TREE_SLOPED_CLIMB] = {.kernel = "flow/drainage_tree_climb.comp",
                           .slots = {R("pointer", "uint"), W("pointer_out", "uint"), R("highest", "int"),
                                     W("highest_out", "int"), FLAGS},
                           .defines = "#define SLOPED 1\n",
                           .constants = {{"flag"}, {"distance"}}},
    [TREE_FLOOD] = {.kernel = "flow/drainage_tree_flood.comp",
                    .slots = {R("z", NULL), R("highest", "uint"), W("filled", NULL), FLAGS},
                    .defines = "#define SLOPED 0\n",
                    .constants = {{"flag"}}},
    [TREE_SLOPED_FLOOD] = {.kernel = "flow/drainage_tree_flood.comp",
                           .slots = {R("z", NULL), R("highest", "int"), W("filled", NULL), FLAGS},
                           .defines = "#define SLOPED 1\n",
                           .constants = {{"flag"}}},
    [TREE_ROOTS] = {.kernel = "flow/drainage_tree_roots.comp",
                    .slots = {R("next", "uint"), W("jump", "uint"), W("mark", "uint")},
                    .defines = "#define LAKES 0\n"},
    [TREE_SPILLS] = {.kernel = "flow/drainage_tree_roots.comp",
                     .slots = {R("next", "uint"), W("jump", "uint"), W("mark", "uint"), R("z", NULL),
                               R("level", NULL)},
                     .defines = "#define LAKES 1\n"},
    [TREE_MARK] = {.kernel = "flow/drainage_tree_mark.comp",
                   .slots = {R("jump", "uint"), W("mark", "uint")},
                   .constants = {{"lakes"}}},
    [TREE_COUNT] = {.kernel = "flow/drainage_tree_count.comp",
                    .slots = {R("mark", "uint"), W("counts", "uint")},
                    .defines = "#define ASSIGN 0\n"},
    [TREE_ASSIGN] = {.kernel = "flow/drainage_tree_count.comp",
                     .slots = {U("mark", "uint"), R("counts", "uint")},
                     .defines = "#define ASSIGN 1\n"},
    [TREE_LABEL] = {.kernel = "flow/drainage_tree_label.comp",
                    .slots = {R("jump", "uint"), R("mark", "uint"), W("label", NULL)},
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
    [TREE_WAY_START] = {.kernel = "flow/drainage_tree_way_start.comp",
                        .slots = {R("next", "uint"), W("pointer", "uint"), W("way", "uint")}},
    [TREE_WAY] = {.kernel = "flow/drainage_tree_way.comp",
                  .slots = {R("pointer", "uint"), W("pointer_out", "uint"), R("way", "uint"),
                            W("way_out", "uint"), FLAGS},
                  .constants = {{"flag"}}},
    [TREE_DROP] = {.kernel = "flow/drainage_tree_drop.comp",
                   .slots = {R("pointer", "uint"), R("way", "uint"), R("lowest", "int"), W("base", NULL),
                             W("drop", NULL)},
                   .constants = {{"unit"}}},
    [TREE_GRADE_START] = {.kernel = "flow/drainage_tree_grade_start.comp",
                          .slots = {R("z", NULL), R("next", "uint"), R("lowest", "int"), R("base", NULL),
                                    R("drop", NULL), W("pointer", "uint"), W("limit", "int"),
                                    W("grade", "int")}},
    [TREE_GRADE_ADVANCE] = {.kernel = "flow/drainage_tree_grade_advance.comp",
                            .slots = {R("pointer", "uint"), W("pointer_out", "uint"), R("limit", "int"),
                                      W("limit_out", "int"), R("grade", "int"), W("grade_out", "int"), FLAGS},
                            .constants = {{"flag"}}},
    [TREE_GRADE_MEET] = {.kernel = "flow/drainage_tree_grade_meet.comp",
                         .slots = {R("pointer", "uint"), R("limit", "int"), R("grade", "int"),
                                   U("grade_out", "int")}},
    [TREE_RISE] = {.kernel = "flow/drainage_tree_rise.comp",
                   .slots = {R("z", NULL), R("grade", "int"), R("base", NULL), U("drop", NULL),
                             W("limit", "int")}},
    [TREE_LOWER] = {.kernel = "flow/drainage_tree_lower.comp",
                    .slots = {R("z", NULL), R("next", "uint"), R("grade", "int"), R("limit", "int"),
                              R("base", NULL), R("drop", NULL), U("lowest", "int"), W("gentle", NULL),
                              W("pointer", "uint")}},
};

static const char *const sum_defines[8] = {
    "#define LOWEST 0\n#define CELLS 0\n#define RAIN 0\n",
    "#define LOWEST 1\n#define CELLS 0\n#define RAIN 0\n",
    "#define LOWEST 0\n#define CELLS 1\n#define RAIN 0\n",
    "#define LOWEST 1\n#define CELLS 1\n#define RAIN 0\n",
    "#define LOWEST 0\n#define CELLS 0\n#define RAIN 1\n",
    "#define LOWEST 1\n#define CELLS 0\n#define RAIN 1\n",
};

const struct oro_drainage_tree_sum oro_drainage_tree_sums[TREE_SUMS] = {
    {TREE_SUM_LOWEST, "lowest", "lowest_out", "int"},
    {TREE_SUM_CELLS, "cells", "cells_out", "uint"},
    {TREE_SUM_RAIN, "rain_low", "rain_low_out", "uint"},
    {TREE_SUM_RAIN, "rain_high", "rain_high_out", "uint"},
};

/* Adds the slots of sums of this kind. `second` is the access to the buffer that is added to, which a start
 * does not have. */
static void add_sums(struct oro_dispatch *dispatch, int kind, bool start, enum oro_access second)
{
    for (int i = 0; i < TREE_SUMS; i++) {
        const struct oro_drainage_tree_sum *sum = &oro_drainage_tree_sums[i];
        if (!(kind & sum->kind))
            continue;
        oro_add_slot(dispatch, (struct oro_slot){sum->name, NULL, start ? ORO_WRITE : ORO_READ, sum->type});
        if (!start)
            oro_add_slot(dispatch, (struct oro_slot){sum->out, NULL, second, sum->type});
    }
}

static void plan_sums(struct oro_dispatch *to, int kind)
{
    to[TREE_START + kind] =
        (struct oro_dispatch){.kernel = "flow/drainage_tree_start.comp",
                              .slots = {R("z", NULL), R("next", "uint"), W("pointer", "uint")},
                              .defines = sum_defines[kind]};
    add_sums(&to[TREE_START + kind], kind, true, ORO_WRITE);
    to[TREE_ADVANCE + kind] = (struct oro_dispatch){.kernel = "flow/drainage_tree_advance.comp",
                                                    .slots = {R("pointer", "uint"), W("pointer_out", "uint")},
                                                    .defines = sum_defines[kind],
                                                    .constants = {{"flag"}, {"distance"}}};
    add_sums(&to[TREE_ADVANCE + kind], kind, false, ORO_WRITE);
    oro_add_slot(&to[TREE_ADVANCE + kind], (struct oro_slot)FLAGS);
    to[TREE_ADD + kind] = (struct oro_dispatch){.kernel = "flow/drainage_tree_add.comp",
                                                .slots = {R("pointer", "uint")},
                                                .defines = sum_defines[kind],
                                                .constants = {{"flag"}, {"distance"}}};
    add_sums(&to[TREE_ADD + kind], kind, false, ORO_UPDATE);
}

bool oro_drainage_tree_plan(struct oro_drainage_tree *tree)
{
    tree->dispatches = oro_alloc(TREE_KERNEL_COUNT, sizeof *tree->dispatches);
    if (!tree->dispatches)
        return oro_eval_fail(tree->eval, ORO_E_MEMORY, "no memory for the dispatches of drainage");
    memcpy(tree->dispatches, dispatches, sizeof dispatches);
    static const int asking[] = {TREE_RECEIVERS, TREE_BASINS};
    for (int i = 0; tree->outlets && i < 2; i++) {
        tree->dispatches[asking[i]].defines = "#define OUTLETS\n";
        oro_add_slot(&tree->dispatches[asking[i]], (struct oro_slot)R("outlets", NULL));
    }
    for (int kind = 1; kind < 6; kind++)
        plan_sums(tree->dispatches, kind);
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
    const struct oro_drainage_tree_slot own[] = {
        {"z", tree->z}, {"next", tree->next}, {"flags", tree->flags}, {"outlets", tree->outlets}};
    for (int i = 0; i < ORO_BUFFERS_MAX && dispatch->slots[i].name; i++)
        for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
            if (strcmp(dispatch->slots[i].name, own[k].name) == 0)
                dispatch->slots[i].buffer = own[k].buffer;
    for (; slots->name; slots++)
        oro_bind(dispatch, slots->name, slots->buffer);
    return oro_eval_dispatch(tree->eval, dispatch);
}
