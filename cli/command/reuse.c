/* orograph group, extract, embed, flatten: turn nodes into graphs, and graphs into nodes. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/command/commands.h"
#include "cli/engine/graph.h"
#include "cli/report/console.h"
#include "graph/derived/assets.h"
#include "graph/derived/paths.h"
#include "graph/file/load.h"
#include "graph/reuse/reuse.h"

struct reuse_options {
    const char *out, *nodes, *name;
    bool allow_path, replace;
};

/* A document that is edited and written again. */
struct edited {
    struct oro_registry registry;
    struct oro_document *doc;
    const struct reuse_options *options;
    const char *file;
    size_t errors; /* errors that were there from the start: missing graphs */
};

static bool begin(struct edited *edited, const char *file, const struct reuse_options *options,
                  struct oro_error *err)
{
    *edited = (struct edited){.options = options, .file = file};
    if (!cli_registry_open(&edited->registry, options->allow_path, err))
        return false;
    edited->doc = cli_read_graph(file, &edited->registry, &edited->errors, err);
    return edited->doc;
}

static bool may_replace(const struct edited *edited, const char *out, struct oro_error *err)
{
    return edited->options->replace || oro_path_same(out, edited->file) || access(out, F_OK) != 0 ||
           oro_fail(err, ORO_E_WRITE, "'%s' is there already; --replace replaces it", out);
}

static bool check_there(const struct edited *edited, const struct oro_document *doc, const char *out,
                        struct oro_error *err);

/* Writes the file that was read, or the one that -o names. */
static bool end(const struct edited *edited, const char *out, struct oro_error *err)
{
    const char *path = out ? out : edited->file;
    if (out && !oro_path_same(out, edited->file) &&
        (!may_replace(edited, out, err) || !oro_document_set_path(edited->doc, out) ||
         !check_there(edited, edited->doc, out, err)))
        return false;
    if (!oro_document_write(edited->doc, &edited->registry, path, err))
        return false;
    printf("wrote %s\n", path);
    return true;
}

static int run(const struct reuse_options *options, char *const *arguments,
               bool (*change)(struct edited *edited, const char *argument, struct oro_error *err))
{
    struct edited edited;
    struct oro_error err = {0};
    bool ok = begin(&edited, arguments[0], options, &err) && change(&edited, arguments[1], &err);
    oro_document_destroy(edited.doc);
    cli_registry_close(&edited.registry);
    return ok ? CLI_DONE : (int)cli_fail(&err);
}

/* ---- group ---- */

enum { NAMED_MAX = 1000 };

/* Cuts "a,b,c" in place. Returns the number of parts. */
static size_t cut_list(char *list, const char *names[NAMED_MAX])
{
    size_t count = 0;
    for (char *name = list; name && count < NAMED_MAX;) {
        char *comma = strchr(name, ',');
        if (comma)
            *comma = '\0';
        if (*name)
            names[count++] = name;
        name = comma ? comma + 1 : NULL;
    }
    return count;
}

static bool group(struct edited *edited, const char *argument, struct oro_error *err)
{
    const struct reuse_options *options = edited->options;
    const char *names[NAMED_MAX];
    (void)argument;
    if (!options->nodes || !options->name)
        return oro_fail(err, ORO_E_USAGE, "give --nodes a,b,c and --name NAME");
    char *list = oro_copy_text(options->nodes);
    size_t count = cut_list(list, names);
    bool ok = list && oro_reuse_group(edited->doc, names, count, options->name, &edited->registry, err);
    oro_free(list);
    return ok && end(edited, options->out, err);
}

static int run_group(const void *options, char *const *arguments, int count)
{
    (void)count;
    return run(options, arguments, group);
}

/* ---- extract ---- */

struct search {
    const char *place; /* of the new file */
    char href[PATH_MAX];
};

