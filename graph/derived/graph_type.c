/* Makes the node type that a graph's interface defines. */
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "graph/derived/assets_private.h"
#include "graph/derived/mute.h"
#include "graph/derived/scripts.h"
#include "graph/document/document_private.h"
#include "graph/document/variable.h"
#include "graph/type/literal.h"

/* ---- Graphs within graphs ---- */

const char *oro_graph_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool oro_graph_enter(struct oro_graph_chain *chain, const char *name, struct oro_error *err)
{
    if (chain->depth >= ORO_GRAPH_DEPTH_MAX)
        return oro_fail(err, ORO_E_LIMIT,
                        "graphs are used within graphs more than %d deep: %.100s, ..., %.100s",
                        ORO_GRAPH_DEPTH_MAX, chain->names[0], name);
    chain->names[chain->depth] = oro_copy_text(name);
    if (!chain->names[chain->depth])
        return oro_fail(err, ORO_E_MEMORY, "no memory to read '%s'", name);
    chain->depth++;
    return true;
}

void oro_graph_leave(struct oro_graph_chain *chain)
{
    oro_free(chain->names[--chain->depth]);
}

bool oro_graph_cycle(const struct oro_graph_chain *chain, const char *name, struct oro_error *err)
{
    struct oro_text path = {0};
    int first = 0;
    while (first < chain->depth && strcmp(chain->names[first], name) != 0)
        first++;
    if (first == chain->depth) /* a node used another name for it the first time */
        first = 0;
    for (int i = first; i < chain->depth; i++)
        oro_text_addf(&path, "%.100s -> ", chain->names[i]);
    oro_text_addf(&path, "%.100s", name);
    oro_fail(err, ORO_E_LIMIT, "'%.100s' contains itself: %s", name, path.failed ? "" : path.data);
    oro_text_free(&path);
    return false;
}

/* ---- Types of nodes and outputs ---- */

const struct oro_node_type *oro_type_of(const struct oro_registry *registry, const struct oro_document *root,
                                        const struct oro_doc_node *node, struct oro_error *err)
{
    struct oro_graph graph;
    if (oro_node_is_graph(node))
        return oro_graph_find(registry, root, node, &graph, err) ? oro_graph_type(registry, &graph, err)
                                                                 : NULL;
    return oro_type_at(registry, oro_document_path(root), node, err);
}

const struct oro_node_type *oro_type_at(const struct oro_registry *registry, const char *document_path,
                                        const struct oro_doc_node *node, struct oro_error *err)
{
    return oro_node_is_inline(node) ? oro_script_type_inline(registry->scripts, document_path, node, err)
                                    : oro_type_named(registry, document_path, node->type, err);
}

const struct oro_node_type *oro_type_named(const struct oro_registry *registry, const char *document_path,
                                           const char *id, struct oro_error *err)
{
    bool found = false;
    const struct oro_node_type *type = oro_registry_find(registry, id);
    if (!type)
        type = oro_script_type(registry->scripts, document_path, id, &found, err);
    if (!type && !found)
        oro_fail(err, ORO_E_DOCUMENT, "there is no node type '%.100s'", id);
    return type;
}

/* The first linked input of the node that accepts any type. */
static const struct oro_doc_input *first_any_link(const struct oro_node_type *type,
                                                  const struct oro_doc_node *node)
{
    for (const struct oro_input *input = type->inputs; input && input->name; input++) {
        const struct oro_doc_input *entry =
            input->type == ORO_ANY ? oro_doc_node_input(node, input->name) : NULL;
        if (entry && entry->from_node)
            return entry;
    }
    return NULL;
}

/* The output whose result an output really gives: if the node gives whatever it is linked to, the output
 * linked there; if it is muted, the output that it lets through to `taker`. */
static struct oro_mute_source one_back(const struct oro_registry *registry, const struct oro_graph *graph,
                                       const struct oro_doc_node *node, const struct oro_output *output,
                                       const struct oro_input *taker)
{
    struct oro_mute_source behind = {0};
    if (node->mute) {
        oro_mute_follow(registry, graph, node, output->name, taker, NULL, NULL, &behind, NULL);
        return behind;
    }
    const struct oro_node_type *type = oro_type_of(registry, graph->root, node, NULL);
    const struct oro_doc_input *entry = type ? first_any_link(type, node) : NULL;
    behind.node = entry ? oro_document_find(graph->doc, entry->from_node) : NULL;
    behind.output = entry ? entry->from_output : NULL;
    return behind;
}

