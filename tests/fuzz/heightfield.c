/* Heightfield files of one format (FUZZ_EXTENSION): whatever the bytes are, reading ends with finite values
 * or with an error. With FUZZ_BESIDE, the input up to the first zero byte is a file of that name, which lies
 * beside: a sidecar, a header, a tile, a part of a mosaic. With FUZZ_AGAIN, the name of a file of another
 * format, what was read is written there and read once more. With FUZZ_PLACED the first byte chooses what
 * part is wanted, how large, and in which system. */
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/parallel.h"
#include "formats/format.h"
#include "tests/fuzz/fuzz.h"

enum { CELLS_MAX = 1 << 22, BUDGET = 64 << 20 };

#ifdef FUZZ_AGAIN
enum { WRITTEN_MAX = 4096 }; /* cells */

static void write_again(const struct oro_heightfield *field)
{
    const struct oro_write_options options = {.big_endian = field->width % 2, .not_terrain = true};
    struct oro_heightfield again = {0};
    struct oro_error err = {0};
    char path[FUZZ_PATH];
    if ((size_t)field->width * (size_t)field->height > WRITTEN_MAX)
        return;
    if (!oro_heightfield_write(fuzz_path(path, FUZZ_AGAIN), field, &options, &err)) {
        fuzz_require_reason(&err);
        return;
    }
    fuzz_require(oro_heightfield_read(path, NULL, &again, &err));
    fuzz_require(again.width == field->width && again.height == field->height);
    oro_heightfield_free(&again);
}
#endif

#ifdef FUZZ_PLACED
static struct oro_read_options choose_options(struct fuzz_bytes *bytes)
{
    static const char *const systems[] = {NULL, "EPSG:32632", "EPSG:4326", "none"};
    static const struct oro_map_window windows[] = {
        {0},
        {.given = true, .west = 0, .south = 0, .east = 20, .north = 20},
        {.given = true, .west = 5e5, .south = 0, .east = 6e5, .north = 1e5},
        {.given = true, .whole = true, .west = 3, .south = -9, .east = 11, .north = 9}};
    unsigned choice = fuzz_below(bytes, 256);
    return (struct oro_read_options){.crs = systems[choice % 4],
                                     .window = windows[choice / 4 % 4],
                                     .where_known = choice & 16,
                                     .max_side = choice & 32 ? 3 : 0,
                                     .shape_only = choice & 64,
                                     .has_nodata = choice & 128};
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    struct oro_heightfield field = {0};
    struct oro_read_options options = {0};
    struct oro_error err = {0};
    char path[FUZZ_PATH];
#ifdef FUZZ_PLACED
    options = choose_options(&bytes);
#endif
#ifdef FUZZ_BESIDE
    struct fuzz_bytes beside = {0};
    if (bytes.left > 0 && memchr(bytes.at, 0, bytes.left))
        beside = fuzz_part(&bytes);
    fuzz_write(fuzz_path(path, FUZZ_BESIDE), beside.at, beside.left);
#endif
    oro_parallel_force(1); /* what is found once is found again */
    oro_budget_set(BUDGET);
    fuzz_write(fuzz_path(path, "x" FUZZ_EXTENSION), bytes.at, bytes.left);
    if (!oro_heightfield_read(path, &options, &field, &err)) {
        fuzz_require_reason(&err);
        fuzz_require(!field.data);
        return 0;
    }
    size_t cells = (size_t)field.width * (size_t)field.height;
    for (size_t i = 0; field.data && i < cells && i < CELLS_MAX; i++)
        fuzz_require(isfinite(field.data[i]));
#ifdef FUZZ_AGAIN
    write_again(&field);
#endif
    oro_heightfield_free(&field);
    return 0;
}
