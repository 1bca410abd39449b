/* Elements: looking up, comparing, writing. */
#include "graph/file/elements_private.h"

#include <stdlib.h>
#include <string.h>

#include "graph/document/document_private.h"

bool oro_element_is(const struct oro_element *element, const char *tag)
{
    return element && strcmp(element->tag, tag) == 0;
}

static int by_key(const void *a, const void *b)
{
    const struct oro_element *const *x = a, *const *y = b;
    return strcmp((*x)->key, (*y)->key);
}

struct oro_element *oro_element_child(const struct oro_element *element, const char *key)
{
    const struct oro_element wanted = {.key = key}, *pointer = &wanted;
    if (!element || element->child_count == 0)
        return NULL;
    struct oro_element **found =
        bsearch(&pointer, element->sorted, element->child_count, sizeof *element->sorted, by_key);
    return found ? *found : NULL;
}

const struct oro_attribute *oro_element_slot(const struct oro_element *element, const char *slot)
{
    for (size_t i = 0; element && i < element->attribute_count; i++)
        if (strcmp(element->attributes[i].slot, slot) == 0)
            return &element->attributes[i];
    return NULL;
}

const char *oro_element_text(const struct oro_element *element, const char *name)
{
    for (size_t i = 0; element && i < element->attribute_count; i++)
        if (strcmp(element->attributes[i].name, name) == 0)
            return element->attributes[i].text;
    return NULL;
}

/* ---- Comparing ---- */

static bool same_number(const char *a, const char *b)
{
    double x, y;
    return oro_parse_number(a, &x) && oro_parse_number(b, &y) && x == y;
}

bool oro_attribute_same(const struct oro_element *element, const struct oro_attribute *a,
                        const struct oro_attribute *b)
{
    if (!a || !b)
        return a == b;
    return strcmp(a->name, b->name) == 0 &&
           (strcmp(a->text, b->text) == 0 ||
            (element->loose && strcmp(a->name, "value") == 0 && same_number(a->text, b->text)));
}

bool oro_attribute_is_place(const struct oro_element *element, const char *name)
{
    bool frame = oro_element_is(element, "frame"), node = oro_element_is(element, "node");
    return ((frame || node) && (strcmp(name, "x") == 0 || strcmp(name, "y") == 0)) ||
           (node && strcmp(name, "collapsed") == 0) ||
           (frame && (strcmp(name, "width") == 0 || strcmp(name, "height") == 0));
}

/* Whether `b` has all attributes of `a`. */
static bool has_attributes(const struct oro_element *b, const struct oro_element *a)
{
    for (size_t i = 0; i < a->attribute_count; i++)
        if (!oro_attribute_is_place(a, a->attributes[i].name) &&
            !oro_attribute_same(a, &a->attributes[i], oro_element_slot(b, a->attributes[i].slot)))
            return false;
    return true;
}

bool oro_element_same_attributes(const struct oro_element *a, const struct oro_element *b)
{
    return has_attributes(a, b) && has_attributes(b, a);
}

/* The format limits how deep elements lie. */
bool oro_element_same(const struct oro_element *a, const struct oro_element *b)
{
    if (!a || !b)
        return a == b;
    if (a->child_count != b->child_count || !oro_element_same_attributes(a, b))
        return false;
    for (size_t i = 0; i < a->child_count; i++)
        if (strcmp(a->sorted[i]->key, b->sorted[i]->key) != 0 ||
            !oro_element_same(a->sorted[i], b->sorted[i]))
            return false;
    return true;
}

/* ---- Kinds ---- */

bool oro_element_always_there(const struct oro_element *holder, const struct oro_element *element)
{
    return oro_element_is(element, "about") || oro_element_is(element, "world") ||
           oro_element_is(element, "interface") ||
           (oro_element_is(element, "in") && oro_element_is(holder, "node"));
}

bool oro_element_is_list(const struct oro_element *element)
{
    return !*element->tag || oro_element_is(element, "orograph") || oro_element_is(element, "group") ||
           oro_element_is(element, "interface");
}

/* ---- Making ---- */

static int by_key_and_place(const void *a, const void *b)
{
    const struct oro_element *const *x = a, *const *y = b;
    int order = strcmp((*x)->key, (*y)->key);
    return order ? order : ((*x)->place > (*y)->place) - ((*x)->place < (*y)->place);
}

/* Of several with one key, those behind the first get numbers. */
bool oro_element_index(struct oro_element *element, struct oro_arena *arena)
{
    size_t count = element->child_count, first = 0;
    element->sorted = oro_arena_alloc(arena, count + 1, sizeof *element->sorted);
    if (!element->sorted)
        return false;
    for (size_t i = 0; i < count; i++) {
        element->sorted[i] = element->children[i];
        element->children[i]->place = i;
    }
    qsort(element->sorted, count, sizeof *element->sorted, by_key_and_place);
    for (size_t i = 1; i < count; i++) {
        struct oro_element *child = element->sorted[i];
        if (strcmp(child->key, element->sorted[first]->key) != 0)
            first = i;
        else
            child->key = oro_arena_textf(arena, "%s #%zu", child->key, i - first + 1);
        if (!child->key)
            return false;
    }
    qsort(element->sorted, count, sizeof *element->sorted, by_key);
    return true;
}

struct oro_element *oro_element_create(const struct oro_element *like, size_t attributes, size_t children,
                                       struct oro_arena *arena)
{
    struct oro_element *element = oro_arena_alloc(arena, 1, sizeof *element);
    if (!element)
        return NULL;
    *element =
        (struct oro_element){.tag = like->tag, .name = like->name, .key = like->key, .loose = like->loose};
    element->attributes = oro_arena_alloc(arena, attributes + 1, sizeof *element->attributes);
    element->children = oro_arena_alloc(arena, children + 1, sizeof *element->children);
    return element->attributes && element->children ? element : NULL;
}

/* ---- Writing ---- */

static void write_text(struct oro_text *out, const char *text, int *line)
{
    oro_text_add(out, text);
    for (; *text; text++)
        *line += *text == '\n';
}

static void write_element(struct oro_text *out, struct oro_element *element, int *line)
{
    element->line = *line;
    if (!*element->tag) {
        write_text(out, element->attributes[0].text, line);
        write_text(out, "\n", line);
        return;
    }
    oro_text_addf(out, "<%s", element->tag);
    for (size_t i = 0; i < element->attribute_count; i++) {
        oro_text_addf(out, " %s=\"", element->attributes[i].name);
        oro_xml_escape(out, element->attributes[i].text);
        oro_text_add(out, "\"");
    }
    write_text(out, ">\n", line);
    for (size_t i = 0; i < element->child_count; i++)
        write_element(out, element->children[i], line);
    oro_text_addf(out, "</%s", element->tag);
    write_text(out, ">\n", line);
}

void oro_element_write(struct oro_text *out, struct oro_element *root)
{
    int line = 1;
    for (size_t i = 0; i < root->child_count; i++)
        write_element(out, root->children[i], &line);
}

size_t oro_link_node_length(const char *link)
{
    const char *dot = link ? strchr(link, '.') : NULL;
    return dot ? (size_t)(dot - link) : 0;
}
