/* Links: which outputs fit which inputs. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"

/* ---- Types ---- */

const struct oro_node_type *ed_node_type(const struct ed_project *project, const struct oro_doc_node *node)
{
    return node ? oro_type_of(project->registry, project->shown_root, node, NULL) : NULL;
}

static enum oro_type type_of_output(const struct ed_project *project, const struct oro_document *doc,
                                    const struct oro_doc_node *node, const struct oro_output *output)
{
    const struct oro_graph graph = {doc, project->shown_root};
    return oro_output_type(project->registry, &graph, node, output);
}

enum oro_type ed_gives(const struct ed_project *project, const struct oro_document *doc,
                       const struct ed_end *from)
{
    const struct oro_doc_node *node = oro_document_find(doc, from->node);
    const struct oro_node_type *type = ed_node_type(project, node);
    const struct oro_output *output = type ? oro_type_output(type, from->socket) : NULL;
    return output ? type_of_output(project, doc, node, output) : ORO_NONE;
}

/* Whether an output of type ORO_ANY gives the type that is linked to this input. */
static bool is_passed_on(const struct oro_node_type *type, const struct oro_input *input)
{
    const struct oro_input *first = type->inputs;
    while (first && first->name && first->type != ORO_ANY)
        first++;
    return input == first;
}

static bool takes(const struct ed_project *project, const struct oro_document *doc, const struct ed_end *to,
                  enum oro_type type, int depth);

/* Whether everything that takes a node's input from it (a reroute has outputs of its input's type) takes this
 * type. */
static bool users_take(const struct ed_project *project, const struct oro_document *doc, const char *from,
                       const struct oro_node_type *from_type, enum oro_type type, int depth)
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        for (size_t k = 0; k < node->input_count; k++) {
            const struct oro_doc_input *entry = &node->inputs[k];
            if (!entry->from_node || strcmp(entry->from_node, from) != 0)
                continue;
            const struct oro_output *output = oro_type_output(from_type, entry->from_output);
            const struct ed_end to = {node->id, entry->name};
            if (output && output->type == ORO_ANY && !takes(project, doc, &to, type, depth + 1))
                return false;
        }
    }
    return true;
}

static bool takes(const struct ed_project *project, const struct oro_document *doc, const struct ed_end *to,
                  enum oro_type type, int depth)
{
    enum { DEPTH_MAX = 64 }; /* further bends are left to the check of the document */
    const struct oro_node_type *to_type = ed_node_type(project, oro_document_find(doc, to->node));
    const struct oro_input *input = to_type ? oro_type_input(to_type, to->socket) : NULL;
    if (!input || !oro_input_accepts(input, type))
        return false;
    bool forwards =
        input->type == ORO_ANY && type != ORO_ANY && depth < DEPTH_MAX && is_passed_on(to_type, input);
    return !forwards || users_take(project, doc, to->node, to_type, type, depth);
}

/* Whether an output of this type fits an input, and, if that is a reroute's, all inputs that it leads to. */
static bool takes_type(const struct ed_project *project, const struct oro_document *doc,
                       const struct ed_end *to, enum oro_type type)
{
    return type != ORO_NONE && takes(project, doc, to, type, 0);
}

/* ---- Sockets that fit ---- */

bool ed_is_namesake(const struct oro_input *input, const char *output)
{
    return output && strcmp(input->name, output) == 0 && input->role != ORO_ROLE_MASK;
}

const char *ed_input_for(const struct ed_project *project, const struct oro_document *doc, const char *node,
                         enum oro_type type, const char *output)
{
    const struct oro_doc_node *found = oro_document_find(doc, node);
    const struct oro_node_type *node_type = ed_node_type(project, found);
    const char *best = NULL;
    int best_rank = 8;
    for (const struct oro_input *in = node_type ? node_type->inputs : NULL; in && in->name; in++) {
        const struct ed_end to = {node, in->name};
        const struct oro_doc_input *entry = oro_doc_node_input(found, in->name);
        bool linked = entry && entry->from_node, made = in->type != ORO_FLOAT;
        int rank = (linked ? 4 : 0) + (ed_is_namesake(in, output) ? 0 : 2) + (made ? 0 : 1);
        if (rank < best_rank && takes_type(project, doc, &to, type)) {
            best = in->name;
            best_rank = rank;
        }
    }
    return best;
}

