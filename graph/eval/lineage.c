/* The history of a terrain in a plan: whether a raster is a terrain at all, who drained it, and who changed
 * it after that. */
#include <string.h>

#include "graph/eval/eval_private.h"
#include "graph/plan/plan_private.h"
#include "graph/type/registry.h"

/* What is known of the terrain that a step gives. Steps come after their sources, so one loop over them
 * suffices. */
struct trace {
    bool terrain, certain, resampled;
    int drained_by, changed_by; /* steps, or -1 */
};

static const struct trace nothing = {.drained_by = -1, .changed_by = -1};

/* The trace of a source, if it can be a terrain: only outputs of the roles terrain and field can. */
static const struct trace *trace_of(const struct oro_plan *plan, const struct trace *traces,
                                    struct oro_plan_source source)
{
    if (source.step < 0)
        return &nothing;
    const struct oro_output *output = &plan->steps[source.step].type->outputs[source.output];
    bool plain = output->role == ORO_ROLE_TERRAIN || output->role == ORO_ROLE_FIELD;
    return plain && output->type == ORO_FIELD ? &traces[source.step] : &nothing;
}

/* Whether a node's output is a changed version of this input: not if the input scales an effect or lends its
 * size. */
static bool derives_from(const struct oro_input *input)
{
    bool aside = input->role == ORO_ROLE_MASK || input->role == ORO_ROLE_LIKE || input->role == ORO_ROLE_SIZE;
    return input->role == ORO_ROLE_TERRAIN || (input->unit == ORO_NO_UNIT && !aside);
}

/* The trace of the terrain that a step's output was made from: a drained one if there is any, else the
 * first. */
static const struct trace *parent_of(const struct oro_plan *plan, const struct trace *traces,
                                     const struct oro_step *step, bool gives_terrain)
{
    const struct trace *parent = &nothing;
    for (size_t i = 0; step->type->inputs[i].name; i++) {
        const struct oro_input *input = &step->type->inputs[i];
        const struct trace *trace = trace_of(plan, traces, step->sources[i]);
        bool becomes_other = input->role == ORO_ROLE_TERRAIN && !gives_terrain; /* slope, mask */
        if (!trace->terrain || !derives_from(input) || becomes_other)
            continue;
        if (!parent->terrain || (parent->drained_by < 0 && trace->drained_by >= 0))
            parent = trace;
    }
    return parent;
}

static struct trace trace_step(const struct oro_plan *plan, const struct trace *traces, int index)
{
    const struct oro_step *step = &plan->steps[index];
    const struct oro_output *terrain = oro_type_output_as(step->type, ORO_ROLE_TERRAIN);
    const struct oro_output *field = oro_type_output_as(step->type, ORO_ROLE_FIELD);
    struct trace trace = *parent_of(plan, traces, step, terrain != NULL);
    bool resample = step->type == &oro_node_resample;
    trace.certain = terrain || (field && field->unit == ORO_METRE) || (resample && trace.certain);
    trace.terrain = trace.terrain || trace.certain;
    if (step->type->drains)
        return (struct trace){.terrain = true, .certain = true, .drained_by = index, .changed_by = -1};
    bool first = trace.drained_by >= 0 && trace.changed_by < 0;
    if (resample)
        trace.resampled = trace.resampled || first;
    else if (first)
        trace.changed_by = index;
    return trace;
}

bool oro_plan_lineage(const struct oro_plan *plan, struct oro_plan_source source, struct oro_lineage *lineage,
                      struct oro_error *err)
{
    *lineage = (struct oro_lineage){0};
    if (source.step < 0)
        return true;
    struct trace *traces = oro_alloc((size_t)source.step + 1, sizeof *traces);
    if (!traces)
        return oro_fail(err, ORO_E_MEMORY, "no memory to follow a terrain through the graph");
    for (int i = 0; i <= source.step; i++)
        traces[i] = trace_step(plan, traces, i);
    const struct trace *end = trace_of(plan, traces, source);
    lineage->terrain = end->terrain;
    lineage->certain = end->certain;
    lineage->resampled = end->resampled;
    lineage->drained_by = end->drained_by < 0 ? NULL : plan->steps[end->drained_by].id;
    lineage->changed_by = end->changed_by < 0 ? NULL : plan->steps[end->changed_by].id;
    oro_free(traces);
    return true;
}

bool oro_lineage_is_terrain(const struct oro_lineage *lineage, const float *values, size_t count)
{
    bool mask = !lineage->certain;
    for (size_t i = 0; mask && i < count; i++)
        mask = values[i] >= 0 && values[i] <= 1;
    return lineage->terrain && !mask;
}

static void take_figures(const struct oro_result *result, struct oro_lineage *lineage)
{
    int found = 0;
    for (int i = 0; i < result->figure_count; i++) {
        const struct oro_figure *figure = &result->figures[i];
        if (strcmp(figure->name, "deepest_cut") == 0) {
            lineage->deepest_cut = figure->value;
            found |= 1;
        } else if (strcmp(figure->name, "cut_volume") == 0) {
            lineage->cut_volume = figure->value;
            found |= 2;
        }
    }
    lineage->has_figures = found == 3;
}

bool oro_eval_lineage(struct oro_eval *eval, const char *name, struct oro_lineage *lineage)
{
    struct oro_error err = {0};
    const struct oro_input *input = oro_type_input(eval->step->type, name);
    *lineage = (struct oro_lineage){0};
    if (!input)
        return oro_eval_fail(eval, ORO_E_EVALUATE, "node type '%s' has no input '%s'", eval->step->type->id,
                             name);
    struct oro_plan_source source = eval->step->sources[input - eval->step->type->inputs];
    if (!oro_plan_lineage(eval->plan, source, lineage, &err))
        return oro_eval_failed(eval, &err);
    /* The figures are only available here, and always are, whatever the cache holds: so equal runs report the
     * same. */
    if (lineage->drained_by && !lineage->changed_by && eval->plan->steps[source.step].type->drains)
        take_figures(oro_evaluator_result(eval->evaluator, source.step), lineage);
    return true;
}
