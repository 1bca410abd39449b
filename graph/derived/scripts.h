/*
 * Scripts that define node types. A node whose type is not built in is defined by a file TYPE.lua, found
 * beside the document, in the folders of OROGRAPH_PATH, or in a library (graph/derived/paths.h), in that of
 * the user also in a category; a node of type "lua" has its script within the document. graph/ knows no
 * language: the program passes one in.
 *
 * Each file is read once, and again when it has changed on disk and oro_scripts_refresh is called. Types that
 * were replaced live until the scripts are destroyed, because plans and documents may still name them.
 */
#ifndef ORO_GRAPH_DERIVED_SCRIPTS_H
#define ORO_GRAPH_DERIVED_SCRIPTS_H

#include "base/log.h"
#include "graph/derived/trust.h"
#include "graph/document/document.h"

enum { ORO_SCRIPTS_MAX = 4096 }; /* read in one process, counting later versions */
/* Time limit for reading all scripts, from one refresh to the next, and for building the graphs of one plan:
 * each script has its own limit, but there may be many. */
#define ORO_SCRIPTS_SECONDS 5.0

/* The text of a script, and the line of its file at which it begins. */
struct oro_script_source {
    const char *id;   /* the name that the type must have; NULL: any */
    const char *path; /* of the file, or of the document that contains it; "" for a document without one */
    int line;
    const char *text;
    size_t length;
    bool trusted; /* it may run within the program, as far as this text goes */
    /* Asked with oro_trust_allows for each module that it requires: one that is not trusted must not run
     * within the program. NULL: none is. */
    const struct oro_trust *trust;
    bool within;                 /* where it may not, because of a module, it fails with ORO_E_OMITTED */
    double seconds;              /* that reading may take; 0: as the language says */
    bool (*stopped)(void *user); /* asked while the script is read or builds a graph; NULL: never */
    void *user;
};

struct oro_script_language {
    const char *extension; /* ".lua" */
    /* The node type that a script defines, with `script`, `file` and `source` set. NULL: fails with a text
     * that begins with "NAME:LINE: " where a line is known. `log` must outlive the type. */
    const struct oro_node_type *(*read)(const struct oro_script_source *source, const struct oro_log *log,
                                        struct oro_error *err);
    void (*destroy)(const struct oro_node_type *type);
    /* The further files that a type was read from, besides its own; NULL after the last one. */
    const char *(*part)(const struct oro_node_type *type, size_t index);
};

struct oro_scripts; /* one thread at a time, together with everything that asks for types */

/* `log` receives what scripts print, and news of files that changed; it must outlive the scripts.
 * `allow_any_path`: files may lie anywhere. NULL: memory is out. */
struct oro_scripts *oro_scripts_create(const struct oro_script_language *language, bool allow_any_path,
                                       const struct oro_log *log);
void oro_scripts_destroy(struct oro_scripts *scripts); /* NULL is allowed */
/* Lets scripts that are being read or are building a graph ask whether to stop; they then fail with
 * ORO_E_CANCELLED. Affects scripts that are read after this call. */
void oro_scripts_stop_when(struct oro_scripts *scripts, bool (*stopped)(void *user), void *user);

/* Lets reading a script take at most so many seconds, and reading all of them from one refresh to the next;
 * for threads that nobody may wait for. */
void oro_scripts_limit(struct oro_scripts *scripts, double each, double all);

/* For lists, which must run nothing that nobody has asked for: scripts that are read after this call fail
 * with ORO_E_OMITTED, all of them or those that may not run within the program. */
enum oro_scripts_omit { ORO_OMIT_NONE, ORO_OMIT_UNTRUSTED, ORO_OMIT_ALL };
void oro_scripts_omit(struct oro_scripts *scripts, enum oro_scripts_omit omit);

/* The type that a script of that name defines, found from `document_path`. NULL: `*found` tells whether there
 * is such a file; if so, `err` says why it defines no type (ORO_E_DOCUMENT, ORO_E_LIMIT, ORO_E_FILE,
 * ORO_E_MEMORY, ORO_E_OMITTED).
 */
const struct oro_node_type *oro_script_type(struct oro_scripts *scripts, const char *document_path,
                                            const char *id, bool *found, struct oro_error *err);
bool oro_node_is_inline(const struct oro_doc_node *node);
/* The type of a node of type "lua". */
const struct oro_node_type *oro_script_type_inline(struct oro_scripts *scripts, const char *document_path,
                                                   const struct oro_doc_node *node, struct oro_error *err);

/* Whether any script that was asked for builds graphs, which may fail only when it is planned. */
bool oro_scripts_build_graphs(const struct oro_scripts *scripts);

/* Looks at the files of all scripts that were asked for: reads those that changed, or all where others are
 * trusted than before, and looks again for those that were missing. A script that is now broken or gone keeps
 * its last good type, and the log says why. Returns how many types changed, appeared, or are missing for
 * another reason, and is not 0 either where others are trusted. Nodes whose scripts changed then have other
 * cache keys, and types derived from them (oro_graph_type) are made anew. */
size_t oro_scripts_refresh(struct oro_scripts *scripts);
/* Rises with every refresh that changed something. */
uint64_t oro_scripts_revision(const struct oro_scripts *scripts);

/* Why the newest text of a script's file defines no type, so that an older one stays in use; NULL: it does.
 * Valid until the next refresh. */
const char *oro_scripts_problem(const struct oro_scripts *scripts, const char *path);

/* The file of a script of that name, which is not read; the caller frees. NULL: there is none, or, where
 * `err` has a code, it may not be used, or memory is out. */
char *oro_script_file(const struct oro_scripts *scripts, const char *document_path, const char *id,
                      struct oro_error *err);
/* Lists the scripts that a document at `document_path` can use, and reads none: calls `each` with the
 * script's file, or with NULL and the reason where that may not be used, in the order of their ids. Where
 * several folders have a script of one name, only the one that is used is listed. Built-in types (`registry`)
 * hide scripts of their name. False: memory is out. */
bool oro_scripts_each_file(
    struct oro_scripts *scripts, const struct oro_registry *registry, const char *document_path,
    void (*each)(void *user, const char *id, const char *path, const struct oro_error *err), void *user);

#endif
