/* Putting frames around nodes, making groups of nodes, and taking groups apart. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "editor/project/operations_private.h"
#include "graph/reuse/reuse.h"

/* ---- Frames ---- */

bool ed_frame(struct ed_project *project, const struct ed_names *nodes, const char *title,
              const struct ed_sizes *sizes, struct oro_error *err)
{
    struct ed_area all = ed_no_area;
    if (nodes->count == 0)
        return oro_fail(err, ORO_E_USAGE, "nothing is selected");
    struct oro_document *doc = ed_edit_begin(project, "Add frame", err);
    bool ok = doc;
    for (size_t i = 0; i < nodes->count && ok; i++) {
        const struct oro_doc_node *node = oro_document_find(doc, nodes->items[i]);
        if (!node) {
            ok = oro_fail(err, ORO_E_DOCUMENT, "there is no node '%.100s'", nodes->items[i]);
            continue;
        }
        const struct ed_area box = ed_node_box(node, sizes);
        ed_area_add(&all, box.x0, box.y0);
        ed_area_add(&all, box.x1, box.y1);
    }
    const struct oro_doc_frame frame = {
        .title = (char *)title,
        .x = floor(all.x0) - ED_FRAME_MARGIN,
        .y = floor(all.y0) - ED_FRAME_MARGIN - ED_FRAME_TITLE,
        .width = ceil(all.x1 - all.x0) + 2 * ED_FRAME_MARGIN,
        .height = ceil(all.y1 - all.y0) + 2 * ED_FRAME_MARGIN + ED_FRAME_TITLE,
    };
    return doc && ed_edit_end(project, ok && oro_edit_add_frame(doc, &frame, err), err);
}

/* ---- Groups ---- */

/* The node that uses the new group. */
static bool find_use(const struct oro_document *doc, const char *group, char id[128])
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        if (!oro_node_is_graph(node) || !node->href || node->href[0] != '#' ||
            strcmp(node->href + 1, group) != 0)
            continue;
        snprintf(id, 128, "%s", node->id);
        return true;
    }
    return false;
}

static bool group(struct ed_project *project, const struct ed_names *nodes, const char *name, char id[128],
                  struct oro_error *err)
{
    struct oro_document *whole = ed_whole_begin(project, err);
    if (!whole)
        return false;
    bool ok = oro_reuse_group(whole, (const char *const *)nodes->items, nodes->count, name, project->registry,
                              err) &&
              find_use(whole, name, id);
    return ed_whole_end(project, whole, ok, err);
}

bool ed_group(struct ed_project *project, const struct ed_names *nodes, const char *name, char id[128],
              struct oro_error *err)
{
    char step[160], use[128] = "";
    char *own = ed_free_group(project->shown_root, NULL, *name ? name : "group");
    if (!own)
        return ed_no_memory(err);
    snprintf(step, sizeof step, "Group %.128s", own);
    struct oro_document *doc = ed_edit_begin(project, step, err);
    bool ok = doc && ed_edit_end(project, group(project, nodes, own, use, err), err);
    if (ok && id)
        snprintf(id, 128, "%s", use);
    oro_free(own);
    return ok;
}

/* ---- Groups taken apart ---- */

/* Moves the new nodes around the place of the node that they replace. */
static bool place_around(struct oro_document *doc, const struct oro_document *before, double x, double y,
                         struct ed_names *added, struct oro_error *err)
{
    struct ed_area box = ed_no_area;
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        if (oro_document_find(before, node->id))
            continue;
        ed_area_add(&box, node->x, node->y);
        if (!ed_names_add(added, node->id))
            return ed_no_memory(err);
    }
    double dx = round(x - (box.x0 + box.x1) / 2), dy = round(y - (box.y0 + box.y1) / 2);
    for (size_t i = 0; i < added->count; i++) {
        const struct oro_doc_node *node = oro_document_find(doc, added->items[i]);
        if (!oro_edit_move(doc, added->items[i], node->x + dx, node->y + dy, err))
            return false;
    }
    return true;
}

/* Renames "alpine_base" back to "base" if that is free, so that making a group and taking it apart leaves
 * names as they were. */
static bool own_names(struct oro_document *doc, const char *use, struct ed_names *added,
                      struct oro_error *err)
{
    size_t prefix = strlen(use) + 1;
    for (size_t i = 0; i < added->count; i++) {
        const char *id = added->items[i];
        if (strlen(id) <= prefix || strncmp(id, use, prefix - 1) != 0 || id[prefix - 1] != '_' ||
            oro_document_find(doc, id + prefix))
            continue;
        char *own = oro_copy_text(id + prefix);
        if (!own)
            return ed_no_memory(err);
        if (!oro_edit_rename_node(doc, id, own, err)) {
            oro_free(own);
            return false;
        }
        oro_free(added->items[i]);
        added->items[i] = own;
    }
    return true;
}

static bool ungroup(struct ed_project *project, const char *node, struct ed_names *added,
                    struct oro_error *err)
{
    struct oro_document *whole = ed_whole_begin(project, err);
    if (!whole)
        return false;
    const struct oro_doc_node *use = oro_document_find(whole, node);
    double x = use ? use->x : 0, y = use ? use->y : 0;
    struct oro_document *before = oro_document_clone(whole);
    bool ok = before ? oro_reuse_flatten(whole, node, project->registry, err) &&
                           place_around(whole, before, x, y, added, err) && own_names(whole, node, added, err)
                     : ed_no_memory(err);
    oro_document_destroy(before);
    return ed_whole_end(project, whole, ok, err);
}

bool ed_ungroup(struct ed_project *project, const char *node, struct ed_names *added, struct oro_error *err)
{
    char step[160], own[128];
    struct ed_names names = {0};
    snprintf(step, sizeof step, "Take %.128s apart", node);
    snprintf(own, sizeof own, "%s", node);
    struct oro_document *doc = ed_edit_begin(project, step, err);
    bool ok = doc && ed_edit_end(project, ungroup(project, own, &names, err), err);
    if (added)
        ed_names_clear(added);
    if (ok && added) {
        ed_names_free(added);
        *added = names;
    } else {
        ed_names_free(&names);
    }
    return ok;
}
