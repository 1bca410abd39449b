/* The device's life, its buffers and their accounting. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "devices/gpu/gpu.h"
#include "tests/gpu/helpers.h"
#include "tests/support/test.h"

TEST(create)
{
    struct oro_device *device = helper_device(NULL);
    const struct oro_device_info *info = &device->info;
    assert_true(info->name[0] && info->version[0] && info->platform[0]);
    assert_true(info->buffer_limit >= (size_t)64 << 20);
    assert_true(info->buffers_per_kernel >= 4 && info->buffers_per_kernel <= ORO_BUFFERS_MAX);
    assert_true(info->group_limit >= 128 && info->shared_bytes >= 16384 && info->groups_per_axis >= 65535);
    assert_int_equal(device->used_bytes, 0);
    assert_int_equal(device->peak_bytes, 0);
    assert_true(device->ops->finish(device, NULL));
    device->ops->destroy(device);
}

TEST(no_such_device)
{
    struct oro_error err = {0};
    assert_null(oro_gpu_create(&(struct oro_gpu_options){.index = 1000}, &err));
    assert_int_equal(err.code, ORO_E_DEVICE);
    assert_non_null(strstr(err.text, "no usable device"));
    assert_null(oro_gpu_create(&(struct oro_gpu_options){.index = -7}, NULL));
}

TEST(list)
{
    struct oro_gpu_entry entries[40];
    int count = oro_gpu_list(entries, 40), usable = 0;
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        assert_int_equal(entries[i].index, i);
        assert_true(entries[i].info.platform[0]);
        assert_true(entries[i].usable ? entries[i].info.name[0] : entries[i].problem[0]);
        usable += entries[i].usable;
    }
    assert_true(usable > 0);
    assert_int_equal(oro_gpu_list(entries, 1), 1);
    assert_int_equal(oro_gpu_list(entries, 0), 0);
}

/* 50 MiB and some more: the staging buffer is used more than once. */
static void transfer(struct oro_device *device)
{
    enum { COUNT = (50 << 18) + 12345 };
    struct oro_buffer *a = device->ops->buffer_create(device, COUNT * sizeof(uint32_t), NULL);
    struct oro_buffer *b = device->ops->buffer_create(device, COUNT * sizeof(uint32_t), NULL);
    uint32_t *data = malloc(COUNT * sizeof *data), *back = calloc(COUNT, sizeof *back);
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = i * 2654435761u;
    assert_true(device->ops->upload(device, a, data, COUNT * sizeof *data, NULL));
    assert_true(device->ops->copy(device, a, b, COUNT * sizeof *data, NULL));
    assert_true(device->ops->download(device, b, back, COUNT * sizeof *data, NULL));
    assert_memory_equal(data, back, COUNT * sizeof *data);
    assert_true(device->ops->download(device, b, back, 0, NULL));
    struct oro_error err = {0};
    assert_false(device->ops->upload(device, a, data, COUNT * sizeof *data + 1, &err));
    assert_int_equal(err.code, ORO_E_DEVICE);
    assert_false(device->ops->download(device, NULL, back, 1, &err));
    free(data);
    free(back);
    device->ops->buffer_destroy(device, a);
    device->ops->buffer_destroy(device, b);
}

TEST(transfers)
{
    struct oro_device *device = helper_device(NULL);
    transfer(device);
    /* A software driver can do what is done on hardware, where that is faster. */
    device->info.software = false;
    transfer(device);
    device->ops->destroy(device);
}

TEST(tiny_buffers)
{
    struct oro_device *device = helper_device(NULL);
    for (size_t bytes = 0; bytes < 40; bytes++) {
        struct oro_buffer *buffer = device->ops->buffer_create(device, bytes, NULL);
        char data[40] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM", back[40] = "";
        assert_non_null(buffer);
        assert_true(device->ops->upload(device, buffer, data, bytes, NULL));
        assert_true(device->ops->download(device, buffer, back, bytes, NULL));
        assert_memory_equal(data, back, bytes);
        assert_int_equal(device->used_bytes, bytes);
        device->ops->buffer_destroy(device, buffer);
    }
    device->ops->buffer_destroy(device, NULL);
    device->ops->destroy(device);
}

