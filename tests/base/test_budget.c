/* The budget of host memory: what is counted, refused and told. */
#include <pthread.h>
#include <string.h>

#include "base/budget.h"
#include "base/memory.h"
#include "tests/support/test.h"

enum { MIB = 1 << 20 };

TEST(blocks_are_counted_as_long_as_they_live)
{
    size_t before = oro_budget_used();
    void *large = oro_alloc(3, MIB), *small = oro_alloc(1, 100);
    assert_in_range(oro_budget_used() - before, 3 * MIB, 3 * MIB + 65536);
    large = oro_resize(large, 8, MIB);
    assert_in_range(oro_budget_used() - before, 8 * MIB, 8 * MIB + 65536);
    small = oro_resize(small, 2, MIB);
    assert_in_range(oro_budget_used() - before, 10 * MIB, 10 * MIB + 131072);
    large = oro_resize(large, 1, 64);
    assert_in_range(oro_budget_used() - before, 2 * MIB, 2 * MIB + 65536);
    oro_free(large);
    oro_free(small);
    assert_int_equal(oro_budget_used(), before);
}

TEST(what_exceeds_the_budget_is_refused_and_told)
{
    struct oro_error err = {0};
    oro_budget_set(oro_budget_used() + 4 * MIB);
    void *kept = oro_alloc(3, MIB);
    assert_non_null(kept);
    assert_null(oro_alloc(2, MIB));
    oro_fail(&err, ORO_E_MEMORY, "no memory for '%s'", "a.png");
    assert_non_null(strstr(err.text, "'a.png': 2.0 MiB are wanted, and 1.0 of "));
    assert_non_null(strstr(err.text, "--memory"));
    assert_null(oro_resize(kept, 5, MIB));
    void *fits = oro_alloc(1, MIB / 2);
    assert_non_null(fits);
    oro_fail(&err, ORO_E_MEMORY, "no memory");
    assert_string_equal(err.text, "no memory"); /* what fitted since is no reason any more */
    oro_free(fits);
    oro_free(kept);
    kept = oro_alloc(3, MIB);
    assert_non_null(kept);
    oro_free(kept);
    oro_budget_set(0);
}

TEST(what_a_library_takes_is_judged_before)
{
    struct oro_error err = {0};
    assert_true(oro_budget_fits(1e12, &err, "anything"));
    oro_budget_set(oro_budget_used() + 4 * MIB);
    assert_true(oro_budget_fits(3.5 * MIB, &err, "'%s'", "a.json"));
    assert_false(oro_budget_fits(5.0 * MIB, &err, "'%s'", "a.json"));
    assert_int_equal(err.code, ORO_E_LIMIT);
    assert_non_null(strstr(err.text, "'a.json' takes about 5 MiB of memory; 4 of "));
    oro_budget_set(0);
}

static void *take_and_free(void *user)
{
    (void)user;
    for (int i = 0; i < 2000; i++)
        oro_free(oro_resize(oro_alloc(1, 20000 + (size_t)i), 2, 30000));
    return NULL;
}

TEST(threads_share_the_account)
{
    pthread_t threads[4];
    size_t before = oro_budget_used();
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_free, NULL), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(oro_budget_used(), before);
}

TEST(the_standard_is_a_part_of_what_is_there)
{
    assert_in_range(oro_budget_standard(), 1, oro_memory_physical() / 10 * 8 + 1);
    assert_int_equal(oro_budget(), oro_memory_physical());
}
