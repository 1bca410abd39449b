/*
 * OpenEXR's "zip": the bytes of a block, those at even places before those at odd ones, as differences of
 * neighbours, in a zlib stream. The library has zlib make it, one way for all; libdeflate makes the same kind
 * of stream in a third of the time.
 */
#include "formats/exr/exr_zip.h"

#include <string.h>

#include <libdeflate.h>

#include "base/memory.h"

/* Measured: docs/performance.md. Higher levels gain nothing on floats. */
enum { LEVEL = 1, LEVEL_OF_HALVES = 2 };

struct libdeflate_compressor *oro_exr_zip_begin(bool half)
{
    return libdeflate_alloc_compressor(half ? LEVEL_OF_HALVES : LEVEL);
}

void oro_exr_zip_end(struct libdeflate_compressor *compressor)
{
    libdeflate_free_compressor(compressor);
}

static bool make_room(void **buffer, size_t *room, size_t wanted)
{
    if (*room >= wanted)
        return true;
    oro_free(*buffer);
    *buffer = oro_alloc(wanted, 1);
    *room = *buffer ? wanted : 0;
    return *buffer != NULL;
}

static void take_differences(const unsigned char *bytes, size_t count, unsigned char *out)
{
    const unsigned char *odd = bytes + 1;
    size_t evens = (count + 1) / 2, odds = count / 2;
    unsigned char *second = out + evens;
    out[0] = bytes[0];
    for (size_t i = 1; i < evens; i++)
        out[i] = (unsigned char)(bytes[2 * i] - bytes[2 * i - 2] + 128);
    if (odds > 0)
        second[0] = (unsigned char)(odd[0] - bytes[2 * (evens - 1)] + 128);
    for (size_t i = 1; i < odds; i++)
        second[i] = (unsigned char)(odd[2 * i] - odd[2 * i - 2] + 128);
}

/* A block that does not get shorter is left as it is: readers know it by its length. */
exr_result_t oro_exr_zip(exr_encode_pipeline_t *coder)
{
    size_t count = coder->packed_bytes;
    if (!make_room(&coder->scratch_buffer_1, &coder->scratch_alloc_size_1, count) ||
        !make_room(&coder->compressed_buffer, &coder->compressed_alloc_size, count))
        return EXR_ERR_OUT_OF_MEMORY;
    take_differences(coder->packed_buffer, count, coder->scratch_buffer_1);
    coder->compressed_bytes = libdeflate_zlib_compress(coder->encoding_user_data, coder->scratch_buffer_1,
                                                       count, coder->compressed_buffer, count - 1);
    if (coder->compressed_bytes == 0) {
        memcpy(coder->compressed_buffer, coder->packed_buffer, count);
        coder->compressed_bytes = count;
    }
    return EXR_ERR_SUCCESS;
}
