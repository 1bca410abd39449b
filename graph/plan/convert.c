/* Steps that the user did not ask for: they bring what is linked to the size, or the form, that a node
 * takes. */
#include <string.h>

#include "graph/plan/plan_private.h"

static bool convert(struct oro_planner *planner, const struct oro_node_type *type,
                    const struct oro_draft *draft, const char *input, const struct oro_grid *grid,
                    struct oro_plan_source *source)
{
    const char *id = oro_arena_textf(planner->plan->arena, "%s:%s", draft->id, input);
    size_t outputs = oro_type_output_count(type);
    struct oro_plan_source *given = oro_arena_alloc(planner->plan->arena, outputs, sizeof *given);
    if (!id || !given)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan '%s'", draft->id);
    struct oro_draft *step = oro_draft_create(planner, type, id, draft->line);
    if (!step)
        return false;
    step->grid = *grid;
    step->sources[0] = *source;
    if (!oro_plan_draft(planner, step, given))
        return false;
    *source = given[0];
    return true;
}

bool oro_plan_resample(struct oro_planner *planner, const struct oro_draft *draft, const char *input,
                       const struct oro_grid *grid, struct oro_plan_source *source)
{
    return convert(planner, &oro_node_resample, draft, input, grid, source);
}

bool oro_plan_same_grid(const struct oro_grid *a, const struct oro_grid *b)
{
    return oro_grid_same_size(a, b) && a->cell == b->cell && a->x == b->x && a->y == b->y;
}

/* The step that was already inserted for the same purpose, or -1: one uplift tree may feed many nodes, and
 * rasterising a large one takes long. */
static int rasterized_before(const struct oro_planner *planner, const struct oro_grid *grid,
                             struct oro_plan_source source)
{
    for (size_t i = planner->plan->step_count; i-- > (size_t)source.step + 1;) {
        const struct oro_step *step = &planner->plan->steps[i];
        bool inserted = step->type == planner->rasterizer && strchr(step->id, ':');
        if (inserted && step->sources[0].step == source.step && step->sources[0].output == source.output &&
            oro_plan_same_grid(&step->grid, grid))
            return (int)i;
    }
    return -1;
}

bool oro_plan_rasterize(struct oro_planner *planner, const struct oro_draft *draft, const char *input,
                        const struct oro_grid *grid, struct oro_plan_source *source)
{
    if (!planner->rasterizer)
        return oro_fail(planner->err, ORO_E_EVALUATE,
                        "'%s' is an uplift where a field is needed, and this program has no node type that "
                        "makes a field of it",
                        input);
    int before = rasterized_before(planner, grid, *source);
    if (before >= 0) {
        *source = (struct oro_plan_source){before, 0};
        return true;
    }
    return convert(planner, planner->rasterizer, draft, input, grid, source);
}
