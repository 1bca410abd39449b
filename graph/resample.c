/* Brings a field to another grid: bicubic (Catmull-Rom) where it gets finer, area average where coarser.
 * Inserted by the planner where fields of different sizes meet; not a node that a user adds. */
#include "graph/plan_private.h"

/* The target grid is the step's own, and so in the key. */
static const struct oro_input inputs[] = {ORO_IN_FIELD("field", .doc = "Any raster"), {0}};
static const struct oro_output outputs[] = {ORO_OUT_FIELD("field", .doc = "The same at another size"), {0}};

const struct oro_node_type oro_node_resample = {
    .id = "resample",
    .version = 1,
    .category = "internal",
    .doc = "Brings a field to another size.",
    .inputs = inputs,
    .outputs = outputs,
    .kernel = "resample.comp",
};
