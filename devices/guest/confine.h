/* What a guest gives up before it does anything. */
#ifndef ORO_GUEST_CONFINE_H
#define ORO_GUEST_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/* For the server: no new rights, no files by their names, no core files, no terminal. Also prepares the list
 * of system calls that guests keep. False: the system does not allow it. */
bool oro_confine_server(void);

/* For a guest, irrevocably: limits of processor time (whole seconds; 0: none) and memory, and no system call
 * but those for memory, threads, clocks, and the files that are open. False: then it must end at once. */
bool oro_confine_guest(uint32_t seconds, uint64_t memory);

/* For a guest with a driver that has opened its device: it keeps reading the system's files and using its
 * devices, but reads and writes none of the user's, starts no program and reaches no network. */
bool oro_confine_driver(void);

#endif
