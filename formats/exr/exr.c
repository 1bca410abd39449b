#include "formats/exr/exr.h"

#include "base/memory.h"

void *oro_exr_allocate(size_t bytes)
{
    return oro_alloc(bytes, 1);
}

const struct oro_codec oro_codec_exr = {
    .name = "exr",
    .extensions = (const char *const[]){"exr", NULL},
    .written = {.largest = 0},
    .header = oro_exr_header,
    .reads = ORO_WINDOWS_WHOLE,
    .read = oro_exr_read,
    .end = oro_exr_end,
    .describe = oro_exr_describe,
    .writes = ORO_WINDOWS_WHOLE,
    .write = oro_exr_write,
    .channels = true,
};
