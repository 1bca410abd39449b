/* orograph update: files in the present form of the file format. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/command/commands.h"
#include "cli/engine/graph.h"
#include "cli/options/standard.h"
#include "cli/report/console.h"
#include "graph/file/load.h"

struct update_options {
    bool allow_path, check;
};

/* Whether the file has other bytes than the program would write. */
static bool is_other(const char *path, const char *text, size_t size, bool *other, struct oro_error *err)
{
    void *present = NULL;
    size_t present_size = 0;
    if (!oro_file_read(path, ORO_DOCUMENT_BYTES_MAX, &present, &present_size, err))
        return false;
    *other = size != present_size || memcmp(text, present, size) != 0;
    oro_free(present);
    return true;
}

/* Sets `other` if the file was, or with --check is, not in the present form. */
static bool update_document(const struct oro_document *doc, const struct oro_registry *registry,
                            const char *path, bool check, bool *other, struct oro_error *err)
{
    char *text = NULL;
    size_t size = 0;
    bool ok = oro_document_format(doc, registry, &text, &size, err) &&
              is_other(path, text, size, other, err) &&
              (check || !*other || oro_file_write(path, text, size, err));
    oro_free(text);
    if (ok)
        printf("%s: %s\n", path,
               !*other ? "is in the present form"
               : check ? "is in an older form, or not as the program writes it"
                       : "updated");
    return ok;
}

/* A graph with errors is left as it is: what is brought up to date would be less than all of it. */
static bool update_file(const char *path, const struct update_options *options, bool *other,
                        struct oro_error *err)
{
    struct oro_registry registry;
    struct oro_problems problems = {0};
    if (cli_is_standard(path))
        return oro_fail(err, ORO_E_USAGE, "standard input cannot be rewritten; give files");
    if (!cli_registry_open(&registry, options->allow_path, err))
        return false;
    struct oro_document *doc = cli_read_checked(path, &registry, &problems, err);
    bool whole = doc && problems.errors == 0;
    if (doc && !whole)
        oro_fail(err, ORO_E_DOCUMENT, "'%s' is left as it is: %zu error%s", path, problems.errors,
                 problems.errors == 1 ? "" : "s");
    bool ok = whole && update_document(doc, &registry, path, options->check, other, err);
    oro_problems_free(&problems);
    oro_document_destroy(doc);
    cli_registry_close(&registry);
    return ok;
}

static int run_update(const void *parsed, char *const *arguments, int count)
{
    const struct update_options *options = parsed;
    int code = CLI_DONE;
    for (int i = 0; i < count; i++) {
        struct oro_error err = {0};
        bool other = false;
        if (!update_file(arguments[i], options, &other, &err))
            code = (int)cli_fail(&err);
        else if (other && options->check && code == CLI_DONE)
            code = CLI_INVALID;
    }
    return code;
}

static const struct cli_option options_table[] = {
    {"check", 0, CLI_FLAG, offsetof(struct update_options, check),
     .help = "Write nothing; exit code 3 if a file is not in the present form"},
    {"allow-path", 0, CLI_FLAG, offsetof(struct update_options, allow_path),
     .help = "Let the documents name files outside their own folders and the library"},
    {0},
};

const struct cli_command cli_update = {
    .name = "update",
    .arguments = "FILE...",
    .summary = "Rewrites graphs in the present form of the file format",
    .help =
        "Files of older versions are brought up to date whenever they are read, with a notice; after this,\n"
        "without. Values and links stay; files with errors are left as they are.\n"
        "Example: orograph update *.oro\n",
    .options = options_table,
    .options_size = sizeof(struct update_options),
    .least = 1,
    .most = -1,
    .run = run_update,
};
