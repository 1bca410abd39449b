/* Edits. Each prepares clones of the items it touches and commits them together; see document_private.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "graph/document_private.h"
#include "graph/xml.h"

/* ---- Drafts ---- */

/* Changes being prepared. Failing to allocate sets `failed`; one check at the end suffices. */
struct draft {
    struct oro_document *doc;
    struct oro_change *changes;
    size_t count, capacity;
    bool failed;
};

static bool draft_add(struct draft *draft, size_t place, struct oro_item *before, struct oro_item *after)
{
    void *changes = draft->changes;
    if (!oro_reserve(&changes, &draft->capacity, draft->count + 1, sizeof *draft->changes)) {
        draft->failed = true;
        return false;
    }
    draft->changes = changes;
    draft->changes[draft->count++] = (struct oro_change){place, before, after};
    return true;
}

/* A clone that will replace the item; NULL: failed. */
static struct oro_item *draft_clone(struct draft *draft, struct oro_item *item)
{
    struct oro_item *clone = draft->failed ? NULL : oro_item_clone(item);
    if (clone && draft_add(draft, item->place, item, clone))
        return clone;
    oro_item_destroy(clone);
    draft->failed = true;
    return NULL;
}

/* A new item that will stand at `place`; NULL: failed. */
static struct oro_item *draft_insert(struct draft *draft, size_t place, enum oro_item_kind kind)
{
    struct oro_item *item = draft->failed ? NULL : oro_item_create(kind);
    if (item && draft_add(draft, place, NULL, item))
        return item;
    oro_item_destroy(item);
    draft->failed = true;
    return NULL;
}

/* Commits or gives up. `ok` false: a step of the preparation failed for want of memory. */
static bool draft_finish(struct draft *draft, bool ok, const char *name, struct oro_error *err)
{
    if (!ok || draft->failed)
        ok = oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
    else if (draft->count > 0)
        ok = oro_undo_commit(draft->doc, name, draft->changes, draft->count, err);
    for (size_t i = 0; !ok && i < draft->count; i++)
        oro_item_destroy(draft->changes[i].after);
    oro_free(draft->changes);
    return ok;
}

/* ---- Conditions ---- */

static bool refuse(struct oro_error *err, const char *node, const char *format, ...) ORO_PRINTF(3, 4);
static bool refuse(struct oro_error *err, const char *node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    oro_fail_v(err, ORO_E_DOCUMENT, format, args);
    va_end(args);
    oro_error_place(err, NULL, 0, node);
    return false;
}

static struct oro_item *need_node(const struct oro_document *doc, const char *id, struct oro_error *err)
{
    struct oro_item *item = oro_document_item(doc, id);
    if (!item)
        refuse(err, NULL, "there is no node '%.100s'", id);
    return item;
}

static bool need_free_id(const struct oro_document *doc, const char *id, struct oro_error *err)
{
    if (!oro_is_identifier(id) || strlen(id) > ORO_ID_MAX)
        return refuse(
            err, NULL,
            "'%.100s' cannot be an id: a letter or _ comes first, then letters, digits, _ and -, at most %d",
            id, ORO_ID_MAX);
    if (oro_document_item(doc, id))
        return refuse(err, NULL, "the id '%s' is taken", id);
    return true;
}

static bool need_name(const char *name, const char *what, struct oro_error *err)
{
    if (oro_is_identifier(name) && strlen(name) <= ORO_ID_MAX)
        return true;
    return refuse(err, NULL, "'%.100s' cannot be the name of %s", name, what);
}

static bool need_text(const char *text, struct oro_error *err)
{
    if (!text || oro_xml_allows(text))
        return true;
    return refuse(err, NULL, "a text must be UTF-8 without control characters, and at most %d bytes long",
                  ORO_DOCUMENT_TEXT_MAX);
}

static bool need_finite(const double *numbers, size_t count, struct oro_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return refuse(err, NULL, "a place must have finite numbers");
    return true;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* ---- Nodes ---- */

/* New nodes go behind the last node, else behind about, world and interface, else before the frames. */
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
    if (!need_free_id(doc, id, err) || !need_name(type, "a node type", err) ||
        !need_finite((const double[]){x, y}, 2, err))
        return false;
    if (version < 1)
        return refuse(err, id, "the version of a node type must be at least 1");
    if (doc->node_count >= ORO_DOCUMENT_NODES_MAX)
        return oro_fail(err, ORO_E_LIMIT, "a document holds at most %d nodes", ORO_DOCUMENT_NODES_MAX);
    struct draft draft = {.doc = doc};
    struct oro_item *item = draft_insert(&draft, place_for_node(doc), ORO_ITEM_NODE);
    bool ok = item && oro_set_text(&item->node.id, id) && oro_set_text(&item->node.type, type);
    if (ok) {
        item->node.version = version;
        item->node.x = x;
        item->node.y = y;
    }
    char name[128];
    snprintf(name, sizeof name, "Add %s", id);
    return draft_finish(&draft, ok, name, err);
}

