/* Processes as the owners of files: whether the one that made a file still runs. */
#ifndef ORO_BASE_PROCESS_H
#define ORO_BASE_PROCESS_H

#include <stdbool.h>

enum { ORO_HOST_SIZE = 64 };

struct oro_process {
    char host[ORO_HOST_SIZE];
    long number;                /* 0: unknown */
    unsigned long long started; /* by the system's clock: numbers are used again */
};

struct oro_process oro_process_self(void);
/* False for those of other hosts, of which nothing is known. */
bool oro_process_is_gone(const struct oro_process *process);

#endif
