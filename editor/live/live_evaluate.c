/* One evaluation on the live thread: evaluates a plan's first target and shows it as a picture or a
 * thumbnail. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "editor/live/live_private.h"
#include "editor/live/thumbnail.h"

/* States of a simulation replace a finished picture of the same revision only if the simulation takes so long
 * that the user will want to watch it. */
static const double LOOK_ON_SECONDS = 2;

struct oro_hash ed_live_key(const struct oro_plan *plan, const struct ed_want *want)
{
    const uint64_t mixed[] = {plan->steps[plan->targets[0].step].key.low,
                              plan->steps[plan->targets[0].step].key.high, (uint64_t)plan->targets[0].output,
                              want->derive};
    return oro_hash_of(mixed, sizeof mixed);
}

/* ---- Callbacks of the evaluator ---- */

void ed_live_progress(void *user, const struct oro_progress *progress)
{
    struct ed_live *live = user;
    struct ed_run *run = live->run;
    if (!run || !run->nodes)
        return;
    bool first = ed_steps_progress(&run->steps, progress);
    ed_nodes_step(run->nodes, first ? SIZE_MAX : run->steps.current);
    pthread_mutex_lock(&live->lock);
    struct ed_live_status *status = &live->status;
    snprintf(status->node, sizeof status->node, "%.127s", progress->step->id);
    status->step = progress->step_index;
    status->steps = progress->step_count;
    status->seconds_left = progress->seconds_left;
    status->device_bytes = live->engine.device->used_bytes;
    pthread_mutex_unlock(&live->lock);
    if (progress->done < progress->total || progress->total == 0)
        ed_live_wake(live);
}

void ed_live_step_done(void *user, const struct oro_step_report *report)
{
    struct ed_live *live = user;
    struct ed_run *run = live->run;
    if (!run || !run->nodes)
        return;
    size_t step = ed_steps_report(&run->steps, report);
    ed_nodes_said(run->nodes, report);
    if (report->outcome != ORO_STEP_COMPUTED)
        return;
    ed_kernels_ran(&live->kernels, report->step);
    ed_nodes_cost(run->nodes, report);
    ed_nodes_step(run->nodes, step);
}

static const struct oro_output *output_of(const struct oro_plan *plan)
{
    return &plan->steps[plan->targets[0].step].type->outputs[plan->targets[0].output];
}

/* Whether an intermediate state is better than the picture that is there. */
static bool is_worth(struct ed_live *live, const struct ed_show *show)
{
    const struct ed_want *want = show->item->want;
    const struct ed_kept_picture *there =
        ed_kept_find(&live->kept, show->item->id, want->output, want->derive);
    return !there || there->picture->running || there->picture->revision != show->like.revision ||
           oro_now() - live->run->since >= LOOK_ON_SECONDS;
}

void ed_live_on_the_way(void *user, const struct oro_live *shown)
{
    struct ed_live *live = user;
    const struct ed_show *show = live->run ? live->run->show : NULL;
    struct oro_error err;
    if (!show || show->thumbnail || show->item->want->derive != ED_DERIVE_NOTHING ||
        shown->step != &show->plan->steps[show->plan->targets[0].step] ||
        strcmp(shown->output, output_of(show->plan)->name) != 0 || ed_live_stopped(live) ||
        !is_worth(live, show))
        return;
    struct ed_picture like = show->like;
    like.running = true;
    like.done = shown->done;
    struct ed_picture *picture = ed_picture_of_value(shown->value, show->plan, &like, &err);
    if (!picture)
        return;
    ed_kept_put(&live->kept, &live->lock, show->item->id, show->item->want, (struct oro_hash){0}, picture);
    ed_live_wake(live);
}

/* ---- Evaluating ---- */

static bool stopped(struct oro_error *err)
{
    return oro_fail(err, ORO_E_CANCELLED, "cancelled");
}

bool ed_live_begin(struct ed_live *live, struct oro_evaluator *evaluator)
{
    pthread_mutex_lock(&live->lock);
    bool go = !atomic_load(&live->stop);
    live->evaluating = go ? evaluator : NULL;
    pthread_mutex_unlock(&live->lock);
    return go;
}

void ed_live_end(struct ed_live *live)
{
    pthread_mutex_lock(&live->lock);
    oro_evaluator_forget_cancel(live->evaluating); /* else a late cancel would end the next evaluation */
    live->evaluating = NULL;
    live->status.device_bytes = live->engine.device->used_bytes;
    pthread_mutex_unlock(&live->lock);
}

static void remember(struct ed_run *run, const struct oro_plan *plan, size_t step,
                     const struct oro_error *err)
{
    void *failures = run->failures;
    if (step >= plan->step_count ||
        !oro_reserve(&failures, &run->failure_capacity, run->failure_count + 1, sizeof *run->failures))
        return;
    run->failures = failures;
    run->failures[run->failure_count++] = (struct ed_failure){plan->steps[step].key, *err};
}

