#define _GNU_SOURCE /* for sched_getaffinity, which only Linux has */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "base/clock.h"

/* There are more parts than threads, so that a thread that wakes late or is interrupted does fewer of them.
 * The parts of a call fit into the bits of a word. */
enum { THREADS_MAX = 64, CALLS_MAX = 4, PARTS_MAX = 64, PARTS_PER_THREAD = 4 };

/* A thread that waits stays awake for so many seconds before it sleeps, since waking takes about as long. */
#define STAY_AWAKE 20e-6

enum { CACHE_LINE = 64 };

struct work {
    void (*body)(void *user, size_t first, size_t end);
    void *user;
    size_t count;
    int parts;
};

/* What a worker is asked to do: to begin with a part, 0 or more, or one of these. */
enum { NOTHING = -1, NOTHING_ASLEEP = -2 };

struct worker {
    alignas(CACHE_LINE) atomic_int asked;
    pthread_mutex_t lock;
    pthread_cond_t wake;
};

/* What is not atomic belongs to the caller. A worker that wakes late may find that a call is over, or that
 * there is another in its place: it reads `work` only between taking a part and counting it as done, while
 * the caller must wait for it. */
struct call {
    alignas(CACHE_LINE) atomic_bool busy;
    struct work work;
    pthread_mutex_t lock;
    pthread_cond_t done;
    alignas(CACHE_LINE) _Atomic uint64_t left; /* a bit for each part that nobody has taken */
    atomic_int undone;                         /* parts */
};

/* The workers live as long as the program. They do parts of all calls in turn, so that a long one leaves some
 * of them to others. */
static struct {
    struct call call[CALLS_MAX];
    struct worker worker[THREADS_MAX];
    pthread_mutex_t lock; /* for those who make workers */
    atomic_int workers;
    atomic_bool crowded; /* there are fewer processors than threads */
} pool;

static atomic_int forced;

/* ---- Threads ---- */

static long processors(void)
{
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return CPU_COUNT(&allowed);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

static int threads_on(long processors)
{
    int wanted = atomic_load(&forced);
    long threads = wanted ? wanted : processors;
    return threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : (int)threads;
}

int oro_parallel_threads(void)
{
    return threads_on(processors());
}

void oro_parallel_force(int threads)
{
    atomic_store(&forced, threads);
}

/* ---- Parts ---- */

static void do_part(const struct work *work, int part)
{
    size_t before = (size_t)part, parts = (size_t)work->parts;
    work->body(work->user, work->count * before / parts, work->count * (before + 1) / parts);
}

/* Takes this part of a call, or else the next that is left, and returns its number, or -1 when all are taken.
 */
static int take(struct call *call, int part)
{
    uint64_t left = atomic_load(&call->left);
    while (left) {
        while (!(left >> part & 1))
            part = (part + 1) % PARTS_MAX;
        if (atomic_compare_exchange_weak(&call->left, &left, left & ~(UINT64_C(1) << part)))
            return part;
    }
    return -1;
}

/* ---- Workers ---- */

static double time_to_sleep(void)
{
    return atomic_load(&pool.crowded) ? 0 : oro_now() + STAY_AWAKE;
}

static void ask(struct worker *worker, int part)
{
    if (atomic_exchange(&worker->asked, part) != NOTHING_ASLEEP)
        return;
    pthread_mutex_lock(&worker->lock);
    pthread_cond_signal(&worker->wake);
    pthread_mutex_unlock(&worker->lock);
}

static int wait_until_asked(struct worker *worker)
{
    int nothing = NOTHING;
    for (double end = time_to_sleep(); atomic_load(&worker->asked) == NOTHING && oro_now() < end;)
        continue;
    if (atomic_compare_exchange_strong(&worker->asked, &nothing, NOTHING_ASLEEP)) {
        pthread_mutex_lock(&worker->lock);
        while (atomic_load(&worker->asked) == NOTHING_ASLEEP)
            pthread_cond_wait(&worker->wake, &worker->lock);
        pthread_mutex_unlock(&worker->lock);
    }
    return atomic_exchange(&worker->asked, NOTHING);
}

/* Does parts of all calls in turn, at first this one, until all are taken. */
static void serve(int part)
{
    for (int i = 0, idle = 0; idle < CALLS_MAX; i = (i + 1) % CALLS_MAX) {
        struct call *call = &pool.call[i];
        int taken = take(call, part);
        idle = taken < 0 ? idle + 1 : 0;
        if (taken < 0)
            continue;
        do_part(&call->work, taken);
        part = taken;
        if (atomic_fetch_sub(&call->undone, 1) == 1) {
            pthread_mutex_lock(&call->lock);
            pthread_cond_signal(&call->done);
            pthread_mutex_unlock(&call->lock);
        }
    }
}

static void *run_worker(void *worker)
{
    for (;;)
        serve(wait_until_asked(worker));
    return NULL;
}

static bool make_worker(struct worker *worker)
{
    pthread_t thread;
    atomic_store(&worker->asked, NOTHING);
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->wake, NULL);
    return pthread_create(&thread, NULL, run_worker, worker) == 0 && pthread_detach(thread) == 0;
}

