/* New parts of an uplift, in front of the node that makes a terrain of it. */
#include "editor/project/uplift_chain.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"
#include "graph/type/registry.h"

static const double column = 240; /* from node to node */

/* ---- What there is ---- */

/* An input that makes something of an uplift, and does not pass it on. */
static bool makes_of_uplift(const struct ed_project *project, const struct oro_doc_node *node)
{
    const struct oro_node_type *type = ed_node_type(project, node);
    const struct oro_input *input = type ? oro_type_input(type, "uplift") : NULL;
    return input && input->type == ORO_FLOAT && oro_input_accepts(input, ORO_UPLIFT);
}

/* Marks `start` and all that leads to it, and writes the nodes in the order of their distance; returns how
 * many. */
static size_t list_upstream(const struct oro_document *doc, size_t start, size_t *list, bool *seen)
{
    size_t count = 0, done = 0;
    if (start == SIZE_MAX)
        return 0;
    list[count++] = start;
    seen[start] = true;
    while (done < count) {
        const struct oro_doc_node *node = oro_document_node(doc, list[done++]);
        for (size_t i = 0; i < node->input_count; i++) {
            const char *from = node->inputs[i].from_node;
            size_t next = from ? oro_document_find_index(doc, from) : SIZE_MAX;
            if (next == SIZE_MAX || seen[next])
                continue;
            seen[next] = true;
            list[count++] = next;
        }
    }
    return count;
}

/* The node to which `viewed` is nearest upstream; else the last maker there is. */
static size_t find_downstream(const struct ed_project *project, const struct oro_document *doc, size_t viewed,
                              size_t *list, bool *seen)
{
    size_t nodes = oro_document_node_count(doc), best = SIZE_MAX, least = SIZE_MAX, last = SIZE_MAX;
    for (size_t i = 0; i < nodes; i++) {
        if (!makes_of_uplift(project, oro_document_node(doc, i)))
            continue;
        last = i;
        memset(seen, 0, nodes * sizeof *seen);
        size_t count = list_upstream(doc, i, list, seen);
        for (size_t k = 0; k < count && k < least; k++)
            if (list[k] == viewed) {
                least = k;
                best = i;
            }
    }
    return best != SIZE_MAX ? best : last;
}

bool ed_uplift_maker(const struct ed_project *project, const char *viewed, char maker[128])
{
    const struct oro_document *doc = ed_project_shown(project);
    size_t nodes = oro_document_node_count(doc), found = SIZE_MAX;
    size_t start = viewed ? oro_document_find_index(doc, viewed) : SIZE_MAX;
    size_t *list = oro_alloc(nodes + 1, sizeof *list);
    bool *seen = oro_alloc(nodes + 1, sizeof *seen);
    if (list && seen) {
        size_t count = list_upstream(doc, start, list, seen);
        for (size_t i = 0; i < count && found == SIZE_MAX; i++)
            found = makes_of_uplift(project, oro_document_node(doc, list[i])) ? list[i] : SIZE_MAX;
        if (found == SIZE_MAX)
            found = find_downstream(project, doc, start, list, seen);
    }
    oro_free(list);
    oro_free(seen);
    snprintf(maker, 128, "%s", found == SIZE_MAX ? "" : oro_document_node(doc, found)->id);
    return found != SIZE_MAX;
}

/* What is linked to an input; `text` keeps it. False: nothing. */
static bool linked_to(const struct ed_project *project, const struct ed_end *to, struct ed_end_text *text,
                      struct ed_end *from)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(project), to->node);
    const struct oro_doc_input *entry = node ? oro_doc_node_input(node, to->socket) : NULL;
    if (!entry || !entry->from_node)
        return false;
    *from = ed_keep_end(text, &(struct ed_end){entry->from_node, entry->from_output});
    return true;
}

/* ---- Making room ---- */

/* Moves a node, and all that lies right of it, one column on; its old place is returned. */
static bool make_room(struct ed_project *project, const char *maker, double place[2], struct oro_error *err)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(project), maker);
    place[0] = node ? node->x : 0;
    place[1] = node ? node->y : 0;
    struct oro_document *doc = node ? ed_edit_begin(project, "Make room", err) : NULL;
    bool ok = doc;
    for (size_t i = 0; ok && i < oro_document_node_count(doc); i++) {
        node = oro_document_node(doc, i);
        char id[128];
        snprintf(id, sizeof id, "%s", node->id);
        if (node->x > place[0] - 1)
            ok = oro_edit_move(doc, id, node->x + column, node->y, err);
    }
    return doc && ed_edit_end(project, ok, err);
}

/* ---- Joining ---- */

static bool set_method(struct ed_project *project, const char *combine, const char *method,
                       struct oro_error *err)
{
    struct oro_document *doc = ed_edit_begin(project, "Set method", err);
    return doc && ed_edit_end(project, oro_edit_set(doc, combine, "method", method, err), err);
}

/* The number that the maker had for its uplift, as an uplift, for what only takes away from it. */
static bool add_number(struct ed_project *project, const struct ed_end *to, double x, double y, char id[128],
                       struct oro_error *err)
{
    const struct oro_doc_node *node = oro_document_find(ed_project_shown(project), to->node);
    const struct oro_doc_input *entry = oro_doc_node_input(node, to->socket);
    char *value = entry && entry->value ? oro_copy_text(entry->value) : NULL;
    char *expr = entry && entry->expr ? oro_copy_text(entry->expr) : NULL;
    bool ok = ed_add_node(project, "uplift_constant", NULL, x, y, NULL, NULL, id, err);
    struct oro_document *doc = ok && (value || expr) ? ed_edit_begin(project, "Set uplift", err) : NULL;
    if (doc)
        ok = ed_edit_end(project,
                         value ? oro_edit_set(doc, id, "uplift", value, err)
                               : oro_edit_set_expression(doc, id, "uplift", expr, err),
                         err);
    oro_free(value);
    oro_free(expr);
    return ok;
}

