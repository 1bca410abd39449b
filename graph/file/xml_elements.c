/* From the XML that would be written to elements. */
#include <string.h>

#include <libxml/tree.h>

#include "graph/file/elements_private.h"
#include "graph/file/xml_private.h"

struct builder {
    const struct oro_registry *registry;
    struct oro_arena *arena;
};

/* ---- Names ---- */

/* The elements that the format knows below another one. */
static bool is_known(const struct oro_element *parent, const char *tag)
{
    static const char *const items[] = {"about", "world", "variable", "interface", "group", "node", "frame"};
    if (strcmp(parent->tag, "node") == 0)
        return strcmp(tag, "in") == 0;
    if (strcmp(parent->tag, "interface") == 0)
        return strcmp(tag, "in") == 0 || strcmp(tag, "out") == 0;
    bool in_group = strcmp(parent->tag, "group") == 0;
    if (!in_group && strcmp(parent->tag, "orograph") != 0)
        return false;
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        if (strcmp(tag, items[i]) == 0)
            return !in_group || strcmp(tag, "group") != 0;
    return false;
}

static const char *name_of(const struct oro_element *element)
{
    const char *attribute = strcmp(element->tag, "node") == 0    ? "id"
                            : strcmp(element->tag, "frame") == 0 ? "title"
                                                                 : "name";
    const char *name = oro_element_text(element, attribute);
    return name ? name : "";
}

/* One of several inputs of the interface that have one name is known by where it leads. */
static bool leads_elsewhere(const struct oro_element *interface, const struct oro_element *port)
{
    for (size_t i = 0; i < interface->child_count && interface->children[i] != port; i++)
        if (strcmp(interface->children[i]->tag, "in") == 0 &&
            strcmp(interface->children[i]->name, port->name) == 0)
            return true;
    return false;
}

static const char *key_of(const struct builder *builder, const struct oro_element *parent,
                          const struct oro_element *element)
{
    const char *to = oro_element_text(element, "to");
    bool port = strcmp(parent->tag, "interface") == 0 && strcmp(element->tag, "in") == 0;
    if (port && to && leads_elsewhere(parent, element))
        return oro_arena_textf(builder->arena, "in %s to %s", element->name, to);
    return oro_arena_textf(builder->arena, "%s %s", element->tag, element->name);
}

/* ---- Content ---- */

static const char *slot_of(const struct oro_element *parent, const struct oro_element *element,
                           const char *name)
{
    bool content = strcmp(name, "value") == 0 || strcmp(name, "expr") == 0 || strcmp(name, "from") == 0;
    bool holds = strcmp(element->tag, "variable") == 0 ||
                 (strcmp(element->tag, "in") == 0 && strcmp(parent->tag, "node") == 0);
    return content && holds && !oro_element_slot(element, ORO_SLOT_CONTENT) ? ORO_SLOT_CONTENT : name;
}

static bool add_attributes(const struct builder *builder, const xmlNode *from,
                           const struct oro_element *parent, struct oro_element *element)
{
    struct oro_doc_attributes all = {0};
    bool ok = oro_xml_attributes(from, &all);
    element->attributes = oro_arena_alloc(builder->arena, all.count + 1, sizeof *element->attributes);
    for (size_t i = 0; ok && element->attributes && i < all.count; i++) {
        struct oro_attribute *added = &element->attributes[i];
        added->name = oro_arena_text(builder->arena, all.items[i].name);
        added->text = oro_arena_text(builder->arena, all.items[i].value);
        ok = added->name && added->text;
        if (ok) {
            added->slot = slot_of(parent, element, added->name);
            element->attribute_count++;
        }
    }
    oro_attributes_free(&all);
    return ok && element->attributes;
}

