#include "devices/guest/forks.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "devices/guest/packet.h"
#include "devices/guest/spawn.h"

enum { REQUEST = 1 };

static struct {
    pthread_mutex_t lock;
    int socket;    /* -1: there is no server */
    pid_t process; /* 0: there is none */
    pid_t owner;   /* the process that started it: a forked one starts its own */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER, .socket = -1};

static void forget_server(void)
{
    if (server.socket >= 0)
        close(server.socket);
    if (server.process > 0 && server.owner == getpid())
        waitpid(server.process, NULL, 0); /* it ends when its socket is closed */
    server.socket = -1;
    server.process = 0;
}

static bool start_server(struct oro_error *err)
{
    server.owner = getpid();
    return oro_guest_spawn(NULL, &server.socket, &server.process, err);
}

static bool exchange(const struct oro_guest_request *request, int file, int32_t *value)
{
    struct oro_packet message = {.kind = REQUEST, .file = file};
    oro_text_add_bytes(&message.bytes, (const char *)request, sizeof *request);
    enum oro_packet_end end = oro_packet_send(server.socket, &message, NULL);
    message.file = -1; /* it belongs to the caller */
    if (end == ORO_PACKET_DONE)
        end = oro_packet_receive(server.socket, &message, NULL);
    struct oro_guest_answer answer = {-1};
    bool ok = end == ORO_PACKET_DONE && message.bytes.length == sizeof answer;
    if (ok)
        memcpy(&answer, message.bytes.data, sizeof answer);
    *value = answer.value;
    oro_packet_free(&message);
    return ok;
}

/* A server that is gone took its guests with it, so ending one of them is done. */
static bool ask(const struct oro_guest_request *request, int file, int32_t *value, struct oro_error *err)
{
    if (server.socket >= 0 && server.owner != getpid())
        forget_server();
    if (server.socket >= 0 && exchange(request, file, value))
        return true;
    forget_server();
    if (request->work < 0 || !start_server(err))
        return false;
    if (exchange(request, file, value))
        return true;
    forget_server();
    return oro_fail(
        err, ORO_E_EVALUATE,
        "orograph-guest does not answer: this system does not let it confine itself, or it belongs "
        "to another version");
}

bool oro_guest_ask_server(const struct oro_guest_request *request, int file, int32_t *value,
                          struct oro_error *err)
{
    pthread_mutex_lock(&server.lock);
    bool ok = ask(request, file, value, err);
    pthread_mutex_unlock(&server.lock);
    return ok && (*value >= 0 || oro_fail(err, ORO_E_EVALUATE, "%s", strerror(-*value)));
}
