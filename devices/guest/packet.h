/*
 * Messages between the program and its guests (devices/guest/guest.h): a kind, plain values, and perhaps an
 * open file that is handed over. Neither side trusts the other's messages: whoever reads one takes its values
 * in order, and looks at `failed` at the end. Numbers are as the machine has them, since both sides are on
 * it.
 */
#ifndef ORO_GUEST_PACKET_H
#define ORO_GUEST_PACKET_H

#include <stdint.h>

#include "base/text.h"

enum { ORO_PACKET_BYTES_MAX = 64 << 20 };

struct oro_packet {
    uint32_t kind;
    struct oro_text bytes;
    size_t at;   /* what was taken so far */
    bool failed; /* something was taken that is not there */
    int file;    /* a descriptor, or -1; whoever received it closes it */
};

/* Frees what it had. */
void oro_packet_begin(struct oro_packet *message, uint32_t kind);
void oro_packet_free(struct oro_packet *message);

void oro_put_int(struct oro_packet *message, int64_t value);
void oro_put_real(struct oro_packet *message, double value);
/* Any bytes. A NULL text stays NULL. */
void oro_put_bytes(struct oro_packet *message, const void *bytes, size_t length);
void oro_put_text(struct oro_packet *message, const char *text);
void oro_put_error(struct oro_packet *message, const struct oro_error *err);

/* What is not there is 0, "" and an error without a code. */
int64_t oro_take_int(struct oro_packet *message);
double oro_take_real(struct oro_packet *message);
/* Lives as long as the message is not begun anew, with a zero byte behind it; may be NULL if that was put. */
const char *oro_take_bytes(struct oro_packet *message, size_t *length);
/* A text without zero bytes, or NULL. */
const char *oro_take_text(struct oro_packet *message);
void oro_take_error(struct oro_packet *message, struct oro_error *err);
/* Whether everything was there, and nothing is left. */
bool oro_packet_is_whole(const struct oro_packet *message);

/* Asked while a message is received, or cannot be sent: false ends that. NULL: waits for ever. */
struct oro_packet_wait {
    bool (*wait)(void *user);
    void *user;
};

/* How sending or receiving ended. */
enum oro_packet_end { ORO_PACKET_DONE, ORO_PACKET_GONE, ORO_PACKET_STOPPED, ORO_PACKET_NO_MEMORY };

/* The other side is GONE also when what comes from it is no message. */
enum oro_packet_end oro_packet_send(int socket, const struct oro_packet *message,
                                    const struct oro_packet_wait *wait);
enum oro_packet_end oro_packet_receive(int socket, struct oro_packet *message,
                                       const struct oro_packet_wait *wait);

#endif
