#include "devices/guest/guest.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/process.h"
#include "devices/guest/forks.h"
#include "devices/guest/words.h"

enum { NOTES_MAX = 4096, DELAYS_MAX = 10, SIGNALS_MAX = 64 };

/* How long a guest whose time is over may take to say where it is. */
static const double last_words_seconds = 0.25;
/* How long it has to end by itself when its time was spent on work that it asked for. */
static const double moment = 0.5;

struct oro_guest {
    struct oro_guest_limits limits;
    int socket;
    pid_t process;
    double left, waiting_since; /* seconds */
    double spent;               /* on work that the guest asked for */
    enum { GOES_ON, OVERDUE, STOPPED } end;
    int notes, delayed;
    int last_signal; /* that the guest said ends it, or 0 */
    char place[256]; /* "FILE:LINE: " or "" */
};

/* ---- Beginning and ending ---- */

struct oro_guest *oro_guest_begin(enum oro_guest_work work, const struct oro_guest_limits *limits,
                                  struct oro_error *err)
{
    int pair[2];
    int32_t process = 0;
    /* Nobody waits for a guest whose program was killed: it ends by itself, at the latest then. */
    double most = limits->seconds * (1 + oro_parallel_threads());
    const struct oro_guest_request request = {
        .work = work, .seconds = (int32_t)fmin(ceil(most), INT32_MAX / 2), .memory = limits->memory};
    struct oro_guest *guest = oro_alloc(1, sizeof *guest);
    if (!guest) {
        oro_fail(err, ORO_E_MEMORY, "no memory to run '%s'", limits->name);
        return NULL;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        oro_fail(err, ORO_E_EVALUATE, "%s: cannot be run: %s", limits->name, strerror(errno));
        oro_free(guest);
        return NULL;
    }
    struct oro_error why = {0};
    bool ok = oro_guest_ask_server(&request, pair[1], &process, &why);
    close(pair[1]);
    if (!ok) {
        oro_fail(err, ORO_E_EVALUATE, "%s: cannot be run apart from the program: %s", limits->name, why.text);
        close(pair[0]);
        oro_free(guest);
        return NULL;
    }
    *guest =
        (struct oro_guest){.limits = *limits, .socket = pair[0], .process = process, .left = limits->seconds};
    return guest;
}

/* The process is not gone before the server was told to end it, so the number is no other's. Returns how it
 * ended, as waitpid gives it. */
static int end_process(struct oro_guest *guest)
{
    const struct oro_guest_request request = {.work = -1, .process = (int32_t)guest->process};
    int32_t status = 0;
    if (guest->process > 0)
        oro_guest_ask_server(&request, -1, &status, NULL);
    guest->process = 0;
    return status;
}

void oro_guest_end(struct oro_guest *guest)
{
    if (!guest)
        return;
    end_process(guest);
    close(guest->socket);
    oro_free(guest);
}

/* ---- Messages ---- */

/* On a busy machine a guest gets its share later: what counts is what it has done. */
static bool is_overdue(struct oro_guest *guest)
{
    double owed = guest->limits.seconds - oro_process_seconds(guest->process) - guest->spent;
    if (owed <= 0 || guest->delayed >= DELAYS_MAX)
        return true;
    guest->delayed++;
    guest->left += owed;
    return false;
}

static bool goes_on(void *user)
{
    struct oro_guest *guest = user;
    if (guest->limits.stopped && guest->limits.stopped(guest->limits.user))
        guest->end = STOPPED;
    else if (guest->limits.seconds > 0 && oro_now() - guest->waiting_since > guest->left && is_overdue(guest))
        guest->end = OVERDUE;
    return guest->end == GOES_ON;
}

static void take_last_words(struct oro_guest *guest, struct oro_packet *message)
{
    int64_t number = oro_take_int(message);
    guest->last_signal = number > 0 && number < SIGNALS_MAX ? (int)number : 0;
    const char *place = oro_take_text(message);
    if (place && !message->failed)
        snprintf(guest->place, sizeof guest->place, "%s", place);
}

static bool is_soon(void *user)
{
    return oro_now() < *(double *)user;
}

/* Asks a guest that is killed next where it is. */
static void ask_for_place(struct oro_guest *guest)
{
    double until = oro_now() + last_words_seconds;
    const struct oro_packet_wait wait = {is_soon, &until};
    struct oro_packet message = {.file = -1};
    kill(guest->process, SIGUSR1);
    while (oro_packet_receive(guest->socket, &message, &wait) == ORO_PACKET_DONE)
        if (message.kind == ORO_GUEST_LAST_WORDS) {
            take_last_words(guest, &message);
            break;
        }
    oro_packet_free(&message);
}

