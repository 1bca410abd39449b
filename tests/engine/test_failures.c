/* Memory that runs out at any point of planning and evaluating: an error or success, never a crash, a leak or
 * a wrong result. */
#include "tests/engine/support.h"

#define CHAIN                                                                                                \
    DOCUMENT(NOISE NODE("a", "amplify",                                                                      \
                        LINK("terrain", "noise.field") LINK("hardness", "mask.field") SET("ground", "free")  \
                            SET("iterations", "3") SET("thermal_iterations", "3")                            \
                                SET("deposition_iterations", "2"))                                           \
                 NODE("mask", "remap", LINK("field", "noise.field"))                                         \
                     NODE("view", "hillshade", LINK("terrain", "a.terrain")))

static size_t allocations(struct run *run)
{
    size_t before = oro_memory_count();
    run_document(run, CHAIN, "view.image");
    return oro_memory_count() - before;
}

static void fail_everywhere(struct oro_cache *(*make_cache)(void))
{
    struct run calm = {.cache = make_cache ? make_cache() : NULL};
    size_t total = allocations(&calm);
    assert_true(calm.ok);
    oro_cache_destroy(calm.cache);
    size_t step = total / 150 + 1;
    int failures = 0;
    for (size_t n = 1; n <= total; n += step) {
        struct run run = {.cache = make_cache ? make_cache() : NULL};
        size_t before = device->used_bytes;
        oro_memory_fail_at(n);
        run_document(&run, CHAIN, "view.image");
        oro_memory_fail_at(0);
        if (run.ok)
            assert_same_data(run, calm);
        else
            assert_int_not_equal(run.err.code, ORO_OK);
        failures += !run.ok;
        run_document(&run, CHAIN, "view.image"); /* nothing was spoiled */
        assert_true(run.ok);
        assert_same_data(run, calm);
        oro_cache_destroy(run.cache);
        assert_int_equal(device->used_bytes, before);
    }
    assert_true(failures > 10);
}

TEST(without_a_cache)
{
    need_device();
    fail_everywhere(NULL);
}

static struct oro_cache *in_memory(void)
{
    return new_cache(NULL);
}

TEST(with_a_cache)
{
    need_device();
    fail_everywhere(in_memory);
}

static char folder[64];

static struct oro_cache *on_disk(void)
{
    return new_cache(folder);
}

TEST(with_a_disk)
{
    need_device();
    make_folder(folder);
    fail_everywhere(on_disk);
    remove_folder(folder);
}

TEST_GROUP(open_device, close_device);
