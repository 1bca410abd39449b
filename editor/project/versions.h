/*
 * Versions: states of a document that the user has given names. Each is a document of its own, in the folder
 * NAME.versions beside NAME.oro, so that they go wherever the project goes, and other programs can read them:
 * "2026-03-01 142500 first draft.oro", with the local time at which it was kept. What the document refers to,
 * painted layers among it, is not copied.
 */
#ifndef ED_PROJECT_VERSIONS_H
#define ED_PROJECT_VERSIONS_H

#include "base/memory.h"
#include "editor/project/project.h"

struct ed_version {
    const char *file, *name;
    const char *when; /* "2026-03-01 14:25"; "": its file's name does not tell */
};
struct ed_versions {
    struct ed_version *items; /* newest first */
    size_t count;
};
enum { ED_VERSION_NAME_MAX = 100 }; /* bytes */

/* All that `document`, a path, has; none if it has no folder of them. Belongs to `arena`. */
bool ed_versions_list(const char *document, struct oro_arena *arena, struct ed_versions *versions,
                      struct oro_error *err);
/* Keeps the document as it is, saved or not. Letters that files cannot have in their names are replaced.
 * ORO_E_USAGE: it has no file yet. */
bool ed_version_keep(const struct ed_project *project, const char *name, struct oro_error *err);
/* NULL: it cannot be read. */
struct oro_document *ed_version_read(const struct ed_project *project, const struct ed_version *version,
                                     struct oro_error *err);
/* The document becomes what it was then, as a step that can be undone. */
bool ed_version_bring_back(struct ed_project *project, const struct ed_version *version,
                           struct oro_error *err);
bool ed_version_remove(const struct ed_version *version, struct oro_error *err);

#endif
