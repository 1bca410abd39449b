/* Canonical XML: one order and one formatting for one content, so that files can be compared and merged. */
#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "graph/literal.h"
#include "graph/xml_private.h"

/* ---- Pieces ---- Failing to grow the text sets its `failed`, which is looked at once, at the end. */

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

/* A number unless its wrong text is among the other attributes. */
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

static void add_fragment(struct oro_text *out, const char *indent, const char *text)
{
    oro_text_add(out, indent);
    oro_text_add(out, text);
    oro_text_add(out, "\n");
}

/* The fragments that stand before the known child `at`; `*next` is the first that was not written yet. */
static void add_fragments(struct oro_text *out, const struct oro_doc_fragments *fragments, size_t at,
                          size_t *next, const char *indent)
{
    for (; *next < fragments->count && fragments->items[*next].at <= at; ++*next)
        add_fragment(out, indent, fragments->items[*next].text);
}

/* Ends a start tag, expecting children. Returns the length so far, for close_element. */
static size_t open_children(struct oro_text *out)
{
    oro_text_add(out, ">\n");
    return out->length;
}

/* Ends the element, as an empty one if nothing was written since open_children. */
static void close_element(struct oro_text *out, const char *indent, const char *name, size_t opened)
{
    if (out->failed)
        return;
    if (out->length == opened) {
        out->length -= 2;
        oro_text_add(out, "/>\n");
    } else {
        oro_text_addf(out, "%s</%s>\n", indent, name);
    }
}

/* Ends an element whose only children can be fragments. */
static void end_leaf(struct oro_text *out, const char *indent, const char *name, const char *child_indent,
                     const struct oro_doc_fragments *fragments)
{
    size_t opened = open_children(out), next = 0;
    add_fragments(out, fragments, SIZE_MAX, &next, child_indent);
    close_element(out, indent, name, opened);
}

/* ---- Elements ---- About, world and interface are left out when they would say nothing. */

static bool says_nothing(const struct oro_text *out, size_t start, const char *empty)
{
    return !out->failed && strcmp(out->data + start, empty) == 0;
}

static void take_back(struct oro_text *out, size_t start)
{
    out->length = start;
    out->data[start] = '\0';
}

static void write_about(struct oro_text *out, const struct oro_item *item)
{
    size_t start = out->length;
    oro_text_add(out, "  <about");
    if (item->title && *item->title)
        add_attribute(out, "title", item->title);
    add_others(out, &item->other);
    end_leaf(out, "  ", "about", "    ", &item->fragments);
    if (says_nothing(out, start, "  <about/>\n"))
        take_back(out, start);
}

static void write_world(struct oro_text *out, const struct oro_item *item)
{
    static const struct oro_world standard = ORO_WORLD_DEFAULT;
    const struct oro_world *world = &item->world;
    size_t start = out->length;
    oro_text_add(out, "  <world");
    if (world->extent != standard.extent)
        add_number(out, "extent", world->extent);
    if (world->resolution != standard.resolution)
        add_number(out, "resolution", world->resolution);
    if (world->aspect != standard.aspect)
        add_number(out, "aspect", world->aspect);
    if (world->seed != standard.seed)
        oro_text_addf(out, " seed=\"%" PRId64 "\"", world->seed);
    add_others(out, &item->other);
    end_leaf(out, "  ", "world", "    ", &item->fragments);
    if (says_nothing(out, start, "  <world/>\n"))
        take_back(out, start);
}

static void write_port(struct oro_text *out, const struct oro_doc_port *port)
{
    const char *name = port->is_output ? "out" : "in";
    oro_text_addf(out, "    <%s", name);
    if (*port->name)
        add_attribute(out, "name", port->name);
    if (*port->node)
        add_link(out, port->is_output ? "from" : "to", port->node, port->socket);
    if (port->label)
        add_attribute(out, "label", port->label);
    add_others(out, &port->other);
    end_leaf(out, "    ", name, "      ", &port->fragments);
}

static void write_interface(struct oro_text *out, const struct oro_item *item)
{
    size_t start = out->length, next = 0;
    oro_text_add(out, "  <interface");
    add_others(out, &item->other);
    size_t opened = open_children(out);
    for (size_t i = 0; i < item->ports.count; i++) {
        add_fragments(out, &item->fragments, i, &next, "    ");
        write_port(out, &item->ports.items[i]);
    }
    add_fragments(out, &item->fragments, SIZE_MAX, &next, "    ");
    close_element(out, "  ", "interface", opened);
    if (says_nothing(out, start, "  <interface/>\n"))
        take_back(out, start);
}

static bool is_single(const struct oro_doc_node *node, const struct oro_doc_input *input)
{
    size_t count = 0;
    for (size_t i = 0; i < node->input_count; i++)
        count += strcmp(node->inputs[i].name, input->name) == 0;
    return count == 1;
}

