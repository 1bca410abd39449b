#include "devices/gpu/guest.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/clock.h"
#include "base/process.h"
#include "devices/gpu/internal.h"
#include "devices/gpu/trial_words.h"
#include "devices/guest/spawn.h"

static const double most_opening = 30; /* seconds until the guest has a context */
static const size_t most_kept = (size_t)128 << 20;

/* The guest, which all devices of the program share; it is started anew for another one. */
static struct guest {
    pthread_mutex_t lock;
    int socket; /* -1: there is none */
    pid_t process, owner;
    char device[64 + 2 + 256]; /* the names of the candidate and of the renderer */
    size_t memory;             /* that it had before the first kernel */
} guest = {.lock = PTHREAD_MUTEX_INITIALIZER, .socket = -1};

void oro_gpu_guest_lock(void)
{
    pthread_mutex_lock(&guest.lock);
}

void oro_gpu_guest_unlock(void)
{
    pthread_mutex_unlock(&guest.lock);
}

/* ---- Watching it ---- */

static size_t memory_of_guest(void)
{
    return oro_process_memory(guest.process, ORO_PROCESS_RESIDENT);
}

bool oro_gpu_guest_is_full(void)
{
    return guest.memory && memory_of_guest() > guest.memory + most_kept;
}

static bool goes_on(void *user)
{
    struct oro_gpu_watch *watch = user;
    const struct oro_device *device = &watch->gpu->device;
    if (device->stop && device->stop(device->stop_user))
        watch->end = ORO_GPU_STOPPED;
    else if (oro_now() - watch->start > watch->seconds ||
             oro_process_seconds(guest.process) - watch->work_before > watch->work)
        watch->end = ORO_GPU_SLOW;
    else if (guest.memory && memory_of_guest() > guest.memory + watch->memory)
        watch->end = ORO_GPU_LARGE;
    return watch->end == ORO_GPU_GOES_ON;
}

/* ---- Having one ---- */

int oro_gpu_guest_end(void)
{
    int status = 0;
    if (guest.socket >= 0)
        close(guest.socket);
    if (guest.process > 0 && guest.owner == getpid()) {
        if (waitpid(guest.process, &status, WNOHANG) == 0) {
            kill(guest.process, SIGKILL);
            waitpid(guest.process, &status, 0);
        }
    }
    guest.socket = -1;
    guest.process = 0;
    return status;
}

bool oro_gpu_guest_ask(struct oro_packet *packet, struct oro_gpu_watch *watch)
{
    const struct oro_packet_wait wait = {goes_on, watch};
    watch->start = oro_now();
    watch->work_before = oro_process_seconds(guest.process);
    return oro_packet_send(guest.socket, packet, &wait) == ORO_PACKET_DONE &&
           oro_packet_receive(guest.socket, packet, &wait) == ORO_PACKET_DONE;
}

static bool start_guest(struct oro_gpu *gpu, const char *device, struct oro_error *err)
{
    struct oro_packet packet = {.kind = ORO_TRIAL_OPEN, .file = -1};
    struct oro_gpu_watch watch = {
        .gpu = gpu, .seconds = most_opening, .work = most_opening, .memory = SIZE_MAX / 2};
    guest.owner = getpid();
    guest.memory = 0;
    if (!oro_guest_spawn("kernels", &guest.socket, &guest.process, err))
        return false;
    snprintf(guest.device, sizeof guest.device, "%s", device);
    oro_put_text(&packet, gpu->candidate.name);
    oro_put_text(&packet, gpu->device.info.name);
    bool ok = oro_gpu_guest_ask(&packet, &watch) && packet.kind == ORO_TRIAL_READY;
    oro_packet_free(&packet);
    guest.memory = memory_of_guest();
    if (ok)
        return true;
    oro_gpu_guest_end();
    return watch.end == ORO_GPU_STOPPED
               ? oro_fail(err, ORO_E_CANCELLED, "cancelled")
               : oro_fail(err, ORO_E_EVALUATE,
                          "kernels cannot be tried apart from the program: orograph-guest does not open %s",
                          device);
}

bool oro_gpu_guest_need(struct oro_gpu *gpu, struct oro_error *err)
{
    char device[sizeof guest.device];
    snprintf(device, sizeof device, "%s, %s", gpu->candidate.name, gpu->device.info.name);
    if (guest.socket >= 0 && (guest.owner != getpid() || strcmp(device, guest.device) != 0))
        oro_gpu_guest_end();
    return guest.socket >= 0 || start_guest(gpu, device, err);
}
