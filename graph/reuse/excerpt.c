/* Takes some nodes out of a graph, and puts them into another. */
#include "graph/reuse/excerpt.h"

#include <string.h>

#include "graph/document/variable.h"
#include "graph/file/xml.h"
#include "graph/reuse/reuse_private.h"

/* ---- What nodes use ---- */

/* Which variables of `doc` are used. */
struct uses {
    const struct oro_document *doc;
    bool *variables;
    bool grown;
};

static const char *see_word(void *user, const char *word, size_t length)
{
    struct uses *uses = user;
    for (size_t i = 0; i < uses->doc->variable_count; i++) {
        const char *name = uses->doc->variables[i]->variable.name;
        if (uses->variables[i] || strlen(name) != length || memcmp(name, word, length) != 0)
            continue;
        uses->variables[i] = true;
        uses->grown = true;
    }
    return NULL;
}

static bool see_expression(struct uses *uses, const char *expr)
{
    char *same = expr ? oro_expression_rewrite(expr, see_word, uses) : NULL;
    oro_free(same);
    return !expr || same;
}

/* Includes variables that are used by variables. */
static bool find_variables(struct uses *uses, const bool *nodes)
{
    bool ok = true;
    for (size_t i = 0; i < uses->doc->node_count && ok; i++) {
        const struct oro_doc_node *node = &uses->doc->nodes[i]->node;
        for (size_t k = 0; nodes[i] && k < node->input_count && ok; k++)
            ok = see_expression(uses, node->inputs[k].expr);
    }
    do {
        uses->grown = false;
        for (size_t i = 0; i < uses->doc->variable_count && ok; i++)
            ok = !uses->variables[i] || see_expression(uses, uses->doc->variables[i]->variable.expr);
    } while (uses->grown && ok);
    return ok;
}

static void see_group(const struct oro_document *root, bool *groups, const struct oro_doc_node *node)
{
    if (!oro_node_is_graph(node) || !node->href || node->href[0] != '#')
        return;
    for (size_t i = 0; i < root->group_count; i++) {
        const struct oro_document *body = root->groups[i]->group.body;
        if (groups[i] || strcmp(root->groups[i]->group.name, node->href + 1) != 0)
            continue;
        groups[i] = true;
        for (size_t k = 0; k < body->node_count; k++)
            see_group(root, groups, &body->nodes[k]->node);
    }
}

/* ---- Out ---- */

static bool append_clone(struct oro_document *excerpt, const struct oro_item *item)
{
    struct oro_item *clone = oro_item_clone(item);
    if (!clone || !oro_document_reserve(excerpt, 1)) {
        oro_item_destroy(clone);
        return false;
    }
    oro_document_append(excerpt, clone);
    return true;
}

static bool append_chosen(struct oro_document *excerpt, struct oro_item *const *items, size_t count,
                          const bool *chosen)
{
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = !chosen[i] || append_clone(excerpt, items[i]);
    return ok;
}

static bool append_groups(struct oro_document *excerpt, const struct oro_document *doc,
                          const struct oro_document *root, const bool *nodes)
{
    bool *groups = oro_alloc(root->group_count + 1, sizeof *groups);
    if (!groups)
        return false;
    for (size_t i = 0; i < doc->node_count; i++)
        if (nodes[i])
            see_group(root, groups, &doc->nodes[i]->node);
    bool ok = append_chosen(excerpt, root->groups, root->group_count, groups);
    oro_free(groups);
    return ok;
}

