#include "graph/derived/builds.h"

#include <string.h>

#include "base/text.h"
#include "graph/derived/assets.h"

static bool no_memory(struct oro_error *err)
{
    return oro_fail(err, ORO_E_MEMORY, "no memory to prepare the document");
}

static const struct oro_node_type *type_of(const struct oro_document *doc,
                                           const struct oro_registry *registry, const char *id,
                                           struct oro_error *err)
{
    const struct oro_doc_node *node = oro_document_find(doc, id);
    if (node)
        return oro_type_of(registry, doc, node, err);
    oro_fail(err, ORO_E_DOCUMENT, "there is no node '%.100s'", id);
    return NULL;
}

enum oro_type oro_rendered_type(const struct oro_document *doc, const struct oro_registry *registry,
                                const char *node, const char *output, struct oro_error *err)
{
    const struct oro_graph whole = {doc, doc};
    const struct oro_node_type *type = type_of(doc, registry, node, err);
    const struct oro_output *found = type ? oro_type_output(type, output) : NULL;
    if (found)
        return oro_output_type(registry, &whole, oro_document_find(doc, node), found);
    if (type)
        oro_fail(err, ORO_E_DOCUMENT, "node '%.100s' has no output '%.100s'", node, output);
    return ORO_NONE;
}

bool oro_type_writes(const struct oro_node_type *type)
{
    bool writes = false;
    for (const struct oro_input *input = type->inputs; input->name; input++)
        writes |= input->writes;
    return type->sink && writes;
}

bool oro_build_unknown(const struct oro_document *doc, const char *name, struct oro_error *err)
{
    size_t count = oro_document_build_count(doc);
    const char **names = oro_alloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = oro_document_build(doc, i)->name;
    const char *near = names ? oro_suggest(name, names, count) : NULL;
    struct oro_text list = {0};
    for (size_t i = 0; names && i < count && i < 20; i++)
        oro_text_addf(&list, "%s'%.60s'", i > 0 ? ", " : "", names[i]);
    if (near)
        oro_fail(err, ORO_E_DOCUMENT, "there is no build '%.100s'; did you mean '%.100s'?", name, near);
    else if (count == 0)
        oro_fail(err, ORO_E_DOCUMENT,
                 "there is no build '%.100s': the document has none; add <build name=\"%.100s\" "
                 "resolution=\"1009\" for=\"unreal\"/>",
                 name, name);
    else
        oro_fail(err, ORO_E_DOCUMENT, "there is no build '%.100s'; the document has %s", name,
                 list.failed ? "others" : list.data);
    oro_text_free(&list);
    oro_free(names);
    return false;
}

static bool no_output(const struct oro_document *doc, const struct oro_doc_build *build, const char *name,
                      struct oro_error *err)
{
    size_t most = oro_document_port_count(doc) + oro_document_node_count(doc), count = 0;
    const char **names = oro_alloc(most + 1, sizeof *names);
    for (size_t i = 0; names && i < oro_document_port_count(doc); i++)
        if (oro_document_port(doc, i)->is_output)
            names[count++] = oro_document_port(doc, i)->name;
    for (size_t i = 0; names && i < oro_document_node_count(doc); i++)
        names[count++] = oro_document_node(doc, i)->id;
    char meant[ORO_NEAR_SIZE];
    const char *near = names ? oro_suggest(name, names, count) : NULL;
    oro_fail(
        err, ORO_E_DOCUMENT,
        "build '%.100s' writes '%.100s', which is no output of the interface, no NODE.OUTPUT and no node "
        "that writes files%s",
        build->name, name, oro_did_you_mean(near, meant));
    oro_free(names);
    return false;
}

/* Finds what a name means; the texts are the document's or the arena's. */
static bool find_rendered(const struct oro_document *doc, const struct oro_registry *registry,
                          const char *name, struct oro_arena *arena, struct oro_rendered *one)
{
    for (size_t i = 0; i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output && strcmp(port->name, name) == 0) {
            *one = (struct oro_rendered){name, oro_arena_text(arena, port->node),
                                         oro_arena_text(arena, port->socket)};
            return true;
        }
    }
    const char *dot = strchr(name, '.');
    const char *id = oro_arena_textf(arena, "%.*s", (int)strcspn(name, "."), name);
    const struct oro_node_type *type = id ? type_of(doc, registry, id, NULL) : NULL;
    *one = (struct oro_rendered){name, id, dot ? dot + 1 : NULL};
    return type && (dot ? oro_type_output(type, dot + 1) != NULL : type->sink);
}

