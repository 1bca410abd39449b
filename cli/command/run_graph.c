/* The graphs of a script: reading, making, changing and saving them. */
#include <math.h>
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/command/run.h"
#include "graph/derived/paths.h"
#include "graph/document/variable.h"
#include "graph/file/xml.h"
#include "graph/plan/file_digests.h"
#include "lua/types/node_types.h"

/* ---- The objects ---- */

void cli_run_graph_free(struct cli_run_graph *graph)
{
    if (!graph)
        return;
    oro_free(graph->files);
    cli_graph_close(&graph->graph);
    oro_free(graph);
}

bool cli_run_scratch_own(struct cli_graph *scratch, struct oro_error *err)
{
    struct oro_document *own = oro_document_clone(scratch->doc);
    if (!own)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a graph");
    scratch->doc = own;
    return true;
}

bool cli_run_scratch(const struct cli_run_graph *graph, struct cli_graph *scratch, struct oro_error *err)
{
    const struct cli_graph *whole = &graph->graph;
    size_t most = oro_document_port_count(whole->doc) + oro_document_node_count(whole->doc) + 1;
    *scratch = (struct cli_graph){.registry = whole->registry,
                                  .doc = whole->doc,
                                  .allow_any_path = whole->allow_any_path,
                                  .incomplete = whole->incomplete,
                                  .arena = oro_arena_create()};
    if (scratch->arena)
        scratch->targets = oro_arena_alloc(scratch->arena, most, sizeof *scratch->targets);
    return scratch->targets || oro_fail(err, ORO_E_MEMORY, "no memory for a graph");
}

void cli_run_scratch_free(const struct cli_run_graph *graph, struct cli_graph *scratch)
{
    if (scratch->doc != graph->graph.doc)
        oro_document_destroy(scratch->doc);
    oro_arena_destroy(scratch->arena);
    *scratch = (struct cli_graph){0};
}

static struct cli_run_graph *create(const struct cli_run *run, struct oro_error *err)
{
    struct cli_run_graph *graph = oro_alloc(1, sizeof *graph);
    if (!graph) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a graph");
        return NULL;
    }
    graph->graph.arena = oro_arena_create();
    graph->graph.allow_any_path = run->allow_any_path;
    if (graph->graph.arena && cli_registry_open(&graph->graph.registry, run->allow_any_path, err)) {
        oro_file_digests_note(graph->graph.registry.digests, run->work.options.no_cache ? "" : NULL,
                              ORO_FILE_NOTED_BYTES);
        return graph;
    }
    if (!graph->graph.arena)
        oro_fail(err, ORO_E_MEMORY, "no memory for a graph");
    cli_run_graph_free(graph);
    return NULL;
}

static bool give(struct oro_batch_call *call, struct cli_run_graph *graph)
{
    call->result = (struct oro_batch_value){.kind = ORO_BATCH_GRAPH, .object = graph};
    return true;
}

/* Adds the first problem to the message, since a script that catches the error should learn more than the
 * number. */
static void add_first(const struct oro_problems *problems, const char *path, struct oro_error *err)
{
    char line[800];
    size_t length = strlen(err->text);
    for (size_t i = 0; i < problems->count; i++) {
        const struct oro_problem *problem = &problems->items[i];
        if (!problem->error || oro_problem_is_local(problem))
            continue;
        oro_problem_line(problem, path, line, sizeof line);
        snprintf(err->text + length, sizeof err->text - length, ": %s", line);
        return;
    }
}

static bool read_into(struct cli_run_graph *graph, const char *path, struct oro_error *err)
{
    struct oro_problems problems = {0};
    graph->graph.doc = cli_read_checked(path, &graph->graph.registry, &problems, err);
    if (graph->graph.doc)
        graph->checked = oro_document_revision(graph->graph.doc);
    else if (err->code == ORO_E_DOCUMENT)
        add_first(&problems, path, err);
    graph->graph.incomplete = problems.errors > 0;
    oro_problems_free(&problems);
    return graph->graph.doc;
}

bool cli_run_open(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    char *path = cli_places_read(&run->places, call->arguments[0].text, err);
    struct cli_run_graph *graph = path ? create(run, err) : NULL;
    bool ok =
        graph && cli_places_take_document(path, err) && read_into(graph, path, err) && give(call, graph);
    if (!ok)
        cli_run_graph_free(graph);
    oro_free(path);
    return ok;
}

/* ---- World ---- */

