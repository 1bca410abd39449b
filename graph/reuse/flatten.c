/* Replaces a node that is a graph by the graph's nodes. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "graph/derived/mute.h"
#include "graph/document/variable.h"
#include "graph/reuse/reuse_private.h"
#include "graph/type/literal.h"

/* The state of flattening one node. */
struct flattening {
    struct oro_document *doc;
    const struct oro_registry *registry;
    struct oro_arena *arena;
    const char *use; /* id of the node */
    struct oro_graph graph;
    const struct oro_node_type *type;
    struct oro_document *body;     /* a copy, whose names are changed to those in the document */
    const char **ids, **variables; /* new names, in the body's order */
    int seed;                      /* of the use of the graph */
    struct oro_error *err;
};

static bool out_of_memory(struct flattening *f)
{
    return oro_fail(f->err, ORO_E_MEMORY, "no memory to take '%s' apart", f->use);
}

/* ---- Names ---- */

const char *oro_reuse_free_id(const struct oro_document *doc, const char *wanted, struct oro_arena *arena)
{
    const char *id = oro_arena_textf(arena, "%.90s", wanted);
    for (int i = 2; id && oro_document_find(doc, id); i++)
        id = oro_arena_textf(arena, "%.80s_%d", wanted, i);
    return id;
}

static const char *free_group(const struct oro_document *doc, const char *wanted, struct oro_arena *arena)
{
    const char *name = oro_arena_textf(arena, "%.90s", wanted);
    for (int i = 2; name && oro_document_find_group(doc, name); i++)
        name = oro_arena_textf(arena, "%.80s_%d", wanted, i);
    return name;
}

static const char *free_variable(const struct flattening *f, const char *wanted)
{
    char *plain = oro_arena_textf(f->arena, "%.45s_%.45s", f->use, wanted);
    for (char *c = plain; c && *c; c++)
        if (*c == '-')
            *c = '_';
    const char *name = plain;
    for (int i = 2; name && oro_document_find_variable(f->doc, name); i++)
        name = oro_arena_textf(f->arena, "%.80s_%d", plain, i);
    return name;
}

static const char *new_id(const struct flattening *f, const char *id)
{
    size_t index = oro_document_find_index(f->body, id);
    return index == SIZE_MAX ? NULL : f->ids[index];
}

static const char *new_variable(const struct flattening *f, const char *name)
{
    for (size_t i = 0; i < oro_document_variable_count(f->body); i++)
        if (strcmp(oro_document_variable(f->body, i)->name, name) == 0)
            return f->variables[i];
    return NULL;
}

