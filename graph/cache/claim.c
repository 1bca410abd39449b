#include "graph/cache/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/text.h"
#include "graph/cache/cache_paths.h"

enum { TEXT = 128, BEAT_SECONDS = 4, STALE_SECONDS = 20, ABANDONED_SECONDS = 120 };

struct oro_claim {
    char *path;
    int file; /* open, so that only this claim is touched, even if another has its name */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ends;
    bool ended;
};

/* ---- Owners ---- */

/* The owner is all zero where the file cannot be understood, such as one that is just being written; so is
 * `info` where there is none. The file is opened first, because that has a network file system look. */
static struct oro_process read_owner(const char *path, struct stat *info)
{
    struct oro_process owner = {0};
    char text[TEXT] = "";
    /* O_NONBLOCK: opening a named pipe must not wait for a writer. */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if ((file >= 0 ? fstat(file, info) : lstat(path, info)) != 0)
        *info = (struct stat){0};
    if (file >= 0)
        close(file);
    char *process = length > 0 ? strchr(text, ' ') : NULL, *started = NULL;
    if (process && process - text < ORO_HOST_SIZE) {
        memcpy(owner.host, text, (size_t)(process - text));
        owner.number = strtol(process, &started, 10);
        owner.started = strtoull(started, NULL, 10);
    }
    return owner;
}

/* ---- One's own ---- */

static void *beat(void *user)
{
    struct oro_claim *claim = user;
    pthread_mutex_lock(&claim->mutex);
    while (!claim->ended) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += BEAT_SECONDS;
        pthread_cond_timedwait(&claim->ends, &claim->mutex, &until);
        if (!claim->ended)
            futimens(claim->file, NULL);
    }
    pthread_mutex_unlock(&claim->mutex);
    return NULL;
}

static void free_claim(struct oro_claim *claim)
{
    pthread_cond_destroy(&claim->ends);
    pthread_mutex_destroy(&claim->mutex);
    close(claim->file);
    oro_free(claim->path);
    oro_free(claim);
}

/* The thread leaves signals to those that expect them. */
static bool start_beat(struct oro_claim *claim)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool ok = pthread_create(&claim->thread, NULL, beat, claim) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

static bool write_owner(int file)
{
    char text[TEXT];
    struct oro_process owner = oro_process_self();
    int length = snprintf(text, sizeof text, "%s %ld %llu\n", owner.host, owner.number, owner.started);
    return write(file, text, (size_t)length) == length;
}

/* NULL: there is no memory or no thread for it, or it cannot be written. */
static struct oro_claim *own(int file, const char *path)
{
    struct oro_claim *claim = oro_alloc(1, sizeof *claim);
    if (!claim)
        close(file);
    if (claim) {
        claim->file = file;
        pthread_mutex_init(&claim->mutex, NULL);
        pthread_cond_init(&claim->ends, NULL);
        claim->path = oro_copy_text(path);
        if (write_owner(file) && claim->path && start_beat(claim))
            return claim;
        free_claim(claim);
    }
    return NULL;
}

static bool is_still_ours(const struct oro_claim *claim)
{
    struct stat ours, there;
    return fstat(claim->file, &ours) == 0 && stat(claim->path, &there) == 0 && ours.st_ino == there.st_ino;
}

/* One that ends without a result is left, as old as can be, so that one of those that wait takes it over. */
void oro_claim_end(struct oro_claim *claim, bool done)
{
    static const struct timespec never[] = {{0}, {0}};
    if (!claim)
        return;
    pthread_mutex_lock(&claim->mutex);
    claim->ended = true;
    pthread_cond_signal(&claim->ends);
    pthread_mutex_unlock(&claim->mutex);
    pthread_join(claim->thread, NULL);
    if (!done)
        futimens(claim->file, never);
    else if (is_still_ours(claim))
        unlink(claim->path);
    free_claim(claim);
}

/* ---- That of another ---- */

