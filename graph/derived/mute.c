/* Searches depth first along the links of muted nodes, without recursion and visiting each node once, since
 * what a muted node lets through does not depend on how it was reached. */
#include "graph/derived/mute.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"

struct stop {
    const struct oro_doc_node *node;  /* muted */
    const struct oro_node_type *type; /* NULL: unknown */
    const char *first;                /* the input that the output is like, or NULL */
    size_t next;                      /* 0: `first`, then 1 + index */
};

struct walk {
    const struct oro_registry *registry;
    const struct oro_graph *graph;
    const struct oro_input *taker;
    oro_mute_outside *outside;
    void *user;
    struct stop *stops;
    size_t height, capacity;
    bool *seen; /* by node */
};

/* ---- What leads into the graph ---- */

static enum oro_type linked_type(const struct oro_input *input)
{
    return input->type == ORO_FLOAT ? ORO_FIELD : input->type;
}

/* Whether only the interface can give the input its value: it needs a link and has none. */
static bool port_brings(const struct walk *walk, const struct oro_doc_node *node, const char *name,
                        enum oro_type *type)
{
    const struct oro_document *doc = walk->graph->doc;
    const struct oro_node_type *node_type = oro_type_of(walk->registry, walk->graph->root, node, NULL);
    const struct oro_input *input = node_type ? oro_type_input(node_type, name) : NULL;
    if (!input || oro_input_has_literal(input) || oro_doc_node_input(node, name))
        return false;
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output || strcmp(port->node, node->id) != 0 || strcmp(port->socket, name) != 0)
            continue;
        *type = linked_type(input);
        return true;
    }
    return false;
}

static bool comes_from_outside(const struct walk *walk, const struct oro_doc_node *node, const char *input,
                               enum oro_type *type)
{
    return walk->outside ? walk->outside(walk->user, node, input, type)
                         : port_brings(walk, node, input, type);
}

/* ---- The walk ---- */

static bool push(struct walk *walk, const struct oro_doc_node *node, const char *output)
{
    size_t index = oro_document_find_index(walk->graph->doc, node->id);
    if (index == SIZE_MAX || walk->seen[index])
        return true;
    void *stops = walk->stops;
    if (!oro_reserve(&stops, &walk->capacity, walk->height + 1, sizeof *walk->stops))
        return false;
    walk->stops = stops;
    walk->seen[index] = true;
    struct stop *stop = &walk->stops[walk->height++];
    *stop = (struct stop){.node = node, .type = oro_type_of(walk->registry, walk->graph->root, node, NULL)};
    const struct oro_output *found = stop->type ? oro_type_output(stop->type, output) : NULL;
    stop->first = found ? found->like : NULL;
    return true;
}

/* The next input that may have a link; NULL: there are no more. */
static const char *next_input(struct stop *stop)
{
    const struct oro_input *inputs = stop->type ? stop->type->inputs : NULL;
    if (stop->next == 0) {
        stop->next = 1;
        if (stop->first)
            return stop->first;
    }
    if (!stop->type)
        return stop->next <= stop->node->input_count ? stop->node->inputs[stop->next++ - 1].name : NULL;
    for (; inputs && inputs[stop->next - 1].name; stop->next++) {
        const struct oro_input *input = &inputs[stop->next - 1];
        if (oro_input_linkable(input) && !(stop->first && strcmp(input->name, stop->first) == 0)) {
            stop->next++;
            return input->name;
        }
    }
    return NULL;
}

/* If the taker accepts any type, the type need not be known; so the search for types goes no deeper than
 * this. */
static bool accepts(const struct walk *walk, const struct oro_doc_node *node,
                    const struct oro_node_type *type, const char *name)
{
    const struct oro_output *output = type ? oro_type_output(type, name) : NULL;
    if (!type || !output) /* missing graphs and scripts have no type: planning reports them */
        return !type;
    return walk->taker->type == ORO_ANY ||
           oro_input_accepts(walk->taker, oro_output_type(walk->registry, walk->graph, node, output));
}

/* Looks at one input of the node on top of the stack. False: memory is out. */
static bool try_input(struct walk *walk, const struct oro_doc_node *node, const char *input,
                      struct oro_mute_source *behind)
{
    enum oro_type type = ORO_NONE;
    if (comes_from_outside(walk, node, input, &type)) {
        if (type != ORO_NONE && oro_input_accepts(walk->taker, type))
            *behind = (struct oro_mute_source){.node = node, .input = input, .type = type};
        return true;
    }
    const struct oro_doc_input *entry = oro_doc_node_input(node, input);
    const struct oro_doc_node *from =
        entry && entry->from_node ? oro_document_find(walk->graph->doc, entry->from_node) : NULL;
    if (from && from->mute)
        return push(walk, from, entry->from_output);
    if (from &&
        accepts(walk, from, oro_type_of(walk->registry, walk->graph->root, from, NULL), entry->from_output))
        *behind = (struct oro_mute_source){.node = from, .output = entry->from_output};
    return true;
}

static bool walk_from(struct walk *walk, const struct oro_doc_node *node, const char *output,
                      struct oro_mute_source *behind)
{
    bool ok = push(walk, node, output);
    while (ok && walk->height > 0 && !behind->node) {
        struct stop *top = &walk->stops[walk->height - 1];
        const char *input = next_input(top);
        if (input)
            ok = try_input(walk, top->node, input, behind);
        else
            walk->height--;
    }
    return ok;
}

/* The taker for requests by name: it accepts the output's own type. */
static struct oro_input taker_for(const struct oro_registry *registry, const struct oro_graph *graph,
                                  const struct oro_doc_node *node, const char *output)
{
    const struct oro_node_type *type = oro_type_of(registry, graph->root, node, NULL);
    const struct oro_output *found = type ? oro_type_output(type, output) : NULL;
    return (struct oro_input){.name = "", .type = found ? found->type : ORO_ANY};
}

bool oro_mute_follow(const struct oro_registry *registry, const struct oro_graph *graph,
                     const struct oro_doc_node *node, const char *output, const struct oro_input *taker,
                     oro_mute_outside *outside, void *user, struct oro_mute_source *behind,
                     struct oro_error *err)
{
    const struct oro_input own = taker_for(registry, graph, node, output);
    struct walk walk = {.registry = registry,
                        .graph = graph,
                        .taker = taker ? taker : &own,
                        .outside = outside,
                        .user = user,
                        .seen = oro_alloc(oro_document_node_count(graph->doc), sizeof *walk.seen)};
    *behind = (struct oro_mute_source){0};
    bool ok = walk.seen && walk_from(&walk, node, output, behind);
    oro_free(walk.stops);
    oro_free(walk.seen);
    return ok || oro_fail(err, ORO_E_MEMORY, "no memory to pass by '%s'", node->id);
}
