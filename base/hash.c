#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

/* Most digests are of many small parts, a few hundred bytes in all: gathering these and hashing them at once
 * takes a fraction of the time of feeding them to the library one by one. What exceeds the room goes to the
 * library's stream, which gives the same digest. */
struct oro_hasher {
    XXH3_state_t *stream; /* allocated by the library because it must be 64-byte aligned */
    bool streams;
    size_t gathered;
    unsigned char room[1024];
};

struct oro_hasher *oro_hasher_create(void)
{
    struct oro_hasher *hasher = malloc(sizeof *hasher);
    if (!hasher)
        return NULL;
    hasher->stream = XXH3_createState();
    hasher->streams = false;
    hasher->gathered = 0;
    if (hasher->stream)
        return hasher;
    free(hasher);
    return NULL;
}

static void pour_out(struct oro_hasher *hasher, const void *bytes, size_t size)
{
    if (!hasher->streams)
        XXH3_128bits_reset(hasher->stream);
    hasher->streams = true;
    XXH3_128bits_update(hasher->stream, hasher->room, hasher->gathered);
    XXH3_128bits_update(hasher->stream, bytes, size);
    hasher->gathered = 0;
}

static inline void add(struct oro_hasher *hasher, const void *bytes, size_t size)
{
    if (size > sizeof hasher->room - hasher->gathered) {
        pour_out(hasher, bytes, size);
        return;
    }
    memcpy(hasher->room + hasher->gathered, bytes, size);
    hasher->gathered += size;
}

/* With a size that is known when this is compiled, it comes down to a few moves. */
static inline void add_part(struct oro_hasher *hasher, const void *bytes, size_t size)
{
    uint64_t length = size;
    add(hasher, &length, sizeof length);
    add(hasher, bytes, size);
}

void oro_hash_bytes(struct oro_hasher *hasher, const void *bytes, size_t size)
{
    if (size == sizeof(float))
        add_part(hasher, bytes, sizeof(float));
    else
        add_part(hasher, size ? bytes : "", size);
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
    add_part(hasher, &number, sizeof number);
}

void oro_hash_int(struct oro_hasher *hasher, int64_t number)
{
    add_part(hasher, &number, sizeof number);
}

void oro_hash_digest(struct oro_hasher *hasher, struct oro_hash digest)
{
    add_part(hasher, &digest, sizeof digest);
}

struct oro_hash oro_hasher_digest(struct oro_hasher *hasher)
{
    XXH128_hash_t digest;
    if (hasher->streams) {
        XXH3_128bits_update(hasher->stream, hasher->room, hasher->gathered);
        digest = XXH3_128bits_digest(hasher->stream);
    } else {
        digest = XXH3_128bits(hasher->room, hasher->gathered);
    }
    hasher->streams = false;
    hasher->gathered = 0;
    return (struct oro_hash){digest.low64, digest.high64};
}

void oro_hasher_destroy(struct oro_hasher *hasher)
{
    if (hasher)
        XXH3_freeState(hasher->stream);
    free(hasher);
}

struct oro_hash oro_hasher_end(struct oro_hasher *hasher)
{
    struct oro_hash digest = oro_hasher_digest(hasher);
    oro_hasher_destroy(hasher);
    return digest;
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