/* A guest may say anything, but not more than a script can print. */
static void pass_on(struct oro_guest *guest, struct oro_packet *message)
{
    int64_t level = oro_take_int(message);
    const char *text = oro_take_text(message);
    if (text && !message->failed && guest->notes++ < NOTES_MAX)
        oro_note(guest->limits.log, level == ORO_WARNING ? ORO_WARNING : ORO_NOTICE, "%s", text);
}

/* What a guest said last counts for more than how it was ended then. */
static bool fail_gone(struct oro_guest *guest, struct oro_error *err)
{
    int status = end_process(guest), number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const char *place = guest->place, *name = *place ? "" : guest->limits.name, *colon = *place ? "" : ": ";
    if (guest->last_signal)
        number = guest->last_signal;
    if (number == SIGUSR1)
        return oro_fail(err, ORO_E_LIMIT, "%s%s%sa single call takes longer than %g s", place, name, colon,
                        ORO_GUEST_CALL_SECONDS);
    if ((number == SIGXCPU || number == SIGKILL) && guest->limits.seconds > 0)
        return oro_fail(err, ORO_E_LIMIT, "%s%s%sit takes longer than %g s of processor time", place, name,
                        colon, guest->limits.seconds);
    if (number)
        return oro_fail(err, ORO_E_EVALUATE, "%s%s%sthe script's process crashed (%s)", place, name, colon,
                        strsignal(number));
    return oro_fail(err, ORO_E_EVALUATE, "%s%s%sthe script's process has ended without a result", place, name,
                    colon);
}

static bool fail(struct oro_guest *guest, enum oro_packet_end end, struct oro_error *err)
{
    if (end == ORO_PACKET_NO_MEMORY)
        return oro_fail(err, ORO_E_MEMORY, "%s: no memory for what it gives", guest->limits.name);
    if (guest->end == STOPPED)
        return oro_fail(err, ORO_E_CANCELLED, "stopped");
    if (guest->end != OVERDUE)
        return fail_gone(guest, err);
    if (!*guest->place)
        ask_for_place(guest);
    return oro_fail(err, ORO_E_LIMIT, "%s%s%stakes longer than %g s", guest->place,
                    *guest->place ? "" : guest->limits.name, *guest->place ? "" : ": ",
                    guest->limits.seconds);
}

bool oro_guest_send(struct oro_guest *guest, const struct oro_packet *message, struct oro_error *err)
{
    const struct oro_packet_wait wait = {goes_on, guest};
    guest->waiting_since = oro_now();
    enum oro_packet_end end = oro_packet_send(guest->socket, message, &wait);
    guest->left -= oro_now() - guest->waiting_since;
    return end == ORO_PACKET_DONE || fail(guest, end, err);
}

/* Receives the next message that is none of those that all guests send. */
static enum oro_packet_end receive(struct oro_guest *guest, struct oro_packet *message)
{
    const struct oro_packet_wait wait = {goes_on, guest};
    for (;;) {
        guest->waiting_since = oro_now();
        enum oro_packet_end end = oro_packet_receive(guest->socket, message, &wait);
        guest->left -= oro_now() - guest->waiting_since;
        if (end != ORO_PACKET_DONE || message->kind != ORO_GUEST_NOTE)
            return end;
        pass_on(guest, message);
    }
}

bool oro_guest_receive(struct oro_guest *guest, struct oro_packet *message, struct oro_error *err)
{
    enum oro_packet_end end = receive(guest, message);
    if (end == ORO_PACKET_DONE && message->kind == ORO_GUEST_LAST_WORDS) {
        take_last_words(guest, message);
        end = ORO_PACKET_GONE;
    }
    if (end == ORO_PACKET_DONE && message->kind == ORO_GUEST_FAILED) {
        oro_take_error(message, err);
        return false;
    }
    return end == ORO_PACKET_DONE || fail(guest, end, err);
}

void oro_guest_spend(struct oro_guest *guest, double seconds)
{
    double least = guest->left < moment ? guest->left : moment;
    guest->spent += seconds;
    guest->left = guest->left - seconds > least ? guest->left - seconds : least;
}

bool oro_guest_refuse(struct oro_guest *guest, struct oro_error *err)
{
    return oro_fail(err, ORO_E_EVALUATE, "%s: the script's process gives something that no script gives",
                    guest->limits.name);
}
