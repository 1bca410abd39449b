/* orograph nodes: the node reference. */
#include "cli/command/nodes.h"

#include "base/memory.h"
#include "cli/command/commands.h"
#include "cli/engine/graph.h"
#include "cli/report/console.h"
#include "graph/derived/script_about.h"
#include "graph/derived/scripts.h"

struct nodes_options {
    int format;
    const char *search;
    bool json;
};

/* All types: the built-in ones, and scripts of the working folder and the libraries. */
struct all_types {
    const struct oro_registry *registry;
    struct oro_arena *arena; /* of the types of scripts that are not read */
    const struct oro_node_type **items;
    size_t count, capacity;
    bool failed;
};

static void add_type(struct all_types *all, const struct oro_node_type *type)
{
    void *items = all->items;
    if (!oro_reserve(&items, &all->capacity, all->count + 1, sizeof *all->items)) {
        all->failed = true;
        return;
    }
    all->items = items;
    all->items[all->count++] = type;
}

/* What the text of a script says of itself. */
static void add_unread(struct all_types *all, const char *id, const char *path)
{
    struct oro_script_about about;
    struct oro_error err = {0};
    if (!oro_script_about_read(path, &about, &err)) {
        cli_warning("'%s' is left out: %s", id, err.text);
        return;
    }
    const struct oro_node_type *type = cli_nodes_unread(
        all->arena, &(struct oro_node_type){.id = id,
                                            .category = about.category[0] ? about.category : "script",
                                            .doc = about.doc,
                                            .words = about.words,
                                            .file = path});
    all->failed = all->failed || !type;
    if (type)
        add_type(all, type);
}

static void add_script(void *user, const char *id, const char *path, const struct oro_error *why)
{
    struct all_types *all = user;
    struct oro_error err = *why;
    bool found = false;
    const struct oro_node_type *type =
        path ? oro_script_type(all->registry->scripts, "", id, &found, &err) : NULL;
    if (type)
        add_type(all, type);
    else if (err.code == ORO_E_OMITTED)
        add_unread(all, id, path);
    else
        cli_warning("'%s' is left out: %s", id, err.text);
}

static bool print_all(const struct oro_registry *registry, const struct nodes_options *options)
{
    struct all_types all = {.registry = registry, .arena = oro_arena_create()};
    oro_scripts_omit(registry->scripts, ORO_OMIT_UNTRUSTED);
    for (size_t i = 0; i < registry->count; i++)
        add_type(&all, registry->types[i]);
    bool ok = all.arena && oro_scripts_each_file(registry->scripts, registry, "", add_script, &all) &&
              !all.failed &&
              (options->search ? cli_nodes_search(options->search, options->format == CLI_NODES_JSON,
                                                  registry, all.items, all.count)
                               : cli_nodes_print(options->format, all.items, all.count));
    oro_arena_destroy(all.arena);
    oro_free(all.items);
    return ok;
}

static enum cli_exit tell_whole(bool whole)
{
    if (!whole)
        cli_error("no memory for the reference");
    return whole ? CLI_DONE : CLI_FAILED;
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

static int print_one(const struct oro_registry *registry, int format, const char *id)
{
    bool found = false;
    struct oro_error err = {0};
    const struct oro_node_type *type = oro_registry_find(registry, id);
    if (!type)
        type = oro_script_type(registry->scripts, "", id, &found, &err);
    if (!type && !found)
        return (int)unknown_type(id);
    if (!type)
        return (int)cli_fail(&err);
    return (int)tell_whole(cli_nodes_print_page(format, type));
}

static int run_nodes(const void *parsed, char *const *arguments, int count)
{
    struct nodes_options options = *(const struct nodes_options *)parsed;
    options.format = options.json ? CLI_NODES_JSON : options.format;
    if (options.search && count > 0) {
        cli_error("either --search, or one node type; words with blanks are put in quotes");
        return CLI_USAGE;
    }
    struct oro_registry registry;
    struct oro_error err = {0};
    int code = CLI_FAILED;
    if (!cli_registry_open(&registry, false, &err))
        code = (int)cli_fail(&err);
    else if (count > 0)
        code = print_one(&registry, options.format, arguments[0]);
    else
        code = (int)tell_whole(print_all(&registry, &options));
    cli_registry_close(&registry);
    return code;
}

static const struct cli_option options_table[] = {
    {"format", 0, CLI_CHOICE, offsetof(struct nodes_options, format), .choices = cli_nodes_formats,
     .help = "Form of the output"},
    {"search", 0, CLI_TEXT, offsetof(struct nodes_options, search), .argument = "WORDS",
     .help =
         "Finds types, uses of them and graphs of the library by what they are called here and elsewhere"},
    {"json", 0, CLI_FLAG, offsetof(struct nodes_options, json), .help = "The same as --format json"},
    {0},
};

const struct cli_command cli_nodes = {
    .name = "nodes",
    .arguments = "[TYPE]",
    .summary = "Lists the node types, or describes one",
    .help = "Scripts of the working folder, of OROGRAPH_PATH and of the installed library are listed, too, "
            "by what "
            "their texts say: a list runs only scripts that are trusted (orograph trust).\n"
            "Example: orograph nodes noise\n"
            "         orograph nodes --search voronoi\n",
    .options = options_table,
    .options_size = sizeof(struct nodes_options),
    .most = 1,
    .run = run_nodes,
};
