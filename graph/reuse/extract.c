/* Groups become files, and files become groups; names change on the way. */
#include <stdio.h>
#include <string.h>

#include <sys/stat.h>

#include "base/text.h"
#include "graph/derived/paths.h"
#include "graph/document/variable.h"
#include "graph/reuse/reuse_private.h"

/* ---- Names ---- */

static const char *renamed_group(const struct oro_reuse_names *names, const char *name)
{
    for (const char *const *pair = names->groups; pair && *pair; pair += 2)
        if (strcmp(pair[0], name) == 0)
            return pair[1];
    return NULL;
}

/* Whether the path exists relative to the folder of `place`. */
static bool is_beside(const char *place, const char *path)
{
    const char *slash = strrchr(place, '/');
    struct oro_text whole = {0};
    struct stat info;
    oro_text_addf(&whole, "%.*s%s", slash ? (int)(slash - place) + 1 : 0, place, path);
    bool there = !whole.failed && lstat(whole.data, &info) == 0;
    oro_text_free(&whole);
    return there;
}

static bool is_in_library(const char *place, const char *path)
{
    char *file = NULL;
    struct stat info;
    bool there = oro_resolve_path(place, path, true, &file, NULL) && lstat(file, &info) == 0;
    oro_free(file);
    return there;
}

/* Changes a path so that it works from another folder. */
static bool move_path(char **path, const struct oro_reuse_names *names)
{
    struct oro_text whole = {0};
    size_t less = strlen(names->less);
    if (!*path || !**path || (*path)[0] == '/')
        return true;
    if (*names->folder && !is_beside(names->place, *path) && is_in_library(names->place, *path))
        return true;
    if (less > 0 && strncmp(*path, names->less, less) != 0)
        less = 0; /* it may be in a library */
    oro_text_addf(&whole, "%s%s", names->folder, *path + less);
    bool ok = !whole.failed && oro_set_text(path, whole.data);
    oro_text_free(&whole);
    return ok;
}

static bool rename_href(char **href, const struct oro_reuse_names *names)
{
    char name[ORO_ID_MAX + 2];
    if ((*href)[0] != '#')
        return move_path(href, names);
    const char *now = renamed_group(names, *href + 1);
    snprintf(name, sizeof name, "#%s", now ? now : "");
    return !now || oro_set_text(href, name);
}

static bool rename_node(struct oro_item *item, const struct oro_reuse_names *names,
                        const struct oro_registry *registry)
{
    struct oro_doc_node *node = &item->node;
    oro_item_changed(item);
    const struct oro_node_type *type =
        oro_node_is_graph(node) ? NULL : oro_type_at(registry, names->place, node, NULL);
    if (oro_node_is_graph(node) && node->href && !rename_href(&node->href, names))
        return false;
    for (size_t i = 0; i < node->input_count; i++) {
        const struct oro_input *input = type ? oro_type_input(type, node->inputs[i].name) : NULL;
        if (input && input->type == ORO_FILE && !move_path(&node->inputs[i].value, names))
            return false;
    }
    return true;
}

bool oro_reuse_rename(struct oro_document *doc, const struct oro_reuse_names *names,
                      const struct oro_registry *registry, struct oro_error *err)
{
    for (size_t i = 0; i < doc->node_count; i++)
        if (!rename_node(doc->nodes[i], names, registry))
            return oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
    for (size_t i = 0; i < doc->group_count; i++)
        if (!oro_reuse_rename(doc->groups[i]->group.body, names, registry, err))
            return false;
    return true;
}

/* ---- Namespaces ---- */

static const char *prefix_of(const struct oro_doc_attribute *attribute)
{
    return strncmp(attribute->name, "xmlns:", 6) == 0 ? attribute->name + 6 : NULL;
}

