/* Allocation: overflow, failure on demand, growth, arenas. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "tests/support/test.h"

TEST(overflow_is_refused)
{
    assert_null(oro_alloc(SIZE_MAX / 2, 3));
    assert_null(oro_alloc(SIZE_MAX, SIZE_MAX));
    assert_null(oro_alloc((size_t)1 << 33, (size_t)1 << 33));
    char *text = oro_copy_text("kept");
    assert_null(oro_resize(text, SIZE_MAX, 2));
    assert_string_equal(text, "kept");
    oro_free(text);
}

TEST(memory_is_zeroed)
{
    unsigned char *bytes = oro_alloc(1000, 3);
    assert_non_null(bytes);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(bytes[i], 0);
    oro_free(bytes);
    void *none = oro_alloc(0, 8);
    assert_non_null(none);
    none = oro_resize(none, 0, 0);
    assert_non_null(none);
    oro_free(none);
    oro_free(NULL);
    assert_null(oro_copy_text(NULL));
}

TEST(the_nth_allocation_fails_once)
{
    size_t before = oro_memory_count();
    oro_memory_fail_at(3);
    void *a = oro_alloc(1, 1), *b = oro_alloc(1, 1), *c = oro_alloc(1, 1), *d = oro_alloc(1, 1);
    assert_non_null(a);
    assert_non_null(b);
    assert_null(c);
    assert_non_null(d);
    assert_int_equal(oro_memory_count() - before, 4);
    oro_memory_fail_at(1);
    assert_null(oro_resize(a, 100, 1));
    oro_memory_fail_at(1);
    oro_memory_fail_at(0);
    void *e = oro_alloc(1, 1);
    assert_non_null(e);
    oro_free(a);
    oro_free(b);
    oro_free(d);
    oro_free(e);
}

TEST(lists_grow)
{
    void *items = NULL;
    size_t capacity = 0;
    for (size_t i = 0; i < 10000; i++) {
        assert_true(oro_reserve(&items, &capacity, i + 1, sizeof(size_t)));
        ((size_t *)items)[i] = i;
    }
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(((size_t *)items)[i], i);
    size_t kept = capacity;
    void *same = items;
    assert_false(oro_reserve(&items, &capacity, SIZE_MAX / 2, sizeof(size_t)));
    oro_memory_fail_at(1);
    assert_false(oro_reserve(&items, &capacity, kept + 1, sizeof(size_t)));
    assert_ptr_equal(items, same);
    assert_int_equal(capacity, kept);
    oro_free(items);
}

TEST(arenas_hold_all_sizes)
{
    struct oro_arena *arena = oro_arena_create();
    assert_non_null(arena);
    unsigned char *pieces[600];
    for (size_t i = 0; i < 600; i++) {
        pieces[i] = oro_arena_alloc(arena, i * 17 % 9000, 1);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < i * 17 % 9000; k++)
            assert_int_equal(pieces[i][k], 0);
        memset(pieces[i], (int)(i & 255), i * 17 % 9000);
    }
    for (size_t i = 0; i < 600; i++)
        for (size_t k = 0; k < i * 17 % 9000; k++)
            assert_int_equal(pieces[i][k], i & 255);
    assert_null(oro_arena_alloc(arena, SIZE_MAX, 1));
    assert_null(oro_arena_alloc(arena, SIZE_MAX - 8, 1));
    assert_null(oro_arena_alloc(arena, SIZE_MAX / 2, 4));
    assert_string_equal(oro_arena_text(arena, "text"), "text");
    assert_string_equal(oro_arena_textf(arena, "%s-%d", "a", 7), "a-7");
    oro_arena_destroy(arena);
    oro_arena_destroy(NULL);
}

TEST(an_arena_survives_failure)
{
    oro_memory_fail_at(1);
    assert_null(oro_arena_create());
    struct oro_arena *arena = oro_arena_create();
    oro_memory_fail_at(1);
    assert_null(oro_arena_alloc(arena, 10, 1));
    assert_non_null(oro_arena_alloc(arena, 10, 1));
    oro_memory_fail_at(1);
    assert_null(oro_arena_alloc(arena, 100000, 1));
    assert_non_null(oro_arena_alloc(arena, 100000, 1));
    oro_arena_destroy(arena);
}
