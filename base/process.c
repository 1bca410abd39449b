#include "base/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What the system tells of a process. */
static void read_told(long process, const char *file, char *text, size_t size)
{
    char path[48];
    snprintf(path, sizeof path, "/proc/%ld/%s", process, file);
    FILE *stream = fopen(path, "re");
    size_t length = stream ? fread(text, 1, size - 1, stream) : 0;
    if (stream)
        fclose(stream);
    text[length] = '\0';
}

/* The 22nd field, counted behind the name, which may hold anything but ends with the last parenthesis. 0:
 * there is no such process, or the system does not say. */
static unsigned long long start_of(long process)
{
    char text[1024];
    read_told(process, "stat", text, sizeof text);
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
    char text[256];
    int wanted = share == ORO_PROCESS_RESIDENT ? 1 : 5;
    read_told(process, "statm", text, sizeof text);
    char *at = text;
    for (int i = 0; i < wanted; i++)
        strtoul(at, &at, 10);
    return strtoul(at, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

double oro_process_seconds(long process)
{
    clockid_t clock;
    struct timespec time = {0};
    if (clock_getcpuclockid((pid_t)process, &clock) == 0)
        clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
