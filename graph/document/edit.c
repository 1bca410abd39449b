/* Edits. Each prepares clones of the items that it touches and commits them together; see
 * document_private.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "graph/document/document_private.h"

/* ---- Preparing changes ---- */

bool oro_edit_change(struct oro_edit *edit, size_t place, struct oro_item *before, struct oro_item *after)
{
    void *changes = edit->changes;
    if (!oro_reserve(&changes, &edit->capacity, edit->count + 1, sizeof *edit->changes)) {
        edit->failed = true;
        return false;
    }
    edit->changes = changes;
    edit->changes[edit->count++] = (struct oro_change){place, before, after};
    return true;
}

struct oro_item *oro_edit_clone(struct oro_edit *edit, struct oro_item *item)
{
    struct oro_item *clone = edit->failed ? NULL : oro_item_clone(item);
    if (clone && oro_edit_change(edit, item->place, item, clone))
        return clone;
    oro_item_destroy(clone);
    edit->failed = true;
    return NULL;
}

struct oro_item *oro_edit_insert(struct oro_edit *edit, size_t place, enum oro_item_kind kind)
{
    struct oro_item *item = edit->failed ? NULL : oro_item_create(kind);
    if (item && oro_edit_change(edit, place, NULL, item))
        return item;
    oro_item_destroy(item);
    edit->failed = true;
    return NULL;
}

bool oro_edit_finish(struct oro_edit *edit, bool ok, const char *name, struct oro_error *err)
{
    if (!ok || edit->failed)
        ok = oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
    else if (edit->count > 0)
        ok = oro_undo_commit(edit->doc, name, edit->changes, edit->count, err);
    for (size_t i = 0; !ok && i < edit->count; i++)
        oro_item_destroy(edit->changes[i].after);
    oro_free(edit->changes);
    return ok;
}

/* ---- Conditions ---- */

bool oro_edit_refuse(struct oro_error *err, const char *node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    oro_fail_v(err, ORO_E_DOCUMENT, format, args);
    va_end(args);
    oro_error_place(err, NULL, 0, node);
    return false;
}

struct oro_item *oro_edit_need_node(const struct oro_document *doc, const char *id, struct oro_error *err)
{
    struct oro_item *item = oro_document_item(doc, id);
    char near[ORO_NEAR_SIZE];
    if (!item)
        oro_edit_refuse(err, NULL, "there is no node '%.100s'%s", id, oro_document_near_node(doc, id, near));
    return item;
}

static bool need_free_id(const struct oro_document *doc, const char *id, struct oro_error *err)
{
    if (!oro_is_identifier(id) || strlen(id) > ORO_ID_MAX)
        return oro_edit_refuse(
            err, NULL,
            "'%.100s' cannot be an id: a letter or _ comes first, then letters, digits, _ and -, at most %d",
            id, ORO_ID_MAX);
    if (oro_document_item(doc, id))
        return oro_edit_refuse(err, NULL, "the id '%s' is taken", id);
    return true;
}

bool oro_edit_need_name(const char *name, const char *what, struct oro_error *err)
{
    if (oro_is_identifier(name) && strlen(name) <= ORO_ID_MAX)
        return true;
    return oro_edit_refuse(err, NULL, "'%.100s' cannot be the name of %s", name, what);
}

bool oro_edit_need_text(const char *text, struct oro_error *err)
{
    if (!text || oro_xml_allows(text))
        return true;
    return oro_edit_refuse(err, NULL,
                           "a text must be UTF-8 without control characters, and at most %d bytes long",
                           ORO_DOCUMENT_TEXT_MAX);
}

bool oro_edit_need_finite(const double *numbers, size_t count, struct oro_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return oro_edit_refuse(err, NULL, "a place must have finite numbers");
    return true;
}

bool oro_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* ---- Nodes ---- */

/* New nodes go after the last node; without nodes, after about, world and interface; without these, before
 * the frames. */