/* What follows in the place behind a folder that contains it. */
static bool lies_in(const char *folder, size_t length, void *user)
{
    struct search *search = user;
    char *copy = oro_alloc(length + 1, 1);
    if (copy)
        memcpy(copy, folder, length);
    char *root = copy ? oro_path_true(copy) : NULL;
    size_t size = root ? strlen(root) : 0;
    bool inside = root && strncmp(search->place, root, size) == 0 && search->place[size] == '/';
    if (inside)
        snprintf(search->href, sizeof search->href, "%s", search->place + size + 1);
    oro_free(copy);
    oro_free(root);
    return inside;
}

/* How the document names the new file: from its own folder, or from one of the libraries. */
static bool find_href(const struct edited *edited, const char *out, char href[PATH_MAX],
                      struct oro_error *err)
{
    struct search search = {.place = NULL};
    const char *slash = strrchr(edited->file, '/');
    char *place = oro_path_true(out);
    search.place = place;
    if (!place)
        return oro_fail(err, ORO_E_WRITE, "'%s' cannot be written: there is no such folder", out);
    bool found =
        (slash ? lies_in(edited->file, slash == edited->file ? 1 : (size_t)(slash - edited->file), &search)
               : lies_in(".", 1, &search)) ||
        oro_any_library(lies_in, &search);
    if (!found && edited->options->allow_path)
        found = snprintf(search.href, sizeof search.href, "%s", place) > 0;
    snprintf(href, PATH_MAX, "%s", search.href);
    oro_free(place);
    return found ||
           oro_fail(err, ORO_E_USAGE,
                    "'%s' lies neither below the document's folder nor in a folder of OROGRAPH_PATH, so the "
                    "document would not find it (--allow-path allows it)",
                    out);
}

/* Checks the maps and other files that its nodes read. */
static bool check_files(const struct edited *edited, const struct oro_document *body, const char *out,
                        struct oro_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < oro_document_node_count(body); i++) {
        const struct oro_doc_node *node = oro_document_node(body, i);
        const struct oro_node_type *type =
            oro_node_is_graph(node) ? NULL : oro_type_at(&edited->registry, out, node, NULL);
        for (size_t k = 0; ok && type && k < node->input_count; k++) {
            const struct oro_input *input = oro_type_input(type, node->inputs[k].name);
            const char *value = node->inputs[k].value;
            char *path = NULL;
            if (!input || input->type != ORO_FILE || input->writes || !value || !*value)
                continue;
            ok = oro_resolve_path(out, value, edited->options->allow_path, &path, err) &&
                 (access(path, F_OK) == 0 ||
                  oro_fail(err, ORO_E_FILE, "node '%s': '%.300s' would not be found from '%s'", node->id,
                           value, out));
            oro_free(path);
        }
    }
    for (size_t i = 0; ok && i < oro_document_group_count(body); i++)
        ok = check_files(edited, oro_document_group(body, i)->body, out, err);
    return ok;
}

/* Checks that what the group uses is also found from the new place. */
static bool check_there(const struct edited *edited, const struct oro_document *file, const char *out,
                        struct oro_error *err)
{
    struct oro_problems problems = {0};
    oro_check(file, &edited->registry, &problems);
    cli_print_problems(&problems, out);
    bool ok = problems.errors <= (file == edited->doc ? edited->errors : 0);
    if (!ok)
        oro_fail(err, ORO_E_DOCUMENT, "it would not be valid in '%s'; nothing was written", out);
    oro_problems_free(&problems);
    return ok && oro_reuse_scripts_stay(file, edited->file, out, &edited->registry, err) &&
           check_files(edited, file, out, err);
}

static bool extract_to(struct edited *edited, const char *name, const char *out, const char *href,
                       struct oro_error *err)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(href, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - href) + 1 : 0, href);
    struct oro_document *file = oro_reuse_file_of(edited->doc, name, folder, &edited->registry, err);
    bool ok = file && oro_document_set_path(file, out) && check_there(edited, file, out, err) &&
              oro_document_write(file, &edited->registry, out, err) &&
              oro_reuse_extract(edited->doc, name, href, err) && end(edited, NULL, err);
    oro_document_destroy(file);
    if (ok)
        printf("wrote %s\n", out);
    return ok;
}