bool oro_reuse_namespaces(struct oro_doc_attributes *to, const struct oro_doc_attributes *from)
{
    for (size_t i = 0; i < from->count; i++)
        if (prefix_of(&from->items[i]) && !oro_attributes_have(to, from->items[i].name) &&
            !oro_attributes_add(to, from->items[i].name, from->items[i].value))
            return false;
    return true;
}

static bool has_prefix(const struct oro_doc_attributes *other, const struct oro_doc_fragments *fragments,
                       const char *prefix)
{
    size_t length = strlen(prefix);
    for (size_t i = 0; i < other->count; i++)
        if (strncmp(other->items[i].name, prefix, length) == 0 && other->items[i].name[length] == ':')
            return true;
    for (size_t i = 0; i < fragments->count; i++)
        for (const char *at = fragments->items[i].text; (at = strstr(at, prefix)) != NULL; at += length)
            if (at[length] == ':')
                return true;
    return false;
}

static bool uses_prefix(const struct oro_doc_node *node, const char *prefix)
{
    bool uses = has_prefix(&node->other, &node->fragments, prefix);
    for (size_t i = 0; i < node->input_count && !uses; i++)
        uses = has_prefix(&node->inputs[i].other, &node->inputs[i].fragments, prefix);
    return uses;
}

bool oro_reuse_declare(struct oro_item *item, const struct oro_doc_attributes *scope)
{
    struct oro_doc_attributes *other = &item->node.other;
    for (size_t i = 0; i < scope->count; i++) {
        const char *prefix = prefix_of(&scope->items[i]);
        if (prefix && uses_prefix(&item->node, prefix) && !oro_attributes_have(other, scope->items[i].name) &&
            !oro_attributes_add(other, scope->items[i].name, scope->items[i].value))
            return false;
    }
    return true;
}

/* ---- The interface ---- */

static bool leads_to(const struct oro_doc_port *port, bool is_output, const char *node, const char *socket)
{
    return port->is_output == is_output && strcmp(port->node, node) == 0 && strcmp(port->socket, socket) == 0;
}

bool oro_reuse_retarget(struct oro_document *doc, bool is_output, const char *from_node,
                        const char *from_socket, const char *node, const char *socket, struct oro_error *err)
{
    bool any = false, ok = true;
    for (size_t i = 0; i < oro_document_port_count(doc); i++)
        any |= leads_to(oro_document_port(doc, i), is_output, from_node, from_socket);
    if (!any)
        return true;
    struct oro_edit edit = {.doc = doc};
    struct oro_item *clone = oro_edit_clone(&edit, doc->interface);
    for (size_t i = clone ? clone->ports.count : 0; ok && i-- > 0;) {
        struct oro_doc_port *port = &clone->ports.items[i];
        if (leads_to(port, is_output, from_node, from_socket))
            ok = oro_set_text(&port->node, node) && oro_set_text(&port->socket, socket);
    }
    return oro_edit_finish(&edit, clone && ok, "Change the interface", err);
}

/* ---- To a file ---- */

/* Copies a group and the groups that it uses, each once: the list of names also says what is left to copy. */
static bool copy_groups(const struct oro_document *doc, struct oro_document *file,
                        const struct oro_document *body, struct oro_error *err)
{
    for (size_t i = 0; i < oro_document_node_count(body); i++) {
        const struct oro_doc_node *node = oro_document_node(body, i);
        if (!oro_node_is_graph(node) || !node->href || node->href[0] != '#')
            continue;
        const struct oro_doc_group *group = oro_document_find_group(doc, node->href + 1);
        if (!group || oro_document_find_group(file, group->name))
            continue;
        if (!oro_edit_group(file, group->name, group->body, err) || !copy_groups(doc, file, group->body, err))
            return false;
    }
    return true;
}

/* With the numbers that its expressions give: the file need not have the document's variables. */
static bool copy_world(const struct oro_document *from, struct oro_document *to,
                       const struct oro_registry *registry, struct oro_error *err)
{
    struct oro_world world;
    return oro_world_evaluate(from, registry, NULL, 0, &world, err) && oro_edit_world(to, &world, err);
}

