/*
 * Lets the n-th allocation of each scenario fail, for n = 1, 2, 3, ..., once and then from there on, until
 * the scenario succeeds all the same. It must end with an error or be done, never crash or hang, leave no
 * block allocated and no other files than it writes when nothing fails, and each of these as it was or as it
 * should be; what is told as done must be whole, as must be what is printed.
 *
 * usage: faults_memory [--fine N] [--at N] [SCENARIO]...
 * --fine N: from allocation n on to n + 1 + n / N. --at N: only that one; a debugger can stop in
 * faults_allocation_failed.
 */
#define _DEFAULT_SOURCE /* for MAP_ANONYMOUS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/faults/allocations.h"
#include "tests/faults/folder_state.h"
#include "tests/faults/output.h"
#include "tests/faults/scenarios.h"
#include "tests/support/folder.h"

enum { ATTEMPT_SECONDS = 60, NO_FOLDER = 98 };

struct attempt {
    size_t n;
    bool onward;
};

/* Shared with the process that does the attempts, which may crash. */
static struct shared {
    struct attempt now;
    size_t failed, tried, defects, unsaid;
    bool done;
} * shared;

static size_t fine, only;
static FILE *report;
static struct faults_state calm, old, found;

static int run(const struct faults_scenario *scenario, struct attempt attempt)
{
    faults_output_begin();
    alarm(ATTEMPT_SECONDS);
    faults_allocation_fails(attempt.n, attempt.onward);
    int code = faults_run_scenario(scenario);
    size_t count = faults_allocations();
    faults_allocation_fails(0, false);
    alarm(0);
    if (attempt.n) {
        shared->failed += count < attempt.n ? 0 : attempt.onward ? count - attempt.n + 1 : 1;
        shared->done = count < attempt.n;
    }
    fflush(stdout);
    faults_output_read();
    return code;
}

/* ---- What must hold ---- */

static void defect(const struct faults_scenario *scenario, struct attempt attempt, const char *what,
                   const char *which)
{
    shared->defects++;
    fprintf(report, "%s: allocation %zu%s: %s%s%s\n", scenario->name, attempt.n,
            attempt.onward ? " and all after it" : "", what, which[0] ? ": " : "", which);
    if (faults_complained[0])
        fprintf(report, "    %.*s\n", (int)strcspn(faults_complained, "\n"), faults_complained);
}

static bool is_whole(const char *path)
{
    return faults_same_file(&found, &calm, path);
}

static void check_files(const struct faults_scenario *scenario, struct attempt attempt, bool done)
{
    faults_look(&found, "out");
    for (size_t i = 0; i < found.count; i++)
        if (!faults_find(&calm, found.files[i].path) && !faults_is_result(found.files[i].path) &&
            !faults_is_recovery(found.files[i].path))
            defect(scenario, attempt, "left on the disk", found.files[i].path);
    for (size_t i = 0; i < calm.count; i++) {
        const char *path = calm.files[i].path;
        if (faults_is_result(path) && (!faults_find(&found, path) || faults_same_file(&found, &old, path)))
            continue; /* a result need not be kept, nor one that is damaged be read */
        char sidecar[220];
        snprintf(sidecar, sizeof sidecar, "%s.json", path);
        if (done && !is_whole(path))
            defect(scenario, attempt, "done, but a file is not as it should be", path);
        else if (!is_whole(path) && !faults_same_file(&found, &old, path))
            defect(scenario, attempt, "spoiled", path);
        else if (faults_find(&calm, sidecar) && is_whole(path) != is_whole(sidecar))
            defect(scenario, attempt, "one of two that belong together is new", path);
    }
}

static long blocks_after(const struct faults_scenario *scenario, struct attempt attempt)
{
    faults_make_old(scenario, &calm);
    run(scenario, attempt);
    return faults_blocks();
}

