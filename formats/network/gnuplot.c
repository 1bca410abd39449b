#include "formats/network/gnuplot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

extern char **environ;

/* Runs gnuplot without a shell and without the user's own settings. It reads `input` and writes `output`.
 * Returns 0, or the error of starting it; `status` is how it ended. */
static int run_gnuplot(const char *argument, int input, int output, int *status)
{
    char *const words[] = {"gnuplot", "--default-settings", (char *)argument, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    int problem = posix_spawn_file_actions_init(&actions);
    if (problem)
        return problem;
    problem = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!problem)
        problem = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!problem)
        problem = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!problem)
        problem = posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!problem && waitpid(pid, status, 0) < 0)
        problem = errno == EINTR ? 0 : errno;
    return problem;
}

bool oro_gnuplot_check(struct oro_error *err)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int status = 0, problem = run_gnuplot("--version", nothing, nothing, &status);
    close(nothing);
    if (problem == ENOENT || problem == EACCES ||
        (!problem && WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return oro_fail(
            err, ORO_E_WRITE,
            "pictures of measures need the program gnuplot, which is not installed (Debian: gnuplot-nox)");
    if (problem)
        return oro_fail(err, ORO_E_WRITE, "gnuplot cannot be run: %s", strerror(problem));
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           oro_fail(err, ORO_E_WRITE, "gnuplot does not work: 'gnuplot --version' fails");
}

/* The picture goes from gnuplot's output into the file, so that gnuplot never sees the file's name. */
static bool draw(const char *path, FILE *script, struct oro_error *err)
{
    struct oro_file_output file = {0};
    int status = 0;
    if (!oro_file_begin(&file, path, err))
        return false;
    int problem = run_gnuplot("-", fileno(script), fileno(file.stream), &status);
    bool drawn = !problem && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
                 lseek(fileno(file.stream), 0, SEEK_END) > 0;
    if (drawn)
        return oro_file_commit(&file, err);
    oro_file_abort(&file);
    return oro_fail(err, ORO_E_WRITE, "gnuplot could not draw '%s'", path);
}

bool oro_gnuplot_draw(const char *path, const char *text, struct oro_error *err)
{
    FILE *script = tmpfile();
    bool ok = script && fputs(text, script) >= 0 && fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0;
    if (!ok)
        oro_fail(err, ORO_E_WRITE, "cannot write a temporary file for gnuplot: %s", strerror(errno));
    ok = ok && draw(path, script, err);
    if (script)
        fclose(script);
    return ok;
}
