/* Scripts of `orograph run` in a process of their own (devices/guest/guest.h). */
#ifndef ORO_LUA_BATCH_GUEST_H
#define ORO_LUA_BATCH_GUEST_H

#include "lua/batch/batch.h"

/* As oro_batch_run. The host stays here, and is asked for one thing at a time: its functions are called on
 * this thread, with arguments that were checked. Also ends soon after `stopped` says so whatever the script
 * does, and at the latest half a second after `seconds`. A crash of the script is an error. */
bool oro_batch_run_in_guest(const char *text, size_t length, const char *name,
                            const struct oro_batch_host *host, const struct oro_batch_options *options,
                            struct oro_error *err);

/* The work of ORO_GUEST_BATCH, within the guest. */
void oro_batch_work(int socket);

#endif