static const char *rename_word(void *user, const char *word, size_t length)
{
    char name[128];
    if (length >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    return new_variable(user, name);
}

/* Variables are added as their names are chosen, so that no name is chosen twice. */
static bool choose_variables(struct flattening *f)
{
    for (size_t i = 0; i < oro_document_variable_count(f->body); i++) {
        struct oro_doc_variable variable = *oro_document_variable(f->body, i);
        const char *name = free_variable(f, variable.name);
        if (!name)
            return out_of_memory(f);
        f->variables[i] = variable.name = (char *)name;
        variable.expr = NULL; /* set when all names are known */
        variable.value = (char *)"0";
        if (!oro_edit_variable(f->doc, &variable, f->err))
            return false;
    }
    return true;
}

/* ---- What comes in ---- */

/* The entry of the interface that describes an input: the first of its name. */
static const struct oro_doc_port *first_port(const struct flattening *f, const char *name)
{
    for (size_t i = 0; i < oro_document_port_count(f->body); i++) {
        const struct oro_doc_port *port = oro_document_port(f->body, i);
        if (!port->is_output && strcmp(port->name, name) == 0)
            return port;
    }
    return NULL;
}

/* What an input gets from outside, in the document's names. All NULL: nothing. */
struct given {
    const char *value, *expr, *from_node, *from_output;
};

static struct given given_to(const struct flattening *f, const char *name)
{
    const struct oro_doc_node *use = oro_document_find(f->doc, f->use);
    const struct oro_doc_input *entry = oro_doc_node_input(use, name);
    const struct oro_doc_port *port = first_port(f, name);
    struct given given = {NULL, NULL, NULL, NULL};
    if (entry)
        given = (struct given){entry->value, entry->expr, entry->from_node, entry->from_output};
    if (!given.value && !given.expr && !given.from_node && port)
        given.value = port->texts[ORO_PORT_DEFAULT];
    return given;
}

static bool set_variable(struct flattening *f, size_t index)
{
    struct oro_doc_variable variable = *oro_document_variable(f->body, index);
    char *expr = variable.expr ? oro_expression_rewrite(variable.expr, rename_word, f) : NULL;
    if (variable.expr && !expr)
        return out_of_memory(f);
    variable.expr = expr;
    for (size_t i = 0; i < oro_document_port_count(f->body); i++) {
        const struct oro_doc_port *port = oro_document_port(f->body, i);
        if (port->is_output || *port->node || strcmp(port->socket, variable.name) != 0)
            continue;
        const struct given given = given_to(f, port->name);
        if (!given.value && !given.expr)
            continue;
        variable.value = (char *)given.value;
        variable.expr = given.value ? NULL : (char *)given.expr;
    }
    variable.name = (char *)f->variables[index];
    bool ok = oro_edit_variable(f->doc, &variable, f->err);
    oro_free(expr);
    return ok;
}

static bool set_entry(struct flattening *f, const char *node, const char *input, const struct given *given)
{
    if (given->from_node)
        return oro_edit_connect(f->doc, node, input, given->from_node, given->from_output, f->err);
    return given->expr ? oro_edit_set_expression(f->doc, node, input, given->expr, f->err)
                       : oro_edit_set(f->doc, node, input, given->value, f->err);
}

static bool bring_in(struct flattening *f)
{
    for (size_t i = 0; i < oro_document_port_count(f->body); i++) {
        const struct oro_doc_port *port = oro_document_port(f->body, i);
        if (port->is_output || !*port->node)
            continue;
        const struct given given = given_to(f, port->name);
        const char *node = new_id(f, port->node);
        if (node && (given.value || given.expr || given.from_node) &&
            !set_entry(f, node, port->socket, &given))
            return false;
    }
    return true;
}

/* ---- Seeds ---- */

/* The number that an input of a node has, from a value, an expression or its default. */
static bool number_of(struct flattening *f, const struct oro_document *doc, const struct oro_doc_node *node,
                      const struct oro_input *input, double *number)
{
    const struct oro_doc_input *entry = oro_doc_node_input(node, input->name);
    *number = input->value;
    if (entry && entry->value)
        return input->type == ORO_BOOL ? (*number = strcmp(entry->value, "true") == 0, true)
                                       : oro_parse_number(entry->value, number);
    if (!entry || !entry->expr)
        return true;
    struct oro_variables *all = oro_variables_of(doc, f->doc, f->registry, f->err);
    bool ok = all && oro_variables_evaluate(all, entry->expr, number, f->err);
    oro_variables_destroy(all);
    return ok;
}

static int clamp_seed(double number)
{
    return number >= 0 && number <= 2147483647.0 ? (int)(number + 0.5) : 0;
}

static bool seed_of_use(struct flattening *f)
{
    const struct oro_doc_node *use = oro_document_find(f->doc, f->use);
    double seed = 0, vary = 0;
    const struct oro_input *seed_input = oro_type_input_as(f->type, ORO_ROLE_GRAPH_SEED),
                           *vary_input = oro_type_input_as(f->type, ORO_ROLE_GRAPH_VARY);
    if ((seed_input && !number_of(f, f->doc, use, seed_input, &seed)) ||
        (vary_input && !number_of(f, f->doc, use, vary_input, &vary)))
        return false;
    f->seed = oro_seed_of_use(clamp_seed(seed), vary != 0, f->use);
    return true;
}

/* A graph within keeps its seed, though its id changes: the seed that resulted from `vary` and the id is
 * written as its seed. That is impossible if it has an input `seed` of its own. */
static bool set_graph_seed(struct flattening *f, const char *node, const char *old_id,
                           const struct oro_node_type *type)
{
    const struct oro_doc_node *placed = oro_document_find(f->doc, node);
    const struct oro_input *seed_input = oro_type_input_as(type, ORO_ROLE_GRAPH_SEED),
                           *vary_input = oro_type_input_as(type, ORO_ROLE_GRAPH_VARY);
    double seed = 0, vary = 0;
    char number[ORO_NUMBER_SIZE];
    if ((seed_input && !number_of(f, f->doc, placed, seed_input, &seed)) ||
        (vary_input && !number_of(f, f->doc, placed, vary_input, &vary)))
        return false;
    int mixed = oro_seed_of_use(oro_seed_within(f->seed, clamp_seed(seed)), vary != 0, old_id);
    if (mixed == clamp_seed(seed) && vary == 0)
        return true;
    if (!seed_input) {
        oro_edit_refuse(f->err, f->use,
                        "'%s' within has an input 'seed' of its own, and could not be kept as it is", old_id);
        return false;
    }
    return (!vary_input || oro_edit_set(f->doc, node, vary_input->name, NULL, f->err)) &&
           oro_edit_set(f->doc, node, seed_input->name, oro_format_number(mixed, number), f->err);
}

static bool set_seeds(struct flattening *f, const char *node, const char *old_id)
{
    const struct oro_doc_node *placed = oro_document_find(f->doc, node);
    const struct oro_node_type *type = oro_type_of(f->registry, f->doc, placed, NULL);
    if (type && oro_node_is_graph(placed))
        return set_graph_seed(f, node, old_id, type);
    for (const struct oro_input *input = type ? type->inputs : NULL; f->seed && input && input->name;
         input++) {
        double own;
        char number[ORO_NUMBER_SIZE];
        if (input->role != ORO_ROLE_SEED)
            continue;
        if (!number_of(f, f->doc, oro_document_find(f->doc, node), input, &own) ||
            !oro_edit_set(f->doc, node, input->name,
                          oro_format_number(oro_seed_within(f->seed, clamp_seed(own)), number), f->err))
            return false;
    }
    return true;
}

/* ---- Nodes ---- */

static bool rename_entry(struct flattening *f, struct oro_doc_input *entry)
{
    if (entry->from_node) {
        const char *id = new_id(f, entry->from_node);
        return !id || oro_set_text(&entry->from_node, id);
    }
    char *expr = entry->expr ? oro_expression_rewrite(entry->expr, rename_word, f) : NULL;
    if (!entry->expr)
        return true;
    oro_free(entry->expr);
    entry->expr = expr;
    return expr;
}

static bool is_given(const struct flattening *f, const char *id, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(f->ids[i], id) == 0)
            return true;
    return oro_document_find(f->doc, id);
}

