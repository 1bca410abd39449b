/* Puts the checksums of a mutated PNG's chunks right, so that mutations get past the first of them. */
#include <stdint.h>
#include <string.h>

enum { SIGNATURE_SIZE = 8, AROUND_DATA = 12 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint32_t checksum(const uint8_t *bytes, size_t size)
{
    uint32_t sum = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return ~sum;
}

static uint32_t big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, max_size);
    if (seed % 16 == 0)
        return size; /* wrong checksums must be survived, too */
    for (size_t at = SIGNATURE_SIZE; at + AROUND_DATA <= size;) {
        size_t length = big_endian(data + at);
        if (length > size - at - AROUND_DATA)
            break;
        uint32_t sum = checksum(data + at + 4, length + 4);
        for (int i = 0; i < 4; i++)
            data[at + 8 + length + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
        at += length + AROUND_DATA;
    }
    return size;
}
