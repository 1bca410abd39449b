/* orograph library: the graphs that every document can use as nodes. */
#include <string.h>

#include <dirent.h>

#include "base/memory.h"
#include "cli/command/commands.h"
#include "cli/command/nodes.h"
#include "cli/engine/graph.h"
#include "cli/report/console.h"
#include "graph/derived/paths.h"
#include "graph/derived/scripts.h"

struct library_options {
    int format;
};

/* Names of the files, each once: documents find a file in the first folder that has it. */
struct listing {
    struct oro_arena *arena;
    const char *names[CLI_LIBRARY_MAX];
    size_t count;
    const char *folder; /* whose categories are listed */
};

static bool is_listed(const struct listing *listing, const char *name)
{
    for (size_t i = 0; i < listing->count; i++)
        if (strcmp(listing->names[i], name) == 0)
            return true;
    return false;
}

static bool is_graph(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".oro") == 0;
}

/* Lists the graphs of a folder, whose names begin with `category` ("" or "Rocks/"). */
static void list_graphs(struct listing *listing, const char *path, const char *category)
{
    DIR *entries = path ? opendir(path) : NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        const char *name = is_graph(entry->d_name) && listing->count < CLI_LIBRARY_MAX
                               ? oro_arena_textf(listing->arena, "%s%s", category, entry->d_name)
                               : NULL;
        if (name && !is_listed(listing, name))
            listing->names[listing->count++] = name;
    }
    if (entries)
        closedir(entries);
}

static bool list_folder(const char *folder, size_t length, void *user)
{
    struct listing *listing = user;
    list_graphs(listing, oro_arena_textf(listing->arena, "%.*s", (int)length, folder), "");
    return false;
}

static bool list_category(const char *category, void *user)
{
    struct listing *listing = user;
    const char *name = oro_arena_textf(listing->arena, "%s/", category);
    if (name)
        list_graphs(listing, oro_arena_textf(listing->arena, "%s/%s", listing->folder, name), name);
    return false;
}

static bool list_categories(const char *folder, size_t length, void *user)
{
    struct listing *listing = user;
    listing->folder = oro_arena_textf(listing->arena, "%.*s", (int)length, folder);
    return listing->folder && oro_any_category(folder, length, list_category, listing);
}

/* The node type of a file that documents find under this name; NULL: the file is not a graph with an
 * interface. */
static const struct oro_node_type *type_of(const struct oro_registry *registry,
                                           const struct oro_document *any, const char *name,
                                           struct oro_error *err)
{
    const struct oro_doc_node node = {
        .id = (char *)"", .type = (char *)ORO_GRAPH_TYPE, .href = (char *)name, .version = 1};
    return oro_type_of(registry, any, &node, err);
}

/* A graph whose interface leads to scripts that are not read. NULL: it is no graph, or memory is out. */
static const struct oro_node_type *type_without_scripts(const struct oro_registry *registry,
                                                        const struct oro_document *any, const char *name,
                                                        struct oro_arena *arena)
{
    const struct oro_doc_node node = {
        .id = (char *)"", .type = (char *)ORO_GRAPH_TYPE, .href = (char *)name, .version = 1};
    struct oro_graph graph;
    if (!oro_graph_find(registry, any, &node, &graph, NULL))
        return NULL;
    const struct oro_doc_about about = oro_document_about(graph.doc);
    const char *slash = strrchr(name, '/'), *stem = slash ? slash + 1 : name;
    const char *doc = about.doc ? about.doc : about.title;
    return cli_nodes_unread(
        arena, &(struct oro_node_type){.id = oro_arena_textf(arena, "%.*s", (int)(strlen(stem) - 4), stem),
                                       .category = about.category ? about.category : ORO_GRAPH_TYPE,
                                       .doc = doc ? doc : "",
                                       .words = about.words ? about.words : "",
                                       .file = oro_document_path(graph.doc)});
}

size_t cli_library_types(const struct oro_registry *registry, const struct oro_document *any,
                         struct oro_arena *arena, const struct oro_node_type *types[CLI_LIBRARY_MAX],
                         const char *names[CLI_LIBRARY_MAX])
{
    struct listing *listing = oro_alloc(1, sizeof *listing);
    size_t count = 0;
    oro_scripts_omit(registry->scripts, ORO_OMIT_UNTRUSTED);
    if (listing) {
        listing->arena = arena;
        oro_any_library(list_folder, listing);
        oro_any_own_library(list_categories, listing);
    }
    for (size_t i = 0; listing && i < listing->count; i++) {
        struct oro_error why = {0};
        types[count] = type_of(registry, any, listing->names[i], &why);
        if (!types[count] && why.code == ORO_E_OMITTED)
            types[count] = type_without_scripts(registry, any, listing->names[i], arena);
        if (types[count])
            names[count++] = listing->names[i];
        else
            cli_error("%s: %s", listing->names[i], why.text);
    }
    oro_free(listing);
    return count;
}

static bool print_all(int format, const struct oro_registry *registry, const struct oro_document *any,
                      struct oro_arena *arena)
{
    const struct oro_node_type *types[CLI_LIBRARY_MAX];
    const char *names[CLI_LIBRARY_MAX];
    return cli_nodes_print(format, types, cli_library_types(registry, any, arena, types, names));
}

static bool print_one(int format, const struct oro_registry *registry, const struct oro_document *any,
                      const char *name, struct oro_arena *arena, struct oro_error *err)
{
    const char *file = is_graph(name) ? name : oro_arena_textf(arena, "%s.oro", name);
    const struct oro_node_type *type = file ? type_of(registry, any, file, err) : NULL;
    return type && cli_nodes_print_page(format, type);
}

static int run_library(const void *parsed, char *const *arguments, int count)
{
    const struct library_options *options = parsed;
    struct oro_registry registry = {.assets = NULL};
    struct oro_error err = {0};
    struct oro_arena *arena = oro_arena_create();
    struct oro_document *any = oro_document_create();
    bool ok = arena && any ? cli_registry_open(&registry, false, &err)
                           : oro_fail(&err, ORO_E_MEMORY, "no memory for the library");
    if (ok && count > 0)
        ok = print_one(options->format, &registry, any, arguments[0], arena, &err);
    else if (ok)
        ok = print_all(options->format, &registry, any, arena) ||
             oro_fail(&err, ORO_E_WRITE, "the list could not be written out");
    cli_registry_close(&registry);
    oro_document_destroy(any);
    oro_arena_destroy(arena);
    return ok ? CLI_DONE : (int)cli_fail(&err);
}

static const struct cli_option options_table[] = {
    {"format", 0, CLI_CHOICE, offsetof(struct library_options, format), .choices = cli_nodes_formats,
     .help = "Form of the output"},
    {0},
};

const struct cli_command cli_library = {
    .name = "library",
    .arguments = "[GRAPH]",
    .summary = "Lists the graphs that every document can use as nodes, or describes one",
    .help = "They lie in the folders of OROGRAPH_PATH and in the library of the program.\n"
            "Example: orograph library alpine_range\n",
    .options = options_table,
    .options_size = sizeof(struct library_options),
    .most = 1,
    .run = run_library,
};
