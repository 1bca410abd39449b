/* Documents as XML (design, section 5; docs/file-format.md). */
#ifndef ORO_GRAPH_FILE_XML_H
#define ORO_GRAPH_FILE_XML_H

#include "graph/document/document.h"

/* Reads a document and brings older documents and node types up to date (with notices in `problems`). NULL if
 * it is not a document at all; `problems` then says why. A document with errors in its parts is returned,
 * with all errors reported, so that an editor can open it. `registry` is used for migrations. No network, no
 * DTD, no entities. */
struct oro_document *oro_document_read(const char *path, const struct oro_registry *registry,
                                       struct oro_problems *problems);
/* The same for a document at `path` that lies in `file` for now. */
struct oro_document *oro_document_read_from(const char *file, const char *path,
                                            const struct oro_registry *registry,
                                            struct oro_problems *problems);
struct oro_document *oro_document_parse(const char *text, size_t size, const char *path,
                                        const struct oro_registry *registry, struct oro_problems *problems);

/* Writes canonical XML: fixed order and formatting, no defaults, unknown content kept. The caller frees *text
 * with oro_free. */
bool oro_document_format(const struct oro_document *doc, const struct oro_registry *registry, char **text,
                         size_t *size, struct oro_error *err);
/* Atomic: the previous file stays until the new one is safely written. */
bool oro_document_write(const struct oro_document *doc, const struct oro_registry *registry, const char *path,
                        struct oro_error *err);

/* The RELAX NG schema with the node part made from the descriptors. The caller frees with oro_free; NULL:
 * memory. */
char *oro_schema(const struct oro_registry *registry);

#endif
