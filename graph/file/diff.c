/*
 * Both documents become flat lists of what they say, made from the XML that would be written. Nothing here
 * knows what an attribute means, so what is added to the format is compared, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libxml/tree.h>

#include "base/memory.h"
#include "graph/file/xml_private.h"
#include "graph/file/diff.h"
#include "graph/type/literal.h"

enum kind {
    ITEM,     /* a node, a variable, a group, ...; its parts follow it */
    PART,     /* an attribute */
    INPUT,    /* what an input of a node holds */
    PLACE,    /* in the editor: no part of what a graph is */
    FRAGMENT, /* a comment, or content that is not of the format */
};

struct fact {
    enum kind kind;
    const char *group, *element, *name, *part; /* as in struct oro_difference, but "" for no group */
    const char *key;                           /* facts of one key are twins */
    const char *text;                          /* as users read it; of an item, all of its parts */
    const char *link;                          /* of a link: "dem.terrain" */
    const struct oro_node_type *type;          /* of a node and its parts */
    size_t number;                             /* in the list */
    struct fact *holder;                       /* of a part, its item; else the group, or NULL */
    struct fact *target, *twin, *next; /* the node that a link leads to; the same in the other version */
};

/* What one version says. */
struct facts {
    const struct oro_registry *registry;
    struct oro_arena *arena;
    struct fact *first, *last, **sorted; /* sorted by key */
    size_t count;
    struct fact *group;      /* that is read, or NULL */
    struct oro_text summary; /* of the item that is read */
    bool failed;             /* memory is out */
};

static const char *kept(struct facts *facts, const char *text)
{
    facts->failed = facts->failed || !text;
    return text ? text : "";
}
#define TEXT(facts, ...) kept(facts, oro_arena_textf((facts)->arena, __VA_ARGS__))

/* `words` has a blank on both sides of each. */
static bool is_one_of(const char *word, const char *words)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, " %.28s ", word);
    return strstr(words, wanted);
}

/* As it is where it is one plain word, else in quotation marks, so that a value is never taken for a link. */
static void add_quoted(struct oro_text *out, const char *text)
{
    static const char special[] = "\"\\\n\r\t", letters[] = "\"\\nrt";
    if (*text && text[strcspn(text, " ,=\"\\\n\r\t")] == '\0') {
        oro_text_add(out, text);
        return;
    }
    oro_text_add(out, "\"");
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        oro_text_addf(out, found ? "\\%c" : "%c", found ? letters[found - special] : *text);
    }
    oro_text_add(out, "\"");
}

/* Takes over the text. */
static const char *finished(struct facts *facts, struct oro_text *text)
{
    const char *copy = text->failed ? NULL : oro_arena_text(facts->arena, text->data ? text->data : "");
    oro_text_free(text);
    return kept(facts, copy);
}

static const char *quoted(struct facts *facts, const char *text)
{
    struct oro_text out = {0};
    add_quoted(&out, text);
    return finished(facts, &out);
}

/* ---- Reading ---- */

/* `own` tells it from others in its group, or of its item. */
static struct fact *add_fact(struct facts *facts, struct fact fact, const char *own)
{
    struct fact *added = oro_arena_alloc(facts->arena, 1, sizeof *added);
    fact.key = TEXT(facts, "%s\n%s", fact.part ? fact.holder->key : fact.group, own);
    fact.number = facts->count++;
    facts->failed = facts->failed || !added;
    if (!added)
        return NULL;
    *added = fact;
    *(facts->last ? &facts->last->next : &facts->first) = added;
    return facts->last = added;
}

static struct fact part_of(struct fact *item, enum kind kind, const char *part, const char *text)
{
    struct fact fact = *item;
    fact.kind = kind;
    fact.holder = item;
    fact.part = part;
    fact.text = text;
    fact.next = NULL;
    return fact;
}

/* `input`: of a node, whose attribute it is, or NULL: it is the item's own. `content`: it is what the input
 * or variable holds. */
