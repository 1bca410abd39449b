#include "graph/plan/replan.h"

#include <string.h>

#include "graph/derived/assets_private.h"
#include "graph/derived/scripts.h"
#include "graph/plan/plan_private.h"

/* KEPT_MAX: plans; KEPT_NODES_MAX: nodes in them, each of which takes most of a kilobyte.
 * FOLLOWED_MAX: with each edit that a plan follows, old params stay behind in its arena. CHANGED_MAX: of how
 * many nodes. */
enum { KEPT_MAX = 16, KEPT_NODES_MAX = 200000, FOLLOWED_MAX = 64, CHANGED_MAX = 16 };

/* What a plan is made from, but for the document's nodes and what can be marked as a whole. */
struct request {
    const struct oro_registry *registry;
    struct oro_device *device;
    struct oro_plan_options options;
    const struct oro_target *targets;
    size_t target_count;
    const char *path; /* the document's */
    struct oro_world world;
};

struct kept {
    struct oro_planner planner; /* without a plan, nothing is kept */
    struct request request;
    uint64_t setting, assets, scripts; /* what they were when it was planned */
    bool settled;                      /* the files that were read had not just been written */
    size_t site;                 /* the node whose file says where the world lies; SIZE_MAX: none does */
    struct oro_node_mark *marks; /* of the nodes */
    size_t node_count;
    int followed;
    uint64_t used; /* for the last time */
};

struct oro_replanner {
    struct kept kept[KEPT_MAX];
    uint64_t uses;
    size_t followed;
};

struct oro_replanner *oro_replanner_create(void)
{
    return oro_alloc(1, sizeof(struct oro_replanner));
}

static void forget(struct kept *kept)
{
    oro_plan_destroy(kept->planner.plan);
    oro_planner_end(&kept->planner);
    *kept = (struct kept){.used = 0};
}

void oro_replanner_destroy(struct oro_replanner *replanner)
{
    for (size_t i = 0; replanner && i < KEPT_MAX; i++)
        forget(&replanner->kept[i]);
    oro_free(replanner);
}

size_t oro_replanner_followed(const struct oro_replanner *replanner)
{
    return replanner->followed;
}

/* ---- Finding ---- */

/* All but whether the document was checked: a plan that exists needed no more. */
static bool same_options(const struct oro_plan_options *a, const struct oro_plan_options *b)
{
    return a->max_resolution == b->max_resolution && a->has_seed == b->has_seed && a->seed == b->seed &&
           a->override_count == b->override_count && a->fields_only == b->fields_only &&
           a->allow_any_path == b->allow_any_path && a->memory_bytes == b->memory_bytes;
}

static bool same_target(const struct oro_target *a, const struct oro_target *b)
{
    bool named = a->output && b->output;
    return strcmp(a->node, b->node) == 0 &&
           (named ? strcmp(a->output, b->output) == 0 : a->output == b->output);
}

static bool same_request(const struct request *a, const struct request *b)
{
    bool same = a->registry == b->registry && a->device == b->device &&
                same_options(&a->options, &b->options) && a->target_count == b->target_count &&
                strcmp(a->path, b->path) == 0 && oro_world_same(&a->world, &b->world);
    for (size_t i = 0; same && i < a->target_count; i++)
        same = same_target(&a->targets[i], &b->targets[i]);
    return same;
}

/* The plan for the same request; else the one that was not used for longest, to be replaced. */
static struct kept *choose(struct oro_replanner *replanner, const struct request *request, bool *found)
{
    struct kept *oldest = &replanner->kept[0];
    *found = true;
    for (size_t i = 0; i < KEPT_MAX; i++) {
        struct kept *kept = &replanner->kept[i];
        if (kept->planner.plan && same_request(&kept->request, request))
            return kept;
        if (kept->used < oldest->used)
            oldest = kept;
    }
    *found = false;
    return oldest;
}

