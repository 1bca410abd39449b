/* The document's items, and what is derived from them: nodes and frames by index, nodes by id. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "graph/document/document_private.h"

struct oro_document *oro_document_create(void)
{
    struct oro_document *doc = oro_alloc(1, sizeof *doc);
    if (doc)
        doc->derived = oro_alloc(1, sizeof *doc->derived);
    if (doc && doc->derived && oro_set_text(&doc->path, ""))
        return doc;
    oro_document_destroy(doc);
    return NULL;
}

void oro_document_destroy(struct oro_document *doc)
{
    if (!doc)
        return;
    oro_undo_free(doc);
    for (size_t i = 0; i < doc->item_count; i++)
        oro_item_destroy(doc->items[i]);
    oro_free(doc->items);
    oro_free(doc->nodes);
    oro_free(doc->frames);
    oro_free(doc->variables);
    oro_free(doc->groups);
    oro_free(doc->builds);
    if (doc->derived && doc->derived->data)
        doc->derived->destroy(doc->derived->data);
    oro_free(doc->derived);
    oro_stand_ins_free(doc);
    oro_free(doc->table);
    oro_attributes_free(&doc->other);
    oro_fragments_free(&doc->head);
    oro_fragments_free(&doc->tail);
    oro_free(doc->path);
    oro_free(doc);
}

/* ---- Derived tables ---- */

static bool grow_list(struct oro_item ***list, size_t capacity)
{
    struct oro_item **grown = oro_resize(*list, capacity, sizeof **list);
    if (!grown)
        return false;
    *list = grown;
    return true;
}

bool oro_document_reserve(struct oro_document *doc, size_t more)
{
    size_t wanted = doc->item_count + more;
    if (wanted <= doc->capacity)
        return true;
    size_t capacity = doc->capacity + doc->capacity / 2 + 16;
    if (capacity < wanted)
        capacity = wanted;
    size_t size = 64;
    while (size <= 2 * capacity)
        size *= 2;
    if (!grow_list(&doc->items, capacity) || !grow_list(&doc->nodes, capacity) ||
        !grow_list(&doc->frames, capacity) || !grow_list(&doc->variables, capacity) ||
        !grow_list(&doc->groups, capacity) || !grow_list(&doc->builds, capacity))
        return false;
    if (size != doc->table_size) {
        struct oro_item **table = oro_alloc(size, sizeof *table);
        if (!table)
            return false;
        oro_free(doc->table);
        doc->table = table;
        doc->table_size = size;
        oro_document_rebuild(doc);
    }
    doc->capacity = capacity;
    return true;
}

static uint64_t hash_id(const char *id)
{
    return oro_hash_of(id, strlen(id)).low;
}

/* The place of the node with this id, or the free place where it would go. */
static struct oro_item **slot_of(const struct oro_document *doc, const char *id, uint64_t hash)
{
    size_t mask = doc->table_size - 1;
    size_t i = (size_t)hash & mask;
    for (; doc->table[i]; i = (i + 1) & mask)
        if (doc->table[i]->hash == hash && strcmp(doc->table[i]->node.id, id) == 0)
            break;
    return &doc->table[i];
}

static void place_node(struct oro_document *doc, struct oro_item *item)
{
    item->ordinal = doc->node_count;
    doc->nodes[doc->node_count++] = item;
    item->hash = hash_id(item->node.id);
    struct oro_item **slot = slot_of(doc, item->node.id, item->hash);
    if (!*slot)
        *slot = item;
}

static void place_item(struct oro_document *doc, struct oro_item *item)
{
    switch (item->kind) {
    case ORO_ITEM_ABOUT:
        doc->about = item;
        break;
    case ORO_ITEM_WORLD:
        doc->world = item;
        break;
    case ORO_ITEM_VARIABLE:
        item->ordinal = doc->variable_count;
        doc->variables[doc->variable_count++] = item;
        break;
    case ORO_ITEM_INTERFACE:
        doc->interface = item;
        break;
    case ORO_ITEM_GROUP:
        item->ordinal = doc->group_count;
        doc->groups[doc->group_count++] = item;
        break;
    case ORO_ITEM_NODE:
        place_node(doc, item);
        break;
    case ORO_ITEM_FRAME:
        item->ordinal = doc->frame_count;
        doc->frames[doc->frame_count++] = item;
        break;
    case ORO_ITEM_BUILD:
        item->ordinal = doc->build_count;
        doc->builds[doc->build_count++] = item;
        break;
    case ORO_ITEM_FRAGMENT:
        break;
    }
}

