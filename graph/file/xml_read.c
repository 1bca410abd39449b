/* From an XML tree to a document. Unknown content is kept; what makes no sense is kept and reported. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include <libxml/tree.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "graph/derived/scripts.h"
#include "graph/file/xml_private.h"

struct reader {
    struct oro_document *doc;
    struct oro_problems *problems;
    size_t nodes;  /* including those of groups */
    bool in_group; /* `doc` is a group's body */
    bool refused;  /* a limit was exceeded, which was reported */
};

/* ---- Unknown content ---- */

static bool is_ours(const xmlNode *element, const char *name)
{
    return element->type == XML_ELEMENT_NODE && element->ns &&
           strcmp((const char *)element->ns->href, ORO_XML_NAMESPACE) == 0 &&
           (!name || strcmp((const char *)element->name, name) == 0);
}

/* Elements and attributes of other namespaces are extensions; those without a namespace, or in ours, may be
 * misspelt. */
static void note_unknown(struct reader *reader, const char *code, const char *what, const char *name,
                         int line, const char *const *known)
{
    size_t count = 0;
    while (known[count])
        count++;
    char meant[ORO_NEAR_SIZE];
    const char *nearest = reader->problems->count < 1000 ? oro_suggest(name, known, count) : NULL;
    oro_problem_add(reader->problems, false, code, line, NULL, "unknown %s '%.100s' is kept%s", what, name,
                    oro_did_you_mean(nearest, meant));
}

/* When a fragment is written elsewhere, its names are resolved by the document's declarations around it,
 * except for the default namespace, which is always ours there. So another one must be declared. */
static bool declare_default(xmlNode *element)
{
    for (const xmlNs *ns = element->nsDef; ns; ns = ns->next)
        if (!ns->prefix)
            return true;
    const xmlNs *scope = xmlSearchNs(element->doc, element, NULL);
    const xmlChar *href = scope && scope->href ? scope->href : (const xmlChar *)"";
    return strcmp((const char *)href, ORO_XML_NAMESPACE) == 0 || xmlNewNs(element, href, NULL);
}

static bool is_blank(const xmlNode *node)
{
    return node->type == XML_TEXT_NODE && xmlIsBlankNode(node);
}

static char *trimmed_copy(const char *text, bool trim)
{
    static const char blanks[] = " \t\r\n";
    size_t start = trim ? strspn(text, blanks) : 0, length = strlen(text + start);
    while (trim && length > 0 && strchr(blanks, text[start + length - 1]))
        length--;
    char *copy = oro_alloc(length + 1, 1);
    if (copy)
        memcpy(copy, text + start, length);
    return copy;
}

/* An element that is not part of the format, as XML text that can be written anywhere below the root. */
static char *fragment_text(xmlNode *node)
{
    if (node->type == XML_ELEMENT_NODE && !declare_default(node))
        return NULL;
    xmlBuffer *buffer = xmlBufferCreate();
    char *text = NULL;
    if (buffer && xmlNodeDump(buffer, node->doc, node, 0, 0) >= 0)
        text = trimmed_copy((const char *)xmlBufferContent(buffer), node->type == XML_TEXT_NODE);
    xmlBufferFree(buffer);
    return text;
}

static bool keep_fragment(struct reader *reader, xmlNode *node, size_t at,
                          struct oro_doc_fragments *fragments, const char *const *known)
{
    if (is_blank(node))
        return true;
    if (node->type == XML_ELEMENT_NODE && (!node->ns || is_ours(node, NULL)))
        note_unknown(reader, "unknown-element", "element", (const char *)node->name, oro_xml_line(node),
                     known);
    char *text = fragment_text(node);
    bool ok = text && oro_fragments_add(fragments, text, at);
    oro_free(text);
    return ok;
}

static const char *const no_names[] = {NULL};

/* Keeps the children of an element that has no known children. */
static bool keep_children(struct reader *reader, const xmlNode *element, struct oro_doc_fragments *fragments)
{
    for (xmlNode *child = element->children; child; child = child->next)
        if (!keep_fragment(reader, child, 0, fragments, no_names))
            return false;
    return true;
}