TEST(budget)
{
    const size_t mebibyte = (size_t)1 << 20;
    struct oro_device *device = helper_device(NULL);
    device->budget_bytes = 4 * mebibyte;
    struct oro_buffer *a = device->ops->buffer_create(device, 3 * mebibyte, NULL);
    assert_non_null(a);
    struct oro_error err = {0};
    assert_null(device->ops->buffer_create(device, 2 * mebibyte, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    assert_string_equal(err.text, "a buffer of 2.0 MiB is wanted; 3.0 of the budget of 4.0 MiB are in use");
    assert_int_equal(device->used_bytes, 3 * mebibyte);
    device->ops->buffer_destroy(device, a);
    assert_int_equal(device->used_bytes, 0);
    assert_int_equal(device->peak_bytes, 3 * mebibyte);
    a = device->ops->buffer_create(device, 4 * mebibyte,
                                   NULL); /* memory kept from the freed one is released for it */
    assert_non_null(a);
    assert_int_equal(device->peak_bytes, 4 * mebibyte);
    device->ops->buffer_destroy(device, a);
    device->budget_bytes = 0;
    assert_null(device->ops->buffer_create(device, device->info.buffer_limit + 1, &err));
    assert_int_equal(err.code, ORO_E_LIMIT);
    assert_non_null(strstr(err.text, "MiB"));
    assert_null(device->ops->buffer_create(device, (size_t)-1, &err));
    device->ops->destroy(device);
}

TEST(reuse)
{
    struct oro_device *device = helper_device(NULL);
    for (int round = 0; round < 50; round++) {
        struct oro_buffer *buffers[12];
        for (size_t i = 0; i < 12; i++)
            assert_non_null(buffers[i] = device->ops->buffer_create(device, 4096 + 1024 * (i % 3), NULL));
        for (size_t i = 0; i < 12; i++)
            device->ops->buffer_destroy(device, buffers[i]);
        assert_int_equal(device->used_bytes, 0);
    }
    device->ops->destroy(device);
}

/* Larger than any size tried at start. */
TEST(large_buffer)
{
    const size_t bytes = (size_t)256 << 20;
    struct oro_device *device = helper_device(NULL);
    struct oro_buffer *buffer = device->ops->buffer_create(device, bytes, NULL);
    assert_non_null(buffer);
    char *data = malloc(bytes), *back = malloc(bytes);
    memset(data, 0x5a, bytes);
    data[0] = 1;
    data[bytes - 1] = 2;
    assert_true(device->ops->upload(device, buffer, data, bytes, NULL));
    assert_true(device->ops->download(device, buffer, back, bytes, NULL));
    assert_memory_equal(data, back, bytes);
    free(data);
    free(back);
    device->ops->buffer_destroy(device, buffer);
    device->ops->destroy(device);
}

TEST(timer)
{
    struct oro_device *device = helper_device(NULL);
    bool began = device->ops->timer_begin(device);
    assert_int_equal(began, device->info.timers);
    assert_false(device->ops->timer_begin(device) && began); /* not nested */
    struct oro_buffer *buffer = device->ops->buffer_create(device, 1 << 20, NULL);
    double seconds = device->ops->timer_end(device);
    assert_true(began ? seconds >= 0 && seconds < 10 : seconds < 0);
    assert_true(device->ops->timer_end(device) < 0);
    device->ops->buffer_destroy(device, buffer);
    device->ops->destroy(device);
}

/* Memory of the host: the processor sees what was copied there, and what it writes is copied from there. */
TEST(buffers_of_the_host)
{
    struct oro_error err = {0};
    struct oro_device *device = helper_device(NULL);
    void *memory = NULL;
    uint32_t numbers[64], back[64];
    for (uint32_t i = 0; i < 64; i++)
        numbers[i] = i * 2654435761u;
    size_t used = device->used_bytes;
    struct oro_buffer *host = device->ops->host_create(device, sizeof numbers, &memory);
    assert_non_null(host); /* Mesa has it */
    assert_int_equal(device->used_bytes, used);
    struct oro_buffer *buffer = device->ops->buffer_create(device, sizeof numbers, &err);
    assert_true(device->ops->upload(device, buffer, numbers, sizeof numbers, &err));
    assert_true(device->ops->copy(device, buffer, host, sizeof numbers, &err));
    assert_true(device->ops->finish(device, &err));
    assert_memory_equal(memory, numbers, sizeof numbers);
    ((uint32_t *)memory)[7] = numbers[7] = 99;
    assert_true(device->ops->copy(device, host, buffer, sizeof numbers, &err));
    assert_true(device->ops->download(device, buffer, back, sizeof back, &err));
    assert_memory_equal(back, numbers, sizeof back);
    device->ops->buffer_destroy(device, host);
    device->ops->buffer_destroy(device, buffer);
    device->ops->destroy(device);
}
