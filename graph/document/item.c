/* The items of a document: creating, cloning and freeing them and their lists. */
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "graph/document/document_private.h"

/* Lists store only their count: their capacity is the next power of two. */
static size_t capacity_for(size_t count)
{
    size_t capacity = 1;
    while (capacity < count)
        capacity *= 2;
    return capacity;
}

/* Makes room for one more entry and zeroes it. */
static void *grow(void *items, size_t count, size_t size)
{
    char *grown = items;
    if (!items || count == capacity_for(count))
        grown = oro_resize(items, capacity_for(count + 1), size);
    if (grown)
        memset(grown + count * size, 0, size);
    return grown;
}

bool oro_set_text(char **text, const char *value)
{
    char *copy = oro_copy_text(value);
    if (!copy && value)
        return false;
    oro_free(*text);
    *text = copy;
    return true;
}

bool oro_attributes_add(struct oro_doc_attributes *list, const char *name, const char *value)
{
    struct oro_doc_attribute *items = grow(list->items, list->count, sizeof *items);
    if (!items)
        return false;
    list->items = items;
    struct oro_doc_attribute *added = &items[list->count];
    added->name = oro_copy_text(name);
    added->value = oro_copy_text(value);
    list->count++; /* counted already, so that a half-made entry is freed with the list */
    return added->name && added->value;
}

bool oro_attributes_have(const struct oro_doc_attributes *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return true;
    return false;
}

void oro_attributes_remove(struct oro_doc_attributes *list, const char *name)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, name) == 0) {
            oro_free(list->items[i].name);
            oro_free(list->items[i].value);
        } else {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

void oro_attributes_free(struct oro_doc_attributes *list)
{
    for (size_t i = 0; i < list->count; i++) {
        oro_free(list->items[i].name);
        oro_free(list->items[i].value);
    }
    oro_free(list->items);
    *list = (struct oro_doc_attributes){0};
}

bool oro_attributes_copy(struct oro_doc_attributes *to, const struct oro_doc_attributes *from)
{
    *to = (struct oro_doc_attributes){0};
    for (size_t i = 0; i < from->count; i++)
        if (!oro_attributes_add(to, from->items[i].name, from->items[i].value))
            return false;
    return true;
}

bool oro_fragments_add(struct oro_doc_fragments *list, const char *text, size_t at)
{
    struct oro_doc_fragment *items = grow(list->items, list->count, sizeof *items);
    if (!items)
        return false;
    list->items = items;
    struct oro_doc_fragment *added = &items[list->count++];
    added->text = oro_copy_text(text);
    added->at = at;
    return added->text;
}

void oro_fragments_free(struct oro_doc_fragments *list)
{
    for (size_t i = 0; i < list->count; i++)
        oro_free(list->items[i].text);
    oro_free(list->items);
    *list = (struct oro_doc_fragments){0};
}

bool oro_fragments_copy(struct oro_doc_fragments *to, const struct oro_doc_fragments *from)
{
    *to = (struct oro_doc_fragments){0};
    for (size_t i = 0; i < from->count; i++)
        if (!oro_fragments_add(to, from->items[i].text, from->items[i].at))
            return false;
    return true;
}

static void move_fragments_up(struct oro_doc_fragments *list, size_t removed)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].at > removed)
            list->items[i].at--;
}

static void free_input(struct oro_doc_input *input)
{
    oro_free(input->name);
    oro_free(input->value);
    oro_free(input->expr);
    oro_free(input->from_node);
    oro_free(input->from_output);
    oro_attributes_free(&input->other);
    oro_fragments_free(&input->fragments);
}

static bool copy_input(struct oro_doc_input *to, const struct oro_doc_input *from)
{
    to->line = from->line;
    return oro_set_text(&to->name, from->name) && oro_set_text(&to->value, from->value) &&
           oro_set_text(&to->expr, from->expr) && oro_set_text(&to->from_node, from->from_node) &&
           oro_set_text(&to->from_output, from->from_output) &&
           oro_attributes_copy(&to->other, &from->other) &&
           oro_fragments_copy(&to->fragments, &from->fragments);
}

struct oro_doc_input *oro_item_add_input(struct oro_item *item)
{
    struct oro_doc_node *node = &item->node;
    struct oro_doc_input *inputs = grow(node->inputs, node->input_count, sizeof *inputs);
    if (!inputs)
        return NULL;
    node->inputs = inputs;
    return &inputs[node->input_count++];
}

void oro_item_remove_input(struct oro_item *item, size_t index)
{
    struct oro_doc_node *node = &item->node;
    free_input(&node->inputs[index]);
    node->input_count--;
    memmove(&node->inputs[index], &node->inputs[index + 1],
            (node->input_count - index) * sizeof *node->inputs);
    move_fragments_up(&node->fragments, index);
}