struct oro_document *oro_reuse_file_of(const struct oro_document *doc, const char *group, const char *folder,
                                       const struct oro_registry *registry, struct oro_error *err)
{
    const struct oro_reuse_names names = {
        .folder = "", .less = folder, .place = oro_document_path(doc), .groups = NULL};
    const struct oro_doc_group *found = oro_document_find_group(doc, group);
    if (!found) {
        oro_edit_refuse(err, NULL, "there is no group '%.100s'", group);
        return NULL;
    }
    struct oro_document *file = oro_document_clone(found->body);
    bool ok = file && oro_reuse_namespaces(&file->other, &doc->other) &&
              (file->world || copy_world(doc, file, registry, err)) &&
              copy_groups(doc, file, found->body, err) && oro_reuse_rename(file, &names, registry, err);
    if (ok) /* a document that was just made has no history */
        oro_undo_free(file);
    if (!file)
        oro_fail(err, ORO_E_MEMORY, "no memory to copy group '%s'", group);
    if (!ok) {
        oro_document_destroy(file);
        file = NULL;
    }
    return file;
}

/* Makes nodes of the document, and of its groups, that use `from` use `to`. */
static bool redirect(struct oro_document *doc, const char *from, const char *to, int version,
                     struct oro_error *err)
{
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        if (oro_node_is_graph(node) && node->href && strcmp(node->href, from) == 0 &&
            !oro_edit_href(doc, node->id, to, version > 0 ? version : node->version, err))
            return false;
    }
    return true;
}

bool oro_reuse_redirect(struct oro_document *doc, const char *from, const char *to, int version,
                        struct oro_error *err)
{
    bool ok = redirect(doc, from, to, version, err);
    for (size_t i = 0; ok && i < oro_document_group_count(doc); i++) {
        const struct oro_doc_group *group = oro_document_group(doc, i);
        struct oro_document *body = oro_document_clone(group->body);
        char name[ORO_ID_MAX + 1];
        snprintf(name, sizeof name, "%s", group->name);
        ok = body ? redirect(body, from, to, version, err)
                  : oro_fail(err, ORO_E_MEMORY, "no memory to edit the document");
        if (ok && oro_document_revision(body) > 0)
            ok = oro_edit_group(doc, name, body, err);
        oro_document_destroy(body);
    }
    return ok;
}

static bool finish(struct oro_document *doc, bool ok)
{
    if (ok)
        oro_edit_end(doc, NULL);
    else
        oro_edit_cancel(doc, NULL);
    return ok;
}

bool oro_reuse_extract(struct oro_document *doc, const char *group, const char *href, struct oro_error *err)
{
    char from[ORO_ID_MAX + 2], name[ORO_ID_MAX + 1];
    const struct oro_doc_group *found = oro_document_find_group(doc, group);
    if (!found)
        return oro_edit_refuse(err, NULL, "there is no group '%.100s'", group);
    if (!*href || *href == '#')
        return oro_edit_refuse(err, NULL, "'%.100s' names no file", href);
    int version = oro_document_interface_version(found->body);
    snprintf(from, sizeof from, "#%s", group);
    snprintf(name, sizeof name, "%s", group);
    if (!oro_edit_begin(doc, "Make a file of a group", err))
        return false;
    return finish(doc,
                  oro_reuse_redirect(doc, from, href, version, err) && oro_edit_remove_group(doc, name, err));
}

/* ---- From a file ---- */

/* Whether a group has that name, or will get it. */
static bool is_promised(const struct oro_document *doc, const char *const *pairs, size_t count,
                        const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(pairs[2 * i + 1], name) == 0)
            return true;
    return oro_document_find_group(doc, name);
}

