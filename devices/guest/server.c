#define _GNU_SOURCE /* for close_range */
#include "devices/guest/server.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/syscall.h>
#include <sys/wait.h>

#include "devices/guest/confine.h"

enum { ANSWER = 1, HANDLER_STACK = 64 << 10 };

static oro_guest_worker *const *workers;
static oro_guest_place *place_of;
static int last_socket = -1;

/* ---- The guest ---- */

/* Whatever goes wrong in here ends a process that has to end anyway: so this may look at what it interrupted.
 */
static void say_last_words(int number)
{
    struct {
        uint32_t kind, length;
        int64_t signal, text_length;
        char text[256];
    } words = {.kind = ORO_GUEST_LAST_WORDS, .signal = number};
    signal(number, SIG_DFL);
    place_of(words.text, sizeof words.text - 1);
    size_t length = strlen(words.text);
    words.text_length = (int64_t)length;
    words.length = (uint32_t)(sizeof words.signal + sizeof words.text_length + length + 1);
    size_t head = sizeof words.kind + sizeof words.length;
    if (write(last_socket, &words, head + words.length) > 0)
        raise(number);
    _exit(1);
}

static void listen_to_signals(void)
{
    static const int deadly[] = {SIGUSR1, SIGXCPU, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    static char stack[HANDLER_STACK];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_handler = say_last_words, .sa_flags = SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        sigaction(deadly[i], &action, NULL);
}

static void be_guest(int socket, const struct oro_guest_request *request)
{
    last_socket = socket;
    close(ORO_GUEST_CONTROL);
    listen_to_signals();
    if (!oro_confine_guest((uint32_t)request->seconds, request->memory))
        _exit(2);
    workers[request->work](socket);
    _exit(0);
}

/* ---- The server ---- */

static int32_t fork_guest(const struct oro_guest_request *request, int socket)
{
    if (socket < 0 || request->work >= ORO_GUEST_WORKS || request->seconds < 0)
        return -EINVAL;
    pid_t process = fork();
    if (process == 0)
        be_guest(socket, request);
    return process < 0 ? -errno : (int32_t)process;
}

/* Only the server's own guests can be ended: waitpid knows no others. */
static int32_t end_guest(pid_t process)
{
    int status = 0;
    if (process <= 0)
        return -EINVAL;
    pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == 0) {
        kill(process, SIGKILL);
        ended = waitpid(process, &status, 0);
    }
    return ended < 0 ? -errno : status;
}

static bool answer(int32_t value)
{
    const struct oro_guest_answer given = {value};
    struct oro_packet message = {.kind = ANSWER, .file = -1};
    oro_text_add_bytes(&message.bytes, (const char *)&given, sizeof given);
    bool ok = oro_packet_send(ORO_GUEST_CONTROL, &message, NULL) == ORO_PACKET_DONE;
    oro_packet_free(&message);
    return ok;
}

/* False: the program is gone, or has sent what it never does. */
static bool serve_request(void)
{
    struct oro_packet message = {.file = -1};
    struct oro_guest_request request = {0};
    bool ok = oro_packet_receive(ORO_GUEST_CONTROL, &message, NULL) == ORO_PACKET_DONE &&
              message.bytes.length == sizeof request;
    if (ok)
        memcpy(&request, message.bytes.data, sizeof request);
    ok = ok && answer(request.work < 0 ? end_guest(request.process) : fork_guest(&request, message.file));
    if (message.file >= 0)
        close(message.file);
    oro_packet_free(&message);
    return ok;
}

int oro_guest_serve(oro_guest_worker *const *given_workers, oro_guest_place *given_place)
{
    workers = given_workers;
    place_of = given_place;
    syscall(SYS_close_range, ORO_GUEST_CONTROL + 1, ~0U, 0);
    if (!oro_confine_server())
        return EXIT_FAILURE;
    while (serve_request())
        ;
    return EXIT_SUCCESS;
}
