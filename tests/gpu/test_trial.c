/* Kernels of strangers as a card has them: the guest compiles, and the program takes what came of it. A
 * software driver stands in for the card. */
#include <string.h>

#include "devices/gpu/internal.h"
#include "devices/gpu/trial.h"
#include "tests/gpu/helpers.h"
#include "tests/support/folder.h"
#include "tests/support/test.h"

static const char preamble[] = "#version 310 es\nprecision highp float;\nprecision highp int;\n"
                               "layout(local_size_x = 8, local_size_y = 1) in;\n"
                               "layout(std430, binding = 0) buffer Out { float value[]; };\n";

static struct oro_device *device;
static char folder[64];

FIXTURE(set_up)
{
    snprintf(folder, sizeof folder, P_tmpdir "/orograph-trial-XXXXXX");
    assert_non_null(mkdtemp(folder));
    setenv("OROGRAPH_CACHE", folder, 1);
    device = helper_device(NULL);
    device->info.software = false;
    return 0;
}

FIXTURE(tear_down)
{
    device->ops->destroy(device);
    return remove_tree(folder);
}

static struct oro_kernel *kernel_of(const char *text, struct oro_error *err)
{
    static struct oro_kernel_source source = {
        .file = "a.lua", .preamble = preamble, .first_line = 7, .foreign = true};
    source.text = text;
    return device->ops->kernel(device, &source, err);
}

static void expect_values(struct oro_kernel *kernel, float each)
{
    float values[8] = {0};
    struct oro_buffer *buffer = device->ops->buffer_create(device, sizeof values, NULL);
    const struct oro_device_dispatch dispatch = {.kernel = kernel,
                                                 .columns = 8,
                                                 .rows = 1,
                                                 .group_columns = 8,
                                                 .group_rows = 1,
                                                 .buffers = &buffer,
                                                 .buffer_count = 1,
                                                 .written = 1};
    assert_true(device->ops->dispatch(device, &dispatch, NULL));
    assert_true(device->ops->download(device, buffer, values, sizeof values, NULL));
    for (int i = 0; i < 8; i++)
        assert_true(values[i] == each * (float)i);
    device->ops->buffer_destroy(device, buffer);
}

TEST(what_the_guest_compiled_runs)
{
    static const char text[] =
        "void main() { value[gl_LocalInvocationID.x] = 2.0 * float(gl_LocalInvocationID.x); }\n";
    struct oro_error err = {0};
    struct oro_kernel *kernel = kernel_of(text, &err);
    if (!kernel)
        fail_msg("%s", err.text);
    expect_values(kernel, 2);
    /* As another program finds it. */
    device->ops->destroy(device);
    device = helper_device(NULL);
    device->info.software = false;
    expect_values(kernel_of(text, &err), 2);
}

/* The driver's form of it is handed over, where the driver has one, and kept. */
TEST(the_program_is_handed_over)
{
    char text[1024];
    struct oro_error err = {0};
    GLint formats = 0;
    glGetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
    snprintf(text, sizeof text, "%svoid main() { value[gl_LocalInvocationID.x] = 3.0; }\n", preamble);
    for (int i = 0; i < 2; i++) {
        struct oro_tried tried;
        assert_true(oro_gpu_try((struct oro_gpu *)device, text, "a.lua", 1, true, &tried, &err));
        assert_true(tried.compiles && !tried.log);
        assert_int_equal(tried.program != NULL, formats > 0);
        oro_tried_free(&tried);
        assert_true(oro_gpu_try((struct oro_gpu *)device, text, "a.lua", 1, false, &tried, &err));
        assert_true(tried.compiles && !tried.program);
    }
}

TEST(the_drivers_messages_come_from_the_guest)
{
    struct oro_error err = {0};
    assert_null(kernel_of("void main() {\n  value[0] = nothing;\n}\n", &err));
    assert_int_equal(err.code, ORO_E_KERNEL);
    assert_non_null(strstr(err.text, "a.lua:8"));
    assert_non_null(strstr(err.text, "nothing"));
}

TEST_GROUP(set_up, tear_down);