static size_t all_outputs(const struct oro_document *doc, const struct oro_registry *registry,
                          struct oro_arena *arena, struct oro_rendered *outputs)
{
    size_t count = 0;
    for (size_t i = 0; i < oro_document_node_count(doc); i++) {
        const struct oro_doc_node *node = oro_document_node(doc, i);
        const struct oro_node_type *type = oro_type_of(registry, doc, node, NULL);
        if (type && type->sink && !node->mute)
            outputs[count++] = (struct oro_rendered){node->id, oro_arena_text(arena, node->id), NULL};
    }
    for (size_t i = 0, sinks = count; sinks == 0 && i < oro_document_port_count(doc); i++) {
        const struct oro_doc_port *port = oro_document_port(doc, i);
        if (port->is_output)
            find_rendered(doc, registry, port->name, arena, &outputs[count++]);
    }
    return count;
}

bool oro_build_outputs(const struct oro_document *doc, const struct oro_registry *registry,
                       const struct oro_doc_build *build, struct oro_arena *arena,
                       struct oro_rendered **outputs, size_t *count, struct oro_error *err)
{
    static const char between[] = " ,\t\r\n";
    const char *rest = build->outputs ? build->outputs : "";
    size_t most = strlen(rest) + oro_document_port_count(doc) + oro_document_node_count(doc) + 1;
    *outputs = oro_arena_alloc(arena, most, sizeof **outputs);
    *count = 0;
    if (!*outputs)
        return no_memory(err);
    for (rest += strspn(rest, between); *rest; rest += strspn(rest, between)) {
        size_t length = strcspn(rest, between);
        const char *name = oro_arena_textf(arena, "%.*s", (int)length, rest);
        if (!name)
            return no_memory(err);
        if (!find_rendered(doc, registry, name, arena, &(*outputs)[(*count)++]))
            return no_output(doc, build, name, err);
        rest += length;
    }
    if (*count == 0)
        *count = all_outputs(doc, registry, arena, *outputs);
    for (size_t i = 0; i < *count; i++)
        if (!(*outputs)[i].node)
            return no_memory(err);
    return *count > 0 || oro_fail(err, ORO_E_DOCUMENT,
                                  "build '%.100s' has nothing to write: the graph has neither outputs nor "
                                  "nodes that write files",
                                  build->name);
}

bool oro_build_engine(const struct oro_registry *registry, const struct oro_doc_build *build,
                      struct oro_error *err)
{
    const char *const *words = NULL;
    for (size_t i = 0; build->engine && i < registry->count; i++) {
        const struct oro_input *input =
            oro_type_writes(registry->types[i]) ? oro_type_input(registry->types[i], "for") : NULL;
        words = input ? input->choices : words;
    }
    struct oro_text list = {0};
    for (size_t i = 0; words && words[i]; i++) {
        if (strcmp(words[i], build->engine) == 0) {
            oro_text_free(&list);
            return true;
        }
        oro_text_addf(&list, "%s%s", i > 0 ? ", " : "", words[i]);
    }
    bool ok = !build->engine ||
              oro_fail(err, ORO_E_DOCUMENT, "build '%.100s': for must be one of %s, not '%.60s'", build->name,
                       list.failed || !list.data ? "none" : list.data, build->engine);
    oro_text_free(&list);
    return ok;
}

const char *oro_build_file(const struct oro_document *doc, const struct oro_doc_build *build,
                           const struct oro_rendered *output, bool several, const char *extension,
                           struct oro_arena *arena)
{
    const char *path = oro_document_path(doc), *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path[0] ? path : "graph", *dot = strrchr(name, '.');
    return oro_arena_textf(arena, "%.*s-%s%s%s.%s", dot ? (int)(dot - name) : (int)strlen(name), name,
                           build->name, several ? "-" : "", several ? output->name : "", extension);
}