static void attempt_once(const struct faults_scenario *scenario, struct attempt attempt, const char *wanted,
                         long *blocks)
{
    shared->now = attempt;
    shared->tried++;
    faults_make_old(scenario, &calm);
    int code = run(scenario, attempt);
    long left = faults_blocks();
    if (code == 0 && (scenario->code || strcmp(faults_printed, wanted) != 0))
        defect(scenario, attempt, "done, but not all was printed", "");
    if (code != 0 && !faults_complained[0])
        defect(scenario, attempt, "failed without a word", "");
    shared->unsaid += code != 0 && !strstr(faults_complained, "memory");
    if (only && code)
        fprintf(report, "exit code %d: %s", code, faults_complained);
    check_files(scenario, attempt, code == 0);
    if (left <= *blocks)
        return;
    bool done = shared->done;
    *blocks = blocks_after(scenario, (struct attempt){0}); /* libraries keep some things, once */
    if (blocks_after(scenario, attempt) > *blocks) {
        *blocks = blocks_after(scenario, (struct attempt){0});
        if (blocks_after(scenario, attempt) > *blocks)
            defect(scenario, attempt, "blocks are not freed", "");
    }
    shared->done = done;
}

static size_t next(size_t n)
{
    return n + 1 + (fine ? n / fine : 0);
}

static void attempt_all(const struct faults_scenario *scenario, struct attempt from)
{
    static char wanted[FAULTS_LOG_MAX];
    int code = 0;
    for (int i = 0; i < 3; i++) {
        if (!faults_clear(scenario))
            exit(NO_FOLDER);
        code = run(scenario, (struct attempt){0});
    }
    long blocks = faults_blocks();
    strcpy(wanted, faults_printed);
    faults_look(&calm, "out");
    if (code != scenario->code) {
        defect(scenario, (struct attempt){0}, "fails when nothing fails", "");
        return;
    }
    faults_make_old(scenario, &calm);
    faults_look(&old, "out");
    for (struct attempt at = from;;) {
        if (only)
            at = (struct attempt){only, at.onward};
        attempt_once(scenario, at, wanted, &blocks);
        bool done = shared->done || only;
        at.n = next(at.n);
        if (done && at.onward)
            return;
        if (done)
            at = (struct attempt){1, true};
    }
}

/* ---- Processes ---- */

/* In a process of its own, which is started again behind the allocation that ends it. */
static void try_scenario(const struct faults_scenario *scenario)
{
    struct attempt from = {1, false};
    for (int crashes = 0; crashes < 200; crashes++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            faults_allocations_begin();
            attempt_all(scenario, from);
            fflush(report);
            exit(0);
        }
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return;
        faults_output_read();
        char what[100];
        snprintf(what, sizeof what, WIFSIGNALED(status) ? "ends with signal %d" : "ends with code %d",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        defect(scenario, shared->now, what, "");
        if (only || (WIFEXITED(status) && WEXITSTATUS(status) == NO_FOLDER))
            return;
        from = shared->now;
        from.n = next(from.n);
    }
}

int main(int argc, char **argv)
{
    int first = 1;
    for (; first + 1 < argc && strncmp(argv[first], "--", 2) == 0; first += 2)
        *(strcmp(argv[first], "--at") == 0 ? &only : &fine) = strtoul(argv[first + 1], NULL, 10);
    if (!faults_enter_folder())
        return 1;
    report = fdopen(dup(STDOUT_FILENO), "w");
    /* cppcheck-suppress invalidFunctionArg ; no file */
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!report || shared == MAP_FAILED)
        return 1;
    setvbuf(report, NULL, _IOLBF, BUFSIZ);
    for (int i = 0; i < faults_scenario_count; i++)
        if (faults_is_wanted(faults_scenarios[i].name, argv + first)) {
            size_t before = shared->failed, tried = shared->tried, unsaid = shared->unsaid;
            try_scenario(&faults_scenarios[i]);
            fprintf(report, "%-20s %zu attempts, %zu failed allocations, %zu without the word memory\n",
                    faults_scenarios[i].name, shared->tried - tried, shared->failed - before,
                    shared->unsaid - unsaid);
        }
    fprintf(report, "%zu attempts, %zu failed allocations, %zu defects\n", shared->tried, shared->failed,
            shared->defects);
    faults_leave_folder();
    return shared->defects ? 1 : 0;
}
