/* Kernels: compiling, running, cutting into pieces, constants, error messages. */
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "devices/gpu/internal.h"
#include "tests/gpu/helpers.h"
#include "tests/support/test.h"

static const char preamble[] =
    "#version 310 es\nprecision highp float;\nprecision highp int;\nlayout(local_size_x = 8, local_size_y = "
    "4) in;\n"
    "uniform ivec2 oro_first_group;\n"
    "ivec2 cell() { return (ivec2(gl_WorkGroupID.xy) + oro_first_group) * ivec2(8, 4)"
    " + ivec2(gl_LocalInvocationID.xy); }\n"
    "layout(std140, binding = 0) uniform Constants { ivec2 size; float scale; float pad; };\n";

struct constants {
    int32_t columns, rows;
    float scale, pad;
};

static const char ramp[] = "layout(std430, binding = 0) buffer Out { float value[]; };\n"
                           "void main() {\n"
                           "    ivec2 at = cell();\n"
                           "    if (at.x >= size.x || at.y >= size.y) return;\n"
                           "    value[at.y * size.x + at.x] += scale * float(at.y * size.x + at.x);\n"
                           "}\n";

struct fixture {
    char folder[64];
    struct oro_device *device;
};

FIXTURE(set_up)
{
    static struct fixture fixture;
    helper_folder(fixture.folder);
    helper_write(fixture.folder, "ramp.comp", ramp);
    fixture.device = helper_device(fixture.folder);
    *state = &fixture;
    return 0;
}

FIXTURE(tear_down)
{
    struct fixture *fixture = *state;
    fixture->device->ops->destroy(fixture->device);
    helper_remove(fixture->folder, (const char *[]){"ramp.comp", "x.comp", "lib/x.glsl", NULL});
    return 0;
}

static struct oro_kernel *kernel_of(struct oro_device *device, const char *file)
{
    struct oro_error err = {0};
    struct oro_kernel *kernel =
        device->ops->kernel(device, &(struct oro_kernel_source){.file = file, .preamble = preamble}, &err);
    if (!kernel)
        fail_msg("%s", err.text);
    return kernel;
}

/* Adds scale * index to a zeroed buffer `runs` times and checks every cell. */
static void run_ramp(struct oro_device *device, int columns, int rows, int runs)
{
    size_t cells = (size_t)columns * (size_t)rows, bytes = cells * sizeof(float);
    float *values = calloc(cells, sizeof *values);
    struct oro_buffer *buffer = device->ops->buffer_create(device, bytes, NULL);
    assert_true(device->ops->upload(device, buffer, values, bytes, NULL));
    struct constants constants = {columns, rows, 0, 0};
    float sum = 0;
    for (int i = 0; i < runs; i++) {
        constants.scale = (float)(i / 2 + 1); /* every other upload is the same as before */
        sum += constants.scale;
        struct oro_device_dispatch dispatch = {.kernel = kernel_of(device, "ramp.comp"),
                                               .columns = columns,
                                               .rows = rows,
                                               .group_columns = 8,
                                               .group_rows = 4,
                                               .buffers = &buffer,
                                               .buffer_count = 1,
                                               .constants = &constants,
                                               .constants_size = sizeof constants};
        assert_true(device->ops->dispatch(device, &dispatch, NULL));
        assert_true(device->ops->pace(device, NULL));
    }
    assert_true(device->ops->download(device, buffer, values, bytes, NULL));
    for (size_t i = 0; i < cells; i++)
        if (values[i] != sum * (float)i)
            fail_msg("cell %zu is %g instead of %g", i, (double)values[i], (double)(sum * (float)i));
    free(values);
    device->ops->buffer_destroy(device, buffer);
}

TEST(run)
{
    struct oro_device *device = ((struct fixture *)*state)->device;
    uint64_t before = device->dispatches;
    run_ramp(device, 1, 1, 1);
    run_ramp(device, 17, 9, 5);
    run_ramp(device, 256, 300, 20);
    assert_int_equal(device->dispatches - before, 26);
    run_ramp(device, 8 * 70000, 1, 1); /* more groups than an axis takes */
    run_ramp(device, 1, 4 * 70000, 1);
}