/* ---- Attributes ---- */

enum { NAMES_MAX = 13 };

/* The values of an element's known attributes, in the order of `names`. */
struct attributes {
    const char *const *names;
    char *values[NAMES_MAX];
};

static void free_attributes(struct attributes *attributes)
{
    for (size_t i = 0; i < NAMES_MAX; i++)
        oro_free(attributes->values[i]);
}

static bool keep_named(struct oro_doc_attributes *other, const char *prefix, const char *name,
                       const char *value)
{
    struct oro_text full = {0};
    oro_text_addf(&full, "%s%s%s", prefix, *prefix ? ":" : "", name);
    bool ok = !full.failed && oro_attributes_add(other, full.data, value);
    oro_text_free(&full);
    return ok;
}

static bool take_attribute(struct reader *reader, const xmlAttr *attribute, struct attributes *attributes,
                           struct oro_doc_attributes *other)
{
    const char *name = (const char *)attribute->name;
    xmlChar *value = xmlNodeListGetString(attribute->doc, attribute->children, 1);
    const char *text = value ? (const char *)value : "";
    size_t i = 0;
    while (attributes->names[i] && strcmp(attributes->names[i], name) != 0)
        i++;
    bool ok;
    if (attribute->ns || !attributes->names[i]) {
        const char *prefix =
            attribute->ns && attribute->ns->prefix ? (const char *)attribute->ns->prefix : "";
        if (!attribute->ns)
            note_unknown(reader, "unknown-attribute", "attribute", name, oro_xml_line(attribute->parent),
                         attributes->names);
        ok = keep_named(other, prefix, name, text);
    } else {
        ok = oro_set_text(&attributes->values[i], text);
    }
    xmlFree(value);
    return ok;
}

/* libxml2 has no entities to substitute, and leaves "&amp;" in namespace names as "&#38;". */
static bool keep_namespace(struct oro_doc_attributes *other, const char *prefix, const char *name)
{
    static const char escaped[] = "&#38;";
    struct oro_text plain = {0};
    for (const char *found; (found = strstr(name, escaped)) != NULL; name = found + sizeof escaped - 1)
        oro_text_add_bytes(&plain, name, (size_t)(found - name) + 1);
    oro_text_add(&plain, name);
    bool ok = !plain.failed && keep_named(other, "xmlns", prefix, plain.data);
    oro_text_free(&plain);
    return ok;
}

/* Namespace declarations stay with their element, except the default one, which the writer adds. */
static bool take_attributes(struct reader *reader, const xmlNode *element, struct attributes *attributes,
                            struct oro_doc_attributes *other)
{
    for (const xmlNs *ns = element->nsDef; ns; ns = ns->next)
        if (ns->prefix && !keep_namespace(other, (const char *)ns->prefix, (const char *)ns->href))
            return false;
    for (const xmlAttr *attribute = element->properties; attribute; attribute = attribute->next)
        if (!take_attribute(reader, attribute, attributes, other))
            return false;
    return true;
}

/* A text that is not a number is kept among the other attributes, where oro_check_form finds it. */
static bool keep_wrong(const struct attributes *attributes, size_t index, struct oro_doc_attributes *other)
{
    return oro_attributes_add(other, attributes->names[index], attributes->values[index]);
}

static bool take_number(const struct attributes *attributes, size_t index, double *number,
                        struct oro_doc_attributes *other)
{
    const char *text = attributes->values[index];
    return !text || oro_parse_number(text, number) || keep_wrong(attributes, index, other);
}

static bool take_int(const struct attributes *attributes, size_t index, int least, int *number,
                     struct oro_doc_attributes *other)
{
    const char *text = attributes->values[index];
    double value;
    if (!text)
        return true;
    if (!oro_parse_number(text, &value) || value != floor(value) || value < least || value > INT_MAX)
        return keep_wrong(attributes, index, other);
    *number = (int)value;
    return true;
}

