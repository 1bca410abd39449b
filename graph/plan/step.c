/* Makes one step of a node: its size, the sizes of its inputs, its seed, its memory. */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "graph/plan/plan_private.h"
#include "graph/type/value.h"

struct oro_shape {
    const struct oro_planner *planner;
    const struct oro_draft *draft;
    bool capped;
    bool failed;
    double scratch; /* bytes */
};

const struct oro_grid *oro_shape_world(const struct oro_shape *shape)
{
    return &shape->planner->plan->world;
}

const struct oro_place *oro_shape_place(const struct oro_shape *shape)
{
    return &shape->planner->plan->place;
}

const struct oro_grid *oro_shape_input(const struct oro_shape *shape, const char *name)
{
    const struct oro_input *input = oro_type_input(shape->draft->type, name);
    if (!input)
        return NULL;
    return oro_plan_source_grid(shape->planner, shape->draft->sources[input - shape->draft->type->inputs]);
}

bool oro_shape_linked(const struct oro_shape *shape, const char *name)
{
    const struct oro_input *input = oro_type_input(shape->draft->type, name);
    return input && shape->draft->sources[input - shape->draft->type->inputs].step >= 0;
}

int oro_shape_cap(const struct oro_shape *shape)
{
    int cap = shape->planner->options->max_resolution;
    return cap > 0 ? cap : INT_MAX;
}

void oro_shape_capped(struct oro_shape *shape)
{
    shape->capped = true;
}

void oro_shape_scratch(struct oro_shape *shape, double bytes)
{
    shape->scratch = bytes;
}

bool oro_shape_fail(struct oro_shape *shape, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    oro_fail_v(shape->planner->err, ORO_E_EVALUATE, format, args);
    va_end(args);
    shape->failed = true;
    return false;
}

bool oro_shape_failed(struct oro_shape *shape, const struct oro_error *err)
{
    if (shape->planner->err)
        *shape->planner->err = *err;
    shape->failed = true;
    return false;
}

enum oro_type oro_plan_source_type(const struct oro_planner *planner, struct oro_plan_source source)
{
    return source.step < 0 ? ORO_NONE : planner->plan->steps[source.step].type->outputs[source.output].type;
}

const struct oro_grid *oro_plan_source_grid(const struct oro_planner *planner, struct oro_plan_source source)
{
    return oro_is_raster(oro_plan_source_type(planner, source)) ? &planner->plan->steps[source.step].grid
                                                                : NULL;
}

struct oro_draft *oro_draft_create(struct oro_planner *planner, const struct oro_node_type *type,
                                   const char *id, int line)
{
    struct oro_arena *arena = planner->plan->arena;
    struct oro_draft *draft = oro_arena_alloc(arena, 1, sizeof *draft);
    struct oro_type_facts *facts = oro_plan_type_facts(planner, type);
    if (draft && facts) {
        draft->id = id;
        draft->type = type;
        draft->facts = facts;
        draft->document = planner->document ? planner->document : planner->plan->document;
        draft->line = line;
        draft->params = oro_arena_alloc(arena, 1, type->params_size + 1);
        draft->sources = oro_arena_alloc(arena, facts->input_count + 1, sizeof *draft->sources);
    }
    if (!draft || !facts || !draft->params || !draft->sources) {
        oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan '%s'", id);
        return NULL;
    }
    memcpy(draft->params, facts->defaults, type->params_size);
    for (size_t i = 0; i < facts->input_count; i++)
        draft->sources[i].step = -1;
    return draft;
}

/* Whether an input has a linked raster that must have the node's size. A field that becomes an uplift keeps
 * its own size, and so does a raster that is linked for its size. */
static bool has_size(const struct oro_planner *planner, const struct oro_draft *draft, size_t index)
{
    const struct oro_input *input = &draft->type->inputs[index];
    return draft->sources[index].step >= 0 && input->type != ORO_UPLIFT && input->role != ORO_ROLE_SIZE &&
           !input->own_size && oro_plan_source_grid(planner, draft->sources[index]);
}

