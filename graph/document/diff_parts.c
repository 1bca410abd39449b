#include "graph/document/diff_parts.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

const struct oro_doc_part *oro_parts_find(const struct oro_doc_parts *parts, const struct oro_doc_part *like)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->items[i].kind == like->kind && strcmp(parts->items[i].name, like->name) == 0)
            return &parts->items[i];
    return NULL;
}

static void begin(struct oro_arena *arena, struct oro_doc_parts *parts, size_t most)
{
    *parts = (struct oro_doc_parts){.capacity = most};
    parts->items = oro_arena_alloc(arena, most + 1, sizeof *parts->items);
    parts->failed = !parts->items;
}

/* NULL for what is not there. */
static void add(struct oro_arena *arena, struct oro_doc_parts *parts, enum oro_doc_part_kind kind,
                const char *name, const char *value)
{
    if (!value || parts->failed)
        return;
    if (parts->count == parts->capacity) {
        struct oro_doc_parts more;
        begin(arena, &more, 2 * parts->capacity + 1);
        if (!more.failed)
            memcpy(more.items, parts->items, parts->count * sizeof *parts->items);
        more.count = parts->count;
        *parts = more;
    }
    if (!parts->failed)
        parts->items[parts->count++] = (struct oro_doc_part){kind, name, value};
}

static void set(struct oro_arena *arena, struct oro_doc_parts *parts, const char *name, const char *value)
{
    add(arena, parts, ORO_PART_SETTING, name, value);
}

static void set_flag(struct oro_arena *arena, struct oro_doc_parts *parts, const char *name, bool flag)
{
    set(arena, parts, name, flag ? "true" : NULL);
}

static void set_number(struct oro_arena *arena, struct oro_doc_parts *parts, const char *name, double number)
{
    char text[ORO_NUMBER_SIZE];
    const char *copy = oro_arena_text(arena, oro_format_number(number, text));
    parts->failed |= !copy;
    set(arena, parts, name, copy);
}

/* Attributes that this version does not know. */
static void set_others(struct oro_arena *arena, struct oro_doc_parts *parts,
                       const struct oro_doc_attributes *others)
{
    for (size_t i = 0; i < others->count; i++)
        set(arena, parts, others->items[i].name, others->items[i].value);
}

/* An expression as it is typed. */
static const char *expression(struct oro_arena *arena, struct oro_doc_parts *parts, const char *expr)
{
    const char *text = oro_arena_textf(arena, "= %s", expr);
    parts->failed |= !text;
    return text;
}

static const char *link_text(struct oro_arena *arena, struct oro_doc_parts *parts, const char *node,
                             const char *output)
{
    const char *text = oro_arena_textf(arena, "from %s.%s", node, output ? output : "");
    parts->failed |= !text;
    return text;
}

void oro_parts_link(struct oro_arena *arena, struct oro_doc_parts *parts, const char *input, const char *node,
                    const char *output)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->items[i].kind == ORO_PART_INPUT && strcmp(parts->items[i].name, input) == 0)
            parts->items[i].value = link_text(arena, parts, node, output);
    if (parts->failed)
        parts->count = 0;
}

void oro_parts_of_about(struct oro_arena *arena, const struct oro_document *doc, struct oro_doc_parts *parts)
{
    struct oro_doc_about about = oro_document_about(doc);
    begin(arena, parts, 4);
    set(arena, parts, "title", about.title);
    set(arena, parts, "category", about.category);
    set(arena, parts, "doc", about.doc);
    set_number(arena, parts, "interface version", oro_document_interface_version(doc));
}

void oro_parts_of_world(struct oro_arena *arena, const struct oro_world *world, struct oro_doc_parts *parts)
{
    const char *seed = oro_arena_textf(arena, "%" PRId64, world->seed);
    const double numbers[ORO_WORLD_NUMBERS] = {[ORO_WORLD_EXTENT] = world->extent,
                                               [ORO_WORLD_RESOLUTION] = world->resolution,
                                               [ORO_WORLD_ASPECT] = world->aspect,
                                               [ORO_WORLD_SEA] = world->sea};
    begin(arena, parts, 5 + ORO_WORLD_NUMBERS);
    for (int i = 0; i < ORO_WORLD_NUMBERS; i++) {
        if (world->exprs[i])
            set(arena, parts, oro_world_number_names[i], expression(arena, parts, world->exprs[i]));
        else if (i != ORO_WORLD_SEA || world->has_sea)
            set_number(arena, parts, oro_world_number_names[i], numbers[i]);
    }
    parts->failed |= !seed;
    set(arena, parts, "seed", seed);
    set(arena, parts, "crs", world->crs);
    set_number(arena, parts, "west", world->west);
    set_number(arena, parts, "north", world->north);
    set(arena, parts, "from", world->from);
}

