/*
 * Disks that fail, and kills: runs scenarios with each call in turn that writes to their folder failing (EIO,
 * a full disk, a short write), and with the process killed there. Afterwards each file is as it was or as it
 * should be, two that belong together are of one kind or `orograph measure` says that they are not, and
 * nothing else is left, except behind a kill. Then the scenario is run again: its files have the bits of an
 * undisturbed run, and nothing else is left.
 *
 * usage: faults_files [--fine N] [--at N] [SCENARIO]...
 * --fine N: from call n on to n + 1 + n / N. --at N: only that one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/faults/disk.h"
#include "tests/faults/folder_state.h"
#include "tests/faults/output.h"
#include "tests/faults/scenarios.h"
#include "tests/support/folder.h"

enum { SKIPPED = 77 };

static unsigned fine, only;
static char folder[700]; /* out/, from the root */
static struct faults_state calm, old, found;
static char wanted[FAULTS_LOG_MAX];
static struct {
    unsigned attempts, kills, failures, defects;
} total;

struct attempt {
    const struct faults_scenario *scenario;
    enum faults_kind kind;
    unsigned at;
    struct faults_outcome outcome;
    const char *when; /* afterwards, or again */
};

static void defect(const struct attempt *a, const char *what, const char *which)
{
    total.defects++;
    printf("%s: call %u, %s (%s): %s: %s%s%s\n", a->scenario->name, a->at, faults_kind_names[a->kind],
           a->outcome.call, a->when, what, which[0] ? ": " : "", which);
    if (faults_complained[0])
        printf("    %.*s\n", (int)strcspn(faults_complained, "\n"), faults_complained);
}

/* ---- Running ---- */

static int work(void *user)
{
    faults_output_begin();
    return faults_run_scenario(user);
}

/* The exit code; below 0 after a signal. */
static int run(struct attempt *a, enum faults_kind kind)
{
    struct faults_disk disk = {.folder = folder, .kind = kind, .at = a->at};
    struct faults_outcome outcome = faults_disk_run(&disk, work, (void *)a->scenario);
    if (outcome.unsupported) {
        printf("skipped: the kernel does not tell of system calls\n");
        exit(SKIPPED);
    }
    if (kind != FAULTS_NONE || a->kind == FAULTS_NONE)
        a->outcome = outcome;
    faults_output_read();
    if (outcome.hung)
        defect(a, "does not end", "");
    if (outcome.left)
        defect(a, "processes are left", "");
    return WIFEXITED(outcome.status) ? WEXITSTATUS(outcome.status) : -WTERMSIG(outcome.status);
}

/* ---- What must hold ---- */

static bool is_whole(const char *path)
{
    return faults_same_file(&found, &calm, path);
}

static void check_file(const struct attempt *a, const char *path, bool done)
{
    char sidecar[220];
    if (faults_is_result(path) && (!faults_find(&found, path) || faults_same_file(&found, &old, path)))
        return; /* a result need not be kept, nor one that is damaged be read */
    snprintf(sidecar, sizeof sidecar, "%s.json", path);
    if (done && !is_whole(path))
        defect(a, "done, but a file is not as it should be", path);
    else if (!is_whole(path) && !faults_same_file(&found, &old, path) && !faults_is_early_sidecar(path))
        defect(a, faults_find(&found, path) ? "spoiled" : "gone", path);
    else if (faults_find(&calm, sidecar) && is_whole(path) != is_whole(sidecar) && !faults_pair_is_told(path))
        defect(a, "of two that belong together one is new, and nobody notices", path);
}

static void check_folder(const struct attempt *a, bool done, bool litter)
{
    faults_look(&found, "out");
    for (size_t i = 0; litter && i < found.count; i++)
        if (!faults_is_result(found.files[i].path) && !faults_find(&calm, found.files[i].path) &&
            !faults_find(&old, found.files[i].path))
            defect(a, "left on the disk", found.files[i].path);
    for (size_t i = 0; i < calm.count; i++)
        check_file(a, calm.files[i].path, done);
}

static void check_by_scenario(const struct attempt *a)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        faults_output_begin();
        exit(a->scenario->check(faults_printed) ? 0 : 1);
    }
    if (child < 0)
        return;
    waitpid(child, &status, 0);
    faults_output_read();
    if (status)
        defect(a, "what was kept is lost", "");
}

static void attempt_once(struct attempt *a)
{
    a->when = "afterwards";
    faults_make_old(a->scenario, &calm);
    int code = run(a, a->kind);
    bool killed = code == -SIGKILL;
    total.attempts++;
    total.kills += killed;
    total.failures += a->kind == FAULTS_KILL ? 0 : a->outcome.failed;
    if (only)
        printf("%s: exit code %d: %s", a->outcome.call, code, faults_complained);
    if (code < 0 && !(killed && a->kind == FAULTS_KILL))
        defect(a, "ends with a signal", "");
    if (code > 0 && !faults_complained[0])
        defect(a, "failed without a word", "");
    if (code > 0 && a->kind == FAULTS_SHORT)
        defect(a, "a short write is an error", "");
    if (code == 0 && strcmp(faults_printed, wanted) != 0)
        defect(a, "done, but not all was printed", "");
    if (a->scenario->check)
        check_by_scenario(a);
    check_folder(a, code == 0, !killed);
    a->when = "run again";
    faults_restore(a->scenario);
    if (run(a, FAULTS_NONE) != a->scenario->code)
        defect(a, "fails", "");
    if (strcmp(faults_printed, wanted) != 0)
        defect(a, "prints something else", "");
    check_folder(a, true, true);
}

static bool find_out(const struct faults_scenario *scenario, unsigned *calls)
{
    struct attempt calm_run = {scenario, FAULTS_NONE, 0, {0}, "calm"};
    faults_make_old(scenario, NULL);
    if (run(&calm_run, FAULTS_NONE) != scenario->code) {
        defect(&calm_run, "fails when nothing fails", "");
        return false;
    }
    *calls = calm_run.outcome.calls;
    strcpy(wanted, faults_printed);
    faults_look(&calm, "out");
    faults_make_old(scenario, &calm);
    faults_look(&old, "out");
    return true;
}

static void try_scenario(const struct faults_scenario *scenario)
{
    unsigned calls = 0, before = total.attempts;
    if (!find_out(scenario, &calls))
        return;
    for (int kind = FAULTS_KILL; kind < FAULTS_KINDS; kind++)
        for (unsigned n = only ? only : 1; n <= (only ? only : calls); n += 1 + (fine ? n / fine : 0))
            attempt_once(&(struct attempt){.scenario = scenario, .kind = (enum faults_kind)kind, .at = n});
    printf("%-20s %u calls, %u attempts\n", scenario->name, calls, total.attempts - before);
}

int main(int argc, char **argv)
{
    int first = 1;
    for (; first + 1 < argc && strncmp(argv[first], "--", 2) == 0; first += 2)
        *(strcmp(argv[first], "--at") == 0 ? &only : &fine) = (unsigned)strtoul(argv[first + 1], NULL, 10);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (!faults_enter_folder() || !getcwd(folder, sizeof folder - 5))
        return 1;
    strcat(folder, "/out");
    for (int i = 0; i < faults_scenario_count; i++)
        if (faults_scenarios[i].writes && faults_is_wanted(faults_scenarios[i].name, argv + first))
            try_scenario(&faults_scenarios[i]);
    printf("%u attempts, %u kills, %u failed calls, %u defects\n", total.attempts, total.kills,
           total.failures, total.defects);
    faults_leave_folder();
    return total.defects ? 1 : 0;
}
