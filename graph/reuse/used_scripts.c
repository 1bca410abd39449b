#include "graph/reuse/used_scripts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/derived/assets.h"
#include "graph/derived/paths.h"
#include "graph/derived/scripts.h"

enum { BYTES_MAX = 1 << 20, DEPTH_MAX = ORO_GRAPH_DEPTH_MAX };

/* The graphs and files that lead to a place are those on the stack, so that circles end. */
struct walk {
    struct oro_used_scripts *used;
    const struct oro_registry *registry;
    const struct oro_document *docs[ORO_ASSETS_MAX];
    size_t doc_count;
    struct oro_error *err;
};

void oro_used_scripts_free(struct oro_used_scripts *used)
{
    oro_free(used->items);
    *used = (struct oro_used_scripts){0};
}

/* False: it is there already, or `err` is filled. */
static bool add(struct oro_used_scripts *used, const char *text, size_t length, const char *name,
                struct oro_error *err)
{
    struct oro_trusted item = {0};
    void *items = used->items;
    oro_sha256(text, length, item.digest);
    for (size_t i = 0; i < used->count; i++)
        if (strcmp(used->items[i].digest, item.digest) == 0)
            return false;
    if (used->count >= ORO_TRUSTED_MAX)
        return oro_fail(err, ORO_E_LIMIT, "more than %d scripts are used", ORO_TRUSTED_MAX);
    if (!oro_reserve(&items, &used->capacity, used->count + 1, sizeof *used->items))
        return oro_fail(err, ORO_E_MEMORY, "no memory for the scripts");
    snprintf(item.name, sizeof item.name, "%s", name);
    used->items = items;
    used->items[used->count++] = item;
    return true;
}

static void add_file(struct oro_used_scripts *used, const char *path, struct oro_error *err);

/* "lib.waves" of a script at `path`: lib/waves.lua beside it. */
static void add_module(struct oro_used_scripts *used, const char *path, const char *name, size_t length,
                       struct oro_error *err)
{
    struct oro_text file = {0};
    char *module = NULL;
    oro_text_add_bytes(&file, name, length);
    for (size_t i = 0; !file.failed && i < file.length; i++)
        file.data[i] = file.data[i] == '.' ? '/' : file.data[i];
    oro_text_add(&file, ".lua");
    if (!file.failed && oro_resolve_path(path, file.data, false, &module, NULL))
        add_file(used, module, err);
    oro_free(module);
    oro_text_free(&file);
}

/* require "a", require('a.b'): the names that are plain strings. */
static void add_modules(struct oro_used_scripts *used, const char *path, const char *text,
                        struct oro_error *err)
{
    static const char word[] = "require";
    for (const char *at = text; (at = strstr(at, word)) != NULL;) {
        at += sizeof word - 1;
        at += strspn(at, " \t\r\n(");
        size_t length = *at == '"' || *at == '\'' ? strcspn(at + 1, "\"'\n") : 0;
        if (length > 0 && length <= 200)
            add_module(used, path, at + 1, length, err);
    }
}

/* What cannot be read has nothing to be trusted. */
static void add_file(struct oro_used_scripts *used, const char *path, struct oro_error *err)
{
    void *text = NULL;
    size_t size;
    char *place = oro_path_true(path);
    if (place && !oro_path_is_installed(place) && oro_file_read(path, BYTES_MAX, &text, &size, NULL) &&
        add(used, text, size, place, err))
        add_modules(used, path, text, err);
    oro_free(text);
    oro_free(place);
}

bool oro_used_scripts_of_file(struct oro_used_scripts *used, const char *path, struct oro_error *err)
{
    struct oro_error why = {0};
    void *text = NULL;
    size_t size;
    if (!oro_file_read(path, BYTES_MAX, &text, &size, err))
        return false;
    oro_free(text);
    add_file(used, path, &why);
    return why.code == ORO_OK || oro_fail(err, why.code, "%s", why.text);
}

/* ---- Documents ---- */

static void add_inline(struct walk *walk, const char *path, const struct oro_doc_node *node)
{
    struct oro_text name = {0};
    char *place = *path ? oro_path_true(path) : NULL;
    oro_text_addf(&name, "%s: node '%s'", place ? place : "a document without a file", node->id);
    if (name.failed)
        oro_fail(walk->err, ORO_E_MEMORY, "no memory for the scripts");
    else if (node->script && add(walk->used, node->script, strlen(node->script), name.data, walk->err))
        add_modules(walk->used, path, node->script, walk->err);
    oro_text_free(&name);
    oro_free(place);
}

static void add_document(struct walk *walk, const struct oro_document *root, int depth);

static void add_body(struct walk *walk, const struct oro_document *body, const struct oro_document *root,
                     int depth)
{
    const char *path = oro_document_path(root);
    for (size_t i = 0; i < oro_document_node_count(body); i++) {
        const struct oro_doc_node *node = oro_document_node(body, i);
        struct oro_graph graph;
        if (oro_node_is_graph(node)) {
            if (oro_graph_find(walk->registry, root, node, &graph, NULL) && graph.root != root)
                add_document(walk, graph.root, depth + 1);
        } else if (oro_node_is_inline(node)) {
            add_inline(walk, path, node);
        } else if (!oro_registry_find(walk->registry, node->type)) {
            char *file = oro_script_file(walk->registry->scripts, path, node->type, NULL);
            if (file)
                add_file(walk->used, file, walk->err);
            oro_free(file);
        }
    }
}

static void add_document(struct walk *walk, const struct oro_document *root, int depth)
{
    for (size_t i = 0; i < walk->doc_count; i++)
        if (walk->docs[i] == root)
            return;
    if (depth > DEPTH_MAX || walk->doc_count >= ORO_ASSETS_MAX)
        return;
    walk->docs[walk->doc_count++] = root;
    add_body(walk, root, root, depth);
    for (size_t i = 0; i < oro_document_group_count(root); i++)
        add_body(walk, oro_document_group(root, i)->body, root, depth);
}

bool oro_used_scripts_of(struct oro_used_scripts *used, const struct oro_document *doc,
                         const struct oro_registry *registry, struct oro_error *err)
{
    struct oro_error why = {0};
    struct walk *walk = oro_alloc(1, sizeof *walk);
    if (!walk)
        return oro_fail(err, ORO_E_MEMORY, "no memory for the scripts");
    *walk = (struct walk){.used = used, .registry = registry, .err = &why};
    add_document(walk, doc, 0);
    oro_free(walk);
    return why.code == ORO_OK || oro_fail(err, why.code, "%s", why.text);
}
