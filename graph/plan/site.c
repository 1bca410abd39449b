/* The world that a plan is made for: as the document says, or as a file does that one of its nodes reads. */
#include "graph/plan/site.h"

#include "base/text.h"
#include "graph/derived/assets.h"
#include "graph/document/variable.h"
#include "graph/plan/file_digests.h"
#include "graph/plan/plan_private.h"

/* Plans the node for its params alone, in the world as the document says it. */
static bool ask(struct oro_planner *planner, const char *node, struct oro_site *site)
{
    const struct oro_document *doc = planner->doc;
    const struct oro_doc_node *found = oro_document_find(doc, node);
    const struct oro_node_type *type = found ? oro_type_of(planner->registry, doc, found, NULL) : NULL;
    if (!found || !type || !type->site)
        return oro_fail(planner->err, ORO_E_DOCUMENT,
                        found ? "the world is to lie where '%.60s' does, which reads no terrain from a file"
                              : "the world is to lie where '%.60s' does, and there is no such node",
                        node);
    struct oro_plan_options options = *planner->options;
    options.checked = true;
    options.memory_bytes = 0;
    struct oro_planner asker = {.doc = doc,
                                .registry = planner->registry,
                                .options = &options,
                                .err = planner->err,
                                .asks_for_site = true};
    const struct oro_target target = {node, type->outputs[0].name};
    bool ok = oro_planner_run(&asker, &target, 1, NULL);
    if (ok) {
        const struct oro_step *step = &asker.plan->steps[asker.plan->targets[0].step];
        ok = step->type == type ? oro_file_site(planner->registry->digests, type, step->params,
                                                &planner->files, site, planner->err)
                                : oro_fail(planner->err, ORO_E_DOCUMENT,
                                           "the world is to lie where '%.60s' does, which is muted", node);
        if (!ok)
            oro_error_place(planner->err, oro_document_path(doc), found->line, node);
    }
    oro_plan_destroy(asker.plan);
    oro_planner_end(&asker);
    return ok;
}

/* The world as the document and the values of --set have it: the last value of a variable counts, and then
 * the interface's default. */
static bool evaluate(struct oro_planner *planner, struct oro_world *world)
{
    const struct oro_plan_options *options = planner->options;
    const struct oro_document *doc = planner->doc;
    size_t ports = oro_document_port_count(doc), count = 0;
    struct oro_given *given = oro_alloc(options->override_count + ports + 1, sizeof *given);
    if (!given)
        return oro_fail(planner->err, ORO_E_MEMORY, "no memory for the variables");
    for (size_t i = options->override_count; i-- > 0;)
        if (!*options->overrides[i].node &&
            oro_parse_number(options->overrides[i].value, &given[count].value))
            given[count++].name = options->overrides[i].input;
    for (size_t i = 0; i < ports; i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        const char *standard = !port->is_output && !*port->node ? port->texts[ORO_PORT_DEFAULT] : NULL;
        if (standard && oro_parse_number(standard, &given[count].value))
            given[count++].name = port->socket;
    }
    bool ok = oro_world_evaluate(doc, planner->registry, given, count, world, planner->err);
    oro_free(given);
    return ok;
}

/* Finds the world, whose `crs` is then the caller's. */
static bool locate(struct oro_planner *planner, struct oro_world *world)
{
    struct oro_site site = {0};
    if (!evaluate(planner, world)) {
        *world = *oro_document_world(planner->doc);
        world->crs = NULL;
        return false;
    }
    const char *told = world->crs;
    world->crs = NULL;
    if (world->from && !planner->asks_for_site) {
        if (!ask(planner, world->from, &site))
            return false;
        world->extent = site.cell > 0 ? site.cell * site.columns : world->extent;
        world->aspect = (double)site.rows / site.columns;
    }
    if (site.place.crs) {
        world->crs = site.place.crs;
        world->west = site.place.west;
        world->north = site.place.north;
    } else if (told) {
        world->crs = oro_copy_text(told);
        if (!world->crs)
            return oro_fail(planner->err, ORO_E_MEMORY, "no memory for a coordinate system");
    }
    return !world->from || planner->asks_for_site || oro_world_valid(world, planner->err);
}

bool oro_plan_world(struct oro_planner *planner)
{
    struct oro_plan *plan = planner->plan;
    struct oro_world world;
    bool ok = locate(planner, &world);
    if (ok && world.crs) {
        plan->place = (struct oro_place){oro_arena_text(plan->arena, world.crs), world.west, world.north};
        ok = plan->place.crs || oro_fail(planner->err, ORO_E_MEMORY, "no memory for a plan");
    }
    plan->world = oro_world_grid(&world);
    plan->has_sea = world.has_sea;
    plan->sea = world.sea;
    oro_free(world.crs);
    return ok;
}

bool oro_world_located(const struct oro_document *doc, const struct oro_registry *registry,
                       const struct oro_plan_options *options, struct oro_world *world, struct oro_error *err)
{
    struct oro_planner planner = {.doc = doc, .registry = registry, .options = options, .err = err};
    bool ok = locate(&planner, world);
    if (!ok)
        oro_free(world->crs);
    oro_planner_end(&planner);
    return ok;
}
