#include "tests/spread/memory_ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

enum { RANKS_MAX = 16, PATIENCE = 60 };

/* What a rank shows the others during a call. */
struct shown {
    const char *call;
    const struct oro_message *messages;
    size_t count;
    const void *data;
    const size_t *sizes;
    size_t bytes;
    bool ok;
    struct oro_error err;
};

struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t moved;
    int count, waiting;
    unsigned round;
    struct shown shown[RANKS_MAX];
};

struct memory_ranks {
    struct oro_ranks ranks;
    struct shared *shared;
};

static struct shared *shared_of(struct oro_ranks *ranks)
{
    return ((struct memory_ranks *)(void *)ranks)->shared;
}

/* Waits for all ranks; false: one of them did not come. */
static bool meet(struct oro_ranks *ranks)
{
    struct shared *shared = shared_of(ranks);
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += PATIENCE;
    pthread_mutex_lock(&shared->mutex);
    unsigned round = shared->round;
    bool ok = true;
    if (++shared->waiting == shared->count) {
        shared->waiting = 0;
        shared->round++;
        pthread_cond_broadcast(&shared->moved);
    }
    while (ok && shared->round == round)
        ok = pthread_cond_timedwait(&shared->moved, &shared->mutex, &limit) == 0;
    pthread_mutex_unlock(&shared->mutex);
    return ok;
}

/* All ranks show what they have; false: they are not in the same call. */
static bool show(struct oro_ranks *ranks, struct shown shown, struct oro_error *err)
{
    struct shared *shared = shared_of(ranks);
    shared->shown[ranks->rank] = shown;
    if (!meet(ranks))
        return oro_fail(err, ORO_E_RANKS, "rank %d waited in vain in %s", ranks->rank, shown.call);
    for (int i = 0; i < ranks->count; i++)
        if (strcmp(shared->shown[i].call, shown.call) != 0)
            return oro_fail(err, ORO_E_RANKS, "rank %d is in %s, rank %d in %s", ranks->rank, shown.call, i,
                            shared->shown[i].call);
    return true;
}

static bool leave(struct oro_ranks *ranks, bool ok, struct oro_error *err)
{
    return meet(ranks) ? ok : oro_fail(err, ORO_E_RANKS, "rank %d was left alone", ranks->rank);
}

static const struct oro_message *message_to(const struct shown *shown, int rank, size_t number)
{
    for (size_t i = 0; i < shown->count; i++)
        if (shown->messages[i].rank == rank && number-- == 0)
            return &shown->messages[i];
    return NULL;
}

static bool exchange(struct oro_ranks *ranks, const struct oro_message *send, size_t send_count,
                     const struct oro_message *receive, size_t receive_count, struct oro_error *err)
{
    struct shared *shared = shared_of(ranks);
    size_t taken[RANKS_MAX] = {0};
    bool ok = show(ranks, (struct shown){.call = "exchange", .messages = send, .count = send_count}, err);
    for (size_t i = 0; ok && i < receive_count; i++) {
        int from = receive[i].rank;
        const struct oro_message *message = message_to(&shared->shown[from], ranks->rank, taken[from]++);
        ok = message && message->bytes == receive[i].bytes;
        if (ok)
            memcpy(receive[i].data, message->data, message->bytes);
        else
            oro_fail(err, ORO_E_RANKS, "rank %d: what rank %d sends is not what is received", ranks->rank,
                     from);
    }
    ranks->messages_sent += send_count;
    return leave(ranks, ok, err);
}

static bool gather(struct oro_ranks *ranks, const void *data, size_t bytes, void **all, size_t *sizes,
                   struct oro_error *err)
{
    struct shared *shared = shared_of(ranks);
    bool ok = show(ranks, (struct shown){.call = "gather", .data = data, .bytes = bytes}, err);
    size_t total = 0;
    *all = NULL;
    for (int i = 0; i < ranks->count; i++)
        total += sizes[i] = shared->shown[i].bytes;
    if (ok && ranks->rank == 0) {
        char *to = *all = oro_alloc(total + 1, 1);
        for (int i = 0; to && i < ranks->count; to += sizes[i++])
            memcpy(to, shared->shown[i].data, sizes[i]);
    }
    return leave(ranks, ok, err);
}

