/* Writes canonical XML: one order and one formatting for the same content, so that files can be compared, and
 * merged by git. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "graph/file/xml_private.h"
#include "graph/type/literal.h"

/* ---- Pieces ---- If the text cannot grow, its `failed` is set, which is checked once, at the end. */

static void add_attribute(struct oro_text *out, const char *name, const char *value)
{
    oro_text_addf(out, " %s=\"", name);
    oro_xml_escape(out, value);
    oro_text_add(out, "\"");
}

static void add_number(struct oro_text *out, const char *name, double value)
{
    char number[ORO_NUMBER_SIZE];
    add_attribute(out, name, oro_format_number(value, number));
}

/* Writes a number, unless its invalid text is among the other attributes. */
static void add_number_unless(struct oro_text *out, const struct oro_doc_attributes *other, const char *name,
                              double value)
{
    if (!oro_attributes_have(other, name))
        add_number(out, name, value);
}

static void add_link(struct oro_text *out, const char *name, const char *node, const char *socket)
{
    oro_text_addf(out, " %s=\"", name);
    oro_xml_escape(out, node);
    oro_text_add(out, ".");
    oro_xml_escape(out, socket);
    oro_text_add(out, "\"");
}

static void add_others(struct oro_text *out, const struct oro_doc_attributes *other)
{
    for (size_t i = 0; i < other->count; i++)
        add_attribute(out, other->items[i].name, other->items[i].value);
}

/* Two blanks per level. The root element's children have level 1, a group's level 2. */
static const char *indent(int level)
{
    static const char blanks[] = "        ";
    return blanks + (sizeof blanks - 1) - 2 * (size_t)level;
}

static void add_fragment(struct oro_text *out, int level, const char *text)
{
    oro_text_add(out, indent(level));
    oro_text_add(out, text);
    oro_text_add(out, "\n");
}

/* Writes the fragments that stand before the known child `at`; `*next` is the first that is still to be
 * written. */
static void add_fragments(struct oro_text *out, const struct oro_doc_fragments *fragments, size_t at,
                          size_t *next, int level)
{
    for (; *next < fragments->count && fragments->items[*next].at <= at; ++*next)
        add_fragment(out, level, fragments->items[*next].text);
}

static void open_element(struct oro_text *out, int level, const char *name)
{
    oro_text_addf(out, "%s<%s", indent(level), name);
}

/* Ends a start tag, expecting children. Returns the length so far, for close_element. */
static size_t open_children(struct oro_text *out)
{
    oro_text_add(out, ">\n");
    return out->length;
}

/* Ends the element, as an empty one if nothing has been written since open_children. */
static void close_element(struct oro_text *out, int level, const char *name, size_t opened)
{
    if (out->failed)
        return;
    if (out->length == opened) {
        out->length -= 2;
        oro_text_add(out, "/>\n");
    } else {
        oro_text_addf(out, "%s</%s>\n", indent(level), name);
    }
}

/* Ends an element that can only have fragments as children. */
static void end_leaf(struct oro_text *out, int level, const char *name,
                     const struct oro_doc_fragments *fragments)
{
    size_t opened = open_children(out), next = 0;
    add_fragments(out, fragments, SIZE_MAX, &next, level + 1);
    close_element(out, level, name, opened);
}

static void add_text_attribute(struct oro_text *out, const char *name, const char *value)
{
    if (value)
        add_attribute(out, name, value);
}

/* ---- Elements ---- About, world and interface are left out if they would be empty. */

static void leave_out_empty(struct oro_text *out, size_t start, int level, const char *name)
{
    char empty[64];
    snprintf(empty, sizeof empty, "%s<%s/>\n", indent(level), name);
    if (out->failed || strcmp(out->data + start, empty) != 0)
        return;
    out->length = start;
    out->data[start] = '\0';
}

static void write_about(struct oro_text *out, int level, const struct oro_item *item)
{
    size_t start = out->length;
    open_element(out, level, "about");
    if (item->about.title && *item->about.title)
        add_attribute(out, "title", item->about.title);
    add_text_attribute(out, "category", item->about.category);
    add_text_attribute(out, "doc", item->about.doc);
    add_text_attribute(out, "words", item->about.words);
    add_others(out, &item->other);
    end_leaf(out, level, "about", &item->fragments);
    leave_out_empty(out, start, level, "about");
}

