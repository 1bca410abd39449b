/* orograph check: every problem of every document. */
#include <stdio.h>

#include "cli/command/commands.h"
#include "cli/engine/foresee.h"
#include "cli/options/standard.h"
#include "cli/report/console.h"

/* Returns the number of errors. */
static size_t check_file(const char *path, struct cli_graph *graph)
{
    struct oro_problems problems = {0};
    graph->doc = cli_load_document(path, &graph->registry, &problems);
    if (graph->doc && oro_problems_fatal(&problems) == 0)
        cli_foresee(graph, &problems);
    cli_print_problems(&problems, path);
    size_t errors = problems.errors + (!graph->doc && problems.errors == 0);
    if (errors == 0)
        printf("%s: valid, %zu node%s\n", path, oro_document_node_count(graph->doc),
               oro_document_node_count(graph->doc) == 1 ? "" : "s");
    oro_problems_free(&problems);
    return errors;
}

struct check_options {
    bool allow_path;
};

static int run_check(const void *parsed, char *const *arguments, int count)
{
    const struct check_options *options = parsed;
    size_t errors = 0;
    int invalid = 0;
    for (int i = 0; i < count; i++) {
        struct cli_graph graph = {.allow_any_path = options->allow_path};
        struct oro_error err = {0};
        if (!cli_registry_open(&graph.registry, options->allow_path, &err))
            return (int)cli_fail(&err);
        size_t found = check_file(arguments[i], &graph);
        cli_graph_close(&graph);
        errors += found;
        invalid += found > 0;
    }
    if (errors == 0)
        return CLI_DONE;
    cli_error("%zu error%s in %d of %d file%s", errors, errors == 1 ? "" : "s", invalid, count,
              count == 1 ? "" : "s");
    return CLI_INVALID;
}

static const struct cli_option options_table[] = {
    {"allow-path", 0, CLI_FLAG, offsetof(struct check_options, allow_path),
     .help = "Let the documents name files outside their own folders and the library"},
    {0},
};

const struct cli_command cli_check = {
    .name = "check",
    .arguments = "FILE...",
    .summary = "Validates graphs and lists every problem",
    .help =
        "Problems are printed as 'file:line: error [code]: text'. Exit code 3 if any is an error.\n"
        "What 'orograph render' would refuse is among them: missing files, unknown formats, two nodes that "
        "write\none file. '-' is standard input.\n"
        "Example: orograph check examples/*.oro\n",
    .options = options_table,
    .options_size = sizeof(struct check_options),
    .least = 1,
    .most = -1,
    .run = run_check,
};