static bool take_whole(const struct oro_batch_value *table, const char *name, double least, double most,
                       double *number, struct oro_error *err)
{
    const struct oro_batch_value *item = oro_batch_item(table, name);
    if (item->kind == ORO_BATCH_NIL)
        return true;
    *number = item->number;
    return (*number >= least && *number <= most) ||
           oro_fail(err, ORO_E_USAGE, "'%s' must be from %.0f to %.0f", name, least, most);
}

static bool change_world(struct oro_document *doc, const struct oro_batch_value *table, struct oro_error *err)
{
    struct oro_world world = *oro_document_world(doc);
    double resolution = world.resolution, seed = (double)world.seed;
    if (table->kind != ORO_BATCH_TABLE)
        return true;
    if (!take_whole(table, "resolution", 1, ORO_GRID_MAX, &resolution, err) ||
        !take_whole(table, "seed", -0x1p53, 0x1p53, &seed, err))
        return false;
    for (int i = 0; i < ORO_WORLD_NUMBERS; i++) {
        const struct oro_batch_value *item = oro_batch_item(table, oro_world_number_names[i]);
        if (item->kind == ORO_BATCH_NUMBER)
            oro_world_set(&world, (enum oro_world_number)i, item->number);
    }
    if (oro_batch_item(table, "seed")->kind == ORO_BATCH_NUMBER)
        world.seed = (int64_t)seed;
    return oro_edit_world(doc, &world, err);
}

bool cli_run_new(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    struct cli_run_graph *graph = create(run, err);
    if (!graph)
        return false;
    graph->graph.doc = oro_document_create();
    bool ok = graph->graph.doc || oro_fail(err, ORO_E_MEMORY, "no memory for a graph");
    ok = ok && change_world(graph->graph.doc, &call->arguments[0], err) && give(call, graph);
    if (!ok)
        cli_run_graph_free(graph);
    return ok;
}

bool cli_run_world(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    (void)run;
    struct cli_graph *graph = &((struct cli_run_graph *)call->self)->graph;
    struct oro_world now, *world = &now;
    if (!change_world(graph->doc, &call->arguments[0], err) ||
        !oro_world_evaluate(graph->doc, &graph->registry, NULL, 0, world, err))
        return false;
    call->result = oro_batch_room(call->arena, ORO_BATCH_TABLE, NULL, world->has_sea ? 5 : 4);
    struct oro_batch_value *items = call->result.items;
    if (!items)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a table");
    items[0] = oro_batch_number("extent", world->extent);
    items[1] = oro_batch_number("resolution", world->resolution);
    items[2] = oro_batch_number("aspect", world->aspect);
    items[3] = oro_batch_number("seed", (double)world->seed);
    if (world->has_sea)
        items[4] = oro_batch_number("sea", world->sea);
    return true;
}

bool cli_run_seed(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    (void)run;
    struct oro_document *doc = ((struct cli_run_graph *)call->self)->graph.doc;
    struct oro_batch_value seed = call->arguments[0];
    seed.name = "seed";
    struct oro_batch_value table = {.kind = ORO_BATCH_TABLE, .items = &seed, .count = 1};
    if (seed.kind == ORO_BATCH_NUMBER && !change_world(doc, &table, err))
        return false;
    call->result = oro_batch_number(NULL, (double)oro_document_world(doc)->seed);
    return true;
}

/* ---- Lists ---- */

bool cli_run_nodes(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    (void)run;
    const struct oro_document *doc = ((struct cli_run_graph *)call->self)->graph.doc;
    size_t count = oro_document_node_count(doc);
    call->result = oro_batch_room(call->arena, ORO_BATCH_ITEMS, NULL, count);
    struct oro_batch_value *items = call->result.items;
    for (size_t i = 0; items && i < count; i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        items[i] = oro_batch_room(call->arena, ORO_BATCH_TABLE, NULL, 2);
        if (!items[i].items)
            return oro_fail(err, ORO_E_MEMORY, "no memory for a list");
        items[i].items[0] = oro_batch_text("id", node->id);
        items[i].items[1] = oro_batch_text("type", node->type);
    }
    return items || oro_fail(err, ORO_E_MEMORY, "no memory for a list");
}

/* Adds the outputs to `items`, or only counts them. SIZE_MAX: memory is out. */
static size_t list_outputs(const struct cli_graph *graph, struct oro_arena *arena,
                           struct oro_batch_value *items)
{
    size_t count = 0;
    for (size_t i = 0; i < oro_document_port_count(graph->doc); i++) {
        const struct oro_doc_port *port = oro_document_port(graph->doc, i);
        if (port->is_output && items)
            items[count] = oro_batch_text(NULL, port->name);
        count += port->is_output;
    }
    for (size_t i = 0; i < oro_document_node_count(graph->doc); i++) {
        const struct oro_doc_node *node = oro_document_node(graph->doc, i);
        const struct oro_node_type *type = oro_type_of(&graph->registry, graph->doc, node, NULL);
        const struct oro_output *output = type ? type->outputs : NULL;
        for (; output && output->name; output++, count++)
            if (items)
                items[count] = oro_batch_text(NULL, oro_arena_textf(arena, "%s.%s", node->id, output->name));
    }
    return count;
}

