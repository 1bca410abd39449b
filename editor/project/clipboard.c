/* Copies of nodes: as text, and beside the original. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"
#include "graph/file/xml.h"
#include "graph/reuse/excerpt.h"

/* ---- Out ---- */

static struct oro_document *excerpt_of(const struct ed_project *project, const struct ed_names *nodes,
                                       struct oro_error *err)
{
    const struct oro_document *doc = ed_project_shown(project);
    bool *marks = ed_marks_of(doc, nodes, err);
    bool *frames = marks ? ed_frames_of(doc, marks) : NULL;
    struct oro_document *excerpt = frames ? oro_excerpt_take(doc, project->shown_root, marks, frames) : NULL;
    if (marks && !excerpt)
        ed_no_memory(err);
    oro_free(marks);
    oro_free(frames);
    return excerpt;
}

char *ed_copy(const struct ed_project *project, const struct ed_names *nodes, struct oro_error *err)
{
    char *text = NULL;
    if (nodes->count == 0) {
        oro_fail(err, ORO_E_USAGE, "nothing is selected");
        return NULL;
    }
    struct oro_document *excerpt = excerpt_of(project, nodes, err);
    if (excerpt && !oro_document_format(excerpt, project->registry, &text, NULL, err))
        text = NULL;
    oro_document_destroy(excerpt);
    return text;
}

/* ---- Groups of pasted nodes ---- */

struct coming {
    struct oro_document *excerpt;
    const struct oro_document *root;
    char **names;  /* names that the excerpt's groups get in the root; NULL: the root has the same group
                      already */
    bool *differs; /* the root has a different group of that name */
};

/* The text of a group alone. */
static char *text_of_group(const struct oro_document *doc, const char *name,
                           const struct oro_registry *registry)
{
    struct oro_document *alone = oro_document_create();
    const struct oro_doc_group *group = oro_document_find_group(doc, name);
    char *text = NULL;
    if (!alone || !group || !oro_edit_group(alone, name, group->body, NULL) ||
        !oro_document_format(alone, registry, &text, NULL, NULL))
        text = NULL;
    oro_document_destroy(alone);
    return text;
}

static bool same_group(const struct coming *coming, const char *name, const struct oro_registry *registry)
{
    char *a = text_of_group(coming->excerpt, name, registry),
         *b = text_of_group(coming->root, name, registry);
    bool same = a && b && strcmp(a, b) == 0;
    oro_free(a);
    oro_free(b);
    return same;
}

static size_t coming_index(const struct coming *coming, const struct oro_doc_node *node)
{
    const struct oro_doc_group *group = ed_group_of(coming->excerpt, node);
    size_t i = 0;
    while (group && i < oro_document_group_count(coming->excerpt) &&
           oro_document_group(coming->excerpt, i) != group)
        i++;
    return group ? i : SIZE_MAX;
}

/* A group that uses a differing group differs as well. */
static bool spread(struct coming *coming)
{
    bool grown = false;
    for (size_t i = 0; i < oro_document_group_count(coming->excerpt); i++) {
        const struct oro_doc_group *group = oro_document_group(coming->excerpt, i);
        bool there = oro_document_find_group(coming->root, group->name);
        for (size_t k = 0; there && k < oro_document_node_count(group->body); k++) {
            size_t used = coming_index(coming, oro_document_node(group->body, k));
            if (used == SIZE_MAX || !coming->differs[used] || coming->differs[i])
                continue;
            grown = coming->differs[i] = true;
        }
    }
    return grown;
}

static bool choose_names(struct coming *coming, const struct oro_registry *registry)
{
    for (size_t i = 0; i < oro_document_group_count(coming->excerpt); i++) {
        const char *name = oro_document_group(coming->excerpt, i)->name;
        coming->differs[i] =
            oro_document_find_group(coming->root, name) && !same_group(coming, name, registry);
    }
    while (spread(coming))
        continue;
    for (size_t i = 0; i < oro_document_group_count(coming->excerpt); i++) {
        const char *name = oro_document_group(coming->excerpt, i)->name;
        if (!coming->differs[i] && oro_document_find_group(coming->root, name))
            continue;
        coming->names[i] =
            coming->differs[i] ? ed_free_group(coming->root, coming->excerpt, name) : oro_copy_text(name);
        if (!coming->names[i])
            return false;
    }
    return true;
}

