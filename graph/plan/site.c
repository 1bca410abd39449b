/* The world that a plan is made for: as the document says, or as a file does that one of its nodes reads. */
#include "graph/derived/assets.h"
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
        ok = step->type == type ? type->site(step->params, site, planner->err)
                                : oro_fail(planner->err, ORO_E_DOCUMENT,
                                           "the world is to lie where '%.60s' does, which is muted", node);
        if (!ok)
            oro_error_place(planner->err, oro_document_path(doc), found->line, node);
    }
    oro_plan_destroy(asker.plan);
    oro_planner_end(&asker);
    return ok;
}

static bool place(struct oro_planner *planner, const char *crs, double west, double north)
{
    struct oro_place *out = &planner->plan->place;
    out->crs = crs ? oro_arena_text(planner->plan->arena, crs) : NULL;
    out->west = crs ? west : 0;
    out->north = crs ? north : 0;
    return out->crs || !crs || oro_fail(planner->err, ORO_E_MEMORY, "no memory for a plan");
}

bool oro_plan_world(struct oro_planner *planner)
{
    struct oro_world world = *oro_document_world(planner->doc);
    planner->world = oro_world_grid(&world);
    if (!place(planner, world.crs, world.west, world.north))
        return false;
    if (!world.from || planner->asks_for_site)
        return true;
    struct oro_site site = {0};
    if (!ask(planner, world.from, &site))
        return false;
    world.extent = site.cell > 0 ? site.cell * site.columns : world.extent;
    world.aspect = (double)site.rows / site.columns;
    planner->world = oro_world_grid(&world);
    bool ok = oro_world_valid(&world, planner->err) &&
              (!site.place.crs || place(planner, site.place.crs, site.place.west, site.place.north));
    oro_free(site.place.crs);
    return ok;
}