/* The expression, where there is one; else the number, if it says anything. */
static void add_world_number(struct oro_text *out, const struct oro_world *world, enum oro_world_number which,
                             double value, bool says)
{
    const char *expr = world->exprs[which], *name = oro_world_number_names[which];
    if (!expr && says)
        add_number(out, name, value);
    if (!expr)
        return;
    oro_text_addf(out, " %s=\"=", name);
    oro_xml_escape(out, expr);
    oro_text_add(out, "\"");
}

static void write_world(struct oro_text *out, int level, const struct oro_item *item)
{
    static const struct oro_world standard = ORO_WORLD_DEFAULT;
    const struct oro_world *world = &item->world;
    size_t start = out->length;
    open_element(out, level, "world");
    add_world_number(out, world, ORO_WORLD_EXTENT, world->extent, world->extent != standard.extent);
    add_world_number(out, world, ORO_WORLD_RESOLUTION, world->resolution,
                     world->resolution != standard.resolution);
    add_world_number(out, world, ORO_WORLD_ASPECT, world->aspect, world->aspect != standard.aspect);
    if (world->seed != standard.seed)
        oro_text_addf(out, " seed=\"%" PRId64 "\"", world->seed);
    add_world_number(out, world, ORO_WORLD_SEA, world->sea, world->has_sea);
    add_text_attribute(out, "crs", world->crs);
    if (world->west != 0 || world->north != 0) {
        char west[ORO_NUMBER_SIZE], north[ORO_NUMBER_SIZE];
        oro_text_addf(out, " origin=\"%s %s\"", oro_format_number(world->west, west),
                      oro_format_number(world->north, north));
    }
    add_text_attribute(out, "from", world->from);
    add_others(out, &item->other);
    end_leaf(out, level, "world", &item->fragments);
    leave_out_empty(out, start, level, "world");
}

static void write_variable(struct oro_text *out, int level, const struct oro_doc_variable *variable)
{
    double number;
    char canonical[ORO_NUMBER_SIZE];
    open_element(out, level, "variable");
    if (*variable->name)
        add_attribute(out, "name", variable->name);
    if (variable->value && oro_parse_number(variable->value, &number))
        add_attribute(out, "value", oro_format_number(number, canonical));
    else
        add_text_attribute(out, "value", variable->value);
    add_text_attribute(out, "expr", variable->expr);
    add_text_attribute(out, "unit", variable->unit);
    add_text_attribute(out, "label", variable->label);
    add_text_attribute(out, "doc", variable->doc);
    add_others(out, &variable->other);
    end_leaf(out, level, "variable", &variable->fragments);
}

const char *const oro_port_text_names[ORO_PORT_TEXTS] = {
    [ORO_PORT_LABEL] = "label",       [ORO_PORT_GROUP] = "group", [ORO_PORT_DEFAULT] = "default",
    [ORO_PORT_MIN] = "min",           [ORO_PORT_MAX] = "max",     [ORO_PORT_SOFT_MIN] = "soft-min",
    [ORO_PORT_SOFT_MAX] = "soft-max", [ORO_PORT_UNIT] = "unit",   [ORO_PORT_WAS] = "was",
    [ORO_PORT_DOC] = "doc",
};

static void write_port(struct oro_text *out, int level, const struct oro_doc_port *port)
{
    const char *name = port->is_output ? "out" : "in", *target = port->is_output ? "from" : "to";
    open_element(out, level, name);
    if (*port->name)
        add_attribute(out, "name", port->name);
    if (*port->node)
        add_link(out, target, port->node, port->socket);
    else if (*port->socket)
        add_attribute(out, target, port->socket);
    for (int i = 0; i < ORO_PORT_TEXTS; i++)
        add_text_attribute(out, oro_port_text_names[i], port->texts[i]);
    add_others(out, &port->other);
    end_leaf(out, level, name, &port->fragments);
}

static void write_interface(struct oro_text *out, int level, const struct oro_item *item)
{
    size_t start = out->length, next = 0;
    open_element(out, level, "interface");
    if (item->ports.version != 1)
        add_number_unless(out, &item->other, "version", item->ports.version);
    add_others(out, &item->other);
    size_t opened = open_children(out);
    for (size_t i = 0; i < item->ports.count; i++) {
        add_fragments(out, &item->fragments, i, &next, level + 1);
        write_port(out, level + 1, &item->ports.items[i]);
    }
    add_fragments(out, &item->fragments, SIZE_MAX, &next, level + 1);
    close_element(out, level, "interface", opened);
    leave_out_empty(out, start, level, "interface");
}

