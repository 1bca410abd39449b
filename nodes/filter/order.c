#include "nodes/filter/order.h"

#include <stdint.h>
#include <string.h>

/* A key is found digit by digit from the top: three digits hold 32 bits, and few counters are needed. */
enum { DIGIT_BITS = 11, DIGITS = 3, BUCKETS = 1 << DIGIT_BITS };
static const uint32_t sign_bit = 0x80000000U;

/* Whole numbers in the order of the floats. */
static uint32_t key_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & sign_bit) ? ~bits : bits | sign_bit;
}

static float value_of(uint32_t key)
{
    uint32_t bits = (key & sign_bit) ? key & ~sign_bit : ~key;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Finds the digit above `shift` bits of the key that is sought; `known` are the digits above that. `rank`,
 * which is among the keys that begin with `known`, becomes the rank among those that go on with the digit. */
static uint32_t find_digit(const float *values, size_t cells, uint64_t known, int shift, size_t *rank)
{
    size_t counts[BUCKETS] = {0};
    for (size_t i = 0; i < cells; i++) {
        uint64_t key = key_of(values[i]);
        if (key >> (shift + DIGIT_BITS) == known)
            counts[(key >> shift) & (BUCKETS - 1)]++;
    }
    uint32_t digit = 0;
    while (digit + 1 < BUCKETS && *rank >= counts[digit])
        *rank -= counts[digit++];
    return digit;
}

float oro_value_of_rank(const float *values, size_t cells, size_t rank)
{
    uint64_t key = 0;
    for (int digit = DIGITS - 1; digit >= 0; digit--)
        key = key << DIGIT_BITS | find_digit(values, cells, key, digit * DIGIT_BITS, &rank);
    return value_of((uint32_t)key);
}
