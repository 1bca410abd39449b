/* Room for a node that was put on a link: it moves behind what it comes from, and what follows it moves on.
 */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"

enum { GAP = 60 }; /* units of the document, between a node and the next one to its right */

/* Marks all nodes that lie downstream of one, but not the node itself. */
static void mark_downstream(const struct oro_document *doc, size_t from, unsigned char *marks)
{
    size_t count = oro_document_node_count(doc);
    bool more = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < count; i++) {
            const struct oro_doc_node *node = oro_document_node(doc, i);
            for (size_t k = 0; k < node->input_count && !marks[i] && i != from; k++) {
                const char *source = node->inputs[k].from_node;
                size_t index = source ? oro_document_find_index(doc, source) : SIZE_MAX;
                marks[i] = index < count && (index == from || marks[index]);
                more |= marks[i];
            }
        }
    }
}

/* How far a node is to move to the right to stand behind all that it is linked to. */
static double behind_sources(const struct oro_document *doc, const struct oro_doc_node *node,
                             const struct ed_sizes *sizes)
{
    double least = node->x;
    for (size_t i = 0; i < node->input_count; i++) {
        const char *id = node->inputs[i].from_node;
        const struct oro_doc_node *source = id ? oro_document_find(doc, id) : NULL;
        double width, height;
        if (!source)
            continue;
        sizes->size(sizes->user, id, &width, &height);
        least = fmax(least, source->x + width + GAP);
    }
    return least - node->x;
}

static bool move(struct oro_document *doc, size_t index, double dx, struct oro_error *err)
{
    const struct oro_doc_node *node = oro_document_node(doc, index);
    char id[128];
    snprintf(id, sizeof id, "%s", node->id);
    return oro_edit_move(doc, id, node->x + dx, node->y, err);
}

static bool make_room(struct oro_document *doc, size_t index, unsigned char *marks,
                      const struct ed_sizes *sizes, struct oro_error *err)
{
    const struct oro_doc_node *node = oro_document_node(doc, index);
    double width, height, on = behind_sources(doc, node, sizes), next = INFINITY;
    size_t count = oro_document_node_count(doc);
    sizes->size(sizes->user, node->id, &width, &height);
    mark_downstream(doc, index, marks);
    double end = node->x + on + width + GAP;
    for (size_t i = 0; i < count; i++)
        if (marks[i])
            next = fmin(next, oro_document_node(doc, i)->x);
    bool ok = on <= 0 || move(doc, index, on, err);
    for (size_t i = 0; ok && i < count && next < end; i++)
        ok = !marks[i] || move(doc, i, end - next, err);
    return ok;
}

bool ed_make_room(struct ed_project *project, const char *node, const struct ed_sizes *sizes,
                  struct oro_error *err)
{
    const struct oro_document *shown = ed_project_shown(project);
    size_t index = oro_document_find_index(shown, node), count = oro_document_node_count(shown);
    if (index >= count)
        return oro_fail(err, ORO_E_USAGE, "there is no node '%.100s'", node);
    unsigned char *marks = oro_alloc(count, 1);
    if (!marks)
        return oro_fail(err, ORO_E_MEMORY, "no memory to move nodes");
    struct oro_document *doc = ed_edit_begin(project, "make room", err);
    bool ok = doc && ed_edit_end(project, make_room(doc, index, marks, sizes, err), err);
    oro_free(marks);
    return ok;
}
