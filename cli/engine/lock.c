#include "cli/engine/lock.h"

#include <string.h>

#include "base/file.h"
#include "base/file_digest.h"
#include "cli/engine/work.h"
#include "formats/sidecar/json_memory.h"
#include "formats/sidecar/sidecar.h"
#include "graph/plan/file_digests.h"

enum { FILE_BYTES_MAX = 1 << 28 };

const char *cli_lock_path(struct oro_arena *arena, const char *graph)
{
    return oro_arena_textf(arena, "%s.lock", graph);
}

void cli_lock_free(struct cli_lock *lock)
{
    oro_arena_destroy(lock->arena);
    *lock = (struct cli_lock){0};
}

const struct cli_lock_step *cli_lock_find(const struct cli_lock *lock, const char *id)
{
    for (size_t i = 0; i < lock->count; i++)
        if (strcmp(lock->steps[i].id, id) == 0)
            return &lock->steps[i];
    return NULL;
}

/* ---- Writing ---- */

static json_t *settings_json(const struct cli_lock_settings *settings)
{
    json_t *object = json_object(), *set = json_array();
    for (size_t i = 0; i < settings->set.count; i++)
        json_array_append_new(set, json_string(settings->set.items[i]));
    cli_json_add(object, "set", set);
    if (settings->max_resolution.given)
        cli_json_integer(object, "max_resolution", settings->max_resolution.value);
    if (settings->seed.given)
        cli_json_integer(object, "seed", settings->seed.value);
    return object;
}

static json_t *step_json(const struct cli_lock_step *step)
{
    json_t *object = json_object(), *outputs = json_object();
    cli_json_text(object, "id", step->id);
    cli_json_text(object, "type", step->type);
    cli_json_flag(object, "portable", step->portable);
    for (int i = 0; i < step->output_count; i++)
        cli_json_add(outputs, step->outputs[i].name, cli_locked_json(&step->outputs[i]));
    cli_json_add(object, "outputs", outputs);
    return object;
}

bool cli_lock_write(const struct cli_lock *lock, const char *path, struct oro_error *err)
{
    char digits[ORO_HASH_TEXT];
    json_t *root = json_object(), *steps = json_array();
    cli_json_text(root, "program", "orograph " OROGRAPH_VERSION);
    cli_json_text(root, "document", oro_hash_text(lock->document, digits));
    cli_json_add(root, "settings", settings_json(&lock->settings));
    for (size_t i = 0; i < lock->count; i++)
        json_array_append_new(steps, step_json(&lock->steps[i]));
    cli_json_add(root, "results", steps);
    bool ok = cli_json_write(root, path, err);
    json_decref(root);
    return ok;
}

/* ---- Reading ---- */

static bool take_integer(const json_t *object, const char *name, struct cli_integer *integer)
{
    const json_t *item = json_object_get(object, name);
    *integer = (struct cli_integer){.given = item, .value = json_integer_value(item)};
    return !item || json_is_integer(item);
}

static bool take_settings(struct cli_lock *lock, const json_t *object)
{
    const json_t *set = json_object_get(object, "set");
    size_t count = json_array_size(set);
    struct cli_list *list = &lock->settings.set;
    list->items = oro_arena_alloc(lock->arena, count + 1, sizeof *list->items);
    bool ok = list->items && json_is_array(set);
    for (size_t i = 0; ok && i < count; i++) {
        const char *text = json_string_value(json_array_get(set, i));
        list->items[i] = text ? oro_arena_text(lock->arena, text) : NULL;
        ok = list->items[i];
    }
    list->count = ok ? count : 0;
    return ok && take_integer(object, "max_resolution", &lock->settings.max_resolution) &&
           take_integer(object, "seed", &lock->settings.seed);
}

static bool take_step(struct cli_lock *lock, const json_t *object, struct cli_lock_step *step)
{
    const char *id = json_string_value(json_object_get(object, "id")), *name;
    const char *type = json_string_value(json_object_get(object, "type"));
    json_t *outputs = json_object_get(object, "outputs"), *output;
    if (!id || !type || !json_is_object(outputs))
        return false;
    step->id = oro_arena_text(lock->arena, id);
    step->type = oro_arena_text(lock->arena, type);
    step->portable = json_is_true(json_object_get(object, "portable"));
    step->outputs = oro_arena_alloc(lock->arena, json_object_size(outputs) + 1, sizeof *step->outputs);
    bool ok = step->id && step->type && step->outputs;
    json_object_foreach(outputs, name, output)
    {
        const char *own = ok ? oro_arena_text(lock->arena, name) : NULL;
        ok = own && cli_locked_take(output, own, &step->outputs[step->output_count++]);
    }
    return ok;
}