static void free_port(struct oro_doc_port *port)
{
    oro_free(port->name);
    oro_free(port->node);
    oro_free(port->socket);
    for (int i = 0; i < ORO_PORT_TEXTS; i++)
        oro_free(port->texts[i]);
    oro_attributes_free(&port->other);
    oro_fragments_free(&port->fragments);
}

static bool copy_port(struct oro_doc_port *to, const struct oro_doc_port *from)
{
    to->is_output = from->is_output;
    to->line = from->line;
    for (int i = 0; i < ORO_PORT_TEXTS; i++)
        if (!oro_set_text(&to->texts[i], from->texts[i]))
            return false;
    return oro_set_text(&to->name, from->name) && oro_set_text(&to->node, from->node) &&
           oro_set_text(&to->socket, from->socket) && oro_attributes_copy(&to->other, &from->other) &&
           oro_fragments_copy(&to->fragments, &from->fragments);
}

struct oro_doc_port *oro_item_add_port(struct oro_item *item)
{
    struct oro_doc_port *ports = grow(item->ports.items, item->ports.count, sizeof *ports);
    if (!ports)
        return NULL;
    item->ports.items = ports;
    return &ports[item->ports.count++];
}

void oro_item_remove_port(struct oro_item *item, size_t index)
{
    struct oro_doc_port *ports = item->ports.items;
    free_port(&ports[index]);
    item->ports.count--;
    memmove(&ports[index], &ports[index + 1], (item->ports.count - index) * sizeof *ports);
    move_fragments_up(&item->fragments, index);
}

void oro_item_changed(struct oro_item *item)
{
    static atomic_uint_least64_t last;
    item->mark = atomic_fetch_add(&last, 1) + 1;
}

struct oro_item *oro_item_create(enum oro_item_kind kind)
{
    struct oro_item *item = oro_alloc(1, sizeof *item);
    if (!item)
        return NULL;
    item->kind = kind;
    oro_item_changed(item);
    if (kind == ORO_ITEM_WORLD)
        item->world = (struct oro_world)ORO_WORLD_DEFAULT;
    if (kind == ORO_ITEM_INTERFACE)
        item->ports.version = 1;
    return item;
}

static bool copy_node(struct oro_item *to, const struct oro_doc_node *from)
{
    struct oro_doc_node *node = &to->node;
    node->version = from->version;
    node->x = from->x;
    node->y = from->y;
    node->mute = from->mute;
    node->collapsed = from->collapsed;
    node->line = from->line;
    node->script_line = from->script_line;
    for (size_t i = 0; i < from->input_count; i++) {
        struct oro_doc_input *input = oro_item_add_input(to);
        if (!input || !copy_input(input, &from->inputs[i]))
            return false;
    }
    return oro_set_text(&node->id, from->id) && oro_set_text(&node->type, from->type) &&
           oro_set_text(&node->href, from->href) && oro_set_text(&node->script, from->script) &&
           oro_attributes_copy(&node->other, &from->other) &&
           oro_fragments_copy(&node->fragments, &from->fragments);
}

static bool copy_frame(struct oro_doc_frame *to, const struct oro_doc_frame *from)
{
    to->x = from->x;
    to->y = from->y;
    to->width = from->width;
    to->height = from->height;
    to->line = from->line;
    return oro_set_text(&to->title, from->title) && oro_attributes_copy(&to->other, &from->other) &&
           oro_fragments_copy(&to->fragments, &from->fragments);
}

static bool copy_about(struct oro_doc_about *to, const struct oro_doc_about *from)
{
    return oro_set_text(&to->title, from->title) && oro_set_text(&to->category, from->category) &&
           oro_set_text(&to->doc, from->doc) && oro_set_text(&to->words, from->words);
}

static bool copy_variable(struct oro_doc_variable *to, const struct oro_doc_variable *from)
{
    to->line = from->line;
    return oro_set_text(&to->name, from->name) && oro_set_text(&to->value, from->value) &&
           oro_set_text(&to->expr, from->expr) && oro_set_text(&to->unit, from->unit) &&
           oro_set_text(&to->label, from->label) && oro_set_text(&to->doc, from->doc) &&
           oro_attributes_copy(&to->other, &from->other) &&
           oro_fragments_copy(&to->fragments, &from->fragments);
}

static bool copy_group(struct oro_doc_group *to, const struct oro_doc_group *from)
{
    to->line = from->line;
    to->body = oro_document_clone(from->body);
    return to->body && oro_set_text(&to->name, from->name);
}

static bool copy_interface(struct oro_item *to, const struct oro_item *from)
{
    to->ports.version = from->ports.version;
    for (size_t i = 0; i < from->ports.count; i++) {
        struct oro_doc_port *port = oro_item_add_port(to);
        if (!port || !copy_port(port, &from->ports.items[i]))
            return false;
    }
    return true;
}

