/*
 * Folders, as the file chooser shows them: folders first, then files, in the order in which people count
 * ("a2" before "a10"). No window here. One thread at a time.
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

/* Lists a folder; hidden files and, but for folders, those without one of the extensions are left out (NULL:
 * all are taken). Fails with ORO_E_FILE where it cannot be read, and is empty then. */
bool ed_files_list(struct ed_files *files, const char *folder, const char *const *extensions,
                   struct oro_error *err);
void ed_files_free(struct ed_files *files);
bool ed_file_has_extension(const char *name, const char *const *extensions);
/* Negative, 0, positive, as strcmp; numbers count as such, case does not. */
int ed_file_order(const char *a, const char *b);

/* An absolute path: `typed` as it is, below the home ("~/..."), or below the folder; without "." and "..",
 * no matter whether it exists. The caller frees. NULL: memory is out. */
char *ed_file_resolve(const char *folder, const char *typed);
/* Completes the last part of what was typed with what is there, as far as it is the same for all; folders get
 * a '/'. */
void ed_file_complete(const char *folder, const char *const *extensions, char *typed, size_t size);
/* What can be shown of a name: bytes that are no UTF-8 and control characters become '?'. Returns `out`. */
const char *ed_file_shown(const char *name, char *out, size_t size);

#endif
