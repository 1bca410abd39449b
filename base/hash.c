#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <xxhash.h>

/* XXH3 states are allocated by the library because they must be 64-byte aligned. */
struct oro_hasher *oro_hasher_create(void)
{
    XXH3_state_t *state = XXH3_createState();
    if (state)
        XXH3_128bits_reset(state);
    return (struct oro_hasher *)state;
}

void oro_hash_bytes(struct oro_hasher *hasher, const void *bytes, size_t size)
{
    uint64_t length = size;
    XXH3_128bits_update((XXH3_state_t *)hasher, &length, sizeof length);
    if (size)
        XXH3_128bits_update((XXH3_state_t *)hasher, bytes, size);
}

void oro_hash_part(struct oro_hasher *hasher, const void *bytes, size_t size)
{
    XXH3_128bits_update((XXH3_state_t *)hasher, bytes, size);
}

void oro_hash_string(struct oro_hasher *hasher, const char *text)
{
    if (text)
        oro_hash_bytes(hasher, text, strlen(text));
    else
        oro_hash_int(hasher, -1);
}

void oro_hash_number(struct oro_hasher *hasher, double number)
{
    if (number == 0)
        number = 0; /* -0 equals 0 */
    oro_hash_bytes(hasher, &number, sizeof number);
}

void oro_hash_int(struct oro_hasher *hasher, int64_t number)
{
    oro_hash_bytes(hasher, &number, sizeof number);
}

void oro_hash_digest(struct oro_hasher *hasher, struct oro_hash digest)
{
    oro_hash_bytes(hasher, &digest, sizeof digest);
}

struct oro_hash oro_hasher_end(struct oro_hasher *hasher)
{
    XXH128_hash_t digest = XXH3_128bits_digest((XXH3_state_t *)hasher);
    XXH3_freeState((XXH3_state_t *)hasher);
    return (struct oro_hash){digest.low64, digest.high64};
}

struct oro_hash oro_hash_of(const void *bytes, size_t size)
{
    XXH128_hash_t digest = XXH3_128bits(bytes, size);
    return (struct oro_hash){digest.low64, digest.high64};
}

bool oro_hash_equal(struct oro_hash a, struct oro_hash b)
{
    return a.low == b.low && a.high == b.high;
}

const char *oro_hash_text(struct oro_hash hash, char out[ORO_HASH_TEXT])
{
    snprintf(out, ORO_HASH_TEXT, "%016" PRIx64 "%016" PRIx64, hash.high, hash.low);
    return out;
}
