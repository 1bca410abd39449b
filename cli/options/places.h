/*
 * Which files a script may read and write. It may read from its own folder, what the command line names, and
 * where it may write. It may write only below the folders that were given for that. Links are resolved before
 * a path is judged, and the process keeps to what was judged (cli_places_wall).
 */
#ifndef ORO_CLI_OPTIONS_PLACES_H
#define ORO_CLI_OPTIONS_PLACES_H

#include "base/memory.h"
#include "cli/options/options.h"

struct cli_places {
    struct oro_arena *arena;    /* owns all of it */
    const char *beside;         /* the script's folder, as it was given: "scripts/" or "" */
    const char **read, **write; /* true paths; they include everything below them */
    size_t read_count, write_count;
};

/* `read` must exist; folders of `write` are made. Those of `arguments` that exist may be read. Call
 * cli_places_close in any case. */
bool cli_places_open(struct cli_places *places, const char *script, const struct cli_list *read,
                     const struct cli_list *write, char *const *arguments, int count, struct oro_error *err);
void cli_places_close(struct cli_places *places);

/* Has the process keep to them (base/walls.h), to the libraries and to the program's own folders, whatever
 * becomes of names between the question and the opening. Documents that are opened have their folders
 * besides: what they may read is judged by their paths (graph/derived/paths.h). */
bool cli_places_wall(const struct cli_places *places, const char *shader_dir, bool read_anywhere,
                     struct oro_error *err);
bool cli_places_take_document(const char *path, struct oro_error *err);

/* The path to open for what a script calls `path`: from the working folder, else beside the script. The
 * caller frees. NULL: ORO_E_FILE where there is no such file, or it may not be read. */
char *cli_places_read(const struct cli_places *places, const char *path, struct oro_error *err);
/* Whether a file may be written; makes the folders that lead to it. Fails with ORO_E_WRITE. */
bool cli_places_write(const struct cli_places *places, const char *path, struct oro_error *err);

#endif