/* Whether something that the target needs has failed already. */
static bool known_failure(const struct ed_run *run, struct oro_error *err)
{
    const struct oro_plan *plan = run->steps.plan;
    for (size_t k = 0; k < run->failure_count; k++)
        for (size_t i = 0; i < plan->step_count; i++) {
            if (ed_steps_phase(&run->steps, i) == ED_NODE_UNKNOWN ||
                !oro_hash_equal(plan->steps[i].key, run->failures[k].key))
                continue;
            *err = run->failures[k].err;
            return true;
        }
    return false;
}

static bool evaluate(struct ed_live *live, const struct ed_show *show, struct oro_value **value,
                     struct oro_error *err)
{
    struct ed_run *run = live->run;
    if (known_failure(run, err))
        return false;
    if (!ed_live_begin(live, live->engine.evaluator))
        return stopped(err);
    run->show = show;
    run->since = oro_now();
    bool ok = oro_evaluate(live->engine.evaluator, show->plan, value, err);
    run->show = NULL;
    ed_live_end(live);
    size_t current = run->steps.current;
    bool failed = !ok && err->code != ORO_E_CANCELLED;
    if (failed)
        remember(run, show->plan, current, err);
    if (!ok)
        ed_steps_stopped(&run->steps, failed);
    return ok;
}

static struct ed_picture *picture_of(struct ed_live *live, const struct ed_show *show,
                                     struct oro_value *value, struct oro_error *err)
{
    struct ed_picture *picture = ed_picture_of_value(value, show->plan, &show->like, err);
    oro_value_drop_host(value);
    if (!picture || show->item->want->derive != ED_DERIVE_DRAINAGE)
        return picture;
    struct ed_picture *drainage = ed_picture_of_drainage(picture, ed_live_stopped, live, err);
    ed_picture_release(picture);
    return drainage;
}

static bool keep_thumbnail(struct ed_live *live, const struct ed_show *show, struct oro_hash key,
                           struct ed_picture *picture, struct oro_error *err)
{
    struct ed_thumbnail *thumbnail = oro_alloc(1, sizeof *thumbnail);
    bool ok = thumbnail ? ed_thumbnail_draw(picture, thumbnail, err)
                        : oro_fail(err, ORO_E_MEMORY, "no memory for a small picture");
    ed_picture_release(picture);
    if (ok)
        ed_nodes_put_thumbnail(live->nodes, show->item->id, key, thumbnail);
    else
        oro_free(thumbnail);
    return ok;
}

static bool keep(struct ed_live *live, const struct ed_show *show, struct oro_value *value,
                 struct oro_error *err)
{
    struct oro_hash key = ed_live_key(show->plan, show->item->want);
    if (!value)
        return oro_fail(err, ORO_E_EVALUATE, "'%s' gives nothing to look at", show->item->id);
    struct ed_picture *picture = picture_of(live, show, value, err);
    if (picture && show->thumbnail)
        return keep_thumbnail(live, show, key, picture, err);
    if (picture)
        ed_kept_put(&live->kept, &live->lock, show->item->id, show->item->want, key, picture);
    return picture;
}

/* Results that are there already: their pictures are marked as being of this revision. */
static bool is_there(struct ed_live *live, const struct ed_show *show)
{
    const struct ed_want *want = show->item->want;
    struct oro_hash key = ed_live_key(show->plan, want);
    if (show->thumbnail)
        return ed_nodes_has_thumbnail(live->nodes, show->item->id, key);
    struct ed_kept_picture *entry = ed_kept_find(&live->kept, show->item->id, want->output, want->derive);
    if (!entry || !oro_hash_equal(entry->key, key))
        return false;
    struct ed_picture *again = ed_picture_again(entry->picture, &show->like);
    if (again)
        ed_kept_put(&live->kept, &live->lock, show->item->id, want, key, again);
    return again;
}

bool ed_live_show(struct ed_live *live, const struct ed_show *show, struct oro_error *err)
{
    struct ed_run *run = live->run;
    struct oro_value *value = NULL;
    if (ed_live_stopped(live))
        return stopped(err);
    if (!ed_steps_begin(&run->steps, show->plan, err))
        return false;
    run->nodes = ed_nodes_begin(live->nodes, &run->steps, live->request->prefix, err);
    bool ok = run->nodes &&
              (is_there(live, show) || (evaluate(live, show, &value, err) && keep(live, show, value, err)));
    oro_value_release(value);
    if (run->nodes)
        ed_nodes_end(run->nodes, show->item->id, ok ? NULL : err->text);
    run->nodes = NULL;
    ed_steps_end(&run->steps);
    ed_live_wake(live);
    return ok;
}
