/* What will run for the targets, and whether it can. */
#include "graph/plan/plan.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "graph/derived/assets.h"
#include "graph/file/load.h"
#include "graph/plan/plan_private.h"

static bool plan_target(struct oro_scope *scope, const struct oro_target *target,
                        struct oro_plan_source *source)
{
    struct oro_planner *planner = scope->planner;
    if (!target->output)
        return oro_scope_sink(scope, target->node, source);
    if (!oro_scope_output(scope, target->node, target->output, source))
        return false;
    if (oro_plan_source_type(planner, *source) != ORO_UPLIFT || !planner->options->fields_only)
        return true;
    const struct oro_doc_node *node = oro_document_find(planner->doc, target->node);
    const struct oro_draft place = {.id = node->id, .line = node->line, .document = planner->plan->document};
    return oro_plan_rasterize(planner, &place, target->output, &planner->plan->world, source);
}

/* Only what the targets need is planned, so only that must be valid: but an artist wants to hear all of it.
 */
static bool check_document(struct oro_planner *planner, struct oro_problems *problems)
{
    struct oro_problems found = {0}, *list = problems ? problems : &found;
    size_t before = oro_problems_fatal(list);
    oro_check(planner->doc, planner->registry, list);
    bool ok = oro_problems_fatal(list) == before;
    for (size_t i = 0; !ok && i < list->count; i++) {
        const struct oro_problem *problem = &list->items[i];
        if (!problem->error || oro_problem_is_local(problem))
            continue;
        oro_fail(planner->err, ORO_E_DOCUMENT, "%s", problem->text);
        oro_error_place(planner->err, oro_document_path(planner->doc), problem->line, problem->node);
        break;
    }
    oro_problems_free(&found);
    return ok;
}

static bool check_override(const struct oro_planner *planner, const struct oro_override *override)
{
    const struct oro_doc_node *node = oro_document_find(planner->doc, override->node);
    if (!*override->node) {
        double value;
        if (!oro_document_find_variable(planner->doc, override->input))
            return oro_fail(planner->err, ORO_E_DOCUMENT, "there is no variable '%s' to set",
                            override->input);
        return oro_parse_number(override->value, &value) ||
               oro_fail(planner->err, ORO_E_DOCUMENT, "variable '%s': '%.60s' is not a number",
                        override->input, override->value);
    }
    if (!node)
        return oro_fail(planner->err, ORO_E_DOCUMENT, "there is no node '%s' to set '%s' of", override->node,
                        override->input);
    const struct oro_node_type *type = oro_type_of(planner->registry, planner->doc, node, NULL);
    return !type || oro_type_input(type, override->input) ||
           oro_fail(planner->err, ORO_E_DOCUMENT, "node '%s' (%s) has no input '%s'", override->node,
                    type->id, override->input);
}

static bool check_overrides(const struct oro_planner *planner)
{
    for (size_t i = 0; i < planner->options->override_count; i++)
        if (!check_override(planner, &planner->options->overrides[i]))
            return false;
    return true;
}

static bool plan_targets(struct oro_scope *scope, const struct oro_target *targets, size_t count)
{
    struct oro_planner *planner = scope->planner;
    struct oro_plan *plan = planner->plan;
    plan->targets = oro_arena_alloc(plan->arena, count + 1, sizeof *plan->targets);
    if (!plan->targets)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory to plan %zu targets", count);
    for (size_t i = 0; i < count; i++)
        if (!plan_target(scope, &targets[i], &plan->targets[i]))
            return false;
    plan->target_count = count;
    return true;
}

static bool make_plan(struct oro_planner *planner, const struct oro_target *targets, size_t count,
                      struct oro_problems *problems)
{
    if (!planner->plan->document)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory for a plan");
    if ((!planner->options->checked && !check_document(planner, problems)) || !check_overrides(planner))
        return false;
    struct oro_scope *scope = oro_scope_create(planner);
    planner->root = scope;
    return scope && plan_targets(scope, targets, count) && oro_plan_check_files(planner) &&
           oro_plan_memory(planner);
}

bool oro_planner_run(struct oro_planner *planner, const struct oro_target *targets, size_t target_count,
                     struct oro_problems *problems)
{
    const struct oro_plan_options *options = planner->options;
    const struct oro_document *doc = planner->doc;
    struct oro_arena *arena = oro_arena_create();
    struct oro_plan *plan = arena ? oro_arena_alloc(arena, 1, sizeof *plan) : NULL;
    if (!plan) {
        oro_arena_destroy(arena);
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory for a plan");
    }
    plan->arena = arena;
    plan->document = oro_arena_text(arena, oro_document_path(doc));
    plan->seed = options->has_seed ? options->seed : oro_document_world(doc)->seed;
    plan->region = options->region;
    planner->plan = plan;
    planner->rasterizer = oro_registry_rasterizer(planner->registry);
    bool ok = oro_plan_world(planner) && make_plan(planner, targets, target_count, problems);
    oro_scopes_destroy(planner);
    if (!ok) {
        oro_error_place(planner->err, oro_document_path(doc), 0, NULL);
        oro_plan_destroy(plan);
        planner->plan = NULL;
    }
    return ok;
}

void oro_planner_end(struct oro_planner *planner)
{
    oro_free(planner->known);
    oro_free(planner->key.data);
    oro_file_list_free(&planner->files);
}

struct oro_plan *oro_plan_create(const struct oro_document *doc, const struct oro_registry *registry,
                                 const struct oro_target *targets, size_t target_count,
                                 const struct oro_plan_options *options, struct oro_device *device,
                                 struct oro_problems *problems, struct oro_error *err)
{
    struct oro_planner planner = {
        .doc = doc, .registry = registry, .options = options, .device = device, .err = err};
    oro_planner_run(&planner, targets, target_count, problems);
    oro_planner_end(&planner);
    return planner.plan;
}

void oro_plan_destroy(struct oro_plan *plan)
{
    if (!plan)
        return;
    oro_free(plan->steps);
    oro_arena_destroy(plan->arena);
}