TEST(bands)
{
    struct oro_device *device = ((struct fixture *)*state)->device;
    const int sizes[] = {1, 7, 25, 26, 100, 1000000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint64_t before = oro_gpu_bands(device);
        oro_gpu_force_bands(device, sizes[i]);
        run_ramp(device, 200, 101, 2); /* 25 x 26 groups */
        uint64_t pieces = oro_gpu_bands(device) - before;
        assert_int_equal(pieces, 2 * (sizes[i] == 1     ? 650
                                      : sizes[i] == 7   ? 4 * 26
                                      : sizes[i] <= 26  ? 26
                                      : sizes[i] == 100 ? 7
                                                        : 1));
    }
    oro_gpu_force_bands(device, 0);
}

TEST(long_work_is_cut)
{
    struct fixture *fixture = *state;
    struct oro_device *device = fixture->device;
    helper_write(fixture->folder, "x.comp",
                 "layout(std430, binding = 0) buffer Out { float value[]; };\n"
                 "void main() {\n    ivec2 at = cell();\n    float x = float(at.x);\n"
                 "    for (int i = 0; i < size.x; i++) x = sin(x) + 1.0;\n"
                 "    if (at.x < 256 && at.y < 256) value[at.y * 256 + at.x] = x;\n}\n");
    struct oro_buffer *buffer = device->ops->buffer_create(device, 4 * 256 * 256, NULL);
    struct constants constants = {.columns = 200};
    struct oro_device_dispatch dispatch = {.kernel = kernel_of(device, "x.comp"),
                                           .columns = 256,
                                           .rows = 256,
                                           .group_columns = 8,
                                           .group_rows = 4,
                                           .buffers = &buffer,
                                           .buffer_count = 1,
                                           .constants = &constants,
                                           .constants_size = sizeof constants};
    for (int i = 0; i < 6; i++)
        assert_true(device->ops->dispatch(device, &dispatch, NULL));
    assert_true(device->ops->finish(device, NULL));
    uint64_t bands = oro_gpu_bands(device);
    double start = oro_now();
    for (int i = 0; i < 3; i++) /* the seventh is not measured anew, nor cut when it is short */
        assert_true(device->ops->dispatch(device, &dispatch, NULL));
    assert_true(device->ops->finish(device, NULL));
    double seconds = (oro_now() - start) / 3;
    bands = (oro_gpu_bands(device) - bands) / 3;
    if (seconds > 0.1)
        assert_true(bands >= 3);
    if (seconds < 0.003)
        assert_true(bands <= 2);
    device->ops->buffer_destroy(device, buffer);
}

TEST(cache)
{
    struct fixture *fixture = *state;
    struct oro_device *device = fixture->device;
    struct oro_kernel *kernel = kernel_of(device, "ramp.comp");
    assert_ptr_equal(kernel, kernel_of(device, "ramp.comp"));
    char other[sizeof preamble + 32];
    snprintf(other, sizeof other, "%s#define OTHER 1\n", preamble);
    struct oro_kernel_source source = {.file = "ramp.comp", .preamble = other};
    assert_ptr_not_equal(kernel, device->ops->kernel(device, &source, NULL));
}

static void expect_error(struct fixture *fixture, const char *text, const char *expected)
{
    struct oro_error err = {0};
    helper_write(fixture->folder, "x.comp", text);
    struct oro_device *device = helper_device(fixture->folder);
    struct oro_kernel_source source = {.file = "x.comp", .preamble = preamble};
    assert_null(device->ops->kernel(device, &source, &err));
    assert_int_equal(err.code, ORO_E_KERNEL);
    if (!strstr(err.text, expected))
        fail_msg("expected '%s' in '%s'", expected, err.text);
    assert_null(strchr(err.text, '\n'));
    device->ops->destroy(device);
}

