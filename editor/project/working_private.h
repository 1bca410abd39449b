/* Working copies, as the files of editor/project/ see them. */
#ifndef ED_PROJECT_WORKING_PRIVATE_H
#define ED_PROJECT_WORKING_PRIVATE_H

#include "base/file.h"
#include "editor/project/working.h"

struct ed_working {
    char *path; /* of the document's file (oro_path_place) */
    char *file; /* the copy; NULL: none was asked for yet */
    bool differs;
    bool goes;              /* is to be saved over the file */
    bool known;             /* the file was read or written */
    struct oro_stamp stamp; /* as it was then */
};
struct ed_workings {
    struct oro_document *root; /* whose files they stand in for */
    struct ed_working *items;
    size_t count, capacity;
    char *folder;
    bool own_folder; /* for this project alone */
    bool keep;
    unsigned number; /* of the last copy: no two have the same name */
    char *(*make)(void *user, struct oro_error *err);
    void *user;
};

/* Drops all copies, and removes their files unless they are to be kept. */
void ed_workings_clear(struct ed_workings *working);
void ed_workings_free(struct ed_workings *working);
/* Takes a copy over that another session has left. */
bool ed_working_adopt(struct ed_workings *working, const char *path, const char *file, struct oro_error *err);

/* Files that are written, but for their names, so that what can fail has succeeded before any is replaced. */
struct ed_sealed;
/* Of all copies that go. Fails with ORO_E_FILE where another program has
 * changed a file and `over` is false, else with ORO_E_WRITE. */
struct ed_sealed *ed_workings_seal(struct ed_workings *working, bool over, struct oro_error *err);
/* Replaces the files; frees. */
bool ed_sealed_commit(struct ed_sealed *sealed, struct ed_workings *working, struct oro_error *err);
void ed_sealed_abort(struct ed_sealed *sealed); /* NULL is allowed */

#endif
