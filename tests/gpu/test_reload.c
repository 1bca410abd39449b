/* Live reload of a shader folder, and lost contexts. */
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "devices/gpu/internal.h"
#include "tests/gpu/helpers.h"
#include "tests/support/test.h"

static const char preamble[] = "#version 310 es\nlayout(local_size_x = 1) in;\nprecision highp int;\n"
                               "layout(std430, binding = 0) buffer Out { uint value[]; };\n";

struct heard {
    int warnings, notices;
    char last[1024];
};

static void listen(void *user, enum oro_level level, const char *text)
{
    struct heard *heard = user;
    heard->warnings += level == ORO_WARNING;
    heard->notices += level == ORO_NOTICE;
    if (level == ORO_WARNING)
        snprintf(heard->last, sizeof heard->last, "%s", text);
}

struct fixture {
    char folder[64];
    struct heard heard;
    struct oro_log log;
    struct oro_device *device;
};

FIXTURE(set_up)
{
    static struct fixture fixture;
    fixture = (struct fixture){.log = {listen, &fixture.heard}};
    helper_folder(fixture.folder);
    helper_write(fixture.folder, "k.comp", "#include \"lib/x.glsl\"\nvoid main() { value[0] = x(); }\n");
    helper_write(fixture.folder, "lib/x.glsl", "uint x() { return 1u; }\n");
    fixture.device = helper_device_with(fixture.folder, &fixture.log);
    *state = &fixture;
    return 0;
}

FIXTURE(tear_down)
{
    struct fixture *fixture = *state;
    fixture->device->ops->destroy(fixture->device);
    helper_remove(fixture->folder, (const char *[]){"k.comp", "lib/x.glsl", NULL});
    return 0;
}

static struct oro_kernel *kernel_of(struct oro_device *device)
{
    struct oro_error err = {0};
    struct oro_kernel *kernel = device->ops->kernel(
        device, &(struct oro_kernel_source){.file = "k.comp", .preamble = preamble}, &err);
    if (!kernel)
        fail_msg("%s", err.text);
    return kernel;
}

static uint32_t result(struct oro_device *device, struct oro_kernel *kernel)
{
    uint32_t value = 0;
    struct oro_buffer *buffer = device->ops->buffer_create(device, sizeof value, NULL);
    struct oro_device_dispatch dispatch = {.kernel = kernel,
                                           .columns = 1,
                                           .rows = 1,
                                           .group_columns = 1,
                                           .group_rows = 1,
                                           .buffers = &buffer,
                                           .buffer_count = 1};
    assert_non_null(buffer);
    assert_true(device->ops->dispatch(device, &dispatch, NULL));
    assert_true(device->ops->download(device, buffer, &value, sizeof value, NULL));
    device->ops->buffer_destroy(device, buffer);
    return value;
}

static struct oro_hash digest_of(struct oro_device *device)
{
    struct oro_hash digest;
    assert_true(device->ops->kernel_digest(device, "k.comp", &digest, NULL));
    return digest;
}

TEST_WITH(reload, set_up, tear_down)
{
    struct fixture *fixture = *state;
    struct oro_device *device = fixture->device;
    struct oro_kernel *first = kernel_of(device);
    struct oro_hash first_digest = digest_of(device);
    assert_int_equal(result(device, first), 1);
    helper_write(fixture->folder, "lib/x.glsl", "uint x() { return 22u; }\n");
    struct oro_kernel *second = kernel_of(device);
    assert_int_equal(result(device, second), 22);
    assert_int_equal(result(device, first), 1); /* holders of the old one may go on using it */
    assert_false(oro_hash_equal(first_digest, digest_of(device)));
    assert_int_equal(fixture->heard.notices, 1);
    helper_write(fixture->folder, "lib/x.glsl", "uint x() { return 1u; }\n");
    assert_true(oro_hash_equal(first_digest, digest_of(device)));
    assert_ptr_equal(kernel_of(device), first);
    assert_int_equal(fixture->heard.warnings, 0);
}

TEST_WITH(last_good, set_up, tear_down)
{
    struct fixture *fixture = *state;
    struct oro_device *device = fixture->device;
    struct oro_kernel *good = kernel_of(device);
    struct oro_hash digest = digest_of(device);
    helper_write(fixture->folder, "lib/x.glsl", "uint x() {\n    return y;\n}\n");
    assert_ptr_equal(kernel_of(device), good);
    assert_true(oro_hash_equal(digest, digest_of(device))); /* that of the text in use */
    assert_ptr_equal(kernel_of(device), good);
    assert_int_equal(fixture->heard.warnings, 1);
    assert_non_null(strstr(fixture->heard.last, "lib/x.glsl:2: error"));
    helper_unlink(fixture->folder, "lib/x.glsl");
    assert_ptr_equal(kernel_of(device), good);
    assert_ptr_equal(kernel_of(device), good);
    assert_int_equal(fixture->heard.warnings, 2);
    assert_non_null(strstr(fixture->heard.last, "k.comp:1: error: cannot include 'lib/x.glsl'"));
    helper_unlink(fixture->folder, "k.comp");
    assert_ptr_equal(kernel_of(device), good);
    assert_int_equal(fixture->heard.warnings, 3);
    helper_write(fixture->folder, "lib/x.glsl", "uint x() { return 3u; }\n");
    helper_write(fixture->folder, "k.comp", "#include \"lib/x.glsl\"\nvoid main() { value[0] = x(); }\n");
    assert_int_equal(result(device, kernel_of(device)), 3);
    assert_int_equal(fixture->heard.warnings, 3);
}

