/*
 * Scripts that define node types. A node whose type is not built in is a file TYPE.lua, found beside the
 * document, in the folders of OROGRAPH_PATH, or in the installed library (graph/derived/paths.h); a node of
 * type "lua" has its script within the document. graph/ knows no language: the program passes one in.
 *
 * Each file is read once, and again when it changed on disk and oro_scripts_refresh is asked; types that were
 * replaced live until the scripts are destroyed, because plans and documents may still name them.
 */
#ifndef ORO_GRAPH_DERIVED_SCRIPTS_H
#define ORO_GRAPH_DERIVED_SCRIPTS_H

#include "base/log.h"
#include "graph/document/document.h"

enum { ORO_SCRIPTS_MAX = 4096 }; /* read in one process, with their later versions */
/* Reading all scripts may take so long together, from one refresh to the next; and building the graphs of one
 * plan: each is limited, and there may be many. */
#define ORO_SCRIPTS_SECONDS 5.0

/* A text that a script is made of, and the line of its file at which it begins. */
struct oro_script_source {
    const char *id;   /* what the type must be called; NULL: whatever it calls itself */
    const char *path; /* the file, or the document that it stands in; "" for a document without one */
    int line;
    const char *text;
    size_t length;
    bool (*stopped)(void *user); /* asked while the script runs to be read or expanded; NULL: never */
    void *user;
};

struct oro_script_language {
    const char *extension; /* ".lua" */
    /* The node type that a script defines, with `script`, `file` and `source` set. NULL: fails with a text
     * that begins with "NAME:LINE: " where a line is known. `log` must outlive the type. */
    const struct oro_node_type *(*read)(const struct oro_script_source *source, const struct oro_log *log,
                                        struct oro_error *err);
    void (*destroy)(const struct oro_node_type *type);
    /* The files that a type was read from besides its own; NULL after the last one. */
    const char *(*part)(const struct oro_node_type *type, size_t index);
};

struct oro_scripts; /* one thread at a time, with all that asks for types */

/* `log` gets what scripts print, and what becomes of files that changed; it must outlive the scripts.
 * `allow_any_path`: files may lie anywhere. NULL: memory is out. */
struct oro_scripts *oro_scripts_create(const struct oro_script_language *language, bool allow_any_path,
                                       const struct oro_log *log);
void oro_scripts_destroy(struct oro_scripts *scripts); /* NULL is allowed */
/* Has scripts that are read, or put together a graph, ask whether to stop: they fail with ORO_E_CANCELLED
 * then. For scripts that are read after this. */
void oro_scripts_stop_when(struct oro_scripts *scripts, bool (*stopped)(void *user), void *user);

/* The type that a script of that name defines, found from `document_path`. NULL: `*found` tells whether there
 * is such a file; if so, `err` says why it is none (ORO_E_DOCUMENT, ORO_E_LIMIT, ORO_E_FILE, ORO_E_MEMORY).
 */
const struct oro_node_type *oro_script_type(struct oro_scripts *scripts, const char *document_path,
                                            const char *id, bool *found, struct oro_error *err);
bool oro_node_is_inline(const struct oro_doc_node *node);
/* Of a node of type "lua". */
const struct oro_node_type *oro_script_type_inline(struct oro_scripts *scripts, const char *document_path,
                                                   const struct oro_doc_node *node, struct oro_error *err);

/* Whether any script that was asked for builds graphs: whether it can is known when it is planned. */
bool oro_scripts_build_graphs(const struct oro_scripts *scripts);

/* Looks at the files of all scripts that were asked for, and reads those anew that changed; looks for those
 * that were missing. One that is broken or gone now keeps its last good type, and the log says why. Returns
 * how many types changed, came, or are missing for another reason; their nodes then have other cache keys,
 * and what was derived from them (oro_graph_type) is made anew. */
size_t oro_scripts_refresh(struct oro_scripts *scripts);
/* Raised by every refresh that changed something. */
uint64_t oro_scripts_revision(const struct oro_scripts *scripts);

/* The scripts that a document at `document_path` can use, by id: calls `each` with the type, or with NULL and
 * the reason, in the order of their ids; where several folders have one of a name, the one that is used.
 * Types that are built in (`registry`) hide scripts of their name. False: memory is out. */
bool oro_scripts_list(struct oro_scripts *scripts, const struct oro_registry *registry,
                      const char *document_path,
                      void (*each)(void *user, const char *id, const struct oro_node_type *type,
                                   const struct oro_error *err),
                      void *user);

#endif
