/* Work on all processors: every item once, in parts that are not too small, whoever calls it and from where.
 */
#define _GNU_SOURCE /* for sched_setaffinity, which only Linux has */
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "tests/support/test.h"

enum { ITEMS = 1000 };

struct work {
    atomic_int done[ITEMS];
    atomic_size_t parts, smallest;
    pthread_t caller;
    atomic_bool caller_took_part;
};

static void do_items(void *user, size_t first, size_t end)
{
    struct work *work = user;
    size_t smallest = atomic_load(&work->smallest);
    atomic_fetch_add(&work->parts, 1);
    while (end - first < smallest && !atomic_compare_exchange_weak(&work->smallest, &smallest, end - first))
        continue;
    if (pthread_equal(pthread_self(), work->caller))
        atomic_store(&work->caller_took_part, true);
    for (size_t i = first; i < end; i++)
        atomic_fetch_add(&work->done[i], 1);
}

static bool all_done(const struct work *work, size_t count, int times)
{
    for (size_t i = 0; i < ITEMS; i++)
        if (atomic_load(&work->done[i]) != (i < count ? times : 0))
            return false;
    return true;
}

static void check_items(size_t count, size_t least, int threads, size_t parts)
{
    struct work work = {.smallest = SIZE_MAX, .caller = pthread_self()};
    oro_parallel_force(threads);
    oro_parallel(count, least, do_items, &work);
    oro_parallel_force(0);
    assert_true(all_done(&work, count, 1));
    assert_int_equal(atomic_load(&work.parts), parts);
    assert_true(atomic_load(&work.smallest) >= (count < least ? count : least));
    assert_true(atomic_load(&work.caller_took_part));
}

TEST(every_item_once)
{
    check_items(ITEMS, 1, 4, 16);
    check_items(ITEMS, 100, 4, 8);
    check_items(ITEMS, 1, 1, 1);
    check_items(ITEMS, 300, 16, 3);
    check_items(ITEMS, 501, 16, 1);
    check_items(ITEMS, 2000, 16, 1);
    check_items(ITEMS, 1, 64, 64);
    check_items(7, 1, 64, 7);
    check_items(7, 0, 3, 6);
    check_items(1, 1, 8, 1);
    check_items(997, 10, 13, 52);
}

TEST(any_number_of_threads)
{
    for (int threads = 1; threads <= 8; threads++)
        for (size_t count = 1; count < 40; count++) {
            struct work work = {.smallest = SIZE_MAX, .caller = pthread_self()};
            oro_parallel_force(threads);
            oro_parallel(count, 1, do_items, &work);
            oro_parallel_force(0);
            assert_true(all_done(&work, count, 1));
        }
}

TEST(nothing_to_do)
{
    struct work work = {.smallest = SIZE_MAX, .caller = pthread_self()};
    oro_parallel(0, 1, do_items, &work);
    assert_int_equal(atomic_load(&work.done[0]), 0);
}

TEST(threads)
{
    int processors = oro_parallel_threads();
    assert_in_range(processors, 1, 64);
    oro_parallel_force(3);
    assert_int_equal(oro_parallel_threads(), 3);
    oro_parallel_force(1000);
    assert_int_equal(oro_parallel_threads(), 64);
    oro_parallel_force(-1);
    assert_int_equal(oro_parallel_threads(), 1);
    oro_parallel_force(0);
    assert_int_equal(oro_parallel_threads(), processors);
}

#ifdef __linux__
TEST(only_processors_that_are_allowed)
{
    cpu_set_t allowed, one;
    size_t first = 0;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    while (!CPU_ISSET(first, &allowed))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    check_items(ITEMS, 1, 0, 1);
    assert_int_equal(sched_setaffinity(0, sizeof allowed, &allowed), 0);
}
#endif

/* Calls that follow one another at once, so that workers come late and meet the next. */
TEST(many_small_calls)
{
    struct work work = {.smallest = SIZE_MAX, .caller = pthread_self()};
    oro_parallel_force(4);
    for (int i = 0; i < 2000; i++)
        oro_parallel((size_t)(i % 20), 1, do_items, &work);
    oro_parallel_force(0);
    for (int i = 0; i < 20; i++)
        assert_int_equal(atomic_load(&work.done[i]), 100 * (19 - i));
}

/* ---- Workers ---- */

struct meeting {
    pthread_t caller;
    atomic_int came;
    atomic_bool interrupts, faults; /* reach the worker */
};