/* Long ids are cut, so that two may come out alike. */
static bool choose_ids(struct flattening *f)
{
    for (size_t i = 0; i < oro_document_node_count(f->body); i++) {
        const char *id = oro_arena_textf(f->arena, "%.50s_%.40s", f->use, oro_document_node(f->body, i)->id);
        for (size_t number = i; id && is_given(f, id, i); number++)
            id = oro_arena_textf(f->arena, "%.50s_%zu", f->use, number);
        if (!id)
            return out_of_memory(f);
        f->ids[i] = id;
    }
    return true;
}

static bool add_nodes(struct flattening *f)
{
    const struct oro_doc_node use = *oro_document_find(f->doc, f->use);
    double x = use.x, y = use.y;
    for (size_t i = 0; i < oro_document_node_count(f->body); i++) {
        struct oro_item *item = oro_item_clone(f->body->nodes[i]);
        bool ok = item && oro_set_text(&item->node.id, f->ids[i]) && oro_reuse_declare(item, &f->body->other);
        for (size_t k = 0; ok && k < item->node.input_count; k++)
            ok = rename_entry(f, &item->node.inputs[k]);
        if (!ok) {
            oro_item_destroy(item);
            return out_of_memory(f);
        }
        item->node.x += x;
        item->node.y += y;
        if (!oro_edit_adopt(f->doc, item, f->err))
            return false;
    }
    return true;
}