static void add_part(struct facts *facts, struct fact *item, const char *input, bool content,
                     const struct oro_doc_attribute *attribute)
{
    const char *name = TEXT(facts, "%s", attribute->name), *text = quoted(facts, attribute->value);
    bool port = input || is_one_of(item->element, " in out "), from = port && strcmp(name, "from") == 0;
    bool plain = !input && (content || from || strcmp(name, "type") == 0);
    if (from || (content && strcmp(name, "expr") == 0))
        text = TEXT(facts, "%s %s", name, from ? attribute->value : text);
    const char *part = input && content ? input
                       : content        ? "value"
                       : input          ? TEXT(facts, "%s %s", input, name)
                                        : name;
    struct fact fact = part_of(item, input && content ? INPUT : PART, part, text);
    if (from || (port && strcmp(name, "to") == 0))
        fact.link = TEXT(facts, "%s", attribute->value);
    if (!input || content)
        oro_text_addf(&facts->summary, "%s%s%s%s", facts->summary.length ? ", " : "", plain ? "" : part,
                      plain ? "" : " ", text);
    add_fact(facts, fact, part);
}

static void add_parts(struct facts *facts, const xmlNode *from, struct fact *item, const char *input)
{
    const char *skipped = input                                 ? " name "
                          : strcmp(item->element, "node") == 0  ? " id x y collapsed "
                          : strcmp(item->element, "frame") == 0 ? " title x y width height "
                                                                : " name ";
    struct oro_doc_attributes all = {0};
    bool holds = input || strcmp(item->element, "variable") == 0;
    facts->failed = !oro_xml_attributes(from, &all) || facts->failed;
    for (size_t i = 0; i < all.count && !facts->failed; i++) {
        bool content = holds && is_one_of(all.items[i].name, " value expr from ");
        holds = holds && !content;
        if (!is_one_of(all.items[i].name, skipped))
            add_part(facts, item, input, content, &all.items[i]);
    }
    oro_attributes_free(&all);
}

static const char *property(struct facts *facts, xmlNode *from, const char *name, const char *standard)
{
    xmlChar *value = xmlGetNoNsProp(from, (const xmlChar *)name);
    const char *copy = value ? TEXT(facts, "%s", (const char *)value) : standard;
    xmlFree(value);
    return copy;
}

static void add_place(struct facts *facts, xmlNode *from, struct fact *item)
{
    const char *x = property(facts, from, "x", "0"), *y = property(facts, from, "y", "0"), *text;
    if (strcmp(item->element, "frame") == 0)
        text = TEXT(facts, "%s %s %s %s", x, y, property(facts, from, "width", "0"),
                    property(facts, from, "height", "0"));
    else
        text = TEXT(facts, "%s %s%s", x, y, property(facts, from, "collapsed", NULL) ? " collapsed" : "");
    add_fact(facts, part_of(item, PLACE, " place", text), " place");
}

/* A comment is known by its text, an element by its name. `item` NULL: it stands by itself. */
static void add_fragment(struct facts *facts, struct fact *item, xmlNode *from)
{
    char *source = oro_xml_fragment_text(from);
    const char *text = kept(facts, source), *word = strncmp(text, "<!--", 4) == 0 ? "comment" : "content";
    struct fact own = {.kind = FRAGMENT,
                       .element = word,
                       .name = "",
                       .text = quoted(facts, text),
                       .holder = facts->group,
                       .group = facts->group ? facts->group->name : ""};
    const char *key =
        TEXT(facts, " %.*s",
             (int)(from->type == XML_ELEMENT_NODE ? strcspn(text, " \t\r\n/>") : strlen(text)), text);
    add_fact(facts, item ? part_of(item, FRAGMENT, word, own.text) : own, key);
    oro_free(source);
}

/* Whether what it holds are items. */
static bool is_list(const char *tag)
{
    return is_one_of(tag, " orograph group interface ");
}

static void add_item(struct facts *facts, xmlNode *from);

/* The children of an element, which for an item's inputs is not the item itself. `item` NULL: of the whole.
 */
