/*
 * Presets: named settings of a node type. A preset is a document with exactly one node, whose values and
 * expressions are the settings; its `about` describes it. So presets are read, brought up to date and written
 * like documents.
 *
 * They lie in presets/TYPE/NAME.oro: beside the document, in the folders of OROGRAPH_PATH, in the user's
 * folder (XDG_DATA_HOME/orograph, else ~/.local/share/orograph), in the folders of the user's library, and in
 * what is installed with the program. The first one found is used. TYPE is the node type; for a node that is
 * a graph, the name of the graph's file without ".oro", or of its group.
 */
#ifndef ORO_GRAPH_REUSE_PRESET_H
#define ORO_GRAPH_REUSE_PRESET_H

#include "base/log.h"
#include "base/memory.h"
#include "graph/document/document.h"

enum oro_preset_source {
    ORO_PRESET_PROJECT, /* beside the document */
    ORO_PRESET_PATH,    /* OROGRAPH_PATH */
    ORO_PRESET_USER,
    ORO_PRESET_INSTALLED,
};
const char *
oro_preset_source_name(enum oro_preset_source source); /* "project", "OROGRAPH_PATH", "user", ... */

struct oro_preset {
    const char *type, *name;
    const char *title, *doc, *words; /* "" where it says none, or cannot be read */
    const char *path;
    enum oro_preset_source source;
};
struct oro_presets {
    struct oro_preset *items;
    size_t count;
};

/* TYPE of a node, or NULL where it cannot have presets. */
char *oro_preset_type(const struct oro_doc_node *node, struct oro_arena *arena);

/* Lists the presets of one type, or of all types if `type` is NULL, by type and name, without those that an
 * earlier folder hides. `document_path` may be NULL: then the working folder is the project. Everything is in
 * the arena. */
bool oro_presets_list(const char *document_path, const char *type, const struct oro_registry *registry,
                      struct oro_arena *arena, struct oro_presets *presets, struct oro_error *err);
/* The file of a preset; the caller frees. NULL: ORO_E_USAGE for an invalid name; ORO_E_FILE if there is no
 * such preset, with the nearest name. */
char *oro_preset_find(const char *document_path, const char *type, const char *name,
                      const struct oro_registry *registry, struct oro_error *err);
/* The folder for presets of a type, beside a document or in the user's folder; the caller frees. Fails with
 * ORO_E_WRITE if the user has no home. */
char *oro_preset_folder(enum oro_preset_source source, const char *document_path, const char *type,
                        struct oro_error *err);

/* Reads a preset and checks that it is one. NULL: ORO_E_FILE, ORO_E_DOCUMENT. */
struct oro_document *oro_preset_read(const char *path, const struct oro_registry *registry,
                                     struct oro_error *err);

/* Sets the values and expressions of `preset` in a node, as one step that can be undone. Inputs with a link
 * keep it. `reset`: inputs that the preset does not name get their defaults, except links, files, sizes
 * (ORO_ROLE_CELLS), and inputs without a default. If a value does not fit, nothing is changed:
 * ORO_E_DOCUMENT. `log` may be NULL; it is told which links stay. */
bool oro_preset_apply(struct oro_document *doc, const char *node, const struct oro_document *preset,
                      bool reset, const struct oro_registry *registry, const struct oro_log *log,
                      struct oro_error *err);

struct oro_preset_about {
    const char *title, *doc; /* or NULL */
    bool all;                /* include inputs that have their default */
};
/* The text of a preset with a node's settings; the caller frees. Links and files are left out. Expressions
 * that use variables of the document are replaced by their values, which `log` is told. NULL: `err` says
 * why. */
char *oro_preset_make(const struct oro_document *doc, const char *node, const struct oro_preset_about *about,
                      const struct oro_registry *registry, const struct oro_log *log, struct oro_error *err);

#endif