struct oro_document *oro_excerpt_take(const struct oro_document *doc, const struct oro_document *root,
                                      const bool *nodes, const bool *frames)
{
    struct oro_document *excerpt = oro_document_create();
    struct uses uses = {.doc = doc, .variables = oro_alloc(doc->variable_count + 1, sizeof(bool))};
    bool ok = excerpt && uses.variables && oro_document_set_path(excerpt, root->path) &&
              oro_reuse_namespaces(&excerpt->other, &doc->other) &&
              oro_reuse_namespaces(&excerpt->other, &root->other) && find_variables(&uses, nodes) &&
              append_chosen(excerpt, doc->variables, doc->variable_count, uses.variables) &&
              append_groups(excerpt, doc, root, nodes) &&
              append_chosen(excerpt, doc->nodes, doc->node_count, nodes) &&
              (!frames || append_chosen(excerpt, doc->frames, doc->frame_count, frames));
    oro_free(uses.variables);
    if (!ok) {
        oro_document_destroy(excerpt);
        excerpt = NULL;
    }
    return excerpt;
}

/* ---- In ---- */

/* Adds the node without links, which are made once all nodes exist. */
static bool put_node(struct oro_document *doc, const struct oro_document *excerpt, size_t index,
                     const char *id, double dx, double dy, struct oro_error *err)
{
    struct oro_item *item = oro_item_clone(excerpt->nodes[index]);
    bool ok = item && oro_set_text(&item->node.id, id) && oro_reuse_declare(item, &excerpt->other);
    if (!ok) {
        oro_item_destroy(item);
        return oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
    }
    for (size_t i = item->node.input_count; i-- > 0;)
        if (item->node.inputs[i].from_node)
            oro_item_remove_input(item, i);
    item->node.x += dx;
    item->node.y += dy;
    const double place[] = {item->node.x, item->node.y};
    if (!oro_edit_need_finite(place, 2, err)) {
        oro_item_destroy(item);
        return false;
    }
    return oro_edit_adopt(doc, item, err);
}

/* Makes links in the order of the excerpt's entries, which those that succeed keep. */
static bool put_links(struct oro_document *doc, const struct oro_document *excerpt, size_t index,
                      const char *const *ids, struct oro_error *err)
{
    const struct oro_doc_node *node = &excerpt->nodes[index]->node;
    for (size_t i = 0; i < node->input_count; i++) {
        const struct oro_doc_input *entry = &node->inputs[i];
        size_t from = entry->from_node ? oro_document_find_index(excerpt, entry->from_node) : SIZE_MAX;
        struct oro_error why = {0};
        if (from == SIZE_MAX ||
            oro_edit_connect(doc, ids[index], entry->name, ids[from], entry->from_output, &why))
            continue;
        if (why.code != ORO_E_DOCUMENT) {
            if (err)
                *err = why;
            return false;
        }
    }
    return true;
}

static bool put_variables(struct oro_document *doc, const struct oro_document *excerpt, struct oro_error *err)
{
    for (size_t i = 0; i < excerpt->variable_count; i++) {
        const struct oro_doc_variable *variable = &excerpt->variables[i]->variable;
        if (!oro_document_find_variable(doc, variable->name) && !oro_edit_variable(doc, variable, err))
            return false;
    }
    return true;
}

bool oro_excerpt_put(struct oro_document *doc, const struct oro_document *excerpt, const char *const *ids,
                     double dx, double dy, struct oro_error *err)
{
    if (excerpt->node_count > ORO_DOCUMENT_NODES_MAX - doc->node_count)
        return oro_fail(err, ORO_E_LIMIT, "a document holds at most %d nodes", ORO_DOCUMENT_NODES_MAX);
    if (!put_variables(doc, excerpt, err))
        return false;
    for (size_t i = 0; i < excerpt->node_count; i++)
        if (!put_node(doc, excerpt, i, ids[i], dx, dy, err))
            return false;
    for (size_t i = 0; i < excerpt->node_count; i++)
        if (!put_links(doc, excerpt, i, ids, err))
            return false;
    for (size_t i = 0; i < excerpt->frame_count; i++) {
        struct oro_doc_frame frame = excerpt->frames[i]->frame;
        frame.x += dx;
        frame.y += dy;
        if (!oro_edit_add_frame(doc, &frame, err))
            return false;
    }
    return true;
}
