/* orograph diff: what differs between two graphs. */
#include <stdio.h>

#include "base/memory.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/graph.h"
#include "cli/json.h"
#include "graph/file/xml.h"
#include "graph/file/diff.h"

struct diff_options {
    bool json, moves, quiet;
};

static bool is_shown(const struct diff_options *options, const struct oro_difference *difference)
{
    return difference->kind != ORO_DIFFERENCE_MOVED || options->moves;
}

static bool print_lines(const struct diff_options *options, const struct oro_differences *differences)
{
    struct oro_text line = {0};
    for (size_t i = 0; i < differences->count && !line.failed; i++) {
        if (!is_shown(options, &differences->items[i]))
            continue;
        line.length = 0;
        oro_difference_line(&differences->items[i], &line);
        if (!line.failed)
            puts(line.data);
    }
    bool ok = !line.failed;
    oro_text_free(&line);
    return ok;
}

static bool print_json(const struct diff_options *options, const struct oro_differences *differences)
{
    json_t *list = json_array();
    for (size_t i = 0; i < differences->count; i++) {
        const struct oro_difference *difference = &differences->items[i];
        if (!is_shown(options, difference))
            continue;
        json_t *object = json_object();
        cli_json_text(object, "kind", oro_difference_name(difference->kind));
        cli_json_text(object, "group", difference->group);
        cli_json_text(object, "element", difference->element);
        cli_json_text(object, "name", difference->name);
        cli_json_text(object, "part", difference->part);
        cli_json_text(object, "before", difference->before);
        cli_json_text(object, "after", difference->after);
        json_array_append_new(list, object);
    }
    bool ok = list && cli_json_print(list);
    json_decref(list);
    return ok;
}

static int run_diff(const void *parsed, char *const *arguments, int count)
{
    const struct diff_options *options = parsed;
    struct oro_error err = {0};
    struct oro_differences differences = {0};
    (void)count;
    struct oro_document *before = cli_read_any(arguments[0], &oro_builtin_nodes, &err);
    struct oro_document *after = before ? cli_read_any(arguments[1], &oro_builtin_nodes, &err) : NULL;
    bool ok = after && oro_diff(before, after, &oro_builtin_nodes, &differences, &err);
    if (ok && !options->quiet && !(options->json ? print_json : print_lines)(options, &differences))
        ok = oro_fail(&err, ORO_E_MEMORY, "no memory to list the differences");
    size_t shown = options->moves ? differences.count : oro_differences_count(&differences);
    oro_differences_free(&differences);
    oro_document_destroy(before);
    oro_document_destroy(after);
    return ok ? shown > 0 ? CLI_DIFFERENT : CLI_DONE : (int)cli_fail(&err);
}

static const struct cli_option options_table[] = {
    {"moves", 0, CLI_FLAG, offsetof(struct diff_options, moves),
     .help = "Also tell which nodes and frames were moved in the editor"},
    {"json", 0, CLI_FLAG, offsetof(struct diff_options, json), .help = "Print a list of objects"},
    {"quiet", 'q', CLI_FLAG, offsetof(struct diff_options, quiet),
     .help = "Print nothing; the exit code tells"},
    {0},
};

const struct cli_command cli_diff = {
    .name = "diff",
    .arguments = "A B",
    .summary = "Tells what differs between two graphs",
    .help =
        "Values that are equal in meaning or equal the default are no difference. Exit code 0 if there is\n"
        "none, 1 if there are some.\n"
        "Example: orograph diff alps.oro alps-steeper.oro\n",
    .options = options_table,
    .options_size = sizeof(struct diff_options),
    .least = 2,
    .most = 2,
    .run = run_diff,
};
