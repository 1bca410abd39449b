#include "base/clock.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double oro_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double oro_thread_work(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double oro_process_work(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void oro_sleep(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    nanosleep(&time, NULL);
}
