#define _GNU_SOURCE /* for environ */
#include "devices/guest/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>

#include "base/text.h"
#include "devices/guest/words.h"

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

/* ---- Starting it ---- */

/* Returns an error number. */
static int start(const char *program, const char *argument, int control, pid_t *process)
{
    char *arguments[] = {(char *)(uintptr_t) "orograph-guest", (char *)(uintptr_t)argument, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, control, ORO_GUEST_CONTROL);
    posix_spawnattr_init(&attributes);
    /* A group of its own, so that Ctrl-C reaches the program alone. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    int reason = posix_spawn(process, program, &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return reason;
}

bool oro_guest_spawn(const char *argument, int *socket, pid_t *process, struct oro_error *err)
{
    struct oro_text program = {0};
    int pair[2];
    if (!find_program(&program)) {
        oro_text_free(&program);
        return oro_fail(err, ORO_E_EVALUATE,
                        "the program orograph-guest, which belongs beside it, is missing");
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        oro_text_free(&program);
        return oro_fail(err, ORO_E_EVALUATE, "%s", strerror(errno));
    }
    /* dup2 onto itself would leave the descriptor to be closed. */
    int control = fcntl(pair[1], F_DUPFD_CLOEXEC, ORO_GUEST_CONTROL + 1);
    int reason = control < 0 ? errno : start(program.data, argument, control, process);
    close(pair[1]);
    if (control >= 0)
        close(control);
    if (reason != 0) {
        close(pair[0]);
        oro_fail(err, ORO_E_EVALUATE, "%.400s: %s", program.data, strerror(reason));
    } else {
        *socket = pair[0];
    }
    oro_text_free(&program);
    return reason == 0;
}
