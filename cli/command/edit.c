/* orograph edit: starts the editor, which is a program of its own. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <unistd.h>

#include "cli/command/commands.h"
#include "cli/report/console.h"

struct edit_options {
    bool allow_path;
};

/* The folder of this program. False: it is unknown. */
static bool own_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return slash;
}

static int run_edit(const void *data, char *const *arguments, int count)
{
    /* Where both are installed in one folder, and in the build tree. */
    static const char *const places[] = {"orograph-editor", "../editor/orograph-editor"};
    const struct edit_options *options = data;
    char folder[PATH_MAX], path[PATH_MAX + 32];
    char *command[] = {"orograph-editor", NULL, NULL, NULL};
    int used = 1;
    if (options->allow_path)
        command[used++] = "--allow-path";
    if (count > 0)
        command[used] = arguments[0];
    for (size_t i = 0; i < sizeof places / sizeof places[0] && own_folder(folder); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, places[i]);
        execv(path, command); /* returns only on failure */
    }
    execvp("orograph-editor", command);
    cli_error("the editor could not be started: orograph-editor: %s", strerror(errno));
    return CLI_FAILED;
}

static const struct cli_option options[] = {
    {.name = "allow-path",
     .kind = CLI_FLAG,
     .offset = offsetof(struct edit_options, allow_path),
     .help = "Files that the document names may lie anywhere"},
    {0},
};

const struct cli_command cli_edit = {
    .name = "edit",
    .arguments = "[FILE]",
    .summary = "Opens the editor, with a document",
    .help = "Example: orograph edit examples/amplify.oro\n",
    .options = options,
    .options_size = sizeof(struct edit_options),
    .least = 0,
    .most = 1,
    .run = run_edit,
};
