/* What combining cannot see: names that lead nowhere any more, and graphs that are no longer valid. */
#include <string.h>

#include "graph/document/variable.h"
#include "graph/file/xml.h"
#include "graph/reuse/merge_private.h"

/* ---- References ---- */

/* Called with the list that must hold it and the key of what is referred to. */
struct visitor {
    bool (*visit)(struct visitor *visitor, struct oro_element *list, const char *key);
    struct oro_element *list; /* where the walk is: the document or a group */
    bool failed;
};

static struct oro_element *document_of(struct oro_element *root)
{
    return oro_element_child(root, "orograph ");
}

static void visit_key(struct visitor *visitor, struct oro_element *list, const char *kind, const char *name,
                      size_t length)
{
    char key[256];
    size_t start = strlen(kind);
    if (length == 0 || start + length >= sizeof key)
        return;
    memcpy(key, kind, start);
    memcpy(key + start, name, length);
    key[start + length] = '\0';
    visitor->failed = !visitor->visit(visitor, list, key) || visitor->failed;
}

static const char *visit_word(void *user, const char *name, size_t length)
{
    struct visitor *visitor = user;
    visit_key(visitor, visitor->list, "variable ", name, length);
    return NULL;
}

static void visit_attribute(struct visitor *visitor, const struct oro_attribute *attribute)
{
    const char *name = attribute->name, *text = attribute->text;
    size_t node = oro_link_node_length(text);
    bool in_group = oro_element_is(visitor->list, "group");
    if (strcmp(name, "expr") == 0) {
        char *same = oro_expression_rewrite(text, visit_word, visitor);
        visitor->failed = visitor->failed || !same;
        oro_free(same);
    } else if (strcmp(name, "href") == 0 && *text == '#') {
        visit_key(visitor, in_group ? visitor->list->parent : visitor->list, "group ", text + 1,
                  strlen(text + 1));
    } else if ((strcmp(name, "from") == 0 || strcmp(name, "to") == 0) && node > 0) {
        visit_key(visitor, visitor->list, "node ", text, node);
    } else if (strcmp(name, "to") == 0) {
        visit_key(visitor, visitor->list, "variable ", text, strlen(text));
    }
}

/* All that a node, a variable or the interface refers to. */
static void visit_references(struct visitor *visitor, const struct oro_element *item)
{
    for (size_t i = 0; *item->tag && i < item->attribute_count; i++)
        visit_attribute(visitor, &item->attributes[i]);
    for (size_t i = 0; !oro_element_is(item, "group") && i < item->child_count; i++)
        visit_references(visitor, item->children[i]);
}

/* ---- Putting back ---- */

struct restorer {
    struct visitor visitor;
    struct oro_merger *merger;
    struct oro_element *ours, *theirs; /* the documents */
    bool changed;
};

/* What a list of the result is in another version. */
static struct oro_element *same_list(struct oro_element *doc, const struct oro_element *list)
{
    return oro_element_is(list, "group") ? oro_element_child(doc, list->key) : doc;
}

static bool restore(struct visitor *visitor, struct oro_element *list, const char *key)
{
    struct restorer *restorer = (struct restorer *)visitor;
    if (oro_element_child(list, key))
        return true;
    struct oro_element *from = same_list(restorer->ours, list), *found = oro_element_child(from, key);
    bool here = found;
    if (!found) {
        from = same_list(restorer->theirs, list);
        found = oro_element_child(from, key);
    }
    if (!found)
        return true;
    restorer->changed = true;
    if (!oro_merge_insert(restorer->merger, list, found, from))
        return false;
    oro_merge_conflict(restorer->merger, found, NULL,
                       here ? "removed there, but used here; it is kept"
                            : "removed here, but used there; it is kept");
    return true;
}

static void restore_in(struct restorer *restorer, struct oro_element *list)
{
    /* Lists grow on the way: what is put back is looked at, too, now or in the next round. */
    for (size_t i = 0; i < list->child_count && !restorer->visitor.failed; i++) {
        struct oro_element *item = list->children[i];
        restorer->visitor.list = list;
        visit_references(&restorer->visitor, item);
        if (oro_element_is(list->children[i], "group"))
            restore_in(restorer, list->children[i]);
    }
}

bool oro_merge_restore(struct oro_merger *merger, struct oro_element *merged, struct oro_element *ours,
                       struct oro_element *theirs)
{
    struct restorer restorer = {.visitor = {.visit = restore},
                                .merger = merger,
                                .ours = document_of(ours),
                                .theirs = document_of(theirs),
                                .changed = true};
    while (restorer.changed && !restorer.visitor.failed && !merger->words.failed) {
        restorer.changed = false;
        restore_in(&restorer, document_of(merged));
    }
    return !restorer.visitor.failed && !merger->words.failed;
}

/* ---- Taking back ---- */

struct repair {
    struct visitor visitor;
    struct oro_merger *merger;
    struct oro_element *merged, *ours; /* roots */
    size_t elements;                   /* at most that many are in `merged` */
    struct oro_element **found;        /* by the last walk */
    size_t count;
    unsigned walk;
    bool cycle; /* what is wrong is one */
};