static bool take_bool(const struct attributes *attributes, size_t index, bool *value,
                      struct oro_doc_attributes *other)
{
    const char *text = attributes->values[index];
    if (!text)
        return true;
    *value = strcmp(text, "true") == 0;
    return *value || strcmp(text, "false") == 0 || keep_wrong(attributes, index, other);
}

static bool parse_long(const char *text, int64_t *number)
{
    double value;
    size_t sign = *text == '-' || *text == '+', digits = strspn(text + sign, "0123456789");
    if (digits == 0 || text[sign + digits] || digits > 300) {
        if (!oro_parse_number(text, &value) || value != floor(value) || fabs(value) > 9007199254740992.0)
            return false;
        *number = (int64_t)value;
        return true;
    }
    int64_t sum = 0; /* negative, because negative integers have the larger range */
    for (const char *s = text + sign; *s; s++) {
        int digit = *s - '0';
        if (sum < (INT64_MIN + digit) / 10)
            return false;
        sum = sum * 10 - digit;
    }
    if (*text != '-' && sum == INT64_MIN)
        return false;
    *number = *text == '-' ? sum : -sum;
    return true;
}

static bool take_long(const struct attributes *attributes, size_t index, int64_t *number,
                      struct oro_doc_attributes *other)
{
    const char *text = attributes->values[index];
    return !text || parse_long(text, number) || keep_wrong(attributes, index, other);
}

/* Reads "node.socket". A text of another form is kept aside. */
static bool take_link(const struct attributes *attributes, size_t index, char **node, char **socket,
                      struct oro_doc_attributes *other)
{
    const char *text = attributes->values[index], *dot = text ? strchr(text, '.') : NULL;
    if (!text)
        return true;
    if (!dot || dot == text || !dot[1])
        return keep_wrong(attributes, index, other);
    char *id = oro_alloc((size_t)(dot - text) + 1, 1);
    if (!id)
        return false;
    memcpy(id, text, (size_t)(dot - text));
    oro_free(*node);
    *node = id;
    return oro_set_text(socket, dot + 1);
}

/* Moves a known attribute's text to the document. */
static void move_text(struct attributes *attributes, size_t index, char **text)
{
    oro_free(*text);
    *text = attributes->values[index];
    attributes->values[index] = NULL;
}

static bool move_or_empty(struct attributes *attributes, size_t index, char **text)
{
    move_text(attributes, index, text);
    return *text || oro_set_text(text, "");
}

/* ---- Elements ---- Each function fills the item that it is given; false: memory is out, or a limit was
 * exceeded. */

static bool refuse(struct reader *reader, int line, const char *what, int limit)
{
    oro_problem_add(reader->problems, true, "limit", line, NULL, "more than %d %s", limit, what);
    reader->refused = true;
    return false;
}

static bool read_about(struct reader *reader, const xmlNode *element, struct oro_item *item)
{
    static const char *const names[] = {"title", "category", "doc", "words", NULL};
    struct attributes attributes = {names, {NULL}};
    bool ok = take_attributes(reader, element, &attributes, &item->other) &&
              keep_children(reader, element, &item->fragments);
    move_text(&attributes, 0, &item->about.title);
    move_text(&attributes, 1, &item->about.category);
    move_text(&attributes, 2, &item->about.doc);
    move_text(&attributes, 3, &item->about.words);
    free_attributes(&attributes);
    return ok;
}

/* Reads "west north". A text of another form is kept aside. */
static bool take_origin(const struct attributes *attributes, size_t index, struct oro_world *world,
                        struct oro_doc_attributes *other)
{
    const char *text = attributes->values[index];
    char west[64], north[64], more;
    if (!text)
        return true;
    if (sscanf(text, "%63s %63s %c", west, north, &more) == 2 && oro_parse_number(west, &world->west) &&
        oro_parse_number(north, &world->north))
        return true;
    world->west = world->north = 0;
    return keep_wrong(attributes, index, other);
}