bool cli_run_outputs(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    (void)run;
    const struct cli_graph *graph = &((struct cli_run_graph *)call->self)->graph;
    size_t count = list_outputs(graph, call->arena, NULL);
    call->result = oro_batch_room(call->arena, ORO_BATCH_ITEMS, NULL, count);
    if (!call->result.items)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a list");
    list_outputs(graph, call->arena, call->result.items);
    return true;
}

/* ---- Changing ---- */

struct library {
    const char *place;
    bool holds;
};

static bool holds_place(const char *folder, size_t length, void *user)
{
    struct library *library = user;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s", (int)length, folder);
    char *root = oro_path_true(path);
    size_t size = root ? strlen(root) : 0;
    library->holds = size > 0 && strncmp(library->place, root, size) == 0 && library->place[size] == '/';
    oro_free(root);
    return library->holds;
}

/* A graph or a script that a node consists of must be a file that the script may read, or belong to the
 * library. */
static bool may_use(const struct cli_run *run, const char *path, struct oro_error *err)
{
    struct library library = {.place = oro_path_true(path)};
    bool ok = library.place && oro_any_library(holds_place, &library);
    if (!ok) {
        char *found = cli_places_read(&run->places, path, err);
        ok = found;
        oro_free(found);
    }
    oro_free((char *)library.place);
    return ok;
}

static bool may_use_graph(const struct cli_run *run, const struct cli_run_graph *graph, const char *href,
                          struct oro_error *err)
{
    char *path = NULL;
    bool ok = oro_resolve_path(oro_document_path(graph->graph.doc), href, run->allow_any_path, &path, err) &&
              may_use(run, path, err);
    oro_free(path);
    return ok;
}

/* To be asked before the script is read, because an error message would quote it. */
static bool may_use_script(const struct cli_run *run, const struct cli_run_graph *graph, const char *id,
                           struct oro_error *err)
{
    struct oro_text file = {0};
    char *path = NULL;
    if (!oro_is_identifier(id) || oro_registry_find(&graph->graph.registry, id))
        return true;
    oro_text_addf(&file, "%s%s", id, oro_lua_scripts.extension);
    bool ok = !file.failed || oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    ok = ok &&
         oro_resolve_path(oro_document_path(graph->graph.doc), file.data, run->allow_any_path, &path, err);
    ok = ok && (access(path, F_OK) != 0 || may_use(run, path, err));
    oro_free(path);
    oro_text_free(&file);
    return ok;
}

static const struct oro_node_type *find_type(const struct cli_run *run, const struct cli_run_graph *graph,
                                             const char *id, struct oro_error *err)
{
    if (!may_use_script(run, graph, id, err))
        return NULL;
    const struct oro_node_type *type =
        oro_type_named(&graph->graph.registry, oro_document_path(graph->graph.doc), id, err);
    bool is_file = type && type->file && *type->file;
    return is_file && !may_use(run, type->file, err) ? NULL : type;
}

/* Adds the node without values, at a place of its own in the editor. */
static bool add_node(struct cli_run *run, struct cli_run_graph *graph, const char *type, const char *id,
                     struct oro_error *err)
{
    struct oro_document *doc = graph->graph.doc;
    const struct oro_registry *registry = &graph->graph.registry;
    size_t count = oro_document_node_count(doc);
    double x = 40 + 240 * (double)(count % 6), y = 80 + 160 * (double)(count / 6);
    bool is_graph = strcmp(oro_path_extension(type), "oro") == 0;
    const struct oro_node_type *found = is_graph ? NULL : find_type(run, graph, type, err);
    if (!is_graph)
        return found && oro_edit_add_node(doc, id, type, found->version, x, y, err);
    if (!may_use_graph(run, graph, type, err) || !oro_edit_add_node(doc, id, "graph", 1, x, y, err) ||
        !oro_edit_href(doc, id, type, 1, err))
        return false;
    found = oro_type_of(registry, doc, oro_document_find(doc, id), err);
    return found && oro_edit_href(doc, id, type, found->version, err);
}

