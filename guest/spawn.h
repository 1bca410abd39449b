/* The server that guests are forked from: started when it is first asked, and again when it is gone. */
#ifndef ORO_GUEST_SPAWN_H
#define ORO_GUEST_SPAWN_H

#include <stdbool.h>
#include <stdint.h>

#include "guest/words.h"

/* False: there is no server, and none can be started. `file` is handed over, unless it is -1. */
bool oro_guest_ask_server(const struct oro_guest_request *request, int file, int32_t *value);
/* Why the last request could not be answered. */
const char *oro_guest_server_problem(void);

#endif
