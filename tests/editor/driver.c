/* The processes: X server, program, xdotool. All of them end with the test, whatever happens to it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/editor/driver_private.h"
#include "tests/support/folder.h"

enum { ARGS_MAX = 64 };

double drive_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void drive_pause(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

double drive_patience(double seconds)
{
    const char *text = getenv("OROGRAPH_TEST_PATIENCE");
    double factor = text ? strtod(text, NULL) : 1;
    return seconds * (factor > 0 ? factor : 1);
}

/* ---- Children ---- */

/* In the child: dies with the test, and keeps none of its files but 0 to `last`. */
static void become_child(int last)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = last + 1; i < 256; i++)
        close(i);
}

static void log_to(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (file >= 0) {
        dup2(file, 1);
        dup2(file, 2);
    }
}

static pid_t fork_or_fail(void)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        fail_msg("no process can be made: %s", strerror(errno));
    return child;
}

static void end_child(pid_t *child, int signal_number)
{
    if (*child > 0) {
        kill(*child, signal_number);
        waitpid(*child, NULL, 0);
    }
    *child = 0;
}

static void start_server(struct driver *driver)
{
    char screen[64], line[16] = "";
    int ends[2];
    if (pipe(ends) != 0)
        fail_msg("no pipe: %s", strerror(errno));
    snprintf(screen, sizeof screen, "%dx%dx24", driver->width, driver->height);
    driver->server = fork_or_fail();
    if (driver->server == 0) {
        dup2(ends[1], 3);
        log_to("/dev/null");
        become_child(3);
        /* Each frame comes in a request of megabytes: without this, its pages are mapped and cleared anew. */
        setenv("MALLOC_MMAP_THRESHOLD_", "67108864", 1);
        setenv("MALLOC_TRIM_THRESHOLD_", "268435456", 1);
        /* -r: so that keys held long on a slow machine do not repeat */
        execlp("Xvfb", "Xvfb", "-displayfd", "3", "-screen", "0", screen, "-fbdir", driver->folder,
               "-nolisten", "tcp", "-noreset", "-r", "-nocursor", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *answer = fdopen(ends[0], "r");
    if (!answer || !fgets(line, sizeof line, answer))
        fail_msg("Xvfb does not start");
    fclose(answer);
    line[strcspn(line, "\n")] = '\0';
    snprintf(driver->display, sizeof driver->display, ":%.10s", line);
}

static void start_hands(struct driver *driver)
{
    int ends[2];
    if (pipe(ends) != 0)
        fail_msg("no pipe: %s", strerror(errno));
    driver->hands = fork_or_fail();
    if (driver->hands == 0) {
        dup2(ends[0], 0);
        log_to(driver->log);
        become_child(2);
        setenv("DISPLAY", driver->display, 1);
        execlp("xdotool", "xdotool", "-", (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    driver->orders = fdopen(ends[1], "w");
    assert_non_null(driver->orders);
}

void drive_order(struct driver *driver, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int written = vfprintf(driver->orders, format, args);
    va_end(args);
    if (written < 0 || fputc('\n', driver->orders) == EOF || fflush(driver->orders) != 0)
        drive_fail(driver, "xdotool has ended");
}

/* ---- The program ---- */

static void set_under(const char *name, const char *home, const char *folder)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", home, folder);
    mkdir(path, 0700);
    setenv(name, path, 1);
}

static void set_environment(const struct driver *driver)
{
    setenv("DISPLAY", driver->display, 1);
    setenv("SDL_VIDEODRIVER", "x11", 1);
    setenv("SDL_AUDIODRIVER", "dummy", 1);
    setenv("SDL_MOUSE_FOCUS_CLICKTHROUGH", "1", 1); /* else a click that follows the focus is lost */
    setenv("HOME", driver->home, 1);
    set_under("XDG_CONFIG_HOME", driver->home, "config");
    set_under("XDG_STATE_HOME", driver->home, "state");
    set_under("XDG_DATA_HOME", driver->home, "data");
    set_under("XDG_CACHE_HOME", driver->home, "cache");
    set_under("XDG_RUNTIME_DIR", driver->home, "run");
    set_under("OROGRAPH_CACHE", driver->home, "results");
    setenv("LC_ALL", "C", 1); /* titles that xdotool can read */
    unsetenv("WAYLAND_DISPLAY");
    if (driver->unpainted)
        setenv("LP_NO_RAST", "1", 1);
    for (size_t i = 0; driver->env && driver->env[i]; i++)
        putenv((char *)driver->env[i]);
}

static void start_program(struct driver *driver, const char *const *args)
{
    char width[16], height[16];
    const char *all[ARGS_MAX] = {driver->file, "--describe", driver->description, "--size", width, height};
    size_t count = 6;
    snprintf(width, sizeof width, "%d", driver->width);
    snprintf(height, sizeof height, "%d", driver->height);
    for (size_t i = 0; args && args[i] && count + 1 < ARGS_MAX; i++)
        all[count++] = args[i];
    json_decref(driver->seen);
    driver->seen = NULL;
    unlink(driver->description);
    driver->program = fork_or_fail();
    if (driver->program == 0) {
        set_environment(driver);
        log_to(driver->log);
        become_child(2);
        execv(all[0], (char *const *)all);
        _exit(127);
    }
    drive_take_window(driver);
}

bool drive_running(struct driver *driver)
{
    int status = 0;
    if (driver->program > 0 && waitpid(driver->program, &status, WNOHANG) == driver->program) {
        driver->program = 0;
        driver->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (WIFSIGNALED(status))
            print_message("  the program was ended by signal %d\n", WTERMSIG(status));
        else if (driver->code != 0)
            print_message("  the program ended with code %d\n", driver->code);
    }
    return driver->program > 0;
}

int drive_ended(struct driver *driver, double seconds)
{
    double end = drive_now() + drive_patience(seconds);
    while (drive_running(driver) && drive_now() < end)
        drive_pause(0.01);
    if (driver->program > 0)
        drive_fail(driver, "the program has not ended");
    return driver->code;
}

void drive_kill(struct driver *driver)
{
    end_child(&driver->program, SIGKILL);
    driver->code = -1;
}

void drive_restart(struct driver *driver, const char *const *args)
{
    assert_false(drive_running(driver));
    start_program(driver, args);
}

int drive_pid(const struct driver *driver)
{
    return (int)driver->program;
}

const char *drive_home(const struct driver *driver)
{
    return driver->home;
}

/* ---- The whole ---- */

struct driver *drive_start(const struct drive_options *options)
{
    struct driver *driver = calloc(1, sizeof *driver);
    assert_non_null(driver);
    driver->width = options->width > 0 ? options->width : 1280;
    driver->height = options->height > 0 ? options->height : 800;
    driver->file = options->program ? options->program : OROGRAPH_EDITOR_PROGRAM;
    driver->env = options->env;
    driver->own_home = !options->home;
    driver->unpainted = options->unpainted && !getenv("OROGRAPH_TEST_PICTURES");
    signal(SIGPIPE, SIG_IGN);
    snprintf(driver->folder, sizeof driver->folder, "/tmp/orograph-drive-XXXXXX");
    assert_non_null(mkdtemp(driver->folder));
    snprintf(driver->home, sizeof driver->home, "%s%s", options->home ? options->home : driver->folder,
             options->home ? "" : "/home");
    mkdir(driver->home, 0700);
    snprintf(driver->description, sizeof driver->description, "%s/description.json", driver->folder);
    snprintf(driver->log, sizeof driver->log, "%s/log", driver->folder);
    snprintf(driver->screen, sizeof driver->screen, "%s", driver->folder);
    if (options->beside) {
        memcpy(driver->screen, options->beside->screen, sizeof driver->screen);
        memcpy(driver->display, options->beside->display, sizeof driver->display);
    } else {
        start_server(driver);
    }
    start_hands(driver);
    start_program(driver, options->args);
    return driver;
}

bool drive_stop(struct driver *driver)
{
    if (!driver)
        return false;
    double end = drive_now() + drive_patience(10);
    if (drive_running(driver))
        kill(driver->program, SIGTERM);
    while (drive_running(driver) && drive_now() < end)
        drive_pause(0.01);
    bool by_itself = driver->program == 0 && driver->code == 0;
    end_child(&driver->program, SIGKILL);
    if (driver->orders)
        fclose(driver->orders);
    end_child(&driver->hands, SIGKILL);
    end_child(&driver->server, SIGTERM);
    json_decref(driver->seen);
    remove_tree(driver->folder);
    free(driver);
    return by_itself;
}
