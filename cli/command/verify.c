/* orograph verify: whether the nodes of a graph still give what its lock says. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/missing.h"
#include "cli/command/commands.h"
#include "cli/engine/lock.h"
#include "cli/report/console.h"
#include "cli/report/progress.h"

struct verify_options {
    const char *lock, *kept;
    int progress;
    bool all, allow_path;
};

/* What was found so far. Nodes are in the plan's order, so the first that differs is made from what did not.
 */
struct verifying {
    const struct verify_options *options;
    const char *path; /* of the lock */
    struct cli_lock was;
    size_t same, changed;   /* steps */
    size_t before;          /* the first change */
    size_t driven;          /* steps that differ, and were computed by a driver */
    struct oro_error first; /* the first change; its code is ORO_OK until there is one */
    struct oro_text others; /* lines of the others */
};

static const char *unit_of(const struct oro_step *step, int output)
{
    return step->type->outputs[output].unit == ORO_METRE ? " m" : "";
}

static const struct cli_locked *find_output(const struct cli_lock_step *step, const char *name)
{
    for (int i = 0; i < step->output_count; i++)
        if (strcmp(step->outputs[i].name, name) == 0)
            return &step->outputs[i];
    return NULL;
}

/* What differs in the first output that does; nothing where none does. */
static bool describe(const struct verifying *v, const struct oro_step *step, const struct cli_lock_step *is,
                     struct oro_value *const *values, struct oro_text *text, struct oro_error *err)
{
    const struct cli_lock_step *was = cli_lock_find(&v->was, step->id);
    if (!was || strcmp(was->type, is->type) != 0) {
        oro_text_addf(text, was ? "it was of type '%s'" : "it is not in the lock", was ? was->type : "");
        return true;
    }
    for (int i = 0; i < is->output_count; i++) {
        const struct cli_locked *now = &is->outputs[i], *then = find_output(was, now->name);
        if (then && oro_hash_equal(then->digest, now->digest))
            continue;
        oro_text_addf(text, "'%s' differs ", now->name);
        void *before = then && v->options->kept ? cli_locked_kept(v->options->kept, then) : NULL;
        const void *after = then ? oro_value_host(values[i], err) : NULL;
        if (then && after)
            cli_locked_difference(then, now, before, after, unit_of(step, i), text);
        else if (!then)
            oro_text_addf(text, "from the lock, which has none");
        oro_free(before);
        return after || !then;
    }
    return true;
}

static void note_change(struct verifying *v, const struct oro_step *step, const char *what)
{
    v->changed++;
    if (v->first.code != ORO_OK) {
        oro_text_addf(&v->others, "%s: %s\n", step->id, what);
        return;
    }
    v->before = v->same;
    oro_fail(&v->first, ORO_E_EVALUATE, "%s: %s", step->type->id, what);
    oro_error_place(&v->first, step->document, step->line, step->id);
}

static bool on_result(void *user, const struct oro_step *step, const struct cli_lock_step *is,
                      struct oro_value *const *values, struct oro_error *err)
{
    struct verifying *v = user;
    struct oro_text what = {0};
    bool ok = describe(v, step, is, values, &what, err) &&
              (!what.failed || oro_fail(err, ORO_E_MEMORY, "no memory to compare '%s'", step->id));
    if (ok && what.length == 0)
        v->same++;
    else if (ok && !is->portable)
        v->driven++;
    else if (ok)
        note_change(v, step, what.data);
    oro_text_free(&what);
    return ok;
}

/* What the lock has and the graph does not. */
static void find_gone(struct verifying *v, const struct cli_lock *is)
{
    for (size_t i = 0; i < v->was.count; i++) {
        const char *id = v->was.steps[i].id;
        if (cli_lock_find(is, id))
            continue;
        v->changed++;
        if (v->first.code == ORO_OK)
            oro_fail(&v->first, ORO_E_EVALUATE, "'%s', which %s has, is not computed any more", id, v->path);
        else
            oro_text_addf(&v->others, "%s: is not computed any more\n", id);
    }
}

