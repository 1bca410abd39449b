/*
 * Files: bounded reading, and writing that is all or nothing. A file under its own name is always whole: it
 * is written to a temporary name in the same folder (base/temporary.h), flushed to the disk, then renamed.
 */
#ifndef ORO_BASE_FILE_H
#define ORO_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* Reads a whole regular file of at most `limit` bytes and adds a zero byte behind the data. The caller frees
 * `*data` with oro_free. Fails with ORO_E_FILE or ORO_E_MEMORY. */
bool oro_file_read(const char *path, size_t limit, void **data, size_t *size, struct oro_error *err);

/* The same for a stream that need not be a file, until its end; `name` is for messages. */
bool oro_stream_read(FILE *stream, const char *name, size_t limit, void **data, size_t *size,
                     struct oro_error *err);

/* What became of the file whose name another one got. */
enum oro_replaced {
    ORO_REPLACED_NOTHING, /* there was none */
    ORO_REPLACED_KEPT,    /* it has the other's former name */
    ORO_REPLACED_LOST,    /* it is gone: the file system knows no way to keep it */
};

/* A file being written. Between begin and seal, commit or abort, write to `stream`. */
struct oro_file_output {
    FILE *stream;
    char *path, *temporary;
    int folder; /* that gets it, open from the beginning to the end */
    int draft;  /* that holds the temporary file: the same, unless it was adopted */
    bool shares_folder, placed;
    enum oro_replaced replaced;
};

/* Fails with ORO_E_WRITE, also where the name belongs to a read-only file or to anything but a regular file
 * (a folder, device, pipe), which are never replaced. A file's permissions stay. A symbolic link is replaced
 * by the file. A failed begin leaves nothing to clean up. */
bool oro_file_begin(struct oro_file_output *output, const char *path, struct oro_error *err);
/* The same for a file in a folder that the caller holds open until the file is committed, sweeps
 * (oro_temporary_sweep), and has go to the disk (oro_folder_sync). */
bool oro_file_begin_in(struct oro_file_output *output, int folder, const char *path, struct oro_error *err);
/* Adopts a file, or a folder, which is on the disk already: called `name` in the folder `draft`, it is to be
 * `path`, in `folder`. The caller holds both, and has found that it may write there. Fails with ORO_E_MEMORY.
 */
bool oro_file_adopt(struct oro_file_output *output, int draft, const char *name, int folder, const char *path,
                    struct oro_error *err);
/* Has the system begin to put onto the disk what was written, and does not wait for it: sealing then waits
 * less. On failure as oro_file_seal. */
bool oro_file_flush(struct oro_file_output *output, struct oro_error *err);
/* Flushes, syncs and closes, so that nothing but the renaming is left to commit: of a set of files, each is
 * sealed before the first is committed. On failure, the output is gone as after abort. */
bool oro_file_seal(struct oro_file_output *output, struct oro_error *err);
/* Seals, unless that is done, renames, and has the folder know it on the disk. On failure the temporary file
 * is gone and an older file of that name is untouched. */
bool oro_file_commit(struct oro_file_output *output, struct oro_error *err);
void oro_file_abort(struct oro_file_output *output);
/* Gives files that are sealed their names, the last one first. Older files are kept until oro_files_end, and
 * get their names back by oro_files_take_back, or where one of the files cannot have its name. A process that
 * is killed in between leaves the first files of the list old and the others new: what vouches for a file
 * comes behind it. */
bool oro_files_place(struct oro_file_output *files, size_t count, struct oro_error *err);
void oro_files_take_back(struct oro_file_output *files, size_t count);
/* Ends them all: removes older files of those that have their names, and aborts others. */
void oro_files_end(struct oro_file_output *files, size_t count);

/* Gives what is called `from` in an open folder the name `to` in another, and keeps what had that name under
 * the former name of the new one. Works for files and for folders. False: errno says why, and nothing was
 * changed. */
bool oro_replace(int from_folder, const char *from, int to_folder, const char *to,
                 enum oro_replaced *replaced);
/* Undoes that. */
void oro_replace_back(int from_folder, const char *from, int to_folder, const char *to,
                      enum oro_replaced replaced);
/* Has names that changed in an open folder go to the disk. */
void oro_folder_sync(int folder);
/* Opens the folder that `path` lies in, to be closed by the caller; -1: ORO_E_WRITE or ORO_E_MEMORY. */
int oro_folder_open_for(const char *path, struct oro_error *err);

/* Whether a file could be written under that name, as far as can be told beforehand: the folder exists and is
 * writable, and the name is free or belongs to a writable regular file. Fails with ORO_E_WRITE. */
bool oro_file_may_write(const char *path, struct oro_error *err);

bool oro_file_write(const char *path, const void *data, size_t size, struct oro_error *err);

/* The program's place in one of the user's folders: `rest` below the folder that the environment variable
 * names (XDG_CONFIG_HOME), if that is an absolute path, else below `standard` in HOME (".config"). The caller
 * frees with oro_free. NULL: there is no such place, or memory is out. */
char *oro_user_folder(const char *variable, const char *standard, const char *rest);
/* Where the program keeps what it can make again: OROGRAPH_CACHE, else the user's folder for that. Likewise.
 */
char *oro_cache_place(void);
/* Makes a folder and the folders above it. */
bool oro_make_folders(const char *path, struct oro_error *err);

/* The absolute path, without links, of a file that exists or could be made in a folder that exists: two paths
 * lead to one file if these are equal. The caller frees with oro_free. NULL: there is no such place, or
 * memory is out. */
char *oro_path_true(const char *path);
/* The same for a file whose folders need not exist yet. */
char *oro_path_place(const char *path);
/* Whether two paths are known to lead to one file, which need not exist yet. */
bool oro_path_same(const char *a, const char *b);

/* What a file looks like from outside, to notice that it changed. All zero: it is not there. */
struct oro_stamp {
    int64_t seconds, nanoseconds;
    uint64_t size, inode;
};
struct oro_stamp oro_stamp_of(const char *path);
bool oro_stamp_equal(const struct oro_stamp *a, const struct oro_stamp *b);

/* Whether it is a folder that programs take for one file: a Zarr array, or a group of them. */
bool oro_path_is_array(const char *path);
/* Whether it is the pattern of the names of tiles, "alps_x{x}_y{y}.png", which are taken for one file. */
bool oro_path_is_pattern(const char *path);

/* The part of a path behind its last '/'. Points into `path`. */
const char *oro_path_name(const char *path);
/* Text after the last '.' of the last path part, or "". Points into `path`. */
const char *oro_path_extension(const char *path);
/* Whether it is one of a list that ends with NULL, whatever its case. */
bool oro_path_ends_in(const char *path, const char *const *extensions);
/* `path` as is if absolute, else beside `base` (a file's path, or NULL). The caller frees. NULL: memory is
 * out. */
char *oro_path_beside(const char *base, const char *path);
/* The folder that holds `path`, "." for a mere name. The caller frees. NULL: memory is out. */
char *oro_path_folder(const char *path);

#endif
