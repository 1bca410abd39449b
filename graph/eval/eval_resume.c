/* Long work: progress, and the stored states of simulations from which later ones resume. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "graph/eval/eval_private.h"

void oro_eval_converging(struct oro_eval *eval, int done, double change, double tolerance)
{
    struct oro_convergence *last = &eval->convergence;
    bool falls = last->told && done > last->done && isfinite(last->change) && change < last->change;
    if (falls && change > 0)
        last->fall = log(last->change / change) / (done - last->done);
    else if (last->told && done > last->done)
        last->fall = 0;
    last->told = tolerance > 0;
    last->done = done;
    last->change = change;
    last->tolerance = tolerance;
}

/* As if what is left fell on as it did last; negative: not known. */
static double iterations_left(const struct oro_eval *eval, int done, int total)
{
    const struct oro_convergence *last = &eval->convergence;
    if (!last->told)
        return total - done;
    if (last->fall <= 0)
        return -1;
    double left = log(last->change / last->tolerance) / last->fall - (done - last->done);
    return fmin(fmax(left, 0), total - done);
}

bool oro_eval_progress(struct oro_eval *eval, int done, int total)
{
    struct oro_evaluator *evaluator = eval->evaluator;
    struct oro_error err;
    if (eval->failed)
        return false;
    eval->done = done;
    eval->total = total;
    if (!evaluator->device->ops->pace(evaluator->device, &err))
        return oro_eval_failed(eval, &err);
    if (oro_evaluator_stopped(evaluator))
        return oro_eval_fail(eval, ORO_E_CANCELLED, "cancelled");
    double seconds = oro_now() - eval->started;
    int fresh = done - eval->done_at_start;
    double rate = seconds > 0 && fresh > 0 ? fresh / seconds : 0, left = iterations_left(eval, done, total);
    struct oro_progress progress = {.step = eval->step,
                                    .done = done,
                                    .total = total,
                                    .rate = rate,
                                    .seconds_left = rate > 0 && left >= 0 ? left / rate : -1};
    oro_evaluator_report_progress(evaluator, &progress, done == total);
    return true;
}

/* Needs no further buffer: a state that the cache has only on the host is uploaded straight to its place. */
static void load_state(struct oro_eval *eval, const struct oro_value *stored, struct oro_buffer *to)
{
    if (stored->buffer)
        oro_eval_copy(eval, stored->buffer, to, oro_value_bytes(stored) / sizeof(float));
    else
        oro_eval_upload(eval, to, stored->host, oro_value_bytes(stored));
}

/* What marks a state that is kept by time, so that a later run drops it as well once it has a newer one. */
static const struct oro_figure passing_mark = {.name = "passing"};

int oro_eval_resume(struct oro_eval *eval, int iterations, struct oro_buffer *const *state, int count)
{
    struct oro_evaluator *evaluator = eval->evaluator;
    struct oro_result stored = {0};
    if (eval->failed)
        return -1;
    if (!evaluator->cache || iterations <= 0)
        return 0;
    int done =
        oro_cache_get_state(evaluator->cache, eval->step->resume_key, iterations, evaluator->device, &stored);
    bool ok = done > 0 && stored.value_count == count;
    for (int i = 0; ok && i < count; i++)
        ok = oro_value_bytes(stored.values[i]) == oro_eval_owned(eval, state[i])->bytes;
    for (int i = 0; ok && i < count; i++)
        load_state(eval, stored.values[i], state[i]);
    bool passing = ok && stored.figure_count == 1 && strcmp(stored.figures[0].name, passing_mark.name) == 0;
    eval->checkpoints.passing = passing ? done : 0;
    oro_result_release(&stored);
    if (eval->failed)
        return -1;
    eval->done = eval->done_at_start = ok ? done : 0;
    return eval->done_at_start;
}

enum { FIRST_KEPT = 256 };

