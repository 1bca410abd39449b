/* Heightfield files of one format (FUZZ_EXTENSION): whatever the bytes are, reading ends with finite values
 * or with an error. With FUZZ_SIDECAR, the input up to the first zero byte is the sidecar. */
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

static void clean_up(void)
{
    char sidecar[80];
    snprintf(sidecar, sizeof sidecar, "%s.json", path);
    unlink(path);
    unlink(sidecar);
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/x%s", folder, FUZZ_EXTENSION);
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
#ifdef FUZZ_SIDECAR
    char sidecar[80];
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    size_t head = zero ? (size_t)(zero - data) : 0, skip = zero ? head + 1 : 0;
    snprintf(sidecar, sizeof sidecar, "%s.json", path);
    write_bytes(sidecar, data, head);
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