void oro_parts_of_variable(struct oro_arena *arena, const struct oro_doc_variable *variable,
                           struct oro_doc_parts *parts)
{
    begin(arena, parts, 4 + variable->other.count);
    set(arena, parts, "value", variable->expr ? expression(arena, parts, variable->expr) : variable->value);
    set(arena, parts, "unit", variable->unit);
    set(arena, parts, "label", variable->label);
    set(arena, parts, "doc", variable->doc);
    set_others(arena, parts, &variable->other);
}

void oro_parts_of_build(struct oro_arena *arena, const struct oro_doc_build *build,
                        struct oro_doc_parts *parts)
{
    begin(arena, parts, 3 + build->other.count);
    set(arena, parts, "resolution", build->resolution);
    set(arena, parts, "for", build->engine);
    set(arena, parts, "outputs", build->outputs);
    set_others(arena, parts, &build->other);
}

void oro_parts_add_place(struct oro_arena *arena, const struct oro_doc_port *port,
                         struct oro_doc_parts *parts)
{
    const char *place = port->node[0] ? oro_arena_textf(arena, "%s.%s", port->node, port->socket)
                                      : oro_arena_text(arena, port->socket);
    parts->failed |= !place;
    set(arena, parts, port->is_output ? "from" : place, port->is_output ? place : "");
}

void oro_parts_of_port(struct oro_arena *arena, const struct oro_doc_port *port, struct oro_doc_parts *parts)
{
    static const char *const names[ORO_PORT_TEXTS] = {"label",    "group",    "default", "min", "max",
                                                      "soft min", "soft max", "unit",    "was", "doc"};
    begin(arena, parts, ORO_PORT_TEXTS + 2 + port->other.count);
    oro_parts_add_place(arena, port, parts);
    for (int i = 0; i < ORO_PORT_TEXTS; i++)
        set(arena, parts, names[i], port->texts[i]);
    set_others(arena, parts, &port->other);
}

static void set_place(struct oro_arena *arena, struct oro_doc_parts *parts, const double *numbers, int count)
{
    struct oro_text text = {0};
    char number[ORO_NUMBER_SIZE];
    for (int i = 0; i < count; i++)
        oro_text_addf(&text, "%s%s", i > 0 ? " " : "", oro_format_number(numbers[i], number));
    const char *copy = text.failed || !text.data ? NULL : oro_arena_text(arena, text.data);
    oro_text_free(&text);
    parts->failed |= !copy;
    add(arena, parts, ORO_PART_PLACE, "place", copy);
}

void oro_parts_of_node(struct oro_arena *arena, const struct oro_doc_node *node, struct oro_doc_parts *parts)
{
    begin(arena, parts, 7 + node->input_count + node->other.count);
    set(arena, parts, "type", node->type);
    set_number(arena, parts, "version", node->version);
    set(arena, parts, "graph", node->href);
    set(arena, parts, "script", node->script);
    set_flag(arena, parts, "muted", node->mute);
    set_flag(arena, parts, "collapsed", node->collapsed);
    for (size_t i = 0; i < node->input_count; i++) {
        const struct oro_doc_input *input = &node->inputs[i];
        const char *value = input->from_node ? link_text(arena, parts, input->from_node, input->from_output)
                            : input->expr    ? expression(arena, parts, input->expr)
                                             : input->value;
        add(arena, parts, ORO_PART_INPUT, input->name, value);
    }
    set_others(arena, parts, &node->other);
    set_place(arena, parts, (const double[]){node->x, node->y}, 2);
}

void oro_parts_of_frame(struct oro_arena *arena, const struct oro_doc_frame *frame,
                        struct oro_doc_parts *parts)
{
    begin(arena, parts, 1);
    set_place(arena, parts, (const double[]){frame->x, frame->y, frame->width, frame->height}, 4);
}