static size_t place_for_node(const struct oro_document *doc)
{
    if (doc->node_count > 0)
        return doc->nodes[doc->node_count - 1]->place + 1;
    size_t place = 0;
    const struct oro_item *const first[] = {doc->about, doc->world, doc->interface};
    for (size_t i = 0; i < 3; i++)
        if (first[i] && first[i]->place >= place)
            place = first[i]->place + 1;
    if (place == 0)
        place = doc->frame_count > 0 ? doc->frames[0]->place : doc->item_count;
    return place;
}

bool oro_edit_add_node(struct oro_document *doc, const char *id, const char *type, int version, double x,
                       double y, struct oro_error *err)
{
    if (!need_free_id(doc, id, err) || !oro_edit_need_name(type, "a node type", err) ||
        !oro_edit_need_finite((const double[]){x, y}, 2, err))
        return false;
    if (version < 1)
        return oro_edit_refuse(err, id, "the version of a node type must be at least 1");
    if (doc->node_count >= ORO_DOCUMENT_NODES_MAX)
        return oro_fail(err, ORO_E_LIMIT, "a document holds at most %d nodes", ORO_DOCUMENT_NODES_MAX);
    struct oro_edit edit = {.doc = doc};
    struct oro_item *item = oro_edit_insert(&edit, place_for_node(doc), ORO_ITEM_NODE);
    bool ok = item && oro_set_text(&item->node.id, id) && oro_set_text(&item->node.type, type);
    if (ok) {
        item->node.version = version;
        item->node.x = x;
        item->node.y = y;
    }
    char name[128];
    snprintf(name, sizeof name, "Add %s", id);
    return oro_edit_finish(&edit, ok, name, err);
}

bool oro_edit_adopt(struct oro_document *doc, struct oro_item *item, struct oro_error *err)
{
    struct oro_edit edit = {.doc = doc};
    char name[128];
    snprintf(name, sizeof name, "Add %.100s", item->node.id);
    if (!need_free_id(doc, item->node.id, err) || !oro_edit_change(&edit, place_for_node(doc), NULL, item)) {
        oro_item_destroy(item);
        return false;
    }
    return oro_edit_finish(&edit, true, name, err);
}

static bool links_to(const struct oro_doc_node *node, const char *id)
{
    for (size_t i = 0; i < node->input_count; i++)
        if (oro_same_text(node->inputs[i].from_node, id))
            return true;
    return false;
}

static bool ports_to(const struct oro_document *doc, const char *id)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++)
        if (strcmp(doc->interface->ports.items[i].node, id) == 0)
            return true;
    return false;
}

/* Whether the world is as large as a file that the node reads. */
static bool world_from(const struct oro_document *doc, const char *id)
{
    return doc->world && oro_same_text(doc->world->world.from, id);
}

static void remove_links(struct oro_item *item, const char *id)
{
    for (size_t i = item->node.input_count; i-- > 0;)
        if (oro_same_text(item->node.inputs[i].from_node, id))
            oro_item_remove_input(item, i);
}

static void unlink_all(struct oro_edit *edit, const char *id)
{
    struct oro_document *doc = edit->doc;
    for (size_t i = 0; i < doc->node_count && !edit->failed; i++) {
        if (!links_to(&doc->nodes[i]->node, id))
            continue;
        struct oro_item *clone = oro_edit_clone(edit, doc->nodes[i]);
        if (clone)
            remove_links(clone, id);
    }
    struct oro_item *world = world_from(doc, id) ? oro_edit_clone(edit, doc->world) : NULL;
    if (world)
        oro_set_text(&world->world.from, NULL);
    struct oro_item *clone = ports_to(doc, id) ? oro_edit_clone(edit, doc->interface) : NULL;
    for (size_t i = clone ? clone->ports.count : 0; i-- > 0;)
        if (strcmp(clone->ports.items[i].node, id) == 0)
            oro_item_remove_port(clone, i);
}