/* ---- Following ---- */

static uint64_t assets_of(const struct oro_registry *registry)
{
    return registry->assets ? oro_assets_number(registry->assets) : 0;
}

/* Values that come through the document's interface are not looked at again. */
static bool has_defaults(const struct oro_document *doc)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++)
        if (oro_document_port(doc, i)->texts[ORO_PORT_DEFAULT])
            return true;
    return false;
}

static bool can_follow(const struct kept *kept, const struct oro_document *doc)
{
    const struct oro_registry *registry = kept->request.registry;
    return kept->followed < FOLLOWED_MAX && !kept->planner.writes_files && kept->settled &&
           kept->node_count == oro_document_node_count(doc) &&
           kept->setting == oro_document_setting_mark(doc) && kept->assets == assets_of(registry) &&
           kept->scripts == oro_scripts_revision(registry->scripts) && !has_defaults(doc) &&
           oro_file_list_same(&kept->planner.files);
}

/* False: there are too many, or nodes have other ids, or the world may lie elsewhere. */
static bool find_changed(const struct kept *kept, const struct oro_document *doc, size_t changed[CHANGED_MAX],
                         size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < kept->node_count; i++) {
        struct oro_node_mark now = oro_document_node_mark(doc, i);
        if (now.content == kept->marks[i].content)
            continue;
        if (now.id != kept->marks[i].id || *count == CHANGED_MAX || i == kept->site)
            return false;
        changed[(*count)++] = i;
        kept->marks[i] = now;
    }
    return true;
}

/* Makes the keys of the steps that are stale, and of all that depend on them. Sources come first. */
static bool update_keys(struct oro_planner *planner, bool *stale)
{
    struct oro_plan *plan = planner->plan;
    for (size_t i = 0; i < plan->step_count; i++) {
        struct oro_step *step = &plan->steps[i];
        struct oro_type_facts *facts = oro_plan_type_facts(planner, step->type);
        if (!facts)
            return false;
        for (size_t k = 0; k < facts->input_count && !stale[i]; k++)
            stale[i] = step->sources[k].step >= 0 && stale[step->sources[k].step];
        if (stale[i] && !oro_plan_key(planner, facts, step))
            return false;
    }
    return true;
}

static bool redo(struct oro_planner *planner, const struct oro_document *doc, const size_t *changed,
                 size_t count)
{
    bool *stale = oro_alloc(planner->plan->step_count + 1, sizeof *stale), any = false, ok = stale;
    oro_scope_follow(planner->root, doc);
    for (size_t i = 0; ok && i < count; i++) {
        int step;
        ok = oro_scope_redraft(planner->root, changed[i], &step);
        if (ok && step >= 0)
            any = stale[step] = true;
    }
    ok = ok && (!any || (update_keys(planner, stale) && oro_plan_all_differ(planner)));
    oro_scope_close(planner->root);
    oro_free(stale);
    return ok;
}

/* False: a plan must be made anew, which also tells what is wrong, if something is. */
static bool follow(struct kept *kept, const struct oro_document *doc)
{
    struct oro_planner *planner = &kept->planner;
    struct oro_error err = {0};
    size_t changed[CHANGED_MAX], count;
    if (!can_follow(kept, doc) || !find_changed(kept, doc, changed, &count))
        return false;
    planner->doc = doc;
    planner->err = &err;
    planner->follows = true;
    kept->followed += count > 0;
    return oro_plan_types_same(planner) && (count == 0 || redo(planner, doc, changed, count));
}

/* ---- Making ---- */

static bool copy_targets(struct kept *kept, const struct request *request)
{
    struct oro_arena *arena = kept->planner.plan->arena;
    struct oro_target *targets = oro_arena_alloc(arena, request->target_count + 1, sizeof *targets);
    kept->request.targets = targets;
    for (size_t i = 0; targets && i < request->target_count; i++) {
        const struct oro_target *target = &request->targets[i];
        targets[i].node = oro_arena_text(arena, target->node);
        targets[i].output = target->output ? oro_arena_text(arena, target->output) : NULL;
        if (!targets[i].node || (target->output && !targets[i].output))
            return false;
    }
    return targets;
}