/* Clocks of hosts differ, so that only this one's tells how long nothing has changed. */
static bool is_stale(const char *path, struct oro_claim_watch *watch)
{
    struct stat info;
    struct oro_process owner = read_owner(path, &info);
    if (!info.st_ino)
        return false; /* it is gone */
    if (watch->inode != info.st_ino || watch->seconds != info.st_mtim.tv_sec ||
        watch->nanoseconds != info.st_mtim.tv_nsec) {
        watch->inode = info.st_ino;
        watch->seconds = info.st_mtim.tv_sec;
        watch->nanoseconds = info.st_mtim.tv_nsec;
        watch->since = oro_now();
    }
    if (owner.number)
        snprintf(watch->owner, sizeof watch->owner, "process %ld on %s", owner.number, owner.host);
    return !S_ISREG(info.st_mode) || info.st_mtim.tv_sec == 0 || oro_process_is_gone(&owner) ||
           oro_now() - watch->since > STALE_SECONDS;
}

/* A new claim under its final name, or under `path` on its way there; it takes the file over. */
static enum oro_claimed own_as(int file, const char *path, const char *final, struct oro_claim **claim)
{
    *claim = own(file, final);
    if (*claim &&
        (path == final || rename(path, final) == 0 || (rmdir(final) == 0 && rename(path, final) == 0)))
        return ORO_CLAIM_OURS;
    if (*claim)
        oro_claim_end(*claim, true);
    unlink(path);
    *claim = NULL;
    return ORO_CLAIM_NONE;
}

/* Of several that find a claim stale, one gets it: the one that can make the file that replaces it, and still
 * finds it so. */
static enum oro_claimed take_over(const char *path, struct oro_claim_watch *watch, struct oro_claim **claim)
{
    struct oro_text next = {0};
    enum oro_claimed claimed = ORO_CLAIM_OTHERS;
    oro_text_addf(&next, "%s.next", path);
    int file = next.failed ? -1 : open(next.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    struct stat info;
    if (file >= 0 && is_stale(path, watch)) {
        claimed = own_as(file, next.data, path, claim);
        watch->taken_over = claimed == ORO_CLAIM_OURS;
    } else if (file >= 0) {
        unlink(next.data);
        close(file);
    } else if (next.failed || errno != EEXIST) {
        claimed = ORO_CLAIM_NONE;
    } else if (lstat(next.data, &info) == 0 && !S_ISREG(info.st_mode)) {
        if (unlink(next.data) != 0 && rmdir(next.data) != 0)
            claimed = ORO_CLAIM_NONE; /* nobody will ever make a claim */
    } else if (stat(next.data, &info) == 0 && time(NULL) - info.st_mtim.tv_sec > ABANDONED_SECONDS) {
        unlink(next.data); /* whoever made it died in between */
    }
    oro_text_free(&next);
    return claimed;
}

static char *path_of(const char *folder, struct oro_hash key)
{
    char hex[ORO_HASH_TEXT], name[ORO_CACHE_NAME];
    char *subfolder = oro_cache_subfolder(folder, key), *path = NULL;
    snprintf(name, sizeof name, "%s.claim", oro_hash_text(key, hex));
    if (subfolder && oro_make_folders(subfolder, NULL))
        path = oro_cache_join(subfolder, name);
    oro_free(subfolder);
    return path;
}

enum oro_claimed oro_claim_take(const char *folder, struct oro_hash key, struct oro_claim_watch *watch,
                                struct oro_claim **claim)
{
    enum oro_claimed claimed = ORO_CLAIM_NONE;
    char *path = path_of(folder, key);
    int file = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    *claim = NULL;
    if (file >= 0)
        claimed = own_as(file, path, path, claim);
    else if (path && errno == EEXIST)
        claimed = is_stale(path, watch) ? take_over(path, watch, claim) : ORO_CLAIM_OTHERS;
    oro_free(path);
    return claimed;
}
