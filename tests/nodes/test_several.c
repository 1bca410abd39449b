/* Kernels that do several iterations in one dispatch give the same bits as one by one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "devices/devices.h"
#include "tests/nodes/group.h"
#include "tests/nodes/site.h"
#include "tests/support/test.h"

#define TERRAIN LINK("terrain", "ground.terrain")
#define MAPS                                                                                                 \
    LINK("mask", "mask.terrain")                                                                             \
    LINK("erodibility", "map.terrain")                                                                       \
    LINK("hardness", "mask.terrain") LINK("rain", "wet.terrain") LINK("depth", "deep.terrain")

static struct site ground(int width, int height)
{
    struct site site = site_start(&h, width, height, 20);
    float *rough = site_rough(width, height, 16, 500, 10, 7);
    float *mask = site_scatter(width, height, 0, 1, 3), *map = site_scatter(width, height, 0, 0.002, 4);
    float *wet = site_scatter(width, height, 0, 4, 5), *deep = site_scatter(width, height, 0, 30, 6);
    site_raster(&site, "ground", rough);
    site_raster(&site, "mask", mask);
    site_raster(&site, "map", map);
    site_raster(&site, "wet", wet);
    site_raster(&site, "deep", deep);
    oro_free(rough);
    oro_free(mask);
    oro_free(map);
    oro_free(wet);
    oro_free(deep);
    return site;
}

static float *take(struct site *site, struct oro_dispatch_shape per_dispatch, const char *output,
                   uint64_t *dispatches)
{
    uint64_t before = h.device->dispatches;
    h.kernels_only = true;
    h.per_dispatch = per_dispatch;
    float *taken = site_take(site, "n", output);
    h.kernels_only = false;
    h.per_dispatch = (struct oro_dispatch_shape){0};
    *dispatches = h.device->dispatches - before;
    return taken;
}

static void expect_same(const char *type, const char *inputs, const char *output, int width, int height,
                        struct oro_dispatch_shape per_dispatch)
{
    struct site site = ground(width, height);
    site_node(&site, "n", type, TERRAIN "%s", inputs);
    uint64_t many, few;
    float *one = take(&site, (struct oro_dispatch_shape){.times = 1}, output, &many);
    float *more = take(&site, per_dispatch, output, &few);
    assert_true(few < many);
    for (int i = 0; i < width * height; i++)
        if (one[i] != more[i])
            fail_msg("%s %s %d x %d, %d times %d x %d by %d: cell %d, %d has %.9g, not %.9g", type, inputs,
                     width, height, per_dispatch.times, per_dispatch.columns, per_dispatch.rows,
                     per_dispatch.strip, i % width, i / width, (double)more[i], (double)one[i]);
    oro_free(one);
    oro_free(more);
}

/* Iterations that are no multiple of those of a dispatch; grids that are no multiple of tiles. */
static const struct oro_dispatch_shape shapes[] = {
    {2, 32, 32, 4}, {3, 28, 20, 2}, {4, 32, 32, 4}, {5, 10, 9, 1}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

TEST(fluvial_erosion)
{
    need_device();
    static const char *const inputs[] = {
        IN("iterations", "23"),
        IN("iterations", "23") IN("borders", "walls"),
        IN("iterations", "9") MAPS,
        IN("iterations", "9") IN("borders", "walls") IN("flow_exponent", "4") MAPS,
        IN("iterations", "6") IN("depth", "2"),
        IN("duration", "20000") IN("mask", "0.3"),
    };
    for (int i = 0; i < 6; i++)
        for (int k = i % 2; k < SHAPES; k += 2)
            expect_same("fluvial_erosion", inputs[i], i < 2 ? "drainage" : "terrain", 83, 70, shapes[k]);
}

TEST(drainage)
{
    need_device();
    static const char *const inputs[] = {
        IN("iterations", "23"),
        IN("iterations", "23") IN("borders", "walls"),
        IN("iterations", "9") LINK("rain", "wet.terrain") LINK("drainage", "wet.terrain"),
    };
    for (int i = 0; i < 3; i++)
        for (int k = i % 2; k < SHAPES; k += 2)
            expect_same("drainage", inputs[i], "drainage", 83, 70, shapes[k]);
}

TEST(deposition)
{
    need_device();
    static const char *const inputs[] = {
        IN("iterations", "14") LINK("sediment", "deep.terrain"),
        IN("iterations", "14") LINK("sediment", "deep.terrain") IN("borders", "walls"),
        IN("iterations", "9") IN("method", "hollows") LINK("mask", "mask.terrain"),
        IN("duration", "20000") IN("method", "hollows") IN("borders", "walls"),
        IN("duration", "20000") LINK("rain", "wet.terrain"),
    };
    static const struct oro_dispatch_shape small[] = {{2, 20, 20, 4},
                                                      {3, 16, 16, 2}}; /* it needs more memory */
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 2; k++)
            expect_same("deposition", inputs[i], i < 2 ? "deposited" : "terrain", 83, 70, small[k]);
}

