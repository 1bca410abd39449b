/*
 * The folder of recovery copies, as safety.c writes it and recovery.c reads it. A running program has a
 * session, a random name, and holds a lock on SESSION.lock, which is released however the program ends. A
 * copy is SESSION-NUMBER.oro with SESSION-NUMBER.json, which says what it is a copy of and is written first;
 * the previous copy is removed when both are safe. Working copies lie in SESSION.files/ until the session
 * ends.
 */
#ifndef ED_PROJECT_SAFETY_PRIVATE_H
#define ED_PROJECT_SAFETY_PRIVATE_H

#include "editor/project/project_private.h"
#include "editor/project/safety.h"

enum { ED_SESSION_LENGTH = 16 };

struct ed_copy_about {
    char *document, *base; /* the document's path, and the one that files are found from */
    int64_t seconds;
    size_t nodes;
    struct ed_disk_state disk;
    struct ed_copy_file {
        char *path, *name; /* of the document's file; of its working copy, in the session's folder */
    } * files;
    size_t file_count;
};
void ed_copy_about_free(struct ed_copy_about *about);
/* JSON text, by oro_free; NULL: memory is out. */
char *ed_copy_about_write(const struct ed_copy_about *about);
/* Missing members are left as they are. False: not JSON. */
bool ed_copy_about_read(const char *path, struct ed_copy_about *about);

/* XDG_STATE_HOME/orograph/recovery. NULL: there is no such place, or memory is out. The caller frees. */
char *ed_safety_folder(void);
/* "FOLDER/SESSION" with the formatted text appended; NULL: memory is out. The caller frees. */
char *ed_safety_path(const char *folder, const char *session, const char *rest);

/* Locks a session's file, and makes it if it does not exist. Returns the file descriptor, whose closing
 * releases the lock, or -1 on failure (`*running`: because another program holds it). */
int ed_recovery_lock(const char *folder, const char *session, bool wait, bool *running,
                     struct oro_error *err);
/* Removes the files of a session whose names begin with "SESSION-", except those with the number `keep` (0:
 * all), and, if `lock`, the lock's file and the working copies. */
void ed_recovery_remove(const char *folder, const char *session, unsigned keep, bool lock);
/* The session's folder of working copies. NULL: memory is out. The caller frees. */
char *ed_recovery_files(const char *folder, const char *session);
/* Whether a file name begins with a session's name. */
bool ed_recovery_is_session(const char *name);

/* The session of another program, whose copy was taken over. */
struct ed_taken {
    struct ed_taken *next;
    char *folder;
    char session[ED_SESSION_LENGTH + 1];
    int lock;
};
/* Takes ownership of `taken`; `project` has the content of the copy. */
void ed_safety_took(struct ed_safety *safety, const struct ed_project *project, struct ed_taken *taken);

#endif
