#include "devices/guest/worker.h"

#include <pthread.h>
#include <unistd.h>

void oro_guest_give(int socket, const struct oro_packet *message)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (oro_packet_send(socket, message, NULL) != ORO_PACKET_DONE)
        _exit(1);
    pthread_mutex_unlock(&lock);
}

void oro_guest_take(int socket, struct oro_packet *message)
{
    if (oro_packet_receive(socket, message, NULL) != ORO_PACKET_DONE)
        _exit(1);
}

void oro_guest_give_error(int socket, const struct oro_error *err)
{
    struct oro_packet message = {.kind = ORO_GUEST_FAILED, .file = -1};
    oro_put_error(&message, err);
    oro_guest_give(socket, &message);
    oro_packet_free(&message);
}

static void give_note(void *user, enum oro_level level, const char *text)
{
    struct oro_packet message = {.kind = ORO_GUEST_NOTE, .file = -1};
    oro_put_int(&message, level);
    oro_put_text(&message, text);
    oro_guest_give(*(const int *)user, &message);
    oro_packet_free(&message);
}

const struct oro_log *oro_guest_log(int socket)
{
    static int kept;
    static const struct oro_log log = {give_note, &kept};
    kept = socket;
    return &log;
}