static bool is_single(const struct oro_doc_node *node, const struct oro_doc_input *input)
{
    size_t count = 0;
    for (size_t i = 0; i < node->input_count; i++)
        count += strcmp(node->inputs[i].name, input->name) == 0;
    return count == 1;
}

static void write_input(struct oro_text *out, int level, const struct oro_doc_input *input, const char *value)
{
    open_element(out, level, "in");
    if (*input->name)
        add_attribute(out, "name", input->name);
    add_text_attribute(out, "value", value);
    add_text_attribute(out, "expr", input->expr);
    if (input->from_node)
        add_link(out, "from", input->from_node, input->from_output);
    add_others(out, &input->other);
    end_leaf(out, level, "in", &input->fragments);
}

/* A literal of a known input: canonical, and left out if it is the default and the entry says nothing
 * else. */
static void write_literal(struct oro_text *out, int level, const struct oro_doc_node *node,
                          const struct oro_doc_input *input, const struct oro_input *socket)
{
    char *value = oro_literal_canonical(socket, input->value), *standard = oro_literal_default(socket);
    if (!value || !standard)
        out->failed = true;
    else if (strcmp(value, standard) != 0 || !oro_input_has_default(socket) || input->other.count > 0 ||
             input->fragments.count > 0 || !is_single(node, input))
        write_input(out, level, input, value);
    oro_free(value);
    oro_free(standard);
}

/* The node's type, if its inputs are to be written canonically. NULL if the type or its version is unknown,
 * or if it is a graph, whose defaults may change later: then inputs are written as they are. */
static const struct oro_node_type *known_type(const struct oro_doc_node *node,
                                              const struct oro_registry *registry)
{
    const struct oro_node_type *type = oro_registry_find(registry, node->type);
    bool same = type && node->version == type->version && !oro_attributes_have(&node->other, "version");
    return same ? type : NULL;
}

static void write_node_tag(struct oro_text *out, int level, const struct oro_doc_node *node)
{
    open_element(out, level, "node");
    if (*node->id)
        add_attribute(out, "id", node->id);
    if (*node->type)
        add_attribute(out, "type", node->type);
    add_text_attribute(out, "href", node->href);
    if (node->version > 0)
        add_number_unless(out, &node->other, "version", node->version);
    if (node->x != 0 || node->y != 0) {
        add_number_unless(out, &node->other, "x", node->x);
        add_number_unless(out, &node->other, "y", node->y);
    }
    if (node->mute)
        add_attribute(out, "mute", "true");
    if (node->collapsed)
        add_attribute(out, "collapsed", "true");
    add_others(out, &node->other);
}

/* Written as a CDATA section, which needs no escapes. Where the text contains the section's end, it is cut in
 * two. */
static void write_script(struct oro_text *out, int level, const char *script)
{
    open_element(out, level, "script");
    oro_text_add(out, "><![CDATA[");
    for (const char *end; (end = strstr(script, "]]>")); script = end + 2) {
        oro_text_add_bytes(out, script, (size_t)(end - script) + 2);
        oro_text_add(out, "]]><![CDATA[");
    }
    oro_text_addf(out, "%s]]></script>\n", script);
}

static void write_node(struct oro_text *out, int level, const struct oro_doc_node *node,
                       const struct oro_registry *registry)
{
    const struct oro_node_type *type = known_type(node, registry);
    size_t next = 0;
    write_node_tag(out, level, node);
    size_t opened = open_children(out);
    if (node->script)
        write_script(out, level + 1, node->script);
    for (size_t i = 0; i < node->input_count; i++) {
        const struct oro_doc_input *input = &node->inputs[i];
        const struct oro_input *socket = type && input->value ? oro_type_input(type, input->name) : NULL;
        add_fragments(out, &node->fragments, i, &next, level + 1);
        if (socket && oro_input_has_literal(socket))
            write_literal(out, level + 1, node, input, socket);
        else
            write_input(out, level + 1, input, input->value);
    }
    add_fragments(out, &node->fragments, SIZE_MAX, &next, level + 1);
    close_element(out, level, "node", opened);
}