/* The input that gives the node its size: the one that its first output is like, else the first linked
 * raster, else the first linked map. -1: there is none. */
static int leading_input(const struct oro_planner *planner, const struct oro_draft *draft)
{
    int map = -1;
    if (draft->facts->like >= 0 && has_size(planner, draft, (size_t)draft->facts->like))
        return draft->facts->like;
    for (size_t i = 0; i < draft->facts->input_count; i++) {
        if (!has_size(planner, draft, i))
            continue;
        if (!draft->type->inputs[i].map)
            return (int)i;
        if (map < 0)
            map = (int)i;
    }
    return map;
}

static bool choose_grid(struct oro_shape *shape, int leading, struct oro_grid *grid)
{
    const struct oro_planner *planner = shape->planner;
    const struct oro_draft *draft = shape->draft;
    *grid = leading < 0 ? planner->plan->world : *oro_plan_source_grid(planner, draft->sources[leading]);
    if (draft->grid.width > 0)
        *grid = draft->grid;
    else if (draft->type->shape && !draft->type->shape(shape, draft->params, grid))
        return shape->failed
                   ? false
                   : oro_fail(planner->err, ORO_E_EVALUATE, "the size of the result cannot be told");
    return true;
}

static bool shape_of(struct oro_planner *planner, const struct oro_draft *draft, int leading,
                     struct oro_step *step)
{
    struct oro_shape shape = {.planner = planner, .draft = draft};
    if (!choose_grid(&shape, leading, &step->grid))
        return false;
    const struct oro_grid *grid = &step->grid;
    if (grid->width < 1 || grid->height < 1 || grid->width > ORO_GRID_MAX || grid->height > ORO_GRID_MAX)
        return oro_fail(planner->err, ORO_E_LIMIT,
                        "a raster of %d x %d cells is not possible (1 to %d a side)", grid->width,
                        grid->height, ORO_GRID_MAX);
    step->capped = shape.capped;
    step->scratch_bytes = (size_t)fmin(fmax(shape.scratch, 0), 1e18);
    for (size_t i = 0; i < draft->facts->input_count; i++)
        if (draft->sources[i].step >= 0)
            step->capped |= planner->plan->steps[draft->sources[i].step].capped;
    planner->plan->capped |= step->capped;
    return true;
}

/* Whether an uplift is linked where a field is needed. */
static bool needs_field(const struct oro_planner *planner, const struct oro_draft *draft, size_t index)
{
    return draft->sources[index].step >= 0 && (draft->facts->flags[index] & ORO_FACT_TAKES_FIELD) &&
           oro_plan_source_type(planner, draft->sources[index]) == ORO_UPLIFT;
}

/* Uplifts that are linked where a field is needed are rasterised at the node's size. */
static bool rasterize(struct oro_planner *planner, struct oro_draft *draft)
{
    size_t first = 0, count = draft->facts->input_count;
    while (first < count && !needs_field(planner, draft, first))
        first++;
    if (first == count)
        return true;
    int leading = leading_input(planner, draft);
    struct oro_grid grid =
        leading < 0 ? planner->plan->world : *oro_plan_source_grid(planner, draft->sources[leading]);
    for (size_t i = first; i < count; i++)
        if (needs_field(planner, draft, i) &&
            !oro_plan_rasterize(planner, draft, draft->type->inputs[i].name, &grid, &draft->sources[i]))
            return false;
    return true;
}

