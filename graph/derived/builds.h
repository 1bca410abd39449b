/*
 * Builds of a document (struct oro_doc_build): what they write, and for whom. Texts that are given belong to
 * `arena` or to the document. All fail like the edits in graph/document/document.h.
 */
#ifndef ORO_GRAPH_DERIVED_BUILDS_H
#define ORO_GRAPH_DERIVED_BUILDS_H

#include "base/memory.h"
#include "graph/document/document.h"

/* An output of a node, or a node that writes files. */
struct oro_rendered {
    const char *name; /* as it was asked for: of the interface, NODE.OUTPUT, or the node that writes files */
    const char *node; /* its id */
    const char *output; /* NULL: the node writes files itself */
};

/* The type of an output's result. ORO_NONE: there is no such output; `err` is filled. */
enum oro_type oro_rendered_type(const struct oro_document *doc, const struct oro_registry *registry,
                                const char *node, const char *output, struct oro_error *err);

/* What a build writes. ORO_E_DOCUMENT: it names something that is not there. */
bool oro_build_outputs(const struct oro_document *doc, const struct oro_registry *registry,
                       const struct oro_doc_build *build, struct oro_arena *arena,
                       struct oro_rendered **outputs, size_t *count, struct oro_error *err);
/* The file of an output, to lie beside the document: "alps-unreal.r16", or, where a build writes several,
 * "alps-unreal-terrain.r16". NULL: memory is out. */
const char *oro_build_file(const struct oro_document *doc, const struct oro_doc_build *build,
                           const struct oro_rendered *output, bool several, const char *extension,
                           struct oro_arena *arena);
/* Whether a node type writes files. */
bool oro_type_writes(const struct oro_node_type *type);
/* Whether a node type that writes files knows the build's `for`; fails with the words that it knows. */
bool oro_build_engine(const struct oro_registry *registry, const struct oro_doc_build *build,
                      struct oro_error *err);
/* "there is no build 'unrael'; did you mean 'unreal'?" */
bool oro_build_unknown(const struct oro_document *doc, const char *name, struct oro_error *err);

#endif
