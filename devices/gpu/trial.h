/*
 * Kernels of strangers are compiled and run for the first time in a guest (devices/guest/guest.h), because
 * compilers of drivers crash over some texts, and do not end over others. One guest has a context of its own
 * on the same device, and tries one kernel after the other; a kernel that ends it is refused. Internal to
 * devices/gpu/, but for the guest's side.
 */
#ifndef ORO_GPU_TRIAL_H
#define ORO_GPU_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct oro_gpu;

/* What came of a kernel that did no harm. */
struct oro_tried {
    bool compiles;
    char *log; /* what the driver says of it if it does not compile; NULL: there is no memory for that */
    /* Else what the driver made of it, for oro_gpu_take_back; NULL: the driver hands out no programs, or none
     * was wanted. */
    void *program;
    size_t size;
    uint32_t format;
};
void oro_tried_free(struct oro_tried *tried);

/* Tries the text, the whole of a compute shader. Known for texts that were tried before, also by another
 * program. `wanted`: with what the driver made of it. Fails with ORO_E_KERNEL, the text
 * "FILE:LINE: ...", with ORO_E_CANCELLED when device.stop says so, and with ORO_E_EVALUATE where there is no
 * guest. */
bool oro_gpu_try(struct oro_gpu *gpu, const char *text, const char *file, int line, bool wanted,
                 struct oro_tried *tried, struct oro_error *err);

/* The guest's side: serves until the program closes its end. Returns an exit status. */
int oro_gpu_serve_trials(int socket);

#endif