/* Makes nodes of `doc` refer to groups by their names in the root. `ids` NULL: all nodes. */
static bool follow_names(const struct coming *coming, struct oro_document *doc, const char *const *ids,
                         struct oro_error *err)
{
    size_t count = ids ? oro_document_node_count(coming->excerpt) : oro_document_node_count(doc);
    for (size_t i = 0; i < count; i++) {
        const struct oro_doc_node *node = ids ? oro_document_find(doc, ids[i]) : oro_document_node(doc, i);
        size_t used = node ? coming_index(coming, node) : SIZE_MAX;
        if (used == SIZE_MAX || !coming->differs[used])
            continue;
        char href[160], id[128];
        snprintf(href, sizeof href, "#%s", coming->names[used]);
        snprintf(id, sizeof id, "%s", node->id);
        if (!oro_edit_href(doc, id, href, node->version, err))
            return false;
    }
    return true;
}

static bool add_groups(const struct coming *coming, struct oro_document *root, struct oro_error *err)
{
    for (size_t i = 0; i < oro_document_group_count(coming->excerpt); i++) {
        if (!coming->names[i])
            continue;
        struct oro_document *body = oro_document_clone(oro_document_group(coming->excerpt, i)->body);
        bool ok =
            body ? follow_names(coming, body, NULL, err) && oro_edit_group(root, coming->names[i], body, err)
                 : ed_no_memory(err);
        oro_document_destroy(body);
        if (!ok)
            return false;
    }
    return true;
}

static bool bring_groups(struct ed_project *project, struct oro_document *doc, struct oro_document *excerpt,
                         const char *const *ids, struct oro_error *err)
{
    size_t count = oro_document_group_count(excerpt);
    struct coming coming = {
        .excerpt = excerpt,
        .root = project->shown_root,
        .names = oro_alloc(count + 1, sizeof *coming.names),
        .differs = oro_alloc(count + 1, sizeof *coming.differs),
    };
    bool ok = coming.names && coming.differs && choose_names(&coming, project->registry);
    if (!ok)
        ed_no_memory(err);
    ok = ok && add_groups(&coming, project->shown_root, err) && follow_names(&coming, doc, ids, err);
    for (size_t i = 0; coming.names && i < count; i++)
        oro_free(coming.names[i]);
    oro_free(coming.names);
    oro_free(coming.differs);
    return ok;
}

/* ---- In ---- */

/* New ids for all nodes of an excerpt; `names` is empty. */
static bool choose_ids(const struct oro_document *doc, const struct oro_document *excerpt,
                       struct ed_names *names)
{
    struct oro_document *chosen = oro_document_create(); /* finds names fast */
    size_t count = oro_document_node_count(excerpt);
    void *items = names->items;
    bool ok = chosen && oro_reserve(&items, &names->capacity, count + 1, sizeof *names->items);
    names->items = items;
    for (size_t i = 0; i < count && ok; i++) {
        const struct oro_doc_node *node = oro_document_node(excerpt, i);
        char *id = ed_free_id_in(doc, chosen, *node->id ? node->id : node->type);
        ok = id && oro_edit_add_node(chosen, id, "note", 1, 0, 0, NULL);
        if (ok)
            names->items[names->count++] = id;
        else
            oro_free(id);
    }
    oro_document_destroy(chosen);
    return ok;
}

/* Links from nodes that were not copied; those that do not fit are left out. */
static bool link_outside(const struct ed_project *project, struct oro_document *doc,
                         const struct oro_document *excerpt, const struct ed_names *ids,
                         struct oro_error *err)
{
    for (size_t i = 0; i < ids->count; i++) {
        const struct oro_doc_node *node = oro_document_node(excerpt, i);
        for (size_t k = 0; k < node->input_count; k++) {
            const struct oro_doc_input *entry = &node->inputs[k];
            if (!entry->from_node || oro_document_find(excerpt, entry->from_node))
                continue;
            const struct ed_end from = {entry->from_node, entry->from_output},
                                to = {ids->items[i], entry->name};
            struct oro_error why = {0};
            if (ed_connect(project, doc, &from, &to, &why) || why.code != ORO_E_MEMORY)
                continue;
            if (err)
                *err = why;
            return false;
        }
    }
    return true;
}