static void add_children(struct facts *facts, const xmlNode *from, const char *tag, struct fact *item)
{
    static const char *const known[][2] = {{"", " orograph "},
                                           {"orograph", " about world variable interface group node frame "},
                                           {"group", " about world variable interface node frame "},
                                           {"interface", " in out "},
                                           {"node", " in "}};
    const char *words = "";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        words = strcmp(tag, known[i][0]) == 0 ? known[i][1] : words;
    for (xmlNode *child = from->children; child && !facts->failed; child = child->next) {
        bool ours = child->type == XML_ELEMENT_NODE && child->ns &&
                    strcmp((const char *)child->ns->href, ORO_XML_NAMESPACE) == 0;
        if (child->type == XML_TEXT_NODE && xmlIsBlankNode(child))
            continue;
        if (!ours || !is_one_of((const char *)child->name, words)) {
            add_fragment(facts, is_list(tag) ? NULL : item, child);
        } else if (strcmp(tag, "node") == 0) {
            add_parts(facts, child, item, property(facts, child, "name", ""));
            add_children(facts, child, "in", item);
        } else {
            add_item(facts, child);
        }
    }
}

static size_t count_nodes(const xmlNode *group)
{
    size_t count = 0;
    for (const xmlNode *child = group->children; child; child = child->next)
        count += child->type == XML_ELEMENT_NODE && strcmp((const char *)child->name, "node") == 0;
    return count;
}

static void add_item(struct facts *facts, xmlNode *from)
{
    const char *tag = TEXT(facts, "%s", (const char *)from->name);
    bool node = strcmp(tag, "node") == 0;
    struct fact fact = {.element = tag,
                        .text = "",
                        .holder = facts->group,
                        .group = facts->group ? facts->group->name : "",
                        .name = property(facts, from,
                                         node                        ? "id"
                                         : strcmp(tag, "frame") == 0 ? "title"
                                                                     : "name",
                                         "")};
    if (node)
        fact.type = oro_registry_find(facts->registry, property(facts, from, "type", ""));
    struct fact *item = add_fact(facts, fact, TEXT(facts, "%s %s", tag, fact.name));
    if (!item)
        return;
    if (strcmp(tag, "group") == 0) {
        oro_text_addf(&facts->summary, "nodes %zu", count_nodes(from));
        facts->group = item;
    }
    add_parts(facts, from, item, NULL);
    if (is_one_of(tag, " node frame "))
        add_place(facts, from, item);
    if (is_list(tag))
        item->text = finished(facts, &facts->summary);
    add_children(facts, from, tag, item);
    if (!is_list(tag))
        item->text = finished(facts, &facts->summary);
    facts->group = item->holder;
}

static int by_key(const void *a, const void *b)
{
    const struct fact *const *x = a, *const *y = b;
    int order = strcmp((*x)->key, (*y)->key);
    return order ? order : ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

static int by_key_alone(const void *key, const void *fact)
{
    return strcmp(key, (*(struct fact *const *)fact)->key);
}

static void sort(struct facts *facts)
{
    struct fact **end = facts->sorted =
        oro_arena_alloc(facts->arena, facts->count + 1, sizeof *facts->sorted);
    for (struct fact *fact = facts->first; end && fact; fact = fact->next)
        *end++ = fact;
    if (!end)
        facts->failed = true;
    else
        qsort(facts->sorted, facts->count, sizeof *facts->sorted, by_key);
    for (struct fact *fact = facts->first; fact && !facts->failed; fact = fact->next) {
        if (!fact->link || !strchr(fact->link, '.'))
            continue;
        const char *key =
            TEXT(facts, "%s\nnode %.*s", fact->group, (int)strcspn(fact->link, "."), fact->link);
        struct fact **found = bsearch(key, facts->sorted, facts->count, sizeof *facts->sorted, by_key_alone);
        fact->target = found ? *found : NULL;
    }
}

static bool read_facts(struct facts *facts, const struct oro_document *doc, struct oro_error *err)
{
    struct oro_problems problems = {0};
    char *text = NULL;
    size_t size = 0;
    if (!oro_document_format(doc, facts->registry, &text, &size, err))
        return false;
    xmlDoc *tree = oro_xml_parse(text, size, &problems);
    if (tree) {
        add_children(facts, (const xmlNode *)tree, "", NULL);
        sort(facts);
    }
    bool ok = tree && !facts->failed;
    if (!tree && problems.count > 0)
        oro_fail(err, ORO_E_LIMIT, "%s", problems.items[0].text);
    else if (!ok)
        oro_fail(err, ORO_E_MEMORY, "no memory to compare documents");
    xmlFreeDoc(tree);
    oro_problems_free(&problems);
    oro_free(text);
    return ok;
}

/* ---- Twins ---- */

/* Of numbers in inputs of types that are not known, the value counts. */
static bool is_same(const struct fact *a, const struct fact *b)
{
    double x, y;
    return strcmp(a->text, b->text) == 0 || (a->kind == INPUT && !a->type && oro_parse_number(a->text, &x) &&
                                             oro_parse_number(b->text, &y) && x == y);
}

/* By key; of several with one key, the first with the first. */
static void pair(const struct facts *a, const struct facts *b)
{
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        int order = strcmp(a->sorted[i]->key, b->sorted[j]->key);
        if (order == 0) {
            a->sorted[i]->twin = b->sorted[j];
            b->sorted[j]->twin = a->sorted[i];
        }
        i += order <= 0;
        j += order >= 0;
    }
}

