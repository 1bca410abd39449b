/*
 * Inside formats/: files that are written together, in one folder, all or none. Each is on the disk, under a
 * temporary name, before the first gets its own; the last one begun gets its name first (oro_files_commit).
 */
#ifndef ORO_FORMATS_FILE_SET_H
#define ORO_FORMATS_FILE_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/file.h"

/* Starts zeroed. */
struct oro_file_set {
    struct oro_file_output *files;
    size_t count, room;
    size_t late;   /* the first ones, which get their names after all others */
    bool in_draft; /* the files lie in a folder that gets its name later: `held`, which the caller holds */
    bool holds;
    int held;     /* the folder that they lie in */
    char *folder; /* the temporary name of the one that is a folder (formats/folder.h), begun first */
    char **stale; /* what does not belong to the set any more */
    size_t stale_count, stale_room;
};

/* Begins a file of the set; the one before is sealed. NULL: it failed as oro_file_begin does, or there is no
 * memory. What it gives is valid until the next file begins. */
struct oro_file_output *oro_file_set_begin(struct oro_file_set *set, const char *path, struct oro_error *err);
/* Adds what lies in another folder, complete and on the disk (oro_file_adopt). */
bool oro_file_set_adopt(struct oro_file_set *set, int draft, const char *name, const char *path,
                        struct oro_error *err);
/* Adopts all files of a folder, which is open as `draft`, as those beside `path`; sidecars behind what they
 * vouch for: the last of the set gets its name first, and a process that is killed in between leaves files
 * that are noticed not to be theirs. */
bool oro_file_set_adopt_all(struct oro_file_set *set, int draft, const char *folder, const char *path,
                            struct oro_error *err);
/* Begins the folder of the set, before any file: gives the name of the empty one that is to be filled. NULL:
 * it failed as oro_folder_make does. */
const char *oro_file_set_folder(struct oro_file_set *set, const char *path, struct oro_error *err);
/* Seals the last file, if one was begun since. Only one file of the set is open at a time. */
bool oro_file_set_seal(struct oro_file_set *set, struct oro_error *err);
/* The last file is complete: has it go to the disk meanwhile (oro_file_flush). */
bool oro_file_set_flush(struct oro_file_set *set, struct oro_error *err);
/* Begins and seals a file of this text. */
bool oro_file_set_text(struct oro_file_set *set, const char *path, const char *text, size_t length,
                       struct oro_error *err);
/* The same of a file that gets its name after all others, in the place of one of the set that has the same
 * name. */
bool oro_file_set_late(struct oro_file_set *set, const char *path, const char *text, size_t length,
                       struct oro_error *err);
/* Has a file removed once the set is complete, where there is one: an earlier set had it. Fails with
 * ORO_E_MEMORY. */
bool oro_file_set_drop(struct oro_file_set *set, const char *path, struct oro_error *err);
/* Gives every file its name. Where one cannot have it, all older files are there again. */
bool oro_file_set_commit(struct oro_file_set *set, struct oro_error *err);
/* Removes what was not committed, and frees the set. Call it in any case. */
void oro_file_set_end(struct oro_file_set *set);

#endif
