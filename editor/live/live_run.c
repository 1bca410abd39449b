/* Works on a request: checks the document, then shows what is wanted, level by level. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "editor/live/live_private.h"
#include "graph/file/load.h"
#include "graph/plan/site.h"
#include "lua/types/registry.h"

/* ---- Reporting ---- */

static void tell_problem(struct ed_live *live, const struct oro_error *err)
{
    pthread_mutex_lock(&live->lock);
    snprintf(live->status.problem, sizeof live->status.problem, "%.511s", err->text);
    snprintf(live->status.problem_node, sizeof live->status.problem_node, "%.127s", err->node);
    pthread_mutex_unlock(&live->lock);
}

/* The first problem of a request stays, and the node that it is about shows it. */
static void fail(struct ed_live *live, struct ed_wanted *item, const struct oro_error *err)
{
    if (err->code == ORO_E_CANCELLED)
        return;
    if (!live->run->said)
        tell_problem(live, err);
    live->run->said = true;
    if (item)
        item->failed = true;
    /* An error of planning may concern another node, in this graph or in one that contains it. */
    if (item && !err->node[0])
        ed_nodes_failed(live->nodes, item->id, err->text);
    else if (strncmp(err->node, live->request->prefix, strlen(live->request->prefix)) == 0 && err->node[0]) {
        char id[sizeof err->node];
        size_t skipped = strlen(live->request->prefix);
        snprintf(id, sizeof id, "%.*s", (int)(skipped + strcspn(err->node + skipped, "/:")), err->node);
        ed_nodes_failed(live->nodes, id, err->text);
    }
}

static void tell_level(struct ed_live *live, int cap, bool draft, bool first)
{
    pthread_mutex_lock(&live->lock);
    live->status.level = cap;
    live->status.draft = draft;
    live->first = first;
    pthread_cond_broadcast(&live->changed); /* a waiting request may overtake now */
    pthread_mutex_unlock(&live->lock);
}

/* ---- Checking ---- */

static void check(struct ed_live *live)
{
    struct oro_problems problems = {0}, old;
    if (live->checked && live->checked_revision == live->request->revision)
        return;
    oro_check(live->root, &live->engine.registry, &problems);
    live->broken = false;
    for (size_t i = 0; i < problems.count; i++)
        live->broken = live->broken || strcmp(problems.items[i].code, "cycle") == 0;
    live->checked = true;
    live->checked_revision = live->request->revision;
    pthread_mutex_lock(&live->problems_lock);
    old = live->problems;
    live->problems = problems;
    live->problems_number++;
    pthread_mutex_unlock(&live->problems_lock);
    oro_problems_free(&old);
    ed_live_wake(live);
}

/* ---- The world ---- */

/* Tells the window where the world lies, if a file says so. */
static void locate(struct ed_live *live)
{
    const struct oro_plan_options options = {.allow_any_path = live->options.allow_any_path};
    struct oro_world world = {0};
    bool known = oro_world_follows(oro_document_world(live->root)) &&
                 oro_world_located(live->root, &live->engine.registry, &options, &world, NULL);
    const struct oro_world *told = known ? &world : oro_document_world(live->root);
    live->aspect = told->aspect;
    live->resolution = told->resolution;
    world.from = NULL; /* texts of the document, which goes before */
    memset(world.exprs, 0, sizeof world.exprs);
    pthread_mutex_lock(&live->lock);
    bool same = known == live->located && (!known || oro_world_same(&world, &live->world));
    char *unused = same ? world.crs : live->world.crs;
    if (!same) {
        live->world = world;
        live->located = known;
        live->world_number += known;
    }
    pthread_mutex_unlock(&live->lock);
    oro_free(unused);
    if (!same)
        ed_live_wake(live);
}

/* ---- Preparing ---- */

static void make_items(struct ed_run *run, const struct ed_request *request, struct ed_wanted *items,
                       const struct ed_want *wants, size_t count, bool *ok)
{
    for (size_t i = 0; *ok && i < count; i++) {
        items[i] = (struct ed_wanted){
            .want = &wants[i], .id = oro_arena_textf(run->arena, "%s%s", request->prefix, wants[i].node)};
        *ok = items[i].id;
    }
}