static void make_locks(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    for (int i = 0; i < CALLS_MAX; i++) {
        pthread_mutex_init(&pool.call[i].lock, NULL);
        pthread_cond_init(&pool.call[i].done, NULL);
    }
}

/* A forked process has only the thread that forked. */
static void forget_workers(void)
{
    atomic_store(&pool.workers, 0);
    for (int i = 0; i < CALLS_MAX; i++) {
        atomic_store(&pool.call[i].busy, false);
        atomic_store(&pool.call[i].left, 0);
    }
    make_locks();
}

static void prepare(void)
{
    make_locks();
    pthread_atfork(NULL, NULL, forget_workers);
}

/* Leaves signals to the program's other threads, but for faults: their handlers run in the thread at fault.
 */
static void block_signals(sigset_t *old)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, old);
}

/* Returns how many of the wanted workers there are: fewer where threads cannot be made. */
static int make_workers(int wanted)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (atomic_load(&pool.workers) < wanted) {
        sigset_t signals;
        pthread_once(&once, prepare);
        block_signals(&signals);
        pthread_mutex_lock(&pool.lock);
        while (pool.workers < wanted && make_worker(&pool.worker[pool.workers]))
            atomic_fetch_add(&pool.workers, 1);
        pthread_mutex_unlock(&pool.lock);
        pthread_sigmask(SIG_SETMASK, &signals, NULL);
    }
    int workers = atomic_load(&pool.workers);
    return wanted < workers ? wanted : workers;
}

/* ---- Calls ---- */

static struct call *begin_call(void)
{
    for (int i = 0; i < CALLS_MAX; i++)
        if (!atomic_exchange(&pool.call[i].busy, true))
            return &pool.call[i];
    return NULL;
}

static void wait_for_workers(struct call *call)
{
    for (double end = time_to_sleep(); atomic_load(&call->undone) && oro_now() < end;)
        continue;
    if (atomic_load(&call->undone)) {
        pthread_mutex_lock(&call->lock);
        while (atomic_load(&call->undone))
            pthread_cond_wait(&call->done, &call->lock);
        pthread_mutex_unlock(&call->lock);
    }
}

/* Does the parts from `first` on. Each worker begins at a place of its own, the same in every such call,
 * because its processor's cache may still hold what lies there. */
static void do_together(struct call *call, const struct work *work, int first, int threads)
{
    int parts = work->parts - first, done = 0;
    int workers = make_workers((threads < parts ? threads : parts) - 1);
    uint64_t all = UINT64_MAX >> (PARTS_MAX - work->parts), before_second = (UINT64_C(2) << first) - 1;
    call->work = *work;
    atomic_store(&call->undone, parts);
    atomic_store(&call->left, all & ~before_second);
    for (int i = 0; i < workers; i++)
        ask(&pool.worker[i], first + parts * (i + 1) / (workers + 1));
    for (int part = first; part >= 0; part = take(call, part), done++)
        do_part(work, part);
    if (atomic_fetch_sub(&call->undone, done) > done)
        wait_for_workers(call);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* As many parts for each thread, since they may take equally long. */
static int count_parts(size_t threads, size_t most)
{
    threads = smaller(threads, most);
    if (threads < 2)
        return 1;
    return (int)(threads * smaller(PARTS_PER_THREAD, smaller(PARTS_MAX, most) / threads));
}

/* Where too many calls are being done, each of which may be made by the body of another, the caller works
 * alone, and asks again after each part. */
void oro_parallel(size_t count, size_t least, void (*body)(void *user, size_t first, size_t end), void *user)
{
    long available = processors();
    int threads = threads_on(available), part = 0;
    struct work work = {body, user, count, count_parts((size_t)threads, count / (least ? least : 1))};
    struct call *call = NULL;
    while (part + 1 < work.parts && !(call = begin_call()))
        do_part(&work, part++);
    if (!call) {
        do_part(&work, part);
        return;
    }
    atomic_store(&pool.crowded, available < threads || call != pool.call);
    do_together(call, &work, part, threads);
    atomic_store(&call->busy, false);
}
