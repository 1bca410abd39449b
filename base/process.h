/* Processes as the owners of files: whether the one that made a file still runs. And what memory they have.
 */
#ifndef ORO_BASE_PROCESS_H
#define ORO_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

enum { ORO_HOST_SIZE = 64 };

struct oro_process {
    char host[ORO_HOST_SIZE];
    long number;                /* 0: unknown */
    unsigned long long started; /* by the system's clock: numbers are used again */
};

struct oro_process oro_process_self(void);
/* False for those of other hosts, of which nothing is known. */
bool oro_process_is_gone(const struct oro_process *process);

/* Bytes of a process's memory: what lies in the machine's; what may be its own, written to or not. 0: the
 * system does not say. */
enum oro_process_share { ORO_PROCESS_RESIDENT, ORO_PROCESS_OWN };
size_t oro_process_memory(long process, enum oro_process_share share);
/* Seconds of processor time that it has taken. */
double oro_process_seconds(long process);

#endif
