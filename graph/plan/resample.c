/* Brings a field to another grid: bicubic (Catmull-Rom) where it gets finer, area average where coarser.
 * The planner inserts it where fields of different sizes, or of different ground, meet; users cannot add
 * it. */
#include "graph/plan/plan_private.h"

/* The target grid is the step's own grid, and so is part of the key. */
static const struct oro_input inputs[] = {ORO_IN_FIELD("field", .doc = "Any raster"), {0}};
static const struct oro_output outputs[] = {
    ORO_OUT_FIELD("field", .role = ORO_ROLE_FIELD, .unit_of = "field", .doc = "The same at another size"),
    {0}};

/* Rasters of the same ground are aligned at both corners, ignoring the rounding to whole cells; otherwise
 * each stays where it lies. */
static bool eval(struct oro_eval *e, const void *data)
{
    (void)data;
    const struct oro_grid *from = oro_eval_input_grid(e, "field"), *to = oro_eval_grid(e);
    float place[2] = {0};
    bool placed = !oro_grid_same_ground(from, to);
    if (placed)
        oro_grid_place(from, to, place);
    struct oro_dispatch extras = {.constants = {{"east", place[0]}, {"south", place[1]}},
                                  .defines = placed ? "#define PLACED 1\n" : NULL};
    oro_dispatch_resampling(&extras, to, from, placed ? place : NULL);
    return oro_eval_default(e, &extras);
}

const struct oro_node_type oro_node_resample = {
    .id = "resample",
    .version = 1,
    .category = "internal",
    .doc = "Brings a field to another size.",
    .inputs = inputs,
    .outputs = outputs,
    .kernel = "lib/resample.comp",
    .spread = ORO_SPREAD_TILES,
    .eval = eval,
};
