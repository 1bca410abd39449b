/* Brings a field to another grid: bicubic (Catmull-Rom) where it gets finer, area average where coarser.
 * Inserted by the planner where fields of different sizes meet; not a node that a user adds. */
#include "graph/plan_private.h"

/* The target grid is in the step's grid, and so in the key; it has no literal form. */
static const struct oro_input inputs[] = {ORO_IN_FIELD("field", .doc = "Any raster"), {0}};
static const struct oro_output outputs[] = {ORO_OUT_FIELD("field", .doc = "The same at another size"), {0}};

static bool shape(struct oro_shape *s, const void *params, struct oro_grid *grid)
{
    (void)s;
    *grid = ((const struct oro_resample_params *)params)->grid;
    return true;
}

const struct oro_node_type oro_node_resample = {
    .id = "resample",
    .version = 1,
    .category = "internal",
    .doc = "Brings a field to another size.",
    .inputs = inputs,
    .outputs = outputs,
    .params_size = sizeof(struct oro_resample_params),
    .kernel = "resample.comp",
    .shape = shape,
};
