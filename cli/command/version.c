/* orograph version */
#include <stdio.h>

#include "cli/command/commands.h"
#include "cli/report/console.h"
#include "graph/file/xml.h"

static int run_version(const void *options, char *const *arguments, int count)
{
    (void)options, (void)arguments, (void)count;
    printf("orograph %s (documents version %d, %zu node types)\n", OROGRAPH_VERSION, ORO_DOCUMENT_VERSION,
           oro_builtin_nodes.count);
    return CLI_DONE;
}

const struct cli_command cli_version = {
    .name = "version",
    .arguments = "",
    .summary = "Prints the program's version",
    .run = run_version,
};
