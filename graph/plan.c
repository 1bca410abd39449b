/* Which nodes run, and in which order. */
#include "graph/plan.h"

#include <stdint.h>
#include <string.h>

#include "graph/literal.h"
#include "graph/paths.h"
#include "graph/plan_private.h"

enum node_state { UNSEEN, OPEN, DONE };

/* One entry per document node while the order is found. */
struct visit {
    const struct oro_doc_node *node;
    const struct oro_node_type *type;
    enum node_state state;
    struct oro_source *outputs;
    int last_step; /* of those that the node became */
};

struct order {
    struct oro_planner planner;
    struct visit *visits; /* document order */
    size_t *stack;        /* nodes that wait for their sources */
    size_t depth;
};

static const struct oro_override *override_of(const struct oro_planner *planner, const char *node,
                                              const char *input)
{
    const struct oro_override *found = NULL;
    for (size_t i = 0; i < planner->options->override_count; i++) {
        const struct oro_override *override = &planner->options->overrides[i];
        if (strcmp(override->node, node) == 0 && strcmp(override->input, input) == 0)
            found = override; /* the last one wins */
    }
    return found;
}

static struct visit *visit_of(struct order *order, const char *id)
{
    size_t index = oro_document_find_index(order->planner.doc, id);
    return index == SIZE_MAX ? NULL : &order->visits[index];
}

/* The document, or who gave an override, may be gone before the plan is. */
static bool keep_text(struct oro_planner *planner, const struct oro_input *input, const char *text,
                      void *params)
{
    const char *kept = oro_arena_text(planner->plan->arena, text);
    if (!kept)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory for a text");
    memcpy((char *)params + input->offset, &kept, sizeof kept);
    return true;
}

static bool resolve_file(struct oro_planner *planner, const struct oro_input *input, const char *text,
                         bool trusted, void *params)
{
    char *path = NULL;
    if (!oro_resolve_path(oro_document_path(planner->doc), text, trusted || planner->options->allow_any_path,
                          &path, planner->err))
        return false;
    bool kept = keep_text(planner, input, path, params);
    oro_free(path);
    return kept;
}

static bool set_literal(struct oro_planner *planner, struct oro_draft *draft, size_t index, const char *text,
                        bool trusted)
{
    const struct oro_input *input = &draft->type->inputs[index];
    struct oro_error err = {0};
    if (!oro_literal_parse(input, text, draft->params, &err))
        return oro_fail(planner->err, err.code, "input '%s': %s", input->name, err.text);
    if (input->type == ORO_FILE && text[0])
        return resolve_file(planner, input, text, trusted, draft->params);
    bool is_text = input->type == ORO_TEXT || input->type == ORO_FILE || input->type == ORO_NETWORK;
    return !is_text || keep_text(planner, input, text, draft->params);
}

static bool link_input(struct order *order, struct oro_draft *draft, size_t index,
                       const struct oro_doc_input *input)
{
    struct visit *from = visit_of(order, input->from_node);
    const struct oro_output *output = from ? oro_type_output(from->type, input->from_output) : NULL;
    if (!output)
        return oro_fail(order->planner.err, ORO_E_DOCUMENT, "input '%s' is linked to nothing", input->name);
    draft->sources[index] = from->outputs[output - from->type->outputs];
    return true;
}

static struct oro_draft *draft_node(struct order *order, const struct visit *visit)
{
    struct oro_planner *planner = &order->planner;
    const struct oro_doc_node *node = visit->node;
    struct oro_draft *draft = oro_draft_create(planner, visit->type, node->id, node->line);
    if (!draft)
        return NULL;
    for (size_t i = 0; visit->type->inputs[i].name; i++) {
        const struct oro_input *input = &visit->type->inputs[i];
        const struct oro_override *override = override_of(planner, node->id, input->name);
        const struct oro_doc_input *given = oro_doc_node_input(node, input->name);
        bool ok = true;
        if (override)
            ok = set_literal(planner, draft, i, override->value, true);
        else if (given && given->value)
            ok = set_literal(planner, draft, i, given->value, false);
        else if (given && given->from_node)
            ok = link_input(order, draft, i, given);
        if (!ok)
            return NULL;
    }
    return draft;
}

/* Pushes the first source of a node that is not planned yet. False: all are. */
static bool push_missing_source(struct order *order, const struct visit *visit)
{
    for (size_t i = 0; i < visit->node->input_count; i++) {
        const struct oro_doc_input *input = &visit->node->inputs[i];
        struct visit *from = input->from_node ? visit_of(order, input->from_node) : NULL;
        if (!from || from->state != UNSEEN || override_of(&order->planner, visit->node->id, input->name))
            continue;
        from->state = OPEN;
        order->stack[order->depth++] = (size_t)(from - order->visits);
        return true;
    }
    return false;
}