const char *ed_output_for(const struct ed_project *project, const struct oro_document *doc, const char *node,
                          const struct ed_end *to)
{
    const struct oro_doc_node *found = oro_document_find(doc, node);
    const struct oro_node_type *type = ed_node_type(project, found);
    for (const struct oro_output *out = type ? type->outputs : NULL; out && out->name; out++)
        if (takes_type(project, doc, to, type_of_output(project, doc, found, out)))
            return out->name;
    return NULL;
}

struct ed_end ed_keep_end(struct ed_end_text *text, const struct ed_end *end)
{
    snprintf(text->node, sizeof text->node, "%s", end->node);
    snprintf(text->socket, sizeof text->socket, "%s", end->socket);
    return (struct ed_end){text->node, text->socket};
}

/* ---- Cycles ---- */

/* The nodes upstream of a node, and those downstream, itself included. Kept because, while a link is dragged,
 * one end stays and all other sockets are asked about. */
struct ed_reach {
    uint64_t revision;
    const struct oro_document *doc;
    char node[128];
    size_t count;
    bool *upstream, *downstream;
    size_t *stack;
};

void ed_reach_destroy(struct ed_reach *reach)
{
    if (!reach)
        return;
    oro_free(reach->upstream);
    oro_free(reach->downstream);
    oro_free(reach->stack);
    oro_free(reach);
}

static void find_upstream(struct ed_reach *reach, size_t start)
{
    size_t height = 0;
    reach->upstream[start] = true;
    reach->stack[height++] = start;
    while (height > 0) {
        const struct oro_doc_node *node = oro_document_node(reach->doc, reach->stack[--height]);
        for (size_t i = 0; i < node->input_count; i++) {
            const char *from = node->inputs[i].from_node;
            size_t next = from ? oro_document_find_index(reach->doc, from) : SIZE_MAX;
            if (next == SIZE_MAX || reach->upstream[next])
                continue;
            reach->upstream[next] = true;
            reach->stack[height++] = next;
        }
    }
}

/* Sweeps over all nodes: few are needed, since nodes are mostly stored in the order in which the graph was
 * built. */
static void find_downstream(struct ed_reach *reach, size_t start)
{
    bool grown = true;
    reach->downstream[start] = true;
    while (grown) {
        grown = false;
        for (size_t i = 0; i < reach->count; i++) {
            const struct oro_doc_node *node = oro_document_node(reach->doc, i);
            for (size_t k = 0; k < node->input_count && !reach->downstream[i]; k++) {
                const char *from = node->inputs[k].from_node;
                size_t index = from ? oro_document_find_index(reach->doc, from) : SIZE_MAX;
                grown |= reach->downstream[i] = index != SIZE_MAX && reach->downstream[index];
            }
        }
    }
}

static struct ed_reach *make_reach(const struct oro_document *doc, const char *node)
{
    struct ed_reach *reach = oro_alloc(1, sizeof *reach);
    size_t start = oro_document_find_index(doc, node), count = oro_document_node_count(doc);
    if (!reach || start == SIZE_MAX) {
        oro_free(reach);
        return NULL;
    }
    reach->doc = doc;
    reach->count = count;
    snprintf(reach->node, sizeof reach->node, "%s", node);
    reach->upstream = oro_alloc(count, sizeof *reach->upstream);
    reach->downstream = oro_alloc(count, sizeof *reach->downstream);
    reach->stack = oro_alloc(count, sizeof *reach->stack);
    if (!reach->upstream || !reach->downstream || !reach->stack) {
        ed_reach_destroy(reach);
        return NULL;
    }
    find_upstream(reach, start);
    find_downstream(reach, start);
    return reach;
}

static bool is_kept(const struct ed_project *project, const struct oro_document *doc, const char *node)
{
    const struct ed_reach *reach = project->reach;
    return reach && reach->doc == doc && reach->revision == ed_project_revision(project) &&
           strcmp(reach->node, node) == 0;
}

