/*
 * Recovery copies keep work from being lost: copies of the document while it is edited, in the user's folder
 * (XDG_STATE_HOME/orograph/recovery, else ~/.local/state/...), which are offered after a crash. They list the
 * working copies of files that belong to the document, which lie beside them and are newer still.
 *
 * A copy is written at most ED_SAFETY_SECONDS after the first change since the last one, and before risky
 * steps. A thread of its own writes it, so that the window never waits for a disk. A copy is written whole or
 * not at all, and is removed when the document is saved, or closed on purpose.
 */
#ifndef ED_PROJECT_SAFETY_H
#define ED_PROJECT_SAFETY_H

#include "base/memory.h"
#include "editor/project/project.h"

#define ED_SAFETY_SECONDS 20.0

struct ed_safety;
/* `folder` NULL: the user's. NULL: memory is out, or no thread can be made. If the folder cannot be written,
 * work goes on, and ed_safety_problem tells why. */
struct ed_safety *ed_safety_create(const char *folder, struct oro_error *err);
/* Ends the thread once it has written what was requested; if `clean`, removes the copy. */
void ed_safety_destroy(struct ed_safety *safety, bool clean);

/* A folder for working copies (working.h), which lasts as long as the recovery copy that lists them; made
 * when it is asked for. The caller frees. NULL: it cannot be made. */
char *ed_safety_working_folder(void *safety, struct oro_error *err);

/* Once a frame: writes a copy when it is time. */
void ed_safety_tick(struct ed_safety *safety, const struct ed_project *project, double now);
/* Writes a copy at once: before opening another document, a build, or a large paste. */
void ed_safety_now(struct ed_safety *safety, const struct ed_project *project);
/* The document was saved or given up: there is nothing to keep. */
void ed_safety_clear(struct ed_safety *safety);
/* Why the last copy could not be written; NULL: it could. */
const char *ed_safety_problem(struct ed_safety *safety);

/* A copy left by a program that no longer runs. */
struct ed_recovery {
    const char *file;     /* of the copy */
    const char *document; /* of the document that it is a copy of; "" for an untitled one */
    int64_t seconds;      /* when it was written: seconds since 1970 */
    size_t nodes;
    size_t files; /* other files, of which it has what was painted */
};
struct ed_recoveries {
    struct ed_recovery *items; /* newest first */
    size_t count;
};
bool ed_recoveries_list(const char *folder, struct oro_arena *arena, struct ed_recoveries *recoveries,
                        struct oro_error *err);
/* The newest of the copies of a document that are not older than its file. False: there is none. */
bool ed_recovery_of(const struct ed_recoveries *recoveries, const char *document,
                    const struct ed_recovery **found);
/* Says in `out` what a copy has that the open document has not: "2 nodes added (ramp, hills), 1 changed
 * (slab)". False: nothing, or it cannot be read. */
bool ed_recovery_differs(const struct ed_recovery *recovery, const struct ed_project *project, char *out,
                         size_t size);
/* Opens a copy as the changed document that it is a copy of. The copy stays until `safety` is cleared or has
 * written a newer one. */
bool ed_recovery_take(struct ed_safety *safety, const struct ed_recovery *recovery,
                      struct ed_project *project, struct oro_problems *problems, struct oro_error *err);
bool ed_recovery_discard(const struct ed_recovery *recovery, struct oro_error *err);

#endif
