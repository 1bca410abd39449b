#include "editor/live/build.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <pthread.h>

#include "base/clock.h"
#include "base/file.h"
#include "editor/live/build_private.h"
#include "editor/live/engine.h"
#include "editor/live/journal.h"
#include "editor/live/steps.h"
#include "formats/format.h"
#include "graph/derived/assets.h"

struct ed_build {
    struct ed_live_options live;
    bool require_drained;
    struct ed_journal journal;
    pthread_t thread;
    pthread_mutex_t lock;
    /* Guarded by the lock. */
    struct ed_build_status status;
    char **files;
    size_t file_count, file_capacity;
    bool evaluating;
    double since;
    atomic_bool cancelled;
    /* Used by the thread alone. */
    struct ed_build_job job;
    struct ed_engine engine;
    struct ed_steps steps;
    double *weights, all, done; /* estimated cost of every step; of all that run; of those that are done */
};

static void wake(const struct ed_build *build)
{
    if (build->live.wake)
        build->live.wake(build->live.user);
}

static bool is_cancelled(void *user)
{
    return atomic_load(&((struct ed_build *)user)->cancelled);
}

/* ---- Progress ---- */

/* Work grows with cells, and with how often it is repeated. */
static double weight_of(const struct oro_step *step)
{
    return (double)(step->output_bytes + step->scratch_bytes + 4096) * (1 + oro_step_iterations(step));
}

/* Which steps run is known once the first of them begins. */
static void weigh(struct ed_build *build)
{
    for (size_t i = 0; i < build->steps.plan->step_count; i++) {
        enum ed_node_phase phase = ed_steps_phase(&build->steps, i);
        build->weights[i] = weight_of(&build->steps.plan->steps[i]);
        if (phase == ED_NODE_WAITING || phase == ED_NODE_RUNNING)
            build->all += build->weights[i];
    }
}

/* The time left if the rest goes as fast as what is done; for the running step its own estimate is better. */
static double seconds_left(const struct ed_build *build, const struct oro_progress *progress, double share)
{
    double seconds = oro_now() - build->since, weight = build->weights[build->steps.current];
    double later = build->all > 0 ? (build->all - build->done - weight) / build->all : 0;
    if (share < 0.02 || seconds < 0.5)
        return -1;
    double rate = share / seconds;
    return progress->seconds_left >= 0 ? progress->seconds_left + (later > 0 ? later : 0) / rate
                                       : (1 - share) / rate;
}

static void on_progress(void *user, const struct oro_progress *progress)
{
    struct ed_build *build = user;
    if (!build->weights)
        return;
    if (ed_steps_progress(&build->steps, progress))
        weigh(build);
    double part = build->steps.part > 0 ? (double)build->steps.part : 0;
    double work = build->done + part * build->weights[build->steps.current];
    double share = build->all > 0 ? work / build->all : 0;
    pthread_mutex_lock(&build->lock);
    struct ed_build_status *status = &build->status;
    snprintf(status->node, sizeof status->node, "%.127s", progress->step->id);
    status->step = progress->step_index;
    status->steps = progress->step_count;
    status->progress = (float)(share < 1 ? share : 1);
    status->seconds_left = seconds_left(build, progress, share);
    pthread_mutex_unlock(&build->lock);
    wake(build);
}

static void add_file(struct ed_build *build, const char *path)
{
    char *copy = oro_copy_text(path);
    pthread_mutex_lock(&build->lock);
    void *files = build->files;
    bool room =
        copy && oro_reserve(&files, &build->file_capacity, build->file_count + 1, sizeof *build->files);
    build->files = files;
    if (room)
        build->files[build->file_count++] = copy;
    pthread_mutex_unlock(&build->lock);
    if (!room)
        oro_free(copy);
}

static const char *file_of(const struct oro_step *step, const struct oro_input *input)
{
    const char *path = NULL;
    if (input->type == ORO_FILE && input->writes)
        memcpy(&path, (const char *)step->params + input->offset, sizeof path);
    return path && path[0] ? path : NULL;
}

static void on_step_done(void *user, const struct oro_step_report *report)
{
    struct ed_build *build = user;
    size_t step = ed_steps_report(&build->steps, report);
    if (report->outcome != ORO_STEP_COMPUTED)
        return;
    build->done += build->weights[step];
    if (report->step->type->sink)
        for (const struct oro_input *input = report->step->type->inputs; input->name; input++)
            if (file_of(report->step, input))
                add_file(build, file_of(report->step, input));
}

/* ---- The thread ---- */

/* Reports beforehand what would only fail at the end of the work. */
static bool check_files(const struct oro_plan *plan, struct oro_error *err)
{
    for (size_t i = 0; i < plan->step_count; i++)
        for (const struct oro_input *input = plan->steps[i].type->inputs; input->name; input++)
            if (file_of(&plan->steps[i], input) &&
                !oro_format_may_write(file_of(&plan->steps[i], input), err)) {
                oro_error_place(err, plan->document, plan->steps[i].line, plan->steps[i].id);
                return false;
            }
    return true;
}

static bool open_engine(struct ed_build *build, struct oro_error *err)
{
    struct ed_engine_options options = {.live = build->live,
                                        .log = &build->journal.log,
                                        .stopped = is_cancelled,
                                        .user = build,
                                        .evaluator = {.progress = on_progress,
                                                      .step_done = on_step_done,
                                                      .require_drained = build->require_drained}};
    if (!ed_engine_open(&build->engine, &options, err))
        return false;
    oro_assets_stand_in(build->engine.registry.assets, build->job.doc);
    return ed_build_prepare(&build->engine.registry, &build->job, err) &&
           ed_engine_start(&build->engine, err);
}

