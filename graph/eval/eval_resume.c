/* Long work: progress, and the stored states of simulations from which later ones resume. */
#include "base/clock.h"
#include "graph/eval/eval_private.h"

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
    double rate = seconds > 0 && fresh > 0 ? fresh / seconds : 0;
    struct oro_progress progress = {.step = eval->step,
                                    .done = done,
                                    .total = total,
                                    .rate = rate,
                                    .seconds_left = rate > 0 ? (total - done) / rate : -1};
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

/* Besides the last state, long runs keep those after 256, 512, 1024, ... steps, unless they follow too
 * closely. */
static bool worth_keeping(struct oro_eval *eval, int done, int iterations)
{
    double given = eval->evaluator->options.state_seconds, least = given > 0 ? given : 2;
    if (done == iterations)
        return true;
    return done >= FIRST_KEPT && (done & (done - 1)) == 0 &&
           oro_eval_decide(eval, oro_now() - eval->last_state > least);
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
    if (eval->failed)
        return false;
    if (!evaluator->cache || done == 0 || done == eval->done_at_start ||
        !worth_keeping(eval, done, iterations))
        return true;
    struct oro_result result = {0};
    bool whole = true;
    if (done == iterations)
        share_state(eval, state, count, &result);
    else
        whole = oro_ranks_all(evaluator->options.ranks, copy_state(eval, state, count, &result));
    eval->last_state = oro_now();
    if (!eval->failed && whole)
        oro_cache_put_state(evaluator->cache, eval->step->resume_key, done, &result,
                            eval->last_state - eval->started);
    oro_result_release(&result);
    return !eval->failed;
}
