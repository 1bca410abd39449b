/* For those who do a guest's work, within its process. */
#ifndef ORO_GUEST_WORKER_H
#define ORO_GUEST_WORKER_H

#include "base/log.h"
#include "devices/guest/guest.h"
#include "devices/guest/words.h"

/* How a guest does its work: the first message that it receives says what is wanted. */
typedef void oro_guest_worker(int socket);

/* Both end the process when the program is gone. */
void oro_guest_give(int socket, const struct oro_packet *message);
void oro_guest_take(int socket, struct oro_packet *message);
/* ORO_GUEST_FAILED */
void oro_guest_give_error(int socket, const struct oro_error *err);
/* A log that gives what it is told to the program, and lives as long as the guest. Any thread may use it. */
const struct oro_log *oro_guest_log(int socket);

#endif