static bool links_to(const struct oro_doc_node *node, const char *id)
{
    for (size_t i = 0; i < node->input_count; i++)
        if (same_text(node->inputs[i].from_node, id))
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

static void remove_links(struct oro_item *item, const char *id)
{
    for (size_t i = item->node.input_count; i-- > 0;)
        if (same_text(item->node.inputs[i].from_node, id))
            oro_item_remove_input(item, i);
}

static void draft_unlink_all(struct draft *draft, const char *id)
{
    struct oro_document *doc = draft->doc;
    for (size_t i = 0; i < doc->node_count && !draft->failed; i++) {
        if (!links_to(&doc->nodes[i]->node, id))
            continue;
        struct oro_item *clone = draft_clone(draft, doc->nodes[i]);
        if (clone)
            remove_links(clone, id);
    }
    struct oro_item *clone = ports_to(doc, id) ? draft_clone(draft, doc->interface) : NULL;
    for (size_t i = clone ? clone->ports.count : 0; i-- > 0;)
        if (strcmp(clone->ports.items[i].node, id) == 0)
            oro_item_remove_port(clone, i);
}

/* In a document read with errors several nodes may have the same id. */
static bool is_only(const struct oro_document *doc, const char *id)
{
    size_t count = 0;
    for (size_t i = 0; i < doc->node_count; i++)
        count += strcmp(doc->nodes[i]->node.id, id) == 0;
    return count == 1;
}

bool oro_edit_remove_node(struct oro_document *doc, const char *id, struct oro_error *err)
{
    struct oro_item *item = need_node(doc, id, err);
    if (!item)
        return false;
    struct draft draft = {.doc = doc};
    if (is_only(doc, id))
        draft_unlink_all(&draft, id);
    /* A node linked to itself was cloned with the others: what is removed is the clone. */
    for (size_t i = 0; i < draft.count; i++)
        if (draft.changes[i].before == item)
            item = draft.changes[i].after;
    char name[128];
    snprintf(name, sizeof name, "Remove %s", id);
    return draft_finish(&draft, draft_add(&draft, item->place, item, NULL), name, err);
}

static bool rename_links(struct oro_item *item, const char *id, const char *new_id)
{
    for (size_t i = 0; i < item->node.input_count; i++)
        if (same_text(item->node.inputs[i].from_node, id) &&
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

bool oro_edit_rename_node(struct oro_document *doc, const char *id, const char *new_id, struct oro_error *err)
{
    const struct oro_item *item = need_node(doc, id, err);
    if (!item)
        return false;
    if (strcmp(id, new_id) == 0)
        return true;
    if (!need_free_id(doc, new_id, err))
        return false;
    struct draft draft = {.doc = doc};
    bool ok = true;
    for (size_t i = 0; i < doc->node_count && ok; i++) {
        if (doc->nodes[i] != item && !links_to(&doc->nodes[i]->node, id))
            continue;
        struct oro_item *clone = draft_clone(&draft, doc->nodes[i]);
        ok = clone && rename_links(clone, id, new_id);
        if (ok && doc->nodes[i] == item)
            ok = oro_set_text(&clone->node.id, new_id);
    }
    if (ok && ports_to(doc, id)) {
        struct oro_item *clone = draft_clone(&draft, doc->interface);
        ok = clone && rename_ports(clone, id, new_id);
    }
    char name[128];
    snprintf(name, sizeof name, "Rename %.100s", new_id);
    return draft_finish(&draft, ok, name, err);
}

bool oro_edit_move(struct oro_document *doc, const char *node, double x, double y, struct oro_error *err)
{
    struct oro_item *item = need_node(doc, node, err);
    if (!item || !need_finite((const double[]){x, y}, 2, err))
        return false;
    const struct oro_doc_attributes *other = &item->node.other;
    if (item->node.x == x && item->node.y == y && !oro_attributes_have(other, "x") &&
        !oro_attributes_have(other, "y"))
        return true;
    struct draft draft = {.doc = doc};
    struct oro_item *clone = draft_clone(&draft, item);
    if (clone) {
        clone->node.x = x;
        clone->node.y = y;
        oro_attributes_remove(&clone->node.other, "x");
        oro_attributes_remove(&clone->node.other, "y");
    }
    char name[128];
    snprintf(name, sizeof name, "Move %.100s", node);
    return draft_finish(&draft, clone, name, err);
}

/* ---- Inputs ---- */

static size_t count_entries(const struct oro_doc_node *node, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < node->input_count; i++)
        count += strcmp(node->inputs[i].name, name) == 0;
    return count;
}

/* The entry of that name as the only one, emptied; added behind the others where there is none. */
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
        oro_attributes_remove(&input->other, "from");
        oro_set_text(&input->value, NULL);
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
    return need_name(input, "an input", err);
}

/* Whether the node has exactly this entry already. */
static bool has_entry(const struct oro_doc_node *node, const char *name, const char *value,
                      const char *from_node, const char *from_output)
{
    const struct oro_doc_input *entry = oro_doc_node_input(node, name);
    return entry && count_entries(node, name) == 1 && same_text(entry->value, value) &&
           same_text(entry->from_node, from_node) && same_text(entry->from_output, from_output) &&
           !oro_attributes_have(&entry->other, "value") && !oro_attributes_have(&entry->other, "from");
}

/* Replaces the entry by a value, a link, or nothing. */
static bool edit_entry(struct oro_document *doc, struct oro_item *item, const char *input, const char *value,
                       const char *from_node, const char *from_output, struct oro_error *err)
{
    struct draft draft = {.doc = doc};
    struct oro_item *clone = draft_clone(&draft, item);
    struct oro_doc_input *entry = clone ? claim_input(clone, input) : NULL;
    bool ok = entry && oro_set_text(&entry->value, value) && oro_set_text(&entry->from_node, from_node) &&
              oro_set_text(&entry->from_output, from_output);
    if (ok && !value && !from_node)
        oro_item_remove_input(clone, (size_t)(entry - clone->node.inputs));
    char name[256];
    snprintf(name, sizeof name, "%s %.100s.%.100s",
             value       ? "Set"
             : from_node ? "Link"
                         : "Reset",
             item->node.id, input);
    return draft_finish(&draft, ok, name, err);
}

bool oro_edit_set(struct oro_document *doc, const char *node, const char *input, const char *value,
                  struct oro_error *err)
{
    struct oro_item *item = need_node(doc, node, err);
    if (!item)
        return false;
    if (value ? has_entry(&item->node, input, value, NULL, NULL) : count_entries(&item->node, input) == 0)
        return true;
    if (!need_text(value, err) || !need_room(&item->node, input, err)) {
        oro_error_place(err, NULL, 0, node);
        return false;
    }
    return edit_entry(doc, item, input, value, NULL, NULL, err);
}

/* Whether `target` lies upstream of `from`, or is it: 1 or 0; -1 when memory is out. */
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
    struct oro_item *item = need_node(doc, node, err);
    const struct oro_item *from = item ? need_node(doc, from_node, err) : NULL;
    if (!from || !need_room(&item->node, input, err) || !need_name(from_output, "an output", err))
        return false;
    if (has_entry(&item->node, input, NULL, from_node, from_output))
        return true;
    int cycle = lies_upstream(doc, from, item);
    if (cycle < 0)
        return oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
    if (cycle)
        return refuse(err, node, "a link from '%.100s' to '%.100s' would close a cycle", from_node, node);
    return edit_entry(doc, item, input, NULL, from_node, from_output, err);
}

