#include "cli/command/run.h"

#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include "base/budget.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/command/commands.h"
#include "cli/engine/interrupt.h"
#include "cli/engine/output.h"
#include "cli/report/console.h"
#include "cli/report/plain.h"
#include "lua/batch/guest.h"
#include "lua/types/reference.h"

struct run_options {
    struct cli_list read, write;
    const char *task;
    struct cli_integer steps, list_tasks;
    struct cli_number seconds;
    struct cli_work_options work;
    bool allow_path, api;
};

enum { SCRIPT_MAX = 16 << 20 };

/* The most memory that a script's own tables and texts may take. */
static const size_t SCRIPT_MEMORY = (size_t)1 << 30;

/* ---- The host ---- */

static cli_run_function *const functions[ORO_BATCH_FUNCTIONS] = {
    [ORO_BATCH_OPEN] = cli_run_open,
    [ORO_BATCH_NEW] = cli_run_new,
    [ORO_BATCH_READ] = cli_run_read,
    [ORO_BATCH_LIST_FILES] = cli_run_list,
    [ORO_BATCH_READ_TEXT] = cli_run_read_text,
    [ORO_BATCH_WRITE_TEXT] = cli_run_write_text,
    [ORO_BATCH_SET] = cli_run_set,
    [ORO_BATCH_GET] = cli_run_get,
    [ORO_BATCH_SEED] = cli_run_seed,
    [ORO_BATCH_WORLD] = cli_run_world,
    [ORO_BATCH_NODES] = cli_run_nodes,
    [ORO_BATCH_OUTPUTS] = cli_run_outputs,
    [ORO_BATCH_ADD] = cli_run_add,
    [ORO_BATCH_CONNECT] = cli_run_connect,
    [ORO_BATCH_REMOVE] = cli_run_remove,
    [ORO_BATCH_OUTPUT] = cli_run_output,
    [ORO_BATCH_SAVE] = cli_run_save,
    [ORO_BATCH_RENDER] = cli_run_render,
    [ORO_BATCH_EXPORT] = cli_run_export,
    [ORO_BATCH_MEASURE] = cli_run_measure,
    [ORO_BATCH_WRITE] = cli_run_write,
    [ORO_BATCH_HILLSHADE] = cli_run_hillshade,
};

/* A file that every task writes is said once: what is in it in the end depends on which was last. */
static void say_common(struct cli_run *run, const struct oro_batch_call *call)
{
    bool one = call->function == ORO_BATCH_WRITE || call->function == ORO_BATCH_WRITE_TEXT ||
               call->function == ORO_BATCH_SAVE || call->function == ORO_BATCH_HILLSHADE;
    bool some = call->function == ORO_BATCH_EXPORT && call->result.count > 0;
    if (run->task.count < 2 || !call->common || run->said_common || (!one && !some))
        return;
    run->said_common = true;
    oro_note(&run->work.log, ORO_WARNING,
             "task %d of %d writes '%s' outside of a loop over orograph.each: every task does, and what the "
             "last one writes stays; orograph.task() gives a number for its name",
             run->task.number, run->task.count, some ? call->result.items[0].text : call->arguments[0].text);
}

static bool fail_distrusted(const struct cli_run *run, struct oro_error *err)
{
    return oro_fail(err, ORO_E_FILE, "the module '%.300s' is not trusted, as the script is", run->distrusted);
}

/* A script that catches the error by which it should end runs on for a moment, but begins nothing new. */
static bool call_host(void *user, struct oro_batch_call *call, struct oro_error *err)
{
    struct cli_run *run = user;
    if (run->distrusted)
        return fail_distrusted(run, err);
    run->began = true;
    bool ok = cli_interrupt_none(err) && functions[call->function](user, call, err);
    if (ok)
        say_common(user, call);
    return ok;
}

static void release(void *user, enum oro_batch_kind kind, void *object)
{
    (void)user;
    if (kind == ORO_BATCH_GRAPH)
        cli_run_graph_free(object);
    else
        cli_run_result_free(object);
}

/* A script can send no escape sequences to a terminal; a file or a pipe gets the bytes as they are. */
static void print(void *user, const char *line, size_t length)
{
    struct cli_run *run = user;
    if (run->distrusted)
        return;
    run->began = true;
    cli_progress_erase(&run->work.progress);
    cli_plain_pass(!isatty(STDOUT_FILENO));
    fwrite(line, 1, length, stdout);
    putchar('\n');
    cli_plain_pass(false);
}

