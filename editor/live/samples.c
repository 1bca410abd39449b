/* The thread that makes samples, and what it has made. */
#include "editor/live/samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include <sys/resource.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "devices/devices.h"
#include "editor/live/live_private.h"
#include "editor/live/samples_private.h"
#include "editor/live/thumbnail.h"
#include "lua/types/registry.h"

enum { CELLS = 96, MOST = 4000 };
/* For one sample, by how often it was tried: what takes longer waits until the others are made, and goes on
 * from what the cache has of it. */
static const double SECONDS_MOST[] = {5, 60};
enum { TRIES = sizeof SECONDS_MOST / sizeof SECONDS_MOST[0] };

struct entry {
    char *path;
    struct oro_stamp stamp; /* of the file, when it was asked for */
    double looked;          /* when that was last compared */
    int tries;              /* that took too long */
    struct ed_sample sample;
    struct ed_thumbnail *picture; /* NULL: none */
};

struct ed_samples {
    struct ed_live_options options;
    char *shader_dir;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct entry *entries;
    size_t count, capacity;
    uint64_t serial;
    bool begun, paused;
    atomic_bool quit;

    /* Of the thread. */
    struct ed_engine engine;
    bool opened, started;
    struct oro_log log; /* says nothing: what is wrong stands at the entry */
    double until;       /* the sample is given up */
};

/* ---- Making one ---- */

static bool is_over(void *user)
{
    const struct ed_samples *samples = user;
    return atomic_load(&samples->quit) || oro_now() > samples->until;
}

static void progress(void *user, const struct oro_progress *progress)
{
    struct ed_samples *samples = user;
    (void)progress;
    if (is_over(samples))
        oro_evaluator_cancel(samples->engine.evaluator);
}

static bool start(struct ed_samples *samples, struct oro_error *err)
{
    if (!samples->opened) {
        struct ed_engine_options options = {
            .live = samples->options, .log = &samples->log, .stopped = is_over, .user = samples};
        options.live.device = ORO_DEVICE_PROCESSOR;
        options.evaluator.progress = progress;
        samples->opened = true;
        if (!ed_engine_open(&samples->engine, &options, err))
            return false;
        oro_scripts_omit(samples->engine.registry.scripts, ORO_OMIT_UNTRUSTED);
    }
    return true;
}

static bool draw(struct ed_samples *samples, const struct oro_document *doc,
                 const struct ed_sample_target *shown, struct ed_thumbnail *picture, struct oro_error *err)
{
    const struct oro_target target = {.node = shown->node, .output = shown->output};
    struct oro_value *value = NULL;
    if (!samples->started)
        samples->started = ed_engine_start(&samples->engine, err);
    if (!samples->started)
        return false;
    const struct oro_plan *plan = ed_engine_plan(&samples->engine, doc, &target, 1, CELLS, err);
    bool ok = plan && oro_evaluate(samples->engine.evaluator, plan, &value, err);
    oro_evaluator_forget_cancel(samples->engine.evaluator);
    if (!ok || !value)
        return false;
    const struct ed_picture like = {0};
    struct ed_picture *whole = ed_picture_of_value(value, plan, &like, err);
    oro_value_release(value);
    ok = whole && ed_thumbnail_draw(whole, picture, err);
    ed_picture_release(whole);
    return ok;
}

/* Fills what is found out; `picture` is filled where the state is READY. WAITING: it took too long. */
static void make(struct ed_samples *samples, const char *path, double seconds, struct ed_sample *sample,
                 struct ed_thumbnail *picture)
{
    struct oro_hash digest = {0};
    struct oro_error err = {0};
    struct ed_sample_target target;
    samples->until = oro_now() + seconds;
    bool read = ed_sample_digest(path, &digest, &err);
    bool kept = read && ed_sample_load(digest, picture);
    sample->state = kept ? ED_SAMPLE_READY : ED_SAMPLE_BROKEN;
    if (read && !kept && start(samples, &err)) {
        oro_registry_refresh(&samples->engine.registry);
        struct oro_document *doc = ed_sample_document(path, &samples->engine.registry, &target, &err);
        if (doc) {
            bool drawn = draw(samples, doc, &target, picture, &err);
            sample->state = drawn                         ? ED_SAMPLE_READY
                            : err.code == ORO_E_CANCELLED ? ED_SAMPLE_WAITING
                                                          : ED_SAMPLE_NONE;
            if (drawn)
                ed_sample_save(digest, picture);
        } else if (!doc) {
            bool whole = err.code == ORO_E_EVALUATE || err.code == ORO_E_OMITTED;
            sample->state = whole ? ED_SAMPLE_NONE : ED_SAMPLE_BROKEN;
        }
        oro_document_destroy(doc);
    }
    snprintf(sample->problem, sizeof sample->problem, "%.299s", err.code == ORO_OK ? "" : err.text);
}

/* ---- The thread ---- */

static struct entry *next_waiting(struct ed_samples *samples)
{
    struct entry *next = NULL;
    for (size_t i = 0; !samples->paused && i < samples->count; i++) {
        struct entry *entry = &samples->entries[i];
        if (entry->sample.state == ED_SAMPLE_WAITING && (!next || entry->tries < next->tries))
            next = entry;
    }
    return next;
}

static struct entry *find(struct ed_samples *samples, const char *path)
{
    for (size_t i = 0; i < samples->count; i++)
        if (strcmp(samples->entries[i].path, path) == 0)
            return &samples->entries[i];
    return NULL;
}

