#include "base/parallel.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

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

int oro_parallel_threads(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > THREADS_MAX ? THREADS_MAX : (int)processors;
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
