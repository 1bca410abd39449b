/* orograph nodes: the node reference. */
#include "cli/nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/commands.h"
#include "cli/console.h"

const char *const cli_nodes_formats[] = {"text", "markdown", "json", NULL};

struct nodes_options {
    int format;
};

static int by_category(const void *a, const void *b)
{
    const struct oro_node_type *first = *(const struct oro_node_type *const *)a;
    const struct oro_node_type *second = *(const struct oro_node_type *const *)b;
    int order = strcmp(first->category, second->category);
    return order ? order : strcmp(first->id, second->id);
}

static bool print_text(struct oro_text *text)
{
    bool ok = !text->failed;
    if (ok && text->data)
        fputs(text->data, stdout);
    oro_text_free(text);
    return ok;
}

bool cli_nodes_print(int format, const struct oro_node_type **types, size_t count)
{
    struct oro_text text = {0};
    qsort(types, count, sizeof *types, by_category);
    if (format == CLI_NODES_JSON)
        return cli_nodes_json(types, count);
    if (format == CLI_NODES_MARKDOWN)
        cli_nodes_markdown(&text, types, count);
    else
        cli_nodes_list(&text, types, count);
    return print_text(&text);
}

bool cli_nodes_print_page(int format, const struct oro_node_type *type)
{
    struct oro_text text = {0};
    if (format == CLI_NODES_JSON)
        return cli_nodes_json_page(type);
    if (format == CLI_NODES_MARKDOWN)
        cli_nodes_markdown_page(&text, type);
    else
        cli_nodes_page(&text, type);
    return print_text(&text);
}

static bool print_all(int format)
{
    size_t count = oro_builtin_nodes.count;
    const struct oro_node_type **types = oro_alloc(count + 1, sizeof *types);
    if (!types)
        return false;
    memcpy(types, oro_builtin_nodes.types, count * sizeof *types);
    bool ok = cli_nodes_print(format, types, count);
    oro_free(types);
    return ok;
}

static enum cli_exit unknown_type(const char *id)
{
    const char *near = oro_registry_suggest(&oro_builtin_nodes, id);
    if (near)
        cli_error("there is no node type '%s'; did you mean '%s'?", id, near);
    else
        cli_error("there is no node type '%s'; 'orograph nodes' lists them", id);
    return CLI_USAGE;
}

static int run_nodes(const void *parsed, char *const *arguments, int count)
{
    const struct nodes_options *options = parsed;
    const struct oro_node_type *type = count > 0 ? oro_registry_find(&oro_builtin_nodes, arguments[0]) : NULL;
    if (count > 0 && !type)
        return (int)unknown_type(arguments[0]);
    if (type ? cli_nodes_print_page(options->format, type) : print_all(options->format))
        return CLI_DONE;
    cli_error("the reference could not be written out");
    return CLI_FAILED;
}

static const struct cli_option options_table[] = {
    {"format", 0, CLI_CHOICE, offsetof(struct nodes_options, format), .choices = cli_nodes_formats,
     .help = "Form of the output"},
    {0},
};

const struct cli_command cli_nodes = {
    .name = "nodes",
    .arguments = "[TYPE]",
    .summary = "Lists the node types, or describes one",
    .help = "Example: orograph nodes noise\n",
    .options = options_table,
    .options_size = sizeof(struct nodes_options),
    .most = 1,
    .run = run_nodes,
};