static void write_input(struct oro_text *out, const struct oro_doc_input *input, const char *value)
{
    oro_text_add(out, "    <in");
    if (*input->name)
        add_attribute(out, "name", input->name);
    if (value)
        add_attribute(out, "value", value);
    if (input->from_node)
        add_link(out, "from", input->from_node, input->from_output);
    add_others(out, &input->other);
    end_leaf(out, "    ", "in", "      ", &input->fragments);
}

/* A literal of a known input: canonical, and left out when it is the default and the entry says nothing else.
 */
static void write_literal(struct oro_text *out, const struct oro_doc_node *node,
                          const struct oro_doc_input *input, const struct oro_input *socket)
{
    char *value = oro_literal_canonical(socket, input->value), *standard = oro_literal_default(socket);
    if (!value || !standard)
        out->failed = true;
    else if (strcmp(value, standard) != 0 || !oro_input_has_default(socket) || input->other.count > 0 ||
             input->fragments.count > 0 || !is_single(node, input))
        write_input(out, input, value);
    oro_free(value);
    oro_free(standard);
}

/* NULL: a type that this program does not know, or not in this version; its inputs are written as they are.
 */
static const struct oro_node_type *known_type(const struct oro_doc_node *node,
                                              const struct oro_registry *registry)
{
    const struct oro_node_type *type = oro_registry_find(registry, node->type);
    bool same = type && node->version == type->version && !oro_attributes_have(&node->other, "version");
    return same ? type : NULL;
}

static void write_node_tag(struct oro_text *out, const struct oro_doc_node *node)
{
    oro_text_add(out, "  <node");
    if (*node->id)
        add_attribute(out, "id", node->id);
    if (*node->type)
        add_attribute(out, "type", node->type);
    if (node->version != 1)
        add_number_unless(out, &node->other, "version", node->version);
    if (node->x != 0 || node->y != 0) {
        add_number_unless(out, &node->other, "x", node->x);
        add_number_unless(out, &node->other, "y", node->y);
    }
    add_others(out, &node->other);
}

static void write_node(struct oro_text *out, const struct oro_doc_node *node,
                       const struct oro_registry *registry)
{
    const struct oro_node_type *type = known_type(node, registry);
    size_t next = 0;
    write_node_tag(out, node);
    size_t opened = open_children(out);
    for (size_t i = 0; i < node->input_count; i++) {
        const struct oro_doc_input *input = &node->inputs[i];
        const struct oro_input *socket = type && input->value ? oro_type_input(type, input->name) : NULL;
        add_fragments(out, &node->fragments, i, &next, "    ");
        if (socket && oro_input_has_literal(socket))
            write_literal(out, node, input, socket);
        else
            write_input(out, input, input->value);
    }
    add_fragments(out, &node->fragments, SIZE_MAX, &next, "    ");
    close_element(out, "  ", "node", opened);
}

static void write_frame(struct oro_text *out, const struct oro_doc_frame *frame)
{
    oro_text_add(out, "  <frame");
    if (frame->title)
        add_attribute(out, "title", frame->title);
    add_number_unless(out, &frame->other, "x", frame->x);
    add_number_unless(out, &frame->other, "y", frame->y);
    add_number_unless(out, &frame->other, "width", frame->width);
    add_number_unless(out, &frame->other, "height", frame->height);
    add_others(out, &frame->other);
    end_leaf(out, "  ", "frame", "    ", &frame->fragments);
}

static void write_item(struct oro_text *out, const struct oro_item *item, const struct oro_registry *registry)
{
    switch (item->kind) {
    case ORO_ITEM_ABOUT:
        write_about(out, item);
        break;
    case ORO_ITEM_WORLD:
        write_world(out, item);
        break;
    case ORO_ITEM_INTERFACE:
        write_interface(out, item);
        break;
    case ORO_ITEM_NODE:
        write_node(out, &item->node, registry);
        break;
    case ORO_ITEM_FRAME:
        write_frame(out, &item->frame);
        break;
    case ORO_ITEM_FRAGMENT:
        add_fragment(out, "  ", item->text);
        break;
    }
}

/* ---- The document ---- */

static void write_document(struct oro_text *out, const struct oro_document *doc,
                           const struct oro_registry *registry)
{
    size_t next = 0;
    oro_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    add_fragments(out, &doc->head, SIZE_MAX, &next, "");
    oro_text_addf(out, "<orograph xmlns=\"%s\" version=\"%d\"", ORO_XML_NAMESPACE, ORO_DOCUMENT_VERSION);
    add_others(out, &doc->other);
    size_t opened = open_children(out);
    for (size_t i = 0; i < doc->item_count && !out->failed; i++)
        write_item(out, doc->items[i], registry);
    close_element(out, "", "orograph", opened);
    next = 0;
    add_fragments(out, &doc->tail, SIZE_MAX, &next, "");
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
