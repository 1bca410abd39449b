/* What users read about elements. */
#include <string.h>

#include "graph/file/elements_private.h"
#include "graph/type/literal.h"

const char *oro_keep_words(struct oro_words *words, struct oro_text *text)
{
    const char *kept = text->failed ? NULL : oro_arena_text(words->arena, text->data ? text->data : "");
    words->failed = words->failed || !kept;
    oro_text_free(text);
    return kept;
}

/* As it is where it is one plain word; else in quotation marks, so that a value cannot be taken for a link.
 */
void oro_add_quoted(struct oro_text *out, const char *text)
{
    static const char special[] = "\"\\\n\r\t", letters[] = "\"\\nrt";
    if (*text && text[strcspn(text, " ,=\"\\\n\r\t")] == '\0') {
        oro_text_add(out, text);
        return;
    }
    oro_text_add(out, "\"");
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        if (found)
            oro_text_addf(out, "\\%c", letters[found - special]);
        else
            oro_text_add_bytes(out, text, 1);
    }
    oro_text_add(out, "\"");
}

static void add_content(struct oro_text *out, const struct oro_element *element,
                        const struct oro_attribute *attribute)
{
    bool content = strcmp(attribute->slot, ORO_SLOT_CONTENT) == 0;
    bool leads = oro_element_is(element, "in") || oro_element_is(element, "out");
    if (content && strcmp(attribute->name, "expr") == 0)
        oro_text_add(out, "expr ");
    if (leads && strcmp(attribute->name, "from") == 0)
        oro_text_addf(out, "from %s", attribute->text);
    else
        oro_add_quoted(out, attribute->text);
}

/* Of world and node, which have defaults of their own. */
static const char *default_of(const struct oro_element *element, const char *name,
                              char number[ORO_NUMBER_SIZE])
{
    static const struct oro_world world = ORO_WORLD_DEFAULT;
    if (oro_element_is(element, "world")) {
        const struct {
            const char *name;
            double value;
        } known[] = {{"extent", world.extent},
                     {"resolution", world.resolution},
                     {"aspect", world.aspect},
                     {"seed", (double)world.seed}};
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (strcmp(known[i].name, name) == 0)
                return oro_format_number(known[i].value, number);
    }
    bool versioned = oro_element_is(element, "node") || oro_element_is(element, "interface");
    if (oro_element_is(element, "node") && strcmp(name, "mute") == 0)
        return "false";
    return versioned && strcmp(name, "version") == 0 ? "1" : NULL;
}

/* What holds where an input is not listed. */
static void add_input_default(struct oro_words *words, struct oro_text *out, const struct oro_element *node,
                              const char *name)
{
    const char *id = oro_element_text(node, "type");
    const struct oro_node_type *type = id ? oro_registry_find(words->registry, id) : NULL;
    const struct oro_input *input = type ? oro_type_input(type, name) : NULL;
    if (!input || !oro_input_has_default(input)) {
        oro_text_add(out, input ? "(none)" : "(default)");
        return;
    }
    char *text = oro_literal_default(input);
    if (text && *text) {
        oro_add_quoted(out, text);
        oro_text_add(out, " ");
    }
    oro_text_add(out, "(default)");
    words->failed = words->failed || !text;
    oro_free(text);
}

/* The text of a slot, which may not be there. */
const char *oro_describe_slot(struct oro_words *words, const struct oro_element *element,
                              const struct oro_element *parent, const char *slot)
{
    const struct oro_attribute *attribute = oro_element_slot(element, slot);
    struct oro_text out = {0};
    char number[ORO_NUMBER_SIZE];
    const char *standard;
    if (attribute)
        add_content(&out, element, attribute);
    else if (oro_element_is(parent, "node") && strcmp(slot, ORO_SLOT_CONTENT) == 0)
        add_input_default(words, &out, parent, element->name);
    else if ((standard = default_of(element, slot, number)) != NULL)
        oro_text_addf(&out, "%s (default)", standard);
    else
        oro_text_add(&out, "(none)");
    return oro_keep_words(words, &out);
}

static size_t count_nodes(const struct oro_element *group)
{
    size_t count = 0;
    for (size_t i = 0; i < group->child_count; i++)
        count += oro_element_is(group->children[i], "node");
    return count;
}

/* What something is that was added or removed: "noise, size 500, terrain from dem.terrain". */
const char *oro_describe_element(struct oro_words *words, const struct oro_element *element)
{
    struct oro_text out = {0};
    if (!*element->tag)
        oro_add_quoted(&out, element->attributes[0].text);
    else if (oro_element_is(element, "group"))
        oro_text_addf(&out, "nodes %zu", count_nodes(element));
    for (size_t i = 0; *element->tag && i < element->attribute_count; i++) {
        const struct oro_attribute *attribute = &element->attributes[i];
        if (oro_attribute_is_place(element, attribute->name) || strcmp(attribute->text, element->name) == 0)
            continue;
        bool plain = strcmp(attribute->name, "type") == 0 || strcmp(attribute->slot, ORO_SLOT_CONTENT) == 0;
        bool from = strcmp(attribute->name, "from") == 0;
        oro_text_addf(&out, "%s%s%s", out.length ? ", " : "", plain || from ? "" : attribute->name,
                      plain || from ? "" : " ");
        add_content(&out, element, attribute);
    }
    for (size_t i = 0; !oro_element_is(element, "group") && i < element->child_count; i++) {
        const struct oro_element *child = element->children[i];
        const struct oro_attribute *content = oro_element_slot(child, ORO_SLOT_CONTENT);
        if (content) {
            oro_text_addf(&out, "%s%s ", out.length ? ", " : "", child->name);
            add_content(&out, child, content);
        }
    }
    return oro_keep_words(words, &out);
}

const char *oro_part_name(struct oro_words *words, const struct oro_element *owner,
                          const struct oro_element *element, const char *slot)
{
    bool content = strcmp(slot, ORO_SLOT_CONTENT) == 0;
    if (!*element->tag)
        return owner == element ? NULL : oro_element_word(element);
    if (owner == element)
        return content ? "value" : slot;
    const char *part = content ? element->name : oro_arena_textf(words->arena, "%s %s", element->name, slot);
    words->failed = words->failed || !part;
    return part;
}

const char *oro_element_word(const struct oro_element *element)
{
    if (*element->tag)
        return element->tag;
    return element->attribute_count > 0 && strncmp(element->attributes[0].text, "<!--", 4) == 0 ? "comment"
                                                                                                : "content";
}
