/* Heightfield files of one format (FUZZ_EXTENSION): whatever the bytes are, reading ends with finite values
 * or with an error. With FUZZ_BESIDE, the input up to the first zero byte is a file of that name, which lies
 * beside: a sidecar, a header, a tile, a part of a mosaic. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "formats/format.h"
#include "tests/fuzz/fuzz.h"

enum { CELLS_MAX = 1 << 22 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct oro_heightfield field = {0};
    struct oro_error err = {0};
    char path[FUZZ_PATH];
#ifdef FUZZ_BESIDE
    struct fuzz_bytes beside = {0};
    if (size > 0 && memchr(data, 0, size))
        beside = fuzz_part(&bytes);
    fuzz_write(fuzz_path(path, FUZZ_BESIDE), beside.at, beside.left);
#endif
    oro_parallel_force(1); /* what is found once is found again */
    fuzz_write(fuzz_path(path, "x" FUZZ_EXTENSION), bytes.at, bytes.left);
    if (!oro_heightfield_read(path, NULL, &field, &err)) {
        fuzz_require_reason(&err);
        fuzz_require(!field.data);
        return 0;
    }
    size_t cells = (size_t)field.width * (size_t)field.height;
    for (size_t i = 0; i < cells && i < CELLS_MAX; i++)
        fuzz_require(isfinite(field.data[i]));
    oro_heightfield_free(&field);
    return 0;
}