enum oro_type oro_output_type(const struct oro_registry *registry, const struct oro_graph *graph,
                              const struct oro_doc_node *node, const struct oro_output *output)
{
    static const struct oro_input anything = {.name = "", .type = ORO_ANY};
    const struct oro_input *taker = NULL;
    size_t steps = oro_document_node_count(graph->doc); /* ends in cycles, which are reported elsewhere */
    while (output && (node->mute || output->type == ORO_ANY) && steps-- > 0) {
        const struct oro_mute_source behind = one_back(registry, graph, node, output, taker);
        if (behind.node && !behind.output)
            return behind.type;
        if (node->mute && !behind.node && !taker)
            break; /* nothing gets through: planning reports it */
        const struct oro_node_type *type =
            behind.node ? oro_type_of(registry, graph->root, behind.node, NULL) : NULL;
        node = behind.node;
        output = type ? oro_type_output(type, behind.output) : NULL;
        taker = &anything;
    }
    return output ? output->type : ORO_ANY;
}

/* ---- One input ---- */

struct maker {
    const struct oro_registry *registry;
    const struct oro_graph *graph;
    struct oro_arena *arena;
    struct oro_error *err;
};

static bool refuse(struct maker *maker, const struct oro_doc_port *port, const char *what, const char *text)
{
    return oro_fail(maker->err, ORO_E_DOCUMENT, "%s '%.100s' of the interface: %s%s%.200s%s",
                    port->is_output ? "output" : "input", port->name, what, text ? " '" : "",
                    text ? text : "", text ? "'" : "");
}

/* A script that is left out is no fault of the interface. */
static bool refuse_node(struct maker *maker, const struct oro_doc_port *port, const struct oro_error *why)
{
    return why->code == ORO_E_OMITTED ? oro_fail(maker->err, why->code, "%s", why->text)
                                      : refuse(maker, port, why->text, NULL);
}

static const char *keep(struct maker *maker, const char *text)
{
    return text ? oro_arena_text(maker->arena, text) : NULL;
}

static const struct oro_doc_node *port_node(const struct maker *maker, const struct oro_doc_port *port)
{
    return oro_document_find(maker->graph->doc, port->node);
}

/* The first linked input that takes the node's output and has a definite type. If all accept any type, NULL,
 * and `*next` is the first node that has one. */
static const struct oro_input *find_taker(const struct maker *maker, const struct oro_doc_node *from,
                                          const struct oro_doc_node **next)
{
    const struct oro_document *doc = maker->graph->doc;
    *next = NULL;
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        for (size_t k = 0; k < node->input_count; k++) {
            const struct oro_doc_input *entry = &node->inputs[k];
            if (!entry->from_node || strcmp(entry->from_node, from->id) != 0)
                continue;
            const struct oro_node_type *type = oro_type_of(maker->registry, maker->graph->root, node, NULL);
            const struct oro_input *socket = type ? oro_type_input(type, entry->name) : NULL;
            if (socket && socket->type != ORO_ANY)
                return socket;
            if (socket && !*next)
                *next = node;
        }
    }
    return NULL;
}

/* An input that accepts any type gets the type of the first definite input that its value reaches. The number
 * of hops is limited, because links may form a cycle. */
static void find_reached(const struct maker *maker, const struct oro_doc_node *from, struct oro_input *input)
{
    enum { HOPS_MAX = 8 };
    for (int hop = 0; from && hop < HOPS_MAX; hop++) {
        const struct oro_doc_node *next;
        const struct oro_input *socket = find_taker(maker, from, &next);
        if (socket) {
            input->type = socket->type == ORO_FLOAT ? ORO_FIELD : socket->type;
            return;
        }
        from = next;
    }
}