/* Whether no other node has this id, as may be the case in a document with errors. */
static bool is_only(const struct oro_document *doc, const char *id)
{
    size_t count = 0;
    for (size_t i = 0; i < doc->node_count; i++)
        count += strcmp(doc->nodes[i]->node.id, id) == 0;
    return count == 1;
}

bool oro_edit_remove_node(struct oro_document *doc, const char *id, struct oro_error *err)
{
    struct oro_item *item = oro_edit_need_node(doc, id, err);
    if (!item)
        return false;
    struct oro_edit edit = {.doc = doc};
    if (is_only(doc, id))
        unlink_all(&edit, id);
    /* A node linked to itself was cloned with the others, so it is the clone that must be removed. */
    for (size_t i = 0; i < edit.count; i++)
        if (edit.changes[i].before == item)
            item = edit.changes[i].after;
    char name[128];
    snprintf(name, sizeof name, "Remove %s", id);
    return oro_edit_finish(&edit, oro_edit_change(&edit, item->place, item, NULL), name, err);
}

static bool rename_links(struct oro_item *item, const char *id, const char *new_id)
{
    for (size_t i = 0; i < item->node.input_count; i++)
        if (oro_same_text(item->node.inputs[i].from_node, id) &&
            !oro_set_text(&item->node.inputs[i].from_node, new_id))
            return false;
    return true;
}

static bool rename_ports(struct oro_item *interface, const char *id, const char *new_id)
{
    for (size_t i = 0; i < interface->ports.count; i++)
        if (strcmp(interface->ports.items[i].node, id) == 0 &&
            !oro_set_text(&interface->ports.items[i].node, new_id))
            return false;
    return true;
}

static bool is_offered(const struct oro_document *doc, const char *name, size_t length)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output && strlen(port->name) == length && memcmp(port->name, name, length) == 0)
            return true;
    }
    return false;
}

/* What builds write: "hills.field" and "hills", where that is no output of the interface. */
static bool rename_written(struct oro_edit *edit, struct oro_item *item, const char *id, const char *new_id)
{
    static const char between[] = " ,\t\r\n";
    const char *rest = item->build.outputs ? item->build.outputs : "";
    struct oro_text text = {0};
    size_t length = strlen(id);
    oro_text_add(&text, "");
    while (*rest) {
        size_t blank = strspn(rest, between), word = strcspn(rest + blank, between);
        const char *name = rest + blank;
        bool meant = strncmp(name, id, length) == 0 && (name[length] == '.' || word == length) &&
                     !is_offered(edit->doc, name, word);
        oro_text_add_bytes(&text, rest, blank);
        oro_text_add(&text, meant ? new_id : "");
        oro_text_add_bytes(&text, name + (meant ? length : 0), word - (meant ? length : 0));
        rest = name + word;
    }
    bool ok = !text.failed,
         same = ok && oro_same_text(text.data, item->build.outputs ? item->build.outputs : "");
    struct oro_item *clone = ok && !same ? oro_edit_clone(edit, item) : NULL;
    ok = ok && (same || (clone && oro_set_text(&clone->build.outputs, text.data)));
    oro_text_free(&text);
    return ok;
}

