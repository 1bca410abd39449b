/* orograph merge: two versions of a graph into one. */
#include <stdio.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/graph.h"
#include "graph/file/xml.h"
#include "graph/reuse/merge.h"

struct merge_options {
    const char *out, *path;
    bool allow_path, quiet;
};

/* `path`: where the file belongs, for what it names. */
static struct oro_document *read_version(const char *file, const char *path,
                                         const struct oro_registry *registry, struct oro_error *err)
{
    struct oro_problems problems = {0};
    void *text = NULL;
    size_t size = 0;
    if (!oro_file_read(file, ORO_DOCUMENT_BYTES_MAX, &text, &size, err))
        return NULL;
    struct oro_document *doc = oro_document_parse(text, size, path ? path : file, registry, &problems);
    if (!doc)
        oro_fail(err, ORO_E_DOCUMENT, "'%s' is no graph: %s", file,
                 problems.count > 0 ? problems.items[0].text : "no memory to read it");
    oro_problems_free(&problems);
    oro_free(text);
    return doc;
}

static bool print_conflicts(const struct oro_conflicts *conflicts, const char *path)
{
    struct oro_text line = {0};
    for (size_t i = 0; i < conflicts->count && !line.failed; i++) {
        line.length = 0;
        oro_conflict_line(&conflicts->items[i], &line);
        if (!line.failed)
            fprintf(stderr, "%s: conflict: %s\n", path, line.data);
    }
    bool ok = !line.failed;
    oro_text_free(&line);
    return ok;
}

static bool merge(const struct merge_options *options, char *const *files,
                  const struct oro_registry *registry, size_t *conflicts_found, struct oro_error *err)
{
    struct oro_document *docs[3] = {NULL}, *merged = NULL;
    struct oro_conflicts conflicts = {0};
    bool ok = true;
    for (size_t i = 0; i < 3 && ok; i++) {
        docs[i] = read_version(files[i], options->path, registry, err);
        ok = docs[i];
    }
    if (ok)
        merged = oro_merge(docs[0], docs[1], docs[2], registry, &conflicts, err);
    ok = merged && oro_document_write(merged, registry, options->out ? options->out : files[1], err);
    if (ok && !options->quiet && !print_conflicts(&conflicts, options->path ? options->path : files[1]))
        ok = oro_fail(err, ORO_E_MEMORY, "no memory to list the conflicts");
    *conflicts_found = conflicts.count;
    if (merged)
        oro_conflicts_free(&conflicts);
    oro_document_destroy(merged);
    for (size_t i = 0; i < 3; i++)
        oro_document_destroy(docs[i]);
    return ok;
}

static int run_merge(const void *parsed, char *const *arguments, int count)
{
    const struct merge_options *options = parsed;
    struct oro_registry registry;
    struct oro_error err = {0};
    size_t conflicts = 0;
    (void)count;
    if (!cli_registry_open(&registry, options->allow_path, &err))
        return (int)cli_fail(&err);
    bool ok = merge(options, arguments, &registry, &conflicts, &err);
    cli_registry_close(&registry);
    if (!ok) {
        /* 1 would tell of conflicts in a file that was written. */
        cli_fail(&err);
        return err.code == ORO_E_USAGE ? CLI_USAGE : CLI_INVALID;
    }
    return conflicts > 0 ? CLI_DIFFERENT : CLI_DONE;
}

static const struct cli_option options_table[] = {
    {"out", 'o', CLI_TEXT, offsetof(struct merge_options, out), .argument = "OUT",
     .help = "Write to OUT instead of OURS"},
    {"path", 0, CLI_TEXT, offsetof(struct merge_options, path), .argument = "FILE",
     .help = "Where the graph belongs: files that it names are looked for beside FILE"},
    {"quiet", 'q', CLI_FLAG, offsetof(struct merge_options, quiet), .help = "Do not list conflicts"},
    {"allow-path", 0, CLI_FLAG, offsetof(struct merge_options, allow_path),
     .help = "Let the graph name files outside its own folder and the library"},
    {0},
};

const struct cli_command cli_merge = {
    .name = "merge",
    .arguments = "BASE OURS THEIRS",
    .summary = "Merges two versions of a graph that come from a common one",
    .help = "Changes of both sides combine; where both changed the same, OURS is kept, and the conflict is "
            "listed.\n"
            "Exit code 0 without conflicts, 1 with some, as git expects of a merge driver "
            "(docs/file-format.md).\n"
            "Example: orograph merge base.oro mine.oro other.oro -o merged.oro\n",
    .options = options_table,
    .options_size = sizeof(struct merge_options),
    .least = 3,
    .most = 3,
    .run = run_merge,
};
