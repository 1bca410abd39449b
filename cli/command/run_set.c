/* graph:set and graph:get: the values of a graph, by the names that --set takes. */
#include <string.h>

#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/command/run.h"
#include "graph/document/variable.h"
#include "graph/type/literal.h"

const char *cli_run_value_text(struct oro_arena *arena, const struct oro_batch_value *value)
{
    char number[ORO_NUMBER_SIZE];
    if (value->kind == ORO_BATCH_NUMBER)
        return oro_arena_text(arena, oro_format_number(value->number, number));
    if (value->kind == ORO_BATCH_BOOLEAN)
        return value->boolean ? "true" : "false";
    return value->text;
}

bool cli_run_reword(struct oro_error *err)
{
    static const char option[] = "--set ";
    size_t length = strncmp(err->text, option, sizeof option - 1) == 0 ? sizeof option - 1 : 2;
    if (strncmp(err->text, option, 2) == 0)
        memmove(err->text, err->text + length, strlen(err->text + length) + 1);
    return false;
}

bool cli_run_split(struct oro_arena *arena, const char *name, const char **node, const char **socket,
                   struct oro_error *err)
{
    const char *dot = strchr(name, '.');
    *node = oro_arena_textf(arena, "%.*s", dot ? (int)(dot - name) : 0, name);
    *socket = dot ? dot + 1 : "";
    if (!*node)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a name");
    return (oro_is_identifier(*node) && oro_is_identifier(*socket)) ||
           oro_fail(err, ORO_E_USAGE, "'%.100s' is not of the form \"node.name\"", name);
}

/* ---- Files ---- */

void cli_run_forget_files(struct cli_run_graph *graph, const char *node, const char *input)
{
    size_t kept = 0;
    for (size_t i = 0; i < graph->file_count; i++) {
        struct oro_override *file = &graph->files[i];
        if (strcmp(file->node, node) != 0 || (input && strcmp(file->input, input) != 0))
            graph->files[kept++] = *file;
    }
    graph->file_count = kept;
}

/* The texts belong to the graph's arena. */
static bool remember_file(struct cli_run_graph *graph, const char *node, const char *input, const char *path,
                          struct oro_error *err)
{
    void *items = graph->files;
    struct oro_arena *arena = graph->graph.arena;
    struct oro_override file = {.node = oro_arena_text(arena, node),
                                .input = oro_arena_text(arena, input),
                                .value = oro_arena_text(arena, path)};
    if (!file.node || !file.input || !file.value ||
        !oro_reserve(&items, &graph->file_capacity, graph->file_count + 1, sizeof file))
        return oro_fail(err, ORO_E_MEMORY, "no memory for a path");
    graph->files = items;
    graph->files[graph->file_count++] = file;
    return true;
}

/* How the document names a file: relative to its own folder if the file lies below it, so that both can be
 * moved together. */
static const char *path_in_document(const struct cli_run_graph *graph, struct oro_arena *arena,
                                    const char *path)
{
    const char *document = oro_document_path(graph->graph.doc);
    const char *slash = strrchr(document, '/');
    const char *folder = oro_arena_textf(arena, "%.*s.", slash ? (int)(slash - document) + 1 : 0, document);
    char *root = folder ? oro_path_true(folder) : NULL, *place = oro_path_true(path);
    size_t length = root ? strlen(root) : 0;
    const char *found = path;
    if (root && place && length > 1 && strncmp(place, root, length) == 0 && place[length] == '/')
        found = oro_arena_text(arena, place + length + 1);
    oro_free(root);
    oro_free(place);
    return found;
}

static bool allow_file(struct cli_run *run, const struct oro_input *input, const char *path,
                       struct oro_error *err)
{
    if (input->writes)
        return cli_places_write(&run->places, path, err);
    char *found = cli_places_read(&run->places, path, err);
    oro_free(found);
    return found;
}

/* ---- Setting ---- */

/* Copies a text; NULL gives NULL. */
static char *copy_of(struct oro_arena *arena, const char *text)
{
    return text ? oro_arena_text(arena, text) : NULL;
}

static bool set_variable(struct cli_run_graph *graph, struct oro_arena *arena, const char *name,
                         const char *value, struct oro_error *err)
{
    const struct oro_doc_variable *old = oro_document_find_variable(graph->graph.doc, name);
    struct oro_doc_variable variable = {.name = oro_arena_text(arena, name),
                                        .value = oro_arena_text(arena, value),
                                        .unit = copy_of(arena, old->unit),
                                        .label = copy_of(arena, old->label),
                                        .doc = copy_of(arena, old->doc)};
    if (!variable.name || !variable.value)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a variable");
    return oro_edit_variable(graph->graph.doc, &variable, err);
}

/* A default of the interface for an input overrules the value that the node has. */
static const char *overruled_by(const struct oro_document *doc, const char *node, const char *input)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (!port->is_output && port->texts[ORO_PORT_DEFAULT] && strcmp(port->node, node) == 0 &&
            strcmp(port->socket, input) == 0)
            return port->name;
    }
    return NULL;
}