/* Images and vectors cannot be resampled, and fields of disjoint ground have nothing in common. */
static bool can_match(const struct oro_planner *planner, const struct oro_input *input,
                      const struct oro_grid *grid, const struct oro_input *first,
                      const struct oro_grid *target)
{
    bool plain = input->type != ORO_IMAGE && input->type != ORO_VECTOR;
    if (!plain && !oro_grid_same_size(grid, target))
        return oro_fail(planner->err, ORO_E_EVALUATE, "input '%s' is %d x %d cells and '%s' is %d x %d",
                        input->name, grid->width, grid->height, first->name, target->width, target->height);
    if (!plain || !oro_grid_meets(grid, target))
        return oro_fail(planner->err, ORO_E_EVALUATE,
                        "input '%s' covers other ground (%g to %g m east, %g to %g south) than '%s' (%g to "
                        "%g, %g to %g)",
                        input->name, grid->x, grid->x + grid->width * grid->cell, grid->y,
                        grid->y + grid->height * grid->cell, first->name, target->x,
                        target->x + target->width * target->cell, target->y,
                        target->y + target->height * target->cell);
    return true;
}

/* Resamples linked fields to the cells of the leading input. */
static bool match_sizes(struct oro_planner *planner, struct oro_draft *draft, int leading)
{
    for (size_t i = 0; leading >= 0 && i < draft->facts->input_count; i++) {
        const struct oro_input *input = &draft->type->inputs[i];
        if ((int)i == leading || !has_size(planner, draft, i))
            continue;
        struct oro_grid grid = *oro_plan_source_grid(planner, draft->sources[i]);
        struct oro_grid target = *oro_plan_source_grid(planner, draft->sources[leading]);
        if (oro_grid_same_size(&grid, &target) && oro_grid_same_ground(&grid, &target))
            continue;
        if (!can_match(planner, input, &grid, &draft->type->inputs[leading], &target))
            return false;
        if (!oro_plan_resample(planner, draft, input->name, &target, &draft->sources[i]))
            return false;
    }
    return true;
}

uint32_t oro_plan_seed(int64_t document, int node)
{
    int64_t both[2] = {document, node};
    return (uint32_t)oro_hash_of(both, sizeof both).low;
}

/* Sizes of 0 become those shares of the world's width that their inputs say. */
static void take_shares(const struct oro_planner *planner, const struct oro_draft *draft)
{
    for (size_t i = 0; (draft->facts->all & ORO_FACT_SHARE) && i < draft->facts->input_count; i++) {
        const struct oro_input *input = &draft->type->inputs[i];
        double size = input->share * oro_grid_extent(&planner->plan->world);
        char *at = (char *)draft->params + input->offset;
        float given;
        if (!(draft->facts->flags[i] & ORO_FACT_SHARE) || draft->sources[i].step >= 0)
            continue;
        memcpy(&given, at, sizeof given);
        if (given == 0)
            given = (float)(input->unit == ORO_PER_METRE ? 1 / size : size);
        memcpy(at, &given, sizeof given);
    }
}

/* The node sees the mixed seed in place of its own. Where the terrain did not get its resolution, the work
 * meant for it is left out, so that the preview stays a prefix of the full build. */
static void settle_params(const struct oro_planner *planner, const struct oro_draft *draft,
                          struct oro_step *step)
{
    if (!(draft->facts->all & ORO_FACT_SETTLED))
        return;
    for (size_t i = 0; i < draft->facts->input_count; i++) {
        const struct oro_input *input = &draft->type->inputs[i];
        char *at = (char *)draft->params + input->offset;
        if (!(draft->facts->flags[i] & ORO_FACT_SETTLED))
            continue;
        if (input->role == ORO_ROLE_SEED) {
            int own;
            memcpy(&own, at, sizeof own);
            step->seed = oro_plan_seed(planner->plan->seed, own);
            memcpy(at, &step->seed, sizeof step->seed);
        }
        if (step->capped && input->role == ORO_ROLE_ITERATIONS)
            memset(at, 0, sizeof(int));
        if (step->capped && input->role == ORO_ROLE_DURATION)
            memcpy(at, &(float){0}, sizeof(float));
    }
}

