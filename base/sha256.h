/* SHA-256 (FIPS 180-4), where somebody may want two texts with one digest: those of base/hash.h are quicker,
 * and can be forged. */
#ifndef ORO_BASE_SHA256_H
#define ORO_BASE_SHA256_H

#include <stddef.h>

enum { ORO_SHA256_TEXT = 65 };

/* Writes 64 lowercase hexadecimal digits, those that sha256sum prints. Returns `out`. */
const char *oro_sha256(const void *bytes, size_t size, char out[ORO_SHA256_TEXT]);

#endif
