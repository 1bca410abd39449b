/*
 * Lists of files with what they looked like, to notice that one of them changed, came or went.
 */
#ifndef ORO_BASE_FILE_LIST_H
#define ORO_BASE_FILE_LIST_H

#include "base/file.h"

/* Files younger than this may be written again under the same stamp, where the file system's clock is coarse.
 */
#define ORO_FILE_SETTLED_SECONDS 3

/* All zero: an empty list. */
struct oro_file_list {
    struct oro_listed_file {
        char *path;
        struct oro_stamp stamp; /* when it was added */
    } * items;
    size_t count, capacity;
    bool failed; /* memory was out: a file is missing in the list */
};

/* Adds a file or folder that is there or not, unless the list has it. */
void oro_file_list_add(struct oro_file_list *list, const char *path);
/* The file's sidecar PATH.json, and the folder that it lies in, whose stamp changes when files come and go.
 */
void oro_file_list_add_sidecar(struct oro_file_list *list, const char *path);
void oro_file_list_add_folder(struct oro_file_list *list, const char *path);
/* Adds all files of another list, with the stamps that they have there. */
void oro_file_list_add_all(struct oro_file_list *list, const struct oro_file_list *others);
/* Whether every file looks as it did when it was added. */
bool oro_file_list_same(const struct oro_file_list *list);
/* Whether the list is complete, and no file had just been written when it was added. */
bool oro_file_list_settled(const struct oro_file_list *list);
void oro_file_list_free(struct oro_file_list *list);

#endif
