/* Sidecars beside a sound image: the first byte chooses the format, the rest is the sidecar. A bad one is as
 * none; whatever it says, the image is read with finite values, or refused with a reason. */
#include <math.h>
#include <stdio.h>

#include "base/parallel.h"
#include "formats/format.h"
#include "formats/sidecar/sidecar.h"
#include "tests/fuzz/fuzz.h"

enum { SIDE = 4 };

static const char *const extensions[] = {"pfm", "png", "r16", "r32", "exr"};
enum { EXTENSIONS = sizeof extensions / sizeof extensions[0] };

/* Writes an image of each format, once. */
static void write_images(void)
{
    static bool written;
    float heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        heights[i] = 100.0F + (float)(i * i);
    const struct oro_heightfield field = {.width = SIDE, .height = SIDE, .cell = 10, .data = heights};
    for (int i = 0; i < EXTENSIONS && !written; i++) {
        char path[FUZZ_PATH], name[16];
        struct oro_error err = {0};
        snprintf(name, sizeof name, "x.%s", extensions[i]);
        fuzz_require(oro_heightfield_write(fuzz_path(path, name), &field, NULL, &err));
    }
    written = true;
}

static void read_image(const char *path)
{
    struct oro_heightfield field = {0};
    struct oro_error err = {0};
    if (!oro_heightfield_read(path, NULL, &field, &err)) {
        fuzz_require_reason(&err);
        fuzz_require(!field.data);
        return;
    }
    for (int i = 0; i < field.width * field.height; i++)
        fuzz_require(isfinite(field.data[i]));
    fuzz_require(field.cell >= 0 && isfinite(field.cell));
    oro_heightfield_free(&field);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes bytes = {data, size};
    const char *extension = extensions[fuzz_below(&bytes, EXTENSIONS)];
    char path[FUZZ_PATH], name[32];
    oro_parallel_force(1);
    write_images();
    snprintf(name, sizeof name, "x.%s.json", extension);
    fuzz_write(fuzz_path(path, name), bytes.at, bytes.left);
    snprintf(name, sizeof name, "x.%s", extension);
    fuzz_path(path, name);
    struct oro_facts facts;
    if (!oro_sidecar_read(path, NULL, &facts, NULL))
        return 0;
    fuzz_require(facts.width >= 0 && facts.height >= 0 && isfinite(facts.cell));
    fuzz_require(!facts.has_range || (isfinite(facts.range.low) && isfinite(facts.range.high)));
    struct oro_hash digest;
    struct oro_error err = {0};
    if (!oro_sidecar_digest(path, &digest, &err))
        fuzz_require_reason(&err);
    read_image(path);
    return 0;
}