static bool add_all(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    struct cli_run_graph *graph = call->self;
    const struct oro_batch_value *inputs = &call->arguments[2];
    const char *id = call->arguments[1].text;
    if (!add_node(run, graph, call->arguments[0].text, id, err))
        return false;
    for (size_t i = 0; i < inputs->count; i++) {
        const char *name = oro_arena_textf(call->arena, "%s.%s", id, inputs->items[i].name);
        const char *value = cli_run_value_text(call->arena, &inputs->items[i]);
        if (!name || !value)
            return oro_fail(err, ORO_E_MEMORY, "no memory for a value");
        if (!cli_run_assign(run, graph, name, value, err))
            return false;
    }
    return true;
}

bool cli_run_add(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    struct cli_run_graph *graph = call->self;
    if (!oro_edit_begin(graph->graph.doc, "Add", err))
        return false;
    if (add_all(run, call, err))
        return oro_edit_end(graph->graph.doc, err);
    oro_edit_cancel(graph->graph.doc, NULL);
    if (!oro_document_find(graph->graph.doc, call->arguments[1].text))
        cli_run_forget_files(graph, call->arguments[1].text, NULL);
    return false;
}

static const struct oro_output *find_output(const struct cli_graph *graph, const char *item, const char *node,
                                            const char *name, struct oro_error *err)
{
    const struct oro_node_type *type = cli_find_type(graph, item, node, err);
    const struct oro_output *output = type ? oro_type_output(type, name) : NULL;
    if (type && !output)
        oro_fail(err, ORO_E_DOCUMENT, "%s: nodes of type '%s' have no output '%s'", item, type->id, name);
    return output;
}

static bool check_types(const struct cli_graph *graph, const char *to, const struct oro_input *input,
                        const char *from, const char *node, const struct oro_output *output,
                        struct oro_error *err)
{
    const struct oro_graph whole = {graph->doc, graph->doc};
    enum oro_type type =
        oro_output_type(&graph->registry, &whole, oro_document_find(graph->doc, node), output);
    if (type == ORO_ANY || oro_input_accepts(input, type))
        return true;
    if (!oro_input_linkable(input))
        return oro_fail(err, ORO_E_DOCUMENT, "'%s' takes a value, not a link", to);
    return oro_fail(err, ORO_E_DOCUMENT, "'%s' gives %s, which '%s' does not take", from,
                    oro_type_phrase(type), to);
}

bool cli_run_connect(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    (void)run;
    struct cli_run_graph *graph = call->self;
    const char *to = call->arguments[0].text, *from = call->arguments[1].text;
    const char *node, *input, *from_node, *from_output;
    if (!cli_run_split(call->arena, to, &node, &input, err) ||
        !cli_run_split(call->arena, from, &from_node, &from_output, err))
        return false;
    const struct oro_input *found = cli_find_input(&graph->graph, to, node, input, err);
    const struct oro_output *output =
        found ? find_output(&graph->graph, from, from_node, from_output, err) : NULL;
    if (!output)
        return cli_run_reword(err);
    if (!check_types(&graph->graph, to, found, from, from_node, output, err) ||
        !oro_edit_connect(graph->graph.doc, node, input, from_node, from_output, err))
        return false;
    cli_run_forget_files(graph, node, input);
    return true;
}

bool cli_run_remove(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    (void)run;
    struct cli_run_graph *graph = call->self;
    const char *id = call->arguments[0].text;
    if (!oro_edit_remove_node(graph->graph.doc, id, err))
        return false;
    cli_run_forget_files(graph, id, NULL);
    return true;
}

bool cli_run_output(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    (void)run;
    struct cli_run_graph *graph = call->self;
    const char *from = call->arguments[1].text, *node, *output;
    if (!cli_run_split(call->arena, from, &node, &output, err))
        return false;
    if (!find_output(&graph->graph, from, node, output, err))
        return cli_run_reword(err);
    struct oro_doc_port port = {.is_output = true,
                                .name = oro_arena_text(call->arena, call->arguments[0].text),
                                .node = oro_arena_text(call->arena, node),
                                .socket = oro_arena_text(call->arena, output)};
    return port.name && port.node && port.socket ? oro_edit_add_port(graph->graph.doc, &port, err)
                                                 : oro_fail(err, ORO_E_MEMORY, "no memory for a name");
}

bool cli_run_save(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    const struct cli_graph *graph = &((const struct cli_run_graph *)call->self)->graph;
    const char *path = call->arguments[0].text;
    return cli_places_write(&run->places, path, err) &&
           oro_document_write(graph->doc, &graph->registry, path, err);
}
