/* The live thread waits for requests and works on them; the watch thread ends evaluations that were
 * overtaken. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "editor/live/live_private.h"
#include "lua/types/registry.h"

static const double IDLE_SECONDS = 1; /* between looks at the files */

/* Waits for a signal, or for so long. */
static void wait_for(struct ed_live *live, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    double end = (double)until.tv_nsec * 1e-9 + seconds;
    until.tv_sec += (time_t)end;
    until.tv_nsec = (long)((end - (double)(time_t)end) * 1e9);
    pthread_cond_timedwait(&live->changed, &live->lock, &until);
}

/* ---- Stopping ---- */

void ed_live_stop(struct ed_live *live)
{
    atomic_store(&live->stop, true);
    if (live->evaluating)
        oro_evaluator_cancel(live->evaluating);
}

bool ed_live_stopped(void *user)
{
    return atomic_load(&((struct ed_live *)user)->stop);
}

/* Ends the running evaluation if it is overtaken. Returns after how many seconds to look again; negative:
 * when something changes. */
static double look(struct ed_live *live)
{
    if (!live->running || !live->next || live->gentle || atomic_load(&live->stop))
        return -1;
    double left = live->first ? live->first_since + live->first_grace - oro_now() : 0;
    if (left > 0)
        return left;
    if (live->first)
        live->first_grace = fmin(2 * live->first_grace, ED_GRACE_MOST);
    ed_live_stop(live);
    return -1;
}

void *ed_live_watch(void *user)
{
    struct ed_live *live = user;
    pthread_mutex_lock(&live->lock);
    while (!live->quit) {
        double seconds = look(live);
        if (seconds < 0)
            pthread_cond_wait(&live->changed, &live->lock);
        else
            wait_for(live, seconds);
    }
    pthread_mutex_unlock(&live->lock);
    return NULL;
}

/* ---- Working ---- */

void ed_live_wake(struct ed_live *live)
{
    if (live->options.wake)
        live->options.wake(live->options.user);
}

/* Takes over the next request. Call it with the lock held; returns what to free without it. */
struct old {
    struct ed_request *request;
    struct oro_document *root;
};
static struct old take(struct ed_live *live)
{
    struct old old = {0};
    if (live->next) {
        old.request = live->request;
        live->request = live->next;
        live->next = NULL;
    }
    if (live->next_root) {
        old.root = live->root;
        live->root = live->next_root;
        live->next_root = NULL;
        live->checked = false;
    }
    live->gentle = live->again = false;
    live->running = true;
    live->first = true;
    live->first_since = oro_now();
    atomic_store(&live->stop, false);
    return old;
}

static void work(struct ed_live *live)
{
    struct old old = take(live);
    bool other = old.root && strcmp(oro_document_path(old.root), oro_document_path(live->root)) != 0;
    pthread_mutex_unlock(&live->lock);
    ed_request_destroy(old.request);
    oro_document_destroy(old.root);
    if (other && live->request->path[0])
        ed_nodes_clear(live->nodes);
    ed_live_run(live);
    pthread_mutex_lock(&live->lock);
    live->running = false;
    live->status.node[0] = '\0';
    live->status.step = live->status.steps = 0;
    live->status.seconds_left = -1;
    pthread_mutex_unlock(&live->lock);
    ed_live_wake(live);
    pthread_mutex_lock(&live->lock);
}

/* Whether something changed on the disk. Kernels may have changed too, which only a plan can tell. Call it
 * without the lock. */
static bool anything_new(struct ed_live *live)
{
    bool types = oro_registry_refresh(&live->engine.registry);
    if (types)
        live->checked = false;
    return types || !oro_file_list_same(&live->watched) || live->options.shader_dir;
}

static void idle(struct ed_live *live)
{
    wait_for(live, IDLE_SECONDS);
    if (live->quit || live->next || live->again || live->halted || !live->request)
        return;
    pthread_mutex_unlock(&live->lock);
    bool anything = anything_new(live);
    pthread_mutex_lock(&live->lock);
    if (anything && !live->quit && !live->next && !live->halted)
        work(live);
}

void *ed_live_thread(void *user)
{
    struct ed_live *live = user;
    struct oro_error err = {0};
    struct ed_engine_options options = {.live = live->options,
                                        .log = &live->journal.log,
                                        .stopped = ed_live_stopped,
                                        .user = live,
                                        .evaluator = {.progress = ed_live_progress,
                                                      .step_done = ed_live_step_done,
                                                      .live = ed_live_on_the_way,
                                                      .live_seconds = 0.15}};
    bool ok = ed_engine_open(&live->engine, &options, &err) && ed_engine_start(&live->engine, &err);
    pthread_mutex_lock(&live->lock);
    live->status.opening = false;
    live->status.ready = ok;
    if (ok)
        snprintf(live->status.device, sizeof live->status.device, "%s", live->engine.device->info.name);
    else
        snprintf(live->status.problem, sizeof live->status.problem, "%.511s", err.text);
    live->first_grace = ED_GRACE_LEAST;
    pthread_mutex_unlock(&live->lock);
    ed_live_wake(live);
    pthread_mutex_lock(&live->lock);
    while (!live->quit) {
        if ((live->next || (live->again && live->request)) && !live->halted)
            work(live);
        else
            idle(live);
    }
    pthread_mutex_unlock(&live->lock);
    ed_engine_close(&live->engine);
    return NULL;
}