void oro_document_rebuild(struct oro_document *doc)
{
    doc->about = doc->world = doc->interface = NULL;
    doc->node_count = doc->frame_count = doc->variable_count = doc->group_count = doc->build_count = 0;
    if (doc->table)
        memset(doc->table, 0, doc->table_size * sizeof *doc->table);
    for (size_t i = 0; i < doc->item_count; i++) {
        doc->items[i]->place = i;
        place_item(doc, doc->items[i]);
    }
}

void oro_document_append(struct oro_document *doc, struct oro_item *item)
{
    item->place = doc->item_count;
    doc->items[doc->item_count++] = item;
    place_item(doc, item);
}

void oro_document_replaced(struct oro_document *doc, const struct oro_item *before, struct oro_item *after)
{
    after->place = before->place;
    after->ordinal = before->ordinal;
    after->hash = before->hash;
    if (after->kind == ORO_ITEM_NODE) {
        doc->nodes[after->ordinal] = after;
        struct oro_item **slot = slot_of(doc, after->node.id, after->hash);
        if (*slot == before)
            *slot = after;
    } else if (after->kind == ORO_ITEM_FRAME) {
        doc->frames[after->ordinal] = after;
    } else if (after->kind == ORO_ITEM_VARIABLE) {
        doc->variables[after->ordinal] = after;
    } else if (after->kind == ORO_ITEM_GROUP) {
        doc->groups[after->ordinal] = after;
    } else if (after->kind == ORO_ITEM_BUILD) {
        doc->builds[after->ordinal] = after;
    } else {
        place_item(doc, after);
    }
}

struct oro_item *oro_document_item(const struct oro_document *doc, const char *id)
{
    return doc->table_size && id ? *slot_of(doc, id, hash_id(id)) : NULL;
}

/* ---- Accessors ---- */

const char *oro_document_path(const struct oro_document *doc)
{
    return doc->path;
}

bool oro_document_set_path(struct oro_document *doc, const char *path)
{
    for (size_t i = 0; i < doc->group_count; i++)
        if (!oro_set_text(&doc->groups[i]->group.body->path, path ? path : ""))
            return false;
    return oro_set_text(&doc->path, path ? path : "");
}

const char *oro_document_title(const struct oro_document *doc)
{
    return doc->about && doc->about->about.title ? doc->about->about.title : "";
}

struct oro_doc_about oro_document_about(const struct oro_document *doc)
{
    return doc->about ? doc->about->about : (struct oro_doc_about){NULL};
}

int oro_document_interface_version(const struct oro_document *doc)
{
    return doc->interface ? doc->interface->ports.version : 1;
}

const struct oro_world *oro_document_world(const struct oro_document *doc)
{
    static const struct oro_world standard = ORO_WORLD_DEFAULT;
    return doc->world ? &doc->world->world : &standard;
}

size_t oro_document_node_count(const struct oro_document *doc)
{
    return doc->node_count;
}

const struct oro_doc_node *oro_document_node(const struct oro_document *doc, size_t index)
{
    return index < doc->node_count ? &doc->nodes[index]->node : NULL;
}

const struct oro_doc_node *oro_document_find(const struct oro_document *doc, const char *id)
{
    const struct oro_item *item = oro_document_item(doc, id);
    return item ? &item->node : NULL;
}

size_t oro_document_find_index(const struct oro_document *doc, const char *id)
{
    const struct oro_item *item = oro_document_item(doc, id);
    return item ? item->ordinal : SIZE_MAX;
}

const struct oro_doc_input *oro_doc_node_input(const struct oro_doc_node *node, const char *name)
{
    for (size_t i = 0; i < node->input_count; i++)
        if (*node->inputs[i].name == *name && strcmp(node->inputs[i].name, name) == 0)
            return &node->inputs[i];
    return NULL;
}

size_t oro_document_port_count(const struct oro_document *doc)
{
    return doc->interface ? doc->interface->ports.count : 0;
}