static bool stopped(void *user)
{
    return ((struct cli_run *)user)->distrusted || cli_stopped(NULL);
}

/* ---- Modules ---- */

static bool may_run(struct cli_run *run, const char *path, const void *text, size_t length,
                    struct oro_error *err)
{
    if (!run->inside || oro_trust_allows(&run->trust, path, text, length))
        return true;
    run->distrusted = path;
    return fail_distrusted(run, err);
}

/* Modules lie in the script's own folder. The sandbox lets no name through that leads out of it, but a link
 * may. The text lives as long as the run. */
static const char *find_module(void *user, const char *module, size_t *length, const char **name,
                               struct oro_error *err)
{
    struct cli_run *run = user;
    const struct cli_places *places = &run->places;
    char *path = oro_arena_textf(places->arena, "%s%s", places->beside, module);
    void *data = NULL;
    for (char *dot = path ? path + strlen(places->beside) : NULL; dot && *dot; dot++)
        *dot = *dot == '.' ? '/' : *dot;
    *name = path ? oro_arena_textf(places->arena, "%s.lua", path) : NULL;
    if (!*name) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a module");
        return NULL;
    }
    char *allowed = cli_places_read(places, *name, err);
    bool ok = allowed && oro_file_read(allowed, SCRIPT_MAX, &data, length, err) &&
              may_run(run, *name, data, *length, err);
    oro_free(allowed);
    if (!ok) {
        oro_free(data);
        return NULL;
    }
    char *text = oro_arena_alloc(places->arena, *length + 1, 1);
    if (text)
        memcpy(text, data, *length);
    else
        oro_fail(err, ORO_E_MEMORY, "no memory for a module");
    oro_free(data);
    return text;
}

/* ---- The command ---- */

/* A script that is trusted runs within the program, unless a module of it is not. That is found out when it
 * requires the module; mostly before it has done anything, so that it can begin once more. */
static bool run_text(struct cli_run *run, const char *text, size_t length, const char *path,
                     const struct oro_batch_host *host, const struct oro_batch_options *options,
                     struct oro_error *err)
{
    oro_trust_refresh(&run->trust, &run->work.log);
    run->inside = oro_trust_allows(&run->trust, path, text, length);
    if (run->inside) {
        bool ok = oro_batch_run(text, length, path, host, options, err);
        if (!run->distrusted)
            return ok;
        if (run->began)
            return fail_distrusted(run, err);
        run->inside = false;
        run->distrusted = NULL;
    }
    return oro_batch_run_in_guest(text, length, path, host, options, err);
}

static bool run_script(struct cli_run *run, const struct run_options *options, char *const *arguments,
                       int count, struct oro_error *err)
{
    void *text = NULL;
    size_t length = 0;
    const struct oro_batch_host host = {.call = call_host,
                                        .release = release,
                                        .print = print,
                                        .stopped = stopped,
                                        .find_module = find_module,
                                        .user = run};
    const struct oro_batch_options batch = {.memory = SCRIPT_MEMORY,
                                            .steps = options->steps.given ? options->steps.value : INT64_MAX,
                                            .seconds = options->seconds.value,
                                            .version = OROGRAPH_VERSION,
                                            .arguments = arguments + 1,
                                            .argument_count = count - 1,
                                            .task = run->task.number,
                                            .tasks = run->task.count,
                                            .result_bytes = oro_budget() / 4};
    if (!oro_file_read(arguments[0], SCRIPT_MAX, &text, &length, err))
        return false;
    bool ok = run_text(run, text, length, arguments[0], &host, &batch, err);
    oro_free(text);
    return ok && cli_interrupt_none(err);
}

/* The rest of a message (":12: ...") that begins with the script's path; Lua shows only the end of a long
 * path. NULL: it begins with something else. */
static const char *behind_path(const char *text, const char *script)
{
    static const char cut[] = "...";
    size_t length = strlen(script), part = sizeof cut - 1;
    if (strncmp(text, script, length) == 0 && text[length] == ':')
        return text + length;
    const char *rest = text + part;
    if (strncmp(text, cut, part) != 0)
        return NULL;
    size_t shown = strcspn(rest, ":");
    bool same = shown > 0 && shown <= length && memcmp(script + length - shown, rest, shown) == 0;
    return same && rest[shown] == ':' ? rest + shown : NULL;
}

/* "sweep.lua:12: ..." begins with the place, as problems of documents do; other messages are printed as
 * usual. */
