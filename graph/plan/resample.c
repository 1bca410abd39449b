/* Brings a field to another grid: bicubic (Catmull-Rom) where it gets finer, area average where coarser.
 * Inserted by the planner where fields of different sizes, or of different ground, meet; not a node that a
 * user adds. */
#include "graph/plan/plan_private.h"

/* The target grid is the step's own, and so in the key. */
static const struct oro_input inputs[] = {ORO_IN_FIELD("field", .doc = "Any raster"), {0}};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .doc = "The same at another size"), {0}};

/* Over the same ground both have their corners together, whatever rounding to whole cells did; else each lies
 * where it lies. */
static bool eval(struct oro_eval *e, const void *data)
{
    (void)data;
    const struct oro_grid *from = oro_eval_input_grid(e, "field"), *to = oro_eval_grid(e);
    float place[2] = {0};
    bool placed = !oro_grid_same_ground(from, to);
    if (placed)
        oro_grid_place(from, to, place);
    return oro_eval_default(e, &(struct oro_dispatch){.constants = {{"east", place[0]}, {"south", place[1]}},
                                                      .defines = placed ? "#define PLACED 1\n" : NULL});
}

const struct oro_node_type oro_node_resample = {
    .id = "resample",
    .version = 2,
    .category = "internal",
    .doc = "Brings a field to another size.",
    .inputs = inputs,
    .outputs = outputs,
    .kernel = "lib/resample.comp",
    .eval = eval,
};
