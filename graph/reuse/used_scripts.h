/* The texts of the scripts that a document uses, found without running any: what there is to trust
 * (graph/derived/trust.h). Scripts of graphs that it uses, and modules that scripts require by a plain name,
 * are among them. */
#ifndef ORO_GRAPH_REUSE_USED_SCRIPTS_H
#define ORO_GRAPH_REUSE_USED_SCRIPTS_H

#include "base/memory.h"
#include "graph/derived/trust.h"
#include "graph/document/document.h"

/* Each text once. Start with {0}. */
struct oro_used_scripts {
    struct oro_trusted *items; /* without their day; the name is where the text lies: a file's true place, */
    size_t count, capacity;    /* or that of a document, with the node */
};
void oro_used_scripts_free(struct oro_used_scripts *used);

/* Adds those of a document. `registry` must leave out all scripts (oro_scripts_omit). Those that come with
 * the program are left out, as is what cannot be read. False: memory is out, or there are too many. */
bool oro_used_scripts_of(struct oro_used_scripts *used, const struct oro_document *doc,
                         const struct oro_registry *registry, struct oro_error *err);
/* Adds a script's file, with its modules. Fails with ORO_E_FILE, too. */
bool oro_used_scripts_of_file(struct oro_used_scripts *used, const char *path, struct oro_error *err);

#endif
