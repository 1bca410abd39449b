/* Turns nodes into a group. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "graph/document/variable.h"
#include "graph/reuse/reuse_private.h"

/* The state of making a group. `err` is the caller's. */
struct grouping {
    struct oro_document *doc;
    const char *const *nodes;
    size_t count;
    const char *name, *use; /* of the group, and id of the node that uses it */
    const struct oro_registry *registry;
    struct oro_arena *arena;
    struct oro_document *body;
    struct oro_error *err;
};

static bool is_inside(const struct grouping *g, const char *id)
{
    for (size_t i = 0; id && i < g->count; i++)
        if (strcmp(g->nodes[i], id) == 0)
            return true;
    return false;
}

/* Whether the node is in the list already. */
static bool is_repeated(const struct grouping *g, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (strcmp(g->nodes[i], g->nodes[index]) == 0)
            return true;
    return false;
}

static bool out_of_memory(struct grouping *g)
{
    return oro_fail(g->err, ORO_E_MEMORY, "no memory to make a group");
}

/* ---- Names of the interface ---- */

static bool is_taken(const struct grouping *g, bool is_output, const char *name)
{
    if (!is_output && oro_graph_is_standard(name))
        return true;
    for (size_t i = 0; i < oro_document_port_count(g->body); i++)
        if (oro_document_port(g->body, i)->is_output == is_output &&
            strcmp(oro_document_port(g->body, i)->name, name) == 0)
            return true;
    return false;
}

/* The socket's name; if that is taken, with the node's name in front, and then with a number. */
static const char *free_name(struct grouping *g, bool is_output, const char *node, const char *socket)
{
    const char *name = socket;
    for (int i = 1; name && is_taken(g, is_output, name); i++)
        name = i == 1 ? oro_arena_textf(g->arena, "%.60s_%.30s", node, socket)
                      : oro_arena_textf(g->arena, "%.55s_%.30s_%d", node, socket, i);
    if (!name)
        out_of_memory(g);
    return name;
}

static bool add_port(struct grouping *g, bool is_output, const char *name, const char *node,
                     const char *socket)
{
    const struct oro_doc_port port = {
        .is_output = is_output, .name = (char *)name, .node = (char *)node, .socket = (char *)socket};
    return name && oro_edit_add_port(g->body, &port, g->err);
}

/* ---- Inputs ---- Links from one output outside become one input, for all inputs of one type that they lead
 * to. An input that the document's interface leads to as well gets an input of its own, because it may get
 * another value from there. */

static bool is_offered(const struct grouping *g, const char *name)
{
    for (size_t i = 0; i < oro_document_port_count(g->doc); i++) {
        const struct oro_doc_port *port = oro_document_port(g->doc, i);
        if (!port->is_output && strcmp(port->node, g->use) == 0 && strcmp(port->socket, name) == 0)
            return true;
    }
    return false;
}

static const struct oro_input *socket_of(const struct grouping *g, const char *node, const char *input)
{
    const struct oro_doc_node *found = oro_document_find(g->doc, node);
    const struct oro_node_type *type = found ? oro_type_of(g->registry, g->doc, found, NULL) : NULL;
    return type ? oro_type_input(type, input) : NULL;
}

/* Whether an input of the group has the type of `socket`; the first socket that it leads to gives its
 * type. */
static bool takes_same(const struct grouping *g, const char *name, const struct oro_input *socket)
{
    for (size_t i = 0; i < oro_document_port_count(g->body); i++) {
        const struct oro_doc_port *port = oro_document_port(g->body, i);
        if (port->is_output || strcmp(port->name, name) != 0)
            continue;
        const struct oro_input *first = socket_of(g, port->node, port->socket);
        return first && socket && first->type == socket->type;
    }
    return false;
}

static const char *inlet_of(struct grouping *g, const struct oro_doc_node *node,
                            const struct oro_doc_input *entry)
{
    const struct oro_doc_node *use = oro_document_find(g->doc, g->use);
    const struct oro_input *socket = socket_of(g, node->id, entry->name);
    for (size_t i = 0; i < use->input_count; i++) {
        const struct oro_doc_input *inlet = &use->inputs[i];
        if (inlet->from_node && strcmp(inlet->from_node, entry->from_node) == 0 &&
            strcmp(inlet->from_output, entry->from_output) == 0 && takes_same(g, inlet->name, socket) &&
            !is_offered(g, inlet->name))
            return oro_arena_text(g->arena, inlet->name);
    }
    return NULL;
}

/* The input of the group that leads to this input; NULL: none. */
static const char *port_into(struct grouping *g, const char *node, const char *input)
{
    for (size_t i = 0; i < oro_document_port_count(g->body); i++) {
        const struct oro_doc_port *port = oro_document_port(g->body, i);
        if (!port->is_output && strcmp(port->node, node) == 0 && strcmp(port->socket, input) == 0)
            return oro_arena_text(g->arena, port->name);
    }
    return NULL;
}

