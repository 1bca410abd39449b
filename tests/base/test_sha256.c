/* SHA-256: the examples of FIPS 180, and each way in which a text can end within a block. */
#include <string.h>

#include "base/sha256.h"
#include "tests/support/test.h"

static const char *of(const char *text)
{
    static char digest[ORO_SHA256_TEXT];
    return oro_sha256(text, strlen(text), digest);
}

TEST(examples)
{
    assert_string_equal(of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_string_equal(of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_string_equal(of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
                        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/* The digests of all lengths up to three blocks, one after the other: what sha256sum gives for them. */
TEST(lengths)
{
    enum { MOST = 192 };
    char bytes[MOST], all[(MOST + 1) * (ORO_SHA256_TEXT - 1) + 1];
    for (int i = 0; i < MOST; i++)
        bytes[i] = (char)i;
    for (size_t i = 0; i <= MOST; i++)
        oro_sha256(bytes, i, all + i * (ORO_SHA256_TEXT - 1));
    assert_string_equal(of(all), "f99cb4396c91bd23c4275923511b57dfbe545fffcb97d0a9130575e6b489f3a5");
}

TEST(a_million)
{
    static char bytes[1000000];
    char digest[ORO_SHA256_TEXT];
    memset(bytes, 'a', sizeof bytes);
    assert_string_equal(oro_sha256(bytes, sizeof bytes, digest),
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