static bool take_lock(struct cli_lock *lock, const json_t *root)
{
    bool found;
    const json_t *steps = json_object_get(root, "results");
    size_t count = json_array_size(steps);
    lock->steps = oro_arena_alloc(lock->arena, count + 1, sizeof *lock->steps);
    bool ok = lock->steps && json_is_array(steps) &&
              oro_digest_take(root, "document", &lock->document, &found) && found &&
              take_settings(lock, json_object_get(root, "settings"));
    for (; ok && lock->count < count; lock->count++)
        ok = take_step(lock, json_array_get(steps, lock->count), &lock->steps[lock->count]);
    return ok;
}

bool cli_lock_read(const char *path, struct cli_lock *lock, struct oro_error *err)
{
    void *text = NULL;
    size_t size = 0;
    json_error_t problem;
    bool fits = true;
    *lock = (struct cli_lock){.arena = oro_arena_create()};
    if (!lock->arena)
        return oro_fail(err, ORO_E_MEMORY, "no memory for '%s'", path);
    if (!oro_file_read(path, FILE_BYTES_MAX, &text, &size, err))
        return false;
    bool ok = oro_json_fits(path, text, size, err);
    json_t *root = ok ? oro_json_parse(text, size, JSON_REJECT_DUPLICATES, &problem, &fits) : NULL;
    oro_free(text);
    if (ok && !fits)
        ok = oro_fail(err, ORO_E_MEMORY, "no memory for '%s'", path);
    else if (ok && !(root && take_lock(lock, root)))
        ok = oro_fail(err, ORO_E_FILE,
                      "'%s' is no lock, or was changed by hand: write it anew with 'orograph lock'", path);
    json_decref(root);
    return ok;
}

/* ---- Computing ---- */

struct computing {
    const struct cli_lock_run *run;
    struct cli_lock *lock;
    struct cli_graph graph;
    struct cli_work work;
    struct oro_plan *plan;
    bool *driven;            /* for each step of the plan: a driver had a part in it */
    uint64_t by_driver;      /* dispatches, up to the last step */
    struct oro_error failed; /* of the first step that failed */
};

/* Every output of every node, and nothing that writes files. */
static bool want_results(struct computing *c, struct oro_error *err)
{
    struct cli_graph *graph = &c->graph;
    size_t nodes = oro_document_node_count(graph->doc);
    graph->targets = oro_arena_alloc(graph->arena, nodes * ORO_RESULT_VALUES_MAX + 1, sizeof *graph->targets);
    if (!graph->targets)
        return oro_fail(err, ORO_E_MEMORY, "no memory for '%s'", c->run->graph);
    for (size_t i = 0; i < nodes; i++) {
        const struct oro_doc_node *node = oro_document_node(graph->doc, i);
        const struct oro_node_type *type = oro_type_of(&graph->registry, graph->doc, node, NULL);
        if (node->mute || !type || type->sink)
            continue;
        for (int k = 0; type->outputs && type->outputs[k].name && k < ORO_RESULT_VALUES_MAX; k++)
            graph->targets[graph->target_count++] =
                (struct oro_target){.node = node->id, .output = type->outputs[k].name};
    }
    return graph->target_count > 0 ||
           oro_fail(err, ORO_E_DOCUMENT, "'%s' has no node whose result could be locked", c->run->graph);
}

/* Results that others are made from come along, and need not be kept to the end: only what nobody reads stays
 * wanted. */
static void want_ends(struct computing *c)
{
    struct cli_graph *graph = &c->graph;
    size_t count = 0;
    for (size_t i = 0; i < graph->target_count; i++) {
        bool read = false;
        for (size_t k = 0; !read && k < c->plan->step_count; k++)
            for (size_t n = 0; !read && c->plan->steps[k].type->inputs[n].name; n++)
                read = c->plan->steps[k].sources[n].step == c->plan->targets[i].step;
        if (!read)
            graph->targets[count++] = graph->targets[i];
    }
    graph->target_count = count;
}

