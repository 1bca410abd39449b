#define _GNU_SOURCE /* for environ */
#include "guest/spawn.h"

#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/text.h"
#include "guest/packet.h"

enum { REQUEST = 1 };

static struct {
    pthread_mutex_t lock;
    int socket;    /* -1: there is no server */
    pid_t process; /* 0: there is none */
    pid_t owner;   /* the process that started it: a forked one starts its own */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER, .socket = -1};

static char problem[512] = "nothing was tried";

const char *oro_guest_server_problem(void)
{
    return problem;
}

/* ---- Finding the program ---- */

static bool is_program(struct oro_text *path)
{
    return !path->failed && access(path->data, X_OK) == 0;
}

/* It lies beside this program, or in the folder for programs that users do not start; or, where programs were
 * just built, in a folder of its own. The caller frees. */
static bool find_program(struct oro_text *path)
{
    static const char *const places[] = {"orograph-guest", "../libexec/orograph/orograph-guest",
                                         "../guest/orograph-guest", "../../guest/orograph-guest",
                                         "../../../guest/orograph-guest"};
    char own[4096];
    const char *given = getenv("OROGRAPH_GUEST");
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (given) {
        oro_text_add(path, given);
        return is_program(path);
    }
    own[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(own, '/');
    if (!slash)
        return false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        oro_text_free(path);
        oro_text_addf(path, "%.*s/%s", (int)(slash - own), own, places[i]);
        if (is_program(path))
            return true;
    }
    return false;
}

/* ---- The server ---- */

static void forget_server(void)
{
    if (server.socket >= 0)
        close(server.socket);
    if (server.process > 0 && server.owner == getpid())
        waitpid(server.process, NULL, 0); /* it ends when its socket is closed */
    server.socket = -1;
    server.process = 0;
}

/* The other end of the pair becomes the server's control. Returns an error number. */
static int spawn(const char *program, int control)
{
    extern char **environ;
    char *arguments[] = {(char *)(uintptr_t) "orograph-guest", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t process;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, control, ORO_GUEST_CONTROL);
    posix_spawnattr_init(&attributes);
    /* A group of its own, so that Ctrl-C reaches the program alone. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    int reason = posix_spawn(&process, program, &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (reason == 0) {
        server.process = process;
        server.owner = getpid();
    }
    return reason;
}

static bool start_server(void)
{
    struct oro_text program = {0};
    int pair[2];
    int reason = 0;
    if (!find_program(&program)) {
        snprintf(problem, sizeof problem, "the program orograph-guest, which belongs beside it, is missing");
    } else if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        snprintf(problem, sizeof problem, "%s", strerror(errno));
    } else {
        /* dup2 onto itself would leave the descriptor to be closed. */
        int control = pair[1] == ORO_GUEST_CONTROL ? dup(pair[1]) : pair[1];
        reason = spawn(program.data, control);
        if (control != pair[1])
            close(control);
        close(pair[1]);
        server.socket = pair[0];
        if (reason != 0) {
            snprintf(problem, sizeof problem, "%.400s: %s", program.data, strerror(reason));
            forget_server();
        }
    }
    oro_text_free(&program);
    return server.socket >= 0;
}

static bool exchange(const struct oro_guest_request *request, int file, int32_t *value)
{
    struct oro_packet message = {.kind = REQUEST, .file = file};
    oro_text_add_bytes(&message.bytes, (const char *)request, sizeof *request);
    enum oro_packet_end end = oro_packet_send(server.socket, &message, NULL);
    message.file = -1; /* it belongs to the caller */
    if (end == ORO_PACKET_DONE)
        end = oro_packet_receive(server.socket, &message, NULL);
    struct oro_guest_answer answer = {-1};
    bool ok = end == ORO_PACKET_DONE && message.bytes.length == sizeof answer;
    if (ok)
        memcpy(&answer, message.bytes.data, sizeof answer);
    *value = answer.value;
    oro_packet_free(&message);
    return ok;
}

/* A server that is gone took its guests with it, so ending one of them is done. */
bool oro_guest_ask_server(const struct oro_guest_request *request, int file, int32_t *value)
{
    pthread_mutex_lock(&server.lock);
    if (server.socket >= 0 && server.owner != getpid())
        forget_server();
    bool ok = server.socket >= 0 && exchange(request, file, value);
    if (!ok && request->work >= 0) {
        forget_server();
        ok = start_server() && exchange(request, file, value);
        if (!ok && server.socket >= 0) {
            snprintf(problem, sizeof problem,
                     "orograph-guest does not answer: this system does not let it "
                     "confine itself, or it belongs to another version");
            forget_server();
        }
    }
    if (ok && *value < 0)
        snprintf(problem, sizeof problem, "%s", strerror(-*value));
    pthread_mutex_unlock(&server.lock);
    return ok;
}