static bool set_input(struct cli_run *run, struct cli_run_graph *graph, struct oro_arena *arena,
                      const struct oro_override *to, struct oro_error *err)
{
    struct cli_graph *whole = &graph->graph;
    const struct oro_input *input = cli_find_input(whole, to->input, to->node, to->input, err);
    const char *value = to->value;
    if (!input)
        return false;
    bool is_file = input->type == ORO_FILE && value[0];
    if (is_file && !allow_file(run, input, value, err))
        return false;
    cli_run_forget_files(graph, to->node, to->input);
    if (is_file && !remember_file(graph, to->node, to->input, value, err))
        return false;
    if (is_file)
        value = path_in_document(graph, arena, value);
    return value ? oro_edit_set(whole->doc, to->node, to->input, value, err)
                 : oro_fail(err, ORO_E_MEMORY, "no memory for a path");
}

/* Finds what the name means to --set, in texts that outlive the edits. */
static bool read_meaning(struct cli_graph *scratch, const char *name, const char *value,
                         struct oro_error *err)
{
    const char *item = oro_arena_textf(scratch->arena, "%s=%s", name, value);
    const struct cli_list list = {.items = &item, .count = 1};
    if (!item)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a value");
    if (strchr(name, '='))
        return oro_fail(err, ORO_E_USAGE, "'%.100s' is no name of an input", name);
    if (!cli_read_overrides(scratch, &list, err))
        return cli_run_reword(err);
    for (size_t i = 0; i < scratch->override_count; i++) {
        struct oro_override *to = &scratch->overrides[i];
        to->node = oro_arena_text(scratch->arena, to->node);
        to->input = oro_arena_text(scratch->arena, to->input);
        if (!to->node || !to->input)
            return oro_fail(err, ORO_E_MEMORY, "no memory for a name");
    }
    return true;
}

/* All entries of the interface with one name share the default of the first, which is replaced. */
static bool replace_default(struct cli_run_graph *graph, struct cli_graph *scratch, const char *name,
                            const char *value, struct oro_error *err)
{
    struct oro_document *doc = graph->graph.doc;
    size_t count = 0;
    struct oro_doc_port *ports =
        oro_arena_alloc(scratch->arena, oro_document_port_count(doc) + 1, sizeof *ports);
    for (size_t i = 0; ports && i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output || strcmp(port->name, name) != 0)
            continue;
        struct oro_doc_port *copy = &ports[count++];
        *copy = (struct oro_doc_port){.name = oro_arena_text(scratch->arena, port->name),
                                      .node = oro_arena_text(scratch->arena, port->node),
                                      .socket = oro_arena_text(scratch->arena, port->socket)};
        for (int k = 0; k < ORO_PORT_TEXTS; k++)
            copy->texts[k] = copy_of(scratch->arena, port->texts[k]);
    }
    if (count == 0 || !ports[0].texts[ORO_PORT_DEFAULT])
        return true;
    ports[0].texts[ORO_PORT_DEFAULT] = oro_arena_text(scratch->arena, value);
    bool ok = oro_edit_remove_port(doc, false, name, err);
    for (size_t i = 0; ok && i < count; i++)
        ok = oro_edit_add_port(doc, &ports[i], err);
    return ok;
}

static bool apply(struct cli_run *run, struct cli_run_graph *graph, struct cli_graph *scratch,
                  const char *name, const char *value, struct oro_error *err)
{
    const char *by = NULL;
    for (size_t i = 0; i < scratch->override_count; i++) {
        const struct oro_override *to = &scratch->overrides[i];
        if (strchr(name, '.'))
            by = overruled_by(graph->graph.doc, to->node, to->input);
        if (by)
            return oro_fail(err, ORO_E_DOCUMENT, "'%s' is set by the interface's input '%s'; set that", name,
                            by);
        if (*to->node ? !set_input(run, graph, scratch->arena, to, err)
                      : !set_variable(graph, scratch->arena, to->input, to->value, err))
            return false;
    }
    return strchr(name, '.') || oro_document_find_variable(graph->graph.doc, name) ||
           replace_default(graph, scratch, name, value, err);
}

bool cli_run_assign(struct cli_run *run, struct cli_run_graph *graph, const char *name, const char *value,
                    struct oro_error *err)
{
    struct cli_graph scratch;
    struct oro_document *doc = graph->graph.doc;
    bool ok = cli_run_scratch(graph, &scratch, err) && read_meaning(&scratch, name, value, err) &&
              oro_edit_begin(doc, "Set", err);
    if (ok) {
        ok = apply(run, graph, &scratch, name, value, err);
        ok = ok ? oro_edit_end(doc, err) : (oro_edit_cancel(doc, NULL), false);
    }
    cli_run_scratch_free(graph, &scratch);
    return ok;
}