static bool is_part(const struct fact *fact, const struct fact *item)
{
    return fact && fact->part && fact->holder == item;
}

/* Links to nodes that may have been renamed are the same if they lead to outputs of one name. `final`: to
 * what was renamed so. */
static bool is_same_link(const struct fact *a, const struct fact *b, bool final)
{
    if (!a->target || !b->target || strcmp(strchr(a->link, '.'), strchr(b->link, '.')) != 0)
        return false;
    return a->target->twin ? a->target->twin == b->target : !final && !b->target->twin;
}

/* Whether two nodes say the same, but for their ids and places. */
static bool is_like(const struct fact *a, const struct fact *b, bool final)
{
    const struct fact *x = a->next, *y = b->next;
    if (strcmp(a->group, b->group) != 0)
        return false;
    for (; is_part(x, a) && is_part(y, b); x = x->next, y = y->next)
        if (x->kind != y->kind || strcmp(x->part, y->part) != 0 ||
            (x->kind != PLACE &&
             !(x->target && final ? is_same_link(x, y, true) : is_same(x, y) || is_same_link(x, y, false))))
            return false;
    return !is_part(x, a) && !is_part(y, b);
}

/* The nodes that only one version has. */
static struct fact **find_lonely(struct facts *facts, size_t *count)
{
    struct fact **found = oro_arena_alloc(facts->arena, facts->count + 1, sizeof *found);
    *count = 0;
    for (struct fact *fact = facts->first; found && fact; fact = fact->next)
        if (fact->kind == ITEM && !fact->twin && *fact->name && strcmp(fact->element, "node") == 0)
            found[(*count)++] = fact;
    facts->failed = facts->failed || !found;
    return found;
}

/* Pairs of nodes that are looked at: enough for any edit by hand; two documents of many nodes that have
 * nothing in common are given up. */
enum { TRIES_MAX = 4000000 };

/* Each with the next in order that is like it: nodes mostly keep their order. */
static void pair_alike(struct fact **a, size_t a_count, struct fact **b, size_t b_count)
{
    size_t next = 0, tries = 0;
    for (size_t i = 0; i < a_count; i++)
        for (size_t j = 0; !a[i]->twin && j < b_count && tries < TRIES_MAX; j++, tries++) {
            struct fact *other = b[(next + j) % b_count];
            if (other->twin || !is_like(a[i], other, false))
                continue;
            a[i]->twin = other;
            other->twin = a[i];
            next += j + 1;
        }
    for (bool dropped = true; dropped;) {
        dropped = false;
        for (size_t i = 0; i < a_count; i++)
            if (a[i]->twin && !is_like(a[i], a[i]->twin, true)) {
                a[i]->twin->twin = NULL;
                a[i]->twin = NULL;
                dropped = true;
            }
    }
}

static bool is_renamed(const struct fact *fact)
{
    return fact->kind == ITEM && fact->twin && strcmp(fact->name, fact->twin->name) != 0;
}

/* Nodes that have another id but the same content were renamed. Links in the old version then lead to the new
 * ids. */
