/*
 * The folder of recovery copies, as safety.c writes it and recovery.c reads it. A program that runs has a
 * session, a random name, and holds a lock on SESSION.lock, which ends with it however it ends. A copy is
 * SESSION-NUMBER.oro with SESSION-NUMBER.json, which says what it is a copy of and is written before; the
 * copy before it goes when both are safe.
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
};
void ed_copy_about_free(struct ed_copy_about *about);
/* JSON text, by oro_free; NULL: memory is out. */
char *ed_copy_about_write(const struct ed_copy_about *about);
/* What is missing is left as it is. False: it is no JSON. */
bool ed_copy_about_read(const char *path, struct ed_copy_about *about);

/* XDG_STATE_HOME/orograph/recovery. NULL: there is no such place, or memory is out. The caller frees. */
char *ed_safety_folder(void);
/* "FOLDER/SESSION" with what follows; NULL: memory is out. The caller frees. */
char *ed_safety_path(const char *folder, const char *session, const char *rest);

/* Locks a session's file, made where it is not there. -1: it cannot be (`*running`: because another program
 * holds it); else what closing releases. */
int ed_recovery_lock(const char *folder, const char *session, bool wait, bool *running,
                     struct oro_error *err);
/* Removes the files of a session whose names begin with "SESSION-", but those with the number `keep` (0:
 * all), and with `lock` that of the lock. */
void ed_recovery_remove(const char *folder, const char *session, unsigned keep, bool lock);
/* Whether a file name begins with a session's. */
bool ed_recovery_is_session(const char *name);

/* A session of another program, whose copy was taken over. */
struct ed_taken {
    struct ed_taken *next;
    char *folder;
    char session[ED_SESSION_LENGTH + 1];
    int lock;
};
/* Takes over `taken`; `project` is as the copy is. */
void ed_safety_took(struct ed_safety *safety, const struct ed_project *project, struct ed_taken *taken);

#endif