static bool extract(struct edited *edited, const char *name, struct oro_error *err)
{
    const char *out = edited->options->out;
    char href[PATH_MAX];
    if (!out)
        return oro_fail(err, ORO_E_USAGE, "give -o FILE.oro, where the group is to be written");
    if (oro_path_same(out, edited->file))
        return oro_fail(err, ORO_E_USAGE, "'%s' is the document itself", out);
    return may_replace(edited, out, err) && find_href(edited, out, href, err) &&
           oro_file_may_write(out, err) && extract_to(edited, name, out, href, err);
}

static int run_extract(const void *options, char *const *arguments, int count)
{
    (void)count;
    return run(options, arguments, extract);
}

/* ---- embed ---- */

static bool embed(struct edited *edited, const char *href, struct oro_error *err)
{
    const struct reuse_options *options = edited->options;
    char name[128]; /* "alpine" of library/alpine.oro */
    const char *slash = strrchr(href, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : href);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = '\0';
    return oro_reuse_embed(edited->doc, href, options->name ? options->name : name, &edited->registry, err) &&
           end(edited, options->out, err);
}

static int run_embed(const void *options, char *const *arguments, int count)
{
    (void)count;
    return run(options, arguments, embed);
}

/* ---- flatten ---- */

/* Flattening a graph may bring up further graphs, and a document of a few nodes can hold very many. */
enum { FLAT_NODES_MAX = 5000 };

static const struct oro_doc_node *next_graph(const struct edited *edited)
{
    for (size_t i = 0; i < oro_document_node_count(edited->doc); i++) {
        const struct oro_doc_node *node = oro_document_node(edited->doc, i);
        if (oro_node_is_graph(node) && oro_type_of(&edited->registry, edited->doc, node, NULL))
            return node;
    }
    return NULL;
}

static bool flatten_node(struct edited *edited, const char *node, struct oro_error *err)
{
    char *id = oro_copy_text(node);
    bool ok = id && oro_reuse_flatten(edited->doc, id, &edited->registry, err);
    oro_free(id);
    if (ok && oro_document_node_count(edited->doc) > FLAT_NODES_MAX)
        ok = oro_fail(err, ORO_E_LIMIT, "taken apart, the graph has more than %d nodes", FLAT_NODES_MAX);
    return ok;
}

/* A graph that is missing cannot be flattened, and without it what it uses would be lost. */
static bool all_flat(const struct edited *edited, struct oro_error *err)
{
    for (size_t i = 0; i < oro_document_node_count(edited->doc); i++) {
        const struct oro_doc_node *node = oro_document_node(edited->doc, i);
        struct oro_error why = {0};
        if (!oro_node_is_graph(node))
            continue;
        oro_type_of(&edited->registry, edited->doc, node, &why);
        return oro_fail(err, ORO_E_DOCUMENT, "node '%s' cannot be taken apart: %s", node->id, why.text);
    }
    return true;
}

/* Once everything is flat, groups that nothing uses are removed. */
static bool drop_groups(struct edited *edited, struct oro_error *err)
{
    while (oro_document_group_count(edited->doc) > 0)
        if (!oro_edit_remove_group(edited->doc, oro_document_group(edited->doc, 0)->name, err))
            return false;
    return true;
}

static bool flatten(struct edited *edited, const char *argument, struct oro_error *err)
{
    const struct reuse_options *options = edited->options;
    const char *names[NAMED_MAX];
    const struct oro_doc_node *node;
    bool ok = true;
    (void)argument;
    if (options->nodes) {
        char *list = oro_copy_text(options->nodes);
        size_t count = cut_list(list, names);
        for (size_t i = 0; ok && i < count; i++)
            ok = flatten_node(edited, names[i], err);
        oro_free(list);
    } else {
        while (ok && (node = next_graph(edited)) != NULL)
            ok = flatten_node(edited, node->id, err);
        ok = ok && all_flat(edited, err) && drop_groups(edited, err);
    }
    return ok && end(edited, options->out, err);
}

