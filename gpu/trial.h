/*
 * Kernels of strangers are compiled and run for the first time in a guest (guest/guest.h), because compilers
 * of drivers crash over some texts, and do not end over others. One guest has a context of its own on the
 * same device, and tries one kernel after the other; a kernel that ends it is refused. Internal to gpu/, but
 * for the guest's side.
 */
#ifndef ORO_GPU_TRIAL_H
#define ORO_GPU_TRIAL_H

#include <stdbool.h>

#include "base/error.h"

struct oro_gpu;

/* Whether the driver takes the text, the whole of a compute shader, without harm. It may still have errors,
 * so that it does not compile. Known for texts that were tried before, also by another program. Fails with
 * ORO_E_KERNEL, the text "FILE:LINE: ...", with ORO_E_CANCELLED when device.stop says so, and with
 * ORO_E_EVALUATE where there is no guest. */
bool oro_gpu_try(struct oro_gpu *gpu, const char *text, const char *file, int line, bool *compiles,
                 struct oro_error *err);

/* The guest's side: serves until the program closes its end. Returns an exit status. */
int oro_gpu_serve_trials(int socket);

#endif