static bool make_plan(struct computing *c, struct oro_error *err)
{
    const struct cli_lock_settings *settings = &c->lock->settings;
    struct oro_plan_options options = {.max_resolution = (int)settings->max_resolution.value,
                                       .has_seed = settings->seed.given,
                                       .seed = settings->seed.value,
                                       .allow_any_path = c->run->allow_path};
    struct cli_fit fit = cli_session_fit(&c->work.session, &c->work.options);
    c->plan = cli_graph_plan(&c->graph, &options, NULL, err);
    if (!c->plan)
        return false;
    want_ends(c);
    oro_plan_destroy(c->plan);
    c->plan = cli_fit_plan(&c->graph, &fit, &options, c->work.session.device, err);
    if (!c->plan)
        return false;
    c->work.forecast.graph = &c->graph;
    c->work.forecast.options = options;
    c->driven = oro_arena_alloc(c->graph.arena, c->plan->step_count + 1, sizeof *c->driven);
    c->lock->steps = oro_arena_alloc(c->lock->arena, c->plan->step_count + 1, sizeof *c->lock->steps);
    return (c->driven && c->lock->steps) ||
           oro_fail(err, ORO_E_MEMORY, "no memory for the results of '%s'", c->run->graph);
}

/* Whether a driver ran kernels for the step, or for what it was made from. */
static bool is_driven(struct computing *c, const struct oro_step *step)
{
    uint64_t count = c->work.session.device->by_driver;
    bool driven = count > c->by_driver;
    c->by_driver = count;
    for (size_t i = 0; step->type->inputs[i].name; i++)
        driven = driven || (step->sources[i].step >= 0 && c->driven[step->sources[i].step]);
    return driven;
}

static bool add_step(struct computing *c, const struct oro_step *step, const struct oro_result *result,
                     struct oro_error *err)
{
    struct cli_lock *lock = c->lock;
    struct cli_lock_step *locked = &lock->steps[lock->count];
    *locked = (struct cli_lock_step){
        .id = oro_arena_text(lock->arena, step->id),
        .type = oro_arena_text(lock->arena, step->type->id),
        .portable = !(c->driven[step - c->plan->steps] = is_driven(c, step)),
        .outputs = oro_arena_alloc(lock->arena, (size_t)result->value_count + 1, sizeof *locked->outputs)};
    if (!locked->id || !locked->type || !locked->outputs)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the results of '%s'", step->id);
    for (int i = 0; i < result->value_count; i++) {
        struct cli_locked *output = &locked->outputs[locked->output_count++];
        if (!cli_locked_of(&step->type->outputs[i], result->values[i], output, err) ||
            !(output->name = oro_arena_text(lock->arena, output->name)))
            return false;
    }
    lock->count++;
    return c->run->visit(c->run->user, step, locked, result->values, err);
}

static void on_step_done(void *user, const struct oro_step_report *report)
{
    struct computing *c = user;
    if (report->outcome == ORO_STEP_FAILED || report->step->type->sink || !report->result ||
        c->failed.code != ORO_OK)
        return;
    if (!add_step(c, report->step, report->result, &c->failed))
        oro_evaluator_cancel(c->work.evaluator);
}

static bool compute(struct computing *c, struct oro_error *err)
{
    const struct cli_lock_run *run = c->run;
    const struct oro_evaluator_options how = {0};
    bool ok = cli_graph_open(&c->graph, run->graph, &c->lock->settings.set, run->allow_path, err) &&
              want_results(c, err) && cli_session_open(&c->work.session, &c->work.options, err);
    if (ok)
        oro_file_digests_note(c->graph.registry.digests, "", ORO_FILE_NOTED_BYTES);
    ok = ok && make_plan(c, err) && cli_work_evaluator(&c->work, &how, err) &&
         cli_work_evaluate(&c->work, c->plan, NULL, err);
    if (c->failed.code != ORO_OK)
        *err = c->failed;
    return ok && c->failed.code == ORO_OK;
}

bool cli_lock_compute(const struct cli_lock_run *run, struct cli_lock *lock, struct oro_error *err)
{
    const struct cli_work_options options = {
        .device = "processor", .progress = run->progress, .no_cache = true};
    struct computing c = {.run = run, .lock = lock};
    if (!oro_file_digest_of(run->graph, &lock->document, err))
        return false;
    cli_work_begin(&c.work, &options, NULL);
    c.work.user = &c;
    c.work.step_done = on_step_done;
    bool ok = compute(&c, err);
    cli_progress_end(&c.work.progress, ok ? NULL : err);
    oro_plan_destroy(c.plan);
    cli_work_end(&c.work);
    cli_graph_close(&c.graph);
    return ok;
}
