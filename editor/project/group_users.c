/* Updates the nodes that use a group when its interface changes; and finds groups within groups. */
#include <string.h>

#include "base/memory.h"
#include "editor/project/project_private.h"

/* ---- Groups within groups ---- */

static size_t index_of(const struct oro_document *root, const char *name)
{
    size_t i = 0;
    while (i < oro_document_group_count(root) && strcmp(oro_document_group(root, i)->name, name) != 0)
        i++;
    return i;
}

static bool names_group(const struct oro_document *root, const struct oro_document *doc, const char *group)
{
    bool has = false;
    for (size_t i = 0; i < oro_document_node_count(doc) && !has; i++) {
        const struct oro_doc_group *used = ed_group_of(root, oro_document_node(doc, i));
        has = used && strcmp(used->name, group) == 0;
    }
    return has;
}

bool ed_group_is_used(const struct oro_document *root, const char *group)
{
    bool used = names_group(root, root, group);
    for (size_t i = 0; i < oro_document_group_count(root) && !used; i++)
        used = names_group(root, oro_document_group(root, i)->body, group);
    return used;
}

static bool leads_to(const struct oro_document *root, size_t from, size_t target, bool *seen)
{
    const struct oro_document *body = oro_document_group(root, from)->body;
    for (size_t i = 0; i < oro_document_node_count(body); i++) {
        const struct oro_doc_group *group = ed_group_of(root, oro_document_node(body, i));
        size_t next = group ? index_of(root, group->name) : target + 1;
        if (!group || (next != target && seen[next]))
            continue;
        seen[next] = true;
        if (next == target || leads_to(root, next, target, seen))
            return true;
    }
    return false;
}

bool ed_group_holds_itself(const struct oro_document *root, const char *group)
{
    size_t count = oro_document_group_count(root), target = index_of(root, group);
    bool *seen = oro_alloc(count + 1, sizeof *seen);
    bool holds = seen && target < count && leads_to(root, target, target, seen);
    oro_free(seen);
    return holds;
}

/* ---- Interfaces that lose entries ---- */

static bool has_port(const struct oro_document *doc, bool is_output, const char *name)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output == is_output && strcmp(port->name, name) == 0)
            return true;
    }
    return false;
}

struct loss {
    const struct oro_document *root, *before, *after;
    const char *group;
};

/* Whether the name was an entry and no longer is. Inputs that every graph has do not count. */
static bool is_lost(const struct loss *loss, bool is_output, const char *name)
{
    bool standard = !is_output && oro_graph_is_standard(name);
    return !standard && has_port(loss->before, is_output, name) && !has_port(loss->after, is_output, name);
}

static bool interface_loses(const struct oro_document *before, const struct oro_document *after)
{
    const struct loss loss = {.before = before, .after = after};
    for (size_t i = 0; i < oro_document_port_count(before); i++) {
        const struct oro_doc_port *port = oro_document_port(before, i);
        if (is_lost(&loss, port->is_output, port->name))
            return true;
    }
    return false;
}

static bool uses_group(const struct loss *loss, const struct oro_doc_node *node)
{
    const struct oro_doc_group *group = ed_group_of(loss->root, node);
    return group && strcmp(group->name, loss->group) == 0;
}

static bool entry_is_lost(const struct loss *loss, const struct oro_document *doc,
                          const struct oro_doc_node *node, const struct oro_doc_input *entry)
{
    if (uses_group(loss, node) && is_lost(loss, false, entry->name))
        return true;
    const struct oro_doc_node *from = entry->from_node ? oro_document_find(doc, entry->from_node) : NULL;
    return from && uses_group(loss, from) && is_lost(loss, true, entry->from_output);
}

/* One entry at a time, because the edit replaces the node. */
static bool drop_entries(const struct loss *loss, struct oro_document *doc, struct oro_error *err)
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        for (size_t k = node->input_count; k-- > 0;) {
            if (!entry_is_lost(loss, doc, node, &node->inputs[k]))
                continue;
            char *id = oro_copy_text(node->id), *input = oro_copy_text(node->inputs[k].name);
            bool ok = id && input ? oro_edit_set(doc, id, input, NULL, err)
                                  : oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
            oro_free(id);
            oro_free(input);
            if (!ok)
                return false;
            node = oro_document_node(doc, i);
            if (k > node->input_count)
                k = node->input_count;
        }
    }
    return true;
}

/* Entries of an interface that lead to lost ones. */
static bool drop_ports(const struct loss *loss, struct oro_document *doc, struct oro_error *err)
{
    for (size_t i = oro_document_port_count(doc); i-- > 0;) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        const struct oro_doc_node *node = port ? oro_document_find(doc, port->node) : NULL;
        if (!node || !uses_group(loss, node) || !is_lost(loss, port->is_output, port->socket))
            continue;
        if (!oro_edit_drop_port(doc, i, err))
            return false;
    }
    return true;
}

static bool has_user(const struct loss *loss, const struct oro_document *doc)
{
    bool any = false;
    for (size_t i = 0; i < oro_document_node_count(doc) && !any; i++)
        any = uses_group(loss, oro_document_node(doc, i));
    return any;
}

static bool follow_within(const struct loss *loss, struct oro_document *root, const char *name,
                          struct oro_error *err)
{
    struct oro_document *body = oro_document_clone(oro_document_find_group(root, name)->body);
    bool ok = body ? drop_entries(loss, body, err) && drop_ports(loss, body, err) &&
                         ed_group_replace(root, name, body, err)
                   : oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
    oro_document_destroy(body);
    return ok;
}

static bool follow_all(const struct loss *loss, struct oro_document *root, struct oro_error *err)
{
    bool ok = drop_entries(loss, root, err) && drop_ports(loss, root, err);
    for (size_t i = 0; i < oro_document_group_count(root) && ok; i++) {
        char *name = oro_copy_text(oro_document_group(root, i)->name);
        if (!name)
            ok = oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
        else if (strcmp(name, loss->group) != 0 && has_user(loss, oro_document_group(root, i)->body))
            ok = follow_within(loss, root, name, err);
        oro_free(name);
    }
    return ok;
}

bool ed_group_replace(struct oro_document *root, const char *name, const struct oro_document *body,
                      struct oro_error *err)
{
    const struct oro_doc_group *old = oro_document_find_group(root, name);
    bool loses = old && interface_loses(old->body, body);
    struct oro_document *before = loses ? oro_document_clone(old->body) : NULL;
    struct loss loss = {root, before, body, name};
    bool ok = (!loses || before || oro_fail(err, ORO_E_MEMORY, "no memory to edit a group")) &&
              oro_edit_group(root, name, body, err) && (!loses || follow_all(&loss, root, err));
    oro_document_destroy(before);
    return ok;
}