static int run_flatten(const void *options, char *const *arguments, int count)
{
    (void)count;
    return run(options, arguments, flatten);
}

/* ---- The commands ---- */

#define AT(field) offsetof(struct reuse_options, field)
#define OUT CLI_ROW_TEXT("out", 'o', out, "OUT.oro", "Write here instead of replacing FILE")
#define ALLOW_PATH                                                                                           \
    CLI_ROW_FLAG("allow-path", allow_path,                                                                   \
                 "Let the document name files outside its own folder and the library")
#define REPLACE CLI_ROW_FLAG("replace", replace, "Let -o replace a file that is there")
static const struct cli_option group_options[] = {
    {"nodes", 0, CLI_TEXT, AT(nodes), "A,B,C", .help = "The nodes that become a group"},
    {"name", 0, CLI_TEXT, AT(name), "NAME", .help = "What the group is called"},
    OUT,
    REPLACE,
    ALLOW_PATH,
    {0},
};
static const struct cli_option extract_options[] = {
    {"out", 'o', CLI_TEXT, AT(out), "NEW.oro",
     .help = "The new file: below FILE's folder, or on OROGRAPH_PATH"},
    REPLACE,
    ALLOW_PATH,
    {0},
};
static const struct cli_option embed_options[] = {
    {"name", 0, CLI_TEXT, AT(name), "NAME", .help = "What the group is called (default: as the file)"},
    OUT,
    REPLACE,
    ALLOW_PATH,
    {0},
};
static const struct cli_option flatten_options[] = {
    {"nodes", 0, CLI_TEXT, AT(nodes), "A,B,C", .help = "Only these nodes, one level deep"},
    OUT,
    REPLACE,
    ALLOW_PATH,
    {0},
};
#undef AT

const struct cli_command cli_group = {
    .name = "group",
    .arguments = "FILE",
    .summary = "Makes a group of nodes, and one node that uses it",
    .help = "Results stay the same. What is linked into the group and out of it becomes its interface.\n"
            "Example: orograph group alps.oro --nodes base,rough,slopes --name rock\n",
    .options = group_options,
    .options_size = sizeof(struct reuse_options),
    .least = 1,
    .most = 1,
    .run = run_group,
};

const struct cli_command cli_extract = {
    .name = "extract",
    .arguments = "FILE GROUP",
    .summary = "Makes a file of a group, for other graphs to use",
    .help = "Nodes of FILE that used the group use the new file.\n"
            "Example: orograph extract alps.oro rock -o library/rock.oro\n",
    .options = extract_options,
    .options_size = sizeof(struct reuse_options),
    .least = 2,
    .most = 2,
    .run = run_extract,
};

const struct cli_command cli_embed = {
    .name = "embed",
    .arguments = "FILE HREF",
    .summary = "Takes a file that nodes use into the graph, as a group",
    .help = "The opposite of extract: FILE then needs no other file for it.\n"
            "Example: orograph embed alps.oro library/rock.oro --name rock\n",
    .options = embed_options,
    .options_size = sizeof(struct reuse_options),
    .least = 2,
    .most = 2,
    .run = run_embed,
};

const struct cli_command cli_flatten = {
    .name = "flatten",
    .arguments = "FILE",
    .summary = "Replaces nodes that are graphs by the nodes of these graphs",
    .help = "Results stay the same. Without --nodes, no graph within the graph is left.\n"
            "Example: orograph flatten alps.oro -o alps-flat.oro\n",
    .options = flatten_options,
    .options_size = sizeof(struct reuse_options),
    .least = 1,
    .most = 1,
    .run = run_flatten,
};
