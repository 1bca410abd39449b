#define _GNU_SOURCE /* for sched_getaffinity, which only Linux has */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

static atomic_int forced;

struct part {
    void (*body)(void *user, size_t first, size_t end);
    void *user;
    size_t first, end;
    pthread_t thread;
    bool started;
};

static void *run(void *data)
{
    const struct part *part = data;
    part->body(part->user, part->first, part->end);
    return NULL;
}

static long processors(void)
{
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return CPU_COUNT(&allowed);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

int oro_parallel_threads(void)
{
    int wanted = atomic_load(&forced);
    long threads = wanted ? wanted : processors();
    return threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : (int)threads;
}

void oro_parallel_force(int threads)
{
    atomic_store(&forced, threads);
}

void oro_parallel(size_t count, size_t least, void (*body)(void *user, size_t first, size_t end), void *user)
{
    struct part parts[THREADS_MAX];
    size_t threads = (size_t)oro_parallel_threads();
    if (threads > count / (least ? least : 1))
        threads = count / (least ? least : 1);
    if (threads <= 1) {
        body(user, 0, count);
        return;
    }
    for (size_t i = 0; i < threads; i++) {
        parts[i] = (struct part){body, user, count * i / threads, count * (i + 1) / threads, 0, false};
        if (i)
            parts[i].started = pthread_create(&parts[i].thread, NULL, run, &parts[i]) == 0;
    }
    for (size_t i = 0; i < threads; i++)
        if (!parts[i].started)
            run(&parts[i]);
    for (size_t i = 1; i < threads; i++)
        if (parts[i].started)
            pthread_join(parts[i].thread, NULL);
}