static bool variable_input(struct maker *maker, const struct oro_doc_port *port, struct oro_input *input)
{
    const struct oro_document *doc = maker->graph->doc;
    const struct oro_doc_variable *variable = oro_document_find_variable(doc, port->socket);
    if (!variable)
        return refuse(maker, port, "there is no variable", port->socket);
    struct oro_variables *variables =
        oro_variables_of(maker->graph->doc, maker->graph->root, maker->registry, maker->err);
    struct oro_error why = {0};
    bool ok = variables && oro_variables_get(variables, port->socket, &input->value, &why);
    oro_variables_destroy(variables);
    if (!variables)
        return false;
    input->type = ORO_FLOAT;
    input->doc = keep(maker, variable->doc);
    if (variable->unit && !oro_unit_parse(variable->unit, &input->unit))
        return refuse(maker, port, "there is no unit", variable->unit);
    return ok || refuse(maker, port, why.text, NULL);
}

/* The value of the inner node becomes the default. */
static bool take_value(struct maker *maker, const struct oro_doc_port *port, const char *text,
                       struct oro_input *input)
{
    struct oro_error why = {0};
    const char *kept = keep(maker, text);
    if (!kept)
        return oro_fail(maker->err, ORO_E_MEMORY, "no memory for a node type");
    return oro_literal_make_default(input, kept, &why) || refuse(maker, port, why.text, NULL);
}

/* An expression of the inner node gives the default, evaluated in the graph's own world. */
static bool take_expression(struct maker *maker, const struct oro_doc_port *port, const char *expr,
                            struct oro_input *input)
{
    struct oro_variables *variables =
        oro_variables_of(maker->graph->doc, maker->graph->root, maker->registry, maker->err);
    char text[ORO_NUMBER_SIZE];
    struct oro_error why = {0};
    bool ok = variables && oro_variables_literal(variables, expr, input, text, &why);
    oro_variables_destroy(variables);
    if (!variables)
        return false;
    return ok ? take_value(maker, port, text, input) : refuse(maker, port, why.text, NULL);
}

static bool node_input(struct maker *maker, const struct oro_doc_port *port, struct oro_input *input)
{
    const struct oro_doc_node *node = port_node(maker, port);
    struct oro_error why = {0};
    if (!node)
        return refuse(maker, port, "there is no node", port->node);
    const struct oro_node_type *type = oro_type_of(maker->registry, maker->graph->root, node, &why);
    if (!type)
        return refuse_node(maker, port, &why);
    const struct oro_input *source = oro_type_input(type, port->socket);
    if (!source)
        return refuse(maker, port, "the node has no input", port->socket);
    const struct oro_doc_input *entry = oro_doc_node_input(node, port->socket);
    *input = *source;
    bool kept = source->role == ORO_ROLE_SEED || source->role == ORO_ROLE_CELLS;
    input->role = kept ? source->role : ORO_ROLE_NONE;
    input->handle = ORO_HANDLE_BY_TYPE; /* its reference point may be missing in the interface */
    input->handle_at = input->handle_when = input->when = NULL;
    input->doc = keep(maker, source->doc);
    if (source->type == ORO_ANY)
        find_reached(maker, node, input);
    if (entry && entry->from_node)
        input->optional = true; /* without a link, the inner link is used */
    if (entry && entry->value && oro_input_has_literal(input))
        return take_value(maker, port, entry->value, input);
    if (entry && entry->expr)
        return take_expression(maker, port, entry->expr, input);
    return true;
}

static bool take_number(struct maker *maker, const struct oro_doc_port *port, enum oro_port_text which,
                        double *number)
{
    const char *text = port->texts[which];
    if (!text || oro_parse_number(text, number))
        return true;
    return refuse(maker, port, "not a number:", text);
}

static bool is_number(const struct oro_input *input)
{
    return input->type == ORO_FLOAT || input->type == ORO_INT;
}

/* The interface's range lies within that of the inner input. A bound that is not given is the inner input's,
 * or, if that has no range, the largest number there is. */