static bool take_link(struct grouping *g, const struct oro_doc_node *node, const struct oro_doc_input *entry)
{
    const char *name = port_into(g, node->id, entry->name);
    if (name)
        return oro_edit_connect(g->doc, g->use, name, entry->from_node, entry->from_output, g->err);
    name = inlet_of(g, node, entry);
    bool known = name;
    if (!known)
        name = free_name(g, false, node->id, entry->name);
    return add_port(g, false, name, node->id, entry->name) &&
           (known || oro_edit_connect(g->doc, g->use, name, entry->from_node, entry->from_output, g->err));
}

/* ---- Variables ---- A group has its own, which get the document's values from the node that uses the
 * group. */

static const char *take_variable(void *user, const char *word, size_t length)
{
    struct grouping *g = user;
    char name[128];
    double value;
    char number[ORO_NUMBER_SIZE];
    if (length >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const struct oro_doc_variable *variable = oro_document_find_variable(g->doc, name);
    if (!variable || oro_document_find_variable(g->body, name) || g->err->code != ORO_OK)
        return NULL;
    struct oro_variables *all = oro_variables_of(g->doc, g->doc, g->registry, g->err);
    bool ok = all && oro_variables_get(all, name, &value, g->err);
    oro_variables_destroy(all);
    if (!ok)
        return NULL;
    struct oro_doc_variable own = *variable;
    own.expr = NULL;
    own.value = number;
    oro_format_number(value, number);
    ok = oro_edit_variable(g->body, &own, g->err);
    const char *input = ok ? free_name(g, false, g->use, name) : NULL;
    if (input && add_port(g, false, input, "", name))
        oro_edit_set_expression(g->doc, g->use, input, name, g->err);
    return NULL;
}

static bool take_variables(struct grouping *g, const char *expr)
{
    char *same = oro_expression_rewrite(expr, take_variable, g);
    bool ok = same && g->err->code == ORO_OK;
    if (!same)
        out_of_memory(g);
    oro_free(same);
    return ok;
}

/* ---- The body ---- */

static bool copy_node(struct grouping *g, const char *id)
{
    struct oro_item *item = oro_item_clone(oro_document_item(g->doc, id));
    if (!item)
        return out_of_memory(g);
    for (size_t i = item->node.input_count; i-- > 0;)
        if (item->node.inputs[i].from_node && !is_inside(g, item->node.inputs[i].from_node))
            oro_item_remove_input(item, i);
    return oro_edit_adopt(g->body, item, g->err);
}

static bool copy_nodes(struct grouping *g)
{
    for (size_t i = 0; i < oro_document_node_count(g->doc); i++) {
        const char *id = oro_document_node(g->doc, i)->id;
        if (is_inside(g, id) && !copy_node(g, id))
            return false;
    }
    return true;
}

static bool take_inputs(struct grouping *g, const char *id)
{
    const struct oro_doc_node *node = oro_document_find(g->doc, id);
    for (size_t i = 0; i < node->input_count; i++) {
        const struct oro_doc_input *entry = &node->inputs[i];
        if (entry->expr && !take_variables(g, entry->expr))
            return false;
        if (entry->from_node && !is_inside(g, entry->from_node) && !take_link(g, node, entry))
            return false;
        node = oro_document_find(g->doc, id); /* edits replace other items, but not this node's */
    }
    return true;
}

/* ---- Outputs ---- */

/* The name under which an output leaves the group. */
static const char *outlet_of(struct grouping *g, const char *node, const char *output)
{
    for (size_t i = 0; i < oro_document_port_count(g->body); i++) {
        const struct oro_doc_port *port = oro_document_port(g->body, i);
        if (port->is_output && strcmp(port->node, node) == 0 && strcmp(port->socket, output) == 0)
            return oro_arena_text(g->arena, port->name);
    }
    const char *name = free_name(g, true, node, output);
    return name && add_port(g, true, name, node, output) ? name : NULL;
}

static bool relink_node(struct grouping *g, const char *id)
{
    const struct oro_doc_node *node = oro_document_find(g->doc, id);
    for (size_t i = 0; i < node->input_count; i++) {
        const struct oro_doc_input *entry = &node->inputs[i];
        if (!entry->from_node || !is_inside(g, entry->from_node))
            continue;
        const char *input = oro_arena_text(g->arena, entry->name);
        const char *outlet = outlet_of(g, entry->from_node, entry->from_output);
        if (!input || !outlet || !oro_edit_connect(g->doc, id, input, g->use, outlet, g->err))
            return false;
        node = oro_document_find(g->doc, id);
    }
    return true;
}

static bool relink(struct grouping *g)
{
    for (size_t i = 0; i < oro_document_node_count(g->doc); i++) {
        const char *id = oro_arena_text(g->arena, oro_document_node(g->doc, i)->id);
        if (!id)
            return out_of_memory(g);
        if (!is_inside(g, id) && !relink_node(g, id))
            return false;
    }
    return true;
}

/* Entries of the document's interface that lead to the nodes now lead to the group. */
static bool relink_interface(struct grouping *g, bool is_output)
{
    for (size_t i = 0; i < oro_document_port_count(g->doc); i++) {
        const struct oro_doc_port *port = oro_document_port(g->doc, i);
        if (port->is_output != is_output || !is_inside(g, port->node))
            continue;
        const char *node = oro_arena_text(g->arena, port->node),
                   *socket = oro_arena_text(g->arena, port->socket);
        const char *name = !node || !socket ? NULL
                           : is_output      ? outlet_of(g, node, socket)
                                            : free_name(g, false, node, socket);
        if (!name || (!is_output && !add_port(g, false, name, node, socket)) ||
            !oro_reuse_retarget(g->doc, is_output, node, socket, g->use, name, g->err))
            return false;
    }
    return true;
}

/* ---- The whole ---- */

static bool need_nodes(struct grouping *g)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct oro_item *item = oro_edit_need_node(g->doc, g->nodes[i], g->err);
        const struct oro_node_type *type = item ? oro_type_of(g->registry, g->doc, &item->node, NULL) : NULL;
        if (!item)
            return false;
        if (type && type->sink)
            return oro_edit_refuse(
                g->err, item->node.id,
                "it writes files, which is not done from within a group: leave it outside");
    }
    return true;
}

