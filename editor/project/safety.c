/* Copies of the document while it is edited. */
#include "editor/project/safety.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <fcntl.h>
#include <unistd.h>

#include "base/text.h"
#include "editor/project/safety_private.h"
#include "graph/file/xml.h"

/* A job for the thread. */
struct job {
    char *text, *about;
    size_t size;
};

struct ed_safety {
    char *folder; /* NULL: there is none */
    char session[ED_SESSION_LENGTH + 1];

    /* Used by the window's thread alone. */
    uint64_t copied;   /* revision of which the last copy was requested, */
    uint64_t state;    /* and number of the history's state: strokes change no document */
    bool has_copy;     /* a copy was requested, and not discarded */
    double changed_at; /* of the first change since; negative: there is none */
    char shown_problem[sizeof((struct oro_error *)0)->text];

    pthread_t thread;
    pthread_mutex_t locking; /* guards `lock` */
    int lock;                /* of the session; -1: not yet */
    pthread_mutex_t mutex;   /* guards what follows */
    pthread_cond_t wake;
    struct job job; /* with a text: a copy to write, the newest */
    bool clear;     /* remove all copies before that */
    bool quit;
    char problem[sizeof((struct oro_error *)0)->text];
    struct ed_taken *taken;     /* removed when the next copy is written */
    struct ed_taken *discarded; /* to be removed now */

    unsigned number; /* used by the thread alone */
};

/* ---- The thread ---- */

static void free_job(struct job *job)
{
    oro_free(job->text);
    oro_free(job->about);
    *job = (struct job){0};
}

/* Frees the whole list. */
static void free_taken(struct ed_taken *taken, bool remove)
{
    while (taken) {
        struct ed_taken *next = taken->next;
        if (remove)
            ed_recovery_remove(taken->folder, taken->session, 0, true);
        close(taken->lock);
        oro_free(taken->folder);
        oro_free(taken);
        taken = next;
    }
}

/* From either thread. */
static bool open_session(struct ed_safety *safety, struct oro_error *err)
{
    bool running;
    if (!safety->folder)
        return oro_fail(err, ORO_E_WRITE, "there is no folder for recovery copies: HOME is not set");
    pthread_mutex_lock(&safety->locking);
    if (safety->lock < 0 && oro_make_folders(safety->folder, err))
        safety->lock = ed_recovery_lock(safety->folder, safety->session, true, &running, err);
    bool ok = safety->lock >= 0;
    pthread_mutex_unlock(&safety->locking);
    return ok;
}

/* The lock comes first: without it, another program would take the folder for one that was left behind. */
char *ed_safety_working_folder(void *user, struct oro_error *err)
{
    struct ed_safety *safety = user;
    char *files = open_session(safety, err) ? ed_recovery_files(safety->folder, safety->session) : NULL;
    if (files && oro_make_folders(files, err))
        return files;
    oro_free(files);
    return NULL;
}

static bool write_part(const struct ed_safety *safety, unsigned number, const char *extension,
                       const char *text, size_t size, struct oro_error *err)
{
    char rest[64];
    snprintf(rest, sizeof rest, "-%06u.%s", number, extension);
    char *path = ed_safety_path(safety->folder, safety->session, rest);
    bool ok = path ? oro_file_write(path, text, size, err)
                   : oro_fail(err, ORO_E_MEMORY, "no memory for a recovery copy");
    oro_free(path);
    return ok;
}

/* The copy is written after its description, so that it is never taken for a copy of something else. */
static bool write_copy(struct ed_safety *safety, const struct job *job, struct oro_error *err)
{
    unsigned number = safety->number + 1;
    if (!open_session(safety, err) ||
        !write_part(safety, number, "json", job->about, strlen(job->about), err) ||
        !write_part(safety, number, "oro", job->text, job->size, err))
        return false;
    safety->number = number;
    ed_recovery_remove(safety->folder, safety->session, number, false);
    return true;
}

static void remove_copies(struct ed_safety *safety)
{
    if (safety->folder)
        ed_recovery_remove(safety->folder, safety->session, 0, false);
}