static bool take_range(struct maker *maker, const struct oro_doc_port *port, struct oro_input *input)
{
    double least = input->min, most = input->max;
    bool limited = least != 0 || most != 0, given = port->texts[ORO_PORT_MIN] || port->texts[ORO_PORT_MAX];
    if (given && !limited) {
        least = -3.4e38;
        most = 3.4e38;
    }
    double low = least, high = most;
    if (!take_number(maker, port, ORO_PORT_MIN, &low) || !take_number(maker, port, ORO_PORT_MAX, &high) ||
        !take_number(maker, port, ORO_PORT_SOFT_MIN, &input->soft_min) ||
        !take_number(maker, port, ORO_PORT_SOFT_MAX, &input->soft_max))
        return false;
    if (given && !is_number(input))
        return refuse(maker, port, "only numbers have a range", NULL);
    if (given && (low < least || high > most || low > high))
        return refuse(maker, port, "its range goes beyond that of what it leads to", NULL);
    if ((limited || given) && input->soft_min < low)
        input->soft_min = low;
    if (given && (input->soft_max > high || input->soft_max <= input->soft_min))
        input->soft_max = high;
    input->min = low;
    input->max = high;
    if (given && !input->optional && !port->texts[ORO_PORT_DEFAULT] &&
        (input->value < low || input->value > high))
        return refuse(maker, port, "what it leads to has a value out of its range: it needs a default", NULL);
    return true;
}

static bool take_texts(struct maker *maker, const struct oro_doc_port *port, struct oro_input *input)
{
    const char *unit = port->texts[ORO_PORT_UNIT];
    if (unit && !oro_unit_parse(unit, &input->unit))
        return refuse(maker, port, "there is no unit", unit);
    input->name = keep(maker, port->name);
    input->label = keep(maker, port->texts[ORO_PORT_LABEL]);
    input->group = keep(maker, port->texts[ORO_PORT_GROUP]);
    if (port->texts[ORO_PORT_DOC])
        input->doc = keep(maker, port->texts[ORO_PORT_DOC]);
    if (!input->name)
        return oro_fail(maker->err, ORO_E_MEMORY, "no memory for a node type");
    return true;
}

bool oro_port_input(const struct oro_registry *registry, const struct oro_graph *graph, size_t index,
                    struct oro_arena *arena, struct oro_input *input, struct oro_error *err)
{
    struct maker maker = {registry, graph, arena, err};
    const struct oro_doc_port *port = oro_document_port(graph->doc, index);
    const char *standard = port->texts[ORO_PORT_DEFAULT];
    memset(input, 0, sizeof *input);
    bool ok = *port->node ? node_input(&maker, port, input) : variable_input(&maker, port, input);
    if (!ok || !take_range(&maker, port, input))
        return false;
    if (standard && !oro_input_has_literal(input))
        return refuse(&maker, port, "it has no default: it takes a link", NULL);
    return (!standard || take_value(&maker, port, standard, input)) && take_texts(&maker, port, input);
}

/* ---- The type ---- */

static bool is_first(const struct oro_document *doc, size_t index)
{
    const struct oro_doc_port *port = oro_document_port(doc, index);
    for (size_t i = 0; i < index; i++) {
        const struct oro_doc_port *other = oro_document_port(doc, i);
        if (other->is_output == port->is_output && strcmp(other->name, port->name) == 0)
            return false;
    }
    return true;
}

/* A value that goes to several inputs must be accepted by all of them. */
static bool same_choices(const char *const *a, const char *const *b)
{
    size_t i = 0;
    while (a && b && a[i] && b[i] && strcmp(a[i], b[i]) == 0)
        i++;
    return a == b || (a && b && !a[i] && !b[i]);
}

/* An input that leads to several places must be accepted by all of them: its range is their common range, and
 * it takes links only if all of them do. */
static bool check_further(struct maker *maker, struct oro_input *input, size_t index)
{
    struct oro_input other;
    const struct oro_doc_port *port = oro_document_port(maker->graph->doc, index);
    if (!oro_port_input(maker->registry, maker->graph, index, maker->arena, &other, maker->err))
        return false;
    bool number = is_number(input) && is_number(&other);
    if (!number && (other.type != input->type || !same_choices(input->choices, other.choices)) &&
        !(oro_input_linkable(input) && oro_input_accepts(&other, input->type)))
        return refuse(maker, port, "it leads to inputs of different types", NULL);
    if (!number)
        return true;
    input->map = input->map && other.map;
    if (other.type == ORO_INT)
        input->type = ORO_INT;
    if (other.min == 0 && other.max == 0)
        return true;
    bool limited = input->min != 0 || input->max != 0;
    input->min = !limited || other.min > input->min ? other.min : input->min;
    input->max = !limited || other.max < input->max ? other.max : input->max;
    return input->min <= input->max ||
           refuse(maker, port, "the ranges of what it leads to have nothing in common", NULL);
}