static struct oro_plan *make_plan(struct ed_build *build, struct oro_error *err)
{
    struct ed_build_job *job = &build->job;
    job->options.memory_bytes = build->engine.memory_bytes;
    struct oro_plan *plan =
        oro_plan_create(job->doc, &build->engine.registry, job->targets, job->output_count, &job->options,
                        build->engine.device, NULL, err);
    if (!plan)
        return NULL;
    pthread_mutex_lock(&build->lock);
    build->status.peak_bytes = plan->peak_bytes;
    build->status.steps = plan->step_count;
    pthread_mutex_unlock(&build->lock);
    if (plan->capped)
        oro_note(&build->journal.log, ORO_NOTICE,
                 "the cap of %d cells held back a rise in resolution: this is a preview",
                 job->options.max_resolution);
    return plan;
}

static bool evaluate(struct ed_build *build, const struct oro_plan *plan, struct oro_error *err)
{
    pthread_mutex_lock(&build->lock);
    bool go = !is_cancelled(build);
    build->evaluating = go;
    pthread_mutex_unlock(&build->lock);
    bool ok = go ? oro_evaluate(build->engine.evaluator, plan, NULL, err)
                 : oro_fail(err, ORO_E_CANCELLED, "cancelled");
    if (go && !ok)
        oro_evaluator_blame_inputs(build->engine.evaluator, plan, err);
    pthread_mutex_lock(&build->lock);
    build->evaluating = false;
    pthread_mutex_unlock(&build->lock);
    return ok;
}

static bool work(struct ed_build *build, struct oro_error *err)
{
    struct oro_plan *plan = open_engine(build, err) ? make_plan(build, err) : NULL;
    if (!plan)
        return false;
    build->weights = oro_alloc(plan->step_count + 1, sizeof *build->weights);
    bool ok = build->weights || oro_fail(err, ORO_E_MEMORY, "no memory to build the document");
    ok = ok && check_files(plan, err) && ed_steps_begin(&build->steps, plan, err) &&
         evaluate(build, plan, err);
    ed_steps_end(&build->steps);
    oro_free(build->weights);
    build->weights = NULL;
    oro_plan_destroy(plan);
    return ok;
}

static void *run(void *user)
{
    struct ed_build *build = user;
    struct oro_error err = {0};
    bool ok = work(build, &err);
    ed_engine_close(&build->engine);
    pthread_mutex_lock(&build->lock);
    struct ed_build_status *status = &build->status;
    status->phase = ok ? ED_BUILD_DONE : err.code == ORO_E_CANCELLED ? ED_BUILD_CANCELLED : ED_BUILD_FAILED;
    status->seconds = oro_now() - build->since;
    status->seconds_left = ok ? 0 : -1;
    status->progress = ok ? 1 : status->progress;
    status->node[0] = '\0';
    if (status->phase == ED_BUILD_FAILED) {
        snprintf(status->problem, sizeof status->problem, "%.511s", err.text);
        snprintf(status->problem_node, sizeof status->problem_node, "%.127s", err.node);
    }
    pthread_mutex_unlock(&build->lock);
    wake(build);
    return NULL;
}

/* ---- Called by the window's thread ---- */

static void free_all(struct ed_build *build)
{
    for (size_t i = 0; i < build->file_count; i++)
        oro_free(build->files[i]);
    oro_free(build->files);
    ed_build_free(&build->job);
    ed_journal_end(&build->journal);
    pthread_mutex_destroy(&build->lock);
    oro_free((void *)build->live.shader_dir);
    oro_free(build);
}

struct ed_build *ed_build_start(const struct ed_build_options *options, struct oro_error *err)
{
    struct ed_build *build = oro_alloc(1, sizeof *build);
    if (!build) {
        oro_fail(err, ORO_E_MEMORY, "no memory to build the document");
        return NULL;
    }
    build->live = options->live;
    build->live.shader_dir = oro_copy_text(options->live.shader_dir);
    build->require_drained = options->require_drained;
    build->status = (struct ed_build_status){.seconds_left = -1};
    build->since = oro_now();
    pthread_mutex_init(&build->lock, NULL);
    ed_journal_begin(&build->journal);
    bool ok = ed_build_copy(options, &build->job, err);
    if (ok && pthread_create(&build->thread, NULL, run, build) != 0)
        ok = oro_fail(err, ORO_E_MEMORY, "no thread can be made to build the document");
    if (ok)
        return build;
    free_all(build);
    return NULL;
}

void ed_build_cancel(struct ed_build *build)
{
    pthread_mutex_lock(&build->lock);
    atomic_store(&build->cancelled, true);
    if (build->evaluating)
        oro_evaluator_cancel(build->engine.evaluator);
    pthread_mutex_unlock(&build->lock);
}

void ed_build_status(struct ed_build *build, struct ed_build_status *status)
{
    pthread_mutex_lock(&build->lock);
    *status = build->status;
    if (status->phase == ED_BUILD_RUNNING)
        status->seconds = oro_now() - build->since;
    pthread_mutex_unlock(&build->lock);
}

const char *ed_build_file(struct ed_build *build, size_t index)
{
    pthread_mutex_lock(&build->lock);
    const char *file = index < build->file_count ? build->files[index] : NULL;
    pthread_mutex_unlock(&build->lock);
    return file;
}

void ed_build_log(struct ed_build *build, void (*each)(void *user, enum oro_level level, const char *text),
                  void *user)
{
    ed_journal_read(&build->journal, each, user);
}

void ed_build_destroy(struct ed_build *build)
{
    if (!build)
        return;
    ed_build_cancel(build);
    pthread_join(build->thread, NULL);
    free_all(build);
}
