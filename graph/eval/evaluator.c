/* Runs a plan: takes what the cache has, computes the rest in order, and frees what is no longer needed. */
#include "graph/eval/evaluator.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "graph/eval/eval_private.h"

static const double SAID_SECONDS = 2;

struct oro_evaluator *oro_evaluator_create(struct oro_device *device, struct oro_cache *cache,
                                           const struct oro_evaluator_options *options)
{
    struct oro_evaluator *evaluator = oro_alloc(1, sizeof *evaluator);
    if (!evaluator)
        return NULL;
    evaluator->device = device;
    evaluator->cache = cache;
    evaluator->options = *options;
    return evaluator;
}

void oro_evaluator_destroy(struct oro_evaluator *evaluator)
{
    oro_free(evaluator);
}

void oro_evaluator_cancel(struct oro_evaluator *evaluator)
{
    atomic_store(&evaluator->cancelled, 1);
}

void oro_evaluator_forget_cancel(struct oro_evaluator *evaluator)
{
    atomic_store(&evaluator->cancelled, 0);
}

static void report(struct oro_plan_run *run, struct oro_step_report *report)
{
    struct oro_evaluator *evaluator = run->evaluator;
    const struct oro_result *result = run->slots[report->step - run->plan->steps].result;
    report->result = result;
    if (result) {
        memcpy(report->figures, result->figures, sizeof report->figures);
        report->figure_count = result->figure_count;
        report->said = oro_result_said(result);
    }
    if (evaluator->options.digests && result && result->value_count > 0) {
        struct oro_value *value = result->values[0];
        oro_value_digest(value, &report->digest, NULL); /* a failure shows in the next step */
    }
    if (evaluator->options.step_done)
        evaluator->options.step_done(evaluator->options.user, report);
}

/* ---- What has to run ---- */

static void need(struct oro_plan_run *run, int step)
{
    run->slots[step].needed = true;
    run->slots[step].uses++;
}

static void say_again(void *user, enum oro_level level, const char *text)
{
    struct oro_plan_run *run = user;
    size_t before = run->said.length;
    oro_said_add(&run->said, level, text);
    if (run->said.length > before)
        oro_note(&run->evaluator->options.log, level, "%s", text);
}

static void look_up(struct oro_plan_run *run, size_t index)
{
    const struct oro_step *step = &run->plan->steps[index];
    struct oro_running_step *slot = &run->slots[index];
    double started = oro_now();
    if (step->type->sink || !run->evaluator->cache)
        return;
    struct oro_result result = {0};
    enum oro_found found = oro_cache_get(run->evaluator->cache, step->key, run->evaluator->device, &result);
    if (found == ORO_FOUND_NOT)
        return;
    slot->result = oro_alloc(1, sizeof *slot->result);
    if (!oro_ranks_all(run->evaluator->options.ranks, slot->result)) { /* it is computed, which fails */
        oro_free(slot->result);
        slot->result = NULL;
        oro_result_release(&result);
        return;
    }
    *slot->result = result;
    slot->ready = true;
    if (slot->needed)
        oro_said_tell(oro_result_said(&result), false, &(struct oro_log){say_again, run});
    report(run,
           &(struct oro_step_report){.step = step,
                                     .outcome = found == ORO_FOUND_DISK ? ORO_STEP_DISK : ORO_STEP_MEMORY,
                                     .seconds = oro_now() - started,
                                     .device_seconds = -1});
}

/* Goes back from the targets to what the cache has. */
static void find_needed(struct oro_plan_run *run)
{
    const struct oro_plan *plan = run->plan;
    for (size_t i = 0; i < plan->target_count; i++)
        need(run, plan->targets[i].step);
    for (size_t i = plan->step_count; i-- > 0;) {
        struct oro_running_step *slot = &run->slots[i];
        if (!slot->needed)
            continue;
        look_up(run, i);
        if (slot->ready)
            continue;
        run->evaluator->step_count++;
        for (size_t k = 0; plan->steps[i].type->inputs[k].name; k++)
            if (plan->steps[i].sources[k].step >= 0)
                need(run, plan->steps[i].sources[k].step);
    }
}