bool oro_edit_rename_node(struct oro_document *doc, const char *id, const char *new_id, struct oro_error *err)
{
    const struct oro_item *item = oro_edit_need_node(doc, id, err);
    if (!item)
        return false;
    if (strcmp(id, new_id) == 0)
        return true;
    if (!need_free_id(doc, new_id, err))
        return false;
    struct oro_edit edit = {.doc = doc};
    bool ok = true;
    for (size_t i = 0; i < doc->node_count && ok; i++) {
        if (doc->nodes[i] != item && !links_to(&doc->nodes[i]->node, id))
            continue;
        struct oro_item *clone = oro_edit_clone(&edit, doc->nodes[i]);
        ok = clone && rename_links(clone, id, new_id);
        if (ok && doc->nodes[i] == item)
            ok = oro_set_text(&clone->node.id, new_id);
    }
    if (ok && ports_to(doc, id)) {
        struct oro_item *clone = oro_edit_clone(&edit, doc->interface);
        ok = clone && rename_ports(clone, id, new_id);
    }
    if (ok && world_from(doc, id)) {
        struct oro_item *clone = oro_edit_clone(&edit, doc->world);
        ok = clone && oro_set_text(&clone->world.from, new_id);
    }
    for (size_t i = 0; i < doc->build_count && ok; i++)
        ok = rename_written(&edit, doc->builds[i], id, new_id);
    char name[128];
    snprintf(name, sizeof name, "Rename %.100s", new_id);
    return oro_edit_finish(&edit, ok, name, err);
}

bool oro_edit_move(struct oro_document *doc, const char *node, double x, double y, struct oro_error *err)
{
    struct oro_item *item = oro_edit_need_node(doc, node, err);
    if (!item || !oro_edit_need_finite((const double[]){x, y}, 2, err))
        return false;
    const struct oro_doc_attributes *other = &item->node.other;
    if (item->node.x == x && item->node.y == y && !oro_attributes_have(other, "x") &&
        !oro_attributes_have(other, "y"))
        return true;
    struct oro_edit edit = {.doc = doc};
    struct oro_item *clone = oro_edit_clone(&edit, item);
    if (clone) {
        clone->node.x = x;
        clone->node.y = y;
        oro_attributes_remove(&clone->node.other, "x");
        oro_attributes_remove(&clone->node.other, "y");
    }
    char name[128];
    snprintf(name, sizeof name, "Move %.100s", node);
    return oro_edit_finish(&edit, clone, name, err);
}

/* Sets the attribute `name` to true or false, also if it holds a text that is neither. */
static bool edit_flag(struct oro_document *doc, const char *node, const char *name, bool value,
                      const char *step, struct oro_error *err)
{
    struct oro_item *item = oro_edit_need_node(doc, node, err);
    bool mute = strcmp(name, "mute") == 0;
    if (!item)
        return false;
    if ((mute ? item->node.mute : item->node.collapsed) == value &&
        !oro_attributes_have(&item->node.other, name))
        return true;
    struct oro_edit edit = {.doc = doc};
    struct oro_item *clone = oro_edit_clone(&edit, item);
    if (clone) {
        *(mute ? &clone->node.mute : &clone->node.collapsed) = value;
        oro_attributes_remove(&clone->node.other, name);
    }
    char text[128];
    snprintf(text, sizeof text, "%s %.100s", step, node);
    return oro_edit_finish(&edit, clone, text, err);
}

bool oro_edit_mute(struct oro_document *doc, const char *node, bool mute, struct oro_error *err)
{
    return edit_flag(doc, node, "mute", mute, mute ? "Mute" : "Unmute", err);
}

bool oro_edit_collapse(struct oro_document *doc, const char *node, bool collapsed, struct oro_error *err)
{
    return edit_flag(doc, node, "collapsed", collapsed, collapsed ? "Collapse" : "Expand", err);
}

bool oro_edit_href(struct oro_document *doc, const char *node, const char *href, int version,
                   struct oro_error *err)
{
    struct oro_item *item = oro_edit_need_node(doc, node, err);
    if (!item || !oro_edit_need_text(href, err))
        return false;
    if (strcmp(item->node.type, ORO_GRAPH_TYPE) != 0)
        return oro_edit_refuse(err, node, "only nodes of type \"" ORO_GRAPH_TYPE "\" are graphs");
    if (version < 0)
        return oro_edit_refuse(err, node, "the version of a graph must be at least 1");
    if (oro_same_text(item->node.href, href) && item->node.version == version &&
        !oro_attributes_have(&item->node.other, "version"))
        return true;
    struct oro_edit edit = {.doc = doc};
    struct oro_item *clone = oro_edit_clone(&edit, item);
    if (clone) {
        clone->node.version = version;
        oro_attributes_remove(&clone->node.other, "version");
    }
    char name[128];
    snprintf(name, sizeof name, "Use another graph for %.80s", node);
    return oro_edit_finish(&edit, clone && oro_set_text(&clone->node.href, href), name, err);
}

