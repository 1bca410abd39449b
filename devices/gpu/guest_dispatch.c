/* Kernels of strangers on a software driver: what such a driver compiles is code of this processor, which may
 * crash, so it runs in the guest, with copies of its buffers in shared memory. */
#include "devices/gpu/guest_dispatch.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include <sys/wait.h>

#include "devices/gpu/guest.h"
#include "devices/gpu/trial_words.h"
#include "devices/guest/shared.h"

static bool share(const struct oro_device_dispatch *dispatch, struct oro_shared *shared,
                  struct oro_error *err)
{
    size_t bytes = 1; /* there may be nothing in the buffers */
    for (int i = 0; i < dispatch->buffer_count; i++)
        bytes += dispatch->buffers[i]->bytes;
    return oro_shared_make(shared, "buffers", bytes) ||
           oro_fail(err, ORO_E_MEMORY, "no memory to share a kernel's buffers (%zu MiB): %s", bytes >> 20,
                    strerror(errno));
}

/* Between the buffers and their copies. */
static bool copy_out(struct oro_gpu *gpu, const struct oro_device_dispatch *dispatch, char *to,
                     struct oro_error *err)
{
    bool ok = true;
    for (int i = 0; ok && i < dispatch->buffer_count; i++) {
        size_t bytes = dispatch->buffers[i]->bytes;
        ok = oro_gpu_download(&gpu->device, dispatch->buffers[i], to, bytes, err);
        to += bytes;
    }
    return ok;
}

static bool copy_in(struct oro_gpu *gpu, const struct oro_device_dispatch *dispatch, const char *from,
                    struct oro_error *err)
{
    bool ok = true;
    for (int i = 0; ok && i < dispatch->buffer_count; i++) {
        size_t bytes = dispatch->buffers[i]->bytes;
        if (dispatch->written >> i & 1)
            ok = oro_gpu_upload(&gpu->device, dispatch->buffers[i], from, bytes, err);
        from += bytes;
    }
    return ok;
}

static void put_run(const struct oro_device_dispatch *dispatch, const struct oro_gpu_groups *groups,
                    struct oro_packet *packet)
{
    oro_put_text(packet, dispatch->kernel->guest_text);
    oro_put_int(packet, groups->first_x);
    oro_put_int(packet, groups->first_y);
    oro_put_int(packet, groups->columns);
    oro_put_int(packet, groups->rows);
    oro_put_bytes(packet, dispatch->constants ? dispatch->constants : "",
                  dispatch->constants ? dispatch->constants_size : 0);
    oro_put_int(packet, dispatch->written);
    oro_put_int(packet, dispatch->buffer_count);
    for (int i = 0; i < dispatch->buffer_count; i++)
        oro_put_int(packet, (int64_t)dispatch->buffers[i]->bytes);
}

/* It runs for as long as it takes: its loops end by themselves, and the user may stop it. */
static bool run(struct oro_gpu *gpu, struct oro_packet *packet, struct oro_error *err)
{
    struct oro_gpu_watch watch = {.gpu = gpu, .seconds = HUGE_VAL, .work = HUGE_VAL, .memory = SIZE_MAX / 2};
    if (!oro_gpu_guest_need(gpu, err))
        return false;
    if (oro_gpu_guest_ask(packet, &watch) && packet->kind == ORO_TRIAL_DONE)
        return true;
    int status = oro_gpu_guest_end();
    if (watch.end == ORO_GPU_STOPPED)
        return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    return oro_fail(err, ORO_E_EVALUATE, "a kernel of a script crashed (%s)",
                    WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "its process has ended");
}

bool oro_gpu_dispatch_in_guest(struct oro_gpu *gpu, const struct oro_device_dispatch *dispatch,
                               const struct oro_gpu_groups *groups, struct oro_error *err)
{
    struct oro_shared shared = {.file = -1};
    struct oro_packet packet = {.kind = ORO_TRIAL_RUN, .file = -1};
    bool ok = share(dispatch, &shared, err) && copy_out(gpu, dispatch, shared.memory, err);
    if (ok) {
        put_run(dispatch, groups, &packet);
        packet.file = shared.file;
        oro_gpu_guest_lock();
        ok = run(gpu, &packet, err);
        oro_gpu_guest_unlock();
    }
    ok = ok && copy_in(gpu, dispatch, shared.memory, err);
    oro_packet_free(&packet);
    oro_shared_free(&shared);
    return ok;
}