bool cli_run_set(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    const char *value = cli_run_value_text(call->arena, &call->arguments[1]);
    return value ? cli_run_assign(run, call->self, call->arguments[0].text, value, err)
                 : oro_fail(err, ORO_E_MEMORY, "no memory for a value");
}

/* ---- Getting ---- */

static bool evaluate(const struct cli_graph *graph, const char *variable, const char *expr, double *value,
                     struct oro_error *err)
{
    struct oro_variables *variables = oro_variables_of(graph->doc, graph->doc, &graph->registry, err);
    bool ok = variables && (variable ? oro_variables_get(variables, variable, value, err)
                                     : oro_variables_evaluate(variables, expr, value, err));
    oro_variables_destroy(variables);
    return ok;
}

static bool give_number(const struct cli_graph *graph, const char *variable, const char *expr,
                        struct oro_batch_call *call, struct oro_error *err)
{
    double value;
    if (!evaluate(graph, variable, expr, &value, err))
        return false;
    call->result = oro_batch_number(NULL, value);
    return true;
}

/* Numbers and booleans are returned as such, everything else as text. */
static bool give_literal(const struct oro_input *input, const char *text, struct oro_batch_call *call,
                         struct oro_error *err)
{
    double number;
    bool numeric = input->type == ORO_FLOAT || input->type == ORO_INT;
    if (numeric && oro_parse_number(text, &number))
        call->result = oro_batch_number(NULL, number);
    else if (input->type == ORO_BOOL)
        call->result = oro_batch_boolean(NULL, strcmp(text, "true") == 0);
    else
        call->result = oro_batch_text(NULL, oro_arena_text(call->arena, text));
    return call->result.kind != ORO_BATCH_NIL || oro_fail(err, ORO_E_MEMORY, "no memory for a value");
}

static bool give_link(const struct oro_doc_input *input, struct oro_batch_call *call, struct oro_error *err)
{
    call->result = oro_batch_room(call->arena, ORO_BATCH_TABLE, NULL, 1);
    const char *from = oro_arena_textf(call->arena, "%s.%s", input->from_node, input->from_output);
    if (!call->result.items || !from)
        return oro_fail(err, ORO_E_MEMORY, "no memory for a link");
    call->result.items[0] = oro_batch_text("from", from);
    return true;
}

static bool get_input(const struct cli_graph *graph, const char *node, const char *name,
                      struct oro_batch_call *call, struct oro_error *err)
{
    const struct oro_input *type = cli_find_input(graph, call->arguments[0].text, node, name, err);
    const struct oro_doc_node *in = type ? oro_document_find(graph->doc, node) : NULL;
    const struct oro_doc_input *input = in ? oro_doc_node_input(in, name) : NULL;
    if (!in)
        return cli_run_reword(err);
    if (input && input->from_node)
        return give_link(input, call, err);
    if (input && input->expr)
        return give_number(graph, NULL, input->expr, call, err);
    if (!input && !oro_input_has_default(type))
        return true; /* nil */
    char *text =
        input && input->value ? oro_literal_canonical(type, input->value) : oro_literal_default(type);
    bool ok =
        text ? give_literal(type, text, call, err) : oro_fail(err, ORO_E_MEMORY, "no memory for a value");
    oro_free(text);
    return ok;
}

static const struct oro_doc_port *find_entry(const struct oro_document *doc, const char *name)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (!port->is_output && strcmp(port->name, name) == 0)
            return port;
    }
    return NULL;
}

static bool get_entry(const struct cli_graph *graph, const struct oro_doc_port *port,
                      struct oro_batch_call *call, struct oro_error *err)
{
    const char *given = port->texts[ORO_PORT_DEFAULT];
    double number;
    if (!*port->node && given && oro_parse_number(given, &number)) {
        call->result = oro_batch_number(NULL, number);
        return true;
    }
    if (!*port->node)
        return give_number(graph, port->socket, NULL, call, err);
    if (!given)
        return get_input(graph, port->node, port->socket, call, err);
    const struct oro_input *input = cli_find_input(graph, port->name, port->node, port->socket, err);
    return input ? give_literal(input, given, call, err) : cli_run_reword(err);
}

bool cli_run_get(struct cli_run *run, struct oro_batch_call *call, struct oro_error *err)
{
    (void)run;
    const struct cli_graph *graph = &((const struct cli_run_graph *)call->self)->graph;
    const char *name = call->arguments[0].text, *node, *input;
    if (strchr(name, '.'))
        return cli_run_split(call->arena, name, &node, &input, err) &&
               get_input(graph, node, input, call, err);
    if (oro_document_find_variable(graph->doc, name))
        return give_number(graph, name, NULL, call, err);
    const struct oro_doc_port *port = find_entry(graph->doc, name);
    if (port)
        return get_entry(graph, port, call, err);
    cli_unknown_name(graph->doc, name, name, err);
    return cli_run_reword(err);
}