/* A full report also has the steps that were not needed, as far as the cache has their results. */
static void report_unneeded(struct oro_plan_run *run)
{
    for (size_t i = run->plan->step_count; i-- > 0;) {
        if (run->slots[i].needed)
            continue;
        look_up(run, i);
        oro_running_step_drop(&run->slots[i]);
    }
}

/* ---- How long it takes ---- */

/* Where the paces of steps are noted; NULL: nowhere. What one of several ranks does tells little. */
static const char *notes(const struct oro_evaluator *evaluator)
{
    return evaluator->cache && !evaluator->options.ranks ? oro_cache_notes(evaluator->cache) : NULL;
}

/* What a stored state spares: known where the iterations are counted. */
static double share_left(const struct oro_evaluator *evaluator, const struct oro_step *step)
{
    int count = oro_step_iterations(step);
    return count > 0 ? 1 - (double)oro_cache_best_state(evaluator->cache, step->resume_key, count) / count
                     : 1;
}

static void forecast(const struct oro_plan_run *run)
{
    const struct oro_evaluator *evaluator = run->evaluator;
    const char *folder = notes(evaluator);
    struct oro_forecast forecast = {0};
    if (!folder || !evaluator->options.forecast)
        return;
    for (size_t i = 0; i < run->plan->step_count; i++) {
        const struct oro_step *step = &run->plan->steps[i];
        if (run->slots[i].needed && !run->slots[i].ready)
            oro_forecast_add(&forecast, folder, evaluator->device->info.name, step,
                             share_left(evaluator, step));
    }
    evaluator->options.forecast(evaluator->options.user, &forecast);
}

/* Work that was cancelled tells, too, as far as it came. */
static void learn(struct oro_evaluator *evaluator, const struct oro_eval *eval, bool ok, double seconds)
{
    const char *folder = notes(evaluator);
    double share = eval->total > 0 ? (double)(eval->done - eval->done_at_start) / eval->total : ok;
    if (folder && (ok || eval->err->code == ORO_E_CANCELLED))
        oro_pace_learn(folder, evaluator->device->info.name, eval->step, share, seconds);
}

/* ---- Running ---- */

static bool make_eval(struct oro_plan_run *run, const struct oro_step *step, struct oro_eval *eval)
{
    size_t count = oro_type_input_count(step->type);
    *eval = (struct oro_eval){
        .evaluator = run->evaluator, .plan = run->plan, .step = step, .started = oro_now(), .err = run->err};
    eval->arena = oro_arena_create();
    if (eval->arena) {
        eval->inputs = oro_arena_alloc(eval->arena, count + 1, sizeof *eval->inputs);
        eval->linked = oro_arena_alloc(eval->arena, count + 1, sizeof *eval->linked);
        eval->made = oro_arena_alloc(eval->arena, count + 1, sizeof *eval->made);
    }
    if (!eval->arena || !eval->inputs || !eval->linked || !eval->made)
        return oro_fail(run->err, ORO_E_MEMORY, "no memory to evaluate '%s'", step->id);
    for (size_t i = 0; i < count; i++) {
        struct oro_plan_source source = step->sources[i];
        if (source.step < 0)
            continue;
        eval->inputs[i] = run->slots[source.step].result->values[source.output];
        eval->linked[i] = eval->inputs[i]->channels > 0 && step->type->inputs[i].type != ORO_UPLIFT;
    }
    return true;
}

/* What was said of the result, and of what it was made from, goes with it. */
static bool keep_said(struct oro_plan_run *run, struct oro_eval *eval)
{
    for (size_t i = 0; eval->step->type->inputs[i].name; i++)
        if (eval->inputs[i])
            oro_said_inherit(&eval->said, eval->inputs[i]->said);
    bool ok = !eval->said.failed;
    for (int i = 0; ok && eval->said.length && i < eval->result.value_count; i++) {
        struct oro_value *value = eval->result.values[i];
        if (value && !value->said)
            ok = (value->said = oro_copy_text(eval->said.data)) != NULL;
    }
    return ok || oro_fail(run->err, ORO_E_MEMORY, "no memory for the notices of '%s'", eval->step->id);
}