bool oro_item_set_world(struct oro_item *item, const struct oro_world *world)
{
    struct oro_world own = item->world;
    bool ok = oro_set_text(&own.crs, world->crs) && oro_set_text(&own.from, world->from);
    for (int i = 0; ok && i < ORO_WORLD_NUMBERS; i++)
        ok = oro_set_text(&own.exprs[i], world->exprs[i]);
    item->world = *world;
    item->world.crs = own.crs;
    item->world.from = own.from;
    memcpy(item->world.exprs, own.exprs, sizeof own.exprs);
    return ok;
}

static bool copy_build(struct oro_doc_build *to, const struct oro_doc_build *from)
{
    to->line = from->line;
    return oro_set_text(&to->name, from->name) && oro_set_text(&to->resolution, from->resolution) &&
           oro_set_text(&to->engine, from->engine) && oro_set_text(&to->outputs, from->outputs) &&
           oro_attributes_copy(&to->other, &from->other) &&
           oro_fragments_copy(&to->fragments, &from->fragments);
}

static bool copy_item(struct oro_item *to, const struct oro_item *from)
{
    to->place = from->place;
    to->ordinal = from->ordinal;
    to->hash = from->hash;
    to->line = from->line;
    if (!oro_attributes_copy(&to->other, &from->other) ||
        !oro_fragments_copy(&to->fragments, &from->fragments))
        return false;
    switch (from->kind) {
    case ORO_ITEM_ABOUT:
        return copy_about(&to->about, &from->about);
    case ORO_ITEM_WORLD:
        to->world = (struct oro_world)ORO_WORLD_DEFAULT;
        return oro_item_set_world(to, &from->world);
    case ORO_ITEM_VARIABLE:
        return copy_variable(&to->variable, &from->variable);
    case ORO_ITEM_INTERFACE:
        return copy_interface(to, from);
    case ORO_ITEM_GROUP:
        return copy_group(&to->group, &from->group);
    case ORO_ITEM_NODE:
        return copy_node(to, &from->node);
    case ORO_ITEM_FRAME:
        return copy_frame(&to->frame, &from->frame);
    case ORO_ITEM_BUILD:
        return copy_build(&to->build, &from->build);
    case ORO_ITEM_FRAGMENT:
        return oro_set_text(&to->text, from->text);
    }
    return false;
}

struct oro_item *oro_item_clone(const struct oro_item *item)
{
    struct oro_item *clone = oro_item_create(item->kind);
    if (clone && !copy_item(clone, item)) {
        oro_item_destroy(clone);
        clone = NULL;
    }
    return clone;
}

static void free_node(struct oro_doc_node *node)
{
    for (size_t i = 0; i < node->input_count; i++)
        free_input(&node->inputs[i]);
    oro_free(node->inputs);
    oro_free(node->id);
    oro_free(node->type);
    oro_free(node->href);
    oro_free(node->script);
    oro_attributes_free(&node->other);
    oro_fragments_free(&node->fragments);
}

static void free_variable(struct oro_doc_variable *variable)
{
    oro_free(variable->name);
    oro_free(variable->value);
    oro_free(variable->expr);
    oro_free(variable->unit);
    oro_free(variable->label);
    oro_free(variable->doc);
    oro_attributes_free(&variable->other);
    oro_fragments_free(&variable->fragments);
}

static void free_build(struct oro_doc_build *build)
{
    oro_free(build->name);
    oro_free(build->resolution);
    oro_free(build->engine);
    oro_free(build->outputs);
    oro_attributes_free(&build->other);
    oro_fragments_free(&build->fragments);
}

static void free_group(struct oro_doc_group *group)
{
    oro_free(group->name);
    oro_document_destroy(group->body);
}

void oro_item_destroy(struct oro_item *item)
{
    if (!item)
        return;
    switch (item->kind) {
    case ORO_ITEM_ABOUT:
        oro_free(item->about.title);
        oro_free(item->about.category);
        oro_free(item->about.doc);
        oro_free(item->about.words);
        break;
    case ORO_ITEM_VARIABLE:
        free_variable(&item->variable);
        break;
    case ORO_ITEM_GROUP:
        free_group(&item->group);
        break;
    case ORO_ITEM_INTERFACE:
        for (size_t i = 0; i < item->ports.count; i++)
            free_port(&item->ports.items[i]);
        oro_free(item->ports.items);
        break;
    case ORO_ITEM_NODE:
        free_node(&item->node);
        break;
    case ORO_ITEM_FRAME:
        oro_free(item->frame.title);
        oro_attributes_free(&item->frame.other);
        oro_fragments_free(&item->frame.fragments);
        break;
    case ORO_ITEM_FRAGMENT:
        oro_free(item->text);
        break;
    case ORO_ITEM_BUILD:
        free_build(&item->build);
        break;
    case ORO_ITEM_WORLD:
        oro_free(item->world.crs);
        oro_free(item->world.from);
        for (int i = 0; i < ORO_WORLD_NUMBERS; i++)
            oro_free(item->world.exprs[i]);
        break;
    }
    oro_attributes_free(&item->other);
    oro_fragments_free(&item->fragments);
    oro_free(item);
}