TEST(thermal_erosion)
{
    need_device();
    static const char *const inputs[] = {
        IN("iterations", "23"),
        IN("iterations", "9") IN("amount", "0.001") LINK("mask", "mask.terrain"),
        IN("duration", "20000") IN("mask", "0.3"),
    };
    for (int i = 0; i < 3; i++)
        for (int k = i % 2; k < SHAPES; k += 2)
            expect_same("thermal_erosion", inputs[i], "terrain", 83, 70, shapes[k]);
}

#define GIVEN LINK("water", "deep.terrain") LINK("sediment", "wet.terrain")
#define VARIED                                                                                               \
    LINK("mask", "mask.terrain")                                                                             \
    LINK("rain", "map.terrain")                                                                              \
    LINK("capacity", "wet.terrain") LINK("hardness", "mask.terrain") LINK("talus_bias", "mask.terrain")

/* With 8 neighbours it goes one by one. */
TEST(hydraulic_erosion)
{
    need_device();
    static const char *const inputs[] = {
        IN("iterations", "14") GIVEN,
        IN("iterations", "14") VARIED,
        IN("iterations", "9") IN("borders", "walls") GIVEN,
        IN("iterations", "9") IN("borders", "sea_level") IN("sea_level", "100") VARIED,
        IN("iterations", "9") IN("borders", "sea_level") IN("sea_level", "100"),
        IN("iterations", "9") IN("thermal", "false") IN("springs", "300 300 90; 1650 700 90"),
        IN("iterations", "9") IN("flow", "false"),
    };
    static const char *const outputs[] = {"terrain",  "water",    "speed",  "deposited",
                                          "hardness", "sediment", "terrain"};
    static const struct oro_dispatch_shape one_each[] = {{2, 16, 16, 1}, {3, 12, 10, 1}, {4, 9, 11, 1}};
    char text[1000];
    for (int i = 0; i < 7; i++) {
        snprintf(text, sizeof text, IN("neighbours", "4") "%s", inputs[i]);
        expect_same("hydraulic_erosion", text, outputs[i], 83, 70, one_each[i % 3]);
    }
}

/* Steps begin too long on rough ground, so that some dispatches are done again in part; looks come after 64.
 */
TEST(stream_power_explicit)
{
    need_device();
    static const char *const inputs[] = {
        IN("iterations", "100"),
        IN("iterations", "150") IN("borders", "walls") LINK("sea", "mask.terrain"),
        IN("iterations", "70") IN("flow_exponent", "2.5") LINK("mask", "mask.terrain")
            LINK("rain", "wet.terrain"),
        IN("iterations", "70") IN("hillslope", "0.5"),
    };
    for (int i = 0; i < 4; i++)
        for (int k = i % 2; k < SHAPES; k += 2) {
            char text[400];
            snprintf(text, sizeof text, "%s%s",
                     IN("method", "explicit") IN("levels", "0") IN("tolerance", "0"), inputs[i]);
            expect_same("stream_power", text, i < 2 ? "terrain" : "drainage", 83, 70, shapes[k]);
        }
}

TEST(tiny_grids)
{
    need_device();
    static const int sizes[][2] = {{1, 1}, {1, 20}, {20, 1}, {2, 3}, {5, 4}, {33, 31}};
    for (int i = 0; i < 6; i++) {
        int width = sizes[i][0], height = sizes[i][1];
        expect_same("thermal_erosion", IN("iterations", "7"), "terrain", width, height, shapes[2]);
        expect_same("fluvial_erosion", IN("iterations", "7"), "terrain", width, height, shapes[2]);
        expect_same("fluvial_erosion", IN("iterations", "7") IN("borders", "walls"), "drainage", width,
                    height, shapes[2]);
        expect_same("hydraulic_erosion", IN("iterations", "7") IN("neighbours", "4"), "water", width, height,
                    shapes[3]);
    }
}

/* The processor as a device runs no kernels of its own: a software driver takes its place. */
FIXTURE(open_driver)
{
    open_harness(NULL);
    if (!h.device || !h.device->info.software)
        return 0;
    h.device->ops->destroy(h.device);
    struct oro_gpu_options gpu = {.index = ORO_GPU_SOFTWARE, .shader_dir = getenv("OROGRAPH_TEST_SHADERS")};
    h.device = oro_gpu_create(&gpu, &h.err);
    return 0;
}

TEST_GROUP(open_driver, close_harness);