static void expect_lost(struct oro_device *device, struct oro_buffer *buffer, struct oro_kernel *kernel)
{
    struct oro_error err = {0};
    struct oro_hash digest;
    uint32_t value = 0;
    struct oro_kernel_source source = {.file = "k.comp", .preamble = preamble};
    struct oro_device_dispatch dispatch = {
        .kernel = kernel, .columns = 1, .rows = 1, .group_columns = 1, .group_rows = 1};
    const struct oro_device_ops *ops = device->ops;
#define EXPECT(call)                                                                                         \
    do {                                                                                                     \
        err = (struct oro_error){0};                                                                         \
        assert_false(call);                                                                                  \
        assert_int_equal(err.code, ORO_E_LOST);                                                              \
    } while (0)
    EXPECT(ops->upload(device, buffer, &value, 4, &err));
    assert_string_equal(err.text, "the GPU context was lost (reset by the driver)");
    EXPECT(ops->download(device, buffer, &value, 4, &err));
    EXPECT(ops->copy(device, buffer, buffer, 4, &err));
    EXPECT(ops->buffer_create(device, 4, &err));
    EXPECT(ops->kernel(device, &source, &err));
    assert_true(ops->kernel_digest(device, "k.comp", &digest,
                                   &err)); /* a digest of the text, so that plans can still be made */
    EXPECT(ops->dispatch(device, &dispatch, &err));
    EXPECT(ops->pace(device, &err));
    EXPECT(ops->finish(device, &err));
    assert_false(ops->timer_begin(device));
    assert_true(ops->timer_end(device) < 0);
}

TEST_WITH(lost, set_up, tear_down)
{
    struct fixture *fixture = *state;
    struct oro_device *device = fixture->device, *other = helper_device(fixture->folder);
    struct oro_kernel *kernel = kernel_of(device);
    for (int round = 0; round < 3; round++) {
        struct oro_buffer *early = device->ops->buffer_create(device, 64, NULL);
        struct oro_buffer *late = device->ops->buffer_create(device, 64, NULL);
        oro_gpu_lose(device);
        expect_lost(device, early, kernel);
        device->ops->buffer_destroy(device, early);
        assert_true(device->ops->rebuild(device, NULL));
        assert_int_equal(device->used_bytes, 0);
        struct oro_error err = {0};
        uint32_t value = 0;
        assert_false(device->ops->upload(device, late, &value, sizeof value, &err));
        assert_int_equal(err.code, ORO_E_LOST);
        device->ops->buffer_destroy(device, late);
        assert_int_equal(device->used_bytes, 0);
        struct oro_device_dispatch dispatch = {
            .kernel = kernel, .columns = 1, .rows = 1, .group_columns = 1, .group_rows = 1};
        assert_false(device->ops->dispatch(device, &dispatch, &err));
        assert_int_equal(err.code, ORO_E_LOST);
        kernel = kernel_of(device);
        assert_int_equal(result(device, kernel), 1);
        assert_int_equal(result(other, kernel_of(other)), 1); /* not concerned */
    }
    other->ops->destroy(other);
    oro_gpu_lose(device); /* a lost device can be destroyed */
    oro_gpu_lose(device);
}

TEST_WITH(change_while_lost, set_up, tear_down)
{
    struct fixture *fixture = *state;
    struct oro_device *device = fixture->device;
    assert_int_equal(result(device, kernel_of(device)), 1);
    oro_gpu_lose(device);
    helper_write(fixture->folder, "lib/x.glsl", "uint x() { return 44u; }\n");
    assert_true(device->ops->rebuild(device, NULL));
    assert_int_equal(result(device, kernel_of(device)), 44);
    assert_true(device->ops->rebuild(device, NULL)); /* of a healthy device */
    helper_write(fixture->folder, "lib/x.glsl", "uint x() { return z; }\n");
    assert_int_equal(result(device, kernel_of(device)), 44);
}

/* Every allocation in turn fails: an error, no crash, nothing lost, and it works afterwards. */
TEST_WITH(out_of_memory, set_up, tear_down)
{
    struct fixture *fixture = *state;
    struct oro_device *device = fixture->device;
    int failures = 0;
    for (size_t n = 1; n < 40; n++) {
        char file[16]; /* a kernel file that the device has not seen */
        snprintf(file, sizeof file, "m%zu.comp", n);
        helper_write(fixture->folder, file, "#include \"lib/x.glsl\"\nvoid main() { value[0] = x(); }\n");
        struct oro_error err = {0};
        struct oro_kernel_source source = {.file = file, .preamble = preamble};
        oro_memory_fail_at(n);
        struct oro_buffer *buffer = device->ops->buffer_create(device, 64, &err);
        struct oro_kernel *kernel = device->ops->kernel(device, &source, &err);
        oro_memory_fail_at(0);
        failures += !buffer || !kernel;
        if (!buffer || !kernel)
            assert_true(err.code == ORO_E_MEMORY || err.code == ORO_E_KERNEL);
        device->ops->buffer_destroy(device, buffer);
        assert_non_null(device->ops->kernel(device, &source, NULL));
        helper_unlink(fixture->folder, file);
    }
    assert_true(failures > 10);
    assert_int_equal(result(device, kernel_of(device)), 1);
}

TEST(create_out_of_memory)
{
    for (size_t n = 1; n < 12; n++) {
        oro_memory_fail_at(n);
        struct oro_device *device = oro_gpu_create(&(struct oro_gpu_options){.index = ORO_GPU_ANY}, NULL);
        oro_memory_fail_at(0);
        if (device)
            device->ops->destroy(device);
    }
}