/* ---- What goes out ---- */

static bool find_outlet(const struct flattening *f, const char *output, const char **node,
                        const char **socket)
{
    for (size_t i = 0; i < oro_document_port_count(f->body); i++) {
        const struct oro_doc_port *port = oro_document_port(f->body, i);
        if (!port->is_output || strcmp(port->name, output) != 0)
            continue;
        *node = new_id(f, port->node);
        *socket = port->socket;
        return *node;
    }
    return false;
}

static bool relink_node(struct flattening *f, const char *id)
{
    const struct oro_doc_node *node = oro_document_find(f->doc, id);
    for (size_t i = 0; i < node->input_count; i++) {
        const struct oro_doc_input *entry = &node->inputs[i];
        const char *from, *output;
        if (!entry->from_node || strcmp(entry->from_node, f->use) != 0 ||
            !find_outlet(f, entry->from_output, &from, &output))
            continue;
        const char *input = oro_arena_text(f->arena, entry->name);
        if (!input || !oro_edit_connect(f->doc, id, input, from, output, f->err))
            return false;
        node = oro_document_find(f->doc, id);
    }
    return true;
}

static bool relink(struct flattening *f)
{
    for (size_t i = 0; i < oro_document_node_count(f->doc); i++) {
        const char *id = oro_arena_text(f->arena, oro_document_node(f->doc, i)->id);
        if (!id || !relink_node(f, id))
            return id ? false : out_of_memory(f);
    }
    return true;
}

/* Whether an input of the document's interface led to the graph's seed, or to one that the graph's seed was
 * mixed into: after flattening, its values would no longer have the same effect. */
static bool is_seed(const struct flattening *f, const struct oro_doc_port *inner)
{
    const struct oro_doc_node *node = *inner->node ? oro_document_find(f->body, inner->node) : NULL;
    const struct oro_node_type *type = node ? oro_type_of(f->registry, f->graph.root, node, NULL) : NULL;
    const struct oro_input *input = type ? oro_type_input(type, inner->socket) : NULL;
    enum oro_role role = input ? input->role : ORO_ROLE_NONE;
    if (role == ORO_ROLE_SEED && oro_node_is_graph(node))
        return false; /* mixed with the seed of the inner graph */
    return role == ORO_ROLE_GRAPH_VARY || ((role == ORO_ROLE_SEED || role == ORO_ROLE_GRAPH_SEED) && f->seed);
}

/* Texts that neither entry has come from the input that the entry now leads to. */
static bool lead_on(struct oro_doc_port *port, const struct oro_doc_port *first, const char *node,
                    const char *socket)
{
    for (int i = 0; i < ORO_PORT_TEXTS; i++)
        if (i != ORO_PORT_DEFAULT && i != ORO_PORT_WAS && !port->texts[i] &&
            !oro_set_text(&port->texts[i], first->texts[i]))
            return false;
    return oro_set_text(&port->node, node) && oro_set_text(&port->socket, socket);
}

/* Changes the entry in its place, because the first of several inputs of one name describes them all. */
static bool lead_port(struct flattening *f, size_t index, const struct oro_doc_port *first, const char *node,
                      const char *socket)
{
    struct oro_edit edit = {.doc = f->doc};
    struct oro_item *clone = oro_edit_clone(&edit, f->doc->interface);
    bool ok = clone && lead_on(&clone->ports.items[index], first, node, socket);
    return oro_edit_finish(&edit, ok, "Change the interface", f->err);
}

/* An input of the document's interface that led to the node now leads to all places that the graph's input
 * does. */