static struct oro_element *ours_of(const struct repair *repair, const struct oro_element *element)
{
    if (!element->parent)
        return repair->ours;
    struct oro_element *parent = ours_of(repair, element->parent);
    return oro_element_child(parent, element->key);
}

static bool is_theirs(const struct repair *repair, const struct oro_element *element)
{
    const struct oro_element *ours = ours_of(repair, element);
    return ours != element && !oro_element_same(ours, element);
}

/* The last element that begins at or before a line. */
static struct oro_element *element_at(struct oro_element *element, int line)
{
    struct oro_element *found = element;
    for (size_t i = 0; i < element->child_count && element->children[i]->line <= line; i++)
        found = element->children[i];
    return found == element ? element : element_at(found, line);
}

static bool look_at(struct visitor *visitor, struct oro_element *list, const char *key)
{
    struct repair *repair = (struct repair *)visitor;
    struct oro_element *item = oro_element_child(list, key);
    if (item && item->mark != repair->walk) {
        item->mark = repair->walk;
        repair->found[repair->count++] = item;
    }
    return true;
}

/* Finds what an item refers to, directly or through others, the nearest first. It is among them only where it
 * refers to itself. */
static bool walk_upstream(struct repair *repair, struct oro_element *item)
{
    repair->found = oro_arena_alloc(repair->merger->words.arena, repair->elements + 1, sizeof *repair->found);
    if (!repair->found)
        return false;
    repair->walk++;
    repair->count = 0;
    for (size_t i = 0; item && !repair->visitor.failed;
         item = i < repair->count ? repair->found[i++] : NULL) {
        if (!item->parent)
            continue; /* nothing that can be linked stands alone */
        bool port = oro_element_is(item->parent, "interface");
        repair->visitor.list = port ? item->parent->parent : item->parent;
        visit_references(&repair->visitor, item);
    }
    return !repair->visitor.failed;
}

static bool leads_back(struct repair *repair, struct oro_element *item)
{
    return walk_upstream(repair, item) && item->mark == repair->walk;
}

static bool is_link(const struct oro_attribute *content)
{
    return content && strcmp(content->name, "from") == 0;
}

/* What of theirs in an item can matter to what refers to it: that there is another one, its type, its links.
 */
static struct oro_element *find_change(struct repair *repair, struct oro_element *item)
{
    const struct oro_element *ours = ours_of(repair, item);
    if (ours == item || (repair->cycle && !leads_back(repair, item)))
        return NULL;
    if (!oro_element_is(item, "node") || !ours || !oro_element_same_attributes(item, ours))
        return is_theirs(repair, item) ? item : NULL;
    for (size_t i = 0; i < item->child_count; i++) {
        struct oro_element *input = item->children[i];
        const struct oro_element *other = oro_element_child(ours, input->key);
        const struct oro_attribute *a = oro_element_slot(input, ORO_SLOT_CONTENT);
        const struct oro_attribute *b = oro_element_slot(other, ORO_SLOT_CONTENT);
        if ((is_link(a) || is_link(b)) && !oro_attribute_same(input, a, b))
            return input;
    }
    for (size_t i = 0; i < ours->child_count; i++)
        if (is_link(oro_element_slot(ours->children[i], ORO_SLOT_CONTENT)) &&
            !oro_element_child(item, ours->children[i]->key))
            return item;
    return NULL;
}

/* The nearest of what an item refers to that is not as we have it. */
static struct oro_element *find_upstream(struct repair *repair, struct oro_element *item)
{
    if (!walk_upstream(repair, item))
        return NULL;
    struct oro_element **upstream = repair->found, *change = NULL;
    size_t count = repair->count;
    for (size_t i = 0; i < count && !change; i++)
        change = find_change(repair, upstream[i]);
    return change;
}

static bool is_scope(const struct oro_element *element)
{
    return !*element->tag || oro_element_is(element, "orograph") || oro_element_is(element, "group");
}

/* What of theirs made the element wrong: a change of it, of what holds it, or of what it refers to. */
static struct oro_element *find_culprit(struct repair *repair, struct oro_element *element)
{
    struct oro_element *item = element;
    for (struct oro_element *at = element; at->parent && !is_scope(at); at = at->parent) {
        if (!repair->cycle && !oro_element_is(at, "interface") && is_theirs(repair, at))
            return at;
        item = oro_element_is(at, "interface") ? item : at;
    }
    struct oro_element *found = is_scope(item) ? NULL : find_upstream(repair, item);
    for (struct oro_element *at = element; !found && at->parent; at = at->parent)
        if (oro_element_is(at, "group") && is_theirs(repair, at))
            found = at;
    return found;
}

static size_t count_elements(const struct oro_element *element)
{
    size_t count = 1;
    for (size_t i = 0; i < element->child_count; i++)
        count += count_elements(element->children[i]);
    return count;
}