static void write_frame(struct oro_text *out, int level, const struct oro_doc_frame *frame)
{
    open_element(out, level, "frame");
    add_text_attribute(out, "title", frame->title);
    add_number_unless(out, &frame->other, "x", frame->x);
    add_number_unless(out, &frame->other, "y", frame->y);
    add_number_unless(out, &frame->other, "width", frame->width);
    add_number_unless(out, &frame->other, "height", frame->height);
    add_others(out, &frame->other);
    end_leaf(out, level, "frame", &frame->fragments);
}

static void write_build(struct oro_text *out, int level, const struct oro_doc_build *build)
{
    open_element(out, level, "build");
    if (*build->name)
        add_attribute(out, "name", build->name);
    add_text_attribute(out, "resolution", build->resolution);
    add_text_attribute(out, "for", build->engine);
    add_text_attribute(out, "outputs", build->outputs);
    add_others(out, &build->other);
    end_leaf(out, level, "build", &build->fragments);
}

static void write_items(struct oro_text *out, int level, const struct oro_document *doc,
                        const struct oro_registry *registry);

static void write_group(struct oro_text *out, int level, const struct oro_doc_group *group,
                        const struct oro_registry *registry)
{
    open_element(out, level, "group");
    if (*group->name)
        add_attribute(out, "name", group->name);
    add_others(out, &group->body->other);
    size_t opened = open_children(out);
    write_items(out, level + 1, group->body, registry);
    close_element(out, level, "group", opened);
}

static void write_item(struct oro_text *out, int level, const struct oro_item *item,
                       const struct oro_registry *registry)
{
    switch (item->kind) {
    case ORO_ITEM_ABOUT:
        write_about(out, level, item);
        break;
    case ORO_ITEM_WORLD:
        write_world(out, level, item);
        break;
    case ORO_ITEM_VARIABLE:
        write_variable(out, level, &item->variable);
        break;
    case ORO_ITEM_INTERFACE:
        write_interface(out, level, item);
        break;
    case ORO_ITEM_GROUP:
        write_group(out, level, &item->group, registry);
        break;
    case ORO_ITEM_NODE:
        write_node(out, level, &item->node, registry);
        break;
    case ORO_ITEM_FRAME:
        write_frame(out, level, &item->frame);
        break;
    case ORO_ITEM_BUILD:
        write_build(out, level, &item->build);
        break;
    case ORO_ITEM_FRAGMENT:
        add_fragment(out, level, item->text);
        break;
    }
}

/* The recursion ends because groups hold no groups. */
static void write_items(struct oro_text *out, int level, const struct oro_document *doc,
                        const struct oro_registry *registry)
{
    for (size_t i = 0; i < doc->item_count && !out->failed; i++)
        write_item(out, level, doc->items[i], registry);
}

/* ---- The document ---- */

static void write_document(struct oro_text *out, const struct oro_document *doc,
                           const struct oro_registry *registry)
{
    size_t next = 0;
    oro_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    add_fragments(out, &doc->head, SIZE_MAX, &next, 0);
    oro_text_addf(out, "<orograph xmlns=\"%s\" version=\"%d\"", ORO_XML_NAMESPACE, ORO_DOCUMENT_VERSION);
    add_others(out, &doc->other);
    size_t opened = open_children(out);
    write_items(out, 1, doc, registry);
    close_element(out, 0, "orograph", opened);
    next = 0;
    add_fragments(out, &doc->tail, SIZE_MAX, &next, 0);
}

bool oro_document_format(const struct oro_document *doc, const struct oro_registry *registry, char **text,
                         size_t *size, struct oro_error *err)
{
    struct oro_text out = {0};
    write_document(&out, doc, registry);
    if (!out.failed && out.length <= ORO_DOCUMENT_BYTES_MAX) {
        *text = out.data;
        if (size)
            *size = out.length;
        return true;
    }
    bool failed = out.failed;
    oro_text_free(&out);
    return failed ? oro_fail(err, ORO_E_MEMORY, "no memory to write the document")
                  : oro_fail(err, ORO_E_LIMIT,
                             "the document would be longer than 64 MiB and could not be read again");
}

bool oro_document_write(const struct oro_document *doc, const struct oro_registry *registry, const char *path,
                        struct oro_error *err)
{
    char *text = NULL;
    size_t size = 0;
    if (!oro_document_format(doc, registry, &text, &size, err))
        return false;
    bool ok = oro_file_write(path, text, size, err);
    oro_free(text);
    return ok;
}