/* Whether a link would close a cycle. Answers are kept for the next question. */
static bool closes_circle(const struct ed_project *project, const struct oro_document *doc,
                          const struct ed_end *from, const struct ed_end *to)
{
    size_t from_index = oro_document_find_index(doc, from->node),
           to_index = oro_document_find_index(doc, to->node);
    if (is_kept(project, doc, to->node))
        return project->reach->downstream[from_index];
    if (is_kept(project, doc, from->node))
        return project->reach->upstream[to_index];
    struct ed_reach *reach = make_reach(doc, from->node);
    if (!reach)
        return true; /* memory is out: the link will be refused anyway */
    reach->revision = ed_project_revision(project);
    bool closes = reach->upstream[to_index];
    /* `reach` is a cache, not part of the project's state, hence changed in a const project. */
    struct ed_project *own = (struct ed_project *)project;
    ed_reach_destroy(own->reach);
    own->reach = reach;
    return closes;
}

/* ---- Links ---- */

static bool may_link(const struct ed_project *project, const struct oro_document *doc,
                     const struct ed_end *from, const struct ed_end *to, struct oro_error *err)
{
    const struct ed_end *const ends[] = {from, to};
    for (int i = 0; i < 2; i++)
        if (!oro_document_find(doc, ends[i]->node))
            return oro_fail(err, ORO_E_USAGE, "there is no node '%.100s'", ends[i]->node);
    enum oro_type type = ed_gives(project, doc, from);
    if (type == ORO_NONE)
        return oro_fail(err, ORO_E_USAGE, "'%.100s' has no output '%.100s'", from->node, from->socket);
    if (!takes_type(project, doc, to, type))
        return oro_fail(err, ORO_E_USAGE, "'%.100s' of '%.100s' does not take %s", to->socket, to->node,
                        oro_type_phrase(type));
    return true;
}

bool ed_can_link(const struct ed_project *project, const struct ed_end *from, const struct ed_end *to)
{
    const struct oro_document *doc = ed_project_shown(project);
    return may_link(project, doc, from, to, NULL) && !closes_circle(project, doc, from, to);
}

bool ed_connect(const struct ed_project *project, struct oro_document *doc, const struct ed_end *from,
                const struct ed_end *to, struct oro_error *err)
{
    struct oro_error why = {0};
    bool ok = may_link(project, doc, from, to, &why) &&
              oro_edit_connect(doc, to->node, to->socket, from->node, from->socket, &why);
    if (!ok && err) {
        *err = why;
        if (why.code == ORO_E_DOCUMENT)
            err->code = ORO_E_USAGE; /* a cycle */
    }
    return ok;
}

bool ed_link(struct ed_project *project, const struct ed_end *from, const struct ed_end *to,
             struct oro_error *err)
{
    struct ed_end_text texts[2];
    const struct ed_end own_from = ed_keep_end(&texts[0], from), own_to = ed_keep_end(&texts[1], to);
    char name[300];
    snprintf(name, sizeof name, "Link %.128s", to->node);
    struct oro_document *doc = ed_edit_begin(project, name, err);
    return doc && ed_edit_end(project, ed_connect(project, doc, &own_from, &own_to, err), err);
}

bool ed_unlink(struct ed_project *project, const struct ed_end *inputs, size_t count, struct oro_error *err)
{
    struct oro_document *doc = ed_edit_begin(project, count == 1 ? "Cut link" : "Cut links", err);
    bool ok = doc;
    for (size_t i = 0; i < count && ok; i++) {
        const struct oro_doc_node *node = oro_document_find(doc, inputs[i].node);
        const struct oro_doc_input *entry = node ? oro_doc_node_input(node, inputs[i].socket) : NULL;
        struct ed_end_text text = {0};
        const struct ed_end end = ed_keep_end(&text, &inputs[i]);
        ok = !entry || !entry->from_node || oro_edit_set(doc, end.node, end.socket, NULL, err);
    }
    return doc && ed_edit_end(project, ok, err);
}