TEST(error_places)
{
    struct fixture *fixture = *state;
    helper_write(fixture->folder, "lib/x.glsl", "float f() {\n    return missing;\n}\n");
    expect_error(fixture, "void main() {\n\n    absent = 1;\n}\n", "x.comp:3: error");
    expect_error(fixture, "#include \"lib/x.glsl\"\nvoid main() {}\n", "lib/x.glsl:2: error");
    helper_write(fixture->folder, "lib/x.glsl", "float f() {\n    return 1.0;\n}\n");
    expect_error(fixture, "// a comment\n#include \"lib/x.glsl\"\nvoid main() {\n    absent = 1;\n}\n",
                 "x.comp:4: error");
    expect_error(fixture, "#include \"lib/gone.glsl\"\n", "x.comp:1: error: cannot include 'lib/gone.glsl'");
    expect_error(fixture, "", "x.comp");
    struct oro_error err = {0};
    struct oro_hash digest;
    assert_false(fixture->device->ops->kernel_digest(fixture->device, "gone.comp", &digest, &err));
    assert_int_equal(err.code, ORO_E_KERNEL);
}

TEST(wrong_runs)
{
    struct fixture *fixture = *state;
    struct oro_device *device = fixture->device;
    struct oro_error err = {0};
    struct oro_device_dispatch dispatch = {.columns = 1, .rows = 1, .group_columns = 8, .group_rows = 4};
    assert_false(device->ops->dispatch(device, &dispatch, &err));
    assert_int_equal(err.code, ORO_E_DEVICE);
    dispatch.kernel = kernel_of(device, "ramp.comp");
    struct oro_buffer *none[ORO_BUFFERS_MAX + 1] = {0};
    dispatch.buffers = none;
    dispatch.buffer_count = 1;
    assert_false(device->ops->dispatch(device, &dispatch, &err));
    dispatch.buffer_count = ORO_BUFFERS_MAX + 1;
    assert_false(device->ops->dispatch(device, &dispatch, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    dispatch.buffer_count = 0;
    dispatch.columns = 0;
    assert_true(device->ops->dispatch(device, &dispatch, &err));
}

/* A kernel that ignores oro_first_group can run whole only. */
TEST(without_first_group)
{
    struct fixture *fixture = *state;
    struct oro_device *device = fixture->device;
    helper_write(fixture->folder, "x.comp",
                 "layout(std430, binding = 0) buffer Out { uint count[]; };\n"
                 "void main() { atomicAdd(count[0], 1u); }\n");
    uint32_t count = 0;
    struct oro_buffer *buffer = device->ops->buffer_create(device, sizeof count, NULL);
    assert_true(device->ops->upload(device, buffer, &count, sizeof count, NULL));
    struct oro_device_dispatch dispatch = {.kernel = kernel_of(device, "x.comp"),
                                           .columns = 80,
                                           .rows = 40,
                                           .group_columns = 8,
                                           .group_rows = 4,
                                           .buffers = &buffer,
                                           .buffer_count = 1};
    oro_gpu_force_bands(device, 3);
    assert_true(device->ops->dispatch(device, &dispatch, NULL));
    oro_gpu_force_bands(device, 0);
    assert_true(device->ops->download(device, buffer, &count, sizeof count, NULL));
    assert_int_equal(count, 3200);
    dispatch.columns = 2000000;
    struct oro_error err = {0};
    assert_false(device->ops->dispatch(device, &dispatch, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    device->ops->buffer_destroy(device, buffer);
}

TEST(two_devices)
{
    struct fixture *fixture = *state;
    struct oro_device *second = helper_device(fixture->folder), *third = helper_device(fixture->folder);
    for (int i = 0; i < 3; i++) {
        run_ramp(fixture->device, 33, 20, 2);
        run_ramp(second, 20, 33, 2);
    }
    third->ops->destroy(third);
    run_ramp(second, 64, 64, 1);
    second->ops->destroy(second);
    run_ramp(fixture->device, 64, 64, 1);
}

TEST(many_steps)
{
    struct fixture *fixture = *state;
    struct oro_device *device = fixture->device;
    double start = oro_now();
    for (int i = 0; i < 200000; i++)
        if (!device->ops->pace(device, NULL))
            fail();
    assert_true(oro_now() - start < 0.5); /* nothing is due */
    run_ramp(device, 16, 16, 100);
}

TEST_GROUP(set_up, tear_down);
