/*
 * Listing folders for the file chooser: folders first, then files, with numbers in numeric order ("a2" before
 * "a10"). Independent of the window. One thread at a time.
 */
#ifndef ED_PANELS_FILES_H
#define ED_PANELS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

struct ed_file {
    const char *name; /* any bytes but '/' */
    bool folder;      /* or a link to one */
    uint64_t size;
    int64_t seconds; /* since 1970 */
};
struct ed_files { /* begin with a zeroed one */
    struct oro_arena *arena;
    struct ed_file *items;
    size_t count, capacity;
    char *folder; /* absolute */
};

/* Lists a folder. Leaves out hidden files, and files (not folders) without one of the extensions (NULL: any).
 * If the folder cannot be read, fails with ORO_E_FILE and the list is empty. */
bool ed_files_list(struct ed_files *files, const char *folder, const char *const *extensions,
                   struct oro_error *err);
void ed_files_free(struct ed_files *files);
bool ed_file_has_extension(const char *name, const char *const *extensions);
/* Negative, 0 or positive like strcmp; numbers are compared by value, and case is ignored unless all else is
 * equal. */
int ed_file_order(const char *a, const char *b);

/* Makes what was typed an absolute path without "." and "..": relative to the home folder ("~/...") or else
 * to `folder`. It need not exist. The caller frees. NULL: memory is out. */
char *ed_file_resolve(const char *folder, const char *typed);
/* Completes the last part of what was typed, as far as all matching names agree; folders get a '/'. */
void ed_file_complete(const char *folder, const char *const *extensions, char *typed, size_t size);
/* A name as it can be shown: bytes that are not UTF-8, and control characters, become '?'. Returns `out`. */
const char *ed_file_shown(const char *name, char *out, size_t size);

#endif
