/* Paths in documents: where they may lead (design, section 5). */
#ifndef ORO_GRAPH_PATHS_H
#define ORO_GRAPH_PATHS_H

#include <stdbool.h>

#include "base/error.h"

/* Turns a path from a document into one to open: beside the document (in the working folder for a document
 * without a path, "" or NULL), else, when no file is there, in the first folder of OROGRAPH_PATH that has it.
 *
 * Unless `allow_any`, absolute paths, paths that climb out with '..', and symbolic links that lead out of the
 * document's folder and of the folders on OROGRAPH_PATH are refused. A file that does not exist yet (an
 * export) is judged by the nearest folder above it that does. What exists must be a regular file: devices,
 * pipes, sockets and folders are refused in any case.
 *
 * On success `*resolved` is the path; the caller frees it with oro_free. Fails with ORO_E_FILE or
 * ORO_E_MEMORY. */
bool oro_resolve_path(const char *document_path, const char *path, bool allow_any, char **resolved,
                      struct oro_error *err);

#endif