/* Pairs of old and new names for the groups of a file that is to be called `name`. NULL: memory is out. */
static const char **name_groups(const struct oro_document *doc, const struct oro_document *file,
                                const char *name, struct oro_arena *arena)
{
    size_t count = oro_document_group_count(file);
    const char **pairs = oro_arena_alloc(arena, 2 * count + 1, sizeof *pairs);
    for (size_t i = 0; pairs && i < count; i++) {
        const char *old = oro_document_group(file, i)->name;
        const char *free = strcmp(old, name) == 0 ? oro_arena_textf(arena, "%.80s_part", old) : old;
        for (int k = 2; free && (strcmp(free, name) == 0 || is_promised(doc, pairs, i, free)); k++)
            free = oro_arena_textf(arena, "%.80s_%d", old, k);
        if (!free)
            return NULL;
        pairs[2 * i] = old;
        pairs[2 * i + 1] = free;
    }
    return pairs;
}

static bool add_groups(struct oro_document *doc, struct oro_document *file, const char *const *pairs,
                       const char *name, struct oro_error *err)
{
    for (size_t i = 0; pairs[2 * i]; i++)
        if (!oro_edit_group(doc, pairs[2 * i + 1], oro_document_group(file, i)->body, err))
            return false;
    for (size_t i = oro_document_group_count(file); i-- > 0;)
        if (!oro_edit_remove_group(file, pairs[2 * i], err))
            return false;
    return oro_edit_group(doc, name, file, err);
}

static bool bring(struct oro_document *doc, const struct oro_document *graph, const char *href,
                  const char *name, const struct oro_registry *registry, struct oro_arena *arena,
                  struct oro_error *err)
{
    const char *slash = strrchr(href, '/');
    struct oro_document *file = oro_document_clone(graph);
    const char *folder = oro_arena_textf(arena, "%.*s", slash ? (int)(slash - href) + 1 : 0, href);
    const char **pairs = file ? name_groups(doc, file, name, arena) : NULL;
    const struct oro_reuse_names names = {
        .folder = folder, .less = "", .place = oro_document_path(graph), .groups = pairs};
    bool ok = pairs && folder
                  ? oro_reuse_scripts_stay(file, names.place, oro_document_path(doc), registry, err)
                  : oro_fail(err, ORO_E_MEMORY, "no memory to take in '%s'", href);
    ok = ok && oro_reuse_rename(file, &names, registry, err) && add_groups(doc, file, pairs, name, err);
    oro_document_destroy(file);
    return ok;
}

bool oro_reuse_bring(struct oro_document *doc, const char *href, const char *name,
                     const struct oro_registry *registry, struct oro_error *err)
{
    const struct oro_doc_node any = {
        .id = (char *)"", .type = (char *)ORO_GRAPH_TYPE, .href = (char *)href, .version = 1};
    struct oro_graph graph;
    if (*href == '#')
        return oro_edit_refuse(err, NULL, "'%.100s' is a group of the document already", href);
    if (oro_document_find_group(doc, name))
        return oro_edit_refuse(err, NULL, "there is a group '%.100s' already", name);
    if (!oro_graph_find(registry, doc, &any, &graph, err))
        return false;
    struct oro_arena *arena = oro_arena_create();
    bool ok = arena ? bring(doc, graph.doc, href, name, registry, arena, err)
                    : oro_fail(err, ORO_E_MEMORY, "no memory to take in '%s'", href);
    oro_arena_destroy(arena);
    return ok;
}

bool oro_reuse_embed(struct oro_document *doc, const char *href, const char *name,
                     const struct oro_registry *registry, struct oro_error *err)
{
    char to[ORO_ID_MAX + 2];
    snprintf(to, sizeof to, "#%s", name);
    char *from = oro_copy_text(href); /* `href` may belong to a node, which changes */
    bool ok = from ? oro_edit_begin(doc, "Take a graph in", err)
                   : oro_fail(err, ORO_E_MEMORY, "no memory to take in '%s'", href);
    if (ok)
        ok = finish(doc, oro_reuse_bring(doc, from, name, registry, err) &&
                             oro_reuse_redirect(doc, from, to, 0, err));
    oro_free(from);
    return ok;
}
