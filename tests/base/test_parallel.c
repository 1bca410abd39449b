/* Work on all processors: every item once, in parts that are not too small. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <pthread.h>

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

static void check_items(size_t count, size_t least, int threads, size_t parts)
{
    struct work work = {.smallest = SIZE_MAX, .caller = pthread_self()};
    oro_parallel_force(threads);
    oro_parallel(count, least, do_items, &work);
    oro_parallel_force(0);
    for (size_t i = 0; i < ITEMS; i++)
        assert_int_equal(atomic_load(&work.done[i]), i < count);
    assert_int_equal(atomic_load(&work.parts), parts);
    assert_true(atomic_load(&work.smallest) >= (count < least ? count : least));
    assert_true(atomic_load(&work.caller_took_part));
}

TEST(every_item_once)
{
    check_items(ITEMS, 1, 4, 4);
    check_items(ITEMS, 1, 1, 1);
    check_items(ITEMS, 300, 16, 3);
    check_items(ITEMS, 501, 16, 1);
    check_items(ITEMS, 2000, 16, 1);
    check_items(7, 1, 64, 7);
    check_items(7, 0, 3, 3);
    check_items(1, 1, 8, 1);
    check_items(997, 10, 13, 13);
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

/* Work within work: threads of threads. */
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
    for (size_t i = 0; i < ITEMS; i++)
        assert_int_equal(atomic_load(&work.done[i]), 4);
}