/* Moves "=expression" to the world, so that it is no number. */
static bool take_expression(struct attributes *attributes, size_t index, char **expr)
{
    char *text = attributes->values[index];
    bool ok = !text || *text != '=' || oro_set_text(expr, text + 1);
    if (*expr) {
        oro_free(text);
        attributes->values[index] = NULL;
    }
    return ok;
}

static bool read_world(struct reader *reader, const xmlNode *element, struct oro_item *item)
{
    enum { SEED = ORO_WORLD_NUMBERS, CRS, ORIGIN, FROM };
    static const char *const names[] = {[ORO_WORLD_EXTENT] = "extent",
                                        [ORO_WORLD_RESOLUTION] = "resolution",
                                        [ORO_WORLD_ASPECT] = "aspect",
                                        [ORO_WORLD_SEA] = "sea",
                                        [SEED] = "seed",
                                        [CRS] = "crs",
                                        [ORIGIN] = "origin",
                                        [FROM] = "from",
                                        NULL};
    struct attributes attributes = {names, {NULL}};
    struct oro_world *world = &item->world;
    bool ok = take_attributes(reader, element, &attributes, &item->other);
    for (int i = 0; ok && i < ORO_WORLD_NUMBERS; i++)
        ok = take_expression(&attributes, (size_t)i, &world->exprs[i]);
    const char *sea = attributes.values[ORO_WORLD_SEA];
    world->has_sea = ok && (world->exprs[ORO_WORLD_SEA] || (sea && oro_parse_number(sea, &world->sea)));
    ok = ok && take_number(&attributes, ORO_WORLD_EXTENT, &world->extent, &item->other) &&
         take_int(&attributes, ORO_WORLD_RESOLUTION, INT_MIN, &world->resolution, &item->other) &&
         take_number(&attributes, ORO_WORLD_ASPECT, &world->aspect, &item->other) &&
         take_number(&attributes, ORO_WORLD_SEA, &world->sea, &item->other) &&
         take_long(&attributes, SEED, &world->seed, &item->other) &&
         take_origin(&attributes, ORIGIN, world, &item->other) &&
         keep_children(reader, element, &item->fragments);
    move_text(&attributes, CRS, &world->crs);
    move_text(&attributes, FROM, &world->from);
    free_attributes(&attributes);
    return ok;
}

static bool read_build(struct reader *reader, const xmlNode *element, struct oro_item *item)
{
    static const char *const names[] = {"name", "resolution", "for", "outputs", NULL};
    struct attributes attributes = {names, {NULL}};
    struct oro_doc_build *build = &item->build;
    build->line = oro_xml_line(element);
    bool ok = take_attributes(reader, element, &attributes, &build->other) &&
              move_or_empty(&attributes, 0, &build->name) &&
              keep_children(reader, element, &build->fragments);
    move_text(&attributes, 1, &build->resolution);
    move_text(&attributes, 2, &build->engine);
    move_text(&attributes, 3, &build->outputs);
    free_attributes(&attributes);
    return ok;
}

static bool read_variable(struct reader *reader, const xmlNode *element, struct oro_item *item)
{
    static const char *const names[] = {"name", "value", "expr", "unit", "label", "doc", NULL};
    struct attributes attributes = {names, {NULL}};
    struct oro_doc_variable *variable = &item->variable;
    variable->line = oro_xml_line(element);
    bool ok = take_attributes(reader, element, &attributes, &variable->other) &&
              move_or_empty(&attributes, 0, &variable->name) &&
              keep_children(reader, element, &variable->fragments);
    if (ok && attributes.values[1] && attributes.values[2])
        ok = keep_wrong(&attributes, 2, &variable->other); /* the value takes precedence */
    else
        move_text(&attributes, 2, &variable->expr);
    move_text(&attributes, 1, &variable->value);
    move_text(&attributes, 3, &variable->unit);
    move_text(&attributes, 4, &variable->label);
    move_text(&attributes, 5, &variable->doc);
    free_attributes(&attributes);
    return ok;
}

