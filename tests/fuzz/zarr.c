/* A folder of Zarr: the input is height/.zarray up to the first zero byte, height/.zattrs up to the second,
 * and a chunk behind that. Reading it, whole or a window, ends with finite values or with an error, the judge
 * before GDAL letting nothing through that takes the memory away. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/parallel.h"
#include "formats/windowed/windowed.h"

enum { CELLS_MAX = 1 << 20, SIDE = 40 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/tmp/orograph-fuzz-XXXXXX";
static char array[64], inner[96], about[128], meaning[128], chunk[128], group[128];

static void clean_up(void)
{
    unlink(about);
    unlink(meaning);
    unlink(chunk);
    unlink(group);
    rmdir(inner);
    rmdir(array);
    rmdir(folder);
}

static void write_bytes(const char *name, const uint8_t *data, size_t size)
{
    unlink(name); /* to write over a file takes some file systems a hundred times as long */
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char version[] = "{\"zarr_format\": 2}";
    (void)argc, (void)argv;
    if (!mkdtemp(folder))
        abort();
    snprintf(array, sizeof array, "%s/x.zarr", folder);
    snprintf(inner, sizeof inner, "%s/height", array);
    snprintf(about, sizeof about, "%s/.zarray", inner);
    snprintf(meaning, sizeof meaning, "%s/.zattrs", inner);
    snprintf(chunk, sizeof chunk, "%s/0.0", inner);
    snprintf(group, sizeof group, "%s/.zgroup", array);
    if (mkdir(array, 0700) != 0 || mkdir(inner, 0700) != 0)
        abort();
    atexit(clean_up);
    write_bytes(group, (const uint8_t *)version, sizeof version - 1);
    oro_parallel_force(1); /* what is found once is found again */
    return 0;
}

/* Writes what comes before the next zero byte. */
static void take_part(const char *name, const uint8_t **data, size_t *size)
{
    const uint8_t *zero = *size ? memchr(*data, 0, *size) : NULL;
    size_t length = zero ? (size_t)(zero - *data) : *size;
    write_bytes(name, *data, length);
    *data += length + (zero != NULL);
    *size -= length + (zero != NULL);
}

static void read_whole(void)
{
    struct oro_heightfield field = {0};
    struct oro_error err = {0};
    if (!oro_heightfield_read(array, NULL, &field, &err)) {
        if (err.code == ORO_OK || field.data)
            abort(); /* failed without a reason, or with something left to free */
        return;
    }
    for (size_t i = 0; i < (size_t)field.width * (size_t)field.height; i++)
        if (!isfinite(field.data[i]))
            abort();
    oro_heightfield_free(&field);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static float heights[SIDE * SIDE];
    struct oro_error err = {0};
    take_part(about, &data, &size);
    take_part(meaning, &data, &size);
    write_bytes(chunk, data, size);
    struct oro_windowed_reader *reader = oro_windowed_open(array, NULL, &err);
    if (!reader) {
        if (err.code == ORO_OK)
            abort();
        return 0;
    }
    const struct oro_heightfield *field = &oro_windowed_about(reader)->field;
    int width = field->width, height = field->height;
    struct oro_cell_window window = {width / 2, height / 2, 1, 1};
    window.width = width - window.x < SIDE ? width - window.x : SIDE;
    window.height = height - window.y < SIDE ? height - window.y : SIDE;
    if (!oro_windowed_read(reader, &window, true, heights, &err) && err.code == ORO_OK)
        abort();
    oro_windowed_close(reader);
    if ((int64_t)width * height <= CELLS_MAX)
        read_whole();
    return 0;
}
