#include <stdio.h>

#include "devices/gpu/context.h"
#include "devices/gpu/gpu.h"

/* The context that is current in a thread, such as that of a window. */
struct current {
    EGLDisplay display;
    EGLSurface draw, read;
    EGLContext context;
};

struct oro_hash oro_gpu_kernels_digest(void)
{
    struct oro_hash digest = {0};
    for (size_t i = 0; i < oro_shader_file_count; i++) {
        struct oro_hash parts[2] = {digest, oro_hash_of(oro_shader_files[i].text, oro_shader_files[i].size)};
        digest = oro_hash_of(parts, sizeof parts);
    }
    return digest;
}

int oro_gpu_list(struct oro_gpu_entry *entries, int limit)
{
    struct oro_candidate candidates[ORO_CANDIDATES_MAX];
    struct current before = (struct current){eglGetCurrentDisplay(), eglGetCurrentSurface(EGL_DRAW),
                                             eglGetCurrentSurface(EGL_READ), eglGetCurrentContext()};
    int count = oro_candidates(candidates, ORO_CANDIDATES_MAX);
    if (count > limit)
        count = limit;
    for (int i = 0; i < count; i++) {
        struct oro_error problem = {0};
        struct oro_device *device = oro_gpu_create(&(struct oro_gpu_options){.index = i}, &problem);
        entries[i] = (struct oro_gpu_entry){.index = i, .usable = device != NULL};
        if (device) {
            entries[i].info = device->info;
            device->ops->destroy(device);
        } else {
            snprintf(entries[i].info.platform, sizeof entries[i].info.platform, "%s", candidates[i].name);
            snprintf(entries[i].problem, sizeof entries[i].problem, "%.255s", problem.text);
        }
    }
    if (before.context != EGL_NO_CONTEXT && eglGetCurrentContext() != before.context)
        eglMakeCurrent(before.display, before.draw, before.read, before.context);
    return count > 0 ? count : 0;
}
