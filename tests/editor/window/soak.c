/*
 * window_soak [--seconds N] [--seed S] [--kill N]
 *
 * Does random things to the window, with real events: clicks, drags, keys, words, garbage in the clipboard,
 * windows of all sizes, for N seconds (default 600). Now and then it looks whether the program lives,
 * answers, keeps its memory in bounds, and whether what it saves can be read. The same seed makes the same
 * choices, as far as the program shows the same things at the same time.
 *
 * --kill N: instead, kills the program N times, one half of them while it is edited, the other while a layer
 * is painted, and tells what was lost.
 */
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/editor/window/soak.h"
#include "tests/support/folder.h"

enum { CHECK_EVENTS = 500, MEMORY_MB = 1500 };

static struct {
    double seconds;
    uint64_t seed;
    int kills;
} wanted = {.seconds = 600};

/* ---- The private folder */

static void put_settings(const struct soak *soak)
{
    char path[200];
    const char *const folders[] = {"home", "home/config", "home/config/orograph", "work"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", soak->folder, folders[i]);
        mkdir(path, 0700);
    }
    snprintf(path, sizeof path, "%s/home/config/orograph/settings.json", soak->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"preview\": 32, \"resolution\": 64, \"memory_mb\": 256, \"toured\": true}", file);
    fclose(file);
}

static void put_documents(const struct soak *soak)
{
    char command[300];
    snprintf(command, sizeof command, "cp -R '%s/examples/.' '%s/work' && chmod -R u+w '%s/work'",
             OROGRAPH_SOURCE, soak->folder, soak->folder);
    assert_int_equal(system(command), 0);
}

/* ---- Checks */

static long memory_mb(const struct soak *soak)
{
    char path[64], line[200];
    long kilobytes = 0;
    snprintf(path, sizeof path, "/proc/%d/status", drive_pid(soak->driver));
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kilobytes = strtol(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return kilobytes / 1024;
}

static void check_readable(struct soak *soak, const char *path)
{
    char command[600];
    snprintf(command, sizeof command, "'%s' check '%s' > '%s/check.log' 2>&1", OROGRAPH_PROGRAM, path,
             soak->folder);
    int status = system(command);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code != 0 && code != 3)
        drive_fail(soak->driver, "'%s' cannot be read: %s, code %d", path, command, code);
}

static void check_saving(struct soak *soak)
{
    struct driver *driver = soak->driver;
    char path[128], what[160];
    soak_calm(soak);
    if (drive_is(driver, "start=1")) /* no document yet */
        return;
    snprintf(path, sizeof path, "%s/work/saved-%ld.oro", soak->folder, soak->events);
    snprintf(what, sizeof what, "path=%s", path);
    drive_key(driver, "ctrl+shift+s");
    drive_wait(driver, "dialog=chooser", 20);
    drive_key(driver, "ctrl+a");
    soak_type(soak, path);
    soak_settle(soak, 20);
    drive_key(driver, "Return");
    drive_wait(driver, what, 20);
    drive_wait(driver, "changed=0", 20);
    check_readable(soak, path);
    unlink(path);
    drive_key(driver, "Escape");
}

static void check(struct soak *soak)
{
    static long first; /* what it had at the first check */
    double begun = drive_now();
    if (!soak_settle(soak, 10))
        drive_fail(soak->driver, drive_running(soak->driver) ? "it does not answer" : "it has ended");
    double answered = drive_now() - begun;
    long memory = memory_mb(soak);
    first = first > 0 ? first : memory;
    check_saving(soak);
    print_message("%6ld events: answers in %.2f s, %ld MB, %s nodes\n", soak->events, answered, memory,
                  drive_state(soak->driver, "nodes"));
    if (memory > first + MEMORY_MB)
        drive_fail(soak->driver, "it grew from %ld to %ld MB", first, memory);
    soak->checked = soak->events;
}

/* ---- The test */

static const char *const args[] = {"--no-tour", NULL};
/* Quarantined memory would look like a leak. */
static const char *const environment[] = {
    "ASAN_OPTIONS=exitcode=99:quarantine_size_mb=32:detect_leaks=1:allocator_release_to_os_interval_ms=2000",
    "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1", NULL};

static void random_events(struct soak *soak)
{
    char path[128];
    double end = drive_now() + wanted.seconds;
    snprintf(path, sizeof path, "%s/work/amplify.oro", soak->folder);
    soak_open(soak, path);
    soak->checked = soak->events - CHECK_EVENTS / 2; /* the first one soon */
    while (drive_now() < end) {
        soak_act(soak);
        if (soak->events - soak->checked >= CHECK_EVENTS)
            check(soak);
    }
    check(soak);
}

static void leave(struct soak *soak)
{
    drive_key(soak->driver, "ctrl+q");
    if (drive_try(soak->driver, "button:Stop it and leave", 1)) /* a build may run when time is up */
        drive_click(soak->driver, "button:Stop it and leave");
    if (drive_try(soak->driver, "button:Discard", 2))
        drive_click(soak->driver, "button:Discard");
    int code = drive_ended(soak->driver, 60);
    if (code != 0) /* leaks, among others */
        drive_fail(soak->driver, "it ended with code %d", code);
}

static struct soak the;

FIXTURE(start)
{
    char path[100];
    the = (struct soak){.random = wanted.seed, .width = 1280, .height = 800};
    snprintf(the.folder, sizeof the.folder, "/tmp/orograph-soak-XXXXXX");
    assert_non_null(mkdtemp(the.folder));
    put_settings(&the);
    put_documents(&the);
    snprintf(path, sizeof path, "%s/work", the.folder);
    assert_int_equal(chdir(path), 0); /* where its file chooser begins */
    snprintf(path, sizeof path, "%s/home", the.folder);
    the.driver = drive_start(&(struct drive_options){
        .args = args, .env = environment, .home = path, .width = the.width, .height = the.height});
    return 0;
}

FIXTURE(stop)
{
    drive_stop(the.driver);
    assert_int_equal(chdir("/"), 0);
    remove_tree(the.folder);
    return 0;
}

static void the_window_bears_everything(void **state)
{
    (void)state;
    random_events(&the);
    leave(&the);
}

static void kills_lose_little(void **state)
{
    (void)state;
    soak_kill(&the, wanted.kills - wanted.kills / 2);
    soak_kill_painting(&the, wanted.kills / 2);
    leave(&the);
}

static bool read_arguments(int argc, char **argv)
{
    wanted.seed = (uint64_t)time(NULL);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0)
            wanted.seconds = strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--seed") == 0)
            wanted.seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--kill") == 0)
            wanted.kills = (int)strtol(argv[i + 1], NULL, 10);
        else
            return false;
    }
    return argc % 2 == 1;
}

int main(int argc, char **argv)
{
    if (!read_arguments(argc, argv)) {
        fprintf(stderr, "usage: window_soak [--seconds N] [--seed S] [--kill N]\n");
        return 2;
    }
    if (system("command -v Xvfb xdotool > /dev/null") != 0)
        return 77;
    if (!soak_confine()) {
        fprintf(stderr, "window_soak: the program cannot be kept from writing where it should not\n");
        return 77;
    }
    print_message("seed %llu\n", (unsigned long long)wanted.seed);
    const struct CMUnitTest events[] = {
        cmocka_unit_test_setup_teardown(the_window_bears_everything, start, stop)};
    const struct CMUnitTest kills[] = {cmocka_unit_test_setup_teardown(kills_lose_little, start, stop)};
    return wanted.kills > 0 ? cmocka_run_group_tests(kills, NULL, NULL)
                            : cmocka_run_group_tests(events, NULL, NULL);
}