static bool retarget_input(struct flattening *f, size_t index)
{
    const char *name = oro_arena_text(f->arena, oro_document_port(f->doc, index)->socket);
    const struct oro_doc_port *first = name ? first_port(f, name) : NULL;
    if (!name)
        return out_of_memory(f);
    for (size_t i = 0; i < oro_document_port_count(f->body); i++) {
        const struct oro_doc_port *inner = oro_document_port(f->body, i);
        if (inner->is_output || strcmp(inner->name, name) != 0)
            continue;
        if (is_seed(f, inner))
            first = NULL;
        struct oro_doc_port port = *oro_document_port(f->doc, index);
        port.node = *inner->node ? (char *)new_id(f, inner->node) : (char *)"";
        port.socket = *inner->node ? inner->socket : (char *)new_variable(f, inner->socket);
        if (!first || !port.node || !port.socket)
            break;
        if (inner == first ? !lead_port(f, index, first, port.node, port.socket)
                           : !oro_edit_add_port(f->doc, &port, f->err))
            return false;
    }
    return first ||
           oro_edit_refuse(f->err, f->use, "input '%.100s' of the interface leads to its seed ('%.100s')",
                           oro_document_port(f->doc, index)->name, name);
}

static bool relink_interface(struct flattening *f)
{
    size_t count = oro_document_port_count(f->doc); /* further entries are added after these */
    for (size_t i = 0; i < count; i++) {
        const struct oro_doc_port *port = oro_document_port(f->doc, i);
        const char *node, *socket;
        if (strcmp(port->node, f->use) != 0)
            continue;
        if (!port->is_output && !retarget_input(f, i))
            return false;
        if (port->is_output && find_outlet(f, port->socket, &node, &socket)) {
            const char *output = oro_arena_text(f->arena, port->socket);
            if (!output || !oro_reuse_retarget(f->doc, true, f->use, output, node, socket, f->err))
                return output ? false : out_of_memory(f);
        }
    }
    return true;
}

/* ---- The whole ---- */

/* The first input whose link comes from a muted node that lets nothing through. */
static bool find_empty(struct flattening *f, const struct oro_doc_input **empty)
{
    const struct oro_graph whole = {f->doc, f->doc};
    const struct oro_doc_node *use = oro_document_find(f->doc, f->use);
    const struct oro_node_type *type = oro_type_of(f->registry, f->doc, use, NULL);
    struct oro_mute_source behind;
    *empty = NULL;
    for (size_t i = 0; type && i < use->input_count && !*empty; i++) {
        const struct oro_doc_input *entry = &use->inputs[i];
        const struct oro_doc_node *from =
            entry->from_node ? oro_document_find(f->doc, entry->from_node) : NULL;
        const struct oro_input *taker = from && from->mute ? oro_type_input(type, entry->name) : NULL;
        if (!taker)
            continue;
        if (!oro_mute_follow(f->registry, &whole, from, entry->from_output, taker, NULL, NULL, &behind,
                             f->err))
            return false;
        if (!behind.node)
            *empty = entry;
    }
    return true;
}

/* Such a link counts as missing, so the value within the graph is used. */
static bool drop_empty_links(struct flattening *f)
{
    const struct oro_doc_input *empty;
    while (find_empty(f, &empty)) {
        if (!empty)
            return true;
        const char *name = oro_arena_text(f->arena, empty->name);
        if (!name)
            return out_of_memory(f);
        if (!oro_edit_set(f->doc, f->use, name, NULL, f->err))
            return false;
    }
    return false;
}