/* Called with the mutex held, which is released meanwhile. */
static void work(struct ed_safety *safety)
{
    struct job job = safety->job;
    bool clear = safety->clear, wrote = false;
    struct oro_error err = {0};
    struct ed_taken *discarded = safety->discarded, *taken = job.text ? safety->taken : NULL;
    if (taken)
        safety->taken = NULL;
    safety->discarded = NULL;
    safety->job = (struct job){0};
    safety->clear = false;
    pthread_mutex_unlock(&safety->mutex);
    if (clear)
        remove_copies(safety);
    free_taken(discarded, true);
    if (job.text)
        wrote = write_copy(safety, &job, &err);
    pthread_mutex_lock(&safety->mutex);
    if (job.text)
        snprintf(safety->problem, sizeof safety->problem, "%s", wrote ? "" : err.text);
    /* A copy that was taken over is removed once there is a newer one. */
    if (taken && !wrote && !safety->taken)
        safety->taken = taken;
    else
        free_taken(taken, wrote);
    free_job(&job);
}

static void *run(void *user)
{
    struct ed_safety *safety = user;
    pthread_mutex_lock(&safety->mutex);
    for (;;) {
        if (safety->job.text || safety->clear || safety->discarded)
            work(safety);
        else if (safety->quit)
            break;
        else
            pthread_cond_wait(&safety->wake, &safety->mutex);
    }
    pthread_mutex_unlock(&safety->mutex);
    return NULL;
}

/* ---- Begin and end ---- */

static void choose_session(char session[ED_SESSION_LENGTH + 1])
{
    uint64_t number = 0;
    int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (source < 0 || read(source, &number, sizeof number) != (ssize_t)sizeof number) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        number = ((uint64_t)getpid() << 40) ^ ((uint64_t)now.tv_sec << 20) ^ (uint64_t)now.tv_nsec;
    }
    if (source >= 0)
        close(source);
    snprintf(session, ED_SESSION_LENGTH + 1, "%016llx", (unsigned long long)number);
}

struct ed_safety *ed_safety_create(const char *folder, struct oro_error *err)
{
    struct ed_safety *safety = oro_alloc(1, sizeof *safety);
    if (!safety) {
        oro_fail(err, ORO_E_MEMORY, "no memory for recovery copies");
        return NULL;
    }
    safety->folder = folder ? oro_copy_text(folder) : ed_safety_folder();
    safety->lock = -1;
    safety->changed_at = -1;
    choose_session(safety->session);
    pthread_mutex_init(&safety->locking, NULL);
    pthread_mutex_init(&safety->mutex, NULL);
    pthread_cond_init(&safety->wake, NULL);
    if (pthread_create(&safety->thread, NULL, run, safety) == 0)
        return safety;
    pthread_cond_destroy(&safety->wake);
    pthread_mutex_destroy(&safety->mutex);
    pthread_mutex_destroy(&safety->locking);
    oro_free(safety->folder);
    oro_free(safety);
    oro_fail(err, ORO_E_MEMORY, "no thread for recovery copies can be made");
    return NULL;
}

void ed_safety_destroy(struct ed_safety *safety, bool clean)
{
    if (!safety)
        return;
    if (clean)
        ed_safety_clear(safety);
    pthread_mutex_lock(&safety->mutex);
    safety->quit = true;
    pthread_cond_signal(&safety->wake);
    pthread_mutex_unlock(&safety->mutex);
    pthread_join(safety->thread, NULL);
    if (safety->lock >= 0) {
        if (!safety->has_copy)
            ed_recovery_remove(safety->folder, safety->session, 0, true);
        close(safety->lock);
    }
    free_taken(safety->taken, false);
    free_job(&safety->job);
    pthread_cond_destroy(&safety->wake);
    pthread_mutex_destroy(&safety->mutex);
    pthread_mutex_destroy(&safety->locking);
    oro_free(safety->folder);
    oro_free(safety);
}

/* ---- Called by the window's thread ---- */

static void set_problem(struct ed_safety *safety, const char *text)
{
    pthread_mutex_lock(&safety->mutex);
    snprintf(safety->problem, sizeof safety->problem, "%s", text);
    pthread_mutex_unlock(&safety->mutex);
}

/* An absolute path, so that it means the same file whatever the working folder. */
static char *absolute(const char *path)
{
    char *found = *path ? oro_path_true(path) : NULL;
    return found ? found : oro_copy_text(path);
}