static bool plan_node(struct order *order, struct visit *visit)
{
    struct oro_planner *planner = &order->planner;
    size_t outputs = oro_type_output_count(visit->type);
    visit->outputs = oro_arena_alloc(planner->plan->arena, outputs + 1, sizeof *visit->outputs);
    if (!visit->outputs)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan '%s'", visit->node->id);
    struct oro_draft *draft = draft_node(order, visit);
    if (!draft || !oro_plan_draft(planner, draft, visit->outputs)) {
        oro_error_place(planner->err, oro_document_path(planner->doc), visit->node->line, visit->node->id);
        return false;
    }
    visit->state = DONE;
    visit->last_step = (int)planner->plan->step_count - 1;
    return true;
}

static bool plan_with_sources(struct order *order, struct visit *start)
{
    if (start->state == DONE)
        return true;
    start->state = OPEN;
    order->stack[order->depth++] = (size_t)(start - order->visits);
    while (order->depth > 0) {
        struct visit *visit = &order->visits[order->stack[order->depth - 1]];
        if (push_missing_source(order, visit))
            continue;
        order->depth--;
        if (!plan_node(order, visit))
            return false;
    }
    return true;
}

static bool plan_target(struct order *order, const struct oro_target *target, struct oro_source *source)
{
    struct oro_planner *planner = &order->planner;
    struct visit *visit = visit_of(order, target->node);
    if (!visit)
        return oro_fail(planner->err, ORO_E_DOCUMENT, "there is no node '%s'", target->node);
    const struct oro_output *output = target->output ? oro_type_output(visit->type, target->output) : NULL;
    if (target->output && !output)
        return oro_fail(planner->err, ORO_E_DOCUMENT, "node '%s' has no output '%s'", target->node,
                        target->output);
    if (!plan_with_sources(order, visit))
        return false;
    if (output)
        *source = visit->outputs[output - visit->type->outputs];
    else
        *source = (struct oro_source){.step = visit->last_step};
    if (!output || output->type != ORO_UPLIFT || !planner->options->fields_only)
        return true;
    const struct oro_draft place = {.id = visit->node->id, .line = visit->node->line};
    return oro_plan_rasterize(planner, &place, output->name, &planner->world, source);
}

/* Only what the targets need is planned, so only that must be valid: but an artist wants to hear all of it.
 */
static bool check_document(struct oro_planner *planner, struct oro_problems *problems)
{
    struct oro_problems found = {0}, *list = problems ? problems : &found;
    size_t before = list->errors;
    oro_check(planner->doc, planner->registry, list);
    bool ok = list->errors == before;
    for (size_t i = 0; !ok && i < list->count; i++) {
        const struct oro_problem *problem = &list->items[i];
        if (!problem->error)
            continue;
        oro_fail(planner->err, ORO_E_DOCUMENT, "%s", problem->text);
        oro_error_place(planner->err, oro_document_path(planner->doc), problem->line, problem->node);
        break;
    }
    oro_problems_free(&found);
    return ok;
}

static bool prepare(struct order *order)
{
    struct oro_planner *planner = &order->planner;
    size_t count = oro_document_node_count(planner->doc);
    order->visits = oro_arena_alloc(planner->plan->arena, count + 1, sizeof *order->visits);
    order->stack = oro_arena_alloc(planner->plan->arena, count + 1, sizeof *order->stack);
    if (!order->visits || !order->stack)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan %zu nodes", count);
    for (size_t i = 0; i < count; i++) {
        order->visits[i].node = oro_document_node(planner->doc, i);
        order->visits[i].type = oro_registry_find(planner->registry, order->visits[i].node->type);
    }
    return true;
}

/* For every step the last one that needs it: the step count for a target, SIZE_MAX where none does (a
 * composite may have parts that only outputs not asked for need). */
static void find_last_uses(const struct oro_plan *plan, size_t *last_use)
{
    for (size_t i = 0; i < plan->step_count; i++)
        last_use[i] = SIZE_MAX;
    for (size_t i = 0; i < plan->target_count; i++)
        last_use[plan->targets[i].step] = plan->step_count;
    for (size_t i = plan->step_count; i-- > 0;)
        for (size_t k = 0; last_use[i] != SIZE_MAX && plan->steps[i].type->inputs[k].name; k++) {
            int from = plan->steps[i].sources[k].step;
            if (from >= 0 && last_use[from] == SIZE_MAX)
                last_use[from] = i;
        }
}

