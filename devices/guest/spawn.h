/* Starts the program `orograph-guest`. */
#ifndef ORO_GUEST_SPAWN_H
#define ORO_GUEST_SPAWN_H

#include <sys/types.h>

#include "base/error.h"

/* With one argument, or none (NULL). `*socket` is the program's end of its control (ORO_GUEST_CONTROL); it
 * ends when that is closed. Fails with ORO_E_EVALUATE. */
bool oro_guest_spawn(const char *argument, int *socket, pid_t *process, struct oro_error *err);

#endif
