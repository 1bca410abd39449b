#include "editor/shell/signals.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

void ed_signals_catch(void)
{
    static const int numbers[] = {SIGTERM, SIGHUP, SIGINT};
    /* Threads finish what they are writing. */
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    signal(SIGXFSZ, SIG_IGN); /* a file that grows beyond its limit is an error like a full disk */
}

bool ed_signals_caught(void)
{
    return caught != 0;
}