/* A comment is known by its text, an element by its name. */
static bool fill_fragment(const struct builder *builder, xmlNode *from, struct oro_element *element)
{
    char *text = oro_xml_fragment_text(from);
    element->attributes = oro_arena_alloc(builder->arena, 1, sizeof *element->attributes);
    if (text && element->attributes) {
        const char *kept = oro_arena_text(builder->arena, text);
        int length = (int)(from->type == XML_ELEMENT_NODE ? strcspn(text, " \t\r\n/>") : strlen(text));
        element->attributes[0] = (struct oro_attribute){"text", "text", kept};
        element->attribute_count = kept ? 1 : 0;
        element->name = "";
        element->key = oro_arena_textf(builder->arena, " %.*s", length, text);
    }
    oro_free(text);
    return element->attribute_count == 1 && element->key;
}

static bool fill_children(const struct builder *builder, const xmlNode *from, struct oro_element *element);

static bool fill_element(const struct builder *builder, xmlNode *from, struct oro_element *parent,
                         struct oro_element *element)
{
    bool ours = from->type == XML_ELEMENT_NODE && from->ns &&
                strcmp((const char *)from->ns->href, ORO_XML_NAMESPACE) == 0;
    const char *tag = from->type == XML_ELEMENT_NODE ? (const char *)from->name : "";
    bool root = !parent->parent && ours;
    element->parent = parent;
    element->tag = "";
    if (!root && !(ours && is_known(parent, tag)))
        return fill_fragment(builder, from, element);
    element->tag = oro_arena_text(builder->arena, tag);
    if (!element->tag || !add_attributes(builder, from, parent, element))
        return false;
    element->name = name_of(element);
    element->key = key_of(builder, parent, element);
    const char *type = oro_element_text(parent, "type");
    element->loose =
        strcmp(parent->tag, "node") == 0 && (!type || !oro_registry_find(builder->registry, type));
    return element->key && fill_children(builder, from, element);
}

/* The namespace of the root is not among its attributes. */
static bool add_namespace(const struct builder *builder, struct oro_element *element)
{
    size_t size = sizeof *element->attributes;
    struct oro_attribute *all = oro_arena_alloc(builder->arena, element->attribute_count + 1, size);
    if (!all)
        return false;
    all[0] = (struct oro_attribute){"xmlns", "xmlns", ORO_XML_NAMESPACE};
    memcpy(all + 1, element->attributes, element->attribute_count * size);
    element->attributes = all;
    element->attribute_count++;
    return true;
}

static bool fill_children(const struct builder *builder, const xmlNode *from, struct oro_element *element)
{
    size_t count = 0;
    for (const xmlNode *child = from->children; child; child = child->next)
        count++;
    element->children = oro_arena_alloc(builder->arena, count + 1, sizeof *element->children);
    for (xmlNode *child = from->children; element->children && child; child = child->next) {
        if (child->type == XML_TEXT_NODE && xmlIsBlankNode(child))
            continue;
        struct oro_element *added = oro_arena_alloc(builder->arena, 1, sizeof *added);
        if (!added || !fill_element(builder, child, element, added))
            return false;
        if (!element->parent && *added->tag && !add_namespace(builder, added))
            return false;
        element->children[element->child_count++] = added;
    }
    return element->children && oro_element_index(element, builder->arena);
}

struct oro_element *oro_elements_read(const struct oro_document *doc, const struct oro_registry *registry,
                                      struct oro_arena *arena, struct oro_error *err)
{
    const struct builder builder = {registry, arena};
    struct oro_problems problems = {0};
    char *text = NULL;
    size_t size = 0;
    if (!oro_document_format(doc, registry, &text, &size, err))
        return NULL;
    xmlDoc *tree = oro_xml_parse(text, size, &problems);
    struct oro_element *root = tree ? oro_arena_alloc(arena, 1, sizeof *root) : NULL;
    if (root)
        *root = (struct oro_element){.tag = "", .name = "", .key = ""};
    bool ok = root && fill_children(&builder, (const xmlNode *)tree, root);
    if (!ok && !tree && problems.count > 0)
        oro_fail(err, ORO_E_LIMIT, "%s", problems.items[0].text);
    else if (!ok)
        oro_fail(err, ORO_E_MEMORY, "no memory to compare documents");
    xmlFreeDoc(tree);
    oro_problems_free(&problems);
    oro_free(text);
    return ok ? root : NULL;
}