static bool keep_result(struct oro_plan_run *run, struct oro_eval *eval, struct oro_running_step *slot,
                        double seconds)
{
    if (!keep_said(run, eval))
        return false;
    slot->result = oro_alloc(1, sizeof *slot->result);
    if (!slot->result)
        return oro_fail(run->err, ORO_E_MEMORY, "no memory for the result of '%s'", eval->step->id);
    *slot->result = eval->result;
    for (int i = 0; i < slot->result->value_count; i++)
        oro_value_retain(slot->result->values[i]);
    slot->ready = true;
    if (run->evaluator->cache && !eval->step->type->sink)
        oro_cache_put(run->evaluator->cache, eval->step->key, slot->result, seconds);
    return true;
}

/* A node that reports no progress itself counts as one piece of work, now done. */
static void report_end(struct oro_evaluator *evaluator, const struct oro_eval *eval)
{
    if (eval->total && eval->done == eval->total)
        return; /* already reported */
    int total = eval->total ? eval->total : 1;
    struct oro_progress end = {.step = eval->step, .done = total, .total = total};
    oro_evaluator_report_progress(evaluator, &end, true);
}

/* Fails where another rank has other bits: something is wrong with a device, or with the program. */
static bool same_bits(const struct oro_evaluator *evaluator, const struct oro_step *step,
                      struct oro_value *value, struct oro_error *err)
{
    char digits[ORO_HASH_TEXT], what[160];
    struct oro_ranks *ranks = evaluator->options.ranks;
    const void *data = value ? oro_value_host(value, err) : NULL;
    bool ok = oro_ranks_agree(ranks, data || !value, err);
    if (!ok || !data || ranks->count == 1)
        return ok;
    snprintf(what, sizeof what, "result of '%.64s', although they should", step->id);
    return oro_ranks_same(ranks, what, oro_hash_text(oro_hash_of(data, oro_value_bytes(value)), digits),
                          ORO_E_EVALUATE, err);
}

/* With ranks, all get the rasters that a node writes to a file, as the device may want them to; rank 0
 * alone writes. */
static bool write_together(struct oro_eval *eval)
{
    struct oro_error err;
    const struct oro_evaluator *evaluator = eval->evaluator;
    for (size_t i = 0; eval->step->type->inputs[i].name; i++)
        if (eval->inputs[i] &&
            !same_bits(evaluator, &eval->plan->steps[eval->step->sources[i].step], eval->inputs[i], &err))
            return oro_eval_failed(eval, &err);
    return !oro_ranks_first(evaluator->options.ranks) || oro_eval_step(eval);
}

/* What fails on one rank fails on all. */
static bool evaluate_step(struct oro_plan_run *run, struct oro_eval *eval)
{
    const struct oro_evaluator_options *options = &run->evaluator->options;
    const struct oro_node_type *type = eval->step->type;
    bool done = false, ok;
    if (type->sink && type->eval_tiles && (!type->eval_tiles(eval, eval->step->params, &done) || done))
        ok = !eval->failed;
    else
        ok = type->sink && options->ranks ? write_together(eval) : oro_eval_step(eval);
    if (!options->ranks)
        return ok;
    if (!ok)
        oro_error_place(run->err, eval->step->document, eval->step->line, eval->step->id);
    return oro_ranks_agree(options->ranks, ok, run->err);
}

/* Results that are reported; that is no part of the step, and of large rasters takes longer. Of what lies in
 * tiles, each rank has its own. */
static bool compare_ranks(struct oro_plan_run *run, const struct oro_eval *eval)
{
    const struct oro_evaluator_options *options = &run->evaluator->options;
    struct oro_value *value = eval->result.values[0];
    if (!options->ranks || !options->digests || eval->step->type->sink ||
        (value && oro_ranks_all(options->ranks, oro_value_tiles(value))))
        return true;
    return same_bits(run->evaluator, eval->step, value, run->err);
}