static struct oro_input *find_made(struct oro_input *inputs, const char *name)
{
    for (; inputs->name; inputs++)
        if (strcmp(inputs->name, name) == 0)
            return inputs;
    return NULL;
}

/* Every graph has these inputs, unless its interface has inputs of the same names. */
static const struct oro_input standard[] = {
    {.name = "seed",
     .type = ORO_INT,
     .role = ORO_ROLE_GRAPH_SEED,
     .max = 2147483647,
     .soft_max = 1000,
     .group = "Variation",
     .doc = "Another number gives another variant of the whole graph; 0 leaves its own seeds alone"},
    {.name = "vary",
     .type = ORO_BOOL,
     .role = ORO_ROLE_GRAPH_VARY,
     .group = "Variation",
     .doc = "Mix the node's id into the seeds, so that every use of the graph looks different; off: uses "
            "with the same values are the same"},
};
enum { STANDARD = sizeof standard / sizeof standard[0] };

bool oro_graph_is_standard(const char *name)
{
    for (size_t i = 0; i < STANDARD; i++)
        if (strcmp(standard[i].name, name) == 0)
            return true;
    return false;
}

static bool make_inputs(struct maker *maker, struct oro_node_type *type)
{
    const struct oro_document *doc = maker->graph->doc;
    struct oro_input *inputs =
        oro_arena_alloc(maker->arena, oro_document_port_count(doc) + STANDARD + 1, sizeof *inputs);
    size_t count = 0;
    if (!inputs)
        return oro_fail(maker->err, ORO_E_MEMORY, "no memory for a node type");
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        if (oro_document_port(doc, i)->is_output)
            continue;
        if (!is_first(doc, i)) {
            if (!check_further(maker, find_made(inputs, oro_document_port(doc, i)->name), i))
                return false;
            continue;
        }
        if (!oro_port_input(maker->registry, maker->graph, i, maker->arena, &inputs[count], maker->err))
            return false;
        oro_params_place(&inputs[count++], &type->params_size);
    }
    for (size_t i = 0; i < STANDARD; i++) {
        if (find_made(inputs, standard[i].name))
            continue;
        inputs[count] = standard[i];
        oro_params_place(&inputs[count++], &type->params_size);
    }
    oro_roles_by_name(inputs, NULL);
    type->inputs = inputs;
    return true;
}

/* An output of an inner graph that is missing or broken: planning reports it if it is asked for, and the
 * other outputs still work. */
static bool make_lost_output(struct maker *maker, const struct oro_doc_port *port, struct oro_output *output)
{
    *output = (struct oro_output){.name = keep(maker, port->name), .type = ORO_ANY};
    return output->name || oro_fail(maker->err, ORO_E_MEMORY, "no memory for a node type");
}

/* The output that determines the result's type: for a muted node, the one that it lets through. */
static const struct oro_output *unmuted_output(const struct maker *maker, const struct oro_doc_node *node,
                                               const struct oro_output *output)
{
    struct oro_mute_source behind = {0};
    if (node->mute)
        oro_mute_follow(maker->registry, maker->graph, node, output->name, NULL, NULL, NULL, &behind, NULL);
    const struct oro_node_type *type =
        behind.output ? oro_type_of(maker->registry, maker->graph->root, behind.node, NULL) : NULL;
    const struct oro_output *found = type ? oro_type_output(type, behind.output) : NULL;
    return found ? found : output;
}

static bool make_output(struct maker *maker, const struct oro_doc_port *port, struct oro_output *output)
{
    const struct oro_doc_node *node = port_node(maker, port);
    struct oro_error why = {0};
    if (!node)
        return refuse(maker, port, "there is no node", port->node);
    const struct oro_node_type *type = oro_type_of(maker->registry, maker->graph->root, node, &why);
    bool elsewhere = oro_node_is_graph(node) || oro_node_is_inline(node);
    if (!type && elsewhere && (why.code == ORO_E_FILE || why.code == ORO_E_DOCUMENT))
        return make_lost_output(maker, port, output);
    if (!type)
        return refuse_node(maker, port, &why);
    const struct oro_output *source = oro_type_output(type, port->socket);
    const char *unit = port->texts[ORO_PORT_UNIT];
    if (!source)
        return refuse(maker, port, "the node has no output", port->socket);
    *output = *unmuted_output(maker, node, source);
    output->like = NULL;
    output->role = ORO_ROLE_NONE;
    output->type = oro_output_type(maker->registry, maker->graph, node, source);
    output->name = keep(maker, port->name);
    output->doc = keep(maker, port->texts[ORO_PORT_DOC] ? port->texts[ORO_PORT_DOC] : output->doc);
    if (unit && !oro_unit_parse(unit, &output->unit))
        return refuse(maker, port, "there is no unit", unit);
    return output->name || oro_fail(maker->err, ORO_E_MEMORY, "no memory for a node type");
}