static void find_renamed(struct facts *before, struct facts *after)
{
    size_t count, other_count;
    struct fact **nodes = find_lonely(before, &count), **others = find_lonely(after, &other_count);
    /* Twice: nodes that stand before what they are linked to may at first be taken for another of their kind.
     */
    for (int round = 0; round < 2 && nodes && others; round++)
        pair_alike(nodes, count, others, other_count);
    for (struct fact *fact = before->first; fact; fact = fact->next) {
        struct fact *part = fact->next, *twin = is_renamed(fact) ? fact->twin->next : NULL;
        for (; twin && is_part(part, fact); part = part->next, twin = twin->next) {
            part->twin = twin;
            twin->twin = part;
        }
        if (fact->target && is_renamed(fact->target))
            fact->text = TEXT(before, "%s%s%s", strncmp(fact->text, "from ", 5) == 0 ? "from " : "",
                              fact->target->twin->name, strchr(fact->link, '.'));
    }
}

/* ---- Telling ---- */

struct differ {
    struct facts before, after;
    struct oro_differences *found;
    size_t capacity;
};

static void tell(struct differ *differ, enum oro_difference_kind kind, const struct fact *fact,
                 const char *before, const char *after)
{
    void *items = differ->found->items;
    if (!oro_reserve(&items, &differ->capacity, differ->found->count + 1, sizeof *differ->found->items)) {
        differ->after.failed = true;
        return;
    }
    differ->found->items = items;
    differ->found->items[differ->found->count++] = (struct oro_difference){
        .kind = kind,
        .group = *fact->group ? fact->group : NULL,
        .element = fact->element,
        .name = fact->name,
        .part = fact->kind == PLACE ? NULL : fact->part,
        .before = before,
        .after = after,
    };
}

/* What holds where an input or attribute is not written; `type` is its node's. */
static const char *standard_text(struct facts *facts, const struct fact *fact,
                                 const struct oro_node_type *type)
{
    static const struct oro_world world = ORO_WORLD_DEFAULT;
    const struct {
        const char *element, *part;
        double value;
    } known[] = {{"world", "extent", world.extent},
                 {"world", "resolution", world.resolution},
                 {"world", "aspect", world.aspect},
                 {"world", "seed", (double)world.seed},
                 {"node", "version", 1},
                 {"interface", "version", 1}};
    char number[ORO_NUMBER_SIZE];
    if (fact->kind == INPUT) {
        const struct oro_input *input = type ? oro_type_input(type, fact->part) : NULL;
        if (!input || !oro_input_has_default(input))
            return input ? "(none)" : "(default)";
        char *value = oro_literal_default(input);
        const char *text =
            *kept(facts, value) ? TEXT(facts, "%s (default)", quoted(facts, value)) : "(default)";
        oro_free(value);
        return text;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(fact->element, known[i].element) == 0 && strcmp(fact->part, known[i].part) == 0)
            return TEXT(facts, "%s (default)", oro_format_number(known[i].value, number));
    return strcmp(fact->element, "node") == 0 && strcmp(fact->part, "mute") == 0 ? "false (default)"
                                                                                 : "(none)";
}

/* If with nothing but defaults. */
static bool is_always_there(const struct fact *fact)
{
    return fact->kind == ITEM && is_one_of(fact->element, " orograph about world interface ");
}

/* What only one version has. What belongs to something that only it has is told with that. */
static void tell_lonely(struct differ *differ, const struct fact *fact, bool is_new)
{
    for (const struct fact *holder = fact->holder; holder; holder = holder->holder)
        if (!holder->twin && !is_always_there(holder))
            return;
    if (is_always_there(fact))
        return;
    bool whole = fact->kind == ITEM || fact->kind == FRAGMENT;
    const struct fact *node =
        fact->holder && fact->holder->twin && !is_new ? fact->holder->twin : fact->holder;
    const char *other = whole ? NULL : standard_text(&differ->after, fact, node->type);
    tell(differ,
         !whole   ? ORO_DIFFERENCE_CHANGED
         : is_new ? ORO_DIFFERENCE_ADDED
                  : ORO_DIFFERENCE_REMOVED,
         fact, is_new ? other : fact->text, is_new ? fact->text : other);
}

