#include "cli/interrupt.h"

#include <signal.h>

/* A global, because a signal handler has no other way to find what it should stop. */
static struct oro_evaluator *volatile running;
static volatile sig_atomic_t asked;

static void cancel(int signal_number)
{
    (void)signal_number;
    asked = 1;
    if (running)
        oro_evaluator_cancel(running);
}

/* A signal that the parent process set to be ignored (nohup, a background job) stays ignored. */
static void handle(int signal_number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

static void handle_both(void (*handler)(int), int flags)
{
    handle(SIGINT, handler, flags);
    handle(SIGTERM, handler, flags);
}

void cli_interrupt_begin(void)
{
    /* SA_RESETHAND: the second signal meets the default, which kills. SA_RESTART: writing a file is not
     * disturbed. */
    handle_both(cancel, (int)SA_RESETHAND | SA_RESTART);
}

void cli_interrupt_watch(struct oro_evaluator *evaluator)
{
    running = evaluator;
    if (asked)
        oro_evaluator_cancel(evaluator);
}

bool cli_interrupt_none(struct oro_error *err)
{
    return !asked || oro_fail(err, ORO_E_CANCELLED, "cancelled");
}

void cli_interrupt_end(void)
{
    handle_both(SIG_DFL, 0);
    running = NULL;
}