/* ---- World and title ---- */

bool oro_edit_world(struct oro_document *doc, const struct oro_world *world, struct oro_error *err)
{
    static const char *const names[] = {"extent", "resolution", "aspect", "seed"};
    if (!oro_world_valid(world, err))
        return false;
    const struct oro_world *old = oro_document_world(doc);
    bool same = old->extent == world->extent && old->resolution == world->resolution &&
                old->aspect == world->aspect && old->seed == world->seed;
    for (size_t i = 0; i < 4 && doc->world; i++)
        same = same && !oro_attributes_have(&doc->world->other, names[i]);
    if (same)
        return true;
    struct draft draft = {.doc = doc};
    struct oro_item *item =
        doc->world ? draft_clone(&draft, doc->world)
                   : draft_insert(&draft, doc->about ? doc->about->place + 1 : 0, ORO_ITEM_WORLD);
    if (item) {
        item->world = *world;
        for (size_t i = 0; i < 4; i++)
            oro_attributes_remove(&item->other, names[i]);
    }
    return draft_finish(&draft, item, "Change world", err);
}

bool oro_edit_title(struct oro_document *doc, const char *title, struct oro_error *err)
{
    if (!need_text(title, err))
        return false;
    if (same_text(oro_document_title(doc), title ? title : ""))
        return true;
    struct draft draft = {.doc = doc};
    struct oro_item *item =
        doc->about ? draft_clone(&draft, doc->about) : draft_insert(&draft, 0, ORO_ITEM_ABOUT);
    bool ok = item && oro_set_text(&item->title, title && *title ? title : NULL);
    return draft_finish(&draft, ok, "Change title", err);
}

