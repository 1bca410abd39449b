/* Paths in documents: where they may lead (design, section 5). */
#ifndef ORO_GRAPH_DERIVED_PATHS_H
#define ORO_GRAPH_DERIVED_PATHS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* The folder of what is installed with the program: ../share/orograph from the folder of the program's file;
 * it holds library/, with presets/ in it. False: there is none. */
bool oro_installed_folder(char folder[PATH_MAX]);
/* Whether a file lies in the library or among the examples that are installed with the program, where its
 * links really lead. */
bool oro_path_is_installed(const char *path);
/* Calls `test` for the folders that documents may use besides their own, until it returns true: those of
 * OROGRAPH_PATH, then orograph/library/, and orograph/ that holds it, in XDG_DATA_HOME (else ~/.local/share),
 * then the folders that the user has added to the library (below), then orograph/library/, and orograph/ that
 * holds it, as installed with the program, and in each of XDG_DATA_DIRS. A folder's name is `length` bytes
 * long. */
bool oro_any_library(bool (*test)(const char *folder, size_t length, void *user), void *user);

/* The user's library: orograph/library/ in XDG_DATA_HOME, and the folders that the user has added to it.
 * Folders within it are categories: graphs are named with them
 * ("rocks/cliff.oro"), and scripts, whose names are those of node types, without. */
enum { ORO_LIBRARY_FOLDERS_MAX = 32, ORO_CATEGORIES_MAX = 500 };
/* Calls `test` for each folder of the user's library, the user's own first, until it returns true. */
bool oro_any_own_library(bool (*test)(const char *folder, size_t length, void *user), void *user);
/* Calls `test` for the names of the categories of a folder, sorted, until it returns true. Hidden folders and
 * presets/ are none. */
bool oro_any_category(const char *folder, size_t length, bool (*test)(const char *category, void *user),
                      void *user);
/* The folder that the program itself saves to; the caller frees. NULL: there is no home, or memory is out. */
char *oro_own_library(void);
/* The file that names the folders that were added, an absolute path in each line: orograph/library-folders in
 * XDG_CONFIG_HOME. Wrong lines are passed over. The caller frees; NULL likewise. */
char *oro_library_folders_file(void);

/* Turns a path from a document into one to open: beside the document (in the working folder for a document
 * without a path, "" or NULL), else, when no file is there, in the first folder of a library that has it.
 *
 * Unless `allow_any`, absolute paths, paths that climb out with '..', and symbolic links that lead out of the
 * document's folder and of the libraries are refused. A file that does not exist yet (an
 * export) is judged by the nearest folder above it that does. What exists must be a regular file: devices,
 * pipes, sockets and folders are refused in any case.
 *
 * On success `*resolved` is the path; the caller frees it with oro_free. Fails with ORO_E_FILE or
 * ORO_E_MEMORY. */
bool oro_resolve_path(const char *document_path, const char *path, bool allow_any, char **resolved,
                      struct oro_error *err);
/* The same for a file that is to be written: it lies beside the document. Libraries are neither searched nor
 * written to. A folder may be there, which only some formats replace. */
bool oro_resolve_output(const char *document_path, const char *path, bool allow_any, char **resolved,
                        struct oro_error *err);

#endif
