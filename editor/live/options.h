/* What the live evaluation, builds and samples are told when they begin: device, shaders, memory. */
#ifndef ED_LIVE_OPTIONS_H
#define ED_LIVE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct ed_live_options {
    int device;             /* as listed by `orograph devices`, or ORO_DEVICE_ANY */
    const char *shader_dir; /* or NULL */
    size_t memory_bytes;    /* device memory to use; 0: chosen */
    bool no_disk_cache;
    bool allow_any_path;
    /* Called on the live thread when there is something new to look at; NULL. */
    void (*wake)(void *user);
    void *user;
};

#endif
