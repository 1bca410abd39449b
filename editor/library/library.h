/*
 * The user's library on the disk: graphs, scripts and presets that are kept for other documents.
 *
 * A graph lies in FOLDER/CATEGORY/NAME.oro or FOLDER/NAME.oro, a script in the same places as ID.lua, and a
 * preset in presets/TYPE/NAME.oro beside the user's own FOLDER, where the command line looks for presets, too
 * (graph/derived/paths.h, graph/reuse/preset.h). So what is kept here is found by every program that reads
 * documents. Title, tags and description stand in the file itself: in the <about> of graphs and presets,
 * whose `words` are the tags, and in comments at the head of scripts.
 *
 * Older versions of a file lie in .versions/FILE/ beside it, named after the time at which they were written.
 * What is replaced or removed goes there first. Favourites are the user's own, and no part of the files.
 *
 * Threads: any, one at a time.
 */
#ifndef ED_LIBRARY_LIBRARY_H
#define ED_LIBRARY_LIBRARY_H

#include "base/memory.h"
#include "graph/document/document.h"

enum {
    ED_LIBRARY_VERSIONS_MAX = 100 /* of a file; the oldest go */,
    ED_LIBRARY_NAME = 120 /* bytes of a name */
};

/* ---- Names ---- */

/* A name that files can have, of any text in any alphabet: "" where nothing is left. Returns `out`. */
const char *ed_library_name(const char *text, char out[ED_LIBRARY_NAME + 1]);
/* Likewise a name of a preset, which is an identifier: of letters of other alphabets a digest is left. */
const char *ed_library_identifier(const char *text, char out[ED_LIBRARY_NAME + 1]);

/* Where something is kept. `folder` NULL: the user's own library. */
struct ed_library_place {
    const char *folder, *category; /* category: any text; "" or NULL: none */
    const char *name;              /* any text; of a script its id */
    const char *preset_of;         /* of a preset: its TYPE; else NULL */
    bool script;
};
/* The file at a place; the caller frees. ORO_E_USAGE: the name or category has no letters. */
char *ed_library_file(const struct ed_library_place *place, struct oro_error *err);
/* The name by which documents call a graph: "rocks/cliff.oro". NULL: it lies in none of the library's
 * folders, or memory is out. The caller frees. */
char *ed_library_href(const char *path);
/* Whether a file lies in the user's library or among the user's presets, and so may be changed here. */
bool ed_library_owns(const char *path);

/* ---- Keeping ---- */

/* Writes a file, and makes the folders for it. What was there becomes an older version. Writing what is there
 * already changes nothing. ORO_E_WRITE. */
bool ed_library_write(const char *path, const void *bytes, size_t size, struct oro_error *err);

struct ed_library_version {
    const char *path, *when; /* when: "2026-11-28 04:10" in local time */
};
/* The older versions of a file, newest first. False: memory is out. */
bool ed_library_versions(const char *path, struct oro_arena *arena, struct ed_library_version **versions,
                         size_t *count);
/* Brings an older version back: what is there becomes an older version itself. */
bool ed_library_restore(const char *path, const char *version, struct oro_error *err);
/* Removes a file; it is kept as an older version. */
bool ed_library_remove(const char *path, struct oro_error *err);
/* Sets tags and description of a graph, preset or script; no version is made. */
bool ed_library_describe(const char *path, const char *words, const char *doc,
                         const struct oro_registry *registry, struct oro_error *err);

/* ---- What is kept ---- the text of a file, that the caller frees; NULL: `err` */

/* Graphs must give something, and must not depend on where they were made: graphs beside the document are
 * taken in as groups; where a file or script beside it is used, ORO_E_USAGE names it. Documents are not
 * changed. */

/* The nodes of `shown`, which is `root` or one of its groups, as a graph; those that write files are left
 * out. */
char *ed_library_nodes(const struct oro_document *root, const struct oro_document *shown,
                       const char *const *nodes, size_t count, const struct oro_doc_about *about,
                       const struct oro_registry *registry, struct oro_error *err);
/* A group of a document, or (NULL) all of the document. */
char *ed_library_graph(const struct oro_document *root, const char *group, const struct oro_doc_about *about,
                       const struct oro_registry *registry, struct oro_error *err);
/* A script with comments that say its tags and description, and, unless `id` is NULL, with that id where it
 * has none yet. ORO_E_USAGE: there is no table to put it into. */
char *ed_library_script(const char *text, const char *id, const char *words, const char *doc,
                        struct oro_error *err);

/* ---- Favourites ---- XDG_STATE_HOME/orograph/favourites, a key in each line (struct ed_asset) */

struct ed_favourites {
    char **keys;
    size_t count, capacity;
};
void ed_favourites_load(struct ed_favourites *favourites); /* none where the file is missing or wrong */
bool ed_favourite(const struct ed_favourites *favourites, const char *key);
/* Changes and saves. */
bool ed_favourite_set(struct ed_favourites *favourites, const char *key, bool on, struct oro_error *err);
void ed_favourites_free(struct ed_favourites *favourites);

/* ---- Folders ---- that were added to the library */

struct ed_library_folders {
    char *items[32];
    size_t count;
};
void ed_library_folders_load(struct ed_library_folders *folders);
/* Changes and saves. ORO_E_USAGE: it is no folder, is there already, or there are too many. */
bool ed_library_folders_add(struct ed_library_folders *folders, const char *path, struct oro_error *err);
bool ed_library_folders_remove(struct ed_library_folders *folders, size_t index, struct oro_error *err);
void ed_library_folders_free(struct ed_library_folders *folders);

#endif
