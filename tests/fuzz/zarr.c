/* A folder of Zarr: the input is height/.zarray up to the first zero byte, height/.zattrs up to the second,
 * and a chunk behind that. Reading it, whole or a window, ends with finite values or with an error, the judge
 * before GDAL letting nothing through that takes the memory away. */
#include <math.h>
#include <stdio.h>

#include <sys/stat.h>

#include "base/budget.h"
#include "base/parallel.h"
#include "formats/reader/reader.h"
#include "formats/writer/writer.h"
#include "tests/fuzz/fuzz.h"

enum { CELLS_MAX = 1 << 20, SIDE = 40, BUDGET = 64 << 20 };

/* Writes height/NAME of the array. */
static void write_part(const char *name, struct fuzz_bytes part)
{
    char path[FUZZ_PATH], inner[64];
    snprintf(inner, sizeof inner, "x.zarr/height/%s", name);
    fuzz_write(fuzz_path(path, inner), part.at, part.left);
}

static void make_folders(void)
{
    static const char version[] = "{\"zarr_format\": 2}";
    static bool made;
    char path[FUZZ_PATH];
    if (made)
        return;
    made = true;
    fuzz_require(mkdir(fuzz_path(path, "x.zarr"), 0700) == 0);
    fuzz_require(mkdir(fuzz_path(path, "x.zarr/height"), 0700) == 0);
    fuzz_write(fuzz_path(path, "x.zarr/.zgroup"), version, sizeof version - 1);
}

static void read_whole(const char *path)
{
    struct oro_heightfield field = {0};
    struct oro_error err = {0};
    if (!oro_heightfield_read(path, NULL, &field, &err)) {
        fuzz_require_reason(&err);
        fuzz_require(!field.data);
        return;
    }
    for (size_t i = 0; i < (size_t)field.width * (size_t)field.height; i++)
        fuzz_require(isfinite(field.data[i]));
    oro_heightfield_free(&field);
}

static void read_window(struct oro_reader *reader, int width, int height)
{
    static float heights[SIDE * SIDE];
    struct oro_error err = {0};
    struct oro_cell_window window = {width / 2, height / 2, 1, 1};
    window.width = width - window.x < SIDE ? width - window.x : SIDE;
    window.height = height - window.y < SIDE ? height - window.y : SIDE;
    if (!oro_reader_window(reader, &window, true, heights, &err))
        fuzz_require_reason(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct oro_error err = {0};
    char path[FUZZ_PATH];
    make_folders();
    oro_parallel_force(1); /* what is found once is found again */
    oro_budget_set(BUDGET);
    write_part(".zarray", fuzz_part(&bytes));
    write_part(".zattrs", fuzz_part(&bytes));
    write_part("0.0", bytes);
    struct oro_reader *reader = oro_reader_open(fuzz_path(path, "x.zarr"), NULL, ORO_WINDOWS_BLOCKS, &err);
    if (!reader) {
        fuzz_require_reason(&err);
        return 0;
    }
    const struct oro_heightfield *field = &oro_reader_about(reader)->field;
    int width = field->width, height = field->height;
    read_window(reader, width, height);
    oro_reader_close(reader);
    if ((int64_t)width * height <= CELLS_MAX)
        read_whole(path);
    return 0;
}
