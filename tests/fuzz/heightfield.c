/* Heightfield files of one format (FUZZ_EXTENSION): whatever the bytes are, reading ends with finite values
 * or with an error. With FUZZ_BESIDE, the input up to the first zero byte is a file of that name, which lies
 * beside: a sidecar, a header, a tile, a part of a mosaic. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/parallel.h"
#include "formats/format.h"

#ifndef FUZZ_EXTENSION
#define FUZZ_EXTENSION ".png"
#endif

enum { CELLS_MAX = 1 << 22 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/orograph-fuzz-XXXXXX";
static char path[64];

#ifdef FUZZ_BESIDE
static char beside[64];
#endif

static void clean_up(void)
{
    unlink(path);
#ifdef FUZZ_BESIDE
    unlink(beside);
#endif
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/x%s", folder, FUZZ_EXTENSION);
#ifdef FUZZ_BESIDE
    snprintf(beside, sizeof beside, "%s/%s", folder, FUZZ_BESIDE);
#endif
    atexit(clean_up);
    oro_parallel_force(1); /* what is found once is found again */
    return 0;
}

static void write_bytes(const char *name, const uint8_t *data, size_t size)
{
    unlink(name); /* to write over a file takes some file systems a hundred times as long */
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
#ifdef FUZZ_BESIDE
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    size_t head = zero ? (size_t)(zero - data) : 0, skip = zero ? head + 1 : 0;
    write_bytes(beside, data, head);
    data += skip;
    size -= skip;
#endif
    write_bytes(path, data, size);
    struct oro_heightfield field = {0};
    struct oro_error err = {0};
    if (!oro_heightfield_read(path, NULL, &field, &err)) {
        if (err.code == ORO_OK || field.data)
            abort(); /* failed without a reason, or with something left to free */
        return 0;
    }
    size_t cells = (size_t)field.width * (size_t)field.height;
    for (size_t i = 0; i < cells && i < CELLS_MAX; i++)
        if (!isfinite(field.data[i]))
            abort();
    oro_heightfield_free(&field);
    return 0;
}