static bool prepare(struct flattening *f)
{
    const struct oro_item *item = oro_edit_need_node(f->doc, f->use, f->err);
    if (!item || !drop_empty_links(f))
        return false;
    item = oro_edit_need_node(f->doc, f->use, f->err);
    if (!oro_node_is_graph(&item->node)) {
        oro_edit_refuse(f->err, f->use, "it is no graph");
        return false;
    }
    if (item->node.mute) {
        oro_edit_refuse(f->err, f->use, "it is muted, and its nodes would not be");
        return false;
    }
    if (!oro_graph_find(f->registry, f->doc, &item->node, &f->graph, f->err))
        return false;
    f->type = oro_graph_type(f->registry, &f->graph, f->err);
    f->body = f->type ? oro_document_clone(f->graph.doc) : NULL;
    if (!f->type)
        return false;
    size_t nodes = oro_document_node_count(f->graph.doc),
           variables = oro_document_variable_count(f->graph.doc);
    f->ids = oro_arena_alloc(f->arena, nodes + 1, sizeof *f->ids);
    f->variables = oro_arena_alloc(f->arena, variables + 1, sizeof *f->variables);
    return f->body && f->ids && f->variables ? true : out_of_memory(f);
}

/* Nodes that write files do nothing within a graph that is used as a node, but would in the document. */
static bool drop_sinks(struct flattening *f)
{
    for (size_t i = 0; i < oro_document_node_count(f->body); i++) {
        const struct oro_node_type *type =
            oro_type_of(f->registry, f->graph.root, oro_document_node(f->body, i), NULL);
        if (type && type->sink && !oro_edit_remove_node(f->doc, f->ids[i], f->err))
            return false;
    }
    return true;
}

static bool flatten(struct flattening *f)
{
    if (!prepare(f) || !seed_of_use(f) || !choose_variables(f) || !choose_ids(f))
        return false;
    for (size_t i = 0; i < oro_document_variable_count(f->body); i++)
        if (!set_variable(f, i))
            return false;
    if (!add_nodes(f) || !bring_in(f))
        return false;
    for (size_t i = 0; i < oro_document_node_count(f->body); i++)
        if (!set_seeds(f, f->ids[i], oro_document_node(f->body, i)->id))
            return false;
    return relink(f) && relink_interface(f) && drop_sinks(f) && oro_edit_remove_node(f->doc, f->use, f->err);
}

/* A file's graph first becomes a group, which brings its files and groups along. */
static bool embed_first(struct flattening *f, const char **group)
{
    const struct oro_doc_node *node = oro_document_find(f->doc, f->use);
    if (!node || !oro_node_is_graph(node) || !node->href || node->href[0] == '#')
        return true;
    const char *href = oro_arena_text(f->arena, node->href);
    *group = free_group(f->doc, f->use, f->arena);
    const char *own = *group ? oro_arena_textf(f->arena, "#%s", *group) : NULL;
    if (!href || !own)
        return out_of_memory(f);
    return oro_reuse_bring(f->doc, href, *group, f->registry, f->err) &&
           oro_edit_href(f->doc, f->use, own, node->version, f->err);
}

static bool is_used(const struct oro_document *doc, const char *group)
{
    bool used = false;
    for (size_t i = 0; i < oro_document_node_count(doc) && !used; i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        used = oro_node_is_graph(node) && node->href && node->href[0] == '#' &&
               strcmp(node->href + 1, group) == 0;
    }
    for (size_t i = 0; i < oro_document_group_count(doc) && !used; i++)
        used = is_used(oro_document_group(doc, i)->body, group);
    return used;
}

bool oro_reuse_flatten(struct oro_document *doc, const char *node, const struct oro_registry *registry,
                       struct oro_error *err)
{
    struct oro_error own = {0};
    char step[128];
    snprintf(step, sizeof step, "Take %.100s apart", node);
    struct flattening f = {.doc = doc, .registry = registry, .use = node, .err = &own};
    const char *group = NULL;
    f.arena = oro_arena_create();
    bool ok = f.arena ? oro_edit_begin(doc, step, &own) : out_of_memory(&f);
    if (ok) {
        ok = embed_first(&f, &group) && flatten(&f);
        if (ok && group && !is_used(doc, group))
            ok = oro_edit_remove_group(doc, group, &own);
        if (ok)
            oro_edit_end(doc, NULL);
        else
            oro_edit_cancel(doc, NULL);
    }
    oro_document_destroy(f.body);
    oro_arena_destroy(f.arena);
    if (!ok && err)
        *err = own;
    return ok;
}