static bool add_use(struct grouping *g)
{
    double x = 0, y = 0;
    char href[ORO_ID_MAX + 2];
    for (size_t i = 0; i < g->count; i++) {
        const struct oro_doc_node *node = oro_document_find(g->doc, g->nodes[i]);
        x += node->x / (double)g->count;
        y += node->y / (double)g->count;
    }
    snprintf(href, sizeof href, "#%s", g->name);
    return oro_edit_add_node(g->doc, g->use, ORO_GRAPH_TYPE, 1, floor(x), floor(y), g->err) &&
           oro_edit_href(g->doc, g->use, href, 1, g->err);
}

static bool feeds_another(const struct grouping *g, const char *id)
{
    for (size_t i = 0; i < oro_document_node_count(g->body); i++) {
        const struct oro_doc_node *node = oro_document_node(g->body, i);
        for (size_t k = 0; k < node->input_count; k++)
            if (node->inputs[k].from_node && strcmp(node->inputs[k].from_node, id) == 0)
                return true;
    }
    for (size_t i = 0; i < oro_document_port_count(g->body); i++)
        if (oro_document_port(g->body, i)->is_output && strcmp(oro_document_port(g->body, i)->node, id) == 0)
            return true;
    return false;
}

/* The outputs at the ends of the graph have no links, and become outputs of the group, too. */
static bool offer_ends(struct grouping *g)
{
    for (size_t i = 0; i < oro_document_node_count(g->body); i++) {
        const struct oro_doc_node *node = oro_document_node(g->body, i);
        const struct oro_node_type *type = oro_type_of(g->registry, g->doc, node, NULL);
        if (type && type->outputs && type->outputs[0].name && !feeds_another(g, node->id) &&
            !outlet_of(g, node->id, type->outputs[0].name))
            return false;
    }
    return oro_document_port_count(g->body) > 0 ||
           oro_edit_refuse(g->err, NULL, "nothing leads into the group or out of it");
}

static bool make(struct grouping *g)
{
    if (!add_use(g) || !copy_nodes(g) || !relink_interface(g, false))
        return false;
    for (size_t i = 0; i < g->count; i++)
        if (!is_repeated(g, i) && !take_inputs(g, g->nodes[i]))
            return false;
    if (!relink(g) || !relink_interface(g, true) || !offer_ends(g) ||
        !oro_edit_group(g->doc, g->name, g->body, g->err))
        return false;
    for (size_t i = 0; i < g->count; i++)
        if (!is_repeated(g, i) && !oro_edit_remove_node(g->doc, g->nodes[i], g->err))
            return false;
    return true;
}

bool oro_reuse_group(struct oro_document *doc, const char *const *nodes, size_t count, const char *name,
                     const struct oro_registry *registry, struct oro_error *err)
{
    struct oro_error own = {0};
    char step[128];
    snprintf(step, sizeof step, "Group %.100s", name);
    if (count == 0)
        return oro_edit_refuse(err, NULL, "a group needs at least one node");
    if (oro_document_find_group(doc, name))
        return oro_edit_refuse(err, NULL, "there is a group '%.100s' already", name);
    if (!oro_edit_need_name(name, "a group", err))
        return false;
    struct grouping g = {
        .doc = doc, .nodes = nodes, .count = count, .name = name, .registry = registry, .err = &own};
    g.arena = oro_arena_create();
    g.body = oro_document_create();
    g.use = g.arena ? oro_reuse_free_id(doc, name, g.arena) : NULL;
    bool ok = g.use && g.body ? need_nodes(&g) && oro_edit_begin(doc, step, &own) : out_of_memory(&g);
    if (ok) {
        ok = make(&g);
        if (ok)
            oro_edit_end(doc, NULL);
        else
            oro_edit_cancel(doc, NULL);
    }
    oro_document_destroy(g.body);
    oro_arena_destroy(g.arena);
    if (!ok && err)
        *err = own;
    return ok;
}