static bool scatter(struct oro_ranks *ranks, const void *all, const size_t *sizes, void **data, size_t *bytes,
                    struct oro_error *err)
{
    struct shared *shared = shared_of(ranks);
    bool ok = show(ranks, (struct shown){.call = "scatter", .data = all, .sizes = sizes}, err);
    if (ok) {
        const char *from = shared->shown[0].data;
        for (int i = 0; i < ranks->rank; i++)
            from += shared->shown[0].sizes[i];
        *bytes = shared->shown[0].sizes[ranks->rank];
        *data = oro_alloc(*bytes + 1, 1);
        memcpy(*data, from, *bytes);
    }
    return leave(ranks, ok, err);
}

static bool broadcast(struct oro_ranks *ranks, int from, void *data, size_t bytes, struct oro_error *err)
{
    struct shared *shared = shared_of(ranks);
    bool ok = show(ranks, (struct shown){.call = "broadcast", .data = data, .bytes = bytes}, err);
    if (ok && ranks->rank != from)
        memcpy(data, shared->shown[from].data, bytes);
    return leave(ranks, ok, err);
}

static bool combine(struct oro_ranks *ranks, const char *call, uint64_t *values, size_t count, bool greatest,
                    struct oro_error *err)
{
    struct shared *shared = shared_of(ranks);
    uint64_t *result = calloc(count + 1, sizeof *result);
    bool ok = show(ranks, (struct shown){.call = call, .data = values}, err);
    for (int i = 0; ok && i < ranks->count; i++)
        for (size_t k = 0; k < count; k++) {
            uint64_t value = ((const uint64_t *)shared->shown[i].data)[k];
            result[k] = !greatest ? result[k] + value : value > result[k] ? value : result[k];
        }
    ok = leave(ranks, ok, err);
    memcpy(values, result, count * sizeof *values);
    free(result);
    return ok;
}

static bool sum(struct oro_ranks *ranks, uint64_t *values, size_t count, struct oro_error *err)
{
    return combine(ranks, "sum", values, count, false, err);
}

static bool greatest(struct oro_ranks *ranks, uint64_t *values, size_t count, struct oro_error *err)
{
    return combine(ranks, "greatest", values, count, true, err);
}

static bool agree(struct oro_ranks *ranks, bool ok, struct oro_error *err)
{
    struct shared *shared = shared_of(ranks);
    struct shown shown = {.call = "agree", .ok = ok};
    if (!ok && err)
        shown.err = *err;
    bool met = show(ranks, shown, err), all = met;
    for (int i = 0; met && all && i < ranks->count; i++) {
        all = shared->shown[i].ok;
        if (!all && err) {
            *err = shared->shown[i].err;
            snprintf(err->text, sizeof err->text, "rank %d: %.900s", i, shared->shown[i].err.text);
        }
    }
    return leave(ranks, all, err);
}

static const struct oro_ranks_ops ops = {.exchange = exchange,
                                         .gather = gather,
                                         .scatter = scatter,
                                         .broadcast = broadcast,
                                         .sum = sum,
                                         .greatest = greatest,
                                         .agree = agree};

struct thread {
    pthread_t id;
    struct memory_ranks ranks;
    void (*body)(void *user, struct oro_ranks *ranks);
    void *user;
};

static void *run_thread(void *data)
{
    struct thread *thread = data;
    thread->body(thread->user, &thread->ranks.ranks);
    return NULL;
}

void with_ranks(int count, void (*body)(void *user, struct oro_ranks *ranks), void *user)
{
    static struct shared shared;
    struct thread threads[RANKS_MAX];
    shared = (struct shared){.count = count};
    pthread_mutex_init(&shared.mutex, NULL);
    pthread_cond_init(&shared.moved, NULL);
    for (int i = 0; i < count; i++) {
        threads[i] = (struct thread){
            .ranks = {{.ops = &ops, .rank = i, .count = count}, &shared}, .body = body, .user = user};
        pthread_create(&threads[i].id, NULL, run_thread, &threads[i]);
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i].id, NULL);
    pthread_cond_destroy(&shared.moved);
    pthread_mutex_destroy(&shared.mutex);
}
