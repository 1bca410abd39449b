#include "devices/gpu/trial.h"

#include <string.h>

#include <sys/wait.h>

#include "base/memory.h"
#include "devices/gpu/guest.h"
#include "devices/gpu/internal.h"
#include "devices/gpu/trial_words.h"
#include "devices/gpu/verdicts.h"

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

void oro_tried_free(struct oro_tried *tried)
{
    oro_free(tried->log);
    oro_free(tried->program);
    *tried = (struct oro_tried){0};
}

/* False: memory is out. */
static bool take_program(struct oro_packet *packet, struct oro_tried *tried)
{
    tried->format = (uint32_t)oro_take_int(packet);
    const char *program = oro_take_bytes(packet, &tried->size);
    tried->program = program ? oro_alloc(tried->size + 1, 1) : NULL;
    if (tried->program)
        memcpy(tried->program, program, tried->size);
    return tried->program || !program;
}

static bool take_answer(struct oro_packet *packet, struct oro_tried *tried, struct oro_error *err)
{
    tried->compiles = oro_take_int(packet);
    const char *log = oro_take_text(packet);
    tried->log = log ? oro_copy_text(log) : NULL;
    if (!take_program(packet, tried))
        return oro_fail(err, ORO_E_MEMORY, "no memory for a kernel");
    if (oro_packet_is_whole(packet))
        return true;
    oro_gpu_guest_end();
    return oro_fail(err, ORO_E_EVALUATE, "orograph-guest gave no answer about a kernel");
}

static bool try_once(struct oro_gpu *gpu, const char *text, const char *file, int line, bool wanted,
                     struct oro_tried *tried, struct oro_error *err)
{
    struct oro_packet packet = {.kind = ORO_TRIAL_KERNEL, .file = -1};
    struct oro_gpu_watch watch = {
        .gpu = gpu, .seconds = most_seconds, .work = most_work, .memory = most_memory};
    if (oro_gpu_guest_is_full())
        oro_gpu_guest_end();
    if (!oro_gpu_guest_need(gpu, err))
        return false;
    oro_put_text(&packet, text);
    oro_put_int(&packet, wanted);
    bool ok = oro_gpu_guest_ask(&packet, &watch) && packet.kind == ORO_TRIAL_DONE
                  ? take_answer(&packet, tried, err)
                  : refuse(&watch, oro_gpu_guest_end(), file, line, err);
    oro_packet_free(&packet);
    return ok;
}

/* Whether all that is asked for is known. */
static bool is_known(struct oro_hash digest, bool wanted, struct oro_tried *tried, struct oro_error *harm)
{
    tried->compiles = oro_verdict_find(digest, harm);
    if (tried->compiles && wanted)
        tried->program = oro_verdict_program(digest, &tried->format, &tried->size);
    return harm->code != ORO_OK || (tried->compiles && (tried->program || !wanted));
}

/* What failed for another reason than the kernel is tried again. */
static void keep(struct oro_hash digest, const struct oro_tried *tried, const struct oro_error *harm)
{
    if (harm->code == ORO_E_KERNEL)
        oro_verdict_keep(digest, harm);
    else if (!harm->code && tried->program)
        oro_verdict_keep_program(digest, tried->format, tried->program, tried->size);
    else if (!harm->code && tried->compiles)
        oro_verdict_keep(digest, NULL);
}

bool oro_gpu_try(struct oro_gpu *gpu, const char *text, const char *file, int line, bool wanted,
                 struct oro_tried *tried, struct oro_error *err)
{
    struct oro_hash digest = oro_verdict_digest(&gpu->device.info, text);
    struct oro_error harm = {0};
    *tried = (struct oro_tried){0};
    oro_gpu_guest_lock();
    if (!is_known(digest, wanted, tried, &harm)) {
        try_once(gpu, text, file, line, wanted, tried, &harm);
        keep(digest, tried, &harm);
    }
    oro_gpu_guest_unlock();
    if (harm.code)
        oro_tried_free(tried);
    return !harm.code || oro_fail(err, harm.code, "%s", harm.text);
}
