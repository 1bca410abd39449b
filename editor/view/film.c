#include "editor/view/film.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

bool ed_film_can(void)
{
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        struct oro_text path = {0};
        oro_text_add_bytes(&path, folders, length);
        oro_text_add(&path, "/ffmpeg");
        bool found = !path.failed && length > 0 && access(path.data, X_OK) == 0;
        oro_text_free(&path);
        if (found)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* In the child: nothing here may allocate. The names of the pictures are plain, because the folder's, which
 * may hold anything, is the working folder. */
static void become(const char *folder, const char *rate)
{
    const char *const arguments[] = {"ffmpeg",
                                     "-nostdin",
                                     "-loglevel",
                                     "error",
                                     "-y",
                                     "-framerate",
                                     rate,
                                     "-i",
                                     "frame-%04d.png",
                                     "-vf",
                                     "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                                     "-pix_fmt",
                                     "yuv420p",
                                     "-crf",
                                     "17",
                                     "turntable.mp4",
                                     NULL};
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0)
        for (int i = 0; i < 3; i++)
            dup2(nothing, i);
    if (chdir(folder) == 0)
        execvp("ffmpeg", (char *const *)arguments);
    _exit(127);
}

bool ed_film_encode(const char *folder, int per_second, const atomic_bool *stop, struct oro_error *err)
{
    char rate[16];
    snprintf(rate, sizeof rate, "%d", per_second);
    pid_t child = fork();
    if (child == 0)
        become(folder, rate);
    if (child < 0)
        return oro_fail(err, ORO_E_MEMORY, "ffmpeg cannot be started: %s", strerror(errno));
    int status = 0;
    bool stopped = false;
    const struct timespec moment = {0, 20000000};
    for (;;) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            break;
        if (ended < 0 && errno != EINTR)
            return oro_fail(err, ORO_E_WRITE, "ffmpeg was lost: %s", strerror(errno));
        if (!stopped && atomic_load(stop)) {
            stopped = true;
            kill(child, SIGKILL);
        }
        nanosleep(&moment, NULL);
    }
    if (stopped)
        return oro_fail(err, ORO_E_CANCELLED, "stopped");
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           oro_fail(err, ORO_E_WRITE, "ffmpeg made no video of the pictures in %s", folder);
}
