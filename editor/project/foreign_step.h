/*
 * Foreign steps: steps of something that belongs to the document but is no part of it, such as strokes on a
 * painted layer, in the history of the document. `user` is owned by the history: `forget` frees it. `apply`
 * is called with true to undo, and false to redo.
 */
#ifndef ED_PROJECT_FOREIGN_STEP_H
#define ED_PROJECT_FOREIGN_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct ed_foreign_step {
    const char *name;
    bool (*apply)(void *user, bool undo, struct oro_error *err);
    void (*forget)(void *user);
    void *user;
    size_t bytes; /* what it holds: old steps are forgotten when all together hold more than 256 MiB */
};

#endif
