/* Shared by the tests of devices/gpu/. */
#ifndef ORO_TESTS_GPU_HELPERS_H
#define ORO_TESTS_GPU_HELPERS_H

#include <stdio.h>
#include <stdlib.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "devices/gpu/gpu.h"
#include "tests/support/test.h"

/* A device with kernels from `folder`, or embedded ones. Without any device, the test fails. */
static inline struct oro_device *helper_device_with(const char *folder, const struct oro_log *log)
{
    struct oro_error err = {0};
    struct oro_device *device = oro_gpu_create(
        &(struct oro_gpu_options){.index = ORO_GPU_ANY, .shader_dir = folder, .log = log}, &err);
    if (!device)
        fail_msg("%s", err.text);
    return device;
}

static inline struct oro_device *helper_device(const char *folder)
{
    return helper_device_with(folder, NULL);
}

/* A fresh folder for kernels, with lib/ in it. Returns `folder`. */
static inline const char *helper_folder(char folder[64])
{
    const char *root = getenv("TMPDIR");
    char lib[80];
    snprintf(folder, 64, "%.40s/oro-gpu-XXXXXX", root ? root : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(lib, sizeof lib, "%s/lib", folder);
    assert_int_equal(mkdir(lib, 0777), 0);
    return folder;
}

static inline void helper_write(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(oro_file_write(path, text, strlen(text), NULL));
}

static inline void helper_unlink(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

/* Removes the named files, which end with NULL, lib/ and the folder. */
static inline void helper_remove(const char *folder, const char *const *names)
{
    char lib[256];
    for (; *names; names++)
        helper_unlink(folder, *names);
    snprintf(lib, sizeof lib, "%s/lib", folder);
    assert_int_equal(rmdir(lib), 0);
    assert_int_equal(rmdir(folder), 0);
}

#endif