/* Waits until both parts are being done, or for too long. */
static void meet(void *user, size_t first, size_t end)
{
    struct meeting *meeting = user;
    sigset_t blocked;
    double too_late = oro_now() + 20;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    if (!pthread_equal(pthread_self(), meeting->caller)) {
        atomic_store(&meeting->interrupts, !sigismember(&blocked, SIGINT) || !sigismember(&blocked, SIGCHLD));
        atomic_store(&meeting->faults, !sigismember(&blocked, SIGSEGV) && !sigismember(&blocked, SIGFPE));
    }
    for (atomic_fetch_add(&meeting->came, (int)(end - first)); atomic_load(&meeting->came) < 2;)
        if (oro_now() > too_late)
            return;
}

static bool meets_worker(struct meeting *meeting)
{
    *meeting = (struct meeting){.caller = pthread_self(), .interrupts = true};
    double start = oro_now();
    oro_parallel_force(2);
    oro_parallel(2, 1, meet, meeting);
    oro_parallel_force(0);
    return atomic_load(&meeting->came) == 2 && oro_now() - start < 20;
}

TEST(at_once_and_without_signals)
{
    struct meeting meeting;
    sigset_t before, after;
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    assert_true(meets_worker(&meeting));
    assert_false(atomic_load(&meeting.interrupts));
    assert_true(atomic_load(&meeting.faults));
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    assert_int_equal(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
}

/* ---- Calls within calls, and beside them ---- */

static void nest(void *user, size_t first, size_t end)
{
    struct work *work = user;
    for (size_t i = first; i < end; i++)
        oro_parallel(ITEMS, 1, do_items, work);
}

TEST(nested)
{
    struct work work = {.smallest = SIZE_MAX, .caller = pthread_self()};
    oro_parallel_force(3);
    oro_parallel(4, 1, nest, &work);
    oro_parallel_force(0);
    assert_true(all_done(&work, ITEMS, 4));
}

enum { CALLERS = 4, CALLS = 50 };

static void *call_often(void *user)
{
    struct work *work = user;
    for (int i = 0; i < CALLS; i++)
        if (i % 5)
            oro_parallel(ITEMS, 1, do_items, work);
        else
            oro_parallel(2, 1, nest, work);
    return NULL;
}

static void start_callers(pthread_t threads[CALLERS], struct work works[CALLERS])
{
    for (int i = 0; i < CALLERS; i++) {
        works[i] = (struct work){.smallest = SIZE_MAX};
        assert_int_equal(pthread_create(&threads[i], NULL, call_often, &works[i]), 0);
    }
}

TEST(from_several_threads)
{
    pthread_t threads[CALLERS];
    static struct work works[CALLERS];
    oro_parallel_force(3);
    start_callers(threads, works);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    oro_parallel_force(0);
    for (int i = 0; i < CALLERS; i++)
        assert_true(all_done(&works[i], ITEMS, CALLS / 5 * 6));
}

/* ---- Processes, but for sanitizers, which may hang in a process that was forked beside a thread ---- */

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/* Whether a forked process finds it true. */
static bool child_finds(bool (*condition)(void))
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        alarm(60); /* where it does not end */
        _exit(condition() ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool has_workers(void)
{
    struct meeting meeting;
    for (int i = 0; i < 2; i++)
        if (!meets_worker(&meeting))
            return false;
    return true;
}

TEST(forked_process_has_workers)
{
    assert_true(has_workers());
    assert_true(child_finds(has_workers));
    assert_true(has_workers());
}

TEST(forked_while_others_call)
{
    pthread_t threads[CALLERS];
    static struct work works[CALLERS];
    oro_parallel_force(3);
    start_callers(threads, works);
    bool found = true;
    for (int i = 0; i < 3; i++)
        found = found && child_finds(has_workers);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    oro_parallel_force(0);
    assert_true(found);
}

/* As a user who may have no more processes; root always may. */
static bool works_without_threads(void)
{
    struct work work = {.smallest = SIZE_MAX, .caller = pthread_self()};
    const uid_t nobody = 65534;
    if (geteuid() == 0 && setuid(nobody))
        return true;
    setrlimit(RLIMIT_NPROC, &(struct rlimit){0, 0});
    oro_parallel_force(64);
    oro_parallel(ITEMS, 1, do_items, &work);
    oro_parallel(ITEMS, 1, do_items, &work);
    return all_done(&work, ITEMS, 2);
}

TEST(threads_that_cannot_be_made)
{
    assert_true(child_finds(works_without_threads));
}

#endif