/* For tables, and for partial sums, which take a 64th of a raster each. */
static const size_t small_scratch = 64 * 1024;

static void estimate(struct oro_plan *plan, struct oro_step *step)
{
    size_t cells = oro_grid_cells(&step->grid);
    for (const struct oro_output *output = step->type->outputs; output && output->name; output++) {
        size_t bytes = cells * (size_t)oro_type_channels(output->type) * sizeof(float);
        step->output_bytes += bytes;
        if (bytes > plan->largest_buffer)
            plan->largest_buffer = bytes;
    }
    step->scratch_bytes += cells * sizeof(float) * (size_t)step->type->scratch_fields;
    if (step->type->eval)
        step->scratch_bytes += cells / 16 + small_scratch;
}

/* The step counts once planner->plan->step_count does. */
static struct oro_step *append_step(struct oro_planner *planner, const struct oro_draft *draft)
{
    struct oro_plan *plan = planner->plan;
    void *steps = plan->steps;
    if (plan->step_count >= ORO_PLAN_STEPS_MAX) {
        oro_fail(planner->err, ORO_E_LIMIT, "a plan has at most %d steps", ORO_PLAN_STEPS_MAX);
        return NULL;
    }
    size_t wanted = plan->step_count < planner->scope_nodes ? planner->scope_nodes : plan->step_count + 1;
    bool room = oro_reserve(&steps, &planner->step_capacity, wanted, sizeof *plan->steps);
    plan->steps = steps;
    if (!room) {
        oro_fail(planner->err, ORO_E_MEMORY, "no memory for a plan of %zu steps", plan->step_count + 1);
        return NULL;
    }
    struct oro_step *step = &plan->steps[plan->step_count];
    *step = (struct oro_step){.id = draft->id,
                              .type = draft->type,
                              .params = draft->params,
                              .sources = draft->sources,
                              .document = draft->document,
                              .line = draft->line};
    return step;
}

/* Whether a required input without a link has a literal. */
static bool is_given(const struct oro_draft *draft, const struct oro_input *input)
{
    const char *text = NULL;
    if (oro_input_has_literal(input))
        memcpy(&text, (const char *)draft->params + input->offset, sizeof text);
    return text;
}

/* A graph that is used as a node may leave open what its interface offers, and is incomplete when rendered on
 * its own. Links within composites are not the document's, so oro_check does not see them. `*linked`: whether
 * anything is linked. */
static bool is_complete(const struct oro_planner *planner, const struct oro_draft *draft, bool *linked)
{
    *linked = false;
    for (size_t i = 0; i < draft->facts->input_count; i++) {
        const struct oro_input *input = &draft->type->inputs[i];
        if (draft->sources[i].step < 0) {
            if ((draft->facts->flags[i] & ORO_FACT_REQUIRED) && !is_given(draft, input))
                return oro_fail(planner->err, ORO_E_DOCUMENT, "input '%s' must be linked%s", input->name,
                                oro_input_has_literal(input) ? ", or given" : "");
            continue;
        }
        enum oro_type from = oro_plan_source_type(planner, draft->sources[i]);
        *linked = true;
        if (!oro_input_accepts(input, from))
            return oro_fail(planner->err, ORO_E_DOCUMENT, "input '%s' does not take %s", input->name,
                            oro_type_phrase(from));
    }
    return true;
}

/* The key, and the step that does the same already, or -1. */
static bool identify(struct oro_planner *planner, const struct oro_draft *draft, struct oro_step *step,
                     int *same)
{
    *same = -1;
    if (!planner->device)
        return true;
    return oro_plan_key(planner, draft->facts, step) &&
           (step->type->sink || oro_plan_find_same(planner, step, same));
}

static bool share(struct oro_planner *planner, int step)
{
    struct oro_shared_step *shared = oro_arena_alloc(planner->plan->arena, 1, sizeof *shared);
    if (!shared)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory for a plan");
    *shared = (struct oro_shared_step){step, planner->shared};
    planner->shared = shared;
    return true;
}