static bool make_outputs(struct maker *maker, struct oro_node_type *type)
{
    const struct oro_document *doc = maker->graph->doc;
    struct oro_output *outputs =
        oro_arena_alloc(maker->arena, oro_document_port_count(doc) + 1, sizeof *outputs);
    size_t count = 0;
    if (!outputs)
        return oro_fail(maker->err, ORO_E_MEMORY, "no memory for a node type");
    for (size_t i = 0; i < oro_document_port_count(doc); i++)
        if (oro_document_port(doc, i)->is_output && is_first(doc, i) &&
            !make_output(maker, oro_document_port(doc, i), &outputs[count++]))
            return false;
    oro_roles_by_name(NULL, outputs);
    type->outputs = outputs;
    return true;
}

/* Examines all inner graphs, so that a cycle is found before anything follows it. An inner graph that is
 * missing or broken is no error here, because outputs that do not need it still work. */
static bool enter_all(struct maker *maker, int *height)
{
    const struct oro_document *doc = maker->graph->doc;
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        struct oro_graph inner;
        struct oro_error why = {0};
        if (!oro_node_is_graph(node))
            continue;
        bool found = oro_graph_find(maker->registry, maker->graph->root, node, &inner, &why);
        if ((!found || !oro_graph_type(maker->registry, &inner, &why)) && why.code == ORO_E_LIMIT)
            return oro_fail(maker->err, why.code, "%s", why.text);
        const struct oro_graph_type *type = found ? inner.doc->derived->data : NULL;
        if (type && type->height >= *height)
            *height = type->height + 1;
    }
    return *height <= ORO_GRAPH_DEPTH_MAX ||
           oro_fail(maker->err, ORO_E_LIMIT, "graphs are used within graphs more than %d deep",
                    ORO_GRAPH_DEPTH_MAX);
}

static bool make_type(struct maker *maker, const char *name, struct oro_graph_type *derived)
{
    struct oro_node_type *type = &derived->type;
    const struct oro_doc_about about = oro_document_about(maker->graph->doc);
    const char *doc = about.doc ? about.doc : about.title;
    *type = (struct oro_node_type){.id = keep(maker, name),
                                   .version = oro_document_interface_version(maker->graph->doc),
                                   .category = keep(maker, about.category ? about.category : ORO_GRAPH_TYPE),
                                   .doc = keep(maker, doc ? doc : ""),
                                   .words = keep(maker, about.words ? about.words : "")};
    if (oro_document_port_count(maker->graph->doc) == 0)
        return oro_fail(maker->err, ORO_E_DOCUMENT, "'%s' has no interface", name);
    if (!type->id || !type->category || !type->doc || !type->words)
        return oro_fail(maker->err, ORO_E_MEMORY, "no memory for a node type");
    return enter_all(maker, &derived->height) && make_inputs(maker, type) && make_outputs(maker, type);
}

/* "rock" for the group, "alpine" for library/alpine.oro. */
static char *graph_name(const struct oro_graph *graph)
{
    for (size_t i = 0; graph->doc != graph->root && i < oro_document_group_count(graph->root); i++)
        if (oro_document_group(graph->root, i)->body == graph->doc)
            return oro_copy_text(oro_document_group(graph->root, i)->name);
    char *name = oro_copy_text(oro_graph_file(oro_document_path(graph->doc)));
    char *dot = name ? strrchr(name, '.') : NULL;
    if (dot && dot != name)
        *dot = '\0';
    return name;
}

static void destroy_type(void *data)
{
    struct oro_graph_type *type = data;
    oro_arena_destroy(type->arena);
    oro_free(type);
}