bool oro_edit_script(struct oro_document *doc, const char *node, const char *script, struct oro_error *err)
{
    struct oro_item *item = oro_edit_need_node(doc, node, err);
    if (!item || !oro_edit_need_text(script, err))
        return false;
    if (strcmp(item->node.type, ORO_INLINE_TYPE) != 0)
        return oro_edit_refuse(err, node, "only nodes of type \"" ORO_INLINE_TYPE "\" have scripts");
    if (oro_same_text(item->node.script, script))
        return true;
    struct oro_edit edit = {.doc = doc};
    struct oro_item *clone = oro_edit_clone(&edit, item);
    char name[128];
    snprintf(name, sizeof name, "Edit the script of %.80s", node);
    return oro_edit_finish(&edit, clone && oro_set_text(&clone->node.script, script), name, err);
}

/* ---- Inputs ---- */

static size_t count_entries(const struct oro_doc_node *node, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < node->input_count; i++)
        count += strcmp(node->inputs[i].name, name) == 0;
    return count;
}

/* The only entry of that name, emptied; a new one, at the end, if there was none. */
static struct oro_doc_input *claim_input(struct oro_item *item, const char *name)
{
    struct oro_doc_node *node = &item->node;
    while (count_entries(node, name) > 1) {
        size_t last = node->input_count - 1;
        while (strcmp(node->inputs[last].name, name) != 0)
            last--;
        oro_item_remove_input(item, last);
    }
    for (size_t i = 0; i < node->input_count; i++) {
        struct oro_doc_input *input = &node->inputs[i];
        if (strcmp(input->name, name) != 0)
            continue;
        oro_attributes_remove(&input->other, "value");
        oro_attributes_remove(&input->other, "expr");
        oro_attributes_remove(&input->other, "from");
        oro_set_text(&input->value, NULL);
        oro_set_text(&input->expr, NULL);
        oro_set_text(&input->from_node, NULL);
        oro_set_text(&input->from_output, NULL);
        return input;
    }
    struct oro_doc_input *input = oro_item_add_input(item);
    return input && oro_set_text(&input->name, name) ? input : NULL;
}

static bool need_room(const struct oro_doc_node *node, const char *input, struct oro_error *err)
{
    if (count_entries(node, input) > 0)
        return true;
    if (node->input_count >= ORO_DOCUMENT_INPUTS_MAX)
        return oro_fail(err, ORO_E_LIMIT, "a node holds at most %d inputs", ORO_DOCUMENT_INPUTS_MAX);
    return oro_edit_need_name(input, "an input", err);
}

/* The new content of an entry: at most one of these. */
struct content {
    const char *value, *expr, *from_node, *from_output;
};

/* Whether the node has exactly this entry already. */
static bool has_entry(const struct oro_doc_node *node, const char *name, const struct content *content)
{
    static const char *const left[] = {"value", "expr", "from"};
    const struct oro_doc_input *entry = oro_doc_node_input(node, name);
    bool same = entry && count_entries(node, name) == 1 && oro_same_text(entry->value, content->value) &&
                oro_same_text(entry->expr, content->expr) &&
                oro_same_text(entry->from_node, content->from_node) &&
                oro_same_text(entry->from_output, content->from_output);
    for (size_t i = 0; same && i < 3; i++)
        same = !oro_attributes_have(&entry->other, left[i]);
    return same;
}