/* An input may also lead to a variable, whose name has no dot. */
static bool take_target(const struct attributes *attributes, struct oro_doc_port *port)
{
    const char *text = attributes->values[1];
    if (!port->is_output && text && oro_is_identifier(text))
        return oro_set_text(&port->socket, text);
    return take_link(attributes, 1, &port->node, &port->socket, &port->other);
}

static bool read_port(struct reader *reader, const xmlNode *element, bool is_output,
                      struct oro_doc_port *port)
{
    const char *names[NAMES_MAX] = {"name", is_output ? "from" : "to"};
    struct attributes attributes = {names, {NULL}};
    for (int i = 0; i < ORO_PORT_TEXTS; i++)
        names[2 + i] = oro_port_text_names[i];
    port->is_output = is_output;
    port->line = oro_xml_line(element);
    bool ok = take_attributes(reader, element, &attributes, &port->other) && oro_set_text(&port->node, "") &&
              oro_set_text(&port->socket, "") && take_target(&attributes, port) &&
              move_or_empty(&attributes, 0, &port->name) && keep_children(reader, element, &port->fragments);
    for (size_t i = 0; i < ORO_PORT_TEXTS; i++)
        move_text(&attributes, 2 + i, &port->texts[i]);
    free_attributes(&attributes);
    return ok;
}

static bool read_ports(struct reader *reader, const xmlNode *element, struct oro_item *item)
{
    static const char *const children[] = {"in", "out", NULL};
    for (xmlNode *child = element->children; child; child = child->next) {
        bool is_output = is_ours(child, "out");
        if (!is_output && !is_ours(child, "in")) {
            if (!keep_fragment(reader, child, item->ports.count, &item->fragments, children))
                return false;
            continue;
        }
        if (item->ports.count >= ORO_DOCUMENT_PORTS_MAX)
            return refuse(reader, oro_xml_line(child), "interface entries", ORO_DOCUMENT_PORTS_MAX);
        struct oro_doc_port *port = oro_item_add_port(item);
        if (!port || !read_port(reader, child, is_output, port))
            return false;
    }
    return true;
}

static bool read_interface(struct reader *reader, const xmlNode *element, struct oro_item *item)
{
    static const char *const names[] = {"version", NULL};
    struct attributes attributes = {names, {NULL}};
    bool ok = take_attributes(reader, element, &attributes, &item->other) &&
              take_int(&attributes, 0, 1, &item->ports.version, &item->other) &&
              read_ports(reader, element, item);
    free_attributes(&attributes);
    return ok;
}

/* A link takes precedence over a value, and a value over an expression; the others are kept aside. */
static bool take_content(struct attributes *attributes, struct oro_doc_input *input)
{
    enum { VALUE = 1, EXPR, FROM };
    if (!take_link(attributes, FROM, &input->from_node, &input->from_output, &input->other))
        return false;
    bool has_value = attributes->values[VALUE], has_expr = attributes->values[EXPR];
    if (has_value && input->from_node && !keep_wrong(attributes, VALUE, &input->other))
        return false;
    if (has_expr && (input->from_node || has_value) && !keep_wrong(attributes, EXPR, &input->other))
        return false;
    if (!input->from_node)
        move_text(attributes, has_value ? VALUE : EXPR, has_value ? &input->value : &input->expr);
    return true;
}

static bool read_input(struct reader *reader, const xmlNode *element, struct oro_doc_input *input)
{
    static const char *const names[] = {"name", "value", "expr", "from", NULL};
    struct attributes attributes = {names, {NULL}};
    input->line = oro_xml_line(element);
    bool ok = take_attributes(reader, element, &attributes, &input->other) &&
              move_or_empty(&attributes, 0, &input->name) && take_content(&attributes, input) &&
              keep_children(reader, element, &input->fragments);
    free_attributes(&attributes);
    return ok;
}

/* Whether this is the first element named `script` with only text, in a node that has its script within the
 * document. */
static bool is_script(const struct oro_doc_node *node, const xmlNode *child)
{
    if (strcmp(node->type, ORO_INLINE_TYPE) != 0 || node->script || !is_ours(child, "script") ||
        child->properties || child->nsDef)
        return false;
    for (const xmlNode *part = child->children; part; part = part->next)
        if (part->type != XML_TEXT_NODE && part->type != XML_CDATA_SECTION_NODE)
            return false;
    return true;
}