static int tell(struct verifying *v, const struct cli_lock *is, const char *graph)
{
    if (v->driven > 0)
        cli_warning("%zu results differ that a driver computed: they are not portable, and not counted",
                    v->driven);
    if (v->changed == 0) {
        printf("%s: %zu steps give what %s says\n", graph, v->same, v->path);
        return CLI_DONE;
    }
    if (v->options->all && v->others.data)
        fputs(v->others.data, stdout);
    if (!oro_hash_equal(v->was.document, is->document))
        cli_warning("%s was edited after it was locked", graph);
    int code = (int)cli_fail(&v->first);
    cli_error("%s: steps before that one that agree: %zu; others that differ: %zu%s", v->path, v->before,
              v->changed - 1, v->changed > 1 && !v->options->all ? " (--all lists them)" : "");
    return code;
}

/* What is to be read is there; a mistake in its name is told before anything is computed. */
static bool find_files(const struct verifying *v, const char *graph, struct oro_error *err)
{
    const char *kept = v->options->kept, *lock = v->options->lock;
    const char *absent = access(graph, F_OK) != 0 ? graph : kept && access(kept, F_OK) != 0 ? kept : NULL;
    if (absent)
        return oro_cannot_read(absent, errno, err);
    return access(v->path, F_OK) == 0 ||
           oro_fail(err, ORO_E_FILE, "there is no lock '%s': 'orograph lock %s%s%s' writes it", v->path,
                    graph, lock ? " -o " : "", lock ? lock : "");
}

static bool verify(struct verifying *v, const char *graph, int *code, struct oro_error *err)
{
    const struct cli_lock_run run = {.graph = graph,
                                     .allow_path = v->options->allow_path,
                                     .progress = v->options->progress,
                                     .visit = on_result,
                                     .user = v};
    struct cli_lock is = {.arena = oro_arena_create()};
    v->path = !is.arena ? NULL : v->options->lock ? v->options->lock : cli_lock_path(is.arena, graph);
    bool ok = v->path || oro_fail(err, ORO_E_MEMORY, "no memory for a lock");
    ok = ok && find_files(v, graph, err) && cli_lock_read(v->path, &v->was, err);
    is.settings = v->was.settings;
    ok = ok && cli_lock_compute(&run, &is, err);
    if (ok) {
        find_gone(v, &is);
        *code = tell(v, &is, graph);
    }
    cli_lock_free(&v->was);
    cli_lock_free(&is);
    oro_text_free(&v->others);
    return ok;
}

static int run_verify(const void *parsed, char *const *arguments, int count)
{
    int code = CLI_DONE;
    for (int i = 0; i < count; i++) {
        struct verifying v = {.options = parsed};
        struct oro_error err = {0};
        int found = CLI_DONE;
        if (!verify(&v, arguments[i], &found, &err))
            found = (int)cli_fail(&err);
        code = code == CLI_DONE ? found : code;
    }
    return code;
}

#define AT(field) offsetof(struct verify_options, field)
static const struct cli_option options_table[] = {
    {"lock", 0, CLI_TEXT, AT(lock), "LOCK", .help = "The lock (default: FILE.lock)"},
    {"kept", 0, CLI_TEXT, AT(kept), "DIR",
     .help = "Results that 'orograph lock --keep DIR' kept, to compare cell by cell"},
    {"all", 0, CLI_FLAG, AT(all), .help = "List everything that changed, not only the first"},
    CLI_ROW_CHOICE("progress", progress, cli_progress_modes,
                   "How to show progress on standard error (auto: a bar on a terminal)"),
    {"allow-path", 0, CLI_FLAG, AT(allow_path),
     .help = "Let the documents name files outside their own folders and the library"},
    {0},
};
#undef AT

const struct cli_command cli_verify = {
    .name = "verify",
    .arguments = "FILE...",
    .summary = "Compares what the nodes of graphs give with their locks",
    .help = "Computes all nodes on the processor, with the settings of the lock and without the cache, and "
            "names the first\n"
            "node that gives something else, and by how much. Exit code 1 if one does.\n"
            "Example: orograph verify examples/*.oro\n",
    .options = options_table,
    .options_size = sizeof(struct verify_options),
    .least = 1,
    .most = -1,
    .run = run_verify,
};