/* Kept with the document that it is made from. NULL: memory is out. */
static struct oro_graph_type *derived_of(const struct oro_document *doc)
{
    struct oro_derived *derived = doc->derived;
    if (!derived->data)
        *derived = (struct oro_derived){oro_alloc(1, sizeof(struct oro_graph_type)), destroy_type};
    return derived->data;
}

/* How messages about cycles name the graph: a file by its file name, a group by its own name. */
static const char *link_name(const struct oro_graph *graph, const char *name)
{
    return graph->doc == graph->root ? oro_graph_file(oro_document_path(graph->doc)) : name;
}

static void make(const struct oro_registry *registry, const struct oro_graph *graph,
                 struct oro_graph_type *derived)
{
    struct oro_graph_chain *chain = oro_assets_chain(registry->assets);
    char *name = graph_name(graph);
    oro_arena_destroy(derived->arena);
    derived->arena = oro_arena_create();
    derived->err = (struct oro_error){0};
    derived->state = ORO_GRAPH_OPEN;
    derived->height = 1;
    derived->assets = oro_assets_number(registry->assets);
    derived->scripts = oro_scripts_revision(registry->scripts);
    derived->revision = oro_document_revision(graph->doc);
    derived->root_revision = oro_document_revision(graph->root);
    struct maker maker = {registry, graph, derived->arena, &derived->err};
    bool ok = name && derived->arena;
    if (!ok)
        oro_fail(&derived->err, ORO_E_MEMORY, "no memory for a node type");
    if (ok && oro_graph_enter(chain, link_name(graph, name), &derived->err)) {
        ok = make_type(&maker, name, derived);
        oro_graph_leave(chain);
    } else {
        ok = false;
    }
    /* Exceeding the depth limit depends on where the graph is used, so such a failure is not remembered. */
    derived->state = ok                                 ? ORO_GRAPH_READY
                     : derived->err.code == ORO_E_LIMIT ? ORO_GRAPH_UNKNOWN
                                                        : ORO_GRAPH_FAILED;
    oro_free(name);
}

const struct oro_node_type *oro_graph_type(const struct oro_registry *registry, const struct oro_graph *graph,
                                           struct oro_error *err)
{
    if (!registry->assets) {
        oro_fail(err, ORO_E_DOCUMENT, "this program uses no graphs as nodes");
        return NULL;
    }
    struct oro_graph_type *derived = derived_of(graph->doc);
    if (!derived) {
        oro_fail(err, ORO_E_MEMORY, "no memory for a node type");
        return NULL;
    }
    bool current = derived->assets == oro_assets_number(registry->assets) &&
                   derived->scripts == oro_scripts_revision(registry->scripts) &&
                   derived->revision == oro_document_revision(graph->doc) &&
                   derived->root_revision == oro_document_revision(graph->root);
    if (derived->state == ORO_GRAPH_OPEN) {
        char *name = graph_name(graph);
        oro_graph_cycle(oro_assets_chain(registry->assets), link_name(graph, name ? name : "?"), err);
        oro_free(name);
        return NULL;
    }
    if (derived->state == ORO_GRAPH_UNKNOWN || !current)
        make(registry, graph, derived);
    if (derived->state == ORO_GRAPH_READY)
        return &derived->type;
    oro_fail(err, derived->err.code, "%s", derived->err.text);
    return NULL;
}

/* ---- Names of older versions ---- */

static bool lists(const char *names, const char *name)
{
    size_t length = strlen(name);
    while (names && *names) {
        names += strspn(names, " ");
        size_t word = strcspn(names, " ");
        if (word == length && strncmp(names, name, length) == 0)
            return true;
        names += word;
    }
    return false;
}

bool oro_graph_has_input(const struct oro_document *doc, const char *name)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++)
        if (!oro_document_port(doc, i)->is_output && strcmp(oro_document_port(doc, i)->name, name) == 0)
            return true;
    return false;
}

const char *oro_graph_renamed(const struct oro_document *doc, bool is_output, const char *name)
{
    const char *renamed = NULL;
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output != is_output)
            continue;
        if (strcmp(port->name, name) == 0)
            return port->name;
        if (!renamed && lists(port->texts[ORO_PORT_WAS], name))
            renamed = port->name;
    }
    return renamed;
}