/* ---- Frames ---- */

static bool need_frame(const struct oro_doc_frame *frame, struct oro_error *err)
{
    const double numbers[] = {frame->x, frame->y, frame->width, frame->height};
    return need_finite(numbers, 4, err) && need_text(frame->title, err);
}

static bool set_frame(struct oro_item *item, const struct oro_doc_frame *frame)
{
    static const char *const names[] = {"x", "y", "width", "height"};
    if (!item || !oro_set_text(&item->frame.title, frame->title))
        return false;
    item->frame.x = frame->x;
    item->frame.y = frame->y;
    item->frame.width = frame->width;
    item->frame.height = frame->height;
    for (size_t i = 0; i < 4; i++)
        oro_attributes_remove(&item->frame.other, names[i]);
    return true;
}

bool oro_edit_add_frame(struct oro_document *doc, const struct oro_doc_frame *frame, struct oro_error *err)
{
    if (!need_frame(frame, err))
        return false;
    struct draft draft = {.doc = doc};
    size_t place = doc->frame_count ? doc->frames[doc->frame_count - 1]->place + 1 : doc->item_count;
    return draft_finish(&draft, set_frame(draft_insert(&draft, place, ORO_ITEM_FRAME), frame), "Add frame",
                        err);
}

bool oro_edit_frame(struct oro_document *doc, size_t index, const struct oro_doc_frame *frame,
                    struct oro_error *err)
{
    if (index >= doc->frame_count)
        return refuse(err, NULL, "there is no frame %zu", index);
    if (!need_frame(frame, err))
        return false;
    struct draft draft = {.doc = doc};
    return draft_finish(&draft, set_frame(draft_clone(&draft, doc->frames[index]), frame), "Change frame",
                        err);
}

bool oro_edit_remove_frame(struct oro_document *doc, size_t index, struct oro_error *err)
{
    if (index >= doc->frame_count)
        return refuse(err, NULL, "there is no frame %zu", index);
    struct draft draft = {.doc = doc};
    struct oro_item *item = doc->frames[index];
    return draft_finish(&draft, draft_add(&draft, item->place, item, NULL), "Remove frame", err);
}

/* ---- Interface ---- */

static size_t find_port(const struct oro_document *doc, bool is_output, const char *name)
{
    size_t count = oro_document_port_count(doc), i = 0;
    while (i < count && (doc->interface->ports.items[i].is_output != is_output ||
                         strcmp(doc->interface->ports.items[i].name, name) != 0))
        i++;
    return i;
}

static size_t place_for_interface(const struct oro_document *doc)
{
    const struct oro_item *before = doc->world ? doc->world : doc->about;
    return before ? before->place + 1 : 0;
}

bool oro_edit_add_port(struct oro_document *doc, const struct oro_doc_port *port, struct oro_error *err)
{
    size_t count = oro_document_port_count(doc);
    if (!need_name(port->name, "an interface entry", err) ||
        !need_name(port->socket, "a node's input or output", err) || !need_text(port->label, err) ||
        !need_node(doc, port->node, err))
        return false;
    if (find_port(doc, port->is_output, port->name) < count)
        return refuse(err, NULL, "the interface has an %s '%s' already", port->is_output ? "output" : "input",
                      port->name);
    if (count >= ORO_DOCUMENT_PORTS_MAX)
        return oro_fail(err, ORO_E_LIMIT, "an interface holds at most %d entries", ORO_DOCUMENT_PORTS_MAX);
    struct draft draft = {.doc = doc};
    struct oro_item *item =
        doc->interface ? draft_clone(&draft, doc->interface)
                       : draft_insert(&draft, place_for_interface(doc), ORO_ITEM_INTERFACE);
    struct oro_doc_port *added = item ? oro_item_add_port(item) : NULL;
    bool ok = added && oro_set_text(&added->name, port->name) && oro_set_text(&added->node, port->node) &&
              oro_set_text(&added->socket, port->socket) && oro_set_text(&added->label, port->label);
    if (ok)
        added->is_output = port->is_output;
    return draft_finish(&draft, ok, "Add to the interface", err);
}

bool oro_edit_remove_port(struct oro_document *doc, bool is_output, const char *name, struct oro_error *err)
{
    size_t index = find_port(doc, is_output, name);
    if (index == oro_document_port_count(doc))
        return refuse(err, NULL, "the interface has no %s '%.100s'", is_output ? "output" : "input", name);
    struct draft draft = {.doc = doc};
    struct oro_item *clone = draft_clone(&draft, doc->interface);
    if (clone)
        oro_item_remove_port(clone, index);
    return draft_finish(&draft, clone, "Remove from the interface", err);
}
