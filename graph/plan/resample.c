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
    struct oro_pass pass = {.kernel = "lib/resample.comp",
                            .slots = {{"field", ORO_READ, NULL}, {"field_out", ORO_WRITE, NULL}},
                            .source = *from,
                            .constants = {"east", "south"}};
    float place[2] = {0};
    struct oro_buffer *buffers[] = {oro_eval_input(e, "field"), oro_eval_buffer(e, oro_grid_cells(to))};
    if (!oro_grid_same_ground(from, to)) {
        pass.defines = "#define PLACED 1\n";
        oro_grid_place(from, to, place);
    }
    return oro_eval_run_with(e, &pass, buffers, place) && oro_eval_give(e, "field", buffers[1]);
}

static const char *const kernels[] = {"lib/resample.comp", NULL};

const struct oro_node_type oro_node_resample = {
    .id = "resample",
    .version = 2,
    .category = "internal",
    .doc = "Brings a field to another size.",
    .inputs = inputs,
    .outputs = outputs,
    .kernels = kernels,
    .eval = eval,
};
