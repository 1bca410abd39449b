/* Brings a field to another grid: a monotone cubic where it gets finer, area average where coarser.
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
    bool placed = !oro_grid_same_ground(oro_eval_input_grid(e, "field"), oro_eval_grid(e));
    return oro_eval_resample(e, placed, ORO_RESAMPLE_MONOTONE);
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