static void put(struct ed_samples *samples, const char *path, const struct ed_sample *sample,
                struct ed_thumbnail *picture)
{
    struct entry *entry = find(samples, path);
    if (entry) {
        entry->sample = *sample;
        entry->sample.serial = ++samples->serial;
        if (sample->state == ED_SAMPLE_WAITING && ++entry->tries == TRIES)
            entry->sample.state = ED_SAMPLE_NONE;
        oro_free(entry->picture);
        entry->picture = NULL;
        if (sample->state == ED_SAMPLE_READY) {
            entry->picture = picture;
            return;
        }
    }
    oro_free(picture);
}

static void *run(void *user)
{
    struct ed_samples *samples = user;
    setpriority(PRIO_PROCESS, 0, 10); /* of this thread: it must not hold up the window */
    pthread_mutex_lock(&samples->lock);
    while (!atomic_load(&samples->quit)) {
        struct entry *entry = next_waiting(samples);
        char *path = entry ? oro_copy_text(entry->path) : NULL;
        if (!path) {
            pthread_cond_wait(&samples->changed, &samples->lock);
            continue;
        }
        struct ed_sample sample = {0};
        double seconds = SECONDS_MOST[entry->tries];
        pthread_mutex_unlock(&samples->lock);
        struct ed_thumbnail *picture = oro_alloc(1, sizeof *picture);
        if (picture)
            make(samples, path, seconds, &sample, picture);
        else
            sample.state = ED_SAMPLE_NONE;
        pthread_mutex_lock(&samples->lock);
        put(samples, path, &sample, picture);
        oro_free(path);
        if (samples->options.wake)
            samples->options.wake(samples->options.user);
    }
    pthread_mutex_unlock(&samples->lock);
    if (samples->opened)
        ed_engine_close(&samples->engine);
    return NULL;
}

/* ---- For the window ---- */

struct ed_samples *ed_samples_create(const struct ed_live_options *options, struct oro_error *err)
{
    struct ed_samples *samples = oro_alloc(1, sizeof *samples);
    if (!samples) {
        oro_fail(err, ORO_E_MEMORY, "no memory for samples");
        return NULL;
    }
    samples->options = *options;
    samples->shader_dir = oro_copy_text(options->shader_dir);
    samples->options.shader_dir = samples->shader_dir;
    pthread_mutex_init(&samples->lock, NULL);
    pthread_cond_init(&samples->changed, NULL);
    return samples;
}

void ed_samples_destroy(struct ed_samples *samples)
{
    if (!samples)
        return;
    pthread_mutex_lock(&samples->lock);
    atomic_store(&samples->quit, true);
    pthread_cond_signal(&samples->changed);
    pthread_mutex_unlock(&samples->lock);
    if (samples->begun)
        pthread_join(samples->thread, NULL);
    for (size_t i = 0; i < samples->count; i++) {
        oro_free(samples->entries[i].path);
        oro_free(samples->entries[i].picture);
    }
    pthread_mutex_destroy(&samples->lock);
    pthread_cond_destroy(&samples->changed);
    oro_free(samples->entries);
    oro_free(samples->shader_dir);
    oro_free(samples);
}

void ed_samples_pause(struct ed_samples *samples, bool pause)
{
    pthread_mutex_lock(&samples->lock);
    samples->paused = pause;
    pthread_cond_signal(&samples->changed);
    pthread_mutex_unlock(&samples->lock);
}

/* With the lock held. NULL: there is no room. */
static struct entry *add(struct ed_samples *samples, const char *path)
{
    void *entries = samples->entries;
    char *copy = samples->count < MOST ? oro_copy_text(path) : NULL;
    bool room = copy && oro_reserve(&entries, &samples->capacity, samples->count + 1, sizeof(struct entry));
    samples->entries = entries;
    if (!room) {
        oro_free(copy);
        return NULL;
    }
    struct entry *entry = &samples->entries[samples->count++];
    *entry = (struct entry){.path = copy};
    return entry;
}

void ed_samples_get(struct ed_samples *samples, const char *path, struct ed_sample *sample)
{
    static const double LOOK_SECONDS = 2;
    double now = oro_now();
    pthread_mutex_lock(&samples->lock);
    struct entry *entry = find(samples, path);
    entry = entry ? entry : add(samples, path);
    if (entry && (entry->sample.state == ED_SAMPLE_UNKNOWN || now - entry->looked > LOOK_SECONDS)) {
        struct oro_stamp stamp = oro_stamp_of(path);
        if (entry->sample.state == ED_SAMPLE_UNKNOWN || !oro_stamp_equal(&stamp, &entry->stamp)) {
            entry->sample.state = ED_SAMPLE_WAITING;
            entry->tries = 0;
            entry->stamp = stamp;
            pthread_cond_signal(&samples->changed);
        }
        entry->looked = now;
    }
    if (entry && !samples->begun)
        samples->begun = pthread_create(&samples->thread, NULL, run, samples) == 0;
    *sample = entry ? entry->sample : (struct ed_sample){.state = ED_SAMPLE_NONE};
    pthread_mutex_unlock(&samples->lock);
}

bool ed_samples_picture(struct ed_samples *samples, const char *path, struct ed_thumbnail *picture)
{
    pthread_mutex_lock(&samples->lock);
    const struct entry *entry = find(samples, path);
    bool there = entry && entry->picture;
    if (there) {
        *picture = *entry->picture;
        picture->serial = entry->sample.serial;
    }
    pthread_mutex_unlock(&samples->lock);
    return there;
}

bool ed_samples_busy(struct ed_samples *samples)
{
    pthread_mutex_lock(&samples->lock);
    bool busy = false;
    for (size_t i = 0; i < samples->count; i++)
        busy = busy || samples->entries[i].sample.state == ED_SAMPLE_WAITING;
    pthread_mutex_unlock(&samples->lock);
    return busy;
}