bool ed_uplift_join(struct ed_project *project, const struct ed_end *from, const char *method,
                    const char *maker, struct oro_error *err)
{
    struct ed_end_text texts[3] = {0};
    struct ed_end own = ed_keep_end(&texts[0], from), before;
    struct ed_end to = ed_keep_end(&texts[1], &(struct ed_end){maker, "uplift"});
    char number[128], combine[128];
    double place[2];
    bool carves = strcmp(method, "carve") == 0, linked = linked_to(project, &to, &texts[2], &before);
    if (!linked && !carves)
        return ed_link(project, &own, &to, err);
    if (!make_room(project, to.node, place, err))
        return false;
    if (!linked && !add_number(project, &to, place[0] - column, place[1], number, err))
        return false;
    if (!linked)
        before = (struct ed_end){number, "uplift"};
    return ed_add_node(project, "uplift_combine", NULL, place[0], place[1], NULL, NULL, combine, err) &&
           ed_link(project, &before, &(struct ed_end){combine, "a"}, err) &&
           ed_link(project, &own, &(struct ed_end){combine, "b"}, err) &&
           set_method(project, combine, method, err) &&
           ed_link(project, &(struct ed_end){combine, "uplift"}, &to, err);
}

static bool takes_uplift(const struct ed_project *project, const char *id)
{
    const struct oro_node_type *type =
        ed_node_type(project, oro_document_find(ed_project_shown(project), id));
    const struct oro_input *input = type ? oro_type_input(type, "uplift") : NULL;
    return input && input->type == ORO_UPLIFT;
}

static bool move_to(struct ed_project *project, const char *id, const double place[2], struct oro_error *err)
{
    struct oro_document *doc = ed_edit_begin(project, "Move", err);
    return doc && ed_edit_end(project, oro_edit_move(doc, id, place[0], place[1], err), err);
}

/* The new node takes the place in front of the maker. */
static bool put_in_front(struct ed_project *project, const char *id, const char *maker, struct oro_error *err)
{
    struct ed_end_text text = {0};
    struct ed_end before;
    const struct ed_end to = {maker, "uplift"};
    double place[2];
    if (linked_to(project, &to, &text, &before) &&
        !(ed_link(project, &before, &(struct ed_end){id, "uplift"}, err) &&
          make_room(project, maker, place, err) && move_to(project, id, place, err)))
        return false;
    const char *output = ed_output_for(project, ed_project_shown(project), id, &to);
    struct ed_end_text own = {0};
    struct ed_end from = ed_keep_end(&own, &(struct ed_end){id, output ? output : "uplift"});
    return ed_link(project, &from, &to, err);
}

static bool give_name(struct ed_project *project, const char *name, char id[128], struct oro_error *err)
{
    char *wanted = name ? ed_free_id(ed_project_shown(project), name) : NULL;
    bool ok = !name || (wanted ? ed_rename(project, id, wanted, err) : ed_no_memory(err));
    if (ok && wanted)
        snprintf(id, 128, "%s", wanted);
    oro_free(wanted);
    return ok;
}

bool ed_uplift_add(struct ed_project *project, const struct ed_uplift_part *part, char maker[128],
                   char id[128], struct oro_error *err)
{
    double x = part->x, y = part->y;
    if (!maker[0] && !ed_add_node(project, "stream_power", NULL, x + column, y, NULL, NULL, maker, err))
        return false;
    if (!ed_add_node(project, part->type, part->href, x, y, NULL, NULL, id, err) ||
        !give_name(project, part->name, id, err))
        return false;
    if (takes_uplift(project, id))
        return put_in_front(project, id, maker, err);
    const char *output =
        ed_output_for(project, ed_project_shown(project), id, &(struct ed_end){maker, "uplift"});
    if (!output)
        return oro_fail(err, ORO_E_USAGE, "'%.100s' gives nothing that could be an uplift", id);
    struct ed_end_text own = {0};
    struct ed_end from = ed_keep_end(&own, &(struct ed_end){id, output});
    return ed_uplift_join(project, &from, part->method, maker, err);
}

/* ---- Removing ---- */

bool ed_uplift_remove(struct ed_project *project, const char *node, struct oro_error *err)
{
    const struct oro_document *doc = ed_project_shown(project);
    struct ed_names names = {0};
    bool ok = ed_names_add(&names, node), found = false;
    for (size_t i = 0; ok && i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *user = oro_document_node(doc, i);
        for (size_t k = 0; ok && k < user->input_count; k++) {
            const struct oro_doc_input *entry = &user->inputs[k];
            if (!entry->from_node || strcmp(entry->from_node, node) != 0)
                continue;
            bool joined = strcmp(user->type, "uplift_combine") == 0 && strcmp(entry->name, "b") == 0;
            found = true;
            ok = joined && ed_names_add(&names, user->id);
        }
    }
    ok = ok && found && ed_delete(project, &names, true, err);
    ed_names_free(&names);
    return ok;
}
