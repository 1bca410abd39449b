/* Documents from files, with all that is wrong with them. */
#ifndef ORO_GRAPH_FILE_LOAD_H
#define ORO_GRAPH_FILE_LOAD_H

#include "graph/file/xml.h"

/* Reads a document, brings it up to date and checks it: oro_document_read, oro_settle_names, oro_check. */
struct oro_document *oro_document_load(const char *path, const struct oro_registry *registry,
                                       struct oro_problems *problems);

/* The same for a document at `path` that lies in `file` for now. What oro_assets_create takes to read graphs
 * that are used as nodes. */
struct oro_document *oro_document_load_from(const char *file, const char *path,
                                            const struct oro_registry *registry,
                                            struct oro_problems *problems);

/* Where a node's type has only one of the names `terrain` and `field`, as input or as output, and a document
 * that was just read has the other, gives it the one (oro_type_input_meant). */
void oro_settle_names(struct oro_document *doc, const struct oro_registry *registry,
                      struct oro_problems *problems);

/* Checks a document and its groups against the node types: unknown types and inputs, dangling links, wrong
 * socket types, values out of range, expressions that fail, missing graphs, cycles, required inputs without a
 * link, and interface entries that lead nowhere. What a muted node lacks is no problem, unless it lets
 * nothing through to a required input. Adds to `problems`, which is then sorted by line and without
 * repetitions (so that the same list may have gone through oro_document_read before). A required input that
 * an interface input leads to may stay unlinked: that is a notice ("open-input"). */
void oro_check(const struct oro_document *doc, const struct oro_registry *registry,
               struct oro_problems *problems);

#endif