static bool prepare(struct ed_live *live, struct ed_run *run, struct oro_error *err)
{
    const struct ed_request *request = live->request;
    size_t count = request->view_count + request->thumbnail_count;
    run->arena = oro_arena_create();
    run->doc = request->depth ? oro_document_clone(live->root) : live->root;
    run->views = run->arena ? oro_arena_alloc(run->arena, count + 1, sizeof *run->views) : NULL;
    bool ok = run->doc && run->views;
    if (ok) {
        run->thumbnails = run->views + request->view_count;
        run->thumbnail_count = request->thumbnail_count;
        make_items(run, request, run->views, request->views, request->view_count, &ok);
        make_items(run, request, run->thumbnails, request->thumbnails, request->thumbnail_count, &ok);
    }
    if (!ok)
        return oro_fail(err, ORO_E_MEMORY, "no memory to evaluate the document");
    if (!ed_nested_outputs(request, &live->engine.registry, run->doc, run->views, count, run->arena, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (run->views[i].failed)
            ed_nodes_failed(live->nodes, run->views[i].id, run->views[i].problem);
    if (err->code)
        fail(live, NULL, err);
    return true;
}

/* Whether plans can be made of the document at all. */
static bool can_evaluate(struct ed_live *live, struct oro_error *err)
{
    if (live->broken)
        return oro_fail(err, ORO_E_DOCUMENT, "links form a cycle: remove one of them");
    return true;
}

/* ---- Levels ---- */

/* Restores the document's own world. */
static void leave_draft(struct ed_run *run)
{
    if (run->drafted)
        oro_document_undo(run->doc, NULL);
    run->drafted = false;
}

/* How many cells the world has along its longer side. */
static int base_resolution(const struct ed_live *live)
{
    const struct oro_world world = {.extent = 1, .aspect = live->aspect, .resolution = live->resolution};
    const struct oro_grid grid = oro_world_grid(&world);
    return oro_grid_longer(&grid);
}

/* Temporarily gives the world so many cells along its longer side. */
static bool draft_world(struct ed_live *live, int longer)
{
    struct ed_run *run = live->run;
    leave_draft(run);
    uint64_t own = oro_document_revision(run->doc);
    struct oro_world world = *oro_document_world(run->doc);
    double share = (double)longer / base_resolution(live);
    oro_world_set(&world, ORO_WORLD_RESOLUTION, fmax(1, round(live->resolution * share)));
    bool ok = oro_edit_world(run->doc, &world, NULL);
    run->drafted = oro_document_revision(run->doc) != own; /* an edit without effect makes no undo step */
    return ok;
}

static const struct oro_plan *plan_item(struct ed_live *live, const struct ed_wanted *item, int cap,
                                        struct oro_error *err)
{
    const struct oro_plan *plan = ed_engine_plan(&live->engine, live->run->doc, &item->target, 1, cap, err);
    if (plan)
        ed_watched_plan(&live->watched, plan);
    return plan;
}

static struct ed_show show_of(const struct ed_live *live, struct ed_wanted *item, const struct oro_plan *plan,
                              int cap, bool draft)
{
    return (struct ed_show){.item = item,
                            .plan = plan,
                            .like = {.revision = live->request->revision,
                                     .draft = draft,
                                     .level = cap,
                                     .capped = plan && plan->steps[plan->targets[0].step].capped}};
}

/* Results that came from the disk may be of types whose kernels have never run. */
static void note_cold(struct ed_live *live, const struct oro_plan *plan)
{
    live->run->cold = live->run->cold || (plan && !ed_kernels_have_run(&live->kernels, plan));
}

static void show_view(struct ed_live *live, struct ed_wanted *item, int cap, bool draft)
{
    struct oro_error err = {0};
    const struct oro_plan *plan = plan_item(live, item, cap, &err);
    struct ed_show show = show_of(live, item, plan, cap, draft);
    if (!plan || !ed_live_show(live, &show, &err))
        fail(live, item, &err);
    note_cold(live, plan);
    item->capped = plan && plan->steps[plan->targets[0].step].capped;
    item->complete = !draft && plan && !item->capped && !item->failed && !ed_live_stopped(live);
}

static bool is_open(const struct ed_wanted *item)
{
    return !item->failed && !item->complete;
}

static void show_views(struct ed_live *live, int cap, bool draft)
{
    for (size_t i = 0; i < live->request->view_count && !ed_live_stopped(live); i++)
        if (is_open(&live->run->views[i]))
            show_view(live, &live->run->views[i], cap, draft);
}

/* The results of the last level may be there already, such as after an undo: then no other level is needed.
 */
static void show_finished(struct ed_live *live, struct ed_wanted *item)
{
    struct oro_error err;
    struct oro_result found = {0};
    const struct oro_plan *plan = plan_item(live, item, live->request->resolution, &err);
    if (!plan)
        return; /* the level itself will report why */
    const struct ed_want *want = item->want;
    const struct ed_kept_picture *entry = ed_kept_find(&live->kept, item->id, want->output, want->derive);
    bool there = entry && oro_hash_equal(entry->key, ed_live_key(plan, want));
    if (!there)
        there = oro_cache_get(live->engine.cache, plan->steps[plan->targets[0].step].key, live->engine.device,
                              &found) != ORO_FOUND_NOT;
    oro_result_release(&found);
    struct ed_show show = show_of(live, item, plan, live->request->resolution, false);
    item->complete = there && ed_live_show(live, &show, &err);
    item->capped = plan->steps[plan->targets[0].step].capped;
    note_cold(live, plan);
}

/* ---- Small pictures ---- */

/* A copy of a plan with only one of its targets. */
static struct oro_plan part_of(const struct oro_plan *plan, size_t target)
{
    struct oro_plan part = *plan;
    part.targets = &plan->targets[target];
    part.target_count = 1;
    return part;
}

static void show_thumbnail(struct ed_live *live, struct ed_wanted *item, const struct oro_plan *plan, int cap,
                           bool draft, bool all)
{
    struct oro_error err = {0};
    struct oro_result found = {0};
    struct ed_show show = show_of(live, item, plan, cap, draft);
    show.thumbnail = true;
    bool there = all || ed_nodes_has_thumbnail(live->nodes, item->id, ed_live_key(plan, item->want)) ||
                 oro_cache_get(live->engine.cache, plan->steps[plan->targets[0].step].key,
                               live->engine.device, &found) != ORO_FOUND_NOT;
    oro_result_release(&found);
    if (!there)
        return;
    item->complete = ed_live_show(live, &show, &err);
    if (!item->complete)
        fail(live, item, &err);
}

/* If one plan can be made for all of them, uses that; else plans each by itself, so that only those that
 * cannot be planned fail. */
static const struct oro_plan *plan_thumbnails(struct ed_live *live, int cap)
{
    struct ed_run *run = live->run;
    struct oro_error err;
    struct oro_target *targets = oro_arena_alloc(run->arena, run->thumbnail_count + 1, sizeof *targets);
    for (size_t i = 0; targets && i < run->thumbnail_count; i++) {
        if (run->thumbnails[i].failed)
            return NULL;
        targets[i] = run->thumbnails[i].target;
    }
    if (!targets || run->thumbnail_count < 2)
        return NULL;
    return ed_engine_plan(&live->engine, run->doc, targets, run->thumbnail_count, cap, &err);
}

static void each_thumbnail(struct ed_live *live, const struct oro_plan *all, size_t index, int cap,
                           bool draft, bool last)
{
    struct ed_wanted *item = &live->run->thumbnails[index];
    struct oro_error err = {0};
    if (all) {
        struct oro_plan part = part_of(all, index);
        show_thumbnail(live, item, &part, cap, draft, last);
        return;
    }
    const struct oro_plan *plan = plan_item(live, item, cap, &err);
    if (plan)
        show_thumbnail(live, item, plan, cap, draft, last);
    else
        fail(live, item, &err);
}

/* Thumbnails that cost nothing come first. */
static void show_thumbnails(struct ed_live *live, int cap, bool draft)
{
    const struct oro_plan *all = plan_thumbnails(live, cap);
    if (all)
        ed_watched_plan(&live->watched, all);
    for (int last = 0; last < 2; last++)
        for (size_t i = 0; i < live->run->thumbnail_count && !ed_live_stopped(live); i++)
            if (is_open(&live->run->thumbnails[i]))
                each_thumbnail(live, all, i, cap, draft, last);
}

/* ---- All of it ---- */

/* Notes that all views now show this revision. */
static void first_level_done(struct ed_live *live)
{
    pthread_mutex_lock(&live->lock);
    live->status.revision = live->request->revision;
    live->first = false;
    live->first_grace = fmin(fmax(1.5 * (oro_now() - live->first_since), ED_GRACE_LEAST), ED_GRACE_MOST);
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
    ed_live_wake(live);
}

static bool all_done(const struct ed_live *live)
{
    for (size_t i = 0; i < live->request->view_count; i++)
        if (is_open(&live->run->views[i]))
            return false;
    return true;
}

static int next_cap(int cap, int resolution)
{
    int twice = cap < ORO_GRID_MAX ? 2 * cap : 0;
    return resolution > 0 && (twice == 0 || twice > resolution) ? resolution
           : twice >= ORO_GRID_MAX                              ? 0
                                                                : twice;
}

static void run_levels(struct ed_live *live)
{
    struct ed_run *run = live->run;
    const struct ed_request *request = live->request;
    int resolution = request->resolution;
    int cap = resolution > 0 && resolution < request->preview ? resolution : request->preview;
    bool draft = base_resolution(live) > request->preview;
    for (size_t i = 0; i < request->view_count && !ed_live_stopped(live); i++)
        if (!run->views[i].failed)
            show_finished(live, &run->views[i]);
    if (draft)
        draft_world(live, request->preview);
    tell_level(live, cap, draft, true);
    show_views(live, cap, draft);
    if (ed_live_stopped(live))
        return;
    first_level_done(live);
    show_thumbnails(live, cap, draft);
    leave_draft(run);
    for (bool again = draft; !ed_live_stopped(live) && !all_done(live) && (again || cap != resolution);
         again = false) {
        cap = again ? cap : next_cap(cap, resolution);
        tell_level(live, cap, false, false);
        show_views(live, cap, false);
        if (cap == 0)
            break;
    }
}

static void warm_up(struct ed_live *live)
{
    enum { CELLS = 32 };
    struct ed_run *run = live->run;
    struct oro_error err;
    bool few = base_resolution(live) <= CELLS || draft_world(live, CELLS);
    for (size_t i = 0; few && i < live->request->view_count && !ed_live_stopped(live); i++) {
        const struct oro_plan *plan =
            run->views[i].failed ? NULL : plan_item(live, &run->views[i], CELLS, &err);
        if (plan && !ed_kernels_have_run(&live->kernels, plan))
            ed_live_compile(live, plan);
    }
}

static bool is_complete(struct ed_live *live)
{
    if (!live->run->ready)
        return false;
    for (size_t i = 0; i < live->request->view_count; i++)
        if (live->run->views[i].failed)
            return false;
    return !ed_live_stopped(live);
}

/* Trims the cache. That goes through its whole folder, so it is not done often. */
static uint64_t cache_bytes(struct ed_live *live)
{
    static const double EVERY = 10; /* seconds */
    struct oro_cache_stats stats = {0};
    char place[512];
    double now = oro_now();
    if (live->options.no_disk_cache || !oro_cache_folder(place, sizeof place) ||
        (live->cache_looked_at > 0 && now - live->cache_looked_at < EVERY))
        return live->status.cache_bytes;
    live->cache_looked_at = now;
    return oro_cache_disk_stats(place, &stats, NULL) ? stats.bytes : 0;
}

/* Marks the viewed nodes that show less than was asked for. True: some do, because of the limit. */
static bool note_short(struct ed_live *live, bool halted)
{
    bool coarse = false;
    for (size_t i = 0; live->run->ready && i < live->request->view_count; i++) {
        const struct ed_wanted *item = &live->run->views[i];
        bool stopped = halted && is_open(item);
        if (item->failed || (!stopped && !item->capped))
            continue;
        ed_nodes_short(live->nodes, item->id, stopped ? ED_SHORT_STOPPED : ED_SHORT_COARSE);
        coarse = coarse || !stopped;
    }
    return coarse;
}

static void finish(struct ed_live *live)
{
    bool complete = is_complete(live);
    uint64_t bytes = complete ? cache_bytes(live) : 0;
    pthread_mutex_lock(&live->lock);
    bool halted = live->halted;
    live->status.complete = complete;
    if (complete)
        live->status.cache_bytes = bytes;
    pthread_mutex_unlock(&live->lock);
    if (halted)
        ed_nodes_round_halted(live->nodes);
    else if (!ed_live_stopped(live))
        ed_nodes_round_done(live->nodes);
    bool coarse = (halted || complete) && note_short(live, halted);
    pthread_mutex_lock(&live->lock);
    live->status.coarse = coarse && complete;
    pthread_mutex_unlock(&live->lock);
}

static void begin(struct ed_live *live)
{
    pthread_mutex_lock(&live->lock);
    live->status.complete = live->status.coarse = false;
    if (live->status.ready)
        live->status.problem[0] = live->status.problem_node[0] = '\0';
    pthread_mutex_unlock(&live->lock);
    ed_nodes_round(live->nodes);
    oro_file_list_free(&live->watched);
    ed_watched_document(&live->watched, live->root, &live->engine.registry, live->options.allow_any_path);
    bool working = oro_assets_stand_in(live->engine.registry.assets, live->root);
    if (oro_registry_refresh(&live->engine.registry) || working)
        live->checked = false;
    check(live);
    locate(live);
}

void ed_live_run(struct ed_live *live)
{
    struct ed_run run = {0};
    struct oro_error err = {0};
    if (!live->engine.registry.scripts)
        return; /* memory is out: the status tells */
    begin(live);
    if (live->request->paused || !live->engine.evaluator)
        return;
    live->run = &run;
    run.ready = can_evaluate(live, &err) && prepare(live, &run, &err);
    if (run.ready)
        run_levels(live);
    else
        fail(live, NULL, &err);
    finish(live);
    if (run.cold)
        warm_up(live);
    live->run = NULL;
    oro_free(run.failures);
    leave_draft(&run);
    if (run.doc != live->root)
        oro_document_destroy(run.doc);
    oro_arena_destroy(run.arena);
}
