/*
 * Names of files and folders that are being written, NAME.HOST-PROCESS-STARTED-COUNT.part. They tell their
 * owner, so that what a process left behind when it was killed is known as such, and removed by whoever
 * writes into the folder next. What a living process or another host makes is never touched.
 */
#ifndef ORO_BASE_TEMPORARY_H
#define ORO_BASE_TEMPORARY_H

#include <stdbool.h>

#include "base/text.h"

/* Adds such a name for what will be called `name`, another one each time. */
void oro_temporary_name(struct oro_text *text, const char *name);
/* Whether it is such a name, and the process that made it is gone. */
bool oro_temporary_is_stale(const char *name);
/* Removes what is stale from an open folder. */
void oro_temporary_sweep(int folder);

/* Removes a file, or a folder with all that is in it as far as three levels down, from an open folder
 * (AT_FDCWD: the working folder). Links are removed and never followed. */
void oro_remove_all(int folder, const char *name);

#endif
