#include "base/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The 22nd field, counted behind the name, which may hold anything but ends with the last parenthesis. 0:
 * there is no such process, or the system does not say. */
static unsigned long long start_of(long process)
{
    char path[48], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    char *field = strrchr(text, ')');
    for (int i = 2; field && i < 22; i++)
        field = strchr(field + 1, ' ');
    return field ? strtoull(field, NULL, 10) : 0;
}

struct oro_process oro_process_self(void)
{
    struct oro_process self = {.number = (long)getpid()};
    if (gethostname(self.host, sizeof self.host - 1) != 0)
        self.host[0] = '\0';
    self.started = start_of(self.number);
    return self;
}

bool oro_process_is_gone(const struct oro_process *process)
{
    struct oro_process self = oro_process_self();
    if (process->number <= 0 || strcmp(process->host, self.host) != 0)
        return false;
    bool there = kill((pid_t)process->number, 0) == 0 || errno == EPERM;
    return !there || start_of(process->number) != process->started;
}

/* /proc/N/statm has pages: all, resident, shared, of the program, (nothing), of data and stack. */
size_t oro_process_memory(long process, enum oro_process_share share)
{
    char path[48], text[256];
    int wanted = share == ORO_PROCESS_RESIDENT ? 1 : 5;
    snprintf(path, sizeof path, "/proc/%ld/statm", process);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    char *at = text;
    for (int i = 0; i < wanted; i++)
        strtoul(at, &at, 10);
    return strtoul(at, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}
