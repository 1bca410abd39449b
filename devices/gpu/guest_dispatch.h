/* Kernels of strangers on a software driver run in the guest. Internal to devices/gpu/. */
#ifndef ORO_GPU_GUEST_DISPATCH_H
#define ORO_GPU_GUEST_DISPATCH_H

#include "devices/gpu/internal.h"

/* Work groups, to the east and south of the first. */
struct oro_gpu_groups {
    int64_t first_x, first_y, columns, rows;
};

/* Runs a kernel whose `guest_text` is set. Fails with ORO_E_EVALUATE when it crashes, with ORO_E_CANCELLED.
 */
bool oro_gpu_dispatch_in_guest(struct oro_gpu *gpu, const struct oro_device_dispatch *dispatch,
                               const struct oro_gpu_groups *groups, struct oro_error *err);

#endif