const struct oro_doc_port *oro_document_port(const struct oro_document *doc, size_t index)
{
    return index < oro_document_port_count(doc) ? &doc->interface->ports.items[index] : NULL;
}

size_t oro_document_frame_count(const struct oro_document *doc)
{
    return doc->frame_count;
}

const struct oro_doc_frame *oro_document_frame(const struct oro_document *doc, size_t index)
{
    return index < doc->frame_count ? &doc->frames[index]->frame : NULL;
}

size_t oro_document_variable_count(const struct oro_document *doc)
{
    return doc->variable_count;
}

const struct oro_doc_variable *oro_document_variable(const struct oro_document *doc, size_t index)
{
    return index < doc->variable_count ? &doc->variables[index]->variable : NULL;
}

const struct oro_doc_variable *oro_document_find_variable(const struct oro_document *doc, const char *name)
{
    for (size_t i = 0; i < doc->variable_count; i++)
        if (strcmp(doc->variables[i]->variable.name, name) == 0)
            return &doc->variables[i]->variable;
    return NULL;
}

size_t oro_document_group_count(const struct oro_document *doc)
{
    return doc->group_count;
}

const struct oro_doc_group *oro_document_group(const struct oro_document *doc, size_t index)
{
    return index < doc->group_count ? &doc->groups[index]->group : NULL;
}

const struct oro_doc_group *oro_document_find_group(const struct oro_document *doc, const char *name)
{
    for (size_t i = 0; i < doc->group_count; i++)
        if (strcmp(doc->groups[i]->group.name, name) == 0)
            return &doc->groups[i]->group;
    return NULL;
}

size_t oro_document_build_count(const struct oro_document *doc)
{
    return doc->build_count;
}

const struct oro_doc_build *oro_document_build(const struct oro_document *doc, size_t index)
{
    return index < doc->build_count ? &doc->builds[index]->build : NULL;
}

const struct oro_doc_build *oro_document_find_build(const struct oro_document *doc, const char *name)
{
    for (size_t i = 0; i < doc->build_count; i++)
        if (strcmp(doc->builds[i]->build.name, name) == 0)
            return &doc->builds[i]->build;
    return NULL;
}

struct oro_document *oro_document_clone(const struct oro_document *doc)
{
    struct oro_document *clone = oro_document_create();
    bool ok = clone && oro_document_set_path(clone, doc->path) &&
              oro_attributes_copy(&clone->other, &doc->other) &&
              oro_fragments_copy(&clone->head, &doc->head) && oro_fragments_copy(&clone->tail, &doc->tail) &&
              oro_stand_ins_copy(clone, doc) && oro_document_reserve(clone, doc->item_count);
    for (size_t i = 0; ok && i < doc->item_count; i++) {
        struct oro_item *item = oro_item_clone(doc->items[i]);
        ok = item;
        if (ok) {
            item->mark = doc->items[i]->mark;
            oro_document_append(clone, item);
        }
    }
    if (!ok) {
        oro_document_destroy(clone);
        clone = NULL;
    }
    return clone;
}

uint64_t oro_document_revision(const struct oro_document *doc)
{
    return doc->revision;
}

struct oro_node_mark oro_document_node_mark(const struct oro_document *doc, size_t index)
{
    return (struct oro_node_mark){.content = doc->nodes[index]->mark, .id = doc->nodes[index]->hash};
}

static uint64_t mix_mark(uint64_t mixed, uint64_t mark)
{
    const uint64_t both[2] = {mixed, mark};
    return oro_hash_of(both, sizeof both).low;
}

uint64_t oro_document_setting_mark(const struct oro_document *doc)
{
    uint64_t mixed = mix_mark(0, doc->interface ? doc->interface->mark : 0);
    for (size_t i = 0; i < doc->variable_count; i++)
        mixed = mix_mark(mixed, doc->variables[i]->mark);
    for (size_t i = 0; i < doc->group_count; i++)
        mixed = mix_mark(mixed, doc->groups[i]->mark);
    for (size_t i = 0; i < doc->stand_in_count; i++) {
        const struct oro_stand_in *one = &doc->stand_ins[i];
        mixed = mix_mark(mixed, oro_hash_of(one->path, strlen(one->path)).low);
        mixed = mix_mark(mixed, oro_hash_of(one->file, strlen(one->file)).low);
    }
    return mixed;
}
