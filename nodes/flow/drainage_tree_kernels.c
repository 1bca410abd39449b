/* The kernels of exact drainage, with their slots. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "nodes/flow/drainage_tree_private.h"

#define R(name, type)                                                                                        \
    {                                                                                                        \
        name, ORO_READ, type                                                                                 \
    }
#define W(name, type)                                                                                        \
    {                                                                                                        \
        name, ORO_WRITE, type                                                                                \
    }
#define U(name, type)                                                                                        \
    {                                                                                                        \
        name, ORO_UPDATE, type                                                                               \
    }
#define FLAGS W("flags", "uint")

static const struct oro_pass passes[TREE_START] = {
    [TREE_RECEIVERS] = {.kernel = "flow/routing_receivers.comp",
                        .slots = {R("z", NULL), W("next", "uint"), W("jump", "uint"), FLAGS}},
    [TREE_JUMP] = {.kernel = "flow/routing_jump.comp",
                   .slots = {U("jump", "uint"), FLAGS},
                   .constants = {"flag"}},
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
                    .constants = {"flag"}},
    [TREE_CLIMB_LINKS] = {.kernel = "flow/routing_climb.comp",
                          .slots = {R("component", "uint"), U("link", "uint")}},
    [TREE_MERGE] = {.kernel = "flow/routing_merge.comp",
                    .slots = {R("component", "uint"), R("link", "uint"), W("merged", "uint"), FLAGS},
                    .constants = {"flag"}},
    [TREE_CLEAR] = {.kernel = "flow/routing_clear.comp",
                    .slots = {R("component", "uint"), W("level", "uint"), W("number", "uint")}},
    [TREE_TURN] = {.kernel = "flow/routing_turn.comp",
                   .slots = {R("basin", "uint"), R("exit", "uint"), U("level", "uint"), U("number", "uint"),
                             U("next", "uint"), FLAGS},
                   .constants = {"flag", "first"}},
    [TREE_BREACH] = {.kernel = "flow/drainage_tree_breach.comp",
                     .slots = {R("z", NULL), R("lowest", "int"), W("carved", NULL), FLAGS},
                     .constants = {"flag"}},
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
                    .constants = {"flag", "distance"}},
    [TREE_SLOPED_CLIMB] = {.kernel = "flow/drainage_tree_climb.comp",
                           .slots = {R("pointer", "uint"), W("pointer_out", "uint"), R("highest", "int"),
                                     W("highest_out", "int"), FLAGS},
                           .defines = "#define SLOPED 1\n",
                           .constants = {"flag", "distance"}},
    [TREE_FLOOD] = {.kernel = "flow/drainage_tree_flood.comp",
                    .slots = {R("z", NULL), R("highest", "uint"), W("filled", NULL), FLAGS},
                    .defines = "#define SLOPED 0\n",
                    .constants = {"flag"}},
    [TREE_SLOPED_FLOOD] = {.kernel = "flow/drainage_tree_flood.comp",
                           .slots = {R("z", NULL), R("highest", "int"), W("filled", NULL), FLAGS},
                           .defines = "#define SLOPED 1\n",
                           .constants = {"flag"}},
    [TREE_ROOTS] = {.kernel = "flow/drainage_tree_roots.comp",
                    .slots = {R("next", "uint"), W("jump", "uint"), W("mark", "uint")},
                    .defines = "#define LAKES 0\n"},
    [TREE_SPILLS] = {.kernel = "flow/drainage_tree_roots.comp",
                     .slots = {R("next", "uint"), W("jump", "uint"), W("mark", "uint"), R("z", NULL),
                               R("level", NULL)},
                     .defines = "#define LAKES 1\n"},
    [TREE_MARK] = {.kernel = "flow/drainage_tree_mark.comp",
                   .slots = {R("jump", "uint"), W("mark", "uint")},
                   .constants = {"lakes"}},
    [TREE_COUNT] = {.kernel = "flow/drainage_tree_count.comp",
                    .slots = {R("mark", "uint"), W("counts", "uint")},
                    .defines = "#define ASSIGN 0\n"},
    [TREE_ASSIGN] = {.kernel = "flow/drainage_tree_count.comp",
                     .slots = {U("mark", "uint"), R("counts", "uint")},
                     .defines = "#define ASSIGN 1\n"},
    [TREE_LABEL] = {.kernel = "flow/drainage_tree_label.comp",
                    .slots = {R("jump", "uint"), R("mark", "uint"), W("label", NULL)},
                    .constants = {"lakes"}},
    [TREE_LABEL_SPILLS] = {.kernel = "flow/drainage_tree_spills.comp",
                           .slots = {R("mark", "uint"), W("label", NULL)}},
    [TREE_DIRECTIONS] = {.kernel = "flow/drainage_tree_directions.comp",
                         .slots = {R("next", "uint"), W("direction", NULL)}},
    [TREE_SOLVE_START] = {.kernel = "flow/drainage_tree_solve_start.comp",
                          .slots = {R("next", "uint"), W("pointer", "uint")}},
    [TREE_SOLVE] = {.kernel = "flow/drainage_tree_solve.comp",
                    .slots = {R("pointer", "uint"), W("pointer_out", "uint"), R("a", NULL), W("a_out", NULL),
                              R("b", NULL), W("b_out", NULL), FLAGS},
                    .constants = {"flag"}},
};

static const char *const sum_defines[8] = {
    "#define LOWEST 0\n#define CELLS 0\n#define RAIN 0\n",
    "#define LOWEST 1\n#define CELLS 0\n#define RAIN 0\n",
    "#define LOWEST 0\n#define CELLS 1\n#define RAIN 0\n",
    "#define LOWEST 1\n#define CELLS 1\n#define RAIN 0\n",
    "#define LOWEST 0\n#define CELLS 0\n#define RAIN 1\n",
    "#define LOWEST 1\n#define CELLS 0\n#define RAIN 1\n",
};

static void add_slot(struct oro_pass *pass, struct oro_slot slot)
{
    int count = 0;
    while (pass->slots[count].name)
        count++;
    pass->slots[count] = slot;
}

/* What travels in a sum of this kind, in the order of the buffers. `access` is that of the two halves; the
 * second is left out where its name is NULL. */