static bool run_step(struct oro_plan_run *run, size_t index)
{
    struct oro_evaluator *evaluator = run->evaluator;
    const struct oro_step *step = &run->plan->steps[index];
    struct oro_device *device = evaluator->device;
    struct oro_eval eval;
    struct oro_progress begin = {.step = step, .seconds_left = -1};
    oro_evaluator_report_progress(evaluator, &begin, true);
    bool ok = make_eval(run, step, &eval);
    uint64_t dispatches = device->dispatches;
    bool timed = ok && device->ops->timer_begin(device);
    ok = ok && evaluate_step(run, &eval);
    if (evaluator->options.digests) /* what is only queued would count as a later step's */
        ok = ok && device->ops->finish(device, run->err);
    double device_seconds = timed ? device->ops->timer_end(device) : -1;
    double seconds = oro_now() - eval.started;
    ok = ok && compare_ranks(run, &eval);
    ok = ok && keep_result(run, &eval, &run->slots[index], seconds);
    if (ok) {
        oro_eval_show_end(&eval);
        report_end(evaluator, &eval);
    } else {
        oro_error_place(run->err, step->document, step->line, step->id);
    }
    learn(evaluator, &eval, ok, seconds);
    report(run, &(struct oro_step_report){.step = step,
                                          .outcome = ok ? ORO_STEP_COMPUTED : ORO_STEP_FAILED,
                                          .seconds = seconds,
                                          .device_seconds = device_seconds,
                                          .iterations_run = eval.done - eval.done_at_start,
                                          .resumed_from = eval.done_at_start,
                                          .dispatches = device->dispatches - dispatches});
    oro_eval_end(&eval);
    evaluator->step_index++;
    return ok;
}

/* Waits as long as another process computes the step, and takes its result. False: the work is to end. */
static bool wait_for_others(struct oro_plan_run *run, size_t index, struct oro_claim **claim)
{
    struct oro_evaluator *evaluator = run->evaluator;
    struct oro_claim_watch watch = {0};
    const struct oro_step *step = &run->plan->steps[index];
    const struct oro_progress waiting = {.step = step, .seconds_left = -1};
    double begun = oro_now();
    bool said = false;
    enum oro_claimed claimed;
    while ((claimed = oro_cache_claim(evaluator->cache, step->key, &watch, claim)) == ORO_CLAIM_OTHERS) {
        double waited = oro_now() - begun;
        oro_evaluator_report_progress(evaluator, &waiting, false);
        if (oro_evaluator_stopped(evaluator))
            return oro_fail(run->err, ORO_E_CANCELLED, "cancelled");
        if (waited > SAID_SECONDS && !said)
            oro_note(&evaluator->options.log, ORO_NOTICE, "'%s' is computed by %s; waiting for its result",
                     step->id, watch.owner);
        said |= waited > SAID_SECONDS;
        oro_sleep(waited < 0.1 ? 0.01 : waited < 10 ? 0.1 : 0.3);
    }
    if (claimed == ORO_CLAIM_OURS) /* perhaps because another is done with it */
        look_up(run, index);
    if (watch.inode && !watch.taken_over) { /* a result that is not stored: the others compute it, too */
        oro_claim_end(*claim, true);
        *claim = NULL;
    }
    return true;
}

static bool claim_and_run(struct oro_plan_run *run, size_t index)
{
    struct oro_evaluator *evaluator = run->evaluator;
    struct oro_claim *claim = NULL;
    bool claims = evaluator->options.claims && evaluator->cache && !run->plan->steps[index].type->sink;
    if (claims && !wait_for_others(run, index, &claim))
        return false;
    bool theirs = run->slots[index].ready, ok = theirs || run_step(run, index);
    evaluator->step_index += theirs;
    oro_claim_end(claim, ok);
    return ok;
}

