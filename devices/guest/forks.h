/* The server that guests are forked from: started when it is first asked, and again when it is gone. */
#ifndef ORO_GUEST_FORKS_H
#define ORO_GUEST_FORKS_H

#include "base/error.h"
#include "devices/guest/words.h"

/* `file` is handed over, unless it is -1. Fails with ORO_E_EVALUATE. Any thread. */
bool oro_guest_ask_server(const struct oro_guest_request *request, int file, int32_t *value,
                          struct oro_error *err);

#endif