static bool read_script(const xmlNode *element, struct oro_doc_node *node)
{
    xmlChar *text = xmlNodeGetContent(element);
    node->script_line = oro_xml_line(element);
    bool ok = text && oro_set_text(&node->script, (const char *)text);
    xmlFree(text);
    return ok;
}

static bool read_inputs(struct reader *reader, const xmlNode *element, struct oro_item *item)
{
    static const char *const children[] = {"in", NULL};
    struct oro_doc_node *node = &item->node;
    for (xmlNode *child = element->children; child; child = child->next) {
        if (is_script(node, child)) {
            if (!read_script(child, node))
                return false;
            continue;
        }
        if (!is_ours(child, "in")) {
            if (!keep_fragment(reader, child, node->input_count, &node->fragments, children))
                return false;
            continue;
        }
        if (node->input_count >= ORO_DOCUMENT_INPUTS_MAX)
            return refuse(reader, oro_xml_line(child), "inputs of one node", ORO_DOCUMENT_INPUTS_MAX);
        struct oro_doc_input *input = oro_item_add_input(item);
        if (!input || !read_input(reader, child, input))
            return false;
    }
    return true;
}

static bool read_node(struct reader *reader, const xmlNode *element, struct oro_item *item)
{
    static const char *const names[] = {"id", "type", "href", "version", "x", "y", "mute", "collapsed", NULL};
    struct attributes attributes = {names, {NULL}};
    struct oro_doc_node *node = &item->node;
    node->line = oro_xml_line(element);
    bool ok = take_attributes(reader, element, &attributes, &node->other) &&
              move_or_empty(&attributes, 0, &node->id) && move_or_empty(&attributes, 1, &node->type) &&
              take_int(&attributes, 3, 1, &node->version, &node->other) &&
              take_number(&attributes, 4, &node->x, &node->other) &&
              take_number(&attributes, 5, &node->y, &node->other) &&
              take_bool(&attributes, 6, &node->mute, &node->other) &&
              take_bool(&attributes, 7, &node->collapsed, &node->other) && read_inputs(reader, element, item);
    move_text(&attributes, 2, &node->href);
    free_attributes(&attributes);
    return ok;
}

static bool read_frame(struct reader *reader, const xmlNode *element, struct oro_item *item)
{
    static const char *const names[] = {"title", "x", "y", "width", "height", NULL};
    struct attributes attributes = {names, {NULL}};
    struct oro_doc_frame *frame = &item->frame;
    frame->line = oro_xml_line(element);
    bool ok = take_attributes(reader, element, &attributes, &frame->other) &&
              take_number(&attributes, 1, &frame->x, &frame->other) &&
              take_number(&attributes, 2, &frame->y, &frame->other) &&
              take_number(&attributes, 3, &frame->width, &frame->other) &&
              take_number(&attributes, 4, &frame->height, &frame->other) &&
              keep_children(reader, element, &frame->fragments);
    move_text(&attributes, 0, &frame->title);
    free_attributes(&attributes);
    return ok;
}

/* ---- The document ---- */

static const char *const element_names[] = {"about", "world", "variable", "interface", "group",
                                            "node",  "frame", "build",    NULL};

static bool read_group(struct reader *reader, const xmlNode *element, struct oro_item *item);

/* In the order of enum oro_item_kind. */
static bool (*const read_element[])(struct reader *, const xmlNode *, struct oro_item *) = {
    read_about, read_world, read_variable, read_interface, read_group, read_node, read_frame, read_build,
};

/* A group has no groups and no builds of its own: one within a group is kept as text. */
static enum oro_item_kind kind_of(const struct reader *reader, const xmlNode *child)
{
    for (int kind = ORO_ITEM_ABOUT; kind < ORO_ITEM_FRAGMENT; kind++)
        if (is_ours(child, element_names[kind]) &&
            !((kind == ORO_ITEM_GROUP || kind == ORO_ITEM_BUILD) && reader->in_group))
            return (enum oro_item_kind)kind;
    return ORO_ITEM_FRAGMENT;
}