static bool run_steps(struct oro_plan_run *run)
{
    for (size_t i = 0; i < run->plan->step_count; i++) {
        const struct oro_step *step = &run->plan->steps[i];
        if (!run->slots[i].needed || run->slots[i].ready)
            continue;
        if (oro_evaluator_stopped(run->evaluator))
            return oro_fail(run->err, ORO_E_CANCELLED, "cancelled");
        if (!claim_and_run(run, i))
            return false;
        for (size_t k = 0; step->type->inputs[k].name; k++) {
            struct oro_running_step *source =
                step->sources[k].step >= 0 ? &run->slots[step->sources[k].step] : NULL;
            if (source && --source->uses == 0)
                oro_running_step_drop(source);
        }
    }
    return true;
}

static void take_targets(struct oro_plan_run *run, struct oro_value **values)
{
    for (size_t i = 0; i < run->plan->target_count; i++) {
        struct oro_plan_source source = run->plan->targets[i];
        const struct oro_result *result = run->slots[source.step].result;
        bool has = result && source.output < result->value_count && result->values[source.output];
        values[i] = has ? oro_value_retain(result->values[source.output]) : NULL;
    }
}

static void release_targets(const struct oro_plan *plan, struct oro_value **values)
{
    for (size_t i = 0; values && i < plan->target_count; i++) {
        oro_value_release(values[i]);
        values[i] = NULL;
    }
}

static bool run_once(struct oro_evaluator *evaluator, const struct oro_plan *plan, struct oro_value **values,
                     struct oro_error *err)
{
    struct oro_device *device = evaluator->device;
    struct oro_plan_run run = {.evaluator = evaluator, .plan = plan, .err = err};
    if (atomic_load(&evaluator->cancelled))
        return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    if (!device->ops->finish(device, err)) /* if it was lost, so is what the cache has there */
        return false;
    run.slots = oro_alloc(plan->step_count + 1, sizeof *run.slots);
    if (!run.slots)
        return oro_fail(err, ORO_E_MEMORY, "no memory to evaluate %zu steps", plan->step_count);
    evaluator->run = &run;
    evaluator->step_index = evaluator->step_count = 0;
    find_needed(&run);
    forecast(&run);
    if (evaluator->options.digests)
        report_unneeded(&run);
    bool ok = run_steps(&run) && device->ops->finish(device, err);
    if (ok && values)
        take_targets(&run, values);
    evaluator->run = NULL;
    for (size_t i = 0; i < plan->step_count; i++)
        oro_running_step_drop(&run.slots[i]);
    oro_free(run.slots);
    oro_text_free(&run.said);
    return ok;
}

static bool is_stopped(void *user)
{
    return oro_evaluator_stopped(user);
}

static void lost_again(struct oro_error *err)
{
    struct oro_error first = *err;
    oro_fail(err, ORO_E_LOST, "the device was lost twice in one evaluation, which was given up: %.500s",
             first.text);
    oro_error_place(err, first.document, first.line, first.node);
}

bool oro_evaluate(struct oro_evaluator *evaluator, const struct oro_plan *plan, struct oro_value **values,
                  struct oro_error *err)
{
    struct oro_error own;
    if (!err)
        err = &own;
    evaluator->started = oro_now();
    for (size_t i = 0; values && i < plan->target_count; i++)
        values[i] = NULL;
    evaluator->device->stop = is_stopped;
    evaluator->device->stop_user = evaluator;
    bool ok = run_once(evaluator, plan, values, err);
    if (evaluator->options.ranks) {
        ok = oro_ranks_agree(evaluator->options.ranks, ok, err);
        if (!ok)
            release_targets(plan, values);
    } else if (!ok && err->code == ORO_E_LOST) {
        oro_note(&evaluator->options.log, ORO_WARNING, "%s; starting it again, work resumes from the cache",
                 err->text);
        if (evaluator->cache)
            oro_cache_device_lost(evaluator->cache);
        ok =
            evaluator->device->ops->rebuild(evaluator->device, err) && run_once(evaluator, plan, values, err);
        if (!ok && err->code == ORO_E_LOST)
            lost_again(err);
    }
    if (evaluator->cache)
        oro_cache_settle(evaluator->cache);
    evaluator->device->stop = NULL;
    atomic_store(&evaluator->cancelled, 0);
    return ok;
}