bool oro_plan_draft(struct oro_planner *planner, struct oro_draft *draft, struct oro_plan_source *outputs)
{
    bool expanded = false, linked;
    int leading = -1, same;
    if (!is_complete(planner, draft, &linked))
        return false;
    take_shares(planner, draft);
    if (draft->type->expand && !oro_plan_expand(planner, draft, outputs, &expanded))
        return false;
    if (expanded)
        return true;
    if (linked) {
        if (!rasterize(planner, draft))
            return false;
        leading = leading_input(planner, draft);
        if (!match_sizes(planner, draft, leading))
            return false;
    }
    struct oro_step *step = append_step(planner, draft);
    if (!step || !shape_of(planner, draft, leading, step))
        return false;
    settle_params(planner, draft, step);
    if (!identify(planner, draft, step, &same))
        return false;
    int index = same >= 0 ? same : (int)planner->plan->step_count;
    for (size_t i = 0; i < draft->facts->output_count; i++)
        outputs[i] = (struct oro_plan_source){index, (int)i};
    if (same >= 0)
        return share(planner, same); /* it does the work already */
    planner->has_files = planner->has_files || (draft->facts->all & ORO_FACT_FILE);
    planner->writes_files = planner->writes_files || (draft->facts->all & ORO_FACT_WRITES);
    estimate(planner->plan, step);
    planner->plan->step_count++;
    return true;
}

/* ---- The same with other params ---- */

static bool is_shared(const struct oro_planner *planner, int step)
{
    const struct oro_shared_step *shared = planner->shared;
    while (shared && shared->step != step)
        shared = shared->next;
    return shared;
}

/* What a node was linked to before steps were inserted between. */
static struct oro_plan_source linked_source(const struct oro_planner *planner, struct oro_plan_source source)
{
    while (source.step >= 0) {
        const struct oro_step *step = &planner->plan->steps[source.step];
        bool inserted =
            step->type == &oro_node_resample || (step->type == planner->rasterizer && strchr(step->id, ':'));
        if (!inserted)
            break;
        source = step->sources[0];
    }
    return source;
}

static bool same_sources(const struct oro_planner *planner, const struct oro_draft *draft,
                         const struct oro_step *step)
{
    for (size_t i = 0; i < draft->facts->input_count; i++) {
        struct oro_plan_source before = linked_source(planner, step->sources[i]), now = draft->sources[i];
        if (before.step != now.step || (now.step >= 0 && before.output != now.output))
            return false;
    }
    return true;
}

bool oro_plan_redraft(struct oro_planner *planner, struct oro_draft *draft, int index)
{
    bool linked;
    struct oro_step *step = &planner->plan->steps[index], fresh = {.type = draft->type};
    if (step->type != draft->type || strcmp(step->id, draft->id) != 0 || is_shared(planner, index) ||
        !is_complete(planner, draft, &linked) || !same_sources(planner, draft, step))
        return false;
    draft->sources = step->sources;
    take_shares(planner, draft);
    if (!shape_of(planner, draft, linked ? leading_input(planner, draft) : -1, &fresh))
        return false;
    settle_params(planner, draft, &fresh);
    estimate(planner->plan, &fresh);
    if (!oro_plan_same_grid(&fresh.grid, &step->grid) || fresh.capped != step->capped ||
        fresh.scratch_bytes != step->scratch_bytes || draft->line != step->line)
        return false;
    step->params = draft->params;
    step->seed = fresh.seed;
    return true;
}

int oro_step_iterations(const struct oro_step *step)
{
    const struct oro_input *input = oro_type_input_as(step->type, ORO_ROLE_ITERATIONS);
    int count = 0;
    if (input)
        memcpy(&count, (const char *)step->params + input->offset, sizeof count);
    return count > 0 ? count : 0;
}