/* The document that the world's texts belong to may go before the plan. */
static bool copy_world(struct kept *kept)
{
    struct oro_world *world = &kept->request.world;
    struct oro_arena *arena = kept->planner.plan->arena;
    const char *crs = world->crs, *from = world->from;
    world->crs = crs ? oro_arena_text(arena, crs) : NULL;
    world->from = from ? oro_arena_text(arena, from) : NULL;
    bool ok = !crs == !world->crs && !from == !world->from;
    for (int i = 0; ok && i < ORO_WORLD_NUMBERS; i++)
        ok = !world->exprs[i] || (world->exprs[i] = oro_arena_text(arena, world->exprs[i]));
    return ok;
}

static bool remember(struct kept *kept, const struct request *request, const struct oro_document *doc)
{
    const struct oro_plan *plan = kept->planner.plan;
    kept->request = *request;
    kept->request.path = plan->document;
    kept->planner.options = &kept->request.options;
    kept->setting = oro_document_setting_mark(doc);
    kept->assets = assets_of(request->registry);
    kept->scripts = oro_scripts_revision(request->registry->scripts);
    kept->settled = oro_file_list_settled(&kept->planner.files);
    kept->site = request->world.from ? oro_document_find_index(doc, request->world.from) : SIZE_MAX;
    kept->node_count = oro_document_node_count(doc);
    kept->marks = oro_arena_alloc(plan->arena, kept->node_count + 1, sizeof *kept->marks);
    for (size_t i = 0; kept->marks && i < kept->node_count; i++)
        kept->marks[i] = oro_document_node_mark(doc, i);
    return kept->marks && copy_world(kept) && copy_targets(kept, request);
}

/* Forgets all plans where there are many large ones. */
static void make_room(struct oro_replanner *replanner)
{
    size_t nodes = 0;
    for (size_t i = 0; i < KEPT_MAX; i++)
        nodes += replanner->kept[i].planner.scope_nodes;
    for (size_t i = 0; nodes > KEPT_NODES_MAX && i < KEPT_MAX; i++)
        forget(&replanner->kept[i]);
}

static bool make(struct kept *kept, const struct request *request, const struct oro_document *doc,
                 struct oro_error *err)
{
    forget(kept);
    kept->planner = (struct oro_planner){.doc = doc,
                                         .registry = request->registry,
                                         .options = &request->options,
                                         .device = request->device,
                                         .err = err};
    bool ok = oro_planner_run(&kept->planner, request->targets, request->target_count, NULL);
    if (ok && !remember(kept, request, doc))
        ok = oro_fail(err, ORO_E_MEMORY, "no memory for a plan");
    if (!ok)
        forget(kept);
    return ok;
}

const struct oro_plan *oro_replan(struct oro_replanner *replanner, const struct oro_document *doc,
                                  const struct oro_registry *registry, const struct oro_target *targets,
                                  size_t target_count, const struct oro_plan_options *options,
                                  struct oro_device *device, struct oro_error *err)
{
    const struct request request = {.registry = registry,
                                    .device = device,
                                    .options = *options,
                                    .targets = targets,
                                    .target_count = target_count,
                                    .path = oro_document_path(doc),
                                    .world = *oro_document_world(doc)};
    bool found, simple = device && options->checked && options->override_count == 0;
    struct kept *kept = choose(replanner, &request, &found);
    bool followed = found && simple && follow(kept, doc);
    replanner->followed += followed;
    if (!followed)
        make_room(replanner);
    if (!followed && !make(kept, &request, doc, err))
        return NULL;
    kept->used = ++replanner->uses;
    return kept->planner.plan;
}