static void add_sums(struct oro_pass *pass, int kind, bool start, enum oro_access second)
{
    static const struct {
        int kind;
        const char *name, *out, *type;
    } sums[] = {{TREE_SUM_LOWEST, "lowest", "lowest_out", "int"},
                {TREE_SUM_CELLS, "cells", "cells_out", "uint"},
                {TREE_SUM_RAIN, "rain_low", "rain_low_out", "uint"},
                {TREE_SUM_RAIN, "rain_high", "rain_high_out", "uint"}};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        if (!(kind & sums[i].kind))
            continue;
        add_slot(pass, (struct oro_slot){sums[i].name, start ? ORO_WRITE : ORO_READ, sums[i].type});
        if (!start)
            add_slot(pass, (struct oro_slot){sums[i].out, second, sums[i].type});
    }
}

static void make_sum_passes(struct oro_pass *to, int kind)
{
    to[TREE_START + kind] =
        (struct oro_pass){.kernel = "flow/drainage_tree_start.comp",
                          .slots = {R("z", NULL), R("next", "uint"), W("pointer", "uint")},
                          .defines = sum_defines[kind]};
    add_sums(&to[TREE_START + kind], kind, true, ORO_WRITE);
    to[TREE_ADVANCE + kind] = (struct oro_pass){.kernel = "flow/drainage_tree_advance.comp",
                                                .slots = {R("pointer", "uint"), W("pointer_out", "uint")},
                                                .defines = sum_defines[kind],
                                                .constants = {"flag", "distance"}};
    add_sums(&to[TREE_ADVANCE + kind], kind, false, ORO_WRITE);
    add_slot(&to[TREE_ADVANCE + kind], (struct oro_slot)FLAGS);
    to[TREE_ADD + kind] = (struct oro_pass){.kernel = "flow/drainage_tree_add.comp",
                                            .slots = {R("pointer", "uint")},
                                            .defines = sum_defines[kind],
                                            .constants = {"flag", "distance"}};
    add_sums(&to[TREE_ADD + kind], kind, false, ORO_UPDATE);
}

bool oro_tree_passes(struct oro_tree *tree)
{
    tree->passes = oro_alloc(TREE_KERNEL_COUNT, sizeof *tree->passes);
    if (!tree->passes)
        return oro_eval_fail(tree->eval, ORO_E_MEMORY, "no memory for the passes of drainage");
    memcpy(tree->passes, passes, sizeof passes);
    static const int asking[] = {TREE_RECEIVERS, TREE_BASINS};
    for (int i = 0; tree->outlets && i < 2; i++) {
        tree->passes[asking[i]].defines = "#define OUTLETS\n";
        add_slot(&tree->passes[asking[i]], (struct oro_slot)R("outlets", NULL));
    }
    for (int kind = 1; kind < 6; kind++)
        make_sum_passes(tree->passes, kind);
    return true;
}

bool oro_tree_run(struct oro_tree *tree, int kernel, struct oro_buffer *const *buffers,
                  const float *constants)
{
    return oro_eval_run_with(tree->eval, &tree->passes[kernel], buffers, constants);
}