static bool take_back(struct repair *repair, struct oro_element *element, const char *why)
{
    struct oro_element *parent = element->parent, *ours = ours_of(repair, element);
    size_t at = 0, kept = 0;
    bool input = oro_element_is(parent, "node");
    oro_merge_conflict(repair->merger, input ? parent : element, input ? element->name : NULL,
                       "theirs would make the graph invalid (%.900s); ours is kept", why);
    while (parent->children[at] != element)
        at++;
    if (ours) {
        parent->children[at] = ours;
        ours->parent = parent;
    }
    for (size_t i = 0; i < parent->child_count; i++)
        if (ours || i != at)
            parent->children[kept++] = parent->children[i];
    parent->child_count = kept;
    return oro_element_index(parent, repair->merger->words.arena);
}

/* ---- Checking ---- */

/* Which errors may not be there: all, but graphs that are missing, or none, as it is with the versions. */
enum strictness { ANYTHING, EVALUABLE, VALID };

static bool is_wrong(const struct oro_problem *problem, enum strictness strictness)
{
    return problem->error && strictness != ANYTHING &&
           (strictness == VALID || !oro_problem_is_local(problem));
}

static enum strictness strictness_of(const struct oro_document *doc, const struct oro_registry *registry)
{
    struct oro_problems problems = {0};
    oro_check(doc, registry, &problems);
    enum strictness found = problems.errors == 0                 ? VALID
                            : oro_problems_fatal(&problems) == 0 ? EVALUABLE
                                                                 : ANYTHING;
    oro_problems_free(&problems);
    return found;
}

static struct oro_document *read_merged(struct oro_merger *merger, struct oro_element *merged,
                                        const char *path, struct oro_problems *problems,
                                        struct oro_error *err)
{
    struct oro_text text = {0};
    oro_element_write(&text, merged);
    struct oro_document *doc =
        text.failed ? NULL
                    : oro_document_parse(text.data, text.length, path, merger->words.registry, problems);
    if (!doc && !text.failed && problems->count > 0)
        oro_fail(err, ORO_E_LIMIT, "what was merged cannot be read: %s", problems->items[0].text);
    else if (!doc)
        oro_fail(err, ORO_E_MEMORY, "no memory to merge");
    oro_text_free(&text);
    return doc;
}

static bool has_problem(const struct oro_problems *problems, const char *code)
{
    for (size_t i = 0; i < problems->count; i++)
        if (strcmp(problems->items[i].code, code) == 0)
            return true;
    return false;
}

/* The first problem that may not be there, or NULL. */
static const struct oro_problem *find_wrong(const struct oro_document *doc,
                                            const struct oro_registry *registry, enum strictness strictness,
                                            struct oro_problems *problems)
{
    if (strictness == ANYTHING)
        return NULL;
    oro_check(doc, registry, problems);
    for (size_t i = 0; i < problems->count; i++)
        if (is_wrong(&problems->items[i], strictness))
            return &problems->items[i];
    return NULL;
}

/* Each round takes one change back; beyond that many, all of theirs. */
enum { ROUNDS_MAX = 200 };

struct oro_document *oro_merge_finish(struct oro_merger *merger, struct oro_element *merged,
                                      struct oro_element *our_elements, struct oro_element *their_elements,
                                      const struct oro_document *ours, const struct oro_document *theirs,
                                      struct oro_error *err)
{
    const struct oro_registry *registry = merger->words.registry;
    enum strictness here = strictness_of(ours, registry), there = strictness_of(theirs, registry);
    struct repair repair = {
        .visitor = {.visit = look_at}, .merger = merger, .merged = merged, .ours = our_elements};
    for (int round = 0; round < ROUNDS_MAX; round++) {
        struct oro_problems problems = {0};
        struct oro_document *doc = read_merged(merger, merged, oro_document_path(ours), &problems, err);
        const struct oro_problem *wrong =
            doc ? find_wrong(doc, registry, here < there ? here : there, &problems) : NULL;
        repair.elements = count_elements(merged);
        repair.cycle = wrong && strcmp(wrong->code, "cycle") == 0;
        struct oro_element *culprit = wrong ? find_culprit(&repair, element_at(merged, wrong->line)) : NULL;
        bool ok = !has_problem(&problems, "memory") &&
                  (!culprit || (take_back(&repair, culprit, wrong->text) &&
                                oro_merge_restore(merger, merged, our_elements, their_elements)));
        bool done = !wrong || !ok || merger->words.failed, stuck = wrong && !culprit;
        oro_problems_free(&problems);
        if (done && doc && ok && !merger->words.failed)
            return doc;
        oro_document_destroy(doc);
        if (done) {
            if (doc)
                oro_fail(err, ORO_E_MEMORY, "no memory to merge");
            return NULL;
        }
        if (stuck)
            break;
    }
    const struct oro_element all = {.tag = "graph", .name = ""};
    oro_merge_conflict(merger, &all, NULL,
                       "the changes of both sides do not fit together; all of ours is kept");
    struct oro_document *doc = merger->words.failed ? NULL : oro_document_clone(ours);
    if (!doc)
        oro_fail(err, ORO_E_MEMORY, "no memory to merge");
    return doc;
}
