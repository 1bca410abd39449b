/* The side of the guests: what the program `orograph-guest` consists of. */
#ifndef ORO_GUEST_SERVER_H
#define ORO_GUEST_SERVER_H

#include <stddef.h>

#include "devices/guest/worker.h"

/* Writes "FILE:LINE: " of what the process is doing to `place`, or "". Called from a signal's handler, once,
 * when the process has to end and nothing can be lost. */
typedef void oro_guest_place(char *place, size_t size);

/* Serves until the program closes its end. `workers` has ORO_GUEST_WORKS entries. Returns an exit status. */
int oro_guest_serve(oro_guest_worker *const *workers, oro_guest_place *place);

#endif
