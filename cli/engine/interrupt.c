#include "cli/engine/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <sys/time.h>

#include "base/clock.h"
#include "cli/report/console.h"

/* A global, because a signal handler has no other way to find what it should stop. */
static struct oro_evaluator *volatile running;
static volatile sig_atomic_t asked;

/* How long work may take to end once it was asked to: what is within a library for longer cannot look. On a
 * busy machine it has that time of the processor, but no more than PATIENCE_TIMES as much in all. */
static const double patience_seconds = 0.8;
enum { PATIENCE_TIMES = 8 };

static bool insists;
static double work_before;
static int waited;

/* Files under their own names are whole at any moment, and the next program sweeps what is left. */
static void give_up(int signal_number)
{
    static const char text[] = "\norograph: cancelled\n";
    (void)signal_number;
    if (++waited < PATIENCE_TIMES && oro_process_work() - work_before < patience_seconds / 2)
        return;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(CLI_CANCELLED);
}

static void cancel(int signal_number)
{
    const struct timeval again = {.tv_usec = (suseconds_t)(patience_seconds * 1e6)};
    (void)signal_number;
    asked = 1;
    if (running)
        oro_evaluator_cancel(running);
    if (!insists)
        return;
    work_before = oro_process_work();
    setitimer(ITIMER_REAL, &(struct itimerval){again, again}, NULL);
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

void cli_interrupt_begin(bool insist)
{
    insists = insist;
    waited = 0;
    handle(SIGALRM, give_up, SA_RESTART);
    handle(SIGPIPE, SIG_IGN, 0); /* who stops reading messages does not stop the work */
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
    setitimer(ITIMER_REAL, &(struct itimerval){{0}, {0}}, NULL);
    handle(SIGALRM, SIG_DFL, 0);
    running = NULL;
}
