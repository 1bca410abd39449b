/* A guest that says what it is told, whatever that is: the text of its script is a list of messages, each its
 * kind, the number of its bytes, and these. */
#include <string.h>

#include "devices/guest/server.h"
#include "lua/batch/message.h"

static int64_t int_at(const char *bytes)
{
    int64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* What oro_batch_run_in_guest puts in, without arguments of the script. */
static const char *take_script(struct oro_packet *run, size_t *length)
{
    for (int i = 0; i < 3; i++)
        oro_take_int(run);
    oro_take_real(run);
    oro_take_text(run);
    for (int i = 0; i < 4; i++)
        oro_take_int(run);
    oro_take_text(run);
    return oro_take_bytes(run, length);
}

static void lie(int socket)
{
    struct oro_packet run = {.file = -1}, message = {.file = -1};
    size_t length, head = 2 * sizeof(int64_t), size;
    oro_guest_take(socket, &run);
    const char *text = take_script(&run, &length);
    for (const char *at = text; at < text + length; at += head + size) {
        uint32_t kind = (uint32_t)int_at(at);
        size = (size_t)int_at(at + sizeof(int64_t));
        oro_packet_begin(&message, kind);
        oro_text_add_bytes(&message.bytes, at + head, size);
        oro_guest_give(socket, &message);
        if (kind == ORO_BATCH_SAYS_CALL || kind == ORO_BATCH_SAYS_MODULE || kind == ORO_BATCH_SAYS_WANTED)
            oro_guest_take(socket, &message);
    }
}

static void no_place(char *place, size_t size)
{
    (void)size;
    place[0] = '\0';
}

int main(void)
{
    static oro_guest_worker *const workers[ORO_GUEST_WORKS] = {[ORO_GUEST_BATCH] = lie};
    return oro_guest_serve(workers, no_place);
}