/* Only those in the session's own folder are found again. */
static bool list_files(const struct ed_project *project, struct ed_copy_about *about)
{
    const struct ed_workings *working = &project->working;
    about->files = oro_alloc(working->count + 1, sizeof *about->files);
    for (size_t i = 0; about->files && !working->own_folder && i < working->count; i++) {
        const struct ed_working *one = &working->items[i];
        const char *slash = one->differs ? strrchr(one->file, '/') : NULL;
        if (slash)
            about->files[about->file_count++] =
                (struct ed_copy_file){oro_copy_text(one->path), oro_copy_text(slash + 1)};
    }
    bool ok = about->files;
    for (size_t i = 0; i < about->file_count; i++)
        ok = ok && about->files[i].path && about->files[i].name;
    return ok;
}

static bool make_job(const struct ed_project *project, struct job *job, struct oro_error *err)
{
    struct ed_copy_about about = {
        .document = absolute(project->path),
        .base = absolute(oro_document_path(project->root)),
        .seconds = (int64_t)time(NULL),
        .nodes = oro_document_node_count(project->root),
        .disk = project->disk,
    };
    job->about =
        list_files(project, &about) && about.document && about.base ? ed_copy_about_write(&about) : NULL;
    ed_copy_about_free(&about);
    if (!job->about)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a recovery copy");
    return oro_document_format(project->root, project->registry, &job->text, &job->size, err);
}

/* Whether the last copy is up to date. A copy that could not be written does not count: it is tried again. */
static bool is_copied(struct ed_safety *safety, const struct ed_project *project)
{
    return safety->has_copy && safety->copied == ed_project_revision(project) &&
           safety->state == ed_history_state(&project->history) && !ed_safety_problem(safety);
}

void ed_safety_now(struct ed_safety *safety, const struct ed_project *project)
{
    struct job job = {0};
    struct oro_error err = {0};
    if (!ed_project_changed(project) || is_copied(safety, project))
        return;
    safety->changed_at = -1;
    safety->copied = ed_project_revision(project);
    safety->state = ed_history_state(&project->history);
    if (!make_job(project, &job, &err)) {
        free_job(&job);
        set_problem(safety, err.text);
        return;
    }
    safety->has_copy = true;
    pthread_mutex_lock(&safety->mutex);
    free_job(&safety->job);
    safety->job = job;
    pthread_cond_signal(&safety->wake);
    pthread_mutex_unlock(&safety->mutex);
}

void ed_safety_tick(struct ed_safety *safety, const struct ed_project *project, double now)
{
    if (!ed_project_changed(project)) {
        if (safety->has_copy)
            ed_safety_clear(safety);
        safety->changed_at = -1;
        return;
    }
    if (is_copied(safety, project))
        return;
    if (safety->changed_at < 0)
        safety->changed_at = now;
    else if (now - safety->changed_at >= ED_SAFETY_SECONDS)
        ed_safety_now(safety, project);
}

void ed_safety_clear(struct ed_safety *safety)
{
    safety->has_copy = false;
    safety->changed_at = -1;
    pthread_mutex_lock(&safety->mutex);
    free_job(&safety->job);
    safety->clear = true;
    if (safety->taken) {
        safety->taken->next = safety->discarded;
        safety->discarded = safety->taken;
        safety->taken = NULL;
    }
    safety->problem[0] = '\0';
    pthread_cond_signal(&safety->wake);
    pthread_mutex_unlock(&safety->mutex);
}

const char *ed_safety_problem(struct ed_safety *safety)
{
    pthread_mutex_lock(&safety->mutex);
    snprintf(safety->shown_problem, sizeof safety->shown_problem, "%s", safety->problem);
    pthread_mutex_unlock(&safety->mutex);
    return safety->shown_problem[0] ? safety->shown_problem : NULL;
}

void ed_safety_took(struct ed_safety *safety, const struct ed_project *project, struct ed_taken *taken)
{
    pthread_mutex_lock(&safety->mutex);
    struct ed_taken *older = safety->taken;
    safety->taken = taken;
    free_job(&safety->job); /* that of the document that was open before */
    pthread_mutex_unlock(&safety->mutex);
    free_taken(older, false); /* its copy is offered again */
    safety->has_copy = true;
    safety->copied = ed_project_revision(project);
    safety->state = ed_history_state(&project->history);
    safety->changed_at = -1;
}