/* About, world and interface occur once; further ones are kept as text. */
static bool is_repeated(struct reader *reader, const xmlNode *child, enum oro_item_kind kind)
{
    const struct oro_document *doc = reader->doc;
    bool repeated = (kind == ORO_ITEM_ABOUT && doc->about) || (kind == ORO_ITEM_WORLD && doc->world) ||
                    (kind == ORO_ITEM_INTERFACE && doc->interface);
    if (repeated)
        oro_problem_add(reader->problems, true, "repeated-element", oro_xml_line(child), NULL,
                        "there is a second <%s>; the first counts", element_names[kind]);
    if (reader->in_group && is_ours(child, "group"))
        oro_problem_add(reader->problems, true, "nested-group", oro_xml_line(child), NULL,
                        "a group cannot hold a group: define it beside this one, and use it here");
    return repeated || (reader->in_group && is_ours(child, "group"));
}

static bool read_fragment(struct reader *reader, xmlNode *child, bool reported, struct oro_item *item)
{
    if (!reported && child->type == XML_ELEMENT_NODE && (!child->ns || is_ours(child, NULL)))
        note_unknown(reader, "unknown-element", "element", (const char *)child->name, oro_xml_line(child),
                     element_names);
    item->text = fragment_text(child);
    return item->text;
}

static bool read_child(struct reader *reader, xmlNode *child)
{
    enum oro_item_kind kind = kind_of(reader, child);
    bool repeated = is_repeated(reader, child, kind);
    if (kind == ORO_ITEM_NODE && ++reader->nodes > ORO_DOCUMENT_NODES_MAX)
        return refuse(reader, oro_xml_line(child), "nodes", ORO_DOCUMENT_NODES_MAX);
    if (kind == ORO_ITEM_VARIABLE && reader->doc->variable_count >= ORO_DOCUMENT_VARIABLES_MAX)
        return refuse(reader, oro_xml_line(child), "variables", ORO_DOCUMENT_VARIABLES_MAX);
    if (kind == ORO_ITEM_GROUP && reader->doc->group_count >= ORO_DOCUMENT_GROUPS_MAX)
        return refuse(reader, oro_xml_line(child), "groups", ORO_DOCUMENT_GROUPS_MAX);
    if (kind == ORO_ITEM_BUILD && reader->doc->build_count >= ORO_DOCUMENT_BUILDS_MAX)
        return refuse(reader, oro_xml_line(child), "builds", ORO_DOCUMENT_BUILDS_MAX);
    struct oro_item *item = oro_item_create(repeated ? ORO_ITEM_FRAGMENT : kind);
    if (!item || !oro_document_reserve(reader->doc, 1)) {
        oro_item_destroy(item);
        return false;
    }
    item->line = oro_xml_line(child);
    bool ok = item->kind == ORO_ITEM_FRAGMENT ? read_fragment(reader, child, repeated, item)
                                              : read_element[kind](reader, child, item);
    if (!ok) {
        oro_item_destroy(item);
        return false;
    }
    oro_document_append(reader->doc, item);
    return true;
}

static bool read_children(struct reader *reader, const xmlNode *element)
{
    bool ok = true;
    for (xmlNode *child = element->children; child && ok; child = child->next)
        ok = is_blank(child) || read_child(reader, child);
    return ok;
}

static bool read_group(struct reader *reader, const xmlNode *element, struct oro_item *item)
{
    static const char *const names[] = {"name", NULL};
    struct attributes attributes = {names, {NULL}};
    struct oro_doc_group *group = &item->group;
    struct oro_document *whole = reader->doc;
    group->line = oro_xml_line(element);
    group->body = oro_document_create();
    bool ok = group->body && oro_document_set_path(group->body, whole->path) &&
              take_attributes(reader, element, &attributes, &group->body->other) &&
              move_or_empty(&attributes, 0, &group->name);
    free_attributes(&attributes);
    reader->doc = group->body;
    reader->in_group = true;
    ok = ok && read_children(reader, element);
    reader->in_group = false;
    reader->doc = whole;
    return ok;
}

