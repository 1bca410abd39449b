/* Digests: the same for the same content, different when parts are joined differently. */
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "tests/support/test.h"

static struct oro_hash of_two(const char *a, const char *b)
{
    struct oro_hasher *hasher = oro_hasher_create();
    assert_non_null(hasher);
    oro_hash_string(hasher, a);
    oro_hash_string(hasher, b);
    return oro_hasher_end(hasher);
}

TEST(parts_do_not_run_together)
{
    assert_true(oro_hash_equal(of_two("ab", "c"), of_two("ab", "c")));
    assert_false(oro_hash_equal(of_two("ab", "c"), of_two("a", "bc")));
    assert_false(oro_hash_equal(of_two("", "abc"), of_two("abc", "")));
    assert_false(oro_hash_equal(of_two(NULL, "a"), of_two("", "a")));
    assert_false(oro_hash_equal(of_two(NULL, "a"), of_two("a", NULL)));
}

static struct oro_hash of_number(double number)
{
    struct oro_hasher *hasher = oro_hasher_create();
    oro_hash_number(hasher, number);
    return oro_hasher_end(hasher);
}

TEST(parts_of_one)
{
    static const char text[] = "terrain in two parts";
    struct oro_hasher *hasher = oro_hasher_create();
    oro_hash_part(hasher, text, 7);
    oro_hash_part(hasher, text + 7, sizeof text - 7);
    assert_true(oro_hash_equal(oro_hasher_end(hasher), oro_hash_of(text, sizeof text)));
}

TEST(numbers)
{
    assert_true(oro_hash_equal(of_number(0.0), of_number(-0.0)));
    assert_false(oro_hash_equal(of_number(1), of_number(-1)));
    assert_false(oro_hash_equal(of_number(1), of_number(1 + 1e-15)));
}

TEST(digests_nest)
{
    struct oro_hash inner = of_two("a", "b"), other = of_two("a", "c"), results[2];
    for (int i = 0; i < 2; i++) {
        struct oro_hasher *hasher = oro_hasher_create();
        oro_hash_digest(hasher, i ? other : inner);
        oro_hash_int(hasher, -5);
        results[i] = oro_hasher_end(hasher);
    }
    assert_false(oro_hash_equal(results[0], results[1]));
}

TEST(as_text)
{
    char text[ORO_HASH_TEXT];
    assert_string_equal(oro_hash_text((struct oro_hash){0x1, 0xABCDEF0000000000}, text),
                        "abcdef00000000000000000000000001");
    /* XXH3-128 of nothing, as its specification gives it: digests are the same everywhere. */
    assert_string_equal(oro_hash_text(oro_hash_of("", 0), text), "99aa06d3014798d86001c324468d497f");
}

TEST(one_bit_matters)
{
    unsigned char bytes[64] = {0};
    struct oro_hash first = oro_hash_of(bytes, sizeof bytes);
    for (size_t i = 0; i < 8 * sizeof bytes; i++) {
        bytes[i / 8] ^= (unsigned char)(1 << i % 8);
        assert_false(oro_hash_equal(first, oro_hash_of(bytes, sizeof bytes)));
        bytes[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    assert_false(oro_hash_equal(first, oro_hash_of(bytes, sizeof bytes - 1)));
}