static int next_kept(int done)
{
    int next = FIRST_KEPT;
    while (next <= done)
        next *= 2;
    return next;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int oro_eval_iterations_ahead(const struct oro_eval *eval, int done, int iterations)
{
    const struct oro_evaluator_options *options = &eval->evaluator->options;
    int ahead = iterations - done, every = options->live_every > 0 ? options->live_every : 1;
    if (eval->evaluator->cache)
        ahead = least(ahead, next_kept(done) - done);
    if (options->live && (every > 1 || !(options->live_seconds > 0)))
        ahead = least(ahead, every - done % every);
    return ahead;
}

/* ---- States by time ---- */

/* Keeping states may take so much of the time. */
static const double CHECKPOINT_SECONDS = 30, CHECKPOINT_SHARE = 0.05;
/* Of a disk, until the first state was stored. */
static const double ASSUMED_BYTES_PER_SECOND = 300e6;

static double assumed_cost(const struct oro_eval *eval)
{
    const struct oro_ranks *ranks = eval->evaluator->options.ranks;
    double rasters = 2, bytes = rasters * sizeof(float) * (double)oro_grid_cells(&eval->step->grid);
    return bytes / ASSUMED_BYTES_PER_SECOND / (ranks && oro_eval_spread(eval) ? ranks->count : 1);
}

/* Seconds until the state is worth its cost. */
static double seconds_left(const struct oro_eval *eval)
{
    double given = eval->evaluator->options.checkpoint_seconds;
    double wait = given > 0 ? given : CHECKPOINT_SECONDS, least = eval->checkpoints.cost / CHECKPOINT_SHARE;
    return eval->last_state + (wait > least ? wait : least) - oro_now();
}

/* Iterations until the clock is to be looked at again: after half of the time that is left, as far as can be
 * told. Never more than were done so far, because a device may have them all still before it. */
static int look_ahead(const struct oro_eval *eval, int done, double left)
{
    int fresh = done - eval->done_at_start;
    double each = (oro_now() - eval->started) / fresh, ahead = each > 0 ? left / each / 2 : fresh;
    return ahead < 1 ? 1 : ahead < fresh ? (int)ahead : fresh;
}

/* Ranks talk about it only when the clock is looked at. */
static bool due_by_time(struct oro_eval *eval, int done)
{
    struct oro_checkpoints *checkpoints = &eval->checkpoints;
    if (!checkpoints->begun) {
        checkpoints->begun = true;
        checkpoints->cost = assumed_cost(eval);
        checkpoints->off = eval->evaluator->options.checkpoint_seconds < 0 ||
                           !oro_cache_takes_passing(eval->evaluator->cache);
    }
    if (checkpoints->off || done < checkpoints->next_look)
        return false;
    double left = seconds_left(eval);
    int ahead = oro_ranks_told(eval->evaluator->options.ranks, left > 0 ? look_ahead(eval, done, left) : 0);
    checkpoints->next_look = done + ahead;
    return ahead == 0;
}

/* Besides the last state, long runs keep those after 256, 512, 1024, ... steps, unless they follow too
 * closely. */
static bool due_by_count(struct oro_eval *eval, int done)
{
    double given = eval->evaluator->options.state_seconds, least = given > 0 ? given : 2;
    return done >= FIRST_KEPT && (done & (done - 1)) == 0 && !eval->checkpoints.large &&
           oro_eval_decide(eval, oro_now() - eval->last_state > least);
}

static enum oro_keeping keeping(struct oro_eval *eval, int done, int iterations)
{
    struct oro_checkpoints *checkpoints = &eval->checkpoints;
    if (!eval->evaluator->cache || eval->failed || done == 0 || done == eval->done_at_start)
        return ORO_KEEP_NOT;
    if (done == iterations)
        return ORO_KEEP_LAST;
    if (checkpoints->asked_at != done) {
        checkpoints->asked_at = done;
        checkpoints->answer = due_by_count(eval, done)  ? ORO_KEEP_BY_COUNT
                              : due_by_time(eval, done) ? ORO_KEEP_BY_TIME
                                                        : ORO_KEEP_NOT;
    }
    return checkpoints->answer;
}

bool oro_eval_checkpoint_due(struct oro_eval *eval, int done, int iterations)
{
    return keeping(eval, done, iterations) != ORO_KEEP_NOT;
}

/* The state before is dropped only when there is another. */
static void replace_passing(struct oro_eval *eval, int done)
{
    struct oro_checkpoints *checkpoints = &eval->checkpoints;
    if (checkpoints->passing && checkpoints->passing != done)
        oro_cache_drop_state(eval->evaluator->cache, eval->step->resume_key, checkpoints->passing);
    checkpoints->passing = done;
}

/* Values over the simulation's own buffers, which are only lent: no memory of the device is needed. */
static bool lend_state(struct oro_eval *eval, struct oro_buffer *const *state, int count,
                       struct oro_result *result)
{
    for (int i = 0; i < count; i++) {
        const struct oro_owned *owned = oro_eval_owned(eval, state[i]);
        struct oro_value *value =
            oro_value_create(eval->evaluator->device, owned->type, &owned->grid, owned->buffer, NULL, NULL);
        if (!value)
            return false;
        result->values[result->value_count++] = value;
    }
    result->figures[result->figure_count++] = passing_mark;
    return true;
}

/* What does not go onto the disk once is not tried again. */
static bool keep_passing(struct oro_eval *eval, int done, struct oro_buffer *const *state, int count)
{
    struct oro_evaluator *evaluator = eval->evaluator;
    struct oro_checkpoints *checkpoints = &eval->checkpoints;
    struct oro_result result = {0};
    struct oro_error err;
    if (!evaluator->device->ops->finish(evaluator->device, &err))
        return oro_eval_failed(eval, &err);
    double before = oro_now();
    enum oro_passing kept = ORO_PASSING_NOT;
    if (oro_ranks_all(evaluator->options.ranks, lend_state(eval, state, count, &result)))
        kept = oro_cache_put_passing(evaluator->cache, eval->step->resume_key, done, &result);
    for (int i = 0; i < result.value_count; i++) /* what was lent is taken back */
        result.values[i]->buffer = NULL;
    oro_result_release(&result);
    eval->last_state = oro_now();
    checkpoints->cost = eval->last_state - before;
    checkpoints->off = kept == ORO_PASSING_NOT;
    checkpoints->large = kept == ORO_PASSING_LARGE;
    if (kept != ORO_PASSING_NOT)
        replace_passing(eval, done);
    return true;
}

/* Keeps the last state: its buffers become values, which the outputs may share. */
static void share_state(struct oro_eval *eval, struct oro_buffer *const *state, int count,
                        struct oro_result *result)
{
    for (int i = 0; i < count; i++) {
        const struct oro_owned *owned = oro_eval_owned(eval, state[i]);
        struct oro_value *value = owned ? oro_eval_value_of(eval, state[i], owned->type) : NULL;
        if (!value)
            return;
        result->values[result->value_count++] = value;
    }
}

static struct oro_value *copied(struct oro_eval *eval, struct oro_buffer *from, struct oro_error *err)
{
    struct oro_device *device = eval->evaluator->device;
    const struct oro_owned *owned = oro_eval_owned(eval, from);
    oro_evaluator_make_room(eval->evaluator, eval->step, owned->bytes);
    struct oro_buffer *buffer =
        oro_evaluator_buffer(eval->evaluator, owned->bytes, owned->channels, &owned->grid, err);
    bool ok = buffer && device->ops->copy(device, from, buffer, owned->bytes, err);
    struct oro_value *value =
        ok ? oro_value_create(device, owned->type, &owned->grid, buffer, NULL, err) : NULL;
    if (!value && buffer)
        device->ops->buffer_destroy(device, buffer);
    return value;
}

/* Copies an intermediate state. It is a convenience: if there is no room for it, the simulation goes on
 * without. */
static bool copy_state(struct oro_eval *eval, struct oro_buffer *const *state, int count,
                       struct oro_result *result)
{
    struct oro_error err = {0};
    for (int i = 0; i < count; i++) {
        struct oro_value *value = copied(eval, state[i], &err);
        if (!value && err.code != ORO_E_LIMIT && err.code != ORO_E_MEMORY)
            oro_eval_failed(eval, &err);
        if (!value)
            return false;
        result->values[result->value_count++] = value;
    }
    return true;
}

bool oro_eval_checkpoint(struct oro_eval *eval, int done, int iterations, struct oro_buffer *const *state,
                         int count)
{
    struct oro_evaluator *evaluator = eval->evaluator;
    enum oro_keeping why = keeping(eval, done, iterations);
    if (why == ORO_KEEP_NOT)
        return !eval->failed;
    if (why == ORO_KEEP_BY_TIME)
        return keep_passing(eval, done, state, count);
    struct oro_result result = {0};
    bool whole = true;
    if (why == ORO_KEEP_LAST)
        share_state(eval, state, count, &result);
    else
        whole = oro_ranks_all(evaluator->options.ranks, copy_state(eval, state, count, &result));
    eval->last_state = oro_now();
    bool stored = !eval->failed && whole &&
                  oro_cache_put_state(evaluator->cache, eval->step->resume_key, done, &result,
                                      eval->last_state - eval->started);
    oro_result_release(&result);
    if (stored) {
        replace_passing(eval, done);
        eval->checkpoints.passing = 0; /* this one stays */
    }
    return !eval->failed;
}
