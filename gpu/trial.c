#include "gpu/trial.h"

#include <string.h>

#include <sys/wait.h>

#include "gpu/guest.h"
#include "gpu/internal.h"
#include "gpu/trial_words.h"
#include "gpu/verdicts.h"

/* What compiling and running one kernel may take: seconds of processor time, seconds in all, bytes. */
static const double most_work = 2, most_seconds = 15;
static const size_t most_memory = (size_t)320 << 20;

static bool refuse(const struct oro_gpu_watch *watch, int status, const char *file, int line,
                   struct oro_error *err)
{
    switch (watch->end) {
    case ORO_GPU_STOPPED:
        return oro_fail(err, ORO_E_CANCELLED, "cancelled");
    case ORO_GPU_SLOW:
        return oro_fail(err, ORO_E_KERNEL,
                        "%s:%d: the driver takes longer than %g s to compile this kernel; simpler "
                        "expressions, fewer arrays or shorter loops may help",
                        file, line, most_work);
    case ORO_GPU_LARGE:
        return oro_fail(err, ORO_E_KERNEL,
                        "%s:%d: the driver takes more than %zu MiB to compile this kernel; simpler "
                        "expressions, fewer arrays or shorter loops may help",
                        file, line, most_memory >> 20);
    default:
        return oro_fail(err, ORO_E_KERNEL, "%s:%d: the driver crashes over this kernel (%s)", file, line,
                        WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "its process has ended");
    }
}

static bool try_once(struct oro_gpu *gpu, const char *text, const char *file, int line, bool *compiles,
                     struct oro_error *err)
{
    struct oro_packet packet = {.kind = ORO_TRIAL_KERNEL, .file = -1};
    struct oro_gpu_watch watch = {
        .gpu = gpu, .seconds = most_seconds, .work = most_work, .memory = most_memory};
    if (!oro_gpu_guest_need(gpu, err))
        return false;
    oro_put_text(&packet, text);
    bool ok = oro_gpu_guest_ask(&packet, &watch) && packet.kind == ORO_TRIAL_DONE;
    *compiles = ok && oro_take_int(&packet);
    oro_packet_free(&packet);
    return ok || refuse(&watch, oro_gpu_guest_end(), file, line, err);
}

bool oro_gpu_try(struct oro_gpu *gpu, const char *text, const char *file, int line, bool *compiles,
                 struct oro_error *err)
{
    struct oro_hash digest = oro_verdict_digest(&gpu->device.info, text);
    struct oro_error known = {0};
    oro_gpu_guest_lock();
    bool ok = *compiles = oro_verdict_find(digest, &known);
    if (!ok && known.code)
        oro_fail(err, known.code, "%s", known.text);
    if (!ok && !known.code) {
        ok = try_once(gpu, text, file, line, compiles, &known);
        if (*compiles || known.code == ORO_E_KERNEL)
            oro_verdict_keep(digest, ok ? NULL : &known);
        if (!ok)
            oro_fail(err, known.code, "%s", known.text);
    }
    oro_gpu_guest_unlock();
    return ok;
}
