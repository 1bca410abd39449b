/* The guest that has a context of its own, in which kernels of strangers are tried, and run where the driver
 * is software. Internal to devices/gpu/. */
#ifndef ORO_GPU_GUEST_H
#define ORO_GPU_GUEST_H

#include "base/error.h"
#include "devices/guest/packet.h"

struct oro_gpu;

/* All devices of the program share it; whatever follows is done between these two. */
void oro_gpu_guest_lock(void);
void oro_gpu_guest_unlock(void);

/* Makes sure that there is one, on the device's driver. Fails with ORO_E_EVALUATE or ORO_E_CANCELLED. */
bool oro_gpu_guest_need(struct oro_gpu *gpu, struct oro_error *err);

/* Whether what it keeps of earlier kernels leaves little of what the next one may take. */
bool oro_gpu_guest_is_full(void);

/* What it may take for one answer, and how that ended. */
struct oro_gpu_watch {
    struct oro_gpu *gpu;  /* whose device.stop is asked */
    double seconds, work; /* in all, and of processor time */
    size_t memory;        /* bytes more than it had before the first kernel */
    double start, work_before;
    enum { ORO_GPU_GOES_ON, ORO_GPU_STOPPED, ORO_GPU_SLOW, ORO_GPU_LARGE } end;
};
/* Sends a packet and receives the answer. False: the guest has ended, or has to. */
bool oro_gpu_guest_ask(struct oro_packet *packet, struct oro_gpu_watch *watch);

/* Ends it. Returns how it ended, as waitpid gives it. */
int oro_gpu_guest_end(void);

#endif