static bool read_root(struct reader *reader, const xmlNode *root)
{
    static const char *const names[] = {"version", NULL};
    struct attributes attributes = {names, {NULL}};
    bool ok = take_attributes(reader, root, &attributes, &reader->doc->other);
    free_attributes(&attributes);
    return ok && read_children(reader, root);
}

/* Reads comments and processing instructions before and after the root element. */
static bool read_surroundings(struct reader *reader, const xmlNode *root)
{
    struct oro_doc_fragments *fragments = &reader->doc->head;
    for (xmlNode *node = root->doc->children; node; node = node->next) {
        if (node == root)
            fragments = &reader->doc->tail;
        else if (!keep_fragment(reader, node, 0, fragments, no_names))
            return false;
    }
    return true;
}

static bool is_orograph(const xmlNode *root, struct oro_problems *problems)
{
    if (is_ours(root, "orograph"))
        return true;
    oro_problem_add(problems, true, "not-orograph", oro_xml_line(root), NULL,
                    "the root element is <%.60s>, not <orograph xmlns=\"" ORO_XML_NAMESPACE "\">",
                    (const char *)root->name);
    return false;
}

static struct oro_document *read_tree(const xmlNode *root, const char *path,
                                      const struct oro_registry *registry, struct oro_problems *problems)
{
    struct reader reader = {.doc = oro_document_create(), .problems = problems};
    if (reader.doc && oro_document_set_path(reader.doc, path) && read_surroundings(&reader, root) &&
        read_root(&reader, root) && oro_migrate_types(reader.doc, registry, problems)) {
        oro_check_form(reader.doc, problems);
        return reader.doc;
    }
    if (!reader.refused)
        oro_problem_add(problems, true, "memory", 0, NULL, "no memory to read the document");
    oro_document_destroy(reader.doc);
    return NULL;
}

struct oro_document *oro_document_parse_with(const char *text, size_t size, const char *path,
                                             const struct oro_registry *registry,
                                             const struct oro_document_migrations *migrations,
                                             struct oro_problems *problems)
{
    struct oro_document *doc = NULL;
    bool starved;
    oro_xml_begin(&starved);
    xmlDoc *tree = oro_xml_parse(text, size, &starved, problems);
    xmlNode *root = tree ? xmlDocGetRootElement(tree) : NULL;
    if (root && is_orograph(root, problems) && oro_migrate_tree(root, migrations, problems))
        doc = read_tree(root, path, registry, problems);
    xmlFreeDoc(tree);
    oro_xml_end();
    if (starved) {
        oro_problem_add(problems, true, "memory", 0, NULL, "no memory to read the document");
        oro_document_destroy(doc);
        doc = NULL;
    }
    oro_problems_sort(problems);
    return doc;
}

struct oro_document *oro_document_parse(const char *text, size_t size, const char *path,
                                        const struct oro_registry *registry, struct oro_problems *problems)
{
    return oro_document_parse_with(text, size, path, registry, &oro_document_migrations, problems);
}

struct oro_document *oro_document_read(const char *path, const struct oro_registry *registry,
                                       struct oro_problems *problems)
{
    return oro_document_read_from(path, path, registry, problems);
}

struct oro_document *oro_document_read_from(const char *file, const char *path,
                                            const struct oro_registry *registry,
                                            struct oro_problems *problems)
{
    void *text = NULL;
    size_t size = 0;
    struct oro_error err = {0};
    if (!oro_file_read(file, ORO_DOCUMENT_BYTES_MAX, &text, &size, &err)) {
        oro_problem_add(problems, true, err.code == ORO_E_MEMORY ? "memory" : "unreadable", 0, NULL, "%s",
                        err.text);
        return NULL;
    }
    struct oro_document *doc = oro_document_parse(text, size, path, registry, problems);
    oro_free(text);
    return doc;
}