static void compare(struct differ *differ)
{
    for (size_t i = 0; i < differ->before.count; i++) {
        const struct fact *fact = differ->before.sorted[i];
        if (is_renamed(fact))
            tell(differ, ORO_DIFFERENCE_RENAMED, fact, fact->name, fact->twin->name);
    }
    const struct fact *old = differ->before.first;
    for (const struct fact *fact = differ->after.first; fact || old; fact = fact ? fact->next : NULL) {
        /* What was removed is told where it was, parts before the next item. */
        for (;
             old && (!fact || (fact->twin && old->number < fact->twin->number) || (old->part && !fact->part));
             old = old->next)
            if (!old->twin)
                tell_lonely(differ, old, false);
        if (fact && !fact->twin)
            tell_lonely(differ, fact, true);
        else if (fact && fact->kind != ITEM && !is_same(fact, fact->twin))
            tell(differ, fact->kind == PLACE ? ORO_DIFFERENCE_MOVED : ORO_DIFFERENCE_CHANGED, fact,
                 fact->twin->text, fact->text);
    }
}

bool oro_diff(const struct oro_document *before, const struct oro_document *after,
              const struct oro_registry *registry, struct oro_differences *differences, struct oro_error *err)
{
    *differences = (struct oro_differences){.arena = oro_arena_create()};
    struct facts facts = {.registry = registry, .arena = differences->arena};
    struct differ differ = {.before = facts, .after = facts, .found = differences};
    if (!differences->arena)
        return oro_fail(err, ORO_E_MEMORY, "no memory to compare documents");
    bool ok = read_facts(&differ.before, before, err) && read_facts(&differ.after, after, err);
    if (ok) {
        pair(&differ.before, &differ.after);
        find_renamed(&differ.before, &differ.after);
        compare(&differ);
        ok = !(differ.before.failed || differ.after.failed) ||
             oro_fail(err, ORO_E_MEMORY, "no memory to compare documents");
    }
    if (!ok)
        oro_differences_free(differences);
    return ok;
}

void oro_differences_free(struct oro_differences *differences)
{
    oro_free(differences->items);
    oro_arena_destroy(differences->arena);
    *differences = (struct oro_differences){0};
}

size_t oro_differences_count(const struct oro_differences *differences)
{
    size_t count = 0;
    for (size_t i = 0; i < differences->count; i++)
        count += differences->items[i].kind != ORO_DIFFERENCE_MOVED;
    return count;
}

const char *oro_difference_name(enum oro_difference_kind kind)
{
    static const char *const names[] = {"added", "removed", "changed", "renamed", "moved"};
    return names[kind];
}

/* ---- Lines ---- */

enum { SHOWN_MAX = 200 }; /* bytes of a text */

static void add_shown(struct oro_text *out, const char *text)
{
    size_t length = strlen(text);
    if (length <= SHOWN_MAX) {
        oro_text_add(out, text);
        return;
    }
    length = SHOWN_MAX;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) /* not within a character */
        length--;
    oro_text_add_bytes(out, text, length);
    oro_text_add(out, "...");
}

void oro_difference_line(const struct oro_difference *difference, struct oro_text *out)
{
    if (difference->group)
        oro_text_addf(out, "group %s: ", difference->group);
    oro_text_add(out, difference->element);
    if (*difference->name) {
        oro_text_add(out, " ");
        add_quoted(out, difference->name);
    }
    if (difference->part)
        oro_text_addf(out, ": %s", difference->part);
    if (difference->kind == ORO_DIFFERENCE_RENAMED) {
        oro_text_addf(out, ": renamed to %s", difference->after);
        return;
    }
    if (difference->kind != ORO_DIFFERENCE_CHANGED)
        oro_text_addf(out, ": %s", oro_difference_name(difference->kind));
    const char *first = difference->before ? difference->before : difference->after;
    if (first && *first) {
        oro_text_add(out, ": ");
        add_shown(out, first);
    }
    if (difference->before && difference->after) {
        oro_text_add(out, " -> ");
        add_shown(out, difference->after);
    }
}
