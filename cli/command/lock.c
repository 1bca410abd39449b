/* orograph lock: what the nodes of a graph give, kept to find changes. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/command/commands.h"
#include "cli/engine/lock.h"
#include "cli/report/console.h"
#include "cli/report/progress.h"

struct lock_options {
    const char *out, *keep;
    struct cli_lock_settings settings;
    int progress;
    bool allow_path;
};

struct locking {
    const char *keep; /* folder for whole results; NULL: none */
    size_t results, driven;
    char driven_id[128]; /* the first such */
};

static bool on_result(void *user, const struct oro_step *step, const struct cli_lock_step *locked,
                      struct oro_value *const *values, struct oro_error *err)
{
    struct locking *locking = user;
    locking->results += (size_t)locked->output_count;
    if (!locked->portable && locking->driven == 0)
        snprintf(locking->driven_id, sizeof locking->driven_id, "%s", step->id);
    locking->driven += locked->portable ? 0 : (size_t)locked->output_count;
    bool ok = true;
    for (int i = 0; ok && locking->keep && i < locked->output_count; i++)
        ok = cli_locked_keep(locking->keep, &locked->outputs[i], values[i], err);
    return ok;
}

static bool lock(const struct lock_options *options, const char *graph, struct oro_error *err)
{
    struct cli_lock made = {.settings = options->settings, .arena = oro_arena_create()};
    struct locking locking = {.keep = options->keep};
    const struct cli_lock_run run = {.graph = graph,
                                     .allow_path = options->allow_path,
                                     .progress = options->progress,
                                     .visit = on_result,
                                     .user = &locking};
    const char *out = !made.arena ? NULL : options->out ? options->out : cli_lock_path(made.arena, graph);
    bool ok =
        (out || oro_fail(err, ORO_E_MEMORY, "no memory for a lock")) &&
        (strcmp(out, "-") != 0 || oro_fail(err, ORO_E_USAGE, "a lock is a file: -o names it, not '-'")) &&
        oro_file_may_write(out, err) && cli_lock_compute(&run, &made, err) && cli_lock_write(&made, out, err);
    if (ok)
        printf("wrote %s (%zu results of %zu steps)\n", out, locking.results, made.count);
    if (ok && locking.driven > 0)
        cli_warning("%zu results, the first in '%s', come from kernels that a driver runs: they are not "
                    "portable, and "
                    "verify does not count them",
                    locking.driven, locking.driven_id);
    cli_lock_free(&made);
    return ok;
}

static int run_lock(const void *parsed, char *const *arguments, int count)
{
    struct oro_error err = {0};
    (void)count;
    return lock(parsed, arguments[0], &err) ? CLI_DONE : (int)cli_fail(&err);
}

#define AT(field) offsetof(struct lock_options, field)
static const struct cli_option options_table[] = {
    {"out", 'o', CLI_TEXT, AT(out), "LOCK", .help = "File to write (default: FILE.lock)"},
    {"keep", 0, CLI_TEXT, AT(keep), "DIR",
     .help = "Also keep whole results in DIR, so that 'orograph verify --kept DIR' says exactly by how much "
             "they changed"},
    {"set", 0, CLI_LIST, AT(settings.set), "NODE.INPUT=VALUE",
     .help = "Replace a value of the document; the lock keeps it for verify"},
    {"max-resolution", 0, CLI_INTEGER, AT(settings.max_resolution), "N", .min = 1, .max = ORO_GRID_MAX,
     .help = "As of render, to lock a preview, which takes less time; kept likewise"},
    {"seed", 0, CLI_INTEGER, AT(settings.seed), "N", .help = "Replace the document's seed; kept likewise"},
    CLI_ROW_CHOICE("progress", progress, cli_progress_modes,
                   "How to show progress on standard error (auto: a bar on a terminal)"),
    {"allow-path", 0, CLI_FLAG, AT(allow_path),
     .help = "Let the document name files outside its own folder and the library"},
    {0},
};
#undef AT

const struct cli_command cli_lock = {
    .name = "lock",
    .arguments = "FILE",
    .summary = "Writes down what every node of a graph gives, for verify",
    .help = "Computes all nodes on the processor, whose results are the same bits on every machine, and "
            "writes digests of\n"
            "them to FILE.lock. Kept beside the graph, it lets 'orograph verify FILE' find the first node "
            "that gives something\n"
            "else after the program, a script, an input file or a graph of the library changed.\n",
    .options = options_table,
    .options_size = sizeof(struct lock_options),
    .least = 1,
    .most = 1,
    .run = run_lock,
};
