/* Files that are not there: what messages say of them. */
#ifndef ORO_BASE_MISSING_H
#define ORO_BASE_MISSING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

/* "; did you mean 'NAME'?" with the file of the same folder whose name is nearest to that of `path`; "" where
 * none is near, or the folder cannot be read. Returns `out`. */
const char *oro_near_file(const char *path, char out[ORO_NEAR_SIZE]);

/* Fails with "cannot read 'PATH': REASON", and the nearest file where there is none of that name. `reason` is
 * an errno; ENOMEM is ORO_E_MEMORY, all others are ORO_E_FILE. */
bool oro_cannot_read(const char *path, int reason, struct oro_error *err);

#endif
