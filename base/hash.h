/* 128-bit digests (XXH3-128). Equal input gives equal digests on every machine. */
#ifndef ORO_BASE_HASH_H
#define ORO_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oro_hash {
    uint64_t low, high;
};

enum { ORO_HASH_TEXT = 33 };

/* Feeds a digest part by part. Every call also feeds the part's length, so that ("ab","c") and ("a","bc")
 * differ. oro_hasher_create returns NULL when memory is out. oro_hasher_end frees the hasher. */
struct oro_hasher;
struct oro_hasher *oro_hasher_create(void);
void oro_hash_bytes(struct oro_hasher *hasher, const void *bytes, size_t size);
void oro_hash_string(struct oro_hasher *hasher, const char *text); /* NULL differs from "" */
void oro_hash_number(struct oro_hasher *hasher, double number);
void oro_hash_int(struct oro_hasher *hasher, int64_t number);
void oro_hash_digest(struct oro_hasher *hasher, struct oro_hash digest);
/* Without their number: parts that follow one another give what oro_hash_of gives for all of them. */
void oro_hash_part(struct oro_hasher *hasher, const void *bytes, size_t size);
struct oro_hash oro_hasher_end(struct oro_hasher *hasher);

struct oro_hash oro_hash_of(const void *bytes, size_t size);
bool oro_hash_equal(struct oro_hash a, struct oro_hash b);
/* 32 lowercase hexadecimal digits. Returns `out`. */
const char *oro_hash_text(struct oro_hash hash, char out[ORO_HASH_TEXT]);

#endif