struct placing {
    double dx, dy;
    bool links;
    const char *name;
};

/* One step of the history. */
static bool put(struct ed_project *project, struct oro_document *excerpt, const struct placing *placing,
                struct ed_names *added, struct oro_error *err)
{
    struct ed_names ids = {0};
    struct oro_document *doc = ed_edit_begin(project, placing->name, err);
    if (!doc)
        return false;
    bool ok = choose_ids(doc, excerpt, &ids) ? true : ed_no_memory(err);
    const char *const *items = (const char *const *)ids.items;
    ok = ok && oro_excerpt_put(doc, excerpt, items, placing->dx, placing->dy, err) &&
         bring_groups(project, doc, excerpt, items, err) &&
         (!placing->links || link_outside(project, doc, excerpt, &ids, err));
    ok = ed_edit_end(project, ok, err);
    if (ok && added) {
        ed_names_free(added);
        *added = ids;
    } else {
        ed_names_free(&ids);
    }
    return ok;
}

/* Moves by whole numbers, so that nodes on the grid stay on it. */
static void centre_at(const struct oro_document *excerpt, double x, double y, struct placing *placing)
{
    struct ed_area box = ed_no_area;
    for (size_t i = 0; i < oro_document_node_count(excerpt); i++)
        ed_area_add(&box, oro_document_node(excerpt, i)->x, oro_document_node(excerpt, i)->y);
    for (size_t i = 0; i < oro_document_frame_count(excerpt) && oro_document_node_count(excerpt) == 0; i++) {
        const struct ed_area frame = ed_frame_box(oro_document_frame(excerpt, i));
        ed_area_add(&box, frame.x0, frame.y0);
        ed_area_add(&box, frame.x1, frame.y1);
    }
    placing->dx = round(x - (box.x0 + box.x1) / 2);
    placing->dy = round(y - (box.y0 + box.y1) / 2);
}

static struct oro_document *read_text(const struct ed_project *project, const char *text,
                                      struct oro_error *err)
{
    struct oro_problems problems = {0};
    struct oro_document *excerpt = oro_document_parse(
        text, strlen(text), oro_document_path(project->shown_root), project->registry, &problems);
    if (!excerpt)
        oro_fail(err, ORO_E_DOCUMENT, "this cannot be pasted: %s",
                 problems.count ? problems.items[0].text : "it holds no nodes");
    else if (oro_document_node_count(excerpt) + oro_document_frame_count(excerpt) == 0) {
        oro_fail(err, ORO_E_DOCUMENT, "this cannot be pasted: it holds no nodes");
        oro_document_destroy(excerpt);
        excerpt = NULL;
    }
    oro_problems_free(&problems);
    return excerpt;
}

bool ed_paste(struct ed_project *project, const char *text, double x, double y, bool links,
              struct ed_names *added, struct oro_error *err)
{
    struct placing placing = {.links = links, .name = "Paste"};
    if (added)
        ed_names_clear(added);
    struct oro_document *excerpt = read_text(project, text, err);
    if (!excerpt)
        return false;
    centre_at(excerpt, x, y, &placing);
    bool ok = put(project, excerpt, &placing, added, err);
    oro_document_destroy(excerpt);
    return ok;
}

bool ed_duplicate(struct ed_project *project, const struct ed_names *nodes, double dx, double dy,
                  struct ed_names *added, struct oro_error *err)
{
    const struct placing placing = {dx, dy, true, "Duplicate"};
    struct oro_document *excerpt = excerpt_of(project, nodes, err);
    if (added)
        ed_names_clear(added);
    bool ok = excerpt && put(project, excerpt, &placing, added, err);
    oro_document_destroy(excerpt);
    return ok;
}