/* Estimate of the device memory in use while the steps run in order: a result lives until its last use. */
static bool estimate_memory(struct oro_planner *planner)
{
    struct oro_plan *plan = planner->plan;
    size_t *last_use = oro_arena_alloc(plan->arena, plan->step_count + 1, sizeof *last_use), live = 0;
    if (!last_use)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan %zu steps", plan->step_count);
    find_last_uses(plan, last_use);
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct oro_step *step = &plan->steps[i];
        if (last_use[i] == SIZE_MAX)
            continue;
        live += step->output_bytes;
        if (live + step->scratch_bytes > plan->peak_bytes)
            plan->peak_bytes = live + step->scratch_bytes;
        for (size_t k = 0; step->type->inputs[k].name; k++) {
            int from = step->sources[k].step;
            if (from >= 0 && last_use[from] == i) {
                live -= plan->steps[from].output_bytes;
                last_use[from] = SIZE_MAX; /* counted */
            }
        }
    }
    return true;
}

static bool fits(struct oro_planner *planner)
{
    const struct oro_plan *plan = planner->plan;
    size_t budget = planner->options->memory_bytes, mib = 1024 * 1024;
    if (budget && plan->peak_bytes > budget)
        return oro_fail(
            planner->err, ORO_E_LIMIT,
            "this needs about %zu MiB of device memory and the budget is %zu MiB; lower the world's "
            "resolution, or the levels' (--max-resolution), or raise --memory",
            plan->peak_bytes / mib + 1, budget / mib);
    size_t limit = planner->device ? planner->device->info.buffer_limit : 0;
    if (limit && plan->largest_buffer > limit)
        return oro_fail(
            planner->err, ORO_E_LIMIT,
            "a raster of %zu MiB is needed and the device takes at most %zu MiB in one piece; lower the "
            "world's resolution, or the levels' (--max-resolution)",
            plan->largest_buffer / mib + 1, limit / mib);
    return true;
}

static bool check_overrides(const struct oro_planner *planner)
{
    for (size_t i = 0; i < planner->options->override_count; i++) {
        const struct oro_override *override = &planner->options->overrides[i];
        const struct oro_doc_node *node = oro_document_find(planner->doc, override->node);
        const struct oro_node_type *type = node ? oro_registry_find(planner->registry, node->type) : NULL;
        if (!node)
            return oro_fail(planner->err, ORO_E_DOCUMENT, "there is no node '%s' to set '%s' of",
                            override->node, override->input);
        if (type && !oro_type_input(type, override->input))
            return oro_fail(planner->err, ORO_E_DOCUMENT, "node '%s' (%s) has no input '%s'", override->node,
                            type->id, override->input);
    }
    return true;
}

static bool make_plan(struct order *order, const struct oro_target *targets, size_t count,
                      struct oro_problems *problems)
{
    struct oro_planner *planner = &order->planner;
    struct oro_plan *plan = planner->plan;
    if (!check_document(planner, problems) || !check_overrides(planner) || !prepare(order))
        return false;
    plan->targets = oro_arena_alloc(plan->arena, count + 1, sizeof *plan->targets);
    if (!plan->targets)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan %zu targets", count);
    for (size_t i = 0; i < count; i++)
        if (!plan_target(order, &targets[i], &plan->targets[i]))
            return false;
    plan->target_count = count;
    return oro_plan_check_files(planner) && estimate_memory(planner) && fits(planner);
}

struct oro_plan *oro_plan_create(const struct oro_document *doc, const struct oro_registry *registry,
                                 const struct oro_target *targets, size_t target_count,
                                 const struct oro_plan_options *options, struct oro_device *device,
                                 struct oro_problems *problems, struct oro_error *err)
{
    struct oro_arena *arena = oro_arena_create();
    struct oro_plan *plan = arena ? oro_arena_alloc(arena, 1, sizeof *plan) : NULL;
    if (!plan) {
        oro_arena_destroy(arena);
        oro_fail(err, ORO_E_MEMORY, "no memory for a plan");
        return NULL;
    }
    plan->arena = arena;
    plan->document = oro_arena_text(arena, oro_document_path(doc));
    plan->seed = options->has_seed ? options->seed : oro_document_world(doc)->seed;
    struct order order = {.planner = {.plan = plan,
                                      .doc = doc,
                                      .registry = registry,
                                      .options = options,
                                      .device = device,
                                      .rasterizer = oro_registry_rasterizer(registry),
                                      .world = oro_document_grid(doc),
                                      .err = err}};
    bool ok = plan->document ? make_plan(&order, targets, target_count, problems)
                             : oro_fail(err, ORO_E_MEMORY, "no memory for a plan");
    if (!ok) {
        oro_error_place(err, oro_document_path(doc), 0, NULL);
        oro_plan_destroy(plan);
        return NULL;
    }
    return plan;
}

void oro_plan_destroy(struct oro_plan *plan)
{
    if (!plan)
        return;
    oro_free(plan->steps);
    oro_arena_destroy(plan->arena);
}