/* Replaces the entry's content by a value, an expression, a link, or nothing. */
static bool edit_entry(struct oro_document *doc, struct oro_item *item, const char *input,
                       const struct content *content, struct oro_error *err)
{
    struct oro_edit edit = {.doc = doc};
    struct oro_item *clone = oro_edit_clone(&edit, item);
    struct oro_doc_input *entry = clone ? claim_input(clone, input) : NULL;
    bool empty = !content->value && !content->expr && !content->from_node;
    bool ok = entry && oro_set_text(&entry->value, content->value) &&
              oro_set_text(&entry->expr, content->expr) &&
              oro_set_text(&entry->from_node, content->from_node) &&
              oro_set_text(&entry->from_output, content->from_output);
    if (ok && empty)
        oro_item_remove_input(clone, (size_t)(entry - clone->node.inputs));
    char name[256];
    snprintf(name, sizeof name, "%s %.100s.%.100s",
             content->from_node ? "Link"
             : empty            ? "Reset"
                                : "Set",
             item->node.id, input);
    return oro_edit_finish(&edit, ok, name, err);
}

static bool set_entry(struct oro_document *doc, const char *node, const char *input,
                      const struct content *content, struct oro_error *err)
{
    struct oro_item *item = oro_edit_need_node(doc, node, err);
    if (!item)
        return false;
    bool empty = !content->value && !content->expr;
    if (empty ? count_entries(&item->node, input) == 0 : has_entry(&item->node, input, content))
        return true;
    if (!oro_edit_need_text(content->value, err) || !oro_edit_need_text(content->expr, err) ||
        !need_room(&item->node, input, err)) {
        oro_error_place(err, NULL, 0, node);
        return false;
    }
    return edit_entry(doc, item, input, content, err);
}

bool oro_edit_set(struct oro_document *doc, const char *node, const char *input, const char *value,
                  struct oro_error *err)
{
    return set_entry(doc, node, input, &(struct content){.value = value}, err);
}

bool oro_edit_set_expression(struct oro_document *doc, const char *node, const char *input, const char *expr,
                             struct oro_error *err)
{
    return set_entry(doc, node, input, &(struct content){.expr = expr}, err);
}

/* Whether `target` is `from` or lies upstream of it: 1 or 0; -1 when memory is out. */
static int lies_upstream(const struct oro_document *doc, const struct oro_item *from,
                         const struct oro_item *target)
{
    bool *seen = oro_alloc(doc->node_count, sizeof *seen);
    const struct oro_item **stack = oro_alloc(doc->node_count, sizeof *stack);
    int answer = seen && stack ? from == target : -1;
    size_t height = 0;
    if (answer == 0) {
        stack[height++] = from;
        seen[from->ordinal] = true;
    }
    while (height > 0 && answer == 0) {
        const struct oro_doc_node *node = &stack[--height]->node;
        for (size_t i = 0; i < node->input_count && answer == 0; i++) {
            const struct oro_item *next = oro_document_item(doc, node->inputs[i].from_node);
            if (!next || seen[next->ordinal])
                continue;
            seen[next->ordinal] = true;
            stack[height++] = next;
            answer = next == target;
        }
    }
    oro_free(seen);
    oro_free(stack);
    return answer;
}

bool oro_edit_connect(struct oro_document *doc, const char *node, const char *input, const char *from_node,
                      const char *from_output, struct oro_error *err)
{
    struct oro_item *item = oro_edit_need_node(doc, node, err);
    const struct oro_item *from = item ? oro_edit_need_node(doc, from_node, err) : NULL;
    if (!from || !need_room(&item->node, input, err) || !oro_edit_need_name(from_output, "an output", err))
        return false;
    const struct content content = {.from_node = from_node, .from_output = from_output};
    if (has_entry(&item->node, input, &content))
        return true;
    int cycle = lies_upstream(doc, from, item);
    if (cycle < 0)
        return oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
    if (cycle)
        return oro_edit_refuse(err, node, "a link from '%.100s' to '%.100s' would close a cycle", from_node,
                               node);
    return edit_entry(doc, item, input, &content, err);
}