static enum cli_exit fail(const struct oro_error *err, const char *script)
{
    struct oro_text line = {0};
    const char *behind = behind_path(err->text, script);
    if (!behind)
        return cli_fail(err);
    oro_text_addf(&line, "%s%s", script, behind);
    cli_log.write(cli_log.user, ORO_NOTICE, line.failed ? err->text : line.data);
    oro_text_free(&line);
    return cli_exit_code(err->code);
}

static void begin(struct cli_run *run, const struct run_options *options)
{
    *run = (struct cli_run){.allow_any_path = options->allow_path};
    cli_work_begin(&run->work, &options->work, NULL);
    run->work.user = run;
    run->work.step_done = cli_run_step_done;
    run->work.seconds = options->seconds.value;
    if (options->seconds.given)
        run->work.deadline = oro_now() + options->seconds.value;
}

/* Prints what a script can call, for docs/lua-api.md. */
static int print_reference(void)
{
    struct oro_text text = {0};
    oro_lua_reference(&text);
    return cli_print_text(&text) ? CLI_DONE : CLI_FAILED;
}

static int run_run(const void *parsed, char *const *arguments, int count)
{
    const struct run_options *options = parsed;
    struct cli_run run;
    struct oro_error err = {0};
    if (options->api)
        return print_reference();
    if (count == 0) {
        cli_error("run: which script? 'orograph help run' shows how it is called");
        return CLI_USAGE;
    }
    if (options->list_tasks.given) {
        bool listed =
            cli_task_list(&cli_run_command, options, arguments, count, (int)options->list_tasks.value, &err);
        return listed ? CLI_DONE : (int)cli_fail(&err);
    }
    begin(&run, options);
    bool ok = cli_task_find(options->task, &run.task, &err) &&
              cli_places_open(&run.places, arguments[0], &options->read, &options->write, arguments + 1,
                              count - 1, &err) &&
              cli_places_wall(&run.places, options->work.shader_dir, options->allow_path, &err) &&
              run_script(&run, options, arguments, count, &err);
    cli_progress_end(&run.work.progress, ok ? NULL : &err);
    enum cli_exit code = ok ? CLI_DONE : fail(&err, arguments[0]);
    cli_work_end(&run.work);
    cli_places_close(&run.places);
    oro_trust_free(&run.trust);
    return (int)code;
}

#define AT(field) offsetof(struct run_options, field)
static const struct cli_option options_table[] = {
    {"read", 0, CLI_LIST, AT(read), "PATH",
     .help = "Let the script read this file, or what lies below this folder; may be repeated"},
    {"write", 0, CLI_LIST, AT(write), "FOLDER",
     .help = "Let the script write (and read) below this folder, which is made; may be repeated"},
    {"task", 0, CLI_TEXT, AT(task), "K/N",
     .help = "Do the Kth of N shares of what goes through orograph.each (default: as Slurm says, else all)"},
    {"list-tasks", 0, CLI_INTEGER, AT(list_tasks), "N", .min = 1, .max = CLI_TASKS_MAX,
     .help = "Print the command for each of N tasks, one a line, and run none"},
    CLI_WORK_PROGRESS,
    {"steps", 0, CLI_INTEGER, AT(steps), "N", .min = 1, .max = 9e15,
     .help = "End the script after N steps of Lua (default: no limit)"},
    {"seconds", 0, CLI_NUMBER, AT(seconds), "S", .min = 0.001, .max = 1e9,
     .help = "End the script after S seconds (default: no limit)"},
    CLI_WORK_MEMORY,
    CLI_WORK_DEVICE,
    {"allow-path", 0, CLI_FLAG, AT(allow_path),
     .help = "Let graphs name files outside their own folder and the library"},
    {"api", 0, CLI_FLAG, AT(api), .help = "Print what scripts can call, as Markdown, and run none"},
    {0},
};
#undef AT

const struct cli_command cli_run_command = {
    .name = "run",
    .arguments = "SCRIPT.lua [ARG]...",
    .summary = "Runs a script that renders, measures and writes",
    .help = "The script may read its own folder and what the command line names, and write below --write.\n"
            "Options come before SCRIPT.lua or behind it; what begins with - is the script's own behind --.\n"
            "Example: orograph run sweep.lua alps.oro --write variants\n",
    .options = options_table,
    .options_size = sizeof(struct run_options),
    .least = 0,
    .most = -1,
    .run = run_run,
};
